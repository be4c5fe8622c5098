/* Loading: reading the files of a source into batches of messages. */
#ifndef STORE_SCAN_LOAD_H
#define STORE_SCAN_LOAD_H

#include "base/file/file.h"
#include "base/log.h"
#include "store/scan/local_marks.h"

struct cache;
struct cache_writer;

/* Which part of a source is wanted. */
struct load {
    bool inbox, archive;
    size_t most;                 /* no more files of a folder than this; 0: all */
    unsigned want;               /* enum message_want */
    unsigned want_shared;        /* besides, of files that hold many: reading them again is slow */
    struct span agent;           /* only mail of this AGENT or AGENT@TEAM; absent: everybody's */
    bool ours;                   /* only mail of who we are in each source, instead of an agent's */
    bool only_source;            /* filled in by the store: a team that is not here is nowhere */
    bool as_reader;              /* what the agent's own program would look through for its mail */
    bool everyone;               /* also mail of others, in spite of store_own_only() */
    struct span viewer;          /* whose local marks count; absent: who we are */
    bool hasty;                  /* heads that are known are believed without a look at the files */
    struct state *state;         /* filled in by the store: where those marks are, or NULL */
    struct cache *cache;         /* filled in by the store: what is known from before, or NULL */
    struct cache_writer *writer; /* filled in by the store: makes a new cache; or NULL */
};

/* Takes the batch over. */
typedef void load_sink(void *context, struct batch *batch);

/* Hands over everything that is asked for, damaged files included. Files that look half written are
 * read again for up to two seconds before they count as damaged. When only the inbox is wanted,
 * archived copies of messages that are also there come along. */
bool load_source(const struct source *source, const struct load *load, load_sink *sink,
                 void *context, struct log *log, struct err *err);

/* The same, without keeping anybody waiting for what is only of use the next time: that is added to
 * `unfinished`, and done by load_finish(). Both take the cache and its writer over. */
struct loading;
bool load_begin(const struct source *source, const struct load *load, load_sink *sink,
                void *context, struct log *log, struct loading **unfinished, struct err *err);
void load_finish(struct loading **unfinished);

/* Reads one message's file again and appends what it holds to the batch. A message that was
 * archived since it was listed is followed there; one that is gone is ERR_ABSENT. What may be half
 * written is waited for. */
bool load_again(const struct source *source, const struct message *message, unsigned want,
                struct state *state, struct batch *batch, struct err *err);

/* Appends what a message's file holds when it has those bytes. */
bool load_bytes(const struct source *source, const struct message *message, struct span bytes,
                unsigned want, struct batch *batch, struct err *err);

/* Replaces `bytes` by the file that a message lies in, as it is now, and appends everything in it
 * to the batch, whole, with where each stands in those bytes. Nothing is looked for elsewhere: one
 * that was moved or put away is FILE_GONE. Which file it was is told, too. One that may be half
 * written is waited for, or FILE_CHANGED where nobody may wait. */
enum file_result load_file(const struct source *source, const struct message *message, bool wait,
                           struct str *bytes, struct batch *batch, struct file_id *id,
                           struct err *err);

/* Gives a message that was read again what is known of it besides: marks, and its thread. */
void load_take_marks(struct message *whole, const struct message *head, struct arena *arena);

/* Replaces `bytes` by the message as it stands in its file now, or in its copy. */
bool load_raw(const struct source *source, const struct message *message, struct state *state,
              struct str *bytes, struct err *err);

#endif
