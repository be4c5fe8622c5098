/* Sweeping: repeats an operation on a mailbox, and each time makes another storage call of it fail,
 * until there is none left. The operation either succeeds or reports why not, leaks nothing, and
 * removes nothing that was there.
 *
 * It runs in one process: thousands of failures take seconds, and sanitizers check all of them.
 * tests/faults checks the output of commands and the files that they leave. */
#ifndef TESTS_SWEEP_H
#define TESTS_SWEEP_H

#include "tests/formats/world.h"

struct swept {
    void (*prepare)(void); /* runs before anything fails, in a world with a few messages; or NULL */
    /* Runs with a store of its own. Returns false with the sentence in `err`. */
    bool (*run)(struct store *store, struct err *err);
    bool removes; /* messages may be missing afterwards */
};

/* Runs in a world where alice got two messages of carol and one of bob, and has sent one. */
void sweep(size_t format, const struct swept *deed);

/* Changes by other programs to the mailbox at one moment. */
extern const struct others {
    const char *what;
    void (*work)(void);
    bool takes; /* messages move or vanish */
    bool once;  /* the program waits for others that repeat this */
} others[];     /* the last has no words */

/* Calls `work` for each file with mail, with its bytes, and those of the next. */
void each_mail_file(void (*work)(const char *path, struct span bytes, struct span next));
/* Replaces a file atomically, as careful programs do. */
void put_as_others(const char *path, struct span bytes);

/* Runs in the same world without failures; others change the mailbox right before a call of the
 * operation, or before each from that one on. */
void sweep_beside_others(size_t format, const struct swept *deed);

/* Returns the first message to alice in the inbox; NULL with a sentence if there is none. The
 * caller frees the model. */
struct message *first_of_alice(struct store *store, struct model *model, struct err *err);

/* Archives that message; for `prepare`. */
void archive_first(void);

/* A test of the suite for every format. */
#define sweeping(Name) test_every_format(sweeping, Name)

#endif
