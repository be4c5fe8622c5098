/* Filters for conversation lists, and the known tags for completing queries. */
#ifndef UI_MAIL_FILTER_H
#define UI_MAIL_FILTER_H

#include "base/map.h"
#include "base/mem.h"
#include "mail/query/query.h"
#include "ui/ui.h"
#include "ui/widget/completion.h"

/* Tags of messages. Message heads do not contain tags, so the files are read when somebody
 * completes one. Zero-initialised is empty and valid. */
struct tags {
    struct arena arena;
    struct map seen;
    struct span_list names;
};

void tags_free(struct tags *tags);
/* Adds the tags of one message, if its data was loaded. */
void tags_take(struct tags *tags, const struct message *message);
/* Adds the tags of some of the source's messages. Runs on the thread of a store. */
void tags_read(struct tags *tags, const struct source *source);

/* The tags of all sources, for completing queries. */
struct tags_known {
    struct tags tags;
    unsigned number; /* snapshot they were collected at; 0: not collected yet */
    bool asked;      /* true while a task collects them */
};

/* Adds the known tags to the completion. If they are unknown or older than the snapshot, begins to
 * collect them and sets `later`: the completion is requested again when they are there. */
void tags_add(struct ui *ui, struct completion *completion);

/* A filter: decides which messages match a query, also if the query needs the message files. */

/* Zero-initialised matches everything. */
struct filter {
    struct str text; /* as it was typed */
    struct query query;
    struct map found;      /* keys of the messages that matched when the files were searched */
    struct arena names;    /* memory of the keys in `found` */
    struct str looked_for; /* the text that `found` belongs to */
    unsigned looked_at;    /* number of the snapshot that `found` belongs to */
    unsigned vain_at;      /* number of the snapshot at which the search failed, or 0 */
    bool looking;
    int64_t ended_us, cost_us; /* end and duration of the last search, by the steady clock */
};

/* Sets the query; false with the mistake, and the filter is unchanged. Blank text matches
 * everything. */
bool filter_set(struct filter *filter, struct span text, struct err *err);
void filter_free(struct filter *filter);
bool filter_is_on(const struct filter *filter);
/* True while the result of a search of the files is missing. */
bool filter_is_running(const struct filter *filter);

/* Appends how the query was read, if it has a minus that may have been meant as text. */
void filter_explain(const struct filter *filter, struct str *out);

/* Begins to search the files if the query needs that and the snapshot is a new one. When that has
 * ended, and `screen`, which contains the filter, still exists, `taken` is called; the filter has
 * the result by then. */
void filter_start(struct filter *filter, struct screen *screen,
                  void (*taken)(struct screen *screen));
/* Returns the microseconds until filter_start() would begin a search; TIME_NONE: never. */
int64_t filter_due_us(const struct filter *filter, struct ui *ui);

/* True if at least one message of the conversation matches. */
bool filter_matches_conversation(const struct filter *filter, struct ui *ui,
                                 const struct conversation *conversation);

#endif
