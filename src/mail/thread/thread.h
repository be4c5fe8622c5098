/* Threads: which messages belong together. */
#ifndef MAIL_THREAD_THREAD_H
#define MAIL_THREAD_THREAD_H

#include "mail/thread/ask.h"

/* Each message's thread as a number below `count`, in the order of the model's messages. */
struct threads {
    uint32_t *of;
    size_t count;
};

/* Joins messages of one source and team by thread id and by what they answer, whichever of the two
 * a message has, or where the layout has neither by the two agents and a subject with "Re:";
 * requests and their answers share a request id, which is their thread id. With asks (else NULL) a
 * plan is also joined with the one that took its place. Cycles, missing parents and messages that
 * answer themselves do no harm, and the order of the messages makes no difference. */
void threads_build(struct threads *threads, const struct model *model, const struct asks *asks);
/* The same in two steps, of which the first needs no asks; the second frees what the first made. */
struct thread_sets;
struct thread_sets *thread_sets_new(const struct model *model);
void threads_number(struct threads *threads, struct thread_sets *sets, const struct asks *asks);
void threads_free(struct threads *threads);

/* The messages of one thread, oldest first but for answers (see thread_arrange()): that of the
 * message which model_find() finds, or which carries this thread id or answers this message. The
 * caller frees the array, not the messages; NULL with the reason when there are none. */
struct message **thread_find(const struct model *model, struct span id, int64_t now_us,
                             size_t *count, struct err *err);

/* Puts messages of one conversation, which are in the order of time, into that of their answers: no
 * message stands before the one that it answers, or that the thread is called after, whatever their
 * times say. The second is for numbers of the model's messages. */
void thread_arrange(struct message **messages, size_t count);
void thread_arrange_numbers(const struct model *model, uint32_t *numbers, size_t count);

/* What a subject is without what answering and priorities add; *answer tells whether it is an
 * answer's. */
struct span thread_subject(struct span subject, bool *answer);

#endif
