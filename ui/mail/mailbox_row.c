/* Lists of conversations: drawing a row. */
#include "mail/render/columns.h"
#include "ui/mail/mailbox_private.h"
#include "ui/ui_private.h"

/* What a narrow terminal does without; and a pane of a wide one, which is hardly ever so narrow. */
enum { NO_KIND = 60, NO_AGE = 48, PANE_NO_KIND = 40, PANE_NO_AGE = 32 };
enum { MARKS = 2, AGE = 5, SUBJECT_LEAST = 12, GONE_SHORT = 76 };

static const int looks[ATTENTION_GROUPS] = {[ATTENTION_NEEDS] = LOOK_NEEDS,
                                            [ATTENTION_UNREAD] = LOOK_UNREAD,
                                            [ATTENTION_SWARM] = LOOK_SWARM,
                                            [ATTENTION_REST] = LOOK_READ};

static void draw_group(struct mailbox *box, const struct list_row *row, const struct area *line)
{
    struct grid *grid = &box->screen.ui->grid;

    grid_rule(grid, line, 0, LOOK_GROUP);
    grid_putf(grid, line, 0, 2, LOOK_GROUP, " %s (%zu) ", attention_titles[row->item],
              box->order.counts[row->item]);
}

/* The marks at the start: what is selected or tagged, and what it is. */
static void draw_marks(struct mailbox *box, const struct list_row *row, const struct area *line,
                       char mark, int look)
{
    struct grid *grid = &box->screen.ui->grid;
    const struct list_row *here = list_here(&box->list);
    bool tagged = key_set_has(&box->tagged, row->key);
    const char text[] = {row == here ? '>' : tagged ? '*' : ' ', mark, '\0'};

    grid_puts(grid, line, 0, 0, look, text);
    if (tagged)
        grid_over(grid, line, 0, 0, line->columns, LOOK_TAGGED);
}

/* The columns before the subject; returns where that starts. */
static int draw_columns(struct mailbox *box, const struct area *line, int look, const char *age,
                        struct span who, int who_look, const char *word)
{
    struct grid *grid = &box->screen.ui->grid;
    int screen = box->panes.whole.columns, x = MARKS;

    if (screen >= NO_AGE && line->columns >= PANE_NO_AGE) {
        grid_putf(grid, line, 0, x, look, "%4s", age);
        x += AGE;
    }
    int width = (int)box->who_width;
    grid_put(grid, line, 0, x, width, who_look, who);
    x += width + 1;
    if (screen >= NO_KIND && line->columns >= PANE_NO_KIND) {
        grid_puts(grid, line, 0, x, look, word);
        x += COLUMNS_KIND + 1;
    }
    return x;
}

/* The subject, and behind it what must not be cut. */
static void draw_text(struct mailbox *box, const struct area *line, int x, int look,
                      struct span subject, struct span tail)
{
    struct grid *grid = &box->screen.ui->grid;
    int room = line->columns - x, keep = (int)tail.len;

    if (keep > room / 2 || room - keep < SUBJECT_LEAST)
        keep = 0; /* it would leave little of the subject */
    int used = grid_put(grid, line, 0, x, room - keep, look, subject);
    grid_put(grid, line, 0, x + used, room - used, look, tail);
}

static void draw_talk(struct mailbox *box, const struct list_row *row, const struct area *line)
{
    struct ui *ui = box->screen.ui;
    const struct talks *talks = &ui_picture(ui)->sight.talks;
    const struct talk *talk = &talks->items[row->item];
    struct render_style style = ui_style(ui);
    struct render_talks list = {
        .talks = talks, .order = &box->order, .columns = (size_t)line->columns};
    const struct message *first = talk_message(talks, talk, 0);

    int64_t gone_us = ui_gone_us(ui, first->place->source);

    talk_line_fill(&box->line, &list, talk, &style);
    if (gone_us) {
        str_clear(&box->line.tail);
        str_puts(&box->line.tail, line->columns < GONE_SHORT ? "  gone " : "  source gone since ");
        when_add_format(&box->line.tail, gone_us, "%H:%M");
    }
    int look = looks[box->line.group];
    struct span who = str_span(&box->line.who);
    int who_look = ui_agent_look(ui, first->place->source, first->place->team, who, look);
    int x = draw_columns(box, line, look, str_c(&box->line.age), who, who_look, box->line.word);
    draw_text(box, line, x, look, str_span(&box->line.subject), str_span(&box->line.tail));
    draw_marks(box, row, line, box->line.mark, look);
}

static void draw_message(struct mailbox *box, const struct list_row *row, const struct area *line)
{
    struct ui *ui = box->screen.ui;
    const struct talks *talks = &ui_picture(ui)->sight.talks;
    const struct talk *talk = &talks->items[row->item];
    const struct tree_row *branch = &box->trees[row->of].rows[row->part];
    const struct message *message = talk_message(talks, talk, branch->at);
    bool unread = message_for_us(message) && message->status == STATUS_UNREAD && !message->seen;
    int look = unread ? LOOK_UNREAD : LOOK_READ;
    struct str age = {0};

    message_add_age(&age, message, ui_now(ui));
    int who_look =
        ui_agent_look(ui, message->place->source, message->place->team, message->from, look);
    int x = draw_columns(box, line, look, str_c(&age),
                         columns_name(message->from, (size_t)line->columns), who_look,
                         message->damaged ? "damaged" : kind_word(message->kind));
    x += grid_put(&ui->grid, line, 0, x, line->columns - x, LOOK_DIM, branch->branch);
    draw_text(box, line, x, look, message->damaged ? span_of(message->damaged) : message->subject,
              span_of(talk_is_superseded(talks, talks->order[talk->first + branch->at])
                          ? " [superseded]"
                          : ""));
    draw_marks(box, row, line, unread ? 'N' : ' ', look);
    str_free(&age);
}

void mailbox_draw_row(void *context, const struct list_row *row, const struct area *line)
{
    static void (*const draws[])(struct mailbox * box, const struct list_row *row,
                                 const struct area *line) = {
        [ROW_GROUP] = draw_group, [ROW_TALK] = draw_talk, [ROW_MESSAGE] = draw_message};
    const struct mailbox *box = context;
    const struct talks *talks = &ui_picture(box->screen.ui)->sight.talks;

    draws[row->kind](context, row, line);
    if (row->kind != ROW_GROUP &&
        ui_gone_us(box->screen.ui, talk_message(talks, &talks->items[row->item], 0)->place->source))
        grid_look(&box->screen.ui->grid, line, 0, LOOK_DIM);
}
