/* Tags that were used before, for completing them. Heads of messages do not have them, so mail is
 * looked through when somebody comes to write one. */
#ifndef UI_MAIL_FILTER_H
#define UI_MAIL_FILTER_H

#include "base/map.h"
#include "base/mem.h"
#include "mail/query/query.h"
#include "ui/ui.h"
#include "ui/widget/completion.h"

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

/* A filter: which messages a query lets through, also when it asks for what only the files know. */

/* Zero-initialised lets everything through. */
struct filter {
    struct str text; /* as it was typed */
    struct query query;
    struct map found;      /* keys of messages that a look into the files has found */
    struct arena names;    /* of them */
    struct str looked_for; /* the text that they were found for */
    unsigned looked_at;    /* the picture that was looked at */
    unsigned vain_at;      /* the picture at which a look for the text failed, or 0 */
    bool looking;
    int64_t ended_us, cost_us; /* of the last look, by the steady clock */
};

/* False with the mistake; the filter stays as it was. Blank text lets everything through. */
bool filter_set(struct filter *filter, struct span text, struct err *err);
void filter_free(struct filter *filter);
bool filter_is_on(const struct filter *filter);
/* Whether it waits for a look into the files. */
bool filter_is_looking(const struct filter *filter);

/* Appends how it is read, where a minus may have been meant as a part of the text. */
void filter_explain(const struct filter *filter, struct str *out);

/* Looks into the files if the query needs that and the picture is a new one. When that is done, and
 * the screen, which the filter is a part of, still there, it has the result and `taken` is called.
 */
void filter_look(struct filter *filter, struct screen *screen,
                 void (*taken)(struct screen *screen));
/* In how many microseconds filter_look() would begin; TIME_NONE: never. */
int64_t filter_due_us(const struct filter *filter, struct ui *ui);

/* Whether a message of the talk is let through. */
bool filter_matches_conversation(const struct filter *filter, struct ui *ui,
                                 const struct conversation *conversation);

#endif
