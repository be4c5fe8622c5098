/* The cache: gather what was read, write it to a temporary file, and rename that over the old one.
 * Nothing is synced: a file that a crash leaves behind has the wrong checksum. */
#include "store/scan/head_cache.h"

#include "base/mem.h"
#include "base/version.h"
#include "mail/live/head.h"
#include "store/source/address.h"
#include "store/source/our_paths.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* The cache: reading it. All of it is checked before use. */

/* Appends everything except the files that the heads of a source depend on. A time without a zone
 * is another moment in another zone. */
static void cache_add_subject(struct str *out, const struct source *source)
{
    const char *zone = getenv("TZ");

    tzset();
    str_addf(out, "%s %s:%s %lld %s %s %s %ld %s", version_text, source->format->name, source->path,
             (long long)source->lasts_us, zone ? zone : "", tzname[0], tzname[1], timezone,
             source->zone_name ? source->zone_name : "");
}

uint32_t cache_sum(struct span file)
{
    size_t behind = offsetof(struct cache_header, sum) + sizeof(uint32_t);

    return map_hash((struct span){file.at + behind, file.len - behind}, CACHE_SEED);
}

/* Finds the sections; false if their sizes do not match the file. */
static bool find_sections(struct cache *cache, size_t size)
{
    const struct cache_header *header = (const struct cache_header *)(const void *)cache->bytes;
    const char *at = cache->bytes + sizeof *header;

    cache->header = header;
    if (size < sizeof *header || memcmp(header->magic, CACHE_MAGIC, sizeof CACHE_MAGIC) != 0 ||
        header->version != CACHE_VERSION || header->head_size != sizeof(struct head) ||
        header->size != size || header->texts_len > size || header->heads_len > size)
        return false;
    uint64_t want = sizeof *header + header->dirs * sizeof *cache->folders +
                    header->files * sizeof *cache->files +
                    header->names * sizeof *cache->name_texts + header->texts_len +
                    header->heads_len;
    if (want != size || cache_sum((struct span){cache->bytes, size}) != header->sum)
        return false;
    cache->folders = (const struct cache_folder *)(const void *)at;
    at += header->dirs * sizeof *cache->folders;
    cache->files = (const struct cache_file *)(const void *)at;
    at += header->files * sizeof *cache->files;
    cache->name_texts = (const struct cache_text *)(const void *)at;
    at += header->names * sizeof *cache->name_texts;
    cache->texts = at;
    cache->heads = at + header->texts_len;
    return true;
}

/* Returns a text that is followed by a NUL; absent if it is not inside the section. */
static struct span text_at(const struct cache *cache, struct cache_text text)
{
    if ((uint64_t)text.at + text.len + 1 > cache->header->texts_len ||
        cache->texts[text.at + text.len])
        return (struct span){0};
    return (struct span){cache->texts + text.at, text.len};
}

static bool is_of(const struct cache *cache, const struct source *source)
{
    CLEANUP(str_free) struct str subject = {0};

    cache_add_subject(&subject, source);
    struct span text = text_at(cache, (struct cache_text){0, (uint32_t)subject.len});
    return text.at && span_eq(text, str_span(&subject));
}

static bool check_files(const struct cache *cache)
{
    for (size_t i = 0; i < cache->header->files; i++) {
        const struct cache_file *file = &cache->files[i];
        if (!text_at(cache, (struct cache_text){file->name_at, file->name_len}).at ||
            file->heads_at > cache->header->heads_len ||
            file->heads_len > cache->header->heads_len - file->heads_at)
            return false;
    }
    return true;
}

static bool check_dirs(struct cache *cache)
{
    bool fresh;

    for (uint32_t i = 0; i < cache->header->dirs; i++) {
        const struct cache_folder *folder = &cache->folders[i];
        struct span dir = text_at(cache, folder->dir);
        if (!dir.at || (uint64_t)folder->first_file + folder->file_count > cache->header->files)
            return false;
        *map_put(&cache->dirs, dir, &fresh) = i;
        if (!fresh)
            return false;
    }
    return true;
}

