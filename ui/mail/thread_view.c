/* A conversation: a title, its messages as rows, and the message that is being read. */
#include "ui/mail/thread_view.h"

#include "base/mem.h"
#include "mail/render/columns.h"
#include "mail/thread/inbox_order.h"
#include "mail/thread/thread.h"
#include "ui/mail/message_view.h"
#include "ui/ui_state.h"
#include "ui/widget/list.h"

#include <stdlib.h>

struct thread {
    struct screen screen;
    struct list list; /* item: a row of the tree */
    struct tree tree;
    uint32_t conversation; /* index in the present snapshot, or CONVERSATION_NONE */
    /* identify the message after it has moved, for example to the archive */
    uint32_t source;
    struct str team, box, id;
    uint32_t content; /* hash of its content, since other messages may have its id */
    struct message_page opened;
    size_t known; /* messages of others that were present when it was opened or last moved in */
    bool in_list; /* keys move in the list, not in the text */
};

static inline struct thread *thread_of(struct screen *screen)
{
    return (struct thread *)screen;
}

static void thread_draw(struct screen *screen, struct grid *grid, const struct area *area);

/* --- the conversation --- */

/* Returns NULL if the conversation does not exist any more. */
static const struct conversation *thread_conversation(const struct thread *thread)
{
    const struct conversations *conversations = &ui_picture(thread->screen.ui)->sight.conversations;

    return thread->conversation == CONVERSATION_NONE ? NULL
                                                     : &conversations->items[thread->conversation];
}

const struct message *thread_start(const struct conversations *conversations,
                                   const struct conversation *conversation)
{
    if (conversation->ask != REQUEST_NONE && conversation->waits_for_us)
        return conversation_request(conversations, conversation);
    for (size_t i = 0; i < conversation->count; i++) {
        const struct message *message = conversation_message(conversations, conversation, i);
        if (message_for_us(message) && message->status == STATUS_UNREAD && !message->seen)
            return message;
    }
    return conversation_message(conversations, conversation, conversation->count - 1);
}

/* --- the rows --- */

static void remember_row(struct thread *thread, const struct message *message)
{
    thread->source = message->place->source;
    str_set(&thread->team, message->place->team);
    str_set(&thread->box, message->place->box);
    str_set(&thread->id, message->id);
    thread->content = message->content;
}

static const struct message *message_here(const struct thread *thread)
{
    const struct list_row *row = list_here(&thread->list);

    return row ? picture_find(ui_picture(thread->screen.ui), row->key) : NULL;
}

static void read_here(struct thread *thread)
{
    const struct message *message = message_here(thread);

    if (!message)
        return;
    remember_row(thread, message);
    message_view_show(&thread->opened, &thread->screen, message);
    message_view_mark_seen(thread->screen.ui, message);
}

static void fill_rows(struct thread *thread)
{
    const struct picture *picture = ui_picture(thread->screen.ui);
    const struct conversations *conversations = &picture->sight.conversations;
    const struct conversation *conversation = thread_conversation(thread);
    CLEANUP(str_free) struct str key = {0};

    tree_free(&thread->tree);
    if (conversation)
        tree_build(&thread->tree, conversations, conversation);
    list_begin(&thread->list);
    for (uint32_t i = 0; i < thread->tree.count; i++) {
        str_clear(&key);
        picture_add_key(&key,
                        conversation_message(conversations, conversation, thread->tree.rows[i].at));
        list_add(&thread->list, &(struct list_row){.key = str_span(&key), .item = i});
    }
    list_end(&thread->list, false);
}

/* Counts the messages that somebody else wrote; sets the newest of them, or NULL. */
static size_t count_others(const struct thread *thread, const struct message **newest)
{
    const struct picture *picture = ui_picture(thread->screen.ui);
    size_t count = 0;

    *newest = NULL;
    for (size_t i = 0; i < thread->list.count; i++) {
        const struct message *message = picture_find(picture, thread->list.rows[i].key);
        if (!message || message->by_us)
            continue;
        count++;
        if (!*newest || message_cmp_time(message, *newest) > 0)
            *newest = message;
    }
    return count;
}

static void know_all(struct thread *thread)
{
    const struct message *ignored;

    thread->known = count_others(thread, &ignored);
}

