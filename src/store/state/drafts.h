/* Drafts in the local state: what is being written, kept until it was sent.
 *
 * What was typed is never lost: a save that finds the draft changed or gone keeps what it was given
 * as a draft of its own. As everything in the state, what was saved is on disk. */
#ifndef STORE_STATE_DRAFTS_H
#define STORE_STATE_DRAFTS_H

#include "store/state/state.h"

enum { DRAFT_ID_LEN = 12 };

struct saved_draft {
    struct span id;           /* lower case hexadecimal; absent or empty: it was never saved */
    int64_t version;          /* counts the saves of this draft; the one that is known */
    struct span form;         /* form_name() */
    struct span format, root; /* the source it is for; empty while that is open */
    struct span to, subject;  /* for lists */
    struct span fields;       /* draft_fields_write(); absent in lists */
    int64_t created_us, updated_us;
    int64_t pid; /* of another process that has it open; 0: nobody has */
};

/* The draft that was saved last comes first. Zero-initialised is empty and valid. */
struct saved_drafts {
    struct arena arena;
    struct saved_draft *items;
    size_t count, cap;
};

/* Without the fields. Replaces `out`, as all of these; the caller frees it, also after a failure.
 */
bool state_drafts(struct state *state, struct saved_drafts *out, struct err *err);
/* One draft with its fields, just to look at; ERR_ABSENT when there is none of that id. */
bool state_draft(struct state *state, struct span id, struct saved_drafts *out, struct err *err);
/* The same, and takes it for us alone, until it is released or dropped, or this state is closed,
 * by whatever end of the process. ERR_REFUSED while another process that lives has it. */
bool state_claim_draft(struct state *state, struct span id, struct saved_drafts *out,
                       struct err *err);
/* Lets go of it; what is not ours stays as it is. */
bool state_release_draft(struct state *state, struct span id, struct err *err);
void saved_drafts_free(struct saved_drafts *drafts);

enum draft_saving {
    DRAFT_SAVED,
    DRAFT_CHANGED, /* another process changed it or has it: this is a new draft beside that one */
    DRAFT_REMOVED, /* another process sent or dropped it: this is a new draft */
};

/* What a draft is from then on. */
struct draft_saved {
    enum draft_saving how;
    char id[DRAFT_ID_LEN + 1];
    int64_t version, created_us;
};

/* Saves the draft at the moment updated_us and takes it for us. It replaces the version that it
 * names; where that is not what is there any more, it becomes a new one. created_us counts only for
 * one that becomes new; 0 means now. */
bool state_save_draft(struct state *state, const struct saved_draft *draft,
                      struct draft_saved *saved, struct err *err);

/* Removes that version of a draft: it was sent, or the person wants no more of it. ERR_REFUSED when
 * it is another one or another process has it open; one that is gone already is fine. */
bool state_drop_draft(struct state *state, struct span id, int64_t version, struct err *err);

#endif
