/* The keys of the terminal interface: moving, folding, tagging, acting, searching, commands. */
#include "base/time.h"
#include "tests/screens/harness/stage.h"

#include <stdio.h>
#include <unistd.h>

TestSuite(keys, .fini = stage_close, .timeout = 300);

/* The real cursor is at the mark, for screen readers. */
static void check_cursor(void)
{
    struct str row = {0};
    int y, x;

    terminal_wait_idle(stage.terminal);
    terminal_cursor(stage.terminal, &y, &x);
    terminal_row(stage.terminal, y, &row);
    if (*str_c(&row) != '>')
        terminal_fail(stage.terminal, "the cursor is in row %d, which is not the selected one", y);
    cr_expect(terminal_cursor_visible(stage.terminal), "nobody sees it there");
    str_free(&row);
}

static const struct pressed {
    const char *keys, *selected;
} moves[] = {
    {"j", ">!  7m critic"},       {"Down", ">! 40m implementer"}, {"k", ">!  7m critic"},
    {"Up", ">! 15m validator"},   {"k", ">! 15m validator"},      {"G", "Idle: available"},
    {"j", "Idle: available"},     {"g g", ">! 15m validator"},    {"End", "Idle: available"},
    {"Home", ">! 15m validator"}, {"^D", ">! 19m infra-4"},       {"^U", ">! 15m validator"},
    {"PgDn", "status update 7"},  {"PgUp", ">! 15m validator"},   {"]", ">!  7m critic"},
    {"] ]", ">! 25m architect"},  {"[", ">! 40m implementer"},    {"[ [ [", ">! 12s builder-1"},
    {"g g", ">! 15m validator"},  {"Tab", ">!  7m critic"},
};

Test(keys, the_cursor_moves_by_rows_pages_decisions_and_what_is_unread)
{
    stage_open(STAGE_USUAL, NULL);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        terminal_keys(stage.terminal, moves[i].keys);
        stage_wait_selected(moves[i].selected);
        check_cursor();
    }
    stage_quit();
}

Test(keys, conversations_fold_and_unfold)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go("/ q u e u e Enter", "?:help");
    stage_wait_selected("[3]");
    stage_go("z a", "Re: How shall the queue");
    terminal_key(stage.terminal, "j");
    stage_wait_selected("How shall the queue");
    /* on one of its messages the key applies to the conversation */
    terminal_keys(stage.terminal, "z a");
    terminal_wait_gone(stage.terminal, "Re: How shall the queue");
    stage_wait_selected("[3]");
    stage_go("z R", "Re: How shall the queue");
    terminal_keys(stage.terminal, "z M");
    terminal_wait_gone(stage.terminal, "Re: How shall the queue");
    /* a started sequence can be cancelled, and an unknown one is named */
    stage_go("z", "z-  a:fold");
    terminal_key(stage.terminal, "^C");
    terminal_wait_text(stage.terminal, "?:help");
    stage_go("z x", "zx");
    stage_wait_selected("architect");
    stage_go("z ^C j t", "tagged:1"); /* the cancelled sequence has no effect */
    stage_quit();
}

/* Writes one message per second, in one file. */
static void make_a_long_conversation(const struct mailbox *mailbox, int count)
{
    struct str file = {0}, time = {0};

    str_putc(&file, '[');
    for (int i = count; i > 0; i--) {
        str_clear(&time);
        time_add_utc_ms(&time, mailbox_when(i));
        str_addf(&file,
                 "%s{\"from\":\"w7\",\"text\":\"%d\",\"summary\":\"Re: same\",\"timestamp\":\"%s\","
                 "\"read\":true}",
                 i == count ? "" : ",\n", i, str_c(&time));
    }
    str_putc(&file, ']');
    mailbox_put(mailbox, "home/.claude/teams/dev/inboxes/team-lead.json", 1, str_span(&file));
    str_free(&file);
    str_free(&time);
}

