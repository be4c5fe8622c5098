/* Panes next to or below a list: hiding, focus, scrolling and wrapping. */
#include "tests/screens/harness/stage.h"

TestSuite(panes, .fini = stage_close, .timeout = 300);

Test(panes, keys_move_in_the_preview_after_ctrl_w)
{
    stage_open(MAILBOX_CLAUDE | MAILBOX_LONG, &(struct terminal_options){.rows = 30, .cols = 120});
    stage_go("/ l o n g Enter", "?:help");
    stage_wait_selected("a long re");
    terminal_wait_text(stage.terminal, "Line 1 of");
    stage_go("^W G", "Line 60 of");
    stage_wait_selected("a long re");
    stage_go("g g", "Line 1 of");
    stage_go("^W G", "watch ok");
    stage_wait_selected("Idle");
    stage_quit();
}

Test(panes, three_panes_leave_room_for_age_and_kind)
{
    static const int columns[] = {100, 120, 150, 200};

    stage_open(STAGE_USUAL, NULL);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        terminal_resize(stage.terminal, 40, columns[i]);
        terminal_wait_text(stage.terminal, "! 12s builder-1");
        terminal_wait_text(stage.terminal, " PLAN    Migrate");
        terminal_wait_text(stage.terminal, " STUCK?  silent ");
        terminal_wait_text(stage.terminal, "From validator  To"); /* the preview */
        terminal_wait_text(stage.terminal, " AGENTS");
    }
    stage_quit();
}

Test(panes, narrow_terminals_do_without_the_kind_and_then_without_the_age)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    terminal_resize(stage.terminal, 24, 60);
    terminal_wait_text(stage.terminal, "! 12s builder-1 PLAN    Migr");
    terminal_resize(stage.terminal, 24, 59);
    terminal_wait_text(stage.terminal, "! 12s builder-1 Migrate");
    terminal_resize(stage.terminal, 24, 47);
    terminal_wait_text(stage.terminal, "!builder-1 Migrate");
    stage_quit();
}

Test(panes, the_preview_is_hidden_shown_and_made_raw)
{
    stage_open(MAILBOX_CLAUDE | MAILBOX_LONG, &(struct terminal_options){.rows = 30, .cols = 120});
    stage_go("/ l o n g Enter", "Line 1 of");
    terminal_key(stage.terminal, "p");
    terminal_wait_gone(stage.terminal, "Line 1 of");
    stage_go("^W", "there is no other pane; p shows a preview");
    stage_go("p", "Line 1 of");
    stage_go("v", "\"from\": \"w7\"");
    stage_go("v", "Line 1 of");
    terminal_resize(stage.terminal, 30, 80);
    terminal_wait_row(stage.terminal, 20, "Line 1 of"); /* on request it appears below */
    terminal_key(stage.terminal, "p");
    terminal_wait_gone(stage.terminal, "Line 1 of");
    stage_quit();
}

static void keep_a_long_draft(void)
{
    stage_go("m", "NEW MESSAGE");
    terminal_type(stage.terminal, "builder-1");
    terminal_keys(stage.terminal, "Enter Enter");
    for (int i = 1; i < 30; i++)
        terminal_keys(stage.terminal, "w o r d Enter");
    terminal_type(stage.terminal, "the end of it");
    stage_go("^O", "kept as a draft");
}

Test(panes, what_is_below_the_drafts_can_be_hidden_and_scrolled)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    keep_a_long_draft();
    terminal_wait_text(stage.terminal, "drafts:1");
    stage_go("4", "compose, drafts/");
    cr_expect(!terminal_has(stage.terminal, "the end of it"));
    stage_go("^W G", "the end of it");
    terminal_wait_text(stage.terminal, "in the text (^W)");
    stage_wait_selected("builder-1");
    terminal_key(stage.terminal, "p");
    terminal_wait_gone(stage.terminal, "the end of it");
    terminal_wait_gone(stage.terminal, "in the text");
    stage_go("^W", "there is no other pane");
    stage_go("p", "the end of it"); /* at the same position */
    stage_quit();
}

Test(panes, screens_without_another_pane_have_no_key_for_it)
{
    static const char *const screens[] = {"2", "6", "?"};

    stage_open(MAILBOX_CLAUDE, NULL);
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
        terminal_keys(stage.terminal, screens[i]);
        terminal_wait_idle(stage.terminal);
        stage_go("^W", "^W");
        cr_expect(!terminal_has(stage.terminal, "means nothing here"), "%s", screens[i]);
    }
    stage_quit();
}

Test(panes, messages_are_not_wrapped_for_who_wants_it_so)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE | MAILBOX_LONG);
    mailbox_config(&stage.mailbox, "[general]\nwrap = no\n");
    stage_start(NULL);
    stage_go("/ l o n g Enter Enter", "not wrapped");
    terminal_wait_text(stage.terminal, "Line 2 of the report says");
    cr_expect(!terminal_has(stage.terminal, "somebody else."));
    stage_go("Right Right Right", "somebody else.");
    stage_go("W", "%  wrap");
    stage_quit();
}
