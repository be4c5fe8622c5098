/* Notifications: the bell, the terminal's own, and tmux. */
#include "ui/process/notify_ways.h"

#include "base/mem.h"
#include "ui/process/spawn.h"
#include "ui/ui_private.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const notify_tmux_ask[] = {"tmux", "display-message", "-p",
                                       "#{client_termname} #{allow-passthrough}", NULL};
const char *const notify_tmux_tell[] = {"tmux", "display-message", "--", NULL};
const char notify_tmux_start[] = "swarmutt: ";

/* tmux, asked or told something. Nobody waits for it. */
struct tmux_call {
    pid_t child;
    int ended;       /* becomes readable when it has */
    int out;         /* what it says, or -1 */
    struct str text; /* that the terminal is told when tmux lets it through */
};

static void call_free(struct tmux_call *call)
{
    if (call->ended >= 0)
        close(call->ended);
    if (call->out >= 0)
        close(call->out);
    str_free(&call->text);
    free(call);
}

/* "xterm-kitty on": which terminal is behind tmux, and whether it lets sequences through. */
static void take_answer(struct ui *ui, struct tmux_call *call)
{
    char answer[256];
    struct str sequence = {0};
    ssize_t len = read(call->out, answer, sizeof answer - 1);

    if (len <= 0)
        return;
    answer[len] = '\0';
    char *term = answer, *allowed = strchr(answer, ' ');
    if (!allowed)
        return;
    *allowed++ = '\0';
    allowed[strcspn(allowed, "\n")] = '\0';
    if (strcmp(allowed, "on") != 0 && strcmp(allowed, "all") != 0)
        return;
    notify_add_sequence(&sequence, notify_sequence_of(term, NULL), str_span(&call->text), true);
    terminal_put(&ui->terminal, str_span(&sequence));
    str_free(&sequence);
}

static void call_ended(struct ui *ui, void *context)
{
    struct tmux_call *call = context;
    int status;

    waitpid(call->child, &status, WNOHANG);
    ui_unfollow(ui, call->ended);
    if (call->out >= 0)
        take_answer(ui, call);
    call_free(call);
}

static void call_tmux(struct ui *ui, const char *const *words, struct span text, bool listen)
{
    struct tmux_call *call = mem_zero(1, sizeof *call);
    int ends[2] = {-1, SPAWN_NOTHING};

    call->ended = call->out = -1;
    str_add_span(&call->text, text);
    if (listen && pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        ends[1] = SPAWN_NOTHING;
    call->out = ends[0];
    int failed = ui_follow_room(ui) ? spawn_program(&ui->spawner, &call->child, words,
                                                    &(struct spawn_files){.in = SPAWN_NOTHING,
                                                                          .out = ends[1],
                                                                          .errors = SPAWN_NOTHING})
                                    : -1;
    if (ends[1] >= 0)
        close(ends[1]);
    if (!failed)
        call->ended = pidfd_open(call->child, 0);
    if (call->ended < 0) {
        call_free(call);
        return;
    }
    ui_follow(ui, call->ended, call_ended, call);
}

static bool in_tmux(void)
{
    const char *tmux = getenv("TMUX");

    return tmux && *tmux;
}

static void ring_terminal(struct ui *ui, struct span text)
{
    struct str sequence = {0};

    if (in_tmux()) {
        call_tmux(ui, notify_tmux_ask, text, true);
        return;
    }
    notify_add_sequence(&sequence, notify_sequence_of(getenv("TERM"), getenv("TERM_PROGRAM")), text,
                        false);
    terminal_put(&ui->terminal, str_span(&sequence));
    str_free(&sequence);
}

static void ring_tmux(struct ui *ui, struct span text)
{
    struct str escaped = {0};

    if (!in_tmux())
        return;
    str_puts(&escaped, notify_tmux_start);
    notify_add_tmux(&escaped, text);
    const char *words[] = {notify_tmux_tell[0], notify_tmux_tell[1], notify_tmux_tell[2],
                           escaped.at, NULL};
    call_tmux(ui, words, text, false);
    str_free(&escaped);
}

static void ring_bell(struct ui *ui, struct span text)
{
    (void)text;
    terminal_bell(&ui->terminal);
}

void notify_ring(struct ui *ui, enum config_channel channel, struct span text)
{
    static void (*const rings[CONFIG_CHANNEL_COUNT])(struct ui * ui, struct span text) = {
        [CONFIG_BELL] = ring_bell, [CONFIG_TERMINAL] = ring_terminal, [CONFIG_TMUX] = ring_tmux};

    rings[channel](ui, text);
}
