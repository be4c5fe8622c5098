/* Loading the mail for a command, selecting what waits for an agent. */
#include "cmd/mail_filter.h"

#include "base/io_error.h"
#include "base/mem.h"
#include "base/text/suggest.h"
#include "cmd/app_options.h"
#include "cmd/read/sources.h"
#include "store/source/address.h"

#include <stdlib.h>

static void selection_add(struct selection *selection, struct message *message)
{
    *mem_push(selection->items, selection->count, selection->cap) = message;
}

/* Returns true if the message is in the inbox of the agent (of ours if `agent` is absent), or
 * represents an unreadable directory that may contain that inbox. */
static bool mail_filter_is_in_box(const struct app *app, const struct message *message,
                                  struct span agent)
{
    if (!agent.at)
        return message->mine || message_hides_ours(message);
    const struct format *format = store_source(app->store, message->place->source)->format;
    /* only then were other boxes loaded too */
    return !format->exact_to || !message->place->box.at ||
           format_is_plain_spelling(format, agent, message->place->box);
}

/* Finding and reporting places that could not be read. */

struct selection unreadable_find(const struct app *app, const struct model *model,
                                 enum unreadable_scope scope)
{
    bool ours_only = scope == UNREADABLE_OURS || app->own_only;
    struct selection places = {0};

    for (size_t i = 0; i < model->count; i++) {
        struct message *message = model->messages[i];
        if (message->unread_bytes && (scope == UNREADABLE_ANY || !message->place->archived) &&
            (!ours_only || message_hides_ours(message)))
            selection_add(&places, message);
    }
    return places;
}

struct selection unreadable_find_of(const struct app *app, const struct model *model,
                                    struct span agent)
{
    struct selection places = {0};

    for (size_t i = 0; i < model->count; i++)
        if (model->messages[i]->unread_bytes &&
            mail_filter_is_in_box(app, model->messages[i], agent))
            selection_add(&places, model->messages[i]);
    return places;
}

bool unreadable_is_place(const struct app *app, const struct message *message)
{
    const struct source *source = store_source(app->store, message->place->source);

    return message->whole_folder ||
           (message->unread_bytes && source->format->storage != STORAGE_FILES);
}

static void note_errors(const struct app *app, enum io_error_kind kind)
{
    CLEANUP(str_free) struct str path = {0}, reason = {0};
    bool some = false;

    for (; io_error_take(kind, &path, &reason); some = true) {
        if (path.len)
            unreadable_note_path(app, str_c(&path), str_c(&reason));
        else
            app_note(app, "%s", str_c(&reason));
    }
    if (some)
        unreadable_note_more(app, io_error_count(kind));
}

int unreadable_finish(const struct app *app, int code)
{
    int nothing = app->command->examines ? EXIT_DONE : EXIT_NOTHING;

    note_errors(app, IO_ERROR_OTHER);
    return code == nothing && io_error_count(IO_ERROR_OTHER) ? EXIT_FAILED : code;
}

bool unreadable_hides(const struct app *app, struct err *err)
{
    char text[sizeof err->text];

    if (err->scope != ERR_ABSENT ||
        !(io_error_count(IO_ERROR_OTHER) || io_error_count(IO_ERROR_MAIL)))
        return false;
    note_errors(app, IO_ERROR_OTHER);
    note_errors(app, IO_ERROR_MAIL);
    memcpy(text, err->text, sizeof text);
    err_set(err, ERR_SOURCE, "as far as it could be read: %s", text);
    return true;
}

bool unreadable_is_message(const struct message *message, struct err *err)
{
    if (!message->unread_bytes)
        return false;
    err_set(err, ERR_MESSAGE, "it cannot be read: %s", message->damaged);
    message_err_at(err, message);
    return true;
}

static int exit_code(const struct selection *places, bool found)
{
    return found ? EXIT_DONE : places->count ? EXIT_FAILED : EXIT_NOTHING;
}

void unreadable_note_path(const struct app *app, const char *path, const char *reason)
{
    app_note(app, "%s: it cannot be read: %s", path, reason);
}

