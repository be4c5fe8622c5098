/* Tests folding: the texts that become equal. */
#include "tests/unit/support.h"

#include "base/text/utf8.h"

static void expect(struct span text, const char *folded)
{
    struct str out = {0};

    fold_add(&out, text);
    assert_span(str_span(&out), folded);
    str_free(&out);
}

Test(fold, letters_lose_their_case)
{
    expect(span_of("Hello, WORLD 42"), "hello, world 42");
    expect(span_of("\xc3\x84\xce\xa9\xd0\xaf"), "\xc3\xa4\xcf\x89\xd1\x8f");
    expect(span_of("a\xc3\x84z"), "a\xc3\xa4z");
}

Test(fold, one_character_may_become_several)
{
    expect(span_of("Stra\xc3\x9f"
                   "e"),
           "strasse");
    expect(span_of("\xef\xac\x83"), "ffi");
}

Test(fold, what_is_no_text_stays)
{
    expect(span_of("A\xff\xc3"), "a\xff\xc3");
    expect(span_of("\xed\xa0\x80"
                   "B"),
           "\xed\xa0\x80"
           "b");
    expect(span_of(""), "");
    expect((struct span){0}, "");
}

Test(fold, folding_twice_changes_nothing)
{
    for (int32_t code = 1; code < 0x11000; code++) {
        struct str text = {0}, once = {0}, twice = {0};
        if (code >= 0xd800 && code <= 0xdfff)
            continue;
        utf8_add(&text, code);
        fold_add(&once, str_span(&text));
        fold_add(&twice, str_span(&once));
        cr_assert(span_eq(str_span(&once), str_span(&twice)), "U+%04X", (unsigned)code);
        cr_assert(utf8_valid(str_span(&once)), "U+%04X", (unsigned)code);
        str_free(&text);
        str_free(&once);
        str_free(&twice);
    }
}

Test(fold, words_are_compared_whole)
{
    cr_assert(fold_is(span_of("NoT"), "not"));
    cr_assert(!fold_is(span_of("no"), "not"));
    cr_assert(!fold_is(span_of("nota"), "not"));
    cr_assert(!fold_is((struct span){0}, "not"));
    cr_assert(fold_is((struct span){0}, ""));
}
