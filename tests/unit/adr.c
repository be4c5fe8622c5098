/* Tests of the ADR-003 layout: parsing, composing and editing bytes, without a disk. */
#include "support.h"

#include "base/json.h"
#include "store/adr.h"
#include "store/adr_fields.h"

#include <stdlib.h>
#include <time.h>

/* An hour east of UTC: the layout's times are local, ours are not. */
static void set_zone(void)
{
    setenv("TZ", "CET-1", 1);
    tzset();
}

TestSuite(adr, .init = set_zone);

/* 2026-01-04T00:53:21.667898 and 2026-01-05T00:00:00 in that zone. */
#define SENT_US INT64_C(1767484401667898)
#define LATER_US INT64_C(1767567600000000)

enum { WHOLE = WANT_DATA | WANT_BODY };

static const struct place place = {.box = {"implementer", 11}, .dir = {"implementer/inbox", 17}};

/* A value for each key, all of them good. */
static const char *const good[KEY_COUNT] = {[KEY_ID] = "\"MSG-0123456789ab\"",
                                            [KEY_FROM] = "\"architect\"",
                                            [KEY_TO] = "\"implementer\"",
                                            [KEY_SWARM] = "\"dev\"",
                                            [KEY_TYPE] = "\"handoff\"",
                                            [KEY_SUBJECT] = "\"Sub\\u00e9\"",
                                            [KEY_BODY] = "\"Bo\\ndy\"",
                                            [KEY_PAYLOAD] = "{\"p\": 1.0}",
                                            [KEY_PRIORITY] = "3",
                                            [KEY_CREATED] = "\"2026-01-04T00:53:21.667898\"",
                                            [KEY_EXPIRES] = "\"2026-01-05T00:00:00\"",
                                            [KEY_STATUS] = "\"completed\"",
                                            [KEY_READ] = "\"2026-01-04T00:53:22\"",
                                            [KEY_COMPLETED] = "\"2026-01-04T00:53:23\"",
                                            [KEY_REPLY_TO] = "\"MSG-r\"",
                                            [KEY_THREAD] = "\"MSG-t\"",
                                            [KEY_CONTEXT] = "{\"c\": NaN}",
                                            [KEY_ATTACHMENTS] = "[\"a.c\"]",
                                            [KEY_TAGS] = "[\"t\"]"};

/* The good message with one key set otherwise, or left out (NULL). The caller frees. */
static struct str make_with(enum adr_key key, const char *raw)
{
    struct str text = {0};

    for (enum adr_key i = 0; i < KEY_COUNT; i++) {
        const char *value = i == key ? raw : good[i];
        if (value)
            str_addf(&text, "%s\n  \"%s\": %s", text.len ? "," : "{", adr_fields[i].name, value);
    }
    str_puts(&text, "\n}");
    return text;
}

static struct message *parse_named(struct batch *batch, const char *name, struct span bytes,
                                   unsigned want)
{
    struct mail_file file = {.place = &place, .name = span_of(name), .bytes = bytes};
    struct err err;

    cr_assert(adr_format.parse(&file, want, batch, &err), "%s", err.text);
    return &batch->items[batch->count - 1];
}

static struct message *parse(struct batch *batch, struct span bytes)
{
    return parse_named(batch, "MSG-0123456789ab.json", bytes, WHOLE);
}

static struct message *parse_with(struct batch *batch, enum adr_key key, const char *raw)
{
    struct str text = make_with(key, raw);
    struct message *message = parse(batch, str_span(&text));

    str_free(&text); /* nothing of the message may live in the bytes it was read from */
    return message;
}

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

/* What is said about each kind of value, in this order. */
static const char *const kinds[] = {NULL, "null", "false", "true", "7", "\"x\"", "[1]", "{}"};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static const struct {
    char letter;
    const char *reason;
} reasons[] = {{'M', "is missing"},       {'S', "is not a string"},
               {'O', "is not an object"}, {'A', "is not an array"},
               {'T', "none of the five"}, {'P', "is not a number from 1 to 4"},
               {'U', "none of the six"},  {'D', "is not a date and time"}};

