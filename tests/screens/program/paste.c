/* Pasted text is only text everywhere: it never moves, confirms or sends anything. */
#include "tests/screens/harness/stage.h"

TestSuite(paste, .fini = stage_close, .timeout = 300);

/* Every letter of it is a key with an effect. */
static const char keys[] = "dQ\nj\r:quit\nz\x03\x18\x04ga\x1b[B\tXy";

static void paste(const char *text, const char *seen)
{
    terminal_paste(stage.terminal, text);
    terminal_wait_idle(stage.terminal);
    terminal_wait_text(stage.terminal, seen);
}

Test(paste, into_a_list_does_nothing)
{
    struct str before = {0}, after = {0};

    stage_open(STAGE_USUAL, NULL);
    terminal_key(stage.terminal, "j");
    stage_wait_selected("critic");
    /* opening the drafts creates the state, and the first check of decisions writes a note */
    terminal_type(stage.terminal, "3");
    terminal_wait_idle(stage.terminal);
    terminal_type(stage.terminal, "4");
    terminal_wait_idle(stage.terminal);
    stage_snapshot(&before);
    for (const char *view = "123456"; *view; view++) {
        terminal_type(stage.terminal, (const char[]){*view, '\0'});
        terminal_wait_idle(stage.terminal);
        paste(keys, "there is no place for a paste here");
    }
    terminal_key(stage.terminal, "1");
    stage_wait_selected("critic");
    /* nor in the middle of a key sequence */
    stage_go("z", "a:fold");
    paste("a", "there is no place for a paste here");
    stage_wait_selected("critic");
    stage_snapshot(&after);
    stage_expect_unchanged(&before, &after);
    stage_go("Enter", "somebody with rights frees /var");
    paste(keys, "there is no place for a paste here");
    stage_go("q", "INBOX 20/20");
    stage_quit();
}

Test(paste, into_a_prompt_is_typed_and_not_done)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go(":", ":");
    paste("quit\n", ":quit");
    stage_go("^C l", "filter: ");
    paste("from:doc-3\nis:waiting\n", "filter: from:doc-3");
    terminal_wait_text(stage.terminal, "is:waiting");
    terminal_wait_text(stage.terminal, "INBOX 1/20");
    stage_go("^U", "INBOX 20/20");
    paste(keys, "filter: dQ");
    terminal_wait_text(stage.terminal, "^C");
    terminal_wait_text(stage.terminal, "ga^["); /* even the bytes of a key */
    stage_go("^C", "filter:none");
    stage_go("/", "/");
    paste("builder", "/builder");
    stage_go("Enter", "?:help");
    stage_wait_selected("builder-1");
    stage_quit();
}

Test(paste, into_a_form_keeps_its_lines_and_answers_no_question)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("m", "NEW MESSAGE");
    paste("builder-1\n", "builder-1");
    stage_go("Tab", "Subject");
    paste("two\nlines", "lines");
    stage_go("Tab", "Body");
    paste("first\n\tsecond\r\nthird \x03\x18\x1b[31m end", "first");
    int y, x, after;
    cr_assert(terminal_find(stage.terminal, "first", &y, &x));
    cr_assert(terminal_find(stage.terminal, "second", &after, &x));
    cr_expect_eq(after, y + 1);
    cr_assert(terminal_find(stage.terminal, "third ^C^X^[[31m end", &after, &x));
    cr_expect_eq(after, y + 2);
    stage_go("Alt-x", "(y/n)");
    paste("y", "(y/n)");
    stage_go("n", "nothing was done");
    cr_expect(terminal_has(stage.terminal, "third ^C^X^[[31m end"));
    stage_go("^P", "REVIEW");
    paste("\x18", "there is no place for a paste here");
    stage_go("q", "NEW MESSAGE");
    stage_go("Alt-x", "(y/n)");
    stage_go("y", "INBOX");
    stage_quit();
    cr_expect_not(
        tmp_exists(&stage.mailbox.tmp, "home/.claude/teams/dev/inboxes/builder-1.json.lock"));
    struct str box = tmp_read(&stage.mailbox.tmp, "home/.claude/teams/dev/inboxes/builder-1.json");
    cr_expect_not(strstr(str_c(&box), "third"));
    str_free(&box);
}
