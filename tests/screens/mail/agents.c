/* The screens of agents and of the traffic, and the sidebar: a small swarm at a fixed time. views.c
 * has other sizes and terminals. */
#include "tests/screens/harness/golden.h"
#include "tests/screens/terminal/terminal.h"
#include "tests/unit/support.h"

#include <stdio.h>

#define MEMBER(name, color)                                                                        \
    "{\"agentId\":\"" name "@dev\",\"name\":\"" name "\",\"agentType\":\"worker\",\"color\":"      \
    "\"" color "\",\"joinedAt\":1,\"cwd\":\"/x\"}"
#define SAID(from, when, read, summary)                                                            \
    "{\"from\":\"" from "\",\"text\":\"" summary "\",\"timestamp\":\"2026-03-01T" when "Z\","      \
    "\"read\":" read ",\"summary\":\"" summary "\"}"

static struct tmp tmp;
static struct terminal *terminal;

static void write_text(const char *path, const char *text)
{
    tmp_write(&tmp, path, span_of(text));
}

static void make_swarm(void)
{
    tmp_make(&tmp);
    write_text(
        "mail/teams/dev/config.json",
        "{\"name\":\"dev\",\"leadAgentId\":\"team-lead@dev\",\"createdAt\":1,\"members\":["
        "{\"agentId\":\"team-lead@dev\",\"name\":\"team-lead\",\"joinedAt\":1}," MEMBER(
            "builder-1",
            "red") "," MEMBER("infra-4",
                              "blue") "," MEMBER("w1", "green") "," MEMBER("w2\\u001b[31m\\u202e",
                                                                           "purple") "]}");
    write_text(
        "mail/teams/dev/inboxes/team-lead.json",
        "[" SAID("infra-4", "11:41:00.000", "true",
                 "no disk left on /var") ","
                                         "{\"from\":\"builder-1\",\"text\":\"{\\\"type\\\":"
                                         "\\\"plan_approval_request\\\","
                                         "\\\"from\\\":\\\"builder-1\\\",\\\"timestamp\\\":"
                                         "\\\"2026-03-01T11:59:48.000Z\\\","
                                         "\\\"planFilePath\\\":\\\"/x/"
                                         "p.md\\\",\\\"planContent\\\":\\\"# migrate the auth "
                                         "module\\\\n\\\",\\\"requestId\\\":\\\"plan-1\\\"}\","
                                         "\"timestamp\":"
                                         "\"2026-03-01T11:59:48.000Z\",\"read\":false}," SAID(
                                             "w1", "11:58:00.000", "false",
                                             "half of the parser is done") "," SAID("w2\\u001b["
                                                                                    "31m\\u202e",
                                                                                    "11:57:00.000",
                                                                                    "false",
                                                                                    "hello \\u202e "
                                                                                    "there") "]");
    write_text("mail/teams/dev/inboxes/infra-4.json",
               "[" SAID("team-lead", "11:43:00.000", "false", "clean up and go on") "," SAID(
                   "w1", "11:20:00.000", "true", "where are the logs") "]");
    write_text("mail/teams/dev/inboxes/w1.json",
               "[" SAID("builder-1", "11:50:00.000", "true", "the field is called since") "]");
    write_text("mail/tasks/dev/1.json",
               "{\"id\":\"1\",\"subject\":\"write the parser\",\"description\":\"\",\"status\":"
               "\"in_progress\",\"owner\":\"w1\",\"blocks\":[],\"blockedBy\":[]}");
}

static void start(int rows, int cols)
{
    static char source[512], state[512], home[512];
    const char *const args[] = {"--source", source, NULL};
    const char *const env[] = {state, home, "SWARMUTT_NOW=2026-03-01T12:00:00Z", "TZ=UTC", NULL};

    make_swarm();
    snprintf(source, sizeof source, "claude:%s/mail", tmp.path);
    snprintf(state, sizeof state, "XDG_STATE_HOME=%s/state", tmp.path);
    snprintf(home, sizeof home, "HOME=%s/home", tmp.path);
    terminal = terminal_start(
        &(struct terminal_options){.rows = rows, .cols = cols, .args = args, .env = env});
    terminal_wait_text(terminal, "watch ok");
    terminal_wait_text(terminal, "1 stuck"); /* the rosters are loaded too */
}

static void end_it(void)
{
    terminal_free(terminal);
    terminal = NULL;
    tmp_remove(&tmp);
}

static void quit(void)
{
    terminal_key(terminal, "Q");
    cr_assert_eq(terminal_end(terminal), 0);
}

/* Waits until nothing changes any more, and compares. */
static void style(const char *name)
{
    terminal_wait_idle(terminal);
    golden_check(terminal, name);
}

TestSuite(agents_screen, .fini = end_it, .timeout = 300);

Test(agents_screen, tells_who_is_stuck_and_why)
{
    start(24, 80);
    terminal_key(terminal, "2");
    style("swarm-agents");
    quit();
}

