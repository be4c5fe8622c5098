/* Threads: union-find over ids, so that no shape of the graph needs recursion. */
#include "mail/thread/thread.h"

#include "base/map.h"
#include "base/mem.h"
#include "mail/thread/conversation.h"

#include <stdlib.h>

/* The order of a conversation: answers follow the messages they answer. */

#define NO_MESSAGE UINT32_MAX

enum { COMPARED = 8 }; /* up to this many are compared one by one; beyond, a map is quicker */

static struct span spoken_id(const struct message *message, struct span id)
{
    return message_spoken_id(id, message->place->short_replies);
}

/* True if `message` answers `other` or, without reply_to, is in a thread named after `other`. */
static bool stands_below(const struct message *message, const struct message *other)
{
    struct span above = message->reply_to.len ? message->reply_to : message->thread;

    return above.len && span_eq(spoken_id(message, above), spoken_id(other, other->id));
}

/* Like stands_below(), but also true if reply_to is set and the thread is named after `other`: the
 * answered message may be missing. */
static bool may_stand_below(const struct message *message, const struct message *other)
{
    return stands_below(message, other) ||
           (message->thread.len &&
            span_eq(spoken_id(message, message->thread), spoken_id(other, other->id)));
}

static bool may_refer(const struct message *message)
{
    return message->reply_to.len ||
           (message->thread.len &&
            !span_eq(spoken_id(message, message->thread), spoken_id(message, message->id)));
}

/* True if a message may precede one that it refers to. Nearly always a message answers the one
 * before it, or the first one, and no further search is needed. */
static bool may_be_disordered(const struct model *model, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++) {
        const struct message *message = model->messages[numbers[i]];
        if (!may_refer(message))
            continue;
        if (i && (stands_below(message, model->messages[numbers[i - 1]]) ||
                  stands_below(message, model->messages[numbers[0]])))
            continue;
        if (count - i > COMPARED)
            return true;
        for (size_t later = i + 1; later < count; later++)
            if (may_stand_below(message, model->messages[numbers[later]]))
                return true;
    }
    return false;
}

/* Returns for each message the index of the message it answers; NO_MESSAGE without one. The caller
 * frees the array. */
static uint32_t *find_order_parents(struct message *const *messages, size_t count)
{
    uint32_t *parents = mem_alloc((count + 1) * sizeof *parents);
    CLEANUP(map_free) struct map ids = {0};
    bool fresh;

    for (size_t i = 0; i < count; i++) {
        uint32_t *first = map_put(&ids, spoken_id(messages[i], messages[i]->id), &fresh);
        if (fresh)
            *first = (uint32_t)i;
    }
    for (size_t i = 0; i < count; i++) {
        const struct message *message = messages[i];
        const uint32_t *parent =
            message->reply_to.len ? map_get(&ids, spoken_id(message, message->reply_to)) : NULL;
        if (!parent && message->thread.len)
            parent = map_get(&ids, spoken_id(message, message->thread));
        parents[i] = parent && *parent != i ? *parent : NO_MESSAGE;
    }
    return parents;
}

/* A path of answers up from one message: each item answers the next one. */
struct walk {
    uint32_t *items;
    size_t count;
    size_t circle; /* index where the cycle at the end of the path begins; `count` without one */
};

static void put_down(uint32_t **order, const struct walk *walk, size_t from, size_t to)
{
    while (from-- > to)
        *(*order)++ = walk->items[from];
}

/* Appends the path from the top down. The top of a cycle is its earliest message. */
static void put_walk(uint32_t **order, const struct walk *walk)
{
    size_t top = walk->circle;

    for (size_t i = walk->circle; i < walk->count; i++)
        if (walk->items[i] < walk->items[top])
            top = i;
    if (top < walk->count)
        put_down(order, walk, top + 1, walk->circle);
    put_down(order, walk, walk->count, top < walk->count ? top + 1 : walk->count);
    put_down(order, walk, walk->circle, 0);
}

/* Fills `order`: each message in its turn, and right before it the messages above it that are not
 * placed yet. */
