/* Lists of conversations: the inbox, the archive, the queue of decisions, the mail of one agent. */
#ifndef UI_MAIL_CONVERSATION_LIST_H
#define UI_MAIL_CONVERSATION_LIST_H

#include "mail/agent/agent.h"
#include "mail/render/render_list.h"
#include "mail/thread/thread.h"
#include "ui/mail/filter.h"
#include "ui/mail/message_view.h"
#include "ui/mail/sidebar.h"
#include "ui/ui.h"
#include "ui/views/agent_view.h"
#include "ui/widget/list.h"

enum conversation_list_kind {
    CONVERSATION_LIST_INBOX,
    CONVERSATION_LIST_ARCHIVE,
    CONVERSATION_LIST_AGENT
};

struct screen *conversation_list_new(struct ui *ui, enum conversation_list_kind kind);

/* Shows only the mail of that agent or, with `with`, what the two wrote to each other; NULL for
 * everybody's. */
void conversation_list_show_agent(struct screen *screen, const struct agent *agent,
                                  const struct agent *with);

/* Lists of conversations, inside. */

enum row_kind { ROW_GROUP, ROW_CONVERSATION, ROW_MESSAGE };

/* How the screen was shared out when it was drawn. */
struct conversation_list_panes {
    struct area whole;
    struct area side; /* no columns: there is none */
    struct area list;
    struct area preview; /* no columns: there is none */
};

enum conversation_list_preview { PREVIEW_BESIDE, PREVIEW_ALWAYS, PREVIEW_NEVER };

/* A message that the cursor goes to when it comes. */
struct awaited {
    bool is;
    uint32_t source;
    struct str team, box, id;
};

struct mailbox {
    struct screen screen;
    enum conversation_list_kind kind;
    struct list list;       /* item: a talk; for messages of: its tree, part: a row of that */
    struct attention order; /* of the present picture */
    struct inbox_order_keys kept;
    struct scope scope;
    struct str agent;        /* whose mail is shown, as it is written; empty: everybody's */
    struct str who, with;    /* the keys of that agent and of the one it wrote to; see who.h */
    struct key_set tagged;   /* keys of rows */
    struct key_set unfolded; /* keys of talks */
    struct tree *trees;      /* of the talks that are unfolded, in the order of the list */
    size_t tree_count;
    size_t who_width;
    size_t shown, all; /* conversations */
    struct conversation_line line;
    struct filter filter;
    struct filter tagging; /* what is to be tagged, while it is looked for */
    struct sidebar side;
    struct agent_head head; /* of CONVERSATION_LIST_AGENT */
    struct conversation_list_panes panes;
    struct message_page opened; /* the preview */
    enum conversation_list_preview preview;
    bool in_preview; /* keys move in the preview, not in the list */
    bool snoozed;    /* only what is put aside is shown */
    size_t asleep;   /* conversations that are put aside */
    struct awaited awaited;
};

/* Fills the list from the picture. */
void conversation_list_fill(struct mailbox *box);

/* The number of the agent whose mail is shown among the picture's, or AGENT_NONE. */
uint32_t conversation_list_agent(const struct mailbox *box);
bool conversation_list_selected_agent(struct screen *screen, struct span *name, uint32_t *source,
                                      struct arena *arena);
/* Those actions that choose what is shown or tagged. */
bool conversation_list_find_act(struct mailbox *box, enum action action, struct span argument);
/* Those that choose whose mail is shown. */
bool conversation_list_search(struct screen *screen, struct span text, bool forward, bool live);
bool conversation_list_targets(struct screen *screen, struct span_list *keys, struct arena *arena);
/* Adds the keys of the messages that a row stands for. */
void conversation_list_untag(struct screen *screen, const struct span_list *keys);
/* Looks into the files if the filter needs it. */
void conversation_list_look(struct mailbox *box);

#endif
