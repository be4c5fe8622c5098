/* Text in messages, names and files of agents is shown and never obeyed on the screens of single
 * things: the pages of agents, requests, drafts and sent mail, and forms. */
#include "tests/screens/harness/hostile_mailbox.h"
#include "tests/screens/harness/stage.h"

#include <stdio.h>

static bool ascii;

TestSuite(hostile_screens, .fini = stage_close, .timeout = 300);

static const struct terminal_options old = {.locale = "C", .term = "vt100"};
static const struct terminal_options bare = {.no_escape = true};

static void start(const struct terminal_options *options)
{
    hostile_make_more(&stage.mailbox);
    ascii = options && options->locale;
    stage_start(options);
}

/* Checks the screen after a step; returns true if it shows hostile text. */
static bool style(void)
{
    terminal_wait_idle(stage.terminal);
    terminal_check_clean(stage.terminal);
    if (ascii)
        stage_check_ascii();
    return terminal_has(stage.terminal, "^[") || terminal_has(stage.terminal, "<U+") ||
           terminal_has(stage.terminal, "\xef\xbf\xbd");
}

static bool step(const char *keys)
{
    terminal_keys(stage.terminal, keys);
    return style();
}

static int number_behind(const char *word)
{
    struct str row = {0};
    int y, x, number = 0;

    terminal_wait_text(stage.terminal, word);
    cr_assert(terminal_find(stage.terminal, word, &y, &x));
    terminal_row(stage.terminal, y, &row);
    sscanf(strstr(str_c(&row), word) + strlen(word), "%d", &number);
    str_free(&row);
    return number;
}

/* --- agents --- */

static void visit_agents(const struct terminal_options *options)
{
    int shown = 0;

    start(options);
    terminal_key(stage.terminal, "2");
    int count = number_behind("AGENTS ");
    cr_assert_gt(count, 2 * HOSTILE_NAMES);
    terminal_keys(stage.terminal, "g g Enter");
    terminal_wait_text(stage.terminal, "AGENT ");
    for (int i = 0; i < count; i++) {
        shown += style();
        if (i % 5 == 0) {
            step("^W G ^W G");
            terminal_resize(stage.terminal, 40, 120);
            style();
            terminal_resize(stage.terminal, 10, 40);
            style();
            terminal_resize(stage.terminal, 24, 80);
        }
        terminal_key(stage.terminal, "J");
    }
    cr_expect_gt(shown, HOSTILE_NAMES, "only %d pages of %d had something to show", shown, count);
    stage_go("2", "AGENTS ");
    stage_quit();
}

Test(hostile_screens, the_page_of_every_agent)
{
    visit_agents(NULL);
}

Test(hostile_screens, the_page_of_every_agent_without_utf8)
{
    visit_agents(&old);
}

Test(hostile_screens, the_page_of_every_agent_without_controls)
{
    visit_agents(&bare);
}

/* --- requests --- */

static void visit_requests(const struct terminal_options *options)
{
    int shown = 0;

    start(options);
    terminal_key(stage.terminal, "3");
    int count = number_behind("DECIDE ");
    cr_assert_gt(count, 2 * HOSTILE_NAMES);
    for (int i = 0; i < count; i++) {
        shown += style();
        step("Space G");
        step("v");
        step("v h");
        step("h");
        if (i % 5 == 0) {
            terminal_resize(stage.terminal, 10, 40);
            style();
            terminal_resize(stage.terminal, 24, 80);
            step("Enter");
            stage_go("q", "DECIDE ");
        }
        terminal_key(stage.terminal, "]");
    }
    cr_expect_gt(shown, HOSTILE_NAMES, "only %d requests of %d had something to show", shown,
                 count);
    stage_quit();
}

Test(hostile_screens, every_request)
{
    visit_requests(NULL);
}

Test(hostile_screens, every_request_without_utf8)
{
    visit_requests(&old);
}

Test(hostile_screens, every_request_without_controls)
{
    visit_requests(&bare);
}

/* --- drafts, the outbox and what was sent --- */

static bool shows(struct terminal *terminal, void *context)
{
    return terminal_has(terminal, context);
}

/* Opens a form about the selection; returns false where that is not possible. */
static bool open_form(const char *keys, const char *title)
{
    char copy[32];

    snprintf(copy, sizeof copy, "%s", title);
    terminal_keys(stage.terminal, keys);
    terminal_wait_idle(stage.terminal);
    return terminal_try(stage.terminal, 1, shows, copy);
}

