/* The doctor, inside: what is known about a source while it is looked at, and the checks. */
#ifndef STORE_DOCTOR_DOCTOR_PRIVATE_H
#define STORE_DOCTOR_DOCTOR_PRIVATE_H

#include "mail/message/model.h"
#include "store/doctor/doctor.h"
#include "store/source/address.h"

/* An entry in a directory of mail that is none. */
struct other {
    struct span team, dir, name; /* terminated where present */
    bool taken;                  /* some check knows what it is */
};

struct exam {
    struct doctor *doctor;
    struct store *store;
    const struct source *source; /* NULL: everything that is no mailbox */
    struct err failure;          /* why it could not be looked through, if it could not */
    struct arena arena;
    struct model model;       /* inboxes and archives */
    struct agent_names names; /* boxes and rosters */
    struct map ids;           /* how many messages have an id */
    struct other *others;
    size_t other_count, other_cap;
    size_t dir_count; /* directories that hold mail */
};

/* Adds a finding of the check at work. The path is copied, both texts are taken and emptied. */
struct finding *doctor_find(struct exam *exam, bool problem, struct span path, struct str *text,
                            struct str *advice);

/* Appends a word as a shell takes it. */
void doctor_add_word(struct str *out, struct span word);
/* Appends what names a message in a command: its id or, where that is not enough, its path. */
void doctor_add_id(struct str *out, const struct exam *exam, const struct message *message);
/* Appends "1 unread message" or "2 unread messages". */
void doctor_add_count(struct str *out, size_t count, const char *one, const char *many);

/* Lists the entries that are no mail, and counts the directories. */
bool others_list(struct exam *exam, struct err *err);

/* Calls `tell` for each group of the picked messages that compare as equal, in order. */
typedef bool exam_pick(const struct exam *exam, const struct message *message);
typedef int exam_compare(const struct message *a, const struct message *b);
typedef void exam_tell(struct exam *exam, struct message *const *group, size_t count);
void exam_group(struct exam *exam, exam_pick *pick, exam_compare *compare, exam_tell *tell);

/* How many messages of the source, or of the outbox, have that id. */
size_t exam_knows_id(const struct exam *exam, struct span id);

/* Why a name is not what it looks like; NULL when it is. */
const char *doctor_name_trick(struct span name);

/* doctor_locks.c */
void style_locks(struct exam *exam);
bool fix_lock(struct exam *exam, const struct finding *finding, struct err *err);

/* doctor_files.c */
void style_temporaries(struct exam *exam);
bool fix_temporary(struct exam *exam, const struct finding *finding, struct err *err);
void style_unfinished(struct exam *exam);
void style_saved(struct exam *exam);
void style_not_mail(struct exam *exam);

/* doctor_mail.c */
void style_unreadable(struct exam *exam);
void style_damaged(struct exam *exam);
void style_blind(struct exam *exam);
void style_stray(struct exam *exam);
void style_expired(struct exam *exam);

/* doctor_twice.c */
void style_in_both(struct exam *exam);
void style_same_id(struct exam *exam);
void style_answered(struct exam *exam);
bool fix_archive(struct exam *exam, const struct finding *finding, struct err *err);

/* doctor_boxes.c */
void style_boxes(struct exam *exam);

/* doctor_names.c */
void style_names(struct exam *exam);
void style_unreachable(struct exam *exam);

/* doctor_rosters.c */
void style_rosters(struct exam *exam);

#endif
