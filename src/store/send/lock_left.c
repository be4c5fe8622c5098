/* Locks that were left behind: found by their names, in the directories where inboxes are. */
#include "store/send/lock_left.h"

#include "base/file/file.h"
#include "store/scan/walk.h"
#include "store/send/lock.h"

#include <fcntl.h>
#include <unistd.h>

struct clearing {
    int root;
    bool waits;
};

static bool inbox_of(struct span name, struct span *inbox)
{
    *inbox = (struct span){name.at, name.len - 5};
    return name.len > 5 && span_ends(name, ".lock");
}

bool lock_is_name(struct span name)
{
    struct span inbox;

    return inbox_of(name, &inbox) || lock_is_private(name);
}

static void ignore_mail(struct walker *walker, const struct found *file)
{
    (void)walker;
    (void)file;
}

static void clear_entry(struct walker *walker, const struct found *entry)
{
    struct clearing *clearing = walker->context;
    struct str inbox = {0};
    struct span span;

    if (!lock_is_name(entry->name))
        return;
    int dir = file_open_beneath(clearing->root, entry->dir.len ? entry->dir.at : ".",
                                O_RDONLY | O_DIRECTORY);
    if (dir < 0)
        return;
    if (!inbox_of(entry->name, &span)) {
        clearing->waits |= !lock_clear_private(dir, entry->name.at);
    } else {
        str_add_span(&inbox, span);
        clearing->waits |=
            !lock_clear_claim(dir, str_c(&inbox)) && lock_look(dir, str_c(&inbox)).claimed;
        str_free(&inbox);
    }
    close(dir);
}

bool lock_clear_left(const struct source *source)
{
    struct clearing clearing = {.root = source->root};
    struct walker walker = {.rules = source->format->rules,
                            .rule_count = source->format->rule_count,
                            .found = ignore_mail,
                            .other = clear_entry,
                            .context = &clearing};
    struct err ignored;

    if (source->format->keeping == KEEP_ARRAY && source->root >= 0)
        walk_tree(&walker, source->root, &ignored);
    return clearing.waits;
}
