/* Fates: what was sent together, and how all of it is ordered and found. */
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/nearest.h"
#include "mail/sent/fate.h"

#include <stdlib.h>

/* Copies of one message are written one after the other, at most so far apart. */
#define TOGETHER_US INT64_C(2000000)

/* What nobody noted as a part of something, and may be one all the same. */
static bool may_belong(const struct fate *fate)
{
    return !fate->group.at && fate->message && fate->sent_us != WHEN_NONE &&
           !fate->message->reply_to.len;
}

static int by_text(const struct fate *a, const struct fate *b)
{
    int order = a->source < b->source ? -1 : a->source > b->source;

    order = order ? order : span_cmp(a->team, b->team);
    order = order ? order : span_cmp(a->from, b->from);
    return order ? order : span_cmp(a->subject, b->subject);
}

static int by_text_and_time(const void *a, const void *b, void *context)
{
    const struct fate *items = context;
    const struct fate *x = &items[*(const uint32_t *)a], *y = &items[*(const uint32_t *)b];
    int order = by_text(x, y);

    if (!order && x->sent_us != y->sent_us)
        order = x->sent_us < y->sent_us ? -1 : 1;
    return order ? order : span_cmp(x->to, y->to);
}

static bool has_broadcast_tag(struct span tags)
{
    struct json_walk walk;
    struct json key, value;
    struct err ignored;
    bool found = false;

    if (!json_open(&walk, tags, JSON_PYTHON, &ignored))
        return false;
    while (json_next(&walk, &key, &value))
        found |= value.kind == JSON_STRING && json_is(value, "broadcast");
    return found;
}

/* Layouts that have tags, conversations or texts say more than the subject does. */
static bool is_same_text(const struct message *a, const struct message *b)
{
    const struct message_data *x = a->data, *y = b->data;

    if (!span_eq(a->thread, b->thread))
        return false;
    if (!x || !y)
        return true;
    if (x->tags.at && !(has_broadcast_tag(x->tags) && has_broadcast_tag(y->tags)))
        return false;
    return !x->body.at || !y->body.at || span_eq(x->body, y->body);
}

/* Whether one more belongs to those that stand before it. */
static bool continues(const struct fate *items, const uint32_t *chain, size_t length, uint32_t next)
{
    const struct fate *last = &items[chain[length - 1]], *fate = &items[next];

    if (by_text(last, fate) != 0 || fate->sent_us - last->sent_us > TOGETHER_US ||
        !is_same_text(last->message, fate->message))
        return false;
    for (size_t i = 0; i < length; i++)
        if (span_eq(items[chain[i]].to, fate->to))
            return false;
    return true;
}

static void find_groups(struct fates *fates)
{
    uint32_t *order = mem_alloc((fates->count + 1) * sizeof *order);
    size_t count = 0, length;

    for (uint32_t i = 0; i < fates->count; i++)
        if (may_belong(&fates->items[i]))
            order[count++] = i;
    if (count)
        qsort_r(order, count, sizeof *order, by_text_and_time, fates->items);
    for (size_t first = 0; first < count; first += length) {
        for (length = 1; first + length < count &&
                         continues(fates->items, order + first, length, order[first + length]);)
            length++;
        for (size_t i = 0; length > 1 && i < length; i++)
            fates->items[order[first + i]].group = fates->items[order[first]].id;
    }
    free(order);
}

/* Things as they are numbered: when each was begun. */
struct things {
    int64_t *begun_us;
    size_t count;
};

static void number_things(struct fates *fates, struct things *things)
{
    struct map groups = {0};
    struct arena keys = {0};
    struct str key = {0};

    things->begun_us = mem_alloc((fates->count + 1) * sizeof *things->begun_us);
    for (size_t i = 0; i < fates->count; i++) {
        struct fate *fate = &fates->items[i];
        uint32_t alone = 0, *known = &alone;
        bool fresh;
        if (fate->group.at) {
            str_clear(&key);
            str_addf(&key, "%u ", fate->source);
            str_add_span(&key, fate->group);
            known = map_put_copy(&groups, &keys, str_span(&key), &fresh);
        }
        if (!*known) {
            things->begun_us[things->count++] = fate->sent_us;
            *known = (uint32_t)things->count;
        }
        fate->thing = *known - 1;
        if (fate->sent_us < things->begun_us[fate->thing])
            things->begun_us[fate->thing] = fate->sent_us;
    }
    fates->thing_count = things->count;
    map_free(&groups);
    arena_free(&keys);
    str_free(&key);
}

static int newest_first(const void *a, const void *b, void *context)
{
    const int64_t *begun_us = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    if (begun_us[x] != begun_us[y])
        return begun_us[x] > begun_us[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* What is for all stands before who has answered it. */
static int in_order(const void *a, const void *b)
{
    const struct fate *x = a, *y = b;
    int order = x->thing < y->thing ? -1 : x->thing > y->thing;

    order = order ? order : span_is(y->to, "all") - span_is(x->to, "all");
    order = order ? order : span_cmp(x->team, y->team);
    return order ? order : span_cmp(x->to, y->to);
}

void fates_group(struct fates *fates)
{
    struct things things = {0};

    if (!fates->count)
        return;
    find_groups(fates);
    number_things(fates, &things);
    uint32_t *order = mem_alloc(things.count * sizeof *order);
    uint32_t *rank = mem_alloc(things.count * sizeof *rank);
    for (uint32_t i = 0; i < things.count; i++)
        order[i] = i;
    qsort_r(order, things.count, sizeof *order, newest_first, things.begun_us);
    for (uint32_t i = 0; i < things.count; i++)
        rank[order[i]] = i;
    for (size_t i = 0; i < fates->count; i++)
        fates->items[i].thing = rank[fates->items[i].thing];
    qsort(fates->items, fates->count, sizeof *fates->items, in_order);
    free(order);
    free(rank);
    free(things.begun_us);
}

static bool say_unknown(const struct fates *fates, struct span id, struct err *err)
{
    struct span *ids = mem_alloc((fates->count + 1) * sizeof *ids);
    struct str near = {0};

    for (size_t i = 0; i < fates->count; i++)
        ids[i] = fates->items[i].id;
    nearest_hint(&near, id, ids, fates->count);
    err_set(err, ERR_ABSENT, "nothing that you sent has the id \"%.*s\", whole or as its start%s",
            (int)id.len, id.at, str_c(&near));
    str_free(&near);
    free(ids);
    return false;
}

bool fates_find(const struct fates *fates, struct span id, uint32_t *thing, struct err *err)
{
    uint32_t exact = 0, start = 0;
    size_t exact_count = 0, start_count = 0;

    for (size_t i = 0; id.len && i < fates->count; i++) {
        const struct fate *fate = &fates->items[i];
        bool same = span_eq(fate->id, id) || (fate->group.at && span_eq(fate->group, id));
        if (same && (!exact_count || exact != fate->thing)) {
            exact = fate->thing;
            exact_count++;
        }
        if (span_starts(fate->id, id) && (!start_count || start != fate->thing)) {
            start = fate->thing;
            start_count++;
        }
    }
    *thing = exact_count ? exact : start;
    if (exact_count == 1 || (!exact_count && start_count == 1))
        return true;
    if (start_count)
        return err_set(err, ERR_REFUSED,
                       "\"%.*s\" is the id, or its start, of %zu things that you sent: give more "
                       "of it, or name the mailboxes with --source",
                       (int)id.len, id.at, exact_count ? exact_count : start_count);
    return say_unknown(fates, id, err);
}
