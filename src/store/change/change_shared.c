/* Changing messages that share a file: all of them in one go. */
#include "store/change/change_private.h"

#include "base/map.h"
#include "base/mem.h"
#include "store/change/putaway.h"
#include "store/scan/load.h"
#include "store/send/array.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static bool shares_file(const struct message *a, const struct message *b)
{
    return span_eq(a->place->dir, b->place->dir) && span_eq(a->file, b->file);
}

/* An entry that somebody removed before we had the lock was not marked. */
static void check_presence(const struct changing *how, struct message *const *messages,
                           size_t count, struct changed *outcomes, size_t first, struct span left)
{
    struct batch batch = {0};
    struct map present = {0};
    struct err ignored;
    bool fresh;

    if (load_bytes(how->source, messages[first], left, WANT_HEAD, &batch, &ignored)) {
        for (size_t i = 0; i < batch.count; i++)
            map_put(&present, batch.items[i].id, &fresh);
        for (size_t i = first; i < count; i++)
            if (outcomes[i].ok && shares_file(messages[i], messages[first]) &&
                !map_get(&present, messages[i]->id))
                outcomes[i].ok = err_set(&outcomes[i].err, ERR_MESSAGE,
                                         "%.*s: someone removed it meanwhile; nothing was changed",
                                         (int)messages[i]->id.len, messages[i]->id.at);
    }
    map_free(&present);
    batch_free(&batch);
}

void change_array(const struct changing *how, struct message *const *messages, size_t count,
                  struct changed *outcomes, size_t first, bool *taken)
{
    const struct message *leader = messages[first];
    const struct place *place = leader->place;
    struct span_list ids = {0};
    struct str left = {0};
    struct err err = {0};
    struct array array = {.source = how->source,
                          .dir = source_open_dir(how->source, place->dir.at, &err),
                          .path = place->dir.at,
                          .name = leader->file.at,
                          .log = how->log};

    for (size_t i = first; i < count; i++) {
        if (taken[i] || !shares_file(messages[i], leader))
            continue;
        taken[i] = true;
        outcomes[i].ok = change_is_step(messages[i], STATUS_READ, &outcomes[i].err);
        if (outcomes[i].ok)
            span_list_add(&ids, messages[i]->id);
    }
    bool ok = array.dir >= 0 && ids.count && array_mark_read(&array, &ids, &left, &err);
    if (ids.count && !ok) {
        for (size_t i = first; i < count; i++) {
            if (!outcomes[i].ok || !shares_file(messages[i], leader))
                continue;
            outcomes[i].ok = false;
            outcomes[i].err = err;
        }
    }
    if (ok)
        check_presence(how, messages, count, outcomes, first, str_span(&left));
    for (size_t i = first; i < count; i++)
        if (outcomes[i].ok && messages[i]->status > STATUS_READ && shares_file(messages[i], leader))
            outcomes[i].ok = change_back_to_read(how, messages[i], &outcomes[i].err);
    if (array.dir >= 0)
        close(array.dir);
    str_free(&left);
    span_list_free(&ids);
}

void change_hidden(const struct changing *how, struct message *const *messages, size_t count,
                   struct changed *outcomes, size_t first, bool *taken)
{
    struct message **together = mem_zero(count, sizeof(struct message *));
    bool *hidden = mem_zero(count, sizeof *hidden);
    struct err err = {0};
    size_t used = 0;

    for (size_t i = first; i < count; i++)
        if (!taken[i] && shares_file(messages[i], messages[first]))
            together[used++] = messages[i];
    put_away_together(how, together, used, hidden, &err);
    used = 0;
    for (size_t i = first; i < count; i++) {
        if (taken[i] || !shares_file(messages[i], messages[first]))
            continue;
        taken[i] = outcomes[i].local = true;
        outcomes[i].ok = hidden[used++];
        outcomes[i].err = err;
    }
    free(together);
    free(hidden);
}
