/* The review: exactly what would be sent, before it is. */
#ifndef UI_COMPOSE_REVIEW_H
#define UI_COMPOSE_REVIEW_H

#include "ui/compose/outgoing.h"

/* Lays it over the form, and takes over what was previewed. */
void review_open(struct ui *ui, struct outgoing *out);
/* Closes the one that belongs to a form, if there is one. */
void review_close(struct ui *ui, uint64_t form_id);

#endif