static bool check_names(struct cache *cache)
{
    cache->names = mem_zero(cache->header->names + 1, sizeof *cache->names);
    for (size_t i = 0; i < cache->header->names; i++) {
        cache->names[i + 1] = text_at(cache, cache->name_texts[i]);
        if (!cache->names[i + 1].at)
            return false;
    }
    return true;
}

struct cache *cache_open(struct source *source, struct log *log)
{
    struct cache *cache = mem_zero(1, sizeof *cache);
    CLEANUP(str_free) struct str path = {0};
    size_t size = 0;

    cache->others_dir = CACHE_NONE;
    if (cache_file_path(&path, CACHE_KIND, source, false))
        cache->bytes = cache_file_read(str_c(&path), &size);
    bool ok = cache->bytes && find_sections(cache, size) && is_of(cache, source) &&
              check_files(cache) && check_dirs(cache) && check_names(cache);
    if (cache->bytes && !ok)
        log_add(log, "cache: %s is of no use, and is made anew", str_c(&path));
    if (ok) {
        source->seed = cache->header->seed;
        return cache;
    }
    cache_free(cache);
    return NULL;
}

void cache_free(struct cache *cache)
{
    if (!cache)
        return;
    map_free(&cache->dirs);
    map_free(&cache->others);
    free(cache->names);
    free(cache->bytes);
    free(cache);
}

uint32_t cache_dir(const struct cache *cache, struct span dir)
{
    const uint32_t *number = map_get(&cache->dirs, dir);

    return number ? *number : CACHE_NONE;
}

bool cache_dir_holds(const struct cache *cache, uint32_t dir, const struct stamp *now)
{
    return file_stamp_holds(&cache->folders[dir].stamp, now);
}

const struct cache_file *cache_files(const struct cache *cache, uint32_t dir, size_t *count)
{
    *count = cache->folders[dir].file_count;
    return cache->files + cache->folders[dir].first_file;
}

struct span cache_name(const struct cache *cache, const struct cache_file *file)
{
    return (struct span){cache->texts + file->name_at, file->name_len};
}

void cache_dirs_beneath(const struct cache *cache, struct span dir, struct span_list *names)
{
    for (uint32_t i = 0; i < cache->header->dirs; i++) {
        struct span other = text_at(cache, cache->folders[i].dir);
        size_t before = dir.len ? dir.len + 1 : 0;
        if (other.len > before && span_starts(other, dir) &&
            (!dir.len || other.at[dir.len] == '/') &&
            !memchr(other.at + before, '/', other.len - before))
            span_list_add(names, (struct span){other.at + before, other.len - before});
    }
}

/* Finds a name that is not the next one in the order of the listing: indexes all names of the
 * directory. */
static const struct cache_file *find_other(struct cache *cache, uint32_t dir, struct span name)
{
    size_t count;
    const struct cache_file *files = cache_files(cache, dir, &count);
    bool fresh;

    if (cache->others_dir != dir) {
        map_free(&cache->others);
        map_reserve(&cache->others, count);
        for (size_t i = 0; i < count; i++)
            *map_put(&cache->others, cache_name(cache, &files[i]), &fresh) = (uint32_t)i;
        cache->others_dir = dir;
    }
    const uint32_t *at = map_get(&cache->others, name);
    return at ? &files[*at] : NULL;
}

const struct cache_file *cache_find(struct cache *cache, uint32_t dir, struct span name)
{
    uint32_t first = cache->folders[dir].first_file, end = first + cache->folders[dir].file_count;

    if (cache->next < first || cache->next >= end)
        cache->next = first;
    const struct cache_file *file = &cache->files[cache->next];
    if (first == end || !span_eq(cache_name(cache, file), name))
        file = find_other(cache, dir, name);
    if (file)
        cache->next = (uint32_t)(file - cache->files) + 1;
    return file;
}

bool cache_take(const struct cache *cache, const struct cache_file *file,
                const struct source *source, const struct place *place, struct batch *batch)
{
    struct span bytes = {cache->heads + file->heads_at, file->heads_len};
    size_t first = batch->count;

    for (uint32_t i = 0; i < file->head_count; i++) {
        if (!head_read(&bytes, cache->names, cache->header->names, place, batch)) {
            batch->count = first;
            return false;
        }
        address_own(source, &batch->items[batch->count - 1]);
    }
    return true;
}

