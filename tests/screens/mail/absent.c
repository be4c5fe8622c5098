/* Unreadable mail and vanished sources: the screens report them. */
#include "tests/screens/harness/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(absent, .fini = stage_close, .timeout = 300);

#define BOXES "project/workspace/mailboxes/"

static void move(const char *from, const char *to)
{
    cr_assert_eq(renameat(stage.mailbox.tmp.fd, from, stage.mailbox.tmp.fd, to), 0, "%s", from);
}

Test(absent, the_status_line_counts_what_cannot_be_read)
{
    stage_open(MAILBOX_ADR, NULL);
    cr_assert_not(terminal_has(stage.terminal, "unreadable"));
    move(BOXES "user/inbox", "away");
    cr_assert_eq(symlinkat("../../../../away", stage.mailbox.tmp.fd, BOXES "user/inbox"), 0);
    terminal_wait_text(stage.terminal, "! 1 unreadable");
    cr_assert_eq(unlinkat(stage.mailbox.tmp.fd, BOXES "user/inbox", 0), 0);
    move("away", BOXES "user/inbox");
    terminal_wait_gone(stage.terminal, "unreadable");
    stage_quit();
}

/* Returns the style of a text on the screen. */
static struct terminal_attrs attrs_of(const char *text)
{
    int y, x;

    cr_assert(terminal_find(stage.terminal, text, &y, &x), "%s", text);
    return terminal_attrs(stage.terminal, y, x);
}

/* Runs a line of the shell in the mailbox's directory. */
static void run(const char *line)
{
    char command[1200];

    snprintf(command, sizeof command, "cd '%s' && %s", stage.mailbox.tmp.path, line);
    cr_assert_eq(system(command), 0, "%s", command);
}

Test(absent, rows_of_a_source_that_is_moved_away_stay_until_it_is_back)
{
    stage_open(MAILBOX_ADR | MAILBOX_CLAUDE, NULL);
    terminal_wait_text(stage.terminal, "Which names");
    move("project/workspace/mailboxes", "away");
    terminal_wait_text(stage.terminal, "! 1 source gone");
    terminal_wait_text(stage.terminal, "source gone since 14:03");
    cr_assert(terminal_has(stage.terminal, "Which names"));
    move("away", "project/workspace/mailboxes");
    terminal_wait_gone(stage.terminal, "source gone since");
    terminal_wait_gone(stage.terminal, "! 1 source gone");
    cr_assert(terminal_has(stage.terminal, "Which names"));
    stage_quit();
}

Test(absent, rows_of_a_source_that_is_removed_stay)
{
    stage_open(MAILBOX_ADR | MAILBOX_CLAUDE, NULL);
    terminal_wait_text(stage.terminal, "Which names");
    struct terminal_attrs before = attrs_of("Which names");
    run("cd project/workspace && cp -a mailboxes kept && rm -r mailboxes");
    terminal_wait_text(stage.terminal, "source gone since 14:03");
    terminal_wait_idle(stage.terminal); /* all rows are drawn */
    cr_assert(terminal_has(stage.terminal, "Which names"));
    struct terminal_attrs after = attrs_of("Which names");
    cr_assert_not(terminal_attrs_equal(&before, &after), "it is drawn as before");
    run("cd project/workspace && mv kept mailboxes");
    terminal_wait_gone(stage.terminal, "source gone since");
    cr_assert(terminal_has(stage.terminal, "Which names"));
    /* it is followed again */
    run("rm " BOXES "user/inbox/*.json");
    terminal_wait_gone(stage.terminal, "Which names");
    stage_quit();
}

Test(absent, rows_stay_when_the_directory_of_all_teams_is_gone)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    terminal_wait_text(stage.terminal, "INBOX");
    cr_assert_not(terminal_has(stage.terminal, "INBOX 0"));
    move("home/.claude/teams", "home/.claude/away");
    terminal_wait_text(stage.terminal, "! 1 source gone");
    cr_assert_not(terminal_has(stage.terminal, "INBOX 0"));
    move("home/.claude/away", "home/.claude/teams");
    terminal_wait_gone(stage.terminal, "source gone");
    stage_quit();
}

