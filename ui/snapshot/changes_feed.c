/* Finds changes when a new snapshot is shown, and reports them to notifications and hooks. */
#include "ui/snapshot/changes_feed.h"

#include "base/mem.h"
#include "mail/thread/request.h"
#include "ui/decide/undo_window.h"
#include "ui/process/notify.h"
#include "ui/ui_state.h"

#include <stdlib.h>

static void drop_fresh(struct changes_feed *tidings)
{
    for (size_t i = 0; i < tidings->fresh_count; i++) {
        str_free(&tidings->fresh[i].key);
        str_free(&tidings->fresh[i].object);
    }
    tidings->fresh_count = tidings->fresh_told = 0;
}

/* A message that is moved is removed first: hold it until it is clear that it does not return. */
static void take_change(struct ui *ui, const struct live_change *change)
{
    struct changes_feed *tidings = &ui->tidings;

    if (change->event == LIVE_GONE)
        vanished_hold(&tidings->gone, change->message, time_steady());
    if (change->event != LIVE_NEW || vanished_is_back(&tidings->gone, change->message) ||
        change->message->by_us)
        return;
    reaction_seen(ui, change->message);
    tidings->fresh = mem_grow(tidings->fresh, &tidings->fresh_cap, tidings->fresh_count + 1,
                              sizeof *tidings->fresh);
    struct change_event *tiding = &tidings->fresh[tidings->fresh_count++];
    *tiding = (struct change_event){0};
    picture_add_key(&tiding->key, change->message);
    if (hooks_has(ui, CONFIG_HOOK_NEW) || hooks_has(ui, CONFIG_HOOK_WAITING))
        hooks_add_message(ui, &tiding->object, change->message);
}

void changes_feed_open(struct ui *ui)
{
    ui->tidings.check_us = TIME_NONE;
    ui->tidings.notify.line = ui->options->plain;
}

void changes_feed_close(struct ui *ui)
{
    struct changes_feed *tidings = &ui->tidings;

    drop_fresh(tidings);
    free(tidings->fresh);
    vanished_free(&tidings->gone);
    alerts_reported_free(&tidings->told);
    notify_free(&tidings->notify);
}

static void add_message(struct ui *ui, enum notify_event event, const struct message *message,
                        bool waiting)
{
    const struct picture *picture = ui->picture;
    struct str key = {0}, title = {0};

    picture_add_key(&key, message);
    const struct conversation *conversation = picture_conversation(picture, str_span(&key));
    str_addf(&title, "%s ", kind_word(message->kind));
    request_add_title(&title, message);
    struct notify_event_info tiding = {
        .event = event,
        .message = message,
        .context = {.now_us = ui_now(ui),
                    .layout = ui_source(ui, message->place->source)->format->name,
                    .waiting = waiting,
                    .thread = conversation ? conversation->id : (struct span){0}},
        .who = message->from,
        .what = str_span(&title)};
    notify_add(&ui->tidings.notify, ui->options->config, &tiding);
    str_free(&key);
    str_free(&title);
}

/* Reports new messages. A request to the person is reported elsewhere, once it is known to be
 * open. */
static void report_new(struct ui *ui)
{
    struct changes_feed *tidings = &ui->tidings;
    const struct picture *picture = ui->picture;
    const struct requests *asks = &picture->sight.asks;

    for (; tidings->fresh_told < tidings->fresh_count; tidings->fresh_told++) {
        const struct change_event *tiding = &tidings->fresh[tidings->fresh_told];
        uint32_t number = picture_number(picture, str_span(&tiding->key));
        hooks_run(ui, CONFIG_HOOK_NEW, &tiding->object);
        if (number == UINT32_MAX)
            continue; /* it was moved on */
        const struct message *message = picture->model.messages[number];
        bool open = asks->of[number] != REQUEST_NONE && asks->items[asks->of[number]].open;
        if (!open || !message_for_us(message))
            add_message(ui, NOTIFY_NEW, message, open);
    }
}

static void take_waiting(void *context, const struct message *message, struct span name)
{
    struct ui *ui = context;
    const struct changes_feed *tidings = &ui->tidings;
    struct str object = {0};

    add_message(ui, NOTIFY_WAITING, message, true);
    if (!hooks_has(ui, CONFIG_HOOK_WAITING))
        return;
    for (size_t i = 0; i < tidings->fresh_count && !object.len; i++)
        if (span_eq(str_span(&tidings->fresh[i].key), name))
            str_add_span(&object, str_span(&tidings->fresh[i].object));
    if (!object.len)
        hooks_add_message(ui, &object, message);
    hooks_run(ui, CONFIG_HOOK_WAITING, &object);
    str_free(&object);
}

static void take_stuck(void *context, const struct agents *agents, const struct agent *agent,
                       const struct model *model)
{
    struct ui *ui = context;
    struct notify_event_info tiding = {
        .event = NOTIFY_STUCK, .who = agent->name, .what = agent->why};
    struct str object = {0};

    (void)agents;
    (void)model;
    notify_add(&ui->tidings.notify, ui->options->config, &tiding);
    if (!hooks_has(ui, CONFIG_HOOK_STUCK))
        return;
    hooks_add_agent(ui, &object, agent);
    hooks_run(ui, CONFIG_HOOK_STUCK, &object);
    str_free(&object);
}

static void find_changes(struct ui *ui)
{
    static const struct alert_calls calls = {.waiting = take_waiting, .stuck = take_stuck};
    struct changes_feed *tidings = &ui->tidings;
    const struct sight *sight = &ui->picture->sight;

    tidings->check_us = TIME_NONE;
    alerts_report(&tidings->told, &ui->picture->model, &sight->asks, &sight->agents,
                  tidings->begun ? &calls : NULL, ui);
    tidings->begun = true;
    drop_fresh(tidings);
}

void changes_feed_renew(struct ui *ui)
{
    struct changes_feed *tidings = &ui->tidings;
    const struct live_changes *changes = &ui->picture->changes;

    for (size_t i = 0; i < changes->count; i++)
        take_change(ui, &changes->items[i]);
    if (!ui->picture->ready || !ui->picture->world)
        return;
    report_new(ui);
    /* an answer may have vanished for a moment, and its request would seem open */
    if (vanished_due_us(&tidings->gone) == TIME_NONE)
        find_changes(ui);
    else if (tidings->check_us == TIME_NONE)
        tidings->check_us = time_steady() + VANISHED_US;
}

int64_t changes_feed_due_us(const struct ui *ui)
{
    int64_t due_us = notify_due_us(&ui->tidings.notify, time_steady());

    time_min(&due_us, time_left(ui->tidings.check_us));
    return due_us;
}

void changes_feed_work(struct ui *ui)
{
    struct changes_feed *tidings = &ui->tidings;
    int64_t now_us = time_steady();
    struct str text = {0};

    while (vanished_next(&tidings->gone, now_us))
        ;
    if (tidings->check_us != TIME_NONE && tidings->check_us <= now_us)
        find_changes(ui);
    for (unsigned way = 0; way < NOTIFY_LINE; way++) {
        str_clear(&text);
        if (notify_take(&tidings->notify, way, now_us, ui->grid.clean, &text))
            notify_ring(ui, (enum config_channel)way, str_span(&text));
    }
    str_free(&text);
}
