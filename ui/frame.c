/* The frame: the title with the views, the status line, and the foot with keys or the prompt. */
#include "ui/ui_state.h"

#include <strings.h>

enum { SMALL_ROWS = 8, NARROW = 60 };

/* Appends a view for the title line; if `narrow`, only its number unless it is the open one. */
static void add_view(struct str *out, const struct ui *ui, size_t number, bool narrow)
{
    bool is_open = number == ui->view;
    size_t count = views[number]->count ? views[number]->count(ui) : 0;

    str_addf(out, "%zu%s%s", number + 1, narrow && !is_open ? "" : views[number]->title,
             is_open ? "*" : "");
    if (count)
        str_addf(out, "(%zu)", count);
}

/* Reports whether the full titles of the views would not leave room for the number of stuck
 * agents. */
static bool has_little_room(const struct ui *ui, const struct area *line)
{
    CLEANUP(str_free) struct str all = {0};

    for (size_t i = 0; i < VIEW_COUNT; i++) {
        str_putc(&all, ' ');
        add_view(&all, ui, i, false);
    }
    if (ui->picture->counts.stuck)
        str_addf(&all, "  %zu stuck ", ui->picture->counts.stuck);
    return line->columns < NARROW || (int)all.len >= line->columns;
}

static int put_views(struct ui *ui, const struct area *line)
{
    bool narrow = has_little_room(ui, line);
    CLEANUP(str_free) struct str view = {0};
    int x = 1;

    for (size_t i = 0; i < VIEW_COUNT; i++) {
        str_clear(&view);
        add_view(&view, ui, i, narrow);
        x += grid_puts(&ui->grid, line, 0, x, i == ui->view ? STYLE_TITLE_ON : STYLE_TITLE,
                       str_c(&view)) +
             1;
    }
    return x;
}

/* Writes as much of the counts and the clock as fits: leaves out the clock first, then the new
 * messages. Returns the columns needed. */
static int add_news(struct str *out, struct ui *ui, const struct sight_counts *counts, int room)
{
    for (int without = 0; without < 3; without++) {
        str_clear(out);
        if (counts->unread && without < 2)
            str_addf(out, "  %zu new", counts->unread);
        if (counts->stuck)
            str_addf(out, "  %zu stuck", counts->stuck);
        if (!without) {
            str_puts(out, "   ");
            time_add_format(out, ui_now(ui), "%H:%M");
        }
        if ((int)out->len + 1 <= room)
            return (int)out->len + 1;
    }
    str_clear(out);
    return 0;
}

static void draw_title(struct ui *ui, const struct area *line)
{
    const struct sight_counts counts = ui->picture->counts;
    CLEANUP(str_free) struct str right = {0};

    grid_look(&ui->grid, line, 0, STYLE_TITLE);
    int used = put_views(ui, line);
    int columns = add_news(&right, ui, &counts, line->columns - used);
    grid_puts(&ui->grid, line, 0, line->columns - columns, STYLE_TITLE, str_c(&right));
}

static size_t count_gone(const struct ui *ui)
{
    size_t gone = 0;

    for (size_t i = 0; i < ui_source_count(ui); i++)
        gone += ui_gone_us(ui, i) != 0;
    return gone;
}

/* Appends progress of loading, the state of watching, and similar facts. */
static void add_health(struct ui *ui, struct str *out)
{
    size_t gone = count_gone(ui);

    if (gone)
        str_addf(out, "! %zu source%s gone  ", gone, gone == 1 ? "" : "s");
    if (ui->picture->counts.unreadable)
        str_addf(out, "! %zu unreadable  ", ui->picture->counts.unreadable);
    if (!ui->picture->ready)
        str_addf(out, "loading %zu", ui->picture->known);
    else if (ui->health.len)
        str_puts(out, "watch: polling");
    else
        str_puts(out, "watch ok");
    int percent = indexer_percent(ui);
    if (percent >= 0)
        str_addf(out, "  indexing %d %%", percent);
    if (ui->options->readonly)
        str_puts(out, "  read-only");
    if (ui->options->label)
        str_addf(out, "  %s", ui->options->label);
    if (ui->grid.columns < NARROW)
        return; /* the title shows a number */
    if (ui->desk.drafts.count)
        str_addf(out, "  drafts:%zu", ui->desk.drafts.count);
    if (drafts_cache_unsent(ui))
        str_addf(out, "  unsent:%zu", drafts_cache_unsent(ui));
}

int frame_status_room(struct ui *ui)
{
    CLEANUP(str_free) struct str right = {0};

    add_health(ui, &right);
    return ui->grid.columns - (int)right.len - 4;
}

