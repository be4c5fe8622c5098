/* An update: files of a source as they are now, on the way from the storage thread to whoever keeps
 * the picture. */
#ifndef MAIL_MESSAGE_UPDATE_H
#define MAIL_MESSAGE_UPDATE_H

#include "mail/message/batch.h"

enum update_what {
    UPDATE_HOLDS, /* the file was read: it holds these messages and no others */
    UPDATE_KEPT,  /* it is there and cannot be read just now: what it held before still counts */
    UPDATE_GONE,  /* it is not there */
};

struct update_file {
    const struct place *place; /* in the batch's memory, as the name is */
    struct span name;
    enum update_what what;
    size_t first, count; /* its messages in the batch */
};

/* Zero-initialised is empty and valid. */
struct update {
    struct batch batch;
    struct update_file *files;
    size_t count, cap;
    uint32_t source;
    /* Looking through a tree gives updates that say so. The last one sweeps: what lies in that
     * directory or beneath and was not met on the way is gone. */
    bool looking, sweep;
    size_t coming;         /* files that are met on that way in all; 0: nobody knows */
    bool without_copies;   /* those that are kept here could not be looked at: they stay */
    struct span sweep_dir; /* beneath the root, in the batch's memory; empty: everything */
};

void update_free(struct update *update);

/* Notes that the file holds what was added to the batch from `first` on. Place and name must be in
 * the batch's memory. */
void update_add(struct update *update, const struct place *place, struct span name,
                enum update_what what, size_t first);

#endif
