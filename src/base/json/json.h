/* JSON: a strict, iterative scanner that yields spans of the original text.
 *
 * Nothing is decoded or copied until the caller asks for it; an edited document differs from the
 * original only in the replaced bytes. Equal keys are all reported, in order: readers use the last
 * one, as Node and Python do. */
#ifndef BASE_JSON_JSON_H
#define BASE_JSON_JSON_H

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#include <stdint.h>

enum { JSON_DEPTH_MAX = 1000 };

enum json_dialect {
    JSON_STRICT, /* RFC 8259; bytes that are not UTF-8 are accepted inside strings */
    JSON_PYTHON, /* accepts also NaN, Infinity and -Infinity, which Python writes */
};

enum json_kind {
    JSON_ABSENT, /* zero-initialised: no value at all */
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
};

/* One value as it is in the text; the span of a string includes its quotes. */
struct json {
    enum json_kind kind;
    struct span raw;
};

/* An iterator over the members of one object or array. Private except kind and beyond_ascii. */
struct json_walk {
    enum json_kind kind;
    struct span text;
    const char *at, *end;
    const char *problem; /* the error at `at` */
    enum json_dialect dialect;
    bool started, finished;
    bool beyond_ascii; /* a string so far holds a byte above 0x7f */
};

/* Starts on a whole document: the value may follow a byte order mark and blanks. Returns false,
 * with line and column in the error, if the value starts with anything but '{' or '['. */
bool json_open(struct json_walk *walk, struct span text, enum json_dialect dialect,
               struct err *err);
/* Returns the next member, checked to its end; the key is JSON_ABSENT in arrays. Returns false at
 * the end of the container and at the first error: json_close() distinguishes the two. */
bool json_next(struct json_walk *walk, struct json *key, struct json *value);
/* Returns true if the container ended and only blanks follow. Otherwise the error has the position
 * and the reason. */
bool json_close(struct json_walk *walk, struct err *err);

/* Checks a whole document that may be any kind of value. */
bool json_scan(struct span text, enum json_dialect dialect, struct json *value, struct err *err);

/* Returns the repeated key of the first object, at any depth, that has two equal keys; an absent
 * span if all keys are unique. The value must have been scanned before. */
struct span json_duplicate_key(struct json value, struct arena *arena);

/* Removes the next token from valid text, with the blanks around it: a string, another scalar
 * (JSON_NUMBER, whatever its kind), or one character of punctuation (JSON_ABSENT). For copying text
 * token by token, which needs no stack. There must be a token. */
struct json json_token(const char **at, const char *end);

/* An iterator over every key and every other string of a value that was scanned before, at any
 * depth, in the order of the text. Zero-initialise, then set at and end. */
struct json_strings {
    const char *at, *end;
    unsigned depth;   /* number of containers around the string */
    unsigned deepest; /* the greatest depth so far; at the end, of the whole value */
    uint32_t object;  /* number of the container that directly holds the string */
    uint32_t containers;
    uint32_t open[JSON_DEPTH_MAX];
};

/* Returns false if there are no more strings. */
bool json_next_string(struct json_strings *walk, struct json *string, bool *is_key);

/* Reports whether the value is a string whose decoded text is `word`. */
bool json_is(struct json string, const char *word);

/* Returns the decoded text of a string; borrowed from the value's own text if nothing is escaped,
 * else from the arena. Lone surrogates are kept in three bytes (utf8.h). Absent for other kinds. */
struct span json_text(struct arena *arena, struct json string);

/* Removes one code point from a string's content (without quotes) and returns it: escapes decoded,
 * surrogate pairs joined, lone surrogates unchanged, UTF8_INVALID for bytes that are not UTF-8. */
int32_t json_next_char(struct span *content);

/* Returns the content of a string without its quotes. */
struct span json_content(struct json string);

/* JSON edits: replacing values inside an object; all other bytes stay the same. */

/* One replacement in a text. */
struct json_edit {
    size_t at, len;   /* what is replaced, as an offset into the original */
    struct span with; /* the new text; borrowed until json_edit_apply() */
};

/* Appends the text with the edits applied. Edits must not overlap; they may be in any order, and
 * are sorted. */
void json_edit_apply(struct str *out, struct span text, struct json_edit *edits, size_t count);

/* One member of an object to set. */
struct json_set {
    const char *key;
    struct span raw; /* the new value as JSON text */
};

/* Appends the document, an object, with these members set. Of several equal keys the last one,
 * which readers use, is changed. Missing keys are added after the last member; if that member is on
 * a line of its own, each on a line with the same indentation. */
bool json_set_members(struct str *out, struct span text, enum json_dialect dialect,
                      const struct json_set *sets, size_t count, struct err *err);

#endif
