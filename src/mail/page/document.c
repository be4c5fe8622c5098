/* Documents: their memory, and places in them that outlive another width. */
#include "mail/page/document.h"

#include <stdlib.h>

void document_clear(struct document *doc)
{
    str_clear(&doc->text);
    doc->piece_count = doc->line_count = doc->widest = doc->escaped = 0;
    doc->sources = 0;
    doc->ages_us = 0;
}

void document_free(struct document *doc)
{
    str_free(&doc->text);
    free(doc->pieces);
    free(doc->lines);
    *doc = (struct document){0};
}

struct document_place document_place(const struct document *doc, size_t line)
{
    if (line >= doc->line_count)
        return (struct document_place){UINT32_MAX, 0};
    return (struct document_place){doc->lines[line].source, doc->lines[line].offset};
}

static bool is_behind(const struct document_line *line, struct document_place place)
{
    return line->source > place.source ||
           (line->source == place.source && line->offset > place.offset);
}

size_t document_line_at(const struct document *doc, struct document_place place)
{
    size_t low = 0, high = doc->line_count;

    while (low < high) { /* the first line behind the place: the one before shows it */
        size_t middle = low + (high - low) / 2;
        if (is_behind(&doc->lines[middle], place))
            high = middle;
        else
            low = middle + 1;
    }
    if (!low)
        return 0;
    low--;
    /* lines that show nothing of their own are told apart by nothing: the first one is meant */
    while (low && doc->lines[low - 1].source == place.source &&
           doc->lines[low - 1].offset == place.offset && doc->lines[low].offset == place.offset)
        low--;
    return low;
}
