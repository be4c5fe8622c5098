/* Tests JSON output: byte for byte as Python writes it, and lines that every strict reader
 * accepts. */
#include "tests/unit/support.h"

#include "base/json/json_print.h"
#include "base/time.h"

#include <math.h>

static const struct json_style raw_utf8 = {.indent = 2};

static void expect_text(const char *bytes, size_t len, const struct json_style *style,
                        const char *printed)
{
    struct str out = {0};

    json_put_text(&out, (struct span){bytes, len}, style);
    assert_span(str_span(&out), printed);
    str_free(&out);
}

static void expect_value(const char *text, const struct json_style *style, const char *printed)
{
    struct json value;
    struct err err;
    struct str out = {0};

    cr_assert(json_scan(span_of(text), JSON_PYTHON, &value, &err), "%s", err.text);
    json_put_value(&out, value, style, 0);
    assert_span(str_span(&out), printed);
    str_free(&out);
}

/* Frees the tree. */
static void expect_tree(cJSON *tree, const struct json_style *style, const char *printed)
{
    struct str out = {0};

    json_put_tree(&out, tree, style);
    assert_span(str_span(&out), printed);
    str_free(&out);
    cJSON_Delete(tree);
}

Test(json_print, short_escapes_are_used_where_there_are_any)
{
    expect_text("\"\\/\b\f\n\r\t", 8, &json_style_python, "\"\\\"\\\\/\\b\\f\\n\\r\\t\"");
    expect_text("", 0, &json_style_python, "\"\"");
    expect_text("it's plain", 10, &json_style_python, "\"it's plain\"");
}

Test(json_print, other_controls_and_del_are_escaped_by_number)
{
    expect_text("\0\x01\x1f\x7f", 4, &json_style_python, "\"\\u0000\\u0001\\u001f\\u007f\"");
}

Test(json_print, the_ascii_styles_escape_all_else_in_lower_case_with_pairs)
{
    expect_text("\xc3\xa9\xe2\x82\xac", 5, &json_style_python, "\"\\u00e9\\u20ac\"");
    expect_text("\xf0\x9f\x98\x80", 4, &json_style_python, "\"\\ud83d\\ude00\"");
    expect_text("\xf4\x8f\xbf\xbf", 4, &json_style_line, "\"\\udbff\\udfff\"");
}

Test(json_print, the_raw_style_escapes_only_what_must_be)
{
    expect_text("\xc3\xa9\xf0\x9f\x98\x80\x7f/\n\x01", 10, &raw_utf8,
                "\"\xc3\xa9\xf0\x9f\x98\x80\x7f/\\n\\u0001\"");
}

Test(json_print, two_halves_side_by_side_are_printed_as_the_character_they_are)
{
    struct str out = {0};

    json_put_text(&out, span_of("\xed\xa0\xbd\xed\xb8\x80 \xed\xb8\x80\xed\xa0\xbd"),
                  &json_style_node_line);
    assert_span(str_span(&out), "\"\xf0\x9f\x98\x80 \\ude00\\ud83d\"");
    str_free(&out);
}

Test(json_print, lone_surrogates_come_out_as_they_came_in)
{
    expect_text("\xed\xa0\xbd!", 4, &json_style_python, "\"\\ud83d!\"");
    expect_text("\xed\xb8\x80", 3, &raw_utf8, "\"\\ude00\"");
    expect_value("\"\\uD83D \\ude00\"", &json_style_python, "\"\\ud83d \\ude00\"");
}

Test(json_print, bytes_that_are_not_utf8_become_the_replacement_character)
{
    expect_text("a\xff\xc3", 3, &json_style_python, "\"a\\ufffd\\ufffd\"");
    expect_text("a\xff", 2, &raw_utf8, "\"a\xef\xbf\xbd\"");
    expect_value("\"a\xff\"", &json_style_python, "\"a\\ufffd\"");
}

