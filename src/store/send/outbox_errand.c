/* The outbox, one entry: where it is, writing it again, and noting what came of that. */
#include "store/send/outbox_private.h"

#include "store/scan/load.h"

#include <unistd.h>

static bool note(struct errand *errand, enum outbox_state state, int64_t due_us,
                 const char *problem, struct err *err)
{
    errand->entry->state = state;
    errand->entry->due_us = due_us;
    errand->entry->problem = span_of(problem);
    errand->entry->id = str_span(&errand->parcel.id);
    errand->entry->before = errand->parcel.before;
    if (outbox_settle(errand->state, errand->entry, err))
        return true;
    log_add(errand->log, "outbox: %s", err->text);
    return false;
}

void errand_settle(struct errand *errand, enum outbox_state state, int64_t due_us,
                   const char *problem)
{
    struct err ignored;

    note(errand, state, due_us, problem, &ignored);
}

static bool say_unnoted(struct err *err)
{
    err_at(err, "it is there, but the outbox still has it");
    err->scope = ERR_UNCONFIRMED;
    return false;
}

bool errand_done(struct errand *errand, enum sent_fate fate, struct err *err)
{
    log_add(errand->log, "outbox: %s is done", str_c(&errand->parcel.id));
    if (outbox_done(errand->state, errand->entry->number, str_span(&errand->parcel.id), fate,
                    when_now(), err))
        return true;
    log_add(errand->log, "outbox: %s", err->text);
    return say_unnoted(err);
}

const struct decision_record *errand_decision(struct errand *errand)
{
    struct err err;

    if (!ledger_read(&errand->ledger, &err))
        log_add(errand->log, "outbox: %s", err.text);
    return decided_find(&errand->ledger, errand->entry);
}

/* A message of its own file, wherever in its box it has got to: its owner may have marked it, or
 * put it away. */
struct search {
    struct span id;
    struct str dir, name; /* where it is */
    bool found;
    const struct parcel *parcel;
    struct err unread; /* what may be it, and cannot be read */
};

/* Whether it may be what cannot be read: its file, or a folder of its box. */
static bool may_be(const struct parcel *parcel, const struct message *message)
{
    const struct place *place = message->place;

    return message->unread_bytes &&
           (!place->team.at || span_eq(place->team, str_span(&parcel->team))) &&
           (!place->box.at || span_eq(place->box, str_span(&parcel->box))) &&
           (message->whole_folder || span_eq(message->file, str_span(&parcel->name)));
}

static void search_batch(void *context, struct batch *batch)
{
    struct search *search = context;

    for (size_t i = 0; !search->found && i < batch->count; i++) {
        const struct message *message = &batch->items[i];
        if (may_be(search->parcel, message)) {
            err_set(&search->unread, ERR_MESSAGE, "it cannot be read: %s", message->damaged);
            message_err_at(&search->unread, message);
            continue;
        }
        if (!span_eq(message->id, search->id))
            continue;
        search->found = true;
        str_add_span(&search->dir, message->place->dir);
        str_add_span(&search->name, message->file);
    }
}

/* What was found counts when it is on disk. */
static bool sync_found(int dir, const char *name, const char *path, struct err *err)
{
    if (file_sync(dir, name, err) && file_sync_dir(dir, err))
        return true;
    err_at(err, path);
    err->scope = ERR_UNCONFIRMED;
    return false;
}

/* Whether it is there; its file is on disk then. */
static bool is_file_there(struct errand *errand, struct err *err)
{
    const struct source *source = errand->parcel.source;
    struct search search = {.id = str_span(&errand->parcel.id), .parcel = &errand->parcel};
    struct load all = {.inbox = true, .archive = true};
    bool ok = load_source(source, &all, search_batch, &search, errand->log, err);
    int dir = ok && search.found ? source_open_dir(source, str_c(&search.dir), err) : -1;

    if (ok && !search.found && search.unread.scope != ERR_NONE)
        *err = search.unread;
    ok = dir >= 0 && sync_found(dir, str_c(&search.name), str_c(&search.dir), err);
    if (dir >= 0)
        close(dir);
    str_free(&search.dir);
    str_free(&search.name);
    return ok;
}

enum parcel_seen errand_look(struct errand *errand, struct err *err)
{
    struct parcel *parcel = &errand->parcel;

    err->scope = ERR_NONE;
    if (parcel->source->format->keeping == KEEP_FILES) {
        if (is_file_there(errand, err))
            return PARCEL_THERE;
        return err->scope == ERR_NONE ? PARCEL_MISSING : PARCEL_UNSURE;
    }
    enum parcel_seen seen = parcel_look(parcel, NULL);
    if (seen == PARCEL_THERE &&
        (!parcel_open(parcel, err) ||
         !sync_found(parcel->dir, str_c(&parcel->name), str_c(&parcel->path), err)))
        return PARCEL_UNSURE;
    return seen;
}

/* Why it could not be written stays with the entry, for the next try and for the person. */
static bool keep_problem(struct errand *errand, const struct err *err)
{
    bool array = errand->parcel.source->format->keeping == KEEP_ARRAY;

    if (array && errand->entry->attempts && err->scope != ERR_UNCONFIRMED)
        errand->entry->attempts--; /* a try that has written nothing does not count */
    errand_settle(errand, errand->entry->state, when_now() + OUTBOX_LATER_US, err->text);
    return false;
}

/* After a kill it is not written once more by itself. */
static bool note_writing(struct errand *errand, struct err *err)
{
    struct outbox_entry writing = *errand->entry;

    if (errand->parcel.source->format->keeping != KEEP_ARRAY)
        return true;
    writing.state = OUTBOX_RECORDED;
    return outbox_keep(errand->state, &writing, err);
}

bool errand_write_again(struct errand *errand, struct err *err)
{
    if (!parcel_open(&errand->parcel, err) || !note_writing(errand, err))
        return keep_problem(errand, err);
    switch (parcel_write(&errand->parcel, errand->log, err)) {
    case FILE_OK:
        return note(errand, OUTBOX_WRITTEN, when_now() + OUTBOX_SOON_US, "", err) ||
               say_unnoted(err);
    case FILE_EXISTS:
        return note(errand, OUTBOX_QUEUED, when_now(), "", err);
    case FILE_GONE:
    case FILE_CHANGED:
    case FILE_FAILED:
        break;
    }
    return keep_problem(errand, err);
}

bool errand_open_source(const struct outbox_entry *entry, struct source *source, struct err *err)
{
    struct str spec = {0};

    str_add_span(&spec, entry->format);
    str_putc(&spec, ':');
    str_add_span(&spec, entry->root);
    bool ok = source_open(source, str_c(&spec), NULL, NULL, err);
    str_free(&spec);
    return ok;
}
