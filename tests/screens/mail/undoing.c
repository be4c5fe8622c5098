/* Undo and redo: several changes of different kinds in a row, with concurrent changes by others. */
#include "tests/screens/harness/stage.h"

#include <unistd.h>

TestSuite(undoing, .fini = stage_close, .timeout = 300);

#define USER "project/workspace/mailboxes/user/"

static const char review[] = USER "inbox/MSG-0000000000f1.json";
static const char archived[] = USER "archive/MSG-0000000000f1.json";
static const char handoff[] = USER "inbox/MSG-0000000000b1.json";

static void select_row(const char *search, const char *row)
{
    terminal_key(stage.terminal, "/");
    terminal_type(stage.terminal, search);
    stage_go("Enter", "?:help");
    stage_wait_selected(row);
}

static bool says(const char *path, const char *text)
{
    struct str file = tmp_read(&stage.mailbox.tmp, path);
    bool is = strstr(str_c(&file), text) != NULL;

    str_free(&file);
    return is;
}

/* Expects the first `count` of the three changes to be done, and the others not. */
static void expect_done(int count)
{
    cr_expect_eq(tmp_exists(&stage.mailbox.tmp, review), count < 1, "%d", count);
    cr_expect_eq(tmp_exists(&stage.mailbox.tmp, archived), count >= 1, "%d", count);
    cr_expect_eq(says(handoff, "\"status\": \"processing\""), count >= 2, "%d", count);
    if (count < 1)
        terminal_wait_text(stage.terminal, "Reviewed: parser");
    else
        terminal_wait_gone(stage.terminal, "Reviewed: parser");
    if (count < 2)
        terminal_wait_text(stage.terminal, "Handoff: index  high  waits for you");
    else
        terminal_wait_text(stage.terminal, "Handoff: index  processing");
    if (count < 3)
        terminal_wait_gone(stage.terminal, "snoozed:1");
    else
        terminal_wait_text(stage.terminal, "snoozed:1");
}

static void change_three(void)
{
    select_row("Reviewed", "Reviewed: parser");
    stage_go("d", "archived 1 message");
    select_row("index", "Handoff: index");
    stage_go("M", "mark as: ");
    terminal_type(stage.terminal, "processing\r");
    terminal_wait_text(stage.terminal, "marked as processing: 1 message");
    select_row("queue", "Which names");
    stage_go("s", "put aside for: ");
    terminal_type(stage.terminal, "2h\r");
    terminal_wait_text(stage.terminal, "put aside 1 conversation for 2h");
}

Test(undoing, takes_back_one_after_the_other_and_does_them_again)
{
    stage_open(MAILBOX_ADR, NULL);
    change_three();
    expect_done(3);
    stage_go("u", "taken back: put aside 1 conversation");
    expect_done(2);
    stage_go("u", "taken back: marked as processing: 1 message");
    expect_done(1);
    stage_go("u", "taken back: archived 1 message");
    expect_done(0);
    stage_go("u", "there is nothing to take back");
    expect_done(0);
    stage_go("^R", "archived 1 message");
    expect_done(1);
    stage_go("^R", "marked as processing: 1 message");
    expect_done(2);
    stage_go("^R", "put aside 1 conversation");
    expect_done(3);
    stage_go("^R", "there is nothing that was taken back");
    /* and in turns */
    stage_go("u", "taken back: put aside");
    stage_go("u", "taken back: marked");
    stage_go("^R", "marked as processing: 1 message");
    expect_done(2);
    stage_quit();
}

Test(undoing, a_new_change_is_what_comes_after_what_was_left)
{
    stage_open(MAILBOX_ADR, NULL);
    change_three();
    stage_go("u", "taken back: put aside");
    stage_go("u", "taken back: marked");
    expect_done(1);
    select_row("index", "Handoff: index");
    stage_go("M", "mark as: ");
    terminal_type(stage.terminal, "completed\r");
    terminal_wait_text(stage.terminal, "marked as completed: 1 message");
    stage_go("^R", "there is nothing that was taken back");
    stage_go("u", "taken back: marked as completed: 1 message");
    stage_go("u", "taken back: archived 1 message");
    expect_done(0);
    stage_quit();
}

Test(undoing, what_somebody_else_changed_since_is_left_as_it_is)
{
    stage_open(MAILBOX_ADR, NULL);
    select_row("index", "Handoff: index");
    stage_go("M", "mark as: ");
    terminal_type(stage.terminal, "processing\r");
    terminal_wait_text(stage.terminal, "marked as processing: 1 message");
    /* its agent continues with it */
    struct str file = tmp_read(&stage.mailbox.tmp, handoff);
    char *at = strstr(str_c(&file), "\"processing\"");
    cr_assert_not_null(at);
    memcpy(at, "\"failed\"    ", strlen("\"processing\""));
    mailbox_put(&stage.mailbox, handoff, 0, str_span(&file));
    terminal_wait_text(stage.terminal, "Handoff: index  failed");
    stage_go("u", "changed");
    cr_expect(says(handoff, "\"failed\""));
    cr_expect_not(terminal_has(stage.terminal, "taken back: "));
    str_free(&file);
    stage_quit();
}
