/* Tests changing an inbox of the Claude layout: added entries and read flags, byte by byte. */
#include "claude_support.h"

#define ENTRY                                                                                      \
    "{\n  \"from\": \"lead\",\n  \"text\": \"\xc3\xbc \\\"q\\\"\",\n  \"timestamp\": \"" SENT      \
    "\",\n  \"read\": false\n}"

/* The entry in an array with an indent of two blanks. */
#define IN_TWO                                                                                     \
    "  {\n    \"from\": \"lead\",\n    \"text\": \"\xc3\xbc \\\"q\\\"\",\n    \"timestamp\": "     \
    "\"" SENT "\",\n    \"read\": false\n  }"

#define OLD_TWO                                                                                    \
    "[\n  {\n    \"from\": \"a\",\n    \"text\": \"x\",\n    \"timestamp\": \"" SENT               \
    "\",\n    \"read\": true\n  }"

static void expect_sound(const char *box, const char *want)
{
    struct appended result = expect_append(box, ENTRY, want);

    cr_assert_eq(result.found, BOX_SOUND);
    cr_assert_not(result.has_uuid);
}

Test(claude_box, the_first_entry_makes_the_array)
{
    expect_sound("", "[\n" IN_TWO "\n]");
    expect_sound(" \n", "[\n" IN_TWO "\n]");
    expect_sound("[]", "[\n" IN_TWO "\n]");
    expect_sound("[ \n ]", "[\n" IN_TWO "\n]");
}

Test(claude_box, a_newline_behind_an_empty_array_is_kept)
{
    expect_sound("[]\n", "[\n" IN_TWO "\n]\n");
}

Test(claude_box, an_entry_is_added_as_node_would_have_written_it)
{
    expect_sound(OLD_TWO "\n]", OLD_TWO ",\n" IN_TWO "\n]");
}

Test(claude_box, what_stands_behind_the_array_is_kept)
{
    expect_sound(OLD_TWO "\n]\n", OLD_TWO ",\n" IN_TWO "\n]\n");
    expect_sound(OLD_TWO "]  \n\n", OLD_TWO ",\n" IN_TWO "]  \n\n");
}

Test(claude_box, an_entry_is_added_with_four_blanks_where_the_others_have_four)
{
#define OLD_FOUR "[\n    {\n        \"from\": \"a\",\n        \"text\": \"x\"\n    }"
    expect_sound(OLD_FOUR "\n]",
                 OLD_FOUR ",\n    {\n        \"from\": \"lead\",\n        \"text\": \"\xc3\xbc "
                          "\\\"q\\\"\",\n        \"timestamp\": \"" SENT
                          "\",\n        \"read\": false\n    }\n]");
}

Test(claude_box, an_entry_is_added_with_tabs_where_the_others_have_tabs)
{
#define OLD_TABS "[\n\t{\n\t\t\"from\": \"a\",\n\t\t\"text\": \"x\"\n\t}"
    expect_sound(OLD_TABS "\n]", OLD_TABS
                 ",\n\t{\n\t\t\"from\": \"lead\",\n\t\t\"text\": \"\xc3\xbc "
                 "\\\"q\\\"\",\n\t\t\"timestamp\": \"" SENT "\",\n\t\t\"read\": false\n\t}\n]");
}

Test(claude_box, an_entry_is_added_with_the_line_ends_of_the_others)
{
#define OLD_CRLF "[\r\n  {\r\n    \"from\": \"a\",\r\n    \"text\": \"x\"\r\n  }"
    expect_sound(OLD_CRLF "\r\n]\r\n",
                 OLD_CRLF ",\r\n  {\r\n    \"from\": \"lead\",\r\n    \"text\": \"\xc3\xbc "
                          "\\\"q\\\"\",\r\n    \"timestamp\": \"" SENT
                          "\",\r\n    \"read\": false\r\n  }\r\n]\r\n");
}

Test(claude_box, an_entry_is_added_with_two_blanks_where_lines_have_none)
{
#define OLD_FLAT "[\n{\n\"from\": \"a\",\n\"text\": \"x\"\n}"
    struct str out = {0};
    struct appended result;
    struct err err;

    cr_assert(claude_format.append(span_of(OLD_FLAT "\n]"), span_of(ENTRY), span_of(UUID), &out,
                                   &result, &err));
    cr_assert(span_starts(str_span(&out), span_of(OLD_FLAT ",\n")), "%s", str_c(&out));
    cr_assert_not_null(strstr(str_c(&out), "  \"from\": \"lead\",\n"), "%s", str_c(&out));
    str_free(&out);
}

