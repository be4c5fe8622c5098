/* The model: adding batches, removing duplicate copies, sorting and finding messages. */
#include "mail/message/model.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text/suggest.h"
#include "mail/thread/thread.h"

#include <stdlib.h>

/* Duplicate ids: the first pass finds them, the second one collects the messages that have them. */

struct same_id {
    const struct message *message;
    uint32_t group, number;
};

static void duplicate_ids_free(struct same_ids *same)
{
    free(same->by_sender);
    free(same->by_time);
    map_free(&same->groups);
    arena_free(&same->keys);
    *same = (struct same_ids){0};
}

static struct span spoken_id(const struct message *message, struct span id)
{
    return message_spoken_id(id, message->place->short_replies);
}

/* Borrowed from `scratch`. */
static struct span group_key(struct str *scratch, const struct message *message, struct span id)
{
    const struct span parts[] = {message->place->team, id};

    return map_key(scratch, message->place->source, parts, sizeof parts / sizeof *parts);
}

struct sought_copy {
    struct message *const *messages;
    const struct message *message;
};

static bool has_same_id(const void *context, uint32_t number)
{
    const struct sought_copy *sought_copy = context;
    const struct message *a = sought_copy->message, *b = sought_copy->messages[number];

    return span_eq(a->id, b->id) &&
           (a->place == b->place ||
            (a->place->source == b->place->source && span_eq(a->place->team, b->place->team)));
}

/* If answers repeat only the start of an id, nothing says which message they mean. */
static bool may_share(const struct message *message)
{
    return !message->damaged && !message->place->short_replies;
}

/* State of the pass over the ids; each hash includes the source and the team. */
struct pass {
    struct same_ids *same;
    struct sought_copy sought_copy;
    struct hash_index firsts;
    const struct place *last;
    uint64_t seed, realm;
};

static uint32_t hash_id(struct pass *pass, const struct message *message)
{
    const struct place *place = message->place;

    if (place != pass->last)
        pass->realm = map_hash_wide(place->team, pass->seed + place->source);
    pass->last = place;
    return map_hash(message->id, pass->realm);
}

static void note_id(struct pass *pass, uint32_t number, uint32_t hash)
{
    const struct message *message = pass->sought_copy.messages[number];
    struct same_ids *same = pass->same;
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    pass->sought_copy.message = message;
    const uint32_t *first = hash_index_find(&pass->firsts, hash, has_same_id, &pass->sought_copy);
    if (!first) {
        hash_index_add(&pass->firsts, hash, number);
    } else if (pass->sought_copy.messages[*first]->content != message->content) {
        uint32_t next = (uint32_t)same->groups.count;
        uint32_t *group =
            map_put_copy(&same->groups, &same->keys, group_key(&key, message, message->id), &fresh);
        if (fresh)
            *group = next;
    }
}

/* Works in batches, so that the prefetched index slots of a batch are loaded at the same time. */
static void find_groups(struct same_ids *same, struct message *const *messages, size_t count)
{
    enum { AT_ONCE = 32 };
    struct pass pass = {.same = same, .sought_copy.messages = messages, .seed = map_seed()};
    uint32_t hashes[AT_ONCE]; /* 0: none */

    hash_index_reserve(&pass.firsts, count);
    for (size_t first = 0; first < count; first += AT_ONCE) {
        size_t some = count - first < AT_ONCE ? count - first : AT_ONCE;
        for (size_t i = 0; i < some; i++) {
            const struct message *message = messages[first + i];
            hashes[i] = may_share(message) ? hash_id(&pass, message) : 0;
            hash_index_expect(&pass.firsts, hashes[i]);
        }
        for (size_t i = 0; i < some; i++)
            if (hashes[i])
                note_id(&pass, (uint32_t)(first + i), hashes[i]);
    }
    hash_index_free(&pass.firsts);
}

static const uint32_t *find_group(const struct same_ids *same, const struct message *message,
                                  struct span id)
{
    CLEANUP(str_free) struct str key = {0};

    if (!same->groups.count || !id.len || message->place->short_replies)
        return NULL;
    return map_get(&same->groups, group_key(&key, message, id));
}