Test(keys, a_conversation_of_70000_messages_unfolds_to_its_last_one)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    make_a_long_conversation(&stage.mailbox, 70000);
    stage_start(NULL);
    stage_command("filter same", "[70000]");
    terminal_keys(stage.terminal, "z a G k");
    stage_wait_selected("2s w7"); /* the row of the conversation says 1s */
    stage_quit();
}

Test(keys, what_is_opened_is_left_to_the_same_row)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go("/ q u e u e Enter", "?:help");
    stage_wait_selected("architect");
    stage_go("Enter", "Times sort well");
    stage_go("^P", "Files. One a message");
    stage_go("^P", "Files, or a database?");
    stage_go("^P", "that was the first message");
    stage_go("} }", "Times sort well");
    stage_go("v", "\"id\": \"MSG-0000000000a3\"");
    terminal_key(stage.terminal, "v");
    terminal_wait_gone(stage.terminal, "\"id\":");
    stage_go("h", "MSG-0000000000a3");
    stage_go("]", "docs.example.org");
    stage_go("q", "INBOX");
    stage_wait_selected("architect");
    stage_go("G", "Idle");
    terminal_keys(stage.terminal, "k k");
    stage_wait_selected("status update 7");
    stage_go("Enter", "All 212 cases");
    stage_go("Esc", "INBOX");
    stage_wait_selected("status update 7");
    stage_quit();
}

Test(keys, a_view_is_left_as_it_was)
{
    static const struct {
        const char *key, *title, *status;
    } views[] = {{"2", "2Agents*", "AGENTS "},  {"3", "3Decide*", "DECIDE "},
                 {"4", "4Drafts*", ""},         {"5", "5Archive*", "ARCHIVE "},
                 {"6", "6Flow*", "last hour:"}, {"1", "1Inbox*", "INBOX "}};

    stage_open(STAGE_USUAL, NULL);
    terminal_keys(stage.terminal, "j j");
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        terminal_key(stage.terminal, views[i].key);
        terminal_wait_row(stage.terminal, 0, views[i].title);
        terminal_wait_text(stage.terminal, views[i].status);
    }
    stage_wait_selected("implementer");
    stage_command("archived", "ARCHIVE ");
    stage_command("inbox", "INBOX ");
    stage_wait_selected("implementer");
    stage_quit();
}

Test(keys, what_is_tagged_is_archived_at_once_and_comes_back)
{
    const struct tmp *tmp = &stage.mailbox.tmp;
    const char critic[] = "project/workspace/mailboxes/user/inbox/MSG-0000000000e5.json";
    const char review[] = "project/workspace/mailboxes/user/inbox/MSG-0000000000f1.json";

    stage_open(MAILBOX_ADR, NULL);
    stage_go("/ d i s k Enter", "?:help");
    stage_wait_selected("critic");
    stage_go("t", "tagged:1");
    stage_command("tag-filter from:reviewer parser", "tagged:2");
    stage_go(";", "all 2 messages that are tagged");
    stage_go("d", "of which 1 still waits for your answer? (y/n)");
    stage_go("y", "u takes it back");
    terminal_wait_text(stage.terminal, "tagged:0");
    terminal_wait_gone(stage.terminal, "Reviewed: parser");
    terminal_wait_gone(stage.terminal, "The disk of the build");
    cr_expect_not(tmp_exists(tmp, critic) || tmp_exists(tmp, review));
    stage_go("5", "Reviewed: parser");
    stage_go("1 u", "taken back");
    terminal_wait_text(stage.terminal, "Reviewed: parser");
    terminal_wait_text(stage.terminal, "The disk of the build");
    cr_expect(tmp_exists(tmp, critic) && tmp_exists(tmp, review));
    stage_go("^R", "u takes it back");
    terminal_wait_gone(stage.terminal, "Reviewed: parser");
    cr_expect_not(tmp_exists(tmp, critic) || tmp_exists(tmp, review));
    stage_go("u", "Reviewed: parser");
    stage_go("u", "there is nothing to take back");
    stage_quit();
}

