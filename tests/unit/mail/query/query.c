/* Tests queries: reading them, their plainest form, and those that are refused. */
#include "query_support.h"

Test(query, nothing_is_the_empty_query)
{
    expect_plain("", "");
    expect_plain(" \t\n ", "");
}

Test(query, terms_side_by_side_are_and)
{
    expect_plain("a b", "a b");
    expect_plain("a AND b", "a b");
    expect_plain("a(b)c", "a b c");
}

Test(query, not_binds_more_than_and_which_binds_more_than_or)
{
    expect_plain("a b or c d", "a b or c d");
    expect_plain("(a b) or (c d)", "a b or c d");
    expect_plain("a (b or c) d", "a (b or c) d");
    expect_plain("not a b", "not a b");
    expect_plain("not (a b)", "not (a b)");
    expect_plain("not (a or b)", "not (a or b)");
    expect_plain("not (a) or b", "not a or b");
}

Test(query, what_needs_no_parentheses_has_none)
{
    expect_plain("((((a))))", "a");
    expect_plain("a (b (c d))", "a b c d");
    expect_plain("a or (b or (c or d))", "a or b or c or d");
    expect_plain("((a or b) or c) d", "(a or b or c) d");
    expect_plain("(a (b or c)) or d", "a (b or c) or d");
}

Test(query, a_dash_is_not_and_two_of_them_are_none)
{
    expect_plain("-a", "not a");
    expect_plain("--a", "a");
    expect_plain("not -a", "a");
    expect_plain("not not not a", "not a");
    expect_plain("not (not a)", "a");
    expect_plain("-(a b)", "not (a b)");
    expect_plain("-is:read", "not is:read");
    expect_plain("-\"a b\"", "not \"a b\"");
    expect_plain("a - b", "a \"-\" b");
    expect_plain("a-b", "a-b");
}

Test(query, case_does_not_matter_in_fields_keywords_and_words)
{
    expect_plain("FROM:Bob OR Is:UNREAD", "from:Bob or is:unread");
    expect_plain("NOT Kind:Plan", "not kind:plan");
}

Test(query, quotes_are_kept_only_where_they_are_needed)
{
    expect_plain("\"a\" from:\"bob\"", "a from:bob");
    expect_plain("\"two words\" subject:\"two words\"", "\"two words\" subject:\"two words\"");
    expect_plain("\"or\" \"Not\" \"-a\" \"from:x\" \"a(b\"",
                 "\"or\" \"Not\" \"-a\" \"from:x\" \"a(b\"");
    expect_plain("\"a,b\" from:\"a,b\"", "a,b from:\"a,b\"");
    expect_plain("from:or from:-a from:to:x", "from:or from:-a from:to:x");
    expect_plain("12:30 a.b:c", "12:30 a.b:c");
}

Test(query, quotes_and_backslashes_are_escaped_in_quotes_only)
{
    expect_plain("\"say \\\"hi\\\"\"", "\"say \\\"hi\\\"\"");
    expect_plain("\"a \\\\\"", "\"a \\\\\"");
    expect_plain("\"C:\\dir x\"", "\"C:\\\\dir x\"");
    expect_plain("C\\d", "C\\d");
    expect_plain("\"a\\\\b\"", "a\\b");
}

Test(query, a_star_in_quotes_is_a_star)
{
    expect_plain("in*x", "in*x");
    expect_plain("\"in*x\"", "\"in*x\"");
    expect_plain("from:*,\"*\"", "from:*,\"*\"");
}

Test(query, values_with_commas_between_them_are_one_term)
{
    expect_plain("from:a,\"b c\",d", "from:a,\"b c\",d");
    expect_plain("kind:permission,plan,plan", "kind:plan,permission");
    expect_plain("is:waiting,unread", "is:unread,waiting");
}

Test(query, a_plus_means_that_priority_and_all_above)
{
    expect_plain("prio:high+", "prio:high+");
    expect_plain("prio:urgent,high", "prio:high+");
    expect_plain("prio:urgent+", "prio:urgent");
    expect_plain("prio:low,high+", "prio:low,high+");
    expect_plain("prio:low,normal", "prio:low,normal");
    expect_plain("prio:NORMAL+,low", "prio:low+");
}

