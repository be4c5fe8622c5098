/* Changing messages that share a file, inside: what change.c leaves to it. */
#ifndef STORE_CHANGE_CHANGE_PRIVATE_H
#define STORE_CHANGE_CHANGE_PRIVATE_H

#include "store/change/change.h"

/* Marks the entries of one array as read: the first and those after it that are not `taken` yet and
 * lie in its file. They are taken then, and have their outcomes. */
void change_array(const struct changing *how, struct message *const *messages, size_t count,
                  struct changed *outcomes, size_t first, bool *taken);

/* The same for what is put away here: the file is read once. */
void change_hidden(const struct changing *how, struct message *const *messages, size_t count,
                   struct changed *outcomes, size_t first, bool *taken);

/* False, with the reason, when the message cannot go from its status to that one. */
bool change_is_step(const struct message *message, enum status status, struct err *err);
/* For what is marked further here than the file can say: another try starts from read. */
bool change_back_to_read(const struct changing *how, const struct message *message,
                         struct err *err);

#endif
