/* The decide view: the queue of requests above, and the selected one in full below. */
#include "ui/decide/decide_view.h"

#include "base/mem.h"
#include "mail/render/columns.h"
#include "mail/thread/inbox_order.h"
#include "mail/thread/request.h"
#include "ui/decide/approve.h"
#include "ui/decide/decide_many.h"
#include "ui/decide/request_view.h"
#include "ui/decide/undo_window.h"
#include "ui/mail/thread_view.h"
#include "ui/screen.h"
#include "ui/snapshot/picture.h"
#include "ui/ui_state.h"
#include "ui/widget/list.h"

#include <stdlib.h>

/* Forged lead commands and answers as rows of the queue: collected from all mail, judged by the
 * store. */

static void forget_rows(struct forged_rows *rows)
{
    free(rows->items);
    arena_free(&rows->arena);
    rows->items = NULL;
    rows->count = rows->cap = 0;
    rows->arena = (struct arena){0};
}

static void decide_forged_free(struct forged_rows *rows)
{
    forget_rows(rows);
    map_free(&rows->settled);
    arena_free(&rows->settled_keys);
    *rows = (struct forged_rows){0};
}

/* --- finding them --- */

struct forged_task {
    struct ui_task task;
    struct kept_heads heads; /* memory of the messages and requests in `list` */
    struct forged_list list;
    enum config_answers how;
    struct forged_rows *rows; /* the screen's; only for forged_task_done(), which is not called once
                               * the screen is closed */
    void (*take)(struct screen *screen);
};

static void forged_task_work(struct ui_task *task, struct store *store)
{
    struct forged_task *it = (struct forged_task *)task;
    struct err ignored; /* a ledger that cannot be read is reported with each request */

    task->ok = store_judge_forged(store, &it->list, it->how, false, &ignored);
}

static struct span keep_key(struct arena *arena, const struct message *message)
{
    CLEANUP(str_free) struct str key = {0};

    if (!message)
        return (struct span){0};
    picture_add_key(&key, message);
    return arena_copy(arena, str_span(&key));
}

/* Appends the key of a message in `settled`. The key of an answer includes its request and whether
 * that is archived: an answer to an archived request is not shown, but is judged again if the
 * request is restored. */
static void add_settled_key(struct str *key, const struct forged *item)
{
    picture_add_key(key, item->message);
    if (item->request) {
        bool archived = item->request->place->archived || item->request->status == STATUS_ARCHIVED;
        str_putc(key, '\0');
        str_putc(key, archived ? 'a' : 'i');
        picture_add_key(key, item->request);
    }
}

static void keep_item(struct forged_rows *rows, const struct forged *item)
{
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    if (item->state == FORGED_NO) {
        add_settled_key(&key, item);
        *map_put_copy(&rows->settled, &rows->settled_keys, str_span(&key), &fresh) =
            item->message->print;
    } else {
        const struct message *shown = item->request ? item->request : item->message;
        *mem_push(rows->items, rows->count, rows->cap) = (struct forged_row){
            .state = item->state,
            .key = keep_key(&rows->arena, shown),
            .answer = keep_key(&rows->arena, item->request ? item->message : NULL)};
    }
}

static void forged_task_done(struct ui_task *task, struct ui *ui)
{
    struct forged_task *it = (struct forged_task *)task;

    forget_rows(it->rows);
    for (size_t i = 0; task->ok && i < it->list.count; i++)
        keep_item(it->rows, &it->list.items[i]);
    it->rows->looked |= task->ok;
    it->take(ui_screen(ui, task->screen));
}

static void task_free(struct ui_task *task)
{
    struct forged_task *it = (struct forged_task *)task;

    forged_list_free(&it->list);
    kept_heads_free(&it->heads);
    free(it);
}

/* True if the message was judged as not forged and its bytes are the same. */
static bool is_settled(const struct forged_rows *rows, const struct forged *item, struct str *key)
{
    str_clear(key);
    add_settled_key(key, item);
    const uint32_t *print = map_get(&rows->settled, str_span(key));
    return print && *print == item->message->print;
}

static struct message *keep_head(struct kept_heads *heads, const struct message *message)
{
    if (!message)
        return NULL;
    kept_heads_add(heads, message);
    return heads->items[heads->count - 1];
}

