/* Tests look-alikes: names that a person confuses, and names that hide characters. */
#include "tests/unit/support.h"

#include "base/text/confusables.h"
#include "base/text/utf8.h"

#define NO_WIDTH "\xe2\x80\x8b" /* U+200B */

static void expect_skeleton(const char *name, const char *expected)
{
    struct str out = {0};

    str_puts(&out, "x"); /* existing text is not changed */
    confusable_skeleton(&out, span_of(name));
    assert_span(((struct span){out.at + 1, out.len - 1}), expected);
    str_free(&out);
}

static void expect_alike(const char *a, const char *b)
{
    cr_assert(confusable_same(span_of(a), span_of(b)), "%s and %s are told apart", a, b);
    cr_assert(confusable_same(span_of(b), span_of(a)), "%s and %s are told apart", b, a);
}

static void expect_apart(const char *a, const char *b)
{
    cr_assert_not(confusable_same(span_of(a), span_of(b)), "%s is taken for %s", a, b);
}

Test(lookalike, a_plain_name_is_its_own_skeleton)
{
    expect_skeleton("team-lead", "team-lead");
    expect_skeleton("", "");
    expect_skeleton("a\xff"
                    "b",
                    "a?b");
}

Test(lookalike, case_and_separators_do_not_count)
{
    expect_alike("Team_Lead", "team-lead");
    expect_alike("team lead", "team.lead");
    expect_alike("\xd0\x98\xd0\xb2\xd0\xb0\xd0\xbd", "\xd0\xb8\xd0\xb2\xd0\xb0\xd0\xbd");
}

Test(lookalike, digits_and_letters_that_look_alike_are_one)
{
    expect_alike("builder-1", "builder-l");
    expect_alike("builder-1", "buiIder-i");
    expect_alike("w0rker", "worker");
    expect_alike("worker|1", "workerIl");
}

Test(lookalike, two_narrow_letters_may_be_a_wide_one)
{
    expect_alike("term", "terrn");
    expect_alike("worker", "vvorker");
    expect_apart("barn", "ban");
}

Test(lookalike, letters_of_other_scripts_are_the_latin_ones_they_are_drawn_like)
{
    expect_alike("te\xd0\xb0m-lead", "team-lead"); /* Cyrillic a */
    expect_alike("builder-1", "\xd0\xb2uilder-1"); /* Cyrillic ve */
    expect_alike("\xd0\xa1oder", "coder");         /* Cyrillic Es */
    expect_alike("c\xce\xbf"
                 "der",
                 "coder");                                    /* Greek omicron */
    expect_alike("\xce\x9d\xce\x91\xce\xa4\xce\x91", "nata"); /* all Greek capitals */
    expect_alike("\xd5\xbd"
                 "i",
                 "ui"); /* Armenian seh */
    expect_alike("\xca\x9c"
                 "elper",
                 "helper"); /* small capital h */
}

Test(lookalike, wide_and_fancy_letters_and_accents_do_not_count)
{
    expect_alike("\xef\xbd\x94"
                 "eam-lead",
                 "team-lead"); /* a wide t */
    expect_alike("\xf0\x9d\x90\x9b"
                 "uilder",
                 "builder");                   /* a bold b */
    expect_alike("b\xc3\xbcilder", "builder"); /* u with two dots */
    expect_alike("bu\xcc\x81"
                 "ilder",
                 "builder");              /* the same with a combining mark */
    expect_alike("\xc3\xb8wl", "owl");    /* o with a stroke */
    expect_alike("\xef\xac\x81x", "fix"); /* a ligature */
}

Test(lookalike, what_nobody_sees_does_not_count)
{
    expect_alike("bob", "bo" NO_WIDTH "b");
    expect_alike("bob", "\xe2\x80\xae"
                        "bob");
    expect_alike("bob", "bob\xf3\xa0\x81\x81");
}

Test(lookalike, names_that_are_equal_or_really_differ_are_not_alike)
{
    expect_apart("worker-1", "worker-1");
    expect_apart("worker-1", "worker-2");
    expect_apart("worker-1", "worker-11");
    expect_apart("bob", "");
    expect_apart(NO_WIDTH, "\xe2\x80\xae");
    expect_apart("\xe5\xb7\xa5", "\xe4\xba\xba");
}

/* Combining marks are letters to readers of such a script. */
Test(lookalike, marks_of_one_script_count)
{
    expect_apart("\xe0\xa4\x95\xe0\xa4\xbe", "\xe0\xa4\x95\xe0\xa5\x80");
}

Test(lookalike, the_table_is_in_order_and_leads_to_ascii)
{
    unsigned found = 0;

    for (int32_t code = 0; code <= 0x10ffff; code++) {
        const char *letters = confusable_letters(code);
        if (!letters)
            continue;
        cr_assert(code >= 0x80 && *letters, "U+%04X", (unsigned)code);
        for (const char *c = letters; *c; c++)
            cr_assert(*c > 0x20 && *c < 0x7f, "U+%04X", (unsigned)code);
        found++;
    }
    cr_assert_gt(found, 400); /* a row out of order would make the search miss others */
    cr_assert_str_eq(confusable_letters(0xc6), "ae");
    cr_assert_str_eq(confusable_letters(0xabbb), "o");
}

Test(lookalike, a_skeleton_of_a_skeleton_is_the_same)
{
    for (int32_t code = 1; code <= 0x2ffff; code++) {
        struct str text = {0}, once = {0}, twice = {0};
        utf8_add(&text, code);
        confusable_skeleton(&once, str_span(&text));
        confusable_skeleton(&twice, str_span(&once));
        cr_assert(span_eq(str_span(&once), str_span(&twice)), "U+%04X", (unsigned)code);
        str_free(&text);
        str_free(&once);
        str_free(&twice);
    }
}

Test(lookalike, letters_of_two_scripts_in_one_name_are_told)
{
    cr_assert(confusable_mixes(span_of("te\xd0\xb0m-lead"))); /* Latin and Cyrillic */
    cr_assert(confusable_mixes(span_of("c\xce\xbf"
                                       "der")));                  /* Latin and Greek */
    cr_assert(confusable_mixes(span_of("\xce\x91\xd0\xb0")));     /* Greek and Cyrillic */
    cr_assert(confusable_mixes(span_of("\xef\xbd\x94\xd0\xb5"))); /* wide Latin and Cyrillic */
    cr_assert(confusable_mixes(span_of("b\xe1\x8e\xa5")));        /* Latin and Cherokee */
    cr_assert_not(confusable_mixes(span_of("team-lead 2")));
    cr_assert_not(confusable_mixes(span_of("M\xc3\xbcller")));
    cr_assert_not(confusable_mixes(span_of("\xd0\xb8\xd0\xb2\xd0\xb0\xd0\xbd-1")));
    cr_assert_not(confusable_mixes(span_of("\xe5\xb7\xa5\xe4\xba\xba-bot")));
    cr_assert_not(confusable_mixes(span_of("")));
}

Test(lookalike, a_name_that_hides_something_is_told)
{
    cr_assert(confusable_hides(span_of("bob" NO_WIDTH)));
    cr_assert(confusable_hides(span_of("bob\nteam-lead")));
    cr_assert(confusable_hides(span_of("bob\x1b[2J")));
    cr_assert(confusable_hides(span_of("bob\xff")));
    cr_assert_not(confusable_hides(span_of("bob 2 \xc3\xa9")));
}
