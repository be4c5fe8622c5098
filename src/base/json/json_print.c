/* JSON output: printing. */
#include "base/json/json_print.h"

#include "base/text/utf8.h"
#include "base/time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <utf8proc.h>

/* Printing a JSON value as Python's str() does. */

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

/* Appends a number as Python writes it after reading it from JSON: as str() does, or if `json` as
 * json.dumps() does, which differs for NaN and infinity. */
static void python_number(struct str *out, struct span raw, bool json)
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

const struct json_style json_style_python = {.indent = 2, .ascii = true};
const struct json_style json_style_dumps = {.indent = 2, .ascii = true, .repeated = true};
const struct json_style json_style_node = {.indent = 2};
const struct json_style json_style_node_line = {0};
const struct json_style json_style_line = {.ascii = true, .portable = true};

static void put_unit(struct str *out, int32_t unit)
{
    str_addf(out, "\\u%04x", (unsigned)unit);
}

static void put_char(struct str *out, int32_t code, const struct json_style *style)
{
    static const char controls[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
    const char *special = code > 0 && code < 0x80 ? strchr(controls, (char)code) : NULL;

    if (code == UTF8_INVALID)
        code = 0xfffd;
    if (special) {
        str_putc(out, '\\');
        str_putc(out, letters[special - controls]);
    } else if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) {
        put_unit(out, code);
    } else if (code < 0x7f || !style->ascii) {
        utf8_add(out, code);
    } else if (code > 0xffff) {
        put_unit(out, 0xd800 + ((code - 0x10000) >> 10));
        put_unit(out, 0xdc00 + ((code - 0x10000) & 0x3ff));
    } else {
        put_unit(out, code);
    }
}

/* Returns the number of bytes at the start that are printed unchanged in every dialect and mean the
 * same in raw and escaped text. */
static size_t plain_run(struct span text)
{
    size_t i = 0;

    while (i < text.len && text.at[i] >= 0x20 && text.at[i] < 0x7f && text.at[i] != '"' &&
           text.at[i] != '\\')
        i++;
    return i;
}

static bool is_between(int32_t code, int32_t first, int32_t last)
{
    return code >= first && code <= last;
}

/* Returns the next code point. Two adjacent halves of a surrogate pair become one character,
 * because a reader of the output would join them, too. */
static int32_t next_whole(struct span *text, int32_t (*next)(struct span *))
{
    int32_t code = next(text);
    struct span rest = *text;

    if (!is_between(code, 0xd800, 0xdbff) || !rest.len)
        return code;
    int32_t low = next(&rest);
    if (!is_between(low, 0xdc00, 0xdfff))
        return code;
    *text = rest;
    return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
}

static void put_string(struct str *out, struct span text, int32_t (*next)(struct span *),
                       const struct json_style *style)
{
    str_putc(out, '"');
    while (text.len) {
        size_t plain = plain_run(text);
        str_add(out, text.at, plain);
        text.at += plain;
        text.len -= plain;
        if (text.len)
            put_char(out, next_whole(&text, next), style);
    }
    str_putc(out, '"');
}

void json_put_text(struct str *out, struct span text, const struct json_style *style)
{
    put_string(out, text, utf8_next, style);
}

static void put_break(struct str *out, const struct json_style *style, int level)
{
    if (!style->indent)
        return;
    str_putc(out, '\n');
    str_pad(out, ' ', (size_t)style->indent * (size_t)level);
}

static void put_key_end(struct str *out, const struct json_style *style)
{
    str_puts(out, style->indent || style->spaced ? ": " : ":");
}

static void put_scalar(struct str *out, struct json value, const struct json_style *style)
{
    if (value.kind == JSON_STRING)
        put_string(out, json_content(value), json_next_char, style);
    else if (style->portable && value.kind == JSON_NUMBER &&
             memchr(value.raw.at, 'N', value.raw.len))
        str_puts(out, "\"NaN\"");
    else if (style->portable && value.kind == JSON_NUMBER &&
             memchr(value.raw.at, 'I', value.raw.len))
        str_addf(out, "\"%.*s\"", (int)value.raw.len, value.raw.at);
    else if (style->repeated && !strchr("ntf", value.raw.at[0])) /* not null, true or false */
        python_number(out, value.raw, true);
    else
        str_add_span(out, value.raw);
}

