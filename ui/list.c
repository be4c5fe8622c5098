/* A list: filling, moving, drawing. */
#include "ui/list.h"

#include "base/mem.h"

#include <stdlib.h>

void list_free(struct list *list)
{
    free(list->rows);
    free(list->old_rows);
    arena_free(&list->arena);
    arena_free(&list->old_arena);
    *list = (struct list){0};
}

void list_begin(struct list *list)
{
    free(list->old_rows);
    arena_free(&list->old_arena);
    list->old_rows = list->rows;
    list->old_count = list->count;
    list->old_arena = list->arena;
    list->rows = NULL;
    list->count = list->cap = 0;
    list->arena = (struct arena){0};
}

void list_add(struct list *list, const struct list_row *row)
{
    list->rows = mem_grow(list->rows, &list->cap, list->count + 1, sizeof *list->rows);
    list->rows[list->count] = *row;
    if (row->key.at)
        list->rows[list->count].key = arena_copy(&list->arena, row->key);
    list->count++;
}

static bool is_stop(const struct list *list, size_t row)
{
    return row < list->count && list->rows[row].key.at;
}

/* The nearest row with a key, downwards first. */
static size_t nearest_stop(const struct list *list, size_t row)
{
    size_t down = row, up = row;

    while (down < list->count && !is_stop(list, down))
        down++;
    if (down < list->count)
        return down;
    while (up > 0 && !is_stop(list, up))
        up--;
    return up;
}

/* Where the row that the cursor was on is now, or what was near it then. */
static size_t find_again(const struct list *list)
{
    struct map places = {0};
    size_t found = SIZE_MAX;
    bool fresh;

    if (!list->old_count)
        return 0;
    struct span here =
        list->cursor < list->old_count ? list->old_rows[list->cursor].key : (struct span){0};
    for (size_t i = 0; here.at && i < list->count; i++)
        if (span_eq(list->rows[i].key, here)) /* what nearly always happens */
            return i;
    for (size_t i = 0; i < list->count; i++)
        if (list->rows[i].key.at)
            *map_put(&places, list->rows[i].key, &fresh) = (uint32_t)i;
    for (size_t i = list->cursor; found == SIZE_MAX && i < list->old_count; i++) {
        const uint32_t *place =
            list->old_rows[i].key.at ? map_get(&places, list->old_rows[i].key) : NULL;
        if (place)
            found = *place;
    }
    for (size_t i = list->cursor; found == SIZE_MAX && i-- > 0;) {
        const uint32_t *place =
            list->old_rows[i].key.at ? map_get(&places, list->old_rows[i].key) : NULL;
        if (place)
            found = *place;
    }
    map_free(&places);
    return found == SIZE_MAX ? 0 : found;
}

void list_end(struct list *list)
{
    size_t height = list->cursor > list->top ? list->cursor - list->top : 0;
    /* who looks at the top of the list wants to see what comes there */
    bool at_top = list->top == 0 && list->cursor <= nearest_stop(list, 0);

    list->cursor = nearest_stop(list, find_again(list));
    list->top = list->cursor > height ? list->cursor - height : 0;
    if (at_top && list->cursor < list->page)
        list->top = 0;
    list->moved = true;
    free(list->old_rows);
    list->old_rows = NULL;
    list->old_count = 0;
    arena_free(&list->old_arena);
}

const struct list_row *list_here(const struct list *list)
{
    return is_stop(list, list->cursor) ? &list->rows[list->cursor] : NULL;
}

void list_go_to(struct list *list, size_t row)
{
    list->moved = true;
    if (list->count)
        list->cursor = nearest_stop(list, row < list->count ? row : list->count - 1);
}

bool list_go(struct list *list, struct span key)
{
    list->moved = true;
    for (size_t i = 0; i < list->count; i++) {
        if (list->rows[i].key.at && span_eq(list->rows[i].key, key)) {
            list->cursor = i;
            return true;
        }
    }
    return false;
}

