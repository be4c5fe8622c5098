/* Lists: filling, moving, searching, drawing. */
#include "ui/widget/list.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "ui/ui.h"

#include <stdlib.h>

/* A set of keys. */

void key_set_free(struct key_set *set)
{
    map_free(&set->keys);
    arena_free(&set->arena);
    *set = (struct key_set){0};
}

bool key_set_has(const struct key_set *set, struct span key)
{
    const uint32_t *there = map_get(&set->keys, key);

    return there && *there;
}

void key_set_toggle(struct key_set *set, struct span key)
{
    bool fresh;
    uint32_t *there = map_put_copy(&set->keys, &set->arena, key, &fresh);

    *there = !*there;
}

size_t key_set_count(const struct key_set *set)
{
    size_t count = 0;

    for (size_t i = 0; i < set->keys.count; i++)
        count += set->keys.entries[i].value != 0;
    return count;
}

void list_free(struct list *list)
{
    free(list->rows);
    free(list->old_rows);
    arena_free(&list->arena);
    arena_free(&list->old_arena);
    str_free(&list->sought);
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
    struct list_row *added = mem_push(list->rows, list->count, list->cap);

    *added = *row;
    added->key = arena_copy(&list->arena, row->key);
}

static bool is_stop(const struct list *list, size_t row)
{
    return row < list->count && list->rows[row].key.at;
}

/* Returns the nearest row with a key, searching downwards first. */
static size_t suggest_stop(const struct list *list, size_t row)
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

/* Returns the new place of an old row; SIZE_MAX if it is gone. */
static size_t place_of(const struct map *places, const struct list_row *old)
{
    const uint32_t *place = old->key.at ? map_get(places, old->key) : NULL;

    return place ? *place : SIZE_MAX;
}

size_t list_find(const struct list *list, struct span key)
{
    for (size_t i = 0; key.at && i < list->count; i++)
        if (list->rows[i].key.at && span_eq(list->rows[i].key, key))
            return i;
    return SIZE_MAX;
}

static struct map map_places(const struct list *list)
{
    struct map places = {0};
    bool fresh;

    for (size_t i = 0; i < list->count; i++)
        if (list->rows[i].key.at)
            *map_put(&places, list->rows[i].key, &fresh) = (uint32_t)i;
    return places;
}

void list_keep(struct list *list, uint8_t kind)
{
    size_t before = SIZE_MAX;

    if (list->cursor >= list->old_count || !list->old_rows[list->cursor].key.at)
        return;
    struct map places = map_places(list);
    for (size_t i = list->cursor; before == SIZE_MAX && i-- > 0;)
        before = place_of(&places, &list->old_rows[i]);
    map_free(&places);
    list_add(list, &(struct list_row){
                       .key = list->old_rows[list->cursor].key, .item = UINT32_MAX, .kind = kind});
    struct list_row kept = list->rows[list->count - 1];
    size_t at = before == SIZE_MAX ? 0 : before + 1;
    memmove(list->rows + at + 1, list->rows + at, (list->count - 1 - at) * sizeof *list->rows);
    list->rows[at] = kept;
}

/* Returns the new place of the row under the cursor, or of the row that was nearest to it. */
static size_t find_again(const struct list *list)
{
    size_t found = SIZE_MAX;

    if (!list->old_count)
        return 0;
    if (list->cursor < list->old_count) /* by far the most common case */
        found = list_find(list, list->old_rows[list->cursor].key);
    if (found != SIZE_MAX)
        return found;
    CLEANUP(map_free) struct map places = map_places(list);
    for (size_t i = list->cursor; found == SIZE_MAX && i < list->old_count; i++)
        found = place_of(&places, &list->old_rows[i]);
    for (size_t i = list->cursor; found == SIZE_MAX && i-- > 0;)
        found = place_of(&places, &list->old_rows[i]);
    return found == SIZE_MAX ? 0 : found;
}

void list_end(struct list *list, bool loading)
{
    size_t height = list->cursor > list->top ? list->cursor - list->top : 0;
    /* at the top the person wants to see new rows above */
    bool at_top = list->top == 0 && list->cursor <= suggest_stop(list, 0);

    list->cursor = suggest_stop(list, find_again(list));
    list->top = list->cursor > height ? list->cursor - height : 0;
    if (at_top && list->cursor < list->pager)
        list->top = 0;
    if (!list->touched && list->loading) { /* even if all have arrived just now */
        list->top = 0;
        list->cursor = suggest_stop(list, 0);
    }
    list->moved = true;
    list->loading = loading;
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
        list->cursor = suggest_stop(list, row < list->count ? row : list->count - 1);
}

bool list_go(struct list *list, struct span key)
{
    list->moved = list->touched = true;
    size_t at = list_find(list, key);
    if (at == SIZE_MAX)
        return false;
    list->cursor = at;
    return true;
}

