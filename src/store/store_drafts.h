/* Drafts as the store keeps them. See state_drafts.h for what each does; these run it on the
 * storage thread. A draft that is open belongs to the store that claimed or saved it, so that one
 * store has to do all of this. */
#ifndef STORE_STORE_DRAFTS_H
#define STORE_STORE_DRAFTS_H

#include "store/state/state_drafts.h"
#include "store/store.h"

bool store_drafts(struct store *store, struct saved_drafts *drafts, struct err *err);
bool store_draft(struct store *store, struct span id, struct saved_drafts *draft, struct err *err);
bool store_claim_draft(struct store *store, struct span id, struct saved_drafts *draft,
                       struct err *err);
bool store_release_draft(struct store *store, struct span id, struct err *err);
bool store_save_draft(struct store *store, const struct saved_draft *draft,
                      struct draft_saved *saved, struct err *err);
bool store_drop_draft(struct store *store, struct span id, int64_t version, struct err *err);

#endif
