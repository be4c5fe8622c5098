/* What the store keeps besides drafts: snoozes and lines. See state_kept.h. */
#ifndef STORE_STORE_KEPT_H
#define STORE_STORE_KEPT_H

#include "store/state/state_kept.h"
#include "store/store.h"

/* What puts the message aside for who we are in its source. Borrowed from both. */
struct snooze snooze_of(const struct source *source, const struct message *message,
                        int64_t until_us);

/* Puts messages aside until a moment, or back (WHEN_NONE). Any store can: the sources of another
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