void cache_known(const struct cache *cache, const struct cache_file *file,
                 const struct source *source, struct entry_cache *known)
{
    struct span heads = {cache->heads + file->heads_at, file->heads_len};

    entry_cache_fill(known, heads, file->head_count, cache->names, cache->header->names,
                     source->seed);
}

struct cache_writer {
    const struct source *source;
    const struct cache *old;
    pthread_mutex_t lock; /* guards the names and the parts */
    struct map names;     /* values are their numbers, from 1 up */
    struct arena arena;   /* of names that are not in the old cache */
    struct cache_part *parts;
    size_t part_count, part_cap;
    const struct cache_listed *dirs; /* at the end, indexed by `listed` */
    struct map listed;
    struct map partial; /* directories with files that are not kept: they have to be listed again */
};

struct cache_writer *cache_write_begin(const struct source *source, const struct cache *old)
{
    struct cache_writer *writer = mem_zero(1, sizeof *writer);
    writer->source = source;
    writer->old = old;
    pthread_mutex_init(&writer->lock, NULL);
    for (uint32_t i = 0; old && i < old->header->names;
         i++) { /* heads that are copied refer to these numbers */
        bool fresh;
        *map_put(&writer->names, old->names[i + 1], &fresh) = i + 1;
    }
    return writer;
}

static struct cache_noted *note_part(struct cache_part *part)
{
    struct cache_noted *noted = mem_push(part->files, part->count, part->cap);

    *noted = (struct cache_noted){0};
    return noted;
}

void cache_note_nothing(struct cache_part *part)
{
    note_part(part);
}

void cache_note_old(struct cache_part *part, const struct cache_file *old)
{
    *note_part(part) = (struct cache_noted){.old = old, .there = true};
}

static uint32_t number_of(struct cache_writer *writer, struct span name)
{
    bool fresh;

    if (!name.at)
        return 0;
    uint32_t *number = map_get(&writer->names, name);
    if (number)
        return *number;
    uint32_t next = (uint32_t)writer->names.count + 1;
    *map_put_copy(&writer->names, &writer->arena, name, &fresh) = next;
    return next;
}

static struct head_names number_names(struct cache_writer *writer, const struct message *message)
{
    struct head_names names;

    pthread_mutex_lock(&writer->lock);
    names.from = number_of(writer, message->from);
    names.to = number_of(writer, message->to);
    names.type = number_of(writer, message->type);
    pthread_mutex_unlock(&writer->lock);
    return names;
}

void cache_note_read(struct cache_writer *writer, struct cache_part *part,
                     const struct cache_read *read)
{
    const struct batch *batch = read->batch;
    size_t before = part->heads.len, first = read->first;
    bool shared = writer->source->format->storage != STORAGE_FILES && read->bytes.at;

    for (size_t i = first; i < batch->count; i++) {
        if (batch->items[i].unread_bytes) { /* it may be readable the next time */
            cache_note_nothing(part);
            return;
        }
    }
    for (size_t i = first; i < batch->count; i++) {
        struct head_names names = number_names(writer, &batch->items[i]);
        head_write(&part->heads, &batch->items[i], &names);
    }
    if (shared)
        entry_cache_write(&part->heads, batch, first, read->bytes, writer->source->seed);
    size_t count = batch->count - first, known = read->known < count ? read->known : count;
    *note_part(part) = (struct cache_noted){.stamp = read->stamp,
                                            .heads_len = (uint32_t)(part->heads.len - before),
                                            .head_count = (uint32_t)count,
                                            .new_count = (uint32_t)(shared ? count - known : 0),
                                            .there = true};
}

void cache_add_part(struct cache_writer *writer, struct cache_part *part)
{
    pthread_mutex_lock(&writer->lock);
    *mem_push(writer->parts, writer->part_count, writer->part_cap) = *part;
    pthread_mutex_unlock(&writer->lock);
    *part = (struct cache_part){0};
}

static int by_first(const void *a, const void *b)
{
    const struct cache_part *x = a, *y = b;

    return x->first < y->first ? -1 : x->first > y->first;
}

/* --- the sections --- */

struct sections {
    struct cache_folder *folders;
    size_t folder_count, folder_cap;
    struct cache_file *files;
    size_t file_count, file_cap;
    struct cache_text *names;
    struct str texts, heads;
};

