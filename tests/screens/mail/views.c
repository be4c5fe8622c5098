/* Every screen at every size: as golden files in the default terminal at all sizes, and at the
 * default size on simpler terminals; general checks elsewhere. */
#include "tests/screens/harness/golden.h"
#include "tests/screens/harness/stage.h"

#include <stdio.h>

enum { STEPS_MAX = 8 };

TestSuite(views, .fini = stage_close, .timeout = 300);

/* A step from the inbox or back: keys, and the text to wait for. */
struct step {
    const char *keys, *text;
};

struct view {
    const char *name;
    struct step there[STEPS_MAX], back[STEPS_MAX];
    const char *word; /* on the screen at any size of at least 10 rows of 40 */
    bool has_paths;   /* it has paths, which are as long as they are in /tmp */
};

#define TO_INBOX                                                                                   \
    {                                                                                              \
        {                                                                                          \
            "1", "INBOX"                                                                           \
        }                                                                                          \
    }
#define THROW_AWAY                                                                                 \
    {"Alt-x", "(y/n)"},                                                                            \
    {                                                                                              \
        "y", "INBOX"                                                                               \
    }
#define TO_THREAD                                                                                  \
    {"/ q u e u e Enter", ">! 25m architect"}, {"Enter", "3/3"},                                   \
    {                                                                                              \
        "", "13 new"                                                                               \
    }
#define TO_WHICH                                                                                   \
    {                                                                                              \
        "/ w h i c h Enter", ">N  5m doc-3"                                                        \
    }
#define SAVED                                                                                      \
    {"", "saved 14:03:00 drafts/"},                                                                \
    {                                                                                              \
        "", "drafts:1"                                                                             \
    }

static const struct view mail_views[] = {
    {"inbox", {{"g g", "INBOX"}}, TO_INBOX, "INBOX", false},
    {"agents", {{"2", "AGENTS "}}, TO_INBOX, "AGENTS", false},
    {"agent",
     {{"2", "AGENTS "}, {"/ d o c - 3 Enter", "doc-3@dev: "}, {"Enter", "AGENT 2/2"}},
     TO_INBOX,
     "doc-3",
     true},
    {"decide", {{"3", "DECIDE"}}, TO_INBOX, "DECIDE", false},
    {"archive", {{"5", "ARCHIVE"}}, TO_INBOX, "ARCHIVE", false},
    {"flow", {{"6", "FLOW"}}, TO_INBOX, "FLOW", false},
    {"help", {{"?", "HELP"}}, {{"q", "INBOX"}}, "HELP", false},
    {"command", {{": a Tab", "archive"}}, {{"^C", "?:help"}}, ":a", false},
    {"filter", {{"l", "filter: "}}, {{"^C", "?:help"}}, "filter: ", false},
    {"thread", {TO_THREAD}, {{"q", "INBOX"}}, "3/3", false},
    {"raw", {TO_THREAD, {"v", "raw"}}, {{"q", "INBOX"}}, "raw", false},
};

/* A single mailbox, so that no path is shown. */
static const struct view form_views[] = {
    {"compose",
     {{"m", "NEW MESSAGE"},
      {"b u i l d e r - 1 Tab", "Subject"},
      {"n e w s Tab Tab w o r d s", "words"},
      SAVED},
     {THROW_AWAY},
     "words",
     false},
    {"reply", {TO_WHICH, {"r", "REPLY to"}}, {THROW_AWAY}, "REPLY to", false},
    {"review",
     {TO_WHICH, {"r", "REPLY to"}, {"a l l", "all"}, SAVED, {"^P", "REVIEW"}},
     {{"q", "REPLY to"}, THROW_AWAY},
     "REVIEW",
     true},
    {"forward", {TO_WHICH, {"f", "FORWARD of"}, {"", "I would"}}, {THROW_AWAY}, "FORWARD", false},
    {"nudge",
     {{"2", "AGENTS "}, {"/ i n f r a Enter", "infra-4@dev: "}, {"m", "NUDGE infra-4"}},
     {{"Alt-x", "(y/n)"}, {"y", "AGENTS "}, {"1", "INBOX"}},
     "NUDGE",
     false},
    {"broadcast",
     {{"B", "BROADCAST to dev"}, {"f r e e z e", "freeze"}, SAVED},
     {THROW_AWAY},
     "BROADCAST",
     false},
    {"recipients",
     {{"B", "BROADCAST to dev"}, {"f r e e z e", "freeze"}, SAVED, {"^P", "REVIEW"}},
     {{"q", "BROADCAST"}, THROW_AWAY},
     "REVIEW",
     true},
};

/* A layout that can hold every field of a handoff. */
static const struct view handoff_views[] = {
    {"handoff",
     {{"/ i n d e x Enter", ">! 40m implementer"},
      {"H", "HANDOFF from implementer"},
      {"", "wrote on"},
      {"r e v i e w Tab", "[reviewer"},
      SAVED},
     {THROW_AWAY},
     "HANDOFF",
     false},
};

static const struct view drafts_views[] = {
    {"drafts", {{"4", "DRAFTS 1  outbox 1  sent 4"}, {"", "compose, "}}, TO_INBOX, "DRAFTS", true},
    {"outbox", {{"4 j", "waits: Cache"}, {"", "from: orchestrator"}}, TO_INBOX, "DRAFTS", true},
    {"sent",
     {{"4 G k k", "State:   delivered"}, {"", "critic delivered"}},
     TO_INBOX,
     "DRAFTS",
     false},
};

