/* Tests reading the OpenClaw layout: each kind of value, times, odd bytes and damage. */
#include "openclaw_support.h"

Test(openclaw, every_field_is_parsed)
{
    struct batch batch = {0};
    const struct message *m = parse_with(&batch, OPENCLAW_ID, good[OPENCLAW_ID]);

    cr_assert_null(m->damaged, "%s", m->damaged);
    cr_assert_eq(m->flags, 0);
    cr_assert_eq(m->place, &place);
    assert_span(m->file, ID ".json");
    assert_span(m->id, ID);
    assert_span(m->from, "tm1");
    assert_span(m->to, "lead");
    assert_span(m->type, "message");
    assert_span(m->subject, "H\xc3\xa9llo");
    cr_assert_null(m->thread.at);
    cr_assert_null(m->reply_to.at);
    cr_assert_eq(m->priority, PRIORITY_URGENT);
    cr_assert_eq(m->status, STATUS_UNREAD);
    cr_assert_eq(m->created_us, INT64_C(1794785051490000));
    cr_assert_eq(m->expires_us, TIME_NONE, "unread mail stays");
    cr_assert_not(m->requires_response);
    assert_span(m->data->body, "H\xc3\xa9llo\r\nMore");
    cr_assert_null(m->data->payload.at);
    cr_assert_eq(m->data->read_us, TIME_NONE);
    cr_assert_eq(m->data->completed_us, TIME_NONE);
    batch_free(&batch);
}

Test(openclaw, only_what_was_asked_for_is_kept)
{
    struct str text = make_with(OPENCLAW_ID, good[OPENCLAW_ID]);
    struct mail_file file = {.name = span_of("x.json"), .bytes = str_span(&text)};
    struct batch batch = {0};

    cr_assert_null(parse_file(&batch, file, WANT_HEAD)->data);
    cr_assert_null(parse_file(&batch, file, WANT_DATA)->data->body.at);
    const struct message *m = parse_file(&batch, file, WANT_BODY);
    cr_assert_not_null(m->data->body.at);
    assert_span(m->id, ID);
    cr_assert_eq(m->expires_us, TIME_NONE, "without a limit nothing expires");
    str_free(&text);
    batch_free(&batch);
}

/* One letter for each of: absent, null, false, true, 7, "x", [1], {}. '.' good, M missing, S not a
 * string, N not a number, O odd but readable. */
Test(openclaw, each_kind_of_value_of_each_key_is_judged)
{
    static const char *const kinds[] = {NULL, "null", "false", "true", "7", "\"x\"", "[1]", "{}"};
    static const char *const verdicts[OPENCLAW_KEY_COUNT] = {
        [OPENCLAW_ID] = "MSSSS.SS",      [OPENCLAW_TEAM] = ".OOOO.OO",
        [OPENCLAW_FROM] = "MSSSS.SS",    [OPENCLAW_TO] = "MSSSS.SS",
        [OPENCLAW_MESSAGE] = "MSSSS.SS", [OPENCLAW_PRIORITY] = ".OOOO.OO",
        [OPENCLAW_READ] = ".O..OOOO",    [OPENCLAW_CREATED] = "MNNN.NNN"};

    for (enum openclaw_key key = 0; key < OPENCLAW_KEY_COUNT; key++) {
        for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
            struct batch batch = {0};
            const struct message *m = parse_with(&batch, key, kinds[kind]);
            char letter = verdicts[key][kind];
            struct str want = {0};
            str_addf(&want, "\"%s\" is %s", openclaw_keys[key],
                     letter == 'M'   ? "missing"
                     : letter == 'S' ? "not a string"
                                     : "not a number");
            cr_assert_eq((m->flags & MESSAGE_ODD_TYPE) != 0, letter == 'O', "%s %s", str_c(&want),
                         kinds[kind]);
            if (letter == '.' || letter == 'O')
                cr_assert_null(m->damaged, "%s", m->damaged);
            else
                cr_assert_str_eq(m->damaged, str_c(&want));
            str_free(&want);
            batch_free(&batch);
        }
    }
}