Test(claude_box, an_entry_is_added_to_one_line_of_ascii)
{
    expect_sound("[{\"from\": \"a\", \"text\": \"\\u00fc\"}]",
                 "[{\"from\": \"a\", \"text\": \"\\u00fc\"}, {\"from\": \"lead\", \"text\": "
                 "\"\\u00fc \\\"q\\\"\", \"timestamp\": \"" SENT "\", \"read\": false}]");
    expect_sound("[{\"from\": \"a\", \"text\": \"\xc3\xa9\"}]\n",
                 "[{\"from\": \"a\", \"text\": \"\xc3\xa9\"}, {\"from\": \"lead\", \"text\": "
                 "\"\xc3\xbc \\\"q\\\"\", \"timestamp\": \"" SENT "\", \"read\": false}]\n");
}

Test(claude_box, an_entry_is_added_to_one_compact_line)
{
    expect_sound("[{\"from\":\"a\",\"text\":\"\xc3\xa9\"}]",
                 "[{\"from\":\"a\",\"text\":\"\xc3\xa9\"},{\"from\":\"lead\",\"text\":"
                 "\"\xc3\xbc \\\"q\\\"\",\"timestamp\":\"" SENT "\",\"read\":false}]");
}

Test(claude_box, a_compact_line_stays_compact_though_its_texts_hold_blanks)
{
    expect_sound("[{\"from\":\"a\",\"text\":\"\xc3\xa9 x\"}]",
                 "[{\"from\":\"a\",\"text\":\"\xc3\xa9 x\"},{\"from\":\"lead\",\"text\":"
                 "\"\xc3\xbc \\\"q\\\"\",\"timestamp\":\"" SENT "\",\"read\":false}]");
}

Test(claude_box, neighbours_are_kept_byte_for_byte)
{
    static const char *const boxes[] = {
        "[\n  {\n    \"b\": 12345678901234567890, \"a\":1.0,\n    \"from\": \"\\u0061\", \"from\" "
        ": "
        "\"\\/\",\n    \"text\": \"\\ud800\", \"10\": -0, \"f\": 1e-07, \"u\": {\"x\":[ ]}\n  }",
        "[7, null,\n\n  {  }", "\xef\xbb\xbf[{\"from\":\"a\",\"text\":\"b\"}",
        "[{\"from\":\"a\",\"text\":\"\xff\"}",
        "  [ {\"from\":\"a\",\"text\":\"b\",\"msg_id\":\"m\"}"};

    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        struct str box = {0}, out = {0};
        struct batch before = {0}, after = {0};
        struct appended result;
        struct err err = {0};
        str_addf(&box, "%s ]", boxes[i]);
        cr_assert(claude_format.append(str_span(&box), span_of(ENTRY), span_of(UUID), &out, &result,
                                       &err));
        cr_assert_eq(result.found, BOX_SOUND, "%s", boxes[i]);
        cr_assert(span_starts(str_span(&out), span_of(boxes[i])), "%s", str_c(&out));
        cr_assert(span_ends(str_span(&out), " ]"));
        cr_assert(read_inbox(&before, str_span(&box), WANT_HEAD, &err));
        cr_assert(read_inbox(&after, str_span(&out), WANT_HEAD, &err), "%s", err.text);
        cr_assert_eq(after.count, before.count + 1);
        for (size_t k = 0; k < before.count; k++)
            cr_assert(span_eq(before.items[k].id, after.items[k].id));
        assert_span(after.items[before.count].from, "lead");
        batch_free(&before);
        batch_free(&after);
        str_free(&box);
        str_free(&out);
    }
}

