/* Keys: one table of names, for reading and writing. */
#include "ui/keys/key.h"

#include "base/text/sanitize.h"
#include "base/text/suggest.h"
#include "base/text/utf8.h"

#include <strings.h>

static const struct named {
    const char *name;
    uint32_t key;
    bool held;  /* terminals distinguish it with Ctrl and Shift */
    bool alias; /* accepted, never written */
} named[] = {
    {"Enter", K_ENTER, false, false},  {"Esc", K_ESC, false, false},
    {"Tab", K_TAB, false, false},      {"BackTab", K_BACKTAB, false, false},
    {"Space", K_SPACE, false, false},  {"Backspace", K_BACKSPACE, false, false},
    {"Delete", K_DELETE, true, false}, {"Insert", K_INSERT, true, false},
    {"Up", K_UP, true, false},         {"Down", K_DOWN, true, false},
    {"Left", K_LEFT, true, false},     {"Right", K_RIGHT, true, false},
    {"Home", K_HOME, true, false},     {"End", K_END, true, false},
    {"PgUp", K_PGUP, true, false},     {"PgDn", K_PGDN, true, false},
    {"F1", K_F1, true, false},         {"F2", K_F1 + 1, true, false},
    {"F3", K_F1 + 2, true, false},     {"F4", K_F1 + 3, true, false},
    {"F5", K_F1 + 4, true, false},     {"F6", K_F1 + 5, true, false},
    {"F7", K_F1 + 6, true, false},     {"F8", K_F1 + 7, true, false},
    {"F9", K_F1 + 8, true, false},     {"F10", K_F1 + 9, true, false},
    {"F11", K_F1 + 10, true, false},   {"F12", K_F12, true, false},
    {"Return", K_ENTER, false, true},  {"Escape", K_ESC, false, true},
    {"Del", K_DELETE, true, true},     {"Ins", K_INSERT, true, true},
    {"PageUp", K_PGUP, true, true},    {"PageDown", K_PGDN, true, true},
};

static const struct modifier {
    const char *prefix;
    uint32_t bit;
} held[] = {{"Ctrl-", K_CTRL}, {"Alt-", K_ALT}, {"Shift-", K_SHIFT}};

enum {
    NAMED_COUNT = sizeof named / sizeof *named,
    HELD_COUNT = sizeof held / sizeof *held,
    HELD_BITS = K_CTRL | K_ALT | K_SHIFT,
};

const char *key_named_at(size_t i)
{
    return i < NAMED_COUNT && !named[i].alias ? named[i].name : NULL;
}

static struct span after(struct span text, size_t bytes)
{
    return (struct span){text.at + bytes, text.len - bytes};
}

static bool same_but_for_case(struct span text, const char *name)
{
    return text.len == strlen(name) && strncasecmp(text.at, name, text.len) == 0;
}

static const struct named *find_named(struct span text)
{
    for (size_t i = 0; i < NAMED_COUNT; i++)
        if (same_but_for_case(text, named[i].name))
            return &named[i];
    return NULL;
}

static const struct named *named_of(uint32_t base)
{
    for (size_t i = 0; i < NAMED_COUNT; i++)
        if (named[i].key == base)
            return &named[i];
    return NULL;
}

/* Sets an error about a word, with similar names and how keys are written. Returns false. */
static bool fail_key(struct err *err, const char *what, struct span word)
{
    struct span names[NAMED_COUNT];
    CLEANUP(str_free) struct str near = {0};

    for (size_t i = 0; i < NAMED_COUNT; i++)
        names[i] = span_of(named[i].name);
    suggest_hint(&near, word, names, NAMED_COUNT);
    return err_set(
        err, ERR_USAGE,
        "\"%.*s\" %s%s; a key is written j, ^D, Enter, Alt-b or Ctrl-Left, keys one after the "
        "other gg, ^Xs or g<Enter>",
        (int)word.len, word.at, what, str_c(&near));
}

