/* An opened message: fetched in the background, shown as a page. */
#ifndef UI_MAIL_MESSAGE_VIEW_H
#define UI_MAIL_MESSAGE_VIEW_H

#include "mail/message/message.h"
#include "ui/ui.h"
#include "ui/widget/pager.h"

/* Zero-initialised shows nothing. */
struct message_page {
    struct str key;   /* of the message to show; empty: none */
    uint32_t print;   /* hash of its bytes: it is fetched again when this changes */
    uint64_t asked;   /* number of the fetch in progress; 0: none */
    uint64_t fetches; /* number of fetches begun so far */
    struct batch batch;
    struct arena arena; /* of the head that was fetched: the fetched message borrows from it */
    const struct message *message; /* in the batch; NULL until it was fetched */
    struct str raw;                /* its bytes, after they were requested */
    bool show_raw, all_fields, has_raw;
    bool damaged;       /* true if only its bytes can be shown */
    struct str problem; /* reason why it cannot be shown */
    struct str handoff; /* sentence about its progress, if it is a handoff */
    struct pager pager;
};

void message_view_free(struct message_page *opened);

/* Shows this message of the snapshot from now on; NULL: none. Cheap if it is already shown. The
 * message is fetched for `screen`; the result is dropped if that is closed before it arrives. */
void message_view_show(struct message_page *opened, struct screen *screen,
                       const struct message *message);
void message_view_draw(struct message_page *opened, struct screen *screen, struct grid *grid,
                       const struct area *area);
/* Scrolls, wraps, shows raw bytes or all fields; false for anything else. */
bool message_view_act(struct message_page *opened, struct screen *screen, enum action action);

/* Records in our own state that the person has seen this message. */
void message_view_mark_seen(struct ui *ui, const struct message *message);

#endif
