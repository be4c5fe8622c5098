/* Tests the meaning of JSON strings: decoding them, comparing keys and finding equal ones. */
#include "json_support.h"

#include "base/text/utf8.h"

Test(json, an_escaped_key_is_the_plain_key)
{
    cr_assert(json_is(scanned("\"from\""), "from"));
    cr_assert(json_is(scanned("\"\\u0066rom\""), "from"));
    cr_assert(json_is(scanned("\"\\u0066\\u0072\\u006F\\u006d\""), "from"));
    cr_assert(json_is(scanned("\"\\ud83d\\ude00\\/\""), "\xf0\x9f\x98\x80/"));
    cr_assert_not(json_is(scanned("\"\\u0066ro\""), "from"));
    cr_assert_not(json_is(scanned("\"\\u0066roms\""), "from"));
    cr_assert_not(json_is(scanned("\"from\\u0000\""), "from"));
    cr_assert_not(json_is(scanned("7"), "7"));
}

static void expect_text(const char *quoted, const char *bytes, size_t len)
{
    struct arena arena = {0};
    struct span text = json_text(&arena, scanned(quoted));

    cr_assert(text.at && span_eq(text, (struct span){bytes, len}), "%s", quoted);
    arena_free(&arena);
}

Test(json, decodes_strings)
{
    expect_text("\"\"", "", 0);
    expect_text("\"plain \xc3\xa9\"", "plain \xc3\xa9", 8);
    expect_text("\"\\\" \\\\ \\/ \\b\\f\\n\\r\\t\"", "\" \\ / \b\f\n\r\t", 11);
    expect_text("\"a\\u0000b\"", "a\0b", 3);
    expect_text("\"\\u00e9\\u20AC\"", "\xc3\xa9\xe2\x82\xac", 5);
    expect_text("\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80", 4);
    expect_text("\"x\xff\\n\"", "x\xff\n", 3); /* bytes that are not UTF-8 stay as they are */
}

Test(json, keeps_lone_surrogates_in_three_bytes)
{
    expect_text("\"\\ud83d\"", "\xed\xa0\xbd", 3);
    expect_text("\"\\ude00\\ud83d\"", "\xed\xb8\x80\xed\xa0\xbd", 6);
    expect_text("\"\\ud83dx\"", "\xed\xa0\xbdx", 4);
    expect_text("\"\\ud83d\\n\"", "\xed\xa0\xbd\n", 4);
    expect_text("\"\\ud83d\\u0041\"",
                "\xed\xa0\xbd"
                "A",
                4);
    expect_text("\"\\ud83d\\ud83d\\ude00\"", "\xed\xa0\xbd\xf0\x9f\x98\x80", 7);
}

Test(json, only_strings_have_a_text)
{
    struct arena arena = {0};

    for (const char *const *text = LIST("1", "null", "[]", "{\"a\":\"b\"}"); *text; text++)
        cr_assert_null(json_text(&arena, scanned(*text)).at, "%s", *text);
    cr_assert_null(json_text(&arena, (struct json){0}).at);
    arena_free(&arena);
}

Test(json, a_string_can_be_read_one_code_point_at_a_time)
{
    static const int32_t codes[] = {'a', '\n', 0x1f600, 0xd800, UTF8_INVALID, 0};
    struct span content = json_content(scanned("\"a\\n\\ud83d\\ude00\\ud800\xff\\u0000\""));

    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        cr_assert_eq(json_next_char(&content), codes[i]);
    cr_assert_eq(content.len, 0);
}

static void expect_duplicate(const char *text, const char *key)
{
    struct arena arena = {0};
    struct span found = json_duplicate_key(scanned(text), &arena);

    cr_assert((found.at != NULL) == (key != NULL), "%s", text);
    if (key)
        assert_span(found, key);
    arena_free(&arena);
}

Test(json, finds_equal_keys_at_any_depth)
{
    expect_duplicate("{\"a\":1,\"b\":2,\"a\":3}", "a");
    expect_duplicate("{\"a\":{\"b\":[1,{\"c\":1,\"c\":2}]}}", "c");
    expect_duplicate("{\"from\":1,\"\\u0066rom\":2}", "from");
    expect_duplicate("{\"\":1,\"\":2}", "");
    expect_duplicate("{\"a\":NaN,\"a\":1}", "a");
}

Test(json, equal_keys_of_different_objects_are_no_duplicates)
{
    expect_duplicate("{\"a\":{\"a\":{\"a\":1}}}", NULL);
    expect_duplicate("[{\"a\":1},{\"a\":1}]", NULL);
    expect_duplicate("{\"a\":\"a\",\"A\":2,\"a\\u0000\":3}", NULL);
    expect_duplicate("[1, \"a\", {}, []]", NULL);
    expect_duplicate("\"a\"", NULL);
}

Test(json, of_two_objects_with_equal_keys_the_first_is_named)
{
    expect_duplicate("[{\"first\":1,\"first\":2},{\"second\":1,\"second\":2}]", "first");
    expect_duplicate("{\"x\":{\"first\":1,\"first\":2},\"y\":{\"second\":1,\"second\":2}}",
                     "first");
}

Test(json, looks_for_equal_keys_a_thousand_levels_deep)
{
    struct str text = {0};

    for (int i = 1; i < JSON_DEPTH_MAX; i++)
        str_puts(&text, "[");
    str_puts(&text, "{\"deep\":1,\"deep\":2}");
    str_pad(&text, ']', JSON_DEPTH_MAX - 1);
    expect_duplicate(str_c(&text), "deep");
    str_free(&text);
}

/* Compares the strings of a value in order: depth and object before each, a colon after keys. */
static void expect_strings(const char *text, const char *want, unsigned deepest)
{
    struct json value = scanned(text), string;
    struct json_strings walk = {.at = value.raw.at, .end = value.raw.at + value.raw.len};
    struct str got = {0};
    bool is_key;

    while (json_next_string(&walk, &string, &is_key)) {
        str_addf(&got, "%u.%u", walk.depth, walk.object);
        str_add_span(&got, string.raw);
        str_puts(&got, is_key ? ": " : " ");
    }
    cr_assert_str_eq(str_c(&got), want);
    cr_assert_eq(walk.deepest, deepest);
    str_free(&got);
}

Test(json, every_string_is_met_with_its_depth)
{
    expect_strings("\"a\"", "0.0\"a\" ", 0);
    expect_strings("12", "", 0);
    expect_strings("{ \"a\" : \"b\\\"]\" , \"c\":{\"d\":[[],true,\"e\"]}, \"f\":\"g\" }",
                   "1.0\"a\": 1.0\"b\\\"]\" 1.0\"c\": 2.1\"d\": 3.2\"e\" 1.0\"f\": 1.0\"g\" ", 4);
    expect_strings("[{\"a\":1},{\"a\":\"}\"}]", "2.1\"a\": 2.2\"a\": 2.2\"}\" ", 2);
}

Test(json, strings_are_met_in_the_deepest_value_that_can_be_scanned)
{
    struct str text = {0};

    str_pad(&text, '[', JSON_DEPTH_MAX);
    str_puts(&text, "\"x\"");
    str_pad(&text, ']', JSON_DEPTH_MAX);
    expect_strings(str_c(&text), "1000.999\"x\" ", JSON_DEPTH_MAX);
    str_free(&text);
}
