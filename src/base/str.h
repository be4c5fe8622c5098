/* Text: borrowed spans, and growing strings that own their bytes. Both may hold any byte. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include "base/mem.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Borrowed bytes, not terminated. at == NULL means absent, which is not the same as empty. */
struct span {
    const char *at;
    size_t len;
};

static inline struct span span_of(const char *text)
{
    return (struct span){text, text ? strlen(text) : 0};
}

static inline bool span_eq(struct span a, struct span b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static inline bool span_is(struct span a, const char *word)
{
    return span_eq(a, span_of(word));
}

static inline bool span_starts(struct span text, struct span start)
{
    return text.len >= start.len && (start.len == 0 || memcmp(text.at, start.at, start.len) == 0);
}

bool span_ends(struct span text, const char *end);
/* The text without that end, if it has it. */
struct span span_without_end(struct span text, const char *end);

/* The same whatever the case of (ASCII) letters. */
bool span_is_nocase(struct span text, const char *word);
bool span_starts_nocase(struct span text, const char *start);

/* Orders bytewise; a shorter text comes before a longer one that starts with it. */
int span_cmp(struct span a, struct span b);

/* The text up to the first newline, without blanks at its end, or at both ends. */
struct span span_first_line(struct span text);
struct span span_trim_end(struct span text);
struct span span_trim(struct span text);
/* Takes the first word, up to a blank, off the front; empty when there is none. */
struct span span_take_word(struct span *text);

/* Splits at the last such character. False, and nothing is set, when there is none or a side of it
 * is empty. */
bool span_split_last(struct span text, char mark, struct span *before, struct span *behind);

/* A growing string. Zero-initialised is empty and valid. at is terminated whenever it is not NULL.
 */
struct str {
    char *at;
    size_t len, cap;
};

static inline struct span str_span(const struct str *s)
{
    return (struct span){s->at ? s->at : "", s->len};
}

/* The content as a C string; "" when nothing was ever added. Borrowed until the next change. */
static inline const char *str_c(const struct str *s)
{
    return s->at ? s->at : "";
}

void str_free(struct str *s);
void str_clear(struct str *s);
/* Makes room for `more` further bytes (and the terminator) and returns where they go. */
char *str_room(struct str *s, size_t more);
void str_add(struct str *s, const char *bytes, size_t len);
void str_add_span(struct str *s, struct span text);
/* Replaces the content. */
void str_set(struct str *s, struct span text);
void str_puts(struct str *s, const char *text);
void str_putc(struct str *s, char c);
void str_pad(struct str *s, char c, size_t count);
/* Appends a number in decimal, without what printing takes. */
void str_add_number(struct str *s, size_t number);
/* Appends DIR/NAME, or NAME alone where the directory is empty. */
void str_add_path(struct str *s, struct span dir, struct span name);
/* Appends "a, b or c"; NULL stands behind the last word. */
void str_add_choice(struct str *s, const char *(*word)(unsigned number));
void str_addf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A list of texts. */

/* Grows by span_list_add(); the texts are borrowed. Zero-initialised is empty and valid. */
struct arena;

struct span_list {
    struct span *items;
    size_t count, cap;
};

void span_list_add(struct span_list *list, struct span text);
bool span_list_has(const struct span_list *list, struct span text);
/* Adds all of the other one, copied into the arena. */
void span_list_copy(struct span_list *list, const struct span_list *other, struct arena *arena);
void span_list_free(struct span_list *list);

#endif
