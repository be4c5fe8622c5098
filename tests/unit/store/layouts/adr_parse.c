/* Tests reading the ADR-003 layout: each key and kind of value, dates, odd bytes and damage. */
#include "adr_support.h"

TestSuite(adr, .init = use_zone_east);

Test(adr, every_field_is_parsed)
{
    struct batch batch = {0};
    const struct message *m = parse_with(&batch, KEY_ID, good[KEY_ID]);

    cr_assert_null(m->damaged, "%s", m->damaged);
    cr_assert_eq(m->flags, 0);
    cr_assert_eq(m->place, &place);
    assert_span(m->file, "MSG-0123456789ab.json");
    assert_span(m->id, "MSG-0123456789ab");
    assert_span(m->from, "architect");
    assert_span(m->to, "implementer");
    assert_span(m->type, "handoff");
    assert_span(m->subject, "Sub\xc3\xa9");
    assert_span(m->thread, "MSG-t");
    assert_span(m->reply_to, "MSG-r");
    cr_assert_eq(m->priority, PRIORITY_HIGH);
    cr_assert_eq(m->status, STATUS_COMPLETED);
    cr_assert_eq(m->created_us, SENT_US);
    cr_assert_eq(m->expires_us, LATER_US);
    cr_assert(m->requires_response);
    assert_span(m->data->body, "Bo\ndy");
    assert_span(m->data->swarm, "dev");
    assert_span(m->data->payload, "{\"p\": 1.0}");
    assert_span(m->data->context, "{\"c\": NaN}");
    assert_span(m->data->attachments, "[\"a.c\"]");
    assert_span(m->data->tags, "[\"t\"]");
    cr_assert_eq(m->data->read_us, SENT_US + 332102);
    cr_assert_eq(m->data->completed_us, SENT_US + 1332102);
    cr_assert_null(m->data->protocol.at);
    batch_free(&batch);
}

Test(adr, only_what_was_asked_for_is_kept)
{
    struct str text = make_with(KEY_ID, good[KEY_ID]);
    struct batch batch = {0};

    cr_assert_null(parse_named(&batch, "MSG-1.json", str_span(&text), WANT_HEAD)->data);
    const struct message *m = parse_named(&batch, "MSG-1.json", str_span(&text), WANT_DATA);
    cr_assert_not_null(m->data->payload.at);
    cr_assert_null(m->data->body.at);
    m = parse_named(&batch, "MSG-1.json", str_span(&text), WANT_BODY);
    assert_span(m->data->body, "Bo\ndy");
    str_free(&text);
    batch_free(&batch);
}

/* The kinds of values, in the order of the verdicts. */
static const char *const kinds[] = {NULL, "null", "false", "true", "7", "\"x\"", "[1]", "{}"};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static const struct {
    char letter;
    const char *reason;
} reasons[] = {{'M', "is missing"},       {'S', "is not a string"},
               {'T', "none of the five"}, {'P', "is not a number from 1 to 4"},
               {'U', "none of the six"},  {'D', "is not a date and time"}};

/* One letter a kind, '.' if the value is good. */
static const char *const verdicts[KEY_COUNT] = {
    [KEY_ID] = "M.......",      [KEY_FROM] = "M.......",      [KEY_TO] = "M.......",
    [KEY_SWARM] = "........",   [KEY_TYPE] = "MTTTTTTT",      [KEY_SUBJECT] = "M.......",
    [KEY_BODY] = "M.......",    [KEY_PAYLOAD] = "........",   [KEY_PRIORITY] = "MPP.PPPP",
    [KEY_CREATED] = "MSSSSDSS", [KEY_EXPIRES] = "...SSDS.",   [KEY_STATUS] = ".UUUUUUU",
    [KEY_READ] = "...SSDS.",    [KEY_COMPLETED] = "...SSDS.", [KEY_REPLY_TO] = "........",
    [KEY_THREAD] = "........",  [KEY_CONTEXT] = "........",   [KEY_ATTACHMENTS] = "........",
    [KEY_TAGS] = "........"};

