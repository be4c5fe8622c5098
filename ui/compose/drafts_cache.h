/* The desk: what is kept here and not sent, as all screens see it. */
#ifndef UI_COMPOSE_DRAFTS_CACHE_H
#define UI_COMPOSE_DRAFTS_CACHE_H

#include "store/state/drafts.h"
#include "ui/ui.h"

/* Zero-initialised is empty and valid. */
struct desk {
    struct saved_drafts drafts; /* without their fields, the newest first */
    struct str problem;         /* why they could not be read; empty: they could */
    bool known;                 /* they were read at least once */
    bool asked, again;          /* they are being read; and have changed since */
};

void drafts_cache_free(struct desk *desk);

/* Begins to read them again: at the start, and whenever they may have changed. The view of drafts
 * is renewed when they are there. */
void drafts_cache_load(struct ui *ui);

/* How many messages are in the outbox that are not on their way by themselves within seconds. */
size_t drafts_cache_unsent(const struct ui *ui);

#endif
