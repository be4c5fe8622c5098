/* Tests that the scan of terminal output detects every forbidden sequence. */
#include "introducer.h"
#include "scan.h"
#include "tests/unit/support.h"

static size_t problems_of(const char *term, bool utf8, struct span bytes, struct str *pass)
{
    struct terminfo *info = terminfo_open(term);
    struct scan scan;

    cr_assert_not_null(info);
    scan_init(&scan, info, utf8, NULL);
    for (size_t i = 0; i < bytes.len; i++) /* split at any byte */
        scan_feed(&scan, (struct span){bytes.at + i, 1}, pass);
    scan_end(&scan);
    size_t count = scan.problem_count;
    scan_free(&scan);
    terminfo_close(info);
    return count;
}

static size_t problems(const char *text)
{
    struct str pass = {0};
    size_t count = problems_of("xterm-256color", true, span_of(text), &pass);

    str_free(&pass);
    return count;
}

Test(scan, what_screen_programs_write_is_right)
{
    static const char *const right[] = {
        "plain text\r\n\t\b\a",
        "\x1b[H\x1b[2J\x1b[12;40H\x1b[K\x1b[1K\x1b[10X\x1b[5b\x1b[3d\x1b[7G\x1b[2A\x1b[r\x1b[1;20r",
        "\x1b[m\x1b[0;10;1m\x1b[31;49m\x1b[39;49m\x1b[38;5;208m\x1b[48;5;17m\x1b[97;101m",
        "\x1b[?1049h\x1b[22;0;0t\x1b[?1h\x1b=\x1b[?25l\x1b[?12l\x1b[?25h\x1b[?2004h",
        "\x1b[?1006;1000h\x1b[?1006;1000l\x1b]104\x07\x1b(B\x1b(0qqq\x1b(B",
        "\x1b[4h\x1b[4l\x1b[2L\x1b[M\x1b[3P\x1b[@\x1bM",
        "na\xc3\xafve \xe4\xb8\x96\xe7\x95\x8c e\xcc\x81 \xf0\x9f\x98\x80 \xe2\x94\x82",
    };

    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        cr_expect_eq(problems(right[i]), 0, "%zu", i);
}

Test(scan, where_no_sequence_has_an_escape_each_control_is_reported)
{
    static const char right[] = "text\xe2\xa6\x80[2;3H\xe2\xa6\x81\xe2\xa6\x80[?1049l\r";
    static const char *const wrong[] = {"\x1b[31m", "a\rb", "\n", "\t", "\x7f", "\a"};
    struct introducer introducer = {0};
    struct str pass = {0};
    struct scan scan;

    scan_init(&scan, NULL, true, NULL);
    for (size_t i = 0; i < sizeof right - 1; i++)
        introducer_feed(&introducer, (struct span){right + i, 1}, &scan, &pass);
    cr_expect_eq(scan.problem_count, 0, "%s", str_c(&scan.problems));
    cr_expect_str_eq(str_c(&pass), "text\x1b[2;3H\xe2\xa6\x81\x1b[?1049l\r");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        introducer_feed(&introducer, span_of(wrong[i]), &scan, &pass);
        cr_expect_eq(scan.problem_count, i + 1, "%zu", i);
    }
    introducer_free(&introducer);
    scan_free(&scan);
    str_free(&pass);
}

Test(scan, what_messages_could_smuggle_in_is_reported)
{
    static const char *const wrong[] = {
        "\x1b]0;title\x07",
        "\x1b]52;c;aGk=\x1b\\",
        "\x1b]8;;http://x\x1b\\",
        "\x1bP1$r0m\x1b\\",
        "\x1b_G\x1b\\",
        "\x1b^x\x1b\\",
        "\x1bXx\x1b\\",
        "\x1b]4;1;rgb:0/0/0\x07",
        "\x1b[6n",
        "\x1b[c",
        "\x1b[>c",
        "\x1b[3J",
        "\x1b[?1049;47h",
        "\x1b[?3h",
        "\x1b[20h",
        "\x1b[21t",
        "\x1b[8;50;100t",
        "\x1b[!p",
        "\x1b[5i",
        "\x1b[200m",
        "\x1b[38;9;1m",
        "\x1b"
        "c",
        "\x1b#8",
        "\x1b%G",
        "\x1b(A",
        "\x1b[2 q",
        "\x1b[99999A",
        "\x0e",
        "\x7f",
        "\x0b",
        "\xc2\x9b"
        "31m",
        "\xc2\x85",
        "\xe2\x80\xae",
        "\xe2\x81\xa6",
        "\xd8\x9c",
        "\xe2\x80\x8b",
        "\xe2\x80\x8d",
        "\xef\xbb\xbf",
        "\xef\xb8\x8f",
        "\xe2\x80\xa8",
        "\xc2\xad",
        "\xf3\xa0\x81\x81",
        "\xee\x80\x80",
        "\xcd\x8f",
        "\xe3\x85\xa4",
        "\xff",
        "\x80",
        "\xe4\xb8",
        "\xe4"
        "x",
        "\xc0\xaf",
        "\x1b[1",
        "\x1b",
        "\x1b]104",
        "\x1b[3\x1b[m",
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct str text = {0};
        cr_expect_gt(problems(wrong[i]), 0, "%zu", i);
        str_addf(&text, "before %s after", wrong[i]);
        cr_expect_gt(problems(str_c(&text)), 0, "%zu in a text", i);
        str_free(&text);
    }
    struct str pass = {0};
    cr_expect_eq(problems_of("xterm-256color", true, (struct span){"a\0b", 3}, &pass), 1);
    str_free(&pass);
}

