/* Keepers: a form's draft on disk. All saves of one draft run one after the other on the desk's
 * thread, so that each knows what the one before has become, and none is waited for. */
#ifndef UI_COMPOSE_FORM_DRAFT_H
#define UI_COMPOSE_FORM_DRAFT_H

#include "mail/message/draft.h"
#include "store/store_local.h"
#include "ui/ui.h"

/* Which draft it is. Only the desk's thread looks inside while work is under way. */
struct keeper;

struct keeper *draft_saver_new(void);

/* Several may hold on to it: the form, and what is under way. */
struct keeper *draft_saver_hold(struct keeper *keeper);
void draft_saver_drop(struct keeper *keeper);

/* How a save went; borrowed. */
struct kept_draft {
    bool ok;
    struct draft_saved saved;
    int64_t saved_us;
    struct span_list absent; /* of the files that were given: those that are not there */
    uint64_t number;         /* as it was given */
    int purpose;
};

/* Saves a copy of the fields. `files` are looked for afterwards; `done` is called when the screen
 * is still there, or with screen 0 always. */
struct keep_how {
    const struct draft_fields *fields;
    const struct span_list *files; /* or NULL */
    uint64_t screen, number;
    int purpose;
    bool last; /* lets go of the draft afterwards */
    void (*done)(struct ui *ui, uint64_t screen, const struct kept_draft *result); /* or NULL */
};
void draft_saver_save(struct ui *ui, struct keeper *keeper, const struct keep_how *how);

/* Removes the draft: it was sent, or nobody wants it. Says so when that is not possible. */
void draft_saver_remove(struct ui *ui, struct keeper *keeper);

/* Adds those of the files that are not there. May take its time. */
void draft_saver_look_for(const struct span_list *files, struct span_list *absent);

#endif