/* Replies to some of them. */
static int write_drafts(void)
{
    static const char *const words[] = {"bidi", "zero", "c1", "tab", "etc"};
    enum { WORDS = sizeof words / sizeof *words };

    for (int i = 0; i < WORDS; i++) {
        stage_go("1 g g /", "/");
        terminal_type(stage.terminal, words[i]);
        stage_go("Enter", "?:help");
        if (!open_form("r", "REPLY to"))
            terminal_fail(stage.terminal, "there is no reply to %s", words[i]);
        style();
        stage_go("w o r d s ^O", "kept as a draft");
    }
    return WORDS;
}

static void visit_drafts(const struct terminal_options *options)
{
    int shown = 0;

    hostile_make_more(&stage.mailbox);
    stage_run((const char *const[]){"send", "--to", "code", "--subject", mailbox_hostile, "--body",
                                    mailbox_hostile, NULL});
    ascii = options && options->locale;
    stage_start(options);
    int drafts = write_drafts();
    stage_go("4", "DRAFTS 5  outbox 1");
    int rows = drafts + 1 + number_behind("sent ");
    cr_assert_gt(rows, HOSTILE_NAMES);
    terminal_keys(stage.terminal, "g g");
    for (int i = 0; i < rows; i++) {
        shown += style();
        if (i <= drafts) { /* the question names the draft; another key is no answer */
            stage_go("X", "(y/n)");
            style();
            step("n");
        }
        if (i >= drafts) {
            step("Enter");
            stage_go("q", "DRAFTS ");
        }
        terminal_key(stage.terminal, "j");
    }
    cr_expect_gt(shown, HOSTILE_NAMES / 2, "only %d rows of %d had something to show", shown, rows);
    terminal_resize(stage.terminal, 40, 120);
    style();
    terminal_resize(stage.terminal, 10, 40);
    style();
    stage_quit();
}

Test(hostile_screens, drafts_and_what_was_sent)
{
    visit_drafts(NULL);
}

Test(hostile_screens, drafts_and_what_was_sent_without_utf8)
{
    visit_drafts(&old);
}

Test(hostile_screens, drafts_and_what_was_sent_without_controls)
{
    visit_drafts(&bare);
}

/* --- forms --- */

/* Reads the review to its end, and discards the form. */
static void review_and_leave(const char *title)
{
    terminal_key(stage.terminal, "^P");
    style();
    if (terminal_has(stage.terminal, "REVIEW"))
        step("G g g");
    if (terminal_has(stage.terminal, "REVIEW"))
        stage_go("q", title);
    stage_go("Alt-x", "(y/n)");
    stage_go("y", "thrown away");
}

static void visit_forms(const struct terminal_options *options)
{
    int opened = 0, shown = 0;

    start(options);
    for (int i = 0; i < 24; i++) {
        stage_go("1 g g", "INBOX ");
        for (int k = 0; k < 2 * i; k++)
            terminal_key(stage.terminal, "j");
        if (open_form("f", "FORWARD of")) {
            opened++;
            shown += style();
            terminal_type(stage.terminal, "w7");
            review_and_leave("FORWARD of");
        }
        if (open_form("H", "HANDOFF from")) {
            opened++;
            shown += style();
            terminal_type(stage.terminal, "w7\t\t\t\tdone\tso it is\tgo on");
            step("^N ^N ^N ^N ^N");
            review_and_leave("HANDOFF from");
        }
    }
    cr_expect_gt(opened, 20);
    cr_expect_gt(shown, opened / 3, "only %d forms of %d had something to show", shown, opened);
    /* a team with such names, and its excluded members */
    stage_command("broadcast bad", "BROADCAST to bad");
    stage_go("Up Up", "Exclude");
    for (int i = 0; i < HOSTILE_NAMES; i++)
        step("Tab");
    terminal_keys(stage.terminal, "^N ^N");
    terminal_type(stage.terminal, "to all");
    terminal_keys(stage.terminal, "^N");
    terminal_type(stage.terminal, "words");
    review_and_leave("BROADCAST to");
    /* any completion */
    stage_go("m", "NEW MESSAGE");
    for (int i = 0; i < 3 * HOSTILE_NAMES; i++)
        step("Tab");
    stage_go("Alt-x", "(y/n)");
    stage_go("y", "thrown away");
    stage_quit();
}

Test(hostile_screens, every_form)
{
    visit_forms(NULL);
}

Test(hostile_screens, every_form_without_utf8)
{
    visit_forms(&old);
}

Test(hostile_screens, every_form_without_controls)
{
    visit_forms(&bare);
}
