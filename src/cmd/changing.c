/* Changing: finding what is meant first, then changing it. */
#include "cmd/changing.h"

#include "base/clean.h"
#include "base/json_print.h"
#include "base/mem.h"

#include <stdlib.h>

void targets_free(struct targets *targets)
{
    free(targets->items);
    *targets = (struct targets){0};
}

void targets_add(struct targets *targets, struct message *message)
{
    for (size_t i = 0; i < targets->count; i++)
        if (targets->items[i] == message)
            return;
    targets->items =
        mem_grow(targets->items, &targets->cap, targets->count + 1, sizeof *targets->items);
    targets->items[targets->count++] = message;
}

bool targets_find(struct targets *targets, const struct model *model, char *const *ids, int count,
                  struct err *err)
{
    for (int i = 0; i < count; i++) {
        struct message *message = model_find(model, span_of(ids[i]), err);
        if (!message)
            return false;
        targets_add(targets, message);
    }
    return true;
}

static int change_one(struct app *app, const struct message *message, enum status status)
{
    struct str text = {0};
    struct err err;

    if (!store_change(app->store, message, status, &err))
        return app_fail(app, &err);
    if (app_json(app)) {
        str_puts(&text, "{\"v\":1,\"id\":");
        json_put_text(&text, message->id, &json_style_line);
        str_addf(&text, ",\"status\":\"%s\"}\n", status_name(status));
    } else {
        clean_add(&text, message->id, app->clean);
        str_addf(&text, " %s\n", status_name(status));
    }
    app_put(&text);
    str_free(&text);
    return EXIT_DONE;
}

int targets_change(struct app *app, const struct model *model, const struct targets *targets,
                   enum status status)
{
    int worst = EXIT_DONE;

    for (size_t i = 0; i < targets->count; i++) {
        struct message *message = targets->items[i];
        /* A message that lies in both places is archived for all purposes but one: archiving it
         * again takes the copy in the inbox away. */
        struct message *inbox = status == STATUS_ARCHIVED ? model_inbox_copy(model, message) : NULL;
        int code = change_one(app, inbox ? inbox : message, status);
        worst = code > worst ? code : worst;
    }
    return worst;
}
