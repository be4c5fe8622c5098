/* Ids in their order, to tell how much of one is needed to mean no other. */
#ifndef MAIL_MESSAGE_SHORT_ID_H
#define MAIL_MESSAGE_SHORT_ID_H

#include "mail/message/model.h"

/* Zero-initialised is empty and valid. */
struct id_order {
    struct span common; /* what all ids start with */
    uint64_t *starts;   /* of what follows, as it compares; in order */
    uint32_t *numbers;  /* of the messages */
    size_t count;
};

void short_ids_fill(struct id_order *order, const struct model *model);
void short_ids_free(struct id_order *order);

/* How many bytes the id has in common with that of any other message, at most. One message with
 * that very id is the one that is meant, unless *met says that it was met already. */
size_t short_ids_common(const struct id_order *order, const struct model *model, struct span id,
                        bool *met);

#endif
