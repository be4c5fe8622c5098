/* What Python's str() makes of a JSON value. */
#ifndef BASE_PYTHON_STR_H
#define BASE_PYTHON_STR_H

#include "base/json.h"

/* Appends it, not cleaned. A string stands without quotes, strings inside containers with them. */
void python_str(struct str *out, struct json value);

#endif
