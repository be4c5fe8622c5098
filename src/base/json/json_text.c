/* JSON: what the strings mean: decoding, comparing, finding keys that stand twice. */
#include "base/json/json.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#include <stdlib.h>

struct span json_content(struct json string)
{
    return (struct span){string.raw.at + 1, string.raw.len - 2};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool ends_word(char c)
{
    return is_blank(c) || c == ',' || c == ':' || c == ']' || c == '}';
}

struct json json_token(const char **at, const char *end)
{
    while (*at < end && is_blank(**at))
        ++*at;
    const char *start = *at;
    struct json token = {.kind = JSON_ABSENT};
    ++*at;
    if (*start == '"') {
        token.kind = JSON_STRING;
        bool escaped = true;
        while (escaped) { /* a quote is, after an odd number of backslashes */
            const char *quote = memchr(*at, '"', (size_t)(end - *at)), *before = quote;
            while (before[-1] == '\\')
                before--;
            escaped = (quote - before) % 2;
            *at = quote + 1;
        }
    } else if (!ends_word(*start) && *start != '{' && *start != '[') {
        token.kind = JSON_NUMBER;
        while (*at < end && !ends_word(**at))
            ++*at;
    }
    token.raw = (struct span){start, (size_t)(*at - start)};
    while (*at < end && is_blank(**at))
        ++*at;
    return token;
}

bool json_next_string(struct json_strings *walk, struct json *string, bool *is_key)
{
    while (walk->at < walk->end) {
        *string = json_token(&walk->at, walk->end);
        char first = string->raw.at[0];
        if (string->kind == JSON_STRING) {
            *is_key = walk->at < walk->end && *walk->at == ':';
            walk->object = walk->depth ? walk->open[walk->depth - 1] : 0;
            return true;
        }
        if (string->kind == JSON_ABSENT && (first == '{' || first == '[')) {
            walk->open[walk->depth++] = walk->containers++;
            if (walk->deepest < walk->depth)
                walk->deepest = walk->depth;
        } else if (string->kind == JSON_ABSENT && (first == '}' || first == ']')) {
            walk->depth--;
        }
    }
    return false;
}

static int32_t hex4(const char *at)
{
    int32_t code = 0;

    for (int i = 0; i < 4; i++) {
        char c = at[i];
        int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
        code = code << 4 | digit;
    }
    return code;
}

int32_t json_next_char(struct span *content)
{
    static const char letters[] = "bfnrt", controls[] = "\b\f\n\r\t";

    if (content->at[0] != '\\')
        return utf8_next(content);
    char c = content->at[1];
    if (c != 'u') {
        content->at += 2;
        content->len -= 2;
        const char *letter = strchr(letters, c);
        return letter ? controls[letter - letters] : c;
    }
    int32_t code = hex4(content->at + 2);
    content->at += 6;
    content->len -= 6;
    if (code >= 0xd800 && code <= 0xdbff && content->len >= 6 && content->at[0] == '\\' &&
        content->at[1] == 'u') {
        int32_t low = hex4(content->at + 2);
        if (low >= 0xdc00 && low <= 0xdfff) {
            content->at += 6;
            content->len -= 6;
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
    }
    return code;
}

bool json_is(struct json string, const char *word)
{
    if (string.kind != JSON_STRING)
        return false;
    struct span content = json_content(string), want = span_of(word);
    if (span_eq(content, want))
        return !memchr(want.at, '\\', want.len);
    if (!memchr(content.at, '\\', content.len))
        return false;
    while (content.len && want.len)
        if (json_next_char(&content) != utf8_next(&want))
            return false;
    return !content.len && !want.len;
}

struct span json_text(struct arena *arena, struct json string)
{
    if (string.kind != JSON_STRING)
        return (struct span){0};
    struct span content = json_content(string);
    const char *slash = memchr(content.at, '\\', content.len);
    if (!slash)
        return content;
    struct str decoded = {0};
    str_room(&decoded, content.len); /* decoding makes nothing longer */
    while (content.len) {
        size_t plain = slash ? (size_t)(slash - content.at) : content.len;
        str_add(&decoded, content.at, plain);
        content.at += plain;
        content.len -= plain;
        if (content.len)
            utf8_add(&decoded, json_next_char(&content));
        slash = content.len ? memchr(content.at, '\\', content.len) : NULL;
    }
    struct span text = arena_copy(arena, str_span(&decoded));
    str_free(&decoded);
    return text;
}

/* Turns the newest entries round, so that the first member is looked into first. */
static void reverse(struct json *entries, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct json swapped = entries[i];
        entries[i] = entries[count - 1 - i];
        entries[count - 1 - i] = swapped;
    }
}

struct span json_duplicate_key(struct json value, struct arena *arena)
{
    struct json *open = NULL; /* containers still to be looked into */
    size_t count = 0, cap = 0;
    struct span found = {0};
    struct map seen = {0};

    open = mem_grow(open, &cap, 1, sizeof *open);
    open[count++] = value;
    while (count && !found.at) {
        struct json_walk walk;
        struct json key, member;
        struct err err;
        struct json here = open[--count];
        size_t first = count;
        json_open(&walk, here.raw, JSON_PYTHON, &err);
        map_free(&seen);
        while (!found.at && walk.kind && json_next(&walk, &key, &member)) {
            bool fresh = true;
            struct span name = json_text(arena, key);
            if (name.at)
                map_put(&seen, name, &fresh);
            if (!fresh)
                found = name;
            if (member.kind != JSON_OBJECT && member.kind != JSON_ARRAY)
                continue;
            open = mem_grow(open, &cap, count + 1, sizeof *open);
            open[count++] = member;
        }
        reverse(open + first, count - first);
    }
    map_free(&seen);
    free(open);
    return found;
}
