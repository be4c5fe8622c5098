/* pending: lists the requests that wait for a decision. */
#include "cmd/read/pending.h"

#include "base/mem.h"
#include "base/text/sanitize.h"
#include "cmd/mail_filter.h"
#include "mail/render/render_list.h"
#include "mail/thread/request.h"
#include "store/decide/decide.h"

#include <stdlib.h>

/* Requests as lines of text and JSON. */

/* Appends the line of JSON; source and path are those of `at`. */
static void add_json(const struct app *app, struct str *out, const struct message *message,
                     const struct request_facts *facts, const struct message *at)
{
    const struct source *source = store_source(app->store, at->place->source);
    CLEANUP(str_free) struct str path = {0};

    message_add_path(&path, at, true);
    render_request_json(out, message, facts, source->format->name, span_of(source->path),
                        str_span(&path), app_now(app));
}

void request_add_json(const struct app *app, struct str *out, const struct message *head,
                      const struct request_snapshot *request)
{
    const struct message *message = request->message ? request->message : head;
    struct request_facts facts = {
        .flags = &request->flags,
        .refusal = request->err ? span_of(request->err->text) : request->refusal,
        .sha256 = request->message ? span_of(request->sha256) : (struct span){0}};

    add_json(app, out, message, &facts, message);
}

/* Appends the line about a message that was sent in our name, but not from here. `parts` are the
 * other agent, the subject and the id. */
static void add_alarm(const struct app *app, struct str *out, const struct message *message,
                      const char *deed, const struct span *parts, const char *remark,
                      const struct str *age)
{
    str_addf(out, "%4s ALARM ", str_c(age));
    sanitize_add(out, message->from, app->clean);
    str_puts(out, deed);
    sanitize_add(out, parts[0], app->clean);
    str_puts(out, ": ");
    sanitize_add(out, parts[1], app->clean);
    str_addf(out, "  (%s)  ", remark);
    sanitize_add(out, parts[2], app->clean);
    str_putc(out, '\n');
}

/* Appends the line for a forged lead command, as text or JSON. */
static void add_order_alarm(const struct app *app, struct str *out, const struct message *order)
{
    struct span item = span_of("not yours: only a lead sends this, and neither the team's lead nor "
                               "you did");
    struct span_list flags = {.items = &item, .count = 1};
    struct request_facts facts = {
        .flags = &flags, .refusal = span_of("it is no request"), .alarm = true};
    CLEANUP(str_free) struct str age = {0};

    if (order->created_us != TIME_NONE)
        time_add_age(&age, app_now(app) - order->created_us);
    if (app_json(app))
        add_json(app, out, order, &facts, order);
    else
        add_alarm(app, out, order, " sent ",
                  (struct span[]){message_recipient(order), order->subject, order->id}, "not yours",
                  &age);
}

/* --- answered in our name, not from here --- */

#define ANSWERED "answered in your name, not from here"

struct answered {
    struct forged *items;
    struct message **requests, **whole; /* the heads, and the messages that could be read */
    struct request_snapshots read;
    size_t count;
};

static void answered_free(struct answered *answered)
{
    free(answered->items);
    free(answered->requests);
    free(answered->whole);
    request_snapshots_free(&answered->read);
}

static void answered_find(const struct app *app, const struct forged_list *list,
                          enum forged_state state, struct answered *answered)
{
    struct err err;

    *answered = (struct answered){.items = mem_zero(list->count + 1, sizeof *answered->items),
                                  .requests = mem_zero(list->count + 1, sizeof *answered->requests),
                                  .whole = mem_zero(list->count + 1, sizeof *answered->whole)};
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].request && list->items[i].state == state) {
            answered->requests[answered->count] = list->items[i].request;
            answered->items[answered->count++] = list->items[i];
        }
    if (!store_requests(app->store, answered->requests, answered->count, &answered->read, &err))
        app_note(app, "%s", err.text);
    for (size_t i = 0; i < answered->count; i++) {
        bool read = i < answered->read.count && answered->read.items[i].message;
        answered->whole[i] = read ? answered->read.items[i].message : answered->requests[i];
    }
}

static void add_answered_json(const struct app *app, struct str *out,
                              const struct answered *answered, size_t number)
{
    static const struct request_snapshot unread;
    const struct forged *item = &answered->items[number];
    const struct request_snapshot *request =
        number < answered->read.count ? &answered->read.items[number] : &unread;
    CLEANUP(str_free) struct str answer_path = {0}, sentence = {0};
    CLEANUP(span_list_free) struct span_list flags = {0};

    str_puts(&sentence, ANSWERED ": ");
    forged_add_answer(&sentence, item->message);
    span_list_add(&flags, str_span(&sentence));
    for (size_t i = 0; i < request->flags.count; i++)
        span_list_add(&flags, request->flags.items[i]);
    message_add_path(&answer_path, item->message, true);
    struct request_facts facts = {.flags = &flags,
                                  .refusal = span_of("it was answered already"),
                                  .sha256 = request->message ? span_of(request->sha256)
                                                             : (struct span){0},
                                  .alarm = item->state == FORGED_ALARM,
                                  .answer = item->message,
                                  .answer_path = str_span(&answer_path)};
    add_json(app, out, answered->whole[number], &facts, item->request);
}

