/* Tests composing: the form of a quote, and names separated by commas. */
#include "ui/compose/compose.h"

#include "tests/unit/support.h"
#include "ui/compose/form.h"

static struct str out;

static void forget(void)
{
    str_free(&out);
}

TestSuite(writing, .fini = forget);

static void quote(const char *body, bool with_head)
{
    struct message_data data = {.body = span_of(body)};
    struct place place = {.box = span_of("user")};
    struct message message = {.id = span_of("MSG-1"),
                              .from = span_of("bob"),
                              .to = span_of("user"),
                              .subject = span_of("plans"),
                              .priority = PRIORITY_HIGH,
                              .created_us = TIME_NONE,
                              .place = &place,
                              .data = &data};

    compose_quote(&out, &message, with_head);
}

Test(writing, each_line_of_a_quote_is_marked)
{
    quote("one\n\n  two\n", false);
    cr_assert_str_eq(str_c(&out), "bob wrote:\n> one\n>\n>   two\n");
}

Test(writing, a_quoted_message_has_its_head)
{
    quote("text", true);
    cr_assert_str_eq(str_c(&out), "bob wrote:\n> From: bob\n> To: user\n> Subject: plans\n"
                                  "> Priority: high\n> Id: MSG-1\n>\n> text\n");
}

Test(writing, names_stand_between_commas)
{
    struct span rest = span_of(" a b, ,c@team ,, "), name;

    cr_assert(form_next_name(&rest, &name));
    cr_assert(span_is(name, "a b"));
    cr_assert(form_next_name(&rest, &name));
    cr_assert(span_is(name, "c@team"));
    cr_assert_not(form_next_name(&rest, &name));
}
