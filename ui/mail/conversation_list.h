/* Lists of conversations: the inbox, the archive, and the mail of one agent. */
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

/* Shows only the mail of that agent or, with `with`, the mail between the two. NULL shows
 * everybody's mail. */
void conversation_list_show_agent(struct screen *screen, const struct agent *agent,
                                  const struct agent *with);

/* Shared by the files of the conversation list only. */

enum row_kind { ROW_GROUP, ROW_CONVERSATION, ROW_MESSAGE };

/* The areas of the screen, as they were drawn last. */
struct conversation_list_panes {
    struct area whole;
    struct area side; /* no columns: no sidebar */
    struct area list;
    struct area preview; /* no columns: no preview */
};

enum conversation_list_preview { PREVIEW_BESIDE, PREVIEW_ALWAYS, PREVIEW_NEVER };

/* A message that the cursor goes to as soon as it arrives. */
struct awaited {
    bool is;
    uint32_t source;
    struct str team, box, id;
};

struct mailbox {
    struct screen screen;
    enum conversation_list_kind kind;
    struct list list;       /* item: a conversation; of a message also `of`: its tree, `part`: a row
                             * of that */
    struct attention order; /* of the present snapshot */
    struct inbox_order_keys kept;
    struct scope scope;
    struct str agent;        /* name of the agent whose mail is shown, as the person typed it;
                              * empty: everybody's */
    struct str who, with;    /* agent_index_add_key() of that agent and of the second one */
    struct key_set tagged;   /* keys of rows */
    struct key_set unfolded; /* keys of conversations */
    struct tree *trees;      /* of the unfolded conversations, in the order of the list */
    size_t tree_count;
    size_t who_width;
    size_t shown, all; /* conversations */
    struct conversation_line line;
    struct filter filter;
    struct filter tagging; /* the query for tagging, while the files are searched for it */
    struct sidebar side;
    struct agent_head head; /* of CONVERSATION_LIST_AGENT */
    struct conversation_list_panes panes;
    struct message_page opened; /* the preview */
    enum conversation_list_preview preview;
    bool in_preview; /* keys move in the preview, not in the list */
    bool snoozed;    /* true if only snoozed conversations are shown */
    size_t asleep;   /* snoozed conversations */
    struct awaited awaited;
};

/* Fills the list from the snapshot. */
void conversation_list_fill(struct mailbox *box);

/* Returns the index of the agent whose mail is shown among the agents of the snapshot, or
 * AGENT_NONE. */
uint32_t conversation_list_agent(const struct mailbox *box);
bool conversation_list_selected_agent(struct screen *screen, struct span *name, uint32_t *source,
                                      struct arena *arena);
/* Performs the actions that choose what is shown or tagged; false for all others. */
bool conversation_list_find_act(struct mailbox *box, enum action action, struct span argument);
/* The functions of struct screen_ops with these names; see ui/screen.h. */
bool conversation_list_search(struct screen *screen, struct span text, bool forward, bool live);
bool conversation_list_targets(struct screen *screen, struct span_list *keys, struct arena *arena);
void conversation_list_untag(struct screen *screen, const struct span_list *keys);
/* Searches the files if the filter needs that. */
void conversation_list_filter(struct mailbox *box);

#endif
