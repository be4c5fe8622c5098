/* Tests the JSON scanner: the texts it accepts, those it refuses and where, and walks over
 * members. */
#include "json_support.h"

#include <stdlib.h>

static bool scans(struct span text, enum json_dialect dialect)
{
    struct json value;
    struct err err = {0};
    bool ok = json_scan(text, dialect, &value, &err);

    cr_assert(ok || (err.scope == ERR_MESSAGE && err.text[0]), "refused without a reason");
    return ok;
}

static bool walks(struct span text, enum json_dialect dialect)
{
    struct json_walk walk;
    struct err err = {0};
    bool ok = json_open(&walk, text, dialect, &err) && json_close(&walk, &err);

    cr_assert(ok || (err.scope == ERR_MESSAGE && err.text[0]), "refused without a reason");
    return ok;
}

/* Scans the text as a document, inside an array and as a member: the grammar is the same. */
static bool is_value(const char *text, enum json_dialect dialect)
{
    struct str inside = {0};

    str_addf(&inside, "[%s, {\"k\" : %s}]", text, text);
    bool ok = scans(span_of(text), dialect);
    cr_assert(scans(str_span(&inside), dialect) == ok, "%s", text);
    cr_assert(walks(str_span(&inside), dialect) == ok, "%s", text);
    str_free(&inside);
    return ok;
}

static void expect_values(bool taken, enum json_dialect dialect, const char *const *texts)
{
    for (; *texts; texts++)
        cr_assert(is_value(*texts, dialect) == taken, "%s", *texts);
}

static void expect_refused_documents(const char *const *texts)
{
    for (; *texts; texts++) {
        cr_assert_not(scans(span_of(*texts), JSON_STRICT), "%s", *texts);
        cr_assert_not(walks(span_of(*texts), JSON_STRICT), "%s", *texts);
    }
}

Test(json, takes_every_kind_of_value)
{
    expect_values(true, JSON_STRICT,
                  LIST("null", "true", "false", "\"\"", "\"a\"", "[]", "{}", "[ ]", "{ }", "[1,2]",
                       "{\"a\":1,\"b\":[]}", " \t\r\n1 \t\r\n"));
    cr_assert_eq(scanned("null").kind, JSON_NULL);
    cr_assert_eq(scanned("true").kind, JSON_TRUE);
    cr_assert_eq(scanned("false").kind, JSON_FALSE);
    cr_assert_eq(scanned("\"\"").kind, JSON_STRING);
    cr_assert_eq(scanned("0").kind, JSON_NUMBER);
    cr_assert_eq(scanned("[{}]").kind, JSON_ARRAY);
    cr_assert_eq(scanned("{\"a\":[]}").kind, JSON_OBJECT);
}

Test(json, refuses_words_it_does_not_know)
{
    expect_values(
        false, JSON_STRICT,
        LIST("nul", "nulll", "Null", "True", "FALSE", "undefined", "truefalse", "t", "'a'", "a"));
}

Test(json, takes_every_form_of_number)
{
    expect_values(true, JSON_STRICT,
                  LIST("0", "-0", "10", "-1", "0.5", "1.0", "1e5", "1E+5", "1e-07", "-0.0e-0",
                       "0e0", "12345678901234567890"));
}

Test(json, refuses_numbers_that_are_only_nearly_right)
{
    expect_values(false, JSON_STRICT,
                  LIST("-01", "00", "+1", ".5", "5.", "-", "--1", "1.e5", "1e", "1e+", "0x10",
                       "1_000", "1.2.3", "- 1"));
}

Test(json, refuses_a_number_with_a_leading_zero)
{
    struct json value;
    struct err err;

    cr_assert_not(json_scan(span_of("[01]"), JSON_STRICT, &value, &err));
    cr_assert_str_eq(err.text, "line 1, column 3: a number starts with a needless zero");
}

Test(json, keeps_the_text_of_a_number)
{
    for (const char *const *text = LIST("12345678901234567890", "1.0", "1e-07", "-0", "1E400");
         *text; text++)
        assert_span(scanned(*text).raw, *text);
}

Test(json, takes_not_a_number_and_infinity_only_in_the_dialect_of_python)
{
    expect_values(true, JSON_PYTHON, LIST("NaN", "Infinity", "-Infinity"));
    expect_values(false, JSON_STRICT, LIST("NaN", "Infinity", "-Infinity"));
    expect_values(false, JSON_PYTHON,
                  LIST("-NaN", "+Infinity", "nan", "inf", "Na", "-Infinit", "NaNs", "Infinity1"));
    cr_assert_eq(scanned("NaN").kind, JSON_NUMBER);
    assert_span(scanned("-Infinity").raw, "-Infinity");
}

