/* The config of the screens takes effect: keys, styles, colours, and initial settings. */
#include "tests/screens/harness/stage.h"

#include <stdio.h>
#include <unistd.h>

TestSuite(configured, .fini = stage_close, .timeout = 300);

static void start(unsigned parts, const char *config, const struct terminal_options *options)
{
    mailbox_make(&stage.mailbox, parts);
    mailbox_config(&stage.mailbox, config);
    stage_start(options);
}

static struct terminal_attrs style_of(const char *text)
{
    int y, x;

    if (!terminal_find(stage.terminal, text, &y, &x))
        terminal_fail(stage.terminal, "\"%s\" is nowhere", text);
    return terminal_attrs(stage.terminal, y, x);
}

static void expect_look(const char *text, const char *style)
{
    struct terminal_attrs attrs = style_of(text);
    struct str words = {0};

    terminal_attrs_describe(&attrs, &words);
    if (strcmp(str_c(&words), style) != 0)
        terminal_fail(stage.terminal, "\"%s\" is drawn as \"%s\" and not as \"%s\"", text,
                      str_c(&words), style);
    str_free(&words);
}

/* --- keys --- */

Test(configured, keys_do_what_they_are_bound_to_and_are_shown_so)
{
    const char review[] = "project/workspace/mailboxes/user/inbox/MSG-0000000000f1.json";

    start(MAILBOX_ADR,
          "[keys]\n"
          "archive = x ^Xa\n"
          "handoff = gh\n"
          "compose = none\n"
          "undo = gu\n"
          "next = j Down n\n"
          "search-next = F3\n",
          NULL);
    /* the bar, the help, and unfinished sequences */
    terminal_wait_row(stage.terminal, 23, "x:archive");
    terminal_wait_row(stage.terminal, 23, "gh:handoff");
    cr_expect_not(terminal_has(stage.terminal, "d:archive"));
    cr_expect_not(terminal_has(stage.terminal, ":new"));
    stage_go("?", "HELP");
    stage_go("/ a r c h i v e Space t h e Enter", "archive the message");
    terminal_wait_text(stage.terminal, "x ^Xa");
    stage_go("q", "INBOX");
    stage_go("^X", "a:archive");
    stage_go("^C g", "h:handoff");
    stage_go("^C n", "INBOX");
    stage_wait_selected("implementer");
    stage_go("k", "INBOX");
    stage_wait_selected("critic");
    stage_go("/ R e v i e w e d Enter", "?:help");
    stage_wait_selected("Reviewed: parser");
    /* the default keys are unbound */
    stage_go("d m", "INBOX 6/6");
    cr_expect_not(terminal_has(stage.terminal, "NEW MESSAGE"));
    cr_expect(tmp_exists(&stage.mailbox.tmp, review));
    stage_go("x", "archived 1 message");
    terminal_wait_gone(stage.terminal, "Reviewed: parser");
    cr_expect_not(tmp_exists(&stage.mailbox.tmp, review));
    stage_go("g u", "Reviewed: parser");
    stage_go("/ R e v i e w e d Enter", "?:help");
    stage_wait_selected("Reviewed: parser");
    stage_go("^X a", "archived 1 message");
    stage_go("g u", "Reviewed: parser");
    /* names of actions work with any keys */
    stage_command("compose", "NEW MESSAGE");
    stage_go("Esc", "INBOX");
    stage_go("g h", "HANDOFF from");
    stage_go("Esc", "INBOX");
    stage_quit();
}

Test(configured, the_last_change_is_taken_back_also_when_the_selection_goes_between_two_keys)
{
    const char selected[] = "project/workspace/mailboxes/user/inbox/MSG-00000000dead.json";

    start(MAILBOX_ADR, "[keys]\nundo = gu\n", NULL);
    stage_go("/ R e v i e w e d Enter", "?:help");
    stage_wait_selected("Reviewed: parser");
    stage_go("d", "archived 1 message");
    terminal_wait_gone(stage.terminal, "Reviewed: parser");
    stage_wait_selected("MSG-00000000dead.json");
    stage_go("g", "u:undo");
    cr_assert_eq(unlinkat(stage.mailbox.tmp.fd, selected, 0), 0);
    terminal_wait_gone(stage.terminal, "MSG-00000000dead.json");
    stage_go("u", "Reviewed: parser");
    stage_quit();
}

/* --- styles --- */

Test(configured, looks_are_drawn_as_they_are_set)
{
    start(MAILBOX_CLAUDE,
          "[theme]\n"
          "selected = bold yellow on magenta\n"
          "title = black on green\n"
          "group = underline red\n"
          "agent-yellow = bright-magenta\n",
          NULL);
    stage_go("j", "INBOX"); /* away from the row under test */
    expect_look("2Agents", "black on green");
    expect_look(" needs you", "underline red");
    expect_look(">!", "bold yellow on magenta");
    expect_look("doc-3", "bright-magenta");       /* whose colour on the roster is yellow */
    expect_look("INBOX", "bright-white on blue"); /* as by default */
    stage_quit();
}

static const char *const light_env[] = {"COLORFGBG=0;default;15", NULL};
static const char *const dark_env[] = {"COLORFGBG=15;0", NULL};