static void find_order(struct message *const *messages, size_t count, uint32_t *order)
{
    CLEANUP(mem_free) uint32_t *parents = find_order_parents(messages, count);
    /* For each message: 1 + the start of the walk that visited it; 0: none. */
    CLEANUP(mem_free) uint32_t *walks = mem_zero(count + 1, sizeof *walks);
    struct walk walk = {.items = mem_alloc((count + 1) * sizeof *walk.items)};

    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (walk.count = 0; at != NO_MESSAGE && !walks[at]; at = parents[at]) {
            walks[at] = i + 1;
            walk.items[walk.count++] = at;
        }
        walk.circle = walk.count;
        if (at != NO_MESSAGE && walks[at] == i + 1)
            for (walk.circle = 0; walk.items[walk.circle] != at;)
                walk.circle++;
        put_walk(&order, &walk);
    }
    free(walk.items);
}

/* Like thread_arrange_numbers(), but for pointers. */
static void thread_arrange(struct message **messages, size_t count)
{
    CLEANUP(mem_free) uint32_t *order = mem_alloc((count + 1) * sizeof *order);
    CLEANUP(mem_free) struct message **before = mem_alloc((count + 1) * sizeof(struct message *));

    memcpy(before, messages, count * sizeof(struct message *));
    find_order(before, count, order);
    for (size_t i = 0; i < count; i++)
        messages[i] = before[order[i]];
}

void thread_arrange_numbers(const struct model *model, uint32_t *numbers, size_t count)
{
    if (!may_be_disordered(model, numbers, count))
        return;
    CLEANUP(mem_free) uint32_t *order = mem_alloc(count * sizeof *order);
    CLEANUP(mem_free) uint32_t *before = mem_alloc(count * sizeof *before);
    CLEANUP(mem_free) struct message **messages = mem_alloc(count * sizeof(struct message *));
    memcpy(before, numbers, count * sizeof *before);
    for (size_t i = 0; i < count; i++)
        messages[i] = model->messages[numbers[i]];
    find_order(messages, count, order);
    for (size_t i = 0; i < count; i++)
        numbers[i] = before[order[i]];
}

/* Chains of answers: each is walked once, and every message on the way gets the name found at its
 * end. */

#define NO_PARENT UINT32_MAX

struct chains {
    const struct model *model;
    struct map ids; /* key: source and id; value: message */
    struct arena keys;
    struct str scratch;
    uint32_t *parent;   /* for each message: the one it answers, or NO_PARENT */
    uint32_t *walk;     /* for each message: 1 + start of the first walk that visited it; 0: none */
    struct span *names; /* names found so far */
};

static bool is_chained(const struct message *message)
{
    return message->place->chained && !message->damaged;
}

/* Borrowed until the next call. */
static struct span chain_key(struct chains *chains, const struct message *message, struct span id)
{
    str_clear(&chains->scratch);
    str_addf(&chains->scratch, "%u ", message->place->source);
    str_add_span(&chains->scratch, id);
    return str_span(&chains->scratch);
}

/* True if `a` precedes `b` as the message for an id that both have: the older one, then the one
 * that sorts first. The result must not depend on the order in which files were read. */
static bool stands_before(const struct message *a, const struct message *b)
{
    int order = message_cmp_time(a, b);

    order = order ? order : span_cmp(a->thread, b->thread);
    return (order ? order : span_cmp(a->reply_to, b->reply_to)) < 0;
}

static void collect_ids(struct chains *chains)
{
    const struct model *model = chains->model;

    for (uint32_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        bool fresh;
        if (!is_chained(message))
            continue;
        struct span key = chain_key(chains, message, message->id);
        uint32_t *known = map_put_copy(&chains->ids, &chains->keys, key, &fresh);
        if (fresh || stands_before(message, model->messages[*known]))
            *known = i;
    }
}

static void find_chain_parents(struct chains *chains)
{
    const struct model *model = chains->model;

    for (uint32_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        const uint32_t *parent = NULL;
        uint32_t meant;
        if (is_chained(message) && message->reply_to.len) {
            parent = map_get(&chains->ids, chain_key(chains, message, message->reply_to));
            if (parent && duplicate_ids_meant(&model->same, message, message->reply_to, &meant))
                parent = &meant;
        }
        chains->parent[i] = parent ? *parent : NO_PARENT;
    }
}

static struct span name_circle(const struct chains *chains, uint32_t start)
{
    const struct message *oldest = chains->model->messages[start];