/* One letter a kind, '.' where the value is good. */
static const char *const verdicts[KEY_COUNT] = {
    [KEY_ID] = "MSSSS.SS",      [KEY_FROM] = "MSSSS.SS",      [KEY_TO] = "MSSSS.SS",
    [KEY_SWARM] = "..SSS.SS",   [KEY_TYPE] = "MSSSSTSS",      [KEY_SUBJECT] = "MSSSS.SS",
    [KEY_BODY] = "MSSSS.SS",    [KEY_PAYLOAD] = "..OOOOO.",   [KEY_PRIORITY] = "MPP.PPPP",
    [KEY_CREATED] = "MSSSSDSS", [KEY_EXPIRES] = "..SSSDSS",   [KEY_STATUS] = ".UUUUUUU",
    [KEY_READ] = "..SSSDSS",    [KEY_COMPLETED] = "..SSSDSS", [KEY_REPLY_TO] = "..SSS.SS",
    [KEY_THREAD] = "..SSS.SS",  [KEY_CONTEXT] = "..OOOOO.",   [KEY_ATTACHMENTS] = "..AAAA.A",
    [KEY_TAGS] = "..AAAA.A"};

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

Test(adr, each_kind_of_value_of_each_key_is_judged)
{
    static const unsigned wants[] = {WANT_HEAD, WANT_DATA, WHOLE};

    for (enum adr_key key = 0; key < KEY_COUNT; key++) {
        for (size_t kind = 0; kind < KIND_COUNT; kind++) {
            struct str text = make_with(key, kinds[kind]);
            for (size_t i = 0; i < 3; i++) { /* a head knows as well that it is damaged */
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
        cr_assert_eq(m->priority, cases[i].priority ? cases[i].priority : PRIORITY_NORMAL, "%s",
                     cases[i].raw);
        batch_free(&batch);
    }
}

/* Parses with that text as a time in the given key. */
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
        int64_t when_us;
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
        cr_assert_eq(m->created_us, cases[i].when_us, "%s", cases[i].text);
        cr_assert_eq(m->flags, 0, "%s", cases[i].text);
        batch_free(&batch);
    }
}

/* In any of the four keys. */
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
        cr_assert_eq(m->damaged != NULL, i < 3);
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

static struct draft make_draft(void)
{
    return (struct draft){.id = span_of("MSG-0123456789ab"),
                          .from = span_of("architect"),
                          .to = span_of("dev/implementer"),
                          .subject = span_of("Say \"hi\""),
                          .body = span_of("Line 1\nLine \xc3\xa9\xf0\x9f\x98\x80\x7f"),
                          .priority = PRIORITY_HIGH,
                          .created_us = SENT_US,
                          .expires_us = LATER_US};
}

static void assert_composed(const struct draft *draft, const char *want)
{
    struct str name = {0}, bytes = {0};
    struct err err;

    cr_assert(adr_format.compose(draft, &name, &bytes, &err), "%s", err.text);
    assert_span(str_span(&name), "MSG-0123456789ab.json");
    cr_assert_str_eq(str_c(&bytes), want);
    str_free(&name);
    str_free(&bytes);
}

static const char plain[] = "{\n"
                            "  \"id\": \"MSG-0123456789ab\",\n"
                            "  \"from_agent\": \"architect\",\n"
                            "  \"to_agent\": \"dev/implementer\",\n"
                            "  \"swarm_name\": null,\n"
                            "  \"type\": \"request\",\n"
                            "  \"subject\": \"Say \\\"hi\\\"\",\n"
                            "  \"body\": \"Line 1\\nLine \\u00e9\\ud83d\\ude00\\u007f\",\n"
                            "  \"payload\": {},\n"
                            "  \"priority\": 3,\n"
                            "  \"created_at\": \"2026-01-04T00:53:21.667898\",\n"
                            "  \"expires_at\": \"2026-01-05T00:00:00\",\n"
                            "  \"status\": \"unread\",\n"
                            "  \"read_at\": null,\n"
                            "  \"completed_at\": null,\n"
                            "  \"reply_to\": null,\n"
                            "  \"thread_id\": null,\n"
                            "  \"context\": {},\n"
                            "  \"attachments\": [],\n"
                            "  \"tags\": []\n"
                            "}";