static int compare_positions(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int by_time(const void *a, const void *b)
{
    const struct same_id *x = a, *y = b;
    int order = compare_positions(x->group, y->group);

    order = order ? order : message_cmp_time(x->message, y->message);
    order = order ? order : compare_positions(x->message->content, y->message->content);
    return order ? order : message_cmp_place(x->message, y->message);
}

static int by_sender(const void *a, const void *b)
{
    const struct same_id *x = a, *y = b;
    int order = compare_positions(x->group, y->group);

    order = order ? order : span_cmp(x->message->from, y->message->from);
    return order ? order : by_time(a, b);
}

/* Finds the ids that several readable messages of one source and team have with different content.
 * Skips places where answers repeat only the start of an id. Linear time for any ids. */
static void duplicate_ids_find(struct same_ids *same, struct message *const *messages, size_t count)
{
    size_t cap = 0;

    duplicate_ids_free(same);
    find_groups(same, messages, count);
    for (uint32_t i = 0; same->groups.count && i < count; i++) {
        const uint32_t *group =
            may_share(messages[i]) ? find_group(same, messages[i], messages[i]->id) : NULL;
        if (group)
            *mem_push(same->by_time, same->count, cap) = (struct same_id){messages[i], *group, i};
    }
    if (!same->count)
        return;
    same->by_sender = mem_alloc(same->count * sizeof *same->by_sender);
    memcpy(same->by_sender, same->by_time, same->count * sizeof *same->by_time);
    qsort(same->by_time, same->count, sizeof *same->by_time, by_time);
    qsort(same->by_sender, same->count, sizeof *same->by_sender, by_sender);
}

/* Returns the index of the first item that does not sort before `sought_copy`. */
static size_t lower_bound(const struct same_id *items, size_t count,
                          const struct same_id *sought_copy,
                          int (*compare)(const void *, const void *))
{
    size_t low = 0;

    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (compare(&items[middle], sought_copy) < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

static bool is_speaker(const struct message *message, const struct message *speaker)
{
    return message->content == speaker->content && span_eq(message->id, speaker->id);
}

/* Returns the last message that is not later than `speaker`, else the first one. Copies of one
 * message are adjacent in the order, and so are those of `speaker`: skipping them is quick unless
 * many agents got the same message. */
static const struct same_id *choose_meant(const struct same_id *items, size_t count,
                                          const struct message *speaker, uint32_t group,
                                          const struct span *sender)
{
    struct message then = *speaker;
    const struct same_id sought_copy = {&then, group, 0};
    int (*compare)(const void *, const void *) = sender ? by_sender : by_time;

    if (sender)
        then.from = *sender;
    size_t at = lower_bound(items, count, &sought_copy, compare);
    for (int after = 0; after < 2; after++)
        for (size_t i = at; after ? i < count : i > 0; i += after ? 1 : (size_t)-1) {
            const struct same_id *item = &items[after ? i : i - 1];
            if (item->group != group || (sender && !span_eq(item->message->from, *sender)))
                break;
            if (!is_speaker(item->message, speaker))
                return item;
        }
    return NULL;
}

const struct message *duplicate_ids_meant(const struct same_ids *same,
                                          const struct message *speaker, struct span id,
                                          uint32_t *number)
{
    const uint32_t *group = find_group(same, speaker, id);
    const struct same_id *found = NULL;

    if (!group)
        return NULL;
    const struct span senders[] = {message_recipient(speaker), speaker->from};
    for (size_t i = 0; !found && i < sizeof senders / sizeof *senders; i++)
        found = choose_meant(same->by_sender, same->count, speaker, *group, &senders[i]);
    if (!found)
        found = choose_meant(same->by_time, same->count, speaker, *group, NULL);
    if (found && number)
        *number = found->number;
    return found ? found->message : NULL;
}

static struct span message_key_of(const struct message *message, struct arena *arena)
{
    struct span id = message->id;
    char *key = arena_bytes(arena, id.len + sizeof message->content);

    memcpy(key, id.at, id.len);
    memcpy(key + id.len, &message->content, sizeof message->content);
    return (struct span){key, id.len + sizeof message->content};
}

struct span duplicate_ids_own_key(const struct same_ids *same, const struct message *message,
                                  struct arena *arena)
{
    return may_share(message) && find_group(same, message, message->id)
               ? message_key_of(message, arena)
               : spoken_id(message, message->id);
}

struct span duplicate_ids_key(const struct same_ids *same, const struct message *speaker,
                              struct span id, struct arena *arena)
{
    const struct message *meant = duplicate_ids_meant(same, speaker, id, NULL);

    return meant ? message_key_of(meant, arena) : spoken_id(speaker, id);
}

/* Sorting messages.
 *
 * With many messages, loading each message is most of the cost of sorting. Rank and time nearly
 * always decide, so they are copied next to the message's number and radix-sorted. */

struct sort_key {
    uint8_t bytes[9]; /* rank and time, big-endian: memcmp() orders them correctly */
    uint32_t number;  /* index in the array that is sorted */
};

enum { SORT_BYTES = sizeof((struct sort_key){0}).bytes, SORT_FEW = 64 };

static struct sort_key key_of(const struct message *message, uint32_t number, bool by_urgency)
{
    struct sort_key key = {.number = number};
    uint64_t time = (uint64_t)message->created_us ^ UINT64_C(1) << 63; /* the least comes first */

    key.bytes[0] = by_urgency ? (uint8_t)(UINT8_MAX - message->priority) : 0;
    time = htobe64(time);
    memcpy(key.bytes + 1, &time, sizeof time);
    return key;
}

/* Radix sort, the last byte first. Skips a byte that is the same in all keys. Returns the array
 * that has the sorted keys: `keys` or `spare`. */
static struct sort_key *sort_keys(struct sort_key *keys, struct sort_key *spare, size_t count)
{
    for (size_t byte = SORT_BYTES; byte--;) {
        size_t starts[UINT8_MAX + 1] = {0}, next = 0;
        for (size_t i = 0; i < count; i++)
            starts[keys[i].bytes[byte]]++;
        if (starts[keys[0].bytes[byte]] == count)
            continue;
        for (size_t value = 0; value <= UINT8_MAX; value++) {
            size_t many = starts[value];
            starts[value] = next;
            next += many;
        }
        for (size_t i = 0; i < count; i++)
            spare[starts[keys[i].bytes[byte]]++] = keys[i];
        struct sort_key *sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}

static bool is_same_key(const struct sort_key *a, const struct sort_key *b)
{
    return memcmp(a->bytes, b->bytes, SORT_BYTES) == 0;
}

/* --- pointers --- */

struct sort_order {
    int (*compare)(const struct message *, const struct message *);
};

static int compare_pointers(const void *a, const void *b, void *order)
{
    return ((struct sort_order *)order)
        ->compare(*(struct message *const *)a, *(struct message *const *)b);
}

static void sort_many(struct message **messages, size_t count, struct sort_order *order)
{
    CLEANUP(mem_free) struct sort_key *room = mem_alloc(2 * count * sizeof *room);
    CLEANUP(mem_free) struct message **before = mem_alloc(count * sizeof *before);

    memcpy(before, messages, count * sizeof *before);
    for (size_t i = 0; i < count; i++)
        room[i] = key_of(messages[i], (uint32_t)i, order->compare == message_cmp_urgency);
    const struct sort_key *keys = sort_keys(room, room + count, count);
    for (size_t i = 0, end; i < count; i = end) { /* only messages with equal keys are compared */
        for (end = i; end < count && is_same_key(&keys[end], &keys[i]); end++)
            messages[end] = before[keys[end].number];
        if (end - i > 1)
            qsort_r(messages + i, end - i, sizeof *messages, compare_pointers, order);
    }
}

void model_sort(struct message **messages, size_t count,
                int (*compare)(const struct message *, const struct message *))
{
    struct sort_order order = {compare};

    if (count > SORT_FEW && (compare == message_cmp_urgency || compare == message_cmp_time))
        sort_many(messages, count, &order);
    else if (count)
        qsort_r(messages, count, sizeof *messages, compare_pointers, &order);
}

/* --- numbers --- */

static int compare_numbers(const void *a, const void *b, void *context)
{
    const struct model *const *model = context;
    const struct message *x = (*model)->messages[*(const uint32_t *)a];
    const struct message *y = (*model)->messages[*(const uint32_t *)b];
    int order = message_cmp_time(x, y);

    return order ? order : message_cmp_place(x, y);
}

/* Insertion sort: the numbers are nearly always in order. */
static void sort_few_numbers(const struct model *model, uint32_t *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint32_t number = numbers[i];
        size_t at = i;
        for (; at && compare_numbers(&numbers[at - 1], &number, &model) > 0; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

static void sort_many_numbers(const struct model *model, uint32_t *numbers, size_t count)
{
    CLEANUP(mem_free) struct sort_key *room = mem_alloc(2 * count * sizeof *room);

    for (size_t i = 0; i < count; i++)
        room[i] = key_of(model->messages[numbers[i]], numbers[i], false);
    const struct sort_key *keys = sort_keys(room, room + count, count);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && is_same_key(&keys[end], &keys[i]); end++)
            numbers[end] = keys[end].number;
        if (end - i > 1)
            qsort_r(numbers + i, end - i, sizeof *numbers, compare_numbers, &model);
    }
}

void model_sort_numbers(const struct model *model, uint32_t *numbers, size_t count)
{
    enum { FEW = 16 };

    if (count > FEW)
        sort_many_numbers(model, numbers, count);
    else
        sort_few_numbers(model, numbers, count);
}

/* Removing duplicate copies, and naming threads.
 *
 * The result does not depend on the order in which directories are listed. */

/* Numbers for the boxes of the model: a box's number and an id make a short key. */
struct box_numbers {
    struct map boxes;
    struct arena arena;
    const struct place *last;
    uint32_t last_number;
};

static uint32_t box_number(struct box_numbers *numbers, const struct place *place)
{
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    if (numbers->last == place)
        return numbers->last_number;
    const struct span parts[] = {place->team, place->box};
    uint32_t next = (uint32_t)numbers->boxes.count;
    uint32_t *number = map_put_copy(&numbers->boxes, &numbers->arena,
                                    map_key(&key, place->source, parts, 2), &fresh);
    if (fresh)
        *number = next;
    numbers->last = place;
    numbers->last_number = *number;
    return *number;
}

/* Inboxes before archives, then by place. */
static int cmp_place(const struct message *a, const struct message *b)
{
    int order = a->place->archived - b->place->archived;

    order = order ? order : a->place->local - b->place->local;
    return order ? order : message_cmp_place(a, b);
}

/* The content distinguishes copies from other messages with the same id. */
static int cmp_content(const struct message *a, const struct message *b)
{
    if (a->content != b->content)
        return a->content < b->content ? -1 : 1;
    return cmp_place(a, b);
}

size_t model_settle_copies(struct message **copies, size_t count)
{
    size_t kept = 0, gave_way = 0, first_kept = 0;
    uint32_t content = 0;
    struct message *inbox = NULL;

    model_sort(copies, count, cmp_content);
    CLEANUP(mem_free) struct message **given = mem_alloc((count + 1) * sizeof *given);
    for (size_t i = 0; i < count; i++) {
        struct message *copy = copies[i];
        if (!i || copy->content != content) {
            inbox = copy->place->archived ? NULL : copy;
            first_kept = kept;
        }
        content = copy->content;
        if (!inbox || !copy->place->archived) {
            copies[kept++] = copy;
            continue;
        }
        /* A copy that we keep does not hide a message that is still in the mailbox. */
        bool newer = !copy->place->local && copy->status > inbox->status;
        copy->flags |= MESSAGE_IN_BOTH;
        inbox->flags |= MESSAGE_IN_BOTH;
        given[gave_way++] = newer ? inbox : copy;
        if (newer) {
            copies[first_kept] = copy;
            inbox = NULL; /* both are archived now; a further copy is a message of its own */
        }
    }
    if (gave_way)
        memcpy(copies + kept, given, gave_way * sizeof *given);
    return kept;
}

struct sought {
    const struct model *model;
    struct box_numbers *numbers;
    const struct message *message;
    uint32_t box;
};

static bool is_copy(const void *context, uint32_t other)
{
    const struct sought *sought = context;
    const struct message *message = sought->model->messages[other];

    return span_eq(message->id, sought->message->id) &&
           box_number(sought->numbers, message->place) == sought->box;
}

/* Returns the copies of each message, as lists for model_settle_known(); NULL if all ids are
 * unique. The caller frees it. */
static uint32_t *find_copies(const struct model *model)
{
    struct box_numbers numbers = {0};
    struct sought sought = {.model = model, .numbers = &numbers};
    CLEANUP(hash_index_free) struct hash_index lasts = {0}; /* by box and id: the last message */
    uint64_t seed = map_seed();
    uint32_t *before = NULL;

    hash_index_reserve(&lasts, model->count);
    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        if (message->damaged)
            continue;
        sought.message = message;
        sought.box = box_number(&numbers, message->place);
        uint32_t hash = map_hash(message->id, seed + sought.box * UINT64_C(0x9e3779b97f4a7c15));
        uint32_t *last = hash_index_find(&lasts, hash, is_copy, &sought);
        if (!last) {
            hash_index_add(&lasts, hash, (uint32_t)i);
            continue;
        }
        if (!before)
            before = mem_zero(model->count, sizeof *before);
        before[i] = *last + 1;
        *last = (uint32_t)i;
    }
    map_free(&numbers.boxes);
    arena_free(&numbers.arena);
    return before;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Settles the list that starts with that message, and stores the remaining messages at the
 * positions that the list had. */
static void settle_list(struct model *model, const uint32_t *before, uint32_t first)
{
    size_t count = 0, found = 0;

    for (uint32_t at = first + 1; at; at = before[at - 1])
        count++;
    CLEANUP(mem_free) uint32_t *numbers = mem_alloc(count * sizeof *numbers);
    CLEANUP(mem_free) struct message **copies = mem_alloc(count * sizeof *copies);
    for (uint32_t at = first + 1; at; at = before[at - 1]) {
        numbers[found] = at - 1;
        copies[found++] = model->messages[at - 1];
    }
    qsort(numbers, count, sizeof *numbers, by_number);
    size_t kept = model_settle_copies(copies, count);
    for (size_t i = 0; i < count; i++)
        model->messages[numbers[i]] = i < kept ? copies[i] : NULL;
    for (size_t i = kept; i < count; i++)
        *mem_push(model->doubles, model->double_count, model->double_cap) = copies[i];
}

static void settle_lists(struct model *model, const uint32_t *before)
{
    CLEANUP(mem_free) bool *goes_on = mem_zero(model->count, sizeof *goes_on);
    size_t kept = 0;

    for (size_t i = 0; i < model->count; i++)
        if (before[i])
            goes_on[before[i] - 1] = true;
    for (uint32_t i = 0; i < model->count; i++)
        if (before[i] && !goes_on[i])
            settle_list(model, before, i);
    for (size_t i = 0; i < model->count; i++)
        if (model->messages[i])
            model->messages[kept++] = model->messages[i];
    model->count = kept;
}

void model_settle_known(struct model *model, const uint32_t *before)
{
    if (before)
        settle_lists(model, before);
    duplicate_ids_find(&model->same, model->messages, model->count);
    chain_name_threads(model);
}

void model_settle(struct model *model)
{
    CLEANUP(mem_free) uint32_t *before = find_copies(model);

    model_settle_known(model, before);
}

void model_free(struct model *model)
{
    for (size_t i = 0; i < model->batch_count; i++)
        batch_free(&model->batches[i]);
    free(model->batches);
    free(model->messages);
    free(model->doubles);
    duplicate_ids_free(&model->same);
    *model = (struct model){0};
}

void model_add(struct model *model, struct batch *batch)
{
    batch_finish(batch);
    model->messages = mem_grow(model->messages, &model->cap, model->count + batch->count,
                               sizeof *model->messages);
    for (size_t i = 0; i < batch->count; i++)
        model->messages[model->count++] = &batch->items[i];
    *mem_push(model->batches, model->batch_count, model->batch_cap) = *batch;
    *batch = (struct batch){0};
}

/* True if `path` names the message's file: an absolute path as `messages --json` prints it, or the
 * end of one. */
static bool is_path_of(const struct message *message, struct span path, struct str *scratch)
{
    const char *end = message->file.at;
    CLEANUP(str_free) struct str part = {0};

    if (message->raw_len) { /* one of several in the file */
        message_add_part(&part, message);
        end = str_c(&part);
    }
    if (!span_ends(path, end))
        return false;
    str_clear(scratch);
    message_add_name(scratch, message, path.at[0] == '/');
    struct span whole = str_span(scratch);
    size_t before = path.len - whole.len; /* used only if the path is long enough */
    return path.at[0] == '/' ? span_eq(path, whole)
                             : path.len >= whole.len && span_ends(path, whole.at) &&
                                   (!before || path.at[before - 1] == '/');
}

/* Appends ID~CONTENT, which is unique among the messages with that id. */
static void model_add_exact_id(struct str *out, const struct message *message)
{
    str_add_span(out, message->id);
    str_addf(out, "~%08x", message->content);
}

static void say_ambiguous(const struct model *model, struct span id, size_t matches,
                          struct err *err)
{
    CLEANUP(str_free) struct str some = {0};
    size_t shown = 0, whole = 0;

    for (size_t i = 0; i < model->count && shown < 4; i++) {
        const struct message *message = model->messages[i];
        if (!span_starts(message->id, id))
            continue;
        str_puts(&some, shown++ ? ", " : "");
        message_add_name(&some, message, false);
        if (message->id.len > id.len)
            continue;
        whole++;
        str_puts(&some, " is ");
        model_add_exact_id(&some, message);
    }
    err_set(err, ERR_REFUSED,
            "\"%.*s\" is the id, or its start, of %zu messages (%s%s): give %s or the path",
            (int)id.len, id.at, matches, str_c(&some), matches > shown ? ", ..." : "",
            whole ? "ID~DIGITS" : "more of it");
}

/* True if `id` is ID~CONTENT of the message, with at least one digit of the content. */
static bool is_exact_id_of(const struct message *message, struct span id, struct str *scratch)
{
    if (message->damaged || id.len < message->id.len + 2)
        return false;
    str_clear(scratch);
    model_add_exact_id(scratch, message);
    return span_starts(str_span(scratch), id);
}

static struct message *find_exact(const struct model *model, struct span id)
{
    CLEANUP(str_free) struct str scratch = {0};
    struct message *found = NULL;
    size_t count = 0;

    for (size_t i = 0; memchr(id.at, '~', id.len) && i < model->count; i++) {
        if (!is_exact_id_of(model->messages[i], id, &scratch))
            continue;
        found = model->messages[i];
        count++;
    }
    return count == 1 ? found : NULL;
}

static bool is_shared_file(const struct model *model, struct span path)
{
    for (size_t i = 0; i < model->count; i++)
        if (model->messages[i]->raw_len && span_ends(path, model->messages[i]->file.at))
            return true;
    return false;
}

static void say_unknown(const struct model *model, struct span id, struct err *err)
{
    CLEANUP(mem_free) struct span *ids = mem_alloc((model->count + 1) * sizeof *ids);
    CLEANUP(str_free) struct str near = {0};

    for (size_t i = 0; i < model->count; i++)
        ids[i] = model->messages[i]->id;
    suggest_slip(&near, id, ids, model->count);
    err_set(err, ERR_ABSENT, "no message has the id \"%.*s\", whole or as its start%s", (int)id.len,
            id.at, str_c(&near));
}

static void say_not_found(const struct model *model, struct span id, size_t count,
                          size_t file_count, struct err *err)
{
    if (count)
        say_ambiguous(model, id, count, err);
    else if (file_count)
        err_set(err, ERR_REFUSED,
                "\"%.*s\" is the file of %zu messages: give the whole path, or an id", (int)id.len,
                id.at, file_count);
    else if (is_shared_file(model, id))
        err_set(err, ERR_REFUSED, "\"%.*s\" holds several messages: add # and the id of one",
                (int)id.len, id.at);
    else
        say_unknown(model, id, err);
    err_about(err, "id");
}

struct message *model_find(const struct model *model, struct span id, struct err *err)
{
    struct message *exact = NULL, *start = NULL, *file = NULL;
    size_t exact_count = 0, start_count = 0, file_count = 0;
    CLEANUP(str_free) struct str scratch = {0};

    for (size_t i = 0; id.len && i < model->count; i++) {
        struct message *message = model->messages[i];
        if (is_path_of(message, id, &scratch)) {
            if (file && file->place->local && !message->place->local)
                file_count = 0; /* a copy that we keep is no longer at that path */
            else if (file && message->place->local && !file->place->local)
                continue;
            file = message;
            file_count++;
        }
        if (!span_starts(message->id, id))
            continue;
        start = message;
        start_count++;
        if (message->id.len == id.len) {
            if (exact && exact->damaged && !message->damaged)
                exact_count = 0; /* a damaged file only claims the id */
            else if (exact && !exact->damaged && message->damaged)
                continue;
            exact = message;
            exact_count++;
        }
    }
    for (size_t i = 0; id.len && i < model->double_count; i++) {
        if (is_path_of(model->doubles[i], id, &scratch)) {
            file = model->doubles[i];
            file_count++;
        }
    }
    if (!file_count && !start_count)
        exact = find_exact(model, id);
    if (exact && !start_count)
        return exact;
    if (file_count == 1)
        return file;
    if (exact_count == 1)
        return exact;
    if (exact_count == 0 && start_count == 1)
        return start;
    say_not_found(model, id, exact_count ? exact_count : start_count, file_count, err);
    return NULL;
}

struct message *model_inbox_copy(const struct model *model, struct message *message)
{
    if (!message->place->archived)
        return message;
    for (size_t i = 0; i < model->double_count; i++) {
        struct message *other = model->doubles[i];
        if (!other->place->archived && other->content == message->content &&
            span_eq(other->id, message->id) && span_eq(other->place->box, message->place->box) &&
            span_eq(other->place->team, message->place->team) &&
            other->place->source == message->place->source)
            return other;
    }
    return NULL;
}