void unreadable_note_more(const struct app *app, size_t count)
{
    if (count > UNREADABLE_NAMED)
        app_note(app, "%zu more places cannot be read; swarmutt doctor names them",
                 count - UNREADABLE_NAMED);
}

static void note_place(const struct app *app, const struct message *message)
{
    CLEANUP(str_free) struct str path = {0};

    message_add_path(&path, message, true);
    unreadable_note_path(app, str_c(&path), message->damaged);
}

void unreadable_note(const struct app *app, enum live_event event, const struct message *message)
{
    if (event != LIVE_GONE && message->unread_bytes)
        note_place(app, message);
}

int unreadable_report(const struct app *app, const struct selection *places, bool found)
{
    for (size_t i = 0; i < places->count && i < UNREADABLE_NAMED; i++)
        note_place(app, places->items[i]);
    unreadable_note_more(app, places->count);
    return exit_code(places, found);
}

void unreadable_report_mail(const struct app *app)
{
    note_errors(app, IO_ERROR_MAIL);
}

int unreadable_report_live(const struct app *app, const struct live *live, bool found, bool silent)
{
    CLEANUP(model_free) struct model model = {0};

    live_view(live, &model);
    CLEANUP(selection_free) struct selection places = unreadable_find(app, &model, UNREADABLE_ANY);
    int code = exit_code(&places, found);
    if (!silent) {
        unreadable_report(app, &places, found);
        note_errors(app, IO_ERROR_OTHER);
    }
    return code;
}

void selection_free(struct selection *selection)
{
    free(selection->items);
    *selection = (struct selection){0};
}

bool mail_view_query(struct mail_view *view)
{
    const struct app *app = view->app;

    return app_query_read(&view->querying, app, app->operands, app->operand_count) &&
           app_limit(app, &view->limit);
}

bool mail_view_load(struct mail_view *view, const struct load *load, struct err *err)
{
    bool ok = view->querying.store
                  ? app_query_load(view->app, &view->querying, load, &view->model, err)
                  : app_load(view->app, load, &view->model, err);

    view->places = unreadable_find(view->app, &view->model, view->scope);
    return ok;
}

bool mail_view_derive(struct mail_view *view, bool expired, struct err *err)
{
    struct app *app = view->app;

    if (!store_agents(app->store, &app->config, &view->world, err))
        return false;
    sight_build(&view->sight, &view->model, &view->world, app_now(app), expired);
    return true;
}

void mail_view_free(struct mail_view *view)
{
    sight_free(&view->sight);
    agent_directory_free(&view->world);
    selection_free(&view->places);
    model_free(&view->model);
    querying_close(&view->querying);
}

bool mail_filter_load(const struct app *app, const struct checking *checking, struct model *model,
                      struct err *err)
{
    struct load load = checking_load(checking);

    return app_load(app, &load, model, err);
}

void mail_filter_waiting(const struct app *app, const struct model *model,
                         const struct checking *checking, struct selection *selection)
{
    for (size_t i = 0; i < model->count; i++)
        if (checking_matches(app->store, model->messages[i], checking))
            selection_add(selection, model->messages[i]);
    model_sort(selection->items, selection->count, message_cmp_urgency);
}

/* Appends a hint with the known names that `agent` may be a misspelling of. Appends nothing if an
 * agent has exactly this name. */
static void add_near(struct str *near, const struct app *app, const struct model *model,
                     struct span agent)
{
    CLEANUP(span_list_free) struct span_list names = {0};
    CLEANUP(arena_free) struct arena arena = {0};

    for (uint32_t i = 0; !app->own_only && i < store_source_count(app->store); i++)
        identity_check_add_names(&names, app->store, i, agent, &arena);
    for (size_t i = 0; i < model->count; i++)
        if (model->messages[i]->to.len)
            span_list_add(&names, model->messages[i]->to);
    bool known = false;
    for (size_t i = 0; i < names.count; i++)
        known |= span_eq(names.items[i], agent);
    if (!known)
        suggest_hint(near, agent, names.items, names.count);
}

