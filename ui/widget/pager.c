/* The pager: scrolling, drawing and searching a document. */
#include "ui/widget/pager.h"

#include "base/mem.h"
#include "ui/ui_state.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

/* Incremental search in a screen. */

static void search_screen(struct ui *ui, struct span text, bool forward, bool live)
{
    struct screen *screen = ui_top(ui);

    if (!text.len || !screen->ops->search)
        return;
    if (!screen->ops->search(screen, text, forward, live))
        ui_info(ui, STYLE_WARNING, "nothing here matches \"%.*s\"", (int)text.len, text.at);
}

static void cancel_search(struct ui *ui, void *context)
{
    struct screen *screen = ui_top(ui);

    (void)context;
    if (screen->ops->search)
        screen->ops->search(screen, (struct span){0}, true, true);
}

static void change_search(struct ui *ui, void *context, struct span text)
{
    if (text.len)
        search_screen(ui, text, true, true);
    else
        cancel_search(ui, context);
}

/* Searches once more: the key has cleared the warning of the last search. */
static bool accept_search(struct ui *ui, void *context, struct span text)
{
    (void)context;
    str_set(&ui->sought, text);
    search_screen(ui, text, true, true);
    return true;
}

static const struct prompt_spec spec = {.label = "/",
                                        .history = HISTORY_SEARCH,
                                        .changed = change_search,
                                        .accept = accept_search,
                                        .cancel = cancel_search};

static void open_prompt(struct ui *ui)
{
    struct screen *screen = ui_top(ui);

    if (screen->ops->search) {
        screen->ops->search(screen, (struct span){0}, true, false);
        ui_prompt(ui, &spec, (struct span){0}, NULL);
    } else {
        ui_info(ui, STYLE_WARNING, "there is nothing to search here");
    }
}

bool search_act(struct ui *ui, enum action action, struct span argument)
{
    if (action == ACTION_SEARCH && !argument.len) {
        open_prompt(ui);
        return true;
    }
    if (action == ACTION_SEARCH)
        str_set(&ui->sought, argument);
    if (!ui->sought.len)
        ui_info(ui, STYLE_DIM, "nothing was sought yet; / starts a search");
    search_screen(ui, str_span(&ui->sought), action != ACTION_SEARCH_PREVIOUS, false);
    return true;
}

/* Screens with a text, such as the help. */

/* A screen with any text in a pager. */

struct text_screen {
    struct screen screen;
    struct str title, text;
    struct pager pager;
};

static void fill_page(void *context, struct document *document, const struct page_options *options)
{
    const struct text_screen *text_screen = context;

    page_text(document, str_span(&text_screen->text), options);
}

static void text_screen_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct text_screen *text_screen = (struct text_screen *)screen;
    struct page_options options = {.now_us = ui_now(screen->ui)};

    pager_draw(&text_screen->pager, grid, area, &options, fill_page, text_screen);
}

static bool text_screen_act(struct screen *screen, enum action action, struct span argument)
{
    (void)argument;
    return pager_act(&((struct text_screen *)screen)->pager, action) || action == ACTION_SCROLL;
}

bool pager_screen_search(struct screen *screen, struct span text, bool forward, bool live)
{
    return pager_search(screen->pager, text, forward, live);
}

static void text_screen_status(struct screen *screen, struct str *out)
{
    const struct text_screen *text_screen = (struct text_screen *)screen;

    str_addf(out, "%s  %u%%", str_c(&text_screen->title), pager_percent(&text_screen->pager));
}

static void text_screen_free(struct screen *screen)
{
    struct text_screen *text_screen = (struct text_screen *)screen;

    str_free(&text_screen->title);
    str_free(&text_screen->text);
    pager_free(&text_screen->pager);
    free(text_screen);
}

static const struct screen_ops ops = {.title = "Text",
                                      .where = IN_PAGER,
                                      .draw = text_screen_draw,
                                      .act = text_screen_act,
                                      .search = pager_screen_search,
                                      .status = text_screen_status,
                                      .free = text_screen_free};

struct screen *text_screen_new(struct ui *ui, const char *title, struct span text)
{
    struct text_screen *text_screen = mem_zero(1, sizeof *text_screen);

    *text_screen =
        (struct text_screen){.screen = {.ops = &ops, .ui = ui, .pager = &text_screen->pager}};
    str_puts(&text_screen->title, title);
    str_add_span(&text_screen->text, text);
    return &text_screen->screen;
}

