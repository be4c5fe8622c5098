/* Tests the hash index against a plain list. */
#include "tests/unit/draw.h"
#include "tests/unit/support.h"

#include "base/map.h"

#include <stdlib.h>

static bool is_value(const void *context, uint32_t value)
{
    return *(const uint32_t *)context == value;
}

static bool is_any(const void *context, uint32_t value)
{
    (void)context;
    (void)value;
    return true;
}

enum { VALUES = 3000 };

/* The hash of each value; 0 if the value is not in the index. */
static uint32_t hashes[VALUES];

static void assert_holds(const struct hash_index *index)
{
    uint32_t count = 0;

    for (uint32_t value = 0; value < VALUES; value++) {
        uint32_t *found =
            hash_index_find(index, hashes[value] ? hashes[value] : 1 + value, is_value, &value);
        cr_assert_eq(found != NULL, hashes[value] != 0, "%u", value);
        cr_assert(!found || *found == value);
        count += hashes[value] != 0;
    }
    cr_assert_eq(index->count, count);
}

/* Uses `spread` different hashes: few of them make long runs, and 0xffffffff wraps at the end. */
static void play(uint32_t spread, uint32_t step, uint32_t values)
{
    struct hash_index index = {0};

    memset(hashes, 0, sizeof hashes);
    for (int round = 0; round < 20000; round++) {
        uint32_t value = draw(values);
        if (hashes[value]) {
            uint32_t *found = hash_index_find(&index, hashes[value], is_value, &value);
            cr_assert_not_null(found, "%u of %u in round %d", value, spread, round);
            hash_index_remove(&index, found);
            hashes[value] = 0;
        } else {
            hashes[value] = UINT32_MAX - draw(spread) * step;
            hash_index_add(&index, hashes[value], value);
        }
        if (round % 1000 == 0)
            assert_holds(&index);
    }
    assert_holds(&index);
    cr_assert_lt(index.cap, 3 * VALUES, "it grows with what it holds, not with what it held");
    hash_index_free(&index);
    cr_assert(!index.slots && !index.count && !index.cap);
}

Test(hash_index, adding_and_removing_at_random_gives_what_a_list_has)
{
    play(UINT32_MAX, 1, VALUES);
    play(1000, 1, VALUES);
    play(40, 64, 500);
    play(3, 1, 40);
    play(1, 1, 40);
}

Test(hash_index, an_empty_one_finds_nothing)
{
    struct hash_index index = {0};

    cr_assert_null(hash_index_find(&index, 1, is_any, NULL));
    hash_index_add(&index, 5, 9);
    cr_assert_null(hash_index_find(&index, 5 + 64, is_any, NULL), "another hash of the same place");
    uint32_t *found = hash_index_find(&index, 5, is_any, NULL);
    cr_assert_eq(*found, 9);
    *found = 10; /* as for a list whose first item changes */
    cr_assert_eq(*hash_index_find(&index, 5, is_any, NULL), 10);
    hash_index_remove(&index, found);
    cr_assert_null(hash_index_find(&index, 5, is_any, NULL));
    cr_assert_eq(index.count, 0);
    hash_index_free(&index);
}
