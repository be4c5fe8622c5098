/* The keymap: the default keys, and the changes of the config. */
#include "ui/keys/keymap.h"

#include "base/mem.h"
#include "base/text/sanitize.h"
#include "base/text/suggest.h"

#include <stdlib.h>

/* The table of actions. */

const char *const action_groups[GROUP_COUNT] = {
    [GROUP_MOVE] = "Move",    [GROUP_READ] = "Read",       [GROUP_WRITE] = "Write",
    [GROUP_ACT] = "Act",      [GROUP_DECIDE] = "Decide",   [GROUP_FIND] = "Find",
    [GROUP_VIEW] = "Views",   [GROUP_PROGRAM] = "Program", [GROUP_FORM] = "Forms",
    [GROUP_EDIT] = "Editing",
};

#define ROW(symbol, ...) [ACTION_##symbol] = {__VA_ARGS__},
const struct action_info actions[ACTION_COUNT] = {
#include "ui/keys/action_rows.h"
};

/* Words of the key bar that differ in some places. */
static const struct {
    enum action action;
    unsigned where;
    const char *bar;
} others[] = {{ACTION_SEND, IN_REVIEW, "send"}, {ACTION_RESTORE, IN_ARCHIVE, "restore"}};

/* Returns the word for the key bar there; NULL if the action is not in the bar. */
static const char *action_bar(enum action action, unsigned where)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].action == action && others[i].where & where)
            return others[i].bar;
    return actions[action].bar;
}

enum action action_find(struct span name)
{
    for (int i = 1; i < ACTION_COUNT; i++)
        if (span_is(name, actions[i].name))
            return (enum action)i;
    return ACTION_NONE;
}

/* Feeding keys and looking them up. */

void key_state_free(struct key_state *state)
{
    str_free(&state->text);
    *state = (struct key_state){0};
}

enum action keymap_lookup(const struct keymap *keymap, unsigned where,
                          const struct key_sequence *keys, enum fed *fed)
{
    *fed = FED_UNBOUND;
    if (where & IN_TEXT && key_is_text(keys->keys[0]))
        return ACTION_NONE;
    for (unsigned rest = where; rest; rest &= rest - 1) {
        unsigned place = rest & -rest;
        for (size_t i = 0; i < keymap->count; i++) {
            const struct keymap_binding *binding = &keymap->items[i];
            if (!(actions[binding->action].where & place) ||
                !key_sequence_starts(&binding->keys, keys))
                continue;
            *fed = binding->keys.count == keys->count ? FED_ACTION : FED_PENDING;
            return *fed == FED_ACTION ? binding->action : ACTION_NONE;
        }
    }
    return ACTION_NONE;
}

/* Reports whether the binding can be used there: no binding with precedence has its keys. */
static bool keymap_reaches(const struct keymap *keymap, unsigned where,
                           const struct keymap_binding *binding)
{
    struct key_sequence typed = {0};
    enum fed fed = FED_PENDING;
    enum action action = ACTION_NONE;

    while (typed.count < binding->keys.count && fed == FED_PENDING) {
        typed.keys[typed.count] = binding->keys.keys[typed.count];
        typed.count++;
        action = keymap_lookup(keymap, where, &typed, &fed);
    }
    return fed == FED_ACTION && action == binding->action && typed.count == binding->keys.count;
}

/* "g-  g:first  a:reply-all" */
static void say_pending(const struct keymap *keymap, struct key_state *state)
{
    unsigned typed = state->typed.count;

    key_sequence_add_name(&state->text, &state->typed);
    str_putc(&state->text, '-');
    for (size_t i = 0; i < keymap->count; i++) {
        const struct keymap_binding *binding = &keymap->items[i];
        struct key_sequence rest = {.count = binding->keys.count - typed};
        if (!key_sequence_starts(&binding->keys, &state->typed) ||
            !keymap_reaches(keymap, state->where, binding) ||
            (state->offers && !state->offers(state->context, binding->action)))
            continue;
        memcpy(rest.keys, binding->keys.keys + typed, rest.count * sizeof *rest.keys);
        str_puts(&state->text, "  ");
        key_sequence_add_name(&state->text, &rest);
        const struct action_info *info = &actions[binding->action];
        str_addf(&state->text, ":%s", info->bar ? info->bar : info->name);
    }
}

