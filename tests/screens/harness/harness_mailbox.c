/* Checks the mailboxes for screens with the output of the program's commands on a terminal. */
#include "mailbox.h"

#include <stdio.h>
#include <unistd.h>

static struct mailbox mailbox;
static struct terminal *terminal;

static void close_all(void)
{
    terminal_free(terminal);
    terminal = NULL;
    mailbox_remove(&mailbox);
}

TestSuite(mailbox, .fini = close_all, .timeout = 300);

static void run(struct terminal_options options, const char *command, const char *argument,
                int code)
{
    const char *const args[] = {command, argument, NULL};

    options.args = args;
    terminal = mailbox_start(&mailbox, &options);
    int ended = terminal_end(terminal);
    if (ended != code)
        terminal_fail(terminal, "%s ends with %d", command, ended);
}

static void run_on(const struct terminal_options *options, const char *command)
{
    terminal_free(terminal);
    run(*options, command, NULL, 0);
}

static void assert_shows(const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!terminal_has(terminal, texts[i]))
            terminal_fail(terminal, "\"%s\" is not shown", texts[i]);
}

#define assert_shows_all(...)                                                                      \
    assert_shows((const char *const[]){__VA_ARGS__},                                               \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static const struct terminal_options large = {.rows = 60, .cols = 160};

Test(mailbox, every_layout_is_found)
{
    mailbox_make(&mailbox, MAILBOX_ALL);
    run(large, "sources", NULL, 0);
    assert_shows_all("claude", "adr", "openclaw", "inbox", "roo");
}

Test(mailbox, parts_that_are_not_asked_for_are_not_there)
{
    mailbox_make(&mailbox, MAILBOX_ROO);
    run(large, "sources", NULL, 0);
    assert_shows_all("roo");
    cr_expect_not(terminal_has(terminal, "claude") || terminal_has(terminal, "adr"));
}

Test(mailbox, decisions_wait)
{
    mailbox_make(&mailbox, MAILBOX_ALL & ~(MAILBOX_HOSTILE | MAILBOX_LONG));
    run(large, "pending", NULL, 0);
    assert_shows_all("builder-1", "tester-2", "rm -rf build/", "docs.example.org", "12s", "2m");
}

Test(mailbox, agents_are_in_every_state)
{
    mailbox_make(&mailbox, MAILBOX_ALL & ~(MAILBOX_HOSTILE | MAILBOX_LONG));
    run(large, "agents", NULL, 0);
    assert_shows_all("STUCK?", "infra-4", "WAITS-YOU", "builder-1", "IDLE", "w7");
}

Test(mailbox, nothing_hostile_reaches_any_terminal)
{
    static const char *const commands[] = {"messages", "list", "pending", "agents", "flow"};
    static const char *const terms[] = {"xterm-256color", "vt100"};
    static const char *const locales[] = {"C.UTF-8", "C"};

    mailbox_make(&mailbox, MAILBOX_ALL);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
            struct terminal_options options = {.rows = 60,
                                               .cols = i % 2 ? 40 : 160,
                                               .term = terms[i / 2],
                                               .locale = locales[i % 2]};
            run_on(&options, commands[k]);
        }
    terminal_free(terminal);
    run(large, "show", "MSG-00000000bad0", 0);
    assert_shows_all("^[", "<U+202E>", "<U+200B>", "<U+009B>");
}

Test(mailbox, more_can_be_said_while_a_program_runs)
{
    mailbox_make(&mailbox, MAILBOX_CLAUDE);
    terminal = mailbox_start(
        &mailbox,
        &(struct terminal_options){.cols = 160, .args = (const char *const[]){"watch", NULL}});
    terminal_wait_idle(terminal);
    mailbox_tell(&mailbox,
                 &(struct mailbox_said){"team-lead", "w7", 0, "one more", "A text.", false});
    terminal_wait_text(terminal, "one more");
    terminal_key(terminal, "^C");
    terminal_end(terminal);
}

Test(mailbox, a_config_is_obeyed_and_everything_is_removed)
{
    char path[256];

    mailbox_make(&mailbox, MAILBOX_ROO);
    snprintf(path, sizeof path, "%s", mailbox.tmp.path);
    mailbox_config(&mailbox, "[no such section]\nx = y\n");
    run((struct terminal_options){.cols = 160}, "list", NULL, 2);
    cr_expect(terminal_has(terminal, "no such section"));
    close_all();
    cr_expect_neq(access(path, F_OK), 0);
    mailbox_make(&mailbox, 0);
}
