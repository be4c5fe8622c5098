/* Notifications while the screen is open: by the bell and by the terminal, and not for old mail. */
#include "tests/screens/harness/mailbox.h"

#include <stdio.h>

static struct mailbox mailbox;
static struct terminal *terminal;

static void close_all(void)
{
    terminal_free(terminal);
    terminal = NULL;
    mailbox_remove(&mailbox);
}

TestSuite(calling, .fini = close_all, .timeout = 300);

static void start(const struct terminal_options *options)
{
    terminal = mailbox_start(&mailbox, options);
    terminal_wait_text(terminal, "needs you");
    terminal_wait_text(terminal, "watch ok");
    terminal_wait_idle(terminal);
}

static void ask(const char *id)
{
    char text[512];

    snprintf(text, sizeof text,
             "{\"type\":\"permission_request\",\"request_id\":\"perm-%s\",\"agent_id\":\"doc-3\","
             "\"tool_name\":\"Bash\",\"tool_use_id\":\"toolu_%s\",\"description\":\"why\","
             "\"input\":{\"command\":\"make %s\"},\"permission_suggestions\":[]}",
             id, id, id);
    mailbox_tell(&mailbox, &(struct mailbox_said){
                               .box = "team-lead", .from = "doc-3", .ago_s = 1, .text = text});
}

static bool has_rung(struct terminal *one, void *context)
{
    return terminal_bells(one) >= *(int *)context;
}

static void wait_for_bells(int count)
{
    terminal_wait(terminal, "rang the bell", has_rung, &count);
}

static void quit(void)
{
    terminal_key(terminal, "Q");
    cr_assert_eq(terminal_end(terminal), 0);
}

Test(calling, a_request_rings_the_bell_and_what_was_there_before_does_not)
{
    mailbox_make(&mailbox, MAILBOX_CLAUDE);
    start(NULL);
    cr_assert_eq(terminal_bells(terminal), 0);
    mailbox_tell(&mailbox, &(struct mailbox_said){.box = "team-lead",
                                                  .from = "w7",
                                                  .ago_s = 2,
                                                  .summary = "only news",
                                                  .text = "nothing to decide"});
    terminal_wait_text(terminal, "only news");
    terminal_wait_idle(terminal);
    cr_assert_eq(terminal_bells(terminal), 0);
    ask("one");
    wait_for_bells(1);
    quit();
    cr_assert_eq(terminal_bells(terminal), 1);
}

Test(calling, the_config_turns_the_bell_off)
{
    mailbox_make(&mailbox, MAILBOX_CLAUDE);
    mailbox_config(&mailbox, "[notify]\nbell = no\n");
    start(NULL);
    ask("one");
    terminal_wait_text(terminal, "Bash: make one");
    terminal_wait_idle(terminal);
    quit();
    cr_assert_eq(terminal_bells(terminal), 0);
}

static bool has_written(struct terminal *one, void *context)
{
    struct span raw = terminal_raw(one), sought = span_of(context);

    return memmem(raw.at, raw.len, sought.at, sought.len) != NULL;
}

Test(calling, a_terminal_that_is_known_for_it_is_told_and_no_other)
{
    static const char *const may_write[] = {"\x1b]9;swarmutt: ", NULL};
    char sequence[] = "\x1b]9;", told[] = "\x1b]9;swarmutt: 1 waits for you: doc-3: PERM";
    static const char *const env[] = {"TERM_PROGRAM=iTerm.app", NULL};

    mailbox_make(&mailbox, MAILBOX_CLAUDE);
    mailbox_config(&mailbox, "[notify]\nbell = is:waiting\nterminal = is:waiting\n");
    start(&(struct terminal_options){.may_write = may_write, .env = env});
    ask("one");
    terminal_wait(terminal, "told the terminal", has_written, told);
    quit();
    terminal_free(terminal);
    start(NULL);
    ask("two");
    wait_for_bells(1);
    quit();
    cr_assert_not(has_written(terminal, sequence));
}