/* Goes to a message and shows its conversation. */
static void go_to_message(struct thread *thread, const struct message *message)
{
    const struct picture *picture = ui_picture(thread->screen.ui);
    CLEANUP(str_free) struct str key = {0};

    picture_add_key(&key, message);
    uint32_t number = picture_number(picture, str_span(&key));
    thread->conversation =
        number == UINT32_MAX ? CONVERSATION_NONE : picture->sight.conversations.of[number];
    fill_rows(thread);
    list_go(&thread->list, str_span(&key));
    know_all(thread);
    read_here(thread);
}

/* Finds the message again, also if it has moved. A message that vanished stays on the screen. */
static void thread_renew(struct screen *screen)
{
    struct thread *thread = thread_of(screen);
    const struct picture *picture = ui_picture(screen->ui);
    uint32_t number = picture_number(picture, str_span(&thread->opened.key));
    const struct message *message =
        number != UINT32_MAX
            ? picture->model.messages[number]
            : picture_find_id(picture, thread->source, str_span(&thread->team),
                              str_span(&thread->box), str_span(&thread->id), thread->content);
    CLEANUP(str_free) struct str key = {0};

    if (!message) {
        thread->conversation = CONVERSATION_NONE;
        fill_rows(thread);
        return;
    }
    picture_add_key(&key, message);
    number = picture_number(picture, str_span(&key));
    thread->conversation = picture->sight.conversations.of[number];
    fill_rows(thread);
    list_go(&thread->list, str_span(&key));
    message_view_show(&thread->opened, screen, message);
}

static void thread_status(struct screen *screen, struct str *out)
{
    struct thread *thread = thread_of(screen);
    const struct message *newest;
    size_t others = count_others(thread, &newest);

    str_addf(out, "%zu/%zu  %u%%  %s", thread->list.count ? thread->list.cursor + 1 : 0,
             thread->list.count, pager_percent(&thread->opened.pager),
             thread->opened.pager.unwrapped ? "not wrapped" : "wrap");
    if (thread->opened.show_raw)
        str_puts(out, "  raw");
    if (thread->in_list)
        str_puts(out, "  in the list (^W)");
    if (others > thread->known)
        str_addf(out, "  new below: %zu (Tab)", others - thread->known);
}

/* --- acting --- */

static bool step_message(struct thread *thread, bool forward)
{
    size_t before = thread->list.cursor;

    list_act(&thread->list, forward ? ACTION_NEXT : ACTION_PREVIOUS);
    if (thread->list.cursor == before) {
        ui_info(thread->screen.ui, STYLE_DIM,
                forward ? "that was the last message" : "that was the first message");
        return false;
    }
    read_here(thread);
    return true;
}

static bool is_unread(void *context, const struct list_row *row)
{
    const struct message *message =
        picture_find(ui_picture(((struct thread *)context)->screen.ui), row->key);

    return message && message_for_us(message) && message->status == STATUS_UNREAD && !message->seen;
}

static void next_unread(struct thread *thread)
{
    const struct message *newest;
    bool is_new = count_others(thread, &newest) > thread->known;
    CLEANUP(str_free) struct str key = {0};

    if (list_seek(&thread->list, true, is_unread, thread)) {
        know_all(thread);
        read_here(thread);
    } else if (is_new) {
        know_all(thread);
        picture_add_key(&key, newest);
        list_go(&thread->list, str_span(&key));
        read_here(thread);
    } else {
        ui_info(thread->screen.ui, STYLE_DIM, "nothing else in this conversation is unread");
    }
}

/* Goes to the next conversation that waits for the person, in the order of the inbox. */
static void next_decision(struct thread *thread, bool forward)
{
    const struct conversations *conversations = &ui_picture(thread->screen.ui)->sight.conversations;
    const struct attention *order = &ui_picture(thread->screen.ui)->order;
    size_t at = 0;

    for (size_t i = 0; i < order->count; i++)
        if (order->conversations[i] == thread->conversation)
            at = i;
    for (size_t i = 1; i < order->count; i++) {
        const struct conversation *conversation =
            &conversations->items[order->conversations[(at + (forward ? i : order->count - i)) %
                                                       order->count]];
        if (conversation->waits_for_us) {
            go_to_message(thread, thread_start(conversations, conversation));
            return;
        }
    }
    ui_info(thread->screen.ui, STYLE_DIM, "nothing else waits for you");
}

