/* Printing a JSON value as Python's str() does. */
#include "base/json/json_python.h"

#include "base/text/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <utf8proc.h>

enum { DIGITS_MAX = 17 };

/* Reports whether repr() prints it unchanged: not for blanks other than ' ', control, format and
 * unassigned characters. */
static bool is_printable(int32_t code)
{
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return false;
    case UTF8PROC_CATEGORY_ZS:
        return code == ' ';
    default:
        return true;
    }
}

static void put_escape(struct str *out, int32_t code)
{
    char letter = code < 0x100 ? 'x' : code < 0x10000 ? 'u' : 'U';
    int digits = code < 0x100 ? 2 : code < 0x10000 ? 4 : 8;

    str_addf(out, "\\%c%0*x", letter, digits, (unsigned)code);
}

/* Appends a string as repr() writes it: in single quotes, unless it holds those and no double
 * quotes. */
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
        else if (code == UTF8_INVALID)
            utf8_add(out, 0xfffd);
        else if (is_printable(code))
            utf8_add(out, code);
        else
            put_escape(out, code);
    }
    str_putc(out, quote);
}

/* Finds the fewest digits that are read as the same number again. Returns the position of the
 * decimal point; 0 is before the first digit. */
static int shortest_digits(double number, char digits[DIGITS_MAX + 1])
{
    char text[64];
    int precision = 0;

    do
        snprintf(text, sizeof text, "%.*e", precision, number);
    while (strtod(text, NULL) != number && ++precision < DIGITS_MAX);
    char *exponent = strchr(text, 'e');
    size_t count = 0;
    for (const char *at = text; at < exponent; at++)
        if (*at >= '0' && *at <= '9')
            digits[count++] = *at;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    digits[count] = '\0';
    return atoi(exponent + 1) + 1;
}

/* Appends it as repr() of a float: 1.5, 100000.0, 1e+16, 1e-05. */
static void put_float(struct str *out, double number)
{
    char digits[DIGITS_MAX + 1];

    if (signbit(number))
        str_putc(out, '-');
    number = fabs(number);
    int point = shortest_digits(number, digits), count = (int)strlen(digits);
    if (point > 16 || point < -3) {
        str_addf(out, "%c%s%se%c%02d", digits[0], count > 1 ? "." : "", digits + 1,
                 point > 0 ? '+' : '-', point > 0 ? point - 1 : 1 - point);
    } else if (point <= 0) {
        str_puts(out, "0.");
        str_pad(out, '0', (size_t)-point);
        str_puts(out, digits);
    } else {
        str_add(out, digits, (size_t)(count < point ? count : point));
        str_pad(out, '0', (size_t)(count < point ? point - count : 0));
        str_addf(out, ".%s", count > point ? digits + point : "0");
    }
}

void python_number(struct str *out, struct span raw, bool json)
{
    bool whole = !memchr(raw.at, '.', raw.len) && !memchr(raw.at, 'e', raw.len) &&
                 !memchr(raw.at, 'E', raw.len);
    CLEANUP(str_free) struct str text = {0};

    str_add_span(&text, raw);
    double number = strtod(str_c(&text), NULL);
    if (memchr(raw.at, 'N', raw.len))
        str_puts(out, json ? "NaN" : "nan");
    else if (isinf(number) && (!whole || memchr(raw.at, 'I', raw.len)))
        str_addf(out, "%s%s", number < 0 ? "-" : "", json ? "Infinity" : "inf");
    else if (whole)
        str_add_span(out, span_is(raw, "-0") ? span_of("0") : raw);
    else
        put_float(out, number);
}

static bool is_blank(int32_t code)
{
    return (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x20) || code == 0x85 ||
           code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
           code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

struct span python_strip_end(struct span text)
{
    struct span rest = text;

    for (text.len = 0; rest.len;)
        if (!is_blank(utf8_next(&rest)))
            text.len = (size_t)(rest.at - text.at);
    return text;
}

static void put_word(struct str *out, struct span word)
{
    static const struct {
        const char *json, *python;
    } words[] = {{"null", "None"}, {"true", "True"}, {"false", "False"}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (span_is(word, words[i].json)) {
            str_puts(out, words[i].python);
            return;
        }
    }
    python_number(out, word, false);
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
    /* The text is valid: strings, words and punctuation need no stack. */
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
