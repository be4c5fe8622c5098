/* Draft savers: the draft of a form on disk. All saves of one draft run one after the other on the
 * drafts thread, so that each knows the result of the one before, and the UI waits for none. */
#ifndef UI_COMPOSE_FORM_DRAFT_H
#define UI_COMPOSE_FORM_DRAFT_H

#include "mail/message/draft.h"
#include "store/state/drafts.h"
#include "store/store_local.h"
#include "ui/ui.h"

/* The drafts of the local state, as all screens see them. */

/* Zero-initialised is empty and valid. */
struct drafts_cache {
    struct saved_drafts drafts; /* without their fields, newest first */
    struct str problem;         /* reason why they could not be read; empty: they were read */
    bool known;                 /* true after they were read once */
    bool asked, again;          /* asked: they are being read; again: they have changed meanwhile */
};

void drafts_cache_free(struct drafts_cache *desk);

/* Begins to read the drafts again. Called at the start, and whenever they may have changed. The
 * drafts view is renewed afterwards. */
void drafts_cache_load(struct ui *ui);

/* Returns the number of messages in the outbox that wait for a slot or are stuck. */
size_t drafts_cache_unsent(const struct ui *ui);

/* Identifies a draft. While work is under way only the drafts thread may access the contents. */
struct draft_saver;

struct draft_saver *draft_saver_new(void);

/* Reference counting: the form and each task under way hold a reference. */
struct draft_saver *draft_saver_hold(struct draft_saver *keeper);
void draft_saver_drop(struct draft_saver *keeper);

/* Work on a draft. Those up to DRAFT_SAVE_LAST save the fields first, and the purpose says what
 * follows in the form. */
enum draft_work {
    DRAFT_KEEP,
    DRAFT_EDIT,      /* opens $EDITOR */
    DRAFT_SEND,      /* sends the message */
    DRAFT_LEAVE,     /* closes the form */
    DRAFT_SAVE_LAST, /* releases the draft */
    DRAFT_RELEASE,   /* it was claimed and not changed */
    DRAFT_REMOVE,    /* it was sent or discarded */
    DRAFT_CHECK,     /* only checks which of the named files exist */
    DRAFT_LIST,      /* reads all drafts into the cache; there is no saver */
    DRAFT_OPEN,      /* claims a draft and opens its form */
};

/* Begins the work with a copy of the fields, which may be NULL if none are saved. Reports a
 * failure. */
void draft_begin(struct ui *ui, struct draft_saver *keeper, enum draft_work what,
                 const struct draft_fields *fields);

#endif
