/* The doctor: finds problems in the mailboxes and in our local state, gives advice, and repairs
 * what can be repaired without risk.
 *
 * A check is one entry of a table. Checking changes nothing. A repair checks again what it is about
 * to remove or move, and uses the modules that are responsible for locks, files and messages. */
#ifndef STORE_DOCTOR_DOCTOR_H
#define STORE_DOCTOR_DOCTOR_H

#include "base/file/file.h"
#include "store/store.h"

struct exam;
struct doctor;
struct finding;

struct doctor_check {
    const char *word; /* name in output; NULL ends the table */
    bool once;        /* runs once, with an exam that has no source, instead of for each source */
    void (*check)(struct exam *exam);
    /* Parts of the question before a repair: "remove", "stale lock", "stale locks". */
    const char *deed, *one, *many;
    /* Repairs a finding. Returns false, with the reason, if it was left unchanged. NULL: no
     * repair. */
    bool (*fix)(struct exam *exam, const struct finding *finding, struct err *err);
};

extern const struct doctor_check doctor_checks[];

/* A finding. All texts are raw bytes: sanitize them before they reach a terminal. */
struct finding {
    const struct doctor_check *check;
    struct exam *exam;           /* the exam that found it */
    const struct source *source; /* NULL: not in a mailbox */
    bool problem;                /* else a remark */
    struct span path; /* path below the source's root, or another subject; NUL-terminated */
    struct span text, advice;
    bool fixable;
    bool tried, fixed;
    struct err failure; /* why a repair failed */
    /* The object of the repair, if it needs one. */
    struct span dir, name; /* NUL-terminated */
    struct file_id id;
    struct message *message;
    const struct message *twin; /* the copy in the archive */
};

/* All findings. Valid and empty if zero-initialised. */
struct doctor {
    struct finding **findings; /* in the order of the checks */
    size_t count, cap;
    size_t messages, boxes, sources; /* numbers that were examined */
    int64_t now_us;
    struct arena arena;
    struct exam *exams; /* one per source, and one for everything else */
    size_t exam_count;
    const struct doctor_check *check; /* the running check */
};

void doctor_free(struct doctor *doctor);

/* Runs all checks. `now_us` is the present time for times in messages; the age of files and locks
 * is measured by the clock. What cannot be read is a finding, not an error. */
void store_doctor(struct store *store, int64_t now_us, struct doctor *doctor);

/* store_doctor_fix() repairs the findings of one check that can be repaired, and stores the result
 * in each. A finding counts as fixed if store_doctor_confirm(), which checks again, does not find
 * it again. */
bool store_doctor_fix(struct store *store, struct doctor *doctor, const struct doctor_check *check,
                      struct err *err);
void store_doctor_confirm(struct store *store, struct doctor *doctor);

/* Returns the number of findings of a check that can be repaired. */
size_t doctor_fixable(const struct doctor *doctor, const struct doctor_check *check);

#endif
