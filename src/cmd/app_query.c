/* Queries of the command line: operands as a query, and mistakes with a mark beneath. */
#include "cmd/app_query.h"

#include "base/text/clean.h"

#include <stdio.h>

/* The query on a line of its own, and a mark below the place. */
static void put_mark(const struct app *app, struct span text, size_t at)
{
    unsigned mode = app->clean_error | CLEAN_LINE;
    struct str lines = {0}, before = {0};
    size_t columns = clean_add(&before, (struct span){text.at, at}, mode);

    str_puts(&lines, "  ");
    clean_add(&lines, text, mode);
    str_puts(&lines, "\n  ");
    str_pad(&lines, ' ', columns);
    str_puts(&lines, "^\n");
    fwrite(lines.at, 1, lines.len, stderr);
    str_free(&lines);
    str_free(&before);
}

bool app_query_read(struct querying *querying, const struct app *app, char *const *operands,
                    int count)
{
    struct str text = {0};
    struct err err;
    size_t at;

    for (int i = 0; i < count; i++) {
        if (i)
            str_putc(&text, ' ');
        str_puts(&text, operands[i]);
    }
    bool ok = querying_read(querying, app->store, str_span(&text), app->now_us, &err, &at);
    if (!ok) {
        app_note(app, "%s; see swarmutt help query", err.text);
        if (!app->capture)
            put_mark(app, str_span(&text), at);
    }
    str_free(&text);
    return ok;
}

bool app_query_load(const struct app *app, struct querying *querying, const struct load *load,
                    struct model *model, struct err *err)
{
    bool ok = querying_load(querying, load, model, err);

    if (ok)
        app_note_marks(app);
    return ok;
}
