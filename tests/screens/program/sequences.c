/* Input other than characters: a sequence is one key, known or not, and never several. */
#include "tests/screens/harness/stage.h"

TestSuite(sequences, .fini = stage_close, .timeout = 300);

static const char unknown[] = "an unknown key does nothing here";

/* Each would archive, mark, write or go somewhere if its bytes were keys. */
static const char *const strange[] = {
    "\x1b[200d",        "\x1b[1;9Z",        "\x1b[97;5u",     "\x1b[<0;10;5M",
    "\x1b[<0;10;5m",    "\x1b[?1;2d",       "\x1bOm",         "\x1bO5d",
    "\x1b[[d",          "\x1b[1 d",         "\x1b\x1b[97;5u", "\x1b]11;rgb:d/d/d\x07",
    "\x1bP1+r4d\x1b\\", "\x1b_Gd;OK\x1b\\", "\x1b[M d4",
};

static void check_strange(const char *term)
{
    struct str before = {0}, after = {0};

    stage_open(STAGE_USUAL, &(struct terminal_options){.term = term});
    terminal_key(stage.terminal, "j");
    stage_wait_selected("critic");
    stage_snapshot(&before);
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        terminal_type(stage.terminal, strange[i]);
        terminal_wait_text(stage.terminal, unknown);
        terminal_wait_idle(stage.terminal);
        terminal_wait_text(stage.terminal, "INBOX 20/20");
        stage_wait_selected("critic");
        stage_go(";", "nothing is tagged"); /* replaces the status message */
    }
    stage_snapshot(&after);
    stage_expect_unchanged(&before, &after);
    stage_quit();
}

Test(sequences, an_unknown_one_does_nothing_in_tmux)
{
    check_strange("tmux-256color");
}

Test(sequences, an_unknown_one_does_nothing_in_xterm)
{
    check_strange("xterm-256color");
}

Test(sequences, an_unknown_one_does_nothing_on_a_vt100)
{
    check_strange("vt100");
}

Test(sequences, an_unknown_one_agrees_to_nothing_and_ends_what_was_begun)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("z", "a:fold");
    terminal_type(stage.terminal, "\x1b[97;5u");
    terminal_wait_text(stage.terminal, "was given up");
    stage_go("m", "NEW MESSAGE");
    terminal_type(stage.terminal, "x\x1b[97;5uy");
    terminal_wait_text(stage.terminal, "[xy");
    stage_go("Alt-x", "(y/n)");
    terminal_type(stage.terminal, "\x1b[121;1y");
    terminal_wait_text(stage.terminal, "nothing was done");
    stage_go("Alt-x y /", "/");
    terminal_type(stage.terminal, "b\x1b[97;5uu");
    terminal_wait_text(stage.terminal, "/bu");
    terminal_type(stage.terminal, "\x1b[97;5u");
    terminal_wait_text(stage.terminal, unknown);
    terminal_key(stage.terminal, "^L");
    terminal_wait_gone(stage.terminal, unknown);
    stage_go("^C m", "NEW MESSAGE");
    stage_go("Alt-x y", "INBOX");
    stage_quit();
}

/* Terminals send these whatever their TERM entry says. */
static const struct {
    const char *bytes, *selected;
} usual[] = {
    {"\x1b[6~", "status update 7"},
    {"\x1b[5~", ">! 15m validator"},
    {"\x1b[4~", "Idle: available"},
    {"\x1b[1~", ">! 15m validator"},
    {"\x1b[F", "Idle"},
    {"\x1b[H", ">! 15m validator"},
    {"\x1bOF", "Idle"},
    {"\x1bOH", ">! 15m validator"},
    {"\x1b[B", ">!  7m critic"},
    {"\x1bOA", ">! 15m validator"},
};

static void check_usual(const char *term)
{
    stage_open(STAGE_USUAL, &(struct terminal_options){.term = term});
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        terminal_type(stage.terminal, usual[i].bytes);
        stage_wait_selected(usual[i].selected);
    }
    terminal_type(stage.terminal, "\x1b[3~");
    terminal_wait_text(stage.terminal, "Delete does nothing here");
    terminal_type(stage.terminal, "\x1b[15~");
    terminal_wait_text(stage.terminal, "F5 does nothing here");
    terminal_type(stage.terminal, "\x1b[[E");
    terminal_wait_text(stage.terminal, "F5 does nothing here");
    terminal_type(stage.terminal, "\x1b[5;5~");
    terminal_wait_text(stage.terminal, "Ctrl-PgUp does nothing here");
    terminal_type(stage.terminal, "\x1b[3;3~"); /* for some terminals this begins a paste */
    terminal_wait_text(stage.terminal, "Alt-Delete does nothing here");
    terminal_type(stage.terminal, "\x1b[1;9A");
    terminal_wait_text(stage.terminal, "Alt-Up does nothing here");
    terminal_type(stage.terminal, "\x1bOd");
    terminal_wait_text(stage.terminal, "Ctrl-Left does nothing here");
    terminal_type(stage.terminal, "\x1b[11~");
    terminal_wait_text(stage.terminal, "HELP ");
    stage_go("q", "INBOX 20/20");
    stage_quit();
}

