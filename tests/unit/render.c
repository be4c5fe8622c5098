/* Tests of rendering: Markdown, prompt blocks, JSON lines, list lines, and hostile text in all. */
#include "support.h"

#include "base/clean.h"
#include "base/json.h"
#include "base/utf8.h"
#include "mail/render.h"

#include <stdlib.h>
#include <time.h>

/* An hour east of UTC, so that local times and UTC cannot be mixed up. */
static void set_zone(void)
{
    setenv("TZ", "CET-1", 1);
    tzset();
}

TestSuite(render, .init = set_zone);

/* 2026-01-04T00:53:21.667898 in that zone. */
#define SENT_US INT64_C(1767484401667898)
#define HOUR_US INT64_C(3600000000)

static const struct place place = {.box = {"implementer", 11}, .dir = {"implementer/inbox", 17}};
static const struct render_style style = {.now_us = SENT_US + 3 * HOUR_US};

/* A plain message with all that must be there. */
static struct message_data make_data(void)
{
    return (struct message_data){
        .body = span_of("Hi"), .read_us = WHEN_NONE, .completed_us = WHEN_NONE};
}

static struct message make(struct message_data *data)
{
    return (struct message){.id = span_of("MSG-0123456789ab"),
                            .file = span_of("MSG-0123456789ab.json"),
                            .from = span_of("swarm_dev/architect"),
                            .to = span_of("implementer"),
                            .subject = span_of("Plain"),
                            .type = span_of("request"),
                            .place = &place,
                            .data = data,
                            .created_us = SENT_US,
                            .expires_us = WHEN_NONE,
                            .priority = PRIORITY_NORMAL};
}

static void assert_markdown(const struct message *message, const char *want)
{
    struct str out = {0};

    render_markdown(&out, message, &style);
    cr_assert_str_eq(str_c(&out), want);
    str_free(&out);
}

Test(render, markdown_is_what_the_agents_own_to_markdown_gives)
{
    struct message_data data = make_data();
    struct message message = make(&data);

    message.type = span_of("handoff");
    message.subject = span_of("Build it  ");
    message.priority = PRIORITY_URGENT;
    message.thread = span_of("MSG-thread");
    data.swarm = span_of("swarm_dev");
    data.body = span_of("First line.\n\nSecond \xc3\xa9 line.");
    data.context = span_of("{\"work\": \"done\", \"none\": null, \"yes\": true, \"no\": false, "
                           "\"n\": 12345678901234567890, \"f\": 1.0, "
                           "\"list\": [\"x\", null, true, 3], \"empty\": [], "
                           "\"text\": \"two\\nlines\"}");
    data.attachments = span_of("[\"a.c\", \"b c.h\"]");
    data.payload = span_of("{\"a\":[1,2.5,{\"b\":null}],\"\\u00e9\":\"\xe2\x80\xa8x\",\"e\":{ },"
                           "\"l\":[],\"n\":NaN,\"t\":true}");
    assert_markdown(&message,
                    "## [URGENT] Build it\n\n**From:** swarm_dev/architect\n**Type:** handoff\n"
                    "**Priority:** URGENT\n**Sent:** 2026-01-04 00:53\n**Thread:** MSG-thread\n"
                    "**Swarm:** swarm_dev\n\n---\n\nFirst line.\n\nSecond \xc3\xa9 line.\n\n"
                    "### Context\n\n- **work:** done\n- **none:** None\n- **yes:** True\n"
                    "- **no:** False\n- **n:** 12345678901234567890\n- **f:** 1.0\n- **list:**\n"
                    "  - x\n  - None\n  - True\n  - 3\n- **empty:**\n- **text:** two\nlines\n\n"
                    "### Attachments\n\n- `a.c`\n- `b c.h`\n\n### Payload\n\n```json\n{\n"
                    "  \"a\": [\n    1,\n    2.5,\n    {\n      \"b\": null\n    }\n  ],\n"
                    "  \"\\u00e9\": \"\\u2028x\",\n  \"e\": {},\n  \"l\": [],\n  \"n\": NaN,\n"
                    "  \"t\": true\n}\n```");
}