static void assert_verdict(const struct message *message, enum adr_key key, size_t kind)
{
    const char *name = adr_fields[key].name, *value = kinds[kind] ? kinds[kind] : "nothing";
    char letter = verdicts[key][kind];
    size_t i = 0;

    if (letter == '.') {
        cr_assert_null(message->damaged, "%s %s: %s", name, value, message->damaged);
        return;
    }
    while (reasons[i].letter != letter)
        i++;
    cr_assert_not_null(message->damaged, "%s may not be %s", name, value);
    cr_assert_not_null(strstr(message->damaged, name), "%s: %s", name, message->damaged);
    cr_assert_not_null(strstr(message->damaged, reasons[i].reason), "%s %s: %s", name, value,
                       message->damaged);
}

Test(adr, a_head_knows_since_when_its_message_is_worked_on)
{
    struct str text = make_with(KEY_STATUS, "\"processing\"");
    struct batch batch = {0};
    const struct message *m = parse_named(&batch, "MSG-1.json", str_span(&text), WANT_HEAD);

    cr_assert_not_null(m->data);
    cr_assert_eq(m->data->read_us, SENT_US + 332102);
    cr_assert_null(m->data->payload.at);
    str_free(&text);
    batch_free(&batch);
}

Test(adr, each_kind_of_value_of_each_key_is_judged)
{
    static const unsigned wants[] = {WANT_HEAD, WANT_DATA, WHOLE};

    for (enum adr_key key = 0; key < KEY_COUNT; key++) {
        for (size_t kind = 0; kind < KIND_COUNT; kind++) {
            struct str text = make_with(key, kinds[kind]);
            for (size_t i = 0; i < 3; i++) { /* a head also has the damage */
                struct batch batch = {0};
                assert_verdict(parse_named(&batch, "MSG-1.json", str_span(&text), wants[i]), key,
                               kind);
                cr_assert_eq(batch.count, 1);
                batch_free(&batch);
            }
            str_free(&text);
        }
    }
}

Test(adr, a_priority_is_what_python_takes_for_one)
{
    static const struct {
        const char *raw;
        int priority; /* 0: damaged */
    } cases[] = {{"1", 1},
                 {"2", 2},
                 {"3", 3},
                 {"4", 4},
                 {"2.0", 2},
                 {"0.4e1", 4},
                 {"3E0", 3},
                 {"true", 1},
                 {"0", 0},
                 {"5", 0},
                 {"-1", 0},
                 {"2.5", 0},
                 {"\"high\"", 0},
                 {"\"2\"", 0},
                 {"null", 0},
                 {"false", 0},
                 {"NaN", 0},
                 {"Infinity", 0},
                 {"-Infinity", 0},
                 {"1e400", 0},
                 {"[2]", 0},
                 {"{}", 0},
                 {"20000000000000000000", 0},
                 {"2.00000000000000000000000000000000000000", 2}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch batch = {0};
        const struct message *m = parse_with(&batch, KEY_PRIORITY, cases[i].raw);
        cr_assert_eq(!m->damaged, cases[i].priority != 0, "%s", cases[i].raw);
        cr_assert_eq(m->priority, cases[i].priority, "%s", cases[i].raw);
        batch_free(&batch);
    }
}

/* Parses a message with that text as the time in the given key. */
static const struct message *parse_time(struct batch *batch, enum adr_key key, const char *text)
{
    struct str raw = {0};

    str_addf(&raw, "\"%s\"", text);
    const struct message *message = parse_with(batch, key, str_c(&raw));
    str_free(&raw);
    return message;
}

static const enum adr_key time_keys[] = {KEY_CREATED, KEY_EXPIRES, KEY_READ, KEY_COMPLETED};

