/* Tests the tests' own terminal, on a small program made for this. */
#include "terminal.h"
#include "tests/screens/harness/golden.h"
#include "tests/unit/support.h"

#include <curses.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>

static struct terminal *terminal;

static void end_it(void)
{
    terminal_free(terminal);
    terminal = NULL;
}

TestSuite(terminal, .fini = end_it, .timeout = 300);

/* It is in tests/ next to the real one. */
static const char *sample_path(void)
{
    static char path[PATH_MAX];
    const char *program = getenv("SWARMUTT");

    if (!program)
        program = "./swarmutt";
    const char *slash = strrchr(program, '/');
    snprintf(path, sizeof path, "%.*s/tests/screen_sample", (int)(slash ? slash - program : 0),
             program);
    return path;
}

static void start(struct terminal_options options, const char *first, const char *second)
{
    const char *const args[] = {first, second, NULL};

    options.program = sample_path();
    options.args = args;
    terminal = terminal_start(&options);
    terminal_wait_text(terminal, "sample");
}

static void quit(int code)
{
    terminal_key(terminal, "q");
    cr_assert_eq(terminal_end(terminal), code);
}

static void assert_row(int y, const char *text)
{
    struct str row = {0};

    terminal_wait_row(terminal, y, text);
    terminal_row(terminal, y, &row);
    assert_span(str_span(&row), text);
    str_free(&row);
}

static bool never(struct terminal *one, void *context)
{
    (void)one;
    (void)context;
    return false;
}

Test(terminal, shows_text_attributes_and_cursor)
{
    int y, x;

    start((struct terminal_options){0}, NULL, NULL);
    terminal_wait_idle(terminal);
    assert_row(0, "sample 24x80");
    assert_row(1, "a bar");
    assert_row(3, "wide \xe4\xb8\x96\xe7\x95\x8c e\xcc\x81 end");
    struct terminal_attrs bar = terminal_attrs(terminal, 1, 79);
    cr_expect(bar.reverse && !bar.bold && bar.fg == COLOUR_DEFAULT && bar.bg == COLOUR_DEFAULT);
    struct terminal_attrs red = terminal_attrs(terminal, 2, 2);
    cr_expect(!red.reverse && red.bold && red.fg == COLOR_RED && red.bg == COLOUR_DEFAULT);
    terminal_cursor(terminal, &y, &x);
    cr_expect(y == 6 && x == 3);
    cr_expect(terminal_find(terminal, "end", &y, &x));
    cr_expect(y == 3 && x == 12, "at %d,%d: wide characters take two cells", y, x);
    cr_expect(terminal_alt_screen(terminal) && terminal_cursor_visible(terminal));
    cr_expect(terminal_bracketed_paste(terminal) && !terminal_mouse(terminal));
    cr_expect_not(terminal_has(terminal, "before"), "that is on the other screen");
    quit(0);
    cr_expect(terminal_has(terminal, "before") && terminal_has(terminal, "after"));
    cr_expect_not(terminal_alt_screen(terminal) || terminal_bracketed_paste(terminal));
}

Test(terminal, exit_codes_come_through)
{
    start((struct terminal_options){0}, "", "5");
    quit(5);
}

Test(terminal, a_program_that_is_not_there_ends_with_127)
{
    struct terminal_options options = {.program = "/proc/self/status", .unchecked = true};

    terminal = terminal_start(&options);
    cr_expect_eq(terminal_end(terminal), 127);
}

Test(terminal, keys_arrive_as_what_they_are)
{
    static const struct {
        const char *name;
        int code;
    } cases[] = {{"Up", KEY_UP},
                 {"Down", KEY_DOWN},
                 {"Left", KEY_LEFT},
                 {"Home", KEY_HOME},
                 {"End", KEY_END},
                 {"PgUp", KEY_PPAGE},
                 {"PgDn", KEY_NPAGE},
                 {"F1", KEY_F(1)},
                 {"F10", KEY_F(10)},
                 {"Delete", KEY_DC},
                 {"Tab", '\t'},
                 {"Enter", '\r'},
                 {"^D", 4},
                 {"Ctrl-d", 4},
                 {"x", 'x'},
                 {"Space", ' '},
                 {"Insert", KEY_IC},
                 {"Right", KEY_RIGHT},
                 {"Backspace", KEY_BACKSPACE},
                 {"Shift-Tab", KEY_BTAB}};
    static const char *const terms[] = {"xterm-256color", "linux", "xterm"};

    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
        start((struct terminal_options){.term = terms[t]}, NULL, NULL);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char said[64];
            if (t == 1 && strcmp(cases[i].name, "Shift-Tab") == 0)
                continue; /* the console has no sequence of its own for it */
            terminal_key(terminal, cases[i].name);
            snprintf(said, sizeof said, "(%d)", cases[i].code);
            terminal_wait_row(terminal, 5, said);
        }
        quit(0);
        end_it();
    }
}

