/* A census: list the files, then stat each one. */
#include "store/scan/file_list.h"

#include "base/io_error.h"
#include "base/mem.h"
#include "store/scan/local_marks.h"
#include "store/scan/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Stamps: the rule that git calls racy. */

int64_t file_stamp_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

struct stamp file_stamp_of(const struct file_id *id, int64_t read_ns)
{
    return (struct stamp){.size = id->size,
                          .mtime_ns = id->mtime_ns,
                          .ctime_ns = id->ctime_ns,
                          .ino = id->ino,
                          .read_ns = read_ns};
}

struct stamp file_stamp_of_open(int fd)
{
    int64_t now_ns = file_stamp_now_ns();
    struct file_id id;

    return file_stat_open(fd, &id, NULL) ? file_stamp_of(&id, now_ns) : (struct stamp){0};
}

bool file_stamp_is_settled(const struct stamp *read)
{
    int64_t touched_ns = read->mtime_ns > read->ctime_ns ? read->mtime_ns : read->ctime_ns;

    return read->read_ns && touched_ns <= read->read_ns - FILE_STAMP_MARGIN_NS;
}

bool file_stamp_is_same(const struct stamp *a, const struct stamp *b)
{
    return a->size == b->size && a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns &&
           a->ino == b->ino;
}

bool file_stamp_holds(const struct stamp *read, const struct stamp *now)
{
    return file_stamp_is_settled(read) && file_stamp_is_same(read, now);
}

/* A listing: inboxes first, then archives.
 *
 * Mail moves from the inbox to the archive, never the other way. Listed in this order, a message
 * that moves meanwhile is found at least once. */

enum { RULES_MAX = 16 };

struct lister {
    struct listing *listing;
    const struct source *source;
    const struct load *load;
    bool everything;  /* not only the boxes of the listing's readers */
    struct map known; /* paths of problems that were noted: both walks may find them */
};

const struct address *file_list_reader(const struct listing *listing, struct span team)
{
    for (size_t i = 0; i < listing->only.count; i++) {
        const struct address *only = &listing->only.items[i];
        if (!only->team.at || span_eq(only->team, team))
            return only;
    }
    return NULL;
}

static bool is_wanted_box(const struct lister *lister, const struct place_names *names)
{
    const struct address *only = file_list_reader(lister->listing, names->team);

    return lister->everything || (only && (!names->box.at || span_eq(names->box, only->box)));
}

/* True if a directory that cannot be entered may hold the wanted box: one above all teams and boxes
 * may. */
static bool may_hold_box(const struct lister *lister, const struct place_names *names)
{
    return is_wanted_box(lister, names) || (!names->box.at && !names->team.at);
}

static bool is_wanted(const struct load *load, bool archived)
{
    return archived ? load->archive : load->inbox;
}

static struct place place_of(const struct lister *lister, const struct found *found)
{
    struct arena *arena = &lister->listing->arena;

    struct place place = source_place(lister->source, found->rule, &found->names, found->dir);

    place.team = arena_copy(arena, place.team);
    place.box = arena_copy(arena, place.box);
    place.dir = arena_copy(arena, place.dir);
    return place;
}

static void add_folder(struct listing *listing, struct place place)
{
    *mem_push(listing->folders, listing->folder_count, listing->folder_cap) =
        (struct folder){.place = place};
}

static void enter_folder(struct walker *walker, const struct found *dir)
{
    struct lister *lister = walker->context;

    if (place_names_box(dir->rule->pattern) || !is_wanted_box(lister, &dir->names))
        return;
    add_folder(lister->listing, place_of(lister, dir));
    lister->listing->folders[lister->listing->folder_count - 1].stamp = file_stamp_of_open(dir->fd);
}

static void note_problem(struct lister *lister, const struct found *found)
{
    struct listing *listing = lister->listing;
    CLEANUP(str_free) struct str path = {0};
    bool fresh;

    str_add_path(&path, found->dir, found->name);
    map_put_copy(&lister->known, &listing->arena, str_span(&path), &fresh);
    if (!fresh || !may_hold_box(lister, &found->names))
        return;
    struct place place = place_of(lister, found);
    *mem_push(listing->problems, listing->problem_count, listing->problem_cap) =
        (struct listed_problem){.place = place,
                                .name = arena_copy(&listing->arena, found->name),
                                .reason = arena_copy(&listing->arena, span_of(found->problem))};
}

/* Returns the folder of a file: the one that was listed last, if the file is in it. A file that
 * names its box has a folder of its own. NULL if the box is not wanted. */
static struct folder *folder_of(struct lister *lister, const struct found *file)
{
    struct listing *listing = lister->listing;
    struct folder *last =
        listing->folder_count ? &listing->folders[listing->folder_count - 1] : NULL;
    bool own = place_names_box(file->rule->pattern);

