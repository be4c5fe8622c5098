/* Decide: drawing the queue and the request. */
#include "mail/render/columns.h"
#include "mail/thread/ask_text.h"
#include "ui/decide/decide_private.h"
#include "ui/decide/holding.h"

enum { LIST_ROWS = 20 }; /* with fewer rows the request has all of them */
enum { WAITING_ROOM = 17, REQUEST_ROOM = WAITING_ROOM + 15 };

/* At the end of the row; how many columns it takes, at most so many. */
static int draw_note(struct decide *decide, const struct list_row *row, const struct area *line,
                     int most)
{
    struct span note = decide_notes_of(&decide->notes, row->key);
    struct str text = {0};

    if (!note.len)
        return 0;
    str_addf(&text, "  [%.*s]", (int)note.len, note.at);
    int columns = (int)text.len < most ? (int)text.len : most;
    grid_put(&decide->screen.ui->grid, line, 0, line->columns - columns, columns, LOOK_WARNING,
             str_span(&text));
    str_free(&text);
    return columns;
}

static void draw_row(void *context, const struct list_row *row, const struct area *line)
{
    struct decide *decide = context;
    struct ui *ui = decide->screen.ui;
    const struct message *message =
        row->kind == ROW_GONE ? &decide->selected : ui_picture(ui)->model.messages[row->item];
    enum look look = row->kind == ROW_GONE ? LOOK_DIM : LOOK_NEEDS;
    int width = (int)columns_for_name((size_t)line->columns);
    struct str age = {0}, title = {0};

    message_add_age(&age, message, ui_now(ui));
    ask_add_title(&title, message);
    int x = grid_putf(&ui->grid, line, 0, 0, look, "%c%c%4s ",
                      row == list_here(&decide->list) ? '>' : ' ',
                      key_set_has(&decide->tagged, row->key) ? '*' : ' ',
                      holding_has(ui, row->key) ? "HELD"
                      : row->kind == ROW_GONE   ? "GONE"
                                                : str_c(&age));
    grid_put(&ui->grid, line, 0, x, width, look,
             columns_name(message->from, (size_t)line->columns));
    x += width + 1;
    bool alarm = row_is_alarm(row);
    grid_puts(&ui->grid, line, 0, x, alarm ? LOOK_ERROR : look,
              alarm ? "ALARM" : kind_word(message->kind));
    x += COLUMNS_KIND + 1;
    if (row->kind == ROW_FOREIGN || row->kind == ROW_ANSWERED)
        x += grid_puts(&ui->grid, line, 0, x, alarm ? LOOK_ERROR : LOOK_DIM,
                       row->kind == ROW_FOREIGN ? "not yours: "
                                                : "answered in your name, not from here: ");
    int room = line->columns - x, spare = room - (int)title.len;
    room -= draw_note(decide, row, line, spare > room / 2 ? spare : room / 2);
    grid_put(&ui->grid, line, 0, x, room, look, str_span(&title));
    if (ui_gone_us(ui, message->place->source))
        grid_look(&ui->grid, line, 0, LOOK_DIM);
    str_free(&age);
    str_free(&title);
}

/* PERM from tester-2   req 7c2e   waiting 2m                 1 of 3 */
static void draw_title(struct decide *decide, const struct message *message,
                       const struct area *line)
{
    struct ui *ui = decide->screen.ui;
    struct str right = {0}, age = {0};

    if (decide->shown.gone.len)
        str_addf(&right, "gone; %zu wait ", decide_waiting(decide));
    else
        str_addf(&right, "%zu of %zu ", decide->list.cursor + 1, decide->list.count);
    message_add_age(&age, message, ui_now(ui));
    int x =
        1 + grid_putf(&ui->grid, line, 0, 1, LOOK_STRONG, "%s from ",
                      row_is_alarm(list_here(&decide->list)) ? "ALARM" : kind_word(message->kind));
    int room = line->columns - (int)right.len;
    x += grid_put(&ui->grid, line, 0, x, room - x, LOOK_STRONG, message->from);
    struct span name = message->thread.len ? message->thread : message->id;
    if (room - x > REQUEST_ROOM) {
        x += grid_puts(&ui->grid, line, 0, x, LOOK_DIM, "    req ");
        x += grid_put(&ui->grid, line, 0, x, room - x - WAITING_ROOM, LOOK_PLAIN, name);
    }
    if (age.len && room - x >= WAITING_ROOM)
        grid_putf(&ui->grid, line, 0, x, LOOK_PLAIN, "    waiting %s", str_c(&age));
    grid_puts(&ui->grid, line, 0, room, LOOK_STRONG, str_c(&right));
    str_free(&right);
    str_free(&age);
}

void decide_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct decide *decide = decide_of(screen);
    const struct message *message = list_here(&decide->list) ? &decide->selected : NULL;
    struct area rest = *area;

    decide->list.y = area->y + area->rows; /* nowhere, unless it is drawn */
    if (!message) {
        grid_puts(grid, area, 1, 2, LOOK_DIM,
                  ui_picture(screen->ui)->ready
                      ? "nothing waits for you; what does will appear here by itself"
                      : "looking for mail ...");
        return;
    }
    if (area->rows >= LIST_ROWS && decide->list.count > 1) {
        int rows = (int)decide->list.count;
        struct area list = area_take_top(&rest, rows < area->rows / 4 ? rows : area->rows / 4);
        list_draw(&decide->list, grid, &list, draw_row, decide);
        struct area rule = area_take_top(&rest, 1);
        grid_rule(grid, &rule, 0, LOOK_BORDER);
    }
    struct area title = area_take_top(&rest, 1);
    draw_title(decide, message, &title);
    if (rest.rows > 4) {
        struct area rule = area_take_top(&rest, 1);
        grid_rule(grid, &rule, 0, LOOK_BORDER);
    }
    request_page_draw(&decide->shown, screen, grid, &rest);
}
