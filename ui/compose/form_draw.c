/* Forms: drawing.
 *
 * A form is a page of rows that may be higher than the screen. It is laid out twice: first without
 * a grid, to find its height and the row of the cursor, then to draw the part that is visible. */
#include "base/text/sanitize.h"
#include "mail/page/page.h"
#include "ui/compose/form.h"
#include "ui/ui_state.h"

#include <stdio.h>

/* --- the page --- */

/* A page to lay a form out on. Without a grid it is only measured. */
struct plane {
    struct form_screen *form;
    struct grid *grid;
    const struct area *area;
    int shift;              /* the row of the page at the top of the area */
    int x, columns;         /* of the values */
    int cursor_y, cursor_x; /* on the page; -1: not known yet */
    bool on;                /* the entry that is laid out has the cursor */
};

/* --- values of entries --- */

/* Like grid_put(), but by rows of the page. */
static int plane_put(const struct plane *plane, int y, int x, int columns, int style,
                     struct span text)
{
    if (!plane->grid)
        return 0;
    return grid_put(plane->grid, plane->area, y - plane->shift, x, columns, style, text);
}

static void point_cursor(struct plane *plane, int y, int x)
{
    plane->cursor_y = y;
    plane->cursor_x = x;
}

/* Draws one row of a text, with blanks to the end of the field. */
static void put_row(const struct plane *plane, const struct edit *edit, size_t row, int y, int x,
                    int columns, int style)
{
    CLEANUP(str_free) struct str text = {0};

    if (!plane->grid || y < plane->shift || y >= plane->shift + plane->area->rows)
        return;
    int used = (int)edit_draw(edit, row, &text);
    if (style != STYLE_PLAIN && used < columns)
        str_pad(&text, ' ', (size_t)(columns - used));
    plane_put(plane, y, x, columns, style, str_span(&text));
}

/* Lays out the text as rows of so many columns, with room for the cursor after it; returns the
 * number of rows. */
static int lay_edit(struct plane *plane, struct edit *edit, int y, int x, int columns, int style)
{
    struct edit_layout layout = edit_layout(edit, columns > 2 ? (size_t)columns - 1 : 1);

    for (size_t i = 0; i < layout.rows; i++)
        put_row(plane, edit, i, y + (int)i, x, columns, style);
    if (plane->on)
        point_cursor(plane, y + (int)layout.row, x + (int)layout.column);
    return (int)layout.rows;
}

static int field_look(const struct plane *plane)
{
    return plane->on ? STYLE_FIELD_ON : STYLE_FIELD;
}

static int lay_field(struct plane *plane, const struct entry *entry, int y)
{
    struct edit *edit = &entry->edits[0];
    int inside = plane->columns - 2;
    int rows = lay_edit(plane, edit, y, plane->x + 1, inside, field_look(plane));

    if (!edit->text.len && entry->spec->hint)
        plane_put(plane, y, plane->x + 2, inside - 2, STYLE_DIM, span_of(entry->spec->hint));
    for (int i = 0; i < rows; i++) {
        plane_put(plane, y + i, plane->x, 1, STYLE_PLAIN, span_of("["));
        plane_put(plane, y + i, plane->x + plane->columns - 1, 1, STYLE_PLAIN, span_of("]"));
    }
    return rows;
}

/* Lays out a text below its label, over the whole width and to the end of the screen. */
static int plane_wide(struct plane *plane, const struct entry *entry, int y)
{
    struct edit *edit = &entry->edits[0];
    int rows = lay_edit(plane, edit, y + 1, 1, plane->area->columns - 1, STYLE_PLAIN);

    if (!edit->text.len && entry->spec->hint)
        plane_put(plane, y + 1, 2, plane->area->columns - 3, STYLE_DIM, span_of(entry->spec->hint));
    return 1 + (rows < FORM_TEXT_ROWS ? FORM_TEXT_ROWS : rows);
}

static const char no_file[] = " ? no such file";

static int item_columns(const struct plane *plane, const struct edit *edit, bool on)
{
    CLEANUP(str_free) struct str text = {0};
    struct span shown = edit_text(edit);
    int columns = (int)sanitize_add(&text, shown, edit->ascii ? SANITIZE_ASCII : 0) +
                  (on || !shown.len ? 1 : 0);

    if (shown.len && span_list_has(&plane->form->absent, shown))
        columns += (int)sizeof no_file - 1;
    return columns;
}

