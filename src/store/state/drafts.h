/* Drafts in the local state: unsent text, kept until it is sent.
 *
 * Typed text is never lost: a save that finds the draft changed or removed saves its text as a new
 * draft. As everything in the state, a saved draft is on disk. */
#ifndef STORE_STATE_DRAFTS_H
#define STORE_STATE_DRAFTS_H

#include "store/state/state.h"

enum { DRAFT_ID_LEN = 12 };

struct saved_draft {
    struct span id;           /* lower case hexadecimal; absent or empty: it was never saved */
    int64_t version;          /* the number of saves of this draft, as far as the caller knows */
    struct span form;         /* form_name() */
    struct span format, root; /* the source it is for; empty while that is undecided */
    struct span to, subject;  /* for lists */
    struct span fields;       /* draft_fields_write(); absent in lists */
    int64_t created_us, updated_us;
    int64_t pid; /* of another process that has it open; 0: none */
};

/* Drafts, the one that was saved last first. Zero-initialised is empty and valid. */
struct saved_drafts {
    struct arena arena;
    struct saved_draft *items;
    size_t count, cap;
};

/* Lists all drafts without their fields. Replaces `out`, as all of these do; the caller frees it,
 * also after a failure. */
bool state_drafts(struct state *state, struct saved_drafts *out, struct err *err);
/* Reads one draft with its fields, without claiming it; ERR_ABSENT if there is none of that id. */
bool state_draft(struct state *state, struct span id, struct saved_drafts *out, struct err *err);
/* Like state_draft(), and claims the draft for us alone, until it is released or dropped, or this
 * state is closed, also by any end of the process. ERR_REFUSED while another live process has
 * it. */
bool state_claim_draft(struct state *state, struct span id, struct saved_drafts *out,
                       struct err *err);
/* Releases the claim; does nothing if the draft is not ours. */
bool state_release_draft(struct state *state, struct span id, struct err *err);
void saved_drafts_free(struct saved_drafts *drafts);

enum draft_saving {
    DRAFT_SAVED,
    DRAFT_CHANGED, /* another process changed it or has it open: this is a new draft next to that
                    * one */
    DRAFT_REMOVED, /* another process sent or dropped it: this is a new draft */
};

/* The state of a draft after a save. */
struct draft_saved {
    enum draft_saving how;
    char id[DRAFT_ID_LEN + 1];
    int64_t version, created_us;
};

/* Saves the draft with the time updated_us and claims it for us. It replaces the version that it
 * names; if the state has another version, or the draft is claimed or removed, it becomes a new
 * one. created_us is used only for a new draft; 0 means updated_us. */
bool state_save_draft(struct state *state, const struct saved_draft *draft,
                      struct draft_saved *saved, struct err *err);

/* Removes that version of a draft: it was sent, or the person drops it. ERR_REFUSED if the version
 * differs or another process has it open; succeeds if the draft does not exist. */
bool state_drop_draft(struct state *state, struct span id, int64_t version, struct err *err);

#endif