Test(keys, what_is_in_the_archive_is_restored_and_goes_back)
{
    const struct tmp *tmp = &stage.mailbox.tmp;
    const char inbox[] = "project/workspace/mailboxes/user/inbox/MSG-0000000000e5.json";
    const char archive[] = "project/workspace/mailboxes/user/archive/MSG-0000000000e5.json";

    stage_open(MAILBOX_ADR, NULL);
    stage_go("/ d i s k Enter", "?:help");
    stage_go("d", "(y/n)");
    stage_go("y", "u takes it back");
    stage_go("5", "The disk of the build");
    terminal_wait_text(stage.terminal, "U:restore");
    stage_go("/ d i s k Enter", "?:help");
    stage_wait_selected("The disk of the build");
    stage_go("U", "restored 1 message; u takes it back");
    terminal_wait_gone(stage.terminal, "The disk of the build");
    cr_expect(tmp_exists(tmp, inbox) && !tmp_exists(tmp, archive));
    stage_go("u", "taken back: restored 1 message; ^R does it again");
    terminal_wait_text(stage.terminal, "The disk of the build");
    cr_expect(tmp_exists(tmp, archive) && !tmp_exists(tmp, inbox));
    stage_go("^R", "restored 1 message; u takes it back");
    cr_expect(tmp_exists(tmp, inbox) && !tmp_exists(tmp, archive));
    stage_go("1", "The disk of the build");
    stage_quit();
}

Test(keys, what_was_archived_here_only_is_restored)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("/ w h i c h Enter", "?:help");
    stage_wait_selected("which page first?");
    stage_go("d", "here only");
    terminal_wait_gone(stage.terminal, "which page first?");
    stage_quit();
    stage_start(NULL); /* nothing to undo any more */
    stage_go("5", "which page first?");
    stage_wait_selected("which page first?");
    stage_go("U", "restored 1 message");
    terminal_wait_gone(stage.terminal, "which page first?");
    stage_go("1", "which page first?");
    stage_go("u", "taken back: restored 1 message");
    terminal_wait_gone(stage.terminal, "which page first?");
    stage_quit();
}

Test(keys, what_is_not_in_the_archive_cannot_be_restored)
{
    stage_open(MAILBOX_ADR, NULL);
    stage_go("/ d i s k Enter Enter", "The disk of the build");
    stage_go("U", "is not in the archive");
    stage_quit();
}

/* Waits by the steady clock of the test, whose start was not later than the program's. */
static void wait_until(int64_t time_us)
{
    int64_t left_us = time_us - time_steady();

    if (left_us > 0)
        usleep((useconds_t)left_us);
}

Test(keys, a_failure_is_not_wiped_away_by_the_next_key)
{
    static const char archive[] = "project/workspace/mailboxes/user/archive";
    static const char why[] = "Not a directory";
    const int64_t moment_us = 700000;

    mailbox_make(&stage.mailbox, MAILBOX_ADR);
    cr_assert_eq(renameat(stage.mailbox.tmp.fd, archive, stage.mailbox.tmp.fd, "aside"), 0);
    tmp_write(&stage.mailbox.tmp, archive, span_of("in the way"));
    stage_start(NULL);
    stage_go("/ d i s k Enter", "?:help");
    stage_wait_selected("critic");
    stage_go("d", "(y/n)");
    int64_t before_us = time_steady();
    stage_go("y", why);
    int64_t seen_us = time_steady();
    terminal_key(stage.terminal, "j");
    terminal_wait_idle(stage.terminal);
    if (time_steady() - before_us < moment_us)
        cr_expect(terminal_has(stage.terminal, why), "it was there for less than a moment");
    /* another status message does not hide it either */
    stage_go("l ^C ^C", "Q leaves the program");
    if (time_steady() - before_us < moment_us)
        cr_expect(terminal_has(stage.terminal, why), "it was there for less than a moment");
    wait_until(seen_us + moment_us);
    terminal_key(stage.terminal, "k");
    terminal_wait_gone(stage.terminal, why);
    terminal_wait_text(stage.terminal, "?:help");
    stage_quit();
}

