/* JSON: the scanner, decoding of strings, and edits. */
#include "base/json/json.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#include <stdlib.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The scanner. */

struct scan {
    const char *at, *end;
    const char *problem;
    enum json_dialect dialect;
    bool beyond_ascii;
};

static const char ends_early[] = "it ends too early (half written?)";

static bool fail_scan(struct scan *s, const char *problem)
{
    s->problem = s->at >= s->end ? ends_early : problem;
    return false;
}

static void skip_blanks(struct scan *s)
{
    while (s->at < s->end && char_is_blank(*s->at))
        s->at++;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Skips text that neither ends nor interrupts a string: no quote, backslash or control character.
 * Loading a mailbox spends most of its time here, so it skips 16 or 8 bytes at a time. */
#if defined(__SSE2__)
static const char *skip_plain(const char *at, const char *end, bool *beyond_ascii)
{
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
    const __m128i lowest = _mm_set1_epi8(0x20);

    for (; end - at >= 16; at += 16) {
        __m128i text = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i plain = _mm_cmpeq_epi8(_mm_max_epu8(text, lowest), text);
        __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(text, quote), _mm_cmpeq_epi8(text, slash));
        int mask = _mm_movemask_epi8(_mm_andnot_si128(hit, plain));
        if (_mm_movemask_epi8(text))
            *beyond_ascii = true;
        if (mask != 0xffff)
            return at + __builtin_ctz(~(unsigned)mask);
    }
    return at;
}
#else
static const char *skip_plain(const char *at, const char *end, bool *beyond_ascii)
{
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;

    for (; end - at >= 8; at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        if (word & tops)
            *beyond_ascii = true;
        uint64_t quote = word ^ ones * '"', slash = word ^ ones * '\\';
        uint64_t hit =
            ((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((word - ones * 0x20) & ~word);
        if (hit & tops)
            break;
    }
    return at;
}
#endif

static bool scan_escape(struct scan *s)
{
    if (++s->at >= s->end)
        return fail_scan(s, "");
    switch (*s->at) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        s->at++;
        return true;
    case 'u':
        s->at++;
        for (int i = 0; i < 4; i++, s->at++)
            if (s->at >= s->end || !is_hex(*s->at))
                return fail_scan(s, "\\u needs four hexadecimal digits");
        return true;
    default:
        return fail_scan(s, "no such escape in a string");
    }
}

static bool scan_string(struct scan *s)
{
    s->at++;
    for (;;) {
        s->at = skip_plain(s->at, s->end, &s->beyond_ascii);
        if (s->at >= s->end)
            return fail_scan(s, "");
        unsigned char c = (unsigned char)*s->at;
        if (c == '"') {
            s->at++;
            return true;
        }
        if (c == '\\') {
            if (!scan_escape(s))
                return false;
        } else if (c < 0x20) {
            return fail_scan(s, "a control character stands unescaped in a string");
        } else {
            s->beyond_ascii |= c > 0x7f;
            s->at++;
        }
    }
}

static bool scan_digits(struct scan *s)
{
    if (s->at >= s->end || *s->at < '0' || *s->at > '9')
        return fail_scan(s, "a digit is missing in a number");
    while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
        s->at++;
    return true;
}

static bool scan_word(struct scan *s, const char *word)
{
    size_t len = strlen(word);
    size_t left = (size_t)(s->end - s->at);

    if (left >= len && memcmp(s->at, word, len) == 0) {
        s->at += len;
        return true;
    }
    if (left < len && memcmp(s->at, word, left) == 0)
        s->at = s->end;
    return fail_scan(s, "no such word");
}

static bool scan_number(struct scan *s)
{
    if (*s->at == '-')
        s->at++;
    if (s->dialect == JSON_PYTHON && s->at < s->end && *s->at == 'I')
        return scan_word(s, "Infinity");
    if (s->at < s->end && *s->at == '0') {
        s->at++;
        if (s->at < s->end && *s->at >= '0' && *s->at <= '9')
            return fail_scan(s, "a number starts with a needless zero");
    } else if (!scan_digits(s)) {
        return false;
    }
    if (s->at < s->end && *s->at == '.') {
        s->at++;
        if (!scan_digits(s))
            return false;
    }
    if (s->at < s->end && (*s->at == 'e' || *s->at == 'E')) {
        s->at++;
        if (s->at < s->end && (*s->at == '+' || *s->at == '-'))
            s->at++;
        return scan_digits(s);
    }
    return true;
}

/* Scans any value but a container. */
static bool scan_scalar(struct scan *s, enum json_kind *kind)
{
    switch (*s->at) {
    case '"':
        *kind = JSON_STRING;
        return scan_string(s);
    case 't':
        *kind = JSON_TRUE;
        return scan_word(s, "true");
    case 'f':
        *kind = JSON_FALSE;
        return scan_word(s, "false");
    case 'n':
        *kind = JSON_NULL;
        return scan_word(s, "null");
    case 'N':
    case 'I':
        *kind = JSON_NUMBER;
        if (s->dialect == JSON_PYTHON)
            return scan_word(s, *s->at == 'N' ? "NaN" : "Infinity");
        return fail_scan(s, "a value is missing");
    default:
        *kind = JSON_NUMBER;
        if (*s->at == '-' || (*s->at >= '0' && *s->at <= '9'))
            return scan_number(s);
        return fail_scan(s, "a value is missing");
    }
}

static bool scan_key(struct scan *s)
{
    skip_blanks(s);
    if (s->at >= s->end || *s->at != '"')
        return fail_scan(s, "a key in double quotes is missing");
    if (!scan_string(s))
        return false;
    skip_blanks(s);
    if (s->at >= s->end || *s->at != ':')
        return fail_scan(s, "':' is missing after a key");
    s->at++;
    return true;
}

/* The stack of open containers, one bit each: set for an object. */
struct json_nesting {
    uint64_t objects[(JSON_DEPTH_MAX + 63) / 64];
    unsigned depth, limit;
};

static bool nest_enter(struct json_nesting *nest, bool object)
{
    if (nest->depth == nest->limit)
        return false;
    uint64_t bit = UINT64_C(1) << (nest->depth % 64);
    uint64_t *word = &nest->objects[nest->depth++ / 64];
    if (bit == 1)
        *word = 0; /* first bit of this word: clear the others, which later levels set */
    *word = object ? *word | bit : *word & ~bit;
    return true;
}

static bool nest_in_object(const struct json_nesting *nest)
{
    unsigned top = nest->depth - 1;

    return nest->objects[top / 64] >> (top % 64) & 1;
}

/* Continues after a value inside a container: closes every container that ends here. Sets *more if
 * another value follows. */
static bool scan_after(struct scan *s, struct json_nesting *nest, bool *more)
{
    *more = false;
    while (nest->depth) {
        bool object = nest_in_object(nest);
        skip_blanks(s);
        if (s->at >= s->end)
            return fail_scan(s, "");
        if (*s->at == ',') {
            s->at++;
            *more = true;
            return !object || scan_key(s);
        }
        if (*s->at != (object ? '}' : ']'))
            return fail_scan(s, object ? "',' or '}' is missing" : "',' or ']' is missing");
        s->at++;
        nest->depth--;
    }
    return true;
}

/* Scans one value of any kind, containers without recursion. `outer` is the number of containers
 * around it. */
static bool scan_value(struct scan *s, unsigned outer, struct json *value)
{
    struct json_nesting nest;
    bool more = true;

    nest.depth = 0;
    nest.limit = JSON_DEPTH_MAX - outer;
    skip_blanks(s);
    const char *start = s->at;
    value->kind = JSON_ABSENT;
    while (more) {
        enum json_kind kind;
        skip_blanks(s);
        if (s->at >= s->end)
            return fail_scan(s, "");
        if (*s->at == '{' || *s->at == '[') {
            bool object = *s->at == '{';
            kind = object ? JSON_OBJECT : JSON_ARRAY;
            if (!nest_enter(&nest, object))
                return fail_scan(s, "nested too deeply (more than 1000 levels)");
            s->at++;
            skip_blanks(s);
            bool empty = s->at < s->end && *s->at == (object ? '}' : ']');
            if (value->kind == JSON_ABSENT)
                value->kind = kind;
            if (!empty) {
                if (object && !scan_key(s))
                    return false;
                continue;
            }
            s->at++;
            nest.depth--;
        } else if (!scan_scalar(s, &kind)) {
            return false;
        }
        if (value->kind == JSON_ABSENT)
            value->kind = kind;
        if (!scan_after(s, &nest, &more))
            return false;
    }
    value->raw = (struct span){start, (size_t)(s->at - start)};
    return true;
}

static bool say_where(struct span text, const char *at, const char *problem, struct err *err)
{
    size_t line = 1;
    const char *line_start = text.at;

    for (const char *p = text.at; p < at; p++) {
        if (*p == '\n') {
            line++;
            line_start = p + 1;
        }
    }
    return err_set(err, ERR_MESSAGE, "line %zu, column %zu: %s", line,
                   (size_t)(at - line_start) + 1, problem);
}

bool json_open(struct json_walk *walk, struct span text, enum json_dialect dialect, struct err *err)
{
    struct scan s = {.at = utf8_without_mark(text).at, .end = text.at + text.len};

    *walk = (struct json_walk){.text = text, .end = s.end, .dialect = dialect};
    skip_blanks(&s);
    walk->at = s.at;
    if (s.at >= s.end)
        return err_set(err, ERR_MESSAGE, "it is empty");
    if (*s.at != '{' && *s.at != '[')
        return say_where(text, s.at, "it is not a JSON object or array", err);
    walk->kind = *s.at == '{' ? JSON_OBJECT : JSON_ARRAY;
    walk->at++;
    return true;
}

bool json_next(struct json_walk *walk, struct json *key, struct json *value)
{
    struct scan s = {.at = walk->at, .end = walk->end, .dialect = walk->dialect};
    bool object = walk->kind == JSON_OBJECT;

    if (walk->finished || walk->problem)
        return false;
    skip_blanks(&s);
    bool ok = s.at < s.end || fail_scan(&s, "");
    if (ok && *s.at == (object ? '}' : ']')) {
        walk->at = s.at + 1;
        walk->finished = true;
        return false;
    }
    if (ok && walk->started) {
        ok = *s.at == ',' ||
             fail_scan(&s, object ? "',' or '}' is missing" : "',' or ']' is missing");
        s.at += ok;
    }
    walk->started = true;
    *key = (struct json){0};
    if (ok && object) {
        skip_blanks(&s);
        const char *start = s.at;
        ok = scan_key(&s);
        if (ok) {
            const char *quote = s.at - 1; /* scan_key() stops after the ':' */
            while (*quote != '"')
                quote--;
            *key = (struct json){JSON_STRING, {start, (size_t)(quote + 1 - start)}};
        }
    }
    ok = ok && scan_value(&s, 1, value);
    walk->at = s.at;
    walk->problem = s.problem;
    walk->beyond_ascii |= s.beyond_ascii;
    return ok;
}

bool json_close(struct json_walk *walk, struct err *err)
{
    struct json key, value;

    while (json_next(walk, &key, &value))
        ;
    if (!walk->problem) {
        struct scan s = {.at = walk->at, .end = walk->end};
        skip_blanks(&s);
        walk->at = s.at;
        if (s.at == s.end)
            return true;
        walk->problem = "something follows behind the end";
    }
    return say_where(walk->text, walk->at, walk->problem, err);
}

bool json_scan(struct span text, enum json_dialect dialect, struct json *value, struct err *err)
{
    struct scan s = {
        .at = utf8_without_mark(text).at, .end = text.at + text.len, .dialect = dialect};

    if (!text.len)
        return err_set(err, ERR_MESSAGE, "it is empty");
    if (!scan_value(&s, 0, value))
        return say_where(text, s.at, s.problem, err);
    skip_blanks(&s);
    if (s.at < s.end)
        return say_where(text, s.at, "something follows behind the end", err);
    return true;
}

/* Strings: decoding, comparing, finding repeated keys. */

struct span json_content(struct json string)
{
    return (struct span){string.raw.at + 1, string.raw.len - 2};
}

static bool ends_word(char c)
{
    return char_is_blank(c) || c == ',' || c == ':' || c == ']' || c == '}';
}

struct json json_token(const char **at, const char *end)
{
    while (*at < end && char_is_blank(**at))
        ++*at;
    const char *start = *at;
    struct json token = {.kind = JSON_ABSENT};
    ++*at;
    if (*start == '"') {
        token.kind = JSON_STRING;
        bool escaped = true;
        while (escaped) { /* a quote after an odd number of backslashes is escaped */
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
    while (*at < end && char_is_blank(**at))
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
    CLEANUP(str_free) struct str decoded = {0};
    str_room(&decoded, content.len); /* decoded text is never longer */
    while (content.len) {
        size_t plain = slash ? (size_t)(slash - content.at) : content.len;
        str_add(&decoded, content.at, plain);
        content.at += plain;
        content.len -= plain;
        if (content.len)
            utf8_add(&decoded, json_next_char(&content));
        slash = content.len ? memchr(content.at, '\\', content.len) : NULL;
    }
    return arena_copy(arena, str_span(&decoded));
}

/* Reverses the newest entries, so that the first member is visited first. */
static void reverse_entries(struct json *entries, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct json swapped = entries[i];
        entries[i] = entries[count - 1 - i];
        entries[count - 1 - i] = swapped;
    }
}

struct span json_duplicate_key(struct json value, struct arena *arena)
{
    CLEANUP(mem_free) struct json *open = NULL; /* containers still to be visited */
    size_t count = 0, cap = 0;
    struct span found = {0};
    CLEANUP(map_free) struct map seen = {0};

    *mem_push(open, count, cap) = value;
    while (count && !found.at) {
        struct json_walk walk;
        struct json key, member;
        struct json here = open[--count];
        size_t first = count;
        json_open(&walk, here.raw, JSON_PYTHON, NULL);
        map_free(&seen);
        while (!found.at && walk.kind && json_next(&walk, &key, &member)) {
            bool fresh = true;
            struct span name = json_text(arena, key);
            if (name.at)
                map_put(&seen, name, &fresh);
            if (!fresh)
                found = name;
            if (member.kind == JSON_OBJECT || member.kind == JSON_ARRAY)
                *mem_push(open, count, cap) = member;
        }
        reverse_entries(open + first, count - first);
    }
    return found;
}

static int by_offset(const void *a, const void *b)
{
    const struct json_edit *x = a, *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

void json_edit_apply(struct str *out, struct span text, struct json_edit *edits, size_t count)
{
    size_t done = 0;

    if (count)
        qsort(edits, count, sizeof *edits, by_offset);
    for (size_t i = 0; i < count; i++) {
        str_add(out, text.at + done, edits[i].at - done);
        str_add_span(out, edits[i].with);
        done = edits[i].at + edits[i].len;
    }
    str_add(out, text.at + done, text.len - done);
}

/* Returns the newline and the blanks before this position; empty if anything else precedes it on
 * the line. */
static struct span indentation(struct span text, const char *at)
{
    const char *start = at;

    while (start > text.at && (start[-1] == ' ' || start[-1] == '\t'))
        start--;
    if (start == text.at || start[-1] != '\n')
        return (struct span){"", 0};
    start--;
    return (struct span){start, (size_t)(at - start)};
}

bool json_set_members(struct str *out, struct span text, enum json_dialect dialect,
                      const struct json_set *sets, size_t count, struct err *err)
{
    struct json_walk walk;
    struct json key, value, last_key = {0}, last_value = {0};
    CLEANUP(mem_free) struct json_edit *edits = mem_zero(count + 1, sizeof *edits);
    CLEANUP(str_free) struct str added = {0};

    if (!json_open(&walk, text, dialect, err))
        return false;
    if (walk.kind != JSON_OBJECT)
        return err_set(err, ERR_MESSAGE, "it is an array, not an object");
    const char *inside = walk.at;
    while (json_next(&walk, &key, &value)) {
        last_key = key;
        last_value = value;
        for (size_t i = 0; i < count; i++)
            if (json_is(key, sets[i].key))
                edits[i] = (struct json_edit){(size_t)(value.raw.at - text.at), value.raw.len,
                                              sets[i].raw};
    }
    if (!json_close(&walk, err))
        return false;

    struct span indent = {"", 0};
    if (last_key.kind)
        indent = indentation(text, last_key.raw.at);
    for (size_t i = 0; i < count; i++) {
        if (edits[i].with.at)
            continue;
        if (last_key.kind || added.len)
            str_puts(&added, indent.len ? "," : ", ");
        str_add_span(&added, indent);
        str_addf(&added, "\"%s\": ", sets[i].key);
        str_add_span(&added, sets[i].raw);
    }
    const char *end = last_key.kind ? last_value.raw.at + last_value.raw.len : inside;
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (edits[i].with.at)
            edits[used++] = edits[i];
    if (added.len)
        edits[used++] = (struct json_edit){(size_t)(end - text.at), 0, str_span(&added)};
    json_edit_apply(out, text, edits, used);
    return true;
}
