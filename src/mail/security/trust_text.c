/* Trust: what makes readers of one text disagree, and what a person could not see in it. */
#include "mail/security/trust_private.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text/clean.h"
#include "base/text/fold.h"
#include "mail/security/trust.h"

#include <stdio.h>
#include <stdlib.h>

enum { QUOTE_COLUMNS = 40 };

bool trust_say(struct str *why, const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    str_puts(why, text);
    return true;
}

void trust_quote(struct str *why, struct span text)
{
    str_putc(why, '"');
    clean_cut(why, text, CLEAN_LINE | CLEAN_ASCII, QUOTE_COLUMNS);
    str_putc(why, '"');
}

/* The keys of a value, to be compared within each object in the form that readers may take for the
 * same: without case, and for some without the marks between words. */
struct keys {
    struct str *why;
    const char *what;
    struct arena arena;
    struct map seen;     /* object and folded key: the number of the first, plus one */
    struct span *firsts; /* as they are written */
    size_t count, cap;
};

static void keys_free(struct keys *keys)
{
    arena_free(&keys->arena);
    map_free(&keys->seen);
    free(keys->firsts);
}

/* The number of the object, how much was folded away, and the key without that. */
static struct span comparable(struct keys *keys, uint32_t object, struct span key, bool joined)
{
    struct str form = {0};

    str_add(&form, (const char *)&object, sizeof object);
    str_putc(&form, joined ? 'j' : 'c');
    size_t start = form.len, kept = start;
    fold_add(&form, key);
    for (size_t i = start; i < form.len; i++)
        if (!joined || (form.at[i] != '_' && form.at[i] != '-'))
            form.at[kept++] = form.at[i];
    struct span copy = arena_copy(&keys->arena, (struct span){form.at, kept});
    str_free(&form);
    return copy;
}

static bool say_keys(struct keys *keys, struct span first, struct span key, bool joined)
{
    if (span_eq(first, key)) {
        str_puts(keys->why, "the key ");
        trust_quote(keys->why, key);
        return trust_say(keys->why, " stands twice in %s", keys->what);
    }
    str_puts(keys->why, "the keys ");
    trust_quote(keys->why, first);
    str_puts(keys->why, " and ");
    trust_quote(keys->why, key);
    return trust_say(keys->why, " in %s %s", keys->what,
                     joined ? "are one to some readers" : "differ only in case");
}

static bool refuses_key(struct keys *keys, uint32_t object, struct span key, bool joined)
{
    bool fresh;
    uint32_t *first = map_put(&keys->seen, comparable(keys, object, key, joined), &fresh);

    if (!fresh)
        return say_keys(keys, keys->firsts[*first - 1], key, joined);
    keys->firsts = mem_grow(keys->firsts, &keys->cap, keys->count + 1, sizeof *keys->firsts);
    keys->firsts[keys->count++] = key;
    *first = (uint32_t)keys->count;
    return false;
}

/* JavaScript does not always take it for a key. */
static bool is_prototype(struct span key)
{
    return span_is(key, "__proto__");
}

static bool refuses_characters(struct str *why, struct json string, const char *what)
{
    struct span content = json_content(string);

    while (content.len) {
        int32_t code = json_next_char(&content);
        if (code == 0)
            return trust_say(why, "%s holds a NUL character", what);
        if (code >= 0xd800 && code <= 0xdfff)
            return trust_say(why, "%s holds half a character, a lone surrogate", what);
    }
    return false;
}

bool trust_refuses_value(struct str *why, struct json value, const char *what, bool request)
{
    struct json_strings walk = {.at = value.raw.at, .end = value.raw.at + value.raw.len};
    struct keys keys = {.why = why, .what = what};
    struct json string;
    bool is_key, refused = false;

    while (!refused && json_next_string(&walk, &string, &is_key)) {
        refused = refuses_characters(why, string, what);
        if (refused || !is_key)
            continue;
        struct span key = json_text(&keys.arena, string);
        if (is_prototype(key))
            refused =
                trust_say(why, "%s has a key \"__proto__\", which is none in JavaScript", what);
        else
            refused = refuses_key(&keys, walk.object, key, false) ||
                      (request && walk.depth == 1 && refuses_key(&keys, walk.object, key, true));
    }
    if (!refused && walk.deepest > TRUST_DEPTH_MAX)
        refused = trust_say(why, "%s is nested more than %d levels deep", what, TRUST_DEPTH_MAX);
    keys_free(&keys);
    return refused;
}

bool trust_refuses_text(struct str *why, struct span text, const char *what, bool one_line)
{
    struct clean_piece piece;

    if (clean_find_hidden(text, &piece)) {
        bool broken = piece.text[0] != '^' && piece.text[0] != '<';
        return trust_say(why, "%s holds %s, which nobody would see", what,
                         broken ? "bytes that are no character" : piece.text);
    }
    for (size_t i = 0; one_line && i < text.len; i++)
        if (text.at[i] == '\n' || text.at[i] == '\t')
            return trust_say(why, "%s holds %s", what,
                             text.at[i] == '\n' ? "a line break" : "a tab");
    return false;
}

bool trust_refuses_strings(struct str *why, struct json value, const char *what)
{
    struct json_strings walk = {.at = value.raw.at, .end = value.raw.at + value.raw.len};
    struct json string;
    bool is_key, refused = false;

    while (!refused && json_next_string(&walk, &string, &is_key)) {
        struct arena arena = {0};
        refused = trust_refuses_text(why, json_text(&arena, string), what, false);
        arena_free(&arena);
    }
    return refused;
}
