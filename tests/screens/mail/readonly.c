/* With --readonly no key writes anything, and every refusal says so. */
#include "tests/screens/harness/stage.h"

TestSuite(readonly, .fini = stage_close, .timeout = 300);

static void refused(const char *keys, const char *name)
{
    struct str text = {0};

    str_addf(&text, "%s would write, and --readonly was given", name);
    stage_go(keys, str_c(&text));
    str_free(&text);
}

Test(readonly, nothing_is_written_and_every_refusal_says_so)
{
    static const struct {
        const char *keys, *name;
    } writes[] = {{"d", "archive"},     {"A", "archive"}, {"M", "mark"},    {"s", "snooze"},
                  {"u", "undo"},        {"^R", "redo"},   {"m", "compose"}, {"r", "reply"},
                  {"g a", "reply-all"}, {"f", "forward"}, {"H", "handoff"}, {"B", "broadcast"},
                  {"R", "recall"}};
    struct str before = {0}, after = {0};

    mailbox_make(&stage.mailbox, STAGE_USUAL);
    stage_snapshot(&before);
    stage_start(&(struct terminal_options){.args = (const char *const[]){"--readonly", NULL}});
    terminal_wait_text(stage.terminal, "read-only");
    terminal_wait_row(stage.terminal, 23, "/:find l:filter"); /* refused actions are not offered */
    cr_expect_not(terminal_has(stage.terminal, "d:archive"));
    cr_expect_not(terminal_has(stage.terminal, "r:reply"));
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
        refused(writes[i].keys, writes[i].name);
    stage_command("archive", "archive would write");
    stage_command("mark read", "mark would write");
    stage_command("snooze 1h", "snooze would write");
    /* actions that only read work */
    stage_go("t t", "tagged:2");
    refused("d", "archive");
    stage_go("z R", "Re: How shall the queue");
    stage_go("/ q u e u e Enter Enter", "3/3");
    refused("d", "archive");
    stage_go("v", "raw");
    stage_go("q l", "filter: ");
    terminal_type(stage.terminal, "is:waiting\r");
    terminal_wait_text(stage.terminal, "INBOX 7/20");
    for (const char *view = "23456"; *view; view++) {
        terminal_type(stage.terminal, (const char[]){*view, '\0'});
        terminal_wait_idle(stage.terminal);
        terminal_keys(stage.terminal, "j Enter j q j");
        terminal_wait_idle(stage.terminal);
    }
    stage_go("1", "INBOX 7/20");
    stage_quit();
    stage_snapshot(&after);
    stage_expect_unchanged(&before, &after);
}
