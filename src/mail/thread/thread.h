/* Chains: names for threads that are known by their first message alone. */
#ifndef MAIL_THREAD_THREAD_H
#define MAIL_THREAD_THREAD_H

#include "mail/message/model.h"
#include "mail/thread/conversation.h"
#include "mail/thread/request.h"

/* Where a layout calls a thread after its first message (place->chained), gives every message that
 * names no thread the name that its chain of answers leads to: the thread of a message that names
 * one, else the id of the first message, there or only spoken of. A circle is called after its
 * oldest message. Linear, whatever the chains look like. */
void chain_name_threads(struct model *model);

/* A tree: the messages of a conversation as answers to each other, for drawing. */

enum { TREE_DEPTH_MAX = 12 }; /* what is deeper is drawn at this depth */

struct tree_row {
    uint32_t at;        /* the message in its talk */
    struct span branch; /* what is drawn before it: "| +-> "; empty for the first */
};

/* Zero-initialised is empty and valid. */
struct conversation;
struct conversations;

struct tree {
    struct tree_row *rows; /* each message once: answers below what they answer, oldest first */
    size_t count;
    struct arena arena;
};

/* What says of nothing in the talk that it answers it belongs to the first message. */
void tree_build(struct tree *tree, const struct conversations *conversations,
                const struct conversation *conversation);
void tree_free(struct tree *tree);

/* Threads: which messages belong together. */

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
void thread_arrange_numbers(const struct model *model, uint32_t *numbers, size_t count);

/* What a subject is without what answering and priorities add; *answer tells whether it is an
 * answer's. */
struct span thread_subject(struct span subject, bool *answer);

#endif
