/* Tests documents: JSON for reading, with nothing changed and nothing ambiguous. */
#include "page_support.h"

#include "base/json/json.h"

Test(page_json, members_stand_below_each_other)
{
    assert_made(page_json, 60,
                "{\"a\":\"x\",\"n\":1.0,\"big\":123456789012345678901234567890,\"o\":{\"k\":null,"
                "\"deep\":{\"l\":[1,\"two\",{\"x\":true,\"y\":[]},[3,4]]}},\"e\":{}}",
                "a: x\n"
                "n: 1.0\n"
                "big: 123456789012345678901234567890\n"
                "o:\n"
                "  k: null\n"
                "  deep:\n"
                "    l:\n"
                "      - 1\n"
                "      - two\n"
                "      - x: true\n"
                "        y: []\n"
                "      - - 3\n"
                "        - 4\n"
                "e: {}\n");
}

Test(page_json, any_value_is_a_document)
{
    assert_made(page_json, 60, "\"text\"", "text\n");
    assert_made(page_json, 60, " 12e400 ", "12e400\n");
    assert_made(page_json, 60, "[]", "[]\n");
    assert_made(page_json, 60, "[[],{}]", "- []\n- {}\n");
    assert_made(page_json, 60, "[NaN]", "- NaN\n");
}

Test(page_json, equal_keys_and_their_order_stay)
{
    assert_made(page_json, 60, "{\"b\":1,\"a\":2,\"b\":3}", "b: 1\na: 2\nb: 3\n");
}

Test(page_json, texts_that_could_be_something_else_are_quoted)
{
    assert_made(
        page_json, 60,
        "{\"a\":\"null\",\"b\":\"1.0\",\"c\":\"\",\"d\":\" x\",\"e\":\"{}\",\"f\":\"\\\"q\\\"\","
        "\"g\":\"-5 apples\"}",
        "a: \"null\"\nb: \"1.0\"\nc: \"\"\nd: \" x\"\ne: \"{}\"\nf: \"\"q\"\"\n"
        "g: -5 apples\n");
    assert_made(page_json, 60, "[\"a: b\",\"- c\",\"d:\",\"e\"]",
                "- \"a: b\"\n- \"- c\"\n- \"d:\"\n- e\n");
    assert_made(page_json, 60, "{\"a: b\":1,\"\":2,\"- c\":3,\"two words\":4}",
                "\"a: b\": 1\n\"\": 2\n\"- c\": 3\ntwo words: 4\n");
}

Test(page_json, lines_of_a_text_cannot_pass_for_members)
{
    assert_made(page_json, 60, "{\"a\":{\"plan\":\"one\\n\\nb: two\\n\"},\"b\":1}",
                "a:\n  plan:\n    one\n\n    b: two\nb: 1\n");
    assert_made(page_json, 14, "{\"a\":\"one two three b: four\"}",
                "a: one two\n+  three b:\n+  four\n");
}

Test(page_json, escapes_are_decoded_and_then_cleaned)
{
    assert_made(page_json, 60, "{\"a\":\"\\u001b[31m \\u202e \\ud83d\\ude00 \\ud800 \\/\"}",
                "a: ^[[31m <U+202E> \xf0\x9f\x98\x80 \xef\xbf\xbd /\n");
    assert_looking(page_json, "{\"k\\u001b\":\"\\u0007\"}", STYLE_ESCAPED, "^[^G");
    assert_looking(page_json, "{\"key\":\"v\"}", STYLE_LABEL, "key:");
}

Test(page_json, what_is_no_json_is_shown_with_the_reason)
{
    struct document page = {0};
    struct page_options options = narrow(80);

    page_json(&page, span_of("{\"a\": rm -rf}\nmore"), &options);
    struct str shown = page_shown(&page, false), reason = page_looking(&page, STYLE_ERROR);
    cr_assert_not_null(strstr(str_c(&shown), "\n  {\"a\": rm -rf}\n  more\n"));
    cr_assert(reason.len > 0);
    str_free(&shown);
    str_free(&reason);
    page_free(&page);
}

Test(page_json, levels_for_which_there_is_no_room_have_numbers)
{
    struct document page = {0};
    struct page_options options = narrow(20);
    struct str text = {0};

    str_pad(&text, '[', JSON_DEPTH_MAX - 1);
    str_puts(&text, "{\"k\":\"deep\"}");
    str_pad(&text, ']', JSON_DEPTH_MAX - 1);
    page_json(&page, str_span(&text), &options);
    struct str shown = page_shown(&page, false);
    cr_assert_str_eq(str_c(&shown), "(999) k: deep\n");
    assert_sound(&page, &options, "deep");
    str_free(&shown);
    str_free(&text);
    page_free(&page);
}