static const char plain_help[] =
    "Type a line:\n"
    "  NUMBER           open the row with that number\n"
    "  NUMBER ACTION    do it to that row: 3 archive\n"
    "  ACTION           one of the names below, with what belongs behind it: filter is:unread\n"
    "  KEYS             as they stand below: gg, za, ]; but a number is a row, views have names\n"
    "  /TEXT            search\n"
    "  COMMAND          a command of the program: send, list, help query\n"
    "  an empty line    show it again, or the next page\n"
    "  quit             leave; so does the end of the input (^D)\n"
    "^C gives a line or a question up. What came meanwhile is told before the next prompt.\n\n";

void help_open(struct ui *ui, unsigned where)
{
    CLEANUP(arena_free) struct arena arena = {0};
    CLEANUP(str_free) struct str text = {0};
    struct keymap_rows rows = keymap_help(&ui->keymap, where, &arena);

    if (ui->options->plain)
        str_puts(&text, plain_help);
    keymap_add_help(&text, &rows, ui->grid.clean);
    ui_push(ui, text_screen_new(ui, "HELP", str_span(&text)));
}

void pager_free(struct pager *pager)
{
    page_free(&pager->document);
    page_matches_free(&pager->matches);
    str_free(&pager->sought);
    *pager = (struct pager){0};
}

void pager_stale(struct pager *pager)
{
    pager->columns = 0;
}

void pager_reset(struct pager *pager)
{
    pager->columns = 0;
    pager->top = pager->left = 0;
    page_clear(&pager->document);
}

static size_t last_top(const struct pager *pager)
{
    size_t lines = pager->document.line_count;

    return lines > pager->rows ? lines - pager->rows : 0;
}

static void make_page(struct pager *pager, const struct page_options *options,
                      void (*fill)(void *context, struct document *document,
                                   const struct page_options *options),
                      void *context)
{
    struct page_options mine = *options;
    bool had = pager->document.line_count > 0;
    struct page_place place = {0};

    if (had)
        place = page_place(&pager->document, pager->top);
    mine.whole = pager->unwrapped;
    page_clear(&pager->document);
    fill(context, &pager->document, &mine);
    pager->columns = options->columns;
    pager->made_us = options->now_us;
    if (had && pager->top)
        pager->top = page_line_at(&pager->document, place);
    if (pager->sought.len)
        page_search(&pager->document, str_span(&pager->sought), &pager->matches);
}

/* Marks the matches in a piece that begins at that column. */
static void show_found(const struct pager *pager, struct grid *grid, const struct area *area, int y,
                       int x, const struct page_piece *piece)
{
    struct area line = {area->y + y, area->x, 1, area->columns};
    size_t at = page_match_at(&pager->matches, piece->at);

    for (; at < pager->matches.count && pager->matches.items[at].from < piece->at + piece->len;
         at++) {
        const struct page_match *match = &pager->matches.items[at];
        uint32_t from = match->from > piece->at ? match->from - piece->at : 0;
        uint32_t to = match->to < piece->at + piece->len ? match->to - piece->at : piece->len;
        CLEANUP(grid_free) struct grid scratch = {.clean = grid->clean};
        struct area all = {0, 0, 1, (int)piece->columns + 1};
        grid_resize(&scratch, 1, all.columns);
        const char *text = pager->document.text.at + piece->at;
        int before = grid_put(&scratch, &all, 0, 0, all.columns, 0, (struct span){text, from});
        int until = grid_put(&scratch, &all, 0, 0, all.columns, 0, (struct span){text, to});
        grid_over(grid, &line, 0, x + before, until - before, STYLE_FOUND);
    }
}

static void draw_line(const struct pager *pager, struct grid *grid, const struct area *area, int y,
                      size_t number)
{
    const struct page_line *line = &pager->document.lines[number];
    struct area row = {area->y + y, area->x, 1, area->columns};
    int x = -(int)pager->left;

    for (uint32_t i = 0; i < line->count && x < area->columns; i++) {
        const struct page_piece *piece = &pager->document.pieces[line->first + i];
        struct span text = {pager->document.text.at + piece->at, piece->len};
        grid_put_from(grid, &row, 0, x, piece->style, text);
        if (pager->matches.count)
            show_found(pager, grid, area, y, x, piece);
        x += (int)piece->columns;
    }
}

