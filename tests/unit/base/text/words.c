/* Tests splitting a text into words. */
#include "tests/unit/draw.h"
#include "tests/unit/support.h"

#include "base/text/utf8.h"
#include "base/text/words.h"

/* Appends the words of a text, separated by bars. */
static void split(struct str *out, struct span text)
{
    struct words words;
    struct word word;

    str_clear(out);
    for (words_begin(&words, text); words_next(&words, &word);) {
        str_puts(out, out->len ? "|" : "");
        str_add_span(out, word.text);
    }
}

static void assert_words(const char *text, const char *wanted)
{
    struct str got = {0};

    split(&got, span_of(text));
    cr_assert_str_eq(str_c(&got), wanted, "%s: %s, not %s", text, str_c(&got), wanted);
    str_free(&got);
}

Test(words, letters_and_digits_make_words_and_everything_else_stands_between)
{
    assert_words("", "");
    assert_words(" \n\t.,;", "");
    assert_words("The build FAILED.", "the|build|failed");
    assert_words("don't", "don|t");
    assert_words("v2 10ms a41f9c 3.14", "v2|10ms|a41f9c|3|14");
    assert_words("x", "x");
}

Test(words, paths_and_identifiers_are_several_words)
{
    assert_words("src/base/fold.c:12", "src|base|fold|c|12");
    assert_words("snake_case() CamelCase", "snake|case|camelcase");
    assert_words("https://host/a?b=c", "https|host|a|b|c");
    assert_words("--no-verify", "no|verify");
}

Test(words, case_and_the_way_of_writing_do_not_matter)
{
    assert_words("STRASSE Stra\xc3\x9f"
                 "e",
                 "strasse|strasse");
    assert_words("\xc3\x84rger \xc3\xa4rger", "\xc3\xa4rger|\xc3\xa4rger");
    /* e and a combining acute, and the letter that is both */
    assert_words("cafe\xcc\x81 caf\xc3\xa9", "caf\xc3\xa9|caf\xc3\xa9");
    /* full width, and a ligature */
    assert_words("\xef\xbc\xa1\xef\xbc\xa2 \xef\xac\x81le", "ab|file");
}

Test(words, scripts_without_blanks_have_a_word_a_letter)
{
    assert_words("\xe6\x96\x87\xe5\xad\x97", "\xe6\x96\x87|\xe5\xad\x97");
    assert_words("abc\xe6\x96\x87"
                 "def",
                 "abc|\xe6\x96\x87|def");
    /* Korean separates words with blanks */
    assert_words("\xed\x95\x9c\xea\xb5\xad \xeb\xa7\x90", "\xed\x95\x9c\xea\xb5\xad|\xeb\xa7\x90");
    /* a Thai consonant with a mark above it stays one */
    assert_words("\xe0\xb8\x81\xe0\xb8\xb5\xe0\xb8\x82", "\xe0\xb8\x81\xe0\xb8\xb5|\xe0\xb8\x82");
}

Test(words, what_nobody_sees_does_not_split_a_word)
{
    assert_words("soft\xc2\xad"
                 "hyphen zero\xe2\x80\x8bwidth",
                 "softhyphen|zerowidth");
    assert_words("\xef\xbb\xbfmark", "mark");
    /* marks without a letter are ignored */
    assert_words("\xcc\x81 a", "a");
    assert_words("\xe2\x9c\x85\xef\xb8\x8f ok", "ok");
}

Test(words, bytes_that_are_not_utf8_stand_between)
{
    assert_words("a\xff\xfe"
                 "b\xc3",
                 "a|b");
    assert_words("x\xed\xa0\x80y", "x|y"); /* a lone surrogate */
}

Test(words, of_a_very_long_word_the_start_counts)
{
    char text[4 * WORD_CHARS + 3] = {0}, other[4 * WORD_CHARS + 3] = {0};
    struct str a = {0}, b = {0};

    memset(text, 'a', WORD_CHARS + 20);
    memset(other, 'A', 2 * WORD_CHARS);
    split(&a, span_of(text));
    split(&b, span_of(other));
    cr_assert_eq(a.len, WORD_CHARS);
    cr_assert_str_eq(str_c(&a), str_c(&b));
    str_free(&a);
    str_free(&b);
}

Test(words, each_word_tells_where_it_stands)
{
    struct span text = span_of(" Fold.c \xc3\x84");
    struct words words;
    struct word word;

    words_begin(&words, text);
    cr_assert(words_next(&words, &word) && word.at == 1 && word.end == 5);
    cr_assert(words_next(&words, &word) && word.at == 6 && word.end == 7);
    cr_assert(words_next(&words, &word) && word.at == 8 && word.end == 10);
    cr_assert_not(words_next(&words, &word));
    cr_assert_not(words_next(&words, &word));
}

/* Any bytes: places are in order and inside the text, words are not empty, and a found word alone
 * is one word again, the same one unless it was cut. */
Test(words, any_bytes_have_words_in_order_that_stay_themselves)
{
    for (int round = 0; round < 20000; round++) {
        struct str text = {0}, again = {0};
        struct words words;
        struct word word;
        size_t before = 0;
        for (uint32_t i = draw(24); i--;) {
            if (draw(3) == 0)
                str_putc(&text, (char)draw(256));
            else if (draw(2))
                utf8_add(&text, (int32_t)draw(draw(2) ? 0x3000 : 0x30000));
            else
                str_putc(&text, "aB0 _\xc3"[draw(6)]);
        }
        for (words_begin(&words, str_span(&text)); words_next(&words, &word);) {
            cr_assert(word.at >= before && word.end > word.at && word.end <= text.len);
            cr_assert(word.text.len > 0 && word.text.len <= WORD_BYTES);
            before = word.end;
            split(&again, (struct span){text.at + word.at, word.end - word.at});
            cr_assert(span_eq(str_span(&again), word.text), "%s", str_c(&again));
        }
        str_free(&text);
        str_free(&again);
    }
}