Test(keys, tags_are_put_and_removed)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go("t Space", "tagged:2");
    stage_wait_selected("implementer");
    stage_go("k t", "tagged:1");
    stage_go("T", "tag: ");
    terminal_type(stage.terminal, "is:waiting\r");
    terminal_wait_text(stage.terminal, "tagged:7");
    stage_go("^T", "tagged:0");
    stage_go(";", "nothing is tagged");
    stage_quit();
}

Test(keys, a_message_is_marked_and_put_aside)
{
    const char path[] = "project/workspace/mailboxes/user/inbox/MSG-0000000000f1.json";
    struct str file = {0};

    stage_open(MAILBOX_ADR, NULL);
    stage_go("/ p a r s e r Enter", "?:help");
    stage_wait_selected("reviewer");
    stage_command("filter from:reviewer to:user", "filter:from:reviewer");
    stage_wait_selected("Reviewed: parser");
    stage_go("M", "mark as: ");
    terminal_type(stage.terminal, "nonsense\r");
    terminal_wait_text(stage.terminal, "mark as: nonsense");
    terminal_key(stage.terminal, "^U");
    stage_go("p r o c Tab Enter", "u takes it back");
    file = tmp_read(&stage.mailbox.tmp, path);
    cr_expect(strstr(str_c(&file), "\"processing\""), "%s", str_c(&file));
    str_free(&file);
    stage_go("u", "taken back");
    file = tmp_read(&stage.mailbox.tmp, path);
    cr_expect(strstr(str_c(&file), "\"unread\""), "%s", str_c(&file));
    str_free(&file);
    stage_go("s", "put aside for: ");
    terminal_type(stage.terminal, "2h\r");
    terminal_wait_text(stage.terminal, "snoozed:1");
    terminal_wait_gone(stage.terminal, "Reviewed: parser");
    stage_command("scope snoozed", "Reviewed: parser");
    stage_command("scope all", "snoozed:1");
    stage_go("u", "Reviewed: parser");
    stage_quit();
}

Test(keys, a_search_goes_along_with_what_is_typed)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go("/ b u i", "/bui");
    stage_wait_selected("critic"); /* the disk of the build */
    terminal_keys(stage.terminal, "l d e r");
    stage_wait_selected("builder-1");
    terminal_key(stage.terminal, "^C");
    stage_wait_selected("validator");
    stage_go("/ p a r s e r Enter", "?:help");
    stage_wait_selected("reviewer, ~");
    terminal_key(stage.terminal, "n");
    stage_wait_selected("wrote 9m ago"); /* please write the cache of the parser */
    terminal_key(stage.terminal, "n");
    stage_wait_selected("Reviewed: parser");
    terminal_keys(stage.terminal, "N N");
    stage_wait_selected("reviewer, ~");
    stage_go("/ z q z q Enter", "nothing here matches \"zqzq\"");
    stage_wait_selected("reviewer, ~");
    /* every search begins at the cursor, and cancelling returns there */
    terminal_keys(stage.terminal, "G / p l a n");
    stage_wait_selected("builder-1");
    terminal_keys(stage.terminal, "Backspace Backspace Backspace Backspace");
    stage_wait_selected("Idle");
    terminal_key(stage.terminal, "^C");
    terminal_wait_text(stage.terminal, "?:help");
    stage_wait_selected("Idle");
    stage_quit();
}

Test(keys, a_filter_goes_along_and_is_cleared_by_q)
{
    stage_open(STAGE_USUAL, NULL);
    terminal_key(stage.terminal, "l");
    terminal_wait_text(stage.terminal, "filter: ");
    terminal_type(stage.terminal, "is:waiting");
    terminal_wait_text(stage.terminal, "INBOX 7/20");
    terminal_key(stage.terminal, "Enter");
    terminal_wait_text(stage.terminal, "filter:is:waiting");
    terminal_key(stage.terminal, "G");
    stage_wait_selected("builder-1");
    terminal_keys(stage.terminal, "l ^U");
    terminal_type(stage.terminal, "no-such-word");
    terminal_wait_text(stage.terminal, "nothing matches the filter");
    terminal_key(stage.terminal, "^C");
    terminal_wait_text(stage.terminal, "filter:is:waiting");
    stage_wait_selected("builder-1");
    stage_command("filter from:", "needs a value");
    terminal_wait_text(stage.terminal, "filter:is:waiting");
    stage_go("q", "INBOX 20/20");
    stage_wait_selected("builder-1");
    stage_go("q", "Q leaves the program");
    stage_quit();
}

