/* The key bar: as many keys as there is room for, the most important ones. */
#include "ui/keys/keymap.h"

#include "base/text/clean.h"

/* What a person looks for first. What is not in here comes behind, as the table has it. */
static const enum action important[] = {
    ACTION_SEND,    ACTION_POSTPONE,      ACTION_EDITOR,        ACTION_REVIEW,  ACTION_RETRY,
    ACTION_DISCARD, ACTION_RESTORE,       ACTION_APPROVE,       ACTION_REJECT,  ACTION_GRANT,
    ACTION_DENY,    ACTION_GRANT_SESSION, ACTION_GRANT_PATTERN, ACTION_AMEND,   ACTION_GO_DECIDE,
    ACTION_ARCHIVE, ACTION_REPLY,         ACTION_NUDGE,         ACTION_COMPOSE, ACTION_HANDOFF,
    ACTION_SEARCH,  ACTION_FILTER,        ACTION_PERIOD,        ACTION_UNDO,
};

/* Whoever is lost needs these: they stand at the end, and are given up last. */
static const enum action kept[] = {ACTION_LEAVE, ACTION_HELP, ACTION_QUIT};

enum {
    IMPORTANT_COUNT = sizeof important / sizeof *important,
    KEPT_COUNT = sizeof kept / sizeof *kept,
};

static bool is_in(const enum action *list, size_t count, enum action action)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == action)
            return true;
    return false;
}

/* The first of its keys that works there. */
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
    struct str name = {0};

    if (!binding || (keymap->readonly && actions[action].writes) ||
        (room->offers && !room->offers(room->context, action)))
        return;
    key_sequence_add_name(&name, &binding->keys);
    bar->items[bar->count++] = (struct keybar_piece){
        .action = action, .key = arena_copy(arena, str_span(&name)), .text = text};
    str_free(&name);
}

/* Gives each piece its place; false when there is no room for all. */
static bool lay_out(struct keybar *bar, const struct keybar_room *room)
{
    struct str scratch = {0};
    size_t row = 0, column = 1;

    for (size_t i = 0; i < bar->count; i++) {
        struct keybar_piece *piece = &bar->items[i];
        str_clear(&scratch);
        size_t width = clean_add(&scratch, piece->key, CLEAN_LINE) + 1 + strlen(piece->text);
        if (column > 1 && column + width > room->columns) {
            row++;
            column = 1;
        }
        if (column + width > room->columns || row >= room->rows) {
            str_free(&scratch);
            return false;
        }
        piece->row = row;
        piece->column = column;
        column += width + 1;
    }
    str_free(&scratch);
    return true;
}

/* Beside what answers a request, putting it away unanswered is not what to begin with. */
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
            !is_in(kept, KEPT_COUNT, (enum action)i))
            add_piece(&bar, keymap, room, (enum action)i, arena);
    for (size_t i = 0; i < IMPORTANT_COUNT; i++)
        if (comes_late(room->where, important[i]))
            add_piece(&bar, keymap, room, important[i], arena);
    size_t before = bar.count;
    for (size_t i = 0; i < KEPT_COUNT; i++)
        add_piece(&bar, keymap, room, kept[i], arena);
    while (bar.count && !lay_out(&bar, room)) {
        if (before > 0) { /* the least important one that may go */
            before--;
            memmove(&bar.items[before], &bar.items[before + 1],
                    (bar.count - before - 1) * sizeof *bar.items);
        }
        bar.count--;
    }
    return bar;
}
