/* Tests reading the Agent Inbox layout: each kind of value, times, texts, odd bytes and damage. */
#include "agent_inbox_support.h"

/* Times without a zone are local: an hour east of UTC. */
TestSuite(inbox, .init = use_zone_east);

/* Parses a message with one key and its value. */
static struct message *parse_value(struct batch *batch, enum inbox_key key, const char *raw)
{
    struct str text = {0};

    str_addf(&text, "{\"%s\": %s}", inbox_keys[key], raw);
    struct message *message = parse(batch, str_c(&text));
    str_free(&text); /* the message must not borrow from the bytes that were read */
    return message;
}

Test(inbox, every_field_is_parsed)
{
    struct batch batch = {0};
    const struct message *m = parse(&batch, full);

    cr_assert_null(m->damaged);
    cr_assert_eq(m->flags, 0, "another name in \"to\" is not stray");
    cr_assert_eq(m->place, &pending);
    assert_span(m->file, "1770882534-pm-x.json");
    assert_span(m->id, "pm-1");
    assert_span(m->from, "person-manager");
    assert_span(m->to, "task-managers");
    assert_span(m->type, "escalation");
    assert_span(m->subject, "Sub\xc3\xa9");
    assert_span(m->thread, "conv-1");
    assert_span(m->reply_to, "tm-0");
    cr_assert_eq(m->priority, PRIORITY_URGENT);
    cr_assert_eq(m->status, STATUS_UNREAD);
    cr_assert_eq(m->created_us, 1770883338 * SECOND_US);
    cr_assert_eq(m->expires_us, TIME_NONE);
    cr_assert(m->requires_response);
    assert_span(m->data->body, "Line 1\nLine 2");
    cr_assert_null(m->data->payload.at);
    cr_assert_null(m->data->context.at);
    cr_assert_eq(m->data->read_us, TIME_NONE);
    cr_assert_eq(m->data->completed_us, TIME_NONE);
    batch_free(&batch);
}

Test(inbox, what_is_missing_is_made_up_for)
{
    struct batch batch = {0};
    const struct message *m = parse(&batch, "{}");

    cr_assert_null(m->damaged);
    cr_assert_eq(m->flags, MESSAGE_NO_TIME);
    assert_span(m->id, "file:1770882534-pm-x.json");
    cr_assert_null(m->from.at);
    assert_span(m->to, "task-managers");
    assert_span(m->type, "message");
    assert_span(m->subject, "");
    cr_assert_null(m->thread.at);
    cr_assert_null(m->reply_to.at);
    cr_assert_eq(m->priority, PRIORITY_NORMAL);
    cr_assert_eq(m->created_us, 1770882534 * SECOND_US);
    cr_assert_not(m->requires_response);
    assert_span(m->data->body, "");
    batch_free(&batch);
}

Test(inbox, only_what_was_asked_for_is_kept)
{
    struct batch batch = {0};
    struct mail_file file = {
        .place = &pending, .name = span_of("x.json"), .bytes = span_of("{\"content\":{\"a\":1}}")};
    struct err err;

    cr_assert(inbox_format.parse(&file, WANT_HEAD, &batch, &err));
    cr_assert(inbox_format.parse(&file, WANT_DATA, &batch, &err));
    cr_assert(inbox_format.parse(&file, WANT_BODY, &batch, &err));
    cr_assert_null(batch.items[0].data);
    assert_span(batch.items[1].data->payload, "{\"a\":1}");
    cr_assert_null(batch.items[1].data->body.at);
    assert_span(batch.items[2].data->body, "{\n  \"a\": 1\n}");
    batch_free(&batch);
}

Test(inbox, what_lies_in_the_archive_is_archived)
{
    struct place archive = pending;
    struct batch batch = {0};
    struct mail_file file = {.place = &archive, .name = span_of("x"), .bytes = span_of(full)};
    struct err err;

    archive.archived = true;
    cr_assert(inbox_format.parse(&file, WANT_HEAD, &batch, &err));
    cr_assert_eq(batch.items[0].status, STATUS_ARCHIVED);
    batch_free(&batch);
}

