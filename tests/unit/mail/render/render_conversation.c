/* Tests rendering conversations and requests: whole words, sanitized text, lines that fit. */
#include "tests/unit/mail/thread/conversation_support.h"

#include "base/text/sanitize.h"
#include "mail/render/render_list.h"
#include "mail/thread/request.h"

static const struct render_options plain = {.now_us = NOW_US};

static void assert_list(struct talking *t, size_t columns, bool headings, const char *want)
{
    struct scope all = {0};
    struct attention order;
    struct str out = {0};

    build(t);
    inbox_order_build(&order, &t->conversations, &all);
    struct render_conversations list = {.conversations = &t->conversations,
                                        .order = &order,
                                        .most = SIZE_MAX,
                                        .columns = columns,
                                        .headings = headings};
    render_conversations(&out, &list, &plain);
    cr_assert_str_eq(str_c(&out), want);
    inbox_order_free(&order);
    str_free(&out);
}

Test(render_conversation, a_line_tells_age_who_kind_subject_and_state)
{
    struct talking t = {.hints = {{3, {"dan", 3}, {"so it is", 8}, TIME_NONE, NULL}},
                        .hint_count = 1};

    ask(&t, KIND_PERMISSION, "bob", "lead", "perm", 2);
    put(&t, &desk, "ann", "lead", "news", 60)->thread = span_of("t");
    put(&t, &desk, "cy", "lead", "more", 50)->thread = span_of("t");
    put(&t, &floor_, "dan", "bob", "disk", 19)->status = STATUS_READ;
    ask(&t, KIND_SHUTDOWN, "lead", "bob", "stop", 7);
    put(&t, &desk, NULL, NULL, NULL, 5)->damaged = "it is";
    put(&t, &floor_, "lead", "lead", "note", 4)->status = STATUS_READ;
    assert_list(&t, 0, false,
                "!   2m bob      PERM    perm  waits for you\n"
                "!  19m dan, bob STUCK?  so it is\n"
                "N  50m ann, cy  msg     news [2]  2 unread\n"
                "    7m bob      STOP    stop  waits for bob 7m\n"
                "    4m lead     msg     note\n"
                "    5m lead     damaged f: it is\n");
    finish(&t);
}

Test(render_conversation, a_stuck_agent_is_named_once_as_the_talk_spells_it)
{
    struct talking t = {.hints = {{0, {"ann", 3}, {"so it is", 8}, TIME_NONE, NULL}},
                        .hint_count = 1};

    put(&t, &floor_, "dev/ann", "dev/bob", "disk", 19)->status = STATUS_READ;
    assert_list(&t, 0, false, "!  19m dev/ann, dev/bob STUCK?  so it is\n");
    finish(&t);
}

Test(render_conversation, a_narrow_screen_has_names_without_their_swarm)
{
    struct talking t = {0};
    struct str out = {0};

    ask(&t, KIND_ESCALATION, "swarm_dev/ops", "lead", "vault", 2);
    ask(&t, KIND_QUESTION, "swarm_dev/ann", "swarm_dev/bob", "when", 7)->status = STATUS_READ;
    assert_list(&t, 80, false,
                "!   2m ops      ESC     vault  waits for you\n"
                "    7m ann, bob ASK     when  waits for bob 7m\n");
    struct render_requests asks = {
        .messages = t.model.messages, .count = 2, .columns = 80, .show_to = true};
    render_requests(&out, &asks, &plain);
    cr_assert_str_eq(str_c(&out), "  2m ops lead ESC     vault  m0\n"
                                  "  7m ann bob  ASK     when  m1\n");
    str_free(&out);
    finish(&t);
}