    for (uint32_t at = chains->parent[start]; at != start; at = chains->parent[at])
        if (message_cmp_time(chains->model->messages[at], oldest) < 0)
            oldest = chains->model->messages[at];
    return oldest->id;
}

/* Returns the name at the end of the chain. Marks the messages on the way with the walk. */
static struct span find_name(struct chains *chains, uint32_t start)
{
    for (uint32_t at = start;; at = chains->parent[at]) {
        const struct message *message = chains->model->messages[at];
        if (chains->names[at].at)
            return chains->names[at];
        if (message->thread.len)
            return message->thread;
        if (chains->walk[at] == start + 1)
            return name_circle(chains, at);
        chains->walk[at] = start + 1;
        if (chains->parent[at] == NO_PARENT)
            return message->reply_to.len ? message->reply_to : message->id;
    }
}

static void name_chain(struct chains *chains, uint32_t start)
{
    struct span name = find_name(chains, start);

    for (uint32_t at = start;
         at != NO_PARENT && chains->walk[at] == start + 1 && !chains->names[at].at;
         at = chains->parent[at])
        chains->names[at] = name;
}

void chain_name_threads(struct model *model)
{
    struct chains chains = {.model = model};

    collect_ids(&chains);
    if (chains.ids.count) {
        chains.parent = mem_alloc(model->count * sizeof *chains.parent);
        chains.walk = mem_zero(model->count, sizeof *chains.walk);
        chains.names = mem_zero(model->count, sizeof *chains.names);
        find_chain_parents(&chains);
        for (uint32_t i = 0; i < model->count; i++)
            if (is_chained(model->messages[i]) && !model->messages[i]->thread.len)
                name_chain(&chains, i);
        /* Only now: find_name() must read only names that messages gave. */
        for (uint32_t i = 0; i < model->count; i++)
            if (chains.names[i].at)
                model->messages[i]->thread = chains.names[i];
    }
    map_free(&chains.ids);
    arena_free(&chains.keys);
    str_free(&chains.scratch);
    free(chains.parent);
    free(chains.walk);
    free(chains.names);
}

/* A tree: the answers in a conversation. */

enum { NO_NODE = UINT32_MAX };

/* The answers to a message are a linked list, oldest first. */
struct node {
    uint32_t parent, first, last, next;
};

static uint32_t find_parent(const struct map *ids, const struct conversations *conversations,
                            const struct conversation *conversation, uint32_t at)
{
    const struct message *message = conversation_message(conversations, conversation, at);
    struct span answered = spoken_id(message, message->reply_to);
    const uint32_t *found = answered.len ? map_get(ids, answered) : NULL;

    return found && *found < at ? *found : 0;
}

static void join_branches(struct node *nodes, uint32_t parent, uint32_t child)
{
    nodes[child].parent = parent;
    if (nodes[parent].last == NO_NODE)
        nodes[parent].first = child;
    else
        nodes[nodes[parent].last].next = child;
    nodes[parent].last = child;
}

static unsigned depth_of(const struct node *nodes, uint32_t at)
{
    unsigned depth = 0;

    for (; nodes[at].parent != NO_NODE && depth < TREE_DEPTH_MAX; at = nodes[at].parent)
        depth++;
    return depth;
}

static struct span branch_of(struct tree *tree, const struct node *nodes, uint32_t at)
{
    unsigned depth = depth_of(nodes, at);
    char *branch = arena_bytes(&tree->arena, 2 * (size_t)depth + 3);
    size_t end = 2 * (size_t)depth + 2;

    if (!depth)
        return (struct span){"", 0};
    memset(branch, ' ', end);
    memcpy(branch + end - 4, "+-> ", 4);
    uint32_t up = nodes[at].parent;
    for (unsigned i = depth - 1; i > 0 && nodes[up].parent != NO_NODE; i--, up = nodes[up].parent)
        if (nodes[up].next != NO_NODE)
            branch[2 * (i - 1)] = '|';
    return (struct span){branch, end};
}

