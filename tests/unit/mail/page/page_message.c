/* Tests documents: messages, and requests that a person decides. */
#include "page_support.h"
#include "tests/unit/mail/render/render_support.h"

#include "mail/message/kind.h"

#include <stdio.h>

TestSuite(page_message, .init = use_zone_utc);

static struct page_options options_of(size_t columns)
{
    return (struct page_options){
        .columns = columns, .ascii_borders = true, .now_us = SENT_US + 3 * HOUR_US};
}

static struct str show(const struct message *message, const struct page_options *options)
{
    struct document page = {0};

    page_message(&page, message, options);
    assert_sound(&page, options, "message");
    struct str shown = page_shown(&page, false);
    page_free(&page);
    return shown;
}

static void assert_message(const struct message *message, size_t columns, const char *want)
{
    struct page_options options = options_of(columns);
    struct str shown = show(message, &options);

    cr_assert_str_eq(str_c(&shown), want);
    str_free(&shown);
}

Test(page_message, what_became_of_a_handoff_stands_in_its_head)
{
    struct message_data data = make_data();
    struct message message = make(&data);
    struct page_options options = options_of(60);

    message.kind = KIND_HANDOFF;
    options.handoff = span_of("accepted 2h ago by bob\nStatus archived (said so in MSG-1)");
    struct str shown = show(&message, &options);
    cr_assert_not_null(strstr(str_c(&shown),
                              "Kind HANDOFF  Status unread\n"
                              "Handoff    accepted 2h ago by bob^JStatus archived (said so\n"
                              "           in MSG-1)\n\n"),
                       "%s", str_c(&shown));
    str_free(&shown);
}

