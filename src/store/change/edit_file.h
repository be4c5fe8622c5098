/* A target: one message's file while its state is being changed. */
#ifndef STORE_CHANGE_EDIT_FILE_H
#define STORE_CHANGE_EDIT_FILE_H

#include "base/file/file.h"
#include "store/source/source.h"

/* How often a change starts again because somebody else was quicker. */
enum { EDIT_FILE_ROUNDS = 8 };

struct target {
    const struct source *source;
    struct str path; /* of its directory, beneath the root */
    int dir;
    const char *name;
    struct str bytes, edited;
    struct file_id id;
    bool completes;         /* archiving marks it as completed, too */
    struct str archived_as; /* the name that it was given in the archive; empty: it had one */
    bool by_others;         /* somebody else put it away at the same moment */
};

/* Opens the directory that `path` names. */
bool edit_file_open(struct target *t, struct err *err);

void edit_file_close(struct target *t);

/* What was read, which is that message's file, as layouts parse it. */
struct mail_file edit_file_file(const struct target *t, const struct message *message);

/* Whether the bytes that were read still hold that message, or are as damaged as before. */
bool edit_file_holds(const struct target *t, const struct message *message);

/* Reads the file as it is now and checks that it is still that message and that the step is legal.
 */
bool edit_file_read(struct target *t, const struct message *message, enum status status,
                    struct err *err);
/* Fills `edited` with the file in its new state. */
bool edit_file_edit(struct target *t, enum status status, struct err *err);

/* Always return false: the file is not there any more; or something failed after files have
 * changed, and the error that is there already is kept behind the sentence. */
bool edit_file_say_gone(const struct target *t, struct err *err);
bool edit_file_say_unsure(const struct target *t, struct err *err);

/* Moves it to the archive: the copy there is on disk before the inbox loses its file. */
bool edit_file_archive(struct target *t, const struct message *message, struct err *err);

#endif