void tree_build(struct tree *tree, const struct conversations *conversations,
                const struct conversation *conversation)
{
    CLEANUP(mem_free) struct node *nodes = mem_alloc((conversation->count + 1) * sizeof *nodes);
    CLEANUP(map_free) struct map ids = {0};
    bool fresh;

    tree_free(tree);
    tree->rows = mem_zero(conversation->count + 1, sizeof *tree->rows);
    for (uint32_t i = 0; i < conversation->count; i++) {
        nodes[i] = (struct node){NO_NODE, NO_NODE, NO_NODE, NO_NODE};
        const struct message *message = conversation_message(conversations, conversation, i);
        struct span id = spoken_id(message, message->id);
        uint32_t *known = map_put(&ids, id, &fresh);
        if (fresh)
            *known = i;
    }
    for (uint32_t i = 1; i < conversation->count; i++)
        join_branches(nodes, find_parent(&ids, conversations, conversation, i), i);
    for (uint32_t at = 0; conversation->count && at != NO_NODE;) {
        tree->rows[tree->count++] =
            (struct tree_row){.at = at, .branch = branch_of(tree, nodes, at)};
        if (nodes[at].first != NO_NODE) {
            at = nodes[at].first;
            continue;
        }
        while (at != NO_NODE && nodes[at].next == NO_NODE)
            at = nodes[at].parent;
        if (at != NO_NODE)
            at = nodes[at].next;
    }
}

void tree_free(struct tree *tree)
{
    free(tree->rows);
    arena_free(&tree->arena);
    *tree = (struct tree){0};
}

enum { IDS_MOST = 3, JOIN_AT_ONCE = 32 };

struct thread_sets {
    const struct model *model;
    uint32_t *node;      /* of each message */
    struct map ids;      /* ids of messages, and thread ids and reply_to ids without a message */
    struct map subjects; /* agents and subject; see conversation_key() */
    uint32_t *parent;
    size_t count, cap;
    struct arena keys;
    struct map realms; /* key: source and team; value: its number */
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

static void join_sets(struct thread_sets *sets, uint32_t a, uint32_t b)
{
    a = root_of(sets, a);
    b = root_of(sets, b);
    /* The older node becomes the root. There are no ranks, but path halving alone keeps a step at
     * O(log n) amortized, in any order. */
    if (a < b)
        sets->parent[b] = a;
    else
        sets->parent[a] = b;
}

static uint32_t new_node(struct thread_sets *sets)
{
    uint32_t node = (uint32_t)sets->count;

    *mem_push(sets->parent, sets->count, sets->cap) = node;
    return node;
}

/* Returns the number of the message's source and team: each has ids of its own. */
static uint32_t realm_of(struct thread_sets *sets, const struct place *place)
{
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    if (sets->last == place)
        return sets->last_realm;
    str_add(&key, (const char *)&place->source, sizeof place->source);
    str_add_span(&key, place->team);
    uint32_t next = (uint32_t)sets->realms.count;
    uint32_t *realm = map_put_copy(&sets->realms, &sets->keys, str_span(&key), &fresh);
    if (fresh)
        *realm = next;
    sets->last = place;
    return sets->last_realm = *realm;
}

/* If there is only one realm, the id itself is the key. */
static struct span thread_key(struct thread_sets *sets, const struct place *place, struct span id)
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
        i = SIZE_MAX; /* start again: prefixes may be repeated */
    }
    return subject;
}

/* Returns a key for two agents and a subject, for messages without fields that link them; absent if
 * the message is in another sort of thread. */
static struct span conversation_key(struct thread_sets *sets, const struct message *message,
                                    bool *answer)
{
    const struct place *place = message->place;
    CLEANUP(str_free) struct str key = {0};

    *answer = false;
    if (!place->by_subject || message->thread.len || message->damaged)
        return (struct span){0};
    bool swap = span_cmp(message->from, message->to) > 0;
    struct span subject = thread_subject(message->subject, answer);
    const struct span parts[] = {swap ? message->to : message->from,
                                 swap ? message->from : message->to, subject};
    if (!subject.len)
        return (struct span){0};
    return arena_copy(&sets->keys,
                      map_key(&key, realm_of(sets, place), parts, sizeof parts / sizeof *parts));
}

/* First call with `answers`: joins answers that have the same key. Second call: adds the other
 * messages to these sets. Equal subjects without an answer join nothing. */