Test(openclaw, only_false_and_nothing_are_unread)
{
    static const struct {
        const char *raw;
        enum status status;
    } cases[] = {{NULL, STATUS_UNREAD},     {"false", STATUS_UNREAD}, {"true", STATUS_READ},
                 {"null", STATUS_READ},     {"0", STATUS_READ},       {"\"\"", STATUS_READ},
                 {"\"false\"", STATUS_READ}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch batch = {0};
        cr_assert_eq(parse_with(&batch, OPENCLAW_READ, cases[i].raw)->status, cases[i].status, "%s",
                     cases[i].raw);
        batch_free(&batch);
    }
}

Test(openclaw, times_are_whole_or_broken_milliseconds_within_the_calendar)
{
    static const struct {
        const char *raw;
        int64_t us;
    } cases[] = {{"1794785051490.25", INT64_C(1794785051490250)},
                 {"1.79478505149e12", INT64_C(1794785051490000)},
                 {"179478505149e1", INT64_C(1794785051490000)},
                 {"179478505149E1", INT64_C(1794785051490000)},
                 {"0", 0},
                 {"-1", -1000},
                 {"8640000000000000", INT64_C(8640000000000000000)},
                 {"8640000000000002", TIME_NONE},
                 {"-9e15", TIME_NONE},
                 {"12345678901234567890123", TIME_NONE},
                 {"1e999", TIME_NONE},
                 {"-1e999", TIME_NONE}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch batch = {0};
        const struct message *m = parse_with(&batch, OPENCLAW_CREATED, cases[i].raw);
        bool good_time = cases[i].us != TIME_NONE;
        cr_assert_eq(m->created_us, cases[i].us, "%s", cases[i].raw);
        cr_assert_eq(m->damaged == NULL, good_time, "%s", cases[i].raw);
        bool whole = !strpbrk(cases[i].raw, ".eE");
        cr_assert_eq(!(m->flags & MESSAGE_ODD_TYPE), whole || !good_time, "%s", cases[i].raw);
        batch_free(&batch);
    }
}

Test(openclaw, only_what_was_read_expires)
{
    static const struct {
        const char *read;
        bool expires;
    } cases[] = {{"true", true}, {"false", false}, {"null", false}, {"\"yes\"", false}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch batch = {0};
        const struct message *m = parse_with(&batch, OPENCLAW_READ, cases[i].read);
        cr_assert_eq(m->expires_us, cases[i].expires ? m->created_us + HOUR_US : TIME_NONE, "%s",
                     cases[i].read);
        batch_free(&batch);
    }
}

Test(openclaw, a_limit_that_no_time_can_hold_does_not_overflow)
{
    struct str text = make_with(OPENCLAW_READ, "true");
    struct mail_file file = {.bytes = str_span(&text), .lasts_us = INT64_MAX};
    struct batch batch = {0};

    cr_assert_eq(parse_file(&batch, file, WANT_HEAD)->expires_us, TIME_NONE);
    str_free(&text);
    batch_free(&batch);
}

Test(openclaw, priorities_other_than_urgent_are_normal)
{
    struct batch batch = {0};

    cr_assert_eq(parse_with(&batch, OPENCLAW_PRIORITY, "\"normal\"")->priority, PRIORITY_NORMAL);
    cr_assert_eq(parse_with(&batch, OPENCLAW_PRIORITY, "\"URGENT\"")->priority, PRIORITY_NORMAL);
    cr_assert_eq(parse_with(&batch, OPENCLAW_PRIORITY, NULL)->priority, PRIORITY_NORMAL);
    cr_assert_eq(openclaw_format.priorities[PRIORITY_LOW], PRIORITY_NORMAL);
    cr_assert_eq(openclaw_format.priorities[PRIORITY_HIGH], PRIORITY_NORMAL);
    cr_assert_eq(openclaw_format.priorities[PRIORITY_URGENT], PRIORITY_URGENT);
    batch_free(&batch);
}

Test(openclaw, a_message_to_all_is_a_broadcast)
{
    struct batch batch = {0};
    const struct message *m = parse_with(&batch, OPENCLAW_TO, "\"all\"");

    assert_span(m->type, "broadcast");
    assert_span(m->to, "all");
    batch_free(&batch);
}

