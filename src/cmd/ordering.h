/* Ordering: what the commands for orders share, and the one way by which all of them are sent. */
#ifndef CMD_ORDERING_H
#define CMD_ORDERING_H

#include "cmd/command.h"
#include "store/order.h"

/* An order on its way, for whoever keeps track of it. Borrowed. */
struct order {
    const char *verb; /* shutdown, mode, assign, rules, escalate */
    enum kind kind;
    struct span agent, team; /* who gets it; without a team where there are none */
    struct span to;          /* the same as the person has named them */
    struct span terms;       /* in a few words, as they were given: clean them */
    const char *id_key;      /* what the id that it has besides its message's is called, or NULL */
    struct span id;          /* that id; absent where nobody's program knows it */
};

/* Sends an order, or shows it with --dry-run, and prints its id and whom it went to, or the
 * message's id where it has no other. Every order goes through here. Returns the exit code. */
int app_order(struct app *app, struct letter *letter, const struct send_options *how,
              const struct order *order);

/* A command's order. The command sets app and the terms. */
struct ordering {
    struct app *app;
    struct order_terms terms;
    struct order_way way;
    struct order_text text;
    struct letter letter;
    struct send_options how;
    const char *id_key;
    struct span to; /* as it was given */
    struct arena arena;
};

/* Finds who gets it, and says on standard error what the person should know about the way there. */
bool ordering_find(struct ordering *ordering, struct span to, struct err *err);
/* Makes the message from the terms. */
bool ordering_make(struct ordering *ordering, struct err *err);
/* Sends it. Returns the exit code. */
int ordering_send(struct ordering *ordering);
void ordering_free(struct ordering *ordering);

/* All of it, for orders that need no more. Returns the exit code. */
int ordering_run(struct ordering *ordering, struct span to);

/* What the person should know about the way that an order takes. */
void ordering_say_way(const struct ordering *ordering);

#endif