/* Says that the keys do nothing, and which key shows the help. */
static void say_unbound(const struct keymap *keymap, struct key_state *state)
{
    key_sequence_add_name(&state->text, &state->typed);
    str_puts(&state->text, " does nothing here");
    if (state->typed.count > 1)
        str_puts(&state->text, ", and was given up");
    for (size_t i = 0; i < keymap->count; i++) {
        const struct keymap_binding *binding = &keymap->items[i];
        if (binding->action != ACTION_HELP || !keymap_reaches(keymap, state->where, binding))
            continue;
        str_puts(&state->text, "; ");
        key_sequence_add_name(&state->text, &binding->keys);
        str_puts(&state->text, " shows all keys");
        return;
    }
}

enum action keymap_feed(const struct keymap *keymap, struct key_state *state, unsigned where,
                        uint32_t key, enum fed *fed)
{
    bool pending = state->typed.count > 0, moved = pending && state->where != where;
    enum action action = ACTION_NONE;

    str_clear(&state->text);
    if (pending && (key == K_ESC || moved)) {
        key_sequence_add_name(&state->text, &state->typed);
        str_puts(&state->text, moved ? " was given up: the screen has changed; nothing was done"
                                     : " was given up; nothing was done");
        *fed = FED_CANCELLED;
    } else {
        state->where = where;
        state->typed.keys[state->typed.count++] = key;
        action = keymap_lookup(keymap, where, &state->typed, fed);
    }
    if (*fed == FED_PENDING) {
        say_pending(keymap, state);
        return ACTION_NONE;
    }
    if (*fed == FED_UNBOUND && !pending && where & IN_TEXT && key_is_text(key))
        *fed = FED_TEXT;
    else if (*fed == FED_UNBOUND)
        say_unbound(keymap, state);
    if (*fed == FED_UNBOUND && pending)
        *fed = FED_CANCELLED;
    state->typed = (struct key_sequence){0};
    return action;
}

/* The key bar: as many keys as there is room for, the most important ones. */

/* Actions that people look for first. The others follow in the order of the table. */
static const enum action important[] = {
    ACTION_SEND,    ACTION_POSTPONE,      ACTION_EDITOR,        ACTION_REVIEW,  ACTION_RETRY,
    ACTION_DISCARD, ACTION_RESTORE,       ACTION_APPROVE,       ACTION_REJECT,  ACTION_GRANT,
    ACTION_DENY,    ACTION_GRANT_SESSION, ACTION_GRANT_PATTERN, ACTION_AMEND,   ACTION_GO_DECIDE,
    ACTION_ARCHIVE, ACTION_REPLY,         ACTION_NUDGE,         ACTION_COMPOSE, ACTION_HANDOFF,
    ACTION_SEARCH,  ACTION_FILTER,        ACTION_PERIOD,        ACTION_UNDO,
};

/* Actions for people who are lost: at the end, and dropped last. */
static const enum action always[] = {ACTION_LEAVE, ACTION_HELP, ACTION_QUIT};

enum {
    IMPORTANT_COUNT = sizeof important / sizeof *important,
    KEPT_COUNT = sizeof always / sizeof *always,
};

static bool is_in(const enum action *list, size_t count, enum action action)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == action)
            return true;
    return false;
}

/* Returns the first key of the action that works there. */
static const struct keymap_binding *first_key(const struct keymap *keymap, unsigned where,
                                              enum action action)
{
    for (size_t i = 0; i < keymap->count; i++)
        if (keymap->items[i].action == action && keymap_reaches(keymap, where, &keymap->items[i]))
            return &keymap->items[i];
    return NULL;
}

static void add_piece(struct keybar *bar, const struct keymap *keymap,
                      const struct keybar_room *room, enum action action, struct arena *arena)
{
    const char *text = action_bar(action, room->where);
    const struct keymap_binding *binding = text ? first_key(keymap, room->where, action) : NULL;
    CLEANUP(str_free) struct str name = {0};

    if (!binding || (keymap->readonly && actions[action].writes) ||
        (room->offers && !room->offers(room->context, action)))
        return;
    key_sequence_add_name(&name, &binding->keys);
    bar->items[bar->count++] = (struct keybar_piece){
        .action = action, .key = arena_copy(arena, str_span(&name)), .text = text};
}

