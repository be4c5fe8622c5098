/* Runs a program in a pseudo terminal, and reports its screen and presses keys on request.
 *
 * Prints the program's process id and the time of its start, then answers each line of its input
 * with one line. Times are microseconds of the steady clock.
 *   see TEXT           the time when TEXT is on the screen, and its line
 *   rows               the time when a list has rows
 *   press EVERY COUNT  moves the cursor down and up, a key every EVERY microseconds: how long
 *                      each took until the cursor had moved
 *   until EVERY TEXT   like press, until TEXT is on the screen
 * The end of the input ends the program. Fails if a key gets no answer within ten seconds, or if a
 * text does not appear within two minutes. */
#include "clock.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vterm.h>

enum { PATIENCE_US = 10000000, SEEING_US = 120000000, LINE_ROOM = 1024 };

struct seen {
    int master;
    pid_t program;
    int rows, columns;
    VTerm *vterm;
    VTermScreen *screen;
    VTermPos cursor;
};

static void fail(const char *what)
{
    fprintf(stderr, "screen: %s\n", what);
    exit(1);
}

static int on_move(VTermPos position, VTermPos before, int visible, void *context)
{
    (void)before;
    (void)visible;
    ((struct seen *)context)->cursor = position;
    return 1;
}

static void open_screen(struct seen *seen)
{
    static const VTermScreenCallbacks callbacks = {.movecursor = on_move};

    seen->vterm = vterm_new(seen->rows, seen->columns);
    vterm_set_utf8(seen->vterm, 1);
    seen->screen = vterm_obtain_screen(seen->vterm);
    vterm_screen_set_callbacks(seen->screen, &callbacks, seen);
    vterm_screen_enable_altscreen(seen->screen, 1);
    vterm_screen_reset(seen->screen, 1);
}

static void start(struct seen *seen, char **command)
{
    struct winsize size = {.ws_row = (unsigned short)seen->rows,
                           .ws_col = (unsigned short)seen->columns};

    seen->program = forkpty(&seen->master, NULL, NULL, &size);
    if (seen->program < 0)
        fail(strerror(errno));
    if (seen->program == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execv(command[0], command);
        _exit(127);
    }
}

/* Reads the program's output until `until_us`; returns as soon as there was some. */
static void style(struct seen *seen, int64_t until_us)
{
    struct pollfd master = {.fd = seen->master, .events = POLLIN};
    int64_t left_us = until_us - now_us();
    struct timespec left = {.tv_sec = left_us / 1000000, .tv_nsec = left_us % 1000000 * 1000};
    char bytes[65536];

    if (left_us <= 0 || ppoll(&master, 1, &left, NULL) <= 0)
        return;
    ssize_t got = read(seen->master, bytes, sizeof bytes);
    if (got <= 0)
        fail("the program has ended");
    vterm_input_write(seen->vterm, bytes, (size_t)got);
}

static uint32_t cell_at(const struct seen *seen, int row, int column)
{
    VTermScreenCell cell = {0};

    vterm_screen_get_cell(seen->screen, (VTermPos){row, column}, &cell);
    return cell.chars[0];
}

static void read_row(const struct seen *seen, int row, char line[LINE_ROOM])
{
    int column = 0;

    for (; column < seen->columns && column + 1 < LINE_ROOM; column++) {
        uint32_t letter = cell_at(seen, row, column);
        line[column] = letter >= ' ' && letter < 127 ? (char)letter : ' ';
    }
    line[column] = '\0';
}

/* Returns the line that contains the text, or NULL. */
static const char *find_text(const struct seen *seen, const char *text)
{
    static char line[LINE_ROOM];

    for (int row = 0; row < seen->rows; row++) {
        read_row(seen, row, line);
        if (strstr(line, text))
            return line;
    }
    return NULL;
}

/* True if the cursor is on the mark of a row: then the list has rows. */
static bool has_rows(const struct seen *seen)
{
    return cell_at(seen, seen->cursor.row, seen->cursor.col) == '>';
}

static void see(struct seen *seen, const char *text)
{
    int64_t end_us = now_us() + SEEING_US;
    const char *line;

    while (!(line = find_text(seen, text))) {
        if (now_us() > end_us)
            fail("what is waited for does not come");
        style(seen, end_us);
    }
    printf("%lld %s\n", (long long)now_us(), line);
}

