/* A conversation, inside. */
#ifndef UI_MAIL_THREAD_PRIVATE_H
#define UI_MAIL_THREAD_PRIVATE_H

#include "mail/thread/tree.h"
#include "ui/mail/message_page.h"
#include "ui/ui_private.h"
#include "ui/widget/list.h"

struct thread {
    struct screen screen;
    struct list list; /* item: a message of the talk in the order of its tree */
    struct tree tree;
    uint32_t talk; /* in the present picture, or TALK_NONE */
    /* who the message is, should it move: to the archive, say */
    uint32_t source;
    struct str team, box, id;
    uint32_t content; /* of the message, since others may have its id */
    struct message_page opened;
    size_t known; /* messages of others that were there when it was opened or moved in last */
    bool in_list; /* keys move in the list, not in the text */
};

static inline struct thread *thread_of(struct screen *screen)
{
    return (struct thread *)screen;
}

/* NULL when it is not there any more. */
const struct talk *thread_talk(const struct thread *thread);

void thread_draw(struct screen *screen, struct grid *grid, const struct area *area);

#endif