Test(sequences, usual_ones_are_known_on_a_vt100)
{
    check_usual("vt100");
}

Test(sequences, usual_ones_are_known_on_a_linux_console)
{
    check_usual("linux");
}

Test(sequences, usual_ones_are_known_in_xterm)
{
    check_usual("xterm-256color");
}

Test(sequences, usual_ones_are_known_in_tmux)
{
    check_usual("tmux-256color");
}

Test(sequences, alt_and_esc_are_still_keys)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("Alt-[", "Alt-[ does nothing here");
    stage_go("Alt-O", "Alt-O does nothing here");
    stage_go("Alt-]", "Alt-] does nothing here");
    stage_go("Alt-P", "Alt-P does nothing here");
    stage_go("Alt-é", "Alt-é does nothing here");
    stage_go("l", "filter: ");
    terminal_type(stage.terminal, "is:waiting\r");
    terminal_wait_text(stage.terminal, "filter:is:waiting");
    stage_go("Esc", "filter:none");
    stage_quit();
}

Test(sequences, those_of_the_mouse_are_clicks_only_while_it_is_ours)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go("%", "the mouse is ours");
    terminal_click(stage.terminal, 1, 3, 20);
    stage_wait_selected("critic");
    terminal_click(stage.terminal, 5, 4, 20);
    stage_wait_selected("implementer");
    stage_go("%", "the mouse is the terminal's again");
    terminal_type(stage.terminal, "\x1b[<0;10;3M");
    terminal_wait_text(stage.terminal, unknown);
    stage_wait_selected("implementer");
    stage_quit();
}

/* --- without UTF-8 --- */

static void check_written(const char *text)
{
    struct str box = tmp_read(&stage.mailbox.tmp, "home/.claude/teams/dev/inboxes/builder-1.json");

    cr_expect(strstr(str_c(&box), text), "%s", str_c(&box));
    str_free(&box);
}

Test(sequences, letters_beyond_ascii_are_not_lost_in_a_c_locale)
{
    stage_open(MAILBOX_CLAUDE, &(struct terminal_options){.locale = "C"});
    stage_go("m", "NEW MESSAGE");
    terminal_type(stage.terminal, "builder-1\r");
    terminal_type(stage.terminal, "caf\xc3\xa9 open\r");
    terminal_wait_text(stage.terminal, "caf<U+00E9> open");
    terminal_paste(stage.terminal, "na\xc3\xafve \xe2\x82\xac 5 \xf0\x9f\x99\x82 done");
    terminal_wait_text(stage.terminal, "na<U+00EF>ve <U+20AC> 5 <U+1F642> done");
    stage_go("^X", "REVIEW");
    stage_go("^X", "sent to builder-1");
    stage_quit();
    check_written("na\xc3\xafve \xe2\x82\xac 5 \xf0\x9f\x99\x82 done");
}

Test(sequences, bytes_that_are_no_letters_are_said_and_lose_no_neighbours)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("m", "NEW MESSAGE");
    terminal_type(stage.terminal, "buil\xe9"
                                  "der-1");
    terminal_wait_text(stage.terminal, "[builder-1");
    terminal_type(stage.terminal, "\xff");
    terminal_wait_text(stage.terminal, "an unknown key does nothing here");
    terminal_key(stage.terminal, "Down");
    terminal_paste(stage.terminal, "one \xe9 two");
    terminal_wait_text(stage.terminal, "one \xef\xbf\xbd two");
    stage_go("Alt-x", "(y/n)");
    stage_go("y", "INBOX");
    stage_quit();
}

Test(sequences, a_letter_that_comes_in_two_parts_is_one)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("m", "NEW MESSAGE");
    terminal_type(stage.terminal, "a\xe2");
    terminal_wait_idle(stage.terminal);
    terminal_type(stage.terminal, "\x82");
    terminal_wait_idle(stage.terminal);
    terminal_type(stage.terminal, "\xac"
                                  "b");
    terminal_wait_text(stage.terminal, "[a\xe2\x82\xac"
                                       "b");
    stage_go("Alt-x", "(y/n)");
    stage_go("y", "INBOX");
    stage_quit();
}
