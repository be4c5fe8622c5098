/* The verbs of the search index, and searching through the store. */
#ifndef STORE_SEARCH_SEARCH_RESULTS_H
#define STORE_SEARCH_SEARCH_RESULTS_H

#include "store/search/search.h"
#include "store/store.h"

/* Finds the messages that match a query which needs words; see search.h. The caller frees the
 * result in any case. */
bool store_search(struct store *store, const struct search *search, struct search_result *result,
                  struct err *err);

/* Reports that a file may have changed; with an absent name, that anything may have. */
void store_search_report(struct store *store, uint32_t source, struct span dir, struct span name);

/* Brings the index of a source up to date. Refused in a store for reading. */
bool store_index_update(struct store *store, uint32_t source, struct index_build *build,
                        struct err *err);
/* Deletes the index of a source. Refused in a store for reading. */
bool store_index_drop(struct store *store, uint32_t source, struct err *err);

struct index_status {
    struct str path;
    size_t segments, damaged;
    size_t files, known; /* mail and copies; those whose content the index knows */
    size_t docs;         /* messages in the known files */
    uint64_t bytes;
    int64_t newest_us; /* when the newest segment was made; TIME_NONE without any */
    bool busy;         /* a process is building it now */
    char problem[256]; /* of a damaged segment */
};

void index_status_free(struct index_status *status);

/* Stats every file, reads none. The caller frees the status in any case. */
bool store_index_status(struct store *store, uint32_t source, struct index_status *status,
                        struct err *err);

#endif
