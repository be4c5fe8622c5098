/* The keymap: the usual keys, and what the config makes of them. */
#include "ui/keys/keymap.h"

#include "base/mem.h"
#include "base/text/nearest.h"

#include <stdlib.h>

/* Words that were read, before any of them counts. */
struct words {
    struct key_sequence *items;
    size_t count, cap;
};

static bool read_keys(struct words *words, struct span text, struct err *err)
{
    for (struct span word; (word = span_take_word(&text)).len;) {
        struct key_sequence keys;
        if (!key_sequence_parse(word, &keys, err))
            return false;
        words->items = mem_grow(words->items, &words->cap, words->count + 1, sizeof keys);
        words->items[words->count++] = keys;
    }
    return true;
}

static void add_binding(struct keymap *keymap, enum action action, const struct key_sequence *keys,
                        bool given)
{
    keymap->items = mem_grow(keymap->items, &keymap->cap, keymap->count + 1, sizeof *keymap->items);
    keymap->items[keymap->count++] =
        (struct keymap_binding){.keys = *keys, .action = action, .given = given};
}

void keymap_init(struct keymap *keymap)
{
    *keymap = (struct keymap){0};
    for (int i = 1; i < ACTION_COUNT; i++) {
        struct words words = {0};
        struct err ignored; /* the table is tested */
        read_keys(&words, span_of(actions[i].keys), &ignored);
        for (size_t k = 0; k < words.count; k++)
            add_binding(keymap, (enum action)i, &words.items[k], false);
        free(words.items);
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
    struct str near = {0};

    *action = action_find(name);
    if (*action != ACTION_NONE || span_is(name, actions[ACTION_NONE].name))
        return true;
    for (int i = 0; i < ACTION_COUNT; i++)
        names[i] = span_of(actions[i].name);
    nearest_hint(&near, name, names, ACTION_COUNT);
    err_set(err, ERR_USAGE, "no action is called \"%.*s\"%s; swarmutt help keys lists them",
            (int)name.len, name.at, str_c(&near));
    str_free(&near);
    return false;
}

bool keymap_allows(const struct action_info *info, const struct key_sequence *keys, struct err *err)
{
    struct str name = {0};
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
    if (why) {
        key_sequence_add_name(&name, keys);
        err_set(err, ERR_USAGE, "%s cannot have the key %s: it %s", info->name, str_c(&name), why);
        str_free(&name);
    }
    return !why;
}

/* Removes bindings of one action, or usual ones that start with the keys. */
static void drop(struct keymap *keymap, enum action action, const struct key_sequence *start)
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
    struct words words = {0};
    bool ok = false;

    if (!find_action(action, &bound, err))
        return false;
    keymap->unsure[bound] = true;
    if (!read_keys(&words, keys, err) || !allows_all(bound, &words, err)) {
        goto out;
    } else if (bound == ACTION_NONE) {
        for (size_t i = 0; i < words.count; i++)
            drop(keymap, ACTION_NONE, &words.items[i]);
    } else if (keymap->given[bound]) {
        err_set(err, ERR_USAGE, "%s stands here for the second time; put all its keys in one line",
                actions[bound].name);
        goto out;
    } else {
        drop(keymap, bound, NULL);
        for (size_t i = 0; i < words.count; i++)
            add_binding(keymap, bound, &words.items[i], true);
        keymap->given[bound] = true;
    }
    keymap->unsure[bound] = false;
    ok = true;
out:
    free(words.items);
    return ok;
}

/* Where a binding can be used: a character is text in a text. */
static unsigned places(const struct keymap_binding *binding)
{
    unsigned where = actions[binding->action].where;

    return key_is_text(binding->keys.keys[0]) ? where & ~(unsigned)IN_TEXT : where;
}

/* Says that a, which is as long as b or shorter, and b cannot be told apart. */
static bool fail_clash(const struct keymap_binding *a, const struct keymap_binding *b,
                       enum action *which, struct err *err)
{
    const struct keymap_binding *blamed = a->given ? a : b, *other = a->given ? b : a;
    const char *one = actions[blamed->action].name, *two = actions[other->action].name;
    struct str key = {0}, longer = {0}, way = {0};

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
    str_free(&key);
    str_free(&longer);
    str_free(&way);
    return false;
}

/* Whether the two cannot be told apart where both work; a is as long as b or shorter. */
static bool is_clash(const struct keymap *keymap, size_t first, size_t second)
{
    const struct keymap_binding *a = &keymap->items[first], *b = &keymap->items[second];
    bool before =
        a->keys.count < b->keys.count || (first < second && a->keys.count == b->keys.count);
    bool sure = !keymap->unsure[a->action] && !keymap->unsure[b->action];

    return before && sure && places(a) & places(b) && key_sequence_starts(&b->keys, &a->keys);
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