Test(adr, a_plain_message_has_the_bytes_that_python_writes)
{
    struct draft draft = make_draft();

    assert_composed(&draft, plain);
}

Test(adr, a_handoff_has_the_bytes_that_python_writes)
{
    struct draft draft = make_draft();
    struct handoff handoff = {.work_completed = span_of("Design"),
                              .current_state = span_of("Ready"),
                              .notes = span_of("n")};

    span_list_add(&handoff.files_modified, span_of("a.c"));
    span_list_add(&handoff.files_created, span_of("b.c"));
    span_list_add(&handoff.next_steps, span_of("Go"));
    span_list_add(&draft.tags, span_of("mine"));
    draft.handoff = &handoff;
    draft.subject = span_of("Over");
    draft.swarm = span_of("dev");
    draft.payload = span_of("{\"x\":[1,{}]}");
    draft.priority = PRIORITY_NORMAL;
    draft.created_us = SENT_US - 667898;
    draft.expires_us = WHEN_NONE;
    assert_composed(
        &draft,
        "{\n  \"id\": \"MSG-0123456789ab\",\n  \"from_agent\": \"architect\",\n"
        "  \"to_agent\": \"dev/implementer\",\n  \"swarm_name\": \"dev\",\n"
        "  \"type\": \"handoff\",\n  \"subject\": \"Over\",\n"
        "  \"body\": \"Work handoff from architect to dev/implementer.\\n\\n"
        "**Work Completed:** Design\\n\\n**Current State:** Ready\\n\\n**Next Steps:**\\n- Go"
        "\\n\\n**Notes:**\\nn\",\n"
        "  \"payload\": {\n    \"x\": [\n      1,\n      {}\n    ]\n  },\n  \"priority\": 2,\n"
        "  \"created_at\": \"2026-01-04T00:53:21\",\n  \"expires_at\": null,\n"
        "  \"status\": \"unread\",\n  \"read_at\": null,\n  \"completed_at\": null,\n"
        "  \"reply_to\": null,\n  \"thread_id\": null,\n  \"context\": {\n"
        "    \"work_completed\": \"Design\",\n    \"files_modified\": [\n      \"a.c\"\n    ],\n"
        "    \"files_created\": [\n      \"b.c\"\n    ],\n    \"current_state\": \"Ready\",\n"
        "    \"state_file\": null,\n    \"next_steps\": [\n      \"Go\"\n    ],\n"
        "    \"blockers\": [],\n    \"dependencies\": [],\n    \"related_escalations\": [],\n"
        "    \"job_id\": null,\n    \"notes\": \"n\"\n  },\n"
        "  \"attachments\": [\n    \"a.c\",\n    \"b.c\"\n  ],\n"
        "  \"tags\": [\n    \"handoff\",\n    \"mine\"\n  ]\n}");
    handoff_free(&handoff);
    draft_free(&draft);
}

/* Composes; what was composed must be readable, and what cannot be must be refused. */
static bool composes(const struct draft *draft, const char *what)
{
    struct str name = {0}, bytes = {0};
    struct batch batch = {0};
    struct err err = {0};
    bool ok = format_compose(&adr_format, draft, &name, &bytes, &err);

    if (ok) {
        struct mail_file file = {
            .place = &place, .name = str_span(&name), .bytes = str_span(&bytes)};
        cr_assert(adr_format.parse(&file, WHOLE, &batch, &err), "%s: %s", what, err.text);
        const struct message *m = &batch.items[0];
        cr_assert_null(m->damaged, "%s: %s", what, m->damaged);
        cr_assert(span_eq(m->from, draft->from) && span_eq(m->to, draft->to), "%s", what);
        cr_assert(span_eq(m->subject, draft->subject), "%s", what);
        cr_assert(span_eq(m->data->body, draft->body), "%s", what);
    } else {
        cr_assert_eq(err.scope, ERR_REFUSED, "%s", what);
        cr_assert_str_not_empty(err.text);
    }
    str_free(&name);
    str_free(&bytes);
    batch_free(&batch);
    return ok;
}

