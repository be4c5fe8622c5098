/* Actions: everything that a key or a word on the command line can make the screens do.
 *
 * One table. The keys, the help, the key bar, the command line, the config and the manual go by it.
 */
#ifndef UI_ACTION_H
#define UI_ACTION_H

#include <stdbool.h>

enum action {
    ACTION_NONE,
    /* moving */
    ACTION_NEXT,
    ACTION_PREVIOUS,
    ACTION_FIRST,
    ACTION_LAST,
    ACTION_HALF_DOWN,
    ACTION_HALF_UP,
    ACTION_PAGE_DOWN,
    ACTION_PAGE_UP,
    ACTION_SCROLL,
    ACTION_SCROLL_LEFT,
    ACTION_SCROLL_RIGHT,
    ACTION_OPEN,
    ACTION_BACK,
    ACTION_NEXT_UNREAD,
    ACTION_NEXT_DECISION,
    ACTION_PREVIOUS_DECISION,
    ACTION_NEXT_AGENT,
    ACTION_PREVIOUS_AGENT,
    ACTION_PICK_AGENT,
    ACTION_OTHER_PANE,
    /* reading */
    ACTION_NEXT_MESSAGE,
    ACTION_PREVIOUS_MESSAGE,
    ACTION_RAW,
    ACTION_WRAP,
    ACTION_HEADERS,
    ACTION_PREVIEW,
    ACTION_FOLD,
    ACTION_FOLD_ALL,
    ACTION_UNFOLD_ALL,
    /* writing */
    ACTION_COMPOSE,
    ACTION_REPLY,
    ACTION_REPLY_ALL,
    ACTION_FORWARD,
    ACTION_HANDOFF,
    ACTION_BROADCAST,
    ACTION_NUDGE,
    ACTION_SHUTDOWN,
    ACTION_MODE,
    ACTION_ASSIGN,
    ACTION_RULES,
    ACTION_ESCALATE,
    ACTION_RECALL,
    /* acting */
    ACTION_ARCHIVE,
    ACTION_RESTORE,
    ACTION_MARK,
    ACTION_SNOOZE,
    ACTION_TAG,
    ACTION_TAG_FILTER,
    ACTION_UNTAG_ALL,
    ACTION_TAGGED,
    ACTION_UNDO,
    ACTION_REDO,
    ACTION_RETRY,
    ACTION_DISCARD,
    /* deciding; verdict.c takes the first to the last of them */
    ACTION_APPROVE,
    ACTION_AMEND,
    ACTION_REJECT,
    ACTION_GRANT,
    ACTION_GRANT_SESSION,
    ACTION_GRANT_PATTERN,
    ACTION_DENY,
    ACTION_SUGGESTION,
    ACTION_PLAN_FILE,
    ACTION_TAG_REQUEST,
    ACTION_GO_DECIDE,
    /* finding */
    ACTION_SEARCH,
    ACTION_SEARCH_NEXT,
    ACTION_SEARCH_PREVIOUS,
    ACTION_SEARCH_ALL,
    ACTION_RANK,
    ACTION_FILTER,
    ACTION_SCOPE,
    ACTION_PERIOD,
    /* views */
    ACTION_INBOX,
    ACTION_AGENTS,
    ACTION_DECIDE,
    ACTION_DRAFTS,
    ACTION_ARCHIVED,
    ACTION_FLOW,
    ACTION_FIRST_VIEW = ACTION_INBOX,
    ACTION_LAST_VIEW = ACTION_FLOW,
    /* the program */
    ACTION_COMMAND,
    ACTION_HELP,
    ACTION_MOUSE,
    ACTION_REDRAW,
    ACTION_SUSPEND,
    ACTION_QUIT,
    /* forms */
    ACTION_SEND,
    ACTION_POSTPONE,
    ACTION_EDITOR,
    ACTION_REVIEW,
    ACTION_NEXT_FIELD,
    ACTION_PREVIOUS_FIELD,
    ACTION_LEAVE,
    /* editing a line or a field */
    ACTION_COMPLETE,
    ACTION_ACCEPT,
    ACTION_NEWLINE,
    ACTION_LEFT,
    ACTION_RIGHT,
    ACTION_UP,
    ACTION_DOWN,
    ACTION_WORD_LEFT,
    ACTION_WORD_RIGHT,
    ACTION_LINE_START,
    ACTION_LINE_END,
    ACTION_DELETE_BACK,
    ACTION_DELETE,
    ACTION_DELETE_WORD_BACK,
    ACTION_DELETE_WORD,
    ACTION_DELETE_TO_START,
    ACTION_DELETE_TO_END,
    ACTION_YANK,
    ACTION_EDIT_UNDO,
    ACTION_EDIT_REDO,
    ACTION_COUNT,
};

/* Where keys are pressed. Each screen is one; the same key may mean different things in two of
 * them. */
enum where {
    IN_INBOX = 1 << 0,
    IN_AGENTS = 1 << 1,
    IN_DECIDE = 1 << 2,
    IN_DRAFTS = 1 << 3,
    IN_ARCHIVE = 1 << 4,
    IN_FLOW = 1 << 5,
    IN_THREAD = 1 << 6,  /* a conversation with the message that is read */
    IN_PAGER = 1 << 7,   /* any other text: help, raw bytes, what a command said */
    IN_FORM = 1 << 8,    /* a form, besides what IN_FIELD has */
    IN_REVIEW = 1 << 9,  /* what is about to be sent */
    IN_FIELD = 1 << 10,  /* text with several lines */
    IN_LINE = 1 << 11,   /* one line at the foot: a search, a filter, a command */
    IN_AGENT = 1 << 12,  /* the page of one agent */
    IN_SEARCH = 1 << 13, /* what was found in all mail */

    IN_MAIL = IN_INBOX | IN_DECIDE | IN_ARCHIVE | IN_AGENT,
    IN_LISTS = IN_MAIL | IN_AGENTS | IN_DRAFTS | IN_FLOW | IN_SEARCH,
    IN_READING = IN_THREAD | IN_PAGER,
    IN_SCREENS = IN_LISTS | IN_READING,
    IN_TEXT = IN_FIELD | IN_LINE,
};

enum action_group {
    GROUP_MOVE,
    GROUP_READ,
    GROUP_WRITE,
    GROUP_ACT,
    GROUP_DECIDE,
    GROUP_FIND,
    GROUP_VIEW,
    GROUP_PROGRAM,
    GROUP_FORM,
    GROUP_EDIT,
    GROUP_COUNT,
};

struct action_info {
    const char *name;     /* on the command line and in the config */
    const char *argument; /* what the command line takes with it; NULL for nothing */
    const char *help;     /* one line */
    const char *bar;      /* one word for the key bar; NULL keeps it out */
    const char *keys;     /* usual keys with blanks between them; see keymap.h */
    unsigned where;       /* enum where */
    enum action_group group;
    bool writes;   /* is refused with --readonly */
    bool two_keys; /* must not happen by one slip: no single key, neither Enter nor Space in it */
};

extern const struct action_info actions[ACTION_COUNT];
extern const char *const action_groups[GROUP_COUNT];

/* Its word for the key bar there; NULL: it stands in none. */
const char *action_bar(enum action action, unsigned where);

/* ACTION_NONE when no action has that name. */
enum action action_find(const char *name);

#endif
