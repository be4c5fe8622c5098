/* Shared by the checks: the data about a source, and the checks themselves. */
#ifndef STORE_DOCTOR_DOCTOR_PRIVATE_H
#define STORE_DOCTOR_DOCTOR_PRIVATE_H

#include "mail/message/model.h"
#include "store/doctor/doctor.h"
#include "store/source/address.h"

/* An entry in a mail directory that is no mail. */
struct other {
    struct span team, dir, name; /* NUL-terminated if present */
    bool taken;                  /* a check has identified it */
};

struct exam {
    struct doctor *doctor;
    struct store *store;
    const struct source *source; /* NULL: everything outside mailboxes */
    struct err failure;          /* why the source could not be examined, if so */
    struct arena arena;
    struct model model;       /* inboxes and archives */
    struct agent_names names; /* boxes and rosters */
    struct map ids;           /* number of messages by id */
    struct other *others;
    size_t other_count, other_cap;
    size_t dir_count; /* number of directories that hold mail */
};

/* Adds a finding of the running check; copies all texts. */
struct finding *doctor_find(struct exam *exam, bool problem, struct span path, struct span text,
                            struct span advice);

/* Appends a word, quoted for a shell if necessary. */
void doctor_add_word(struct str *out, struct span word);
/* Appends the argument that names a message in a command: its id, or its path if the id is not
 * unique. */
void doctor_add_id(struct str *out, const struct exam *exam, const struct message *message);
/* Appends "1 unread message" or "2 unread messages". */
void doctor_add_count(struct str *out, size_t count, const char *one, const char *many);

/* Lists the entries that are no mail, and counts the directories. Returns false if the tree cannot
 * be read. */
bool others_list(struct exam *exam, struct err *err);

/* Calls `tell` for each group of picked messages that compare as equal, in order. */
typedef bool exam_pick(const struct exam *exam, const struct message *message);
typedef int exam_compare(const struct message *a, const struct message *b);
typedef void exam_tell(struct exam *exam, struct message *const *group, size_t count);
void exam_group(struct exam *exam, exam_pick *pick, exam_compare *compare, exam_tell *tell);

/* Returns the number of messages in the source and the outbox that have the id. */
size_t exam_knows_id(const struct exam *exam, struct span id);

/* Returns why a name is not what it seems; NULL if it is. */
const char *doctor_name_trick(struct span name);

/* Locks. */
void check_locks(struct exam *exam);
bool fix_lock(struct exam *exam, const struct finding *finding, struct err *err);

/* Files. */
void check_temporaries(struct exam *exam);
bool fix_temporary(struct exam *exam, const struct finding *finding, struct err *err);
void check_unfinished(struct exam *exam);
void check_saved(struct exam *exam);
void check_not_mail(struct exam *exam);

/* Messages that somebody cannot read or never sees. */
void check_unreadable(struct exam *exam);
void check_damaged(struct exam *exam);
void check_blind(struct exam *exam);
void check_stray(struct exam *exam);
void check_expired(struct exam *exam);

/* Messages that exist twice, or are still in the inbox though they are answered. */
void check_in_both(struct exam *exam);
void check_same_id(struct exam *exam);
void check_answered(struct exam *exam);
bool fix_archive(struct exam *exam, const struct finding *finding, struct err *err);

/* Boxes. */
void check_boxes(struct exam *exam);

/* Names. */
void check_names(struct exam *exam);
void check_unreachable(struct exam *exam);

/* Rosters. */
void check_rosters(struct exam *exam);

#endif