/* Places the pieces; returns false if there is not enough room. */
static bool lay_out(struct keybar *bar, const struct keybar_room *room)
{
    CLEANUP(str_free) struct str scratch = {0};
    size_t row = 0, column = 1;

    for (size_t i = 0; i < bar->count; i++) {
        struct keybar_piece *piece = &bar->items[i];
        str_clear(&scratch);
        size_t width = sanitize_add(&scratch, piece->key, SANITIZE_LINE) + 1 + strlen(piece->text);
        if (column > 1 && column + width > room->columns) {
            row++;
            column = 1;
        }
        if (column + width > room->columns || row >= room->rows)
            return false;
        piece->row = row;
        piece->column = column;
        column += width + 1;
    }
    return true;
}

/* Reports whether the action comes after the others: archiving a request unanswered should not be
 * offered before the answers. */
static bool comes_late(unsigned where, enum action action)
{
    return where & IN_DECIDE && action == ACTION_ARCHIVE;
}

struct keybar keymap_bar(const struct keymap *keymap, const struct keybar_room *room,
                         struct arena *arena)
{
    struct keybar bar = {.items = arena_alloc(arena, ACTION_COUNT * sizeof(struct keybar_piece))};

    for (size_t i = 0; i < IMPORTANT_COUNT; i++)
        if (!comes_late(room->where, important[i]))
            add_piece(&bar, keymap, room, important[i], arena);
    for (int i = 1; i < ACTION_COUNT; i++)
        if (!is_in(important, IMPORTANT_COUNT, (enum action)i) &&
            !is_in(always, KEPT_COUNT, (enum action)i))
            add_piece(&bar, keymap, room, (enum action)i, arena);
    for (size_t i = 0; i < IMPORTANT_COUNT; i++)
        if (comes_late(room->where, important[i]))
            add_piece(&bar, keymap, room, important[i], arena);
    size_t before = bar.count;
    for (size_t i = 0; i < KEPT_COUNT; i++)
        add_piece(&bar, keymap, room, always[i], arena);
    while (bar.count && !lay_out(&bar, room)) {
        if (before > 0) { /* drop the least important one that may be dropped */
            before--;
            memmove(&bar.items[before], &bar.items[before + 1],
                    (bar.count - before - 1) * sizeof *bar.items);
        }
        bar.count--;
    }
    return bar;
}

/* The help as text. */

enum { KEYS_COLUMNS = 17 };

/* Appends the keys of an action there, separated by blanks. */
static void add_keys(struct str *out, const struct keymap *keymap, unsigned where,
                     enum action action)
{
    for (size_t i = 0; i < keymap->count; i++) {
        const struct keymap_binding *binding = &keymap->items[i];
        if (binding->action != action || (where && !keymap_reaches(keymap, where, binding)))
            continue;
        if (out->len)
            str_putc(out, ' ');
        key_sequence_add_name(out, &binding->keys);
    }
}

struct keymap_rows keymap_help(const struct keymap *keymap, unsigned where, struct arena *arena)
{
    struct keymap_rows rows = {.items =
                                   arena_alloc(arena, ACTION_COUNT * sizeof(struct keymap_row))};
    CLEANUP(str_free) struct str keys = {0};

    for (int group = 0; group < GROUP_COUNT; group++)
        for (int i = 1; i < ACTION_COUNT; i++) {
            if ((int)actions[i].group != group || (where && !(actions[i].where & where)))
                continue;
            str_clear(&keys);
            add_keys(&keys, keymap, where, (enum action)i);
            rows.items[rows.count++] =
                (struct keymap_row){(enum action)i, arena_copy(arena, str_span(&keys))};
        }
    return rows;
}

void keymap_add_help(struct str *out, const struct keymap_rows *rows, unsigned clean)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct action_info *info = &actions[rows->items[i].action];
        if (i == 0 || info->group != actions[rows->items[i - 1].action].group)
            str_addf(out, "%s%s\n", i ? "\n" : "", action_groups[info->group]);
        str_puts(out, "  ");
        size_t used = sanitize_add(out, rows->items[i].keys, clean);
        str_pad(out, ' ', used < KEYS_COLUMNS ? KEYS_COLUMNS - used : 1);
        str_addf(out, "%s (:%s%s%s)\n", info->help, info->name, info->argument ? " " : "",
                 info->argument ? info->argument : "");
    }
}

