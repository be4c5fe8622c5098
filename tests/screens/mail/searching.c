/* Searching all mail: while typing, over everything, and back to the start. */
#include "tests/screens/harness/golden.h"
#include "tests/screens/harness/stage.h"

#include <glob.h>
#include <stdio.h>

TestSuite(searching, .fini = stage_close, .timeout = 300);

Test(searching, words_are_found_while_they_are_typed)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go("S", "Words find all mail that has them");
    terminal_type(stage.terminal, "times");
    terminal_wait_text(stage.terminal, "SEARCH 1  newest first");
    terminal_wait_text(stage.terminal, "Times sort well");
    terminal_type(stage.terminal, "x");
    terminal_wait_text(stage.terminal, "No message has timesx");
    terminal_key(stage.terminal, "Backspace");
    terminal_wait_text(stage.terminal, "Times sort well");
    /* to its conversation, at that message, and back */
    stage_go("Enter", "o:order");
    stage_go("Enter", "From");
    terminal_wait_text(stage.terminal, "Times sort well");
    stage_go("q", "SEARCH 1");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_text(stage.terminal, "INBOX");
    stage_quit();
}

Test(searching, giving_it_up_goes_back_to_where_one_was)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("/ w h i c h Enter", "?:help");
    stage_wait_selected("which page first?");
    stage_go("S", "Words find all mail");
    terminal_type(stage.terminal, "plan");
    terminal_wait_text(stage.terminal, "SEARCH");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_text(stage.terminal, "INBOX 9/9");
    stage_wait_selected("which page first?");
    /* an empty line does the same */
    stage_go("S", "Words find all mail");
    terminal_key(stage.terminal, "Enter");
    terminal_wait_text(stage.terminal, "INBOX 9/9");
    stage_quit();
}

Test(searching, mistakes_are_told_and_what_was_typed_can_be_changed)
{
    stage_open(MAILBOX_ADR, NULL);
    stage_go("S", "Words find all mail");
    terminal_type(stage.terminal, "(queue");
    terminal_wait_text(stage.terminal, "is never closed");
    terminal_key(stage.terminal, "Enter");
    terminal_wait_text(stage.terminal, "search all mail: (queue"); /* the line stays */
    terminal_type(stage.terminal, ")");
    terminal_wait_text(stage.terminal, "How shall the queue");
    stage_go("Enter", "o:order");
    stage_go("o", "the best first");
    stage_go("o", "the newest first");
    /* the key for searching opens the line again, and Esc cancels it */
    stage_go("/", "search all mail: (queue)");
    terminal_type(stage.terminal, "xyz");
    terminal_wait_text(stage.terminal, "No message has (queue)xyz");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_gone(stage.terminal, "search all mail:");
    terminal_wait_text(stage.terminal, "How shall the queue");
    stage_quit();
}

Test(searching, mail_that_comes_is_found_too)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_command("search-all xylophone", "No message has xylophone");
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){"team-lead", "w7", 30, "of music", "A xylophone.", false});
    terminal_wait_text(stage.terminal, "SEARCH 1  newest first");
    terminal_wait_text(stage.terminal, "of music");
    stage_quit();
}

Test(searching, everything_of_the_language_works_there)
{
    stage_open(STAGE_USUAL, NULL);
    stage_command("search-all is:waiting from:w*", "SEARCH");
    terminal_wait_gone(stage.terminal, "searching ...");
    stage_command("search-all queue is:archived", "SEARCH");
    stage_command("search-all from:nobody-of-that-name", "No message has from:nobody");
    stage_quit();
}

Test(searching, hostile_text_stays_text)
{
    stage_open(MAILBOX_ALL, NULL);
    stage_go("S", "Words find all mail");
    terminal_type(stage.terminal, "hostile or the or a*");
    terminal_wait_text(stage.terminal, "SEARCH");
    stage_check_drawn();
    stage_go("Enter", "o:order");
    stage_quit();
}

Test(searching, it_fits_any_size)
{
    static const int sizes[][2] = {{24, 80}, {40, 120}, {10, 40}, {6, 30}, {3, 12}};

    stage_open(STAGE_USUAL, NULL);
    stage_go("S", "Words find all mail");
    terminal_type(stage.terminal, "the");
    terminal_wait_text(stage.terminal, "newest first");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        terminal_resize(stage.terminal, sizes[i][0], sizes[i][1]);
        stage_check_drawn();
    }
    terminal_resize(stage.terminal, 24, 80);
    stage_go("Enter", "o:order");
    stage_quit();
}

/* True if there is any segment of any source. */
static bool has_index(void)
{
    char pattern[700];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/*/cache/swarmutt/search/*/*.segment",
             stage.mailbox.tmp.path);
    bool there = glob(pattern, 0, NULL, &found) == 0;
    globfree(&found);
    snprintf(pattern, sizeof pattern, "%s/*/.cache/swarmutt/search/*/*.segment",
             stage.mailbox.tmp.path);
    there |= glob(pattern, 0, NULL, &found) == 0;
    globfree(&found);
    return there;
}

static bool is_indexed(struct terminal *terminal, void *context)
{
    (void)terminal;
    (void)context;
    return has_index();
}

Test(searching, an_index_is_built_beside_the_screens_and_used)
{
    mailbox_make(&stage.mailbox, MAILBOX_ADR);
    for (int i = 0; i < 150; i++) {
        char path[100], text[700];
        snprintf(path, sizeof path,
                 "project/workspace/mailboxes/tester/archive/MSG-0000000%05d.json", i);
        int len = snprintf(
            text, sizeof text,
            "{\"id\":\"MSG-0000000%05d\",\"from_agent\":\"critic\",\"to_agent\":\"tester\","
            "\"swarm_name\":\"\",\"type\":\"notification\",\"subject\":\"report %d\","
            "\"body\":\"words of number%d\",\"payload\":{},\"priority\":2,"
            "\"created_at\":\"2026-02-01T10:00:%02d\",\"expires_at\":null,"
            "\"status\":\"archived\",\"read_at\":null,\"completed_at\":null,"
            "\"reply_to\":null,\"thread_id\":null,\"context\":{},\"attachments\":[],"
            "\"tags\":[]}",
            i, i, i, i % 60);
        mailbox_put(&stage.mailbox, path, 3600, (struct span){text, (size_t)len});
    }
    stage_start(NULL);
    terminal_wait_for(stage.terminal, "built an index", is_indexed, NULL);
    stage_command("search-all number77", "report 77");
    terminal_wait_text(stage.terminal, "words of number77");
    stage_quit();
}

Test(searching, the_screen_as_a_whole)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go("S", "Words find all mail");
    terminal_wait_idle(stage.terminal);
    golden_check(stage.terminal, "search-empty");
    terminal_type(stage.terminal, "plan or queue");
    terminal_wait_text(stage.terminal, "How shall the queue");
    terminal_wait_idle(stage.terminal);
    golden_check(stage.terminal, "search");
    stage_go("Enter", "o:order");
    stage_quit();
}
