/* JSON: the scanner. */
#include "base/json/json.h"

#include "base/text/utf8.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

struct scan {
    const char *at, *end;
    const char *problem;
    enum json_dialect dialect;
    bool beyond_ascii;
};

static const char ends_early[] = "it ends too early (half written?)";

static bool fail(struct scan *s, const char *problem)
{
    s->problem = s->at >= s->end ? ends_early : problem;
    return false;
}

static void skip_blanks(struct scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\r' || *s->at == '\t'))
        s->at++;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Passes over text that neither ends nor interrupts a string: no quote, backslash or control. This
 * is where most of the time of loading a mailbox goes, so it takes as many bytes as it can. */
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
        return fail(s, "");
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
                return fail(s, "\\u needs four hexadecimal digits");
        return true;
    default:
        return fail(s, "no such escape in a string");
    }
}

static bool scan_string(struct scan *s)
{
    s->at++;
    for (;;) {
        s->at = skip_plain(s->at, s->end, &s->beyond_ascii);
        if (s->at >= s->end)
            return fail(s, "");
        unsigned char c = (unsigned char)*s->at;
        if (c == '"') {
            s->at++;
            return true;
        }
        if (c == '\\') {
            if (!scan_escape(s))
                return false;
        } else if (c < 0x20) {
            return fail(s, "a control character stands unescaped in a string");
        } else {
            s->beyond_ascii |= c > 0x7f;
            s->at++;
        }
    }
}

static bool scan_digits(struct scan *s)
{
    if (s->at >= s->end || *s->at < '0' || *s->at > '9')
        return fail(s, "a digit is missing in a number");
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
    return fail(s, "no such word");
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
            return fail(s, "a number starts with a needless zero");
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

/* Everything but containers. */
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
        return fail(s, "a value is missing");
    default:
        *kind = JSON_NUMBER;
        if (*s->at == '-' || (*s->at >= '0' && *s->at <= '9'))
            return scan_number(s);
        return fail(s, "a value is missing");
    }
}

static bool scan_key(struct scan *s)
{
    skip_blanks(s);
    if (s->at >= s->end || *s->at != '"')
        return fail(s, "a key in double quotes is missing");
    if (!scan_string(s))
        return false;
    skip_blanks(s);
    if (s->at >= s->end || *s->at != ':')
        return fail(s, "':' is missing after a key");
    s->at++;
    return true;
}

/* Which of the open containers are objects, one bit each. */
struct nest {
    uint64_t objects[(JSON_DEPTH_MAX + 63) / 64];
    unsigned depth, limit;
};

static bool nest_enter(struct nest *nest, bool object)
{
    if (nest->depth == nest->limit)
        return false;
    uint64_t bit = UINT64_C(1) << (nest->depth % 64);
    uint64_t *word = &nest->objects[nest->depth++ / 64];
    if (bit == 1)
        *word = 0; /* the first of its word; those behind it are yet to come */
    *word = object ? *word | bit : *word & ~bit;
    return true;
}

static bool nest_in_object(const struct nest *nest)
{
    unsigned top = nest->depth - 1;

    return nest->objects[top / 64] >> (top % 64) & 1;
}

/* After a value inside a container: leaves every container that ends here. *more says that
 * another value follows. */
static bool scan_after(struct scan *s, struct nest *nest, bool *more)
{
    *more = false;
    while (nest->depth) {
        bool object = nest_in_object(nest);
        skip_blanks(s);
        if (s->at >= s->end)
            return fail(s, "");
        if (*s->at == ',') {
            s->at++;
            *more = true;
            return !object || scan_key(s);
        }
        if (*s->at != (object ? '}' : ']'))
            return fail(s, object ? "',' or '}' is missing" : "',' or ']' is missing");
        s->at++;
        nest->depth--;
    }
    return true;
}

/* One value of any kind, containers without recursion. `outer` containers are open around it. */
static bool scan_value(struct scan *s, unsigned outer, struct json *value)
{
    struct nest nest;
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
            return fail(s, "");
        if (*s->at == '{' || *s->at == '[') {
            bool object = *s->at == '{';
            kind = object ? JSON_OBJECT : JSON_ARRAY;
            if (!nest_enter(&nest, object))
                return fail(s, "nested too deeply (more than 1000 levels)");
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
    bool ok = s.at < s.end || fail(&s, "");
    if (ok && *s.at == (object ? '}' : ']')) {
        walk->at = s.at + 1;
        walk->finished = true;
        return false;
    }
    if (ok && walk->started) {
        ok = *s.at == ',' || fail(&s, object ? "',' or '}' is missing" : "',' or ']' is missing");
        s.at += ok;
    }
    walk->started = true;
    *key = (struct json){0};
    if (ok && object) {
        skip_blanks(&s);
        const char *start = s.at;
        ok = scan_key(&s);
        if (ok) {
            const char *quote = s.at - 1; /* scan_key() stops behind the ':' */
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
