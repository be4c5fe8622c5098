/* A tree: the messages of a conversation as answers to each other, for drawing. */
#ifndef MAIL_THREAD_TREE_H
#define MAIL_THREAD_TREE_H

#include "mail/thread/talk.h"

enum { TREE_DEPTH_MAX = 12 }; /* what is deeper is drawn at this depth */

struct tree_row {
    uint32_t at;        /* the message in its talk */
    struct span branch; /* what is drawn before it: "| +-> "; empty for the first */
};

/* Zero-initialised is empty and valid. */
struct tree {
    struct tree_row *rows; /* each message once: answers below what they answer, oldest first */
    size_t count;
    struct arena arena;
};

/* What says of nothing in the talk that it answers it belongs to the first message. */
void tree_build(struct tree *tree, const struct talks *talks, const struct talk *talk);
void tree_free(struct tree *tree);

#endif
