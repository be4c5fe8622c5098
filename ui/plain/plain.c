/* The program without a screen: prints what screens show as lines, and reads lines. For screen
 * readers, terminals that can do nothing else, and scripts.
 *
 * The modes of the terminal are not changed, no sequence is ever written, and nothing is printed
 * while a line is typed: news are printed before the next prompt. */
#include "ui/plain/plain.h"

#include "base/text/utf8.h"
#include "ui/plain/plain_show.h"
#include "ui/widget/command_line.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Running a line. */

static void run_text(struct plain *plain, struct span line)
{
    struct ui *ui = plain->ui;
    struct key_sequence keys;
    struct err err;
    enum fed fed;

    if (line.at[0] == '/' && line.len > 1) {
        input_act(ui, ACTION_SEARCH, (struct span){line.at + 1, line.len - 1});
        return;
    }
    if (line.at[0] == ':' && line.len > 1)
        line = span_trim((struct span){line.at + 1, line.len - 1});
    if (!command_line_knows(ui, line) && key_sequence_parse(line, &keys, &err)) {
        enum action action = keymap_look(&ui->keymap, ui_top(ui)->where, &keys, &fed);
        if (fed == FED_ACTION) {
            input_act(ui, action, (struct span){0});
            return;
        }
        if (keys.count == 1 || fed == FED_PENDING) {
            ui_say(ui, STYLE_WARNING, "%.*s %s; help shows all keys", (int)line.len, line.at,
                   fed == FED_PENDING ? "is the start of several keys" : "does nothing here");
            return;
        }
    }
    command_line_run(ui, line);
}

/* Runs a line that starts with a number: of the row that had it when it was printed. */
static void run_number(struct plain *plain, size_t number, struct span rest)
{
    struct ui *ui = plain->ui;
    struct screen *screen = ui_top(ui);

    if (!number || number > plain->keys.count || screen->id != plain->screen) {
        ui_say(ui, STYLE_WARNING,
               plain->keys.count ? "no row has the number %zu; an empty line "
                                   "shows them"
                                 : "there is no row %zu here",
               number);
        return;
    }
    if (!screen->ops->choose ||
        !screen->ops->choose(screen, plain->keys.items[number - 1], !rest.len)) {
        ui_say(ui, STYLE_WARNING, "row %zu is not there any more; nothing was done", number);
        return;
    }
    if (!rest.len) {
        ui->acted = ACTION_OPEN;
        return;
    }
    if (screen->where & IN_DECIDE && input_has_moved(ui)) { /* the person has not read it yet */
        ui->acted = ACTION_OPEN;
        ui_say(ui, STYLE_WARNING, "read it first, here it is; then \"%.*s\" does it", (int)rest.len,
               rest.at);
        return;
    }
    input_pin(ui);
    run_text(plain, rest);
}

static bool is_search(enum action action)
{
    return action == ACTION_SEARCH || action == ACTION_SEARCH_NEXT ||
           action == ACTION_SEARCH_PREVIOUS;
}

/* Reports whether the action changes the whole of what a screen shows; other actions move in it, or
 * say what they did. */
static bool shows_all(const struct ui *ui, enum action action, struct screen *screen)
{
    if (action == ACTION_REDRAW)
        return true;
    if (action == ACTION_NONE || ui->prompt || is_search(action))
        return false;
    switch (actions[action].group) {
    case GROUP_READ:
    case GROUP_FIND:
    case GROUP_VIEW:
        return true;
    case GROUP_MOVE: /* requests and texts are shown whole */
        return screen->where & (IN_DECIDE | IN_READING) || action == ACTION_BACK;
    default:
        return false;
    }
}

static void plain_put_result(struct plain *plain)
{
    struct ui *ui = plain->ui;
    enum action action = ui->acted;
    struct screen *screen = ui_top(ui);
    bool moved = action != ACTION_NONE && !ui->prompt && input_has_moved(ui);

    plain_put_said(plain);
    if (screen->id != plain->screen || shows_all(ui, action, screen) ||
        (moved && screen->where & (IN_DECIDE | IN_READING)))
        plain_show(plain);
    else if (moved || (is_search(action) && !ui->prompt) ||
             (action && actions[action].group == GROUP_MOVE))
        plain_show_row(plain, is_search(action));
}

/* Runs a line and notes what it changed; effects that come later are awaited elsewhere. */
static void plain_act(struct plain *plain, struct span line)
{
    struct ui *ui = plain->ui;
    struct span typed = line;
    size_t number;

    line = span_trim(line);
    ui->acted = ACTION_NONE;
    if (!utf8_valid(typed)) {
        ui_say(ui, STYLE_WARNING, "that is not UTF-8; nothing was done");
    } else if (ui->prompt) {
        prompt_answer(ui, line);
        ui->acted = plain->asking;
    } else if (plain_form_asks(plain)) {
        plain_form_answer(plain, typed);
    } else if (line.len && plain_form_name(plain, line)) {
        plain->asking = ACTION_NONE;
    } else if (!line.len && plain->more) {
        plain_next_page(plain);
    } else if (!line.len) {
        ui->acted = ACTION_REDRAW;
    } else if (plain_take_number(&line, &number)) {
        run_number(plain, number, line);
    } else {
        run_text(plain, line);
    }
    plain->asking = ui->acted;
    ui_bury(ui);
}

