/* Ordering: what the commands for orders share, and the one way by which all of them are sent. */
#ifndef CMD_WRITE_ORDERING_H
#define CMD_WRITE_ORDERING_H

#include "cmd/app.h"
#include "store/decide/order.h"

/* A command's order. The command sets app and the terms. */
struct ordering {
    struct app *app;
    struct order_terms terms;
    struct order_way way;
    struct order_text text;
    struct letter letter;
    struct send_options how;
    const char *id_key; /* what the id that it has besides its message's is called, or NULL */
    struct span to;     /* as the person has named them */
    struct arena arena;
};

/* Finds who gets it, and says on standard error what the person should know about the way there. */
bool ordering_find(struct ordering *ordering, struct span to, struct err *err);
/* Makes the message from the terms. */
bool ordering_make(struct ordering *ordering, struct err *err);
/* Sends it, or shows it with --dry-run, and prints its id and whom it went to, or the message's id
 * where it has no other. Every order goes through here. Returns the exit code. */
int ordering_send(struct ordering *ordering);
/* The same to one of many, as it was planned. */
int ordering_send_to(struct ordering *ordering, const struct draft *planned);
void ordering_free(struct ordering *ordering);

/* All of it, for orders that need no more. Returns the exit code. */
int ordering_run(struct ordering *ordering, struct span to);

/* What the person should know about the way that an order takes. */
void ordering_say_way(const struct ordering *ordering);

#endif
