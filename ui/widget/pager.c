/* A page: scrolling, drawing and searching a document. */
#include "ui/widget/pager.h"

void page_free(struct page *page)
{
    document_free(&page->document);
    document_matches_free(&page->matches);
    str_free(&page->sought);
    *page = (struct page){0};
}

void page_stale(struct page *page)
{
    page->columns = 0;
}

void page_reset(struct page *page)
{
    page->columns = 0;
    page->top = page->left = 0;
    document_clear(&page->document);
}

static size_t last_top(const struct page *page)
{
    size_t lines = page->document.line_count;

    return lines > page->rows ? lines - page->rows : 0;
}

static void make_page(struct page *page, const struct document_options *options,
                      void (*fill)(void *context, struct document *document,
                                   const struct document_options *options),
                      void *context)
{
    struct document_options mine = *options;
    bool had = page->document.line_count > 0;
    struct document_place place = {0};

    if (had)
        place = document_place(&page->document, page->top);
    mine.whole = page->unwrapped;
    document_clear(&page->document);
    fill(context, &page->document, &mine);
    page->columns = options->columns;
    page->made_us = options->now_us;
    if (had && page->top)
        page->top = document_line_at(&page->document, place);
    if (page->sought.len)
        document_search(&page->document, str_span(&page->sought), &page->matches);
}

/* Lays what was found over a piece that begins at that column. */
static void show_found(const struct page *page, struct grid *grid, const struct area *area, int y,
                       int x, const struct document_piece *piece)
{
    struct area line = {area->y + y, area->x, 1, area->columns};
    size_t at = document_match_at(&page->matches, piece->at);

    for (; at < page->matches.count && page->matches.items[at].from < piece->at + piece->len;
         at++) {
        const struct document_match *match = &page->matches.items[at];
        uint32_t from = match->from > piece->at ? match->from - piece->at : 0;
        uint32_t to = match->to < piece->at + piece->len ? match->to - piece->at : piece->len;
        struct grid scratch = {.clean = grid->clean};
        struct area all = {0, 0, 1, (int)piece->columns + 1};
        grid_resize(&scratch, 1, all.columns);
        const char *text = page->document.text.at + piece->at;
        int before = grid_put(&scratch, &all, 0, 0, all.columns, 0, (struct span){text, from});
        int until = grid_put(&scratch, &all, 0, 0, all.columns, 0, (struct span){text, to});
        grid_free(&scratch);
        grid_over(grid, &line, 0, x + before, until - before, LOOK_FOUND);
    }
}

static void draw_line(const struct page *page, struct grid *grid, const struct area *area, int y,
                      size_t number)
{
    const struct document_line *line = &page->document.lines[number];
    struct area row = {area->y + y, area->x, 1, area->columns};
    int x = -(int)page->left;

    for (uint32_t i = 0; i < line->count && x < area->columns; i++) {
        const struct document_piece *piece = &page->document.pieces[line->first + i];
        struct span text = {page->document.text.at + piece->at, piece->len};
        grid_put_from(grid, &row, 0, x, piece->look, text);
        if (page->matches.count)
            show_found(page, grid, area, y, x, piece);
        x += (int)piece->columns;
    }
}

/* Whether an age in it is not true any more. */
static bool has_aged(const struct page *page, int64_t now_us)
{
    int64_t ages_us = page->document.ages_us;

    return ages_us && (now_us >= ages_us || now_us < page->made_us);
}

void page_draw(struct page *page, struct grid *grid, const struct area *area,
               const struct document_options *options,
               void (*fill)(void *context, struct document *document,
                            const struct document_options *options),
               void *context)
{
    struct document_options mine = *options;

    page->rows = area->rows > 0 ? (size_t)area->rows : 0;
    mine.columns = area->columns > 2 ? (size_t)area->columns : 2;
    mine.clean = grid->clean;
    if (page->columns != mine.columns || has_aged(page, options->now_us))
        make_page(page, &mine, fill, context);
    if (page->top > last_top(page))
        page->top = last_top(page);
    for (size_t i = 0; i < page->rows && page->top + i < page->document.line_count; i++)
        draw_line(page, grid, area, (int)i, page->top + i);
}

static bool scroll_page(struct page *page, bool down, size_t by)
{
    size_t before = page->top, most = last_top(page);

    if (down)
        page->top = page->top + by < most ? page->top + by : most;
    else
        page->top = page->top > by ? page->top - by : 0;
    return page->top != before;
}

bool page_act(struct page *page, enum action action)
{
    size_t full = page->rows > 1 ? page->rows - 1 : 1;

    switch (action) {
    case ACTION_NEXT:
    case ACTION_PREVIOUS:
        scroll_page(page, action == ACTION_NEXT, 1);
        return true;
    case ACTION_HALF_DOWN:
    case ACTION_HALF_UP:
        scroll_page(page, action == ACTION_HALF_DOWN, page->rows / 2 + 1);
        return true;
    case ACTION_PAGE_DOWN:
    case ACTION_PAGE_UP:
        scroll_page(page, action == ACTION_PAGE_DOWN, full);
        return true;
    case ACTION_SCROLL:
        return scroll_page(page, true, full);
    case ACTION_FIRST:
        page->top = 0;
        return true;
    case ACTION_LAST:
        page->top = last_top(page);
        return true;
    case ACTION_SCROLL_LEFT:
    case ACTION_SCROLL_RIGHT:
        if (!page->unwrapped)
            return true;
        if (action == ACTION_SCROLL_RIGHT && page->left + page->columns < page->document.widest)
            page->left += page->columns / 2;
        else if (action == ACTION_SCROLL_LEFT)
            page->left -= page->left < page->columns / 2 ? page->left : page->columns / 2;
        return true;
    case ACTION_WRAP:
        page->unwrapped = !page->unwrapped;
        page->left = 0;
        page_stale(page);
        return true;
    default:
        return false;
    }
}

static void go_to_match(struct page *page)
{
    size_t line = page->matches.items[page->match].line;

    if (line < page->top || line >= page->top + page->rows)
        page->top = line > page->rows / 3 ? line - page->rows / 3 : 0;
}

bool page_search(struct page *page, struct span text, bool forward, bool live)
{
    if (live && !page->searching)
        page->began = page->top;
    page->searching = live && text.len;
    if (!text.len && !live) /* one begins */
        return true;
    if (!text.len) { /* it was given up */
        page->top = page->began;
        str_clear(&page->sought);
        page->matches.count = 0;
        return true;
    }
    bool same = span_eq(str_span(&page->sought), text);
    str_set(&page->sought, text);
    document_search(&page->document, text, &page->matches);
    if (!page->matches.count)
        return false;
    if (live || !same)
        page->match = document_match_from(&page->matches, live ? page->began : page->top);
    else
        page->match += forward ? 1 : page->matches.count - 1;
    page->match %= page->matches.count;
    go_to_match(page);
    return true;
}

bool page_at_end(const struct page *page)
{
    return page->top >= last_top(page);
}

unsigned page_percent(const struct page *page)
{
    size_t lines = page->document.line_count, end = page->top + page->rows;

    if (!lines || end >= lines)
        return 100;
    return (unsigned)(end * 100 / lines);
}

bool page_was_read(const struct page *page, const struct area *area)
{
    return !page->unwrapped && area->rows > 0 && page_at_end(page);
}
