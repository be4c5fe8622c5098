/* The outbox afterwards: what every later process does for those before it. */
#include "store/outbox.h"

#include <string.h>
#include <unistd.h>

#define SOON_US INT64_C(300000)
#define LATER_US INT64_C(10000000)

/* One entry that is being worked on. */
struct errand {
    struct state *state;
    struct log *log;
    struct outbox_entry *entry;
    struct parcel parcel;
};

static void settle(struct errand *errand, enum outbox_state state, int64_t due_us,
                   const char *problem)
{
    struct err err;

    errand->entry->state = state;
    errand->entry->due_us = due_us;
    errand->entry->problem = span_of(problem);
    errand->entry->id = str_span(&errand->parcel.id);
    if (!outbox_settle(errand->state, errand->entry, &err))
        log_add(errand->log, "outbox: %s", err.text);
}

static void done(struct errand *errand)
{
    struct err err;

    log_add(errand->log, "outbox: %s is done", str_c(&errand->parcel.id));
    if (!outbox_remove(errand->state, errand->entry->number, &err))
        log_add(errand->log, "outbox: %s", err.text);
}

static bool is_file_there(struct errand *errand)
{
    struct parcel *parcel = &errand->parcel;
    struct str bytes = {0};
    struct file_id id;
    struct err ignored;
    int dir = source_dir(parcel->source, str_c(&parcel->path));
    bool same =
        dir >= 0 &&
        file_read(dir, str_c(&parcel->name), FILE_SIZE_MAX, &bytes, &id, &ignored) == FILE_OK &&
        span_eq(str_span(&bytes), str_span(&parcel->bytes));

    if (dir >= 0)
        close(dir);
    str_free(&bytes);
    return same;
}

/* Whoever noted this died before it was done: it is not sent behind the person's back. */
static void resolve_interrupted(struct errand *errand)
{
    bool there = errand->parcel.source->format->keeping == KEEP_FILES
                     ? is_file_there(errand)
                     : parcel_look(&errand->parcel) == PARCEL_THERE;

    if (there)
        done(errand);
    else
        settle(errand, OUTBOX_FAILED, 0, "sending was interrupted, and it was not found");
}

/* Why it could not be written stays with the entry, for the next try and for the person. */
static bool keep_problem(struct errand *errand, const struct err *err)
{
    settle(errand, errand->entry->state, when_now() + LATER_US, err->text);
    return false;
}

static bool write_again(struct errand *errand, struct err *err)
{
    if (!parcel_open(&errand->parcel, err))
        return keep_problem(errand, err);
    switch (parcel_write(&errand->parcel, errand->log, err)) {
    case FILE_OK:
        settle(errand, OUTBOX_WRITTEN, when_now() + SOON_US, "");
        return true;
    case FILE_EXISTS:
        settle(errand, OUTBOX_QUEUED, when_now(), "");
        return true;
    case FILE_GONE:
    case FILE_CHANGED:
    case FILE_FAILED:
        break;
    }
    return keep_problem(errand, err);
}

static void look_again(struct errand *errand)
{
    struct err err;

    switch (parcel_look(&errand->parcel)) {
    case PARCEL_THERE:
    case PARCEL_TAKEN:
        done(errand);
        break;
    case PARCEL_UNSURE:
        settle(errand, OUTBOX_WRITTEN, when_now() + SOON_US, "");
        break;
    case PARCEL_MISSING:
        if (errand->entry->attempts >= OUTBOX_REWRITES) {
            settle(errand, OUTBOX_LOST, 0, outbox_vanished);
            break;
        }
        errand->entry->attempts++;
        log_add(errand->log, "%s vanished: writing it again", str_c(&errand->parcel.id));
        write_again(errand, &err);
        break;
    }
}

static bool open_source_of(const struct outbox_entry *entry, struct source *source, struct err *err)
{
    struct str spec = {0};

    str_add_span(&spec, entry->format);
    str_putc(&spec, ':');
    str_add_span(&spec, entry->root);
    bool ok = source_open(source, str_c(&spec), NULL, NULL, err);
    str_free(&spec);
    return ok;
}

static void work_on(struct state *state, struct log *log, struct outbox_entry *entry)
{
    struct errand errand = {.state = state, .log = log, .entry = entry, .parcel = {.dir = -1}};
    struct source source;
    struct err err;

    if (!open_source_of(entry, &source, &err)) {
        str_add_span(&errand.parcel.id, entry->id);
        if (entry->state == OUTBOX_WRITTEN)
            done(&errand); /* the whole mailbox has gone since */
        else
            settle(&errand, OUTBOX_FAILED, 0, err.text);
    } else {
        parcel_restore(&errand.parcel, &source, entry);
        if (entry->state == OUTBOX_RECORDED)
            resolve_interrupted(&errand);
        else if (entry->state == OUTBOX_WRITTEN)
            look_again(&errand);
        else
            write_again(&errand, &err);
    }
    parcel_free(&errand.parcel);
    source_close(&source);
}

void outbox_work(struct state *state, struct log *log)
{
    struct outbox due = {0};
    struct err err;

    if (!outbox_due(state, when_now(), &due, &err))
        log_add(log, "outbox: %s", err.text);
    for (size_t i = 0; i < due.count; i++) {
        struct outbox one = {0};
        if (outbox_claim(state, due.items[i].number, when_now(), &one, &err))
            work_on(state, log, &one.items[0]);
        outbox_free(&one);
    }
    outbox_free(&due);
}

static bool write_file(struct errand *errand, struct err *err)
{
    struct parcel *parcel = &errand->parcel;

    if (is_file_there(errand))
        return true;
    if (!parcel_open(parcel, err) ||
        !file_stage(&parcel->staged, parcel->dir, str_c(&parcel->name), str_span(&parcel->bytes),
                    parcel->source->format->file_mode, err))
        return false;
    enum file_result result = file_publish_new(&parcel->staged, err);
    if (result == FILE_EXISTS) {
        file_discard(&parcel->staged);
        return err_set(err, ERR_REFUSED, "%s: the name is taken by another message",
                       str_c(&parcel->name));
    }
    return result == FILE_OK && file_sync_dir(parcel->dir, err);
}

bool outbox_retry(struct state *state, int64_t number, struct log *log, struct err *err)
{
    struct outbox one = {0};
    struct source source = {.root = -1};
    struct errand errand = {.state = state, .log = log, .parcel = {.dir = -1}};
    struct err ignored;
    bool claimed = outbox_claim(state, number, when_now(), &one, err);
    bool ok = claimed && open_source_of(&one.items[0], &source, err);

    if (ok) {
        errand.entry = &one.items[0];
        parcel_restore(&errand.parcel, &source, errand.entry);
        if (source.format->keeping == KEEP_FILES) {
            ok = write_file(&errand, err);
            if (ok)
                done(&errand);
            else
                outbox_release(state, number, &ignored);
        } else if (parcel_look(&errand.parcel) == PARCEL_THERE) {
            done(&errand);
        } else {
            errand.entry->attempts = 0;
            ok = write_again(&errand, err);
        }
    } else if (claimed) {
        outbox_release(state, number, &ignored);
    }
    parcel_free(&errand.parcel);
    source_close(&source);
    outbox_free(&one);
    return ok;
}