static void find_candidates(const struct forged_rows *rows, const struct picture *picture,
                            struct forged_task *it)
{
    CLEANUP(forged_list_free) struct forged_list all = {0};
    CLEANUP(str_free) struct str key = {0};

    forged_collect(&all, &picture->model, &picture->sight.asks);
    for (size_t i = 0; i < all.count; i++)
        if (!is_settled(rows, &all.items[i], &key))
            forged_add(&it->list, keep_head(&it->heads, all.items[i].message),
                       keep_head(&it->heads, all.items[i].request));
}

/* Checks all mail again in the background, once it is loaded. `take` is called when `rows`, which
 * must be a part of the screen, have changed. */
static void decide_forged_find(struct forged_rows *rows, struct screen *screen,
                               void (*take)(struct screen *screen))
{
    const struct picture *picture = ui_picture(screen->ui);

    if (!picture->ready) /* an answer could be read before its request */
        return;
    struct forged_task *it = mem_zero(1, sizeof *it);
    it->task = (struct ui_task){.work = forged_task_work,
                                .done = forged_task_done,
                                .free = task_free,
                                .screen = screen->id};
    it->take = take;
    it->rows = rows;
    it->how = ui_config(screen->ui)->answers_elsewhere;
    find_candidates(rows, picture, it);
    if (it->list.count || !rows->looked) {
        ui_begin(screen->ui, UI_READ, &it->task);
        return;
    }
    task_free(&it->task);
    forget_rows(rows);
    take(screen);
}

/* --- in the list --- */

static void decide_forged_add(const struct forged_rows *rows, const struct picture *picture,
                              struct list *list, bool alarms)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct forged_row *item = &rows->items[i];
        bool answered = item->state != FORGED_ORDER;
        uint32_t number = picture_number(picture, item->key);
        uint32_t answer = answered ? picture_number(picture, item->answer) : 0;
        if ((item->state != FORGED_NOTE) != alarms || number == UINT32_MAX || answer == UINT32_MAX)
            continue;
        uint32_t ask = picture->sight.asks.of[number];
        if (answered && (ask == REQUEST_NONE || picture->sight.asks.items[ask].open))
            continue; /* the request is open again and has a row of its own */
        list_add(list, &(struct list_row){.key = item->key,
                                          .item = number,
                                          .of = answer,
                                          .part = item->state == FORGED_ALARM,
                                          .kind = answered ? ROW_ANSWERED : ROW_FORGED});
    }
}

/* Returns the number of rows in the list that nobody has to decide. */
static size_t decide_forged_notes(const struct list *list)
{
    size_t count = 0;

    for (size_t i = 0; i < list->count; i++)
        count += list->rows[i].kind == ROW_ANSWERED && !list->rows[i].part;
    return count;
}

/* True, after a message, if the row was answered already and the action would decide it. */
static bool decide_forged_refuses(struct ui *ui, const struct list_row *row, enum action action)
{
    if (!row || row->kind != ROW_ANSWERED || actions[action].group != GROUP_DECIDE)
        return false;
    approve_refuse(
        ui, action,
        "it was answered in your name, not from here: d puts it away, and a reply reaches the "
        "agent");
    return true;
}

struct decide {
    struct screen screen;
    struct list list; /* item: an index into the model; key: that of the message */
    struct request_page shown;
    struct forged_rows forged;
    struct decide_notes notes;
    struct key_set tagged;   /* keys of requests */
    struct message selected; /* head of the selected message, also after it vanished */
    struct arena arena;      /* memory of `selected` */
    struct str acted;        /* key of the request that the person last acted on */
    bool leaves_gone;        /* true while the person leaves a request that is gone */
    bool in_list;
};

static inline struct decide *decide_of(struct screen *screen)
{
    return (struct decide *)screen;
}

static size_t decide_waiting(const struct decide *decide);

/* --- drawing --- */

enum { LIST_ROWS = 20 }; /* with fewer rows there is no list */
enum { WAITING_ROOM = 17, REQUEST_ROOM = WAITING_ROOM + 15 };

