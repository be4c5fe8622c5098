/* Paging: $PAGER, else less(1), is given what does not fit on the screen. */
#include "cmd/paging.h"

#include "ui/process/running.h"

#include <signal.h>
#include <stdlib.h>

static bool fits(const struct app *app, const struct str *text)
{
    size_t lines = 1;

    for (size_t i = 0; i < text->len; i++)
        lines += text->at[i] == '\n';
    return lines <= app_rows(app);
}

/* A pager that is left before the end is no failure. */
static void say_nothing(void *context, const char *sentence)
{
    (void)context;
    (void)sentence;
}

/* False when there is none that can be run. */
static bool run_pager(const char *pager, const struct str *text)
{
    struct running running = {.tell = say_nothing};
    struct pollfd fds[RUNNING_FDS] = {{.fd = -1}, {.fd = -1}};
    struct err ignored;

    if (!running_open(&running, pager, &ignored))
        return false;
    running_add(&running, str_span(text));
    running_work(&running, fds);
    bool runs = running_busy(&running);
    signal(SIGINT, SIG_IGN); /* is the pager's */
    while (running_busy(&running)) {
        running_poll(&running, fds);
        if (poll(fds, RUNNING_FDS, -1) > 0)
            running_work(&running, fds);
    }
    signal(SIGINT, SIG_DFL);
    running_close(&running);
    return runs;
}

/* The one that is asked for, else the usual one where the terminal can move its cursor. */
static const char *choose_pager(void)
{
    const char *pager = getenv("PAGER"), *terminal = getenv("TERM");

    if (pager)
        return pager;
    return terminal && *terminal && strcmp(terminal, "dumb") != 0 ? "less" : NULL;
}

void paging_put(const struct app *app, const struct str *text)
{
    const char *pager = choose_pager();

    if (!app->to_terminal || !pager || !*pager || fits(app, text) || !run_pager(pager, text))
        app_put(app, text);
}
