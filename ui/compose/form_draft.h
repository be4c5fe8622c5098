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

/* The result of a save. Borrowed. */
struct kept_draft {
    bool ok;
    struct draft_saved saved;
    int64_t saved_us;
    struct span_list absent; /* the given files that do not exist */
    uint64_t number;         /* as in struct keep_how, like `purpose` */
    int purpose;
};

/* Saves a copy of the fields and checks `files` afterwards. Calls `done` if the screen still
 * exists, or always if `screen` is 0. */
struct keep_how {
    const struct draft_fields *fields;
    const struct span_list *files; /* or NULL */
    uint64_t screen, number;
    int purpose;
    bool last; /* releases the draft afterwards */
    void (*done)(struct ui *ui, uint64_t screen, const struct kept_draft *result); /* or NULL */
};
void draft_saver_save(struct ui *ui, struct draft_saver *keeper, const struct keep_how *how);

/* Removes the draft, because it was sent or discarded. Reports a failure. */
void draft_saver_remove(struct ui *ui, struct draft_saver *keeper);

/* Adds the files that do not exist to `absent`. May block. */
void draft_saver_look_for(const struct span_list *files, struct span_list *absent);

#endif