Test(adr, dates_without_a_zone_are_local)
{
    static const struct {
        const char *text;
        int64_t time_us;
    } cases[] = {{"2026-01-04T00:53:21.667898", SENT_US},
                 {"2026-01-04T00:53:21.667", SENT_US - 898},
                 {"2026-01-04T00:53:21", SENT_US - 667898},
                 {"2026-01-04 00:53:21", SENT_US - 667898},
                 {"2026-01-04T00:53", SENT_US - 21667898},
                 {"2026-01-05", LATER_US},
                 {"1969-12-31T23:59:59.999999", -3600000001},
                 {"2024-02-29T00:00:00", INT64_C(1709161200000000)}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch batch = {0};
        const struct message *m = parse_time(&batch, KEY_CREATED, cases[i].text);
        cr_assert_null(m->damaged, "%s: %s", cases[i].text, m->damaged);
        cr_assert_eq(m->created_us, cases[i].time_us, "%s", cases[i].text);
        cr_assert_eq(m->flags, 0, "%s", cases[i].text);
        batch_free(&batch);
    }
}

/* Each date is refused in each of the four keys. */
static void assert_bad_dates(const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 4; k++) {
            struct batch batch = {0};
            const struct message *m = parse_time(&batch, time_keys[k], texts[i]);
            cr_assert_not_null(m->damaged, "%s: \"%s\"", adr_fields[time_keys[k]].name, texts[i]);
            batch_free(&batch);
        }
    }
}

Test(adr, bad_dates_are_damage)
{
    static const char *const texts[] = {"yesterday",
                                        "1767484401",
                                        "2026-02-30",
                                        "2023-02-29",
                                        "2026-1-4",
                                        "2026-01-04T24:00:00",
                                        "2026-01-04T00:53:60",
                                        "2026-01-04T",
                                        "0000-01-01",
                                        "2026-01-04T00:53:21.",
                                        "2026-01-04T00:53:21+24:00",
                                        "2026-01-04T00:53:21 or so",
                                        "2026-01-04T00:53:21\\u0000"};

    assert_bad_dates(texts, sizeof texts / sizeof *texts);
}

Test(adr, dates_that_only_the_agents_loader_refuses_are_damage)
{
    static const char *const texts[] = {" 2026-01-04T00:53:21",   "2026-01-04T00:53:21 ",
                                        "2026-01-04T00:53:21\\n", "2026-01-04T00:53:21z",
                                        "2026-01-04 00:53 EST",   "2026-01-04T00:53:21 UTC",
                                        "2026-01-04T00:53:21+05:"};

    assert_bad_dates(texts, sizeof texts / sizeof *texts);
}

Test(adr, times_with_a_zone_are_read_and_flagged)
{
    static const char *const texts[] = {"2026-01-03T23:53:21.667898Z",
                                        "2026-01-04T00:53:21.667898+01:00",
                                        "2026-01-03T15:53:21.667898-0800"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t k = 0; k < 4; k++) {
            struct batch batch = {0};
            const struct message *m = parse_time(&batch, time_keys[k], texts[i]);
            const int64_t times[] = {m->created_us, m->expires_us, m->data->read_us,
                                     m->data->completed_us};
            cr_assert_null(m->damaged, "%s", texts[i]);
            cr_assert_eq(times[k], SENT_US, "%s", texts[i]);
            cr_assert_eq(m->flags, MESSAGE_ZONED_TIME);
            batch_free(&batch);
        }
    }
}

Test(adr, odd_bytes_are_flagged_and_read)
{
    struct str plain = make_with(KEY_SUBJECT, "\"x\xff\xc3\""), marked = {0};
    struct batch batch = {0};
    const struct message *m = parse(&batch, str_span(&plain));

    cr_assert_null(m->damaged);
    cr_assert_eq(m->flags, MESSAGE_NOT_UTF8);
    assert_span(m->subject, "x\xff\xc3");
    str_puts(&marked, "\xef\xbb\xbf");
    str_add_span(&marked, str_span(&plain));
    m = parse(&batch, str_span(&marked));
    cr_assert_null(m->damaged);
    cr_assert_eq(m->flags, MESSAGE_NOT_UTF8 | MESSAGE_BYTE_MARK);
    str_free(&plain);
    str_free(&marked);
    batch_free(&batch);
}

