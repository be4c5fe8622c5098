/* Making a protocol message from the options of the command line. */
#ifndef CMD_WRITE_MAKING_H
#define CMD_WRITE_MAKING_H

#include "cmd/app.h"
#include "mail/protocol/protocol_table.h"

/* A message on its way from the command line to the text. The caller sets app and the kind. */
struct making {
    const struct app *app;
    const struct protocol_form *form;
    struct protocol message;
    struct span sender;
    int64_t now_us;
    struct str plan, rules, id, time, created, worker, self; /* what fields borrow from */
    struct config config;                                    /* the same; zero where none is read */
};

/* Fills the message. False when an option does not fit the kind, or one that it needs is not there.
 */
bool making_fill(struct making *making, struct err *err);
void making_free(struct making *making);

#endif
