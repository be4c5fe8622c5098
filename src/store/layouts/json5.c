/* JSON5: converts token by token, without a stack; the strict scanner checks their order. */
#include "store/layouts/json5.h"

#include "base/json/json.h"

struct relay {
    struct span text;
    const char *at, *end;
    struct str *out;
    char last; /* the last character of the last token, 0 before the first */
    struct err *err;
};

static bool fail_relay(const struct relay *r, const char *problem)
{
    size_t line = 1;

    for (const char *p = r->text.at; p < r->at; p++)
        line += *p == '\n';
    return err_set(r->err, ERR_MESSAGE, "line %zu: %s", line, problem);
}

static bool looking_at(const char *at, const char *end, const char *text)
{
    return span_starts((struct span){at, (size_t)(end - at)}, span_of(text));
}

/* Returns the length of the blank that starts here; 0 if there is none. */
static size_t blank(const char *at, const char *end)
{
    static const char *const wide[] = {"\xc2\xa0", "\xef\xbb\xbf", "\xe2\x80\xa8", "\xe2\x80\xa9"};

    if (at < end && *at && strchr(" \t\n\v\f\r", *at))
        return 1;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (looking_at(at, end, wide[i]))
            return strlen(wide[i]);
    return 0;
}

/* Returns the length of the comment that starts here; 0 if there is none, or it does not end. */
static size_t comment(const char *at, const char *end)
{
    const char *p = at;

    if (looking_at(at, end, "//")) {
        while (p < end && *p != '\n' && *p != '\r')
            p++;
        return (size_t)(p - at);
    }
    if (!looking_at(at, end, "/*"))
        return 0;
    for (p += 2; p < end; p++)
        if (looking_at(p, end, "*/"))
            return (size_t)(p + 2 - at);
    return 0;
}

/* Returns the start of the next token, or the end. */
static const char *skip(const char *at, const char *end)
{
    for (size_t len; (len = blank(at, end)) || (len = comment(at, end));)
        at += len;
    return at;
}

/* Replaces comments by blanks, so that later errors have the right line and column. */
static void relay_blanks(struct relay *r, const char *to)
{
    for (; r->at < to; r->at++)
        str_putc(r->out, *r->at == '\n' ? '\n' : ' ');
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Converts an escape sequence; r->at is after the backslash. */
static bool relay_escape(struct relay *r)
{
    if (r->at >= r->end)
        return fail_relay(r, "a string has no end");
    char c = *r->at++;
    bool digit_follows = r->at < r->end && *r->at >= '0' && *r->at <= '9';

    if (c == '\n' || (c == '\r' && !looking_at(r->at, r->end, "\n"))) {
        return true; /* the string continues on the next line */
    } else if (c == '\r') {
        r->at++;
    } else if (c == 'x') {
        int high = r->end - r->at >= 2 ? hex_digit(r->at[0]) : -1;
        int low = high >= 0 ? hex_digit(r->at[1]) : -1;
        if (low < 0)
            return fail_relay(r, "\\x needs two hexadecimal digits");
        str_addf(r->out, "\\u00%x%x", (unsigned)high, (unsigned)low);
        r->at += 2;
    } else if (c == 'v') {
        str_puts(r->out, "\\u000b");
    } else if (c == '0' && !digit_follows) {
        str_puts(r->out, "\\u0000");
    } else if (c >= '0' && c <= '9') {
        return fail_relay(r, "no such escape in a string");
    } else if (c && strchr("\"\\bfnrtu", c)) {
        str_putc(r->out, '\\');
        str_putc(r->out, c);
    } else if (looking_at(r->at - 1, r->end, "\xe2\x80\xa8") ||
               looking_at(r->at - 1, r->end, "\xe2\x80\xa9")) {
        r->at += 2; /* these also end a line */
    } else if ((unsigned char)c < 0x20) {
        return fail_relay(r, "no such escape in a string");
    } else {
        str_putc(r->out, c);
    }
    return true;
}

static bool relay_string(struct relay *r)
{
    char quote = *r->at++;

    str_putc(r->out, '"');
    while (r->at < r->end && *r->at != quote) {
        char c = *r->at;
        if (c == '\n' || c == '\r')
            return fail_relay(r, "a string has no end in its line");
        r->at++;
        if (c == '\\') {
            if (!relay_escape(r))
                return false;
        } else if (c == '"') {
            str_puts(r->out, "\\\"");
        } else if ((unsigned char)c < 0x20) {
            str_addf(r->out, "\\u%04x", (unsigned)c);
        } else {
            str_putc(r->out, c);
        }
    }
    if (r->at >= r->end)
        return fail_relay(r, "a string has no end");
    r->at++;
    str_putc(r->out, '"');
    r->last = '"';
    return true;
}

static bool is_bare_key(struct span word)
{
    for (size_t i = 0; i < word.len; i++) {
        char c = word.at[i], lower = (char)(c | 0x20);
        bool letter = (lower >= 'a' && lower <= 'z') || c == '$' || c == '_' || (c & 0x80);
        if (!letter && (!i || c < '0' || c > '9'))
            return false;
    }
    return word.len > 0;
}

/* Converts what is neither a string nor punctuation: a key without quotes, a word or a number. */
static bool relay_word(struct relay *r)
{
    struct span word = {r->at, 0};
    struct json value;

    while (r->at < r->end && *r->at && !strchr("{}[]:,\"'/", *r->at) && !blank(r->at, r->end))
        r->at++;
    word.len = (size_t)(r->at - word.at);
    bool key = is_bare_key(word) && looking_at(skip(r->at, r->end), r->end, ":");
    if (key)
        str_putc(r->out, '"');
    else if (!word.len)
        return fail_relay(r, *r->at == '/' ? "a comment has no end, or '/' stands alone"
                                           : "there is a character that cannot be here");
    else if (!json_scan(word, JSON_STRICT, &value, NULL))
        return fail_relay(
            r, "a value is neither true, false, null nor a plain decimal number, and text "
               "needs quotes");
    str_add_span(r->out, word);
    if (key)
        str_putc(r->out, '"');
    r->last = '"';
    return true;
}

static void relay_punctuation(struct relay *r)
{
    const char *next = skip(r->at + 1, r->end);
    bool closes = looking_at(next, r->end, "}") || looking_at(next, r->end, "]");
    bool behind_value = r->last && !strchr("{[,:", r->last);

    if (*r->at != ',' || !closes || !behind_value)
        str_putc(r->out, *r->at);
    r->last = *r->at++;
}

bool json5_to_json(struct str *out, struct span text, struct err *err)
{
    size_t start = out->len;
    struct json value;

    if (!text.len)
        return err_set(err, ERR_MESSAGE, "it is empty");
    struct relay r = {
        .text = text, .at = text.at, .end = text.at + text.len, .out = out, .err = err};
    for (;;) {
        const char *next = skip(r.at, r.end);
        relay_blanks(&r, next);
        if (r.at >= r.end)
            break;
        if (*r.at == '"' || *r.at == '\'') {
            if (!relay_string(&r))
                return false;
        } else if (*r.at && strchr("{}[]:,", *r.at)) {
            relay_punctuation(&r);
        } else if (!relay_word(&r)) {
            return false;
        }
    }
    return json_scan((struct span){out->at + start, out->len - start}, JSON_STRICT, &value, err);
}
