/* Text in messages, names and files of agents is shown and never obeyed, in every list and
 * conversation, and does not move columns; hostile_screens.c has the other screens. */
#include "tests/screens/harness/hostile_mailbox.h"
#include "tests/screens/harness/stage.h"

#include <stdio.h>

TestSuite(hostile, .fini = stage_close, .timeout = 300);

static void open_hostile(const struct terminal_options *options)
{
    hostile_make(&stage.mailbox);
    stage_start(options);
}

/* Opens every conversation of a view, with its raw bytes and all fields. */
static void read_all(const char *view, int count)
{
    terminal_keys(stage.terminal, view);
    for (int i = 0; i < count; i++) {
        terminal_keys(stage.terminal, "Enter h v W Space G ^N v");
        terminal_wait_idle(stage.terminal);
        terminal_keys(stage.terminal, "q g g");
        for (int k = 0; k <= i; k++)
            terminal_key(stage.terminal, "j");
        terminal_wait_idle(stage.terminal);
    }
    terminal_check_clean(stage.terminal);
}

static void visit_lists(void)
{
    static const int sizes[][2] = {{24, 80}, {40, 120}, {10, 40}, {60, 200}, {6, 12}};
    static const char *const styles[] = {"1 z R G", "1 z M", "2 G", "3", "4", "5 z R", "6 G p"};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        terminal_resize(stage.terminal, sizes[i][0], sizes[i][1]);
        for (size_t k = 0; k < sizeof styles / sizeof *styles; k++) {
            terminal_keys(stage.terminal, styles[k]);
            stage_check_drawn();
        }
    }
    terminal_resize(stage.terminal, 24, 80);
}

static bool is_form(struct terminal *terminal, void *context)
{
    (void)context;
    return terminal_has(terminal, "REPLY TO ALL");
}

/* Replies to the first conversations, up to the review. */
static void visit_forms(void)
{
    terminal_keys(stage.terminal, "1 z M");
    for (int i = 0; i < 10; i++) {
        stage_go("g g", "needs you");
        for (int k = 0; k < i * 3; k++)
            terminal_key(stage.terminal, "j");
        terminal_keys(stage.terminal, "g a");
        if (!terminal_try(stage.terminal, 1, is_form, NULL))
            continue; /* there is nobody to answer */
        terminal_keys(stage.terminal, "w o r d s ^P");
        terminal_wait_idle(stage.terminal);
        if (terminal_has(stage.terminal, "REVIEW"))
            stage_go("G q", "REPLY");
        stage_go("Alt-x", "(y/n)");
        stage_go("y", "1Inbox*"); /* a status message may hide its status */
    }
    terminal_check_clean(stage.terminal);
}

/* Completes names of agents, and queries. */
static void visit_prompts(void)
{
    stage_go(": a g e n t Space", ":agent");
    for (int i = 0; i < 2 * HOSTILE_NAMES; i++)
        terminal_keys(stage.terminal, "Tab");
    terminal_wait_idle(stage.terminal);
    stage_go("^C l", "filter: ");
    terminal_type(stage.terminal, "tag:");
    for (int i = 0; i < HOSTILE_NAMES; i++)
        terminal_key(stage.terminal, "Tab");
    terminal_wait_idle(stage.terminal);
    stage_go("^C", "1Inbox*");
    stage_go("m", "NEW MESSAGE");
    for (int i = 0; i < 2 * HOSTILE_NAMES; i++) {
        terminal_key(stage.terminal, "Tab");
        terminal_wait_idle(stage.terminal);
    }
    stage_go("Alt-x", "(y/n)");
    stage_go("y", "1Inbox*"); /* a status message may hide its status */
    terminal_check_clean(stage.terminal);
}

static void visit(const struct terminal_options *options)
{
    open_hostile(options);
    visit_lists();
    read_all("1 z R g g", 30);
    read_all("5 g g", 6);
    visit_forms();
    visit_prompts();
    stage_quit();
}

Test(hostile, nothing_is_obeyed_on_any_screen)
{
    visit(NULL);
}

Test(hostile, nothing_is_obeyed_without_utf8)
{
    visit(&(struct terminal_options){.locale = "C", .term = "vt100"});
}

Test(hostile, nothing_of_a_text_is_on_a_terminal_without_controls)
{
    visit(&(struct terminal_options){.no_escape = true});
}

enum { WALL = 0x2502 };

/* Checks that the two borders between panes have no gap, whatever is between them. */
static void check_walls(void)
{
    int walls = 0;

    terminal_wait_idle(stage.terminal);
    for (int x = 0; x < terminal_cols(stage.terminal); x++) {
        if (terminal_letter(stage.terminal, 1, x) != WALL)
            continue;
        walls++;
        for (int y = 2; y < terminal_rows(stage.terminal) - 2; y++)
            if (terminal_letter(stage.terminal, y, x) != WALL)
                terminal_fail(stage.terminal, "the wall in column %d has a gap in row %d", x, y);
    }
    if (walls != 2)
        terminal_fail(stage.terminal, "there are %d walls", walls);
}

/* Checks that the kinds of conversations are in one column, after a blank. */
static void check_kinds(void)
{
    int y, x;

    stage_go("1 z M g g", "INBOX");
    if (!terminal_find(stage.terminal, "PERM ", &y, &x))
        terminal_fail(stage.terminal, "no permission is asked for");
    for (y = 2; y < terminal_rows(stage.terminal) - 2; y++)
        if (terminal_letter(stage.terminal, y, 1) == '!' ||
            terminal_letter(stage.terminal, y, 1) == 'N')
            if (terminal_letter(stage.terminal, y, x - 1) != ' ' ||
                terminal_letter(stage.terminal, y, x) <= ' ' ||
                terminal_letter(stage.terminal, y, x) > 'z')
                terminal_fail(stage.terminal, "in row %d the kind is not in column %d", y, x);
}

Test(hostile, columns_are_where_they_are_with_other_names)
{
    open_hostile(NULL);
    terminal_resize(stage.terminal, 60, 80);
    check_kinds();
    terminal_resize(stage.terminal, 60, 120);
    stage_go("g g", "INBOX");
    for (int i = 0; i < 40; i++) {
        check_walls();
        terminal_key(stage.terminal, "j");
    }
    stage_go("z R", "INBOX");
    check_walls();
    stage_quit();
}
