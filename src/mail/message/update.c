/* An update: which messages of a batch belong to which file. */
#include "mail/message/update.h"

#include "base/mem.h"

#include <stdlib.h>

void update_free(struct update *update)
{
    batch_free(&update->batch);
    free(update->files);
    *update = (struct update){0};
}

void update_add(struct update *update, const struct place *place, struct span name,
                enum update_what what, size_t first)
{
    update->files = mem_grow(update->files, &update->cap, update->count + 1, sizeof *update->files);
    update->files[update->count++] = (struct update_file){.place = place,
                                                          .name = name,
                                                          .what = what,
                                                          .first = first,
                                                          .count = update->batch.count - first};
}