/* Lays out items: several in a row where they fit, longer ones on rows of their own. */
static int lay_items(struct plane *plane, const struct entry *entry, int y)
{
    int x = 0, first = y, rows = 1;
    bool on = plane->on;

    for (size_t i = 0; i < entry->count; i++) {
        struct edit *edit = &entry->edits[i];
        bool here = on && i == entry->at;
        char number[24];
        int lead = snprintf(number, sizeof number, "%zu[", i + 1);
        int inside = item_columns(plane, edit, here), room = plane->columns - lead - 1;
        if (x && x + lead + inside + 1 > plane->columns) {
            y += rows;
            x = 0;
            rows = 1;
        }
        if (inside > room)
            inside = room;
        plane_put(plane, y, plane->x + x, lead, STYLE_DIM, span_of(number));
        plane->on = here;
        int height = lay_edit(plane, edit, y, plane->x + x + lead, here ? inside : inside + 1,
                              here ? STYLE_FIELD_ON : STYLE_FIELD);
        if (!edit->text.len && !here)
            plane_put(plane, y, plane->x + x + lead, 1, STYLE_DIM, span_of("+"));
        if (edit->text.len && span_list_has(&plane->form->absent, edit_text(edit)))
            plane_put(plane, y, plane->x + x + lead + inside - (int)sizeof no_file + 1,
                      (int)sizeof no_file - 1, STYLE_WARNING, span_of(no_file));
        plane_put(plane, y + height - 1, plane->x + x + lead + inside, 1, STYLE_PLAIN,
                  span_of("]"));
        x += lead + inside + 2;
        rows = height > rows ? height : rows;
    }
    plane->on = on;
    return y + rows - first;
}

static int lay_switch(struct plane *plane, const struct entry *entry, int y)
{
    plane_put(plane, y, plane->x, 3, field_look(plane), span_of(entry->on ? "[x]" : "[ ]"));
    if (entry->spec->hint)
        plane_put(plane, y, plane->x + 4, plane->columns - 4, STYLE_PLAIN,
                  span_of(entry->spec->hint));
    if (plane->on)
        point_cursor(plane, y, plane->x + 1);
    return 1;
}

static int lay_priority(struct plane *plane, const struct entry *entry, int y)
{
    int x = 0;

    for (int i = PRIORITY_LOW; i <= PRIORITY_URGENT; i++) {
        const char *name = priority_name((enum priority)i);
        bool chosen = entry->choice == (size_t)i;
        CLEANUP(str_free) struct str text = {0};
        str_addf(&text, chosen ? "[%s]" : " %s ", name);
        if (chosen && plane->on)
            point_cursor(plane, y, plane->x + x + 1);
        plane_put(plane, y, plane->x + x, plane->columns - x,
                  chosen ? field_look(plane) : STYLE_DIM, str_span(&text));
        x += (int)text.len;
    }
    return 1;
}

static int lay_place(struct plane *plane, const struct entry *entry, int y)
{
    const struct form_screen *form = plane->form;
    const struct form_target *place = &form->places[entry->choice];
    const struct source *source = ui_source(form->screen.ui, place->source);
    CLEANUP(str_free) struct str text = {0};

    str_addf(&text, "[%s", source->format->name);
    if (place->team.len)
        str_addf(&text, " %.*s", (int)place->team.len, place->team.at);
    str_addf(&text, " in %s]", source->path);
    int used = plane_put(plane, y, plane->x, plane->columns, field_look(plane), str_span(&text));
    str_clear(&text);
    str_addf(&text, "%zu of %zu", entry->choice + 1, form->place_count);
    plane_put(plane, y, plane->x + used + 1, plane->columns - used - 1, STYLE_DIM, str_span(&text));
    if (plane->on)
        point_cursor(plane, y, plane->x + 1);
    return 1;
}

/* Lays out the value of an entry from that row on; returns the number of rows. */
static int plane_value(struct plane *plane, const struct entry *entry, int y)
{
    switch (entry->spec->kind) {
    case ENTRY_LINE:
    case ENTRY_TEXT:
        return lay_field(plane, entry, y);
    case ENTRY_ITEMS:
        return lay_items(plane, entry, y);
    case ENTRY_PRIORITY:
        return lay_priority(plane, entry, y);
    case ENTRY_SWITCH:
        return lay_switch(plane, entry, y);
    case ENTRY_PLACE:
        return lay_place(plane, entry, y);
    }
    return 1;
}