#define PLAIN_HEAD(subject, priority)                                                              \
    subject "\n\n**From:** swarm_dev/architect\n**Type:** request\n**Priority:** " priority "\n"   \
            "**Sent:** 2026-01-04 00:53\n\n---\n\nHi"

Test(render, markdown_has_two_blanks_where_there_is_no_marker)
{
    struct message_data data = make_data();
    struct message message = make(&data);

    assert_markdown(&message, PLAIN_HEAD("##  Plain", "NORMAL"));
    message.priority = PRIORITY_LOW;
    assert_markdown(&message, PLAIN_HEAD("##  Plain", "LOW"));
    message.priority = PRIORITY_HIGH;
    assert_markdown(&message, PLAIN_HEAD("## [HIGH] Plain", "HIGH"));
}

Test(render, markdown_leaves_empty_parts_out)
{
    static const char *const nothing[] = {"{}", "{ }", "[]", "[ ]", "null", ""};
    struct message_data data = make_data();
    struct message message = make(&data);

    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        data.context = data.payload = data.attachments = data.tags = span_of(nothing[i]);
        data.swarm = message.thread = span_of("");
        assert_markdown(&message, PLAIN_HEAD("##  Plain", "NORMAL"));
    }
}

Test(render, markdown_without_a_subject_ends_its_first_line_without_blanks)
{
    struct message_data data = make_data();
    struct message message = make(&data);

    message.subject = span_of("");
    assert_markdown(&message, PLAIN_HEAD("##", "NORMAL"));
    message.subject = span_of(" \n");
    message.priority = PRIORITY_HIGH;
    assert_markdown(&message, PLAIN_HEAD("## [HIGH]", "HIGH"));
}

Test(render, markdown_keeps_blanks_before_a_subject_as_python_does)
{
    struct message_data data = make_data();
    struct message message = make(&data);

    message.subject = span_of("  padded  ");
    assert_markdown(&message, PLAIN_HEAD("##    padded", "NORMAL"));
}

Test(render, markdown_prints_nested_context_values_as_python_does)
{
    struct message_data data = make_data();
    struct message message = make(&data);

    data.context = span_of("{\"o\": {\"a\": [1, null, \"x'y\", true], \"b\": \"z\"}, "
                           "\"l\": [[1, \"a\"], {\"k\": 1.5}], \"oe\": {}}");
    assert_markdown(
        &message,
        PLAIN_HEAD(
            "##  Plain",
            "NORMAL") "\n\n### Context\n\n- **o:** {'a': [1, None, \"x'y\", True], 'b': 'z'}\n"
                      "- **l:**\n  - [1, 'a']\n  - {'k': 1.5}\n- **oe:** {}");
}

Test(render, markdown_prints_numbers_that_are_none_as_python_does)
{
    struct message_data data = make_data();
    struct message message = make(&data);

    data.context = span_of("{\"a\": NaN, \"b\": Infinity, \"c\": -Infinity}");
    assert_markdown(
        &message,
        PLAIN_HEAD("##  Plain",
                   "NORMAL") "\n\n### Context\n\n- **a:** nan\n- **b:** inf\n- **c:** -inf");
}

static void assert_prompt(struct message *const *messages, size_t count, enum priority least,
                          const char *want)
{
    struct str out = {0};

    render_prompt(&out, messages, count, least, &style);
    cr_assert_str_eq(str_c(&out), want);
    str_free(&out);
}

