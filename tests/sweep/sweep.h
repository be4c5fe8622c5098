/* Sweeping: something is done to a mailbox again and again, and each time another storage call of
 * it fails, until there is none left. It either succeeds or says why not, leaks nothing, and takes
 * nothing away that was there.
 *
 * It happens in one process: thousands of failures take seconds, and sanitizers see all of them.
 * What commands say and leave behind then is the matter of tests/faults. */
#ifndef TESTS_SWEEP_H
#define TESTS_SWEEP_H

#include "tests/formats/world.h"

struct swept {
    void (*prepare)(void); /* before anything fails, in a world with a few messages; or NULL */
    /* With a store of its own. False with the sentence in `err`. */
    bool (*run)(struct store *store, struct err *err);
    bool removes; /* messages may be gone afterwards */
};

/* In a world where alice got two messages of carol and one of bob, and has sent one. */
void sweep(size_t format, const struct swept *deed);

/* What other programs do to the mailbox at one moment. */
extern const struct others {
    const char *what;
    void (*work)(void);
    bool takes; /* messages are not where they were */
    bool once;  /* who does it again and again is waited for */
} others[];     /* the last has no words */

/* Each file with mail in it, its bytes, and those of the next. */
void each_mail_file(void (*work)(const char *path, struct span bytes, struct span next));
/* As programs do that let nobody see half a file. */
void put_as_others(const char *path, struct span bytes);

/* In the same world, where nothing fails, but others work on the mailbox right before a call of
 * the deed, or before each from that one on. */
void sweep_beside_others(size_t format, const struct swept *deed);

/* The first message to alice in the inbox; NULL with a sentence when there is none. The model is
 * the caller's. */
struct message *first_of_alice(struct store *store, struct model *model, struct err *err);

/* Archives that message: what `prepare` may be. */
void archive_first(void);

/* A test of the suite for every format. */
#define sweeping(Name) test_every_format(sweeping, Name)

#endif
