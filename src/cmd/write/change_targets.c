/* Finding all messages before any of them is changed. */
#include "cmd/write/change_targets.h"

#include "base/json/json_print.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text/sanitize.h"
#include "cmd/mail_filter.h"
#include "store/source/address.h"

#include <stdlib.h>

void targets_free(struct targets *targets)
{
    free(targets->items);
    hash_index_free(&targets->known);
    *targets = (struct targets){0};
}

struct wanted {
    const struct targets *targets;
    const struct message *message;
};

static bool is_wanted(const void *context, uint32_t at)
{
    const struct wanted *wanted = context;

    return wanted->targets->items[at] == wanted->message;
}

void targets_add(struct targets *targets, struct message *message)
{
    const struct wanted wanted = {targets, message};
    uint32_t hash = map_hash((struct span){(const char *)&message, sizeof message}, 0);

    if (hash_index_find(&targets->known, hash, is_wanted, &wanted))
        return;
    hash_index_add(&targets->known, hash, (uint32_t)targets->count);
    *mem_push(targets->items, targets->count, targets->cap) = message;
}

/* Returns the only message with this id in the archive or in the inboxes; NULL if there is none or
 * more than one. */
static struct message *find_only(const struct model *model, struct span id, bool archived)
{
    struct message *found = NULL;
    size_t count = 0;

    for (size_t i = 0; i < model->count; i++) {
        struct message *message = model->messages[i];
        if (message->damaged || message->place->archived != archived || !span_eq(message->id, id))
            continue;
        found = message;
        count++;
    }
    return count == 1 ? found : NULL;
}

bool targets_find(struct targets *targets, const struct model *model, char *const *ids, int count,
                  bool archived, struct err *err)
{
    for (int i = 0; i < count; i++) {
        struct message *message = model_find(model, span_of(ids[i]), err);
        if (!message && model->same.count)
            message = find_only(model, span_of(ids[i]), archived);
        if (!message || unreadable_is_message(message, err))
            return false;
        targets_add(targets, message);
    }
    return true;
}

int targets_run(struct app *app, bool archived,
                int (*change)(struct app *app, const struct model *model, struct targets *targets))
{
    CLEANUP(targets_free) struct targets targets = {0};
    CLEANUP(model_free) struct model model = {0};
    struct err err;
    bool found = app_load(app, &load_everything, &model, &err) &&
                 targets_find(&targets, &model, app->operands, app->operand_count, archived, &err);

    return found ? change(app, &model, &targets) : app_fail(app, &err);
}

void targets_put_outcome(const struct app *app, const struct message *message, const char *status,
                         bool local)
{
    CLEANUP(str_free) struct str text = {0};

    if (app_json(app)) {
        str_puts(&text, "{\"v\":1");
        json_member(&text, "id", message->id);
        if (status)
            json_member_word(&text, "status", status);
        else
            json_member_flag(&text, "restored", true);
        if (local)
            json_member_flag(&text, "local", true);
        str_puts(&text, "}\n");
    } else {
        sanitize_add(&text, message->id, app->clean);
        str_addf(&text, " %s\n", status ? status : "restored");
    }
    app_put(app, &text);
}

/* The sentence that explains a change kept only locally, around the layout's name. */
struct reason {
    const char *start, *end;
};

static struct reason local_reason(const struct format *format, enum status status)
{
    bool native = format->verbs[verb_for_status(status)].ability != ABILITY_NONE;

    if (status == STATUS_ARCHIVED)
        return (struct reason){"hidden here only, with a copy: the layout",
                               "has no archive, and its mailbox is unchanged"};
    if (native && format->log_file)
        return (struct reason){"noted here: in the layout",
                               "agents only say this, and the mailbox is unchanged"};
    if (native)
        return (struct reason){"kept here only: the layout",
                               "has one mark for all who get it, which stays as it is"};
    return (struct reason){"kept here only: the layout",
                           "cannot hold this, and its mailbox is unchanged"};
}

/* Explains the changes that were kept only locally, once for each layout. */
static void explain_local(const struct app *app, const struct targets *targets,
                          const struct changed *outcomes, enum status status)
{
    const struct format *said = NULL;

    for (size_t i = 0; i < targets->count; i++) {
        const struct format *format =
            store_source(app->store, targets->items[i]->place->source)->format;
        if (!outcomes[i].ok || !outcomes[i].local || format == said)
            continue;
        said = format;
        struct reason reason = local_reason(format, status);
        app_note(app, "%s %s %s", reason.start, format->title, reason.end);
    }
}

/* Warns that archiving hides unread mail from its owner, which may not be intended. */
static void warn_of_taking(const struct app *app, const struct message *message)
{
    const struct source *source = store_source(app->store, message->place->source);

    if (source->format->archiving != ARCHIVE_LOCAL && message->status == STATUS_UNREAD &&
        message->to.len && !address_is_ours(source, message))
        app_note(app, "%.*s was unread mail of \"%.*s\", who will not see it in the mailbox now",
                 (int)message->id.len, message->id.at, (int)message->to.len, message->to.at);
}

int targets_change(struct app *app, const struct model *model, struct targets *targets,
                   enum status status, struct span note)
{
    CLEANUP(mem_free) struct changed *outcomes = mem_zero(targets->count, sizeof *outcomes);
    int worst = EXIT_DONE;

    /* A message that is in both places counts as archived, but archiving it must remove the copy in
     * the inbox. */
    for (size_t i = 0; status == STATUS_ARCHIVED && i < targets->count; i++) {
        struct message *inbox = model_inbox_copy(model, targets->items[i]);
        targets->items[i] = inbox ? inbox : targets->items[i];
    }
    if (targets->completed)
        store_complete(app->store, targets->items, targets->count, outcomes);
    else
        store_change(app->store, targets->items, targets->count, status, note, outcomes);
    for (size_t i = 0; i < targets->count; i++) {
        int code = EXIT_DONE;
        if (outcomes[i].ok) {
            targets_put_outcome(app, targets->items[i], status_name(status), outcomes[i].local);
            if (status == STATUS_ARCHIVED)
                warn_of_taking(app, targets->items[i]);
            if (status == STATUS_ARCHIVED && targets->items[i]->flags & MESSAGE_SHARED)
                app_note(app, "everything in its file went with it; see messages --archive");
        } else {
            code = app_fail(app, &outcomes[i].err);
        }
        worst = exit_worse(worst, code);
    }
    explain_local(app, targets, outcomes, status);
    return worst;
}
