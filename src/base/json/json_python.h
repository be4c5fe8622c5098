/* Printing a JSON value as Python's str() does. */
#ifndef BASE_JSON_JSON_PYTHON_H
#define BASE_JSON_JSON_PYTHON_H

#include "base/json/json.h"

/* Appends it, not sanitized. A string has no quotes, strings inside containers have them. */
void python_str(struct str *out, struct json value);

/* Appends a number as Python writes it after reading it from JSON: as str() does, or if `json` as
 * json.dumps() does, which differs for NaN and infinity. */
void python_number(struct str *out, struct span raw, bool json);

/* Returns the text without the blanks at its end, as str.rstrip() does. */
struct span python_strip_end(struct span text);

#endif
