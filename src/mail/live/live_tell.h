/* The live picture: what an update changed, as a person sees it. */
#ifndef MAIL_LIVE_LIVE_TELL_H
#define MAIL_LIVE_LIVE_TELL_H

#include "mail/live/live_private.h"

struct touched;
struct brought;

/* Zero-initialise, set the first two. */
struct telling {
    const struct live *live;
    struct live_changes *changes; /* NULL: nobody wants to know */
    struct touched *touched;
    size_t touched_count, touched_cap;
    struct map known;        /* what was touched, by box and id */
    struct brought *brought; /* heads that were filled from the update */
    size_t brought_count, brought_cap;
};

/* To be called before anything about a message changes. */
void telling_touch(struct telling *telling, uint32_t box, struct span id);
/* Notes that a head is this message of the update now. */
void telling_brought(struct telling *telling, uint32_t slot, const struct message *message);
/* Adds everything that has changed, and frees what was noted. */
void telling_finish(struct telling *telling);

/* Whether a message is the same as before in all that is shown of it. */
bool live_is_unchanged(const struct message *old, const struct message *now);

#endif
