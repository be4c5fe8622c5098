/* Runs a command of the program in the background and shows its output. */
#include "ui/process/command_output.h"

#include "base/mem.h"
#include "ui/process/spawn_helper.h"
#include "ui/ui_state.h"
#include "ui/widget/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MOST = 16 << 20 };

struct output {
    struct screen screen;
    struct str title, text;
    struct pager pager;
    pid_t child; /* 0: it has ended */
    int fd;      /* its output; -1: end of the output */
    int code;
    const char *one; /* the meaning of exit code 1 for this command */
};

static struct output *output_of(struct screen *screen)
{
    return (struct output *)screen;
}

static void bury_output(struct output *output)
{
    int status = 0;

    if (output->child && waitpid(output->child, &status, 0) == output->child)
        output->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    output->child = 0;
}

static void stop_reading(struct output *output)
{
    if (output->fd < 0)
        return;
    ui_unfollow(output->screen.ui, output->fd);
    close(output->fd);
    output->fd = -1;
}

static void read_more(struct ui *ui, void *context)
{
    struct output *output = context;
    ssize_t got = read(output->fd, str_room(&output->text, 65536), 65536);

    if (got > 0 && output->text.len < OUTPUT_MOST) {
        output->text.len += (size_t)got;
        output->text.at[output->text.len] = '\0';
    } else if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
        stop_reading(output);
        bury_output(output);
    }
    pager_stale(&output->pager);
    ui_touch(ui);
}

static void make_page(void *context, struct document *document, const struct page_options *options)
{
    const struct output *output = context;

    page_text(document, str_span(&output->text), options);
}

static void output_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct output *output = output_of(screen);
    struct page_options options = {.now_us = ui_now(screen->ui)};

    if (!output->text.len)
        grid_puts(grid, area, 0, 1, STYLE_DIM, output->child ? "..." : "it said nothing");
    else
        pager_draw(&output->pager, grid, area, &options, make_page, output);
}

static bool output_act(struct screen *screen, enum action action, struct span argument)
{
    (void)argument;
    return pager_act(&output_of(screen)->pager, action) || action == ACTION_SCROLL;
}

static bool output_search(struct screen *screen, struct span text, bool forward, bool live)
{
    return pager_search(&output_of(screen)->pager, text, forward, live);
}

static void output_status(struct screen *screen, struct str *out)
{
    static const char *const words[] = {"done",    NULL,     "misused",
                                        "refused", "failed", "unconfirmed"};
    const struct output *output = output_of(screen);

    str_addf(out, ":%s  %u%%  ", str_c(&output->title), pager_percent(&output->pager));
    if (output->child)
        str_puts(out, "running; q ends it");
    else if (output->code < (int)(sizeof words / sizeof *words))
        str_puts(out, output->code == 1 ? output->one : words[output->code]);
    else
        str_addf(out, "ended with %d", output->code);
}

static void output_free(struct screen *screen)
{
    struct output *output = output_of(screen);

    stop_reading(output);
    if (output->child)
        kill(output->child, SIGTERM);
    bury_output(output);
    str_free(&output->title);
    str_free(&output->text);
    pager_free(&output->pager);
    free(output);
}

static const struct screen_ops ops = {.title = "Output",
                                      .where = IN_PAGER,
                                      .draw = output_draw,
                                      .act = output_act,
                                      .search = output_search,
                                      .status = output_status,
                                      .free = output_free};

void command_output_open(struct ui *ui, const struct ui_command *command, const char *const *words)
{
    if (!ui_follow_room(ui)) {
        ui_info(ui, STYLE_ERROR, "too many commands are running; leave some with q");
        return;
    }
    struct output *output = mem_zero(1, sizeof *output);
    char **all = spawn_self_words(ui->options->self, words);
    int ends[2], failed = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;

    output->screen = (struct screen){.ops = &ops, .ui = ui};
    output->fd = -1;
    output->one = command->one ? command->one : "nothing found";
    for (size_t i = 0; words[i]; i++)
        str_addf(&output->title, "%s%s", i ? " " : "", words[i]);
    if (!failed) {
        /* The output is untrusted, the page cleans it; errors go to the same stream. The command is
         * this program, and confined like it. */
        failed = spawn_program(NULL, &output->child, (const char *const *)all,
                               &(struct spawn_files){SPAWN_NOTHING, ends[1], ends[1]});
        close(ends[1]);
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        output->fd = ends[0];
    }
    spawn_free_words(all);
    if (failed) {
        output->child = 0;
        ui_failf(ui, "%s cannot be run: %s", words[0], strerror(failed));
        output_free(&output->screen);
        return;
    }
    ui_follow(ui, output->fd, read_more, output);
    ui_push(ui, &output->screen);
}
