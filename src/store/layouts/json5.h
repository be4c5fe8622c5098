/* JSON5: settings that people write by hand, turned into strict JSON. */
#ifndef STORE_LAYOUTS_JSON5_H
#define STORE_LAYOUTS_JSON5_H

#include "base/err.h"
#include "base/str.h"

/* Appends the document as strict JSON, line for line but for strings that go on over several.
 * Comments, commas before the end, keys without quotes, single quotes and the further escapes and
 * blanks of JSON5 are understood; its further kinds of numbers and escapes in bare keys are not.
 * False, with the line in the sentence, for those and for every mistake. */
bool json5_to_json(struct str *out, struct span text, struct err *err);

#endif
