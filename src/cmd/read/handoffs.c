/* handoffs: lists handoffs, their progress, and the earlier holders of the work. */
#include "cmd/read/handoffs.h"

#include "base/mem.h"
#include "mail/render/render_handoff.h"

#include <stdlib.h>

void handoff_states_add(const struct mail_view *view, const struct message *message,
                        struct str *sentence)
{
    const struct handoff_list *handoffs = &view->sight.handoffs;

    for (size_t i = 0; i < handoffs->count; i++)
        if (handoffs->model->messages[handoffs->items[i].message] == message)
            handoff_status_add_sentence(sentence, handoffs, &handoffs->items[i],
                                        app_now(view->app));
}

/* Handoffs that ended within this time are listed without --all. */
#define NEWS_US (INT64_C(24) * 3600 * 1000000)

static const struct option_spec options[] = {
    {"all", .help = "also those that ended more than a day ago"},
    {"limit", "N", .help = "at most this many, the most pressing"},
    {0},
};

/* The handoffs to show, and the data that they come from. */
struct view {
    struct mail_view mail;
    const struct handoff_status **handoff_list;
    size_t count;
};

static void view_free(struct view *view)
{
    free(view->handoff_list);
    mail_view_free(&view->mail);
}

static bool is_news(const struct app *app, const struct handoff_status *handoff_status)
{
    int64_t ended_us =
        handoff_status->since_us == TIME_NONE ? handoff_status->heard_us : handoff_status->since_us;

    return !handoff_status_is_over(handoff_status) ||
           (ended_us != TIME_NONE && ended_us > app_now(app) - NEWS_US);
}

static int by_need(const void *a, const void *b, void *context)
{
    return handoff_status_cmp(context, *(const struct handoff_status *const *)a,
                              *(const struct handoff_status *const *)b);
}

static void choose_handoffs(const struct app *app, struct view *view)
{
    struct handoff_list *handoffs = &view->mail.sight.handoffs;

    view->handoff_list = mem_zero(handoffs->count + 1, sizeof *view->handoff_list);
    for (size_t i = 0; i < handoffs->count; i++) {
        const struct handoff_status *handoff_status = &handoffs->items[i];
        if ((app_has(app, "all") || is_news(app, handoff_status)) &&
            querying_match(&view->mail.querying,
                           view->mail.model.messages[handoff_status->message]))
            view->handoff_list[view->count++] = handoff_status;
    }
    qsort_r(view->handoff_list, view->count, sizeof *view->handoff_list, by_need, handoffs);
}

static void put_view(const struct app *app, const struct view *view)
{
    struct render_options style = app_render_options(app);
    struct render_handoffs list = {.handoffs = &view->mail.sight.handoffs,
                                   .handoff_list = view->handoff_list,
                                   .count = view->count < view->mail.limit ? view->count
                                                                           : view->mail.limit,
                                   .columns = app_columns(app)};
    CLEANUP(str_free) struct str text = {0};

    if (!app_json(app) && list.count)
        render_handoffs(&text, &list, &style);
    for (size_t i = 0; app_json(app) && i < list.count; i++) {
        const struct message *message = view->mail.model.messages[view->handoff_list[i]->message];
        const struct source *source = store_source(app->store, message->place->source);
        render_handoff_status_json(&text, list.handoffs, view->handoff_list[i],
                                   source->format->name, span_of(source->path), style.now_us);
    }
    app_put(app, &text);
}

static void say_nothing(const struct app *app, const struct view *view)
{
    const char *more = app_has(app, "all") ? "" : "; see also handoffs --all";

    if (!view->mail.sight.handoffs.count)
        app_note(app, "nothing was handed over");
    else if (view->mail.querying.text.len)
        app_note(app, "no handoff matches \"%s\"%s", str_c(&view->mail.querying.text), more);
    else
        app_note(app, "every handoff ended more than a day ago%s", more);
}

static int run_handoffs(struct app *app)
{
    CLEANUP(view_free) struct view view = {.mail.app = app};
    struct err err;

    if (!mail_view_query(&view.mail))
        return EXIT_USAGE;
    if (!mail_view_load(&view.mail, &load_everything, &err) ||
        !mail_view_derive(&view.mail, true, &err))
        return app_fail(app, &err);
    choose_handoffs(app, &view);
    put_view(app, &view);
    int code = unreadable_report(app, &view.mail.places, view.count);
    if (code == EXIT_NOTHING)
        say_nothing(app, &view);
    return code;
}

const struct command command_handoffs = {.name = "handoffs",
                                         .operands = "[QUERY]",
                                         .takes = {{.kinds = WORD_QUERY, .more = true}},
                                         .summary = "work that was handed over, and how far it is",
                                         .options = options,
                                         .most = -1,
                                         .run = run_handoffs};
