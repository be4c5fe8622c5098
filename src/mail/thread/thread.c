/* Threads: union-find over ids, so that no shape of the graph needs recursion. */
#include "mail/thread/thread.h"

#include "base/mem.h"

#include <stdlib.h>

enum { IDS_MOST = 3, JOIN_AT_ONCE = 32 };

struct thread_sets {
    const struct model *model;
    uint32_t *node;      /* of each message */
    struct map ids;      /* of messages, and of threads and parents that are only spoken of */
    struct map subjects; /* of two agents, where no field says what belongs together */
    uint32_t *parent;
    size_t count, cap;
    struct arena keys;
    struct map realms; /* of a source and a team: its number */
    const struct place *last;
    uint32_t last_realm;
    bool several_realms;
};

static uint32_t root_of(struct thread_sets *sets, uint32_t node)
{
    while (sets->parent[node] != node) {
        sets->parent[node] = sets->parent[sets->parent[node]];
        node = sets->parent[node];
    }
    return node;
}

static void join(struct thread_sets *sets, uint32_t a, uint32_t b)
{
    a = root_of(sets, a);
    b = root_of(sets, b);
    /* The older node becomes the root: without ranks, but halving alone keeps a step at O(log n) on
     * average, whatever the order. */
    if (a < b)
        sets->parent[b] = a;
    else
        sets->parent[a] = b;
}

static uint32_t new_node(struct thread_sets *sets)
{
    sets->parent = mem_grow(sets->parent, &sets->cap, sets->count + 1, sizeof *sets->parent);
    sets->parent[sets->count] = (uint32_t)sets->count;
    return (uint32_t)sets->count++;
}

/* Sources, and teams in them, have ids of their own: the number of the one a message lies in. */
static uint32_t realm_of(struct thread_sets *sets, const struct place *place)
{
    struct str key = {0};
    bool fresh;

    if (sets->last == place)
        return sets->last_realm;
    str_add(&key, (const char *)&place->source, sizeof place->source);
    str_add_span(&key, place->team);
    uint32_t next = (uint32_t)sets->realms.count;
    uint32_t *realm = map_put_copy(&sets->realms, &sets->keys, str_span(&key), &fresh);
    if (fresh)
        *realm = next;
    str_free(&key);
    sets->last = place;
    return sets->last_realm = *realm;
}

/* Where there is only one realm the id itself is the key. */
static struct span key_of(struct thread_sets *sets, const struct place *place, struct span id)
{
    if (!sets->several_realms)
        return id;
    uint32_t realm = realm_of(sets, place);
    char *key = arena_bytes(&sets->keys, id.len + sizeof realm);
    memcpy(key, &realm, sizeof realm);
    if (id.len)
        memcpy(key + sizeof realm, id.at, id.len);
    return (struct span){key, id.len + sizeof realm};
}

struct span thread_subject(struct span subject, bool *answer)
{
    static const char *const starts[] = {"Re: ", "[URGENT] ", "[HIGH] "};

    *answer = false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        struct span start = span_of(starts[i]);
        if (!span_starts(subject, start))
            continue;
        *answer |= i == 0;
        subject.at += start.len;
        subject.len -= start.len;
        i = SIZE_MAX; /* from the first again: they stack up */
    }
    return subject;
}

/* Two agents talking about one thing, where no field says so; absent when the message belongs to
 * another kind of thread. */
static struct span talk_key(struct thread_sets *sets, const struct message *message, bool *answer)
{
    const struct place *place = message->place;
    struct str key = {0};

    *answer = false;
    if (!place->by_subject || message->thread.len || message->damaged)
        return (struct span){0};
    bool swap = span_cmp(message->from, message->to) > 0;
    struct span subject = thread_subject(message->subject, answer);
    const struct span parts[] = {swap ? message->to : message->from,
                                 swap ? message->from : message->to, subject};
    if (!subject.len)
        return (struct span){0};
    struct span kept = arena_copy(
        &sets->keys, map_key(&key, realm_of(sets, place), parts, sizeof parts / sizeof *parts));
    str_free(&key);
    return kept;
}

/* An answer joins what it may answer; without one, equal subjects are only that. */
static void join_talks(struct thread_sets *sets, bool answers)
{
    for (size_t i = 0; i < sets->model->count; i++) {
        bool answer, fresh;
        struct span key = talk_key(sets, sets->model->messages[i], &answer);
        if (!key.at || answer != answers)
            continue;
        uint32_t *talk =
            answers ? map_put(&sets->subjects, key, &fresh) : map_get(&sets->subjects, key);
        if (answers && fresh)
            *talk = new_node(sets);
        if (talk)
            join(sets, sets->node[i], *talk);
    }
}

/* The ids that a message speaks of: its own, of its thread, of what it answers. */
static size_t add_spoken(struct thread_sets *sets, const struct message *message, struct span *keys)
{
    const struct place *place = message->place;
    const struct same_ids *same = &sets->model->same;
    struct span ids[] = {message_spoken_id(message->id, place->short_replies), message->thread,
                         message_spoken_id(message->reply_to, place->short_replies)};
    size_t count = 0;

    if (same->count) {
        ids[0] = same_ids_own_key(same, message, &sets->keys);
        ids[2] = same_ids_key(same, message, message->reply_to, &sets->keys);
        /* a thread that is called after one of several messages says less than an answer */
        if (same_ids_meant(same, message, message->thread, NULL))
            ids[1] = message->reply_to.len || span_eq(message->thread, message->id)
                         ? (struct span){0}
                         : same_ids_key(same, message, message->thread, &sets->keys);
    }
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (ids[i].len)
            keys[count++] = key_of(sets, place, ids[i]);
    return count;
}

