/* The keymap at work: keys come one by one, actions go out. */
#include "ui/keys/keymap.h"

void key_state_free(struct key_state *state)
{
    str_free(&state->text);
    *state = (struct key_state){0};
}

enum action keymap_look(const struct keymap *keymap, unsigned where,
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

bool keymap_reaches(const struct keymap *keymap, unsigned where,
                    const struct keymap_binding *binding)
{
    struct key_sequence typed = {0};
    enum fed fed = FED_PENDING;
    enum action action = ACTION_NONE;

    while (typed.count < binding->keys.count && fed == FED_PENDING) {
        typed.keys[typed.count] = binding->keys.keys[typed.count];
        typed.count++;
        action = keymap_look(keymap, where, &typed, &fed);
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

/* A sentence about a key ends with the one that explains the others. */
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
        action = keymap_look(keymap, where, &state->typed, fed);
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
