/* pending: the decisions that are waited for. */
#include "base/mem.h"
#include "cmd/read/requests.h"
#include "cmd/unreadable.h"
#include "mail/render/render_talk.h"
#include "mail/thread/ask.h"
#include "store/decide/decide.h"

#include <stdlib.h>

static const struct option_spec options[] = {
    {.name = "all", .help = "also what agents wait for from each other"},
    {0},
};

struct queue {
    struct message **items;
    struct requests requests; /* the same, as they lie there now */
    size_t count;
};

static void find_open(struct queue *queue, const struct model *model, const struct asks *asks,
                      bool all)
{
    queue->items = mem_zero(asks->count + 1, sizeof *queue->items);
    for (size_t i = 0; i < asks->count; i++) {
        struct message *message = model->messages[asks->items[i].message];
        if (asks->items[i].open && (all || message_for_us(message)))
            queue->items[queue->count++] = message;
    }
    model_sort(queue->items, queue->count, message_cmp_urgency);
}

/* A message that vanished meanwhile shows what is known. */
static bool read_all(struct app *app, struct queue *queue, struct err *err)
{
    if (!store_requests(app->store, queue->items, queue->count, &queue->requests, err))
        return false;
    for (size_t i = 0; i < queue->count; i++)
        if (queue->requests.items[i].message)
            queue->items[i] = queue->requests.items[i].message;
    return true;
}

static void put_queue(struct app *app, const struct queue *queue)
{
    struct render_style style = app_style(app);
    struct span *notes = mem_zero(queue->count + 1, sizeof *notes);
    struct render_asks list = {.messages = queue->items,
                               .notes = notes,
                               .count = queue->count,
                               .columns = app_columns(app),
                               .show_to = app_has(app, "all")};
    struct str text = {0};

    for (size_t i = 0; i < queue->count; i++)
        if (message_for_us(queue->items[i]) && !message_turns_down(queue->items[i]))
            notes[i] = queue->requests.items[i].in_short;
    if (!app_json(app))
        render_asks(&text, &list, &style);
    for (size_t i = 0; app_json(app) && i < queue->count; i++)
        request_add_json(app, &text, queue->items[i], &queue->requests.items[i]);
    app_put(app, &text);
    str_free(&text);
    free(notes);
}

/* Orders of a lead that neither the lead nor we have given, and answers in our name: whoever wrote
 * them acts for us. Answers that are no alarm stand behind what waits. */
static void put_alarms(struct app *app, const struct foreign_list *foreign)
{
    struct str text = {0};

    for (size_t i = 0; i < foreign->count; i++)
        if (foreign->items[i].state == FOREIGN_ORDER)
            request_add_alarm(app, &text, foreign->items[i].message);
    app_put(app, &text);
    str_free(&text);
    requests_put_answered(app, foreign, FOREIGN_ALARM);
}

static void find_foreign(struct app *app, struct foreign_list *foreign, const struct model *model,
                         const struct asks *asks)
{
    struct err err;

    foreign_collect(foreign, model, asks);
    if (!store_judge_foreign(app->store, foreign, app->config.answers_elsewhere, false, &err))
        app_note(app, "%s", err.text);
}

/* A request may be among what cannot be read. */
static void say_damaged(const struct app *app, const struct model *model)
{
    size_t damaged = 0;

    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        damaged += message->damaged && !message->unread_bytes && !message->place->archived &&
                   (message->mine || app_has(app, "all"));
    }
    if (damaged)
        app_note(app, "%zu damaged message%s may hold requests too; see swarmutt list", damaged,
                 damaged == 1 ? "" : "s");
}

/* What else there may be; returns the exit code. */
static int say_unread(const struct app *app, const struct model *model, bool found)
{
    bool all = app_has(app, "all");
    struct selection places =
        unreadable_find(app, model, all ? UNREADABLE_INBOXES : UNREADABLE_OURS);
    int code = unreadable_report(app, &places, found);

    say_damaged(app, model);
    if (code == EXIT_NOTHING)
        app_note(app, "%s",
                 all ? "nobody waits for an answer"
                     : "nothing waits for you; see also pending --all");
    selection_free(&places);
    return code;
}

static void queue_free(struct queue *queue)
{
    requests_free(&queue->requests);
    free(queue->items);
}

static int run_pending(struct app *app)
{
    struct load load = {.inbox = true, .archive = true};
    struct model model = {0};
    struct asks asks = {0};
    struct queue queue = {0};
    struct foreign_list foreign = {0};
    struct err err;
    int code;

    if (!app_load(app, &load, &model, &err)) {
        code = app_fail(app, &err);
    } else {
        asks_build(&asks, &model, app_now(app));
        find_open(&queue, &model, &asks, app_has(app, "all"));
        if (!read_all(app, &queue, &err)) {
            code = app_fail(app, &err);
        } else {
            find_foreign(app, &foreign, &model, &asks);
            put_alarms(app, &foreign);
            put_queue(app, &queue);
            requests_put_answered(app, &foreign, FOREIGN_NOTE);
            code = say_unread(app, &model, queue.count);
            store_settle_decisions(app->store, &model);
        }
    }
    queue_free(&queue);
    foreign_list_free(&foreign);
    asks_free(&asks);
    model_free(&model);
    return code;
}

const struct command command_pending = {.name = "pending",
                                        .summary = "the decisions that are waited for",
                                        .options = options,
                                        .run = run_pending};
