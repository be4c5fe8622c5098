/* Chains: names for threads that are known by their first message alone. */
#ifndef MAIL_THREAD_CHAIN_H
#define MAIL_THREAD_CHAIN_H

#include "mail/message/model.h"

/* Where a layout calls a thread after its first message (place->chained), gives every message that
 * names no thread the name that its chain of answers leads to: the thread of a message that names
 * one, else the id of the first message, there or only spoken of. A circle is called after its
 * oldest message. Linear, whatever the chains look like. */
void chain_name_threads(struct model *model);

#endif