Test(adr, drafts_that_the_layout_cannot_hold_are_refused)
{
    struct draft draft = make_draft();

    draft.type = span_of("plea");
    cr_assert_not(composes(&draft, "a type of its own"));
    draft.type = span_of("notification");
    draft.requires_response = true;
    cr_assert_not(composes(&draft, "a notification that wants a response"));
    draft.type = span_of("escalation");
    cr_assert(composes(&draft, "an escalation that wants a response"));
    draft.to = span_of("..");
    cr_assert_not(composes(&draft, "nobody to send to"));
    draft = make_draft();
    draft.from = (struct span){0};
    cr_assert_not(composes(&draft, "no sender"));
}

Test(adr, any_text_comes_back_as_it_was)
{
    static const struct span texts[] = {{"", 0},
                                        {"\0", 1},
                                        {"\"\\/\b\f\n\r\t", 8},
                                        {"\xed\xa0\x80", 3},
                                        {"\x1b[2J\x7f", 5},
                                        {"\xe2\x80\xae", 3},
                                        {"}{][,:", 6},
                                        {"\xf0\x9f\x98\x80", 4}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct draft draft = make_draft();
        draft.subject = draft.body = texts[i];
        cr_assert(composes(&draft, "a strange text"));
    }
}

Test(adr, a_message_without_a_subject_is_refused_or_readable)
{
    struct draft draft = make_draft();

    draft.subject = (struct span){0};
    composes(&draft, "no subject");
    draft = make_draft();
    draft.body = (struct span){0};
    composes(&draft, "no body");
}

Test(adr, a_payload_at_the_limit_of_depth_is_refused_or_readable)
{
    for (size_t depth = JSON_DEPTH_MAX - 2; depth <= JSON_DEPTH_MAX; depth++) {
        struct draft draft = make_draft();
        struct str deep = {0};
        struct json value;
        struct err err;
        str_puts(&deep, "{\"x\":");
        str_pad(&deep, '[', depth - 1);
        str_pad(&deep, ']', depth - 1);
        str_puts(&deep, "}");
        cr_assert(json_scan(str_span(&deep), JSON_PYTHON, &value, &err), "%s", err.text);
        draft.payload = str_span(&deep);
        composes(&draft, "a deep payload");
        draft.payload = (struct span){0};
        draft.context = str_span(&deep);
        composes(&draft, "a deep context");
        str_free(&deep);
    }
}

Test(adr, an_agent_has_the_box_that_python_gives_it)
{
    static const char *const names[][2] = {{"architect", "architect"},
                                           {"swarm_dev/architect", "swarm_dev_architect"},
                                           {"a\\b", "a_b"},
                                           {"/", "_"},
                                           {"../x", ".._x"},
                                           {"a/../../b", "a_.._.._b"},
                                           {"...", "..."},
                                           {".hidden", ".hidden"},
                                           {"A b$'\"\n\x1b\xff", "A b$'\"\n\x1b\xff"},
                                           {"broadcast:dev", "broadcast:dev"}};
    char longest[256];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str box = {0};
        struct err err;
        cr_assert(adr_format.box_name(&box, span_of(names[i][0]), &err), "%s", names[i][0]);
        assert_span(str_span(&box), names[i][1]);
        str_free(&box);
    }
    memset(longest, 'x', sizeof longest);
    const struct span refused[] = {{0},       {"", 0},         {".", 1},      {"..", 2},
                                   {"\0", 1}, {"bob\0eve", 7}, {longest, 256}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct str box = {0};
        struct err err = {0};
        cr_assert_not(adr_format.box_name(&box, refused[i], &err), "%zu", i);
        cr_assert_eq(err.scope, ERR_REFUSED);
        cr_assert_eq(box.len, 0);
        str_free(&box);
    }
    struct str box = {0};
    struct err err;
    cr_assert(adr_format.box_name(&box, (struct span){longest, 255}, &err));
    cr_assert_eq(box.len, 255);
    str_free(&box);
}