Test(keys, tags_of_mail_complete_in_a_query)
{
    mailbox_make(&stage.mailbox, MAILBOX_ADR | MAILBOX_CLAUDE);
    stage_put_tagged("MSG-0000000000c7", "[\"parser\", \"release-4\"]");
    stage_start(NULL);
    terminal_key(stage.terminal, "l");
    terminal_type(stage.terminal, "tag:rel");
    stage_go("Tab", "filter: tag:release-4");
    terminal_wait_text(stage.terminal, "INBOX 1/");
    stage_go("^C", "?:help");
    /* mail that came meanwhile is found, too */
    stage_put_tagged("MSG-0000000000c8", "[\"zebra\"]");
    terminal_wait_text(stage.terminal, "Tagged MSG-0000000000c8");
    terminal_type(stage.terminal, ":filter tag:parser,ze");
    stage_go("Tab", ":filter tag:parser,zebra");
    stage_go("Enter", "INBOX 2/");
    stage_quit();
}

Test(keys, a_filter_with_a_minus_says_how_it_is_read)
{
    stage_open(STAGE_USUAL, NULL);
    terminal_key(stage.terminal, "l");
    terminal_wait_text(stage.terminal, "filter: ");
    terminal_type(stage.terminal, "rm -rf\r");
    terminal_wait_text(stage.terminal,
                       "read as: rm not rf; \"rm -rf\" in quotes is the text itself");
    stage_go("q", "filter:none");
    stage_command("filter \"rm -rf\"", "INBOX 1/20");
    cr_expect_not(terminal_has(stage.terminal, "read as"));
    stage_command("filter builder-1", "INBOX 1/20");
    cr_expect_not(terminal_has(stage.terminal, "read as"));
    stage_command("tag-filter builder -plan", "read as: builder not plan");
    stage_quit();
}

Test(keys, the_command_line_completes_and_remembers)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go(": a r c h Tab", ":archive");
    stage_go("Tab", ":archived");
    stage_go("Shift-Tab", ":archive");
    stage_go("Tab Enter", "ARCHIVE ");
    stage_command("inbox", "INBOX ");
    stage_go(": Up", ":inbox");
    stage_go("Up", ":archived");
    stage_go("Down", ":inbox");
    terminal_key(stage.terminal, "^C");
    stage_command("no-such-action", "no-such-action");
    terminal_key(stage.terminal, "^C");
    stage_command("agent doc-3", "agent:doc-3");
    stage_go("q", "INBOX 20/20");
    stage_quit();
    /* the next program still has it */
    stage_start(NULL);
    stage_go(": Up", ":agent doc-3");
    terminal_key(stage.terminal, "^C");
    stage_quit();
}

static void snapshot_mail(struct str *out)
{
    stage_snapshot_of("home/.claude", out);
    stage_snapshot_of("project", out);
}

Test(keys, enter_and_space_decide_nothing)
{
    struct str before = {0}, after = {0};

    stage_open(MAILBOX_CLAUDE | MAILBOX_ADR, NULL);
    snapshot_mail(&before);
    cr_assert(strstr(str_c(&before), "plan_approval_request"));
    stage_go("3", "DECIDE 6");
    stage_go("Space Space Space Space", "DECIDE 6");
    stage_go("] ] ] ] ] Enter Enter Space Enter", "builder-1 > ");
    stage_go("y Y Enter q 1", "INBOX");
    terminal_wait_idle(stage.terminal);
    terminal_wait_text(stage.terminal, "3Decide(6)");
    stage_quit();
    snapshot_mail(&after);
    stage_expect_unchanged(&before, &after);
}
