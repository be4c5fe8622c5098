/* Putting messages away in layouts that do not keep a changed copy: moved, deleted after a copy, or
 * hidden here. */
#ifndef STORE_CHANGE_ARCHIVE_H
#define STORE_CHANGE_ARCHIVE_H

#include "store/change/change.h"
#include "store/scan/local_marks.h"

/* Archives the message in its layout's way. */
bool put_away(const struct changing *how, const struct message *message, struct err *err);

/* The same for messages of one file in a layout without an archive. `done` tells which were put
 * away; the error is that of the others. */
void put_away_together(const struct changing *how, struct message *const *messages, size_t count,
                       bool *done, struct err *err);

/* Marks it as failed where that is more than a word kept here: an answer to its sender and into
 * the archive, or a line in the layout's log. */
bool put_failed(const struct changing *how, const struct message *message, struct err *err);

#endif
