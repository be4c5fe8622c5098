/* The outbox, trying again what a person asks for. */
#include "store/send/outbox_private.h"

static bool is_there(struct errand *errand, struct err *err)
{
    return errand_look(errand, err) == PARCEL_THERE;
}

static bool write_file(struct errand *errand, struct err *err)
{
    struct parcel *parcel = &errand->parcel;

    if (!parcel_open(parcel, err) ||
        !file_stage(&parcel->staged, parcel->dir, str_c(&parcel->name), str_span(&parcel->bytes),
                    parcel->source->format->file_mode, err))
        return false;
    enum file_result result = file_publish_new(&parcel->staged, err);
    if (result == FILE_EXISTS) {
        file_discard(&parcel->staged);
        return err_set(
            err, ERR_REFUSED,
            "%s/%s: the name is taken by another message; drop this one and send it anew",
            str_c(&parcel->path), str_c(&parcel->name));
    }
    if (result != FILE_OK)
        return false;
    if (file_sync_dir(parcel->dir, err))
        return true;
    err->scope = ERR_UNCONFIRMED;
    return false;
}

bool outbox_retry(struct state *state, int64_t number, struct log *log, struct err *err)
{
    struct outbox one = {0};
    struct source source = {.root = -1};
    struct errand errand = {.state = state, .log = log, .parcel = {.dir = -1}};
    struct err ignored;
    bool claimed = outbox_claim(state, number, when_now(), &one, err);
    bool ok = claimed && errand_open_source(&one.items[0], &source, err);

    if (ok) {
        errand.entry = &one.items[0];
        parcel_restore(&errand.parcel, &source, errand.entry);
        if (is_there(&errand, err)) {
            ok = errand_done(&errand, SENT_THERE, err);
        } else if (errand_decision(&errand)) {
            ok = err_set(err, ERR_REFUSED,
                         "it is a decision: the request may have changed since; look at it and "
                         "decide again, then drop this one");
            outbox_release(state, number, &ignored);
        } else if (err->scope != ERR_NONE) { /* there, or not to be known */
            ok = false;
            outbox_release(state, number, &ignored);
        } else if (source.format->keeping == KEEP_FILES) {
            ok = write_file(&errand, err);
            if (ok)
                ok = errand_done(&errand, SENT_THERE, err);
            else
                outbox_release(state, number, &ignored);
        } else {
            errand.entry->attempts = 0;
            ok = errand_write_again(&errand, err);
        }
    } else if (claimed) {
        outbox_release(state, number, &ignored);
    }
    parcel_free(&errand.parcel);
    ledger_free(&errand.ledger);
    source_close(&source);
    outbox_free(&one);
    return ok;
}