Test(claude_box, where_entries_carry_a_version_the_new_one_does_before_read)
{
#define OLD_NEW                                                                                    \
    "[\n  {\n    \"from\": \"a\",\n    \"text\": \"x\",\n    \"msgV\": 1,\n    \"read\": false\n " \
    " }"
#define PLAIN_ONE ",\n  {\n    \"from\": \"b\",\n    \"text\": \"y\"\n  }"
#define VERSIONED                                                                                  \
    "  {\n    \"from\": \"lead\",\n    \"text\": \"\xc3\xbc \\\"q\\\"\",\n    \"timestamp\": "     \
    "\"" SENT "\",\n    \"msgV\": 1,\n    \"msg_id\": \"" UUID                                     \
    "\",\n    \"type\": \"message\",\n    \"read\": false\n  }"
    struct appended result = expect_append(OLD_NEW "\n]", ENTRY, OLD_NEW ",\n" VERSIONED "\n]");
    cr_assert(result.has_uuid && result.found == BOX_SOUND);
    result = expect_append(OLD_NEW PLAIN_ONE "\n]", ENTRY, OLD_NEW PLAIN_ONE ",\n" VERSIONED "\n]");
    cr_assert(result.has_uuid);
}

Test(claude_box, a_version_inside_a_text_or_a_value_is_none)
{
    static const char *const boxes[] = {"[{\"from\":\"a\",\"text\":\"\\\"msgV\\\":1\"}]",
                                        "[{\"from\":\"a\",\"text\":\"b\",\"x\":{\"msgV\":1}}]",
                                        "[{\"from\":\"a\",\"text\":\"b\",\"msgv\":1}]"};

    for (size_t i = 0; i < 3; i++) {
        struct str out = {0};
        struct appended result;
        struct err err;
        cr_assert(claude_format.append(span_of(boxes[i]), span_of(ENTRY), span_of(UUID), &out,
                                       &result, &err));
        cr_assert_not(result.has_uuid);
        cr_assert_null(strstr(str_c(&out), UUID));
        str_free(&out);
    }
}

Test(claude_box, a_cleared_inbox_starts_anew)
{
    struct appended result =
        expect_append("[]\"from\":\"old\",\"text\":\"x\"}\n]", ENTRY, "[\n" IN_TWO "\n]");

    cr_assert_eq(result.found, BOX_CLEARED);
    result = expect_append("[]  {\"from\":\"old\",\"text\":\"x\"}]", ENTRY, "[\n" IN_TWO "\n]");
    cr_assert_eq(result.found, BOX_CLEARED, "what was cleared does not come back");
}

Test(claude_box, bytes_behind_an_array_with_entries_are_damage_and_go)
{
    struct appended result =
        expect_append(OLD_TWO "\n]rest\"}]", ENTRY, OLD_TWO ",\n" IN_TWO "\n]");

    cr_assert_eq(result.found, BOX_DAMAGED);
}

Test(claude_box, of_a_damaged_inbox_everything_that_can_be_read_is_kept_as_it_is)
{
#define ODD "{ \"from\":\"a\", \"text\":\"\\u00e9\", \"n\":1.0, \"k\":{\"x\":[]} }"
    struct appended result =
        expect_append("[" ODD ", {\"from\":\"b\",\"te", ENTRY, "[\n  " ODD ",\n" IN_TWO "\n]");
    cr_assert_eq(result.found, BOX_DAMAGED);
    result = expect_append("[{\"from\":\"b\",\"te" ODD "\n" ODD "<<<", ENTRY,
                           "[\n  " ODD ",\n  " ODD ",\n" IN_TWO "\n]");
    cr_assert_eq(result.found, BOX_DAMAGED);
    result = expect_append("rubbish", ENTRY, "[\n" IN_TWO "\n]");
    cr_assert_eq(result.found, BOX_DAMAGED);
    result = expect_append(ODD, ENTRY, "[\n  " ODD ",\n" IN_TWO "\n]");
    cr_assert_eq(result.found, BOX_DAMAGED);
}

Test(claude_box, complete_entries_of_any_kind_are_kept_of_a_damaged_inbox)
{
#define BRIDGED "{\"from\":\"a\",\"content\":\"x\"}"
    expect_append("[" BRIDGED ",{\"from\":", ENTRY, "[\n  " BRIDGED ",\n" IN_TWO "\n]");
}

Test(claude_box, a_rebuilt_inbox_can_be_read_however_deep_its_entries_are)
{
    for (int depth = 990; depth < 1010; depth++) {
        struct str box = {0}, out = {0};
        struct batch batch = {0};
        struct appended result;
        struct err err = {0};
        str_puts(&box, "[{\"from\":\"a\",\"text\":\"x\",\"deep\":");
        str_pad(&box, '[', (size_t)depth);
        str_pad(&box, ']', (size_t)depth);
        str_puts(&box, "}]");
        cr_assert(claude_format.append(str_span(&box), span_of(ENTRY), span_of(UUID), &out, &result,
                                       &err));
        cr_assert(read_inbox(&batch, str_span(&out), WANT_HEAD, &err), "%d: %s", depth, err.text);
        batch_free(&batch);
        str_free(&box);
        str_free(&out);
    }
}

