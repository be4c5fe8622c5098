/* Screens with a text, such as the help. */
#include "ui/widget/text_screen.h"

#include "base/mem.h"
#include "ui/ui_state.h"
#include "ui/widget/pager.h"

#include <stdlib.h>

/* A screen with any text in a pager. */

struct text_screen {
    struct screen screen;
    struct str title, text;
    struct pager pager;
};

static void make_page(void *context, struct document *document, const struct page_options *options)
{
    const struct text_screen *text_screen = context;

    page_text(document, str_span(&text_screen->text), options);
}

static void text_screen_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct text_screen *text_screen = (struct text_screen *)screen;
    struct page_options options = {.now_us = ui_now(screen->ui)};

    pager_draw(&text_screen->pager, grid, area, &options, make_page, text_screen);
}

static bool text_screen_act(struct screen *screen, enum action action, struct span argument)
{
    (void)argument;
    return pager_act(&((struct text_screen *)screen)->pager, action) || action == ACTION_SCROLL;
}

static bool text_screen_search(struct screen *screen, struct span text, bool forward, bool live)
{
    return pager_search(&((struct text_screen *)screen)->pager, text, forward, live);
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
                                      .search = text_screen_search,
                                      .status = text_screen_status,
                                      .free = text_screen_free};

struct screen *text_screen_new(struct ui *ui, const char *title, struct span text)
{
    struct text_screen *text_screen = mem_zero(1, sizeof *text_screen);

    *text_screen = (struct text_screen){.screen = {.ops = &ops, .ui = ui}};
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