enum { MATCHES_MOST = 8, MATCH_COLUMNS = 32, NOTE_COLUMNS = 12, WARNING_ROOM = 8 };

/* --- entries and the form --- */

static void put_label(const struct plane *plane, const struct entry *entry, int y)
{
    plane_put(plane, y, 0, 1, STYLE_WARNING,
              span_of(entry_is_required(plane->form, entry) ? "*" : " "));
    int used =
        plane_put(plane, y, 1, plane->area->columns - 1, STYLE_LABEL, span_of(entry->spec->label));
    plane_put(plane, y, 1 + used, 1, STYLE_LABEL, span_of(" "));
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
        grid_rule(plane->grid, plane->area, y - plane->shift, STYLE_BORDER);
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

/* Lays out all entries or, if it is narrow, only the present one. Returns the rows of the page. */
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

/* Draws the completions below the cursor, or above it if there is more room. */
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
        CLEANUP(str_free) struct str row = {0};
        str_putc(&row, ' ');
        sanitize_fit(&row, one->text, plane->grid->clean, MATCH_COLUMNS);
        str_putc(&row, ' ');
        sanitize_fit(&row, one->note, plane->grid->clean, NOTE_COLUMNS);
        grid_put(plane->grid, plane->area, start + i, plane->x, MATCH_COLUMNS + NOTE_COLUMNS + 2,
                 on ? STYLE_SELECTED : STYLE_STATUS, str_span(&row));
    }
}

static void draw_title(struct form_screen *form, struct grid *grid, const struct area *line,
                       bool narrow)
{
    CLEANUP(str_free) struct str title = {0};
    size_t shown = 0, here = 0;

    for (size_t i = 0; i < form->count; i++) {
        shown += entry_is_shown(form, &form->entries[i]);
        if (i == form->at)
            here = shown;
    }
    if (narrow)
        str_addf(&title, "%zu/%zu ", here, shown);
    form->spec->title(form, &title);
    grid_put(grid, line, 0, 1, line->columns - 1, STYLE_GROUP, str_span(&title));
}

/* True if the status does not fit into the status line. */
static bool is_status_cut(struct form_screen *form)
{
    CLEANUP(str_free) struct str status = {0};

    form->screen.ops->status(&form->screen, &status);
    return (int)status.len > frame_status_room(form->screen.ui);
}

/* Draws wrapped sentences at the end of the page, which the foot and the status line have no room
 * for. */
static void draw_lines(struct grid *grid, struct area *rest, int style, struct span text)
{
    CLEANUP(page_free) struct document doc = {0};
    struct page_options options = {.columns = (size_t)rest->columns, .clean = grid->clean};

    if (rest->rows < WARNING_ROOM || !text.len)
        return;
    page_text(&doc, text, &options);
    struct area area = area_take_bottom(rest, doc.line_count < 3 ? (int)doc.line_count : 3);
    for (int y = 0; y < area.rows; y++) {
        const struct page_line *line = &doc.lines[y];
        int x = 0;
        for (size_t i = 0; i < line->count; i++) {
            const struct page_piece *piece = &doc.pieces[line->first + i];
            x += grid_put(grid, &area, y, x, area.columns - x, style,
                          (struct span){doc.text.at + piece->at, piece->len});
        }
    }
}

static void scroll_form(struct form_screen *form, const struct plane *plane, int rows, int height)
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
    draw_lines(grid, &rest, STYLE_ERROR, str_span(&form->problem));
    if (is_status_cut(form))
        draw_lines(grid, &rest, STYLE_WARNING, str_span(&form->warnings));
    if (!entry_is_shown(form, form_here(form)) && !form_step(form, true))
        form_step(form, false);
    int rows = lay_all(&plane, narrow);
    scroll_form(form, &plane, rows, rest.rows);
    plane.grid = grid;
    plane.shift = form->top;
    lay_all(&plane, narrow);
    grid_cursor(grid, &rest, plane.cursor_y - plane.shift, plane.cursor_x);
    if (form->completing && form->completion.matches > 1)
        draw_matches(&plane);
}
