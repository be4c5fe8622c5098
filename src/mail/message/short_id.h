/* Sorted ids: how many characters of an id are needed to make it unique. */
#ifndef MAIL_MESSAGE_SHORT_ID_H
#define MAIL_MESSAGE_SHORT_ID_H

#include "mail/message/model.h"

/* Zero-initialised is empty and valid. */
struct id_order {
    struct span common; /* the start that all ids share */
    uint64_t *starts;   /* the next eight bytes of each id, big-endian; sorted */
    uint32_t *numbers;  /* numbers of the messages, in the same order */
    size_t count;
};

void short_ids_fill(struct id_order *order, const struct model *model);
void short_ids_free(struct id_order *order);

/* Returns the length of the longest start that the id shares with the id of any other message. The
 * first message with exactly that id is the message itself and is skipped, unless *met is true;
 * sets *met then. */
size_t short_ids_common(const struct id_order *order, const struct model *model, struct span id,
                        bool *met);

#endif
