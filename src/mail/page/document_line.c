/* Documents: their lines, of pieces that look the same. */
#include "base/mem.h"
#include "mail/page/document_private.h"

#include <stdlib.h>

enum {
    COLUMNS_LEAST = 2, /* of the widest character */
    COLUMNS_ROOMY = 8, /* below there is no room for indents */
    WIDE = 400,        /* wider screens do not make wider indents */
    MARK_COLUMNS = 2,
    GUTTER_COLUMNS = 2,
};

void writer_open(struct writer *w, struct document *doc, const struct document_options *options)
{
    size_t columns = options->columns < COLUMNS_LEAST ? COLUMNS_LEAST : options->columns;

    *w =
        (struct writer){.doc = doc,
                        .options = options,
                        .tabs = true,
                        .width = options->whole || columns > WRITER_WHOLE ? WRITER_WHOLE : columns};
}

size_t writer_half(const struct writer *w)
{
    size_t columns = w->options->columns;

    return columns < COLUMNS_ROOMY ? 0 : columns > WIDE ? WIDE / 2 : columns / 2;
}

void writer_close(struct writer *w)
{
    str_free(&w->next);
    str_free(&w->word);
    free(w->cells);
}

/* Pieces that look the same and follow each other are one. */
void line_emit(struct writer *w, const char *bytes, size_t len, size_t columns, uint8_t look,
               bool added)
{
    struct document *doc = w->doc;
    struct document_line *line = &doc->lines[doc->line_count - 1];
    struct document_piece *last = line->count ? &doc->pieces[doc->piece_count - 1] : NULL;

    if (!last || last->look != look || last->added != added) {
        doc->pieces =
            mem_grow(doc->pieces, &doc->piece_cap, doc->piece_count + 1, sizeof *doc->pieces);
        last = &doc->pieces[doc->piece_count++];
        *last = (struct document_piece){(uint32_t)doc->text.len, 0, 0, look, added};
        line->count++;
    }
    str_add(&doc->text, bytes, len);
    last->len += (uint32_t)len;
    last->columns += (uint32_t)columns;
    w->used += columns;
    if (!added)
        w->offset += (uint32_t)len;
    if (w->used > doc->widest)
        doc->widest = w->used;
}

void line_emit_blanks(struct writer *w, size_t count, uint8_t look, bool added)
{
    static const char blanks[] = "                                ";
    enum { AT_ONCE = sizeof blanks - 1 };

    for (; count > AT_ONCE; count -= AT_ONCE)
        line_emit(w, blanks, AT_ONCE, AT_ONCE, look, added);
    if (count)
        line_emit(w, blanks, count, count, look, added);
}

size_t writer_margin(const struct writer *w)
{
    size_t half = writer_half(w), gutter = w->gutter && half ? GUTTER_COLUMNS : 0;

    return gutter + (w->indent + gutter < half ? w->indent : 0);
}

static void put_margin(struct writer *w)
{
    size_t columns = writer_margin(w);

    if (w->gutter && columns) {
        const char *rule = writer_draws(w) ? "\xe2\x94\x82 " : "| ";
        line_emit(w, rule, strlen(rule), GUTTER_COLUMNS, LOOK_BORDER, true);
        columns -= GUTTER_COLUMNS;
    }
    line_emit_blanks(w, columns, LOOK_PLAIN, true);
}

void line_start(struct writer *w, enum document_join join)
{
    struct document *doc = w->doc;

    doc->lines = mem_grow(doc->lines, &doc->line_cap, doc->line_count + 1, sizeof *doc->lines);
    doc->lines[doc->line_count++] = (struct document_line){.first = (uint32_t)doc->piece_count,
                                                           .source = w->source,
                                                           .offset = w->offset,
                                                           .join = (uint8_t)join};
    w->used = 0;
    put_margin(w);
    if (join != JOIN_NONE && w->next.len)
        line_emit(w, w->next.at, w->next.len, w->next.len, LOOK_DIM, true);
    w->start = w->used;
}

void line_open(struct writer *w, enum line_mode mode, struct span next)
{
    size_t before = writer_margin(w), most = writer_half(w);

    if (next.len + before > most) { /* the mark that says that it goes on is worth most */
        size_t keep = mode != LINE_WORDS && most >= MARK_COLUMNS ? MARK_COLUMNS : 0;
        keep = keep < next.len ? keep : next.len;
        next = (struct span){next.at + next.len - keep, keep};
    }
    str_clear(&w->next);
    str_add_span(&w->next, next);
    w->mode = mode;
    w->room = w->width - before - next.len;
    w->column = w->blanks = w->word_columns = w->cell_count = 0;
    w->broken = false;
    w->cursor = (struct clean_cursor){.mode = w->options->clean | CLEAN_LINE};
    str_clear(&w->word);
    if (!w->same_source) {
        w->source = w->doc->sources++;
        w->offset = 0;
    }
    line_start(w, JOIN_NONE);
}
