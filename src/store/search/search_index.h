/* The search index of one source: segments in a directory of our cache.
 *
 * It only ever saves work. A census says which of it is still valid; what it does not know, or no
 * longer knows correctly, is read from the mailboxes. So the index may be missing, old, damaged or
 * incomplete, and deleting it loses nothing. Segments are created and deleted as whole files:
 * readers need no lock, and two segments with the same file do not conflict, as the newer one
 * counts. */
#ifndef STORE_SEARCH_SEARCH_INDEX_H
#define STORE_SEARCH_SEARCH_INDEX_H

#include "store/scan/file_list.h"
#include "store/search/segment.h"

/* The opened index. Zero-initialised is an empty one. */
struct search_index {
    const struct source *source;
    struct str path;          /* of its directory */
    struct segment *segments; /* from the oldest to the newest */
    size_t count, cap;
    uint64_t *numbers; /* of all segments that existed, including damaged ones */
    size_t number_count;
    size_t damaged;    /* segments that exist and cannot be used */
    char problem[256]; /* the reason, for one of them */
};

/* Opens the segments that exist; no segment is fine. */
void index_open(struct search_index *index, const struct source *source);
void index_close(struct search_index *index);
/* True if the directory still holds the segments that were opened. */
bool index_is_current(const struct search_index *index);
/* Removes a segment that turned out to be damaged from the index, and with `drop` deletes it. */
void index_distrust(struct search_index *index, size_t segment, bool drop, const struct err *why);
/* Reads all segments and distrusts damaged ones: opening does not check the postings, which are
 * most of a segment. */
void index_check(struct search_index *index);

/* Sets `by` and `number` of each file in the census to the segment that knows its content. */
void index_attach(const struct search_index *index, struct file_census *census);

/* Appends the directory of a source's index. False if there is no cache directory. */
bool index_add_path(struct str *path, const struct source *source, bool make, struct err *err);

/* Deletes the index; no index is fine. */
bool index_drop(const struct source *source, struct err *err);

/* Building. */

struct index_build {
    bool anew;          /* ignore the existing segments */
    bool patient;       /* wait for files that were changed just now */
    size_t least, most; /* limits of the work, in units of index_work(): do nothing if there is
                           less, or more (0: no limit) */
    const _Atomic bool *stop;                                   /* or NULL */
    void (*progress)(void *context, size_t done, size_t total); /* counts files; or NULL */
    void *context;
    /* The results. */
    size_t files, docs; /* that were read */
    size_t young;       /* work that is left because its files were changed just now */
    bool busy;          /* another process is building: nothing was done */
};

/* Brings the index up to date. `state` may be NULL. */
bool index_update(const struct source *source, struct state *state, struct index_build *build,
                  struct err *err);

/* Returns the cost of reading a file: about 1 for each message in it. */
size_t index_work(const struct file_census_file *file);

/* True if a process is building the index now. */
bool index_is_busy(const struct source *source);

#endif
