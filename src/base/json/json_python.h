/* What Python's str() makes of a JSON value. */
#ifndef BASE_JSON_JSON_PYTHON_H
#define BASE_JSON_JSON_PYTHON_H

#include "base/json/json.h"

/* Appends it, not cleaned. A string stands without quotes, strings inside containers with them. */
void python_str(struct str *out, struct json value);

/* Appends a number as Python writes one that it has read from JSON: str() of it, or with `json` as
 * json.dumps() has it, which differs for what is no number. */
void python_number(struct str *out, struct span raw, bool json);

/* The text without the blanks at its end, which are those that str.strip() takes. */
struct span python_strip_end(struct span text);

#endif