/* Odd kinds of values, in the order of: null, false, true, 7, "x", [1], {}. */
Test(inbox, no_kind_of_value_makes_a_message_unreadable)
{
    static const char *const kinds[] = {"null", "false", "true", "7", "\"x\"", "[1]", "{}"};
    static const char *const odd[INBOX_KEY_COUNT] = {
        [INBOX_ID] = ".OOO.OO",       [INBOX_TIME] = ".OOO.OO",     [INBOX_FROM] = ".OOO.OO",
        [INBOX_TO] = ".OOO.OO",       [INBOX_TYPE] = ".OOO.OO",     [INBOX_SUBJECT] = ".OOO.OO",
        [INBOX_CONTENT] = ".OOO.O.",  [INBOX_THREAD] = ".OOO.OO",   [INBOX_PRIORITY] = ".OOO.OO",
        [INBOX_RESPONSE] = "...OOOO", [INBOX_REPLY_TO] = ".OOO.OO", [INBOX_MESSAGE] = ".OOO.O.",
        [INBOX_BODY] = ".OOO.O."};

    for (enum inbox_key key = 0; key < INBOX_KEY_COUNT; key++) {
        for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
            struct batch batch = {0};
            const struct message *m = parse_value(&batch, key, kinds[kind]);
            cr_assert_null(m->damaged);
            cr_assert_eq((m->flags & MESSAGE_ODD_TYPE) != 0, odd[key][kind] == 'O', "%s %s",
                         inbox_keys[key], kinds[kind]);
            batch_free(&batch);
        }
    }
}

Test(inbox, numbers_serve_as_texts)
{
    struct batch batch = {0};

    assert_span(parse_value(&batch, INBOX_ID, "12345678901234567890")->id, "12345678901234567890");
    assert_span(parse_value(&batch, INBOX_REPLY_TO, "1.0")->reply_to, "1.0");
    assert_span(parse_value(&batch, INBOX_THREAD, "7")->thread, "7");
    assert_span(parse_value(&batch, INBOX_SUBJECT, "42")->subject, "42");
    assert_span(parse_value(&batch, INBOX_ID, "\"\"")->id, "file:1770882534-pm-x.json");
    assert_span(parse_value(&batch, INBOX_ID, "{}")->id, "file:1770882534-pm-x.json");
    batch_free(&batch);
}

Test(inbox, times_of_every_form_are_understood)
{
    static const struct {
        const char *raw;
        int64_t us;
    } cases[] = {{"\"2026-02-12T08:02:18Z\"", 1770883338 * SECOND_US},
                 {"\"2026-02-12T08:02:18.250Z\"", 1770883338 * SECOND_US + 250000},
                 {"\"2026-02-12T03:02:18-05:00\"", 1770883338 * SECOND_US},
                 {"\"2026-02-12T13:32:18+05:30\"", 1770883338 * SECOND_US},
                 {"\"2026-02-12 09:45 EST\"", 1770907500 * SECOND_US},
                 {"\" 2026-02-12T09:02:18 \"", 1770883338 * SECOND_US},
                 {"\"1770883338\"", 1770883338 * SECOND_US},
                 {"\"1770883338250\"", 1770883338 * SECOND_US + 250000},
                 {"1770883338", 1770883338 * SECOND_US},
                 {"1770883338.25", 1770883338 * SECOND_US + 250000},
                 {"1770883338250", 1770883338 * SECOND_US + 250000},
                 {"1770883338250000", 1770883338 * SECOND_US + 250000},
                 {"1.770883338e9", 1770883338 * SECOND_US},
                 {"\"20260212\"", 1770850800 * SECOND_US}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch batch = {0};
        const struct message *m = parse_value(&batch, INBOX_TIME, cases[i].raw);
        cr_assert_eq(m->created_us, cases[i].us, "%s: %lld", cases[i].raw,
                     (long long)m->created_us);
        cr_assert_not(m->flags & MESSAGE_NO_TIME);
        batch_free(&batch);
    }
}

