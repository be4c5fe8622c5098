/* Forms: drawing them.
 *
 * A form is a page of rows that may be higher than the screen. Everything is laid out twice: once
 * without a grid, to find out how high it is and where the cursor stands, then where it is seen. */
#include "base/text/clean.h"
#include "mail/page/document.h"
#include "ui/compose/form_plane.h"
#include "ui/ui_private.h"

enum { MATCHES_MOST = 8, MATCH_COLUMNS = 32, NOTE_COLUMNS = 12, WARNING_ROOM = 8 };

/* --- the page --- */

static void put_label(const struct plane *plane, const struct entry *entry, int y)
{
    plane_put(plane, y, 0, 1, LOOK_WARNING,
              span_of(entry_is_required(plane->form, entry) ? "*" : " "));
    int used =
        plane_put(plane, y, 1, plane->area->columns - 1, LOOK_LABEL, span_of(entry->spec->label));
    plane_put(plane, y, 1 + used, 1, LOOK_LABEL, span_of(" "));
}

static int label_columns(struct form_screen *form)
{
    size_t most = 0;

    for (size_t i = 0; i < form->count; i++) {
        const struct entry *entry = &form->entries[i];
        size_t len = strlen(entry->spec->label);
        if (!entry->spec->wide && entry_is_shown(form, entry) && len > most)
            most = len;
    }
    return (int)most + 2;
}

static int lay_entry(struct plane *plane, struct entry *entry, int y, bool above)
{
    int rows;

    plane->on = entry == form_here(plane->form);
    if (plane->grid && entry->spec->wide)
        grid_rule(plane->grid, plane->area, y - plane->shift, LOOK_BORDER);
    if (plane->grid)
        put_label(plane, entry, y);
    if (entry->spec->wide) {
        rows = plane_wide(plane, entry, y);
    } else if (above) {
        plane->x = 0;
        plane->columns = plane->area->columns;
        rows = 1 + plane_value(plane, entry, y + 1);
    } else {
        rows = plane_value(plane, entry, y);
    }
    entry->row = y - plane->shift + plane->area->y;
    entry->rows = plane->grid ? rows : 0;
    return rows;
}

/* All entries or, where it is narrow, the present one. Returns the rows of the page. */
static int lay_all(struct plane *plane, bool narrow)
{
    struct form_screen *form = plane->form;
    int y = 0, lead = label_columns(form);

    for (size_t i = 0; i < form->count; i++) {
        struct entry *entry = &form->entries[i];
        entry->rows = 0;
        if (!entry_is_shown(form, entry) || (narrow && i != form->at))
            continue;
        plane->x = lead;
        plane->columns = plane->area->columns - lead;
        y += lay_entry(plane, entry, y, narrow);
    }
    return y;
}

/* What the word may become, under the cursor, or above it where there is more room. */
static void draw_matches(const struct plane *plane)
{
    const struct completion *completion = &plane->form->completion;
    int y = plane->cursor_y - plane->shift, below = plane->area->rows - y - 1;
    int most = below >= y ? below : y;
    int count = (int)completion->matches < MATCHES_MOST ? (int)completion->matches : MATCHES_MOST;
    size_t first = 0;

    count = count < most ? count : most;
    if (count < 1)
        return;
    if (completion->at < completion->matches && completion->at >= (size_t)count)
        first = completion->at - (size_t)count + 1;
    int start = below >= y ? y + 1 : y - count;
    for (int i = 0; i < count; i++) {
        const struct candidate *one = &completion->candidates[first + (size_t)i];
        bool on = first + (size_t)i == completion->at;
        struct str row = {0};
        str_putc(&row, ' ');
        clean_fit(&row, one->text, plane->grid->clean, MATCH_COLUMNS);
        str_putc(&row, ' ');
        clean_fit(&row, one->note, plane->grid->clean, NOTE_COLUMNS);
        grid_put(plane->grid, plane->area, start + i, plane->x, MATCH_COLUMNS + NOTE_COLUMNS + 2,
                 on ? LOOK_SELECTED : LOOK_STATUS, str_span(&row));
        str_free(&row);
    }
}

static void draw_title(struct form_screen *form, struct grid *grid, const struct area *line,
                       bool narrow)
{
    struct str title = {0};
    size_t shown = 0, here = 0;

    for (size_t i = 0; i < form->count; i++) {
        shown += entry_is_shown(form, &form->entries[i]);
        if (i == form->at)
            here = shown;
    }
    if (narrow)
        str_addf(&title, "%zu/%zu ", here, shown);
    form->spec->title(form, &title);
    grid_put(grid, line, 0, 1, line->columns - 1, LOOK_GROUP, str_span(&title));
    str_free(&title);
}

/* Whether the status line has no room for all it has to say. */
static bool is_status_cut(struct form_screen *form)
{
    struct str status = {0};

    form->screen.ops->status(&form->screen, &status);
    bool cut = (int)status.len > frame_status_room(form->screen.ui);
    str_free(&status);
    return cut;
}

/* Sentences at the end of the page, wrapped: what the foot and the status line have no room for. */
static void draw_lines(struct grid *grid, struct area *rest, int look, struct span text)
{
    struct document doc = {0};
    struct document_options options = {.columns = (size_t)rest->columns, .clean = grid->clean};

    if (rest->rows < WARNING_ROOM || !text.len)
        return;
    document_text(&doc, text, &options);
    struct area area = area_take_bottom(rest, doc.line_count < 3 ? (int)doc.line_count : 3);
    for (int y = 0; y < area.rows; y++) {
        const struct document_line *line = &doc.lines[y];
        int x = 0;
        for (size_t i = 0; i < line->count; i++) {
            const struct document_piece *piece = &doc.pieces[line->first + i];
            x += grid_put(grid, &area, y, x, area.columns - x, look,
                          (struct span){doc.text.at + piece->at, piece->len});
        }
    }
    document_free(&doc);
}

static void scroll(struct form_screen *form, const struct plane *plane, int rows, int height)
{
    if (plane->cursor_y < form->top)
        form->top = plane->cursor_y;
    if (plane->cursor_y >= form->top + height)
        form->top = plane->cursor_y - height + 1;
    if (form->top > rows - height)
        form->top = rows - height;
    if (form->top < 0 || plane->cursor_y < height / 2)
        form->top = 0;
}

void form_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct form_screen *form = form_of(screen);
    bool narrow = area->columns < FORM_NARROW;
    struct area rest = *area;
    struct plane plane = {.form = form, .area = &rest, .cursor_y = -1};

    if (area->rows > 4) {
        struct area line = area_take_top(&rest, 1);
        draw_title(form, grid, &line, narrow);
    }
    draw_lines(grid, &rest, LOOK_ERROR, str_span(&form->problem));
    if (is_status_cut(form))
        draw_lines(grid, &rest, LOOK_WARNING, str_span(&form->warnings));
    if (!entry_is_shown(form, form_here(form)) && !form_step(form, true))
        form_step(form, false);
    int rows = lay_all(&plane, narrow);
    scroll(form, &plane, rows, rest.rows);
    plane.grid = grid;
    plane.shift = form->top;
    lay_all(&plane, narrow);
    grid_cursor(grid, &rest, plane.cursor_y - plane.shift, plane.cursor_x);
    if (form->completing && form->completion.matches > 1)
        draw_matches(&plane);
}