static void wait_for_rows(struct seen *seen)
{
    int64_t end_us = now_us() + SEEING_US;

    while (!has_rows(seen)) {
        if (now_us() > end_us)
            fail("there are no rows");
        style(seen, end_us);
    }
    printf("%lld\n", (long long)now_us());
}

/* Returns the time until the cursor is on another line, or on another text if the list scrolled. */
static int64_t press(struct seen *seen, char key)
{
    char before[LINE_ROOM], line[LINE_ROOM];
    int row = seen->cursor.row;
    int64_t begun_us = now_us();

    read_row(seen, row, before);
    if (write(seen->master, &key, 1) != 1)
        fail("a key cannot be pressed");
    do {
        style(seen, begun_us + PATIENCE_US);
        if (now_us() - begun_us >= PATIENCE_US)
            fail("a key is not answered");
        read_row(seen, row, line);
    } while (seen->cursor.row == row && strcmp(before, line) == 0);
    return now_us() - begun_us;
}

/* Presses `count` keys, or keys until the text is there. */
static void press_keys(struct seen *seen, int64_t every_us, long count, const char *until)
{
    int64_t next_us = now_us();

    for (bool down = true; until ? !find_text(seen, until) : count-- > 0; down = !down) {
        while (now_us() < next_us)
            style(seen, next_us);
        printf("%lld ", (long long)press(seen, down ? 'j' : 'k'));
        next_us += every_us;
        if (next_us < now_us())
            next_us = now_us();
    }
    puts("");
}

static void answer(struct seen *seen, char *line)
{
    char *rest = strchr(line, ' ');

    if (strcmp(line, "rows") == 0) {
        wait_for_rows(seen);
    } else if (rest && strncmp(line, "see ", 4) == 0) {
        see(seen, rest + 1);
    } else if (rest && strncmp(line, "press ", 6) == 0) {
        int64_t every_us = strtoll(rest, &rest, 10);
        press_keys(seen, every_us, strtol(rest, NULL, 10), NULL);
    } else if (rest && strncmp(line, "until ", 6) == 0) {
        int64_t every_us = strtoll(rest, &rest, 10);
        press_keys(seen, every_us, 0, rest + 1);
    } else {
        fail("what is asked is not understood");
    }
    fflush(stdout);
}

/* Reads one line at a time: the caller waits for each answer. */
static void answer_all(struct seen *seen)
{
    char line[LINE_ROOM];
    ssize_t got = 1;

    while (got > 0) {
        struct pollfd asked[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                 {.fd = seen->master, .events = POLLIN}};
        poll(asked, 2, -1);
        if (asked[1].revents)
            style(seen, now_us() + PATIENCE_US);
        if (!asked[0].revents)
            continue;
        got = read(STDIN_FILENO, line, sizeof line - 1);
        if (got > 0) {
            line[got - (line[got - 1] == '\n')] = '\0';
            answer(seen, line);
        }
    }
}

static void stop(struct seen *seen)
{
    kill(seen->program, SIGTERM);
    while (waitpid(seen->program, NULL, WNOHANG) == 0) {
        char bytes[4096];
        struct pollfd master = {.fd = seen->master, .events = POLLIN};
        if (poll(&master, 1, 10) > 0 && read(seen->master, bytes, sizeof bytes) < 0)
            poll(NULL, 0, 1); /* the terminal closes before the process ends */
    }
    close(seen->master);
    vterm_free(seen->vterm);
}

int main(int argc, char **argv)
{
    struct seen seen = {0};

    if (argc < 4) {
        fputs("usage: screen ROWS COLUMNS PROGRAM [ARGUMENT]...\n", stderr);
        return 2;
    }
    seen.rows = (int)strtol(argv[1], NULL, 10);
    seen.columns = (int)strtol(argv[2], NULL, 10);
    open_screen(&seen);
    int64_t begun_us = now_us();
    start(&seen, argv + 3);
    printf("%ld %lld\n", (long)seen.program, (long long)begun_us);
    fflush(stdout);
    answer_all(&seen);
    stop(&seen);
    return 0;
}
