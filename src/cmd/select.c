/* Selecting what waits for an agent. */
#include "cmd/select.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <stdlib.h>

void selection_free(struct selection *selection)
{
    free(selection->items);
    *selection = (struct selection){0};
}

bool select_load(const struct app *app, const struct criteria *criteria, struct model *model,
                 struct err *err)
{
    struct load load = pending_load(criteria);

    return app_load(app, &load, model, err);
}

void select_pending(const struct app *app, const struct model *model,
                    const struct criteria *criteria, struct selection *selection)
{
    for (size_t i = 0; i < model->count; i++) {
        if (!pending_matches(app->store, model->messages[i], criteria))
            continue;
        selection->items = mem_grow(selection->items, &selection->cap, selection->count + 1,
                                    sizeof *selection->items);
        selection->items[selection->count++] = model->messages[i];
    }
    model_sort(selection->items, selection->count, message_cmp_urgency);
}

/* The box an agent's mail would go into, compared with the box a message lies in. */
static bool is_in_box_of(const struct app *app, const struct message *message, struct span agent)
{
    const struct source *source = store_source(app->store, message->place->source);
    struct str box = {0};
    struct err ignored;
    /* only there were other boxes loaded too */
    bool same = !source->format->exact_to || (source->format->box_name(&box, agent, 0, &ignored) &&
                                              span_eq(message->place->box, str_span(&box)));

    str_free(&box);
    return same;
}

static bool say_unreadable(const struct message *message, struct err *err)
{
    struct str path = {0};

    message_add_path(&path, message, true);
    err_set(err, ERR_BOX, "%s: it cannot be read: %s", str_c(&path), message->damaged);
    str_free(&path);
    return false;
}

bool select_readable(const struct app *app, const struct model *model,
                     const struct criteria *criteria, struct err *err)
{
    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        if (message->whole_folder && is_in_box_of(app, message, criteria->agent))
            return say_unreadable(message, err);
    }
    return true;
}

/* Names that messages are addressed to, for one that may be mistyped. */
static void add_near(struct str *near, const struct model *model, struct span agent)
{
    struct span_list names = {0};

    for (size_t i = 0; i < model->count; i++)
        if (model->messages[i]->to.len)
            span_list_add(&names, model->messages[i]->to);
    nearest_hint(near, agent, names.items, names.count);
    span_list_free(&names);
}

void select_explain(const struct app *app, const struct model *model,
                    const struct criteria *criteria, const struct selection *selection)
{
    struct span agent = criteria->agent, other = {0};
    struct str near = {0};
    size_t damaged = 0, own = 0, expired = 0, lesser = 0;
    const struct place *last = NULL;
    bool here = false; /* `last` is in the agent's box */

    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        own += pending_is_addressed(app->store, message, agent);
        expired += !message->damaged && pending_is_addressed(app->store, message, agent) &&
                   message->status == STATUS_UNREAD && message_expired(message, criteria->now_us);
        lesser += !message->damaged && pending_is_addressed(app->store, message, agent) &&
                  message->status == STATUS_UNREAD && message->priority < criteria->least &&
                  !message_expired(message, criteria->now_us);
        if (message->place != last)
            here = is_in_box_of(app, message, agent);
        last = message->place;
        if (!here)
            continue;
        damaged += message->damaged != NULL;
        if (!message->damaged && !pending_is_addressed(app->store, message, agent))
            other = message->to;
    }
    if (damaged)
        app_note(app,
                 "%zu damaged message%s in this box the agent cannot see; list with: swarmutt "
                 "messages --box %.*s",
                 damaged, damaged == 1 ? "" : "s", (int)agent.len, agent.at);
    if (expired)
        app_note(app, "%zu unread message%s expired; list with: swarmutt messages --box %.*s",
                 expired, expired == 1 ? " has" : "s have", (int)agent.len, agent.at);
    if (lesser)
        app_note(app, "%zu unread message%s of lower priority left out; see --min-priority", lesser,
                 lesser == 1 ? " is" : "s are");
    if (!own && !other.at && !selection->count)
        add_near(&near, model, agent);
    if (!selection->count && other.at)
        app_note(app, "nothing waits for \"%.*s\"; this box holds mail for \"%.*s\"",
                 (int)agent.len, agent.at, (int)other.len, other.at);
    else if (!selection->count)
        app_note(app, "nothing waits for \"%.*s\"%s", (int)agent.len, agent.at, str_c(&near));
    str_free(&near);
}