Test(query, times_stay_as_they_were_written)
{
    expect_plain("older:90m newer:2026-11-01", "older:90m newer:2026-11-01");
    expect_plain("newer:\"2026-11-01 14:30\"", "newer:\"2026-11-01 14:30\"");
    expect_plain("older:2026-11-01T14:30Z", "older:2026-11-01T14:30Z");
}

Test(query, every_word_of_every_field_is_taken)
{
    for (const struct query_field *field = query_fields; field->name; field++) {
        unsigned count = 0;
        cr_assert(!!field->has_word + !!field->has_text + !!field->has_time == 1, "%s",
                  field->name);
        for (; field->word && field->word(count); count++) {
            struct str text = {0};
            str_addf(&text, "%s:%s", field->name, field->word(count));
            expect_plain(str_c(&text), str_c(&text));
            cr_assert(!field->word_help || *field->word_help(count), "%s", str_c(&text));
            str_free(&text);
        }
        cr_assert_leq(count, 32, "%s: a bit for each word", field->name);
    }
}

Test(query, a_wrong_word_is_refused_with_those_there_are)
{
    expect_error("a is:unred", 5,
                 "query: character 6: \"is:\" takes unread, read, waiting, mine, sent, handoff, "
                 "archived, expired, flagged or damaged, not \"unred\"; near: \"unread\"");
    expect_error("prio:high,higher", 10,
                 "query: character 11: \"prio:\" takes low, normal, high or urgent, not "
                 "\"higher\"; near: \"high\"");
    expect_error("prio:+", 5,
                 "query: character 6: \"prio:\" takes low, normal, high or urgent, not \"+\"");
    expect_error("has:\"a b\"", 4,
                 "query: character 5: \"has:\" takes payload, context, attachments, tags or "
                 "thread, not \"a b\"");
    expect_error("state:read+", 6,
                 "query: character 7: \"state:\" takes unread, read, processing, failed, "
                 "completed or archived, not \"read+\"; near: \"read\"");
}

Test(query, every_kind_is_named_when_one_is_wrong)
{
    expect_error("kind:plans", 5,
                 "query: character 6: \"kind:\" takes message, question, handoff, escalation, "
                 "plan, permission, host, shutdown, task, mode, rules or idle, not \"plans\"; "
                 "near: \"plan\"");
}

Test(query, a_field_that_is_not_there_is_refused)
{
    expect_error("a frm:bob", 2,
                 "query: character 3: there is no field \"frm:\"; near: \"from\"; to search for "
                 "the text itself, put it in quotes");
    expect_error("http://x", 0,
                 "query: character 1: there is no field \"http:\"; to search for the text itself, "
                 "put it in quotes");
}

Test(query, characters_are_counted_and_bytes_are_given)
{
    expect_error("\xc3\xa4\xe2\x82\xac )", 6, "query: character 4: \")\" closes nothing");
}

Test(query, a_value_that_is_missing_is_refused)
{
    expect_error("a from: bob", 2,
                 "query: character 3: \"from:\" needs a value right behind the colon");
    expect_error("from:", 0, "query: character 1: \"from:\" needs a value right behind the colon");
    expect_error("from:,a", 0,
                 "query: character 1: \"from:\" needs a value right behind the colon");
    expect_error("from:a,", 6, "query: character 7: there is no value behind this comma");
    expect_error("from:a,,b", 6, "query: character 7: there is no value behind this comma");
    expect_error("(kind:plan,)", 10, "query: character 11: there is no value behind this comma");
    expect_error("from:\"\"", 5, "query: character 6: there is nothing between these quotes");
}

Test(query, quotes_must_be_closed_and_stand_around_the_whole)
{
    expect_error("a \"b c", 2, "query: character 3: this quote is never closed");
    expect_error("\"a\\\"", 0, "query: character 1: this quote is never closed");
    expect_error("\"", 0, "query: character 1: this quote is never closed");
    expect_error("a\"b\"", 1,
                 "query: character 2: a quote inside a word; put quotes around the whole of it, "
                 "and \\\" for a quote in it");
    expect_error("\"a\"b", 3, "query: character 4: a blank is missing between the quote and this");
    expect_error("\"a\",b", 3, "query: character 4: a blank is missing between the quote and this");
}

