/* Reading the known keys of a JSON object in one pass. */
#ifndef STORE_LAYOUTS_JSON_FIELDS_H
#define STORE_LAYOUTS_JSON_FIELDS_H

#include "base/json/json.h"
#include "base/str.h"

/* Properties of the text that was read. */
struct fields_found {
    enum json_kind kind; /* JSON_ARRAY: it has no keys */
    unsigned flags;      /* of enum message_flag: equal keys, a byte order mark, not UTF-8 */
};

/* Stores the value of the key names[i] in values[i], which stays unchanged if there is none. The
 * last of equal keys counts. Fastest if the names are in the order in which they are usually
 * written. The text is a whole document, or one value of a document, and is checked to its end.
 * Returns false, with the position in the error, if it is invalid. */
bool fields_read(struct span text, enum json_dialect dialect, const char *const *names,
                 size_t count, struct json *values, struct fields_found *found, struct err *err);

/* Returns one member of an object that was checked before; absent if there is none, or the value is
 * not an object. */
struct json fields_member(struct json object, const char *name);

/* Stores a number that is inside a container, as JavaScript reads it. Returns false for other
 * kinds. */
bool fields_number(struct json value, double *number);

/* Hashes the meaning of a value on top of `seed`. The hash does not depend on escapes and
 * indentation. Returns the seed if the value is absent, null or an empty container. */
uint64_t fields_hash(struct json value, uint64_t seed);

#endif
