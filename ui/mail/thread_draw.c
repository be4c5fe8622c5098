/* A conversation, drawn: its title, its messages as rows, and what is read. */
#include "mail/render/columns.h"
#include "ui/mail/thread_private.h"

enum { FOLD_ROWS = 16, NARROW = 60 };

static const char *word_for(const struct sight *sight, uint32_t number)
{
    uint32_t ask = sight->asks.of[number];
    const struct message *message = sight->model->messages[number];

    if (talk_is_superseded(&sight->talks, number))
        return "[superseded]";
    if (ask != ASK_NONE && sight->asks.items[ask].open)
        return message_for_us(message) ? "[waits for you]" : "[open]";
    if (ask != ASK_NONE && sight->asks.items[ask].answer != ASK_NONE)
        return "[answered]";
    return message->place->archived ? "[archived]" : "";
}

/* A handoff says how far it has come, unless the person is to say something to it. */
static void add_note(struct str *note, struct ui *ui, const struct talk *talk, uint32_t at)
{
    const struct sight *sight = &ui_picture(ui)->sight;
    uint32_t number = sight->talks.order[talk->first + at], ask = sight->asks.of[number];
    const struct course *course = courses_of(&sight->handoffs, number);
    bool asks_us = ask != ASK_NONE && sight->asks.items[ask].open &&
                   message_for_us(sight->model->messages[number]);

    if (!course || asks_us) {
        str_puts(note, word_for(sight, number));
        return;
    }
    str_putc(note, '[');
    course_add_tag(note, course, ui_now(ui));
    str_putc(note, ']');
}

static void draw_row(void *context, const struct list_row *row, const struct area *line)
{
    struct thread *thread = context;
    struct ui *ui = thread->screen.ui;
    const struct talks *talks = &ui_picture(ui)->sight.talks;
    const struct talk *talk = thread_talk(thread);
    const struct tree_row *branch = &thread->tree.rows[row->item];
    const struct message *message = talk_message(talks, talk, branch->at);
    bool unread = message_for_us(message) && message->status == STATUS_UNREAD && !message->seen;
    int look = unread ? LOOK_UNREAD : LOOK_READ;
    struct str age = {0}, note = {0};

    add_note(&note, ui, talk, branch->at);
    int right = line->columns - (int)note.len - 1, x = 0;
    x += grid_putf(&ui->grid, line, 0, 0, look, "%c%c%2u ",
                   row == list_here(&thread->list) ? '>' : ' ', unread ? 'N' : ' ', row->item + 1);
    int width = (int)columns_for_name((size_t)line->columns);
    int who = ui_agent_look(ui, message->place->source, message->place->team, message->from, look);
    grid_put(&ui->grid, line, 0, x, width, who, columns_name(message->from, (size_t)line->columns));
    x += width + 1;
    message_add_age(&age, message, ui_now(ui));
    x += grid_putf(&ui->grid, line, 0, x, look, "%4s ", str_c(&age));
    if (line->columns >= NARROW) {
        grid_puts(&ui->grid, line, 0, x, look,
                  message->damaged ? "damaged" : kind_word(message->kind));
        x += COLUMNS_KIND + 1;
    }
    x += grid_put(&ui->grid, line, 0, x, right - x, LOOK_DIM, branch->branch);
    grid_put(&ui->grid, line, 0, x, right - x, look, message->subject);
    grid_puts(&ui->grid, line, 0, right, look, str_c(&note));
    str_free(&age);
    str_free(&note);
}

static void draw_title(struct thread *thread, const struct area *line)
{
    struct ui *ui = thread->screen.ui;
    const struct talks *talks = &ui_picture(ui)->sight.talks;
    const struct talk *talk = thread_talk(thread);
    struct str right = {0};

    if (!talk) {
        grid_puts(&ui->grid, line, 0, 1, LOOK_WARNING,
                  "it is not there any more; this is how it was");
        return;
    }
    const struct message *first = talk_message(talks, talk, 0);
    /* of a damaged one the file is all that is known for sure */
    struct span start = talk->form == TALK_DAMAGED ? first->file : first->from;
    str_addf(&right, " msg %zu/%zu ", thread->list.cursor + 1, thread->list.count);
    int x = grid_put(&ui->grid, line, 0, 1, line->columns / 3, LOOK_STRONG, start);
    x += 1 + grid_puts(&ui->grid, line, 0, x + 1, LOOK_DIM, " > ");
    grid_put(&ui->grid, line, 0, x, line->columns - x - (int)right.len, LOOK_STRONG,
             talk_subject(talks, talk));
    grid_puts(&ui->grid, line, 0, line->columns - (int)right.len, LOOK_DIM, str_c(&right));
    str_free(&right);
}

/* In few rows the list is one line: the title tells where in it we are. */
void thread_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct thread *thread = thread_of(screen);
    struct area rest = *area;
    struct area title = area_take_top(&rest, 1);

    thread->list.y = area->y + area->rows; /* nowhere, unless it is drawn */
    draw_title(thread, &title);
    if (area->rows >= FOLD_ROWS - 3 && thread->list.count > 1) {
        int rows = (int)thread->list.count;
        struct area list = area_take_top(&rest, rows < rest.rows / 3 ? rows : rest.rows / 3);
        list_draw(&thread->list, grid, &list, draw_row, thread);
    }
    if (rest.rows > 3) {
        struct area rule = area_take_top(&rest, 1);
        grid_rule(grid, &rule, 0, LOOK_BORDER);
    }
    message_page_draw(&thread->opened, screen, grid, &rest);
}