Test(agents_screen, the_page_of_an_agent_has_all_that_is_known_and_its_mail)
{
    start(24, 80);
    terminal_key(terminal, "2");
    terminal_wait_text(terminal, "AGENTS 4/4");
    terminal_keys(terminal, "/ w 1 Enter");
    terminal_wait_text(terminal, "w1@dev: ");
    terminal_key(terminal, "Enter");
    style("swarm-agent");
    terminal_key(terminal, "m"); /* this agent's page, whatever conversation is selected */
    terminal_wait_text(terminal, "NUDGE w1");
    terminal_wait_idle(terminal); /* the whole page is there: its foot has vanished */
    terminal_key(terminal, "Esc");
    terminal_wait_text(terminal, "AGENT 3/3");
    terminal_key(terminal, "q");
    terminal_wait_text(terminal, "AGENTS 4/4");
    quit();
}

Test(agents_screen, a_filter_takes_words_and_goes_with_q)
{
    start(24, 80);
    terminal_keys(terminal, "2 l");
    terminal_type(terminal, "stuck");
    terminal_wait_text(terminal, "AGENTS 1/4");
    terminal_key(terminal, "Enter");
    terminal_wait_text(terminal, "filter:stuck");
    terminal_key(terminal, "q");
    terminal_wait_text(terminal, "AGENTS 4/4");
    terminal_type(terminal, ":filter nobody\r");
    terminal_wait_text(terminal, "no agent matches the filter; q clears it");
    quit();
}

static bool is_selected(struct terminal *screen, void *context)
{
    struct str row = {0};
    bool is = false;

    for (int y = 0; !is && y < terminal_rows(screen); y++) {
        str_clear(&row);
        terminal_row(screen, y, &row);
        is = *str_c(&row) == '>' && strstr(str_c(&row), context);
    }
    str_free(&row);
    return is;
}

static bool comes_first(struct terminal *screen, void *context)
{
    struct str row = {0};

    terminal_row(screen, 3, &row);
    bool is = strstr(str_c(&row), context) != NULL;
    str_free(&row);
    return is;
}

Test(agents_screen, the_cursor_stays_with_its_agent_when_mail_makes_another_one_wait)
{
    char chosen[] = "infra-4", first[] = "WAITS-YOU w1";

    start(24, 80);
    terminal_key(terminal, "2");
    terminal_wait_text(terminal, "AGENTS 4/4");
    terminal_keys(terminal, "/ i n f r a Enter");
    terminal_wait(terminal, "selected infra-4", is_selected, chosen);
    write_text("mail/teams/dev/inboxes/team-lead.json",
               "[{\"from\":\"w1\",\"text\":\"{\\\"type\\\":\\\"plan_approval_request\\\","
               "\\\"from\\\":\\\"w1\\\",\\\"timestamp\\\":\\\"2026-03-01T11:00:00.000Z\\\","
               "\\\"planFilePath\\\":\\\"/x/q.md\\\",\\\"planContent\\\":\\\"# another "
               "plan\\\\n\\\",\\\"requestId\\\":\\\"plan-2\\\"}\",\"timestamp\":"
               "\"2026-03-01T11:00:00.000Z\",\"read\":false}," SAID(
                   "infra-4", "11:41:00.000", "true", "no disk left on /var") "]");
    terminal_wait(terminal, "had w1 first", comes_first, first);
    terminal_wait(terminal, "selected infra-4 still", is_selected, chosen);
    quit();
}

TestSuite(flow_screen, .fini = end_it, .timeout = 300);

Test(flow_screen, tells_who_talks_to_whom)
{
    start(24, 80);
    terminal_key(terminal, "6");
    style("swarm-flow");
    quit();
}

Test(flow_screen, counts_the_hour_or_the_day)
{
    start(24, 80);
    terminal_key(terminal, "6");
    terminal_wait_text(terminal, "period:hour");
    terminal_key(terminal, "p");
    terminal_wait_text(terminal, "last day: 7 messages");
    terminal_type(terminal, ":period hour\r");
    terminal_wait_text(terminal, "last hour: 7 messages");
    terminal_type(terminal, ":period week\r");
    terminal_wait_text(terminal, "the period is hour or day");
    quit();
}

TestSuite(sidebar_screen, .fini = end_it, .timeout = 300);

Test(sidebar_screen, a_wide_screen_has_all_agents_with_their_counts)
{
    start(20, 120);
    style("inbox-20x120");
    terminal_wait_text(terminal, "All");
    terminal_keys(terminal, "J J");
    terminal_wait_text(terminal, "agent:infra-4");
    style("inbox-20x120-agent");
    terminal_resize(terminal, 20, 99);
    terminal_wait_gone(terminal, "AGENTS");
    quit();
}

Test(agents_screen, no_size_is_too_small)
{
    static const int sizes[][2] = {{1, 1}, {2, 3}, {3, 8}, {5, 12}, {7, 39}, {60, 200}, {4, 300}};

    start(24, 80);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        terminal_resize(terminal, sizes[i][0], sizes[i][1]);
        terminal_keys(terminal, "1 j 6 j Enter q 2 j Enter ^W j");
        terminal_wait_idle(terminal);
    }
    terminal_resize(terminal, 24, 80);
    terminal_wait_text(terminal, "AGENT ");
    quit();
}
