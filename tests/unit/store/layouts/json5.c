/* Tests converting JSON5 to strict JSON: the forms that people write in settings, and refused
 * ones. */
#include "tests/unit/support.h"

#include "base/json/json.h"
#include "base/json/json_print.h"
#include "store/layouts/json5.h"

/* Compares the converted document, on one line without blanks. */
static void assert_reads(struct span text, const char *want)
{
    struct str strict = {0}, line = {0};
    struct json value;
    struct err err;

    cr_assert(json5_to_json(&strict, text, &err), "%.*s: %s", (int)text.len, text.at, err.text);
    cr_assert(json_scan(str_span(&strict), JSON_STRICT, &value, &err), "%s", err.text);
    json_put_value(&line, value, &json_style_node_line, 0);
    cr_assert_str_eq(str_c(&line), want);
    str_free(&strict);
    str_free(&line);
}

static void assert_fails(struct span text, const char *reason)
{
    struct str strict = {0};
    struct err err = {0};

    cr_assert_not(json5_to_json(&strict, text, &err), "%.*s", (int)text.len, text.at);
    cr_assert_not_null(strstr(err.text, reason), "%.*s: %s", (int)text.len, text.at, err.text);
    str_free(&strict);
}

Test(json5, strict_documents_come_out_the_same)
{
    static const char text[] = "{\n  \"a\": [1, -2.5e+3, true, false, null, {}, []],\n"
                               "  \"b\\n\\u00e9\\\"\": \"\xc3\xa9 // no /* comment */, ]\"\n}\n";
    struct str strict = {0};
    struct err err;

    cr_assert(json5_to_json(&strict, span_of(text), &err), "%s", err.text);
    cr_assert_str_eq(str_c(&strict), text);
    str_free(&strict);
}

Test(json5, comments_and_blanks_of_every_kind_part_tokens)
{
    assert_reads(span_of("// head\n{ /* a\n * b */ \"a\" /**/ : // x\r\n 1 /***/ } // end"),
                 "{\"a\":1}");
    assert_reads(span_of("\xef\xbb\xbf{\v\"a\"\f:\xc2\xa0[1\xe2\x80\xa8,\xe2\x80\xa9 2]}"),
                 "{\"a\":[1,2]}");
    assert_reads(span_of("// x\r/*/ 1 */ 2"), "2");
    assert_fails(span_of("[1/**/2]"), "',' or ']' is missing");
}

Test(json5, a_comma_may_stand_before_the_end_and_nowhere_else)
{
    assert_reads(span_of("{a: [1, 2, /* last */ ], 'b': {c: 'x' ,}, // end\n}"),
                 "{\"a\":[1,2],\"b\":{\"c\":\"x\"}}");
    static const char *const bad[] = {"[,]",     "{,}",  "[1,,]", "[,1]",    "{a:,}",
                                      "{a:1,,}", "{a,}", "[1,}",  "{a:1,],", "[1],"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(span_of(bad[i]), "line 1");
}

Test(json5, keys_need_no_quotes)
{
    assert_reads(span_of("{$a_1: 1, _: 2, null: null, t\xc3\xa9: 3, b /* : */ : 4}"),
                 "{\"$a_1\":1,\"_\":2,\"null\":null,\"t\xc3\xa9\":3,\"b\":4}");
    static const char *const bad[] = {"{1a: 1}",  "{a-b: 1}",     "{a;b: 1}",
                                      "{a b: 1}", "{\\u0061: 1}", "{a}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(span_of(bad[i]), "line 1: a value is neither");
    assert_fails(span_of("[a: 1]"), "',' or ']' is missing");
    assert_fails(span_of("{1: 1}"), "a key in double quotes is missing");
}

Test(json5, strings_have_two_kinds_of_quotes_and_more_escapes)
{
    assert_reads(span_of("['it\\'s \"x\"', \"it's \\\"y\\\"\"]"),
                 "[\"it's \\\"x\\\"\",\"it's \\\"y\\\"\"]");
    assert_reads(span_of("'\\x41\\xe9\\v\\0\\a\\/\\\\\\b\\f\\n\\r\\t\\u0042'"),
                 "\"A\xc3\xa9\\u000b\\u0000a/\\\\\\b\\f\\n\\r\\tB\"");
    assert_reads(span_of("'a\\\nb\\\r\nc\\\rd\\\xe2\x80\xa8"
                         "e\\\xe2\x80\xa9"
                         "f\\\xc3\xa9\t'"),
                 "\"abcdef\xc3\xa9\\t\"");
    assert_fails(span_of("\n'a"), "line 2: a string has no end");
    assert_fails(span_of("['a\n']"), "no end in its line");
    assert_fails(span_of("['a\r']"), "no end in its line");
    assert_fails(span_of("'\\"), "has no end");
    assert_fails(span_of("'\\x4g'"), "two hexadecimal digits");
    assert_fails(span_of("'\\x4"), "two hexadecimal digits");
    assert_fails(span_of("'\\x4/'"), "two hexadecimal digits");
    assert_fails(span_of("'\\x@4'"), "two hexadecimal digits");
    assert_fails(span_of("'\\\x01'"), "no such escape");
    assert_fails((struct span){"'\\\0'", 4}, "no such escape");
    assert_fails(span_of("'\\u12'"), "four hexadecimal digits");
    assert_fails(span_of("'\\1'"), "no such escape");
    assert_fails(span_of("'\\01'"), "no such escape");
}

Test(json5, other_kinds_of_numbers_are_refused_with_the_line)
{
    static const char *const bad[] = {"+1",  "0x1F", ".5", "5.", "Infinity", "-Infinity",
                                      "NaN", "01",   "1e", "-",  "1_0"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct str text = {0};
        str_addf(&text, "{\n  a: %s}", bad[i]);
        assert_fails(str_span(&text), "line 2: a value is neither");
        str_free(&text);
    }
}

Test(json5, mistakes_are_told_by_their_line)
{
    assert_fails((struct span){0}, "it is empty");
    assert_fails(span_of(" // nothing\n"), "ends too early");
    assert_fails(span_of("{/* one\n two */ a:\n 1 'b': 2}"), "line 3, column 4: ");
    assert_fails(span_of("{}\n/* open"), "line 2: a comment has no end");
    assert_fails(span_of("{} / {}"), "line 1: a comment has no end, or");
    assert_fails(span_of("{} {}"), "something follows");
    assert_fails((struct span){"{a\0: 1}", 7}, "line 1: ");
    assert_fails((struct span){"[\0]", 3}, "a character that cannot be here");
}

Test(json5, a_document_cut_anywhere_is_refused)
{
    static const char text[] = "{ // c\n a: ['x\\'', /* y */ 1,],\n 'b': {c: true, d: null,},\n}";

    assert_reads(span_of(text), "{\"a\":[\"x'\",1],\"b\":{\"c\":true,\"d\":null}}");
    for (size_t len = 0; len < sizeof text - 1; len++)
        assert_fails((struct span){text, len}, "");
}

Test(json5, deep_nesting_needs_no_stack)
{
    struct str text = {0};

    str_pad(&text, '[', 500);
    str_puts(&text, "1,");
    for (int i = 0; i < 500; i++)
        str_puts(&text, "],");
    text.len--;
    struct str strict = {0};
    struct err err;
    cr_assert(json5_to_json(&strict, str_span(&text), &err), "%s", err.text);
    str_clear(&text);
    str_pad(&text, '[', 1000000);
    assert_fails(str_span(&text), "nested too deeply");
    str_free(&text);
    str_free(&strict);
}
