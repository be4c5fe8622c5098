/* JSON5, for settings that people write by hand, converted to strict JSON. */
#ifndef STORE_LAYOUTS_JSON5_H
#define STORE_LAYOUTS_JSON5_H

#include "base/err.h"
#include "base/str.h"

/* Appends the document as strict JSON. Line numbers stay the same, except after strings that span
 * lines. Understands comments, trailing commas, keys without quotes, single quotes, and the
 * additional escapes and blanks of JSON5; not its additional kinds of numbers, nor escapes in keys
 * without quotes. Returns false, with the line in the error, for these and for every mistake. */
bool json5_to_json(struct str *out, struct span text, struct err *err);

#endif
