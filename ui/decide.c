/* Decide: the queue above, the request that is looked at below, whole. */
#include "ui/decide.h"

#include "base/mem.h"
#include "mail/ask.h"
#include "mail/ask_text.h"
#include "mail/attention.h"
#include "mail/columns.h"
#include "ui/alarm_rows.h"
#include "ui/decide_batch.h"
#include "ui/holding.h"
#include "ui/list.h"
#include "ui/queue_notes.h"
#include "ui/shown.h"
#include "ui/thread.h"
#include "ui/ui_private.h"
#include "ui/verdict.h"

#include <stdlib.h>

enum { LIST_ROWS = 20 }; /* with fewer rows the request has all of them */
enum { WAITING_ROOM = 17, REQUEST_ROOM = WAITING_ROOM + 15 };

enum { ROW_REQUEST, ROW_ALARM };

struct decide {
    struct screen screen;
    struct list list; /* item: a message of the model; key: the message's */
    struct shown shown;
    struct alarm_rows alarms;
    struct queue_notes notes;
    struct map tagged;        /* keys of requests */
    struct arena tags;        /* of those */
    struct str from, request; /* of the one under the cursor */
    bool in_list, touched;
    int list_y; /* where the list was drawn; below everything: nowhere */
};

static struct decide *decide_of(struct screen *screen)
{
    return (struct decide *)screen;
}

static struct shown *shown_of(struct screen *screen)
{
    return &decide_of(screen)->shown;
}

static const struct message *message_here(const struct decide *decide)
{
    const struct list_row *row = list_here(&decide->list);

    return row ? picture_find(ui_picture(decide->screen.ui), row->key) : NULL;
}

/* Requests in the order of their conversations in the inbox; all that one conversation asks. */
static void fill_list(struct decide *decide)
{
    const struct sight *sight = &ui_picture(decide->screen.ui)->sight;
    const struct talks *talks = &sight->talks;
    const struct attention *order = &ui_picture(decide->screen.ui)->order;
    struct str key = {0};

    list_begin(&decide->list);
    for (size_t i = 0; i < decide->alarms.keys.count; i++) {
        uint32_t number =
            picture_number(ui_picture(decide->screen.ui), decide->alarms.keys.items[i]);
        if (number != UINT32_MAX)
            list_add(&decide->list, &(struct list_row){.key = decide->alarms.keys.items[i],
                                                       .item = number,
                                                       .kind = ROW_ALARM});
    }
    for (size_t i = 0; i < order->count; i++) {
        const struct talk *talk = &talks->items[order->talks[i]];
        for (uint32_t k = 0; talk->waits_for_us && k < talk->count; k++) {
            uint32_t number = talks->order[talk->first + k], ask = sight->asks.of[number];
            const struct message *message = sight->model->messages[number];
            if (ask == ASK_NONE || !sight->asks.items[ask].open || !message_for_us(message))
                continue;
            str_clear(&key);
            picture_add_key(&key, message);
            list_add(&decide->list, &(struct list_row){.key = str_span(&key), .item = number});
        }
    }
    list_end(&decide->list);
    str_free(&key);
}

/* One that somebody has written anew is another message: the request is the same, and so is where
 * the person is. */
static void follow(struct decide *decide, struct span from, struct span request)
{
    const struct model *model = &ui_picture(decide->screen.ui)->model;

    for (size_t i = 0; request.len && i < decide->list.count; i++) {
        const struct message *message = model->messages[decide->list.rows[i].item];
        if (span_eq(message->from, from) && span_eq(message->thread, request)) {
            list_go_to(&decide->list, i);
            return;
        }
    }
}

static void fill(struct decide *decide)
{
    const struct message *here;
    struct str key = {0};

    str_add_span(&key, str_span(&decide->shown.key));
    fill_list(decide);
    if (!decide->touched)
        list_go_to(&decide->list, 0);
    else if (key.len && !list_go(&decide->list, str_span(&key)))
        follow(decide, str_span(&decide->from), str_span(&decide->request));
    here = message_here(decide);
    str_clear(&decide->from);
    str_clear(&decide->request);
    if (here) {
        str_add_span(&decide->from, here->from);
        str_add_span(&decide->request, here->thread);
    }
    str_free(&key);
}

/* The plan whose place this one takes, or NULL. */
static const struct message *plan_before(const struct decide *decide, const struct list_row *row)
{
    const struct sight *sight = &ui_picture(decide->screen.ui)->sight;
    uint32_t ask = sight->asks.of[row->item];
    uint32_t before = ask == ASK_NONE ? ASK_NONE : sight->asks.items[ask].supersedes;

    return before == ASK_NONE ? NULL : sight->model->messages[sight->asks.items[before].message];
}

static void read_here(struct decide *decide)
{
    const struct list_row *row = list_here(&decide->list);
    const struct message *message = message_here(decide);

    decide->shown.alarm = row && row->kind == ROW_ALARM;
    shown_show(&decide->shown, &decide->screen, message, message ? plan_before(decide, row) : NULL,
               shown_of);
}

