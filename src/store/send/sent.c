/* Messages sent from here under our identities: from the notes on delivered messages and the
 * outbox. */
#include "base/mem.h"
#include "store/source/address.h"
#include "store/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct sent_work {
    struct store *store;
    struct delivery_notes *notes;
    struct map boxes; /* 1: its file exists, 2: it is gone */
    struct arena keys;
    struct str scratch;
};

/* The delivery state of an entry of the outbox, by its state there. */
static const enum delivery_state state_of[] = {
    [OUTBOX_RECORDED] = DELIVERY_QUEUED,         [OUTBOX_WRITTEN] = DELIVERY_DELIVERED,
    [OUTBOX_QUEUED] = DELIVERY_QUEUED,           [OUTBOX_LOST] = DELIVERY_VANISHED,
    [OUTBOX_FAILED] = DELIVERY_FAILED,           [OUTBOX_TAKEN] = DELIVERY_TAKEN,
    [OUTBOX_UNCONFIRMED] = DELIVERY_UNCONFIRMED,
};

/* The delivery state by the result of the last check. */
static const enum delivery_state delivery_of[] = {
    [SENT_THERE] = DELIVERY_DELIVERED,
    [SENT_TAKEN] = DELIVERY_TAKEN,
    [SENT_LOST] = DELIVERY_VANISHED,
    [SENT_UNCONFIRMED] = DELIVERY_UNCONFIRMED,
};

/* Returns the source of a note if it is open and the sender is us, else NULL. */
static const struct source *source_of(const struct store *store, struct span format,
                                      struct span root, struct span team, struct span from)
{
    for (size_t i = 0; i < store->source_count; i++) {
        const struct source *source = &store->sources[i];
        struct place place = {.source = source->index};
        if (!source_is(source, format, root))
            continue;
        if (format_has_teams(source->format))
            place.team = team;
        return address_is_us(source, &place, from) ? source : NULL;
    }
    return NULL;
}

static bool is_file_gone(const struct source *source, struct span team, struct span box)
{
    const struct format *format = source->format;
    CLEANUP(str_free) struct str path = {0};
    CLEANUP(str_free) struct str name = {0};

    format_dir(&path, format, false, team, box);
    place_file(&name, format->rules[format->rule_count - 1].pattern, box);
    int dir = source_dir(source, str_c(&path));
    bool gone =
        dir < 0 ? errno == ENOENT
                : faccessat(dir, str_c(&name), F_OK, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT;
    if (dir >= 0)
        close(dir);
    return gone;
}

/* True if a box that is one file is gone; each file is checked once. */
static bool is_box_gone(struct sent_work *work, const struct source *source,
                        const struct delivery_note *note)
{
    const struct span parts[] = {note->team, note->box};
    struct span key = map_key(&work->scratch, source->index, parts, 2);
    bool fresh;
    uint32_t *known = map_put_copy(&work->boxes, &work->keys, key, &fresh);

    if (fresh)
        *known = is_file_gone(source, note->team, note->box) ? 2 : 1;
    return *known == 2;
}

/* Adds a note unless another sender wrote it, or it is of another source. */
static void add_note(struct sent_work *work, struct span format, struct span root,
                     const struct delivery_note *noted)
{
    const struct source *source = source_of(work->store, format, root, noted->team, noted->from);
    struct delivery_notes *notes = work->notes;
    struct delivery_note note = *noted;
    struct span *const texts[] = {&note.team, &note.box,     &note.id,      &note.from,
                                  &note.to,   &note.subject, &note.mailing, &note.problem};

    if (!source)
        return;
    note.source = source->index;
    if (source->format->storage == STORAGE_ARRAY && note.state == DELIVERY_DELIVERED &&
        is_box_gone(work, source, &note))
        note.state = DELIVERY_UNCONFIRMED;
    if (!place_has_box(source->format->rules[0].pattern))
        note.box = (struct span){0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = arena_copy(&notes->arena, *texts[i]);
    *mem_push(notes->items, notes->count, notes->cap) = note;
}

static void add_waiting(struct sent_work *work, const struct outbox *outbox)
{
    for (size_t i = 0; i < outbox->count; i++) {
        const struct outbox_entry *entry = &outbox->items[i];
        add_note(work, entry->format, entry->root,
                 &(struct delivery_note){.team = entry->team,
                                         .box = entry->box,
                                         .id = entry->id,
                                         .from = entry->from,
                                         .to = entry->to,
                                         .subject = entry->subject,
                                         .mailing = entry->mailing,
                                         .problem = entry->problem,
                                         .sent_us = entry->created_us,
                                         .since_us = entry->created_us,
                                         .state = state_of[entry->state]});
    }
}

static void add_delivered(struct sent_work *work, const struct sent_list *sent)
{
    for (size_t i = 0; i < sent->count; i++) {
        const struct sent_entry *entry = &sent->items[i];
        add_note(work, entry->format, entry->root,
                 &(struct delivery_note){.team = entry->team,
                                         .box = entry->box,
                                         .id = entry->id,
                                         .from = entry->from,
                                         .to = entry->to,
                                         .subject = entry->subject,
                                         .mailing = entry->mailing,
                                         .sent_us = entry->created_us,
                                         .since_us = entry->delivery ? entry->delivery_us
                                                                     : entry->delivered_us,
                                         .state = delivery_of[entry->delivery]});
    }
}

bool store_sent(struct store *store, struct delivery_notes *notes, struct err *err)
{
    struct sent_work work = {.store = store, .notes = notes};
    CLEANUP(outbox_free) struct outbox outbox = {0};
    CLEANUP(sent_list_free) struct sent_list sent = {0};
    struct state *state;

    if (!store_state_if_any(store, &state, err))
        return false;
    /* Read the outbox first: an entry that leaves it in between is then in the other list. */
    if (state && (!outbox_list(state, &outbox, err) || !sent_read(state, &sent, err)))
        return false;
    add_delivered(&work, &sent);
    add_waiting(&work, &outbox);
    map_free(&work.boxes);
    arena_free(&work.keys);
    str_free(&work.scratch);
    return true;
}

struct delivery_source store_delivery_source(const struct store *store, size_t index)
{
    const struct source *source = store_source(store, index);
    const struct format *format = source->format;
    int64_t lasts_us = format->cleaning == CLEANING_READ      ? source->lasts_us
                       : format->cleaning == CLEANING_ARCHIVE ? format->archive_lasts_us
                                                              : 0;

    return (struct delivery_source){.takes = format->archiving == ARCHIVE_DELETE,
                                    .may_take = format->storage == STORAGE_ARRAY,
                                    .for_all = format->one_for_all,
                                    .by_subject = format->by_subject,
                                    .short_replies = format->short_replies,
                                    .lasts_us = lasts_us};
}