static struct cache_text add_text(struct sections *s, struct span text)
{
    struct cache_text at = {(uint32_t)s->texts.len, (uint32_t)text.len};

    str_add_span(&s->texts, text);
    str_putc(&s->texts, '\0');
    return at;
}

/* Returns the stamp for a directory. If it is unchanged since the old cache, sets *known and
 * returns the old stamp. */
static struct stamp file_stamp_of_dir(const struct cache_writer *writer, struct span dir,
                                      bool *known)
{
    const uint32_t *listed = map_get(&writer->listed, dir);
    uint32_t old = writer->old ? cache_dir(writer->old, dir) : CACHE_NONE;
    bool whole = listed && !map_get(&writer->partial, dir);
    struct stamp stamp = whole ? writer->dirs[*listed].stamp : (struct stamp){0};

    *known = old != CACHE_NONE && cache_dir_holds(writer->old, old, &stamp);
    return *known ? writer->old->folders[old].stamp : stamp;
}

static void add_folder(struct sections *s, const struct cache_writer *writer, struct span dir)
{
    bool ignored;

    *mem_push(s->folders, s->folder_count, s->folder_cap) =
        (struct cache_folder){.stamp = file_stamp_of_dir(writer, dir, &ignored),
                              .dir = add_text(s, dir),
                              .first_file = (uint32_t)s->file_count};
}

static void add_file(struct sections *s, const struct cache_writer *writer,
                     const struct cache_noted *noted, struct span name, struct span heads)
{
    struct cache_text text = add_text(s, name);
    struct cache_file file = {
        .stamp = noted->stamp, .heads_len = noted->heads_len, .head_count = noted->head_count};

    if (noted->old) {
        file = *noted->old;
        heads = (struct span){writer->old->heads + file.heads_at, file.heads_len};
    }
    file.heads_at = s->heads.len;
    file.name_at = text.at;
    file.name_len = text.len;
    str_add_span(&s->heads, heads);
    *mem_push(s->files, s->file_count, s->file_cap) = file;
    s->folders[s->folder_count - 1].file_count++;
}

static void add_part(struct sections *s, const struct cache_writer *writer,
                     const struct cache_part *part, const struct reader_pool_file *files,
                     const struct place **place)
{
    size_t heads_at = 0;

    for (size_t i = 0; i < part->count; i++) {
        const struct cache_noted *noted = &part->files[i];
        const struct reader_pool_file *file = &files[part->first + i];
        if (!*place || !span_eq(file->place->dir, (*place)->dir))
            add_folder(s, writer, file->place->dir);
        *place = file->place;
        struct span heads = {noted->heads_len ? part->heads.at + heads_at : "", noted->heads_len};
        if (noted->there)
            add_file(s, writer, noted, file->name, heads);
        heads_at += noted->heads_len;
    }
}

static void add_names(struct sections *s, const struct cache_writer *writer)
{
    s->names = mem_alloc((writer->names.count + 1) * sizeof *s->names);
    for (size_t i = 0; i < writer->names.count; i++) /* in the order of their numbers */
        s->names[i] = add_text(s, writer->names.entries[i].key);
}

static void fill_sections(struct sections *s, const struct cache_writer *writer,
                          const struct reader_pool_file *files)
{
    const struct place *place = NULL;
    CLEANUP(str_free) struct str subject = {0};

    cache_add_subject(&subject, writer->source);
    add_text(s, str_span(&subject));
    for (size_t i = 0; i < writer->part_count; i++)
        add_part(s, writer, &writer->parts[i], files, &place);
    add_names(s, writer);
}

static void find_partial(struct cache_writer *writer, const struct reader_pool_file *files)
{
    bool fresh;

    for (size_t i = 0; i < writer->part_count; i++)
        for (size_t k = 0; k < writer->parts[i].count; k++)
            if (!writer->parts[i].files[k].there)
                map_put(&writer->partial, files[writer->parts[i].first + k].place->dir, &fresh);
}

/* True if the next load will save the reading, or the stat, of enough messages that this load had
 * to read. The entries of a shared file are useful even while the file is too young for its stamp
 * to be trusted. */