static bool thread_act(struct screen *screen, enum action action, struct span argument)
{
    struct thread *thread = thread_of(screen);
    size_t before = thread->list.cursor;

    (void)argument;
    switch (action) {
    case ACTION_NEXT_MESSAGE:
    case ACTION_PREVIOUS_MESSAGE:
        step_message(thread, action == ACTION_NEXT_MESSAGE);
        return true;
    case ACTION_NEXT_UNREAD:
        next_unread(thread);
        return true;
    case ACTION_NEXT_DECISION:
    case ACTION_PREVIOUS_DECISION:
        next_decision(thread, action == ACTION_NEXT_DECISION);
        return true;
    case ACTION_OTHER_PANE:
        thread->in_list = !thread->in_list;
        return true;
    case ACTION_SCROLL:
        return message_view_act(&thread->opened, screen, action) || step_message(thread, true) ||
               true;
    default:
        break;
    }
    if (thread->in_list && list_act(&thread->list, action)) {
        if (thread->list.cursor != before)
            read_here(thread);
        return true;
    }
    return message_view_act(&thread->opened, screen, action);
}

static bool thread_targets(struct screen *screen, struct span_list *keys, struct arena *arena)
{
    struct thread *thread = thread_of(screen);

    if (message_here(thread))
        span_list_add(keys, arena_copy(arena, list_here(&thread->list)->key));
    return false;
}

static bool thread_choose(struct screen *screen, struct span key, bool open)
{
    struct thread *thread = thread_of(screen);

    (void)open; /* it is shown below in any case */
    if (!list_go(&thread->list, key))
        return false;
    read_here(thread);
    return true;
}

static void thread_free(struct screen *screen)
{
    struct thread *thread = thread_of(screen);

    list_free(&thread->list);
    tree_free(&thread->tree);
    message_view_free(&thread->opened);
    str_free(&thread->team);
    str_free(&thread->box);
    str_free(&thread->id);
    free(thread);
}

static const struct screen_ops ops = {.title = "Conversation",
                                      .where = IN_THREAD,
                                      .draw = thread_draw,
                                      .act = thread_act,
                                      .renew = thread_renew,
                                      .status = thread_status,
                                      .targets = thread_targets,
                                      .search = pager_screen_search,
                                      .choose = thread_choose,
                                      .click = list_screen_click,
                                      .free = thread_free};

struct screen *thread_new(struct ui *ui, const struct message *message)
{
    struct thread *thread = mem_zero(1, sizeof *thread);

    thread->screen = (struct screen){
        .ops = &ops, .ui = ui, .list = &thread->list, .pager = &thread->opened.pager};
    thread->opened.pager.unwrapped = !ui_config(ui)->wrap;
    ui_adopt(ui, &thread->screen);
    go_to_message(thread, message);
    return &thread->screen;
}

enum { FOLD_ROWS = 16, NARROW = 60 };

static const char *word_for(const struct sight *sight, uint32_t number)
{
    uint32_t ask = sight->asks.of[number];
    const struct message *message = sight->model->messages[number];

    if (conversation_is_superseded(&sight->conversations, number))
        return "[superseded]";
    if (ask != REQUEST_NONE && sight->asks.items[ask].open)
        return message_for_us(message) ? "[waits for you]" : "[open]";
    if (ask != REQUEST_NONE && sight->asks.items[ask].answer != REQUEST_NONE)
        return "[answered]";
    return message->place->archived ? "[archived]" : "";
}

/* Appends the progress of a handoff, or the state of the message if the person has to answer it. */
static void add_note(struct str *note, struct ui *ui, const struct conversation *conversation,
                     uint32_t at)
{
    const struct sight *sight = &ui_picture(ui)->sight;
    uint32_t number = sight->conversations.order[conversation->first + at],
             ask = sight->asks.of[number];
    const struct handoff_status *handoff_status = handoffs_of(&sight->handoffs, number);
    bool asks_us = ask != REQUEST_NONE && sight->asks.items[ask].open &&
                   message_for_us(sight->model->messages[number]);

    if (!handoff_status || asks_us) {
        str_puts(note, word_for(sight, number));
        return;
    }
    str_putc(note, '[');
    handoff_status_add_tag(note, handoff_status, ui_now(ui));
    str_putc(note, ']');
}