Test(render_conversation, a_priority_that_decides_the_order_is_said)
{
    struct talking t = {.hints = {{2, {"dan", 3}, {"so it is", 8}, TIME_NONE, NULL}},
                        .hint_count = 1};
    struct str out = {0};

    ask(&t, KIND_ESCALATION, "bob", "lead", "vault", 1)->priority = PRIORITY_URGENT;
    ask(&t, KIND_PLAN, "ann", "lead", "plan", 9);
    put(&t, &floor_, "dan", "bob", "disk", 8)->priority = PRIORITY_HIGH;
    put(&t, &desk, "cy", "lead", "news", 7)->priority = PRIORITY_LOW;
    put(&t, &desk, "cy", "lead", "old", 6)->priority = PRIORITY_URGENT;
    t.batch.items[4].status = STATUS_READ;
    assert_list(&t, 0, false,
                "!   1m bob      ESC     vault  urgent  waits for you\n"
                "!   9m ann      PLAN    plan  waits for you\n"
                "!   8m dan, bob STUCK?  so it is  high\n"
                "N   7m cy       msg     news  low  1 unread\n"
                "    6m cy       msg     old\n");
    struct render_requests asks = {.messages = t.model.messages, .count = 1};
    render_requests(&out, &asks, &plain);
    cr_assert_str_eq(str_c(&out), "  1m bob ESC     vault  urgent  m0\n");
    str_free(&out);
    finish(&t);
}

Test(render_conversation, what_became_of_the_last_word_is_said_where_nothing_else_is)
{
    struct talking t = {0};

    put(&t, &floor_, "ann", "bob", "given up", 3)->status = STATUS_FAILED;
    put(&t, &floor_, "ann", "bob", "at it", 4)->status = STATUS_PROCESSING;
    put(&t, &floor_, "ann", "bob", "seen", 5)->status = STATUS_READ;
    assert_list(&t, 0, false,
                "    3m ann, bob msg     given up  failed\n"
                "    4m ann, bob msg     at it  processing\n"
                "    5m ann, bob msg     seen\n");
    finish(&t);
}

Test(render_conversation, a_screen_keeps_the_state_and_cuts_the_subject)
{
    struct talking t = {0};

    ask(&t, KIND_PERMISSION, "bob", "lead", "a subject that is longer than the screen", 2);
    assert_list(&t, 60, true,
                "-- needs you (1) -------------------------------------------\n"
                "!   2m bob PERM    a subject that is longer ~  waits for you\n");
    assert_list(&t, 40, false, "!   2m bob a subject tha~  waits for you\n");
    assert_list(&t, 20, false, "!   2m bob a subjec~\n");
    finish(&t);
}

Test(render_conversation, nothing_of_others_is_obeyed)
{
    static const char evil[] = "\x1b[31m\n\t\x7f\xe2\x80\xae";
    struct talking t = {0};
    struct attention order;
    struct scope all = {0};

    ask(&t, KIND_PERMISSION, evil, "lead", evil, 2);
    ask(&t, KIND_PERMISSION, "x", evil, evil, 2)->thread = span_of("other");
    put(&t, &desk, evil, evil, evil, 2)->damaged = evil;
    t.batch.items[2].file = t.batch.items[0].id = span_of(evil);
    build(&t);
    inbox_order_build(&order, &t.conversations, &all);
    for (unsigned clean = 0; clean <= SANITIZE_ASCII; clean += SANITIZE_ASCII) {
        struct render_options style = {.clean = clean, .now_us = NOW_US};
        struct str out = {0};
        struct render_conversations conversations = {
            .conversations = &t.conversations, .order = &order, .most = SIZE_MAX, .columns = 200};
        struct render_requests asks = {
            .messages = t.model.messages, .count = 2, .columns = 200, .show_to = true};
        render_conversations(&out, &conversations, &style);
        render_requests(&out, &asks, &style);
        size_t lines = 0;
        for (size_t i = 0; i < out.len; i++) {
            lines += out.at[i] == '\n';
            cr_assert(out.at[i] == '\n' || ((unsigned char)out.at[i] >= ' ' && out.at[i] != 0x7f));
        }
        cr_assert_eq(lines, 5);
        cr_assert_null(strstr(str_c(&out), "\xe2\x80\xae"));
        str_free(&out);
    }
    inbox_order_free(&order);
    finish(&t);
}

/* Compares what a request with that protocol text asks for, whole and on one line. */
static void assert_asked(enum kind kind, const char *protocol, const char *whole, const char *title)
{
    struct message_data data = {.protocol = span_of(protocol), .body = span_of(" the body\nmore ")};
    struct message message = {
        .kind = (uint8_t)kind, .subject = span_of("a subject"), .data = &data};
    struct str out = {0};

    request_add_text(&out, &message);
    assert_span(str_span(&out), whole);
    str_clear(&out);
    request_add_title(&out, &message);
    assert_span(str_span(&out), title);
    str_free(&out);
}

