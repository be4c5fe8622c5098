/* Stamps: whether a file is still what it was when it was read, told without reading it.
 *
 * Sizes and times can stay the same while the bytes change, when that happens within one tick of
 * the clock that files are stamped with. So a stamp is only trusted when the file was last touched
 * well before it was read. The time of the last change of any kind is part of it: that one nobody
 * can set back. */
#ifndef STORE_SCAN_FILE_LIST_H
#define STORE_SCAN_FILE_LIST_H

#include "base/file/file.h"
#include "base/map.h"
#include "base/str.h"
#include "store/scan/load.h"
#include "store/source/address.h"
#include "store/source/source.h"
#include "store/state/state.h"

/* So much older than the moment of reading a file must be. */
#define FILE_STAMP_MARGIN_NS INT64_C(2000000000)

struct stamp {
    int64_t size, mtime_ns, ctime_ns;
    uint64_t ino;
    int64_t read_ns; /* by the clock, right before it was read; 0: it was not */
};

/* The clock that files are stamped with. */
int64_t file_stamp_now_ns(void);

struct stamp file_stamp_of(const struct file_id *id, int64_t read_ns);

/* Of what is open, about to be read. All zero, and never trusted, when it cannot be looked at. */
struct stamp file_stamp_of_open(int fd);

/* Whether what was read then can be trusted at all. */
bool file_stamp_is_settled(const struct stamp *read);
/* Whether a file looked the same both times. */
bool file_stamp_is_same(const struct stamp *a, const struct stamp *b);
/* Whether a file that looks like that now holds what was read. */
bool file_stamp_holds(const struct stamp *read, const struct stamp *now);

/* A listing: the files of a source that a load will read, folder by folder. */

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
bool file_list_fill(struct listing *listing, const struct source *source, const struct load *load,
                    struct err *err);
void file_list_free(struct listing *listing);

/* The reader whose mail was asked for as the team knows it; NULL: everybody's was. */
const struct address *file_list_reader(const struct listing *listing, struct span team);

/* The index of the folder that holds the archive of the same box; added when it was not listed. */
size_t file_list_archive_of(struct listing *listing, const struct source *source, size_t index);

bool folder_has(const struct folder *folder, struct span name);

/* A census: all files of a source that hold mail, as they look right now, and the copies that are
 * kept here; nothing is read. Whoever knows a file from before can tell by it whether that is still
 * true. */

#define FILE_CENSUS_NONE UINT32_MAX

struct file_census_file {
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
    struct file_census_file *files;
    size_t count, cap;
    struct map paths; /* to their numbers */
    struct copies copies;
    const struct place *last;
    struct span_list problems; /* of directories that could not be read: path and reason in turn */
};

void file_census_free(struct census *census);

/* Looks at everything. `state` may be NULL. False when the source, or the state, cannot be read. */
bool file_census_take(struct census *census, const struct source *source, struct state *state,
                      struct err *err);

/* Looks again at one name in a directory beneath the root: it is new, other, the same, or gone. */
void file_census_look(struct census *census, struct span dir, struct span name);

/* Looks again at the copies that are kept here. True when there are any, or were. */
bool file_census_copies(struct census *census, struct state *state, struct err *err);

/* The number of a file, or FILE_CENSUS_NONE. One that is gone counts until it comes back. */
uint32_t file_census_find(const struct census *census, struct span path);

#endif