Test(scan, each_terminal_has_sequences_of_its_own)
{
    struct str pass = {0};

    cr_expect_eq(problems_of("linux", true, span_of("\x1b[?25l\x1b[?1c\x0e\x0f\x1b]Rtext"), &pass),
                 0);
    /* The emulator must not get it, because it does not know its end. */
    assert_span(str_span(&pass), "\x1b[?25l\x1b[?1c\x0e\x0ftext");
    cr_expect_gt(problems_of("xterm-256color", true, span_of("\x1b[?1c"), &pass), 0);
    cr_expect_gt(problems_of("xterm-256color", true, span_of("\x1b]R\x07"), &pass), 0);
    cr_expect_eq(problems_of("vt100", true, span_of("\x1b(B\x1b)0\x0eqq\x0f"), &pass), 0);
    cr_expect_gt(problems_of("vt100", true, span_of("\x1b]104\x07"), &pass), 0);
    str_free(&pass);
}

Test(scan, the_emulator_gets_the_same_with_modes_one_by_one)
{
    static const char bytes[] = "a\x1b[31mb\x1b[?25l\x1b[?1006;1000h\xe4\xb8\x96\r\n\x1b]2;x\x07";
    struct str pass = {0};

    problems_of("xterm-256color", true, span_of(bytes), &pass);
    assert_span(str_span(&pass),
                "a\x1b[31mb\x1b[?25l\x1b[?1006h\x1b[?1000h\xe4\xb8\x96\r\n\x1b]2;x\x07");
    str_free(&pass);
}

Test(scan, a_terminal_without_utf8_gets_ascii)
{
    struct str pass = {0};

    cr_expect_eq(problems_of("vt100", false, span_of("plain"), &pass), 0);
    cr_expect_eq(problems_of("vt100", false, span_of("na\xc3\xafve"), &pass), 2);
    str_free(&pass);
}

Test(scan, modes_are_remembered)
{
    struct terminfo *info = terminfo_open("xterm-256color");
    struct str pass = {0};
    struct scan scan;

    scan_init(&scan, info, true, NULL);
    cr_expect(scan_mode(&scan, 25) && !scan_mode(&scan, 2004) && !scan_mode(&scan, SCAN_KEYPAD));
    scan_feed(&scan, span_of("\x1b[?2004h\x1b[?25l\x1b[?1006;1000h\x1b="), &pass);
    cr_expect(!scan_mode(&scan, 25) && scan_mode(&scan, 2004) && scan_mode(&scan, SCAN_KEYPAD));
    cr_expect(scan_mode(&scan, 1006) && scan_mode(&scan, 1000));
    scan_feed(&scan, span_of("\x1b[?2004l\x1b[?12;25h\x1b>"), &pass);
    cr_expect(scan_mode(&scan, 25) && !scan_mode(&scan, 2004) && !scan_mode(&scan, SCAN_KEYPAD));
    scan_free(&scan);
    terminfo_close(info);
    str_free(&pass);
}

Test(scan, what_a_test_allows_is_allowed_but_may_hide_nothing)
{
    static const char *const allowed[] = {"\x1b]2;", NULL};
    struct terminfo *info = terminfo_open("xterm-256color");
    struct str pass = {0};
    struct scan scan;

    scan_init(&scan, info, true, allowed);
    scan_feed(&scan, span_of("\x1b]2;a title\x07\x1b]2;another\x1b\\"), &pass);
    cr_expect_eq(scan.problem_count, 0, "%s", str_c(&scan.problems));
    scan_feed(&scan, span_of("\x1b]2;a\xe2\x80\xae\x07"), &pass);
    cr_expect_eq(scan.problem_count, 1);
    scan_feed(&scan, span_of("\x1b]2;a\x01\x07"), &pass);
    cr_expect_eq(scan.problem_count, 2);
    scan_feed(&scan, span_of("\x1b]9;a\x07"), &pass);
    cr_expect_eq(scan.problem_count, 3);
    scan_free(&scan);
    terminfo_close(info);
    str_free(&pass);
}

Test(scan, the_emulator_gets_what_is_repeated_letter_by_letter)
{
    struct str pass = {0};

    cr_expect_eq(problems_of("xterm-256color", true, span_of("a-\x1b[3b|"), &pass), 0);
    assert_span(str_span(&pass), "a----|");
    str_free(&pass);
}