#define PERMISSION(input)                                                                          \
    "{\"type\":\"permission_request\",\"tool_name\":\"Bash\",\"input\":" input "}"

Test(render_conversation, what_is_asked_is_in_the_protocol_where_there_is_one)
{
    assert_asked(KIND_PERMISSION,
                 PERMISSION("{\"timeout\":5,\"note\":\"n\",\"command\":\"ls\\nrm\"}"),
                 "Bash: ls\nrm", "Bash: ls ...");
    assert_asked(KIND_PERMISSION, PERMISSION("{\"command\":\"ls\",\"command\":\"rm\"}"), "Bash: rm",
                 "Bash: rm");
    assert_asked(KIND_PERMISSION, PERMISSION("{\"a\":\"x\",\"b\":\"y\"}"), "Bash: x", "Bash: x");
    assert_asked(KIND_PERMISSION, PERMISSION("{\"n\":[1]}"), "Bash: {\"n\":[1]}",
                 "Bash: {\"n\":[1]}");
    assert_asked(KIND_PERMISSION, PERMISSION("{\"command\":\"# rm\"}"), "Bash: # rm", "Bash: # rm");
    assert_asked(KIND_HOST,
                 "{\"type\":\"sandbox_permission_request\",\"hostPattern\":{\"host\":\"h.org\"}}",
                 "h.org", "h.org");
    assert_asked(
        KIND_PLAN,
        "{\"type\":\"plan_approval_request\",\"planContent\":\"\\n## Title\\n\\nText\\n\"}",
        "## Title\n\nText", "Title");
    assert_asked(KIND_SHUTDOWN, "{\"type\":\"shutdown_request\",\"reason\":\"enough\"}", "enough",
                 "enough");
    assert_asked(KIND_SHUTDOWN, "{\"type\":\"shutdown_request\"}", "a subject", "a subject");
    assert_asked(KIND_SHUTDOWN, "{\"type\":\"shutdown_rejected\",\"reason\":\" a\\nb \"}",
                 "will not stop: a\nb", "will not stop: a ...");
    assert_asked(KIND_SHUTDOWN, "{\"type\":\"shutdown_rejected\"}", "will not stop",
                 "will not stop");
    assert_asked(KIND_PLAN, "\"plan_approval\"", "a subject", "a subject");
    assert_asked(KIND_QUESTION, NULL, "a subject", "a subject");
}

/* Compares the title of a head, as in lists; programs made its subject from the protocol. */
static void assert_asked_by_head(enum kind kind, const char *subject, const char *title)
{
    struct message message = {.kind = (uint8_t)kind, .subject = span_of(subject)};
    struct str out = {0};

    request_add_title(&out, &message);
    assert_span(str_span(&out), title);
    str_free(&out);
}

Test(render_conversation, a_head_says_the_same_as_the_whole_message)
{
    assert_asked_by_head(KIND_PERMISSION, "Permission: Bash: ls ...", "Bash: ls ...");
    assert_asked_by_head(KIND_PERMISSION, "Permission", "Permission");
    assert_asked_by_head(KIND_PERMISSION, "Permissions: all", "Permissions: all");
    assert_asked_by_head(KIND_HOST, "Host: h.org", "h.org");
    assert_asked_by_head(KIND_PLAN, "Plan for approval: Title", "Title");
    assert_asked_by_head(KIND_SHUTDOWN, "Shutdown requested", "Shutdown requested");
    assert_asked_by_head(KIND_HANDOFF, "Handoff: index", "Handoff: index");
}

Test(render_conversation, without_a_subject_the_text_is_what_is_asked)
{
    struct message_data data = {.body = span_of(" the body\nmore ")};
    struct message message = {.kind = KIND_QUESTION, .data = &data};
    struct str out = {0};

    request_add_title(&out, &message);
    assert_span(str_span(&out), "the body ...");
    str_clear(&out);
    message.data = NULL;
    request_add_title(&out, &message);
    assert_span(str_span(&out), "");
    str_free(&out);
}