/* Sequences of a pair, all parsed before any is bound. */
struct words {
    struct key_sequence *items;
    size_t count, cap;
};

static void words_free(struct words *words)
{
    free(words->items);
}

static bool read_keys(struct words *words, struct span text, struct err *err)
{
    for (struct span word; (word = span_take_word(&text)).len;) {
        struct key_sequence keys;
        if (!key_sequence_parse(word, &keys, err))
            return false;
        *mem_push(words->items, words->count, words->cap) = keys;
    }
    return true;
}

static void add_binding(struct keymap *keymap, enum action action, const struct key_sequence *keys,
                        bool given)
{
    *mem_push(keymap->items, keymap->count, keymap->cap) =
        (struct keymap_binding){.keys = *keys, .action = action, .given = given};
}

void keymap_init(struct keymap *keymap)
{
    *keymap = (struct keymap){0};
    for (int i = 1; i < ACTION_COUNT; i++) {
        CLEANUP(words_free) struct words words = {0};
        read_keys(&words, span_of(actions[i].keys), NULL); /* the table is tested */
        for (size_t k = 0; k < words.count; k++)
            add_binding(keymap, (enum action)i, &words.items[k], false);
    }
}

void keymap_free(struct keymap *keymap)
{
    free(keymap->items);
    *keymap = (struct keymap){0};
}

static bool find_action(struct span name, enum action *action, struct err *err)
{
    struct span names[ACTION_COUNT];
    CLEANUP(str_free) struct str near = {0};

    *action = action_find(name);
    if (*action != ACTION_NONE || span_is(name, actions[ACTION_NONE].name))
        return true;
    for (int i = 0; i < ACTION_COUNT; i++)
        names[i] = span_of(actions[i].name);
    suggest_hint(&near, name, names, ACTION_COUNT);
    return err_set(err, ERR_USAGE, "no action is called \"%.*s\"%s; swarmutt help keys lists them",
                   (int)name.len, name.at, str_c(&near));
}

bool keymap_allows(const struct action_info *info, const struct key_sequence *keys, struct err *err)
{
    const char *why = NULL;

    if (info->where & (IN_FORM | IN_TEXT) && !(info->where & IN_SCREENS) &&
        key_is_text(keys->keys[0]))
        why = "is a character of the text that is written there; take one such as ^X, Alt-x or F2";
    if (info->two_keys && keys->count < 2)
        why = "is a single key, and it must not happen by one slip; take two such as ax";
    for (unsigned i = 0; info->two_keys && i < keys->count; i++)
        if ((keys->keys[i] & ~(uint32_t)K_ALT) == K_ENTER ||
            (keys->keys[i] & ~(uint32_t)K_ALT) == K_SPACE)
            why = "has Enter or Space in it, which never decide anything; take two such as ax";
    if (!why)
        return true;
    CLEANUP(str_free) struct str name = {0};
    key_sequence_add_name(&name, keys);
    return err_set(err, ERR_USAGE, "%s cannot have the key %s: it %s", info->name, str_c(&name),
                   why);
}

/* Removes the bindings of an action or, with `start`, default bindings that start with it. */
static void drop_bindings(struct keymap *keymap, enum action action,
                          const struct key_sequence *start)
{
    size_t kept = 0;

    for (size_t i = 0; i < keymap->count; i++) {
        const struct keymap_binding *item = &keymap->items[i];
        bool gone = start ? !item->given && key_sequence_starts(&item->keys, start)
                          : item->action == action;
        if (!gone)
            keymap->items[kept++] = *item;
    }
    keymap->count = kept;
}

static bool allows_all(enum action action, const struct words *words, struct err *err)
{
    for (size_t i = 0; i < words->count; i++)
        if (action != ACTION_NONE && !keymap_allows(&actions[action], &words->items[i], err))
            return false;
    return true;
}

