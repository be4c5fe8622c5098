/* Rendering the members of an object for reading: what a program asks a person to decide on is
 * text in JSON, and nobody can read a plan between \n and \". */
#include "base/json/json.h"
#include "base/text/clean.h"
#include "mail/render/render.h"

enum { INDENT = 2 };

static void put_lines(struct str *out, struct span text, size_t indent, unsigned clean)
{
    while (text.len) {
        const char *end = memchr(text.at, '\n', text.len);
        struct span line = {text.at, end ? (size_t)(end - text.at) : text.len};
        if (line.len)
            str_pad(out, ' ', indent);
        clean_add(out, line, clean);
        str_putc(out, '\n');
        text.at += line.len + (end != NULL);
        text.len -= line.len + (end != NULL);
    }
}

/* Lines of a text stand deeper than keys do, so that none of them can pass for one. */
static void put_text(struct str *out, struct span text, size_t indent, unsigned clean)
{
    if (text.len && memchr(text.at, '\n', text.len)) {
        str_puts(out, ":\n");
        put_lines(out, text, indent + INDENT, clean);
        return;
    }
    str_puts(out, text.len ? ": " : ":");
    clean_add(out, text, clean);
    str_putc(out, '\n');
}

static void put_key(struct str *out, struct json key, size_t indent, unsigned clean)
{
    struct arena arena = {0};

    str_pad(out, ' ', indent);
    clean_add(out, json_text(&arena, key), clean);
    arena_free(&arena);
}

/* A text decoded, and anything else as it was written. */
static void put_member(struct str *out, struct json key, struct json value, size_t indent,
                       unsigned clean)
{
    struct arena arena = {0};
    bool text = value.kind == JSON_STRING;

    put_key(out, key, indent, clean);
    put_text(out, text ? json_text(&arena, value) : value.raw, indent, clean);
    arena_free(&arena);
}

static bool open_object(struct json_walk *walk, struct json value)
{
    struct err ignored;

    return value.kind == JSON_OBJECT && value.raw.len > 2 &&
           json_open(walk, value.raw, JSON_STRICT, &ignored);
}

void render_fields(struct str *out, struct span object, const struct render_style *style)
{
    unsigned clean = style->clean | CLEAN_LINE;
    struct json_walk walk, inner;
    struct json key, value, inner_key, inner_value;

    if (!open_object(&walk, (struct json){JSON_OBJECT, object}))
        return;
    while (json_next(&walk, &key, &value)) {
        if (!open_object(&inner, value)) {
            put_member(out, key, value, 0, clean);
            continue;
        }
        put_key(out, key, 0, clean);
        str_puts(out, ":\n");
        while (json_next(&inner, &inner_key, &inner_value))
            put_member(out, inner_key, inner_value, INDENT, clean);
    }
}
