/* Tests the suggestions for a mistyped name. */
#include "tests/unit/support.h"

#include "base/text/suggest.h"

/* `names` and `offered` are separated by single blanks. */
static void expect(const char *typed, const char *names, const char *offered)
{
    struct span known[16];
    struct str out = {0}, expected = {0};
    size_t count = 0;

    while (*names) {
        size_t len = strcspn(names, " ");
        known[count++] = (struct span){names, len};
        names += len + (names[len] == ' ');
    }
    if (*offered)
        str_addf(&expected, "; near: %s", offered);
    suggest_hint(&out, span_of(typed), known, count);
    cr_assert_str_eq(str_c(&out), str_c(&expected), "%.40s: expected %s, got %.40s", typed,
                     str_c(&expected), str_c(&out));
    str_free(&expected);
    str_free(&out);
}

Test(nearest, offers_a_name_one_slip_away)
{
    expect("planer", "planner coder tester", "\"planner\""); /* a letter left out */
    expect("plannner", "planner coder tester", "\"planner\"");
    expect("plamner", "planner coder tester", "\"planner\"");
    expect("palnner", "planner coder tester", "\"planner\""); /* two letters swapped */
}

Test(nearest, does_not_care_about_case)
{
    expect("PLANNER", "coder planner", "\"planner\"");
    expect("planner", "Planner", "\"Planner\"");
}

Test(nearest, offers_a_name_that_continues_what_was_typed)
{
    expect("broad", "list broadcast", "\"broadcast\"");
}

Test(nearest, puts_the_nearest_first_and_keeps_the_given_order_among_equals)
{
    expect("tester", "taster2 tester2 tastes taster", "\"tester2\", \"taster\", \"taster2\"");
    expect("agent-1", "agent-3 agent-2", "\"agent-3\", \"agent-2\"");
}

Test(nearest, offers_three_names_at_most)
{
    expect("agent-1", "agent-2 agent-3 agent-4 agent-5", "\"agent-2\", \"agent-3\", \"agent-4\"");
}

Test(nearest, offers_a_name_that_stands_twice_once)
{
    expect("bo", "bob bob boc", "\"bob\", \"boc\"");
}

Test(nearest, offers_nothing_when_none_is_near)
{
    expect("zzz", "planner coder", "");
    expect("planner", "", "");
    expect("", "planner", "");
}

Test(nearest, a_name_too_long_to_compare_is_not_near)
{
    struct str typed = {0}, name = {0};

    for (size_t len = 250; len <= 2000; len += 250) {
        str_pad(&typed, 'x', 250);
        str_pad(&name, 'y', 250);
        expect(str_c(&typed), str_c(&name), "");
        expect(str_c(&typed), "bob", "");
        expect("bob", str_c(&name), "");
    }
    str_free(&typed);
    str_free(&name);
}

Test(nearest, appends_to_what_is_there)
{
    const struct span name = span_of("bob");
    struct str out = {0};

    str_puts(&out, "nobody is called bop");
    suggest_hint(&out, span_of("bop"), &name, 1);
    cr_assert_str_eq(str_c(&out), "nobody is called bop; near: \"bob\"");
    str_free(&out);
}

Test(nearest, a_slip_is_nearer_than_near)
{
    const struct span names[] = {span_of("bob"), span_of("team-lead")};
    const char *const cases[][2] = {{"bbo", "; near: \"bob\""},
                                    {"coo", ""},
                                    {"tema-laed", "; near: \"team-lead\""},
                                    {"teem-leader", ""},
                                    {"team", "; near: \"team-lead\""}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str out = {0};
        suggest_slip(&out, span_of(cases[i][0]), names, 2);
        cr_assert_str_eq(str_c(&out), cases[i][1], "%s: %s", cases[i][0], str_c(&out));
        str_free(&out);
    }
}
