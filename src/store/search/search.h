/* Searching all mail by words: what the index knows is looked up, what it does not know is read,
 * and whatever is shown was read from its file for that.
 *
 * The answer is the same whatever state the index is in: without one every file is read. */
#ifndef STORE_SEARCH_SEARCH_H
#define STORE_SEARCH_SEARCH_H

#include "mail/message/message.h"
#include "mail/query/query.h"
#include "store/search/search_index.h"

struct searcher;

struct search {
    const struct query *query; /* which must need words; see query_needs_words() */
    bool ranked;               /* the best first; otherwise the newest */
    size_t limit;              /* SIZE_MAX: all */
    bool informed;             /* whatever changed was told: files are not looked at again */
    const _Atomic bool *stop;  /* or NULL */
    /* Whether a message matches, whole as it is now. */
    bool (*matches)(void *context, const struct message *message);
    void *context;
};

struct search_result {
    struct arena arena;        /* of the messages */
    struct message **messages; /* in order, whole */
    size_t count, cap;
    bool more; /* there may be more than the limit */
    /* How much had to be read because the index did not know it, and of how much: files. */
    size_t read, files;
    size_t work;                 /* the same in the measure of index_work() */
    size_t indexed;              /* messages that the index knew */
    char problem[256];           /* of the index; empty: none */
    struct span_list unreadable; /* paths of what could not be read, each followed by the reason */
};

void search_result_free(struct search_result *result);

/* For one thread. The sources are borrowed. Nothing is ever written; with `may_write` a part of an
 * index that turns out to be damaged is deleted. */
struct searcher *searcher_new(const struct source *sources, size_t count, bool may_write);
void searcher_free(struct searcher *searcher);

/* Something may have happened to a file: a name in a directory beneath a source's root. */
void searcher_tell(struct searcher *searcher, uint32_t source, struct span dir, struct span name);
/* Anything may have happened: the next search looks at everything. */
void searcher_forget(struct searcher *searcher);

/* `state` may be NULL. The caller frees the result in any case. */
bool searcher_find(struct searcher *searcher, struct state *state, const struct search *search,
                   struct search_result *result, struct err *err);

#endif
