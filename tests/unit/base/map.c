/* Tests the map: each key has one entry, however many there are and whatever bytes they contain. */
#include "tests/unit/support.h"

#include "base/map.h"
#include "base/mem.h"

#include <stdio.h>

static struct span numbered(struct arena *arena, unsigned number)
{
    char text[32];

    snprintf(text, sizeof text, "MSG-%u", number);
    return arena_copy(arena, span_of(text));
}

Test(map, an_empty_map_holds_nothing)
{
    struct map map = {0};

    cr_assert_null(map_get(&map, span_of("a")));
    cr_assert_null(map_get(&map, span_of("")));
    map_free(&map);
}

Test(map, a_key_is_fresh_once_and_starts_with_zero)
{
    struct map map = {0};
    bool fresh = false;
    uint32_t *place = map_put(&map, span_of("bob"), &fresh);

    cr_assert(fresh && *place == 0);
    *place = 7;
    cr_assert_eq(*map_put(&map, span_of("bob"), &fresh), 7);
    cr_assert_not(fresh);
    cr_assert_eq(*map_get(&map, span_of("bob")), 7);
    cr_assert_null(map_get(&map, span_of("bo")));
    cr_assert_eq(map.count, 1);
    map_free(&map);
}

Test(map, keeps_ten_thousand_keys_apart_as_it_grows)
{
    enum { KEYS = 10000 };
    struct arena arena = {0};
    struct map map = {0};
    bool fresh;

    for (unsigned i = 0; i < KEYS; i++) {
        *map_put(&map, numbered(&arena, i), &fresh) = i;
        cr_assert(fresh, "key %u", i);
    }
    cr_assert_eq(map.count, KEYS);
    for (unsigned i = 0; i < KEYS; i++) {
        uint32_t *place = map_get(&map, numbered(&arena, i));
        cr_assert(place && *place == i, "key %u", i);
    }
    cr_assert_null(map_get(&map, numbered(&arena, KEYS)));
    map_free(&map);
    arena_free(&arena);
}

Test(map, keys_may_hold_any_byte_and_differ_only_behind_a_nul)
{
    static const struct span keys[] = {
        {"", 0},     {"\0", 1},  {"\0\0", 2}, {"a", 1},       {"a\0", 2},       {"a\0b", 3},
        {"a\0c", 3}, {"\0a", 2}, {"\xff", 1}, {"1234567", 7}, {"1234567\0", 8}, {"12345678", 8},
    };
    const uint32_t count = sizeof keys / sizeof *keys;
    struct map map = {0};
    bool fresh;

    for (uint32_t i = 0; i < count; i++) {
        *map_put(&map, keys[i], &fresh) = i;
        cr_assert(fresh, "key %u", i);
    }
    for (uint32_t i = 0; i < count; i++)
        cr_assert_eq(*map_get(&map, keys[i]), i);
    map_free(&map);
}

Test(map, each_map_hashes_with_a_seed_of_its_own)
{
    struct map one = {0}, two = {0};
    bool fresh;

    map_put(&one, span_of("a"), &fresh);
    map_put(&two, span_of("a"), &fresh);
    cr_assert_neq(one.seed, two.seed);
    map_free(&one);
    map_free(&two);
}

Test(map, is_empty_and_of_use_again_after_it_was_freed)
{
    struct map map = {0};
    bool fresh;

    *map_put(&map, span_of("a"), &fresh) = 1;
    map_free(&map);
    cr_assert_null(map_get(&map, span_of("a")));
    cr_assert_eq(*map_put(&map, span_of("a"), &fresh), 0);
    cr_assert(fresh);
    map_free(&map);
}

Test(map, texts_that_are_cut_elsewhere_make_another_key)
{
    static const struct span some[][2] = {{{"a", 1}, {"b\0c", 3}},
                                          {{"a\0b", 3}, {"c", 1}},
                                          {{"", 0}, {"ab", 2}},
                                          {{"ab", 2}, {"", 0}}};
    enum { COUNT = sizeof some / sizeof *some };
    struct str keys[2 * COUNT] = {0};

    for (uint32_t i = 0; i < 2 * COUNT; i++) /* each with two numbers */
        map_key(&keys[i], i / COUNT, some[i % COUNT], 2);
    for (size_t i = 0; i < 2 * COUNT; i++)
        for (size_t k = 0; k < i; k++)
            cr_assert_not(span_eq(str_span(&keys[i]), str_span(&keys[k])), "%zu and %zu", i, k);
    for (size_t i = 0; i < 2 * COUNT; i++)
        str_free(&keys[i]);
}

Test(map, many_keys_at_once_get_the_entries_they_would_get_one_by_one)
{
    enum { COUNT = 1000, DIFFERENT = 300 };
    struct map one = {0}, many = {0};
    struct arena arena = {0};
    struct span keys[COUNT];
    uint32_t at[COUNT];
    bool fresh;

    for (unsigned i = 0; i < COUNT; i++)
        keys[i] = numbered(&arena, i * 7 % DIFFERENT);
    *map_put(&many, keys[0], &fresh) = 5; /* existing entries stay */
    map_put_many(&many, keys, 0, at);
    map_put_many(&many, keys, COUNT, at);
    cr_assert_eq(many.count, DIFFERENT);
    for (size_t i = 0; i < COUNT; i++) {
        map_put(&one, keys[i], &fresh);
        cr_assert(span_eq(one.entries[at[i]].key, keys[i]));
        cr_assert_eq(many.entries[at[i]].value, at[i] ? 0 : 5);
        cr_assert_eq(map_get(&many, keys[i]), &many.entries[at[i]].value);
    }
    map_free(&one);
    map_free(&many);
    arena_free(&arena);
}
