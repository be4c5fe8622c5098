/* Loading one message again: its file may hold many messages, may have moved, or may be a local
 * copy. */
#include "store/scan/load.h"

#include "base/file/file.h"
#include "base/mem.h"
#include "base/time.h"
#include "store/scan/file_list.h"
#include "store/scan/head_cache.h"
#include "store/scan/reader_pool.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Loading: list first, then read; files that look half written are read again at the end. */

/* A file to read again: it could not be parsed and may be half written, or it left the inbox while
 * we read and should be in the archive. */
struct again {
    size_t folder;
    struct span name;
    bool moved;
};

struct loading {
    struct loading *next; /* in the list of unfinished loads */
    const struct source *source;
    const struct load *load;
    struct cache *cache;
    struct cache_writer *writer;
    load_sink *sink;
    void *context;
    struct log *log;
    struct listing listing;
    struct local_marks overlay;
    struct again *again;
    size_t again_count, again_cap;
    struct reader_pool_file *files; /* all files to read ... */
    uint32_t *folders;              /* ... and the folder of each */
    size_t file_count;
    size_t *gone; /* indexes of files that had disappeared */
    size_t gone_count, gone_cap;
    struct batch batch;
    struct reader reader;
};

/* True if a message is the reader's own, or for all of a team that the reader is in. */
static bool is_readers(const struct loading *l, const struct message *message)
{
    const struct address *reader = file_list_reader(&l->listing, message->place->team);

    if (!reader)
        return false;
    struct span agent = reader->agent;
    bool is_member = reader->on_roster || (!reader->has_roster && reader->team.at);
    bool for_all = is_member && span_is(message->to, "all") &&
                   !(l->load->as_reader && span_eq(message->from, agent));
    return for_all || span_eq(message->to, agent);
}

/* If paths do not contain the box, keeps only the messages that are for the reader or for all. */
static void keep_readers_mail(const struct loading *l, struct batch *batch)
{
    size_t kept = 0;

    if (!l->listing.only.count || place_has_box(l->source->format->rules[0].pattern))
        return;
    for (size_t i = 0; i < batch->count; i++) {
        const struct message *message = &batch->items[i];
        if (message->unread_bytes || is_readers(l, message))
            batch->items[kept++] = *message;
    }
    batch->count = kept;
}

static void hand_over(const struct loading *l, struct batch *batch)
{
    keep_readers_mail(l, batch);
    if (batch->count)
        l->sink(l->context, batch);
    batch_free(batch);
}

/* Passes on what the loading thread has read itself. */
static void hand_over_own(struct loading *l)
{
    local_marks_apply(&l->overlay, &l->batch, 0);
    hand_over(l, &l->batch);
    reader_new_batch(&l->reader);
}

static void reload_file(struct loading *l, size_t folder, struct span name, bool moved)
{
    *mem_push(l->again, l->again_count, l->again_cap) = (struct again){folder, name, moved};
}

/* Follows a file that was listed in the inbox and has disappeared since: its owner archived it in
 * between. */
static void follow_to_archive(struct loading *l, size_t index, struct span name)
{
    if (!l->load->archive || l->listing.folders[index].place.archived)
        return;
    size_t archive = file_list_archive_of(&l->listing, l->source, index);
    if (!folder_has(&l->listing.folders[archive], name))
        reload_file(l, archive, name, true);
}

static void take_read(void *context, struct update *update, size_t first)
{
    struct loading *l = context;

    for (size_t i = 0; i < update->count; i++) {
        if (update->files[i].what == UPDATE_KEPT)
            reload_file(l, l->folders[first + i], l->files[first + i].name, false);
        if (update->files[i].what == UPDATE_GONE)
            *mem_push(l->gone, l->gone_count, l->gone_cap) = first + i;
    }
    hand_over(l, &update->batch);
    update_free(update);
}

/* True if the folder can be opened or is missing. For any other failure adds a damaged message with
 * the reason. */
static bool can_open(struct loading *l, const struct folder *folder)
{
    int dir = source_dir(l->source, folder->place.dir.at);

    if (dir >= 0) {
        close(dir);
    } else if (errno != ENOENT && errno != ENOTDIR) {
        struct message *message =
            reader_add_damaged(&l->reader, &folder->place, span_of("."), strerror(errno));
        message->unread_bytes = message->whole_folder = true;
    }
    return dir >= 0 || errno == ENOENT || errno == ENOTDIR;
}

