/* The live picture, inside. */
#ifndef MAIL_LIVE_LIVE_H
#define MAIL_LIVE_LIVE_H

#include "base/map.h"
#include "mail/live/head.h"
#include "mail/message/message.h"
#include "mail/message/model.h"

/* The live picture: all messages that are known, kept true by updates.
 *
 * It belongs to one thread. Messages are kept as heads; the model that screens and commands work
 * with is unfolded from it when it is needed. */

enum live_event { LIVE_NEW, LIVE_CHANGED, LIVE_GONE };

/* Something happened to a message, as a person sees it: copies of one message in the inbox and in
 * the archive are one, and a message that moves is changed. */
struct live_change {
    enum live_event event;
    const struct message
        *message; /* with its data if the update brought it; of LIVE_GONE as it was */
};

/* Zero-initialised is empty and valid. Borrows from the update that was applied, too. */
struct live_changes {
    struct live_change *items;
    size_t count, cap;
    struct arena arena;
};

void live_changes_free(struct live_changes *changes);

struct live;

struct live *live_new(void);
void live_free(struct live *live);

/* Makes the picture what the update says. All that it changed, taken together, is added to
 * `changes`; NULL when nobody wants to know. */
void live_apply(struct live *live, const struct update *update, struct live_changes *changes);

size_t live_count(const struct live *live);

/* From now on it is noted what changes, for who follows it; see parts.h. */
void live_track(struct live *live);

/* Unfolds everything into an empty model and settles it. It borrows from the live picture: it must
 * go before the next update is applied, unless texts are held. */
void live_view(const struct live *live, struct model *model);

/* From now on texts that updates take away stay until they are let go: models that were unfolded
 * before stay whole till then, and another thread may read them. */
void live_hold(struct live *live);
/* What is held by now; and frees what was held by then: no model that was unfolded before is left.
 */
uint64_t live_held(const struct live *live);
void live_let_go(struct live *live, uint64_t until);

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
void live_touch_all(struct live *live);
void live_touched_free(struct live *live);

/* Unfolds what is in these slots, which are in order, into an empty model and settles it. */
void live_view_some(const struct live *live, const uint32_t *slots, size_t count,
                    struct model *model);

/* The box that a place belongs to, inbox and archive alike, and its directory, by their numbers. */
struct live_place live_place(struct live *live, const struct place *place);

#endif
