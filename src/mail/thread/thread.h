/* Threads: naming them, joining messages to threads, and the order and tree of their messages. */
#ifndef MAIL_THREAD_THREAD_H
#define MAIL_THREAD_THREAD_H

#include "mail/message/model.h"
#include "mail/thread/request.h"

struct conversation;
struct conversations;

/* Names the threads of layouts that name a thread after its first message (place->chained). A
 * message without a thread name gets the name at the end of its chain of answers: the thread of a
 * message that has one, else the id of the first message, even if that message is missing. A cycle
 * is named after its oldest message. Linear time for chains of any shape. */
void chain_name_threads(struct model *model);

/* A tree: the messages of a conversation as answers to each other, for drawing. */

enum { TREE_DEPTH_MAX = 12 }; /* deeper messages are drawn at this depth */

struct tree_row {
    uint32_t at;        /* index of the message in its conversation */
    struct span branch; /* text to draw before it: "| +-> "; empty for the first */
};

/* Zero-initialised is empty and valid. */
struct tree {
    struct tree_row *rows; /* each message once: answers below their parent, oldest first */
    size_t count;
    struct arena arena;
};

/* Builds the tree. A message that answers no other message of the conversation is below the first
 * one. */
void tree_build(struct tree *tree, const struct conversations *conversations,
                const struct conversation *conversation);
void tree_free(struct tree *tree);

/* Threads: messages that belong together. */

/* The thread of each message, in the order of the model, as a number below `count`. */
struct threads {
    uint32_t *of;
    size_t count;
};

/* Joins messages of one source and team by thread id and by reply_to, whichever a message has. If
 * the layout has neither, joins by the two agents and a subject with "Re:". Requests and their
 * answers share a request id, which is their thread id. With `asks` (which may be NULL) also joins
 * a plan with the plan that replaced it. Cycles, missing parents and messages that answer
 * themselves are harmless, and the order of the messages makes no difference. */
void threads_build(struct threads *threads, const struct model *model, const struct requests *asks);
/* Like threads_build(), but in two steps. The first needs no asks; the second frees the result of
 * the first. */
struct thread_sets;
struct thread_sets *thread_sets_new(const struct model *model);
void threads_number(struct threads *threads, struct thread_sets *sets, const struct requests *asks);
void threads_free(struct threads *threads);

/* Returns the messages of one thread, oldest first, but answers after the messages they answer. The
 * thread is that of the message that model_find() returns, or of a message that has this thread id
 * or answers this id. The caller frees the array, but not the messages. NULL and an error if there
 * are none. */
struct message **thread_find(const struct model *model, struct span id, int64_t now_us,
                             size_t *count, struct err *err);

/* Reorders messages of one conversation, given in the order of time, so that no message precedes
 * the one that it answers or that its thread is named after, whatever their times are. The numbers
 * are those of the model. */
void thread_arrange_numbers(const struct model *model, uint32_t *numbers, size_t count);

/* Returns the subject without the prefixes of answers and priorities; *answer is set to true if it
 * has the prefix of an answer, else to false. */
struct span thread_subject(struct span subject, bool *answer);

#endif