static void gather_files(struct loading *l)
{
    size_t most = l->load->most ? l->load->most : SIZE_MAX, count = 0;
    struct cache *cache = l->load->cache;

    for (size_t i = 0; i < l->listing.folder_count; i++)
        count += l->listing.folders[i].count;
    l->files = mem_alloc((count + 1) * sizeof *l->files);
    l->folders = mem_alloc((count + 1) * sizeof *l->folders);
    for (size_t i = 0; i < l->listing.folder_count; i++) {
        const struct folder *folder = &l->listing.folders[i];
        if (!can_open(l, folder))
            continue;
        uint32_t known = cache ? cache_dir(cache, folder->place.dir) : CACHE_NONE;
        for (size_t k = 0; k < folder->count && k < most; k++) {
            l->folders[l->file_count] = (uint32_t)i;
            l->files[l->file_count++] = (struct reader_pool_file){
                .place = &folder->place,
                .name = folder->files[k].name,
                .listed = folder->files[k].regular,
                .trusted = l->load->hasty,
                .cached =
                    known == CACHE_NONE ? NULL : cache_find(cache, known, folder->files[k].name)};
        }
    }
}

static void write_cache(struct loading *l)
{
    size_t count = l->listing.folder_count;
    CLEANUP(mem_free) struct cache_listed *dirs = mem_alloc((count + 1) * sizeof *dirs);

    for (size_t i = 0; i < count; i++)
        dirs[i] =
            (struct cache_listed){l->listing.folders[i].place.dir, l->listing.folders[i].stamp};
    for (size_t i = 0; i < l->listing.problem_count; i++) /* these have to be found again */
        for (size_t k = 0; k < count; k++)
            if (span_eq(dirs[k].dir, l->listing.problems[i].place.dir))
                dirs[k].stamp = (struct stamp){0};
    cache_write_end(l->writer, l->files, dirs, count, l->log);
}

static void read_files(struct loading *l)
{
    struct reader_pool crew = {.source = l->source,
                               .overlay = &l->overlay,
                               .want = l->load->want,
                               .want_shared = l->load->want_shared,
                               .cache = l->load->cache,
                               .writer = l->load->writer,
                               .log = l->log,
                               .done = take_read,
                               .context = l};

    gather_files(l);
    reader_pool_read(&crew, l->files, l->file_count);
    for (size_t i = 0; i < l->gone_count; i++) /* this may move the folders */
        follow_to_archive(l, l->folders[l->gone[i]], l->files[l->gone[i]].name);
}

/* Reads these files again. All wait together, so that a thousand of them take no more time than
 * one. */
