/* Tests the sanitizer: what may be drawn stays, everything else becomes visible text. */
#include "tests/unit/support.h"

#include "base/text/sanitize.h"
#include "base/text/utf8.h"

#include <locale.h>
#include <stdio.h>
#include <utf8proc.h>
#include <wchar.h>

#define ACUTE "\xcc\x81"           /* U+0301, a combining mark */
#define JOINER "\xe2\x80\x8d"      /* U+200D */
#define SELECTOR "\xef\xb8\x8f"    /* U+FE0F, asks for the emoji form */
#define MAN "\xf0\x9f\x91\xa8"     /* U+1F468 */
#define WOMAN "\xf0\x9f\x91\xa9"   /* U+1F469 */
#define HEART "\xe2\x9d\xa4"       /* U+2764 */
#define CJK "\xe6\x97\xa5"         /* U+65E5, two columns wide */
#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Sanitized in that mode, the text becomes `clean` and takes that many columns. */
static void expect(const char *text, unsigned mode, const char *clean, size_t columns)
{
    struct str out = {0};
    size_t got = sanitize_add(&out, span_of(text), mode);

    assert_span(str_span(&out), clean);
    cr_assert(got == columns, "%s: expected %zu columns, got %zu", clean, columns, got);
    str_free(&out);
}

static void expect_code(int32_t code, const char *clean)
{
    struct str text = {0}, out = {0};

    str_putc(&text, 'a');
    utf8_add(&text, code);
    str_putc(&text, 'b');
    sanitize_add(&out, str_span(&text), SANITIZE_LINE);
    cr_assert_str_eq(str_c(&out), clean);
    str_free(&text);
    str_free(&out);
}

Test(clean, plain_text_stays_as_it_is)
{
    expect("", SANITIZE_LINE, "", 0);
    expect("Hello ~ world", SANITIZE_LINE, "Hello ~ world", 13);
    expect("na\xc3\xafve \xe2\x82\xac", SANITIZE_LINE, "na\xc3\xafve \xe2\x82\xac", 7);
}

Test(clean, control_characters_are_shown_with_a_caret)
{
    expect("\x1b[2Jx", SANITIZE_LINE, "^[[2Jx", 6);
    expect("\x07\x08\r\x7f", SANITIZE_LINE, "^G^H^M^?", 8);
    expect("\x1b]0;title\x07", SANITIZE_LINES, "^[]0;title^G", 12);
    expect_code(0, "a^@b");
    expect_code(0x1f, "a^_b");
}

Test(clean, the_second_set_of_controls_is_shown_by_number)
{
    expect("\xc2\x9bm", SANITIZE_LINE, "<U+009B>m", 9);
    expect("\xc2\x85", SANITIZE_LINES, "<U+0085>", 8);
}

Test(clean, newline_and_tab_pass_only_where_lines_are_wanted)
{
    expect("a\tb\nc", SANITIZE_LINE, "a^Ib^Jc", 7);
    expect("a\tb\nc", SANITIZE_LINES, "a\tb\nc", 3);
    expect("a\r\n", SANITIZE_LINES, "a^M\n", 3);
}

Test(clean, what_turns_the_direction_of_text_is_shown_by_number)
{
    expect("\xe2\x80\xaexyz", SANITIZE_LINE, "<U+202E>xyz", 11);
    expect_code(0x200e, "a<U+200E>b");
    expect_code(0x2066, "a<U+2066>b");
    expect_code(0x061c, "a<U+061C>b");
}

Test(clean, what_cannot_be_seen_is_shown_by_number)
{
    static const int32_t hidden[] = {
        0x00ad,                              /* soft hyphen */
        0x200b,  0x2060,   0xfeff,           /* without width */
        0x2028,  0x2029,                     /* separators */
        0x034f,  0x17b4,   0x17b5,           /* marks that show nothing */
        0x115f,  0x1160,   0x3164,   0xffa0, /* Hangul fillers */
        0x2800,                              /* Braille blank */
        0xfe00,  0x180b,   0xe0100,          /* variation selectors */
        0xe0001, 0xe0041,  0xe007f,          /* tags */
        0xe000,  0x100000,                   /* private use */
        0x0378,  0xffff,   0x10ffff,         /* not assigned */
    };
    char shown[16];

    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        snprintf(shown, sizeof shown, "a<U+%04X>b", (unsigned)hidden[i]);
        expect_code(hidden[i], shown);
    }
}

