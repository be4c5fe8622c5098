/* The drafts of the local state, as all screens see them. */
#ifndef UI_COMPOSE_DRAFTS_CACHE_H
#define UI_COMPOSE_DRAFTS_CACHE_H

#include "store/state/drafts.h"
#include "ui/ui.h"

/* Zero-initialised is empty and valid. */
struct desk {
    struct saved_drafts drafts; /* without their fields, newest first */
    struct str problem;         /* reason why they could not be read; empty: they were read */
    bool known;                 /* true after they were read once */
    bool asked, again;          /* asked: they are being read; again: they have changed meanwhile */
};

void drafts_cache_free(struct desk *desk);

/* Begins to read the drafts again. Called at the start, and whenever they may have changed. The
 * drafts view is renewed afterwards. */
void drafts_cache_load(struct ui *ui);

/* Returns the number of messages in the outbox that wait for a slot or are stuck. */
size_t drafts_cache_unsent(const struct ui *ui);

#endif
