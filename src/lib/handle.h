/* The library, internals: the structures of the handles in swarmutt.h. */
#ifndef LIB_HANDLE_H
#define LIB_HANDLE_H

#include "lib/swarmutt.h"
#include "store/config/config.h"
#include "store/follow.h"
#include "store/query_run.h"

struct lib_event;

struct swarmutt {
    struct store *store;
    struct config config;
    struct swarmutt_source *sources;
    /* Valid while it watches: */
    bool watches, from_start;
    struct watching watching;
    struct querying querying;
    struct lib_event *first, **last; /* events not returned yet */
    struct lib_event *taken;         /* the event returned last, which the caller borrows */
};

/* A message given to the caller, who sees the first member. */
struct lib_message {
    struct swarmutt_message shown;
    const struct swarmutt *mail;
    struct message *head;
    struct message *inbox; /* its copy in the inbox, which may be itself; or NULL */
};

/* Fails with this sentence as an error of the caller. Always returns false. */
bool lib_misused(struct swarmutt_error *error, const char *sentence);
/* Copies an error to the caller. Always returns false. */
bool lib_fail(struct swarmutt_error *error, const struct err *err);
/* Clears the caller's error. */
void lib_begin(struct swarmutt_error *error);

/* Copies a structure that a caller filled in and that starts with its size: members that are not
 * given are zero; NULL is all zero. `known` is its size in this library, which no edition has had
 * smaller. Refuses a structure that is smaller, or larger with anything but zero in the excess. */
bool lib_take(void *copy, size_t known, const void *given, struct swarmutt_error *error);
/* Refuses unknown flags. */
bool lib_check_flags(unsigned flags, unsigned known, struct swarmutt_error *error);
/* Refuses text that is not UTF-8. Accepts NULL. */
bool lib_check_text(const char *text, const char *what, struct swarmutt_error *error);

/* Parses a caller's query; NULL is an empty one. The caller closes `querying` in any case. */
bool lib_query(struct querying *querying, const struct swarmutt *mail, const char *query,
               struct err *err);
/* Returns a copy in the arena. */
struct swarmutt_text lib_text(struct arena *arena, struct span text);

/* Fills in what the caller sees of a message; the texts are copied into the arena. */
void lib_show(struct lib_message *message, struct swarmutt *mail, struct message *head,
              struct message *inbox, struct arena *arena);
/* Returns the message of this handle, or NULL with the reason. */
const struct lib_message *lib_message(const struct swarmutt *mail,
                                      const struct swarmutt_message *shown,
                                      struct swarmutt_error *error);

#endif
