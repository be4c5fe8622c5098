/* Documents: JSON for reading. It is laid out token by token, so any nesting works. */
#include "base/err.h"
#include "mail/page/page.h"

enum { STEP = 2 }; /* columns per level */

struct printing {
    struct writer *w;
    const char *at, *end;
    char open[JSON_DEPTH_MAX + 1]; /* the brackets around the current value */
    size_t depth;
    size_t dashes;   /* number of array elements that start with the value written next */
    struct json key; /* of the value that is written next */
    struct str lead, next;
};

/* True if the key needs no quotes: nothing but a key looks like it. */
static bool is_plain_key(struct span key)
{
    for (size_t i = 0; i < key.len; i++) {
        char c = key.at[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && !memchr("_./@$", c, 5) && !(i && c == '-') &&
            !(c == ' ' && i && i + 1 < key.len && key.at[i - 1] != ' '))
            return false;
    }
    return key.len > 0;
}

static bool is_number(struct span text)
{
    struct json value;

    return memchr("-0123456789", text.at[0], 11) && json_scan(text, JSON_STRICT, &value, NULL) &&
           value.kind == JSON_NUMBER;
}

/* True if the text could be taken for something else without quotes. */
static bool wants_quotes(struct span text, bool element)
{
    static const char *const words[] = {"null", "true", "false",    "NaN",
                                        "{}",   "[]",   "Infinity", "-Infinity"};

    if (!text.len || !span_eq(span_trim(text), text) || text.at[0] == '"' || is_number(text))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_is(text, words[i]))
            return true;
    return element && (text.at[0] == '-' || memmem(text.at, text.len, ": ", 2) ||
                       text.at[text.len - 1] == ':');
}

/* Starts a line at the current level: indent, dashes, key. A level for which there is no room is
 * shown as its number. */
static void open_line(struct printing *p)
{
    struct writer *w = p->w;
    size_t level = p->depth ? p->depth - 1 : 0, most = writer_half(w) / STEP;
    bool element = p->depth && p->open[p->depth - 1] == '[';

    str_clear(&p->lead);
    str_clear(&p->next);
    if (level < most) {
        size_t dashes = p->dashes < level ? p->dashes : level;
        str_pad(&p->lead, ' ', STEP * (level - dashes));
        for (; dashes; dashes--)
            str_puts(&p->lead, "- ");
    } else if (level) {
        str_addf(&p->lead, "(%zu) ", level);
    }
    str_pad(&p->next, ' ', p->lead.len);
    str_puts(&p->next, "+ ");
    p->dashes = 0;
    line_open(w, LINE_KEEP, str_span(&p->next));
    if (p->lead.len <= writer_half(w))
        line_add(w, str_span(&p->lead), p->lead.len, STYLE_DIM);
    if (element)
        line_add(w, span_of("- "), 2, STYLE_DIM);
}

static void put_key(struct printing *p)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct span key = json_text(&arena, p->key);
    bool quotes = !is_plain_key(key);

    line_put(p->w, span_of(quotes ? "\"" : ""), STYLE_LABEL);
    line_put(p->w, key, STYLE_LABEL);
    line_put(p->w, span_of(quotes ? "\":" : ":"), STYLE_LABEL);
    p->key = (struct json){0};
}

/* Writes the lines of a text deeper than keys, so that none of them can be taken for a key. */
static void put_block(struct printing *p, struct span text)
{
    struct writer *w = p->w;
    CLEANUP(str_free) struct str next = {0};
    size_t deep = p->lead.len + STEP;

    line_close(w);
    if (deep > writer_half(w))
        deep = writer_half(w) < STEP ? 0 : STEP;
    str_pad(&next, ' ', deep ? deep - STEP : 0);
    str_puts(&next, "+ ");
    while (text.len) {
        text_skip_empty(w, &text);
        if (!text.len)
            break;
        struct span line = text_line(&text, false);
        line_open(w, LINE_KEEP, str_span(&next));
        line_pad(w, line.len ? deep : 0);
        line_put(w, line, STYLE_PLAIN);
        line_close(w);
    }
}