    if (last && span_eq(last->place.dir, file->dir) &&
        (!own || span_eq(last->place.box, file->names.box)))
        return last;
    if (!own || !is_wanted_box(lister, &file->names))
        return NULL;
    add_folder(listing, place_of(lister, file));
    return &listing->folders[listing->folder_count - 1];
}

static void list_file(struct walker *walker, const struct found *file)
{
    struct lister *lister = walker->context;
    struct listing *listing = lister->listing;

    if (file->problem) {
        if (is_wanted(lister->load, file->rule->archived))
            note_problem(lister, file);
        return;
    }
    struct folder *folder = folder_of(lister, file);
    if (!folder)
        return; /* a box that was not requested */
    *mem_push(folder->files, folder->count, folder->cap) =
        (struct listed){arena_copy(&listing->arena, file->name), file->regular};
}

static bool walk_rules(struct lister *lister, bool archived, struct err *err)
{
    const struct format *format = lister->source->format;
    struct place_rule rules[RULES_MAX];
    struct walker walker = {
        .rules = rules, .enter = enter_folder, .found = list_file, .context = lister};

    for (size_t i = 0; i < format->rule_count; i++)
        if (format->rules[i].archived == archived)
            rules[walker.rule_count++] = format->rules[i];
    return walk_tree(&walker, lister->source->root, err);
}

static bool is_same_box(const struct folder *a, const struct folder *b)
{
    return span_eq(a->place.box, b->place.box) && span_eq(a->place.team, b->place.team);
}

/* Keeps only the files that a wanted folder of the same box has as well. */
static void keep_doubles(struct listing *listing, const struct load *load, struct folder *folder)
{
    CLEANUP(map_free) struct map others = {0};
    size_t kept = 0;
    bool fresh;

    for (size_t i = 0; i < listing->folder_count; i++) {
        const struct folder *other = &listing->folders[i];
        if (!is_wanted(load, other->place.archived) || !is_same_box(other, folder))
            continue;
        for (size_t k = 0; k < other->count; k++)
            map_put(&others, other->files[k].name, &fresh);
    }
    for (size_t k = 0; k < folder->count; k++)
        if (map_get(&others, folder->files[k].name))
            folder->files[kept++] = folder->files[k];
    folder->count = kept;
}

bool file_list_fill(struct listing *listing, const struct source *source, const struct load *load,
                    struct err *err)
{
    bool everything = !load->agent.at || (load->as_reader && source->format->exact_to);
    struct lister lister = {
        .listing = listing, .source = source, .load = load, .everything = everything};
    bool ok = true;

    if (!everything) {
        ok = address_read_all(source, load->agent, &listing->only, &listing->arena, err);
        const struct address *first = ok ? listing->only.items : NULL;
        if (first && listing->only.count == 1 && load->only_source && first->team.at &&
            !first->has_team)
            ok = err_set(err, ERR_REFUSED, "there is no team \"%.*s\" here", (int)first->team.len,
                         first->team.at);
    }
    ok = ok && walk_rules(&lister, false, err) && walk_rules(&lister, true, err);
    for (size_t i = 0; ok && i < listing->folder_count; i++)
        if (!is_wanted(load, listing->folders[i].place.archived))
            keep_doubles(listing, load, &listing->folders[i]);
    map_free(&lister.known);
    return ok;
}

void file_list_free(struct listing *listing)
{
    for (size_t i = 0; i < listing->folder_count; i++)
        free(listing->folders[i].files);
    free(listing->folders);
    free(listing->problems);
    addresses_free(&listing->only);
    arena_free(&listing->arena);
}

size_t file_list_archive_of(struct listing *listing, const struct source *source, size_t index)
{
    CLEANUP(str_free) struct str path = {0};

    for (size_t i = 0; i < listing->folder_count; i++)
        if (listing->folders[i].place.archived &&
            is_same_box(&listing->folders[i], &listing->folders[index]))
            return i;
    struct place place = listing->folders[index].place;
    format_dir(&path, source->format, true, place.team, place.box);
    place.archived = true;
    place.dir = arena_copy(&listing->arena, str_span(&path));
    add_folder(listing, place);
    return listing->folder_count - 1;
}

bool folder_has(const struct folder *folder, struct span name)
{
    for (size_t i = 0; i < folder->count; i++)
        if (span_eq(folder->files[i].name, name))
            return true;
    return false;
}

void file_census_free(struct file_census *census)
{
    free(census->files);
    map_free(&census->paths);
    copies_free(&census->copies);
    span_list_free(&census->problems);
    arena_free(&census->arena);
    *census = (struct file_census){0};
}

uint32_t file_census_find(const struct file_census *census, struct span path)
{
    const uint32_t *number = map_get(&census->paths, path);

    return number ? *number : FILE_CENSUS_NONE;
}

/* Copies the place into the census's arena, unless it is the last one. */
static const struct place *keep_place(struct file_census *census, const struct place *place)
{
    census->last = place_keep(place, census->last, &census->arena);
    return census->last;
}

