/* Loading: reading the files of a source into batches of messages. */
#ifndef STORE_LOAD_H
#define STORE_LOAD_H

#include "base/log.h"
#include "store/source.h"

/* Which part of a source is wanted. */
struct load {
    bool inbox, archive;
    size_t most;       /* no more files of a folder than this; 0: all */
    unsigned want;     /* enum message_want */
    struct span agent; /* this agent's box only; absent: all */
};

/* Takes the batch over. */
typedef void load_sink(void *context, struct batch *batch);

/* Hands over everything that is asked for, damaged files included. Files that look half written are
 * read again for up to two seconds before they count as damaged. When only the inbox is wanted,
 * archived copies of messages that are also there come along. */
bool load_source(const struct source *source, const struct load *load, load_sink *sink,
                 void *context, struct log *log, struct err *err);

/* Reads one message's file again and appends what it holds to the batch. A message that was
 * archived since it was listed is followed there; one that is gone is ERR_ABSENT. */
bool load_again(const struct source *source, const struct message *message, unsigned want,
                struct batch *batch, struct err *err);

#endif
