/* Deciding by keys: what is written with a decision, reasons and inputs. */
#include "deciding.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>

#define REASON "narrow it to session.c"

static bool is_on_disk(struct terminal *terminal, void *context)
{
    static const char *const files[] = {"home/state/swarmutt/state.db",
                                        "home/state/swarmutt/state.db-wal"};
    bool found = false;

    (void)terminal;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct str file = inbox_of(files[i]);
        found |= file.len && memmem(file.at, file.len, context, strlen(context));
        str_free(&file);
    }
    return found;
}

Test(deciding, a_reason_that_was_typed_survives_a_kill_giving_up_and_taking_back)
{
    char reason[] = REASON;

    deciding_make_team("1h");
    deciding_ask("bob", 2 * MINUTE, PLAN("r-1", "all of it"));
    deciding_start("DECIDE 1");
    stage_go("a r", "why not: ");
    terminal_type(stage.terminal, reason);
    terminal_wait_for(stage.terminal, "has a reason that is on disk", is_on_disk, reason);
    terminal_signal(stage.terminal, SIGKILL);
    cr_assert_eq(terminal_end(stage.terminal), -SIGKILL);
    terminal_free(stage.terminal);
    check_nothing();
    deciding_start("DECIDE 1");
    stage_go("a r Up", "why not: " REASON);
    terminal_type(stage.terminal, ", please");
    stage_go("Esc", "?:help");
    stage_go("a r Up", "why not: " REASON ", please");
    stage_go("Enter", "HELD 1");
    wait_dead_time();
    stage_go("u", "taken back");
    stage_go("a r Up", "why not: " REASON ", please");
    stage_go("Up", "why not: " REASON);
    stage_go("Esc", "?:help");
    check_nothing();
    stage_quit();
}

Test(deciding, a_long_reason_is_written_in_an_editor)
{
    static const char *const env[] = {"EDITOR=printf 'first line\\nsecond line\\n' >", NULL};

    deciding_make_team("1s");
    deciding_ask("bob", 2 * MINUTE, PLAN("r-1", "all of it"));
    stage_start(&(struct terminal_options){.env = env});
    stage_go("3", "end of the request");
    stage_go("a r", "why not: ");
    stage_go("^E", "second line");
    stage_go("Enter", "held: reject");
    terminal_wait_text(stage.terminal, SENT);
    check_answer(INBOXES "bob.json", "\\\"feedback\\\":\\\"first line\\\\nsecond line\\\"");
    stage_quit();
}

static char editor_env[600];

static void start_with_editor(const char *script)
{
    static const char *env[] = {editor_env, NULL};
    struct str text = {0};

    str_addf(&text, "#!/bin/sh\n%s\n", script);
    tmp_write(&stage.mailbox.tmp, "editor", str_span(&text));
    str_free(&text);
    cr_assert_eq(fchmodat(stage.mailbox.tmp.fd, "editor", 0755, 0), 0);
    snprintf(editor_env, sizeof editor_env, "EDITOR=%s/editor", stage.mailbox.tmp.path);
    stage_start(&(struct terminal_options){.env = env});
    stage_go("3", "DECIDE 1");
    terminal_wait_text(stage.terminal, "end of the request");
}

Test(deciding, an_input_is_changed_read_and_only_then_granted)
{
    deciding_make_team("1s");
    deciding_ask("bob", 2 * MINUTE, PERMISSION("p-1", "bob", "ls"));
    start_with_editor("printf '{\"command\":\"ls -l\",\"n\":1.0}' > \"$1\"");
    stage_go("a m", "the input was changed; read it, then ao grants that");
    terminal_wait_text(stage.terminal, "Changed by you: this input is used instead");
    check_nothing();
    terminal_wait_text(stage.terminal, "end of the request");
    stage_go("a o", "held: grant");
    terminal_wait_text(stage.terminal, SENT);
    check_answer(INBOXES "bob.json",
                 "\\\"updated_input\\\":{\\\"command\\\":\\\"ls -l\\\",\\\"n\\\":1.0},");
    stage_quit();
}

Test(deciding, an_input_that_is_none_is_not_taken)
{
    deciding_make_team("1s");
    deciding_ask("bob", 2 * MINUTE, PERMISSION("p-1", "bob", "ls"));
    start_with_editor("printf '{\"command\":\"ls\",\"command\":\"rm\"}' > \"$1\"");
    stage_go("a m", "am goes on with what you wrote: the key \"command\" stands twice in the cha");
    cr_expect_not(terminal_has(stage.terminal, "Changed by you"));
    stage_quit();
    check_nothing();
}

Test(deciding, an_input_that_could_not_be_taken_is_there_again)
{
    deciding_make_team("1s");
    deciding_ask("bob", 2 * MINUTE, PERMISSION("p-1", "bob", "ls"));
    /* the first time it leaves half of an object; should that be there again, a whole one */
    start_with_editor("grep -q half \"$1\" && printf '{\"command\":\"sudo half\"}' > \"$1\" || "
                      "printf '{\"command\":\"sudo half' > \"$1\"");
    stage_go("a m", "am goes on with what you wrote");
    terminal_wait_gone(stage.terminal, "settling");
    terminal_keys(stage.terminal, "a m");
    terminal_wait_idle(stage.terminal);
    stage_go("G", "Changed by you: this input is used instead");
    terminal_wait_text(stage.terminal, "takes root rights");
    stage_go("a s", "Bash(sudo half) for the session; type grant:");
    terminal_type(stage.terminal, "grant\r");
    terminal_wait_text(stage.terminal, SENT);
    check_answer(INBOXES "bob.json", "\\\"updated_input\\\":{\\\"command\\\":\\\"sudo half\\\"}");
    check_answer(INBOXES "bob.json", "\\\"ruleContent\\\":\\\"sudo half\\\"");
    stage_quit();
}
