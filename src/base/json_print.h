/* JSON out: trees built with cJSON, and values of others, printed in the dialect of a layout. */
#ifndef BASE_JSON_PRINT_H
#define BASE_JSON_PRINT_H

#include "base/json.h"

#include <cjson/cJSON.h>

struct json_style {
    int indent;    /* blanks a level; 0 puts everything on one line */
    bool spaced;   /* on one line: a blank behind commas and colons */
    bool ascii;    /* \uXXXX for everything beyond ASCII, DEL included */
    bool portable; /* NaN and Infinity, which no standard knows, become strings */
};

extern const struct json_style json_style_python;    /* json.dump(indent=2) */
extern const struct json_style json_style_node;      /* JSON.stringify(value, null, 2) */
extern const struct json_style json_style_node_line; /* JSON.stringify(value) */
extern const struct json_style
    json_style_line; /* one line, safe for terminals and strict readers */

/* Appends the text as a JSON string. Bytes that are not UTF-8 become U+FFFD. */
void json_put_text(struct str *out, struct span text, const struct json_style *style);

/* Appends someone else's value in our layout: key order, number tokens and equal keys are kept. */
void json_put_value(struct str *out, struct json value, const struct json_style *style, int level);

/* Appends a tree. Numbers in it must be whole and below 2^53; others go in raw. Raw items must hold
 * valid JSON and are relaid as values of others are. */
void json_put_tree(struct str *out, const cJSON *tree, const struct json_style *style);

/* Adds a member whose text may hold any byte; an absent span becomes null. */
void json_add_text(cJSON *object, const char *key, struct span text);
/* Adds a member from JSON text that was scanned before. */
void json_add_raw(cJSON *object, const char *key, struct span raw);

#endif
