/* The live picture, inside. */
#ifndef MAIL_LIVE_LIVE_PRIVATE_H
#define MAIL_LIVE_LIVE_PRIVATE_H

#include "base/hash_index.h"
#include "mail/live/head.h"
#include "mail/live/live.h"

struct live {
    struct head_pool pool;
    struct hash_index by_file; /* the first head of each file */
    struct hash_index by_same; /* the first head of each message, whose copies may be several */
    struct map box_numbers;    /* source, team and box, whatever the folder */
    struct map dir_numbers;    /* source and directory */
    struct live_place {
        uint32_t box, dir;
    } * places; /* by number of a place */
    size_t place_known, place_cap;
    uint64_t seed;
    size_t count;
    bool tracking;
    uint32_t *touched; /* slots that were filled, changed or emptied, some more than once */
    size_t touched_count, touched_cap;
};

/* Notes, where that is wanted, that a slot holds something else than before; or that all do. */
void live_touch(struct live *live, uint32_t slot);
void live_touch_all(struct live *live);
void live_touched_free(struct live *live);

/* Unfolds what is in these slots, which are in order, into an empty model and settles it. */
void live_view_some(const struct live *live, const uint32_t *slots, size_t count,
                    struct model *model);

/* The box that a place belongs to, inbox and archive alike, and its directory, by their numbers. */
struct live_place live_place(struct live *live, const struct place *place);

/* Where the first head of a file, or of a message, is noted; NULL when there is none. Borrowed
 * until something is linked or unlinked. */
uint32_t *live_first_in_file(const struct live *live, uint32_t dir, struct span file);
uint32_t *live_first_same(const struct live *live, uint32_t box, struct span id);

/* Says that these will be looked for soon. */
void live_expect(const struct live *live, uint32_t dir, struct span file);
void live_expect_same(const struct live *live, uint32_t box, struct span id);

/* Puts a head that was filled into the lists it belongs to, or takes it out. */
void live_link(struct live *live, uint32_t slot);
void live_unlink(struct live *live, uint32_t slot);

#endif