/* Counts of the messages that were not selected, and why. */
struct rest {
    size_t damaged, own, expired, lesser;
    struct span other; /* another recipient in this box, if it is not the agent's */
    struct span also;  /* another name of the same agent under which unread mail waits */
    size_t also_count; /* number of messages under that name */
};

/* Counts mail under the agent's other name. One agent may be addressed with and without its swarm;
 * then it has two boxes, and its program reads only one of them. */
static void count_also(struct rest *rest, const struct app *app, const struct message *message,
                       const struct checking *checking)
{
    const struct source *source = store_source(app->store, message->place->source);

    if (!checking->agent.at || !source->format->exact_to || message->status != STATUS_UNREAD ||
        !address_is_owner(source, message, checking->agent) ||
        (rest->also.at && !span_eq(rest->also, message->to)))
        return;
    rest->also = message->to;
    rest->also_count++;
}

static void count_own(struct rest *rest, const struct message *message,
                      const struct checking *checking)
{
    bool expired = message_expired(message, checking->now_us);

    rest->own++;
    if (message->damaged || message->status != STATUS_UNREAD)
        return;
    rest->expired += expired;
    rest->lesser += !expired && message->priority < checking->least;
}

static void count_rest(struct rest *rest, const struct app *app, const struct model *model,
                       const struct checking *checking)
{
    const struct place *last = NULL;
    bool here = false; /* true if `last` is in the agent's box */

    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        bool own = checking_is_addressed(app->store, message, checking->agent);
        if (own)
            count_own(rest, message, checking);
        else if (!message->damaged)
            count_also(rest, app, message, checking);
        if (message->place != last || !checking->agent.at)
            here = mail_filter_is_in_box(app, message, checking->agent);
        last = message->place;
        rest->damaged += here && message->damaged && !message->unread_bytes;
        if (here && !message->damaged && !own && checking->agent.at)
            rest->other = message->to;
    }
}

static void add_quoted(struct str *out, struct span name)
{
    str_addf(out, "\"%.*s\"", (int)name.len, name.at);
}

/* Prints why the selection is empty. */
static void say_none(const struct app *app, const struct model *model, struct span agent,
                     const struct rest *rest)
{
    CLEANUP(str_free) struct str sentence = {0};

    str_puts(&sentence, "nothing waits for ");
    if (agent.at)
        add_quoted(&sentence, agent);
    else
        str_puts(&sentence, "you");
    if (rest->other.at) {
        str_puts(&sentence, "; this box holds mail for ");
        add_quoted(&sentence, rest->other);
    } else if (!rest->own && agent.at) {
        add_near(&sentence, app, model, agent);
    }
    app_note(app, "%s", str_c(&sentence));
}

void mail_filter_explain(const struct app *app, const struct model *model,
                         const struct checking *checking, const struct selection *selection,
                         int code)
{
    struct span agent = checking->agent;
    const char *box = agent.at ? " --box " : "";
    struct rest rest = {0};

    count_rest(&rest, app, model, checking);
    if (rest.damaged)
        app_note(app,
                 "%zu damaged message%s in this box the agent cannot see; list with: swarmutt "
                 "messages%s%.*s",
                 rest.damaged, rest.damaged == 1 ? "" : "s", box, (int)agent.len, agent.at);
    if (rest.expired)
        app_note(app, "%zu unread message%s expired; list with: swarmutt messages%s%.*s",
                 rest.expired, rest.expired == 1 ? " has" : "s have", box, (int)agent.len,
                 agent.at);
    if (rest.lesser)
        app_note(app,
                 "%zu unread message%s of lower priority %s left out; --min-priority low shows all",
                 rest.lesser, rest.lesser == 1 ? "" : "s", rest.lesser == 1 ? "was" : "were");
    if (rest.also_count)
        app_note(app,
                 "%zu unread message%s for \"%.*s\", which may be the same agent: its program "
                 "looks under one name only; see swarmutt check %.*s",
                 rest.also_count, rest.also_count == 1 ? " is" : "s are", (int)rest.also.len,
                 rest.also.at, (int)rest.also.len, rest.also.at);
    if (!selection->count && !rest.lesser && code != EXIT_FAILED)
        say_none(app, model, agent, &rest);
}
