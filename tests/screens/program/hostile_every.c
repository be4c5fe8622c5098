/* Every kind of screen, on hostile mailboxes and on a terminal without controls. The sources give
 * the kinds: a new one must be visited here, too. */
#include "tests/screens/harness/hostile_mailbox.h"
#include "tests/screens/harness/stage.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

TestSuite(hostile_every, .fini = stage_close, .timeout = 300);

/* The keys from the inbox, the text to wait for, and the keys back. */
static const struct visit {
    const char *file, *keys, *line, *text, *back;
} visits[] = {
    {"conversation_list.c", "1 z R", NULL, "INBOX ", ""},
    {"thread_view.c", "1 z R g g Enter", NULL, "q:back", "q"},
    {"agents_view.c", "2", NULL, "AGENTS ", "1"},
    {"decide_view.c", "3", NULL, "DECIDE ", "1"},
    {"decide_many.c", "3 t t t a o", NULL, "REQUESTS", "q 1"},
    {"drafts_view.c", "4", NULL, "DRAFTS ", "1"},
    {"traffic_view.c", "6", NULL, "FLOW ", "1"},
    {"search_view.c", "1", "search-all bidi OR esc OR about", "SEARCH ", "q"},
    {"command_output.c", "1", "messages --all", "messages", "q"},
    {"command_output.c", "1", "doctor", "doctor", "q"},
    {"command_output.c", "1", "log", "log", "q"},
    {"pager.c", "?", NULL, "HELP", "q"},
    {"form.c", "1 m", NULL, "NEW MESSAGE", ""},
    {"form_send.c", "", NULL, "NEW MESSAGE", ""},
};
enum { VISITS = sizeof visits / sizeof *visits };

static void visit_all(void)
{
    static const char *const steps[] = {"G", "g g", "j j j", "Space Space", "G"};
    static const int sizes[][2] = {{10, 40}, {40, 120}, {24, 80}};

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        terminal_keys(stage.terminal, steps[i]);
        terminal_wait_idle(stage.terminal);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        terminal_resize(stage.terminal, sizes[i][0], sizes[i][1]);
        terminal_wait_idle(stage.terminal);
    }
    terminal_check_clean(stage.terminal);
}

static void visit(const struct visit *visit)
{
    if (*visit->keys)
        terminal_keys(stage.terminal, visit->keys);
    if (visit->line)
        stage_command(visit->line, visit->text);
    terminal_wait_text(stage.terminal, visit->text);
    if (strcmp(visit->file, "form.c") == 0) {
        for (int i = 0; i < 2 * HOSTILE_NAMES; i++)
            terminal_key(stage.terminal, "Tab");
        terminal_wait_idle(stage.terminal);
    } else if (strcmp(visit->file, "form_send.c") == 0) {
        stage_go("^P", "REVIEW");
        visit_all();
        stage_go("q", "NEW MESSAGE");
        stage_go("Alt-x", "(y/n)");
        stage_go("y", "1Inbox*");
    } else {
        visit_all();
    }
    terminal_check_clean(stage.terminal);
    if (*visit->back)
        terminal_keys(stage.terminal, visit->back);
    terminal_wait_idle(stage.terminal);
}

Test(hostile_every, nothing_of_a_text_is_obeyed_on_a_terminal_without_controls)
{
    hostile_make_more(&stage.mailbox);
    stage_start(&(struct terminal_options){.no_escape = true});
    for (size_t i = 0; i < VISITS; i++)
        visit(&visits[i]);
    stage_quit();
}

static bool is_visited(const char *file)
{
    for (size_t i = 0; i < VISITS; i++)
        if (strcmp(visits[i].file, file) == 0)
            return true;
    return false;
}

static bool makes_a_screen(const char *path)
{
    char line[512];
    bool found = false;
    FILE *file = fopen(path, "re");

    cr_assert_not_null(file, "%s", path);
    while (!found && fgets(line, sizeof line, file)) {
        const char *kind = strstr(line, "struct screen_ops ");
        found = kind && strstr(kind, " = {");
    }
    fclose(file);
    return found;
}

Test(hostile_every, no_kind_of_screen_was_forgotten)
{
    const char *sources = getenv("SWARMUTT_SRC");
    char pattern[1024];
    size_t count = 0;
    glob_t files;

    snprintf(pattern, sizeof pattern, "%s/ui/*/*.c", sources ? sources : SOURCE_DIR);
    cr_assert_eq(glob(pattern, 0, NULL, &files), 0, "%s", pattern);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *name = strrchr(files.gl_pathv[i], '/') + 1;
        if (!makes_a_screen(files.gl_pathv[i]))
            continue;
        count++;
        cr_expect(is_visited(name), "nobody visits the screen of %s", name);
    }
    cr_assert_geq(count, 12);
    globfree(&files);
}
