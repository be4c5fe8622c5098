/* JSON edits: replacing values inside an object, byte for byte the same everywhere else. */
#ifndef BASE_JSON_JSON_EDIT_H
#define BASE_JSON_JSON_EDIT_H

#include "base/json/json.h"

/* One replaced stretch of a text. */
struct json_edit {
    size_t at, len;   /* what goes, as an offset into the original */
    struct span with; /* what comes; borrowed until edit_apply() */
};

/* Appends the text with the edits made. Edits must not overlap; they may come in any order. */
void edit_apply(struct str *out, struct span text, struct json_edit *edits, size_t count);

/* One member of an object to be set. */
struct json_set {
    const char *key;
    struct span raw; /* the new value as JSON text */
};

/* Appends the document, an object, with those members set. Of several equal keys the last one, the
 * one that counts, is changed. Missing keys are added behind the last member, each on a line of its
 * own with that member's indentation when the object is spread over lines. */
bool json_set_members(struct str *out, struct span text, enum json_dialect dialect,
                      const struct json_set *sets, size_t count, struct err *err);

#endif
