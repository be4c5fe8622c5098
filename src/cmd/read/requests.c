/* Requests on the command line: their lines. */
#include "cmd/read/requests.h"

#include "base/mem.h"
#include "base/text/clean.h"
#include "mail/render/render_talk.h"
#include "mail/thread/ask_text.h"

#include <stdlib.h>

void request_add_json(const struct app *app, struct str *out, const struct message *head,
                      const struct request *request)
{
    const struct message *message = request->message ? request->message : head;
    const struct source *source = store_source(app->store, head->place->source);
    struct ask_facts facts = {.flags = &request->flags,
                              .refusal = request->refusal,
                              .sha256 =
                                  request->message ? span_of(request->sha256) : (struct span){0}};
    struct str path = {0};

    if (request->err)
        facts.refusal = span_of(request->err->text);
    message_add_path(&path, message, true);
    render_ask_json(out, message, &facts, source->format->name, span_of(source->path),
                    str_span(&path), app_now(app));
    str_free(&path);
}

void request_add_alarm(const struct app *app, struct str *out, const struct message *order)
{
    static const char sentence[] = "not yours: only a lead sends this, and neither the team's lead "
                                   "nor you did";
    const struct source *source = store_source(app->store, order->place->source);
    struct span item = span_of(sentence);
    struct span_list flags = {.items = &item, .count = 1};
    struct ask_facts facts = {
        .flags = &flags, .refusal = span_of("it is no request"), .alarm = true};
    struct str path = {0}, age = {0};

    message_add_path(&path, order, true);
    if (app_json(app)) {
        render_ask_json(out, order, &facts, source->format->name, span_of(source->path),
                        str_span(&path), app_now(app));
    } else {
        if (order->created_us != WHEN_NONE)
            when_add_age(&age, app_now(app) - order->created_us);
        str_addf(out, "%4s ALARM ", str_c(&age));
        clean_add(out, order->from, app->clean);
        str_puts(out, " sent ");
        clean_add(out, message_recipient(order), app->clean);
        str_puts(out, ": ");
        clean_add(out, order->subject, app->clean);
        str_puts(out, "  (not yours)  ");
        clean_add(out, order->id, app->clean);
        str_putc(out, '\n');
    }
    str_free(&path);
    str_free(&age);
}

/* --- answered in our name, not from here --- */

#define ANSWERED "answered in your name, not from here"

struct answered {
    struct foreign *items;
    struct message **requests, **whole; /* their heads, and what was read of them */
    struct requests read;
    size_t count;
};

static void answered_free(struct answered *answered)
{
    free(answered->items);
    free(answered->requests);
    free(answered->whole);
    requests_free(&answered->read);
}

static void answered_find(const struct app *app, const struct foreign_list *list,
                          enum foreign_state state, struct answered *answered)
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
    static const struct request unread;
    const struct foreign *item = &answered->items[number];
    const struct request *request =
        number < answered->read.count ? &answered->read.items[number] : &unread;
    const struct source *source = store_source(app->store, item->request->place->source);
    struct str path = {0}, answer_path = {0}, sentence = {0};
    struct span_list flags = {0};

    str_puts(&sentence, ANSWERED ": ");
    foreign_add_answer(&sentence, item->message);
    span_list_add(&flags, str_span(&sentence));
    for (size_t i = 0; i < request->flags.count; i++)
        span_list_add(&flags, request->flags.items[i]);
    message_add_path(&path, item->request, true);
    message_add_path(&answer_path, item->message, true);
    struct ask_facts facts = {.flags = &flags,
                              .refusal = span_of("it was answered already"),
                              .sha256 =
                                  request->message ? span_of(request->sha256) : (struct span){0},
                              .alarm = item->state == FOREIGN_ALARM,
                              .answer = item->message,
                              .answer_path = str_span(&answer_path)};
    render_ask_json(out, answered->whole[number], &facts, source->format->name,
                    span_of(source->path), str_span(&path), app_now(app));
    span_list_free(&flags);
    str_free(&path);
    str_free(&answer_path);
    str_free(&sentence);
}

/* As the line of an order that is not ours. */
static void add_answered_alarm(const struct app *app, struct str *out, const struct foreign *item,
                               const struct message *request)
{
    struct str age = {0}, title = {0};

    message_add_age(&age, item->message, app_now(app));
    ask_add_title(&title, request);
    str_addf(out, "%4s ALARM ", str_c(&age));
    clean_add(out, item->message->from, app->clean);
    str_puts(out, " answered ");
    clean_add(out, request->from, app->clean);
    str_puts(out, ": ");
    clean_add(out, str_span(&title), app->clean);
    str_puts(out, "  (" ANSWERED ")  ");
    clean_add(out, request->id, app->clean);
    str_putc(out, '\n');
    str_free(&age);
    str_free(&title);
}

static void add_answered_section(const struct app *app, struct str *out,
                                 const struct answered *answered)
{
    struct span *notes = mem_zero(answered->count + 1, sizeof *notes);
    struct arena arena = {0};
    struct render_style style = app_style(app);
    struct render_asks list = {.messages = answered->whole,
                               .notes = notes,
                               .count = answered->count,
                               .columns = app_columns(app)};

    for (size_t i = 0; i < answered->count; i++) {
        struct str note = {0};
        foreign_add_answer(&note, answered->items[i].message);
        notes[i] = arena_copy(&arena, str_span(&note));
        str_free(&note);
    }
    str_puts(out, ANSWERED ":\n");
    render_asks(out, &list, &style);
    arena_free(&arena);
    free(notes);
}

size_t requests_put_answered(const struct app *app, const struct foreign_list *list,
                             enum foreign_state state)
{
    struct answered answered;
    struct str text = {0};

    answered_find(app, list, state, &answered);
    for (size_t i = 0; i < answered.count; i++) {
        if (app_json(app))
            add_answered_json(app, &text, &answered, i);
        else if (state == FOREIGN_ALARM)
            add_answered_alarm(app, &text, &answered.items[i], answered.whole[i]);
    }
    if (answered.count && !app_json(app) && state == FOREIGN_NOTE)
        add_answered_section(app, &text, &answered);
    size_t count = answered.count;
    app_put(app, &text);
    str_free(&text);
    answered_free(&answered);
    return count;
}
