/* Completion by Tab: agents, the likely ones first, and tags that mail already has. */
#include "tests/screens/harness/stage.h"

#include <stdio.h>

TestSuite(completing, .fini = stage_close, .timeout = 300);

/* Expects one row below the other, each with its words in that order. */
static void expect_rows(int first, const char *const *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct str row = {0};
        terminal_row(stage.terminal, first + (int)i, &row);
        if (!strstr(str_c(&row), rows[i]))
            terminal_fail(stage.terminal, "in row %d there is no \"%s\"", first + (int)i, rows[i]);
        str_free(&row);
    }
}

/* Shows all agents, even if Tab also selects the first one. */
static void show_all(void)
{
    terminal_key(stage.terminal, "Tab");
    terminal_wait_idle(stage.terminal);
}

/* Selects the next one until the field has that text. */
static void take(const char *field)
{
    for (int i = 0; i < 5 && !terminal_has(stage.terminal, field); i++) {
        terminal_key(stage.terminal, "Tab");
        terminal_wait_idle(stage.terminal);
    }
    terminal_wait_text(stage.terminal, field);
}

Test(completing, who_is_idle_comes_first)
{
    static const char *const rows[] = {" w7 ", " builder-1 ", " doc-3 ", " infra-4 ", " tester-2 "};

    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("m", "NEW MESSAGE");
    show_all();
    expect_rows(3, rows, sizeof rows / sizeof *rows);
    terminal_wait_row(stage.terminal, 3, "IDLE");
    terminal_wait_row(stage.terminal, 6, "STUCK?");
    take("[w7");
    stage_go("Tab", "[builder-1");
    stage_go("Shift-Tab", "[w7");
    terminal_key(stage.terminal, "Esc"); /* closes only the list */
    terminal_wait_gone(stage.terminal, "STUCK?");
    stage_go("Esc", "INBOX");
    stage_quit();
}

/* In a layout without teams, NAME@TEAM would be nobody. */
Test(completing, a_name_that_two_swarms_have_is_completed_to_one_that_can_be_written_to)
{
    mailbox_make(&stage.mailbox, MAILBOX_ADR);
    mailbox_put(&stage.mailbox, "project/swarms/swarm_ops/agents/critic.md", 60,
                span_of("An agent.\n"));
    stage_start(NULL);
    stage_go("m", "NEW MESSAGE");
    terminal_type(stage.terminal, "ops");
    stage_go("Tab", "[swarm_ops/critic");
    cr_expect_not(terminal_has(stage.terminal, "critic@"));
    terminal_key(stage.terminal, "Esc");
    terminal_wait_idle(stage.terminal);
    stage_go("Esc", "INBOX");
    stage_quit();
}

/* A participant is a more likely recipient than an idle agent. */
Test(completing, who_took_part_comes_before_who_is_idle)
{
    static const char *const rows[] = {" doc-3 ", " w7 ", " builder-1 ", " infra-4 ", " tester-2 "};

    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("/ w h i c h Enter", "?:help");
    stage_wait_selected("which page first?");
    stage_go("f", "FORWARD of doc-3");
    show_all();
    expect_rows(3, rows, sizeof rows / sizeof *rows);
    take("[doc-3");
    /* after a comma completion starts again, and keeps the typed text */
    terminal_type(stage.terminal, ", i");
    stage_go("Tab", "[doc-3, infra-4");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_gone(stage.terminal, "STUCK?");
    stage_go("Esc", "INBOX");
    stage_quit();
}

Test(completing, an_agent_is_picked_by_a_part_of_its_name)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("c", "agent: ");
    terminal_type(stage.terminal, "do");
    stage_go("Tab", "agent: doc-3");
    stage_go("Enter", "agent:doc-3");
    terminal_wait_text(stage.terminal, "INBOX 2/2");
    stage_go("c", "agent: ");
    terminal_type(stage.terminal, "nobody\r");
    terminal_wait_text(stage.terminal, "nobody here is called \"nobody\"");
    stage_go("^C", "agent:doc-3"); /* unchanged */
    stage_go("q", "INBOX 9/9");
    stage_quit();
}

Test(completing, tags_are_those_that_mail_has)
{
    mailbox_make(&stage.mailbox, MAILBOX_ADR);
    stage_put_tagged("MSG-0000000000d1", "[\"release\", \"night\"]");
    stage_put_tagged("MSG-0000000000d2", "[\"report\", \"release\", \"re\\u001b[31m\\u202ed\"]");
    stage_start(NULL);
    stage_go("m", "NEW MESSAGE");
    terminal_type(stage.terminal, "critic");
    stage_go("Down", "Tags");
    stage_go("Down Down", "1[");
    terminal_type(stage.terminal, "ni");
    stage_go("Tab", "1[night");
    stage_go("Enter", "2[");
    terminal_type(stage.terminal, "re");
    stage_go("Tab", "2[re");
    /* each once, and as text */
    terminal_wait_text(stage.terminal, " release");
    terminal_wait_text(stage.terminal, " report");
    terminal_wait_text(stage.terminal, " re^[[31m<U+202E>d");
    cr_expect_not(terminal_has(stage.terminal, " night "));
    terminal_type(stage.terminal, "\x15rep");
    stage_go("Tab", "2[report");
    terminal_check_clean(stage.terminal);
    stage_go("Alt-x", "(y/n)");
    stage_go("y", "thrown away");
    stage_quit();
}

Test(completing, what_stands_behind_an_action_is_what_it_takes)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    terminal_type(stage.terminal, ":mark proc");
    stage_go("Tab", ":mark processing");
    stage_go("Esc", "?:help");
    terminal_type(stage.terminal, ":scope sn");
    stage_go("Tab", ":scope snoozed");
    stage_go("Esc", "?:help");
    terminal_type(stage.terminal, ":shutdown bui");
    stage_go("Tab", ":shutdown builder-1");
    stage_go("Esc", "?:help");
    terminal_type(stage.terminal, ":search-all is:unr");
    stage_go("Tab", ":search-all is:unread");
    stage_go("Esc", "?:help");
    stage_quit();
}
