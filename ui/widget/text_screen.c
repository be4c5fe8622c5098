/* Help: the keys of a screen, from the one table. */
#include "ui/widget/text_screen.h"

#include "base/mem.h"
#include "ui/ui_state.h"
#include "ui/widget/pager.h"

#include <stdlib.h>

/* A pager: any text on a screen of its own. */

struct pager {
    struct screen screen;
    struct str title, text;
    struct page page;
};

static void make_page(void *context, struct document *document,
                      const struct document_options *options)
{
    const struct pager *pager = context;

    document_text(document, str_span(&pager->text), options);
}

static void pager_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct pager *pager = (struct pager *)screen;
    struct document_options options = {.now_us = ui_now(screen->ui)};

    page_draw(&pager->page, grid, area, &options, make_page, pager);
}

static bool pager_act(struct screen *screen, enum action action, struct span argument)
{
    (void)argument;
    return page_act(&((struct pager *)screen)->page, action) || action == ACTION_SCROLL;
}

static bool pager_search(struct screen *screen, struct span text, bool forward, bool live)
{
    return page_search(&((struct pager *)screen)->page, text, forward, live);
}

static void pager_status(struct screen *screen, struct str *out)
{
    const struct pager *pager = (struct pager *)screen;

    str_addf(out, "%s  %u%%", str_c(&pager->title), page_percent(&pager->page));
}

static void pager_free(struct screen *screen)
{
    struct pager *pager = (struct pager *)screen;

    str_free(&pager->title);
    str_free(&pager->text);
    page_free(&pager->page);
    free(pager);
}

static const struct screen_ops ops = {.title = "Text",
                                      .where = IN_PAGER,
                                      .draw = pager_draw,
                                      .act = pager_act,
                                      .search = pager_search,
                                      .status = pager_status,
                                      .free = pager_free};

struct screen *pager_new(struct ui *ui, const char *title, struct span text)
{
    struct pager *pager = mem_zero(1, sizeof *pager);

    *pager = (struct pager){.screen = {.ops = &ops, .ui = ui}};
    str_puts(&pager->title, title);
    str_add_span(&pager->text, text);
    return &pager->screen;
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
    struct arena arena = {0};
    struct str text = {0};
    struct keymap_rows rows = keymap_help(&ui->keymap, where, &arena);

    if (ui->options->plain)
        str_puts(&text, plain_help);
    keymap_add_help(&text, &rows, ui->grid.clean);
    ui_push(ui, pager_new(ui, "HELP", str_span(&text)));
    str_free(&text);
    arena_free(&arena);
}