static void add_answered_alarm(const struct app *app, struct str *out, const struct forged *item,
                               const struct message *request)
{
    CLEANUP(str_free) struct str age = {0}, title = {0};

    message_add_age(&age, item->message, app_now(app));
    request_add_title(&title, request);
    add_alarm(app, out, item->message, " answered ",
              (struct span[]){request->from, str_span(&title), request->id}, ANSWERED, &age);
}

static void add_answered_section(const struct app *app, struct str *out,
                                 const struct answered *answered)
{
    CLEANUP(mem_free) struct span *notes = mem_zero(answered->count + 1, sizeof *notes);
    CLEANUP(arena_free) struct arena arena = {0};
    struct render_options style = app_render_options(app);
    struct render_requests list = {.messages = answered->whole,
                                   .notes = notes,
                                   .count = answered->count,
                                   .columns = app_columns(app)};

    for (size_t i = 0; i < answered->count; i++) {
        CLEANUP(str_free) struct str note = {0};
        forged_add_answer(&note, answered->items[i].message);
        notes[i] = arena_copy(&arena, str_span(&note));
    }
    str_puts(out, ANSWERED ":\n");
    render_requests(out, &list, &style);
}

size_t requests_put_answered(const struct app *app, const struct forged_list *list,
                             enum forged_state state)
{
    CLEANUP(answered_free) struct answered answered = {0};
    CLEANUP(str_free) struct str text = {0};

    answered_find(app, list, state, &answered);
    for (size_t i = 0; i < answered.count; i++) {
        if (app_json(app))
            add_answered_json(app, &text, &answered, i);
        else if (state == FORGED_ALARM)
            add_answered_alarm(app, &text, &answered.items[i], answered.whole[i]);
    }
    if (answered.count && !app_json(app) && state == FORGED_NOTE)
        add_answered_section(app, &text, &answered);
    app_put(app, &text);
    return answered.count;
}

static const struct option_spec options[] = {
    {"all", .help = "also what agents wait for from each other"},
    {0},
};

struct queue {
    struct message **items;
    struct request_snapshots requests; /* snapshots of `items` */
    size_t count;
};

static void find_open(struct queue *queue, const struct model *model, const struct requests *asks,
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

/* Reads all requests. A message that vanished meanwhile keeps its head. */
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
    struct render_options style = app_render_options(app);
    CLEANUP(mem_free) struct span *notes = mem_zero(queue->count + 1, sizeof *notes);
    struct render_requests list = {.messages = queue->items,
                                   .notes = notes,
                                   .count = queue->count,
                                   .columns = app_columns(app),
                                   .show_to = app_has(app, "all")};
    CLEANUP(str_free) struct str text = {0};

    for (size_t i = 0; i < queue->count; i++)
        if (message_for_us(queue->items[i]) && !message_turns_down(queue->items[i]))
            notes[i] = queue->requests.items[i].in_short;
    if (!app_json(app))
        render_requests(&text, &list, &style);
    for (size_t i = 0; app_json(app) && i < queue->count; i++)
        request_add_json(app, &text, queue->items[i], &queue->requests.items[i]);
    app_put(app, &text);
}

/* Prints forged lead commands, which neither the lead nor we have sent, and answers in our name
 * that are alarms. Answers that are not alarms follow after the requests. */
static void put_alarms(struct app *app, const struct forged_list *forged)
{
    CLEANUP(str_free) struct str text = {0};

    for (size_t i = 0; i < forged->count; i++)
        if (forged->items[i].state == FORGED_ORDER)
            add_order_alarm(app, &text, forged->items[i].message);
    app_put(app, &text);
    requests_put_answered(app, forged, FORGED_ALARM);
}

static void find_forged(struct app *app, struct forged_list *forged, const struct model *model,
                        const struct requests *asks)
{
    struct err err;

    forged_collect(forged, model, asks);
    if (!store_judge_forged(app->store, forged, app->config.answers_elsewhere, false, &err))
        app_note(app, "%s", err.text);
}

/* Prints the number of damaged messages, because requests may be among them. */
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

static void queue_free(struct queue *queue)
{
    request_snapshots_free(&queue->requests);
    free(queue->items);
}

static int run_pending(struct app *app)
{
    bool all = app_has(app, "all");
    CLEANUP(mail_view_free)
    struct mail_view view = {.app = app, .scope = all ? UNREADABLE_INBOXES : UNREADABLE_OURS};
    CLEANUP(requests_free) struct requests asks = {0};
    CLEANUP(queue_free) struct queue queue = {0};
    CLEANUP(forged_list_free) struct forged_list forged = {0};
    struct err err;

    if (!mail_view_load(&view, &load_everything, &err))
        return app_fail(app, &err);
    requests_build(&asks, &view.model, app_now(app));
    find_open(&queue, &view.model, &asks, all);
    if (!read_all(app, &queue, &err))
        return app_fail(app, &err);
    find_forged(app, &forged, &view.model, &asks);
    put_alarms(app, &forged);
    put_queue(app, &queue);
    requests_put_answered(app, &forged, FORGED_NOTE);
    int code = unreadable_report(app, &view.places, queue.count);
    say_damaged(app, &view.model);
    if (code == EXIT_NOTHING)
        app_note(app, "%s",
                 all ? "nobody waits for an answer"
                     : "nothing waits for you; see also pending --all");
    store_settle_decisions(app->store, &view.model);
    return code;
}

const struct command command_pending = {.name = "pending",
                                        .summary = "the decisions that are waited for",
                                        .options = options,
                                        .run = run_pending};
