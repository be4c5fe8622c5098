/* The keymap: which keys perform which actions, and where.
 *
 * It starts with the default keys of the table of actions. The config changes it pair by pair with
 * keymap_bind(); then keymap_settle() finds keys with two meanings, so that the order of the pairs
 * does not matter and two actions can swap their keys. Notation of keys: ui/keys/key.h.
 *
 * `where` is the place in which keys are pressed (enum where), or several places such as IN_FORM |
 * IN_FIELD. Then the lower bit has precedence: bindings of a form win over those of its field.
 * Where text is written (IN_TEXT) a character is always text, whatever is bound to it in the other
 * place: only keys that are no characters, and sequences that start with one, are bindings there.
 */
#ifndef UI_KEYS_KEYMAP_H
#define UI_KEYS_KEYMAP_H

#include "base/mem.h"
#include "base/str.h"
#include "store/view_names.h"
#include "ui/keys/key.h"

/* Actions: everything that a key or a word on the command line can make the screens do.
 *
 * The one table is action_rows.h. The keys, the help, the key bar, the command line, the config and
 * the manual use it.
 */

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

/* Returns ACTION_NONE if no action has that name. */
enum action action_find(struct span name);

struct keymap_binding {
    struct key_sequence keys;
    enum action action;
    bool given; /* by the config */
};

struct keymap {
    struct keymap_binding *items; /* those of one action are in their order */
    size_t count, cap;
    bool given[ACTION_COUNT];  /* set by the config */
    bool unsure[ACTION_COUNT]; /* its pair in the config could not be read: its keys are unknown */
    bool readonly;             /* the bar omits actions that write */
};

void keymap_init(struct keymap *keymap);
void keymap_free(struct keymap *keymap);

/* Applies a pair of the config: binds these keys, separated by blanks, instead of the default keys
 * of the action, in all its places; without keys only the command line can perform the action. With
 * the action "none" other actions lose these keys, and sequences that start with them, unless the
 * config assigns them. On failure returns false and changes no key. */
bool keymap_bind(struct keymap *keymap, struct span action, struct span keys, struct err *err);

/* Reports whether every key has one meaning in each place, and the program can be left. If not,
 * *which is the action whose pair in the config is to blame, or ACTION_NONE. *from, 0 at first,
 * says where to continue for the next problem. Ignores problems that may come from a pair that
 * could not be read. */
bool keymap_settle(const struct keymap *keymap, size_t *from, enum action *which, struct err *err);

/* Reports whether the action may have that key at all; err says why not. */
bool keymap_allows(const struct action_info *info, const struct key_sequence *keys,
                   struct err *err);

/* State of a sequence being typed. Zero-initialised is empty. */
struct key_state {
    struct key_sequence typed;
    unsigned where;
    struct str text; /* for the status line; set with FED_PENDING, FED_UNBOUND and FED_CANCELLED */
    /* Reports whether an action makes sense for the selection; NULL: all do. */
    bool (*offers)(void *context, enum action action);
    void *context;
};

void key_state_free(struct key_state *state);

enum fed {
    FED_ACTION,
    FED_PENDING,   /* the text shows the keys typed and those that may follow */
    FED_TEXT,      /* the key is a character of the text being written */
    FED_UNBOUND,   /* nothing is bound to the key here */
    FED_CANCELLED, /* the sequence was given up; its last key does nothing either */
};

/* Handles one key. Returns the action with FED_ACTION, ACTION_NONE otherwise. Sequences do not time
 * out; a sequence that continues in another place is given up. */
enum action keymap_feed(const struct keymap *keymap, struct key_state *state, unsigned where,
                        uint32_t key, enum fed *fed);

/* Looks up a sequence: returns the action with FED_ACTION, or sets FED_PENDING or FED_UNBOUND. */
enum action keymap_lookup(const struct keymap *keymap, unsigned where,
                          const struct key_sequence *keys, enum fed *fed);

/* A row of the help. The rest of its text is in actions[]. */
struct keymap_row {
    enum action action;
    struct span keys; /* separated by blanks; empty if the action has none */
};

struct keymap_rows {
    struct keymap_row *items; /* by group, then in the order of the table */
    size_t count;
};

/* Returns all actions of that place; with 0, of all places. Allocated in the arena. */
struct keymap_rows keymap_help(const struct keymap *keymap, unsigned where, struct arena *arena);
/* Appends the rows as lines below the names of their groups, cleaned. */
void keymap_add_help(struct str *out, const struct keymap_rows *rows, unsigned clean);

/* An entry of the key bar, KEY:text. The key is not cleaned yet. */
struct keybar_piece {
    enum action action;
    struct span key;
    const char *text;
    size_t row, column; /* position of the key */
};

struct keybar {
    struct keybar_piece *items;
    size_t count;
};

/* Parameters of a key bar. */
struct keybar_room {
    unsigned where; /* enum where */
    size_t columns, rows;
    /* Reports whether an action makes sense for the selection; NULL: all do. */
    bool (*offers)(void *context, enum action action);
    void *context;
};

/* Returns the key bar: whole entries, the most important ones, with those for help and leaving at
 * the end. Allocated in the arena. */
struct keybar keymap_bar(const struct keymap *keymap, const struct keybar_room *room,
                         struct arena *arena);

#endif
