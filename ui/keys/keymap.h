/* The keymap: which keys do what, and where.
 *
 * It starts as the table of actions has it. The config changes it pair by pair with keymap_bind();
 * then keymap_settle() finds keys that mean two things, so that the order of pairs is of no matter
 * and two actions can swap their keys. How keys are written: ui/key.h.
 *
 * `where` says where keys are pressed: a place (enum where), or several at once such as IN_FORM |
 * IN_FIELD. Then the place with the lower bit goes first: what a form has comes before what its
 * field has. Where a text is written (IN_TEXT) a character is always text, whatever is bound to it
 * in a place beside: only keys that are no characters, and sequences that start with one, are
 * bindings there. */
#ifndef UI_KEYS_KEYMAP_H
#define UI_KEYS_KEYMAP_H

#include "base/mem.h"
#include "ui/keys/action.h"
#include "ui/keys/key.h"

struct keymap_binding {
    struct key_sequence keys;
    enum action action;
    bool given; /* by the config */
};

struct keymap {
    struct keymap_binding *items; /* those of one action stand in their order */
    size_t count, cap;
    bool given[ACTION_COUNT];  /* the config has said something about it */
    bool unsure[ACTION_COUNT]; /* and that could not be read: who knows what keys it will have */
    bool readonly;             /* the bar offers nothing that writes */
};

void keymap_init(struct keymap *keymap);
void keymap_free(struct keymap *keymap);

/* Takes a pair of the config: these keys, with blanks between them, instead of the action's usual
 * ones, wherever it applies; no keys leave it to the command line. With the action "none" other
 * actions lose these keys, and what starts with them, unless the config gives them to one. After
 * false no key has changed. */
bool keymap_bind(struct keymap *keymap, struct span action, struct span keys, struct err *err);

/* Whether no key means two things in one place, and the program can still be left. If not, *which
 * is the action whose pair in the config is to blame; ACTION_NONE when there is none. *from, 0 at
 * first, says where to go on for the next thing that is wrong. What may come of a pair that could
 * not be read is left out. */
bool keymap_settle(const struct keymap *keymap, size_t *from, enum action *which, struct err *err);

/* Whether such an action may have that key at all. */
bool keymap_allows(const struct action_info *info, const struct key_sequence *keys,
                   struct err *err);

/* What was typed of a sequence. Zero-initialised is nothing yet. */
struct key_state {
    struct key_sequence typed;
    unsigned where;
    struct str text; /* for the status line, with FED_PENDING, FED_UNBOUND and FED_CANCELLED */
    /* Whether an action means something for what is selected; NULL: all do. */
    bool (*offers)(void *context, enum action action);
    void *context;
};

void key_state_free(struct key_state *state);

enum fed {
    FED_ACTION,
    FED_PENDING,   /* the text shows what was typed and what may follow */
    FED_TEXT,      /* the key is a character for the text that is written */
    FED_UNBOUND,   /* nothing is bound to the key here */
    FED_CANCELLED, /* the sequence was given up, and its last key does nothing either */
};

/* Takes one key. Returns the action with FED_ACTION, ACTION_NONE otherwise. There is no time after
 * which a sequence ends; one that goes on in another place than it began is given up. */
enum action keymap_feed(const struct keymap *keymap, struct key_state *state, unsigned where,
                        uint32_t key, enum fed *fed);

/* What a sequence leads to there: the action with FED_ACTION, or FED_PENDING or FED_UNBOUND. */
enum action keymap_look(const struct keymap *keymap, unsigned where,
                        const struct key_sequence *keys, enum fed *fed);

/* The rest of what is to be said about a row is in actions[]. */
struct keymap_row {
    enum action action;
    struct span keys; /* with blanks between them; empty for an action without */
};

struct keymap_rows {
    struct keymap_row *items; /* by group, then as the table has them */
    size_t count;
};

/* Everything that can be done there; with 0, everywhere. All of it lives in the arena. */
struct keymap_rows keymap_help(const struct keymap *keymap, unsigned where, struct arena *arena);
/* Appends the rows as lines under the names of their groups, cleaned. */
void keymap_add_help(struct str *out, const struct keymap_rows *rows, unsigned clean);

/* One entry of the key bar, KEY:text. The key is not cleaned yet. */
struct keybar_piece {
    enum action action;
    struct span key;
    const char *text;
    size_t row, column; /* where the key starts */
};

struct keybar {
    struct keybar_piece *items;
    size_t count;
};

/* What a key bar is for. */
struct keybar_room {
    unsigned where; /* enum where */
    size_t columns, rows;
    /* Whether an action means something for what is selected; NULL: all do. */
    bool (*offers)(void *context, enum action action);
    void *context;
};

/* The key bar: whole entries, the most important ones, those for help and for leaving at the end.
 * All of it lives in the arena. */
struct keybar keymap_bar(const struct keymap *keymap, const struct keybar_room *room,
                         struct arena *arena);

#endif
