/* Serving: messages and conversations as resources. */
#include "base/json/json_print.h"
#include "base/text/clean.h"
#include "cmd/mcp/serving.h"
#include "cmd/unreadable.h"
#include "mcp/uri.h"

#include <stdlib.h>

enum { LISTED_MAX = 50, NAME_COLUMNS = 80 };

static void add_clean(struct str *out, const char *key, struct span text)
{
    struct str shown = {0};

    clean_cut(&shown, text, CLEAN_LINE, NAME_COLUMNS);
    json_member(out, key, str_span(&shown));
    str_free(&shown);
}

static void add_resource(struct str *out, const struct message *message)
{
    struct str uri = {0}, about = {0};

    uri_add(&uri, URI_MESSAGE, message->id);
    str_putc(out, '{');
    json_member(out, "uri", str_span(&uri));
    add_clean(out, "name", message->id);
    add_clean(out, "title", message->subject.len ? message->subject : message->id);
    str_puts(&about, "unread, from ");
    str_add_span(&about, message->from);
    if (message->priority > PRIORITY_NORMAL)
        str_addf(&about, ", %s", priority_name(message->priority));
    add_clean(out, "description", str_span(&about));
    json_member_word(out, "mimeType", "application/json");
    str_putc(out, '}');
    str_free(&uri);
    str_free(&about);
}

static bool add_list(const struct server *server, struct str *out, struct err *err)
{
    struct load load = {.inbox = true};
    struct model model = {0};
    size_t count = 0;
    bool ok = app_load(server->app, &load, &model, err);
    struct selection places = unreadable_find(server->app, &model, UNREADABLE_OURS);

    for (size_t i = 0; ok && i < model.count; i++) {
        struct message *message = model.messages[i];
        if (message_for_us(message) && message->status == STATUS_UNREAD && !message->damaged &&
            message->id.len && !message_expired(message, app_now(server->app)))
            model.messages[count++] = message;
    }
    model_sort(model.messages, count, message_cmp_newest);
    str_putc(out, '[');
    for (size_t i = 0; i < count && i < LISTED_MAX; i++) {
        str_puts(out, i ? "," : "");
        add_resource(out, model.messages[i]);
    }
    str_putc(out, ']');
    if (!count && places.count)
        ok = err_set(err, ERR_BOX, "%s", places.items[0]->damaged) ||
             err_at(err, "the mailbox cannot be read");
    selection_free(&places);
    model_free(&model);
    return ok;
}

bool serving_list(void *context, struct str *out, struct err *err)
{
    struct server *server = context;
    struct str list = {0};
    bool ok = add_list(server, &list, err);

    str_add_span(out, str_span(&list));
    str_free(&server->listed);
    if (ok && !(server->watches && server->watching.ready))
        server->listed = list;
    else
        str_free(&list);
    serving_follow(server);
    return ok;
}

bool serving_has_changed(struct server *server)
{
    struct str now = {0};
    struct err ignored;
    bool changed = server->listed.len && add_list(server, &now, &ignored) &&
                   !span_eq(str_span(&now), str_span(&server->listed));

    str_free(&now);
    str_free(&server->listed);
    return changed;
}

bool serving_read(void *context, struct span uri, struct str *out, struct err *err)
{
    struct server *server = context;
    struct errand errand = {.most = SIZE_MAX, .operand_count = 1};
    struct mcp_result result = {0};
    struct str id = {0};
    enum uri_kind kind;
    bool ok = uri_read(uri, &kind, &id);
    int code = EXIT_NOTHING;

    if (ok) {
        errand.command = kind == URI_MESSAGE ? "show" : "thread";
        errand.operands[0] = str_c(&id);
        errand_add(&errand, "json", NULL);
        if (app_has(server->app, "readonly"))
            errand_add(&errand, "readonly", NULL);
        code = errand_run(server, &errand, kind == URI_MESSAGE ? TOOL_OBJECT : TOOL_LIST, &result);
        ok = !result.failed;
    }
    if (ok)
        mcp_result_add(out, &result);
    else
        err_set(err, code == EXIT_FAILED ? ERR_SOURCE : ERR_ABSENT, "%s: %.*s%s%s",
                code == EXIT_FAILED ? "the resource cannot be read" : "no such resource",
                (int)(uri.len < 200 ? uri.len : 200), uri.at, result.words.len ? "; " : "",
                str_c(&result.words));
    mcp_result_free(&result);
    str_free(&id);
    free(errand.given);
    return ok;
}
