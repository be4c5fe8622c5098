/* Tests rendering a message as a line of JSON. */
#include "render_support.h"

#include "base/json/json.h"

static void assert_json(const struct message *message, const char *want)
{
    struct str out = {0};

    render_json(&out, message, "adr", span_of("/srv/m"), span_of("/srv/m/i/f.json"));
    cr_assert_str_eq(str_c(&out), want);
    str_free(&out);
}

Test(render, a_json_line_says_null_for_what_is_not_known)
{
    struct message message = {.place = &place,
                              .created_us = TIME_NONE,
                              .expires_us = TIME_NONE,
                              .priority = PRIORITY_NORMAL};

    assert_json(&message, "{\"v\":1,\"id\":null,\"source\":\"/srv/m\",\"format\":\"adr\","
                          "\"box\":\"implementer\",\"from\":null,\"to\":null,\"subject\":null,"
                          "\"body\":null,\"type\":null,\"priority\":\"normal\","
                          "\"status\":\"unread\",\"created_at\":null,\"read_at\":null,"
                          "\"completed_at\":null,\"expires_at\":null,\"thread\":null,"
                          "\"reply_to\":null,\"requires_response\":null,\"context\":null,"
                          "\"attachments\":null,\"tags\":null,\"payload\":null,"
                          "\"protocol\":null,\"path\":\"/srv/m/i/f.json\",\"damaged\":null}\n");
}

/* True if the line contains `part`. */
static bool json_line_has(const struct message *message, const char *part)
{
    struct str out = {0};

    render_json(&out, message, "adr", span_of("/s"), span_of("/s/f"));
    bool has = strstr(str_c(&out), part) != NULL;
    str_free(&out);
    return has;
}

Test(render, a_json_line_keeps_numbers_as_they_were_written_and_fractions_of_seconds)
{
    struct message_data data = make_data();
    struct message message = make(&data);

    message.damaged = "it is \"odd\"";
    data.read_us = SENT_US - 667898;
    data.completed_us = SENT_US - 898;
    data.context = span_of("{ \"b\" : 1.0, \"a\": [ ] }");
    data.tags = span_of("[\n  \"x\"\n]");
    data.protocol = span_of("{\"p\":12345678901234567890}");
    cr_assert(json_line_has(&message, "\"context\":{\"b\":1.0,\"a\":[]},"));
    cr_assert(json_line_has(&message, "\"tags\":[\"x\"],"));
    cr_assert(json_line_has(&message, "\"protocol\":{\"p\":12345678901234567890},"));
    cr_assert(json_line_has(&message, "\"created_at\":\"2026-01-03T23:53:21.667898Z\","));
    cr_assert(json_line_has(&message, "\"read_at\":\"2026-01-03T23:53:21Z\","));
    cr_assert(json_line_has(&message, "\"completed_at\":\"2026-01-03T23:53:21.667Z\","));
    cr_assert(json_line_has(&message, "\"damaged\":\"it is \\\"odd\\\"\"}"));
}

Test(render, a_json_line_has_flags_only_when_some_are_set)
{
    struct message_data data = make_data();
    struct message message = make(&data);
    struct str want = {0};

    cr_assert_not(json_line_has(&message, "flags"));
    for (unsigned bit = 0; message_flag_text(bit); bit++) {
        message.flags = (uint16_t)(1u << bit);
        str_clear(&want);
        str_addf(&want, ",\"damaged\":null,\"flags\":[\"%s\"]}\n", message_flag_text(bit));
        cr_assert(json_line_has(&message, str_c(&want)), "bit %u", bit);
    }
    message.flags = MESSAGE_ZONED_TIME | MESSAGE_EQUAL_KEYS;
    str_clear(&want);
    str_addf(&want, "\"flags\":[\"%s\",\"%s\"]}\n", message_flag_text(1), message_flag_text(4));
    cr_assert(json_line_has(&message, str_c(&want)));
    str_free(&want);
}

Test(render, a_json_line_has_strings_for_numbers_that_json_does_not_know)
{
    struct message_data data = make_data();
    struct message message = make(&data);

    data.payload = span_of("{\"a\": NaN, \"b\": [Infinity, {\"c\": -Infinity}], \"d\": 1e999}");
    cr_assert(json_line_has(
        &message,
        "\"payload\":{\"a\":\"NaN\",\"b\":[\"Infinity\",{\"c\":\"-Infinity\"}],\"d\":1e999}"));
}

Test(render, a_json_line_of_hostile_text_is_one_line_of_strict_ascii_json)
{
    struct message message;
    struct message_data data;
    struct place where;
    struct str out = {0};
    struct json value;
    struct err err;

    make_hostile(&message, &data, &where);
    render_json(&out, &message, EVIL, span_of(EVIL), span_of(EVIL));
    cr_assert(span_ends(str_span(&out), "}\n"));
    struct span line = {out.at, out.len - 1};
    assert_clean(line, true, false);
    cr_assert(json_scan(line, JSON_STRICT, &value, &err), "%s", err.text);
    cr_assert_eq(value.kind, JSON_OBJECT);
    str_free(&out);
}