static void put_text(struct printing *p, struct json value, bool keyed)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct span text = json_text(&arena, value);
    bool quotes = wants_quotes(text, p->depth && !keyed);

    if (text.len && memchr(text.at, '\n', text.len)) {
        put_block(p, text);
    } else {
        if (keyed)
            line_add(p->w, span_of(" "), 1, STYLE_PLAIN);
        line_put(p->w, span_of(quotes ? "\"" : ""), STYLE_PLAIN);
        line_put(p->w, text, STYLE_PLAIN);
        line_put(p->w, span_of(quotes ? "\"" : ""), STYLE_PLAIN);
        line_close(p->w);
    }
}

static void put_scalar(struct printing *p, struct json value)
{
    bool keyed = p->key.kind != JSON_ABSENT;

    open_line(p);
    if (keyed)
        put_key(p);
    if (value.kind == JSON_STRING) {
        put_text(p, value, keyed);
        return;
    }
    if (keyed)
        line_add(p->w, span_of(" "), 1, STYLE_PLAIN);
    line_put(p->w, value.raw, STYLE_CODE);
    line_close(p->w);
}

static void open_bracket(struct printing *p, struct json bracket)
{
    bool element = p->depth && p->open[p->depth - 1] == '[';

    if (p->at < p->end && (*p->at == '}' || *p->at == ']')) {
        json_token(&p->at, p->end);
        put_scalar(p, (struct json){JSON_NUMBER, span_of(bracket.raw.at[0] == '{' ? "{}" : "[]")});
        return;
    }
    if (p->key.kind != JSON_ABSENT) {
        open_line(p);
        put_key(p);
        line_close(p->w);
    }
    p->dashes += element;
    p->open[p->depth++] = bracket.raw.at[0];
}

static void put_tokens(struct printing *p)
{
    while (p->at < p->end) {
        struct json token = json_token(&p->at, p->end);
        char first = token.raw.at[0];
        if (token.kind == JSON_STRING && p->at < p->end && *p->at == ':') {
            p->key = token;
            json_token(&p->at, p->end);
        } else if (token.kind != JSON_ABSENT) {
            put_scalar(p, token);
        } else if (first == '{' || first == '[') {
            open_bracket(p, token);
        } else if (first != ',') {
            p->depth--;
        }
    }
    str_free(&p->lead);
    str_free(&p->next);
}

static bool is_too_long(struct writer *w, struct span json)
{
    if (json.len <= PAGE_JSON_MOST)
        return false;
    line_say(w, "This JSON is long: it is shown as it was written.", STYLE_DIM);
    text_put(w, json, LINE_EXACT, STYLE_PLAIN);
    return true;
}

void json_put_scanned(struct writer *w, struct json value)
{
    struct printing p = {.w = w, .at = value.raw.at, .end = value.raw.at + value.raw.len};

    if (!is_too_long(w, value.raw))
        put_tokens(&p);
}

void json_put_member(struct writer *w, struct json key, struct json value)
{
    struct printing p = {.w = w, .at = value.raw.at, .end = value.raw.at + value.raw.len};

    p.open[p.depth++] = '{';
    p.key = key;
    if (value.raw.len <= PAGE_JSON_MOST) {
        put_tokens(&p);
        return;
    }
    open_line(&p);
    put_key(&p);
    line_close(w);
    p.end = p.at;
    put_tokens(&p); /* frees the buffers of `p` */
    is_too_long(w, value.raw);
}

void json_put(struct writer *w, struct span json)
{
    struct json value;
    struct err err = {0};

    if (json_scan(json, JSON_PYTHON, &value, &err)) {
        json_put_scanned(w, value);
        return;
    }
    line_say(w, err.text, STYLE_ERROR);
    text_put(w, json, LINE_EXACT, STYLE_PLAIN);
}

void page_json(struct document *page, struct span json, const struct page_options *options)
{
    CLEANUP(writer_free) struct writer w = writer_new(page, options);

    json_put(&w, json);
}
