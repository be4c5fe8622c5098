/* A listing: the files of a source that a load will read, folder by folder. */
#ifndef STORE_SCAN_LISTING_H
#define STORE_SCAN_LISTING_H

#include "base/map.h"
#include "store/scan/load.h"
#include "store/scan/stamp.h"
#include "store/source/address.h"
#include "store/source/source.h"

struct listed {
    struct span name;
    bool regular; /* the directory says that it is a regular file */
};

/* One directory and the names of its messages. */
struct folder {
    struct place place;
    struct stamp stamp; /* what the directory looked like right before */
    struct listed *files;
    size_t count, cap;
};

/* An entry that leads nowhere: a link, an unreadable directory, something else in its place. */
struct listed_problem {
    struct place place;
    struct span name;
    struct span reason; /* terminated */
};

/* Zero-initialise before use. All names live in the arena. */
struct listing {
    struct arena arena;
    struct addresses only;  /* whose mail was asked for, in each team; none: everybody's */
    struct folder *folders; /* all inboxes before all archives */
    size_t folder_count, folder_cap;
    struct listed_problem *problems;
    size_t problem_count, problem_cap;
};

/* Lists what is asked for. When only the inbox or only the archive is, those files of the other
 * that lie in both come along: they are one message. */
bool listing_fill(struct listing *listing, const struct source *source, const struct load *load,
                  struct err *err);
void listing_free(struct listing *listing);

/* The reader whose mail was asked for as the team knows it; NULL: everybody's was. */
const struct address *listing_reader(const struct listing *listing, struct span team);

/* The index of the folder that holds the archive of the same box; added when it was not listed. */
size_t listing_archive_of(struct listing *listing, const struct source *source, size_t index);

bool folder_has(const struct folder *folder, struct span name);

#endif
