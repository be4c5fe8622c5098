/* The verbs on the search index, and searching through the store. */
#ifndef STORE_SEARCH_SEARCH_RESULTS_H
#define STORE_SEARCH_SEARCH_RESULTS_H

#include "store/search/search.h"
#include "store/store.h"

/* Messages that match a query which needs words; see search.h. The caller frees the result in any
 * case. */
bool store_search(struct store *store, const struct search *search, struct search_result *result,
                  struct err *err);

/* Something may have happened to a file; with an absent name, anything may have. */
void store_search_tell(struct store *store, uint32_t source, struct span dir, struct span name);

/* Brings the index of a source up to date. Refused in a store for reading. */
bool store_index_update(struct store *store, uint32_t source, struct index_build *build,
                        struct err *err);
/* Deletes it. Refused in a store for reading. */
bool store_index_drop(struct store *store, uint32_t source, struct err *err);

struct index_status {
    struct str path;
    size_t segments, damaged;
    size_t files, known; /* of mail and copies; and which of them the index knows as they are */
    size_t docs;         /* messages in those that it knows */
    uint64_t bytes;
    int64_t newest_us; /* when its last part was made; TIME_NONE without any */
    bool busy;         /* somebody builds it right now */
    char problem[256]; /* of a damaged part */
};

void index_status_free(struct index_status *status);

/* Looks at every file, reads none. The caller frees the status in any case. */
bool store_index_status(struct store *store, uint32_t source, struct index_status *status,
                        struct err *err);

#endif
