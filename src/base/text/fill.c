/* Filling: words become lines. */
#include "base/text/fill.h"

void fill_free(struct fill *fill)
{
    str_free(&fill->word);
}

/* Bytes that go on with a character have no column of their own. */
static size_t columns_of(struct span text)
{
    size_t columns = 0;

    for (size_t i = 0; i < text.len; i++)
        columns += ((unsigned char)text.at[i] & 0xc0) != 0x80;
    return columns;
}

static void begin_line(struct fill *fill)
{
    if (fill->blank && fill->out->len)
        str_putc(fill->out, '\n');
    fill->blank = false;
    str_pad(fill->out, ' ', fill->indent);
    fill->column = fill->indent;
}

static void break_line(struct fill *fill)
{
    str_putc(fill->out, '\n');
    fill->column = fill->go = 0;
}

void fill_put(struct fill *fill, struct span text)
{
    if (!fill->glue)
        fill_end_word(fill);
    fill->glue = false;
    str_add_span(&fill->word, text);
    fill->word_columns += columns_of(text);
}

/* What stands between the word and the one before it. */
static void put_space(struct fill *fill)
{
    size_t space = 1;

    if (fill->go)
        space = fill->column + 2 > fill->go ? 2 : fill->go - fill->column;
    str_pad(fill->out, ' ', space);
    fill->column += space;
    fill->go = 0;
}

void fill_end_word(struct fill *fill)
{
    fill->glue = false;
    if (!fill->word.len)
        return;
    if (fill->column && !fill->go && fill->column + 1 + fill->word_columns > fill->columns)
        break_line(fill);
    if (fill->column)
        put_space(fill);
    else
        begin_line(fill);
    str_add_span(fill->out, str_span(&fill->word));
    fill->column += fill->word_columns;
    str_clear(&fill->word);
    fill->word_columns = 0;
}

void fill_end_line(struct fill *fill)
{
    fill_end_word(fill);
    if (fill->column)
        break_line(fill);
}

void fill_skip(struct fill *fill)
{
    fill_end_line(fill);
    fill->blank = true;
}

void fill_go(struct fill *fill, size_t column)
{
    fill_end_word(fill);
    fill->go = column;
}

void fill_verbatim(struct fill *fill, struct span line)
{
    fill_end_line(fill);
    if (line.len) {
        begin_line(fill);
        str_add_span(fill->out, line);
    }
    break_line(fill);
}
