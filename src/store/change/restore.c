/* Restoring: what may be taken back, in which order, and the marks that are kept here. */
#include "store/change/restore.h"

#include "base/map.h"
#include "store/change/bring.h"
#include "store/scan/load.h"
#include "store/scan/overlay.h"

struct hidden {
    const struct source *source;
    const struct message *message;
};

static bool is_copy_of_hidden(const void *context, struct span bytes)
{
    const struct hidden *hidden = context;
    const struct message *message = hidden->message;
    const struct copy copy = {.team = message->place->team,
                              .box = message->place->box,
                              .id = message->id,
                              .name = message->file};

    return overlay_is_copy_of(hidden->source, &copy, bytes, message);
}

/* Marks that are back where they were need no transaction. */
static bool mark_back(const struct changing *how, const struct change_record *record,
                      struct err *err)
{
    const struct mark *before = &record->mark_before, *after = &record->mark_after;
    const struct hidden hidden = {how->source, &record->message};
    struct state_undo undo = {.key = overlay_key(how->source, &record->message),
                              .viewer = record->viewer,
                              .mark = before,
                              .copies = record->deed == DEED_HIDDEN,
                              .is_meant = is_copy_of_hidden,
                              .context = &hidden};

    if (!undo.copies && before->has_status == after->has_status &&
        before->status == after->status && before->changed_us == after->changed_us)
        return true;
    return changing_has_state(how, err) && state_take_back(how->state, &undo, 1, err);
}

/* The messages of one file as they are now, for one record after the other. */
struct present {
    struct batch batch;
    struct map ids;
    const struct message *of; /* one of that file */
};

static void present_free(struct present *present)
{
    map_free(&present->ids);
    batch_free(&present->batch);
    *present = (struct present){0};
}

/* What was hidden here is shown again only while it is there: the copy may be all that is left. */
static bool is_present(const struct changing *how, struct present *present,
                       const struct message *message, struct err *err)
{
    bool fresh;

    if (!present->of || !span_eq(present->of->file, message->file) ||
        !span_eq(present->of->place->dir, message->place->dir)) {
        present_free(present);
        if (!load_again(how->source, message, WANT_HEAD, NULL, &present->batch, err) &&
            err->scope != ERR_ABSENT)
            return false;
        present->of = message;
        for (size_t i = 0; i < present->batch.count; i++)
            map_put(&present->ids, present->batch.items[i].id, &fresh);
    }
    return map_get(&present->ids, message->id) ||
           err_set(err, ERR_REFUSED,
                   "%.*s is not in its mailbox any more; the copy that is kept here stays in the "
                   "archive",
                   (int)message->id.len, message->id.at);
}

static bool take_back(const struct changing *how, const struct change_record *record,
                      struct present *present, struct err *err)
{
    if (record->by_others)
        return err_set(err, ERR_REFUSED,
                       "%.*s was put away by someone else at the same moment; it stays there",
                       (int)record->message.id.len, record->message.id.at);
    /* a mark of our own says more than the flag, and can say it again; nothing else can */
    if (record->deed == DEED_MARKED && !record->mark_before.has_status)
        return err_set(err, ERR_REFUSED,
                       "%.*s: in a shared inbox what is marked as read stays so; agents may have "
                       "seen it",
                       (int)record->message.id.len, record->message.id.at);
    if (record->deed == DEED_HIDDEN && !is_present(how, present, &record->message, err))
        return false;
    if (!bring_back(how, record, err))
        return false;
    return record->deed == DEED_TAKEN || mark_back(how, record, err); /* which went with its copy */
}

/* The marks of one viewer as they are now, for one record after the other. */
struct marks_now {
    struct marks marks;
    struct span viewer;
};

/* A mark that was set since, by another swarmutt, is the person's last word. */
static bool is_last_mark(const struct changing *how, const struct change_record *record,
                         struct marks_now *now, struct err *err)
{
    const struct message *message = &record->message;
    const struct mark *after = &record->mark_after;

    if (!how->state)
        return true;
    if (!now->viewer.at || !span_eq(now->viewer, record->viewer)) {
        if (!state_marks(how->state, how->source->format->name, how->source->path, record->viewer,
                         &now->marks, err))
            return false;
        now->viewer = record->viewer;
    }
    const struct mark *mark = overlay_mark(&now->marks, message);
    bool has_status = mark && mark->has_status;
    if (has_status == after->has_status &&
        (!has_status || (mark->status == after->status && mark->changed_us == after->changed_us)))
        return true;
    return err_set(err, ERR_REFUSED, "%.*s was %s%s here since; it stays so", (int)message->id.len,
                   message->id.at, has_status ? "marked as " : "taken back",
                   has_status ? status_name(mark->status) : "");
}

void restore_records(const struct changing *how, const struct change_record *const *which,
                     size_t count, struct changed *outcomes)
{
    struct present present = {0};
    struct marks_now now = {0};

    for (size_t i = 0; i < count; i++) {
        outcomes[i] = (struct changed){0};
        outcomes[i].ok = is_last_mark(how, which[i], &now, &outcomes[i].err);
    }
    marks_free(&now.marks);
    for (size_t i = 0; i < count; i++) {
        const struct change_record *record = which[i];
        if (outcomes[i].ok)
            outcomes[i].ok = take_back(how, record, &present, &outcomes[i].err);
        outcomes[i].local = record->deed == DEED_NOTED || record->deed == DEED_MARKED ||
                            record->deed == DEED_HIDDEN;
        outcomes[i].remains = outcomes[i].ok ? record->remains : NULL;
        if (outcomes[i].ok)
            log_add(how->log, "%.*s is no longer %s", (int)record->message.id.len,
                    record->message.id.at, status_name(record->status));
    }
    present_free(&present);
}
