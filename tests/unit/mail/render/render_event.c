/* Tests rendering events: lines that fit a screen and say what changed. */
#include "tests/unit/mail/thread/conversation_support.h"

#include "mail/render/render_event.h"

static const struct render_options plain = {.now_us = 0};

static void assert_line(const struct message *message, const char *event, size_t columns,
                        bool state, const char *asked, const char *want)
{
    struct render_watch what = {.event = event,
                                .message = message,
                                .asked = asked ? span_of(asked) : (struct span){0},
                                .state = state,
                                .columns = columns};
    struct str out = {0};

    render_watch(&out, &what, &plain);
    cr_assert_gt(out.len, 9);
    cr_assert_str_eq(str_c(&out) + 9, want); /* after the time */
    str_free(&out);
}

Test(render_watch, the_person_is_you_and_a_change_says_the_state)
{
    struct talking t = {0};

    put(&t, &desk, "dev/ann", "lead", "news", 1);
    put(&t, &floor_, "lead", "dev/bob", "work", 1)->status = STATUS_PROCESSING;
    assert_line(&t.batch.items[0], "new", 0, false, NULL,
                "new     dev/ann -> you  msg  news  m0\n");
    assert_line(&t.batch.items[1], "changed", 0, true, NULL,
                "changed you -> dev/bob  msg  work  processing  m1\n");
    finish(&t);
}

Test(render_watch, a_screen_cuts_the_subject_and_keeps_state_and_id)
{
    struct talking t = {0};

    put(&t, &floor_, "dev/ann", "dev/bob", "a subject that is longer than the screen", 1);
    assert_line(&t.batch.items[0], "changed", 60, true, NULL,
                "changed ann -> bob  msg  a subject tha~  unread  m0\n");
    finish(&t);
}

Test(render_watch, what_is_asked_stands_for_the_subject)
{
    struct message_data data = {
        .protocol = span_of("{\"type\":\"permission_request\",\"tool_name\":\"Bash\",\"input\":"
                            "{\"command\":\"make\"}}")};
    struct talking t = {0};

    ask(&t, KIND_PERMISSION, "bob", "lead", "a description", 1);
    assert_line(&t.batch.items[0], "waiting", 0, false, "Bash: ls",
                "waiting bob -> you  PERM  Bash: ls  m0\n");
    assert_line(&t.batch.items[0], "new", 0, false, NULL,
                "new     bob -> you  PERM  a description  m0\n");
    t.batch.items[0].data = &data;
    assert_line(&t.batch.items[0], "new", 0, false, NULL,
                "new     bob -> you  PERM  Bash: make  m0\n");
    t.batch.items[0].data = NULL;
    finish(&t);
}

Test(render_watch, nothing_of_others_is_obeyed)
{
    static const char evil[] = "\x1b[31m\n\x7f\xe2\x80\xae";
    struct talking t = {0};
    struct str out = {0};

    put(&t, &floor_, evil, evil, evil, 1)->id = span_of(evil);
    struct render_watch what = {.event = "new", .message = &t.batch.items[0]};
    render_watch(&out, &what, &plain);
    what.asked = span_of(evil);
    render_watch(&out, &what, &plain);
    render_watch_stuck(&out, span_of(evil), span_of(evil), 200, &plain);
    size_t lines = 0;
    for (size_t i = 0; i < out.len; i++) {
        lines += out.at[i] == '\n';
        cr_assert(out.at[i] == '\n' || ((unsigned char)out.at[i] >= ' ' && out.at[i] != 0x7f));
    }
    cr_assert_eq(lines, 3);
    cr_assert_null(strstr(str_c(&out), "\xe2\x80\xae"));
    str_free(&out);
    finish(&t);
}

Test(render_watch, the_evidence_of_a_stuck_agent_is_cut_at_the_end)
{
    struct str out = {0};

    render_watch_stuck(&out, span_of("bob"), span_of("silent 1h on task 7: a long title"), 40,
                       &plain);
    cr_assert_str_eq(str_c(&out) + 9, "stuck   bob  STUCK?  silent 1h~\n");
    str_free(&out);
}