enum { READ_MOST = 65536 };

/* Time after which the person is told that something takes long. */
#define PATIENCE_US INT64_C(2000000)

/* --- waiting --- */

static bool is_readable(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};

    return fd >= 0 && poll(&poll_fd, 1, 0) > 0;
}

/* Reports whether ^C was pressed since the last call. */
static bool was_interrupted(const struct plain *plain)
{
    struct signalfd_siginfo info;

    return is_readable(plain->signals) &&
           read(plain->signals, &info, sizeof info) == (ssize_t)sizeof info;
}

static bool is_loading(const struct ui *ui)
{
    return !ui->picture->ready || !ui->picture->world || !ui->picture->number;
}

static bool is_working(const struct ui *ui)
{
    return ui->tasks || ui->followed_count;
}

/* Waits until it has ended, or ^C is pressed. */
static void wait_for(struct plain *plain, bool (*is_going_on)(const struct ui *ui),
                     const char *waiting)
{
    struct ui *ui = plain->ui;
    int64_t begun_us = time_steady();
    bool told = !plain->typed;

    while (is_going_on(ui) && !ui->leaving) {
        events_wait(ui, -1, plain->signals, told ? TIME_NONE : PATIENCE_US);
        events_settle(ui);
        if (was_interrupted(plain)) {
            puts("\nit goes on by itself");
            return;
        }
        if (!told && time_steady() - begun_us >= PATIENCE_US && is_going_on(ui)) {
            puts(waiting);
            fflush(stdout);
            told = true;
        }
    }
}

/* Prints the news since the last prompt, in one line. */
static void put_tidings(struct plain *plain)
{
    struct ui *ui = plain->ui;
    CLEANUP(str_free) struct str text = {0};

    if (notify_take(&ui->tidings.notify, NOTIFY_LINE, time_steady(), ui->grid.clean, &text))
        plain_put(plain, str_span(&text));
}

/* --- lines --- */

static void read_some(struct plain *plain)
{
    ssize_t got = read(STDIN_FILENO, str_room(&plain->input, READ_MOST), READ_MOST);

    if (got > 0) {
        plain->input.len += (size_t)got;
        plain->input.at[plain->input.len] = '\0';
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        plain->ended = true;
    }
}

static void take_interrupt(struct plain *plain)
{
    struct ui *ui = plain->ui;

    str_clear(&plain->input);
    putchar('\n');
    if (ui->prompt) {
        prompt_give_up(ui);
        plain_put_said(plain);
        puts("given up");
    }
    if (!ui->prompt && plain_form_asks(plain))
        plain_form_give_up(plain);
    plain_put_prompt(plain);
}

/* Waits for the next line; returns false at the end of the input. */
static bool next_line(struct plain *plain, struct str *line)
{
    while (!plain_take_line(&plain->input, plain->ended, line)) {
        if (plain->ended || ferror(stdout))
            return false;
        events_wait(plain->ui, STDIN_FILENO, plain->signals, TIME_NONE);
        events_settle(plain->ui);
        if (was_interrupted(plain))
            take_interrupt(plain);
        if (is_readable(STDIN_FILENO))
            read_some(plain);
    }
    if (!plain->typed) /* so that the output reads like a terminal session */
        plain_put(plain, str_span(line));
    return true;
}

/* --- start and end --- */

/* Lets ^C give up a line; if lines come from a file it ends the program, as usual. */
static void take_signals(struct plain *plain)
{
    sigset_t set;

    signal(SIGPIPE, SIG_IGN);
    if (!plain->typed)
        return;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    plain->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (plain->signals >= 0)
        pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void plain_run(struct ui *ui)
{
    struct plain plain = {
        .ui = ui, .typed = isatty(STDIN_FILENO), .signals = -1, .field = SIZE_MAX};
    CLEANUP(str_free) struct str line = {0};

    ui->grid.plain = true;
    take_signals(&plain);
    events_start(ui);
    wait_for(&plain, is_loading, "looking for mail ...");
    plain_show(&plain);
    puts("help explains what can be typed; quit leaves");
    while (!ui->leaving) {
        if (!ui->prompt)
            input_pin(ui);
        if (!ui->prompt && !plain_form_asks(&plain))
            put_tidings(&plain);
        plain_put_prompt(&plain);
        if (!next_line(&plain, &line))
            break;
        plain_put_said(&plain); /* news of earlier actions that came meanwhile */
        plain_act(&plain, str_span(&line));
        wait_for(&plain, is_working, "it takes a while; ^C goes on without waiting");
        if (ui->leaving)
            plain_put_said(&plain);
        else
            plain_put_result(&plain);
        plain_form_look(&plain);
    }
    if (plain.ended && plain.typed)
        putchar('\n');
    if (plain.signals >= 0)
        close(plain.signals);
    span_list_free(&plain.keys);
    arena_free(&plain.arena);
    str_free(&plain.input);
    str_free(&plain.text);
}