static void take_alarms(struct screen *screen, struct alarm_rows *rows)
{
    struct decide *decide = decide_of(screen);

    alarm_rows_free(&decide->alarms);
    decide->alarms = *rows;
    *rows = (struct alarm_rows){0};
    fill(decide);
    read_here(decide);
}

static struct queue_notes *notes_of(struct screen *screen)
{
    return &decide_of(screen)->notes;
}

/* Whether it can be said yes to: who will not stop asks for nothing, and is not to be trusted less
 * for that. */
static bool is_judged(const struct decide *decide, const struct list_row *row)
{
    return row->kind == ROW_REQUEST &&
           !message_turns_down(ui_picture(decide->screen.ui)->model.messages[row->item]);
}

static void find_notes(struct decide *decide)
{
    uint32_t *requests = mem_zero(decide->list.count + 1, sizeof *requests);
    size_t count = 0;

    for (size_t i = 0; i < decide->list.count; i++)
        if (is_judged(decide, &decide->list.rows[i]))
            requests[count++] = decide->list.rows[i].item;
    queue_notes_find(&decide->notes, &decide->screen, requests, count, notes_of);
    free(requests);
}

static void decide_renew(struct screen *screen)
{
    fill(decide_of(screen));
    read_here(decide_of(screen));
    find_notes(decide_of(screen));
    alarm_rows_find(screen, take_alarms);
}

static void add_waiting(struct str *out, struct ui *ui, const struct message *message)
{
    message_add_age(out, message, ui_now(ui));
}

/* At the end of the row; how many columns it takes, at most so many. */
static int draw_note(struct decide *decide, const struct list_row *row, const struct area *line,
                     int most)
{
    struct span note = queue_notes_of(&decide->notes, row->key);
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
    const struct message *message = ui_picture(ui)->model.messages[row->item];
    int width = (int)columns_for_name((size_t)line->columns);
    struct str age = {0}, title = {0};

    add_waiting(&age, ui, message);
    ask_add_title(&title, message);
    int x = grid_putf(&ui->grid, line, 0, 0, LOOK_NEEDS, "%c%c%4s ",
                      row == list_here(&decide->list) ? '>' : ' ',
                      map_get(&decide->tagged, row->key) ? '*' : ' ',
                      holding_has(ui, row->key) ? "HELD" : str_c(&age));
    grid_put(&ui->grid, line, 0, x, width, LOOK_NEEDS,
             columns_name(message->from, (size_t)line->columns));
    x += width + 1;
    grid_puts(&ui->grid, line, 0, x, row->kind == ROW_ALARM ? LOOK_ERROR : LOOK_NEEDS,
              row->kind == ROW_ALARM ? "ALARM" : kind_word(message->kind));
    x += COLUMNS_KIND + 1;
    if (row->kind == ROW_ALARM)
        x += grid_puts(&ui->grid, line, 0, x, LOOK_ERROR, "not yours: ");
    int room = line->columns - x, spare = room - (int)title.len;
    room -= draw_note(decide, row, line, spare > room / 2 ? spare : room / 2);
    grid_put(&ui->grid, line, 0, x, room, LOOK_NEEDS, str_span(&title));
    str_free(&age);
    str_free(&title);
}

/* PERM from tester-2   req 7c2e   waiting 2m                 1 of 3 */
static void draw_title(struct decide *decide, const struct message *message,
                       const struct area *line)
{
    struct ui *ui = decide->screen.ui;
    struct str right = {0}, age = {0};

    str_addf(&right, "%zu of %zu ", decide->list.cursor + 1, decide->list.count);
    add_waiting(&age, ui, message);
    int x = 1 + grid_putf(&ui->grid, line, 0, 1, LOOK_STRONG, "%s from ",
                          decide->shown.alarm ? "ALARM" : kind_word(message->kind));
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

static void decide_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct decide *decide = decide_of(screen);
    const struct message *message = message_here(decide);
    struct area rest = *area;

    decide->list_y = area->rows;
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
        decide->list_y = list.y - area->y;
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
    shown_draw(&decide->shown, screen, grid, &rest);
}

/* Requests that are tagged, still there and not decided; their keys are added to the list, if any.
 */
static size_t count_tagged(const struct decide *decide, struct span_list *keys)
{
    size_t count = 0;

    for (size_t i = 0; i < decide->list.count; i++) {
        const struct list_row *row = &decide->list.rows[i];
        if (row->kind != ROW_REQUEST || !map_get(&decide->tagged, row->key) ||
            holding_has(decide->screen.ui, row->key))
            continue;
        if (keys)
            span_list_add(keys, row->key);
        count++;
    }
    return count;
}

static void add_held(struct ui *ui, struct str *out)
{
    struct str label = {0};
    int64_t seconds = holding_next(ui, &label);

    if (seconds >= 0)
        str_addf(out, "  HELD %zu, sent in %llds (u undoes)", holding_count(ui),
                 (long long)seconds);
    str_free(&label);
}

