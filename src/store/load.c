/* Loading: list first, then read; what is torn is read again at the end. */
#include "store/load.h"

#include "base/file.h"
#include "base/mem.h"
#include "store/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* A batch is handed over when it has this many messages: large enough to be cheap, small enough
 * for a screen to fill while the rest is read. */
enum { BATCH_MESSAGES = 2048 };

/* A file younger than this may still be being written. */
#define SETTLED_US INT64_C(2000000)

struct listed {
    struct span name;
    bool regular;
};

/* One directory and the names of its messages. */
struct folder {
    struct place place;
    struct listed *files;
    size_t count, cap;
};

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
    struct str box;     /* the only one that is wanted; empty: all */
    struct arena arena; /* names, for the time of the load */
    struct folder *folders;
    size_t folder_count, folder_cap;
    struct again *again;
    size_t again_count, again_cap;
    struct batch batch;
    struct str bytes;    /* of the file at hand */
    struct place *place; /* of the folder at hand, in the batch's arena */
};

static bool is_wanted_box(const struct loading *l, struct span box)
{
    return !l->box.len || span_eq(box, str_span(&l->box));
}

static void enter_folder(struct walker *walker, const struct found *dir)
{
    struct loading *l = walker->context;

    if (!is_wanted_box(l, dir->names.box))
        return;
    l->folders = mem_grow(l->folders, &l->folder_cap, l->folder_count + 1, sizeof *l->folders);
    l->folders[l->folder_count++] =
        (struct folder){.place = {.source = l->source->index,
                                  .root = l->source->path,
                                  .archived = dir->rule->archived,
                                  .team = arena_copy(&l->arena, dir->names.team),
                                  .box = arena_copy(&l->arena, dir->names.box),
                                  .dir = arena_copy(&l->arena, dir->dir)}};
}

static void hand_over(struct loading *l)
{
    if (l->batch.count)
        l->sink(l->context, &l->batch);
    batch_free(&l->batch);
    l->place = NULL;
}

/* The place as the batch keeps it. */
static const struct place *keep_place(struct loading *l, const struct place *place)
{
    struct arena *arena = &l->batch.arena;

    if (!l->place || !span_eq(l->place->dir, place->dir) || !span_eq(l->place->box, place->box) ||
        !span_eq(l->place->team, place->team) || l->place->archived != place->archived) {
        l->place = arena_alloc(arena, sizeof *l->place);
        *l->place = *place;
        l->place->team = arena_copy(arena, place->team);
        l->place->box = arena_copy(arena, place->box);
        l->place->dir = arena_copy(arena, place->dir);
    }
    return l->place;
}

static void add_damaged(struct loading *l, const struct place *place, struct span name,
                        const char *reason)
{
    const struct place *kept = keep_place(l, place);
    struct message *message = batch_add(&l->batch);
    size_t end = span_ends(name, ".json") ? 5 : 0;

    message->place = kept;
    message->file = arena_copy(&l->batch.arena, name);
    message->id = (struct span){message->file.at, name.len - end};
    message->damaged = arena_strdup(&l->batch.arena, reason);
    log_add(l->log, "damaged: %s/%s: %s", place->dir.at, name.at, reason);
}

static void list_file(struct walker *walker, const struct found *file)
{
    struct loading *l = walker->context;

    if (file->problem) {
        struct place place = {.source = l->source->index,
                              .root = l->source->path,
                              .archived = file->rule->archived,
                              .team = file->names.team,
                              .box = file->names.box.at ? file->names.box : file->name,
                              .dir = file->dir};
        bool wanted = place.archived ? l->load->archive : l->load->inbox;
        if (wanted && is_wanted_box(l, place.box))
            add_damaged(l, &place, file->name, file->problem);
        return;
    }
    struct folder *folder = l->folder_count ? &l->folders[l->folder_count - 1] : NULL;
    if (!folder || !span_eq(folder->place.dir, file->dir))
        return; /* a box that was not asked for */
    folder->files = mem_grow(folder->files, &folder->cap, folder->count + 1, sizeof *folder->files);
    folder->files[folder->count++] =
        (struct listed){arena_copy(&l->arena, file->name), file->regular};
}

static bool is_wanted(const struct loading *l, const struct folder *folder)
{
    return folder->place.archived ? l->load->archive : l->load->inbox;
}

static bool same_box(const struct folder *a, const struct folder *b)
{
    return span_eq(a->place.box, b->place.box) && span_eq(a->place.team, b->place.team);
}

/* Of a folder that was not asked for, only files that the box's other folder has as well matter:
 * an id that lies in both is one message. */
static void keep_doubles(struct loading *l, struct folder *folder)
{
    struct map other_names = {0};
    size_t kept = 0;
    bool fresh;

    for (size_t i = 0; i < l->folder_count; i++) {
        const struct folder *other = &l->folders[i];
        if (!is_wanted(l, other) || !same_box(other, folder))
            continue;
        for (size_t k = 0; k < other->count; k++)
            map_put(&other_names, other->files[k].name, &fresh);
    }
    for (size_t k = 0; k < folder->count; k++)
        if (map_get(&other_names, folder->files[k].name))
            folder->files[kept++] = folder->files[k];
    folder->count = kept;
    map_free(&other_names);
}

/* Reads and parses one file into the batch. FILE_CHANGED: not parseable, but so young that it may
 * be half written. FILE_FAILED: it never will be, and err says why. */
static enum file_result read_file(struct loading *l, const struct folder *folder, int dir,
                                  struct listed listed, struct err *err)
{
    struct span name = listed.name;
    struct file_id id;
    enum file_result result = (listed.regular ? file_read_listed : file_read)(
        dir, name.at, FILE_SIZE_MAX, &l->bytes, &id, err);

