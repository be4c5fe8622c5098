/* Actions: everything that a key or a word on the command line can make the screens do.
 *
 * One table, action_rows.h. The keys, the help, the key bar, the command line, the config and the
 * manual go by it.
 */
#ifndef UI_KEYS_ACTION_H
#define UI_KEYS_ACTION_H

#include "base/str.h"
#include "store/view_names.h"

#define ROW(symbol, ...) ACTION_##symbol,
enum action {
#include "ui/keys/action_rows.h"
    ACTION_COUNT,
    ACTION_FIRST_VIEW = ACTION_VIEW_INBOX - VIEW_INBOX, /* they stand together */
    ACTION_LAST_VIEW = ACTION_FIRST_VIEW + VIEW_COUNT - 1,
};

/* Where keys are pressed: each view, IN_INBOX and so on, and each other screen. The same key may
 * mean different things in two of them. */
enum where {
#define IN_VIEW(symbol, name, key, help) IN_##symbol = 1 << VIEW_##symbol,
    VIEWS(IN_VIEW)
#undef IN_VIEW
        IN_VIEWS = (1 << VIEW_COUNT) - 1,
    IN_THREAD = 1 << VIEW_COUNT, /* a conversation with the message that is read */
    IN_PAGER = IN_THREAD << 1,   /* any other text: help, raw bytes, what a command said */
    IN_FORM = IN_PAGER << 1,     /* a form, besides what IN_FIELD has */
    IN_REVIEW = IN_FORM << 1,    /* what is about to be sent */
    IN_FIELD = IN_REVIEW << 1,   /* text with several lines */
    IN_LINE = IN_FIELD << 1,     /* one line at the foot: a search, a filter, a command */
    IN_AGENT = IN_LINE << 1,     /* the page of one agent */
    IN_SEARCH = IN_AGENT << 1,   /* what was found in all mail */

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
enum action action_find(struct span name);

#endif
