/* JSON output: trees built with cJSON, and values read from files, printed in the dialect of a
 * layout. */
#ifndef BASE_JSON_JSON_PRINT_H
#define BASE_JSON_JSON_PRINT_H

#include "base/json/json.h"
#include "base/str.h"

#include <cjson/cJSON.h>

/* Printing a JSON value as Python's str() does. */

/* Appends it, not sanitized. A string has no quotes, strings inside containers have them. */
void python_str(struct str *out, struct json value);

/* Returns the text without the blanks at its end, as str.rstrip() does. */
struct span python_strip_end(struct span text);

struct json_style {
    int indent;    /* blanks per level; 0 puts everything on one line */
    bool spaced;   /* on one line: a blank after commas and colons */
    bool ascii;    /* \uXXXX for everything beyond ASCII, and for DEL */
    bool repeated; /* numbers as Python writes them after reading them: 1E5 is 100000.0 */
    bool portable; /* NaN and Infinity, which standard JSON does not have, become strings */
};

extern const struct json_style json_style_python;    /* json.dump(indent=2) */
extern const struct json_style json_style_dumps;     /* json.dumps(indent=2) of parsed JSON */
extern const struct json_style json_style_node;      /* JSON.stringify(value, null, 2) */
extern const struct json_style json_style_node_line; /* JSON.stringify(value) */
extern const struct json_style
    json_style_line; /* one line, safe for terminals and strict readers */

/* Appends the text as a JSON string. Bytes that are not UTF-8 become U+FFFD. */
void json_put_text(struct str *out, struct span text, const struct json_style *style);

/* Appends a value read from a file in this style: key order, number tokens and equal keys are
 * kept. */
void json_put_value(struct str *out, struct json value, const struct json_style *style, int level);

/* Appends a tree. Numbers in it must be whole and below 2^53; add others as raw items. Raw items
 * must hold valid JSON and are laid out again as by json_put_value(). */
void json_put_tree(struct str *out, const cJSON *tree, const struct json_style *style);

/* Append one more member to an object on one line, with a comma before it unless it is the first.
 * An absent text and TIME_NONE become null; the other values are never null. */
void json_member(struct str *out, const char *key, struct span text);
void json_member_word(struct str *out, const char *key, const char *word);
void json_member_flag(struct str *out, const char *key, bool flag);
void json_member_count(struct str *out, const char *key, size_t count);
void json_member_number(struct str *out, const char *key, int64_t number);
void json_member_list(struct str *out, const char *key, const struct span_list *texts);
void json_member_null(struct str *out, const char *key);
/* Appends the time in UTC. */
void json_member_time(struct str *out, const char *key, int64_t time_us);
/* Appends the number of whole seconds since then; 0 if it is in the future. */
void json_member_seconds(struct str *out, const char *key, int64_t since_us, int64_t now_us);
/* Appends the next of a list of texts; the caller has appended the '['. */
void json_item(struct str *out, struct span text);
/* Appends the key alone; the caller appends the value. */
void json_key(struct str *out, const char *key);

/* Adds a member whose text may hold any byte; an absent span becomes null. */
void json_add_text(cJSON *object, const char *key, struct span text);
/* Adds a member from JSON text that was scanned before. */
void json_add_raw(cJSON *object, const char *key, struct span raw);

#endif