void frame_add_summary(struct ui *ui, struct str *out)
{
    const struct sight_counts counts = ui->picture->counts;
    struct screen *screen = ui_top(ui);
    CLEANUP(str_free) struct str status = {0};

    if (screen->ops->status)
        screen->ops->status(screen, &status);
    if (strncasecmp(str_c(&status), screen->title, strlen(screen->title)) != 0)
        str_addf(out, "%s%s", screen->title, status.len ? ": " : "");
    str_add_span(out, str_span(&status));
    if (counts.unread)
        str_addf(out, "; %zu new", counts.unread);
    if (counts.waiting)
        str_addf(out, "; %zu wait%s for you", counts.waiting, counts.waiting == 1 ? "s" : "");
    if (counts.stuck)
        str_addf(out, "; %zu may be stuck", counts.stuck);
    if (count_gone(ui))
        str_addf(out, "; %zu source%s gone", count_gone(ui), count_gone(ui) == 1 ? "" : "s");
    if (counts.unreadable)
        str_addf(out, "; %zu place%s cannot be read", counts.unreadable,
                 counts.unreadable == 1 ? "" : "s");
    if (ui->health.len)
        str_addf(out, "; %s", str_c(&ui->health));
    if (ui->options->readonly)
        str_puts(out, "; read-only");
    if (ui->options->label)
        str_addf(out, "; %s", ui->options->label);
}

static void put_said(struct ui *ui, const struct area *line)
{
    const struct status_message *saying = &ui->saying;

    grid_put(&ui->grid, line, 0, 1, line->columns - 1, (int)saying->style, str_span(&saying->said));
}

static void put_failed(struct ui *ui, const struct area *line)
{
    grid_put(&ui->grid, line, 0, 1, line->columns - 1, STYLE_ERROR, str_span(&ui->saying.failed));
    status_message_show(&ui->saying, time_steady());
}

/* Shows a message in the status line while the foot is used for something else. */
static bool put_said_above(struct ui *ui, const struct area *line)
{
    bool typing = ui->prompt || ui->keys.typed.count;

    if (ui->saying.failed.len && (typing || ui->saying.said.len))
        put_failed(ui, line);
    else if (ui->saying.said.len && ui->prompt)
        put_said(ui, line);
    else
        return false;
    return true;
}

static void draw_status(struct ui *ui, const struct area *line)
{
    struct screen *screen = ui_top(ui);
    CLEANUP(str_free) struct str left = {0}, right = {0};

    if (put_said_above(ui, line))
        return;
    grid_rule(&ui->grid, line, 0, STYLE_STATUS);
    if (screen->ops->status)
        screen->ops->status(screen, &left);
    add_health(ui, &right);
    int room = line->columns - 2;
    int x = line->columns - (int)right.len - 2;
    if (x > 20 && (int)left.len + 3 > x && line->columns < NARROW)
        x = 0; /* the screen's own text is more important */
    int used =
        grid_put(&ui->grid, line, 0, 1, x - 2 > 0 ? x - 2 : room, STYLE_STATUS, str_span(&left));
    if (x > used + 1)
        grid_puts(&ui->grid, line, 0, x, STYLE_STATUS, str_c(&right));
    grid_look(&ui->grid, line, 0, STYLE_STATUS);
}

static void draw_bar(struct ui *ui, const struct area *line)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct screen *screen = ui_top(ui);
    const struct keybar_room room = {.where = screen->where,
                                     .columns = line->columns > 1 ? (size_t)line->columns - 1 : 0,
                                     .rows = 1,
                                     .offers = screen->ops->offers ? ui_offers : NULL,
                                     .context = screen};
    struct keybar bar = keymap_bar(&ui->keymap, &room, &arena);

    for (size_t i = 0; i < bar.count; i++) {
        const struct keybar_piece *piece = &bar.items[i];
        int x = 1 + (int)piece->column;
        x += grid_put(&ui->grid, line, 0, x, line->columns - x, STYLE_KEY, piece->key);
        x += grid_puts(&ui->grid, line, 0, x, STYLE_KEY_TEXT, ":");
        grid_puts(&ui->grid, line, 0, x, STYLE_KEY_TEXT, piece->text);
    }
}

/* Draws the prompt, the keys that may follow, the status message, or the key bar. */
static void draw_foot(struct ui *ui, const struct area *line)
{
    if (ui->prompt)
        prompt_draw(ui, &ui->grid, line);
    else if (ui->keys.typed.count)
        grid_put(&ui->grid, line, 0, 1, line->columns - 1, STYLE_PROMPT, str_span(&ui->keys.text));
    else if (ui->saying.said.len)
        put_said(ui, line);
    else if (ui->saying.failed.len)
        put_failed(ui, line);
    else
        draw_bar(ui, line);
}

void frame_draw(struct ui *ui)
{
    struct area area = grid_area(&ui->grid);
    struct screen *screen = ui_top(ui);
    bool small = area.rows < SMALL_ROWS;

    struct area foot = area_take_bottom(&area, 1), status = {0};
    if (area.rows > 2)
        status = area_take_bottom(&area, 1);
    if (!small) {
        struct area title = area_take_top(&area, 1);
        draw_title(ui, &title);
    }
    ui->area = area;
    if (area.rows > 0)
        screen->ops->draw(screen, &ui->grid, &area);
    if (status.rows) /* after the screen: its status says how much of it was seen */
        draw_status(ui, &status);
    draw_foot(ui, &foot);
}