/* Draws the risk note at the end of the row; returns its columns, at most `most`. */
static int draw_note(struct decide *decide, const struct list_row *row, const struct area *line,
                     int most)
{
    struct span note = risk_notes_of(&decide->notes, row->key);
    CLEANUP(str_free) struct str text = {0};

    if (!note.len)
        return 0;
    str_addf(&text, "  [%.*s]", (int)note.len, note.at);
    int columns = (int)text.len < most ? (int)text.len : most;
    grid_put(&decide->screen.ui->grid, line, 0, line->columns - columns, columns, STYLE_WARNING,
             str_span(&text));
    return columns;
}

static void draw_row(void *context, const struct list_row *row, const struct area *line)
{
    struct decide *decide = context;
    struct ui *ui = decide->screen.ui;
    const struct message *message =
        row->kind == ROW_GONE ? &decide->selected : ui_picture(ui)->model.messages[row->item];
    enum style style = row->kind == ROW_GONE ? STYLE_DIM : STYLE_NEEDS;
    int width = (int)columns_for_name((size_t)line->columns);
    CLEANUP(str_free) struct str age = {0}, title = {0};

    message_add_age(&age, message, ui_now(ui));
    request_add_title(&title, message);
    int x = grid_putf(&ui->grid, line, 0, 0, style, "%c%c%4s ",
                      row == list_here(&decide->list) ? '>' : ' ',
                      key_set_has(&decide->tagged, row->key) ? '*' : ' ',
                      undo_window_has(ui, row->key) ? "HELD"
                      : row->kind == ROW_GONE       ? "GONE"
                                                    : str_c(&age));
    grid_put(&ui->grid, line, 0, x, width, style,
             columns_name(message->from, (size_t)line->columns));
    x += width + 1;
    bool alarm = row_is_alarm(row);
    grid_puts(&ui->grid, line, 0, x, alarm ? STYLE_ERROR : style,
              alarm ? "ALARM" : kind_word(message->kind));
    x += COLUMNS_KIND + 1;
    if (row->kind == ROW_FORGED || row->kind == ROW_ANSWERED)
        x += grid_puts(&ui->grid, line, 0, x, alarm ? STYLE_ERROR : STYLE_DIM,
                       row->kind == ROW_FORGED ? "not yours: "
                                               : "answered in your name, not from here: ");
    int room = line->columns - x, spare = room - (int)title.len;
    room -= draw_note(decide, row, line, spare > room / 2 ? spare : room / 2);
    grid_put(&ui->grid, line, 0, x, room, style, str_span(&title));
    if (ui_gone_us(ui, message->place->source))
        grid_look(&ui->grid, line, 0, STYLE_DIM);
}

/* Draws, for example: PERM from tester-2 req 7c2e waiting 2m 1 of 3 */
static void draw_title(struct decide *decide, const struct message *message,
                       const struct area *line)
{
    struct ui *ui = decide->screen.ui;
    CLEANUP(str_free) struct str right = {0}, age = {0};

    if (decide->shown.gone.len)
        str_addf(&right, "gone; %zu wait ", decide_waiting(decide));
    else
        str_addf(&right, "%zu of %zu ", decide->list.cursor + 1, decide->list.count);
    message_add_age(&age, message, ui_now(ui));
    int x =
        1 + grid_putf(&ui->grid, line, 0, 1, STYLE_STRONG, "%s from ",
                      row_is_alarm(list_here(&decide->list)) ? "ALARM" : kind_word(message->kind));
    int room = line->columns - (int)right.len;
    x += grid_put(&ui->grid, line, 0, x, room - x, STYLE_STRONG, message->from);
    struct span name = message->thread.len ? message->thread : message->id;
    if (room - x > REQUEST_ROOM) {
        x += grid_puts(&ui->grid, line, 0, x, STYLE_DIM, "    req ");
        x += grid_put(&ui->grid, line, 0, x, room - x - WAITING_ROOM, STYLE_PLAIN, name);
    }
    if (age.len && room - x >= WAITING_ROOM)
        grid_putf(&ui->grid, line, 0, x, STYLE_PLAIN, "    waiting %s", str_c(&age));
    grid_puts(&ui->grid, line, 0, room, STYLE_STRONG, str_c(&right));
}

