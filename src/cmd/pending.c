/* pending: the decisions that are waited for. */
#include "base/mem.h"
#include "cmd/command.h"
#include "mail/ask.h"
#include "mail/render_talk.h"

#include <stdlib.h>

static const struct option_spec options[] = {
    {.name = "all", .help = "also what agents wait for from each other"},
    {0},
};

struct queue {
    struct message **items;
    struct batch *batches; /* of those that had to be read again */
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

/* What is asked may stand in the text. A message that vanished meanwhile shows what is known. */
static void fetch(struct app *app, struct queue *queue)
{
    queue->batches = mem_zero(queue->count + 1, sizeof *queue->batches);
    for (size_t i = 0; i < queue->count; i++) {
        struct err err;
        const struct message *head = queue->items[i];
        struct message *whole = head->data && head->data->body.at
                                    ? NULL
                                    : store_fetch(app->store, head, &queue->batches[i], &err);
        if (whole)
            queue->items[i] = whole;
    }
}

static void put_queue(struct app *app, const struct queue *queue)
{
    struct render_style style = app_style(app);
    struct render_asks list = {.messages = queue->items,
                               .count = queue->count,
                               .columns = app_columns(app),
                               .show_to = app_has(app, "all")};
    struct str text = {0}, path = {0};

    if (!app_json(app))
        render_asks(&text, &list, &style);
    for (size_t i = 0; app_json(app) && i < queue->count; i++) {
        const struct message *message = queue->items[i];
        const struct source *source = store_source(app->store, message->place->source);
        str_clear(&path);
        message_add_path(&path, message, true);
        render_ask_json(&text, message, source->format->name, span_of(source->path),
                        str_span(&path), style.now_us);
    }
    app_put(&text);
    str_free(&text);
    str_free(&path);
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
    for (size_t i = 0; queue->batches && i < queue->count; i++)
        batch_free(&queue->batches[i]);
    free(queue->batches);
    free(queue->items);
}

static int run_pending(struct app *app)
{
    struct load load = {.inbox = true, .archive = true, .want_shared = WANT_DATA | WANT_BODY};
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
        fetch(app, &queue);
        put_queue(app, &queue);
        say_damaged(app, &model);
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
