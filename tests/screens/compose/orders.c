/* The forms of lead commands: from the first key to the bytes in the mailbox and the line in the
 * ledger, and the commands that need a confirmation. */
#include "tests/screens/harness/stage.h"

#include <stdio.h>

TestSuite(orders, .fini = stage_close, .timeout = 300);

#define TEAM "home/.claude/teams/dev/inboxes/"

/* Returns the file's text; empty if it does not exist. The caller frees. */
static struct str read_file(const char *path)
{
    return tmp_exists(&stage.mailbox.tmp, path) ? tmp_read(&stage.mailbox.tmp, path)
                                                : (struct str){0};
}

static void check_has(const char *path, const char *text)
{
    struct str file = read_file(path);

    cr_assert(file.len && strstr(str_c(&file), text), "%s is\n%s\nwithout\n%s", path, str_c(&file),
              text);
    str_free(&file);
}

static struct str read_ledger(void)
{
    return read_file("home/state/swarmutt/ledger");
}

/* Expects that many lines of the ledger with all of these texts. */
static void check_ledger(const char *first, const char *second, int expected)
{
    struct str ledger = read_ledger();
    struct span rest = str_span(&ledger);
    int count = 0;

    while (rest.len) {
        const char *end = memchr(rest.at, '\n', rest.len);
        size_t len = end ? (size_t)(end - rest.at) : rest.len;
        struct str line = {0};
        str_add(&line, rest.at, len);
        count += strstr(str_c(&line), first) && strstr(str_c(&line), second);
        str_free(&line);
        rest.at += end ? len + 1 : len;
        rest.len -= end ? len + 1 : len;
    }
    cr_assert_eq(count, expected, "%s and %s stand in %d lines of\n%s", first, second, count,
                 str_c(&ledger));
    str_free(&ledger);
}

/* Expects notes of the intent before the write, of the write, and of the check after it. */
static void check_trail(const char *verb, int orders)
{
    check_ledger("\"intent\"", verb, orders);
    check_ledger("\"delivered\"", "", orders);
    check_ledger("\"verified\"", "", orders);
}

/* Opens the agents of the team and selects infra-4. */
static void open_agents(void)
{
    stage_open(MAILBOX_CLAUDE, &(struct terminal_options){.rows = 30, .cols = 120});
    stage_go("2", "AGENTS ");
    stage_go("/ i n f r a Enter", "infra-4@dev: ");
}

Test(orders, a_shutdown_goes_to_the_selected_agent_and_into_the_ledger)
{
    open_agents();
    stage_go("O s", "SHUTDOWN of infra-4");
    terminal_type(stage.terminal, "no disk left");
    terminal_wait_text(stage.terminal, "no disk left");
    stage_send("shutdown_request", "sent to infra-4");
    check_has(TEAM "infra-4.json", "\\\"type\\\":\\\"shutdown_request\\\"");
    check_has(TEAM "infra-4.json", "\\\"reason\\\":\\\"no disk left\\\"");
    check_trail("\"shutdown\"", 1);
    stage_quit();
}

Test(orders, a_shutdown_is_words_where_no_program_takes_it)
{
    stage_open(MAILBOX_ADR, &(struct terminal_options){.rows = 40, .cols = 120});
    stage_command("shutdown swarm_dev/reviewer", "SHUTDOWN of swarm_dev/reviewer");
    terminal_wait_text(stage.terminal, "no program enforces it there");
    stage_send("no program enforces it", "sent to swarm_dev/reviewer");
    check_trail("\"shutdown\"", 1);
    stage_quit();
}

Test(orders, a_mode_is_completed_and_set)
{
    open_agents();
    stage_go("O m", "MODE of infra-4");
    terminal_type(stage.terminal, "pla\t");
    terminal_wait_text(stage.terminal, "plan");
    cr_expect_not(terminal_has(stage.terminal, "Confirm"));
    stage_send("mode_set_request", "sent to infra-4");
    check_has(TEAM "infra-4.json", "\\\"mode\\\":\\\"plan\\\"");
    check_trail("\"mode\"", 1);
    stage_quit();
}

Test(orders, a_mode_without_protection_is_not_sent_before_its_agent_was_typed_again)
{
    open_agents();
    struct str before = read_file(TEAM "infra-4.json");
    stage_go("O m", "MODE of infra-4");
    terminal_type(stage.terminal, "bypassPermissions");
    terminal_wait_text(stage.terminal, "Confirm");
    terminal_wait_text(stage.terminal, "nobody is asked any more before it acts");
    stage_go("^X", "still missing: Confirm");
    terminal_type(stage.terminal, "infra-5");
    terminal_wait_text(stage.terminal, "missing: none");
    stage_go("^X", "Confirm takes \"infra-4\", not \"infra-5\"");
    cr_expect_not(terminal_has(stage.terminal, "REVIEW"));
    struct str after = read_file(TEAM "infra-4.json"), ledger = read_ledger();
    cr_expect(span_eq(str_span(&before), str_span(&after)), "%s", str_c(&after));
    cr_expect_eq(ledger.len, 0, "%s", str_c(&ledger));
    terminal_key(stage.terminal, "Backspace");
    terminal_type(stage.terminal, "4");
    terminal_wait_text(stage.terminal, "infra-4 ");
    stage_send("takes all protection away", "sent to infra-4");
    check_has(TEAM "infra-4.json", "\\\"mode\\\":\\\"bypassPermissions\\\"");
    check_trail("\"mode\"", 1);
    str_free(&before);
    str_free(&after);
    str_free(&ledger);
    stage_quit();
}

