/* A terminal in a test: starting, passing bytes on, ending. */
#include "terminal.h"

#include "base/mem.h"
#include "terminal_private.h"
#include "tests/unit/support.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Later versions of libvterm report a text in pieces, as it comes; earlier ones at its end. */
#ifdef HAVE_VTERMSTRINGFRAGMENT
static void set_title(struct terminal *terminal, const VTermValue *value)
{
    if (value->string.initial)
        str_clear(&terminal->title);
    str_add(&terminal->title, value->string.str, value->string.len);
}
#else
static void set_title(struct terminal *terminal, const VTermValue *value)
{
    str_clear(&terminal->title);
    str_puts(&terminal->title, value->string);
}
#endif

static int on_property(VTermProp property, VTermValue *value, void *context)
{
    struct terminal *terminal = context;

    switch (property) {
    case VTERM_PROP_CURSORVISIBLE:
        terminal->cursor_visible = value->boolean;
        break;
    case VTERM_PROP_ALTSCREEN:
        terminal->alt_screen = value->boolean;
        break;
    case VTERM_PROP_MOUSE:
        terminal->mouse = value->number != VTERM_PROP_MOUSE_NONE;
        break;
    case VTERM_PROP_TITLE:
        set_title(terminal, value);
        break;
    default:
        break;
    }
    return 1;
}

static int on_bell(void *context)
{
    ((struct terminal *)context)->bells++;
    return 1;
}

static void on_output(const char *bytes, size_t len, void *context)
{
    str_add(&((struct terminal *)context)->keys, bytes, len);
}

static void open_emulator(struct terminal *terminal, bool utf8)
{
    static const VTermScreenCallbacks callbacks = {.settermprop = on_property, .bell = on_bell};

    terminal->vterm = vterm_new(terminal->rows, terminal->cols);
    vterm_set_utf8(terminal->vterm, utf8);
    vterm_output_set_callback(terminal->vterm, on_output, terminal);
    terminal->screen = vterm_obtain_screen(terminal->vterm);
    vterm_screen_set_callbacks(terminal->screen, &callbacks, terminal);
    vterm_screen_enable_altscreen(terminal->screen, 1);
    vterm_screen_reset(terminal->screen, 1);
}

/* Texts that end with NULL, all owned. */
struct texts {
    char **items;
    size_t count, cap;
};

static void texts_add(struct texts *texts, const char *text)
{
    texts->items = mem_grow(texts->items, &texts->cap, texts->count + 2, sizeof *texts->items);
    texts->items[texts->count++] = mem_strdup(text);
    texts->items[texts->count] = NULL;
}

static void texts_free(struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    free(texts->items);
}

/* Replaces a variable of that name. */
static void set_variable(struct texts *env, const char *text)
{
    size_t name = strcspn(text, "=") + 1;

    for (size_t i = 0; i < env->count; i++)
        if (strncmp(env->items[i], text, name) == 0) {
            free(env->items[i]);
            env->items[i] = mem_strdup(text);
            return;
        }
    texts_add(env, text);
}

static void keep_variable(struct texts *env, const char *name, const char *more)
{
    const char *value = getenv(name);
    struct str text = {0};

    if (!value && !*more)
        return;
    str_addf(&text, "%s=%s%s", name, value ? value : "", more);
    set_variable(env, str_c(&text));
    str_free(&text);
}

static const char *term_of(const struct terminal_options *options)
{
    return options->no_escape ? INTRODUCER_TERM : options->term ? options->term : "xterm-256color";
}

static struct texts make_env(const struct terminal_options *options)
{
    struct texts env = {0};
    struct str text = {0};

    keep_variable(&env, "PATH", "");
    keep_variable(&env, "LD_LIBRARY_PATH", "");
    keep_variable(&env, "LD_PRELOAD", "");
    keep_variable(&env, "LSAN_OPTIONS", "");
    /* An exit code for a sanitizer's report that differs from the program's own. */
    keep_variable(&env, "ASAN_OPTIONS", ":exitcode=99");
    keep_variable(&env, "UBSAN_OPTIONS", ":exitcode=99");
    set_variable(&env, "HOME=/nonexistent");
    set_variable(&env, "TZ=UTC");
    str_addf(&text, "TERM=%s", term_of(options));
    set_variable(&env, str_c(&text));
    if (options->no_escape) {
        str_clear(&text);
        introducer_find(&text);
        set_variable(&env, str_c(&text));
    }
    str_clear(&text);
    str_addf(&text, "LC_ALL=%s", options->locale ? options->locale : "C.UTF-8");
    set_variable(&env, str_c(&text));
    str_free(&text);
    for (size_t i = 0; options->env && options->env[i]; i++)
        set_variable(&env, options->env[i]);
    return env;
}

static struct texts make_argv(const struct terminal_options *options)
{
    struct texts argv = {0};
    const char *program = options->program;
    char path[PATH_MAX];

    if (!program)
        program = getenv("SWARMUTT");
    if (!program)
        program = "./swarmutt";
    cr_assert_not_null(realpath(program, path), "%s: %s", program, strerror(errno));
    texts_add(&argv, path);
    for (size_t i = 0; options->args && options->args[i]; i++)
        texts_add(&argv, options->args[i]);
    return argv;
}

struct terminal *terminal_start(const struct terminal_options *options)
{
    static const struct terminal_options usual;
    struct terminal *terminal = mem_zero(1, sizeof *terminal);

