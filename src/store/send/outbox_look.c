/* The outbox, looking: whether what was put into a shared file is still there. */
#include "store/send/outbox.h"

static bool is_same_box(const struct parcel *parcel, struct span format, struct span root,
                        struct span box)
{
    return span_is(format, parcel->source->format->name) && span_is(root, parcel->source->path) &&
           span_eq(box, str_span(&parcel->box));
}

/* Whether that id is one that we have sent to this box, or are about to. */
static bool is_ours(struct state *state, const struct parcel *parcel, struct span id,
                    struct err *err)
{
    struct outbox outbox = {0};
    struct sent_list sent = {0};
    bool found = false;

    if (outbox_list(state, &outbox, err) && sent_read(state, &sent, err)) {
        for (size_t i = 0; !found && i < outbox.count; i++) {
            const struct outbox_entry *entry = &outbox.items[i];
            found = span_eq(entry->id, id) &&
                    is_same_box(parcel, entry->format, entry->root, entry->box);
        }
        for (size_t i = 0; !found && i < sent.count; i++) {
            const struct sent_entry *entry = &sent.items[i];
            found = span_eq(entry->id, id) &&
                    is_same_box(parcel, entry->format, entry->root, entry->box);
        }
    }
    outbox_free(&outbox);
    sent_list_free(&sent);
    return found;
}

/* Where a reader is at work, something else has come into our place meanwhile, or nothing. */
static enum parcel_seen judge_array(struct parcel *parcel, enum parcel_seen seen)
{
    struct box_before *before = &parcel->before;

    if (seen == PARCEL_MISSING)
        return PARCEL_TAKEN;
    if (seen != PARCEL_SUSPECT)
        return seen;
    if (before->newer[0])
        return strcmp(before->newer, parcel->newer) == 0 ? PARCEL_OVERWRITTEN : PARCEL_TAKEN;
    memcpy(before->newer, parcel->newer, sizeof before->newer);
    return PARCEL_SUSPECT;
}

enum parcel_seen outbox_look(struct state *state, struct parcel *parcel, struct log *log)
{
    struct str other = {0};
    struct err err = {0};
    enum parcel_seen seen = parcel_look(parcel, &other);

    if (parcel->source->format->keeping == KEEP_ARRAY)
        seen = judge_array(parcel, seen);
    else if (seen == PARCEL_GONE)
        seen = PARCEL_TAKEN;
    else if (seen == PARCEL_MISSING)
        seen = is_ours(state, parcel, str_span(&other), &err) ? PARCEL_TAKEN : PARCEL_OVERWRITTEN;
    if (err.scope != ERR_NONE) { /* nobody knows whose it is: ours, written again, comes twice */
        log_add(log, "outbox: %s", err.text);
        seen = PARCEL_UNSURE;
    }
    str_free(&other);
    return seen;
}