Test(render, a_prompt_block_is_what_the_agents_own_formatter_gives)
{
    struct message_data data = make_data();
    struct message a = make(&data), b = make(&data);
    struct message *list[] = {&a, &b};

    a.priority = PRIORITY_URGENT;
    b.priority = PRIORITY_HIGH;
    b.subject = span_of("Other");
    assert_prompt(list, 2, PRIORITY_HIGH,
                  "## Pending Messages in Your Mailbox\n\n"
                  "You have 2 high-priority message(s) to review:\n\n"
                  "### Plain\nFrom: swarm_dev/architect | Priority: URGENT\nHi...\n\n"
                  "### Other\nFrom: swarm_dev/architect | Priority: HIGH\nHi...\n");
    assert_prompt(list, 1, PRIORITY_NORMAL,
                  "## Pending Messages in Your Mailbox\n\n"
                  "You have 1 message(s) to review:\n\n"
                  "### Plain\nFrom: swarm_dev/architect | Priority: URGENT\nHi...\n");
    assert_prompt(NULL, 0, PRIORITY_HIGH,
                  "## Pending Messages in Your Mailbox\n\n"
                  "You have 0 high-priority message(s) to review:\n");
}

Test(render, a_prompt_block_shows_five_of_many)
{
    struct message_data data = make_data();
    struct message messages[7];
    struct message *list[7];
    static const char *const subjects[] = {"one", "two", "three", "four", "five", "six", "seven"};
    struct str out = {0};

    for (size_t i = 0; i < 7; i++) {
        messages[i] = make(&data);
        messages[i].subject = span_of(subjects[i]);
        list[i] = &messages[i];
    }
    render_prompt(&out, list, 7, PRIORITY_URGENT, &style);
    cr_assert_not_null(strstr(out.at, "You have 7 high-priority message(s)"));
    for (size_t i = 0; i < 7; i++)
        cr_assert_eq(strstr(out.at, subjects[i]) != NULL, i < 5, "%s", subjects[i]);
    str_free(&out);
}

Test(render, a_prompt_block_counts_characters_and_not_bytes)
{
    static const struct {
        size_t count, shown;
    } sizes[] = {{499, 499}, {500, 500}, {501, 500}, {5000, 500}, {0, 0}};
    static const char *const letters[] = {"x", "\xc3\xa9", "\xe6\x97\xa5", "\xf0\x9f\x98\x80"};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t k = 0; k < sizeof letters / sizeof *letters; k++) {
            struct message_data data = make_data();
            struct message message = make(&data), *list[] = {&message};
            struct str body = {0}, want = {0}, out = {0};
            for (size_t n = 0; n < sizes[i].count; n++)
                str_puts(&body, letters[k]);
            data.body = str_span(&body);
            render_prompt(&out, list, 1, PRIORITY_HIGH, &style);
            str_puts(&want, "NORMAL\n");
            for (size_t n = 0; n < sizes[i].shown; n++)
                str_puts(&want, letters[k]);
            str_puts(&want, "...\n");
            cr_assert(span_ends(str_span(&out), str_c(&want)), "%zu of %s", sizes[i].count,
                      letters[k]);
            str_free(&body);
            str_free(&want);
            str_free(&out);
        }
    }
}

static void assert_json(const struct message *message, const char *want)
{
    struct str out = {0};

    render_json(&out, message, "adr", span_of("/srv/m"), span_of("/srv/m/i/f.json"));
    cr_assert_str_eq(str_c(&out), want);
    str_free(&out);
}