static bool is_worth_it(const struct cache_writer *writer, const struct reader_pool_file *files)
{
    enum { LEAST_GAIN = 64, LEAST_SHARE = 20 };
    const struct place *place = NULL;
    bool gaining = false;
    size_t gain = 0, all = 0;

    for (size_t i = 0; i < writer->part_count; i++) {
        const struct cache_part *part = &writer->parts[i];
        for (size_t k = 0; k < part->count; k++) {
            const struct reader_pool_file *file = &files[part->first + k];
            const struct cache_noted *noted = &part->files[k];
            size_t heads = noted->old ? noted->old->head_count : noted->head_count;
            if (file->place != place) {
                bool known;
                place = file->place;
                struct stamp stamp = file_stamp_of_dir(writer, place->dir, &known);
                gaining = !known && file_stamp_is_settled(&stamp);
            }
            all += heads;
            if (gaining || (!noted->old && noted->there && file_stamp_is_settled(&noted->stamp)))
                gain += heads;
            else
                gain += noted->new_count;
        }
    }
    return gain >= LEAST_GAIN && gain >= all / LEAST_SHARE;
}

/* --- the file --- */

static void put_together(struct str *out, const struct sections *s,
                         const struct cache_writer *writer)
{
    struct cache_header header = {.magic = CACHE_MAGIC,
                                  .version = CACHE_VERSION,
                                  .head_size = sizeof(struct head),
                                  .seed = writer->source->seed,
                                  .texts_len = s->texts.len,
                                  .heads_len = s->heads.len,
                                  .dirs = (uint32_t)s->folder_count,
                                  .files = (uint32_t)s->file_count,
                                  .names = (uint32_t)writer->names.count};
    const struct span parts[] = {{(const char *)&header, sizeof header},
                                 {(const char *)s->folders, s->folder_count * sizeof *s->folders},
                                 {(const char *)s->files, s->file_count * sizeof *s->files},
                                 {(const char *)s->names, writer->names.count * sizeof *s->names},
                                 str_span(&s->texts),
                                 str_span(&s->heads)};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        str_add(out, parts[i].at, parts[i].len);
    header.size = out->len;
    memcpy(out->at, &header, sizeof header);
    header.sum = cache_sum(str_span(out));
    memcpy(out->at, &header, sizeof header);
}

static void write_file(const struct cache_writer *writer, struct span bytes, struct log *log)
{
    CLEANUP(str_free) struct str path = {0};

    if (cache_file_path(&path, CACHE_KIND, writer->source, true)) {
        bool ok = cache_file_write(str_c(&path), bytes);
        log_add(log, ok ? "cache: %s was written" : "cache: %s cannot be written: %s", str_c(&path),
                strerror(errno));
    }
}

static void writer_free(struct cache_writer *writer)
{
    for (size_t i = 0; i < writer->part_count; i++) {
        free(writer->parts[i].files);
        str_free(&writer->parts[i].heads);
    }
    free(writer->parts);
    map_free(&writer->names);
    map_free(&writer->listed);
    map_free(&writer->partial);
    arena_free(&writer->arena);
    pthread_mutex_destroy(&writer->lock);
    free(writer);
}

void cache_write_end(struct cache_writer *writer, const struct reader_pool_file *files,
                     const struct cache_listed *dirs, size_t dir_count, struct log *log)
{
    struct sections s = {0};
    CLEANUP(str_free) struct str bytes = {0};
    bool fresh;

    if (!writer)
        return;
    writer->dirs = dirs;
    for (size_t i = 0; i < dir_count; i++)
        *map_put(&writer->listed, dirs[i].dir, &fresh) = (uint32_t)i;
    if (writer->part_count)
        qsort(writer->parts, writer->part_count, sizeof *writer->parts, by_first);
    find_partial(writer, files);
    if (is_worth_it(writer, files)) {
        fill_sections(&s, writer, files);
        put_together(&bytes, &s, writer);
        if (s.texts.len < UINT32_MAX)
            write_file(writer, str_span(&bytes), log);
    }
    free(s.folders);
    free(s.files);
    free(s.names);
    str_free(&s.texts);
    str_free(&s.heads);
    writer_free(writer);
}