Test(page_message, all_fields_are_shown_on_request)
{
    struct message_data data = make_data();
    struct message message = make(&data);
    struct page_options options = options_of(80);

    message.thread = span_of("T-1");
    message.reply_to = span_of("MSG-1");
    data.swarm = span_of("dev");
    data.read_us = SENT_US;
    options.all_fields = true;
    struct str shown = show(&message, &options);
    const char *const rows[] = {"Id         MSG-0123456789ab\n",
                                "Type       request\n",
                                "Thread     T-1\n",
                                "Answers    MSG-1\n",
                                "Swarm      dev\n",
                                "Read       2026-01-03 23:53:21",
                                "File       implementer/inbox/MSG-0123456789ab.json\n"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_assert_not_null(strstr(str_c(&shown), rows[i]), "%s", rows[i]);
    str_free(&shown);
}

Test(page_message, what_is_wrong_with_it_is_said)
{
    struct message_data data = make_data();
    struct message message = make(&data);
    struct document page = {0};
    struct page_options options = options_of(200);

    message.damaged = "line 3: \"from\" is missing";
    message.flags = MESSAGE_STRAY;
    page_message(&page, &message, &options);
    struct str error = page_looking(&page, STYLE_ERROR),
               warning = page_looking(&page, STYLE_WARNING);
    cr_assert_not_null(strstr(str_c(&error), message.damaged));
    cr_assert_not_null(strstr(str_c(&warning), "box"));
    str_free(&error);
    str_free(&warning);
    page_free(&page);
}

Test(page_message, names_cannot_pass_for_fields)
{
    struct message_data data = make_data();
    struct message message = make(&data);

    message.from = span_of("a  To lead");
    message.subject = span_of("x\nKind PLAN");
    message.created_us = TIME_NONE;
    assert_message(&message, 60,
                   "From \"a  To lead\"  To implementer\n"
                   "Subject    x^JKind PLAN\n"
                   "Kind msg  Status unread\n\nHi\n");
}

Test(page_message, a_permission_is_shown_whole)
{
    struct message_data data = make_data();
    struct message message = make(&data);

    data.body = data.payload = data.protocol =
        span_of("{\"type\":\"permission_request\",\"request_id\":\"perm-1\",\"agent_id\":\"t\","
                "\"tool_name\":\"Bash\",\"tool_use_id\":\"u\",\"description\":\"clean up\","
                "\"input\":{\"command\":\"rm -rf build/ && make all check install DESTDIR=/x\","
                "\"timeout\":1e3},\"permission_suggestions\":[],\"new\":{\"a\":[1]}}");
    data.body_is_payload = true;
    message.kind = KIND_PERMISSION;
    message.requires_response = true;
    message.created_us = TIME_NONE;
    assert_message(&message, 40,
                   "From swarm_dev/architect  To implementer\n"
                   "Subject    Plain\n"
                   "Kind PERM  Status unread  wants an\n"
                   "  answer\n"
                   "\n"
                   "Tool       Bash\n"
                   "Command    rm -rf build/ && make all che\n"
                   "         + ck install DESTDIR=/x\n"
                   "Input\n"
                   "  timeout: 1e3\n"
                   "Reason     \"clean up\" (the agent's\n"
                   "           words)\n"
                   "Agent      t\n"
                   "Use        u\n"
                   "Request    perm-1\n"
                   "Type       permission_request\n"
                   "new:\n"
                   "  a:\n"
                   "    - 1\n");
}

Test(page_message, a_command_of_several_lines_cannot_forge_a_field)
{
    struct message_data data = make_data();
    struct message message = make(&data);
    struct page_options options = options_of(60);

    data.payload = data.protocol =
        span_of("{\"type\":\"permission_request\",\"tool_name\":\"Bash\",\"input\":{\"command\":"
                "\"ls\\nReason     safe\"},\"input\":{\"command\":\"rm x\"}}");
    data.body_is_payload = true;
    struct str shown = show(&message, &options);
    cr_assert_not_null(strstr(str_c(&shown), "\nCommand    ls\n           Reason     safe\n"
                                             "Command    rm x\n"));
    cr_assert_not_null(strstr(str_c(&shown), "The key \"input\" stands twice"));
    str_free(&shown);
}

Test(page_message, a_request_nobody_acts_on_says_so)
{
    struct message_data data = make_data();
    struct message message = make(&data);
    struct page_options options = options_of(100);

    data.payload = data.protocol = span_of("{\"type\":\"shutdown_request\",\"from\":\"w\"}");
    data.body_is_payload = true;
    struct str shown = show(&message, &options);
    cr_assert_not_null(strstr(str_c(&shown), "Its receiver does not act on it: \"requestId\""),
                       "%s", str_c(&shown));
    str_free(&shown);
}

/* Every member of every kind, also of a wrong type and unknown, is somewhere on the screen. */
Test(page_message, no_member_of_a_protocol_is_left_out)
{
    static const char *const kinds[] = {"idle_notification",
                                        "permission_request",
                                        "permission_response",
                                        "sandbox_permission_request",
                                        "sandbox_permission_response",
                                        "plan_approval_request",
                                        "plan_approval_response",
                                        "shutdown_request",
                                        "shutdown_approved",
                                        "shutdown_rejected",
                                        "task_assignment",
                                        "team_permission_update",
                                        "mode_set_request",
                                        "something_new"};
    static const char *const keys[] = {"from",
                                       "timestamp",
                                       "idleReason",
                                       "summary",
                                       "completedTaskId",
                                       "description",
                                       "input",
                                       "tool_name",
                                       "planContent",
                                       "approved",
                                       "feedback",
                                       "reason",
                                       "hostPattern",
                                       "host",
                                       "taskId",
                                       "subject",
                                       "permissionUpdate",
                                       "mode",
                                       "requestId",
                                       "request_id",
                                       "unheard_of",
                                       "response",
                                       "error",
                                       "subtype"};
    static const char *const values[] = {"\"V%zuV\"", "[\"V%zuV\"]", "{\"command\":\"V%zuV\"}",
                                         "{\"k\":[{\"l\":\"a\\nV%zuV\"}]}"};

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            struct message_data data = make_data();
            struct message message = make(&data);
            struct page_options options = options_of(v % 2 ? 70 : 25);
            struct str json = {0};
            str_addf(&json, "{\"type\":\"%s\"", kinds[k]);
            for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
                str_addf(&json, ",\"%s\":", keys[i]);
                const char *mark = strchr(values[v], '%');
                str_add(&json, values[v], (size_t)(mark - values[v]));
                str_addf(&json, "%zu%s", i, mark + 3);
            }
            str_putc(&json, '}');
            data.body = data.payload = data.protocol = str_span(&json);
            data.body_is_payload = true;
            struct str shown = show(&message, &options);
            for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
                char want[16];
                snprintf(want, sizeof want, "V%zuV", i);
                cr_assert_not_null(strstr(str_c(&shown), want), "%s, %s: %s", kinds[k], keys[i],
                                   str_c(&shown));
            }
            str_free(&shown);
            str_free(&json);
        }
    }
}