    if (!options)
        options = &usual;
    struct texts argv = make_argv(options), env = make_env(options);
    const char *term = term_of(options);
    bool utf8 = !options->locale || strcmp(options->locale, "C.UTF-8") == 0;
    terminal->rows = options->rows ? options->rows : 24;
    terminal->cols = options->cols ? options->cols : 80;
    terminal->unchecked = options->unchecked;
    terminal->no_escape = options->no_escape;
    terminal->xterm = strncmp(term, "xterm", 5) == 0;
    terminal->info = terminfo_open(term);
    cr_assert_not_null(terminal->info, "the system knows no terminal %s", term);
    scan_init(&terminal->scan, terminal->info, utf8, options->may_write);
    open_emulator(terminal, utf8);

    bool started = child_start(&terminal->child, terminal->rows, terminal->cols, options->cwd,
                               argv.items, env.items);
    cr_assert(started, "no pseudo terminal is to be had here: %s", strerror(errno));
    texts_free(&argv);
    texts_free(&env);
    return terminal;
}

void terminal_free(struct terminal *terminal)
{
    if (!terminal)
        return;
    child_close(&terminal->child);
    vterm_free(terminal->vterm);
    scan_free(&terminal->scan);
    terminfo_close(terminal->info);
    str_free(&terminal->title);
    introducer_free(&terminal->introducer);
    str_free(&terminal->raw);
    str_free(&terminal->keys);
    free(terminal);
}

static bool take_output(struct terminal *terminal)
{
    char bytes[16384];
    ssize_t got = read(terminal->child.master, bytes, sizeof bytes);
    struct str plain = {0}, pass = {0};

    if (got <= 0)
        return false;
    str_add(&terminal->raw, bytes, (size_t)got);
    if (terminal->no_escape)
        introducer_feed(&terminal->introducer, (struct span){bytes, (size_t)got}, &terminal->scan,
                        &plain);
    else
        str_add(&plain, bytes, (size_t)got);
    scan_feed(&terminal->scan, str_span(&plain), &pass);
    vterm_input_write(terminal->vterm, str_c(&pass), pass.len);
    vterm_screen_flush_damage(terminal->screen);
    str_free(&plain);
    str_free(&pass);
    return true;
}

static void give_keys(struct terminal *terminal)
{
    struct str *keys = &terminal->keys;
    ssize_t put = write(terminal->child.master, keys->at, keys->len);

    if (put <= 0)
        return;
    memmove(keys->at, keys->at + put, keys->len - (size_t)put + 1);
    keys->len -= (size_t)put;
}

bool terminal_pump(struct terminal *terminal, int wait_ms)
{
    short events = (short)(terminal->keys.len ? POLLIN | POLLOUT : POLLIN);
    struct pollfd fds[] = {{terminal->child.master, events, 0},
                           {terminal->child.control, POLLIN, 0}};
    bool any = false;

    if (terminal->child.master < 0)
        str_clear(&terminal->keys);
    if (poll(fds, 2, wait_ms) <= 0)
        return false;
    if (fds[0].revents & POLLOUT)
        give_keys(terminal);
    if (fds[0].revents & POLLIN)
        any = take_output(terminal);
    if (fds[1].revents)
        any = child_take_report(&terminal->child) || any;
    return any;
}

void terminal_flush(struct terminal *terminal)
{
    while (terminal->keys.len && !terminal->child.ended)
        terminal_pump(terminal, 1000);
}

/* Other terminals reset the margins when they are resized; libvterm only makes them smaller. */
static void forget_margins(struct terminal *terminal)
{
    struct str bytes = {0};
    VTermPos at;

    vterm_state_get_cursorpos(vterm_obtain_state(terminal->vterm), &at);
    str_addf(&bytes, "\x1b[r\x1b[%d;%dH", at.row + 1, at.col + 1);
    vterm_input_write(terminal->vterm, str_c(&bytes), bytes.len);
    str_free(&bytes);
}

void terminal_resize(struct terminal *terminal, int rows, int cols)
{
    terminal->rows = rows;
    terminal->cols = cols;
    vterm_set_size(terminal->vterm, rows, cols);
    forget_margins(terminal);
    cr_assert(child_resize(&terminal->child, rows, cols));
}

void terminal_signal(struct terminal *terminal, int number)
{
    cr_assert_not(terminal->child.ended, "the program has ended");
    kill(terminal->child.program, number);
}

void terminal_hang_up(struct terminal *terminal)
{
    child_hang_up(&terminal->child);
}

void terminal_continue(struct terminal *terminal)
{
    child_continue(&terminal->child);
}

int terminal_pid(const struct terminal *terminal)
{
    return terminal->child.program;
}

void terminal_fail(const struct terminal *terminal, const char *format, ...)
{
    struct str text = {0}, screen = {0};
    char sentence[4096];
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    terminal_screen(terminal, &screen);
    str_addf(&text, "%s\n---- the screen, %d rows of %d\n%s----", sentence, terminal->rows,
             terminal->cols, str_c(&screen));
    if (terminal->child.ended)
        str_addf(&text, " the program has ended with status 0x%x", terminal->child.status);
    fprintf(stderr, "%s\n", str_c(&text));
    str_free(&screen);
    str_free(&text);
    cr_assert_fail("%s", sentence);
    abort(); /* not reached, which the compiler cannot see through the macro */
}
