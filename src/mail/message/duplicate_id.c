/* Duplicate ids: the first pass finds them, the second one collects the messages that have them. */
#include "mail/message/duplicate_id.h"

#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>

struct same_id {
    const struct message *message;
    uint32_t group, number;
};

void duplicate_ids_free(struct same_ids *same)
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

struct sought {
    struct message *const *messages;
    const struct message *message;
};

static bool has_same_id(const void *context, uint32_t number)
{
    const struct sought *sought = context;
    const struct message *a = sought->message, *b = sought->messages[number];

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
    struct sought sought;
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
    const struct message *message = pass->sought.messages[number];
    struct same_ids *same = pass->same;
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    pass->sought.message = message;
    const uint32_t *first = hash_index_find(&pass->firsts, hash, has_same_id, &pass->sought);
    if (!first) {
        hash_index_add(&pass->firsts, hash, number);
    } else if (pass->sought.messages[*first]->content != message->content) {
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
    struct pass pass = {.same = same, .sought.messages = messages, .seed = map_seed()};
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

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int by_time(const void *a, const void *b)
{
    const struct same_id *x = a, *y = b;
    int order = compare_numbers(x->group, y->group);

    order = order ? order : message_cmp_time(x->message, y->message);
    order = order ? order : compare_numbers(x->message->content, y->message->content);
    return order ? order : message_cmp_place(x->message, y->message);
}

static int by_sender(const void *a, const void *b)
{
    const struct same_id *x = a, *y = b;
    int order = compare_numbers(x->group, y->group);

    order = order ? order : span_cmp(x->message->from, y->message->from);
    return order ? order : by_time(a, b);
}

void duplicate_ids_find(struct same_ids *same, struct message *const *messages, size_t count)
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

/* Returns the index of the first item that does not sort before `sought`. */
static size_t lower_bound(const struct same_id *items, size_t count, const struct same_id *sought,
                          int (*compare)(const void *, const void *))
{
    size_t low = 0;

    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (compare(&items[middle], sought) < 0)
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
    const struct same_id sought = {&then, group, 0};
    int (*compare)(const void *, const void *) = sender ? by_sender : by_time;

    if (sender)
        then.from = *sender;
    size_t at = lower_bound(items, count, &sought, compare);
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

static struct span key_of(const struct message *message, struct arena *arena)
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
               ? key_of(message, arena)
               : spoken_id(message, message->id);
}

struct span duplicate_ids_key(const struct same_ids *same, const struct message *speaker,
                              struct span id, struct arena *arena)
{
    const struct message *meant = duplicate_ids_meant(same, speaker, id, NULL);

    return meant ? key_of(meant, arena) : spoken_id(speaker, id);
}
