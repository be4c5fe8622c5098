/* The live messages: all known messages, kept current by updates. The struct at the end is only for
 * the files of this folder. */
#ifndef MAIL_LIVE_LIVE_H
#define MAIL_LIVE_LIVE_H

#include "base/map.h"
#include "mail/live/head.h"
#include "mail/message/message.h"
#include "mail/message/model.h"

/* The live messages: all known messages, kept current by updates.
 *
 * It belongs to one thread. Messages are kept as heads; the model that screens and commands use is
 * unfolded from them when needed. */

enum live_event { LIVE_NEW, LIVE_CHANGED, LIVE_GONE };

/* A change to a message as a person sees it: copies of one message in the inbox and in the archive
 * are one message, and a message that moves is changed. */
struct live_change {
    enum live_event event;
    const struct message
        *message; /* with data if the update had it; if LIVE_GONE, the old message */
};

/* Zero-initialised is empty and valid. Also borrows from the update that was applied. */
struct live_changes {
    struct live_change *items;
    size_t count, cap;
    struct arena arena;
};

void live_changes_free(struct live_changes *changes);

struct live;

struct live *live_new(void);
void live_free(struct live *live);

/* Applies the update. Appends the sum of all changes to `changes`, which may be NULL. All files of
 * the update are applied before anything is reported: a message that one of them lost and another
 * one has now is changed, not gone and new. */
void live_apply(struct live *live, const struct update *update, struct live_changes *changes);

size_t live_count(const struct live *live);

/* Starts to record the changed slots, for parts_follow(). */
void live_track(struct live *live);

/* Unfolds all messages into an empty model and settles it. The model borrows from `live`: free it
 * before the next update is applied, unless live_hold() was called. */
void live_view(const struct live *live, struct model *model);

/* From now on, texts that updates remove are kept until live_release(): models unfolded earlier
 * stay valid until then, and another thread may read them. */
void live_hold(struct live *live);
/* Returns the number of texts held so far. live_release() frees them up to that number: call it
 * when no model unfolded before exists. */
uint64_t live_held(const struct live *live);
void live_release(struct live *live, uint64_t until);

struct live {
    struct head_pool pool;
    struct hash_index by_file; /* first head of each file */
    struct hash_index by_same; /* first head of each message, which may have several copies */
    struct map box_numbers;    /* by source, team and box, inbox and archive alike */
    struct map dir_numbers;    /* source and directory */
    struct live_place {
        uint32_t box, dir;
    } * places; /* by number of a place */
    size_t place_known, place_cap;
    uint64_t seed;
    size_t count;
    bool tracking;
    uint32_t *touched; /* slots filled, changed or emptied; may hold duplicates */
    size_t touched_count, touched_cap;
};

/* Records, if tracking, that all slots have changed. */
void live_touch_all(struct live *live);
void live_touched_free(struct live *live);

/* Unfolds the messages in these slots, which are sorted, into an empty model and settles it. */
void live_view_some(const struct live *live, const uint32_t *slots, size_t count,
                    struct model *model);

/* Returns the numbers of a place's box, inbox and archive alike, and of its directory. */
struct live_place live_place(struct live *live, const struct place *place);

#endif
