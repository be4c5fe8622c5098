/* Forms: laying out what entries hold. */
#include "ui/compose/form_plane.h"
#include "base/text/clean.h"

#include <stdio.h>

int plane_put(const struct plane *plane, int y, int x, int columns, int look, struct span text)
{
    if (!plane->grid)
        return 0;
    return grid_put(plane->grid, plane->area, y - plane->shift, x, columns, look, text);
}

static void point(struct plane *plane, int y, int x)
{
    plane->cursor_y = y;
    plane->cursor_x = x;
}

/* One row of a text, with blanks to the end of the field. */
static void put_row(const struct plane *plane, const struct edit *edit, size_t row, int y, int x,
                    int columns, int look)
{
    struct str text = {0};

    if (!plane->grid || y < plane->shift || y >= plane->shift + plane->area->rows)
        return;
    int used = (int)edit_draw(edit, row, &text);
    if (look != LOOK_PLAIN && used < columns)
        str_pad(&text, ' ', (size_t)(columns - used));
    plane_put(plane, y, x, columns, look, str_span(&text));
    str_free(&text);
}

/* The text as rows of so many columns; there is always room for the cursor behind it. */
static int lay_edit(struct plane *plane, struct edit *edit, int y, int x, int columns, int look)
{
    struct edit_layout layout = edit_layout(edit, columns > 2 ? (size_t)columns - 1 : 1);

    for (size_t i = 0; i < layout.rows; i++)
        put_row(plane, edit, i, y + (int)i, x, columns, look);
    if (plane->on)
        point(plane, y + (int)layout.row, x + (int)layout.column);
    return (int)layout.rows;
}

static int field_look(const struct plane *plane)
{
    return plane->on ? LOOK_FIELD_ON : LOOK_FIELD;
}

static int lay_field(struct plane *plane, const struct entry *entry, int y)
{
    struct edit *edit = &entry->edits[0];
    int inside = plane->columns - 2;
    int rows = lay_edit(plane, edit, y, plane->x + 1, inside, field_look(plane));

    if (!edit->text.len && entry->spec->hint)
        plane_put(plane, y, plane->x + 2, inside - 2, LOOK_DIM, span_of(entry->spec->hint));
    for (int i = 0; i < rows; i++) {
        plane_put(plane, y + i, plane->x, 1, LOOK_PLAIN, span_of("["));
        plane_put(plane, y + i, plane->x + plane->columns - 1, 1, LOOK_PLAIN, span_of("]"));
    }
    return rows;
}

/* Under its label, over the whole width, to the end of the screen. */
int plane_wide(struct plane *plane, const struct entry *entry, int y)
{
    struct edit *edit = &entry->edits[0];
    int rows = lay_edit(plane, edit, y + 1, 1, plane->area->columns - 1, LOOK_PLAIN);

    if (!edit->text.len && entry->spec->hint)
        plane_put(plane, y + 1, 2, plane->area->columns - 3, LOOK_DIM, span_of(entry->spec->hint));
    return 1 + (rows < FORM_TEXT_ROWS ? FORM_TEXT_ROWS : rows);
}

static const char no_file[] = " ? no such file";

static int item_columns(const struct plane *plane, const struct edit *edit, bool on)
{
    struct str text = {0};
    struct span shown = edit_text(edit);
    int columns =
        (int)clean_add(&text, shown, edit->ascii ? CLEAN_ASCII : 0) + (on || !shown.len ? 1 : 0);

    str_free(&text);
    if (shown.len && form_is_absent(plane->form, shown))
        columns += (int)sizeof no_file - 1;
    return columns;
}

/* An item where there is room for all of it, else on rows of its own. */
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
        plane_put(plane, y, plane->x + x, lead, LOOK_DIM, span_of(number));
        plane->on = here;
        int height = lay_edit(plane, edit, y, plane->x + x + lead, here ? inside : inside + 1,
                              here ? LOOK_FIELD_ON : LOOK_FIELD);
        if (!edit->text.len && !here)
            plane_put(plane, y, plane->x + x + lead, 1, LOOK_DIM, span_of("+"));
        if (edit->text.len && form_is_absent(plane->form, edit_text(edit)))
            plane_put(plane, y, plane->x + x + lead + inside - (int)sizeof no_file + 1,
                      (int)sizeof no_file - 1, LOOK_WARNING, span_of(no_file));
        plane_put(plane, y + height - 1, plane->x + x + lead + inside, 1, LOOK_PLAIN, span_of("]"));
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
        plane_put(plane, y, plane->x + 4, plane->columns - 4, LOOK_PLAIN,
                  span_of(entry->spec->hint));
    if (plane->on)
        point(plane, y, plane->x + 1);
    return 1;
}

static int lay_priority(struct plane *plane, const struct entry *entry, int y)
{
    int x = 0;

    for (int i = PRIORITY_LOW; i <= PRIORITY_URGENT; i++) {
        const char *name = priority_name((enum priority)i);
        bool chosen = entry->choice == (size_t)i;
        struct str text = {0};
        str_addf(&text, chosen ? "[%s]" : " %s ", name);
        if (chosen && plane->on)
            point(plane, y, plane->x + x + 1);
        plane_put(plane, y, plane->x + x, plane->columns - x, chosen ? field_look(plane) : LOOK_DIM,
                  str_span(&text));
        x += (int)text.len;
        str_free(&text);
    }
    return 1;
}

static int lay_place(struct plane *plane, const struct entry *entry, int y)
{
    const struct form_screen *form = plane->form;
    const struct form_place *place = &form->places[entry->choice];
    const struct source *source = ui_source(form->screen.ui, place->source);
    struct str text = {0};

    str_addf(&text, "[%s", source->format->name);
    if (place->team.len)
        str_addf(&text, " %.*s", (int)place->team.len, place->team.at);
    str_addf(&text, " in %s]", source->path);
    int used = plane_put(plane, y, plane->x, plane->columns, field_look(plane), str_span(&text));
    str_clear(&text);
    str_addf(&text, "%zu of %zu", entry->choice + 1, form->place_count);
    plane_put(plane, y, plane->x + used + 1, plane->columns - used - 1, LOOK_DIM, str_span(&text));
    if (plane->on)
        point(plane, y, plane->x + 1);
    str_free(&text);
    return 1;
}

int plane_value(struct plane *plane, const struct entry *entry, int y)
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
