/* Tests rendering: Markdown, text and prompt blocks, and hostile text in every format but JSON. */
#include "render_support.h"

#include "base/text/sanitize.h"

TestSuite(render, .init = use_zone_east);

static void assert_markdown(const struct message *message, const char *want)
{
    struct str out = {0};

    render_markdown(&out, message, &style);
    cr_assert_str_eq(str_c(&out), want);
    str_free(&out);
}

#define PLAIN_HEAD(subject, priority)                                                              \
    subject "\n\n**From:** swarm_dev/architect\n**Type:** request\n**Priority:** " priority "\n"   \
            "**Sent:** 2026-01-04 00:53\n\n---\n\nHi"

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

static void assert_prompt(struct message *const *messages, size_t count, enum priority least,
                          const char *want)
{
    struct str out = {0};

    render_prompt(&out, messages, count, least, &style);
    cr_assert_str_eq(str_c(&out), want);
    str_free(&out);
}

Test(render, a_prompt_block_of_nothing_and_of_low_priorities_says_how_many_there_are)
{
    struct message_data data = make_data();
    struct message message = make(&data), *list[] = {&message};

    assert_prompt(list, 1, PRIORITY_NORMAL,
                  "## Pending Messages in Your Mailbox\n\n"
                  "You have 1 message(s) to review:\n\n"
                  "### Plain\nFrom: swarm_dev/architect | Priority: NORMAL\nHi...\n");
    assert_prompt(NULL, 0, PRIORITY_HIGH,
                  "## Pending Messages in Your Mailbox\n\n"
                  "You have 0 high-priority message(s) to review:\n");
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
    static const size_t least[] = {20, 20, 6, 4, 4}; /* fewer would mean that text was dropped */
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
            bool line = i >= 3; /* without its newline */
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
