/* The model: taking over batches, settling double ids, finding messages. */
#include "mail/model.h"

#include "base/mem.h"

#include <stdlib.h>

void model_free(struct model *model)
{
    for (size_t i = 0; i < model->batch_count; i++)
        batch_free(&model->batches[i]);
    free(model->batches);
    free(model->messages);
    *model = (struct model){0};
}

void model_add(struct model *model, struct batch *batch)
{
    batch_finish(batch);
    model->messages = mem_grow(model->messages, &model->cap, model->count + batch->count,
                               sizeof *model->messages);
    for (size_t i = 0; i < batch->count; i++)
        model->messages[model->count++] = &batch->items[i];
    model->batches =
        mem_grow(model->batches, &model->batch_cap, model->batch_count + 1, sizeof *model->batches);
    model->batches[model->batch_count++] = *batch;
    *batch = (struct batch){0};
}

static bool is_same_box(const struct place *a, const struct place *b)
{
    return a->source == b->source && span_eq(a->team, b->team) && span_eq(a->box, b->box);
}

/* One lies in the inbox and one in the archive of the same box, under the same id. */
static bool is_double(const struct message *a, const struct message *b)
{
    return a->place->archived != b->place->archived && is_same_box(a->place, b->place) &&
           !a->damaged && !b->damaged;
}

/* Ids that recur in other boxes or sources are chained; hostile ones may recur without end, so only
 * the latest few are compared. */
enum { CHAIN_MAX = 8 };

static bool merge(struct model *model, const uint32_t *before, uint32_t latest,
                  struct message *message)
{
    for (int i = 0; i < CHAIN_MAX && latest != UINT32_MAX; i++, latest = before[latest]) {
        struct message *other = model->messages[latest];
        if (!is_double(other, message))
            continue;
        struct message *newer = message->status > other->status ? message : other;
        newer->flags |= MESSAGE_IN_BOTH;
        model->messages[latest] = newer;
        return true;
    }
    return false;
}

void model_settle(struct model *model)
{
    struct map ids = {0};
    uint32_t *before = mem_zero(model->count, sizeof *before);
    size_t kept = 0;

    for (size_t i = 0; i < model->count; i++) {
        struct message *message = model->messages[i];
        bool fresh;
        uint32_t *latest = map_put(&ids, message->id, &fresh);
        if (!fresh && merge(model, before, *latest, message))
            continue;
        before[kept] = fresh ? UINT32_MAX : *latest;
        *latest = (uint32_t)kept;
        model->messages[kept++] = message;
    }
    model->count = kept;
    free(before);
    map_free(&ids);
}

/* Whether a path as `messages --json` shows it, or its end, names the message's file. */
static bool is_path_of(const struct message *message, struct span path)
{
    struct span file = message->file, dir = message->place->dir;
    size_t tail = dir.len + 1 + file.len;

    if (path.len < tail || !span_ends(path, file.at))
        return false;
    struct span before = {path.at + path.len - tail, dir.len};
    return before.at[dir.len] == '/' && span_eq(before, dir) &&
           (path.len == tail || before.at[-1] == '/');
}

static bool say_ambiguous(const struct model *model, struct span id, size_t matches,
                          struct err *err)
{
    struct str some = {0};
    size_t shown = 0;

    for (size_t i = 0; i < model->count && shown < 4; i++) {
        const struct message *message = model->messages[i];
        if (!span_starts(message->id, id))
            continue;
        str_addf(&some, "%s%.*s/%s", shown++ ? ", " : "", (int)message->place->dir.len,
                 message->place->dir.at, message->file.at);
    }
    err_set(err, ERR_REFUSED,
            "\"%.*s\" is the id, or its start, of %zu messages (%s%s): give more of it or the path",
            (int)id.len, id.at, matches, str_c(&some), matches > shown ? ", ..." : "");
    str_free(&some);
    return false;
}

struct message *model_find(const struct model *model, struct span id, struct err *err)
{
    struct message *exact = NULL, *start = NULL;
    size_t exact_count = 0, start_count = 0;

    for (size_t i = 0; i < model->count; i++) {
        struct message *message = model->messages[i];
        if (is_path_of(message, id))
            return message;
        if (!id.len || !span_starts(message->id, id))
            continue;
        start = message;
        start_count++;
        if (message->id.len == id.len) {
            exact = message;
            exact_count++;
        }
    }
    if (exact_count == 1)
        return exact;
    if (exact_count == 0 && start_count == 1)
        return start;
    if (start_count)
        say_ambiguous(model, id, exact_count ? exact_count : start_count, err);
    else
        err_set(err, ERR_ABSENT, "no message has the id \"%.*s\", whole or as its start",
                (int)id.len, id.at);
    return NULL;
}

struct sort_order {
    int (*compare)(const struct message *, const struct message *);
};

static int compare_pointers(const void *a, const void *b, void *order)
{
    return ((struct sort_order *)order)
        ->compare(*(struct message *const *)a, *(struct message *const *)b);
}

void model_sort(struct message **messages, size_t count,
                int (*compare)(const struct message *, const struct message *))
{
    struct sort_order order = {compare};

    if (count)
        qsort_r(messages, count, sizeof *messages, compare_pointers, &order);
}
