/* Showing a document on a terminal, so that nothing of it scrolls away unseen. */
#include "cmd/showing.h"

#include "cmd/confirming.h"

#include <stdio.h>

static void put_line(const struct document *document, const struct document_line *line)
{
    for (uint32_t i = 0; i < line->count; i++) {
        const struct document_piece *piece = &document->pieces[line->first + i];
        fwrite(document->text.at + piece->at, 1, piece->len, stdout);
    }
    putchar('\n');
}

/* Enter alone goes on. */
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