/* Cyan on dark is blue on light, where cyan would be hard to read. */
static const struct {
    const char *config;
    const char *const *env;
    const char *style;
} backgrounds[] = {
    {"", NULL, "bold cyan"},
    {"", light_env, "bold blue"},
    {"", dark_env, "bold cyan"},
    {"[theme]\nbackground = light\n", NULL, "bold blue"},
    {"[theme]\nbackground = light\n", dark_env, "bold blue"},
    {"[theme]\nbackground = dark\n", light_env, "bold cyan"},
    {"[theme]\nbackground = auto\n", light_env, "bold blue"},
};

Test(configured, the_background_is_found_or_set)
{
    for (size_t i = 0; i < sizeof backgrounds / sizeof *backgrounds; i++) {
        start(MAILBOX_CLAUDE, backgrounds[i].config,
              &(struct terminal_options){.env = backgrounds[i].env});
        expect_look(" needs you", backgrounds[i].style);
        stage_quit();
        stage_close();
    }
    mailbox_make(&stage.mailbox, 0);
}

Test(configured, as_many_colours_are_used_as_are_wanted_and_there)
{
    static const char *const no_colour[] = {"NO_COLOR=1", NULL};
    static const struct {
        const char *colours, *term;
        const char *const *env;
        const char *agent, *set; /* an agent that is yellow on light, and a configured style */
    } cases[] = {
        {"256", NULL, NULL, "colour136", "colour208 on colour17"},
        {"16", NULL, NULL, "yellow", "yellow on black"},
        {"256", "xterm", NULL, "yellow", "yellow on black"}, /* a terminal with eight colours */
        {"256", NULL, no_colour, "", "bold"},
        {"none", NULL, NULL, "", "bold"},
        {"256", "vt100", NULL, "", "bold"},
    };
    char config[128];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(config, sizeof config,
                 "[theme]\nbackground = light\ncolours = %s\ngroup = 208 on 17\n",
                 cases[i].colours);
        start(MAILBOX_CLAUDE, config,
              &(struct terminal_options){.env = cases[i].env, .term = cases[i].term});
        stage_go("j", "INBOX"); /* away from the row under test */
        expect_look(" needs you", cases[i].set);
        expect_look("doc-3", cases[i].agent);
        if (!*cases[i].agent)
            stage_check_colourless();
        stage_quit();
        stage_close();
    }
    mailbox_make(&stage.mailbox, 0);
}

/* --- initial settings --- */

Test(configured, the_first_view_is_the_one_that_is_set)
{
    static const struct {
        const char *view, *title, *text;
    } views[] = {{"inbox", "1Inbox*", "INBOX "},        {"agents", "2Agents*", "AGENTS "},
                 {"decide", "3Decide*", "DECIDE "},     {"drafts", "4Drafts*", "DRAFTS "},
                 {"archived", "5Archive*", "ARCHIVE "}, {"flow", "6Flow*", "FLOW "}};
    char config[64];

    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        snprintf(config, sizeof config, "[general]\nview = %s\n", views[i].view);
        start(MAILBOX_ADR, config, NULL);
        terminal_wait_row(stage.terminal, 0, views[i].title);
        terminal_wait_text(stage.terminal, views[i].text);
        stage_quit();
        stage_close();
    }
    mailbox_make(&stage.mailbox, 0);
}

Test(configured, the_inbox_starts_with_ones_own_mail_if_that_is_wanted)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){"w7", "doc-3", 60, "between agents", "A text.", false});
    mailbox_config(&stage.mailbox, "[general]\nscope = mine\n");
    stage_start(NULL);
    terminal_wait_text(stage.terminal, "tagged:0  mine");
    cr_expect_not(terminal_has(stage.terminal, "between agents"));
    stage_go("o", "tagged:0  all");
    terminal_wait_text(stage.terminal, "between agents");
    stage_quit();
}

Test(configured, a_preview_is_there_where_it_is_wanted_and_has_room)
{
    start(MAILBOX_ADR, "[general]\npreview = no\n",
          &(struct terminal_options){.rows = 30, .cols = 120});
    cr_expect_not(terminal_has(stage.terminal, "Nothing can be built"));
    stage_go("p", "Nothing can be built");
    stage_quit();
    stage_close();
    start(MAILBOX_ADR, "[general]\npreview = yes\n",
          &(struct terminal_options){.rows = 30, .cols = 120});
    terminal_wait_text(stage.terminal, "Nothing can be built");
    terminal_resize(stage.terminal, 30, 99);
    terminal_wait_idle(stage.terminal); /* the program has noticed */
    terminal_wait_gone(stage.terminal, "Nothing can be built");
    stage_go("p", "Nothing can be built");
    stage_quit();
}

Test(configured, the_mouse_is_the_terminals_unless_it_is_wanted)
{
    start(MAILBOX_ADR, "", NULL);
    cr_expect_not(terminal_mouse(stage.terminal));
    stage_quit();
    stage_close();
    start(MAILBOX_ADR, "[general]\nmouse = yes\n", NULL);
    cr_expect(terminal_mouse(stage.terminal));
    stage_go("%", "the mouse is the terminal's again");
    cr_expect_not(terminal_mouse(stage.terminal));
    stage_quit();
}
