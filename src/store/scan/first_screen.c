/* The foremost: texts with a NUL behind each. */
#include "store/scan/first_screen.h"

#include "store/source/our_paths.h"
#include "store/store_private.h"

#include <errno.h>

#define FOREMOST_KIND "foremost"

void foremost_read(const struct source *source, struct span_list *parts, char **bytes)
{
    struct str path = {0};
    size_t size = 0;

    *bytes = disposable_path(&path, FOREMOST_KIND, source, false)
                 ? disposable_read(str_c(&path), &size)
                 : NULL;
    str_free(&path);
    for (const char *at = *bytes, *end; at && parts->count < 2 * FOREMOST_FILES_MAX; at = end + 1) {
        end = memchr(at, '\0', size - (size_t)(at - *bytes));
        if (!end)
            break;
        span_list_add(parts, (struct span){at, (size_t)(end - at)});
    }
    if (parts->count % 2)
        parts->count--;
}

static void write_foremost(const struct source *source, const struct span_list *parts,
                           struct log *log)
{
    struct str path = {0}, bytes = {0};

    for (size_t i = 0; i < parts->count; i++) {
        str_add_span(&bytes, parts->items[i]);
        str_putc(&bytes, '\0');
    }
    if (disposable_path(&path, FOREMOST_KIND, source, true) &&
        !disposable_write(str_c(&path), str_span(&bytes)))
        log_add(log, "foremost: %s cannot be written: %s", str_c(&path), strerror(errno));
    str_free(&path);
    str_free(&bytes);
}

void store_keep_foremost(struct store *store, uint32_t source, const struct span_list *parts)
{
    if (!store->readonly)
        write_foremost(&store->sources[source], parts, store->log);
}