static void decide_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct decide *decide = decide_of(screen);
    const struct message *message = list_here(&decide->list) ? &decide->selected : NULL;
    struct area rest = *area;

    decide->list.y = area->y + area->rows; /* outside, unless the list is drawn */
    if (!message) {
        grid_puts(grid, area, 1, 2, STYLE_DIM,
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
        grid_rule(grid, &rule, 0, STYLE_BORDER);
    }
    struct area title = area_take_top(&rest, 1);
    draw_title(decide, message, &title);
    if (rest.rows > 4) {
        struct area rule = area_take_top(&rest, 1);
        grid_rule(grid, &rule, 0, STYLE_BORDER);
    }
    request_view_draw(&decide->shown, screen, grid, &rest);
}

/* Returns the message of the row under the cursor, or NULL. It may be answered already. */
static const struct message *decide_message_here(const struct decide *decide)
{
    const struct list_row *row = list_here(&decide->list);

    return row ? picture_find(ui_picture(decide->screen.ui), row->key) : NULL;
}

/* Adds the open requests in the order of their conversations in the inbox, all requests of a
 * conversation together, between the alarms and the other notes. */
static void add_rows(struct decide *decide)
{
    const struct sight *sight = &ui_picture(decide->screen.ui)->sight;
    const struct conversations *conversations = &sight->conversations;
    const struct attention *order = &ui_picture(decide->screen.ui)->order;
    CLEANUP(str_free) struct str key = {0};

    list_begin(&decide->list);
    decide_forged_add(&decide->forged, ui_picture(decide->screen.ui), &decide->list, true);
    for (size_t i = 0; i < order->count; i++) {
        const struct conversation *conversation = &conversations->items[order->conversations[i]];
        for (uint32_t k = 0; conversation->waits_for_us && k < conversation->count; k++) {
            uint32_t number = conversations->order[conversation->first + k],
                     ask = sight->asks.of[number];
            const struct message *message = sight->model->messages[number];
            if (ask == REQUEST_NONE || !sight->asks.items[ask].open || !message_for_us(message))
                continue;
            str_clear(&key);
            picture_add_key(&key, message);
            list_add(&decide->list, &(struct list_row){.key = str_span(&key), .item = number});
        }
    }
    decide_forged_add(&decide->forged, ui_picture(decide->screen.ui), &decide->list, false);
}

/* Returns the row of a request with the same id and sender as the one that is shown, which somebody
 * has written again; SIZE_MAX if there is none. */
static size_t find_rewritten(const struct decide *decide)
{
    const struct model *model = &ui_picture(decide->screen.ui)->model;
    const struct request_snapshot *shown = request_view_request(&decide->shown);

    if (!shown || !request_is_native(shown))
        return SIZE_MAX;
    for (size_t i = 0; i < decide->list.count; i++) {
        const struct message *message = model->messages[decide->list.rows[i].item];
        if (span_eq(message->from, decide->selected.from) &&
            span_eq(message->thread, decide->selected.thread) &&
            message->place->source == decide->selected.place->source)
            return i;
    }
    return SIZE_MAX;
}

/* True if the request that was shown is gone because the person answered it or has just acted on
 * it. */
static bool is_gone_by_us(const struct decide *decide)
{
    struct span key = str_span(&decide->shown.key);

    return key.len && list_find(&decide->list, key) == SIZE_MAX &&
           (key_set_has(&decide->screen.ui->answered, key) ||
            span_eq(key, str_span(&decide->acted)));
}

/* Fills the list. No row moves under the person's keys: a request that is gone keeps its row until
 * the person moves on, and one that was written again replaces the old one. */
static void fill_rows(struct decide *decide)
{
    struct span key = str_span(&decide->shown.key);
    size_t rewritten = SIZE_MAX;

    add_rows(decide);
    if (key.len && !decide->leaves_gone && list_find(&decide->list, key) == SIZE_MAX &&
        !is_gone_by_us(decide)) {
        rewritten = find_rewritten(decide);
        if (rewritten == SIZE_MAX)
            list_keep(&decide->list, ROW_GONE);
    }
    list_end(&decide->list, false);
    if (rewritten != SIZE_MAX)
        list_go_to(&decide->list, rewritten);
    decide->leaves_gone = false;
}

