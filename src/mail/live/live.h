/* The live picture: all messages that are known, kept true by updates.
 *
 * It belongs to one thread. Messages are kept as heads; the model that screens and commands work
 * with is unfolded from it when it is needed. */
#ifndef MAIL_LIVE_LIVE_H
#define MAIL_LIVE_LIVE_H

#include "mail/message/model.h"
#include "mail/message/update.h"

enum live_event { LIVE_NEW, LIVE_CHANGED, LIVE_GONE };

/* Something happened to a message, as a person sees it: copies of one message in the inbox and in
 * the archive are one, and a message that moves is changed. */
struct live_change {
    enum live_event event;
    const struct message
        *message; /* with its data if the update brought it; of LIVE_GONE as it was */
};

/* Zero-initialised is empty and valid. Borrows from the update that was applied, too. */
struct live_changes {
    struct live_change *items;
    size_t count, cap;
    struct arena arena;
};

void live_changes_free(struct live_changes *changes);

struct live;

struct live *live_new(void);
void live_free(struct live *live);

/* Makes the picture what the update says. All that it changed, taken together, is added to
 * `changes`; NULL when nobody wants to know. */
void live_apply(struct live *live, const struct update *update, struct live_changes *changes);

size_t live_count(const struct live *live);

/* From now on it is noted what changes, for who follows it; see parts.h. */
void live_track(struct live *live);

/* Unfolds everything into an empty model and settles it. It borrows from the live picture: it must
 * go before the next update is applied, unless texts are held. */
void live_view(const struct live *live, struct model *model);

/* From now on texts that updates take away stay until they are let go: models that were unfolded
 * before stay whole till then, and another thread may read them. */
void live_hold(struct live *live);
/* What is held by now; and frees what was held by then: no model that was unfolded before is left.
 */
uint64_t live_held(const struct live *live);
void live_let_go(struct live *live, uint64_t until);

#endif
