/* A census: all files of a source that hold mail, as they look right now, and the copies that are
 * kept here; nothing is read. Whoever knows a file from before can tell by it whether that is still
 * true. */
#ifndef STORE_SCAN_CENSUS_H
#define STORE_SCAN_CENSUS_H

#include "base/map.h"
#include "base/span_list.h"
#include "store/scan/stamp.h"
#include "store/source/source.h"
#include "store/state/state.h"

#define CENSUS_NONE UINT32_MAX

struct census_file {
    const struct place *place;
    struct span path; /* beneath the root, terminated; of a copy "/NUMBER" */
    struct span name; /* the last part of it, terminated */
    struct stamp now;
    const struct copy *copy; /* NULL: it is a file */
    bool gone;
    /* For who knows files from before: what knows it, and its number there. */
    uint32_t by, number;
};

/* Zero-initialised is empty and valid. */
struct census {
    const struct source *source;
    struct arena arena;
    struct census_file *files;
    size_t count, cap;
    struct map paths; /* to their numbers */
    struct copies copies;
    const struct place *last;
    struct span_list problems; /* of directories that could not be read: path and reason in turn */
};

void census_free(struct census *census);

/* Looks at everything. `state` may be NULL. False when the source, or the state, cannot be read. */
bool census_take(struct census *census, const struct source *source, struct state *state,
                 struct err *err);

/* Looks again at one name in a directory beneath the root: it is new, other, the same, or gone. */
void census_look(struct census *census, struct span dir, struct span name);

/* Looks again at the copies that are kept here. True when there are any, or were. */
bool census_copies(struct census *census, struct state *state, struct err *err);

/* The number of a file, or CENSUS_NONE. One that is gone counts until it comes back. */
uint32_t census_find(const struct census *census, struct span path);

#endif