Test(json_print, a_tree_is_laid_out_as_python_does)
{
    cJSON *tree = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(tree, "list");

    cJSON_AddItemToArray(list, cJSON_CreateNumber(1));
    cJSON_AddItemToArray(list, cJSON_CreateObject());
    cJSON_AddItemToObject(cJSON_AddObjectToObject(tree, "inner"), "deep", cJSON_CreateArray());
    cJSON_AddItemToArray(cJSON_GetObjectItem(cJSON_GetObjectItem(tree, "inner"), "deep"),
                         cJSON_CreateString("x"));
    cJSON_AddArrayToObject(tree, "none");
    cJSON_AddStringToObject(tree, "na\xc3\xafve", "\"q\"");
    cJSON_AddTrueToObject(tree, "t");
    cJSON_AddFalseToObject(tree, "f");
    cJSON_AddNullToObject(tree, "n");
    expect_tree(tree, &json_style_python,
                "{\n"
                "  \"list\": [\n"
                "    1,\n"
                "    {}\n"
                "  ],\n"
                "  \"inner\": {\n"
                "    \"deep\": [\n"
                "      \"x\"\n"
                "    ]\n"
                "  },\n"
                "  \"none\": [],\n"
                "  \"na\\u00efve\": \"\\\"q\\\"\",\n"
                "  \"t\": true,\n"
                "  \"f\": false,\n"
                "  \"n\": null\n"
                "}");
}

Test(json_print, the_line_style_has_no_blanks)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddItemToArray(cJSON_AddArrayToObject(tree, "a"), cJSON_CreateNumber(-7));
    cJSON_AddObjectToObject(tree, "o");
    cJSON_AddStringToObject(tree, "s", "a b\n");
    expect_tree(tree, &json_style_line, "{\"a\":[-7],\"o\":{},\"s\":\"a b\\n\"}");
}

Test(json_print, empty_containers_stand_on_one_line)
{
    expect_tree(cJSON_CreateObject(), &json_style_python, "{}");
    expect_tree(cJSON_CreateArray(), &json_style_python, "[]");
    expect_value("[ {\n}\t, [ ] ]", &json_style_python, "[\n  {},\n  []\n]");
}

Test(json_print, whole_numbers_have_no_decimals)
{
    expect_tree(cJSON_CreateNumber(0), &json_style_python, "0");
    expect_tree(cJSON_CreateNumber(-3), &json_style_python, "-3");
    expect_tree(cJSON_CreateNumber(1770925580406), &json_style_python, "1770925580406");
}

Test(json_print, values_of_others_keep_key_order_number_tokens_and_equal_keys)
{
    expect_value(
        "{\"z\" : 12345678901234567890,\r\n\t\"a\":1.0, \"z\":[1e-07,-0 ,0.10],\"1\":null}",
        &json_style_line,
        "{\"z\":12345678901234567890,\"a\":1.0,\"z\":[1e-07,-0,0.10],\"1\":null}");
    expect_value("{\"b\":{\"x\":[true,{\"y\":false}]},\"a\":[]}", &json_style_python,
                 "{\n"
                 "  \"b\": {\n"
                 "    \"x\": [\n"
                 "      true,\n"
                 "      {\n"
                 "        \"y\": false\n"
                 "      }\n"
                 "    ]\n"
                 "  },\n"
                 "  \"a\": []\n"
                 "}");
}

Test(json_print, strings_of_others_are_spelled_anew_with_the_same_meaning)
{
    expect_value("{\"\\u0066rom\": \"\\/ \\u0041 \xc3\xa9 \\\" [,]:{} \\\\\"}", &json_style_line,
                 "{\"from\":\"/ A \\u00e9 \\\" [,]:{} \\\\\"}");
    expect_value("\"\\ud83d\\ude00\"", &raw_utf8, "\"\xf0\x9f\x98\x80\"");
}

Test(json_print, scalars_of_others_are_values_too)
{
    expect_value(" 1.50 ", &json_style_python, "1.50");
    expect_value("null", &json_style_line, "null");
    expect_value("\"a\"", &json_style_line, "\"a\"");
}

