/* What Python's str() makes of a JSON value. */
#include "base/python_str.h"

#include "base/utf8.h"

/* A string as repr() writes it: in single quotes, unless it holds those and no double ones. */
static void put_repr(struct str *out, struct json string)
{
    struct span content = json_content(string), rest = content;
    bool single = false, twofold = false;

    while (rest.len) {
        int32_t code = json_next_char(&rest);
        single |= code == '\'';
        twofold |= code == '"';
    }
    char quote = single && !twofold ? '"' : '\'';
    str_putc(out, quote);
    while (content.len) {
        int32_t code = json_next_char(&content);
        if (code == quote || code == '\\')
            str_addf(out, "\\%c", (int)code);
        else if (code == '\n' || code == '\r' || code == '\t')
            str_puts(out, code == '\n' ? "\\n" : code == '\r' ? "\\r" : "\\t");
        else if ((code >= 0 && code < 0x20) || code == 0x7f)
            str_addf(out, "\\x%02x", (unsigned)code);
        else if (code >= 0xd800 && code <= 0xdfff)
            str_addf(out, "\\u%04x", (unsigned)code);
        else
            utf8_add(out, code == UTF8_INVALID ? 0xfffd : code);
    }
    str_putc(out, quote);
}

static void put_word(struct str *out, struct span word)
{
    static const struct {
        const char *json, *python;
    } words[] = {{"null", "None"}, {"true", "True"},    {"false", "False"},
                 {"NaN", "nan"},   {"Infinity", "inf"}, {"-Infinity", "-inf"}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (span_is(word, words[i].json)) {
            str_puts(out, words[i].python);
            return;
        }
    }
    str_add_span(out, word);
}

static void put_plain(struct str *out, struct json string)
{
    struct span content = json_content(string);

    while (content.len) {
        int32_t code = json_next_char(&content);
        utf8_add(out, code == UTF8_INVALID ? 0xfffd : code);
    }
}

void python_str(struct str *out, struct json value)
{
    const char *at = value.raw.at, *end = at + value.raw.len;

    if (value.kind == JSON_STRING) {
        put_plain(out, value);
        return;
    }
    /* The text is known to be valid: strings, words and punctuation need no stack. */
    while (at < end) {
        struct json token = json_token(&at, end);
        char first = token.raw.at[0];
        if (token.kind == JSON_STRING)
            put_repr(out, token);
        else if (first == ',' || first == ':')
            str_addf(out, "%c ", first);
        else if (token.kind == JSON_ABSENT)
            str_putc(out, first);
        else
            put_word(out, token.raw);
    }
}
