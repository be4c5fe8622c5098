/* Dangers: one word, without its quotes. */
#include "mail/security/danger_read.h"

#include "base/mem.h"
#include "base/text/utf8.h"

size_t danger_origin(const struct danger_layer *layer, size_t pos)
{
    return layer->from ? layer->from[pos] : pos;
}

char danger_peek(const struct danger_reader *reader, size_t ahead)
{
    size_t pos = reader->pos + ahead;

    return pos < reader->layer->len ? reader->layer->text[pos] : '\0';
}

static void copy_as(struct danger_building *word, char c, size_t from)
{
    word->from = mem_grow(word->from, &word->cap, word->text.len + 1, sizeof *word->from);
    word->from[word->text.len] = from;
    str_putc(&word->text, c);
}

static void copy(struct danger_reader *reader, struct danger_building *word)
{
    copy_as(word, danger_peek(reader, 0), danger_origin(reader->layer, reader->pos));
    reader->pos++;
}

/* Names of variables that are no names. */
static const char specials[] = "@*#?$!-";

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A dollar sign and the name of what stands for it. */
static void copy_expansion(struct danger_reader *reader, struct danger_building *word)
{
    struct danger_cut cut = {.at = word->text.len};

    copy(reader, word);
    bool braced = danger_peek(reader, 0) == '{';
    if (braced)
        copy(reader, word);
    bool special = danger_peek(reader, 0) && strchr(specials, danger_peek(reader, 0));
    if (special)
        copy(reader, word);
    while ((!special || braced) && is_name(danger_peek(reader, 0)))
        copy(reader, word);
    if (braced && danger_peek(reader, 0) == '}')
        copy(reader, word);
    cut.end = word->text.len;
    word->expands = true;
    word->cuts = mem_grow(word->cuts, &word->cut_cap, word->cut_count + 1, sizeof *word->cuts);
    word->cuts[word->cut_count++] = cut;
}

static int digit_of(char c, int base)
{
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : base;

    return digit < base ? digit : -1;
}

/* A number in an escape, of at most so many digits. */
static uint32_t take_number(struct danger_reader *reader, int base, unsigned digits)
{
    uint32_t number = 0;

    while (digits-- && digit_of(danger_peek(reader, 0), base) >= 0) {
        number = number * (uint32_t)base + (uint32_t)digit_of(danger_peek(reader, 0), base);
        reader->pos++;
    }
    return number;
}

/* An escape of $'...', from behind its backslash on. */
static void copy_escape(struct danger_reader *reader, struct danger_building *word)
{
    static const char letters[] = "abeEfnrtv", controls[] = "\a\b\x1b\x1b\f\n\r\t\v";
    size_t from = danger_origin(reader->layer, reader->pos ? reader->pos - 1 : 0);
    char c = danger_peek(reader, 0);
    const char *letter = c ? strchr(letters, c) : NULL;
    struct str code = {0};

    if (letter) {
        copy_as(word, controls[letter - letters], from);
        reader->pos++;
    } else if (c == 'x' || digit_of(c, 8) >= 0) {
        reader->pos += c == 'x';
        copy_as(word, (char)take_number(reader, c == 'x' ? 16 : 8, c == 'x' ? 2 : 3), from);
    } else if (c == 'u' || c == 'U') {
        reader->pos++;
        utf8_add(&code, (int32_t)(take_number(reader, 16, c == 'u' ? 4 : 8) & 0xfffff));
        for (size_t i = 0; i < code.len; i++)
            copy_as(word, code.at[i], from);
    } else if (reader->pos < reader->layer->len) {
        copy(reader, word);
    }
    str_free(&code);
}

static bool is_substitution(char c, char next)
{
    return c == '`' || (c == '$' && next == '(');
}

bool danger_at_operator(const struct danger_reader *reader)
{
    char c = danger_peek(reader, 0);

    return c && (strchr("\n;&|()<>", c) || is_substitution(c, danger_peek(reader, 1)));
}

static bool starts_expansion(char next)
{
    return is_name(next) || next == '{' || (next && strchr(specials, next));
}

/* Up to the closing quote or, without one, to the end. Substitutions stay for the next layer. */
static void copy_quoted(struct danger_reader *reader, struct danger_building *word, char quote,
                        bool escapes)
{
    reader->pos++;
    word->quoted = true;
    while (reader->pos < reader->layer->len && danger_peek(reader, 0) != quote) {
        char c = danger_peek(reader, 0), next = danger_peek(reader, 1);
        if (quote == '"' && c == '$' && starts_expansion(next)) {
            copy_expansion(reader, word);
        } else if (c != '\\' || (quote == '\'' && !escapes)) {
            word->expands |= quote == '"' && is_substitution(c, next);
            copy(reader, word);
        } else if (escapes) {
            reader->pos++;
            copy_escape(reader, word);
        } else {
            bool taken = next && strchr("$`\"\\\n", next);
            reader->pos += taken;
            if (taken && next == '\n')
                reader->pos++;
            else
                copy(reader, word);
        }
    }
    reader->pos += reader->pos < reader->layer->len;
}

static void copy_backslashed(struct danger_reader *reader, struct danger_building *word)
{
    reader->pos++;
    word->quoted = true;
    if (danger_peek(reader, 0) == '\n')
        reader->pos++;
    else if (reader->pos < reader->layer->len)
        copy(reader, word);
}

bool danger_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

void danger_read_word(struct danger_reader *reader, struct danger_building *word)
{
    while (reader->pos < reader->layer->len) {
        char c = danger_peek(reader, 0), next = danger_peek(reader, 1);
        if (danger_is_blank(c) || danger_at_operator(reader))
            break;
        if (c == '\'' || c == '"') {
            copy_quoted(reader, word, c, false);
        } else if (c == '$' && (next == '\'' || next == '"')) {
            reader->pos++;
            copy_quoted(reader, word, next, next == '\'');
        } else if (c == '$' && starts_expansion(next)) {
            copy_expansion(reader, word);
        } else if (c == '\\') {
            copy_backslashed(reader, word);
        } else {
            copy(reader, word);
        }
    }
    /* what a substitution yields is a part of the word */
    word->expands |= is_substitution(danger_peek(reader, 0), danger_peek(reader, 1));
}