bool list_seek(struct list *list, bool forward,
               bool (*takes)(void *context, const struct list_row *row), void *context)
{
    list->moved = list->touched = true;
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

struct search {
    list_words *words;
    void *context;
    struct str all, folded, wanted;
};

static bool has_words(void *context, const struct list_row *row)
{
    struct search *search = context;

    str_clear(&search->all);
    str_clear(&search->folded);
    search->words(search->context, row, &search->all);
    fold_add(&search->folded, str_span(&search->all));
    return memmem(str_c(&search->folded), search->folded.len, search->wanted.at,
                  search->wanted.len) != NULL;
}

bool list_search(struct list *list, struct span text, bool forward, bool live, list_words *words,
                 void *context)
{
    const struct list_row *here = list_here(list);
    struct search search = {.words = words, .context = context};

    list->touched = true;
    if (!here)
        return false;
    if (live && !list->sought.len)
        str_add_span(&list->sought, here->key);
    if (live)
        list_go(list, str_span(&list->sought));
    if (!live || !text.len)
        str_clear(&list->sought);
    if (!text.len)
        return true;
    fold_add(&search.wanted, text);
    bool found = (live && has_words(&search, list_here(list))) ||
                 list_seek(list, forward, has_words, &search) ||
                 has_words(&search, list_here(list));
    str_free(&search.all);
    str_free(&search.folded);
    str_free(&search.wanted);
    return found;
}

static void move_rows(struct list *list, bool down, size_t by)
{
    size_t at = list->cursor;

    while (by && (down ? at + 1 < list->count : at > 0)) {
        at = down ? at + 1 : at - 1;
        if (is_stop(list, at)) {
            list->cursor = at;
            by--;
        } else if (by > 1) {
            by--; /* headings count as lines of a page */
        }
    }
}

bool list_act(struct list *list, enum action action)
{
    size_t pager = list->pager > 2 ? list->pager - 1 : 1;

    list->moved = list->touched = true;
    switch (action) {
    case ACTION_NEXT:
        move_rows(list, true, 1);
        return true;
    case ACTION_PREVIOUS:
        move_rows(list, false, 1);
        if (list->cursor == suggest_stop(list, 0))
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
    case ACTION_HALF_UP:
        move_rows(list, action == ACTION_HALF_DOWN, pager / 2 + 1);
        return true;
    case ACTION_PAGE_DOWN:
    case ACTION_PAGE_UP:
        move_rows(list, action == ACTION_PAGE_DOWN, pager);
        return true;
    default:
        return false;
    }
}

/* Scrolls to the cursor, with one more row around it if there is room. */
static void scroll_list(struct list *list)
{
    size_t pager = list->pager, around = pager > 6 ? 1 : 0;

    if (list->cursor < list->top + around)
        list->top = list->cursor > around ? list->cursor - around : 0;
    if (list->cursor + around >= list->top + pager)
        list->top = list->cursor + around + 1 - pager;
    if (list->count <= pager)
        list->top = 0;
    else if (list->top + pager > list->count)
        list->top = list->count - pager;
}

void list_draw(struct list *list, struct grid *grid, const struct area *area,
               void (*row)(void *context, const struct list_row *row, const struct area *line),
               void *context)
{
    list->pager = area->rows > 0 ? (size_t)area->rows : 0;
    list->y = area->y;
    if (!list->pager)
        return;
    if (!list->moved)
        list->top = list->settled;
    scroll_list(list);
    if (list->moved)
        list->settled = list->top;
    list->moved = false;
    for (size_t i = 0; i < list->pager && list->top + i < list->count; i++) {
        struct area line = {area->y + (int)i, area->x, 1, area->columns};
        row(context, &list->rows[list->top + i], &line);
        if (is_stop(list, list->top + i))
            grid_stop(grid, &line, 0, list->rows[list->top + i].key);
        if (list->top + i == list->cursor && is_stop(list, list->cursor)) {
            grid_over(grid, &line, 0, 0, line.columns, STYLE_SELECTED);
            grid_cursor(grid, &line, 0, 0);
        }
    }
}

const struct list_row *list_at(const struct list *list, int y)
{
    size_t at = list->top + (size_t)(y < list->y ? 0 : y - list->y);

    return y >= list->y && (size_t)(y - list->y) < list->pager && at < list->count ? &list->rows[at]
                                                                                   : NULL;
}

bool list_click(const struct list *list, struct screen *screen, int y, bool twice)
{
    const struct list_row *row = list_at(list, ui_area(screen->ui)->y + y);

    return row && row->key.at && screen->ops->choose(screen, row->key, twice);
}

bool list_screen_choose(struct screen *screen, struct span key, bool open)
{
    if (!list_go(screen->list, key))
        return false;
    if (open)
        ui_act(screen->ui, ACTION_OPEN, (struct span){0});
    return true;
}

bool list_screen_click(struct screen *screen, int y, int x, bool twice)
{
    (void)x;
    return list_click(screen->list, screen, y, twice);
}

void list_screen_seek(struct screen *screen, bool forward, const char *nothing,
                      bool (*takes)(void *context, const struct list_row *row))
{
    if (!list_seek(screen->list, forward, takes, screen))
        ui_info(screen->ui, STYLE_DIM, "%s", nothing);
}
