/* What a caller wants to send, checked and as a letter. */
#ifndef LIB_DRAFT_H
#define LIB_DRAFT_H

#include "lib/handle.h"

/* Borrows from the caller's draft. */
struct lib_draft {
    struct letter letter;
    struct send_options how;
    bool preview;
};

/* False with the mistake. The caller frees it in any case. */
bool lib_draft_take(struct lib_draft *taken, const struct swarmutt *mail,
                    const struct swarmutt_draft *draft, struct swarmutt_error *error);
void lib_draft_free(struct lib_draft *taken);

/* Refuses a draft in which one of these is absent; the names are for the sentence. */
bool lib_draft_needs(const struct span *texts, const char *const *names, size_t count,
                     struct swarmutt_error *error);

/* Adds texts that a caller has given in an array. */
bool lib_add_texts(struct span_list *list, const char *const *texts, size_t count, const char *what,
                   struct swarmutt_error *error);

#endif