/* A message that really vanishes is still removed. */
Test(absent, a_message_that_is_removed_goes)
{
    stage_open(MAILBOX_ADR, NULL);
    terminal_wait_text(stage.terminal, "Which names");
    run("rm " BOXES "user/inbox/*.json");
    terminal_wait_gone(stage.terminal, "Which names");
    cr_assert_not(terminal_has(stage.terminal, "source gone"));
    stage_quit();
}

Test(absent, nothing_is_decided_where_the_source_is_gone)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("3", "1 of ");
    run("mv home/.claude home/away");
    terminal_wait_text(stage.terminal, "! 1 source gone");
    struct str before = {0}, after = {0};
    stage_snapshot_of("home/away", &before);
    terminal_wait_text(stage.terminal, "source gone since 14:03: nothing can be decided");
    terminal_keys(stage.terminal, "a o");
    terminal_wait_text(stage.terminal, "its source is gone: nothing can be decided");
    stage_snapshot_of("home/away", &after);
    stage_expect_unchanged(&before, &after);
    stage_quit();
}

/* Makes the Claude team after the screens were opened on the other mailboxes. */
static void check_teams_come(const char *confine)
{
    mailbox_make(&stage.mailbox, MAILBOX_ADR | MAILBOX_CLAUDE);
    mailbox_config(&stage.mailbox, confine);
    move("home/.claude", "home/later");
    stage_start(NULL);
    stage_go("3", "DECIDE");
    cr_assert_not(terminal_has(stage.terminal, "tester-2"));
    move("home/later", "home/.claude");
    terminal_wait_text(stage.terminal, "tester-2");
    terminal_wait_text(stage.terminal, "DECIDE");
    stage_go("1", "INBOX");
    stage_quit();
}

Test(absent, teams_that_are_made_after_the_start_appear)
{
    check_teams_come("[general]\nconfine = yes\n");
}

Test(absent, teams_that_are_made_after_the_start_appear_without_confinement)
{
    check_teams_come("[general]\nconfine = no\n");
}

Test(absent, a_project_that_is_removed_and_made_again_is_followed_with_view_filter_and_cursor)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("l", "filter:");
    terminal_type(stage.terminal, "from:tester-2");
    terminal_key(stage.terminal, "Enter");
    terminal_wait_text(stage.terminal, "filter:from:tester-2");
    for (int i = 0; i < 2; i++) { /* the second time again */
        run("cd home && cp -a .claude kept && rm -r .claude && mv kept .claude");
        terminal_wait_text(stage.terminal, "opened again: mailboxes have come");
        terminal_wait_text(stage.terminal, "filter:from:tester-2");
        terminal_wait_text(stage.terminal, "watch ok");
        terminal_wait_gone(stage.terminal, "source gone");
        stage_go("j", "filter:from:tester-2"); /* removes the earlier message */
        terminal_wait_gone(stage.terminal, "opened again");
    }
    stage_quit();
}

Test(absent, nothing_is_opened_again_while_something_is_written)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("m", "Subject");
    run("cd home && cp -a .claude kept && rm -r .claude && mv kept .claude");
    terminal_wait_text(stage.terminal, "was made anew");
    terminal_wait_idle(stage.terminal);
    terminal_wait_text(stage.terminal, "Subject");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_text(stage.terminal, "opened again: mailboxes have come");
    stage_quit();
}

Test(absent, nothing_is_opened_again_while_another_source_is_gone)
{
    mailbox_make(&stage.mailbox, MAILBOX_ADR | MAILBOX_CLAUDE);
    move("home/.claude", "home/later");
    stage_start(NULL);
    move("project/workspace/mailboxes", "away");
    terminal_wait_text(stage.terminal, "! 1 source gone");
    move("home/later", "home/.claude");
    terminal_wait_text(stage.terminal, "has come");
    cr_assert(terminal_has(stage.terminal, "source gone since"));
    move("away", "project/workspace/mailboxes");
    terminal_wait_text(stage.terminal, "opened again: mailboxes have come");
    terminal_wait_text(stage.terminal, "tester-2");
    terminal_wait_text(stage.terminal, "Which names");
    stage_quit();
}