Test(clean, a_no_break_space_stays_for_it_has_a_width)
{
    expect("x\xc2\xa0z", SANITIZE_LINE, "x\xc2\xa0z", 3);
}

Test(clean, bytes_that_are_not_utf8_become_the_replacement_character)
{
    expect("a\xff\xfe", SANITIZE_LINE, "a" REPLACEMENT REPLACEMENT, 3);
    expect("\xc3", SANITIZE_LINE, REPLACEMENT, 1);
    expect("\xc0\x9b", SANITIZE_LINE, REPLACEMENT REPLACEMENT, 2); /* an overlong Esc */
    expect("\xed\xa0\xbd", SANITIZE_LINE, REPLACEMENT, 1);         /* a lone surrogate */
}

Test(clean, nothing_but_ascii_is_left_where_the_terminal_knows_no_more)
{
    expect("\xc3\xa9" CJK, SANITIZE_ASCII, "<U+00E9><U+65E5>", 16);
    expect("\xff\x1b\n", SANITIZE_ASCII, "<U+FFFD>^[^J", 12);
    expect("a\n\xc2\xa0", SANITIZE_ASCII | SANITIZE_LINES, "a\n<U+00A0>", 9);
    expect(MAN JOINER WOMAN, SANITIZE_ASCII, "<U+1F468><U+200D><U+1F469>", 26);
}

Test(clean, columns_are_counted_as_the_terminal_does)
{
    expect(CJK CJK, SANITIZE_LINE, CJK CJK, 4);
    expect("e" ACUTE, SANITIZE_LINE, "e" ACUTE, 1);
    expect(MAN, SANITIZE_LINE, MAN, 2);
}

Test(clean, a_mark_needs_something_to_stand_on)
{
    expect(ACUTE "e", SANITIZE_LINE, "<U+0301>e", 9);
    expect("a\n" ACUTE, SANITIZE_LINES, "a\n<U+0301>", 9);
    expect("\t" ACUTE, SANITIZE_LINES, "\t<U+0301>", 8);
    expect("\x1b" ACUTE, SANITIZE_LINE, "^[<U+0301>", 10);
    expect("\xff" ACUTE, SANITIZE_LINE, REPLACEMENT "<U+0301>", 9);
}

Test(clean, a_character_carries_four_marks_and_no_more)
{
    expect("e" ACUTE ACUTE ACUTE ACUTE, SANITIZE_LINE, "e" ACUTE ACUTE ACUTE ACUTE, 1);
    expect("e" ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE "f" ACUTE, SANITIZE_LINE,
           "e" ACUTE ACUTE ACUTE ACUTE "<U+0301><U+0301>f" ACUTE, 18);
}

Test(clean, joiner_and_selector_of_an_emoji_are_dropped)
{
    expect(MAN JOINER WOMAN JOINER MAN, SANITIZE_LINE, MAN WOMAN MAN, 6);
    expect(HEART SELECTOR "x", SANITIZE_LINE, HEART "x", 2);
    expect(HEART SELECTOR JOINER MAN, SANITIZE_LINE, HEART MAN, 3);
}

Test(clean, joiner_and_selector_anywhere_else_are_shown)
{
    expect("a" JOINER "b", SANITIZE_LINE, "a<U+200D>b", 10);
    expect(MAN JOINER "a", SANITIZE_LINE, MAN "<U+200D>a", 11);
    expect(MAN JOINER, SANITIZE_LINE, MAN "<U+200D>", 10);
    expect(MAN JOINER JOINER WOMAN, SANITIZE_LINE, MAN "<U+200D><U+200D>" WOMAN, 20);
    expect(JOINER MAN, SANITIZE_LINE, "<U+200D>" MAN, 10);
    expect("a" SELECTOR, SANITIZE_LINE, "a<U+FE0F>", 9);
    expect(SELECTOR, SANITIZE_LINE, "<U+FE0F>", 8);
}