/* Returns the key for Ctrl with a character; K_NONE if there is none. */
static uint32_t control(uint32_t code)
{
    if (code >= 'a' && code <= 'z')
        code -= 'a' - 'A';
    switch (code) {
    case 'I':
        return K_TAB;
    case 'J':
    case 'M':
        return K_ENTER;
    case '[':
        return K_ESC;
    case 'H':
    case '?':
        return K_BACKSPACE;
    default:
        return code >= '@' && code <= '_' ? K_CTRL | code : K_NONE;
    }
}

uint32_t key_of_code(uint32_t code)
{
    if (code < 0x20)
        return control(code + '@');
    return code == 0x7f ? K_BACKSPACE : code;
}

bool key_is_text(uint32_t key)
{
    return key >= 0x20 && key < K_ENTER && !(key >= 0x7f && key < 0xa0) &&
           !(key >= 0xd800 && key <= 0xdfff);
}

/* Returns the code point if the text is one visible character; K_NONE otherwise. */
static uint32_t character(struct span text)
{
    struct sanitize_cursor cursor = {.rest = text, .mode = SANITIZE_LINE};
    struct sanitize_piece piece;
    struct span rest = text;

    if (!text.len || !sanitize_next(&cursor, &piece) || piece.escaped || !piece.columns)
        return K_NONE;
    int32_t code = utf8_next(&rest);
    return rest.len || code <= ' ' ? K_NONE : (uint32_t)code;
}

/* Adds modifiers to a key; K_NONE if terminals cannot distinguish the result. */
static uint32_t add_modifier(uint32_t bits, uint32_t base)
{
    if (bits & K_CTRL && base < K_ENTER) {
        base = base == K_SPACE ? control('@') : control(base);
        bits &= ~(uint32_t)K_CTRL;
    }
    if (bits & K_SHIFT && base == K_TAB) {
        base = K_BACKTAB;
        bits &= ~(uint32_t)K_SHIFT;
    }
    const struct named *name = named_of(base);
    if (base == K_NONE || (bits & (K_CTRL | K_SHIFT) && !(name && name->held)) ||
        (bits & K_ALT && base == K_ESC))
        return K_NONE;
    return bits | base;
}

/* Takes Ctrl-, Alt- and Shift- off the front, unless nothing follows. */
static uint32_t take_held(struct span *text)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < HELD_COUNT; i++) {
        size_t len = strlen(held[i].prefix);
        if (text->len <= len || strncasecmp(text->at, held[i].prefix, len) != 0)
            continue;
        bits |= held[i].bit;
        *text = after(*text, len);
        i = (size_t)-1; /* start over: they may come in any order */
    }
    return bits;
}

static bool parse_key(struct span word, uint32_t *key, struct err *err)
{
    struct span rest = word;
    uint32_t bits = take_held(&rest), base;
    const struct named *name = find_named(rest);

    if (name)
        base = name->key;
    else if (rest.len == 2 && rest.at[0] == '^')
        base = control((unsigned char)rest.at[1]);
    else
        base = character(rest);
    if (base == K_NONE)
        return fail_key(err, "is no key", word);
    *key = add_modifier(bits, base);
    return *key != K_NONE || fail_key(err, "is no key that terminals can tell from others", word);
}

/* Returns the length of <NAME> at the start of the text; 0 if it has no end. The first character of
 * the name may be a >, and so may the one after Alt-. */
static size_t bracket(struct span text)
{
    const char *end = text.len > 2 ? memchr(text.at + 2, '>', text.len - 2) : NULL;

    if (!end)
        return 0;
    size_t len = (size_t)(end + 1 - text.at);
    struct span name = {text.at + 1, len - 1};
    take_held(&name);
    return name.len == 1 && len > 3 && text.len > len && text.at[len] == '>' ? len + 1 : len;
}

