/* A terminal in a test: waiting for the screen and for the end. */
#include "base/time.h"
#include "terminal_private.h"
#include "tests/unit/support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

int terminal_patience_s(void)
{
    const char *times = getenv("SWARMUTT_PATIENCE");
    int factor = times ? atoi(times) : 1;

    return 30 * (factor > 0 ? factor : 1);
}

/* Pause between two checks of a condition that no output announces. */
enum { STYLE_AGAIN_MS = 5 };

/* Returns true if the test held before the time was over or the program had ended. */
static bool pump_until(struct terminal *terminal, int seconds, int step_ms, terminal_test *test,
                       void *context)
{
    int64_t end = time_steady() + seconds * INT64_C(1000000);

    for (;;) {
        while (terminal_pump(terminal, 0))
            ;
        if (test(terminal, context))
            return true;
        int64_t left = end - time_steady();
        if (left <= 0 || terminal->child.ended)
            return false;
        int wait_ms = time_poll_ms(left);
        terminal_pump(terminal, step_ms && step_ms < wait_ms ? step_ms : wait_ms);
    }
}

bool terminal_try(struct terminal *terminal, int seconds, terminal_test *test, void *context)
{
    return pump_until(terminal, seconds, 0, test, context);
}

void terminal_wait(struct terminal *terminal, const char *what, terminal_test *test, void *context)
{
    if (!terminal_try(terminal, terminal_patience_s(), test, context))
        terminal_fail(terminal, "the screen never %s", what);
}

void terminal_wait_for(struct terminal *terminal, const char *what, terminal_test *test,
                       void *context)
{
    if (!pump_until(terminal, terminal_patience_s(), STYLE_AGAIN_MS, test, context))
        terminal_fail(terminal, "the screen never %s", what);
}

struct wanted {
    const char *text;
    int y;
};

static bool shows_text(struct terminal *terminal, void *context)
{
    return terminal_has(terminal, ((struct wanted *)context)->text);
}

static bool lacks_text(struct terminal *terminal, void *context)
{
    return !shows_text(terminal, context);
}

static bool row_has_text(struct terminal *terminal, void *context)
{
    struct wanted *wanted = context;
    struct str row = {0};

    terminal_row(terminal, wanted->y, &row);
    bool has = strstr(str_c(&row), wanted->text) != NULL;
    str_free(&row);
    return has;
}

static void wait_for(struct terminal *terminal, const char *verb, terminal_test *test,
                     struct wanted wanted)
{
    if (!terminal_try(terminal, terminal_patience_s(), test, &wanted))
        terminal_fail(terminal, "%s \"%s\"", verb, wanted.text);
}

void terminal_wait_text(struct terminal *terminal, const char *text)
{
    wait_for(terminal, "the screen never shows", shows_text, (struct wanted){text, 0});
}

void terminal_wait_gone(struct terminal *terminal, const char *text)
{
    wait_for(terminal, "the screen never ceases to show", lacks_text, (struct wanted){text, 0});
}

void terminal_wait_row(struct terminal *terminal, int y, const char *text)
{
    char verb[64];

    snprintf(verb, sizeof verb, "row %d never shows", y);
    wait_for(terminal, verb, row_has_text, (struct wanted){text, y});
}

/* True if the program did nothing between two checks, with no bytes pending in either direction. */
static bool is_idle(struct terminal *terminal, void *context)
{
    unsigned long before, after;

    (void)context;
    if (terminal->keys.len || !child_is_asleep(&terminal->child, &before))
        return false;
    if (terminal_pump(terminal, 0))
        return false;
    return child_is_asleep(&terminal->child, &after) && before == after;
}

void terminal_wait_idle(struct terminal *terminal)
{
    if (!pump_until(terminal, terminal_patience_s(), STYLE_AGAIN_MS, is_idle, NULL))
        terminal_fail(terminal, "the program is never idle");
}

static bool is_stopped(struct terminal *terminal, void *context)
{
    (void)context;
    return terminal->child.stopped;
}

void terminal_wait_stopped(struct terminal *terminal)
{
    if (!terminal_try(terminal, terminal_patience_s(), is_stopped, NULL))
        terminal_fail(terminal, "the program is never stopped");
}

