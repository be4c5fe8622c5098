/* The search through all mail: drawing it. */
#include "mail/render/columns.h"
#include "mail/render/excerpt.h"
#include "ui/ui_private.h"
#include "ui/views/finder_private.h"

enum { MARK = 2, AGE = 5, NO_AGE = 48, LINE = 4 };

/* The line that it was found in, what was found in another look. */
static void draw_excerpt(struct finder *finder, const struct found_row *found,
                         const struct area *line)
{
    const struct {
        struct span text;
        int look;
    } parts[] = {{found->before, LOOK_DIM}, {found->found, LOOK_FOUND}, {found->after, LOOK_DIM}};
    struct str text = {0};
    int x = line->columns >= NO_AGE ? MARK + AGE : LINE;

    if (found->cut)
        x += grid_puts(finder->grid, line, 0, x, LOOK_DIM, "... ");
    for (size_t i = 0; i < sizeof parts / sizeof *parts && x < line->columns; i++) {
        str_clear(&text);
        excerpt_add_part(&text, parts[i].text, finder->grid->clean);
        x += grid_put(finder->grid, line, 0, x, line->columns - x, parts[i].look, str_span(&text));
    }
    str_free(&text);
}

static void draw_row(void *context, const struct list_row *row, const struct area *line)
{
    struct finder *finder = context;
    struct grid *grid = finder->grid;
    struct ui *ui = finder->screen.ui;
    const struct found_row *found = &finder->rows.items[row->item];
    int x = MARK, width = (int)columns_for_name((size_t)line->columns);
    int look = found->archived ? LOOK_READ : LOOK_PLAIN;
    struct str age = {0};

    if (!row->key.at) {
        draw_excerpt(finder, found, line);
        return;
    }
    grid_puts(grid, line, 0, 0, look, row == list_here(&finder->list) ? ">" : " ");
    if (line->columns >= NO_AGE) {
        if (found->created_us != WHEN_NONE)
            when_add_age(&age, ui_now(ui) - found->created_us);
        grid_putf(grid, line, 0, x, look, "%4s", str_c(&age));
        x += AGE;
    }
    int who = ui_agent_look(ui, found->source, found->team, found->from, look);
    grid_put(grid, line, 0, x, width, who, columns_name(found->from, (size_t)line->columns));
    x += width + 1;
    grid_put(grid, line, 0, x, line->columns - x, look,
             found->subject.len ? span_first_line(found->subject) : span_of("(no subject)"));
    str_free(&age);
}

/* How far the index has come, where that explains why something takes its time. */
static void draw_progress(struct finder *finder, const struct area *area, int y)
{
    int percent = indexing_percent(finder->screen.ui);

    if (percent >= 0)
        grid_putf(finder->grid, area, y, 2, LOOK_DIM,
                  "The index is %d %% built; until then the files themselves are read.", percent);
    else if (finder->known && finder->rows.read >= 1000)
        grid_putf(finder->grid, area, y, 2, LOOK_DIM,
                  "%zu of %zu files were read, as the index does not know them yet.",
                  finder->rows.read, finder->rows.files);
}

static void draw_help(struct finder *finder, const struct area *area)
{
    static const char *const lines[] = {
        "Words find all mail that has them, archived or not, while you type:",
        "  disk full            both, anywhere in subject, text or names",
        "  \"disk full\"          in a row, as are the parts of src/base/fold.c",
        "  pars*                words that start so",
        "  subject:plan from:tester-2 is:archived not older:7d",
    };

    for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++)
        grid_puts(finder->grid, area, i + 1, 2, LOOK_DIM, lines[i]);
}

static void draw_nothing(struct finder *finder, const struct area *area)
{
    if (finder->empty) {
        draw_help(finder, area);
        return;
    }
    if (finder->mistake.scope)
        grid_put(finder->grid, area, 1, 2, area->columns - 3, LOOK_DIM,
                 span_of(finder->mistake.text));
    else if (finder->known)
        grid_putf(finder->grid, area, 1, 2, LOOK_PLAIN, "No message has %s", str_c(&finder->text));
    else
        grid_puts(finder->grid, area, 1, 2, LOOK_DIM, "searching ...");
    draw_progress(finder, area, 2);
}

void finder_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct finder *finder = (struct finder *)screen;

    finder->grid = grid;
    if (list_here(&finder->list))
        list_draw(&finder->list, grid, area, draw_row, finder);
    else
        draw_nothing(finder, area);
}