static void decide_status(struct screen *screen, struct str *out)
{
    struct decide *decide = decide_of(screen);

    str_addf(out, "DECIDE %zu", decide->list.count);
    add_held(decide->screen.ui, out);
    if (decide->list.count && !page_at_end(&decide->shown.page))
        str_addf(out, "  %u%%: there is more below", page_percent(&decide->shown.page));
    else if (decide->list.count)
        str_puts(out, "  all of it is shown");
    size_t tagged = count_tagged(decide, NULL);
    if (tagged)
        str_addf(out, "  tagged:%zu", tagged);
    if (decide->shown.show_raw)
        str_puts(out, "  raw");
}

static void step(struct decide *decide, bool forward)
{
    size_t before = decide->list.cursor;

    list_act(&decide->list, forward ? ACTION_NEXT : ACTION_PREVIOUS);
    if (decide->list.cursor == before)
        ui_say(decide->screen.ui, LOOK_DIM,
               forward ? "that was the last request" : "that was the first request");
    read_here(decide);
}

/* --- tags --- */

static void untag_all(struct decide *decide)
{
    map_free(&decide->tagged);
    decide->tagged = (struct map){0};
    arena_free(&decide->tags);
    decide->tags = (struct arena){0};
}

static void tag_here(struct decide *decide)
{
    const struct list_row *row = list_here(&decide->list);
    bool fresh;

    if (!row || row->kind == ROW_ALARM) {
        ui_say(decide->screen.ui, LOOK_DIM, "only requests are tagged here");
        return;
    }
    if (map_get(&decide->tagged, row->key)) {
        struct map rest = {0};
        for (size_t i = 0; i < decide->list.count; i++) {
            struct span key = decide->list.rows[i].key;
            if (map_get(&decide->tagged, key) && !span_eq(key, row->key))
                *map_put(&rest, arena_copy(&decide->tags, key), &fresh) = 1;
        }
        map_free(&decide->tagged);
        decide->tagged = rest;
    } else {
        *map_put(&decide->tagged, arena_copy(&decide->tags, row->key), &fresh) = 1;
    }
    step(decide, true);
}

/* What is decided while something is tagged is for all of that, once its list was read. */
static bool decide_tagged(struct decide *decide, enum action action)
{
    struct span_list keys = {0};

    if (action < ACTION_APPROVE || action > ACTION_DENY || !count_tagged(decide, &keys))
        return false;
    decide_batch_open(decide->screen.ui, action, &keys);
    span_list_free(&keys);
    return true;
}

static bool decide_act(struct screen *screen, enum action action, struct span argument)
{
    struct decide *decide = decide_of(screen);
    const struct message *message = message_here(decide);

    decide->touched = true;
    switch (action) {
    case ACTION_NEXT_DECISION:
    case ACTION_PREVIOUS_DECISION:
    case ACTION_NEXT_UNREAD:
        step(decide, action != ACTION_PREVIOUS_DECISION);
        return true;
    case ACTION_OPEN:
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
        untag_all(decide);
        return true;
    case ACTION_SCROLL:
        if (!shown_act(&decide->shown, action))
            ui_say(screen->ui, LOOK_DIM, "that was all of it; ] goes to the next request");
        return true;
    default:
        break;
    }
    if (decide->in_list && list_act(&decide->list, action)) {
        read_here(decide);
        return true;
    }
    return decide_tagged(decide, action) ||
           verdict_act(screen, &decide->shown, message, action, argument) ||
           shown_act(&decide->shown, action);
}

static bool decide_offers(struct screen *screen, enum action action)
{
    const struct message *message = message_here(decide_of(screen));

    return actions[action].group != GROUP_DECIDE || verdict_offers(message, action);
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

static bool decide_search(struct screen *screen, struct span text, bool forward, bool live)
{
    return page_search(&decide_of(screen)->shown.page, text, forward, live);
}

static bool decide_choose(struct screen *screen, struct span key, bool open)
{
    struct decide *decide = decide_of(screen);

    (void)open; /* it is read below */
    if (!list_go(&decide->list, key))
        return false;
    decide->touched = true;
    read_here(decide);
    return true;
}

static bool decide_click(struct screen *screen, int y, int x, bool twice)
{
    struct decide *decide = decide_of(screen);
    const struct list_row *row = list_at(&decide->list, y - decide->list_y);

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
    shown_free(&decide->shown);
    alarm_rows_free(&decide->alarms);
    queue_notes_free(&decide->notes);
    str_free(&decide->from);
    str_free(&decide->request);
    untag_all(decide);
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
                                      .search = decide_search,
                                      .choose = decide_choose,
                                      .click = decide_click,
                                      .free = decide_free};

struct screen *decide_new(struct ui *ui)
{
    struct decide *decide = mem_zero(1, sizeof *decide);

    decide->screen = (struct screen){.ops = &ops, .ui = ui};
    return &decide->screen;
}
