/* The prompt, drawn: the line or the question, and what the word may become. */
#include "ui/widget/prompt_private.h"

static void draw_line(struct ui *ui, struct grid *grid, const struct area *line)
{
    struct prompt *prompt = ui->prompt;
    int x = grid_puts(grid, line, 0, 0, LOOK_PROMPT, prompt->spec->label);
    int columns = line->columns - x - 1;
    struct str row = {0};

    if (columns < 1)
        return;
    struct edit_layout layout = edit_layout(&prompt->edit, (size_t)columns);
    edit_draw(&prompt->edit, layout.row, &row);
    grid_put(grid, line, 0, x, columns, LOOK_PLAIN, str_span(&row));
    if (!prompt->edit.text.len && prompt->spec->hint)
        grid_put(grid, line, 0, x + 1, columns - 1, LOOK_DIM, span_of(prompt->spec->hint));
    grid_cursor(grid, line, 0, x + (int)layout.column);
    str_free(&row);
}

/* What the word may become, above the line. */
static void draw_matches(struct ui *ui, struct grid *grid, const struct area *line)
{
    const struct completion *completion = &ui->prompt->completion;
    struct area above = {line->y - 1, line->x, 1, line->columns};
    int x = 1;

    for (int i = 0; i < above.columns; i++)
        grid_puts(grid, &above, 0, i, LOOK_STATUS, " ");
    size_t first = completion->at < completion->matches ? completion->at : 0;
    struct span note = completion->candidates[first].note;
    /* the names are what is looked for; what the first one is stands behind them */
    int room = note.len && above.columns >= 60 ? above.columns / 2 : above.columns;
    for (size_t i = first; i < completion->matches && x < room; i++) {
        int look = i == completion->at ? LOOK_SELECTED : LOOK_STATUS;
        x += grid_put(grid, &above, 0, x, room - x, look, completion->candidates[i].text) + 2;
    }
    if (room < above.columns)
        grid_put(grid, &above, 0, x, above.columns - x, LOOK_STATUS, note);
}

void prompt_draw(struct ui *ui, struct grid *grid, const struct area *line)
{
    struct prompt *prompt = ui->prompt;

    if (prompt->spec) {
        draw_line(ui, grid, line);
        if (prompt->completing && prompt->completion.matches > 1)
            draw_matches(ui, grid, line);
        return;
    }
    int x =
        1 + grid_put(grid, line, 0, 1, line->columns - 8, LOOK_PROMPT, str_span(&prompt->question));
    x += grid_puts(grid, line, 0, x, LOOK_KEY, " (y/n) ");
    grid_cursor(grid, line, 0, x);
}
