/* Archiving in layouts that do not archive a changed copy: the message is moved, deleted after a
 * copy was kept, or hidden here. */
#ifndef STORE_CHANGE_ARCHIVE_H
#define STORE_CHANGE_ARCHIVE_H

#include "store/change/change.h"
#include "store/scan/local_marks.h"

/* Archives the message as its layout does. */
bool put_away(const struct changing *how, const struct message *message, struct err *err);

/* Like put_away(), but for messages of one file in a layout without an archive. `done` says which
 * were archived; err is that of the others. */
void put_away_together(const struct changing *how, struct message *const *messages, size_t count,
                       bool *done, struct err *err);

/* Marks the message as failed where that is more than a mark of our own: answers its sender and
 * archives it, or adds a line to the layout's log. */
bool put_failed(const struct changing *how, const struct message *message, struct err *err);

#endif