Test(openclaw, subject_and_answered_id_come_from_the_text)
{
    static const struct {
        const char *raw, *subject, *reply_to;
    } cases[] = {
        {"\"Re 550e8400: yes\\nmore\"", "Re 550e8400: yes", "550e8400"},
        {"\"Re 550E8400: yes\"", "Re 550E8400: yes", "550E8400"},
        {"\"Re 550e8400: \"", "Re 550e8400:", "550e8400"},
        {"\"Re 550e8400:\"", "Re 550e8400:", NULL},
        {"\"Re 550e84000: yes\"", "Re 550e84000: yes", NULL},
        {"\"Re 550e840: yes\"", "Re 550e840: yes", NULL},
        {"\"Re 550e840g: yes\"", "Re 550e840g: yes", NULL},
        {"\"Re 550e840G: yes\"", "Re 550e840G: yes", NULL},
        {"\"Re 550e840/: yes\"", "Re 550e840/: yes", NULL},
        {"\"Re: 550e8400 yes\"", "Re: 550e8400 yes", NULL},
        {"\"x\\nRe 550e8400: yes\"", "x", NULL},
        {"\"\\n \\n  x  \\ny\"", "x", NULL},
        {"\"\"", "", NULL},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch batch = {0};
        const struct message *m = parse_with(&batch, OPENCLAW_MESSAGE, cases[i].raw);
        assert_span(m->subject, cases[i].subject);
        assert_span(m->reply_to, cases[i].reply_to);
        cr_assert_eq(m->reply_to.at == NULL, cases[i].reply_to == NULL);
        batch_free(&batch);
    }
}

Test(openclaw, a_message_without_an_id_goes_by_its_file)
{
    struct batch batch = {0};

    assert_span(parse_with(&batch, OPENCLAW_ID, "7")->id, ID);
    assert_span(parse_with(&batch, OPENCLAW_ID, "\"\"")->id, ID);
    assert_span(parse_with(&batch, OPENCLAW_ID, "\"other\"")->id, "other");
    batch_free(&batch);
}

Test(openclaw, the_last_of_equal_keys_counts)
{
    struct batch batch = {0};
    const struct message *m =
        parse(&batch, span_of("{\"from\":1,\"messageId\":\"a\",\"to\":\"all\",\"message\":\"m\","
                              "\"createdAt\":1,\"fr\\u006fm\":\"tm2\",\"to\":\"tm1\"}"));

    cr_assert_null(m->damaged);
    cr_assert_eq(m->flags, MESSAGE_EQUAL_KEYS);
    assert_span(m->from, "tm2");
    assert_span(m->type, "message");
    batch_free(&batch);
}

Test(openclaw, odd_bytes_are_flagged)
{
    struct batch batch = {0};
    struct str text = make_with(OPENCLAW_MESSAGE, "\"\xff\"");
    struct str marked = {0};

    cr_assert_eq(parse(&batch, str_span(&text))->flags, MESSAGE_NOT_UTF8);
    str_puts(&marked, "\xef\xbb\xbf{}");
    cr_assert_eq(parse(&batch, str_span(&marked))->flags, MESSAGE_BYTE_MARK);
    str_free(&text);
    str_free(&marked);
    batch_free(&batch);
}

Test(openclaw, what_is_no_object_is_damaged_or_refused)
{
    struct batch batch = {0};
    struct mail_file file = {.place = &place, .name = span_of("x.json")};
    struct err err = {0};
    static const char *const bad[] = {"", "7", "\"x\"", "nul", "{\"a\":NaN}", "{} {}"};

    const struct message *m = parse(&batch, span_of("[{\"messageId\":\"a\"}]"));
    cr_assert_str_eq(m->damaged, "it is a JSON array, not an object");
    assert_span(m->id, ID);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        file.bytes = span_of(bad[i]);
        cr_assert_not(openclaw_format.parse(&file, WHOLE, &batch, &err), "%s", bad[i]);
    }
    cr_assert_eq(batch.count, 1);
    batch_free(&batch);
}
