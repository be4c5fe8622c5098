/* Sanitizing: the result can be shown on any terminal, and takes the reported columns. */
#include "base/text/sanitize.h"

#include "base/text/utf8.h"
#include "fuzz.h"

#include <wchar.h>

/* Returns the columns of the text, and requires that each character is printable. */
static size_t columns_of(struct span text, unsigned mode)
{
    size_t columns = 0;

    require(utf8_valid(text), "mode %u: not UTF-8", mode);
    while (text.len) {
        int32_t code = utf8_next(&text);
        if ((mode & SANITIZE_LINES) && (code == '\n' || code == '\t'))
            continue;
        require(code >= 0x20 && code != 0x7f && (code < 0x80 || code >= 0xa0), "mode %u: U+%04X",
                mode, (unsigned)code);
        require(!sanitize_is_hidden(code), "mode %u: U+%04X", mode, (unsigned)code);
        require(code < 0x80 || !(mode & SANITIZE_ASCII), "mode %u: U+%04X", mode, (unsigned)code);
        int width = wcwidth((wchar_t)code);
        require(width >= 0, "mode %u: U+%04X", mode, (unsigned)code);
        columns += (size_t)width;
    }
    return columns;
}

static void check_cut(struct span text, unsigned mode, size_t most)
{
    struct str cut = {0}, fit = {0};
    size_t used = sanitize_cut(&cut, text, mode, most);

    require(used <= most, "%zu of %zu columns", used, most);
    require(columns_of(str_span(&cut), mode) == used, "%zu columns", used);
    sanitize_fit(&fit, text, mode, most);
    require(columns_of(str_span(&fit), mode) == most, "not %zu columns", most);
    str_free(&cut);
    str_free(&fit);
}

/* Requires that a text in which nothing hidden was found hides nothing but parts of an emoji. */
static void check_hidden(struct span text)
{
    struct sanitize_piece piece;

    if (sanitize_find_hidden(text, &piece)) {
        fuzz_require_clean((struct span){piece.text, piece.len});
        return;
    }
    require(utf8_valid(text), "bytes that are not UTF-8");
    while (text.len) {
        int32_t code = utf8_next(&text);
        bool lines = code == '\n' || code == '\t';
        bool glue = code == 0x200d || code == 0xfe0e || code == 0xfe0f;
        bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
        bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
        require(!(control || turns || sanitize_is_hidden(code)) || lines || glue, "U+%04X",
                (unsigned)code);
    }
}

void fuzz_clean(struct span input)
{
    size_t most = fuzz_byte(&input) % 40;

    for (unsigned mode = SANITIZE_LINE; mode <= (SANITIZE_LINES | SANITIZE_ASCII); mode++) {
        struct str once = {0}, twice = {0};
        size_t counted = sanitize_add(&once, input, mode);
        size_t columns = columns_of(str_span(&once), mode);
        require(columns == counted, "mode %u: %zu columns, counted %zu", mode, columns, counted);
        require(sanitize_add(&twice, str_span(&once), mode) == counted &&
                    span_eq(str_span(&once), str_span(&twice)),
                "mode %u: clean text is cleaned again", mode);
        if (!(mode & SANITIZE_LINES))
            check_cut(input, mode, most);
        str_free(&once);
        str_free(&twice);
    }
    check_hidden(input);
}
