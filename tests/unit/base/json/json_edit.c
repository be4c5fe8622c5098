/* Tests JSON edits: only the intended bytes change in a document of another program. */
#include "tests/unit/support.h"

#include "base/json/json.h"

/* Sets one member; the document must then equal `changed`. */
static void expect_set(const char *text, const char *key, const char *raw, const char *changed)
{
    const struct json_set set = {key, span_of(raw)};
    struct str out = {0};
    struct err err = {0};
    struct json value;

    cr_assert(json_set_members(&out, span_of(text), JSON_PYTHON, &set, 1, &err), "%s", err.text);
    assert_span(str_span(&out), changed);
    cr_assert(json_scan(str_span(&out), JSON_PYTHON, &value, &err), "%s: %s", out.at, err.text);
    str_free(&out);
}

static void expect_refused(const char *text, const char *reason)
{
    const struct json_set set = {"a", span_of("1")};
    struct str out = {0};
    struct err err = {0};

    cr_assert_not(json_set_members(&out, span_of(text), JSON_STRICT, &set, 1, &err), "%s", text);
    cr_assert(strstr(err.text, reason), "%s", err.text);
    cr_assert_eq(out.len, 0);
    str_free(&out);
}

Test(json_edit, edits_may_come_in_any_order)
{
    struct json_edit edits[] = {
        {11, 0, span_of("!")}, {6, 5, span_of("there")}, {0, 5, span_of("hi")}};
    struct str out = {0};

    str_puts(&out, "say: ");
    json_edit_apply(&out, span_of("hello world"), edits, 3);
    assert_span(str_span(&out), "say: hi there!");
    str_free(&out);
}

Test(json_edit, without_edits_the_text_is_copied)
{
    struct json_edit none[1];
    struct str out = {0};

    json_edit_apply(&out, (struct span){"a\0b", 3}, none, 0);
    cr_assert(span_eq(str_span(&out), (struct span){"a\0b", 3}));
    str_free(&out);
}

/* The client must not change anything around the value, however it is spelled. */
Test(json_edit, every_byte_before_and_after_the_value_stays)
{
    static const char *const befores[] = {
        "{",
        "\xef\xbb\xbf {",
        "{ \"big\" : 12345678901234567890 ,",
        "{\"n\":NaN,\"i\":-Infinity, \"f\":1.0, \"e\":1e-07,",
        "{\r\n\t\"a\":[ 1 ,2],\r\n\r\n",
        "{\"text\":\"\\u00e9 \xc3\xa9 \\/ \xff \\ud800\", ",
        "{\"inner\":{\"status\":\"old\",\"list\":[{\"status\":1}]},",
    };
    static const char *const keys[] = {"\"status\":", "\"status\" \t:\r\n ", "\"st\\u0061tus\": ",
                                       "\"\\u0073\\u0074\\u0061\\u0074\\u0075\\u0073\":"};
    static const char *const olds[] = {"\"new\"",
                                       "null",
                                       "12345678901234567890",
                                       "NaN",
                                       "[1, {}]",
                                       "{\"status\": \"inner\"}",
                                       "\"}\\\"status\\\":\""};
    static const char *const afters[] = {"}", " }\n", ",\"z\":0.10}",
                                         ",\r\n\t\"b\" : {\"status\":1}\r\n}\r\n",
                                         " , \"other\":NaN , \"last\":[\"status\"]}  "};

    for (size_t b = 0; b < sizeof befores / sizeof *befores; b++) {
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            for (size_t o = 0; o < sizeof olds / sizeof *olds; o++) {
                for (size_t a = 0; a < sizeof afters / sizeof *afters; a++) {
                    struct str text = {0}, changed = {0};
                    str_addf(&text, "%s%s%s%s", befores[b], keys[k], olds[o], afters[a]);
                    str_addf(&changed, "%s%s\"read\"%s", befores[b], keys[k], afters[a]);
                    expect_set(str_c(&text), "status", "\"read\"", str_c(&changed));
                    str_free(&text);
                    str_free(&changed);
                }
            }
        }
    }
}

Test(json_edit, of_equal_keys_the_last_one_is_changed)
{
    expect_set("{\"s\":1, \"x\":2, \"s\":3}", "s", "9", "{\"s\":1, \"x\":2, \"s\":9}");
    expect_set("{\"s\":1,\"\\u0073\":2}", "s", "9", "{\"s\":1,\"\\u0073\":9}");
}