static uint32_t node_of(struct thread_sets *sets, uint32_t entry)
{
    uint32_t *node = &sets->ids.entries[entry].value; /* 1 + its number */

    if (!*node)
        *node = new_node(sets) + 1;
    return *node - 1;
}

/* Joins all ids that each of some messages speaks of. */
static void join_some(struct thread_sets *sets, size_t first, size_t end)
{
    struct span keys[JOIN_AT_ONCE * IDS_MOST] = {0};
    uint32_t entries[JOIN_AT_ONCE * IDS_MOST];
    size_t counts[JOIN_AT_ONCE] = {0}, count = 0;

    for (size_t i = first; i < end; i++) {
        counts[i - first] = add_spoken(sets, sets->model->messages[i], keys + count);
        count += counts[i - first];
    }
    map_put_many(&sets->ids, keys, count, entries);
    count = 0;
    for (size_t i = first; i < end; i++) {
        const uint32_t *mine = entries + count;
        sets->node[i] = counts[i - first] ? node_of(sets, mine[0]) : new_node(sets);
        for (size_t j = 1; j < counts[i - first]; j++)
            join(sets, sets->node[i], node_of(sets, mine[j]));
        count += counts[i - first];
    }
}

static void join_ids(struct thread_sets *sets)
{
    size_t count = sets->model->count;

    map_reserve(&sets->ids, count + count / 4);
    for (size_t i = 0; i < count; i++)
        realm_of(sets, sets->model->messages[i]->place);
    sets->several_realms = sets->realms.count > 1;
    for (size_t i = 0; i < count; i += JOIN_AT_ONCE)
        join_some(sets, i, i + JOIN_AT_ONCE < count ? i + JOIN_AT_ONCE : count);
}

static void join_plans(struct thread_sets *sets, const struct asks *asks)
{
    for (size_t i = 0; asks && i < asks->count; i++) {
        const struct ask *ask = &asks->items[i];
        if (ask->supersedes != ASK_NONE)
            join(sets, sets->node[ask->message], sets->node[asks->items[ask->supersedes].message]);
    }
}

struct thread_sets *thread_sets_new(const struct model *model)
{
    struct thread_sets *sets = mem_zero(1, sizeof *sets);

    sets->model = model;
    sets->node = mem_zero(model->count, sizeof *sets->node);
    join_ids(sets);
    join_talks(sets, true);
    join_talks(sets, false);
    return sets;
}

static void free_sets(struct thread_sets *sets)
{
    free(sets->parent);
    map_free(&sets->realms);
    map_free(&sets->subjects);
    map_free(&sets->ids);
    arena_free(&sets->keys);
    free(sets);
}

void threads_number(struct threads *threads, struct thread_sets *sets, const struct asks *asks)
{
    uint32_t *number, *node = sets->node;

    join_plans(sets, asks);
    number = mem_alloc((sets->count + 1) * sizeof *number);
    memset(number, 0xff, (sets->count + 1) * sizeof *number);
    *threads = (struct threads){.of = node};
    for (size_t i = 0; i < sets->model->count; i++) {
        uint32_t root = root_of(sets, node[i]);
        if (number[root] == UINT32_MAX)
            number[root] = (uint32_t)threads->count++;
        node[i] = number[root];
    }
    free(number);
    free_sets(sets);
}

void threads_build(struct threads *threads, const struct model *model, const struct asks *asks)
{
    threads_number(threads, thread_sets_new(model), asks);
}

void threads_free(struct threads *threads)
{
    free(threads->of);
    *threads = (struct threads){0};
}

static bool is_shared(const struct model *model, struct span id)
{
    const struct message *first = NULL;

    for (size_t i = 0; model->same.count && i < model->count; i++) {
        const struct message *message = model->messages[i];
        if (message->damaged || !span_eq(message->id, id))
            continue;
        if (first && first->content != message->content)
            return true;
        first = message;
    }
    return false;
}

/* The number of a message in the model, by its own id or by the thread id it carries. */
static bool find_start(const struct model *model, struct span id, size_t *index, struct err *err)
{
    const struct message *message = model_find(model, id, err);

    if (!message && is_shared(model, id)) /* a thread may be called like that: which one? */
        return false;
    for (size_t i = 0; i < model->count; i++) {
        const struct message *here = model->messages[i];
        if (message ? here == message : span_eq(here->thread, id) || span_eq(here->reply_to, id)) {
            *index = i;
            return true;
        }
    }
    return false;
}

struct message **thread_find(const struct model *model, struct span id, int64_t now_us,
                             size_t *count, struct err *err)
{
    struct threads threads;
    struct asks asks;
    size_t start;

    *count = 0;
    if (!find_start(model, id, &start, err))
        return NULL;
    struct message **messages = mem_zero(model->count, sizeof *messages);
    asks_build(&asks, model, now_us);
    threads_build(&threads, model, &asks);
    for (size_t i = 0; i < model->count; i++)
        if (threads.of[i] == threads.of[start])
            messages[(*count)++] = model->messages[i];
    model_sort(messages, *count, message_cmp_time);
    thread_arrange(messages, *count);
    threads_free(&threads);
    asks_free(&asks);
    return messages;
}
