/* Drafts as the store keeps them. See state_drafts.h for what each does; these run it on the
 * storage thread. A draft that is open belongs to the store that claimed or saved it, so that one
 * store has to do all of this. */
#ifndef STORE_STORE_LOCAL_H
#define STORE_STORE_LOCAL_H

#include "store/state/drafts.h"
#include "store/state/snooze_history.h"
#include "store/store.h"

bool store_drafts(struct store *store, struct saved_drafts *drafts, struct err *err);
bool store_draft(struct store *store, struct span id, struct saved_drafts *draft, struct err *err);
bool store_claim_draft(struct store *store, struct span id, struct saved_drafts *draft,
                       struct err *err);
bool store_release_draft(struct store *store, struct span id, struct err *err);
bool store_save_draft(struct store *store, const struct saved_draft *draft,
                      struct draft_saved *saved, struct err *err);
bool store_drop_draft(struct store *store, struct span id, int64_t version, struct err *err);

/* What the store keeps besides drafts: snoozes and lines. See state_kept.h. */

/* What puts the message aside for who we are in its source. Borrowed from both. */
struct snooze snooze_of(const struct source *source, const struct message *message,
                        int64_t until_us);

/* Puts messages aside until a moment, or back (TIME_NONE). Any store can: the sources of another
 * one will do. */
bool store_snooze(struct store *store, const struct snooze *snoozes, size_t count, int64_t now_us,
                  struct err *err);
/* All that lie ahead. Replaces `snoozes`; the caller frees it, also after a failure. */
bool store_snoozes(struct store *store, int64_t now_us, struct snoozes *snoozes, struct err *err);
/* Whether the message is put aside at that moment. A conversation is while its newest message is: a
 * new one brings it back. */
bool snoozes_hide(const struct snoozes *snoozes, const struct source *source,
                  const struct message *message, int64_t now_us);

/* Keeps a text under a name, such as what was typed at a prompt; the last one wins. */
bool store_keep(struct store *store, struct span name, struct span text, struct err *err);
/* Replaces `text` by it; empty when nothing is kept under that name. */
bool store_kept(struct store *store, struct span name, struct str *text, struct err *err);

#endif
