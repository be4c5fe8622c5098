/* The outbox, looking: whether what was put into a shared file is still there. */
#include "store/outbox.h"

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

enum parcel_seen outbox_look(struct state *state, struct parcel *parcel, struct log *log)
{
    struct str other = {0};
    struct err err = {0};
    enum parcel_seen seen = parcel_look(parcel, &other);

    if (seen == PARCEL_MISSING && parcel->source->format->keeping == KEEP_SLOT &&
        is_ours(state, parcel, str_span(&other), &err))
        seen = PARCEL_TAKEN;
    if (err.scope != ERR_NONE)
        log_add(log, "outbox: %s", err.text);
    str_free(&other);
    return seen;
}
