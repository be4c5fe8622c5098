/* The cache: reading it. Nothing in it is believed before it was checked. */
#include "base/mem.h"
#include "base/version.h"
#include "mail/live/head.h"
#include "mail/live/head_bytes.h"
#include "store/scan/cache_format.h"
#include "store/source/address_owner.h"
#include "store/source/disposable.h"

#include <stddef.h>
#include <stdlib.h>
#include <time.h>

/* Times without a zone mean another moment in another zone. */
void cache_add_subject(struct str *out, const struct source *source)
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

/* Lays the sections out; false when they are not as long as the file. */
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

/* A text with the NUL behind it; absent when it is not inside. */
static struct span text_at(const struct cache *cache, struct cache_text text)
{
    if ((uint64_t)text.at + text.len + 1 > cache->header->texts_len ||
        cache->texts[text.at + text.len])
        return (struct span){0};
    return (struct span){cache->texts + text.at, text.len};
}

static bool is_of(const struct cache *cache, const struct source *source)
{
    struct str subject = {0};

    cache_add_subject(&subject, source);
    struct span text = text_at(cache, (struct cache_text){0, (uint32_t)subject.len});
    bool same = text.at && span_eq(text, str_span(&subject));
    str_free(&subject);
    return same;
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
    struct str path = {0};
    size_t size = 0;

    cache->others_dir = CACHE_NONE;
    if (disposable_path(&path, CACHE_KIND, source, false))
        cache->bytes = disposable_read(str_c(&path), &size);
    bool ok = cache->bytes && find_sections(cache, size) && is_of(cache, source) &&
              check_files(cache) && check_dirs(cache) && check_names(cache);
    if (cache->bytes && !ok)
        log_add(log, "cache: %s is of no use, and is made anew", str_c(&path));
    str_free(&path);
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
    return stamp_holds(&cache->folders[dir].stamp, now);
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

/* When names come in another order than they were listed in, all of the directory are noted. */
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
                 const struct source *source, struct known *known)
{
    struct span heads = {cache->heads + file->heads_at, file->heads_len};

    known_fill(known, heads, file->head_count, cache->names, cache->header->names, source->seed);
}