static void join_conversations(struct thread_sets *sets, bool answers)
{
    for (size_t i = 0; i < sets->model->count; i++) {
        bool answer, fresh;
        struct span key = conversation_key(sets, sets->model->messages[i], &answer);
        if (!key.at || answer != answers)
            continue;
        uint32_t *conversation =
            answers ? map_put(&sets->subjects, key, &fresh) : map_get(&sets->subjects, key);
        if (answers && fresh)
            *conversation = new_node(sets);
        if (conversation)
            join_sets(sets, sets->node[i], *conversation);
    }
}

/* Stores the keys of the ids that a message has: its own, its thread and its reply_to. Returns
 * their number. */
static size_t add_spoken(struct thread_sets *sets, const struct message *message, struct span *keys)
{
    const struct place *place = message->place;
    const struct same_ids *same = &sets->model->same;
    struct span ids[] = {spoken_id(message, message->id), message->thread,
                         spoken_id(message, message->reply_to)};
    size_t count = 0;

    if (same->count) {
        ids[0] = duplicate_ids_own_key(same, message, &sets->keys);
        ids[2] = duplicate_ids_key(same, message, message->reply_to, &sets->keys);
        /* a thread id that is a duplicate id is less precise than reply_to */
        if (duplicate_ids_meant(same, message, message->thread, NULL))
            ids[1] = message->reply_to.len || span_eq(message->thread, message->id)
                         ? (struct span){0}
                         : duplicate_ids_key(same, message, message->thread, &sets->keys);
    }
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (ids[i].len)
            keys[count++] = thread_key(sets, place, ids[i]);
    return count;
}

static uint32_t node_of(struct thread_sets *sets, uint32_t entry)
{
    uint32_t *node = &sets->ids.entries[entry].value; /* 1 + number of the node; 0: none yet */

    if (!*node)
        *node = new_node(sets) + 1;
    return *node - 1;
}

/* Joins, for each of some messages, the ids that it has. */
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
            join_sets(sets, sets->node[i], node_of(sets, mine[j]));
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

static void join_plans(struct thread_sets *sets, const struct requests *asks)
{
    for (size_t i = 0; asks && i < asks->count; i++) {
        const struct request *ask = &asks->items[i];
        if (ask->supersedes != REQUEST_NONE)
            join_sets(sets, sets->node[ask->message],
                      sets->node[asks->items[ask->supersedes].message]);
    }
}

struct thread_sets *thread_sets_new(const struct model *model)
{
    struct thread_sets *sets = mem_zero(1, sizeof *sets);

    sets->model = model;
    sets->node = mem_zero(model->count, sizeof *sets->node);
    join_ids(sets);
    join_conversations(sets, true);
    join_conversations(sets, false);
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

void threads_number(struct threads *threads, struct thread_sets *sets, const struct requests *asks)
{
    CLEANUP(mem_free) uint32_t *number = mem_alloc((sets->count + 1) * sizeof *number);
    uint32_t *node = sets->node;

    join_plans(sets, asks);
    memset(number, 0xff, (sets->count + 1) * sizeof *number);
    *threads = (struct threads){.of = node};
    for (size_t i = 0; i < sets->model->count; i++) {
        uint32_t root = root_of(sets, node[i]);
        if (number[root] == UINT32_MAX)
            number[root] = (uint32_t)threads->count++;
        node[i] = number[root];
    }
    free_sets(sets);
}

void threads_build(struct threads *threads, const struct model *model, const struct requests *asks)
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

/* Sets *index to the number of the message in the model, found by its own id or as a thread id. */
static bool find_start(const struct model *model, struct span id, size_t *index, struct err *err)
{
    const struct message *message = model_find(model, id, err);

    if (!message && is_shared(model, id)) /* a thread may have this name, but the id is ambiguous */
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
    struct requests asks;
    size_t start;

    *count = 0;
    if (!find_start(model, id, &start, err))
        return NULL;
    struct message **messages = mem_zero(model->count, sizeof *messages);
    requests_build(&asks, model, now_us);
    threads_build(&threads, model, &asks);
    for (size_t i = 0; i < model->count; i++)
        if (threads.of[i] == threads.of[start])
            messages[(*count)++] = model->messages[i];
    model_sort(messages, *count, message_cmp_time);
    thread_arrange(messages, *count);
    threads_free(&threads);
    requests_free(&asks);
    return messages;
}