Test(json_edit, several_members_are_set_at_once_in_any_order)
{
    const struct json_set sets[] = {{"c", span_of("30")},
                                    {"a", span_of("\"ten\"")},
                                    {"new", span_of("true")},
                                    {"more", span_of("[]")}};
    struct str out = {0};
    struct err err = {0};

    str_puts(&out, "before ");
    cr_assert(json_set_members(&out, span_of("{\"a\": 1, \"b\": 2, \"c\": 3}"), JSON_STRICT, sets,
                               4, &err));
    assert_span(str_span(&out),
                "before {\"a\": \"ten\", \"b\": 2, \"c\": 30, \"new\": true, \"more\": []}");
    str_free(&out);
}

Test(json_edit, setting_nothing_changes_nothing)
{
    const char *text = "\xef\xbb\xbf{ \"a\" :1.0 }\r\n";
    struct str out = {0};
    struct err err = {0};

    cr_assert(json_set_members(&out, span_of(text), JSON_STRICT, NULL, 0, &err));
    assert_span(str_span(&out), text);
    str_free(&out);
}

Test(json_edit, a_missing_key_is_added_behind_the_last_member_of_one_line)
{
    expect_set("{\"a\": 1}", "k", "2", "{\"a\": 1, \"k\": 2}");
    expect_set("{ \"a\":1 }\n", "k", "2", "{ \"a\":1, \"k\": 2 }\n");
    expect_set("\n  {\"a\":[1]}", "k", "2", "\n  {\"a\":[1], \"k\": 2}");
}

Test(json_edit, a_missing_key_gets_a_line_with_the_indentation_of_the_last_member)
{
    expect_set("{\n  \"a\": 1\n}", "k", "2", "{\n  \"a\": 1,\n  \"k\": 2\n}");
    expect_set("{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}\n", "k", "2",
               "{\n\t\"a\": {\n\t\t\"b\": 1\n\t},\n\t\"k\": 2\n}\n");
    expect_set("{\"a\": 1,\n \"b\": 2}", "k", "3", "{\"a\": 1,\n \"b\": 2,\n \"k\": 3}");
    expect_set("{\n\"a\": 1\n}", "k", "2", "{\n\"a\": 1,\n\"k\": 2\n}");
}

Test(json_edit, a_missing_key_changes_no_byte_of_a_text_with_other_line_ends)
{
    const struct json_set set = {"k", span_of("2")};
    const struct span before = span_of("{\r\n    \"a\": 1"), after = span_of("\r\n}\r\n");
    struct str text = {0}, out = {0};
    struct err err = {0};

    str_add_span(&text, before);
    str_add_span(&text, after);
    cr_assert(json_set_members(&out, str_span(&text), JSON_STRICT, &set, 1, &err));
    cr_assert(span_starts(str_span(&out), before));
    cr_assert(span_ends(str_span(&out), "    \"k\": 2\r\n}\r\n"), "%s", out.at);
    str_free(&text);
    str_free(&out);
}

Test(json_edit, a_missing_key_is_added_to_an_empty_object)
{
    expect_set("{}", "k", "2", "{\"k\": 2}");
    expect_set(" {} ", "k", "\"v\"", " {\"k\": \"v\"} ");
    expect_set("\xef\xbb\xbf{}", "k", "2", "\xef\xbb\xbf{\"k\": 2}");
    expect_set("{ }", "k", "2", "{\"k\": 2 }");
}

Test(json_edit, a_key_that_stands_only_deeper_inside_is_missing)
{
    expect_set("{\"a\":{\"k\":1}}", "k", "2", "{\"a\":{\"k\":1}, \"k\": 2}");
    expect_set("{\"a\":[{\"k\":1}],\"b\":\"k\"}", "k", "2",
               "{\"a\":[{\"k\":1}],\"b\":\"k\", \"k\": 2}");
}

Test(json_edit, refuses_what_is_no_object_or_no_json_and_adds_nothing)
{
    expect_refused("[1]", "it is an array");
    expect_refused("7", "line 1, column 1");
    expect_refused("", "it is empty");
    expect_refused("{\"a\":1,}", "line 1, column 8");
    expect_refused("{\"a\":1", "it ends too early");
    expect_refused("{\"a\":1} x", "something follows");
    expect_refused("{\"a\":NaN}", "line 1, column 6");
}