/* Returns the plan that this one replaces, or NULL. */
static const struct message *plan_before(const struct decide *decide, const struct list_row *row)
{
    const struct sight *sight = &ui_picture(decide->screen.ui)->sight;
    uint32_t ask = sight->asks.of[row->item];
    uint32_t before = ask == REQUEST_NONE ? REQUEST_NONE : sight->asks.items[ask].supersedes;

    return before == REQUEST_NONE ? NULL
                                  : sight->model->messages[sight->asks.items[before].message];
}

/* Returns the reason why a request is not open any more. */
static const char *why_gone(const struct decide *decide)
{
    const struct sight *sight = &ui_picture(decide->screen.ui)->sight;
    uint32_t number = picture_number(ui_picture(decide->screen.ui), str_span(&decide->shown.key));
    uint32_t ask = number == UINT32_MAX ? REQUEST_NONE : sight->asks.of[number];

    if (undo_window_has(decide->screen.ui, str_span(&decide->shown.key)))
        return "your answer is being sent";
    if (number == UINT32_MAX)
        return "its message is not in the mailbox any more";
    if (ask == REQUEST_NONE)
        return "it does not ask for anything any more";
    if (sight->asks.items[ask].answer != REQUEST_NONE)
        return "it was answered, but not by a decision from here";
    if (sight->asks.items[ask].superseded_by != REQUEST_NONE)
        return "a later plan took its place";
    return "it was archived, marked as done, or has expired";
}

/* Shows the request under the cursor. `asked` is true if the person went there. */
static void read_here(struct decide *decide, bool asked)
{
    const struct list_row *row = list_here(&decide->list);
    const struct message *message = decide_message_here(decide);

    bool answered = row && message && row->kind == ROW_ANSWERED;

    if (row && row->kind == ROW_GONE) {
        request_view_set_gone(&decide->shown, &decide->screen, why_gone(decide));
        return;
    }
    asked |= is_gone_by_us(decide); /* the person expects the next one */
    if (message) {
        arena_free(&decide->arena);
        decide->arena = (struct arena){0};
        message_keep(&decide->selected, message, &decide->arena);
    }
    decide->shown.forged = row && row->kind == ROW_FORGED;
    request_view_answered(&decide->shown, answered, answered && row->part);
    request_view_show(&decide->shown, &decide->screen, message,
                      answered         ? ui_picture(decide->screen.ui)->model.messages[row->of]
                      : row && message ? plan_before(decide, row)
                                       : NULL,
                      asked);
}

static void take_forged(struct screen *screen)
{
    struct decide *decide = decide_of(screen);

    fill_rows(decide);
    read_here(decide, false);
}

/* True for requests that can be approved. An agent that declines to stop asks for nothing, so there
 * are no risks to note. */
static bool is_judged(const struct decide *decide, const struct list_row *row)
{
    return row->kind == ROW_REQUEST &&
           !message_turns_down(ui_picture(decide->screen.ui)->model.messages[row->item]);
}

static void find_notes(struct decide *decide)
{
    CLEANUP(mem_free) uint32_t *requests = mem_zero(decide->list.count + 1, sizeof *requests);
    size_t count = 0;

    for (size_t i = 0; i < decide->list.count; i++)
        if (is_judged(decide, &decide->list.rows[i]))
            requests[count++] = decide->list.rows[i].item;
    risk_notes_find(&decide->notes, &decide->screen, requests, count);
}

static void decide_renew(struct screen *screen)
{
    fill_rows(decide_of(screen));
    read_here(decide_of(screen), false);
    find_notes(decide_of(screen));
    decide_forged_find(&decide_of(screen)->forged, screen, take_forged);
}

/* Counts the tagged requests that are still open and not decided; adds their keys to `keys` unless
 * it is NULL. */
static size_t count_tagged(const struct decide *decide, struct span_list *keys)
{
    size_t count = 0;

    for (size_t i = 0; i < decide->list.count; i++) {
        const struct list_row *row = &decide->list.rows[i];
        if (row->kind != ROW_REQUEST || !key_set_has(&decide->tagged, row->key) ||
            undo_window_has(decide->screen.ui, row->key))
            continue;
        if (keys)
            span_list_add(keys, row->key);
        count++;
    }
    return count;
}