Test(page_message, a_handoff_is_a_form)
{
    struct message_data data = make_data();
    struct message message = make(&data);
    struct page_options options = options_of(60);

    data.context = span_of(
        "{\"work_completed\":\"deleted old logs\\nbuild at 80%\",\"files_modified\":[\"src/a.c\"],"
        "\"files_created\":[],\"current_state\":\"disk full\",\"state_file\":null,"
        "\"next_steps\":[\"free 2 GB\",\"rerun\\nmake\"],\"blockers\":[],\"dependencies\":[],"
        "\"related_escalations\":[\"ESC-1\"],\"job_id\":\"J-1\",\"notes\":\"\",\"extra\":[1]}");
    data.attachments = span_of("[\"src/a.c\"]");
    struct str shown = show(&message, &options);
    cr_assert_not_null(strstr(str_c(&shown),
                              "\n-- Handoff -------------------------------------------------\n"
                              "Done            deleted old logs\n"
                              "                build at 80%\n"
                              "State           disk full\n"
                              "Next            1. free 2 GB\n"
                              "                2. rerun\n"
                              "                   make\n"
                              "Blockers        none\n"
                              "Files modified  - src/a.c\n"
                              "Escalations     - ESC-1\n"
                              "Job             J-1\n"
                              "extra:\n"
                              "  - 1\n"
                              "\n"
                              "-- Attachments"),
                       "%s", str_c(&shown));
    cr_assert_not_null(strstr(str_c(&shown), "\n- src/a.c\n"));
    str_free(&shown);
}

Test(page_message, payload_and_context_are_shown)
{
    struct message_data data = make_data();
    struct message message = make(&data);
    struct page_options options = options_of(60);

    data.context = span_of("{\"branch\":\"main\"}");
    data.payload = span_of("{\"n\":1.0}");
    data.tags = span_of("[\"a\",\"b\"]");
    struct str shown = show(&message, &options);
    cr_assert_not_null(strstr(str_c(&shown), "\nbranch: main\n"));
    cr_assert_not_null(strstr(str_c(&shown), "\nn: 1.0\n"));
    cr_assert_not_null(strstr(str_c(&shown), "\nTags       a, b\n"));
    str_free(&shown);
}

Test(page_message, hostile_messages_are_harmless_at_any_width)
{
    struct message_data data;
    struct message message;
    struct place where;

    make_hostile(&message, &data, &where);
    for (size_t columns = 1; columns < 100; columns += 3) {
        for (unsigned i = 0; i < 8; i++) {
            struct page_options options = options_of(columns);
            options.clean = i & 1 ? SANITIZE_ASCII : 0;
            options.all_fields = i & 2;
            options.whole = i & 4;
            data.body_is_payload = columns % 2;
            struct str shown = show(&message, &options);
            assert_clean(str_span(&shown), i & 1, true);
            str_free(&shown);
        }
    }
}

Test(page_message, places_are_the_same_at_any_width)
{
    struct message_data data;
    struct message message;
    struct place where;
    uint32_t sources = 0;

    make_hostile(&message, &data, &where);
    data.protocol = data.payload =
        span_of("{\"type\":\"permission_request\",\"tool_name\":\"Bash\",\"input\":{\"command\":"
                "\"a b\\nc\"},\"description\":\"why\",\"x\":[1,{\"y\":2}]}");
    for (int i = 0; i < 2; i++) {
        data.body_is_payload = i;
        for (size_t columns = 1; columns < 100; columns++) {
            struct document page = {0};
            struct page_options options = options_of(columns);
            page_message(&page, &message, &options);
            cr_assert(columns == 1 || page.sources == sources, "%zu columns", columns);
            sources = page.sources;
            page_free(&page);
        }
    }
}

Test(page_message, a_message_without_its_data_still_has_a_head)
{
    struct message message = make(NULL);
    struct page_options options = options_of(80);
    struct str shown = show(&message, &options);

    cr_assert_not_null(strstr(str_c(&shown), "Subject    Plain\n"));
    str_free(&shown);
}
