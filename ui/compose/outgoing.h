/* Outgoing: a copy of a form's contents, from the review to the delivery.
 *
 * Exactly what the person was shown is sent: the previewed messages, byte for byte. */
#ifndef UI_COMPOSE_OUTGOING_H
#define UI_COMPOSE_OUTGOING_H

#include "store/decide/lead_command_send.h"
#include "store/store.h"
#include "ui/compose/form.h"

/* One recipient. If the source is STORE_ANY, the store finds it. */
struct addressee {
    struct span name, team;
    struct send_options how;
    /* set by the preview */
    struct outgoing_message letter;
    struct preview preview;
    struct order_terms terms; /* of a lead command, like the next two */
    struct order_way way;
    struct order_text text;
};

struct outgoing {
    const struct form_spec *spec;
    struct arena arena;
    struct draft_fields fields;
    uint32_t source;      /* that the form is for, or STORE_ANY */
    struct addressee *to; /* of a broadcast none, of a lead command set by the preview */
    size_t count, cap;
    struct message about; /* head of the message that it is about, if has_about */
    bool has_about;
    int64_t now_us;
    /* the form that it belongs to */
    uint64_t form_id; /* id of the screen */
    uint64_t changes;
    struct draft_saver *keeper;
    char id[DRAFT_ID_LEN + 1]; /* id of its draft */
    /* set by the preview */
    struct draft draft; /* of a broadcast, in place of letters */
    struct broadcast plan;
    struct span_list caveats; /* sentences about what is left out and what the person should know */
    struct batch batch;
    /* set by sending */
    struct str said;       /* the recipients reached, with ids and warnings */
    struct span_list left; /* the recipients not reached */
    bool unsure;           /* some of it is unconfirmed */
    struct err err;        /* the first failure; ERR_NONE if there is none */
};

/* Frees it; NULL does nothing. */
void outgoing_free(struct outgoing *out);

/* Makes the preview on a store's thread. `done` gets ownership, with `err` set if it cannot be
 * sent. If the form was closed before, it is freed and `done` is not called. */
void outgoing_preview(struct ui *ui, struct outgoing *out,
                      void (*done)(struct ui *ui, struct outgoing *out));
/* Sends it on a store's thread. `done` gets ownership in any case. */
void outgoing_send(struct ui *ui, struct outgoing *out,
                   void (*done)(struct ui *ui, struct outgoing *out));

/* True while that draft is being sent. */
bool outgoing_has_draft(const struct ui *ui, struct span id);

#endif
