/* Random ids. */
#ifndef BASE_UUID_H
#define BASE_UUID_H

#include "base/str.h"

enum { UUID_LEN = 36 };

/* Appends a new random UUID in lower case. */
void uuid_add(struct str *out);
/* Appends `bytes` random bytes, at most 6, as hexadecimal digits. */
void uuid_add_hex(struct str *out, size_t bytes);
/* Reports whether the text is a UUID, in letters of either case. */
bool uuid_is(struct span text);

#endif
