/* Paging of long texts and documents. */
#include "cmd/pager.h"

#include "cmd/confirm.h"
#include "ui/process/process_pipe.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* The pager: $PAGER, else less(1), gets text that does not fit on the screen. */

static bool fits_screen(const struct app *app, const struct str *text)
{
    size_t lines = 1;

    for (size_t i = 0; i < text->len; i++)
        lines += text->at[i] == '\n';
    return lines <= app_rows(app);
}

/* Ignores a failed write: closing the pager early is no error. */
static void say_nothing(void *context, const char *sentence)
{
    (void)context;
    (void)sentence;
}

/* Returns false if the pager cannot be run. */
static bool run_pager(const char *pager, const struct str *text)
{
    struct running running = {.tell = say_nothing};
    struct pollfd fds[PROCESS_PIPE_FDS] = {{.fd = -1}, {.fd = -1}};

    if (!process_pipe_open(&running, pager, NULL))
        return false;
    process_pipe_add(&running, str_span(text));
    process_pipe_work(&running, fds);
    bool runs = process_pipe_busy(&running);
    signal(SIGINT, SIG_IGN); /* belongs to the pager */
    while (process_pipe_busy(&running)) {
        process_pipe_poll(&running, fds);
        if (poll(fds, PROCESS_PIPE_FDS, -1) > 0)
            process_pipe_work(&running, fds);
    }
    signal(SIGINT, SIG_DFL);
    process_pipe_close(&running);
    return runs;
}

/* Returns $PAGER, else less if the terminal can move its cursor, else NULL. */
static const char *choose_pager(void)
{
    const char *pager = getenv("PAGER"), *terminal = getenv("TERM");

    if (pager)
        return pager;
    return terminal && *terminal && strcmp(terminal, "dumb") != 0 ? "less" : NULL;
}

void pager_put(const struct app *app, const struct str *text)
{
    const char *pager = choose_pager();

    if (!app->to_terminal || !pager || !*pager || fits_screen(app, text) || !run_pager(pager, text))
        app_put(app, text);
}

static void put_line(const struct document *document, const struct page_line *line)
{
    for (uint32_t i = 0; i < line->count; i++) {
        const struct page_piece *piece = &document->pieces[line->first + i];
        fwrite(document->text.at + piece->at, 1, piece->len, stdout);
    }
    putchar('\n');
}

/* Asks whether to go on; only an empty line means yes. */
static bool goes_on(const struct app *app, size_t left)
{
    char question[80], line[64];

    snprintf(question, sizeof question, "-- %zu more line%s: Enter goes on, q ends -- ", left,
             left == 1 ? "" : "s");
    return app_ask(app, question, line, sizeof line) && span_trim(span_of(line)).len == 0;
}

bool app_show(const struct app *app, const struct document *document, struct err *err)
{
    size_t rows = app_rows(app), page = rows > 2 ? rows - 2 : 1;

    for (size_t i = 0; i < document->line_count; i++) {
        if (rows && i && i % page == 0 && !goes_on(app, document->line_count - i))
            return err_set(err, ERR_REFUSED, "it was not read to its end: nothing was sent");
        put_line(document, &document->lines[i]);
    }
    fflush(stdout);
    return true;
}
