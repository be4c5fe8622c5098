/* JSON: a strict, iterative scanner that yields spans of the original text.
 *
 * Nothing is decoded or copied until asked for; a document that is changed differs from the
 * original only in the bytes that were meant (json_edit.h). Equal keys are all reported, in order:
 * readers let the last one win, as Node and Python do. */
#ifndef BASE_JSON_JSON_H
#define BASE_JSON_JSON_H

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#include <stdint.h>

enum { JSON_DEPTH_MAX = 1000 };

enum json_dialect {
    JSON_STRICT, /* RFC 8259; bytes that are not UTF-8 are let through inside strings */
    JSON_PYTHON, /* also NaN, Infinity and -Infinity, which Python writes */
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

/* One value as it stands in the text; the span of a string includes its quotes. */
struct json {
    enum json_kind kind;
    struct span raw;
};

/* A walk over the members of one object or array. Private but for kind and beyond_ascii. */
struct json_walk {
    enum json_kind kind;
    struct span text;
    const char *at, *end;
    const char *problem; /* what is wrong at `at` */
    enum json_dialect dialect;
    bool started, finished;
    bool beyond_ascii; /* some string so far holds a byte above 0x7f */
};

/* Starts on a whole document: a byte order mark and blanks may stand before the value. False, with
 * line and column in the sentence, when the text starts with something else than '{' or '['. */
bool json_open(struct json_walk *walk, struct span text, enum json_dialect dialect,
               struct err *err);
/* The next member, checked to its end; key is JSON_ABSENT in arrays. False at the end of the
 * container and at the first mistake: json_close() tells which. */
bool json_next(struct json_walk *walk, struct json *key, struct json *value);
/* True when the container ended and only blanks follow. Otherwise the sentence says where and why.
 */
bool json_close(struct json_walk *walk, struct err *err);

/* Checks a whole document of any kind in one go. */
bool json_scan(struct span text, enum json_dialect dialect, struct json *value, struct err *err);

/* The key of the first object, at any depth, that holds two equal keys; an absent span when every
 * key is unique. The value must have been scanned before. */
struct span json_duplicate_key(struct json value, struct arena *arena);

/* Takes the next token off valid text, blanks passed over: a string, another scalar (JSON_NUMBER,
 * whatever it is), or one character of punctuation (JSON_ABSENT). For relaying text token by token,
 * which needs no stack. There must be one. */
struct json json_token(const char **at, const char *end);

/* A walk over every key and every other string of a value that was scanned before, whatever their
 * depth, in the order they stand in. Zero-initialise, then set at and end. */
struct json_strings {
    const char *at, *end;
    unsigned depth;   /* containers that are open around the string */
    unsigned deepest; /* the most that were open so far; of the whole value when the walk is over */
    uint32_t object;  /* tells the objects that keys belong to apart */
    uint32_t containers;
    uint32_t open[JSON_DEPTH_MAX];
};

/* False when there is none any more. */
bool json_next_string(struct json_strings *walk, struct json *string, bool *is_key);

/* True when a string, decoded, is that word. */
bool json_is(struct json string, const char *word);

/* The decoded text of a string; borrowed from the value's own text where nothing is escaped, else
 * from the arena. Lone surrogates are kept in three bytes (utf8.h). Absent for other kinds. */
struct span json_text(struct arena *arena, struct json string);

/* Takes one code point off a string's content (without quotes): escapes decoded, pairs joined,
 * lone surrogates as themselves, UTF8_INVALID for bytes that are not UTF-8. */
int32_t json_next_char(struct span *content);

/* The content of a string without its quotes. */
struct span json_content(struct json string);

/* JSON edits: replacing values inside an object, byte for byte the same everywhere else. */

/* One replaced stretch of a text. */
struct json_edit {
    size_t at, len;   /* what goes, as an offset into the original */
    struct span with; /* what comes; borrowed until json_edit_apply() */
};

/* Appends the text with the edits made. Edits must not overlap; they may come in any order. */
void json_edit_apply(struct str *out, struct span text, struct json_edit *edits, size_t count);

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
