/* Tags that were used before, for completing them. Heads of messages do not have them, so mail is
 * looked through when somebody comes to write one. */
#ifndef UI_MAIL_TAGS_H
#define UI_MAIL_TAGS_H

#include "base/arena.h"
#include "base/map.h"
#include "ui/ui.h"
#include "ui/widget/complete.h"

/* Zero-initialised is empty and valid. */
struct tags {
    struct arena arena;
    struct map seen;
    struct span_list names;
};

void tags_free(struct tags *tags);
/* Adds those of one message, as far as they were loaded. */
void tags_take(struct tags *tags, const struct message *message);
/* Adds those of some of its messages, on the thread of a store. */
void tags_read(struct tags *tags, const struct source *source);

/* Those of all sources, for queries. */
struct tags_known {
    struct tags tags;
    unsigned number; /* of the picture when they were found; 0: they were not */
    bool asked;      /* they are being looked for */
};

/* Adds them. Where they are not known, or mail has changed since, the completion becomes one that
 * is asked for again: by then they were looked for. */
void tags_add(struct ui *ui, struct completion *completion);

#endif