Test(adr, of_equal_keys_the_last_one_counts_and_it_is_flagged)
{
    struct batch batch = {0};
    const struct message *m =
        parse_with(&batch, KEY_SUBJECT, "\"first\", \"subj\\u0065ct\": \"second\"");

    cr_assert_null(m->damaged);
    cr_assert_eq(m->flags, MESSAGE_EQUAL_KEYS);
    assert_span(m->subject, "second");
    m = parse_with(&batch, KEY_STATUS, "\"read\", \"x\": 1, \"x\": 2, \"status\": \"gone\"");
    cr_assert_not_null(m->damaged, "the last one is wrong");
    batch_free(&batch);
}

Test(adr, a_missing_id_is_taken_from_the_file_name)
{
    static const char *const values[] = {NULL, "null", "7", "\"\""};

    for (size_t i = 0; i < 4; i++) {
        struct batch batch = {0};
        const struct message *m = parse_with(&batch, KEY_ID, values[i]);
        assert_span(m->id, "MSG-0123456789ab");
        cr_assert_eq(m->damaged != NULL, i == 0);
        batch_free(&batch);
    }
}

Test(adr, a_name_that_the_agents_loader_never_opens_is_damage)
{
    static const char *const names[] = {"msg-1.json", "x.json", "MSG1.json", "copy of MSG-1.json"};
    struct str text = make_with(KEY_ID, good[KEY_ID]);
    struct batch batch = {0};

    for (size_t i = 0; i < 4; i++) {
        const struct message *m = parse_named(&batch, names[i], str_span(&text), WANT_HEAD);
        cr_assert_not_null(m->damaged, "%s", names[i]);
        cr_assert_not_null(strstr(m->damaged, "MSG-"));
        assert_span(m->id, "MSG-0123456789ab");
    }
    str_free(&text);
    batch_free(&batch);
}

Test(adr, a_message_in_the_box_of_another_agent_is_flagged)
{
    struct batch batch = {0};

    cr_assert_eq(parse_with(&batch, KEY_TO, "\"implementer\"")->flags, 0);
    cr_assert_eq(parse_with(&batch, KEY_TO, "\"critic\"")->flags, MESSAGE_STRAY);
    batch_free(&batch);
}

Test(adr, what_cannot_be_parsed_adds_nothing)
{
    static const char *const texts[] = {"",     " ",         "{",     "{\"id\": \"x",
                                        "null", "\"x\"",     "{} {}", "{\"id\": 'x'}",
                                        "[1",   "\xff\xfe{}"};
    struct batch batch = {0};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct mail_file file = {
            .place = &place, .name = span_of("MSG-1.json"), .bytes = span_of(texts[i])};
        struct err err = {0};
        cr_assert_not(adr_format.parse(&file, WHOLE, &batch, &err), "%s", texts[i]);
        cr_assert_str_not_empty(err.text);
        cr_assert_eq(batch.count, 0);
    }
    cr_assert_not_null(parse(&batch, span_of("[]"))->damaged);
    cr_assert_not_null(parse(&batch, span_of("{}"))->damaged);
    cr_assert_eq(batch.count, 2);
    batch_free(&batch);
}

Test(adr, the_type_says_whether_a_response_is_wanted)
{
    static const struct {
        const char *raw;
        bool wants;
    } types[] = {{"\"request\"", true},
                 {"\"response\"", false},
                 {"\"notification\"", false},
                 {"\"handoff\"", true},
                 {"\"escalation\"", true}};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct batch batch = {0};
        const struct message *m = parse_with(&batch, KEY_TYPE, types[i].raw);
        cr_assert_null(m->damaged);
        cr_assert_eq(m->requires_response, types[i].wants, "%s", types[i].raw);
        batch_free(&batch);
    }
}