Test(json, takes_the_escapes_of_the_standard_in_a_string_and_no_others)
{
    expect_values(true, JSON_STRICT,
                  LIST("\"\\\" \\\\ \\/ \\b \\f \\n \\r \\t\"", "\"\\u00e9 \\uD83d\\ude00\""));
    expect_values(false, JSON_STRICT,
                  LIST("\"\\a\"", "\"\\x41\"", "\"\\'\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\U0041\"",
                       "\"\\\"", "\"\\u 123\""));
}

/* The scanner takes many bytes at a time, so every position is tried. */
Test(json, refuses_every_raw_control_character_in_a_string)
{
    for (char c = 0; c < 0x20; c++) {
        for (size_t at = 1; at < 40; at++) {
            char text[] = "\"0123456789012345678901234567890123456789\"";
            text[at] = c;
            cr_assert_not(scans((struct span){text, sizeof text - 1}, JSON_STRICT), "%#x", c);
        }
    }
    cr_assert(is_value("\"\x7f\"", JSON_STRICT));
}

Test(json, a_string_ends_at_its_quote_wherever_that_stands)
{
    for (size_t len = 0; len <= 50; len++) {
        struct str text = {0};
        str_addf(&text, "\"%.*s", (int)len, "..................................................");
        str_puts(&text, "\\\"\"");
        size_t end = text.len;
        cr_assert(scans(str_span(&text), JSON_STRICT), "%zu", len);
        str_puts(&text, " \"more, and much more text\"");
        cr_assert_not(scans(str_span(&text), JSON_STRICT), "%zu", len);
        cr_assert_not(scans((struct span){text.at, end - 1}, JSON_STRICT), "%zu", len);
        str_free(&text);
    }
}

static bool is_beyond_ascii(const char *text)
{
    struct json_walk walk;
    struct err err;

    cr_assert(json_open(&walk, span_of(text), JSON_STRICT, &err) && json_close(&walk, &err));
    return walk.beyond_ascii;
}

Test(json, a_walk_knows_whether_any_string_held_more_than_ascii)
{
    char text[] = "{\"key of sixteen and more\":[\"value of sixteen and more\"]}";

    cr_assert_not(is_beyond_ascii(text));
    cr_assert_not(is_beyond_ascii("[\"\\u00e9\\ud83d\\ude00\"]"));
    for (size_t i = 2; i < sizeof text; i++) {
        char plain = text[i];
        if ((plain < 'a' || plain > 'z') && plain != ' ')
            continue;
        text[i] = '\xe9';
        cr_assert(is_beyond_ascii(text), "byte %zu", i);
        text[i] = plain;
    }
}

Test(json, lets_bytes_that_are_not_utf8_through_inside_strings_only)
{
    cr_assert(is_value("\"\xff\xc3 plain enough for a word\"", JSON_STRICT));
    cr_assert_not(is_value("\xff", JSON_STRICT));
    cr_assert_not(is_value("[\xc2\xa0]", JSON_STRICT)); /* a no-break space is not JSON
                                                         * whitespace */
}

