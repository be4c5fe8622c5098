/* Loading: reading the files of a source into batches of messages. */
#ifndef STORE_SCAN_LOAD_H
#define STORE_SCAN_LOAD_H

#include "base/file/file.h"
#include "base/log.h"
#include "store/scan/local_marks.h"

struct cache;
struct cache_writer;

/* The part of a source to load. */
struct load {
    bool inbox, archive;
    size_t most;                 /* at most this many files of a folder; 0: all */
    unsigned want;               /* enum message_want */
    unsigned want_shared;        /* added to it for files that hold many messages: reading these
                                  * again is slow */
    struct span agent;           /* only mail of this AGENT or AGENT@TEAM; absent: everybody's */
    bool ours;                   /* only mail of who we are in each source, instead of `agent` */
    bool only_source;            /* set by the store: there is no other source, so a missing team is
                                  * an error */
    bool as_reader;              /* only what the agent's own program would read as its mail */
    bool everyone;               /* also mail of others, despite store_own_only() */
    struct span viewer;          /* the viewer whose local marks apply; absent: who we are */
    bool hasty;                  /* trust cached heads without checking the files */
    struct state *state;         /* set by the store: the state with those marks, or NULL */
    struct cache *cache;         /* set by the store: the cache of earlier loads, or NULL */
    struct cache_writer *writer; /* set by the store: writes a new cache; or NULL */
};

/* Receives messages, and takes ownership of the contents of the batch. */
typedef void load_sink(void *context, struct batch *batch);

/* Passes all requested messages to the sink, damaged files included. Files that look half written
 * are read again for up to two seconds before they count as damaged. If only the inbox is wanted,
 * archived copies of messages that are also in the inbox are passed too. */
bool load_source(const struct source *source, const struct load *load, load_sink *sink,
                 void *context, struct log *log, struct err *err);

/* load_begin() is like load_source(), but returns before the work that only later loads need: that
 * work is added to `unfinished`, and done by load_finish(). Both take ownership of the cache and
 * its writer. */
struct loading;
bool load_begin(const struct source *source, const struct load *load, load_sink *sink,
                void *context, struct log *log, struct loading **unfinished, struct err *err);
void load_finish(struct loading **unfinished);
/* True if load_finish() may write a cache. */
bool load_leaves_work(const struct loading *unfinished);

/* Reads one message's file again and appends its messages to the batch. A message that was archived
 * since it was listed is read from the archive; one that is gone is ERR_ABSENT. Waits for a file
 * that may be half written. */
bool load_again(const struct source *source, const struct message *message, unsigned want,
                struct state *state, struct batch *batch, struct err *err);

/* Parses the given bytes as the message's file and appends the result to the batch. */
bool load_bytes(const struct source *source, const struct message *message, struct span bytes,
                unsigned want, struct batch *batch, struct err *err);

/* Replaces `bytes` with the present content of the message's file, and appends all its messages to
 * the batch, with data, body and their positions in those bytes. Looks nowhere else: a message that
 * was moved or archived is FILE_GONE. Fills *id with the file's identity. If the file may be half
 * written, waits, or returns FILE_CHANGED if `wait` is false. */
enum file_result load_file(const struct source *source, const struct message *message, bool wait,
                           struct str *bytes, struct batch *batch, struct file_id *id,
                           struct err *err);

/* Copies marks and thread, which are not in the file, to a message that was read again. */
void load_take_marks(struct message *whole, const struct message *head, struct arena *arena);

/* Replaces `bytes` with the message's bytes in its file now, or in its local copy. */
bool load_raw(const struct source *source, const struct message *message, struct state *state,
              struct str *bytes, struct err *err);

#endif
