/* Full-text search: looks up what the index knows, reads what it does not know, and reads every
 * message that it reports from its file again.
 *
 * The result is the same in any state of the index: without one every file is read. */
#ifndef STORE_SEARCH_SEARCH_H
#define STORE_SEARCH_SEARCH_H

#include "mail/message/message.h"
#include "mail/query/query.h"
#include "store/search/search_index.h"

struct searcher;

struct search {
    const struct query *query; /* must need words; see query_needs_words() */
    bool ranked;               /* the best match first; otherwise the newest message */
    size_t limit;              /* SIZE_MAX: all */
    bool informed; /* all changes were reported by searcher_report(): do not stat files again */
    const _Atomic bool *stop; /* or NULL */
    /* True if a message, complete and as it is now, matches. */
    bool (*matches)(void *context, const struct message *message);
    void *context;
};

struct search_result {
    struct arena arena;        /* of the messages */
    struct message **messages; /* in order, complete */
    size_t count, cap;
    bool more; /* there may be more than the limit */
    /* How many files had to be read because the index did not know them, and how many there are. */
    size_t read, files;
    size_t work;                 /* like `read`, but in units of index_work() */
    size_t indexed;              /* messages that the index knew */
    char problem[256];           /* a problem of the index; empty: none */
    struct span_list unreadable; /* paths of unreadable files, each followed by the reason */
};

void search_result_free(struct search_result *result);

/* Makes a searcher for one thread. The sources are borrowed. Nothing is ever written, except that
 * with `may_write` a segment that turns out to be damaged is deleted. */
struct searcher *searcher_new(const struct source *sources, size_t count, bool may_write);
void searcher_free(struct searcher *searcher);

/* Reports that a file may have changed: a name in a directory below a source's root. */
void searcher_report(struct searcher *searcher, uint32_t source, struct span dir, struct span name);
/* Reports that anything may have changed: the next search checks every file. */
void searcher_forget(struct searcher *searcher);

/* Searches. `state` may be NULL. The caller frees the result in any case. */
bool searcher_find(struct searcher *searcher, struct state *state, const struct search *search,
                   struct search_result *result, struct err *err);

#endif