bool list_seek(struct list *list, bool forward,
               bool (*takes)(void *context, const struct list_row *row), void *context)
{
    list->moved = true;
    for (size_t i = 1; i <= list->count; i++) {
        size_t at = (list->cursor + (forward ? i : list->count - i)) % list->count;
        if (is_stop(list, at) && takes(context, &list->rows[at])) {
            bool moved = at != list->cursor;
            list->cursor = at;
            return moved;
        }
    }
    return false;
}

bool list_search(struct list *list, struct str *from, bool any, bool forward, bool live,
                 bool (*takes)(void *context, const struct list_row *row), void *context)
{
    const struct list_row *here = list_here(list);

    if (!here)
        return false;
    if (live && !from->len)
        str_add_span(from, here->key);
    if (live)
        list_go(list, str_span(from));
    if (!live || !any)
        str_clear(from);
    if (!any)
        return true;
    return (live && takes(context, list_here(list))) || list_seek(list, forward, takes, context) ||
           takes(context, list_here(list));
}

static void move_down(struct list *list, size_t by)
{
    size_t at = list->cursor;

    while (by && at + 1 < list->count) {
        at++;
        if (is_stop(list, at)) {
            list->cursor = at;
            by--;
        } else if (by > 1) {
            by--; /* headings count as lines of a page */
        }
    }
}

static void move_up(struct list *list, size_t by)
{
    size_t at = list->cursor;

    while (by && at > 0) {
        at--;
        if (is_stop(list, at)) {
            list->cursor = at;
            by--;
        } else if (by > 1) {
            by--;
        }
    }
}

bool list_act(struct list *list, enum action action)
{
    size_t page = list->page > 2 ? list->page - 1 : 1;

    list->moved = true;
    switch (action) {
    case ACTION_NEXT:
        move_down(list, 1);
        return true;
    case ACTION_PREVIOUS:
        move_up(list, 1);
        if (list->cursor == nearest_stop(list, 0))
            list->top = 0; /* with the heading above it */
        return true;
    case ACTION_FIRST:
        list->top = 0;
        list_go_to(list, 0);
        return true;
    case ACTION_LAST:
        list_go_to(list, SIZE_MAX);
        return true;
    case ACTION_HALF_DOWN:
        move_down(list, page / 2 + 1);
        return true;
    case ACTION_HALF_UP:
        move_up(list, page / 2 + 1);
        return true;
    case ACTION_PAGE_DOWN:
        move_down(list, page);
        return true;
    case ACTION_PAGE_UP:
        move_up(list, page);
        return true;
    default:
        return false;
    }
}

/* Shows the cursor, with a row of what is around it where there is room. */
static void scroll(struct list *list)
{
    size_t page = list->page, around = page > 6 ? 1 : 0;

    if (list->cursor < list->top + around)
        list->top = list->cursor > around ? list->cursor - around : 0;
    if (list->cursor + around >= list->top + page)
        list->top = list->cursor + around + 1 - page;
    if (list->count <= page)
        list->top = 0;
    else if (list->top + page > list->count)
        list->top = list->count - page;
}

void list_draw(struct list *list, struct grid *grid, const struct area *area,
               void (*row)(void *context, const struct list_row *row, const struct area *line),
               void *context)
{
    list->page = area->rows > 0 ? (size_t)area->rows : 0;
    if (!list->page)
        return;
    if (!list->moved)
        list->top = list->settled;
    scroll(list);
    if (list->moved)
        list->settled = list->top;
    list->moved = false;
    for (size_t i = 0; i < list->page && list->top + i < list->count; i++) {
        struct area line = {area->y + (int)i, area->x, 1, area->columns};
        row(context, &list->rows[list->top + i], &line);
        if (is_stop(list, list->top + i))
            grid_stop(grid, &line, 0, list->rows[list->top + i].key);
        if (list->top + i == list->cursor && is_stop(list, list->cursor)) {
            grid_over(grid, &line, 0, 0, line.columns, LOOK_SELECTED);
            grid_cursor(grid, &line, 0, 0);
        }
    }
}

const struct list_row *list_at(const struct list *list, int y)
{
    size_t at = list->top + (size_t)(y < 0 ? 0 : y);

    return y >= 0 && (size_t)y < list->page && at < list->count ? &list->rows[at] : NULL;
}
