/* An opened message: fetched without waiting, shown as a page. */
#ifndef UI_OPENED_H
#define UI_OPENED_H

#include "mail/batch.h"
#include "ui/page.h"
#include "ui/ui.h"

/* Zero-initialised shows nothing. */
struct opened {
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
    struct page page;
};

void opened_free(struct opened *opened);

/* From now on this message of the picture; NULL: none. Costs nothing when it is the same one.
 * `of` finds it again when the message has come, in a screen that may be gone by then. */
void opened_show(struct opened *opened, struct screen *screen, const struct message *message,
                 struct opened *(*of)(struct screen *screen));
void opened_draw(struct opened *opened, struct screen *screen, struct grid *grid,
                 const struct area *area);
/* Scrolling, wrapping, raw bytes, all fields; false for anything else. */
bool opened_act(struct opened *opened, struct screen *screen, enum action action,
                struct opened *(*of)(struct screen *screen));

/* Notes here that the person has looked at these messages of the picture. */
void opened_mark_seen(struct ui *ui, const struct message *message);

#endif