Test(adr, new_ids_have_their_shape_and_are_never_equal)
{
    enum { COUNT = 20000 };
    struct map seen = {0};
    struct arena arena = {0};
    struct str id = {0};

    for (int i = 0; i < COUNT; i++) {
        bool fresh;
        str_clear(&id);
        adr_format.new_id(&id);
        cr_assert_eq(id.len, 16);
        cr_assert(span_starts(str_span(&id), span_of("MSG-")));
        cr_assert_eq(strspn(id.at + 4, "0123456789abcdef"), 12, "%s", id.at);
        map_put(&seen, arena_copy(&arena, str_span(&id)), &fresh);
        cr_assert(fresh, "%s came twice", id.at);
    }
    str_free(&id);
    map_free(&seen);
    arena_free(&arena);
}

Test(adr, a_reply_goes_back_and_keeps_the_thread)
{
    struct batch batch = {0};
    struct arena arena = {0};
    struct draft draft = {0};

    adr_format.reply(parse_with(&batch, KEY_THREAD, "null"), &draft, &arena);
    assert_span(draft.to, "architect");
    assert_span(draft.subject, "Re: Sub\xc3\xa9");
    assert_span(draft.type, "response");
    assert_span(draft.swarm, "dev");
    assert_span(draft.reply_to, "MSG-0123456789ab");
    assert_span(draft.thread, "MSG-0123456789ab");
    cr_assert_eq(draft.priority, PRIORITY_HIGH);

    adr_format.reply(parse_with(&batch, KEY_THREAD, "\"MSG-t\""), &draft, &arena);
    assert_span(draft.thread, "MSG-t");
    adr_format.reply(parse_with(&batch, KEY_THREAD, "\"\""), &draft, &arena);
    assert_span(draft.thread, "MSG-0123456789ab");
    adr_format.reply(parse_with(&batch, KEY_SUBJECT, "\"Re: Re: x\""), &draft, &arena);
    assert_span(draft.subject, "Re: Re: Re: x");
    adr_format.reply(parse_with(&batch, KEY_SWARM, "null"), &draft, &arena);
    cr_assert_null(draft.swarm.at);
    arena_free(&arena);
    batch_free(&batch);
}

Test(adr, a_broadcast_carries_its_tags_behind_the_given_ones)
{
    struct draft draft = make_draft();
    struct arena arena = {0};

    span_list_add(&draft.tags, span_of("mine"));
    adr_format.broadcast(&draft, span_of("dev"), &arena);
    cr_assert_eq(draft.tags.count, 3);
    assert_span(draft.tags.items[0], "mine");
    assert_span(draft.tags.items[1], "broadcast");
    assert_span(draft.tags.items[2], "swarm:dev");
    assert_span(draft.type, "notification");
    assert_span(draft.swarm, "dev");
    draft_free(&draft);

    draft = make_draft();
    draft.type = span_of("request");
    adr_format.broadcast(&draft, span_of("dev"), &arena);
    assert_span(draft.type, "request");
    draft_free(&draft);
    arena_free(&arena);
}

/* The text with one stretch replaced, which must be there once. The caller frees. */
static struct str replace(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    struct str out = {0};

    cr_assert(at && !strstr(at + 1, old), "%s", old);
    str_add(&out, text, (size_t)(at - text));
    str_puts(&out, new);
    str_puts(&out, at + strlen(old));
    return out;
}

static void assert_edited(const char *text, enum status status, const char *want)
{
    struct change change = {.status = status, .now_us = SENT_US};
    struct str out = {0};
    struct err err;

    cr_assert(adr_format.edit(span_of(text), &change, &out, &err), "%s", err.text);
    cr_assert_str_eq(str_c(&out), want);
    str_free(&out);
}