Test(terminal, typed_text_is_keys)
{
    start((struct terminal_options){0}, NULL, NULL);
    terminal_keys(terminal, "j  k Down");
    terminal_wait_text(terminal, "KEY_DOWN");
    terminal_type(terminal, "xyq");
    cr_expect_eq(terminal_end(terminal), 0);
}

Test(terminal, resizing_reaches_the_program)
{
    start((struct terminal_options){.rows = 10, .cols = 40}, NULL, NULL);
    assert_row(0, "sample 10x40");
    terminal_wait_idle(terminal); /* its getch() misses the signal when it is not yet in read() */
    terminal_resize(terminal, 30, 100);
    terminal_wait_text(terminal, "key: resize");
    assert_row(0, "sample 30x100");
    cr_expect(terminal_rows(terminal) == 30 && terminal_cols(terminal) == 100);
    quit(0);
}

Test(terminal, pastes_come_in_brackets)
{
    start((struct terminal_options){0}, NULL, NULL);
    terminal_key(terminal, "p");
    terminal_wait_text(terminal, "key: p");
    terminal_paste(terminal, "one\rtwo");
    terminal_type(terminal, "z");
    terminal_wait_text(terminal, "pasted: ^[200~one/two^[201~");
    quit(0);
}

static bool wants_mouse(struct terminal *one, void *context)
{
    return terminal_mouse(one) == (context != NULL);
}

Test(terminal, clicks_arrive_once_the_program_wants_them)
{
    start((struct terminal_options){0}, NULL, NULL);
    terminal_click(terminal, 1, 4, 7);
    terminal_key(terminal, "m");
    terminal_wait(terminal, "turns the mouse on", wants_mouse, terminal);
    cr_expect_not(terminal_has(terminal, "mouse:"));
    terminal_click(terminal, 1, 10, 70);
    terminal_wait_text(terminal, "mouse: 10,70 click");
    terminal_click(terminal, 4, 3, 2);
    terminal_wait_text(terminal, "mouse: 3,2 wheel");
    terminal_key(terminal, "M");
    terminal_wait(terminal, "turns the mouse off", wants_mouse, NULL);
    quit(0);
}

static bool has_rung(struct terminal *one, void *context)
{
    (void)context;
    return terminal_bells(one) == 2;
}

static bool hides_cursor(struct terminal *one, void *context)
{
    (void)context;
    return !terminal_cursor_visible(one);
}

Test(terminal, bells_and_the_cursor_are_noticed)
{
    start((struct terminal_options){0}, NULL, NULL);
    terminal_type(terminal, "bbh");
    terminal_wait(terminal, "rings", has_rung, NULL);
    terminal_wait(terminal, "hides the cursor", hides_cursor, NULL);
    quit(0);
}

Test(terminal, idle_means_that_every_key_was_worked_off)
{
    start((struct terminal_options){0}, NULL, NULL);
    for (int i = 0; i < 50; i++) {
        char key[] = {(char)('A' + i % 12), '\0'}, said[32];
        terminal_type(terminal, key);
        terminal_wait_idle(terminal);
        snprintf(said, sizeof said, "key: %s (", key);
        cr_assert(terminal_has(terminal, said), "%s", said);
    }
    quit(0);
}

Test(terminal, a_stopped_program_goes_on)
{
    start((struct terminal_options){0}, NULL, NULL);
    terminal_wait_idle(terminal);
    terminal_key(terminal, "^Z");
    terminal_wait_stopped(terminal);
    struct str problems = {0};
    cr_expect_not(terminal_is_restored(terminal, &problems), "it never turns off paste mode");
    assert_span(str_span(&problems), "mode 2004 is left on\n");
    str_free(&problems);
    cr_expect(terminal_has(terminal, "before") && !terminal_has(terminal, "sample"));
    terminal_continue(terminal);
    terminal_wait_text(terminal, "sample");
    terminal_key(terminal, "x");
    terminal_wait_text(terminal, "key: x");
    quit(0);
}

Test(terminal, signals_and_crashes_are_told_apart_from_codes)
{
    start((struct terminal_options){.unchecked = true}, NULL, NULL);
    terminal_key(terminal, "c");
    cr_expect_eq(terminal_end(terminal), -SIGABRT);
    end_it();
    start((struct terminal_options){0}, NULL, NULL);
    terminal_signal(terminal, SIGKILL);
    cr_expect_eq(terminal_end(terminal), -SIGKILL);
}

Test(terminal, a_closed_window_hangs_up)
{
    start((struct terminal_options){0}, NULL, NULL);
    terminal_hang_up(terminal);
    cr_expect_eq(terminal_end(terminal), -SIGHUP);
}

