/* Sight of live mail, in parts: what is made of messages is made again only of those parts that
 * have changed, and all conversations are kept in their order. */
#ifndef STORE_SIGHT_PARTS_H
#define STORE_SIGHT_PARTS_H

#include "store/sight_part.h"

/* A conversation: a talk of a part, with what decides where it stands. */
struct sight_talk {
    struct attention_rank rank;
    uint32_t part, talk;
};

struct sight_parts {
    uint64_t seed; /* of the keys of messages */
    struct parts *parts;
    struct sight_part **items; /* by number */
    size_t count, cap;
    struct sight_talk *sorted; /* all of them, the most pressing first, but for hints */
    size_t sorted_count;
};

/* So many messages in a part are few enough to be quick, and enough for parts to be few. */
enum { SIGHT_PART_SIZE = 512 };

/* The live mail is still empty. */
struct sight_parts *sight_parts_new(struct live *live, size_t part_size);
void sight_parts_free(struct sight_parts *sight);

/* Makes it what the live mail is at that time. What is borrowed from parts lasts while they are
 * held. Without a world nothing is heard of handoffs. */
void sight_parts_follow(struct sight_parts *sight, struct live *live, struct agents_world *world,
                        int64_t now_us);

#endif