static void draw_row(void *context, const struct list_row *row, const struct area *line)
{
    struct thread *thread = context;
    struct ui *ui = thread->screen.ui;
    const struct conversations *conversations = &ui_picture(ui)->sight.conversations;
    const struct conversation *conversation = thread_conversation(thread);
    const struct tree_row *branch = &thread->tree.rows[row->item];
    const struct message *message = conversation_message(conversations, conversation, branch->at);
    bool unread = message_for_us(message) && message->status == STATUS_UNREAD && !message->seen;
    int style = unread ? STYLE_UNREAD : STYLE_READ;
    CLEANUP(str_free) struct str age = {0}, note = {0};

    add_note(&note, ui, conversation, branch->at);
    int right = line->columns - (int)note.len - 1, x = 0;
    x += grid_putf(&ui->grid, line, 0, 0, style, "%c%c%2u ",
                   row == list_here(&thread->list) ? '>' : ' ', unread ? 'N' : ' ', row->item + 1);
    int width = (int)columns_for_name((size_t)line->columns);
    int who =
        ui_agent_style(ui, message->place->source, message->place->team, message->from, style);
    grid_put(&ui->grid, line, 0, x, width, who, columns_name(message->from, (size_t)line->columns));
    x += width + 1;
    message_add_age(&age, message, ui_now(ui));
    x += grid_putf(&ui->grid, line, 0, x, style, "%4s ", str_c(&age));
    if (line->columns >= NARROW) {
        grid_puts(&ui->grid, line, 0, x, style,
                  message->damaged ? "damaged" : kind_word(message->kind));
        x += COLUMNS_KIND + 1;
    }
    x += grid_put(&ui->grid, line, 0, x, right - x, STYLE_DIM, branch->branch);
    grid_put(&ui->grid, line, 0, x, right - x, style, message->subject);
    grid_puts(&ui->grid, line, 0, right, style, str_c(&note));
}

static void draw_title(struct thread *thread, const struct area *line)
{
    struct ui *ui = thread->screen.ui;
    const struct conversations *conversations = &ui_picture(ui)->sight.conversations;
    const struct conversation *conversation = thread_conversation(thread);
    CLEANUP(str_free) struct str right = {0};

    if (!conversation) {
        grid_puts(&ui->grid, line, 0, 1, STYLE_WARNING,
                  "it is not there any more; this is how it was");
        return;
    }
    const struct message *first = conversation_message(conversations, conversation, 0);
    /* only the file of a damaged message is known for sure */
    struct span start = conversation->form == CONVERSATION_DAMAGED ? first->file : first->from;
    str_addf(&right, " msg %zu/%zu ", thread->list.cursor + 1, thread->list.count);
    int x = grid_put(&ui->grid, line, 0, 1, line->columns / 3, STYLE_STRONG, start);
    x += 1 + grid_puts(&ui->grid, line, 0, x + 1, STYLE_DIM, " > ");
    grid_put(&ui->grid, line, 0, x, line->columns - x - (int)right.len, STYLE_STRONG,
             conversation_subject(conversations, conversation));
    grid_puts(&ui->grid, line, 0, line->columns - (int)right.len, STYLE_DIM, str_c(&right));
}

/* Leaves out the list in a terminal with few rows: the title has the position in it. */
static void thread_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct thread *thread = thread_of(screen);
    struct area rest = *area;
    struct area title = area_take_top(&rest, 1);

    thread->list.y = area->y + area->rows; /* outside, unless the list is drawn */
    draw_title(thread, &title);
    if (area->rows >= FOLD_ROWS - 3 && thread->list.count > 1) {
        int rows = (int)thread->list.count;
        struct area list = area_take_top(&rest, rows < rest.rows / 3 ? rows : rest.rows / 3);
        list_draw(&thread->list, grid, &list, draw_row, thread);
    }
    if (rest.rows > 3) {
        struct area rule = area_take_top(&rest, 1);
        grid_rule(grid, &rule, 0, STYLE_BORDER);
    }
    message_view_draw(&thread->opened, screen, grid, &rest);
}
