/* Threads: which messages belong together. */
#ifndef MAIL_THREAD_H
#define MAIL_THREAD_H

#include "mail/model.h"

/* Each message's thread as a number below `count`, in the order of the model's messages. */
struct threads {
    uint32_t *of;
    size_t count;
};

/* Joins messages of one source by thread id and by what they answer, whichever of the two a
 * message has, or where the layout has neither by the two agents and a subject with "Re:": cycles,
 * missing parents and messages that answer themselves do no harm. */
void threads_build(struct threads *threads, const struct model *model);
void threads_free(struct threads *threads);

#endif
