/* Arrays: changing a box that is one JSON array which several programs append to.
 *
 * The new file is prepared and synced first, and swapped in under the lock directory, so that the
 * lock is held for about one rename. The file is never edited in place: a kill there would leave
 * half a file, which the next agent takes for an empty inbox.
 *
 * A file that still does not parse after it has rested for two seconds is damaged: its bytes are
 * kept beside it as NAME.damaged-EPOCH, and the new file has every entry of it that is complete. */
#ifndef STORE_SEND_JSON_INBOX_H
#define STORE_SEND_JSON_INBOX_H

#include "base/file/file.h"
#include "base/log.h"
#include "store/send/deliver.h"
#include "store/source/source.h"

/* One array in an opened directory. */
struct json_inbox {
    const struct source *source;
    int dir;
    const char *path; /* of the directory, for messages */
    const char *name;
    int64_t wait_ms; /* how long to wait for others; 0: the default of lock_take() */
    struct log *log;
    const struct send_hooks *hooks; /* called before and under the lock; or NULL */
};

/* Adds an entry at the end; creates the array when there is none. If the lock was lost meanwhile
 * (result->lock_lost) another program may have overwritten the entry: the caller must check. */
bool json_inbox_append(const struct json_inbox *array, struct span entry, struct span uuid,
                       struct appended *result, struct err *err);

/* Marks these entries as read, deciding on the file as it is now. Replaces `left` by the array as
 * we left it: reading the file afterwards may find it half written by another program. */
bool json_inbox_mark_read(const struct json_inbox *array, const struct span_list *ids,
                          struct str *left, struct err *err);

/* Empties the array, under its lock. Returns FILE_CHANGED, without changing anything, if it is no
 * longer the file that was read. */
enum file_result json_inbox_clear(const struct json_inbox *array, const struct file_id *read,
                                  struct err *err);

#endif