Test(render, a_json_line_has_all_keys_in_their_order)
{
    struct message_data data = make_data();
    struct message message = make(&data);

    message.status = STATUS_COMPLETED;
    message.expires_us = SENT_US + HOUR_US;
    message.thread = span_of("T");
    message.reply_to = span_of("R");
    message.requires_response = true;
    message.damaged = "it is \"odd\"";
    data.read_us = SENT_US - 667898;
    data.completed_us = SENT_US - 898;
    data.context = span_of("{ \"b\" : 1.0, \"a\": [ ] }");
    data.attachments = span_of("[\"a\"]");
    data.tags = span_of("[\n  \"x\"\n]");
    data.payload = span_of("{}");
    data.protocol = span_of("{\"p\":12345678901234567890}");
    assert_json(
        &message,
        "{\"v\":1,\"id\":\"MSG-0123456789ab\",\"source\":\"/srv/m\",\"format\":\"adr\","
        "\"box\":\"implementer\",\"from\":\"swarm_dev/architect\",\"to\":\"implementer\","
        "\"subject\":\"Plain\",\"body\":\"Hi\",\"type\":\"request\",\"priority\":\"normal\","
        "\"status\":\"completed\",\"created_at\":\"2026-01-03T23:53:21.667898Z\","
        "\"read_at\":\"2026-01-03T23:53:21Z\",\"completed_at\":\"2026-01-03T23:53:21.667Z\","
        "\"expires_at\":\"2026-01-04T00:53:21.667898Z\",\"thread\":\"T\","
        "\"reply_to\":\"R\",\"requires_response\":true,\"context\":{\"b\":1.0,\"a\":[]},"
        "\"attachments\":[\"a\"],\"tags\":[\"x\"],\"payload\":{},"
        "\"protocol\":{\"p\":12345678901234567890},\"path\":\"/srv/m/i/f.json\","
        "\"damaged\":\"it is \\\"odd\\\"\"}\n");
}

Test(render, a_json_line_says_null_for_what_is_not_known)
{
    struct message message = {.place = &place,
                              .created_us = WHEN_NONE,
                              .expires_us = WHEN_NONE,
                              .priority = PRIORITY_NORMAL};

    assert_json(&message, "{\"v\":1,\"id\":null,\"source\":\"/srv/m\",\"format\":\"adr\","
                          "\"box\":\"implementer\",\"from\":null,\"to\":null,\"subject\":null,"
                          "\"body\":null,\"type\":null,\"priority\":\"normal\","
                          "\"status\":\"unread\",\"created_at\":null,\"read_at\":null,"
                          "\"completed_at\":null,\"expires_at\":null,\"thread\":null,"
                          "\"reply_to\":null,\"requires_response\":false,\"context\":null,"
                          "\"attachments\":null,\"tags\":null,\"payload\":null,"
                          "\"protocol\":null,\"path\":\"/srv/m/i/f.json\",\"damaged\":null}\n");
}