/* Reports whether an age in the document is out of date. */
static bool has_aged(const struct pager *pager, int64_t now_us)
{
    int64_t ages_us = pager->document.ages_us;

    return ages_us && (now_us >= ages_us || now_us < pager->made_us);
}

void pager_draw(struct pager *pager, struct grid *grid, const struct area *area,
                const struct page_options *options,
                void (*fill)(void *context, struct document *document,
                             const struct page_options *options),
                void *context)
{
    struct page_options mine = *options;

    pager->rows = area->rows > 0 ? (size_t)area->rows : 0;
    mine.columns = area->columns > 2 ? (size_t)area->columns : 2;
    mine.clean = grid->clean;
    if (pager->columns != mine.columns || has_aged(pager, options->now_us))
        make_page(pager, &mine, fill, context);
    if (pager->top > last_top(pager))
        pager->top = last_top(pager);
    for (size_t i = 0; i < pager->rows && pager->top + i < pager->document.line_count; i++)
        draw_line(pager, grid, area, (int)i, pager->top + i);
}

static bool scroll_page(struct pager *pager, bool down, size_t by)
{
    size_t before = pager->top, most = last_top(pager);

    if (down)
        pager->top = pager->top + by < most ? pager->top + by : most;
    else
        pager->top = pager->top > by ? pager->top - by : 0;
    return pager->top != before;
}

bool pager_act(struct pager *pager, enum action action)
{
    size_t full = pager->rows > 1 ? pager->rows - 1 : 1;

    switch (action) {
    case ACTION_NEXT:
    case ACTION_PREVIOUS:
        scroll_page(pager, action == ACTION_NEXT, 1);
        return true;
    case ACTION_HALF_DOWN:
    case ACTION_HALF_UP:
        scroll_page(pager, action == ACTION_HALF_DOWN, pager->rows / 2 + 1);
        return true;
    case ACTION_PAGE_DOWN:
    case ACTION_PAGE_UP:
        scroll_page(pager, action == ACTION_PAGE_DOWN, full);
        return true;
    case ACTION_SCROLL:
        return scroll_page(pager, true, full);
    case ACTION_FIRST:
        pager->top = 0;
        return true;
    case ACTION_LAST:
        pager->top = last_top(pager);
        return true;
    case ACTION_SCROLL_LEFT:
    case ACTION_SCROLL_RIGHT:
        if (!pager->unwrapped)
            return true;
        if (action == ACTION_SCROLL_RIGHT && pager->left + pager->columns < pager->document.widest)
            pager->left += pager->columns / 2;
        else if (action == ACTION_SCROLL_LEFT)
            pager->left -= pager->left < pager->columns / 2 ? pager->left : pager->columns / 2;
        return true;
    case ACTION_WRAP:
        pager->unwrapped = !pager->unwrapped;
        pager->left = 0;
        pager_stale(pager);
        return true;
    default:
        return false;
    }
}

static void go_to_match(struct pager *pager)
{
    size_t line = pager->matches.items[pager->match].line;

    if (line < pager->top || line >= pager->top + pager->rows)
        pager->top = line > pager->rows / 3 ? line - pager->rows / 3 : 0;
}

bool pager_search(struct pager *pager, struct span text, bool forward, bool live)
{
    if (live && !pager->searching)
        pager->began = pager->top;
    pager->searching = live && text.len;
    if (!text.len && !live) /* a search begins */
        return true;
    if (!text.len) { /* the search was given up */
        pager->top = pager->began;
        str_clear(&pager->sought);
        pager->matches.count = 0;
        return true;
    }
    bool same = span_eq(str_span(&pager->sought), text);
    str_set(&pager->sought, text);
    page_search(&pager->document, text, &pager->matches);
    if (!pager->matches.count)
        return false;
    if (live || !same)
        pager->match = page_match_from(&pager->matches, live ? pager->began : pager->top);
    else
        pager->match += forward ? 1 : pager->matches.count - 1;
    pager->match %= pager->matches.count;
    go_to_match(pager);
    return true;
}

bool pager_at_end(const struct pager *pager)
{
    return pager->top >= last_top(pager);
}

unsigned pager_percent(const struct pager *pager)
{
    size_t lines = pager->document.line_count, end = pager->top + pager->rows;

    if (!lines || end >= lines)
        return 100;
    return (unsigned)(end * 100 / lines);
}

bool pager_was_read(const struct pager *pager, const struct area *area)
{
    return !pager->unwrapped && area->rows > 0 && pager_at_end(pager);
}