Test(json, refuses_containers_with_loose_punctuation)
{
    expect_refused_documents(LIST("[", "]", "{", "}", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1;2]"));
    expect_refused_documents(LIST("{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "{1:1}"));
    expect_refused_documents(LIST("{\"a\" 1}", "{\"a\"::1}", "{\"a\":1 \"b\":2}", "[\"a\":1]"));
    expect_refused_documents(LIST("[}", "{]", "[1]]", "{}}", "[1] 2", "[/*c*/]", "[\v]", ""));
}

Test(json, takes_a_byte_order_mark_before_the_document_only)
{
    cr_assert(scans(span_of("\xef\xbb\xbf 1"), JSON_STRICT));
    cr_assert(walks(span_of("\xef\xbb\xbf{\"a\":1}"), JSON_STRICT));
    expect_refused_documents(
        LIST("\xef\xbb\xbf", "\xef\xbb{}", "{}\xef\xbb\xbf", "\xef\xbb\xbf\xef\xbb\xbf{}"));
}

static void nested(struct str *out, bool objects, size_t depth, bool closed)
{
    for (size_t i = 1; i < depth; i++)
        str_puts(out, objects ? "{\"a\":" : "[");
    str_putc(out, objects ? '{' : '[');
    if (closed)
        str_pad(out, objects ? '}' : ']', depth);
}

Test(json, takes_a_thousand_levels_and_no_more)
{
    for (int objects = 0; objects < 2; objects++) {
        for (size_t depth = JSON_DEPTH_MAX - 1; depth <= JSON_DEPTH_MAX + 1; depth++) {
            struct str text = {0};
            nested(&text, objects, depth, true);
            cr_assert_eq(scans(str_span(&text), JSON_STRICT), depth <= JSON_DEPTH_MAX);
            cr_assert_eq(walks(str_span(&text), JSON_STRICT), depth <= JSON_DEPTH_MAX);
            str_free(&text);
        }
    }
}

Test(json, many_shallow_containers_are_not_deep)
{
    struct str text = {0};

    str_puts(&text, "[[]");
    for (int i = 0; i < 5000; i++)
        str_puts(&text, ",[{\"a\":[]}]");
    str_puts(&text, "]");
    cr_assert(scans(str_span(&text), JSON_STRICT) && walks(str_span(&text), JSON_STRICT));
    str_free(&text);
}

Test(json, a_hundred_thousand_open_containers_are_refused_without_harm)
{
    for (int objects = 0; objects < 2; objects++) {
        struct str text = {0};
        nested(&text, objects, 100000, false);
        cr_assert_not(scans(str_span(&text), JSON_STRICT));
        cr_assert_not(walks(str_span(&text), JSON_STRICT));
        str_free(&text);
    }
}

/* Peers write in place, so a reader meets every possible prefix of a document. The copies have no
 * byte after their end, so that a memory checker finds a scanner that reads too far. */
Test(json, a_document_cut_at_any_byte_is_refused)
{
    static const char whole[] = "\xef\xbb\xbf {\"from\": \"bob\\u00e9\\ud83d\\ude00\\n\", \"n\": "
                                "[-1.5e+3, 0, NaN, -Infinity],\r\n"
                                "\t\"t\": true, \"f\": false, \"z\": null, \"a long key of many "
                                "bytes\": {\"x\": [{}, []]}}";

    cr_assert(scans(span_of(whole), JSON_PYTHON) && walks(span_of(whole), JSON_PYTHON));
    for (size_t len = 0; len < sizeof whole - 1; len++) {
        char *bytes = malloc(len ? len : 1);
        memcpy(bytes, whole, len);
        cr_assert_not(scans((struct span){bytes, len}, JSON_PYTHON), "cut at %zu", len);
        cr_assert_not(walks((struct span){bytes, len}, JSON_PYTHON), "cut at %zu", len);
        free(bytes);
    }
}

Test(json, says_the_line_and_the_column_of_a_mistake)
{
    static const struct {
        const char *text, *where;
    } cases[] = {
        {"[1,\n 2,\n  x]", "line 3, column 3: "},
        {"{\"a\": 1,\r\n\"b\" 2}", "line 2, column 5: "},
        {"{\"a\": tru\n}", "line 1, column 7: "},
        {"[1] x", "line 1, column 5: "},
        {"[1,\n", "line 2, column 1: it ends too early"},
        {"hello", "line 1, column 1: "},
        {"\n\n  7 7", "line 3, column "},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json_walk walk;
        struct json value;
        struct err err;
        struct span where = span_of(cases[i].where);
        cr_assert_not(json_scan(span_of(cases[i].text), JSON_STRICT, &value, &err));
        cr_assert(span_starts(span_of(err.text), where), "%s: %s", cases[i].text, err.text);
        if (json_open(&walk, span_of(cases[i].text), JSON_STRICT, &err))
            cr_assert_not(json_close(&walk, &err));
        cr_assert(span_starts(span_of(err.text), where), "%s: %s", cases[i].text, err.text);
    }
}

Test(json, an_empty_document_is_called_so)
{
    struct json_walk walk;
    struct json value;
    struct err err;

    cr_assert_not(json_scan(span_of(""), JSON_STRICT, &value, &err));
    cr_assert_str_eq(err.text, "it is empty");
    cr_assert_not(json_open(&walk, span_of(" \n"), JSON_STRICT, &err));
    cr_assert_str_eq(err.text, "it is empty");
}

Test(json, a_walk_yields_every_member_in_order_equal_keys_included)
{
    static const char *const keys[] = {"\"a\"", "\"b\"", "\"a\""}, *const values[] = {"1", "[2 ]",
                                                                                      "3"};
    struct json_walk walk;
    struct json key, value;
    struct err err;
    int count = 0;

    cr_assert(json_open(&walk, span_of(" {\"a\" : 1, \"b\":[2 ],\n\"a\":3}\n"), JSON_STRICT, &err));
    cr_assert_eq(walk.kind, JSON_OBJECT);
    for (; json_next(&walk, &key, &value); count++) {
        assert_span(key.raw, keys[count]);
        assert_span(value.raw, values[count]);
    }
    cr_assert_eq(count, 3);
    cr_assert_not(json_next(&walk, &key, &value));
    cr_assert(json_close(&walk, &err));
}

Test(json, a_walk_over_an_array_has_no_keys_and_stops_at_a_mistake)
{
    struct json_walk walk;
    struct json key, value;
    struct err err;

    cr_assert(json_open(&walk, span_of("[1, oops]"), JSON_STRICT, &err));
    cr_assert(json_next(&walk, &key, &value));
    cr_assert_eq(key.kind, JSON_ABSENT);
    assert_span(value.raw, "1");
    cr_assert_not(json_next(&walk, &key, &value));
    cr_assert_not(json_next(&walk, &key, &value));
    cr_assert_not(json_close(&walk, &err));
    cr_assert(strncmp(err.text, "line 1, column 5: ", 18) == 0, "%s", err.text);
}