Test(orders, a_confirmation_is_not_kept_with_the_draft)
{
    open_agents();
    stage_command("mode infra-4 dontAsk", "MODE of infra-4");
    terminal_wait_text(stage.terminal, "missing: Confirm");
    terminal_type(stage.terminal, "infra-4");
    terminal_wait_text(stage.terminal, "missing: none");
    stage_go("^O", "AGENTS ");
    stage_go("R", "MODE of infra-4");
    terminal_wait_text(stage.terminal, "dontAsk");
    terminal_wait_text(stage.terminal, "missing: Confirm");
    stage_go("^O", "AGENTS ");
    stage_quit();
}

Test(orders, a_task_needs_its_number_and_subject)
{
    open_agents();
    stage_go("O a", "TASK for infra-4");
    stage_go("^X", "still missing: Task, Subject");
    terminal_type(stage.terminal, "7\tFree the disk\tDelete old logs.");
    terminal_wait_text(stage.terminal, "Delete old logs.");
    stage_send("task_assignment", "sent to infra-4");
    check_has(TEAM "infra-4.json",
              "\\\"taskId\\\":\\\"7\\\",\\\"subject\\\":\\\"Free the disk\\\",\\\"description\\\":"
              "\\\"Delete old logs.\\\",\\\"assignedBy\\\":\\\"team-lead\\\"");
    check_trail("task 7: Free the disk", 1);
    stage_quit();
}

Test(orders, rules_of_one_agent_need_no_confirmation)
{
    open_agents();
    stage_go("O r", "RULES for infra-4");
    terminal_type(stage.terminal, "Bash\tls:*\tallow\t/");
    terminal_wait_text(stage.terminal, "missing: none");
    cr_expect_not(terminal_has(stage.terminal, "Confirm"));
    stage_send("team_permission_update", "sent to infra-4");
    check_has(TEAM "infra-4.json", "\\\"ruleContent\\\":\\\"ls:*\\\"");
    check_trail("allow Bash: ls:* in /", 1);
    stage_quit();
}

Test(orders, rules_that_allow_a_team_something_go_to_each_teammate_once_confirmed)
{
    static const char *const names[] = {"builder-1", "doc-3", "infra-4", "tester-2", "w7"};
    char path[64];

    stage_open(MAILBOX_CLAUDE, &(struct terminal_options){.rows = 40, .cols = 120});
    stage_command("rules dev", "RULES for dev");
    terminal_type(stage.terminal, "Bash\tls:*\tallow\t/");
    terminal_wait_text(stage.terminal, "Confirm");
    stage_go("^X", "still missing: Confirm");
    terminal_type(stage.terminal, "de");
    stage_go("^X", "Confirm takes \"dev\", not \"de\"");
    check_ledger("", "", 0);
    terminal_type(stage.terminal, "v");
    terminal_wait_text(stage.terminal, "*Confirm   [dev");
    stage_go("^X", "all 5 teammates of \"dev\" will use Bash without asking");
    terminal_wait_text(stage.terminal, "5 messages, one for each recipient");
    terminal_key(stage.terminal, "^X");
    terminal_wait_gone(stage.terminal, "REVIEW");
    terminal_wait_text(stage.terminal, "sent to builder-1@dev");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, TEAM "%s.json", names[i]);
        check_has(path, "team_permission_update");
    }
    check_trail("allow Bash: ls:* in /", 5);
    stage_quit();
}

Test(orders, in_a_conversation_the_sender_is_meant)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("/ w h i c h Enter", "?:help");
    stage_wait_selected("which page first?");
    stage_go("O m", "MODE of doc-3");
    stage_go("^O", "which page first?");
    stage_quit();
}

Test(orders, the_source_that_was_chosen_is_where_it_goes)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE | MAILBOX_ADR);
    mailbox_put(&stage.mailbox, "project/swarms/swarm_dev/agents/w7.md", 60, span_of("w7\n"));
    stage_start(&(struct terminal_options){.rows = 40, .cols = 120});
    struct str before = read_file(TEAM "w7.json");
    stage_command("shutdown w7", "SHUTDOWN of w7");
    terminal_wait_text(stage.terminal, "Source");
    stage_go("Up Right", "2 of 2");
    terminal_wait_text(stage.terminal, "SHUTDOWN of w7  in ADR-003");
    terminal_wait_text(stage.terminal, "no program enforces it there");
    stage_send("/project/workspace/mailboxes/", "sent to w7");
    struct str after = read_file(TEAM "w7.json");
    cr_expect(span_eq(str_span(&before), str_span(&after)), "%s", str_c(&after));
    check_trail("\"shutdown\"", 1);
    check_ledger("\"intent\"", "project/workspace/mailboxes", 1);
    str_free(&before);
    str_free(&after);
    stage_quit();
}

Test(orders, an_escalation_goes_by_its_level_under_a_new_id)
{
    stage_open(MAILBOX_ADR, &(struct terminal_options){.rows = 50, .cols = 120});
    stage_go("O e", "ESCALATION to who stands above");
    stage_go("^X", "still missing: Level, Subject, Reason");
    terminal_type(stage.terminal, "coo\t\tDisk\tit is full");
    terminal_wait_text(stage.terminal, "missing: none");
    stage_send("\"type\": \"escalation\"", "sent to coo");
    check_trail("\"escalate\"", 1);
    check_ledger("\"intent\"", "-0001: Disk", 1);
    stage_quit();
}
