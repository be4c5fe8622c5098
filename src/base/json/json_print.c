/* JSON output: printing. */
#include "base/json/json_print.h"

#include "base/json/json_python.h"
#include "base/text/utf8.h"
#include "base/time.h"

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
