/* Drafts as the store keeps them; see drafts.h. An open draft belongs to the store that claimed or
 * saved it, so one store has to make all calls for it. */
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

/* Local data of the store besides drafts: snoozes and saved lines. See snooze_history.h. */

/* Returns a snooze of the message for who we are in its source. Borrows from both. */
struct snooze snooze_of(const struct source *source, const struct message *message,
                        int64_t until_us);

/* Snoozes messages until a moment, or ends their snooze (TIME_NONE). The call works on any store
 * that shares the local state: the snoozes may be of the sources of another store. */
bool store_snooze(struct store *store, const struct snooze *snoozes, size_t count, int64_t now_us,
                  struct err *err);
/* Lists all snoozes that end after now_us. Replaces `snoozes`; the caller frees it, also after a
 * failure. */
bool store_snoozes(struct store *store, int64_t now_us, struct snoozes *snoozes, struct err *err);
/* True if the message is snoozed at now_us. A conversation is snoozed if its newest message is: a
 * new message brings it back. */
bool snoozes_hide(const struct snoozes *snoozes, const struct source *source,
                  const struct message *message, int64_t now_us);

/* Saves a text under a name, such as the last input of a prompt; replaces what was saved there. */
bool store_keep(struct store *store, struct span name, struct span text, struct err *err);
/* Replaces `text` with the saved text; empty if nothing is saved under that name. */
bool store_kept(struct store *store, struct span name, struct str *text, struct err *err);

#endif