static void read_again(struct loading *l)
{
    int64_t give_up_us = time_steady() + FILE_PATIENCE_US;

    for (size_t round = 0; l->again_count; round++) {
        size_t left = 0;
        log_add(l->log, "looking again at %zu files that may be half written", l->again_count);
        time_sleep(file_pause_us(round));
        bool last_look = time_steady() > give_up_us;
        for (size_t i = 0; i < l->again_count; i++) {
            struct again file = l->again[i];
            const struct folder *folder = &l->listing.folders[file.folder];
            struct err err;
            int dir = source_dir(l->source, folder->place.dir.at);
            enum file_result result = dir < 0 ? source_dir_failed(errno, &err)
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

/* Loads the local copies, which are our archive. */
static bool read_copies(struct loading *l, struct err *err)
{
    unsigned want = l->load->want | l->load->want_shared;
    const struct addresses *only = &l->listing.only;
    const struct span any = {0};
    bool ok = only->count || local_marks_copies(&l->overlay, any, any, any, want, &l->batch, err);

    for (size_t i = 0; ok && i < only->count; i++)
        ok = local_marks_copies(&l->overlay, only->items[i].team, only->items[i].box, any, want,
                                &l->batch, err);
    hand_over_own(l);
    return ok;
}

/* Does everything except writing the cache. */
static bool load_now(struct loading *l, struct err *err)
{
    const struct source *source = l->source;
    const struct load *load = l->load;

    if (load->as_reader)
        format_log_step(source->format, l->log, LOG_CHECKING, (struct span){0});
    bool ok = (file_list_fill(&l->listing, source, load, err) &&
               local_marks_open(&l->overlay, source, load->state, load->viewer, err)) ||
              err_at(err, source->path);

    for (size_t i = 0; ok && i < l->listing.problem_count; i++) {
        const struct listed_problem *problem = &l->listing.problems[i];
        struct message *message =
            reader_add_damaged(&l->reader, &problem->place, problem->name, problem->reason.at);
        message->unread_bytes = message->whole_folder = true;
    }
    if (ok)
        read_files(l);
    read_again(l);
    hand_over_own(l);
    if (ok && load->archive)
        ok = read_copies(l, err);
    local_marks_free(&l->overlay);
    reader_free(&l->reader);
    return ok;
}

bool load_begin(const struct source *source, const struct load *load, load_sink *sink,
                void *context, struct log *log, struct loading **unfinished, struct err *err)
{
    struct loading *l = mem_zero(1, sizeof *l);

    *l = (struct loading){.next = *unfinished,
                          .source = source,
                          .load = load,
                          .cache = load->cache,
                          .writer = load->writer,
                          .sink = sink,
                          .context = context,
                          .log = log};
    l->reader = (struct reader){.source = source,
                                .batch = &l->batch,
                                .want = load->want,
                                .want_shared = load->want_shared,
                                .log = log};
    *unfinished = l;
    return load_now(l, err);
}

bool load_leaves_work(const struct loading *unfinished)
{
    for (; unfinished; unfinished = unfinished->next)
        if (unfinished->writer && unfinished->file_count)
            return true;
    return false;
}

void load_finish(struct loading **unfinished)
{
    while (*unfinished) {
        struct loading *l = *unfinished;
        *unfinished = l->next;
        if (l->files)
            write_cache(l);
        else
            cache_write_end(l->writer, NULL, NULL, 0, l->log);
        file_list_free(&l->listing);
        cache_free(l->cache);
        free(l->files);
        free(l->folders);
        free(l->gone);
        free(l->again);
        free(l);
    }
}

bool load_source(const struct source *source, const struct load *load, load_sink *sink,
                 void *context, struct log *log, struct err *err)
{
    struct loading *unfinished = NULL;
    bool ok = load_begin(source, load, sink, context, log, &unfinished, err);

    load_finish(&unfinished);
    return ok;
}

static enum file_result read_at(const struct source *source, const struct place *place,
                                struct span name, struct str *bytes, struct file_id *id,
                                struct err *err)
{
    int dir = source_dir(source, place->dir.at);

    if (dir < 0)
        return source_dir_failed(errno, err);
    enum file_result result = file_read(dir, name.at, FILE_SIZE_MAX, bytes, id, err);
    close(dir);
    return result;
}

/* Returns the place of the same box's archive, in the batch's memory. */
static const struct place *archive_place(const struct source *source, const struct place *place,
                                         struct batch *batch)
{
    struct place *archive = arena_alloc(&batch->arena, sizeof *archive);
    CLEANUP(str_free) struct str path = {0};

    format_dir(&path, source->format, true, place->team, place->box);
    *archive = *place;
    archive->archived = true;
    archive->dir = arena_copy(&batch->arena, str_span(&path));
    return archive;
}

/* Reads the file as it is now, at its place or in the archive if it was moved there since. */
static bool read_now(const struct source *source, const struct message *message,
                     const struct place **place, struct batch *batch, struct str *bytes,
                     struct file_id *id, struct err *err)
{
    enum file_result result = read_at(source, *place, message->file, bytes, id, err);

    if (result == FILE_GONE && !(*place)->archived &&
        (source->format->archiving == ARCHIVE_COPY || source->format->archiving == ARCHIVE_MOVE)) {
        *place = archive_place(source, *place, batch);
        result = read_at(source, *place, message->file, bytes, id, err);
    }
    if (result == FILE_GONE)
        err_set(err, ERR_ABSENT, "it is gone; someone moved or removed it just now");
    if (result == FILE_OK)
        return true;
    return message_err_at(err, message);
}

static bool load_copy(const struct source *source, const struct message *message, unsigned want,
                      struct state *state, struct batch *batch, struct err *err)
{
    CLEANUP(local_marks_free) struct local_marks overlay = {0};

    return local_marks_open(&overlay, source, state, (struct span){0}, err) &&
           local_marks_copies(&overlay, message->place->team, message->place->box, message->id,
                              want, batch, err);
}

/* Parses a file. FILE_CHANGED if that fails and the file is so young that it may be half written,
 * except with `last_look`. */
static enum file_result parse_file(const struct source *source, const struct message *message,
                                   const struct place *place, struct span bytes, int64_t mtime_us,
                                   unsigned want, bool last_look, struct batch *batch,
                                   struct err *err)
{
    struct mail_file file = {.place = place,
                             .name = message->file,
                             .bytes = bytes,
                             .mtime_us = mtime_us,
                             .lasts_us = source->lasts_us};
    size_t first = batch->count;
    bool ok = source->format->parse(&file, want, batch, err);

    if (!ok && !last_look && !file_is_settled(mtime_us))
        return FILE_CHANGED;
    if (!ok && source->format->storage == STORAGE_ARRAY)
        ok = source->format->parse(&file, want | WANT_SALVAGE, batch, err);
    if (ok) {
        reader_finish(source, batch, first, bytes);
        return FILE_OK;
    }
    err_at(err, message->file.at);
    err_at(err, place->dir.at);
    return FILE_FAILED;
}

/* Sleeps before the n-th attempt; false if the time is up. */
static bool pause_before(size_t style, int64_t give_up_us)
{
    time_sleep(file_pause_us(style));
    return time_steady() <= give_up_us;
}

bool load_again(const struct source *source, const struct message *message, unsigned want,
                struct state *state, struct batch *batch, struct err *err)
{
    const struct place *place = message->place;
    int64_t give_up_us = time_steady() + FILE_PATIENCE_US;
    CLEANUP(str_free) struct str bytes = {0};
    struct file_id id = {0};
    enum file_result result = FILE_CHANGED;

    if (place->local)
        return load_copy(source, message, want, state, batch, err);
    for (size_t style = 0; result == FILE_CHANGED; style++) {
        bool last_look = style && !pause_before(style - 1, give_up_us);
        result = FILE_FAILED;
        if (read_now(source, message, &place, batch, &bytes, &id, err))
            result = parse_file(source, message, place, str_span(&bytes), id.mtime_ns / 1000, want,
                                last_look, batch, err);
    }
    return result == FILE_OK;
}

bool load_bytes(const struct source *source, const struct message *message, struct span bytes,
                unsigned want, struct batch *batch, struct err *err)
{
    return parse_file(source, message, message->place, bytes, time_now(), want, true, batch, err) ==
           FILE_OK;
}

static enum file_result stat_message_file(const struct source *source,
                                          const struct message *message, bool last_look,
                                          struct str *bytes, struct batch *batch,
                                          struct file_id *id, struct err *err)
{
    const struct place *place = message->place;
    enum file_result result =
        place->local ? FILE_GONE : read_at(source, place, message->file, bytes, id, err);

    if (result == FILE_GONE)
        err_set(err, ERR_ABSENT, "it is not there any more");
    if (result != FILE_OK) {
        message_err_at(err, message);
        return result;
    }
    return parse_file(source, message, place, str_span(bytes), id->mtime_ns / 1000,
                      WANT_DATA | WANT_BODY, last_look, batch, err);
}

enum file_result load_file(const struct source *source, const struct message *message, bool wait,
                           struct str *bytes, struct batch *batch, struct file_id *id,
                           struct err *err)
{
    int64_t give_up_us = time_steady() + FILE_PATIENCE_US;
    enum file_result result = stat_message_file(source, message, false, bytes, batch, id, err);

    for (size_t style = 0; wait && result == FILE_CHANGED; style++) {
        bool last_look = !pause_before(style, give_up_us);
        result = stat_message_file(source, message, last_look, bytes, batch, id, err);
    }
    return result;
}

void load_take_marks(struct message *whole, const struct message *head, struct arena *arena)
{
    whole->flags |= head->flags & MESSAGE_IN_BOTH;
    whole->seen = head->seen;
    whole->read_here = head->read_here;
    if (!whole->thread.len)
        whole->thread = arena_copy(arena, head->thread);
    if (!head->damaged && whole->status < head->status)
        whole->status = head->status; /* local marks count */
}

/* Finds the present position of the message in its file. */
static bool find_part(const struct source *source, const struct message *message, struct span bytes,
                      struct span *part)
{
    struct mail_file file = {.place = message->place, .name = message->file, .bytes = bytes};
    CLEANUP(batch_free) struct batch batch = {0};
    struct err ignored;
    bool found = false;

    if (source->format->parse(&file, WANT_HEAD | WANT_SALVAGE, &batch, &ignored)) {
        const struct message *now = batch_find(&batch, 0, message);
        found = now && now->raw_len;
        if (found)
            *part = message_raw(now, bytes);
    }
    return found;
}

bool load_raw(const struct source *source, const struct message *message, struct state *state,
              struct str *bytes, struct err *err)
{
    const struct place *place = message->place;
    CLEANUP(local_marks_free) struct local_marks overlay = {0};
    CLEANUP(batch_free) struct batch batch = {0};
    struct file_id id;
    struct span part;

    if (place->local)
        return local_marks_open(&overlay, source, state, (struct span){0}, err) &&
               local_marks_raw(&overlay, message, bytes, err);
    bool ok = read_now(source, message, &place, &batch, bytes, &id, err);
    if (ok && message->raw_len && !find_part(source, message, str_span(bytes), &part)) {
        str_clear(bytes);
        ok = err_set(err, ERR_ABSENT, "it is gone: its file holds other messages now");
    } else if (ok && message->raw_len) {
        memmove(bytes->at, part.at, part.len);
        bytes->len = part.len;
        bytes->at[part.len] = '\0';
    }
    return ok;
}