/* One selector asks for a form of the emoji; further ones can only carry a hidden text. */
Test(clean, a_second_selector_behind_an_emoji_is_shown)
{
    expect(HEART SELECTOR SELECTOR, SANITIZE_LINE, HEART "<U+FE0F>", 9);
}

/* A character drawn wider or narrower than counted moves all that follows it on the screen. */
Test(clean, draws_no_code_point_whose_width_is_in_doubt)
{
    use_utf8_locale();
    for (int32_t code = 0; code <= 0x10ffff; code++) {
        struct str text = {0};
        struct sanitize_piece piece;
        str_putc(&text, 'a');
        utf8_add(&text, code);
        for (size_t skip = 0; skip < 2; skip++) { /* after an 'a', and at the start */
            struct sanitize_cursor cursor = {.rest = {text.at + skip, text.len - skip}};
            cr_assert(skip || sanitize_next(&cursor, &piece));
            cr_assert(sanitize_next(&cursor, &piece), "U+%04X yields nothing", (unsigned)code);
            if (!piece.escaped) {
                cr_assert(wcwidth((wchar_t)code) == utf8proc_charwidth(code) &&
                              piece.columns == wcwidth((wchar_t)code),
                          "U+%04X", (unsigned)code);
                cr_assert(piece.columns || !skip, "U+%04X stands on nothing", (unsigned)code);
            } else if (piece.text[0] == '^' || piece.text[0] == '<') {
                cr_assert(piece.columns == piece.len && strlen(piece.text) == piece.len);
            } else {
                cr_assert_str_eq(piece.text, REPLACEMENT);
            }
            cr_assert_not(sanitize_next(&cursor, &piece));
        }
        str_free(&text);
    }
}

Test(clean, the_locale_of_the_user_changes_nothing)
{
    setlocale(LC_ALL, "C");
    expect("\xc3\xa9" CJK, SANITIZE_LINE, "\xc3\xa9" CJK, 3);
}

static void expect_fit(const char *text, size_t columns, const char *fitted)
{
    struct str out = {0};

    str_puts(&out, "|");
    sanitize_fit(&out, span_of(text), SANITIZE_LINE, columns);
    str_puts(&out, "|");
    assert_span(((struct span){out.at + 1, out.len - 2}), fitted);
    str_free(&out);
}

Test(clean, cutting_pads_nothing_and_tells_the_columns_used)
{
    struct str out = {0};

    cr_assert_eq(sanitize_cut(&out, span_of("abc"), SANITIZE_LINE, 5), 3);
    cr_assert_eq(sanitize_cut(&out, span_of("abcdef"), SANITIZE_LINE, 3), 3);
    cr_assert_eq(sanitize_cut(&out, span_of(CJK CJK CJK), SANITIZE_LINE, 4), 3);
    cr_assert_eq(sanitize_cut(&out, span_of("abc"), SANITIZE_LINE, 0), 0);
    cr_assert_str_eq(str_c(&out), "abcab~" CJK "~");
    str_free(&out);
}

Test(clean, fitting_pads_what_is_short_and_cuts_what_is_long)
{
    expect_fit("abc", 5, "abc  ");
    expect_fit("abc", 3, "abc");
    expect_fit("abcd", 3, "ab~");
    expect_fit("abcd", 1, "~");
    expect_fit("abcd", 0, "");
    expect_fit("", 2, "  ");
}

Test(clean, fitting_keeps_wide_characters_and_marks_whole)
{
    expect_fit(CJK CJK CJK, 6, CJK CJK CJK);
    expect_fit(CJK CJK CJK, 5, CJK CJK "~");
    expect_fit(CJK CJK CJK, 4, CJK "~ ");
    expect_fit(CJK, 1, "~");
    expect_fit("abe" ACUTE, 3, "abe" ACUTE);
    expect_fit("e" ACUTE "bcd", 2, "e" ACUTE "~");
}

Test(clean, fitting_never_splits_an_escape_and_shows_one_line)
{
    expect_fit("ab\x1b", 4, "ab^[");
    expect_fit("ab\x1b", 3, "ab~");
    expect_fit("\xe2\x80\xae", 8, "<U+202E>");
    expect_fit("\xe2\x80\xae", 7, "~      ");
    expect_fit("a\nb", 4, "a^Jb");

    struct str out = {0};
    sanitize_fit(&out, span_of("a\nb"), SANITIZE_LINES, 4);
    cr_assert_str_eq(str_c(&out), "a^Jb");
    str_free(&out);
}

