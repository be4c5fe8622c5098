/* Documents: searching them. What was wrapped is put together again, so that words are found
 * wherever the lines happen to end. */
#include "base/mem.h"
#include "base/text/fold.h"
#include "base/text/utf8.h"
#include "mail/page/document.h"

#include <stdlib.h>

/* One line of the text as it was before wrapping, folded, with the place each byte comes from. */
struct unwrapped {
    struct str folded;
    uint32_t *from, *to; /* of the character that each folded byte is a part of */
    uint32_t *lines;
    size_t cap[3];
};

static void note_bytes(struct unwrapped *text, size_t before, uint32_t from, uint32_t to,
                       uint32_t line)
{
    uint32_t **arrays[] = {&text->from, &text->to, &text->lines};
    uint32_t values[] = {from, to, line};

    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) {
        *arrays[a] = mem_grow(*arrays[a], &text->cap[a], text->folded.len, sizeof **arrays[a]);
        for (size_t i = before; i < text->folded.len; i++)
            (*arrays[a])[i] = values[a];
    }
}

static void add_piece(struct unwrapped *text, const struct document *doc,
                      const struct document_piece *piece, uint32_t line)
{
    struct span rest = {doc->text.at + piece->at, piece->len};

    while (rest.len) {
        const char *start = rest.at;
        size_t before = text->folded.len;
        utf8_next(&rest);
        fold_add(&text->folded, (struct span){start, (size_t)(rest.at - start)});
        note_bytes(text, before, (uint32_t)(start - doc->text.at),
                   (uint32_t)(rest.at - doc->text.at), line);
    }
}

static void add_line(struct unwrapped *text, const struct document *doc, size_t number)
{
    const struct document_line *line = &doc->lines[number];

    if (line->join == JOIN_BLANK && text->folded.len) {
        uint32_t at = text->to[text->folded.len - 1];
        str_putc(&text->folded, ' ');
        note_bytes(text, text->folded.len - 1, at, at, (uint32_t)number);
    }
    for (uint32_t i = 0; i < line->count; i++)
        if (!doc->pieces[line->first + i].added)
            add_piece(text, doc, &doc->pieces[line->first + i], (uint32_t)number);
}

static void find_all(const struct unwrapped *text, struct span needle,
                     struct document_matches *matches)
{
    const char *at = str_c(&text->folded), *end = at + text->folded.len, *found;

    while ((found = memmem(at, (size_t)(end - at), needle.at, needle.len))) {
        size_t first = (size_t)(found - str_c(&text->folded)), last = first + needle.len - 1;
        matches->items =
            mem_grow(matches->items, &matches->cap, matches->count + 1, sizeof *matches->items);
        matches->items[matches->count++] =
            (struct document_match){text->from[first], text->to[last], text->lines[first]};
        at = found + needle.len;
    }
}

void document_search(const struct document *doc, struct span needle,
                     struct document_matches *matches)
{
    struct unwrapped text = {0};
    struct str folded = {0};

    matches->count = 0;
    fold_add(&folded, needle);
    for (size_t line = 0; folded.len && line < doc->line_count;) {
        str_clear(&text.folded);
        do
            add_line(&text, doc, line++);
        while (line < doc->line_count && doc->lines[line].join != JOIN_NONE);
        find_all(&text, str_span(&folded), matches);
    }
    str_free(&folded);
    str_free(&text.folded);
    free(text.from);
    free(text.to);
    free(text.lines);
}

size_t document_match_at(const struct document_matches *matches, uint32_t at)
{
    size_t low = 0, high = matches->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (matches->items[middle].to > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

size_t document_match_from(const struct document_matches *matches, size_t line)
{
    size_t low = 0, high = matches->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (matches->items[middle].line >= line)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void document_matches_free(struct document_matches *matches)
{
    free(matches->items);
    *matches = (struct document_matches){0};
}