/* Takes one key of a sequence off the front. */
static bool take_key(struct span *rest, uint32_t *key, struct span word, struct err *err)
{
    struct span text = *rest;

    if (text.at[0] == '<' && text.len > 1) {
        size_t len = bracket(text);
        if (!len)
            return fail_key(err, "has a < without a > behind the name of a key", word);
        *rest = after(text, len);
        return parse_key((struct span){text.at + 1, len - 2}, key, err);
    }
    struct span first = utf8_start(text, text.at[0] == '^' && text.len > 1 ? 2 : 1);
    *rest = after(text, first.len);
    return parse_key(first, key, err);
}

bool key_sequence_parse(struct span word, struct key_sequence *sequence, struct err *err)
{
    const struct named *name = find_named(word);
    struct span rest = word;

    *sequence = (struct key_sequence){0};
    if (name && !span_is(word, name->name))
        return err_set(err, ERR_USAGE,
                       "\"%.*s\" can be read in two ways: write %s for that key, <%c>%.*s for keys "
                       "one after the other",
                       (int)word.len, word.at, name->name, word.at[0], (int)word.len - 1,
                       word.at + 1);
    if (name || take_held(&rest)) {
        sequence->count = 1;
        return parse_key(word, &sequence->keys[0], err);
    }
    if (!rest.len)
        return fail_key(err, "is no key", word);
    while (rest.len) {
        uint32_t key = K_NONE;
        if (!take_key(&rest, &key, word, err))
            return false;
        if (sequence->count == KEY_SEQUENCE_MAX)
            return fail_key(err, "is no key, and too long for keys one after the other", word);
        sequence->keys[sequence->count++] = key;
    }
    for (unsigned i = 0; i < sequence->count; i++)
        if (sequence->count > 1 && sequence->keys[i] == K_ESC)
            return fail_key(err, "has Esc in it, which gives such a sequence up", word);
    return true;
}

void key_add_name(struct str *out, uint32_t key)
{
    uint32_t base = key & ~(uint32_t)HELD_BITS;
    const struct named *name = named_of(base);
    CLEANUP(str_free) struct str code = {0};

    if (base == K_UNKNOWN) {
        str_puts(out, "an unknown key");
        return;
    }
    for (size_t i = 0; i < HELD_COUNT; i++)
        if (key & held[i].bit && (name || held[i].bit != K_CTRL))
            str_puts(out, held[i].prefix);
    if (name) {
        str_puts(out, name->name);
        return;
    }
    if (key & K_CTRL)
        str_putc(out, '^');
    utf8_add(&code, (int32_t)base);
    sanitize_add(out, str_span(&code), SANITIZE_LINE);
}

/* Appends a key inside a sequence; < and ^ mean themselves only at the end of a word. */
static void add_inner(struct str *out, uint32_t key, bool marked)
{
    bool plain = !marked && key != '<' && key != '^' && !named_of(key) &&
                 (key < K_ENTER || (key & HELD_BITS) == K_CTRL) &&
                 !named_of(key & ~(uint32_t)HELD_BITS);

    if (!plain)
        str_putc(out, '<');
    key_add_name(out, key);
    if (!plain)
        str_putc(out, '>');
}

void key_sequence_add_name(struct str *out, const struct key_sequence *sequence)
{
    struct key_sequence again;
    CLEANUP(str_free) struct str word = {0};

    /* Puts the first key into < > if the word would be read as something else, such as Up. */
    for (int marked = 0; marked < 2; marked++) {
        str_clear(&word);
        if (sequence->count == 1)
            key_add_name(&word, sequence->keys[0]);
        for (unsigned i = 0; sequence->count > 1 && i < sequence->count; i++)
            add_inner(&word, sequence->keys[i], marked && i == 0);
        if (key_sequence_parse(str_span(&word), &again, NULL) && key_sequence_eq(&again, sequence))
            break;
    }
    str_add_span(out, str_span(&word));
}

bool key_sequence_starts(const struct key_sequence *keys, const struct key_sequence *start)
{
    return keys->count >= start->count &&
           memcmp(keys->keys, start->keys, start->count * sizeof *start->keys) == 0;
}

bool key_sequence_eq(const struct key_sequence *a, const struct key_sequence *b)
{
    return a->count == b->count && key_sequence_starts(a, b);
}