void json_put_value(struct str *out, struct json value, const struct json_style *style, int level)
{
    const char *at = value.raw.at, *end = at + value.raw.len;

    while (at < end) {
        struct json token = json_token(&at, end);
        char first = token.raw.at[0];
        if (token.kind != JSON_ABSENT) {
            put_scalar(out, token, style);
        } else if (first == '{' || first == '[') {
            str_putc(out, first);
            if (*at == '}' || *at == ']') /* empty containers stay on one line */
                str_putc(out, *at++);
            else
                put_break(out, style, ++level);
        } else if (first == ':') {
            put_key_end(out, style);
        } else if (first == ',') {
            str_puts(out, style->spaced && !style->indent ? ", " : ",");
            put_break(out, style, level);
        } else {
            put_break(out, style, --level);
            str_putc(out, first);
        }
    }
}

static void put_tree(struct str *out, const cJSON *tree, const struct json_style *style, int level)
{
    bool object = cJSON_IsObject(tree);

    if (cJSON_IsString(tree)) {
        json_put_text(out, span_of(tree->valuestring), style);
    } else if (cJSON_IsRaw(tree)) {
        struct json value;
        if (json_scan(span_of(tree->valuestring), JSON_PYTHON, &value, NULL))
            json_put_value(out, value, style, level);
    } else if (cJSON_IsNumber(tree)) {
        str_addf(out, "%.0f", tree->valuedouble); /* whole: others are raw items */
    } else if (object || cJSON_IsArray(tree)) {
        const cJSON *item;
        str_putc(out, object ? '{' : '[');
        cJSON_ArrayForEach(item, tree)
        {
            put_break(out, style, level + 1);
            if (object) {
                json_put_text(out, span_of(item->string), style);
                put_key_end(out, style);
            }
            put_tree(out, item, style, level + 1);
            if (item->next)
                str_putc(out, ',');
        }
        if (tree->child)
            put_break(out, style, level);
        str_putc(out, object ? '}' : ']');
    } else {
        str_puts(out, cJSON_IsTrue(tree) ? "true" : cJSON_IsFalse(tree) ? "false" : "null");
    }
}

void json_put_tree(struct str *out, const cJSON *tree, const struct json_style *style)
{
    put_tree(out, tree, style, 0);
}

static void put_comma(struct str *out, char opening)
{
    if (out->len && out->at[out->len - 1] != opening)
        str_putc(out, ',');
}

void json_key(struct str *out, const char *key)
{
    put_comma(out, '{');
    str_addf(out, "\"%s\":", key);
}

void json_member(struct str *out, const char *key, struct span text)
{
    json_key(out, key);
    if (text.at)
        json_put_text(out, text, &json_style_line);
    else
        str_puts(out, "null");
}

void json_member_word(struct str *out, const char *key, const char *word)
{
    json_member(out, key, span_of(word));
}

void json_member_null(struct str *out, const char *key)
{
    json_member(out, key, (struct span){0});
}

void json_member_flag(struct str *out, const char *key, bool flag)
{
    json_key(out, key);
    str_puts(out, flag ? "true" : "false");
}

void json_member_number(struct str *out, const char *key, int64_t number)
{
    json_key(out, key);
    str_addf(out, "%lld", (long long)number);
}

void json_member_count(struct str *out, const char *key, size_t count)
{
    json_key(out, key);
    str_addf(out, "%zu", count);
}

void json_item(struct str *out, struct span text)
{
    put_comma(out, '[');
    json_put_text(out, text, &json_style_line);
}

void json_member_list(struct str *out, const char *key, const struct span_list *texts)
{
    json_key(out, key);
    str_putc(out, '[');
    for (size_t i = 0; i < texts->count; i++)
        json_item(out, texts->items[i]);
    str_putc(out, ']');
}

void json_member_time(struct str *out, const char *key, int64_t time_us)
{
    CLEANUP(str_free) struct str text = {0};

    if (time_us != TIME_NONE)
        time_add_utc(&text, time_us);
    json_member(out, key, time_us != TIME_NONE ? str_span(&text) : (struct span){0});
}

void json_member_seconds(struct str *out, const char *key, int64_t since_us, int64_t now_us)
{
    if (since_us == TIME_NONE)
        json_member_null(out, key);
    else
        json_member_number(out, key, since_us < now_us ? (now_us - since_us) / 1000000 : 0);
}

void json_add_text(cJSON *object, const char *key, struct span text)
{
    CLEANUP(str_free) struct str raw = {0};

    if (text.at)
        json_put_text(&raw, text, &json_style_python);
    else
        str_puts(&raw, "null");
    cJSON_AddRawToObject(object, key, str_c(&raw));
}

void json_add_raw(cJSON *object, const char *key, struct span raw)
{
    CLEANUP(str_free) struct str text = {0};

    str_add_span(&text, raw);
    cJSON_AddRawToObject(object, key, str_c(&text));
}
