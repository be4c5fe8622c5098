/* pending: the decisions that are waited for. */
#include "base/mem.h"
#include "cmd/requests.h"
#include "mail/ask.h"
#include "mail/order.h"
#include "mail/render_talk.h"
#include "store/decide.h"

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

/* Orders of a lead that neither the lead nor we have given: whoever wrote them acts in our name. */
static void put_alarms(struct app *app, const struct model *model)
{
    struct message **orders = mem_zero(model->count + 1, sizeof *orders);
    bool *foreign = mem_zero(model->count + 1, sizeof *foreign);
    struct str text = {0};
    struct err err;
    size_t count = 0;

    for (size_t i = 0; i < model->count; i++) {
        struct message *message = model->messages[i];
        if (message_is_order_given(message))
            orders[count++] = message;
    }
    if (count && !store_foreign_orders(app->store, orders, count, foreign, &err))
        app_note(app, "%s", err.text);
    for (size_t i = 0; i < count; i++)
        if (foreign[i])
            request_add_alarm(app, &text, orders[i]);
    app_put(app, &text);
    str_free(&text);
    free(orders);
    free(foreign);
}

/* A request may be among what cannot be read. */
static void say_damaged(const struct app *app, const struct model *model)
{
    size_t damaged = 0;

    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        damaged +=
            message->damaged && !message->place->archived && (message->mine || app_has(app, "all"));
    }
    if (damaged)
        app_note(app, "%zu damaged message%s may hold requests too; see swarmutt list", damaged,
                 damaged == 1 ? "" : "s");
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
    struct err err;
    int code = EXIT_DONE;

    if (!app_load(app, &load, &model, &err)) {
        code = app_fail(app, &err);
    } else {
        asks_build(&asks, &model, app_now(app));
        find_open(&queue, &model, &asks, app_has(app, "all"));
        if (!read_all(app, &queue, &err)) {
            code = app_fail(app, &err);
        } else {
            put_alarms(app, &model);
            put_queue(app, &queue);
            say_damaged(app, &model);
            store_settle_decisions(app->store, &model);
        }
    }
    if (code == EXIT_DONE && !queue.count) {
        app_note(app, "%s",
                 app_has(app, "all") ? "nobody waits for an answer"
                                     : "nothing waits for you; see also pending --all");
        code = EXIT_NOTHING;
    }
    queue_free(&queue);
    asks_free(&asks);
    model_free(&model);
    return code;
}

const struct command command_pending = {.name = "pending",
                                        .summary = "the decisions that are waited for",
                                        .options = options,
                                        .run = run_pending};