Test(terminal, nothing_of_it_is_left_behind)
{
    start((struct terminal_options){0}, NULL, NULL);
    pid_t pid = terminal_pid(terminal);
    cr_assert_eq(kill(pid, 0), 0);
    end_it();
    cr_expect_eq(kill(pid, 0), -1);
}

Test(terminal, a_mess_is_noticed)
{
    struct str problems = {0};

    start((struct terminal_options){.unchecked = true}, "mess", NULL);
    terminal_type(terminal, "mh");
    quit(0);
    cr_expect_not(terminal_is_restored(terminal, &problems));
    static const char *const expected[] = {"mode 1049 is left on",
                                           "mode 2004 is left on",
                                           "mode 1000 is left on",
                                           "mode 25 is left off",
                                           "other screen",
                                           "cursor",
                                           "mouse",
                                           "settings"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        cr_expect_not_null(strstr(str_c(&problems), expected[i]), "%s:\n%s", expected[i],
                           str_c(&problems));
    str_free(&problems);
}

Test(terminal, leaks_are_noticed)
{
    static const struct {
        const char *fault, *problem;
    } cases[] = {{"leak", "a sequence"},
                 {"title", "a sequence"},
                 {"query", "a sequence"},
                 {"bidi", "a hidden character"},
                 {"raw", "no UTF-8"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str problems = {0};
        start((struct terminal_options){.unchecked = true}, cases[i].fault, NULL);
        quit(0);
        cr_expect_not(terminal_is_clean(terminal, &problems), "%s", cases[i].fault);
        cr_expect_not_null(strstr(str_c(&problems), cases[i].problem), "%s: %s", cases[i].fault,
                           str_c(&problems));
        str_free(&problems);
        end_it();
    }
}

Test(terminal, a_title_may_be_allowed)
{
    static const char *const allowed[] = {"\x1b]2;", NULL};

    start((struct terminal_options){.may_write = allowed}, "title", NULL);
    quit(0);
    cr_expect_str_eq(terminal_title(terminal), "a title");
}

Test(terminal, what_does_not_come_is_not_waited_for_beyond_the_end)
{
    start((struct terminal_options){0}, NULL, NULL);
    cr_expect_not(terminal_try(terminal, 0, never, NULL));
    terminal_key(terminal, "q");
    cr_expect_not(terminal_try(terminal, 200, never, NULL));
    cr_expect_eq(terminal_end(terminal), 0);
}

Test(terminal, every_terminal_and_locale_is_clean_and_restored)
{
    static const char *const terms[] = {"xterm-256color", "linux", "vt100", "screen-256color"};
    static const char *const locales[] = {"C.UTF-8", "C"};
    static const int sizes[][2] = {{24, 80}, {40, 120}, {10, 40}};

    for (size_t i = 0; i < 24; i++) {
        struct terminal_options options = {.term = terms[i % 4],
                                           .locale = locales[i / 4 % 2],
                                           .rows = sizes[i / 8][0],
                                           .cols = sizes[i / 8][1]};
        /* Not tested here: on a terminal without UTF-8 it draws invalid bytes. */
        options.unchecked = i / 4 % 2 == 1;
        start(options, NULL, NULL);
        terminal_wait_text(terminal, "a bar");
        terminal_key(terminal, "x");
        terminal_wait_text(terminal, "key: x");
        quit(0);
        terminal_check_restored(terminal);
        end_it();
    }
}

Test(golden, a_screen_is_compared_with_the_one_that_is_kept, .timeout = 300, .fini = end_it)
{
    start((struct terminal_options){.rows = 8, .cols = 40}, NULL, NULL);
    terminal_key(terminal, "x");
    golden_check(terminal, "sample-8x40");
    terminal_key(terminal, "y");
    terminal_wait_text(terminal, "key: y");
    struct str difference = {0};
    cr_expect_not(golden_is_equal(terminal, "sample-8x40", &difference));
    cr_expect_str_eq(str_c(&difference), "- key: x (120)\n+ key: y (121)\n");
    str_clear(&difference);
    cr_expect_not(golden_is_equal(terminal, "no-such-screen", &difference));
    cr_expect_not_null(strstr(str_c(&difference), "No such file"), "%s", str_c(&difference));
    str_free(&difference);
    quit(0);
}

Test(golden, differences_are_shown_by_line)
{
    struct str out = {0};

    golden_add_difference(&out, span_of("a\nb\nc\nd\n"), span_of("a\nc\nx\nd\ne\n"));
    cr_expect_str_eq(str_c(&out), "- b\n+ x\n+ e\n");
    str_clear(&out);
    golden_add_difference(&out, span_of("same\n"), span_of("same\n"));
    cr_expect_eq(out.len, 0);
    str_free(&out);
}
