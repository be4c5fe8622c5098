/* Fields: the keys of a JSON object that a layout knows, gathered in one pass. */
#ifndef STORE_LAYOUTS_JSON_FIELDS_H
#define STORE_LAYOUTS_JSON_FIELDS_H

#include "base/json/json.h"
#include "base/str.h"

/* What was met on the way. */
struct fields_found {
    enum json_kind kind; /* JSON_ARRAY: there were no keys to gather */
    unsigned flags;      /* of enum message_flag: equal keys, a byte order mark, bytes not UTF-8 */
};

/* Puts the value of names[i] into values[i], and leaves it as it was where there is none; of equal
 * keys the last one counts. Fastest when the names are in the order they are usually written in.
 * The text is a whole document, or one value of another; it is checked to its end, and false, with
 * the place in the sentence, is a mistake in it. */
bool fields_read(struct span text, enum json_dialect dialect, const char *const *names,
                 size_t count, struct json *values, struct fields_found *found, struct err *err);

/* One member of an object that was checked before; absent when it has none, or is no object. */
struct json fields_member(struct json object, const char *name);

/* A number that stands inside a container, as JavaScript takes it; false for other kinds. */
bool fields_number(struct json value, double *number);

/* Hashes what a value means, on top of `seed`: the same for all programs, however they escape and
 * indent. A value that is absent, null or an empty container leaves the seed as it is. */
uint64_t fields_hash(struct json value, uint64_t seed);

#endif
