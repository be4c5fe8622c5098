/* The first screen: a cache file of texts, each ended by a NUL. */
#include "store/scan/first_screen.h"

#include "store/source/our_paths.h"
#include "store/store_private.h"

#include <errno.h>

#define FIRST_SCREEN_KIND "foremost"

void first_screen_read(const struct source *source, struct span_list *parts, char **bytes)
{
    CLEANUP(str_free) struct str path = {0};
    size_t size = 0;

    *bytes = cache_file_path(&path, FIRST_SCREEN_KIND, source, false)
                 ? cache_file_read(str_c(&path), &size)
                 : NULL;
    for (const char *at = *bytes, *end; at && parts->count < 2 * FIRST_SCREEN_FILES_MAX;
         at = end + 1) {
        end = memchr(at, '\0', size - (size_t)(at - *bytes));
        if (!end)
            break;
        span_list_add(parts, (struct span){at, (size_t)(end - at)});
    }
    if (parts->count % 2)
        parts->count--;
}

static void write_first_screen(const struct source *source, const struct span_list *parts,
                               struct log *log)
{
    CLEANUP(str_free) struct str path = {0}, bytes = {0};

    for (size_t i = 0; i < parts->count; i++) {
        str_add_span(&bytes, parts->items[i]);
        str_putc(&bytes, '\0');
    }
    if (cache_file_path(&path, FIRST_SCREEN_KIND, source, true) &&
        !cache_file_write(str_c(&path), str_span(&bytes)))
        log_add(log, "foremost: %s cannot be written: %s", str_c(&path), strerror(errno));
}

void store_keep_first_screen(struct store *store, uint32_t source, const struct span_list *parts)
{
    if (!store->readonly)
        write_first_screen(&store->sources[source], parts, store->log);
}
