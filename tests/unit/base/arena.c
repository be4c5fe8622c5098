/* Tests the arena: allocated memory does not move, is aligned and keeps its bytes until freed. */
#include "tests/unit/support.h"

#include "base/mem.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

Test(arena, gives_zeroed_memory_aligned_for_any_type)
{
    struct arena arena = {0};

    for (size_t bytes = 1; bytes < 300; bytes++) {
        arena_bytes(&arena, 1)[0] = 'x'; /* leaves the arena at an unaligned address */
        unsigned char *got = arena_alloc(&arena, bytes);
        cr_assert((uintptr_t)got % alignof(max_align_t) == 0, "%zu bytes", bytes);
        for (size_t i = 0; i < bytes; i++)
            cr_assert(got[i] == 0, "byte %zu of %zu", i, bytes);
        memset(got, 0xff, bytes);
    }
    arena_free(&arena);
}

Test(arena, moves_nothing_as_it_grows)
{
    enum { PIECES = 20000 };
    static struct span kept[PIECES];
    struct arena arena = {0};
    char text[32];

    for (int i = 0; i < PIECES; i++) {
        snprintf(text, sizeof text, "piece number %d", i);
        kept[i] = arena_copy(&arena, span_of(text));
    }
    for (int i = 0; i < PIECES; i++) {
        snprintf(text, sizeof text, "piece number %d", i);
        assert_span(kept[i], text);
    }
    arena_free(&arena);
}

Test(arena, serves_a_piece_larger_than_any_chunk)
{
    enum { LARGE = 3 << 20 };
    struct arena arena = {0};
    char *before = arena_bytes(&arena, 3);

    memcpy(before, "abc", 3);
    memset(arena_bytes(&arena, LARGE), 'x', LARGE);
    char *after = arena_alloc(&arena, 8);
    cr_assert(after[0] == 0 && after[7] == 0);
    cr_assert(memcmp(before, "abc", 3) == 0);
    cr_assert(arena.total >= LARGE);
    arena_free(&arena);
}

Test(arena, copies_are_terminated_and_may_hold_any_byte)
{
    struct arena arena = {0};
    struct span copy = arena_copy(&arena, (struct span){"a\0b!", 3});

    cr_assert(copy.len == 3 && memcmp(copy.at, "a\0b", 4) == 0);
    cr_assert_str_eq(arena_strdup(&arena, "word"), "word");
    arena_free(&arena);
}

Test(arena, an_absent_text_stays_absent_and_an_empty_one_empty)
{
    struct arena arena = {0};
    struct span absent = arena_copy(&arena, (struct span){0});
    struct span empty = arena_copy(&arena, span_of(""));

    cr_assert(absent.at == NULL && absent.len == 0);
    cr_assert(empty.at != NULL && empty.len == 0 && empty.at[0] == '\0');
    arena_free(&arena);
}

Test(arena, is_empty_and_of_use_again_after_it_was_freed)
{
    struct arena arena = {0};

    arena_free(&arena);
    arena_strdup(&arena, "once");
    arena_free(&arena);
    cr_assert(arena.chunks == NULL && arena.used == 0 && arena.total == 0);
    cr_assert_str_eq(arena_strdup(&arena, "twice"), "twice");
    arena_free(&arena);
}
