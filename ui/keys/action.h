/* Actions: everything that a key or a word on the command line can make the screens do.
 *
 * The one table is action_rows.h. The keys, the help, the key bar, the command line, the config and
 * the manual use it.
 */
#ifndef UI_KEYS_ACTION_H
#define UI_KEYS_ACTION_H

#include "base/str.h"
#include "store/view_names.h"

#define ROW(symbol, ...) ACTION_##symbol,
enum action {
#include "ui/keys/action_rows.h"
    ACTION_COUNT,
    ACTION_FIRST_VIEW = ACTION_VIEW_INBOX - VIEW_INBOX, /* the rows of the views are consecutive */
    ACTION_LAST_VIEW = ACTION_FIRST_VIEW + VIEW_COUNT - 1,
};

/* The places where keys are pressed: each view, as IN_INBOX, and each other screen. A key may have
 * different meanings in two places. */
enum where {
#define IN_VIEW(symbol, name, key, help) IN_##symbol = 1 << VIEW_##symbol,
    VIEWS(IN_VIEW)
#undef IN_VIEW
        IN_VIEWS = (1 << VIEW_COUNT) - 1,
    IN_THREAD = 1 << VIEW_COUNT, /* a conversation with its open message */
    IN_PAGER = IN_THREAD << 1,   /* any other text: help, raw bytes, output of a command */
    IN_FORM = IN_PAGER << 1,     /* a form; the keys of IN_FIELD work there too */
    IN_REVIEW = IN_FORM << 1,    /* the review of a message before it is sent */
    IN_FIELD = IN_REVIEW << 1,   /* text with several lines */
    IN_LINE = IN_FIELD << 1,     /* one line at the foot: a search, a filter, a command */
    IN_AGENT = IN_LINE << 1,     /* the page of one agent */
    IN_SEARCH = IN_AGENT << 1,   /* full-text search and its results */

    IN_MAIL = IN_INBOX | IN_DECIDE | IN_ARCHIVE | IN_AGENT,
    IN_LISTS = IN_VIEWS | IN_AGENT | IN_SEARCH,
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
    const char *argument; /* argument on the command line; NULL for none */
    const char *help;     /* one line */
    const char *bar;      /* word for the key bar; NULL: not in the bar */
    const char *keys;     /* default keys, separated by blanks; see keymap.h */
    unsigned where;       /* enum where */
    enum action_group group;
    bool writes;   /* refused with --readonly */
    bool two_keys; /* must not happen by a slip: no single key, no Enter, no Space */
};

extern const struct action_info actions[ACTION_COUNT];
extern const char *const action_groups[GROUP_COUNT];

/* Returns the word for the key bar there; NULL if the action is not in the bar. */
const char *action_bar(enum action action, unsigned where);

/* Returns ACTION_NONE if no action has that name. */
enum action action_find(struct span name);

#endif
