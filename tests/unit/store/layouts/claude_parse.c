/* Tests reading the Claude layout: entries, ids, and oddities. */
#include "claude_support.h"

#define HEAD "[{\"from\":\"ann\",\"text\":\"hello\""
#define TIMED HEAD ",\"timestamp\":\"" SENT "\""

Test(claude_parse, every_field_is_parsed)
{
    struct batch batch = {0};
    const struct message *m =
        read_text(&batch, "[\n  {\n    \"from\": \"ann\",\n    \"text\": \"H\\u00e9llo\\nMore\",\n"
                          "    \"summary\": \"A greeting\",\n    \"timestamp\": \"" SENT "\",\n"
                          "    \"color\": \"blue\",\n    \"read\": true\n  }\n]");

    cr_assert_eq(batch.count, 1);
    cr_assert_null(m->damaged, "%s", m->damaged);
    cr_assert_eq(m->flags, 0);
    cr_assert_eq(m->place, &inbox_place);
    assert_span(m->file, "bob.json");
    assert_span(m->from, "ann");
    assert_span(m->to, "bob");
    assert_span(m->type, "message");
    assert_span(m->subject, "A greeting");
    cr_assert(!m->thread.at && !m->reply_to.at);
    cr_assert_eq(m->priority, PRIORITY_NORMAL);
    cr_assert_eq(m->status, STATUS_READ);
    cr_assert_eq(m->created_us, SENT_US);
    cr_assert_eq(m->expires_us, TIME_NONE);
    cr_assert_not(m->requires_response);
    assert_span(m->data->body, "H\xc3\xa9llo\nMore");
    assert_span(m->data->summary, "A greeting");
    assert_span(m->data->color, "blue");
    cr_assert(!m->data->payload.at && !m->data->protocol.at && !m->data->body_is_payload);
    cr_assert(m->data->read_us == TIME_NONE && m->data->completed_us == TIME_NONE);
    cr_assert_eq(m->raw_at, 4, "behind the bracket and the indentation");
    batch_free(&batch);
}

