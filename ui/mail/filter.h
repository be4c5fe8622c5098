/* A filter: which messages a query lets through, also when it asks for what only the files know. */
#ifndef UI_MAIL_FILTER_H
#define UI_MAIL_FILTER_H

#include "mail/query/query.h"
#include "ui/ui.h"

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
/* In how many microseconds filter_look() would begin; WHEN_NONE: never. */
int64_t filter_due_us(const struct filter *filter, struct ui *ui);

/* Whether a message of the talk is let through. */
bool filter_matches_talk(const struct filter *filter, struct ui *ui, const struct talk *talk);

#endif