static bool is_ended(struct terminal *terminal, void *context)
{
    (void)context;
    return terminal->child.ended;
}

int terminal_end(struct terminal *terminal)
{
    if (!terminal_try(terminal, terminal_patience_s(), is_ended, NULL))
        terminal_fail(terminal, "the program does not end");
    while (terminal_pump(terminal, 0))
        ;
    scan_end(&terminal->scan);
    int status = terminal->child.status;
    bool by_signal = WIFSIGNALED(status);
    int result = by_signal ? -WTERMSIG(status) : WEXITSTATUS(status);
    if (terminal->unchecked)
        return result;
    if (result == 99)
        terminal_fail(terminal, "a sanitizer has found something");
    terminal_check_clean(terminal);
    /* A program that was killed or has no terminal any more cannot restore it. */
    if (result != -SIGKILL && terminal->child.master >= 0)
        terminal_check_restored(terminal);
    return result;
}

struct span terminal_raw(const struct terminal *terminal)
{
    return str_span(&terminal->raw);
}

bool terminal_is_clean(struct terminal *terminal, struct str *problems)
{
    str_add_span(problems, str_span(&terminal->scan.problems));
    return !terminal->scan.problem_count;
}

void terminal_check_clean(struct terminal *terminal)
{
    struct str problems = {0};

    if (!terminal_is_clean(terminal, &problems))
        terminal_fail(terminal, "the program has written what it must not write:\n%s",
                      str_c(&problems));
    str_free(&problems);
}

static bool same_settings(const struct termios *a, const struct termios *b)
{
    return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
           a->c_lflag == b->c_lflag && memcmp(a->c_cc, b->c_cc, sizeof a->c_cc) == 0;
}

static bool has_plain_pen(const struct terminal *terminal)
{
    static const VTermAttr flags[] = {VTERM_ATTR_BOLD,  VTERM_ATTR_UNDERLINE, VTERM_ATTR_ITALIC,
                                      VTERM_ATTR_BLINK, VTERM_ATTR_REVERSE,   VTERM_ATTR_STRIKE};
    VTermState *state = vterm_obtain_state(terminal->vterm);
    VTermValue value;

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (vterm_state_get_penattr(state, flags[i], &value) && value.number)
            return false;
    vterm_state_get_penattr(state, VTERM_ATTR_FOREGROUND, &value);
    bool plain = VTERM_COLOR_IS_DEFAULT_FG(&value.color);
    vterm_state_get_penattr(state, VTERM_ATTR_BACKGROUND, &value);
    return plain && VTERM_COLOR_IS_DEFAULT_BG(&value.color);
}

bool terminal_is_restored(struct terminal *terminal, struct str *problems)
{
    const struct child *child = &terminal->child;
    size_t before = problems->len;

    cr_assert(child->stopped || child->ended, "the program still runs");
    while (terminal_pump(terminal, 0))
        ;
    for (size_t i = 0; i < terminal->scan.mode_count; i++) {
        const struct scan_mode *mode = &terminal->scan.modes[i];
        if (mode->on != scan_mode_at_start(mode->number))
            str_addf(problems, "mode %u is left %s\n", mode->number, mode->on ? "on" : "off");
    }
    if (terminal->alt_screen)
        str_puts(problems, "the other screen is left on\n");
    /* libvterm hides it again with the state that an ESC 7 before a scroll has saved; no terminal
     * does */
    if (!scan_mode(&terminal->scan, 25))
        str_puts(problems, "the cursor is left hidden\n");
    if (terminal->mouse)
        str_puts(problems, "the mouse is left on\n");
    if (!has_plain_pen(terminal))
        str_puts(problems, "colours or attributes are left on\n");
    if (!same_settings(&child->before, &child->after))
        str_puts(problems, "the settings of the terminal are not what they were\n");
    return problems->len == before;
}

void terminal_check_restored(struct terminal *terminal)
{
    struct str problems = {0};

    if (!terminal_is_restored(terminal, &problems))
        terminal_fail(terminal, "the terminal is not given back as it was:\n%s", str_c(&problems));
    str_free(&problems);
}
