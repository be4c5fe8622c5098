/* A team with requests, for the tests of deciding. */
#include "deciding.h"

#include <unistd.h>

static const char team[] =
    "{\"name\":\"dev\",\"leadAgentId\":\"team-lead@dev\",\"members\":[{\"name\":\"team-lead\","
    "\"agentId\":\"team-lead@dev\"},{\"name\":\"bob\",\"agentId\":\"bob@dev\"},{\"name\":\"ann\","
    "\"agentId\":\"ann@dev\"}]}";

void deciding_make_team(const char *hold)
{
    struct str config = {0};

    mailbox_make(&stage.mailbox, 0);
    mailbox_put(&stage.mailbox, "home/.claude/teams/dev/config.json", 60 * MINUTE, span_of(team));
    str_addf(&config, "[decide]\nhold = %s\nsettle = 300ms\n", hold);
    mailbox_config(&stage.mailbox, str_c(&config));
    str_free(&config);
}

void deciding_ask(const char *from, int ago_s, const char *text)
{
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){"team-lead", from, ago_s, NULL, text, false});
}

void deciding_start(const char *seen)
{
    stage_start(NULL);
    stage_go("3", seen);
    terminal_wait_text(stage.terminal, "end of the request");
    terminal_wait_gone(stage.terminal, "settling");
}

void deciding_wait_change(const char *said)
{
    terminal_wait_text(stage.terminal, said);
    terminal_wait_idle(stage.terminal);
}

void put_request(const char *command, bool read)
{
    struct str file = {0};

    str_addf(&file,
             "[{\"from\":\"bob\",\"text\":\"{\\\"type\\\":\\\"permission_request\\\","
             "\\\"request_id\\\":\\\"p-1\\\",\\\"agent_id\\\":\\\"bob\\\",\\\"tool_name\\\":"
             "\\\"Bash\\\",\\\"tool_use_id\\\":\\\"t\\\",\\\"description\\\":\\\"d\\\","
             "\\\"input\\\":{\\\"command\\\":\\\"%s\\\"},\\\"permission_suggestions\\\":[]}\","
             "\"timestamp\":\"2026-02-12T14:00:00.000Z\",\"msgV\":1,\"msg_id\":\"m-1\","
             "\"read\":%s}]",
             command, read ? "true" : "false");
    mailbox_put(&stage.mailbox, INBOXES "team-lead.json", 1, str_span(&file));
    str_free(&file);
}

void put_named(const char *command)
{
    put_request(command, false);
}

void put_answer(const char *box, const char *request, bool granted)
{
    struct str text = {0};

    str_addf(&text, "{\"type\":\"permission_response\",\"request_id\":\"%s\",%s}", request,
             granted ? "\"subtype\":\"success\",\"response\":{\"updated_input\":"
                       "{\"command\":\"ls\"},\"permission_updates\":[]}"
                     : "\"subtype\":\"error\",\"error\":\"no\"");
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){box, "team-lead", 1, NULL, str_c(&text), false});
    str_free(&text);
}

struct str inbox_of(const char *path)
{
    return tmp_exists(&stage.mailbox.tmp, path) ? tmp_read(&stage.mailbox.tmp, path)
                                                : (struct str){0};
}

void check_answer(const char *path, const char *text)
{
    struct str file = inbox_of(path);

    cr_assert(strstr(str_c(&file), text), "%s: %s", text, str_c(&file));
    str_free(&file);
}

void check_nothing(void)
{
    cr_expect_not(tmp_exists(&stage.mailbox.tmp, INBOXES "bob.json"));
    cr_expect_not(tmp_exists(&stage.mailbox.tmp, LEDGER));
}

void wait_dead_time(void)
{
    usleep(400000);
}
