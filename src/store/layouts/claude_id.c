/* The Claude layout: ids of entries of the classic form, which have none.
 *
 * Bridges agree on a SHA-256 of sender, time and text. That is most of the time that reading an
 * inbox takes, and the same entries are met again whenever it has changed: those of long texts are
 * remembered, as many as fit into a table of fixed size. */
#include "base/map.h"
#include "store/layouts/claude_private.h"

#include <pthread.h>
#include <sha2.h>
#include <stdio.h>

enum { REMEMBERED = 1 << 16, LONG_TEXT = 256 };

static struct {
    pthread_mutex_t lock;
    uint64_t seed;
    struct {
        uint64_t print, id; /* both 0: free */
    } slots[REMEMBERED];
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t print_of(const struct span *parts, uint64_t seed)
{
    uint64_t print = seed;

    for (size_t i = 0; i < 3; i++)
        print = map_hash_wide(parts[i].len ? parts[i] : (struct span){"", 0}, print);
    return print;
}

static uint64_t digest(const struct span *parts)
{
    uint8_t bytes[SHA256_DIGEST_LENGTH];
    uint64_t start = 0;
    SHA2_CTX hash;

    SHA256Init(&hash);
    for (size_t i = 0; i < 3; i++) {
        if (i)
            SHA256Update(&hash, (const uint8_t *)"\n", 1);
        if (parts[i].len)
            SHA256Update(&hash, (const uint8_t *)parts[i].at, parts[i].len);
    }
    SHA256Final(bytes, &hash);
    for (size_t i = 0; i < sizeof start; i++)
        start = start << 8 | bytes[i];
    return start;
}

/* Its seed, so that nobody can write an entry that is taken for another one. */
static uint64_t seed_of_memory(void)
{
    pthread_mutex_lock(&memory.lock);
    if (!memory.seed)
        memory.seed = map_seed();
    uint64_t seed = memory.seed;
    pthread_mutex_unlock(&memory.lock);
    return seed;
}

static bool recall(uint64_t print, uint64_t *id)
{
    pthread_mutex_lock(&memory.lock);
    bool known = memory.slots[print % REMEMBERED].print == print;
    *id = memory.slots[print % REMEMBERED].id;
    pthread_mutex_unlock(&memory.lock);
    return known;
}

static void remember(uint64_t print, uint64_t id)
{
    pthread_mutex_lock(&memory.lock);
    memory.slots[print % REMEMBERED].print = print;
    memory.slots[print % REMEMBERED].id = id;
    pthread_mutex_unlock(&memory.lock);
}

struct span claude_derive_id(const struct claude_entry *entry, char id[CLAUDE_ID_SIZE])
{
    const struct span parts[] = {entry->from, entry->timestamp, entry->text};
    uint64_t start;

    if (entry->text.len < LONG_TEXT) {
        start = digest(parts);
    } else {
        uint64_t print = print_of(parts, seed_of_memory());
        if (!recall(print, &start)) {
            start = digest(parts);
            remember(print, start);
        }
    }
    int len = snprintf(id, CLAUDE_ID_SIZE, "inbox-%016llx", (unsigned long long)start);
    return (struct span){id, (size_t)len};
}