Test(adr, each_status_changes_exactly_its_keys)
{
    static const struct {
        enum status status;
        const char *key; /* that gets the time, or NULL */
    } steps[] = {{STATUS_READ, "read_at"},
                 {STATUS_PROCESSING, NULL},
                 {STATUS_FAILED, NULL},
                 {STATUS_COMPLETED, "completed_at"},
                 {STATUS_ARCHIVED, "completed_at"}};

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct str old = {0}, new = {0};
        str_addf(&new, "\"status\": \"%s\"", status_name(steps[i].status));
        struct str want = replace(plain, "\"status\": \"unread\"", str_c(&new));
        if (steps[i].key) {
            str_addf(&old, "\"%s\": null", steps[i].key);
            str_clear(&new);
            str_addf(&new, "\"%s\": \"2026-01-04T00:53:21.667898\"", steps[i].key);
            struct str both = replace(str_c(&want), str_c(&old), str_c(&new));
            str_free(&want);
            want = both;
        }
        assert_edited(plain, steps[i].status, str_c(&want));
        str_free(&old);
        str_free(&new);
        str_free(&want);
    }
}

Test(adr, a_time_that_is_there_already_stays)
{
    struct str failed = make_with(KEY_STATUS, "\"failed\"");
    struct str read = make_with(KEY_STATUS, "\"read\"");
    struct str archived = make_with(KEY_STATUS, "\"archived\"");

    assert_edited(str_c(&failed), STATUS_READ, str_c(&read));
    assert_edited(str_c(&failed), STATUS_ARCHIVED, str_c(&archived));
    str_free(&failed);
    str_free(&read);
    str_free(&archived);
}

Test(adr, an_edit_keeps_every_other_byte)
{
    static const char head[] =
        "\xef\xbb\xbf\r\n{\"x\":1E+02,\"id\":\"MSG-\\u0031\",\"from_agent\" :\"a\\/b\xff\",\t"
        "\"to_agent\":\"b\",\"type\":\"request\", \"subject\":\"\\ud800\",\"body\":\"\",\r\n"
        "\"priority\":2.0,\"status\":\"read\",\"created_at\":\"2026-01-04\",\"z\":[NaN,-Infinity],"
        "\"status\": ";
    static const char tail[] = " ,\"x\":12345678901234567890 , \"sta\\u0074us2\":null}\n \n";
    struct str text = {0}, want = {0};

    str_addf(&text, "%s\"unread\"%s", head, tail);
    str_addf(&want, "%s\"processing\"%s", head, tail);
    assert_edited(str_c(&text), STATUS_PROCESSING, str_c(&want));
    str_free(&text);
    str_free(&want);
}

Test(adr, a_missing_status_is_added_behind_the_last_key)
{
    struct str text = make_with(KEY_STATUS, NULL);
    struct str want = replace(str_c(&text), "\"tags\": [\"t\"]",
                              "\"tags\": [\"t\"],\n  \"status\": \"processing\"");

    assert_edited(str_c(&text), STATUS_PROCESSING, str_c(&want));
    str_free(&text);
    str_free(&want);
}

Test(adr, what_is_damaged_is_not_edited)
{
    struct change change = {.status = STATUS_READ, .now_us = SENT_US};
    struct str texts[] = {make_with(KEY_SUBJECT, NULL), make_with(KEY_STATUS, "\"gone\""),
                          make_with(KEY_TAGS, "7"),     make_with(KEY_ID, "{"),
                          make_with(KEY_BODY, "null"),  {0}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct str out = {0};
        struct err err = {0};
        cr_assert_not(adr_format.edit(str_span(&texts[i]), &change, &out, &err), "%zu", i);
        cr_assert_neq(err.scope, ERR_NONE);
        cr_assert_eq(out.len, 0);
        str_free(&out);
        str_free(&texts[i]);
    }
}
