/* The library, inside: what stands behind the handles of swarmutt.h. */
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
    /* While it watches: */
    bool watches, from_start;
    struct watching watching;
    struct querying querying;
    struct lib_event *first, **last; /* that wait to be taken */
    struct lib_event *taken;         /* that the caller has in hand */
};

/* A message that was given out; the caller sees the first member. */
struct lib_message {
    struct swarmutt_message shown;
    const struct swarmutt *mail;
    struct message *head;
    struct message *inbox; /* its copy in the inbox, which may be itself; or NULL */
};

/* Fails with that sentence, which is the caller's mistake. */
bool lib_misused(struct swarmutt_error *error, const char *sentence);
/* Passes an error on. Always returns false. */
bool lib_fail(struct swarmutt_error *error, const struct err *err);
/* Leaves no old error behind. */
void lib_begin(struct swarmutt_error *error);

/* Copies a structure that a caller has filled in and that starts with its size: what is not given
 * is zero; NULL is all zero. `known` is the size that it has here, which it has had from the first
 * edition on. */
bool lib_take(void *copy, size_t known, const void *given, struct swarmutt_error *error);
/* Refuses bits that are not known. */
bool lib_check_flags(unsigned flags, unsigned known, struct swarmutt_error *error);
/* Refuses text that is not UTF-8. NULL is fine. */
bool lib_check_text(const char *text, const char *what, struct swarmutt_error *error);

/* Reads a caller's query; NULL is an empty one. The caller closes it in any case. */
bool lib_query(struct querying *querying, const struct swarmutt *mail, const char *query,
               struct err *err);
/* A copy that lives in the arena. */
struct swarmutt_text lib_text(struct arena *arena, struct span text);

/* Fills in what the caller sees of a message; texts live in the arena. */
void lib_show(struct lib_message *message, struct swarmutt *mail, struct message *head,
              struct message *inbox, struct arena *arena);
/* The message of this handle; NULL with the reason. */
const struct lib_message *lib_message(const struct swarmutt *mail,
                                      const struct swarmutt_message *shown,
                                      struct swarmutt_error *error);

#endif