Test(json_print, only_a_portable_style_turns_not_a_number_and_infinity_into_strings)
{
    expect_value("[NaN,Infinity,-Infinity,\"NaN\",null]", &json_style_line,
                 "[\"NaN\",\"Infinity\",\"-Infinity\",\"NaN\",null]");
    expect_value("NaN", &json_style_line, "\"NaN\"");
    expect_value("[NaN]", &json_style_python, "[\n  NaN\n]");
    expect_value("{\"k\":-Infinity}", &json_style_python, "{\n  \"k\": -Infinity\n}");
}

Test(json_print, a_value_deep_inside_continues_the_indentation)
{
    cJSON *tree = cJSON_CreateObject(), *inner = cJSON_AddObjectToObject(tree, "inner");

    json_add_raw(inner, "raw", span_of("{\"b\":[1]}"));
    expect_tree(tree, &json_style_python,
                "{\n"
                "  \"inner\": {\n"
                "    \"raw\": {\n"
                "      \"b\": [\n"
                "        1\n"
                "      ]\n"
                "    }\n"
                "  }\n"
                "}");
}

Test(json_print, an_added_text_may_hold_any_byte_and_an_absent_one_is_null)
{
    cJSON *tree = cJSON_CreateObject();

    json_add_text(tree, "nul", (struct span){"a\0b", 3});
    json_add_text(tree, "bad", span_of("\xff\xed\xa0\xbd"));
    json_add_text(tree, "empty", span_of(""));
    json_add_text(tree, "none", (struct span){0});
    expect_tree(tree, &json_style_line,
                "{\"nul\":\"a\\u0000b\",\"bad\":\"\\ufffd\\ud83d\",\"empty\":\"\",\"none\":null}");
}

Test(json_print, added_raw_text_keeps_its_tokens_and_ends_where_its_span_does)
{
    cJSON *tree = cJSON_CreateObject();

    json_add_raw(tree, "n", (struct span){"12345678901234567890, more", 20});
    json_add_raw(tree, "nan", span_of("NaN"));
    json_add_raw(tree, "o", span_of("{ \"a\" : 1, \"a\" : 2 }"));
    expect_tree(tree, &json_style_line,
                "{\"n\":12345678901234567890,\"nan\":\"NaN\",\"o\":{\"a\":1,\"a\":2}}");
}

Test(json_print, a_value_a_thousand_levels_deep_is_printed)
{
    struct str text = {0};

    str_pad(&text, '[', JSON_DEPTH_MAX);
    str_pad(&text, ']', JSON_DEPTH_MAX);
    expect_value(str_c(&text), &json_style_line, str_c(&text));
    str_free(&text);
}

Test(json_print, members_of_a_line_have_their_commas_and_what_is_absent_is_null)
{
    struct span items[] = {span_of("a"), span_of("\"")};
    struct span_list list = {.items = items, .count = 2}, none = {0};
    struct str out = {0};

    str_putc(&out, '{');
    json_member_word(&out, "word", "{");
    json_member(&out, "text", (struct span){0});
    json_member_flag(&out, "flag", true);
    json_member_count(&out, "count", 0);
    json_member_number(&out, "number", -1);
    json_member_list(&out, "list", &list);
    json_member_list(&out, "none", &none);
    json_member_time(&out, "time", TIME_NONE);
    json_member_seconds(&out, "ago", 1000000, 3999999);
    json_member_seconds(&out, "ahead", 2000000, 1000000);
    str_putc(&out, '}');
    cr_assert_str_eq(str_c(&out),
                     "{\"word\":\"{\",\"text\":null,\"flag\":true,\"count\":0,\"number\":-1,"
                     "\"list\":[\"a\",\"\\\"\"],\"none\":[],\"time\":null,\"ago\":2,\"ahead\":0}");
    str_free(&out);
}