static struct file_census_file *add_file(struct file_census *census, struct span dir,
                                         struct span name)
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
        *mem_push(census->files, census->count, census->cap) = (struct file_census_file){
            .path = whole, .name = {path + before, name.len}, .by = FILE_CENSUS_NONE};
    }
    return &census->files[*number];
}

static void add_problem(struct file_census *census, struct span dir, struct span name,
                        struct span reason)
{
    CLEANUP(str_free) struct str path = {0};

    str_add_path(&path, dir, name);
    span_list_add(&census->problems, arena_copy(&census->arena, str_span(&path)));
    span_list_add(&census->problems, arena_copy(&census->arena, reason));
    str_clear(&path);
    str_addf(&path, "%s/", census->source->path);
    str_add_path(&path, dir, name);
    io_error_note(IO_ERROR_MAIL, str_c(&path), reason.at);
}

static void stat_file(struct file_census *census, struct file_census_file *file, int dir)
{
    struct file_id id;
    struct err err;
    enum file_result result = file_stat(dir, file->name.at, &id, &err);

    file->gone = result != FILE_OK;
    if (!file->gone)
        file->now = file_stamp_of(&id, 0);
    if (result == FILE_FAILED)
        add_problem(census, (struct span){0}, file->path, span_of(err.text));
}

static void file_census_folder(struct file_census *census, const struct folder *folder)
{
    int dir = source_dir(census->source, folder->place.dir.at);

    for (size_t i = 0; dir >= 0 && i < folder->count; i++) {
        struct file_census_file *file = add_file(census, folder->place.dir, folder->files[i].name);
        if (!file->place)
            file->place = keep_place(census, &folder->place);
        stat_file(census, file, dir);
    }
    if (dir >= 0)
        close(dir);
    else if (errno != ENOENT && errno != ENOTDIR)
        add_problem(census, (struct span){0}, folder->place.dir, span_of(strerror(errno)));
}

static bool add_copies(struct file_census *census, struct state *state, struct err *err)
{
    const struct source *source = census->source;
    bool ok = state_copies(state, source->format->name, source->path, &census->copies, err);

    for (size_t i = 0; ok && i < census->copies.count; i++) {
        const struct copy *copy = &census->copies.items[i];
        CLEANUP(str_free) struct str name = {0};

        str_addf(&name, "/%lld", (long long)copy->number);
        struct file_census_file *file = add_file(census, (struct span){0}, str_span(&name));
        file->place = local_marks_copy_place(source, copy, &census->arena);
        file->copy = copy;
        file->gone = false;
        file->name = arena_copy(&census->arena, copy->name);
        file->now = (struct stamp){
            .size = (int64_t)copy->size, .mtime_ns = copy->kept_us, .ino = (uint64_t)copy->number};
    }
    return ok;
}

bool file_census_take(struct file_census *census, const struct source *source, struct state *state,
                      struct err *err)
{
    struct load everything = {.inbox = true, .archive = true};
    CLEANUP(file_list_free) struct listing listing = {0};

    file_census_free(census);
    census->source = source;
    bool ok = file_list_fill(&listing, source, &everything, err);
    for (size_t i = 0; ok && i < listing.folder_count; i++)
        file_census_folder(census, &listing.folders[i]);
    for (size_t i = 0; ok && i < listing.problem_count; i++)
        add_problem(census, listing.problems[i].place.dir, listing.problems[i].name,
                    listing.problems[i].reason);
    return ok && (!state || add_copies(census, state, err));
}

bool file_census_copies(struct file_census *census, struct state *state, struct err *err)
{
    size_t before = census->copies.count;

    for (size_t i = 0; i < census->count; i++) {
        if (!census->files[i].copy)
            continue;
        census->files[i].gone = true; /* until it is found */
        census->files[i].copy = NULL;
    }
    copies_free(&census->copies);
    if (state && !add_copies(census, state, err))
        copies_free(&census->copies);
    return before || census->copies.count;
}

static void found_again(struct walker *walker, const struct found *found)
{
    struct file_census *census = walker->context;

    if (found->problem)
        return;
    struct place place = source_place(census->source, found->rule, &found->names, found->dir);
    struct file_census_file *file = add_file(census, found->dir, found->name);
    if (!file->place)
        file->place = keep_place(census, &place);
    stat_file(census, file, found->fd);
}

void file_census_stat(struct file_census *census, struct span dir, struct span name)
{
    struct walker walker = {.rules = census->source->format->rules,
                            .rule_count = census->source->format->rule_count,
                            .found = found_again,
                            .context = census};
    CLEANUP(str_free) struct str path = {0};

    str_add_path(&path, dir, name);
    uint32_t known = file_census_find(census, str_span(&path));
    if (known != FILE_CENSUS_NONE)
        census->files[known].gone = true; /* until it is found */
    walk_entry(&walker, census->source->root, dir, name);
}
