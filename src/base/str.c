/* Text: comparing spans, growing strings and lists. */
#include "base/str.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

bool span_ends(struct span text, const char *end)
{
    size_t len = strlen(end);

    return text.len >= len && memcmp(text.at + text.len - len, end, len) == 0;
}

struct span span_without_end(struct span text, const char *end)
{
    if (span_ends(text, end))
        text.len -= strlen(end);
    return text;
}

bool span_starts_nocase(struct span text, const char *start)
{
    size_t len = strlen(start);

    return text.len >= len && strncasecmp(text.at, start, len) == 0;
}

bool span_is_nocase(struct span text, const char *word)
{
    return text.len == strlen(word) && span_starts_nocase(text, word);
}

int span_cmp(struct span a, struct span b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.at, b.at, common) : 0;

    return order ? order : (a.len > b.len) - (a.len < b.len);
}

struct span span_first_line(struct span text)
{
    const char *end = text.len ? memchr(text.at, '\n', text.len) : NULL;

    return (struct span){text.at, end ? (size_t)(end - text.at) : text.len};
}

struct span span_take_line(struct span *text)
{
    struct span line = span_first_line(*text);
    size_t taken = line.len + (line.len < text->len);

    *text = (struct span){text->at + taken, text->len - taken};
    return line;
}

struct span span_trim_end(struct span text)
{
    while (text.len && char_is_blank(text.at[text.len - 1]))
        text.len--;
    return text;
}

struct span span_trim(struct span text)
{
    text = span_trim_end(text);
    while (text.len && char_is_blank(text.at[0])) {
        text.at++;
        text.len--;
    }
    return text;
}

struct span span_take_word(struct span *text)
{
    struct span rest = span_trim(*text), word = {rest.at, 0};

    while (word.len < rest.len && !char_is_blank(rest.at[word.len]))
        word.len++;
    *text = word.len ? (struct span){rest.at + word.len, rest.len - word.len} : rest;
    return word;
}

bool span_split_last(struct span text, char mark, struct span *before, struct span *behind)
{
    const char *at = text.len ? memrchr(text.at, mark, text.len) : NULL;

    if (!at || at == text.at || at + 1 == text.at + text.len)
        return false;
    *before = (struct span){text.at, (size_t)(at - text.at)};
    *behind = (struct span){at + 1, (size_t)(text.at + text.len - at - 1)};
    return true;
}

void str_free(struct str *s)
{
    free(s->at);
    *s = (struct str){0};
}

void str_clear(struct str *s)
{
    s->len = 0;
    if (s->at)
        s->at[0] = '\0';
}

char *str_room(struct str *s, size_t more)
{
    s->at = mem_grow(s->at, &s->cap, s->len + more + 1, 1);
    return s->at + s->len;
}

void str_add(struct str *s, const char *bytes, size_t len)
{
    char *to = str_room(s, len);

    if (len)
        memcpy(to, bytes, len);
    s->len += len;
    s->at[s->len] = '\0';
}

void str_add_span(struct str *s, struct span text)
{
    str_add(s, text.at, text.len);
}

void str_set(struct str *s, struct span text)
{
    str_clear(s);
    str_add_span(s, text);
}

void str_add_path(struct str *s, struct span dir, struct span name)
{
    str_add_span(s, dir);
    if (dir.len)
        str_putc(s, '/');
    str_add_span(s, name);
}

void str_puts(struct str *s, const char *text)
{
    str_add(s, text, strlen(text));
}

void str_putc(struct str *s, char c)
{
    str_add(s, &c, 1);
}

void str_pad(struct str *s, char c, size_t count)
{
    memset(str_room(s, count), c, count);
    s->len += count;
    s->at[s->len] = '\0';
}

void str_add_number(struct str *s, size_t number)
{
    char digits[24];
    size_t at = sizeof digits;

    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    str_add(s, digits + at, sizeof digits - at);
}

void str_add_choice(struct str *s, const char *(*word)(unsigned number))
{
    for (unsigned i = 0; word(i); i++)
        str_addf(s, "%s%s", !i ? "" : word(i + 1) ? ", " : " or ", word(i));
}

void str_addf(struct str *s, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    int need = vsnprintf(NULL, 0, format, args);
    if (need > 0) {
        vsnprintf(str_room(s, (size_t)need), (size_t)need + 1, format, again);
        s->len += (size_t)need;
    }
    va_end(again);
    va_end(args);
}

void span_list_add(struct span_list *list, struct span text)
{
    *mem_push(list->items, list->count, list->cap) = text;
}

bool span_list_has(const struct span_list *list, struct span text)
{
    for (size_t i = 0; i < list->count; i++)
        if (span_eq(list->items[i], text))
            return true;
    return false;
}

void span_list_copy(struct span_list *list, const struct span_list *other, struct arena *arena)
{
    for (size_t i = 0; i < other->count; i++)
        span_list_add(list, arena_copy(arena, other->items[i]));
}

void span_list_free(struct span_list *list)
{
    free(list->items);
    *list = (struct span_list){0};
}