Test(inbox, without_a_time_the_name_decides_and_then_the_file)
{
    static const char *const times[] = {
        "\"$(date -Iseconds)\"", "\"\"",      "null", "true", "\"soon\"", "1e999", "-1", "7",
        "\"20260212094500\"",    "20260212.5"};
    static const struct {
        const char *name;
        int64_t seconds;
    } names[] = {{"1770882534-pm-x.json", 1770882534}, {"1770882534.json", 1770882534},
                 {"1770882534", 1770882534},           {"17708825340-x.json", MTIME_S},
                 {"177088253-x.json", MTIME_S},        {"$(date +%s)-x.json", MTIME_S},
                 {"0000000001-x.json", MTIME_S},       {"x-1770882534.json", MTIME_S}};

    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            struct str text = {0};
            struct batch batch = {0};
            str_addf(&text, "{\"timestamp\": %s}", times[i]);
            const struct message *m = parse_named(&batch, names[k].name, str_c(&text));
            cr_assert_eq(m->created_us, names[k].seconds * SECOND_US, "%s %s", times[i],
                         names[k].name);
            cr_assert(m->flags & MESSAGE_NO_TIME);
            str_free(&text);
            batch_free(&batch);
        }
    }
}

Test(inbox, words_for_priorities_are_understood)
{
    static const struct {
        const char *raw;
        enum priority priority;
    } cases[] = {{"\"urgent\"", PRIORITY_URGENT},     {"\"URGENT\"", PRIORITY_URGENT},
                 {"\"Critical\"", PRIORITY_URGENT},   {"\"P0\"", PRIORITY_URGENT},
                 {"\"p0-blocker\"", PRIORITY_URGENT}, {"\"P1-CRITICAL\"", PRIORITY_URGENT},
                 {"\"P1\"", PRIORITY_NORMAL},         {"\"p\"", PRIORITY_NORMAL},
                 {"\"High\"", PRIORITY_HIGH},         {"\" low \"", PRIORITY_LOW},
                 {"\"completed\"", PRIORITY_NORMAL},  {"\"normal\"", PRIORITY_NORMAL},
                 {"\"\"", PRIORITY_NORMAL},           {"1", PRIORITY_NORMAL},
                 {"\"highest\"", PRIORITY_NORMAL},    {"\"urgent\\u0000\"", PRIORITY_NORMAL}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch batch = {0};
        cr_assert_eq(parse_value(&batch, INBOX_PRIORITY, cases[i].raw)->priority, cases[i].priority,
                     "%s", cases[i].raw);
        batch_free(&batch);
    }
}

Test(inbox, only_true_asks_for_a_response)
{
    struct batch batch = {0};

    cr_assert(parse_value(&batch, INBOX_RESPONSE, "true")->requires_response);
    cr_assert_not(parse_value(&batch, INBOX_RESPONSE, "false")->requires_response);
    cr_assert_not(parse_value(&batch, INBOX_RESPONSE, "\"true\"")->requires_response);
    batch_free(&batch);
}

Test(inbox, a_type_that_is_not_given_is_told_by_what_it_answers)
{
    struct batch batch = {0};

    assert_span(parse(&batch, "{\"replyTo\":\"a\"}")->type, "reply");
    assert_span(parse(&batch, "{\"replyTo\":\"\"}")->type, "message");
    cr_assert_null(parse(&batch, "{\"replyTo\":\"\"}")->reply_to.at);
    assert_span(parse(&batch, "{\"replyTo\":\"a\",\"type\":\"\"}")->type, "reply");
    assert_span(parse(&batch, "{\"replyTo\":\"a\",\"type\":\"result\"}")->type, "result");
    batch_free(&batch);
}

