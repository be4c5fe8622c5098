/* Whose mail a message is. */
#ifndef STORE_SOURCE_ADDRESS_OWNER_H
#define STORE_SOURCE_ADDRESS_OWNER_H

#include "store/source/source.h"

/* Makes a bare name of ours one agent's: that of the only swarm that has it, or nobody's in any.
 * Refused, with their names, where several swarms have one. */
bool address_narrow(struct source *source, struct err *err);
/* Whether a message is for who we are in the source. */
bool address_is_ours(const struct source *source, const struct message *message);
/* Whether a sender's name at that place means us. */
bool address_is_us(const struct source *source, const struct place *place, struct span name);
/* Sets what a message is to us: for us, from us. A damaged one whose address cannot be read belongs
 * to the box it lies in. */
void address_own(const struct source *source, struct message *message);
/* The same for a message that was just read, and of which kind it is. */
void address_settle(const struct source *source, struct message *message);
/* Refuses what only the owner of a message may do, and says how to be them. Returns false. */
bool address_refuse(const struct source *source, const struct message *message, struct err *err);
/* Whether a message is for whoever is addressed by that name in the source, alone or with all. */
bool address_is_owner(const struct source *source, const struct message *message,
                      struct span agent);
/* Whether who is called that is done with a message by answering it: it goes to the archive then.
 */
bool address_ends_by_answer(const struct source *source, const struct message *message,
                            struct span self);

#endif