/* The value of a member of the line, as text. */
static bool json_line_has(const struct message *message, const char *part)
{
    struct str out = {0};

    render_json(&out, message, "adr", span_of("/s"), span_of("/s/f"));
    bool has = strstr(str_c(&out), part) != NULL;
    str_free(&out);
    return has;
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

/* Bytes that would take a terminal over, hide text or forge lines. */
#define EVIL "\x1b[31m\x07\x9b\xc2\x9b\r\n\t\x7f\xe2\x80\xae\xed\xa0\x80\xff\xe2\x80\xa8 MARK"
#define EVIL_JSON "\\u001b[31m\\u0007\\u009b\x9b\xc2\x9b\\r\\n\\t\x7f\\u0000\\u202e\\ud800\xff MARK"

static void make_hostile(struct message *message, struct message_data *data, struct place *where)
{
    static const char bytes[] = EVIL "\0" EVIL;
    struct span evil = {bytes, sizeof bytes - 1};

    *where = (struct place){.box = evil, .dir = evil, .team = evil};
    *data = make_data();
    *message = make(data);
    message->id = message->from = message->to = message->subject = message->type = evil;
    message->thread = message->reply_to = evil;
    message->file = span_of(EVIL);
    message->place = where;
    message->flags = 0xffff;
    message->damaged = EVIL;
    data->body = data->swarm = evil;
    data->context = span_of("{\"" EVIL_JSON "\": \"" EVIL_JSON "\", \"l\": [\"" EVIL_JSON
                            "\", {\"" EVIL_JSON "\": [\"" EVIL_JSON "\"]}]}");
    data->payload = data->protocol = data->context;
    data->tags = data->attachments = span_of("[\"" EVIL_JSON "\", {\"k\": \"" EVIL_JSON "\"}]");
    data->read_us = data->completed_us = SENT_US;
}

static void assert_clean(struct span text, bool ascii, bool lines)
{
    cr_assert(text.len > 0);
    while (text.len) {
        int32_t code = utf8_next(&text);
        bool is_break = code == '\n' || code == '\t';
        cr_assert(code >= 0x20 || (lines && is_break), "control %d", (int)code);
        cr_assert(code < 0x7f || (!ascii && code > 0x9f), "character %x", (unsigned)code);
        cr_assert(code != 0x202e && code != 0x2028 && !(code >= 0xd800 && code <= 0xdfff));
    }
}

static size_t count_marks(struct span text)
{
    size_t count = 0;

    for (const char *at = text.at; (at = strstr(at, "MARK")); at++)
        count++;
    return count;
}

Test(render, hostile_text_in_every_field_is_cleaned_everywhere)
{
    static const size_t least[] = {20, 20, 6, 4, 4}; /* nothing was dropped instead */
    struct message message, *list[] = {&message};
    struct message_data data;
    struct place where;

    for (unsigned mode = 0; mode <= CLEAN_ASCII; mode += CLEAN_ASCII) {
        struct render_style to = {.clean = mode, .now_us = SENT_US};
        struct render_list one = {.messages = list, .count = 1};
        struct str out[5] = {{0}};
        make_hostile(&message, &data, &where);
        render_markdown(&out[0], &message, &to);
        render_text(&out[1], &message, &to);
        render_prompt(&out[2], list, 1, PRIORITY_HIGH, &to);
        render_list(&out[3], &one, &to);
        message.damaged = NULL;
        message.to = (struct span){0};
        render_list(&out[4], &one, &to);
        for (size_t i = 0; i < 5; i++) {
            bool line = i >= 3; /* and its newline */
            assert_clean((struct span){out[i].at, out[i].len - line}, mode & CLEAN_ASCII, !line);
            cr_assert_geq(count_marks(str_span(&out[i])), least[i], "rendering %zu", i);
            str_free(&out[i]);
        }
    }
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

Test(render, a_line_break_in_one_field_forges_no_other)
{
    static const char forged[] = "x\nStatus    archived\n";
    struct message_data data = make_data();
    struct message message = make(&data);
    struct str out = {0};

    message.id = message.from = message.to = message.subject = message.type = span_of(forged);
    message.thread = message.reply_to = data.swarm = span_of(forged);
    data.tags = span_of("[\"x\\nStatus    archived\\n\"]");
    render_text(&out, &message, &style);
    cr_assert_null(strstr(str_c(&out), "\nStatus    archived"), "%s", str_c(&out));
    cr_assert_not_null(strstr(str_c(&out), "\nStatus    unread\n"));
    str_free(&out);
}

/* The list of these messages; the caller frees. */
static struct str list_of(struct message *const *messages, size_t count, size_t columns,
                          unsigned clean)
{
    struct render_list list = {.messages = messages, .count = count, .columns = columns};
    struct render_style to = {.clean = clean, .now_us = style.now_us};
    struct str out = {0};

    render_list(&out, &list, &to);
    return out;
}

/* Takes the next line off and returns how many columns come before the word in it. */
static size_t columns_before(struct span *rest, const char *word)
{
    struct span line = span_first_line(*rest);
    const char *at = memmem(line.at, line.len, word, strlen(word));
    struct str scratch = {0};

    cr_assert_not_null(at, "%s in %.*s", word, (int)line.len, line.at);
    size_t columns = clean_add(&scratch, (struct span){line.at, (size_t)(at - line.at)}, 0);
    rest->at += line.len + 1;
    rest->len -= line.len + 1;
    str_free(&scratch);
    return columns;
}

Test(render, a_list_gives_each_message_its_line)
{
    struct message_data data = make_data();
    struct message message = make(&data), *list[] = {&message};
    struct str out = list_of(list, 1, 0, 0);

    assert_span(str_span(&out), "MSG-0123456789ab   3h swarm_dev/architect implementer normal "
                                "unread     request Plain\n");
    str_free(&out);
    message.data = NULL;
    message.created_us = WHEN_NONE;
    message.to = (struct span){0};
    message.flags = MESSAGE_ZONED_TIME;
    message.status = STATUS_PROCESSING;
    message.priority = PRIORITY_URGENT;
    out = list_of(list, 1, 0, 0);
    assert_span(str_span(&out), "MSG-0123456789ab      swarm_dev/architect implementer urgent "
                                "processing request [!] Plain\n");
    str_free(&out);
    out = list_of(list, 0, 80, 0);
    cr_assert_eq(out.len, 0);
}

/* Wider than any column. */
#define NICHI "\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5"

Test(render, a_list_keeps_its_columns_whatever_the_names_are)
{
    static const char *const names[] = {
        "a",
        "",
        "\xe6\x97\xa5\xe6\x9c\xac",
        "e\xcc\x81 \xf0\x9f\x98\x80",
        NICHI NICHI NICHI NICHI,
        "a name that is much longer than any column should be, with blanks",
        "\x1b]0;title\x07",
        "\xff\xe2\x80\xae\n",
    };
    enum { COUNT = sizeof names / sizeof *names };
    struct message_data data = make_data();
    struct message messages[COUNT], *list[COUNT];

    for (size_t i = 0; i < COUNT; i++) {
        messages[i] = make(&data);
        messages[i].from = messages[i].to = messages[i].type = span_of(names[i]);
        list[i] = &messages[i];
    }
    for (unsigned clean = 0; clean <= CLEAN_ASCII; clean += CLEAN_ASCII) {
        struct str out = list_of(list, COUNT, 0, clean);
        struct span rest = str_span(&out), again = rest;
        size_t status = columns_before(&again, "unread"), subject = columns_before(&rest, "Plain");
        for (size_t i = 1; i < COUNT; i++) {
            cr_assert_eq(columns_before(&again, "unread"), status, "line %zu", i);
            cr_assert_eq(columns_before(&rest, "Plain"), subject, "line %zu", i);
        }
        cr_assert_eq(rest.len, 0);
        str_free(&out);
    }
}

Test(render, a_list_is_cut_to_the_columns_there_are)
{
    struct message_data data = make_data();
    struct message a = make(&data), b = make(&data), *list[] = {&a, &b};

    b.subject = span_of(NICHI NICHI);
    for (size_t columns = 1; columns < 120; columns++) {
        struct str out = list_of(list, 2, columns, 0);
        struct span rest = str_span(&out);
        for (size_t i = 0; i < 2; i++) {
            struct span line = span_first_line(rest);
            struct str scratch = {0};
            cr_assert_leq(clean_add(&scratch, line, 0), columns);
            rest.at += line.len + 1;
            rest.len -= line.len + 1;
            str_free(&scratch);
        }
        cr_assert_eq(rest.len, 0);
        str_free(&out);
    }
}

Test(render, a_list_gives_the_file_and_the_reason_of_what_is_damaged)
{
    struct message message = {.id = span_of("x"),
                              .file = span_of("x\n.json"),
                              .place = &place,
                              .damaged = "it is empty",
                              .created_us = WHEN_NONE,
                              .priority = PRIORITY_NORMAL};
    struct message *list[] = {&message};
    struct str out = list_of(list, 1, 0, 0);

    cr_assert_not_null(strstr(str_c(&out), "damaged"), "%s", str_c(&out));
    cr_assert(span_ends(str_span(&out), " x^J.json: it is empty\n"), "%s", str_c(&out));
    str_free(&out);
}
