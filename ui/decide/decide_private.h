/* Decide, inside: the screen, and drawing it. */
#ifndef UI_DECIDE_DECIDE_PRIVATE_H
#define UI_DECIDE_DECIDE_PRIVATE_H

#include "ui/decide/decide_foreign.h"
#include "ui/decide/decide_notes.h"
#include "ui/decide/request_page.h"
#include "ui/ui_private.h"
#include "ui/widget/key_set.h"
#include "ui/widget/list.h"

struct decide {
    struct screen screen;
    struct list list; /* item: a message of the model; key: the message's */
    struct request_page shown;
    struct foreign_rows foreign;
    struct decide_notes notes;
    struct key_set tagged;   /* requests */
    struct message selected; /* the head of what is under the cursor, also when it is gone */
    struct arena arena;      /* of it */
    struct str acted;        /* the key of what the person did something to last */
    bool leaves_gone;        /* the person moves on from a request that is gone */
    bool in_list;
};

static inline struct decide *decide_of(struct screen *screen)
{
    return (struct decide *)screen;
}

/* The message of the row under the cursor, or NULL; it may be answered by now. */
const struct message *decide_message_here(const struct decide *decide);

/* How many rows wait for the person. */
size_t decide_waiting(const struct decide *decide);

void decide_draw(struct screen *screen, struct grid *grid, const struct area *area);

#endif
