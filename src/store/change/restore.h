/* Restoring: taking changes back, and bringing messages back out of the archive. */
#ifndef STORE_CHANGE_RESTORE_H
#define STORE_CHANGE_RESTORE_H

#include "store/change/change.h"

/* Takes changes of one source back, those of `records` that `which` gives, each to the bytes, the
 * name and the marks that it had. Only what is still as we left it: a later change by someone else,
 * or another message in its place, is refused with a sentence and stays; and so does what an entry
 * of an array says (KEEP_ARRAY), which never goes back. What comes back is on disk before its copy
 * goes. */
void restore_records(const struct changing *how, const struct change_record *const *which,
                     size_t count, struct changed *outcomes);

/* Fills the record of a message in the archive, as if we had just put it there from the state that
 * its copy still tells. Refused for what is not in the archive, and for mail of others that others
 * may have put there. */
bool restore_find(const struct changing *how, const struct message *message,
                  struct change_records *records, struct err *err);

#endif
