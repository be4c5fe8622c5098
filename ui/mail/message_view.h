/* An opened message: fetched without waiting, shown as a page. */
#ifndef UI_MAIL_MESSAGE_VIEW_H
#define UI_MAIL_MESSAGE_VIEW_H

#include "mail/message/message.h"
#include "ui/ui.h"
#include "ui/widget/pager.h"

/* Zero-initialised shows nothing. */
struct message_page {
    struct str key;   /* of the message that is to be shown; empty: none */
    uint32_t print;   /* and of its bytes: another one is another text */
    uint64_t asked;   /* the fetch that is waited for; 0: none */
    uint64_t fetches; /* that were begun */
    struct batch batch;
    struct arena arena; /* of the head that it was fetched by: what was fetched borrows from it */
    const struct message *message; /* in the batch; NULL until it is there */
    struct str raw;                /* its bytes, once they were asked for */
    bool show_raw, all_fields, has_raw;
    bool damaged;       /* what can be had of it is its bytes */
    struct str problem; /* why it cannot be shown */
    struct str handoff; /* what became of it, if it is one */
    struct pager pager;
};

void message_view_free(struct message_page *opened);

/* From now on this message of the picture; NULL: none. Costs nothing when it is the same one.
 * `of` finds it again when the message has come, in a screen that may be gone by then. */
void message_view_show(struct message_page *opened, struct screen *screen,
                       const struct message *message);
void message_view_draw(struct message_page *opened, struct screen *screen, struct grid *grid,
                       const struct area *area);
/* Scrolling, wrapping, raw bytes, all fields; false for anything else. */
bool message_view_act(struct message_page *opened, struct screen *screen, enum action action);

/* Notes here that the person has looked at these messages of the picture. */
void message_view_mark_seen(struct ui *ui, const struct message *message);

#endif