bool keymap_bind(struct keymap *keymap, struct span action, struct span keys, struct err *err)
{
    enum action bound;
    CLEANUP(words_free) struct words words = {0};

    if (!find_action(action, &bound, err))
        return false;
    keymap->unsure[bound] = true;
    if (!read_keys(&words, keys, err) || !allows_all(bound, &words, err))
        return false;
    if (bound == ACTION_NONE) {
        for (size_t i = 0; i < words.count; i++)
            drop_bindings(keymap, ACTION_NONE, &words.items[i]);
    } else if (keymap->given[bound]) {
        return err_set(err, ERR_USAGE,
                       "%s stands here for the second time; put all its keys in one line",
                       actions[bound].name);
    } else {
        drop_bindings(keymap, bound, NULL);
        for (size_t i = 0; i < words.count; i++)
            add_binding(keymap, bound, &words.items[i], true);
        keymap->given[bound] = true;
    }
    keymap->unsure[bound] = false;
    return true;
}

/* Returns the places of a binding; a character is no binding where text is written. */
static unsigned binding_places(const struct keymap_binding *binding)
{
    unsigned where = actions[binding->action].where;

    return key_is_text(binding->keys.keys[0]) ? where & ~(unsigned)IN_TEXT : where;
}

/* Sets an error: `a`, which is not longer than `b`, and `b` cannot be distinguished. Returns
 * false. */
static bool fail_clash(const struct keymap_binding *a, const struct keymap_binding *b,
                       enum action *which, struct err *err)
{
    const struct keymap_binding *blamed = a->given ? a : b, *other = a->given ? b : a;
    const char *one = actions[blamed->action].name, *two = actions[other->action].name;
    CLEANUP(str_free) struct str key = {0}, longer = {0}, way = {0};

    *which = blamed->given ? blamed->action : ACTION_NONE;
    key_sequence_add_name(&key, &a->keys);
    key_sequence_add_name(&longer, &b->keys);
    if (other->given || !blamed->given)
        str_addf(&way, "give one of them another key");
    else
        str_addf(&way, "give %s another key (%s = KEY), or none (none = %s)", two, two,
                 str_c(&key));
    if (a->action == b->action)
        err_set(err, ERR_USAGE, "%s has the keys %s and %s, which start alike; leave one out", one,
                str_c(&key), str_c(&longer));
    else if (key_sequence_eq(&a->keys, &b->keys))
        err_set(err, ERR_USAGE, "the key %s of %s is the key of %s too; %s", str_c(&key), one, two,
                str_c(&way));
    else
        err_set(err, ERR_USAGE, "the key %s of %s starts %s of %s, which could never be typed; %s",
                str_c(&key), actions[a->action].name, str_c(&longer), actions[b->action].name,
                str_c(&way));
    return false;
}

/* Reports whether two bindings cannot be distinguished where both work; the first is not longer
 * than the second. */
static bool is_clash(const struct keymap *keymap, size_t first, size_t second)
{
    const struct keymap_binding *a = &keymap->items[first], *b = &keymap->items[second];
    bool before =
        a->keys.count < b->keys.count || (first < second && a->keys.count == b->keys.count);
    bool sure = !keymap->unsure[a->action] && !keymap->unsure[b->action];

    return before && sure && binding_places(a) & binding_places(b) &&
           key_sequence_starts(&b->keys, &a->keys);
}

static bool can_be_left(const struct keymap *keymap)
{
    for (size_t i = 0; i < keymap->count; i++)
        if (keymap->items[i].action == ACTION_QUIT || keymap->items[i].action == ACTION_COMMAND)
            return true;
    return false;
}

bool keymap_settle(const struct keymap *keymap, size_t *from, enum action *which, struct err *err)
{
    size_t all = keymap->count * keymap->count;

    *which = ACTION_NONE;
    while (!keymap->unsure[ACTION_NONE] && *from < all) {
        size_t at = (*from)++;
        if (is_clash(keymap, at / keymap->count, at % keymap->count))
            return fail_clash(&keymap->items[at / keymap->count],
                              &keymap->items[at % keymap->count], which, err);
    }
    if (*from > all || can_be_left(keymap))
        return true;
    *from = all + 1;
    *which = keymap->given[ACTION_QUIT] ? ACTION_QUIT : ACTION_COMMAND;
    return err_set(err, ERR_USAGE,
                   "neither quit nor command has a key, so the program could not be left; give one "
                   "of them a key");
}
