/* A census: listing, then one look at each file. */
#include "store/scan/census.h"

#include "base/io_error.h"
#include "base/mem.h"
#include "store/scan/listing.h"
#include "store/scan/overlay.h"
#include "store/scan/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void census_free(struct census *census)
{
    free(census->files);
    map_free(&census->paths);
    copies_free(&census->copies);
    span_list_free(&census->problems);
    arena_free(&census->arena);
    *census = (struct census){0};
}

uint32_t census_find(const struct census *census, struct span path)
{
    const uint32_t *number = map_get(&census->paths, path);

    return number ? *number : CENSUS_NONE;
}

/* The place in the census's own memory. */
static const struct place *keep_place(struct census *census, const struct place *place)
{
    census->last = place_keep(place, census->last, &census->arena);
    return census->last;
}

static struct census_file *add_file(struct census *census, struct span dir, struct span name)
{
    size_t before = dir.len ? dir.len + 1 : 0;
    char *path = arena_bytes(&census->arena, before + name.len + 1);
    bool fresh;

    if (before) {
        memcpy(path, dir.at, dir.len);
        path[dir.len] = '/';
    }
    memcpy(path + before, name.at, name.len);
    path[before + name.len] = '\0';
    struct span whole = {path, before + name.len};
    uint32_t *number = map_put(&census->paths, whole, &fresh);
    if (fresh) {
        *number = (uint32_t)census->count;
        census->files =
            mem_grow(census->files, &census->cap, census->count + 1, sizeof *census->files);
        census->files[census->count++] = (struct census_file){
            .path = whole, .name = {path + before, name.len}, .by = CENSUS_NONE};
    }
    return &census->files[*number];
}

static void add_problem(struct census *census, struct span dir, struct span name,
                        struct span reason)
{
    struct str path = {0};

    str_add_path(&path, dir, name);
    span_list_add(&census->problems, arena_copy(&census->arena, str_span(&path)));
    span_list_add(&census->problems, arena_copy(&census->arena, reason));
    str_clear(&path);
    str_addf(&path, "%s/", census->source->path);
    str_add_path(&path, dir, name);
    io_error_note(IO_ERROR_MAIL, str_c(&path), reason.at);
    str_free(&path);
}

static void look_at(struct census *census, struct census_file *file, int dir)
{
    struct file_id id;
    struct err err;
    enum file_result result = file_look(dir, file->name.at, &id, &err);

    file->gone = result != FILE_OK;
    if (!file->gone)
        file->now = stamp_of(&id, 0);
    if (result == FILE_FAILED)
        add_problem(census, (struct span){0}, file->path, span_of(err.text));
}

static void add_folder(struct census *census, const struct folder *folder)
{
    int dir = source_dir(census->source, folder->place.dir.at);

    for (size_t i = 0; dir >= 0 && i < folder->count; i++) {
        struct census_file *file = add_file(census, folder->place.dir, folder->files[i].name);
        if (!file->place)
            file->place = keep_place(census, &folder->place);
        look_at(census, file, dir);
    }
    if (dir >= 0)
        close(dir);
    else if (errno != ENOENT && errno != ENOTDIR)
        add_problem(census, (struct span){0}, folder->place.dir, span_of(strerror(errno)));
}

static bool add_copies(struct census *census, struct state *state, struct err *err)
{
    const struct source *source = census->source;
    bool ok = state_copies(state, source->format->name, source->path, &census->copies, err);

    for (size_t i = 0; ok && i < census->copies.count; i++) {
        const struct copy *copy = &census->copies.items[i];
        struct str name = {0};
        str_addf(&name, "/%lld", (long long)copy->number);
        struct census_file *file = add_file(census, (struct span){0}, str_span(&name));
        str_free(&name);
        file->place = overlay_copy_place(source, copy, &census->arena);
        file->copy = copy;
        file->gone = false;
        file->name = arena_copy(&census->arena, copy->name);
        file->now = (struct stamp){
            .size = (int64_t)copy->size, .mtime_ns = copy->kept_us, .ino = (uint64_t)copy->number};
    }
    return ok;
}

bool census_take(struct census *census, const struct source *source, struct state *state,
                 struct err *err)
{
    struct load everything = {.inbox = true, .archive = true};
    struct listing listing = {0};

    census_free(census);
    census->source = source;
    bool ok = listing_fill(&listing, source, &everything, err);
    for (size_t i = 0; ok && i < listing.folder_count; i++)
        add_folder(census, &listing.folders[i]);
    for (size_t i = 0; ok && i < listing.problem_count; i++)
        add_problem(census, listing.problems[i].place.dir, listing.problems[i].name,
                    listing.problems[i].reason);
    listing_free(&listing);
    return ok && (!state || add_copies(census, state, err));
}

bool census_copies(struct census *census, struct state *state, struct err *err)
{
    size_t before = census->copies.count;

    for (size_t i = 0; i < census->count; i++) {
        if (!census->files[i].copy)
            continue;
        census->files[i].gone = true; /* until it is met */
        census->files[i].copy = NULL;
    }
    copies_free(&census->copies);
    if (state && !add_copies(census, state, err))
        copies_free(&census->copies);
    return before || census->copies.count;
}

static void found_again(struct walker *walker, const struct found *found)
{
    struct census *census = walker->context;

    if (found->problem)
        return;
    struct place place = source_place(census->source, found->rule, &found->names, found->dir);
    struct census_file *file = add_file(census, found->dir, found->name);
    if (!file->place)
        file->place = keep_place(census, &place);
    look_at(census, file, found->fd);
}

void census_look(struct census *census, struct span dir, struct span name)
{
    struct walker walker = {.rules = census->source->format->rules,
                            .rule_count = census->source->format->rule_count,
                            .found = found_again,
                            .context = census};
    struct str path = {0};

    str_add_path(&path, dir, name);
    uint32_t known = census_find(census, str_span(&path));
    if (known != CENSUS_NONE)
        census->files[known].gone = true; /* until it is met */
    walk_entry(&walker, census->source->root, dir, name);
    str_free(&path);
}
