/* Changing the state of a message that is on disk. */
#ifndef STORE_CHANGE_H
#define STORE_CHANGE_H

#include "base/log.h"
#include "store/source.h"

/* Brings the message into that status. Archived means moved to the archive: the copy there is
 * complete and synced before the inbox loses its file. The decision is made on the file as it is
 * now, not as it was when it was listed; a change by someone else in between is never overwritten.
 */
bool change_status(const struct source *source, const struct message *message, enum status status,
                   struct log *log, struct err *err);

#endif
