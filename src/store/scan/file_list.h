/* File stamps: check without reading whether a file is unchanged since it was read.
 *
 * Sizes and times can stay the same while the bytes change, if that happens within one tick of the
 * clock of file times. So a stamp is only trusted if the file was last touched well before it was
 * read. The stamp includes the time of the last change of any kind (ctime), which nobody can set
 * back. */
#ifndef STORE_SCAN_FILE_LIST_H
#define STORE_SCAN_FILE_LIST_H

#include "base/file/file.h"
#include "base/map.h"
#include "base/str.h"
#include "store/scan/load.h"
#include "store/source/address.h"
#include "store/source/source.h"
#include "store/state/state.h"

/* A file must be older than the time of reading it by at least this much. */
#define FILE_STAMP_MARGIN_NS INT64_C(2000000000)

struct stamp {
    int64_t size, mtime_ns, ctime_ns;
    uint64_t ino;
    int64_t read_ns; /* by the clock, right before it was read; 0: it was not read */
};

/* Returns the time of the clock of file times. */
int64_t file_stamp_now_ns(void);

struct stamp file_stamp_of(const struct file_id *id, int64_t read_ns);

/* Returns the stamp of an open file that is about to be read. All zero, and never trusted, if it
 * cannot be examined. */
struct stamp file_stamp_of_open(int fd);

/* True if the stamp of a read can be trusted at all. */
bool file_stamp_is_settled(const struct stamp *read);
/* True if the two stamps do not differ in size, times and inode. */
bool file_stamp_is_same(const struct stamp *a, const struct stamp *b);
/* True if a file with the stamp `now` still holds the bytes that were read. */
bool file_stamp_holds(const struct stamp *read, const struct stamp *now);

/* A listing: the files of a source that a load will read, folder by folder. */

struct listed {
    struct span name;
    bool regular; /* the directory says that it is a regular file */
};

/* One directory and the names of its messages. */
struct folder {
    struct place place;
    struct stamp stamp; /* of the directory, right before it was listed */
    struct listed *files;
    size_t count, cap;
};

/* An entry that cannot be read or entered: a link, an unreadable directory, or another kind of
 * file. */
struct listed_problem {
    struct place place;
    struct span name;
    struct span reason; /* terminated */
};

/* Zero-initialise before use. All names are allocated in the arena. */
struct listing {
    struct arena arena;
    struct addresses only;  /* the readers whose mail was requested, one per team; none:
                             * everybody's */
    struct folder *folders; /* all inboxes before all archives */
    size_t folder_count, folder_cap;
    struct listed_problem *problems;
    size_t problem_count, problem_cap;
};

/* Lists the requested files. If only the inbox or only the archive is requested, the files of the
 * other that are in both are added: they are one message. */
bool file_list_fill(struct listing *listing, const struct source *source, const struct load *load,
                    struct err *err);
void file_list_free(struct listing *listing);

/* Returns the reader whose mail was requested, as the team knows it; NULL if everybody's was. */
const struct address *file_list_reader(const struct listing *listing, struct span team);

/* Returns the index of the folder with the archive of the same box; adds it if it was not
 * listed. */
size_t file_list_archive_of(struct listing *listing, const struct source *source, size_t index);

bool folder_has(const struct folder *folder, struct span name);

/* A census: all files of a source that hold mail, with their present stamps, and the copies that
 * are kept locally; no file is read. It shows which files known from before are unchanged. */

#define FILE_CENSUS_NONE UINT32_MAX

struct file_census_file {
    const struct place *place;
    struct span path; /* relative to the root, terminated; of a copy "/NUMBER" */
    struct span name; /* the last component, terminated */
    struct stamp now;
    const struct copy *copy; /* NULL for a file */
    bool gone;
    /* For users that know files from before: which part of them knows it, and its number there. */
    uint32_t by, number;
};

/* Zero-initialised is empty and valid. */
struct file_census {
    const struct source *source;
    struct arena arena;
    struct file_census_file *files;
    size_t count, cap;
    struct map paths; /* values are indexes of `files` */
    struct copies copies;
    const struct place *last;
    struct span_list problems; /* directories that could not be read: path and reason in turn */
};

void file_census_free(struct file_census *census);

/* Examines all files. `state` may be NULL. False if the source or the state cannot be read. */
bool file_census_take(struct file_census *census, const struct source *source, struct state *state,
                      struct err *err);

/* Examines one name in a directory below the root again: it may be new, changed, unchanged or
 * gone. */
void file_census_stat(struct file_census *census, struct span dir, struct span name);

/* Lists the local copies again. True if there are any, or were. */
bool file_census_copies(struct file_census *census, struct state *state, struct err *err);

/* Returns the index of a file, or FILE_CENSUS_NONE. A file that is gone keeps its index until it
 * comes back. */
uint32_t file_census_find(const struct file_census *census, struct span path);

#endif
