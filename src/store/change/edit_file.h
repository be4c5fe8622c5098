/* One message's file while its state is changed. */
#ifndef STORE_CHANGE_EDIT_FILE_H
#define STORE_CHANGE_EDIT_FILE_H

#include "base/file/file.h"
#include "store/source/source.h"

/* How often a change starts again because another program was quicker. */
enum { EDIT_FILE_ROUNDS = 8 };

struct target {
    const struct source *source;
    struct str path; /* of its directory, below the root */
    int dir;
    const char *name;
    struct str bytes, edited;
    struct file_id id;
    bool completes;         /* archiving also marks it as completed */
    struct str archived_as; /* the name it got in the archive; empty: it was there already */
    bool by_others;         /* somebody else archived it at the same moment */
};

/* Opens the directory that `path` names. False with an error otherwise. */
bool edit_file_open(struct target *t, struct err *err);

void edit_file_close(struct target *t);

/* Returns the file that was read, as layouts parse it; borrows from `t` and `message`. */
struct mail_file edit_file_file(const struct target *t, const struct message *message);

/* True if the bytes that were read still hold the message, or are as damaged as before. */
bool edit_file_holds(const struct target *t, const struct message *message);

/* Reads the file as it is now, and checks that it still holds the message and that the status may
 * become `status`. */
bool edit_file_read(struct target *t, const struct message *message, enum status status,
                    struct err *err);
/* Fills `edited` with the file in its new state. */
bool edit_file_edit(struct target *t, enum status status, struct err *err);

/* Both return false. edit_file_say_gone() reports that the file is no longer there;
 * edit_file_say_unsure() that something failed after files were changed, followed by the error that
 * is already in err. */
bool edit_file_say_gone(const struct target *t, struct err *err);
bool edit_file_say_unsure(const struct target *t, struct err *err);

/* Moves the file to the archive: the copy there is on disk before the file is removed from the
 * inbox. */
bool edit_file_archive(struct target *t, const struct message *message, struct err *err);

#endif
