/* The keymap in words: the help. */
#include "ui/keys/keymap.h"

#include "base/text/clean.h"

enum { KEYS_COLUMNS = 17 };

/* The keys of an action there, with blanks between them. */
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
    struct str keys = {0};

    for (int group = 0; group < GROUP_COUNT; group++)
        for (int i = 1; i < ACTION_COUNT; i++) {
            if ((int)actions[i].group != group || (where && !(actions[i].where & where)))
                continue;
            str_clear(&keys);
            add_keys(&keys, keymap, where, (enum action)i);
            rows.items[rows.count++] =
                (struct keymap_row){(enum action)i, arena_copy(arena, str_span(&keys))};
        }
    str_free(&keys);
    return rows;
}

void keymap_add_help(struct str *out, const struct keymap_rows *rows, unsigned clean)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct action_info *info = &actions[rows->items[i].action];
        if (i == 0 || info->group != actions[rows->items[i - 1].action].group)
            str_addf(out, "%s%s\n", i ? "\n" : "", action_groups[info->group]);
        str_puts(out, "  ");
        size_t used = clean_add(out, rows->items[i].keys, clean);
        str_pad(out, ' ', used < KEYS_COLUMNS ? KEYS_COLUMNS - used : 1);
        str_addf(out, "%s (:%s%s%s)\n", info->help, info->name, info->argument ? " " : "",
                 info->argument ? info->argument : "");
    }
}
