/* Words of a shell's command line. */
#include "cmd/complete/shell_words.h"

/* The parser: its position in the line, and the word so far. */
struct reading {
    struct span rest;
    struct str word;
    char quote;
    size_t keep;
    bool begun; /* there is a word, though it may be empty */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static char next_char(struct reading *reading)
{
    char c = reading->rest.at[0];

    reading->rest = (struct span){reading->rest.at + 1, reading->rest.len - 1};
    return c;
}

/* Reports whether the backslash escapes the next character; in double quotes only a few can be
 * escaped. */
static bool is_escaped(const struct reading *reading)
{
    return reading->rest.len && (!reading->quote || strchr("$`\"\\\n", reading->rest.at[0]));
}

static void read_char(struct reading *reading, const char *breaks)
{
    char c = next_char(reading);

    reading->begun = true;
    if (c == '\\' && reading->quote != '\'' && is_escaped(reading)) {
        str_putc(&reading->word, next_char(reading));
    } else if (c == reading->quote) {
        reading->quote = 0;
    } else if (!reading->quote && (c == '\'' || c == '"')) {
        reading->quote = c;
        reading->keep = reading->word.len;
    } else {
        str_putc(&reading->word, c);
        if (!reading->quote && strchr(breaks, c))
            reading->keep = reading->word.len;
    }
}

static void end_word(struct reading *reading, struct span_list *words, struct arena *arena)
{
    span_list_add(words, arena_copy(arena, str_span(&reading->word)));
    str_clear(&reading->word);
    reading->begun = false;
    reading->keep = 0;
}

void shell_split(struct span line, const char *breaks, struct span_list *words,
                 struct shell_end *end, struct arena *arena)
{
    struct reading reading = {.rest = line};

    while (reading.rest.len) {
        if (reading.quote || !is_blank(reading.rest.at[0])) {
            read_char(&reading, breaks);
            continue;
        }
        next_char(&reading);
        if (reading.begun)
            end_word(&reading, words, arena);
    }
    *end = (struct shell_end){reading.quote, reading.keep};
    end_word(&reading, words, arena);
    str_free(&reading.word);
}

struct span shell_unquote(struct span word, struct arena *arena)
{
    struct reading reading = {.rest = word};

    while (reading.rest.len)
        read_char(&reading, "");
    struct span text = arena_copy(arena, str_span(&reading.word));
    str_free(&reading.word);
    return text;
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80 || (c && strchr("_-./+,%@:=", c));
}

void shell_quote(struct str *out, struct span text, char quote)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        if ((quote == '\'' && c == '\'') || (quote == '"' && c == '!')) {
            /* cannot be escaped in these quotes; '!' because of history expansion */
            str_addf(out, "%c\\%c%c", quote, c, quote);
            continue;
        }
        if ((quote == '"' && strchr("$`\"\\", c)) || (!quote && !is_plain(c)))
            str_putc(out, '\\');
        str_putc(out, c);
    }
}