Test(clean, fitting_fills_exactly_the_columns_asked_for)
{
    const char *text = "a" CJK "e" ACUTE ACUTE "\x1b" MAN JOINER WOMAN "\xff\xe2\x80\xae\xc2\xa0z";

    for (unsigned mode = SANITIZE_LINE; mode <= (SANITIZE_LINES | SANITIZE_ASCII); mode++) {
        for (size_t columns = 0; columns < 100; columns++) {
            struct str fitted = {0}, again = {0};
            sanitize_fit(&fitted, span_of(text), mode, columns);
            size_t got = sanitize_add(&again, str_span(&fitted), SANITIZE_LINE);
            cr_assert(got == columns, "mode %u: %zu columns became %zu", mode, columns, got);
            cr_assert(span_eq(str_span(&again), str_span(&fitted)));
            str_free(&fitted);
            str_free(&again);
        }
    }
}

#define KEYCAP "\xe2\x83\xa3" /* U+20E3, the frame of a key */

Test(clean, the_selector_of_a_keycap_is_dropped)
{
    expect("1" SELECTOR KEYCAP "x", SANITIZE_LINE, "1" KEYCAP "x", 2);
    expect("#" SELECTOR KEYCAP, SANITIZE_LINE, "#" KEYCAP, 1);
    expect("1" SELECTOR "x", SANITIZE_LINE, "1<U+FE0F>x", 10);
    expect("a" SELECTOR KEYCAP, SANITIZE_LINE, "a<U+FE0F><U+20E3>", 17);
    expect("1" SELECTOR SELECTOR KEYCAP, SANITIZE_LINE, "1<U+FE0F><U+FE0F><U+20E3>", 25);
    expect("1" JOINER MAN, SANITIZE_LINE, "1<U+200D>" MAN, 11);
}

/* Expects that the first invisible thing in the text is spelled out as `shown`; NULL for none. */
static void expect_hidden(struct span text, const char *shown)
{
    struct sanitize_piece piece;
    bool found = sanitize_find_hidden(text, &piece);

    cr_assert(found == (shown != NULL), "%.*s", (int)text.len, text.at);
    if (found)
        cr_assert_str_eq(piece.text, shown);
}

Test(clean, what_is_hidden_in_a_text_is_found)
{
    expect_hidden(span_of("ls -l\n\tcat x \xc3\xa9 " CJK " e" ACUTE), NULL);
    expect_hidden(span_of(""), NULL);
    expect_hidden(span_of(MAN JOINER WOMAN " " HEART SELECTOR " 1" SELECTOR KEYCAP), NULL);
    expect_hidden(span_of("ls\r"), "^M");
    expect_hidden(span_of("ab\x1b[2J\xe2\x80\xae"), "^[");
    expect_hidden((struct span){"a\0b", 3}, "^@");
    expect_hidden(span_of("ls\x7f"), "^?");
    expect_hidden(span_of("ls \xe2\x80\xae"), "<U+202E>");
    expect_hidden(span_of("l" JOINER "s"), "<U+200D>");
    expect_hidden(span_of(HEART SELECTOR SELECTOR), "<U+FE0F>");
    expect_hidden(span_of("x\xff"), REPLACEMENT);
    expect_hidden(span_of("x\xed\xa0\xbd"), REPLACEMENT);
    expect_hidden(span_of("\xf3\xa0\x81\x81"), "<U+E0041>");
    expect_hidden(span_of("\xee\x80\x80"), "<U+E000>");
}

/* It is spelled out because terminals draw it differently, not because it is invisible. */
Test(clean, a_character_that_is_only_not_drawn_is_not_hidden)
{
    expect_hidden(span_of(ACUTE "e"), NULL);
    expect_hidden(span_of("e" ACUTE ACUTE ACUTE ACUTE ACUTE), NULL);
    expect_hidden(span_of("x\xef\xbf\xbd"), NULL);
}
