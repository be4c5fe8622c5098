/* How long a program in a pseudo terminal takes until something is seen on its screen.
 *
 * `first` prints the microseconds from its start until each text is there, in this order. `keys`
 * moves the cursor up and down, a key every so many microseconds, and prints the microseconds from
 * each key until the cursor has moved, one line each with the word `loading` before; once READY is
 * on the screen it says so in a line, and the word is `after` for so many keys more. A key that
 * gets no answer within ten seconds ends everything with a failure. */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <vterm.h>

enum { PATIENCE_US = 10000000, LINE_ROOM = 1024 };

struct seen {
    int master;
    pid_t program;
    int rows, columns;
    VTerm *vterm;
    VTermScreen *screen;
    VTermPos cursor;
};

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

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

/* Takes what the program writes until that moment, and returns after some of it. */
static void look(struct seen *seen, int64_t until_us)
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

static bool has_text(const struct seen *seen, const char *text)
{
    char line[LINE_ROOM];

    for (int row = 0; row < seen->rows; row++) {
        int column = 0;
        for (; column < seen->columns && column + 1 < LINE_ROOM; column++) {
            uint32_t letter = cell_at(seen, row, column);
            line[column] = letter >= ' ' && letter < 127 ? (char)letter : ' ';
        }
        line[column] = '\0';
        if (strstr(line, text))
            return true;
    }
    return false;
}

static void wait_for(struct seen *seen, const char *text)
{
    int64_t end_us = now_us() + 12 * PATIENCE_US;

    while (!has_text(seen, text)) {
        if (now_us() > end_us)
            fail("what is waited for does not come");
        look(seen, end_us);
    }
}

/* Rows have their mark where the cursor is, once there are any. */
static bool has_rows(const struct seen *seen)
{
    return cell_at(seen, seen->cursor.row, seen->cursor.col) == '>';
}

static void run_first(struct seen *seen, char **texts, size_t count, char **command)
{
    int64_t begun_us = now_us();

    start(seen, command);
    for (size_t i = 0; i < count; i++) {
        wait_for(seen, texts[i]);
        printf("%lld\n", (long long)(now_us() - begun_us));
    }
}

/* How long until the cursor is on another line. */
static int64_t press(struct seen *seen, char key)
{
    int row = seen->cursor.row;
    int64_t begun_us = now_us();

    if (write(seen->master, &key, 1) != 1)
        fail("a key cannot be pressed");
    while (seen->cursor.row == row) {
        look(seen, begun_us + PATIENCE_US);
        if (now_us() - begun_us >= PATIENCE_US)
            fail("a key is not answered");
    }
    return now_us() - begun_us;
}

static void run_keys(struct seen *seen, int64_t every_us, long more, const char *ready,
                     char **command)
{
    bool loading = true, down = true;

    start(seen, command);
    while (!has_rows(seen))
        look(seen, now_us() + PATIENCE_US);
    for (int64_t next_us = now_us(); loading || more-- > 0; down = !down) {
        while (now_us() < next_us)
            look(seen, next_us);
        if (loading && has_text(seen, ready)) {
            loading = false;
            puts("ready");
        }
        int64_t took_us = press(seen, down ? 'j' : 'k');
        printf("%s %lld\n", loading ? "loading" : "after", (long long)took_us);
        fflush(stdout);
        next_us += every_us;
        if (next_us < now_us())
            next_us = now_us();
    }
}

static void stop(struct seen *seen)
{
    kill(seen->program, SIGTERM);
    while (waitpid(seen->program, NULL, WNOHANG) == 0) {
        char bytes[4096];
        struct pollfd master = {.fd = seen->master, .events = POLLIN};
        if (poll(&master, 1, 10) > 0 && read(seen->master, bytes, sizeof bytes) < 0)
            poll(NULL, 0, 1); /* the terminal is closed before the process has ended */
    }
    close(seen->master);
    vterm_free(seen->vterm);
}

int main(int argc, char **argv)
{
    struct seen seen = {0};
    int rest = 4;

    while (rest < argc && strcmp(argv[rest], "--") != 0)
        rest++;
    if (argc < 6 || rest + 1 >= argc || (strcmp(argv[1], "keys") == 0 && rest != 7)) {
        fputs("usage: screen first ROWS COLUMNS TEXT... -- PROGRAM [ARGUMENT]...\n"
              "       screen keys ROWS COLUMNS MICROSECONDS COUNT READY -- PROGRAM [ARGUMENT]...\n",
              stderr);
        return 2;
    }
    seen.rows = (int)strtol(argv[2], NULL, 10);
    seen.columns = (int)strtol(argv[3], NULL, 10);
    open_screen(&seen);
    if (strcmp(argv[1], "first") == 0)
        run_first(&seen, argv + 4, (size_t)rest - 4, argv + rest + 1);
    else
        run_keys(&seen, strtoll(argv[4], NULL, 10), strtol(argv[5], NULL, 10), argv[6],
                 argv + rest + 1);
    stop(&seen);
    return 0;
}
