/* Help: the keys of a screen, from the one table. */
#include "ui/widget/help.h"

#include "ui/ui_private.h"
#include "ui/widget/pager.h"

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
