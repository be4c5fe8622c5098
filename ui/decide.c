/* Decide: the queue of what waits for the person above, the request that is looked at below, whole.
 */
#include "base/mem.h"
#include "mail/ask.h"
#include "mail/attention.h"
#include "ui/decide_private.h"
#include "ui/decide_several.h"
#include "ui/holding.h"
#include "ui/thread.h"
#include "ui/verdict.h"
#include "ui/views.h"

#include <stdlib.h>

const struct message *decide_message_here(const struct decide *decide)
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
    for (size_t i = 0; i < decide->foreign.keys.count; i++) {
        uint32_t number =
            picture_number(ui_picture(decide->screen.ui), decide->foreign.keys.items[i]);
        if (number != UINT32_MAX)
            list_add(&decide->list, &(struct list_row){.key = decide->foreign.keys.items[i],
                                                       .item = number,
                                                       .kind = ROW_FOREIGN});
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
    if (decide->list.touched && key.len && !list_go(&decide->list, str_span(&key)))
        follow(decide, str_span(&decide->from), str_span(&decide->request));
    here = decide_message_here(decide);
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
    const struct message *message = decide_message_here(decide);

    decide->shown.foreign = row && row->kind == ROW_FOREIGN;
    request_page_show(&decide->shown, &decide->screen, message,
                      row && message ? plan_before(decide, row) : NULL);
}

static void take_foreign(struct screen *screen, struct foreign_orders *rows)
{
    struct decide *decide = decide_of(screen);

    decide_foreign_free(&decide->foreign);
    decide->foreign = *rows;
    *rows = (struct foreign_orders){0};
    fill(decide);
    read_here(decide);
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
    decide_notes_find(&decide->notes, &decide->screen, requests, count);
    free(requests);
}

static void decide_renew(struct screen *screen)
{
    fill(decide_of(screen));
    read_here(decide_of(screen));
    find_notes(decide_of(screen));
    decide_foreign_find(screen, take_foreign);
}

/* Requests that are tagged, still there and not decided; their keys are added to the list, if any.
 */
static size_t count_tagged(const struct decide *decide, struct span_list *keys)
{
    size_t count = 0;

    for (size_t i = 0; i < decide->list.count; i++) {
        const struct list_row *row = &decide->list.rows[i];
        if (row->kind != ROW_REQUEST || !key_set_has(&decide->tagged, row->key) ||
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

static void tag_here(struct decide *decide)
{
    const struct list_row *row = list_here(&decide->list);

    if (!row || row->kind == ROW_FOREIGN) {
        ui_say(decide->screen.ui, LOOK_DIM, "only requests are tagged here");
        return;
    }
    key_set_toggle(&decide->tagged, row->key);
    step(decide, true);
}

/* What is decided while something is tagged is for all of that, once its list was read. */
static bool decide_tagged(struct decide *decide, enum action action)
{
    struct span_list keys = {0};

    if (action < ACTION_APPROVE || action > ACTION_DENY || !count_tagged(decide, &keys))
        return false;
    decide_several_open(decide->screen.ui, action, &keys);
    span_list_free(&keys);
    return true;
}

static bool decide_act(struct screen *screen, enum action action, struct span argument)
{
    struct decide *decide = decide_of(screen);
    const struct message *message = decide_message_here(decide);

    decide->list.touched = true;
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
        key_set_free(&decide->tagged);
        return true;
    case ACTION_SCROLL:
        if (!request_page_act(&decide->shown, action))
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
           request_page_act(&decide->shown, action);
}

static bool decide_offers(struct screen *screen, enum action action)
{
    const struct message *message = decide_message_here(decide_of(screen));

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
    read_here(decide);
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
    request_page_free(&decide->shown);
    decide_foreign_free(&decide->foreign);
    decide_notes_free(&decide->notes);
    str_free(&decide->from);
    str_free(&decide->request);
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
                                      .search = decide_search,
                                      .choose = decide_choose,
                                      .click = decide_click,
                                      .free = decide_free};

static struct screen *decide_new(struct ui *ui)
{
    struct decide *decide = mem_zero(1, sizeof *decide);

    decide->screen = (struct screen){.ops = &ops, .ui = ui};
    return &decide->screen;
}

static size_t count(const struct ui *ui)
{
    return ui_picture(ui)->counts.waiting;
}

const struct view view_decide = {.title = "Decide", .open = decide_new, .count = count};
