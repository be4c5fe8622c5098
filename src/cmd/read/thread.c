/* thread: prints a conversation, oldest message first, including archived messages. */
#include "mail/thread/thread.h"
#include "cmd/read/handoffs.h"

#include <stdio.h>
#include <stdlib.h>

static bool has_handoff(struct message *const *messages, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (messages[i]->kind == KIND_HANDOFF)
            return true;
    return false;
}

static int put_thread(const struct mail_view *view, struct message **messages, size_t count)
{
    struct app *app = view->app;
    enum output output = app_json(app) ? OUTPUT_JSON : OUTPUT_TEXT;
    int code = EXIT_DONE;

    for (size_t i = 0; i < count; i++) {
        CLEANUP(batch_free) struct batch batch = {0};
        CLEANUP(str_free) struct str handoff = {0};
        struct err err;
        struct message *whole = store_fetch(app->store, messages[i], &batch, &err);
        if (i && output == OUTPUT_TEXT)
            puts("\n----------------------------------------------------------------\n");
        handoff_states_add(view, messages[i], &handoff);
        if (whole)
            app_put_told(app, whole, output, str_span(&handoff));
        else
            code = app_fail(app, &err);
    }
    app_seen(app, messages, count);
    return code;
}

static int run_thread(struct app *app)
{
    CLEANUP(mail_view_free) struct mail_view view = {.app = app};
    CLEANUP(mem_free) struct message **messages = NULL;
    struct err err = {0};
    size_t count = 0;

    if (!mail_view_load(&view, &load_everything, &err) ||
        !(messages =
              thread_find(&view.model, span_of(app->operands[0]), app_now(app), &count, &err)))
        return app_fail(app, &err);
    int code = app_json(app) || !has_handoff(messages, count) || mail_view_derive(&view, true, &err)
                   ? put_thread(&view, messages, count)
                   : app_fail(app, &err);
    unreadable_report_mail(app);
    return code;
}

const struct command command_thread = {.name = "thread",
                                       .operands = "ID",
                                       .takes = {{.kinds = WORD_MESSAGE | WORD_THREAD}},
                                       .summary = "a whole conversation, oldest message first",
                                       .least = 1,
                                       .most = 1,
                                       .run = run_thread};