static void add_held(struct ui *ui, struct str *out)
{
    CLEANUP(str_free) struct str label = {0};
    int64_t seconds = undo_window_next(ui, &label);

    if (seconds >= 0)
        str_addf(out, "  HELD %zu, sent in %llds (u undoes)", undo_window_count(ui),
                 (long long)seconds);
}

/* Returns how many rows wait for the person. */
static size_t decide_waiting(const struct decide *decide)
{
    const struct list_row *row = list_here(&decide->list);

    return decide->list.count - decide_forged_notes(&decide->list) - (row && row->kind == ROW_GONE);
}

static void decide_status(struct screen *screen, struct str *out)
{
    struct decide *decide = decide_of(screen);

    size_t notes = decide_forged_notes(&decide->list);
    str_addf(out, "DECIDE %zu", decide_waiting(decide));
    if (notes)
        str_addf(out, "  not from here:%zu", notes);
    add_held(decide->screen.ui, out);
    if (decide->list.count && !pager_at_end(&decide->shown.pager))
        str_addf(out, "  %u%%: there is more below", pager_percent(&decide->shown.pager));
    else if (decide->list.count)
        str_puts(out, "  all of it is shown");
    if (decide->list.count && !decide->shown.gone.len &&
        settle_left_us(&decide->shown.settle, screen->ui) > 0)
        str_puts(out, "  settling");
    size_t tagged = count_tagged(decide, NULL);
    if (tagged)
        str_addf(out, "  tagged:%zu", tagged);
    if (decide->shown.show_raw)
        str_puts(out, "  raw");
}

static int64_t decide_due_us(struct screen *screen)
{
    return settle_due_us(&decide_of(screen)->shown.settle, screen->ui);
}

/* Shows the request that the cursor was moved to. A request that is gone loses its row when the
 * cursor leaves it. */
static void leave_row(struct decide *decide)
{
    const struct list_row *row = list_here(&decide->list);

    if (decide->shown.gone.len && row && row->kind != ROW_GONE) {
        read_here(decide, true);
        fill_rows(decide);
    } else {
        read_here(decide, true);
    }
}

/* Removes the row of a request that is gone and goes to the next one; false if the request is not
 * gone. */
static bool close_gone(struct decide *decide)
{
    if (!decide->shown.gone.len)
        return false;
    decide->leaves_gone = true;
    fill_rows(decide);
    read_here(decide, true);
    return true;
}

static void step_request(struct decide *decide, bool forward)
{
    size_t before = decide->list.cursor;

    list_act(&decide->list, forward ? ACTION_NEXT : ACTION_PREVIOUS);
    if (decide->list.cursor == before && close_gone(decide))
        return;
    if (decide->list.cursor == before)
        ui_info(decide->screen.ui, STYLE_DIM,
                forward ? "that was the last request" : "that was the first request");
    leave_row(decide);
}

/* --- tags --- */

static void tag_here(struct decide *decide)
{
    const struct list_row *row = list_here(&decide->list);

    if (!row || row->kind != ROW_REQUEST) {
        ui_info(decide->screen.ui, STYLE_DIM, "only requests are tagged here");
        return;
    }
    key_set_toggle(&decide->tagged, row->key);
    step_request(decide, true);
}

/* If requests are tagged, an action that decides applies to all of them, after their list was
 * read. */
static bool decide_tagged(struct decide *decide, enum action action)
{
    CLEANUP(span_list_free) struct span_list keys = {0};

    if (action < ACTION_APPROVE || action > ACTION_DENY || !count_tagged(decide, &keys))
        return false;
    decide_many_open(decide->screen.ui, action, &keys);
    return true;
}

/* True for moving, scrolling and opening: a key that decides never acknowledges a change. */
static bool acknowledges(enum action action)
{
    return actions[action].group == GROUP_MOVE || action == ACTION_OPEN || action == ACTION_SCROLL;
}

