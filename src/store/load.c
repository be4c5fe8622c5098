/* Loading: list first, then read; what is torn is read again at the end. */
#include "store/load.h"

#include "base/mem.h"
#include "store/listing.h"
#include "store/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* A batch is handed over when it has this many messages: large enough to be cheap, small enough
 * for a screen to fill while the rest is read. */
enum { BATCH_MESSAGES = 2048 };

/* A file to be looked at again: it could not be parsed and may be half written, or it left the
 * inbox while we read and should turn up in the archive. */
struct again {
    size_t folder;
    struct span name;
    bool moved;
};

struct loading {
    const struct source *source;
    const struct load *load;
    load_sink *sink;
    void *context;
    struct log *log;
    struct listing listing;
    struct overlay overlay;
    struct again *again;
    size_t again_count, again_cap;
    struct batch batch;
    struct reader reader;
};

/* Where the path does not tell the box, each message does: the agent's own, and what is for all. */
static void keep_readers_mail(struct loading *l)
{
    const struct address *reader = &l->listing.only;
    struct span agent = reader->agent;
    bool is_member = reader->on_roster || (!reader->has_roster && reader->team.at);
    size_t kept = 0;

    if (!agent.at || place_tells_box(l->source->format->rules[0].pattern))
        return;
    for (size_t i = 0; i < l->batch.count; i++) {
        const struct message *message = &l->batch.items[i];
        bool for_all = is_member && span_is(message->to, "all") &&
                       !(l->load->as_reader && span_eq(message->from, agent));
        if (message->whole_folder || for_all || span_eq(message->to, agent))
            l->batch.items[kept++] = *message;
    }
    l->batch.count = kept;
}

static void hand_over(struct loading *l)
{
    keep_readers_mail(l);
    overlay_apply(&l->overlay, &l->batch, 0);
    if (l->batch.count)
        l->sink(l->context, &l->batch);
    batch_free(&l->batch);
    reader_new_batch(&l->reader);
}

static void look_again(struct loading *l, size_t folder, struct span name, bool moved)
{
    l->again = mem_grow(l->again, &l->again_cap, l->again_count + 1, sizeof *l->again);
    l->again[l->again_count++] = (struct again){folder, name, moved};
}

/* A file that was listed in the inbox and is gone when read: its owner archived it in between. */
static void follow_to_archive(struct loading *l, size_t index, struct span name)
{
    if (!l->load->archive || l->listing.folders[index].place.archived)
        return;
    size_t archive = listing_archive_of(&l->listing, l->source, index);
    if (!folder_has(&l->listing.folders[archive], name))
        look_again(l, archive, name, true);
}

static void read_folder(struct loading *l, size_t index)
{
    struct err err;
    int dir = source_dir(l->source, l->listing.folders[index].place.dir.at);

    if (dir < 0 && errno != ENOENT && errno != ENOTDIR) {
        const struct place *place = &l->listing.folders[index].place;
        struct message *message =
            reader_add_damaged(&l->reader, place, span_of("."), strerror(errno));
        message->unread_bytes = message->whole_folder = true;
        return;
    }
    size_t most = l->load->most ? l->load->most : SIZE_MAX;
    for (size_t i = 0; i < l->listing.folders[index].count && i < most; i++) {
        const struct folder *folder =
            &l->listing.folders[index]; /* may move when one is followed */
        struct span name = folder->files[i].name;
        bool listed = folder->files[i].regular;
        switch (dir < 0 ? FILE_GONE
                        : reader_read(&l->reader, &folder->place, dir, name, listed, false, &err)) {
        case FILE_GONE:
            follow_to_archive(l, index, name);
            break;
        case FILE_CHANGED:
            look_again(l, index, name, false);
            break;
        case FILE_FAILED:
            reader_add_damaged(&l->reader, &folder->place, name, err.text)->unread_bytes =
                !l->reader.has_bytes;
            break;
        case FILE_OK:
        case FILE_EXISTS:
            break;
        }
        if (l->batch.count >= BATCH_MESSAGES)
            hand_over(l);
    }
    if (dir >= 0)
        close(dir);
}

/* All such files wait together, so that a thousand of them cost no more time than one. */
static void read_again(struct loading *l)
{
    int64_t give_up_us = when_steady() + FILE_PATIENCE_US;

    for (size_t round = 0; l->again_count; round++) {
        struct timespec pause = {.tv_nsec = file_pause_us(round) * 1000};
        size_t left = 0;
        log_add(l->log, "looking again at %zu files that may be half written", l->again_count);
        nanosleep(&pause, NULL);
        bool last_look = when_steady() > give_up_us;
        for (size_t i = 0; i < l->again_count; i++) {
            struct again file = l->again[i];
            const struct folder *folder = &l->listing.folders[file.folder];
            struct err err;
            int dir = source_dir(l->source, folder->place.dir.at);
            enum file_result result = dir < 0 ? FILE_GONE
                                              : reader_read(&l->reader, &folder->place, dir,
                                                            file.name, false, last_look, &err);
            if (result == FILE_FAILED)
                reader_add_damaged(&l->reader, &folder->place, file.name, err.text)->unread_bytes =
                    !l->reader.has_bytes;
            if (result == FILE_CHANGED || (result == FILE_GONE && file.moved && round < 4))
                l->again[left++] = file;
            if (dir >= 0)
                close(dir);
        }
        l->again_count = left;
    }
}

bool load_source(const struct source *source, const struct load *load, load_sink *sink,
                 void *context, struct log *log, struct err *err)
{
    struct loading l = {
        .source = source, .load = load, .sink = sink, .context = context, .log = log};

    l.reader = (struct reader){.source = source,
                               .batch = &l.batch,
                               .want = load->want,
                               .want_shared = load->want_shared,
                               .log = log};
    if (load->as_reader && source->format->log_file)
        log_add(log, "[MAILBOX: CHECKING]");
    bool ok = (listing_fill(&l.listing, source, load, err) &&
               overlay_open(&l.overlay, source, load->state, load->viewer, err)) ||
              err_at(err, source->path);

    for (size_t i = 0; ok && i < l.listing.problem_count; i++) {
        const struct listed_problem *problem = &l.listing.problems[i];
        struct message *message =
            reader_add_damaged(&l.reader, &problem->place, problem->name, problem->reason.at);
        message->unread_bytes = message->whole_folder = true;
    }
    size_t listed = l.listing.folder_count; /* following a message may add folders */
    for (size_t i = 0; ok && i < listed; i++)
        read_folder(&l, i);
    read_again(&l);
    hand_over(&l);
    if (ok && load->archive) {
        ok = overlay_copies(&l.overlay, l.listing.only.team, l.listing.only.box, (struct span){0},
                            load->want | load->want_shared, &l.batch, err);
        hand_over(&l);
    }
    overlay_free(&l.overlay);
    listing_free(&l.listing);
    free(l.again);
    reader_free(&l.reader);
    return ok;
}
