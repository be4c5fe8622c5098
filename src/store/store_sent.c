/* What was sent from here by who we are: the notes on what was delivered, and the outbox. */
#include "base/mem.h"
#include "store/address_owner.h"
#include "store/store_private.h"

struct sent_work {
    struct store *store;
    struct fate_notes *notes;
};

/* How far an entry of the outbox has come. */
static const enum fate_state state_of[] = {
    [OUTBOX_RECORDED] = FATE_QUEUED, [OUTBOX_WRITTEN] = FATE_DELIVERED,
    [OUTBOX_QUEUED] = FATE_QUEUED,   [OUTBOX_LOST] = FATE_VANISHED,
    [OUTBOX_FAILED] = FATE_FAILED,
};

/* The source that a note is about, if it is one that is looked at and the sender is us. */
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

/* What somebody else sent, or from elsewhere, is left out. */
static void add_note(struct store *store, struct fate_notes *notes, struct span format,
                     struct span root, const struct fate_note *noted)
{
    const struct source *source = source_of(store, format, root, noted->team, noted->from);
    struct fate_note note = *noted;
    struct span *const texts[] = {&note.team, &note.box,     &note.id,      &note.from,
                                  &note.to,   &note.subject, &note.mailing, &note.problem};

    if (!source)
        return;
    note.source = source->index;
    if (!place_tells_box(source->format->rules[0].pattern))
        note.box = (struct span){0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = arena_copy(&notes->arena, *texts[i]);
    notes->items = mem_grow(notes->items, &notes->cap, notes->count + 1, sizeof *notes->items);
    notes->items[notes->count++] = note;
}

static void add_waiting(struct store *store, const struct outbox *outbox, struct fate_notes *notes)
{
    for (size_t i = 0; i < outbox->count; i++) {
        const struct outbox_entry *entry = &outbox->items[i];
        add_note(store, notes, entry->format, entry->root,
                 &(struct fate_note){.team = entry->team,
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

static void add_delivered(struct store *store, const struct sent_list *sent,
                          struct fate_notes *notes)
{
    for (size_t i = 0; i < sent->count; i++) {
        const struct sent_entry *entry = &sent->items[i];
        add_note(store, notes, entry->format, entry->root,
                 &(struct fate_note){.team = entry->team,
                                     .box = entry->box,
                                     .id = entry->id,
                                     .from = entry->from,
                                     .to = entry->to,
                                     .subject = entry->subject,
                                     .mailing = entry->mailing,
                                     .sent_us = entry->created_us,
                                     .since_us = entry->delivered_us,
                                     .state = FATE_DELIVERED});
    }
}

static bool read_sent(void *context, struct state *state, struct err *err)
{
    struct sent_work *work = context;
    struct outbox outbox = {0};
    struct sent_list sent = {0};

    /* The outbox first: what leaves it between the two is in the other then. */
    bool ok = outbox_list(state, &outbox, err) && sent_read(state, &sent, err);
    if (ok) {
        add_delivered(work->store, &sent, work->notes);
        add_waiting(work->store, &outbox, work->notes);
    }
    outbox_free(&outbox);
    sent_list_free(&sent);
    return ok;
}

bool store_sent(struct store *store, struct fate_notes *notes, struct err *err)
{
    struct sent_work work = {store, notes};

    return store_with_state(store, STATE_IF_ANY, read_sent, &work, err);
}

struct fate_source store_fate_source(const struct store *store, size_t index)
{
    const struct source *source = store_source(store, index);
    const struct format *format = source->format;
    int64_t lasts_us = format->cleaning == CLEAN_READ      ? source->lasts_us
                       : format->cleaning == CLEAN_ARCHIVE ? format->archive_lasts_us
                                                           : 0;

    return (struct fate_source){.takes = format->archiving == ARCHIVE_DELETE,
                                .for_all = format->one_for_all,
                                .by_subject = format->by_subject,
                                .short_replies = format->short_replies,
                                .lasts_us = lasts_us};
}