Test(claude_box, a_rebuilt_inbox_of_versioned_entries_gets_a_versioned_one)
{
#define NEW_ONE "{\"from\":\"a\",\"text\":\"x\",\"msgV\":1}"
    struct appended result =
        expect_append("[" NEW_ONE ",{\"fr", ENTRY, "[\n  " NEW_ONE ",\n" VERSIONED "\n]");
    cr_assert(result.has_uuid && result.found == BOX_DAMAGED);
}

/* --- marking --- */

static struct span_list list_of(struct span *items, size_t count)
{
    return (struct span_list){.items = items, .count = count};
}

static void expect_edit(const char *box, const char *const *names, size_t count, const char *want)
{
    struct span items[8];
    struct str out = {0};
    struct err err = {0};

    for (size_t i = 0; i < count; i++)
        items[i] = span_of(names[i]);
    const struct span_list ids = list_of(items, count);
    const struct change change = {.status = STATUS_READ, .ids = &ids};
    cr_assert(claude_format.edit(span_of(box), &change, &out, &err), "%s", err.text);
    cr_assert_str_eq(str_c(&out), want);
    str_free(&out);
}

static const char *const mine[] = {"m1", "m3", "m9", "m4"};

/* The other members of a sound entry. */
#define SOUND "\"from\":\"a\",\"text\":\"x\","

Test(claude_box, marking_changes_only_the_flag)
{
    expect_edit("[ {" SOUND "\"msg_id\":\"m1\", \"read\" : false ,\"n\":1.0,\"t\":\"\\u00e9\"},\n\t"
                "{" SOUND "\"msg_id\":\"m2\",\"read\":false},{" SOUND
                "\"read\":false,\"msg_id\":\"m3\"} ]\n",
                mine, 2,
                "[ {" SOUND "\"msg_id\":\"m1\", \"read\" : true ,\"n\":1.0,\"t\":\"\\u00e9\"},\n\t"
                "{" SOUND "\"msg_id\":\"m2\",\"read\":false},{" SOUND
                "\"read\":true,\"msg_id\":\"m3\"} ]\n");
}

Test(claude_box, ids_that_are_not_there_and_entries_that_are_read_change_nothing)
{
    static const char box[] =
        "[7,{" SOUND "\"msg_id\":\"m1\",\"read\": true},{" SOUND "\"msg_id\":\"m2\","
        "\"read\":false},null]";

    expect_edit(box, mine, 4, box);
    expect_edit("[]", mine, 4, "[]");
    expect_edit(box, NULL, 0, box);
}

Test(claude_box, a_missing_flag_is_added_behind_the_last_key)
{
    expect_edit(
        "[\n  {\n    \"msg_id\": \"m1\",\n    \"from\": \"a\",\n    \"text\": \"x\"\n  }\n]", mine,
        1,
        "[\n  {\n    \"msg_id\": \"m1\",\n    \"from\": \"a\",\n    \"text\": \"x\",\n    "
        "\"read\": true\n  }\n]");
}

Test(claude_box, of_two_flags_the_one_that_counts_is_changed)
{
    expect_edit("[{" SOUND "\"msg_id\":\"m1\",\"read\":false,\"read\":false}]", mine, 1,
                "[{" SOUND "\"msg_id\":\"m1\",\"read\":false,\"read\":true}]");
    expect_edit("[{" SOUND "\"msg_id\":\"m1\",\"x\":{\"read\":false},\"read\":false}]", mine, 1,
                "[{" SOUND "\"msg_id\":\"m1\",\"x\":{\"read\":false},\"read\":true}]");
}

Test(claude_box, entries_without_an_id_are_found_by_the_derived_one)
{
#define HELLO(flag)                                                                                \
    "{\"from\":\"ann\",\"text\":\"hello\",\"timestamp\":\"" SENT "\",\"read\":" flag "}"
    static const char *const second[] = {"inbox-b963e6eec1e09a26-2"};

    expect_edit("[" HELLO("false") "," HELLO("false") "," HELLO("false") "]", second, 1,
                "[" HELLO("false") "," HELLO("true") "," HELLO("false") "]");
}

