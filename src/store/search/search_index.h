/* The search index of one source: segments in a directory of our cache.
 *
 * It only ever saves work. Which of it is still true is told by a census; what is not known, or not
 * true any more, is read from the mailboxes. So it may be missing, old, damaged or half made, and
 * deleting it loses nothing. Segments come and go as whole files: readers need no lock, and two
 * that are about the same file do not disturb each other, as the newer one counts. */
#ifndef STORE_SEARCH_SEARCH_INDEX_H
#define STORE_SEARCH_SEARCH_INDEX_H

#include "store/scan/file_list.h"
#include "store/search/segment.h"

/* Zero-initialised is one that knows nothing. */
struct search_index {
    const struct source *source;
    struct str path;          /* of its directory */
    struct segment *segments; /* from the oldest to the newest */
    size_t count, cap;
    uint64_t *numbers; /* of all that were there, damaged ones included */
    size_t number_count;
    size_t damaged;    /* that are there and cannot be used */
    char problem[256]; /* why, of one of them */
};

/* Reads what is there; nothing being there is fine. */
void index_open(struct search_index *index, const struct source *source);
void index_close(struct search_index *index);
/* Whether the directory still holds what was opened. */
bool index_is_current(const struct search_index *index);
/* Forgets a segment that turned out to be damaged, and with `drop` deletes it. */
void index_distrust(struct search_index *index, size_t segment, bool drop, const struct err *why);
/* Reads all that is there and distrusts what is damaged: opening does not look at where words
 * stand, which is most of it. */
void index_check(struct search_index *index);

/* Tells each file of the census which segment knows what it holds, by `by` and `number`. */
void index_attach(const struct search_index *index, struct census *census);

/* Appends the directory of a source's index. False where there is no place for caches. */
bool index_add_path(struct str *path, const struct source *source, bool make, struct err *err);

/* Deletes the index. Nothing being there is fine. */
bool index_drop(const struct source *source, struct err *err);

/* --- building --- */

struct index_build {
    bool anew;          /* what is there already is not used */
    bool patient;       /* files that were touched just now are waited for */
    size_t least, most; /* nothing is done for less work, or more (0: no limit); see index_work() */
    const _Atomic bool *stop;                                   /* or NULL */
    void (*progress)(void *context, size_t done, size_t total); /* files; or NULL */
    void *context;
    /* What came of it. */
    size_t files, docs; /* that were read */
    size_t young;       /* work that is left because it was touched just now */
    bool busy;          /* somebody else is at it: nothing was done */
};

/* Brings the index up to date. `state` may be NULL. */
bool index_update(const struct source *source, struct state *state, struct index_build *build,
                  struct err *err);

/* How much it costs to read a file: 1 for each message in it, about. */
size_t index_work(const struct file_census_file *file);

/* Whether somebody is building it right now. */
bool index_is_busy(const struct source *source);

#endif
