/* Tests of rendering: Markdown, text and prompt blocks, and hostile text in all but JSON. */
#include "render_support.h"

#include "base/text/sanitize.h"

#include <stdlib.h>
#include <time.h>

/* An hour east of UTC, so that local times and UTC cannot be mixed up. */
static void set_zone(void)
{
    setenv("TZ", "CET-1", 1);
    tzset();
}

TestSuite(render, .init = set_zone);

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

    for (unsigned mode = 0; mode <= SANITIZE_ASCII; mode += SANITIZE_ASCII) {
        struct render_options to = {.clean = mode, .now_us = SENT_US};
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
            assert_clean((struct span){out[i].at, out[i].len - line}, mode & SANITIZE_ASCII, !line);
            cr_assert_geq(count_marks(str_span(&out[i])), least[i], "rendering %zu", i);
            str_free(&out[i]);
        }
    }
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

Test(render, what_became_of_a_handoff_is_one_line_of_its_head)
{
    struct message_data data = make_data();
    struct message message = make(&data);
    struct render_options told = style;
    struct str out = {0};

    render_text(&out, &message, &told);
    cr_assert_null(strstr(str_c(&out), "Handoff"));
    told.handoff = span_of("accepted by bob\nTags      \x1b[31m");
    str_clear(&out);
    render_text(&out, &message, &told);
    cr_assert_not_null(strstr(str_c(&out), "\nHandoff   accepted by bob^JTags      ^[[31m\n"), "%s",
                       str_c(&out));
    str_free(&out);
}