Test(claude_parse, a_message_knows_its_part_of_the_file)
{
    static const char one[] = "{\"from\":\"a\",\"text\":\"x\"}",
                      two[] = "{\"text\":\"y\" , \"from\":\"b\"}";
    struct str text = {0};
    struct batch batch = {0};

    str_addf(&text, "[ %s,\n%s ]\n", one, two);
    read_text(&batch, str_c(&text));
    cr_assert_eq(batch.count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_span(((struct span){text.at + batch.items[i].raw_at, batch.items[i].raw_len}),
                    i ? two : one);
    str_free(&text);
    batch_free(&batch);
}

Test(claude_parse, only_what_was_asked_for_is_kept)
{
    struct batch batch = {0};
    struct err err;
    struct span text = span_of(TIMED ",\"color\":\"red\"}]");

    cr_assert(read_inbox(&batch, text, WANT_HEAD, &err));
    cr_assert_null(batch.items[0].data);
    cr_assert(read_inbox(&batch, text, WANT_DATA, &err));
    assert_span(batch.items[1].data->color, "red");
    cr_assert_null(batch.items[1].data->body.at);
    cr_assert(read_inbox(&batch, text, WANT_BODY, &err));
    assert_span(batch.items[2].data->body, "hello");
    batch_free(&batch);
}

Test(claude_parse, the_subject_is_the_summary_the_first_line_or_the_protocols)
{
    static const struct {
        const char *rest, *subject;
    } cases[] = {{"\"text\":\"one\\ntwo\",\"summary\":\"three\"", "three"},
                 {"\"text\":\"one\\ntwo\",\"summary\":\"  \"", "one"},
                 {"\"text\":\"one\\ntwo\"", "one"},
                 {"\"text\":\"\\n  one\\ntwo\"", "one"},
                 {"\"text\":\"one\",\"summary\":7", "one"},
                 {"\"text\":\"{\\\"type\\\":\\\"idle_notification\\\",\\\"from\\\":\\\"a\\\"}\","
                  "\"summary\":\"three\"",
                  "three"},
                 {"\"text\":\"\"", ""}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str text = {0};
        struct batch batch = {0};
        str_addf(&text, "[{\"from\":\"a\",%s}]", cases[i].rest);
        assert_span(read_text(&batch, str_c(&text))->subject, cases[i].subject);
        str_free(&text);
        batch_free(&batch);
    }
}

Test(claude_parse, a_protocol_request_wants_an_answer_and_starts_a_thread)
{
    struct batch batch = {0};
    const struct message *m = read_text(
        &batch, "[{\"from\":\"a\",\"text\":\" {\\\"type\\\":\\\"plan_approval_request\\\","
                "\\\"from\\\":\\\"a\\\",\\\"timestamp\\\":\\\"t\\\",\\\"planFilePath\\\":\\\"p\\\","
                "\\\"planContent\\\":\\\"c\\\",\\\"requestId\\\":\\\"plan-1\\\"}\"}]");

    assert_span(m->type, "plan_approval_request");
    cr_assert(m->requires_response);
    assert_span(m->thread, "plan-1");
    cr_assert_null(m->reply_to.at);
    cr_assert(m->subject.len && m->subject.at[0] != '{', "%s", m->subject.at);
    assert_span(m->data->protocol,
                "{\"type\":\"plan_approval_request\",\"from\":\"a\",\"timestamp\":\"t\","
                "\"planFilePath\":\"p\",\"planContent\":\"c\",\"requestId\":\"plan-1\"}");
    cr_assert(span_eq(m->data->payload, m->data->protocol) && m->data->body_is_payload);
    m = read_text(&batch,
                  "[{\"from\":\"a\",\"text\":\"{\\\"type\\\":\\\"plan_approval_response\\\","
                  "\\\"requestId\\\":\\\"plan-1\\\",\\\"approved\\\":true}\"}]");
    cr_assert_not(m->requires_response);
    assert_span(m->thread, "plan-1");
    assert_span(m->reply_to, "plan-1");
    m = read_text(&batch, "[{\"from\":\"a\",\"text\":\"{\\\"type\\\":\\\"new_thing\\\"}\"}]");
    assert_span(m->type, "new_thing");
    cr_assert(!m->thread.at && !m->damaged);
    m = read_text(&batch, "[{\"from\":\"a\",\"text\":\"{\\\"type\\\":7}\"}]");
    assert_span(m->type, "message");
    cr_assert_null(m->data->protocol.at);
    batch_free(&batch);
}

/* --- ids: the digests were computed with Python's hashlib over from, timestamp and text --- */

static void expect_id(const char *text, const char *id)
{
    struct batch batch = {0};

    assert_span(read_text(&batch, text)->id, id);
    batch_free(&batch);
}

Test(claude_parse, an_id_is_taken_where_one_is_given)
{
    expect_id(TIMED ",\"msg_id\":\"m1\"}]", "m1");
    expect_id(TIMED ",\"messageId\":\"m2\"}]", "m2");
    expect_id(TIMED ",\"message_id\":\"m3\"}]", "m3");
    expect_id(TIMED ",\"message_id\":\"m3\",\"messageId\":\"m2\",\"msg_id\":\"m1\"}]", "m1");
    expect_id(TIMED ",\"message_id\":\"m3\",\"messageId\":\"m2\"}]", "m2");
    expect_id(TIMED ",\"msg_id\":7,\"messageId\":null,\"message_id\":\"m3\"}]", "m3");
    expect_id(TIMED ",\"msg_id\":\"\"}]", "inbox-b963e6eec1e09a26");
    expect_id(TIMED ",\"MSG_ID\":\"no\",\"id\":\"no\"}]", "inbox-b963e6eec1e09a26");
}

Test(claude_parse, an_id_is_derived_from_sender_time_and_text)
{
    expect_id(TIMED ",\"read\":true,\"summary\":\"s\"}]", "inbox-b963e6eec1e09a26");
    expect_id("[{\"timestamp\":\"" SENT "\",\"text\":\"hell\\u006f\",\"from\":\"ann\"}]",
              "inbox-b963e6eec1e09a26");
    expect_id("[{\"from\":\"zo\xc3\xa9\",\"timestamp\":\"" SENT "\",\"text\":\"\xc3\xbc"
              "ber\\n\\\"x\\\"\"}]",
              "inbox-e88748be65f42033");
    expect_id("[{\"from\":\"\",\"timestamp\":\"\",\"text\":\"\"}]", "inbox-75a11da44c802486");
    expect_id(HEAD "}]", "inbox-6a3dba13fba83f3c");
    expect_id("[{\"from\":\"ann\",\"text\":\"\",\"timestamp\":\"" SENT "\"}]",
              "inbox-31f7315eb87025d0");
    expect_id("[{\"from\":\"ann\",\"content\":\"from content\",\"timestamp\":\"" SENT "\"}]",
              "inbox-022da6c168fea6e2");
}

static void expect_ids(const char *text, const char *const *ids, size_t count)
{
    struct batch batch = {0};

    read_text(&batch, text);
    cr_assert_eq(batch.count, count);
    for (size_t i = 0; i < count; i++)
        assert_span(batch.items[i].id, ids[i]);
    batch_free(&batch);
}

Test(claude_parse, equal_entries_are_told_apart_by_their_number)
{
#define SAME "{\"from\":\"ann\",\"text\":\"hello\",\"timestamp\":\"" SENT "\"}"
#define TAKEN "{\"from\":\"x\",\"text\":\"y\",\"msg_id\":\"inbox-b963e6eec1e09a26-2\"}"
    expect_ids("[" SAME "," SAME "," SAME "]",
               (const char *const[]){"inbox-b963e6eec1e09a26", "inbox-b963e6eec1e09a26-2",
                                     "inbox-b963e6eec1e09a26-3"},
               3);
    expect_ids("[" TAKEN "," SAME "," SAME "]",
               (const char *const[]){"inbox-b963e6eec1e09a26-2", "inbox-b963e6eec1e09a26",
                                     "inbox-b963e6eec1e09a26-3"},
               3);
    expect_ids("[{\"from\":\"a\",\"text\":\"b\",\"msg_id\":\"m\"},"
               "{\"from\":\"c\",\"text\":\"d\",\"messageId\":\"m\"}]",
               (const char *const[]){"m", "m-2"}, 2);
}

Test(claude_parse, ids_stay_when_an_entry_is_added_or_marked)
{
    static const char box[] = "[" SAME "," SAME ",{\"from\":\"b\",\"text\":\"c\"}]";
    static struct span id = {"inbox-b963e6eec1e09a26", 22};
    const struct span_list ids = {.items = &id, .count = 1};
    const struct change change = {.status = STATUS_READ, .ids = &ids};
    struct str added = {0}, marked = {0};
    struct batch before = {0}, after = {0};
    struct appended result;
    struct err err;

    cr_assert(
        claude_format.append(span_of(box), span_of(SAME), span_of(UUID), &added, &result, &err));
    cr_assert(claude_format.edit(str_span(&added), &change, &marked, &err), "%s", err.text);
    read_text(&before, box);
    read_text(&after, str_c(&marked));
    cr_assert_eq(after.count, before.count + 1);
    for (size_t i = 0; i < before.count; i++)
        cr_assert(span_eq(before.items[i].id, after.items[i].id), "%zu", i);
    assert_span(after.items[3].id, "inbox-b963e6eec1e09a26-3");
    cr_assert_eq(after.items[0].status, STATUS_READ);
    cr_assert_eq(after.items[1].status, STATUS_UNREAD);
    batch_free(&before);
    batch_free(&after);
    str_free(&added);
    str_free(&marked);
}

/* --- oddities --- */

Test(claude_parse, read_is_what_javascript_takes_for_true)
{
    static const struct {
        const char *raw;
        bool read, odd;
    } cases[] = {{"true", true, false}, {"false", false, false}, {"null", false, true},
                 {"0", false, true},    {"-0", false, true},     {"0.0e5", false, true},
                 {"1", true, true},     {"-1", true, true},      {"1e999", true, true},
                 {"\"\"", false, true}, {"\"0\"", true, true},   {"\"false\"", true, true},
                 {"[]", true, true},    {"{}", true, true},      {"0.5", true, true}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str text = {0};
        struct batch batch = {0};
        str_addf(&text, TIMED ",\"read\":%s}]", cases[i].raw);
        const struct message *m = read_text(&batch, str_c(&text));
        cr_assert_null(m->damaged);
        cr_assert_eq(m->status, cases[i].read ? STATUS_READ : STATUS_UNREAD, "%s", cases[i].raw);
        cr_assert_eq(m->flags, cases[i].odd ? MESSAGE_ODD_TYPE : 0, "%s", cases[i].raw);
        str_free(&text);
        batch_free(&batch);
    }
    struct batch batch = {0};
    const struct message *m = read_text(&batch, TIMED "}]");
    cr_assert(m->status == STATUS_UNREAD && m->flags == 0, "without the key it is unread");
    batch_free(&batch);
}

Test(claude_parse, each_kind_of_value_of_each_key_is_judged)
{
    static const char *const kinds[] = {NULL, "null", "false", "7", "\"x\"", "[1]", "{\"a\":1}"};
    static const struct {
        const char *key, *verdicts; /* D damaged, O odd, T odd without a time, N no time */
    } keys[] = {{"from", "DDDD.DD"},
                {"text", "DDDD.DD"},
                {"timestamp", "NTTONTT"},
                {"summary", ".OOO.OO"},
                {"color", ".OOO.OO"}};
    static const char *const good[] = {"\"ann\"", "\"hello\"", "\"" SENT "\"", "\"s\"", "\"red\""};

    for (size_t key = 0; key < 5; key++) {
        for (size_t kind = 0; kind < 7; kind++) {
            struct str text = {0};
            struct batch batch = {0};
            str_puts(&text, "[{\"read\":false");
            for (size_t i = 0; i < 5; i++) {
                const char *value = i == key ? kinds[kind] : good[i];
                if (value)
                    str_addf(&text, ",\"%s\":%s", keys[i].key, value);
            }
            str_puts(&text, "}]");
            const struct message *m = read_text(&batch, str_c(&text));
            char verdict = keys[key].verdicts[kind];
            cr_assert_eq(m->damaged != NULL, verdict == 'D', "%s", str_c(&text));
            if (verdict == 'D') {
                cr_assert_not_null(strstr(m->damaged, keys[key].key), "%s", m->damaged);
                assert_span(m->id, "bob#1");
                cr_assert_eq(m->status, STATUS_NONE);
                cr_assert_eq(m->raw_len, text.len - 2, "its bytes can be shown");
            } else {
                unsigned flags = verdict == 'O'   ? MESSAGE_ODD_TYPE
                                 : verdict == 'T' ? MESSAGE_ODD_TYPE | MESSAGE_NO_TIME
                                 : verdict == 'N' ? MESSAGE_NO_TIME
                                                  : 0;
                cr_assert_eq(m->flags, flags, "%s", str_c(&text));
            }
            str_free(&text);
            batch_free(&batch);
        }
    }
}

Test(claude_parse, content_stands_for_a_text_that_is_missing)
{
    struct batch batch = {0};
    const struct message *m = read_text(&batch, "[{\"from\":\"a\",\"content\":\"c\"}]");

    cr_assert_null(m->damaged);
    assert_span(m->data->body, "c");
    assert_span(m->subject, "c");
    m = read_text(&batch, "[{\"from\":\"a\",\"content\":\"c\",\"text\":\"t\"}]");
    assert_span(m->data->body, "t");
    m = read_text(&batch, "[{\"from\":\"a\",\"content\":\"c\",\"text\":\"\"}]");
    assert_span(m->data->body, "");
    cr_assert_not_null(read_text(&batch, "[{\"from\":\"a\",\"content\":7}]")->damaged);
    cr_assert_not_null(
        read_text(&batch, "[{\"from\":\"a\",\"content\":\"c\",\"text\":7}]")->damaged);
    batch_free(&batch);
}

Test(claude_parse, times_are_iso_or_milliseconds)
{
    static const struct {
        const char *raw;
        int64_t want;
    } cases[] = {{"\"" SENT "\"", SENT_US},
                 {"\"2026-02-07T15:35:15Z\"", SENT_US - 573000},
                 {"\"2026-02-07T16:35:15.573+01:00\"", SENT_US},
                 {"1770478515573", SENT_US},
                 {"1770478515573.0", SENT_US},
                 {"1.770478515573e12", SENT_US},
                 {"0", TIME_NONE},
                 {"-5", TIME_NONE},
                 {"1e300", TIME_NONE},
                 {"\"yesterday\"", TIME_NONE}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str text = {0};
        struct batch batch = {0};
        str_addf(&text, HEAD ",\"timestamp\":%s}]", cases[i].raw);
        const struct message *m = read_text(&batch, str_c(&text));
        cr_assert_null(m->damaged);
        cr_assert_eq(m->created_us, cases[i].want, "%s", cases[i].raw);
        cr_assert_eq((m->flags & MESSAGE_NO_TIME) != 0, cases[i].want == TIME_NONE);
        str_free(&text);
        batch_free(&batch);
    }
}

Test(claude_parse, an_entry_without_a_time_has_that_of_the_one_before)
{
    struct batch batch = {0};

    read_text(&batch, "[{\"from\":\"a\",\"text\":\"0\"},"
                      "{\"from\":\"a\",\"text\":\"1\",\"timestamp\":\"" SENT "\"},"
                      "{\"from\":\"a\",\"text\":\"2\"},7,{\"from\":\"a\",\"text\":\"3\"}]");
    cr_assert_eq(batch.count, 5);
    cr_assert_eq(batch.items[0].created_us, TIME_NONE);
    cr_assert_eq(batch.items[1].flags, 0);
    for (size_t i = 1; i < 5; i++)
        cr_assert_eq(batch.items[i].created_us, SENT_US, "%zu", i);
    cr_assert_eq(batch.items[4].flags, MESSAGE_NO_TIME);
    batch_free(&batch);
}

Test(claude_parse, entries_that_are_no_objects_are_damaged_where_they_stand)
{
    struct batch batch = {0};

    read_text(&batch, "[null,{\"from\":\"a\",\"text\":\"b\"},[[]],\"x\",1,true,{}]");
    cr_assert_eq(batch.count, 7);
    for (size_t i = 0; i < 7; i++) {
        cr_assert_eq(batch.items[i].damaged != NULL, i != 1, "%zu", i);
        assert_span(batch.items[i].to, "bob");
    }
    assert_span(batch.items[0].id, "bob#1");
    assert_span(batch.items[2].id, "bob#3");
    assert_span(batch.items[6].id, "bob#7");
    batch_free(&batch);
}

Test(claude_parse, of_equal_keys_the_last_one_counts)
{
    struct batch batch = {0};
    const struct message *m =
        read_text(&batch, "[{\"from\":\"a\",\"text\":\"b\",\"fr\\u006fm\":\"c\",\"read\":true,"
                          "\"read\":false,\"timestamp\":\"" SENT "\"}]");

    assert_span(m->from, "c");
    cr_assert_eq(m->status, STATUS_UNREAD);
    cr_assert_eq(m->flags, MESSAGE_EQUAL_KEYS);
    batch_free(&batch);
}

Test(claude_parse, bytes_that_are_not_utf8_are_flagged)
{
    struct batch batch = {0};

    cr_assert_eq(
        read_text(&batch, "[{\"from\":\"a\",\"text\":\"\xff\",\"timestamp\":\"" SENT "\"}]")->flags,
        MESSAGE_NOT_UTF8);
    cr_assert_eq(
        read_text(&batch, "[{\"from\":\"a\",\"text\":\"\xc3\xa9\",\"timestamp\":\"" SENT "\"}]")
            ->flags,
        0);
    batch_free(&batch);
}