static bool decide_act(struct screen *screen, enum action action, struct span argument)
{
    struct decide *decide = decide_of(screen);
    const struct message *message = decide_message_here(decide);
    bool acknowledged = acknowledges(action) && request_view_acknowledge(&decide->shown);

    str_clear(&decide->acted);
    if (actions[action].group == GROUP_ACT)
        str_add_span(&decide->acted, str_span(&decide->shown.key));
    switch (action) {
    case ACTION_NEXT_DECISION:
    case ACTION_PREVIOUS_DECISION:
    case ACTION_NEXT_UNREAD:
        step_request(decide, action != ACTION_PREVIOUS_DECISION);
        return true;
    case ACTION_OPEN:
        if (close_gone(decide) || acknowledged)
            return true;
        if (message)
            ui_push(screen->ui, thread_new(screen->ui, message));
        return true;
    case ACTION_OTHER_PANE:
        decide->in_list = !decide->in_list;
        return true;
    case ACTION_TAG_REQUEST:
        tag_here(decide);
        return true;
    case ACTION_UNTAG_ALL:
        key_set_free(&decide->tagged);
        return true;
    case ACTION_SCROLL:
        if (!request_view_act(&decide->shown, action))
            ui_info(screen->ui, STYLE_DIM, "that was all of it; ] goes to the next request");
        return true;
    default:
        break;
    }
    if (decide->in_list && list_act(&decide->list, action)) {
        leave_row(decide);
        return true;
    }
    return decide_forged_refuses(screen->ui, list_here(&decide->list), action) ||
           decide_tagged(decide, action) ||
           approve_act(screen, &decide->shown, message, action, argument) ||
           request_view_act(&decide->shown, action);
}

static bool decide_offers(struct screen *screen, enum action action)
{
    const struct list_row *row = list_here(&decide_of(screen)->list);
    const struct message *message = decide_message_here(decide_of(screen));

    if (row && row->kind == ROW_ANSWERED && actions[action].group == GROUP_DECIDE)
        return false;
    return actions[action].group != GROUP_DECIDE || approve_offers(message, action);
}

static uint64_t decide_stamp(struct screen *screen)
{
    return decide_of(screen)->shown.stamp;
}

static bool decide_targets(struct screen *screen, struct span_list *keys, struct arena *arena)
{
    const struct list_row *row = list_here(&decide_of(screen)->list);

    if (row)
        span_list_add(keys, arena_copy(arena, row->key));
    return false;
}

static bool decide_choose(struct screen *screen, struct span key, bool open)
{
    struct decide *decide = decide_of(screen);

    (void)open; /* it is shown below in any case */
    if (!list_go(&decide->list, key))
        return false;
    leave_row(decide);
    return true;
}

static bool decide_click(struct screen *screen, int y, int x, bool twice)
{
    struct decide *decide = decide_of(screen);
    const struct list_row *row = list_at(&decide->list, ui_area(screen->ui)->y + y);

    (void)x;
    if (!row || !decide_choose(screen, row->key, false))
        return false;
    if (twice)
        ui_act(screen->ui, ACTION_OPEN, (struct span){0});
    return true;
}

static void decide_free(struct screen *screen)
{
    struct decide *decide = decide_of(screen);

    list_free(&decide->list);
    request_view_free(&decide->shown);
    decide_forged_free(&decide->forged);
    risk_notes_free(&decide->notes);
    arena_free(&decide->arena);
    str_free(&decide->acted);
    key_set_free(&decide->tagged);
    free(decide);
}

static const struct screen_ops ops = {.title = "Decide",
                                      .where = IN_DECIDE,
                                      .draw = decide_draw,
                                      .act = decide_act,
                                      .renew = decide_renew,
                                      .status = decide_status,
                                      .targets = decide_targets,
                                      .offers = decide_offers,
                                      .stamp = decide_stamp,
                                      .search = pager_screen_search,
                                      .choose = decide_choose,
                                      .due_us = decide_due_us,
                                      .click = decide_click,
                                      .free = decide_free};

static struct screen *decide_new(struct ui *ui)
{
    struct decide *decide = mem_zero(1, sizeof *decide);

    decide->screen = (struct screen){
        .ops = &ops, .ui = ui, .list = &decide->list, .pager = &decide->shown.pager};
    return &decide->screen;
}

static size_t count_waiting(const struct ui *ui)
{
    return ui_picture(ui)->counts.waiting;
}

const struct view view_decide = {.title = "Decide", .open = decide_new, .count = count_waiting};