Test(inbox, the_text_is_found_wherever_it_is)
{
    static const struct {
        const char *text, *body;
    } cases[] = {
        {"{\"content\":\"c\",\"message\":\"m\",\"body\":\"b\"}", "c"},
        {"{\"message\":\"m\",\"body\":\"b\"}", "m"},
        {"{\"content\":null,\"body\":\"b\"}", "b"},
        {"{\"content\":[1,\"\\u00e9\"]}", "[\n  1,\n  \"\xc3\xa9\"\n]"},
        {"{\"content\":1.0}", "1.0"},
        {"{\"content\":{}}", "{}"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch batch = {0};
        assert_span(parse(&batch, cases[i].text)->data->body, cases[i].body);
        batch_free(&batch);
    }
}

Test(inbox, an_object_as_content_is_printed_and_kept_as_it_is)
{
    struct batch batch = {0};
    const char *text = "{\"type\":\"x\",\"content\":{ \"b\":12345678901234567890,"
                       "\"a\":{\"t\":\"\\u00e9\\n\"} ,\"b\":[]}}";
    const struct message *m = parse(&batch, text);

    assert_span(m->data->payload,
                "{ \"b\":12345678901234567890,\"a\":{\"t\":\"\\u00e9\\n\"} ,\"b\":[]}");
    assert_span(m->data->body, "{\n  \"b\": 12345678901234567890,\n  \"a\": {\n"
                               "    \"t\": \"\xc3\xa9\\n\"\n  },\n  \"b\": []\n}");
    cr_assert_null(m->data->context.at);
    m = parse(&batch, "{\"type\":\"handoff\",\"content\":{\"notes\":\"n\"}}");
    assert_span(m->data->payload, "{\"notes\":\"n\"}");
    assert_span(m->data->context, "{\"notes\":\"n\"}");
    m = parse(&batch, "{\"type\":\"handoff\",\"content\":\"text\"}");
    cr_assert_null(m->data->context.at);
    batch_free(&batch);
}

Test(inbox, without_a_subject_the_text_starts_with_one)
{
    struct batch batch = {0};

    assert_span(parse(&batch, "{\"content\":\"\\n First \\r\\nmore\"}")->subject, "First");
    assert_span(parse(&batch, "{\"subject\":\"S\",\"content\":\"x\"}")->subject, "S");
    assert_span(parse(&batch, "{\"content\":{\"a\":1}}")->subject, "");
    batch_free(&batch);
}

Test(inbox, the_last_of_equal_keys_counts)
{
    struct batch batch = {0};
    const struct message *m =
        parse(&batch, "{\"id\":\"a\",\"from\":\"x\",\"\\u0069d\":\"b\",\"x\":1,\"x\":2,"
                      "\"timestamp\":\"2026-02-12T08:02:18Z\"}");

    assert_span(m->id, "b");
    cr_assert_eq(m->flags, MESSAGE_EQUAL_KEYS);
    batch_free(&batch);
}

Test(inbox, odd_bytes_are_flagged)
{
    struct batch batch = {0};

    cr_assert(parse_value(&batch, INBOX_SUBJECT, "\"\xff\"")->flags & MESSAGE_NOT_UTF8);
    cr_assert(parse(&batch, "\xef\xbb\xbf{}")->flags & MESSAGE_BYTE_MARK);
    batch_free(&batch);
}

Test(inbox, what_is_no_object_is_damaged_or_refused)
{
    static const char *const bad[] = {"",
                                      "7",
                                      "\"x\"",
                                      "{\"a\": $(date)}",
                                      "{\"a\":NaN}",
                                      "{} trailing",
                                      "{\"a\": \"say \"hi\"\"}"};
    struct batch batch = {0};
    const struct message *m = parse(&batch, "[{\"id\":\"a\"}]");

    cr_assert_str_eq(m->damaged, "it is a JSON array, not an object");
    assert_span(m->id, "file:1770882534-pm-x.json");
    cr_assert_eq(m->created_us, 1770882534 * SECOND_US);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct mail_file file = {
            .place = &pending, .name = span_of("x.json"), .bytes = span_of(bad[i])};
        struct err err = {0};
        cr_assert_not(inbox_format.parse(&file, WHOLE, &batch, &err), "%s", bad[i]);
        cr_assert(err.text[0]);
    }
    cr_assert_eq(batch.count, 1);
    batch_free(&batch);
}

Test(inbox, a_file_cut_anywhere_is_never_taken_for_whole)
{
    struct batch batch = {0};

    for (size_t len = 0; len < sizeof full - 1; len++) {
        struct str cut = {0};
        struct err err = {0};
        str_add(&cut, full, len);
        struct mail_file file = {
            .place = &pending, .name = span_of("x.json"), .bytes = str_span(&cut)};
        cr_assert_not(inbox_format.parse(&file, WHOLE, &batch, &err), "%zu bytes", len);
        str_free(&cut);
    }
    cr_assert_eq(batch.count, 0);
    batch_free(&batch);
}
