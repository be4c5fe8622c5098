/* Text: borrowed spans, and growing strings that own their bytes. Both may hold any byte. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include "base/mem.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Borrowed bytes, not terminated. at == NULL means absent, which differs from empty. */
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

/* Reports whether it is one of the blanks of ASCII text and of JSON. */
static inline bool char_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool span_ends(struct span text, const char *end);
/* Returns the text without `end`, if it ends with it. */
struct span span_without_end(struct span text, const char *end);

/* Like span_is() and span_starts(), but ignore the case of ASCII letters. */
bool span_is_nocase(struct span text, const char *word);
bool span_starts_nocase(struct span text, const char *start);

/* Compares bytewise; a text comes before a longer one that starts with it. */
int span_cmp(struct span a, struct span b);

/* Return the text up to the first newline, without blanks at its end, and without blanks at both
 * ends. */
struct span span_first_line(struct span text);
struct span span_trim_end(struct span text);
struct span span_trim(struct span text);
/* Removes the first line and its newline from the front of *text; returns it without that. */
struct span span_take_line(struct span *text);
/* Removes the first word, up to a blank, from the front of *text and returns it; empty if there is
 * none. */
struct span span_take_word(struct span *text);
/* Removes `c` from the front of *text; returns false if the text starts with anything else. */
static inline bool span_take_char(struct span *text, char c)
{
    if (!text->len || text->at[0] != c)
        return false;
    text->at++;
    text->len--;
    return true;
}

/* Splits at the last `mark`. Returns false, and sets nothing, if there is none or one side is
 * empty. */
bool span_split_last(struct span text, char mark, struct span *before, struct span *behind);

/* A growing string. Zero-initialised is empty and valid. If `at` is not NULL the content is
 * terminated. */
struct str {
    char *at;
    size_t len, cap;
};

static inline struct span str_span(const struct str *s)
{
    return (struct span){s->at ? s->at : "", s->len};
}

/* Returns the content as a C string; "" if nothing was ever added. Borrowed until the next
 * change. */
static inline const char *str_c(const struct str *s)
{
    return s->at ? s->at : "";
}

void str_free(struct str *s);
void str_clear(struct str *s);
/* Makes room for `more` further bytes and the terminator; returns the address where they go. */
char *str_room(struct str *s, size_t more);
void str_add(struct str *s, const char *bytes, size_t len);
void str_add_span(struct str *s, struct span text);
/* Replaces the content. */
void str_set(struct str *s, struct span text);
void str_puts(struct str *s, const char *text);
void str_putc(struct str *s, char c);
void str_pad(struct str *s, char c, size_t count);
/* Appends a number in decimal, faster than str_addf(). */
void str_add_number(struct str *s, size_t number);
/* Appends DIR/NAME, or NAME alone if the directory is empty. */
void str_add_path(struct str *s, struct span dir, struct span name);
/* Appends "a, b or c" from word(0), word(1) and so on; NULL ends the words. */
void str_add_choice(struct str *s, const char *(*word)(unsigned number));
void str_addf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A list of borrowed texts, which grows by span_list_add(). Zero-initialised is empty and valid. */
struct arena;

struct span_list {
    struct span *items;
    size_t count, cap;
};

void span_list_add(struct span_list *list, struct span text);
bool span_list_has(const struct span_list *list, struct span text);
/* Adds all items of `other`, copied into the arena. */
void span_list_copy(struct span_list *list, const struct span_list *other, struct arena *arena);
void span_list_free(struct span_list *list);

#endif
