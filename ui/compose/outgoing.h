/* Outgoing: what leaves a form, as a copy of its own, from the review to the delivery.
 *
 * What the person was shown is what is sent: the letters that were previewed, to the byte. */
#ifndef UI_COMPOSE_OUTGOING_H
#define UI_COMPOSE_OUTGOING_H

#include "store/store.h"
#include "ui/compose/form.h"
#include "ui/compose/form_draft.h"

/* One recipient. Where the source is STORE_ANY, the store finds it. */
struct addressee {
    struct span name, team;
    struct send_options how;
};

struct ordered;

struct outgoing {
    const struct form_spec *spec;
    struct arena arena;
    struct draft_fields fields;
    struct addressee *to;
    size_t count;
    struct message about; /* the head of what it is about, if has_about */
    bool has_about;
    int64_t now_us;
    /* whose it is */
    uint64_t form_id; /* of the screen */
    uint64_t changes;
    struct keeper *keeper;
    char id[DRAFT_ID_LEN + 1]; /* of its draft */
    /* once it was previewed */
    struct outgoing_message *letters; /* one for each recipient */
    struct preview *previews;
    struct draft draft; /* of a broadcast, instead of letters */
    struct broadcast plan;
    struct ordered *orders; /* of orders: what each letter says; else NULL */
    size_t lead_count, order_cap;
    struct span_list caveats; /* what is left out, and what should be known */
    struct batch batch;
    /* once it was sent */
    struct str said;       /* to whom it went, with ids and warnings */
    struct span_list left; /* whom it did not reach */
    bool unsure;           /* some of it is not confirmed */
    struct err err;        /* the first failure; ERR_NONE without one */
};

/* Takes over nothing of the form. */
void outgoing_free(struct outgoing *out);

/* Finds out what would be sent; `done` takes it over, with the error when it cannot be sent. Left
 * out, and it is freed, when the form is gone. */
void outgoing_preview(struct ui *ui, struct outgoing *out,
                      void (*done)(struct ui *ui, struct outgoing *out));
/* Sends it; `done` takes it over in any case. */
void outgoing_send(struct ui *ui, struct outgoing *out,
                   void (*done)(struct ui *ui, struct outgoing *out));

/* Whether that draft is being sent. */
bool outgoing_has_draft(const struct ui *ui, struct span id);

#endif
