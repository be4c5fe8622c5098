/* Deciding by keys: plans, and the files that they name. */
#include "deciding.h"

#include <sys/stat.h>
#include <unistd.h>

Test(deciding, a_plan_is_shown_with_what_has_changed_and_approved_with_a_mode)
{
    deciding_make_team("1s");
    deciding_ask("bob", 9 * MINUTE,
                 PLAN("r-1", "# Plan\\n\\n1. Move it\\n2. Remove the old one\\n"));
    deciding_ask("bob", 2 * MINUTE, PLAN("r-2", "# Plan\\n\\n1. Move it\\n2. Test it\\n"));
    stage_start(NULL);
    stage_go("3", "there is more below");
    stage_go("G", "end of the request");
    golden_check(stage.terminal, "deciding-plan");
    stage_go("a f", "the file was not opened");
    stage_go("a o", "aa says yes to it, ar says no");
    stage_go("a m", "approve with the mode: ");
    stage_go("Enter", "nothing was decided");
    stage_go("a m", "approve with the mode: ");
    terminal_type(stage.terminal, "everything\r");
    terminal_wait_text(stage.terminal, "everything");
    check_nothing();
    terminal_key(stage.terminal, "^U");
    terminal_type(stage.terminal, "acc\t");
    terminal_wait_text(stage.terminal, "mode: acceptEdits");
    stage_go("Enter", "a note with it: ");
    terminal_type(stage.terminal, "use tabs\r");
    terminal_wait_text(stage.terminal, "mode acceptEdits; u takes it back");
    terminal_wait_text(stage.terminal, SENT);
    check_answer(INBOXES "bob.json", "\\\"requestId\\\":\\\"r-2\\\",\\\"approved\\\":true,");
    check_answer(INBOXES "bob.json", "\\\"permissionMode\\\":\\\"acceptEdits\\\"");
    check_answer(INBOXES "bob.json", "\"text\": \"use tabs\"");
    stage_go("u", "already delivered, and cannot be taken back: approve Plan");
    stage_go("u", "there is nothing to take back");
    stage_quit();
}

static void ask_plan_of(const char *name)
{
    struct str text = {0};

    str_addf(&text,
             "{\"type\":\"plan_approval_request\",\"from\":\"bob\",\"timestamp\":\"$TIME\","
             "\"planFilePath\":\"%s/%s\",\"planContent\":\"one\\ntwo\\n\",\"requestId\":\"r-%s\"}",
             stage.mailbox.tmp.path, name, name);
    deciding_ask("bob", 2 * MINUTE, str_c(&text));
    str_free(&text);
}

Test(deciding, the_file_of_a_plan_is_opened_beneath_a_root_of_the_config_only)
{
    static const struct {
        const char *name, *says;
    } files[] = {
        {"plans/same.md", "is the plan that was sent"},
        {"plans/absent.md", "there is no such file"},
        {"plans/../secret.md", "the file was not opened"},
        {"plansx/same.md", "the file was not opened"},
        {"secret.md", "the file was not opened"},
        {"plans/link.md", "link.md"},
        {"plans/other.md", "is not the plan that was sent"},
    };
    struct str config = {0};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        deciding_make_team("1s");
        str_clear(&config);
        str_addf(&config, "[decide]\nhold = 1s\nplan-root = %s/plans\n", stage.mailbox.tmp.path);
        mailbox_config(&stage.mailbox, str_c(&config));
        mkdirat(stage.mailbox.tmp.fd, "plans", 0755);
        mkdirat(stage.mailbox.tmp.fd, "plansx", 0755);
        tmp_write(&stage.mailbox.tmp, "plans/same.md", span_of("one\ntwo\n"));
        tmp_write(&stage.mailbox.tmp, "plansx/same.md", span_of("one\ntwo\n"));
        tmp_write(&stage.mailbox.tmp, "plans/other.md", span_of("one\nTWO\n"));
        tmp_write(&stage.mailbox.tmp, "secret.md", span_of("one\ntwo\n"));
        cr_assert_eq(symlinkat("../secret.md", stage.mailbox.tmp.fd, "plans/link.md"), 0);
        ask_plan_of(files[i].name);
        deciding_start("DECIDE 1");
        stage_go("a f", files[i].says);
        bool opened = terminal_has(stage.terminal, "is the plan that was sent");
        cr_expect_eq(opened, i == 0, "%s", files[i].name);
        if (terminal_has(stage.terminal, "PLAN FILE"))
            stage_go("q", "DECIDE 1");
        stage_quit();
        stage_close();
    }
    str_free(&config);
}

Test(deciding, a_plan_of_openclaw_is_shown_and_no_key_decides_it)
{
    mailbox_make(&stage.mailbox, MAILBOX_OPENCLAW);
    mailbox_put(&stage.mailbox, "home/.openclaw/teams/web/plans/tm1.json", 60,
                span_of("{\"teammateId\": \"tm1\", \"teamId\": \"web\", \"status\": \"pending\", "
                        "\"plan\": {\"summary\": \"Move the index\", \"steps\": [{\"description\": "
                        "\"Copy it\"}]}, \"submittedAt\": 1770900000000}"));
    stage_start(NULL);
    stage_go("3", "Move the index");
    terminal_wait_text(stage.terminal, "the OpenClaw gateway decides it");
    terminal_wait_text(stage.terminal, "1. Copy it");
    stage_go("a a", "and nothi~"); /* in the last line, where it is cut */
    stage_go("?", "HELP");
    stage_go("q", "1. Copy it");
    cr_expect_not(terminal_has(stage.terminal, "and nothi~"));
    stage_go("a r", "and nothi~"); /* and for a moment no key is heard, Q neither */
    cr_expect_not(tmp_exists(&stage.mailbox.tmp, "home/state/swarmutt/ledger"));
}