    if (result != FILE_OK)
        return result;
    struct mail_file file = {.place = keep_place(l, &folder->place),
                             .name = name,
                             .bytes = str_span(&l->bytes),
                             .mtime_us = id.mtime_ns / 1000};
    if (l->source->format->parse(&file, l->load->want, &l->batch, err))
        return FILE_OK;
    return when_now() - file.mtime_us > SETTLED_US ? FILE_FAILED : FILE_CHANGED;
}

static void look_again(struct loading *l, size_t folder, struct span name, bool moved)
{
    l->again = mem_grow(l->again, &l->again_cap, l->again_count + 1, sizeof *l->again);
    l->again[l->again_count++] = (struct again){folder, name, moved};
}

static bool has_name(const struct folder *folder, struct span name)
{
    for (size_t i = 0; i < folder->count; i++)
        if (span_eq(folder->files[i].name, name))
            return true;
    return false;
}

/* A file that was listed in the inbox and is gone when read: its owner archived it in between. */
static void follow_to_archive(struct loading *l, size_t index, struct span name)
{
    struct str path = {0};

    if (!l->load->archive || l->folders[index].place.archived)
        return;
    for (size_t i = 0; i < l->folder_count; i++) {
        if (!l->folders[i].place.archived || !same_box(&l->folders[i], &l->folders[index]))
            continue;
        if (!has_name(&l->folders[i], name))
            look_again(l, i, name, true);
        return;
    }
    struct place place = l->folders[index].place;
    struct place_names names = {.team = place.team, .box = place.box};
    format_dir(&path, l->source->format, true, &names);
    place.archived = true;
    place.dir = arena_copy(&l->arena, str_span(&path));
    l->folders = mem_grow(l->folders, &l->folder_cap, l->folder_count + 1, sizeof *l->folders);
    l->folders[l->folder_count++] = (struct folder){.place = place};
    look_again(l, l->folder_count - 1, name, true);
    str_free(&path);
}

static void read_folder(struct loading *l, size_t index)
{
    struct err err;
    int dir = source_dir(l->source, l->folders[index].place.dir.at);

    size_t most = l->load->most ? l->load->most : SIZE_MAX;
    for (size_t i = 0; i < l->folders[index].count && i < most; i++) {
        const struct folder *folder = &l->folders[index]; /* may move when one is followed */
        struct span name = folder->files[i].name;
        switch (dir < 0 ? FILE_GONE : read_file(l, folder, dir, folder->files[i], &err)) {
        case FILE_GONE:
            follow_to_archive(l, index, name);
            break;
        case FILE_CHANGED:
            look_again(l, index, name, false);
            break;
        case FILE_FAILED:
            add_damaged(l, &folder->place, name, err.text);
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
    static const int waits_ms[] = {20, 50, 100, 200};
    int64_t give_up_us = when_now() + SETTLED_US + 500000;

    for (size_t round = 0; l->again_count; round++) {
        struct timespec pause = {.tv_nsec = waits_ms[round < 4 ? round : 3] * 1000000L};
        size_t left = 0;
        nanosleep(&pause, NULL);
        for (size_t i = 0; i < l->again_count; i++) {
            struct again file = l->again[i];
            const struct folder *folder = &l->folders[file.folder];
            struct err err;
            int dir = source_dir(l->source, folder->place.dir.at);
            enum file_result result =
                dir < 0 ? FILE_GONE
                        : read_file(l, folder, dir, (struct listed){file.name, false}, &err);
            if (result == FILE_CHANGED && when_now() > give_up_us)
                result = FILE_FAILED;
            if (result == FILE_FAILED)
                add_damaged(l, &folder->place, file.name, err.text);
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
    struct walker walker = {.rules = source->format->rules,
                            .rule_count = source->format->rule_count,
                            .enter = enter_folder,
                            .found = list_file,
                            .context = &l};
    bool ok = (!load->agent.at || source->format->box_name(&l.box, load->agent, err)) &&
              walk_tree(&walker, source->root, err);

    for (size_t i = 0; ok && i < l.folder_count; i++)
        if (!is_wanted(&l, &l.folders[i]))
            keep_doubles(&l, &l.folders[i]);
    /* The inbox first: what a peer archives between the two is then met in the archive. */
    for (int archived = 0; ok && archived < 2; archived++)
        for (size_t i = 0; i < l.folder_count; i++)
            if (l.folders[i].place.archived == archived)
                read_folder(&l, i);
    read_again(&l);
    hand_over(&l);
    if (!ok)
        err_at(err, source->path);
    for (size_t i = 0; i < l.folder_count; i++)
        free(l.folders[i].files);
    free(l.folders);
    free(l.again);
    str_free(&l.bytes);
    str_free(&l.box);
    arena_free(&l.arena);
    return ok;
}

bool load_again(const struct source *source, const struct message *message, unsigned want,
                struct batch *batch, struct err *err)
{
    struct str bytes = {0};
    struct file_id id;
    const struct place *place = message->place;
    bool ok = false;
    int dir = source_dir(source, place->dir.at);

    enum file_result result = FILE_GONE;
    if (dir >= 0) {
        result = file_read(dir, message->file.at, FILE_SIZE_MAX, &bytes, &id, err);
        close(dir);
    }
    if (result == FILE_GONE) {
        err_set(err, ERR_ABSENT, "%s/%s: it is gone; someone moved or removed it just now",
                place->dir.at, message->file.at);
    } else if (result == FILE_OK) {
        struct mail_file file = {.place = place,
                                 .name = message->file,
                                 .bytes = str_span(&bytes),
                                 .mtime_us = id.mtime_ns / 1000};
        ok = source->format->parse(&file, want, batch, err);
    }
    str_free(&bytes);
    return ok;
}