Test(claude_box, bytes_behind_the_array_stay_when_an_entry_is_marked)
{
    expect_edit("[{" SOUND "\"msg_id\":\"m1\",\"read\":false}]tail", mine, 1,
                "[{" SOUND "\"msg_id\":\"m1\",\"read\":true}]tail");
}

Test(claude_box, a_thousand_entries_are_marked_at_once)
{
    enum { MANY = 1000 };
    static struct span items[MANY];
    static char names[MANY][16];
    struct str box = {0}, want = {0}, out = {0};
    struct err err = {0};

    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "id-%d", i);
        items[MANY - 1 - i] = span_of(names[i]);
        str_addf(&box, "%c{" SOUND "\"msg_id\":\"%s\",\"read\":false}", i ? ',' : '[', names[i]);
        str_addf(&want, "%c{" SOUND "\"msg_id\":\"%s\",\"read\":true}", i ? ',' : '[', names[i]);
    }
    str_puts(&box, "]");
    str_puts(&want, "]");
    const struct span_list ids = list_of(items, MANY);
    const struct change change = {.status = STATUS_READ, .ids = &ids};
    cr_assert(claude_format.edit(str_span(&box), &change, &out, &err), "%s", err.text);
    cr_assert_str_eq(str_c(&out), str_c(&want));
    str_free(&box);
    str_free(&want);
    str_free(&out);
}

Test(claude_box, a_damaged_entry_takes_no_id_from_a_sound_one_and_is_not_marked)
{
    expect_edit("[{\"msg_id\":\"m1\",\"read\":false},{" SOUND "\"msg_id\":\"m1\",\"read\":false}]",
                mine, 1,
                "[{\"msg_id\":\"m1\",\"read\":false},{" SOUND "\"msg_id\":\"m1\",\"read\":true}]");
}

Test(claude_box, nothing_is_marked_in_a_damaged_inbox)
{
    static const char *const boxes[] = {"", "{}", "[{" SOUND "\"msg_id\":\"m1\",\"read\":false}",
                                        "[{" SOUND "\"msg_id\":\"m1\",\"read\":false},"};

    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        struct span item = span_of("m1");
        const struct span_list ids = list_of(&item, 1);
        const struct change change = {.status = STATUS_READ, .ids = &ids};
        struct str out = {0};
        struct err err = {0};
        cr_assert_not(claude_format.edit(span_of(boxes[i]), &change, &out, &err), "%s", boxes[i]);
        cr_assert(err.text[0] && out.len == 0);
        str_free(&out);
    }
}

/* --- finding a written entry --- */

static bool holds(const char *box, const char *entry)
{
    return claude_format.holds(span_of(box), span_of(entry));
}

Test(claude_box, an_entry_is_found_again_whatever_became_of_its_state_and_style)
{
#define US(extra) "{\"from\":\"us\",\"text\":\"a\\nb\",\"timestamp\":\"" SENT "\"" extra "}"
    cr_assert(holds("[" US("") "]", US(",\"read\":false")));
    cr_assert(holds("[7,{\"from\":\"x\",\"text\":\"y\"}," US(",\"read\":true,\"msg_id\":\"m\"") "]",
                    US(",\"read\":false")));
    cr_assert(holds("[{\"timestamp\":\"" SENT "\",\"text\":\"\\u0061\\nb\",\"from\":\"us\"}]tail",
                    US("")));
    cr_assert_not(holds("[]", US("")));
    cr_assert_not(holds("", US("")));
    cr_assert_not(
        holds("[{\"from\":\"us\",\"text\":\"a\\nb\",\"timestamp\":\"2026-02-07\"}]", US("")));
    cr_assert_not(holds("[{\"from\":\"us\",\"text\":\"a\",\"timestamp\":\"" SENT "\"}]", US("")));
    cr_assert_not(
        holds("[{\"from\":\"u\",\"text\":\"a\\nb\",\"timestamp\":\"" SENT "\"}]", US("")));
    cr_assert_not(holds("{\"a\":" US("") "}", US("")));
    cr_assert_not(holds("[" US("") "]", ""), "nothing is sought");
    cr_assert_not(holds("[" US("") "]", "{\"from\":"), "what is sought is broken");
}
