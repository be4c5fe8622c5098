/* Requests on the command line: their lines. */
#include "cmd/requests.h"

#include "base/clean.h"
#include "mail/render_talk.h"

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

    if (request->err.scope)
        facts.refusal = span_of(request->err.text);
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
