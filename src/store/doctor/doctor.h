/* The doctor: what is wrong in the mailboxes and in what is kept here, what to do about it, and the
 * repair of what can be repaired without a risk.
 *
 * A check is one entry of a table. Looking changes nothing. A repair looks again at what it is
 * about to remove or move, and goes through the modules that locks, files and messages belong to.
 */
#ifndef STORE_DOCTOR_DOCTOR_H
#define STORE_DOCTOR_DOCTOR_H

#include "base/file/file.h"
#include "store/store.h"

struct exam;
struct doctor;
struct finding;

struct doctor_check {
    const char *word; /* in output; NULL ends the table */
    bool once;        /* not for each source, but once: the exam has no source */
    void (*style)(struct exam *exam);
    /* What can be repaired, as a question is made of it: "remove", "stale lock", "stale locks". */
    const char *deed, *one, *many;
    /* False, with the reason, when it is left as it is; NULL: nothing is repaired. */
    bool (*fix)(struct exam *exam, const struct finding *finding, struct err *err);
};

extern const struct doctor_check doctor_checks[];

/* All texts hold raw bytes: clean them before they reach a terminal. */
struct finding {
    const struct doctor_check *check;
    struct exam *exam;           /* where it was found */
    const struct source *source; /* NULL: not in a mailbox */
    bool problem;                /* else a remark */
    struct span path; /* beneath the source's root, or what else it is about; terminated */
    struct span text, advice;
    bool fixable;
    bool tried, fixed;
    struct err failure; /* why a repair was not done */
    /* What the repair is about, where it is needed. */
    struct span dir, name; /* terminated */
    struct file_id id;
    struct message *message;
    const struct message *twin; /* its copy in the archive */
};

/* Zero-initialised is empty and valid. */
struct doctor {
    struct finding **findings; /* in the order of the checks */
    size_t count, cap;
    size_t messages, boxes, sources; /* that were looked at */
    int64_t now_us;
    struct arena arena;
    struct exam *exams; /* one for each source, and one for everything else */
    size_t exam_count;
    const struct doctor_check *check; /* the one at work */
};

void doctor_free(struct doctor *doctor);

/* Looks at everything. `now_us` is the present time for what messages say; what files and locks
 * say is judged by the clock. What cannot be read is a finding, not an error. */
bool store_doctor(struct store *store, int64_t now_us, struct doctor *doctor, struct err *err);

/* Repairs what can be of one check. Each finding says how that went; it counts as fixed when a
 * second look, by doctor_confirm(), does not find it again. */
bool store_doctor_fix(struct store *store, struct doctor *doctor, const struct doctor_check *check,
                      struct err *err);
bool store_doctor_confirm(struct store *store, struct doctor *doctor, struct err *err);

/* How many findings of a check can be repaired. */
size_t doctor_fixable(const struct doctor *doctor, const struct doctor_check *check);

#endif