Test(query, operators_need_something_on_their_sides)
{
    expect_error("or a", 0, "query: character 1: \"or\" has nothing before it");
    expect_error("AND a", 0, "query: character 1: \"AND\" has nothing before it");
    expect_error("a or", 2, "query: character 3: \"or\" has nothing behind it");
    expect_error("a or or b", 2, "query: character 3: \"or\" has nothing behind it");
    expect_error("a not", 2, "query: character 3: \"not\" has nothing behind it");
    expect_error("not or a", 0, "query: character 1: \"not\" has nothing behind it");
    expect_error("(or a)", 1, "query: character 2: \"or\" has nothing before it");
    expect_error("(a and)", 3, "query: character 4: \"and\" has nothing behind it");
}

Test(query, parentheses_must_match_and_hold_something)
{
    expect_error("a (b", 2, "query: character 3: \"(\" is never closed");
    expect_error("((a)", 0, "query: character 1: \"(\" is never closed");
    expect_error("a )", 2, "query: character 3: \")\" closes nothing");
    expect_error("a ()", 2, "query: character 3: \"(\" has nothing behind it");
}

Test(query, times_that_are_none_are_refused)
{
    expect_error("older:soon", 6,
                 "query: character 7: \"older:\" takes an age such as 30m, 2h or 7d, or a time "
                 "such as 2026-11-01 or 2026-11-01T14:30, not \"soon\"");
    expect_error("newer:2026-13-01", 6,
                 "query: character 7: \"newer:\" takes an age such as 30m, 2h or 7d, or a time "
                 "such as 2026-11-01 or 2026-11-01T14:30, not \"2026-13-01\"");
    expect_error("newer:1h,2h", 9, "query: character 10: \"newer:\" takes only one time");
}

Test(query, bytes_that_are_not_utf8_are_refused)
{
    expect_error("a \xff", 2, "query: character 3: this is not UTF-8");
    expect_error("\xed\xa0\x80", 0, "query: character 1: this is not UTF-8");
}

static void expect_depth(size_t depth, bool ok)
{
    struct str text = {0};
    struct query query;
    struct err err = {0};
    size_t error_at = 0;

    for (size_t i = 0; i < depth; i++)
        str_puts(&text, "-(a or ");
    str_putc(&text, 'b');
    str_pad(&text, ')', depth);
    cr_assert_eq(query_parse(&query, str_span(&text), &err, &error_at), ok);
    if (!ok) {
        cr_assert_str_eq(err.text,
                         "query: character 702: more than 100 parentheses within each other");
        cr_assert_eq(error_at, 701);
    }
    query_free(&query);
    str_free(&text);
}

Test(query, parentheses_go_a_hundred_deep_and_no_deeper)
{
    expect_depth(QUERY_DEPTH_MAX, true);
    expect_depth(QUERY_DEPTH_MAX + 1, false);
    expect_depth(100000, false);
}

Test(query, what_it_looks_at_is_what_has_to_be_loaded)
{
    static const struct {
        const char *text;
        unsigned wants;
        bool asks;
    } cases[] = {
        {"", WANT_HEAD, false},
        {"from:a subject:b is:unread older:2h", WANT_HEAD, false},
        {"a or tag:b", WANT_DATA | WANT_BODY, false},
        {"not has:payload", WANT_DATA, false},
        {"subject:x (is:read or not is:unread,waiting)", WANT_HEAD, true},
        {"body:x", WANT_DATA | WANT_BODY, false},
        {"not thread:x", WANT_HEAD, true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct query query;
        struct err err;
        cr_assert(query_parse(&query, span_of(cases[i].text), &err, NULL));
        cr_assert_eq(query_wants(&query), cases[i].wants, "%s", cases[i].text);
        cr_assert_eq(query_asks(&query), cases[i].asks, "%s", cases[i].text);
        query_free(&query);
    }
}