/* Sends one message that is delivered, and then one that waits for its slot. */
static void write_to_all(void)
{
    stage_run((const char *const[]){"send", "--to", "critic", "--subject", "Numbers", "--body",
                                    "Which?", NULL});
    stage_run((const char *const[]){"send", "--to", "code", "--subject", "Cache", "--body",
                                    "Twice.", NULL});
}

static void write_draft(void)
{
    stage_go("m", "NEW MESSAGE");
    terminal_type(stage.terminal, "architect\tLater\t");
    stage_go("^O", "kept as a draft");
    terminal_wait_text(stage.terminal, "drafts:1");
}

static const struct group {
    unsigned parts;
    void (*before)(void), (*prepare)(void); /* run before and after the start; or NULL */
    const struct view *views;
    size_t count;
    bool empties; /* the views leave no drafts */
} groups[] = {
    {STAGE_USUAL, NULL, NULL, mail_views, sizeof mail_views / sizeof *mail_views, false},
    {MAILBOX_CLAUDE, NULL, NULL, form_views, sizeof form_views / sizeof *form_views, true},
    {MAILBOX_ADR, NULL, NULL, handoff_views, sizeof handoff_views / sizeof *handoff_views, true},
    {MAILBOX_ADR | MAILBOX_ROO, write_to_all, write_draft, drafts_views,
     sizeof drafts_views / sizeof *drafts_views, false},
};
enum { MAIL, FORMS, HANDOFF, DRAFTS };

static void walk(const struct step *steps)
{
    for (size_t i = 0; i < STEPS_MAX && steps[i].keys; i++)
        stage_go(steps[i].keys, steps[i].text);
}

static const struct size {
    int rows, cols;
} sizes[] = {{24, 80}, {40, 120}, {10, 40}};

struct env {
    const char *name; /* suffix of the names of its golden files */
    const char *locale, *term;
    const char *const *env;
    size_t golden_sizes; /* number of sizes with golden files */
    bool colourless;
};

static const char *const no_colour[] = {"NO_COLOR=1", NULL};
static const struct env colours = {"", NULL, NULL, NULL, 3, false},
                        plain = {"-plain", NULL, NULL, no_colour, 1, true},
                        ascii = {"-ascii", "C", NULL, NULL, 1, false},
                        old = {"-vt100", "C", "vt100", NULL, 1, true},
                        console = {"-console", NULL, "linux", NULL, 0, false};

static bool is_kept(const struct view *view)
{
    const char start[] = "/tmp/swarmutt";

    return !view->has_paths || strncmp(stage.mailbox.tmp.path, start, strlen(start)) == 0;
}

static void check(const struct env *env, const struct view *view)
{
    char name[64];

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        terminal_resize(stage.terminal, sizes[i].rows, sizes[i].cols);
        terminal_wait_idle(stage.terminal);
        snprintf(name, sizeof name, "%s-%dx%d%s", view->name, sizes[i].rows, sizes[i].cols,
                 env->name);
        terminal_wait_text(stage.terminal, view->word);
        if (i < env->golden_sizes && is_kept(view))
            golden_check(stage.terminal, name);
        stage_check_drawn();
        if (env->colourless)
            stage_check_colourless();
        if (env->locale)
            stage_check_ascii();
    }
    terminal_resize(stage.terminal, sizes[0].rows, sizes[0].cols);
}

static void style(const struct env *env, int number)
{
    const struct group *group = &groups[number];

    mailbox_make(&stage.mailbox, group->parts);
    if (group->before)
        group->before();
    stage_start(
        &(struct terminal_options){.locale = env->locale, .term = env->term, .env = env->env});
    if (group->prepare)
        group->prepare();
    for (size_t i = 0; i < group->count; i++) {
        walk(group->views[i].there);
        check(env, &group->views[i]);
        walk(group->views[i].back);
        if (group->empties)
            terminal_wait_gone(stage.terminal, "drafts:");
    }
    stage_quit();
}

Test(views, of_mail_in_colours)
{
    style(&colours, MAIL);
}

Test(views, of_mail_without_colours)
{
    style(&plain, MAIL);
}

Test(views, of_mail_without_utf8)
{
    style(&ascii, MAIL);
}

Test(views, of_mail_on_an_old_terminal)
{
    style(&old, MAIL);
}

Test(views, of_mail_on_a_console)
{
    style(&console, MAIL);
}

Test(views, of_forms_in_colours)
{
    style(&colours, FORMS);
}

Test(views, of_forms_without_colours)
{
    style(&plain, FORMS);
}

Test(views, of_forms_without_utf8)
{
    style(&ascii, FORMS);
}

Test(views, of_forms_on_an_old_terminal)
{
    style(&old, FORMS);
}

Test(views, of_a_handoff_in_colours)
{
    style(&colours, HANDOFF);
}

Test(views, of_a_handoff_without_colours)
{
    style(&plain, HANDOFF);
}

Test(views, of_a_handoff_without_utf8)
{
    style(&ascii, HANDOFF);
}

Test(views, of_a_handoff_on_an_old_terminal)
{
    style(&old, HANDOFF);
}

Test(views, of_what_was_written_in_colours)
{
    style(&colours, DRAFTS);
}

Test(views, of_what_was_written_without_colours)
{
    style(&plain, DRAFTS);
}

Test(views, of_what_was_written_without_utf8)
{
    style(&ascii, DRAFTS);
}

Test(views, of_what_was_written_on_an_old_terminal)
{
    style(&old, DRAFTS);
}
