/* Documents: Markdown. The lines of the text are shown as they were written, marks included, with
 * the looks and hanging indents that Markdown gives them: what a person decides on is what the
 * agent wrote, character by character. Only tables are laid out anew. */
#include "mail/page/document_page.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

const struct mark *page_mark(const struct page *page, size_t from, size_t to)
{
    size_t i = markup_behind(&page->markup, from);

    return i < page->markup.count && page->markup.items[i].at < to ? &page->markup.items[i] : NULL;
}

/* The length of a bullet, a number or the mark of a heading; 0 for none. */
static size_t marker_length(const char *at, size_t len)
{
    size_t i = 0;

    if (at[0] == '>')
        return 1;
    if (at[0] == '-' || at[0] == '+' || at[0] == '*') {
        i = 1;
    } else if (is_digit(at[0])) {
        while (i < len && is_digit(at[i]))
            i++;
        i += i < len && (at[i] == '.' || at[i] == ')') ? 1 : len;
    } else {
        while (i < len && at[i] == '#')
            i++;
    }
    return i && i < len && is_blank(at[i]) ? i : 0;
}

static bool is_task(const char *at, size_t len)
{
    return len > 3 && at[0] == '[' && (at[1] == ' ' || at[1] == 'x' || at[1] == 'X') &&
           at[2] == ']' && is_blank(at[3]);
}

size_t page_lead(const struct page *page, size_t from, size_t to)
{
    const char *text = page->text.at;
    size_t at = from, len;

    for (;;) {
        while (at < to && is_blank(text[at]))
            at++;
        len = at < to ? marker_length(text + at, to - at) : 0;
        if (!len)
            break;
        at += len;
    }
    if (is_task(text + at, to - at))
        at += 4;
    return at;
}

/* Marks of emphasis and the like are said in passing; anything else that Markdown would hide is as
 * good as the text. */
static enum look look_of_markup(struct span markup)
{
    for (size_t i = 0; i < markup.len; i++)
        if (!memchr("*_~`|[]()<>!#\\ \t", markup.at[i], 16))
            return LOOK_PLAIN;
    return LOOK_DIM;
}

/* Bytes of one look, with the notes that stand within them. */
static void put_part(struct page *page, size_t from, size_t to, enum look look)
{
    const struct markup *markup = &page->markup;

    for (size_t i = markup_note_behind(markup, from);
         i < markup->note_count && markup->notes[i].at <= to; i++) {
        const struct mark_note *note = &markup->notes[i];
        line_put(page->w, (struct span){page->text.at + from, note->at - from}, look);
        line_put(page->w, span_of(" <"), LOOK_LINK);
        line_put(page->w, (struct span){markup->notes_text.at + note->from, note->len}, LOOK_LINK);
        line_put(page->w, span_of(">"), LOOK_LINK);
        from = note->at;
    }
    line_put(page->w, (struct span){page->text.at + from, to - from}, look);
}

void page_put(struct page *page, size_t from, size_t to)
{
    const struct markup *markup = &page->markup;
    size_t i = markup_behind(markup, from);

    while (from < to) {
        const struct mark *mark = i < markup->count ? &markup->items[i] : NULL;
        size_t start = mark && mark->at < to ? mark->at : to;
        if (start > from) {
            bool behind_link = i && markup->items[i - 1].after == LOOK_LINK &&
                               markup->items[i - 1].at + markup->items[i - 1].len == from;
            struct span gap = {page->text.at + from, start - from};
            put_part(page, from, start, behind_link ? LOOK_LINK : look_of_markup(gap));
            from = start;
            continue;
        }
        size_t end = mark->at + mark->len < to ? mark->at + mark->len : to;
        put_part(page, from, end, mark->look);
        from = end;
        i++;
    }
}

/* Three or more of one mark and nothing else. */
static bool is_rule(struct span line)
{
    size_t count = 0;

    line = text_trim(line);
    if (!line.len || !memchr("-*_", line.at[0], 3))
        return false;
    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] != line.at[0] && !is_blank(line.at[i]))
            return false;
        count += line.at[i] == line.at[0];
    }
    return count >= 3;
}

static bool is_fence(struct span line)
{
    line = text_trim(line);
    return span_starts(line, span_of("```")) || span_starts(line, span_of("~~~"));
}

/* Quotes and blanks only: what else starts a line of code may be code. */
static size_t quote_lead(const struct page *page, size_t from, size_t to)
{
    while (from < to && (is_blank(page->text.at[from]) || page->text.at[from] == '>'))
        from++;
    return from;
}

static void put_code(struct page *page, size_t from, size_t text, size_t to)
{
    struct writer *w = page->w;

    str_clear(&page->next);
    str_puts(&page->next, "+ ");
    text_hang(&page->next, (struct span){page->text.at + from, text - from});
    line_open(w, LINE_EXACT, str_span(&page->next));
    if (writer_half(w) >= 2)
        line_pad(w, 2);
    line_lead(w, (struct span){page->text.at + from, text - from}, LOOK_DIM);
    line_put(w, (struct span){page->text.at + text, to - text}, LOOK_CODE);
    line_close(w);
}

static void put_flowing(struct page *page, size_t from, size_t to, const struct mark *mark)
{
    struct writer *w = page->w;
    size_t limit = !mark ? to : mark->at > from ? mark->at : from;
    size_t text = page_lead(page, from, limit);
    struct span lead = {page->text.at + from, text - from};
    enum look look = LOOK_PLAIN;

    if (mark && mark->block == BLOCK_HEADING)
        look = LOOK_HEADING;
    else if (lead.len && memchr(lead.at, '>', lead.len))
        look = LOOK_QUOTE;
    str_clear(&page->next);
    text_hang(&page->next, lead);
    line_open(w, LINE_WORDS, str_span(&page->next));
    line_lead(w, lead, look);
    page_put(page, text, to);
    line_close(w);
}

static void put_rule(struct page *page, size_t from, size_t text)
{
    line_open(page->w, LINE_WORDS, (struct span){0});
    line_lead(page->w, (struct span){page->text.at + from, text - from}, LOOK_QUOTE);
    line_rule(page->w);
    line_close(page->w);
}

static void put_dim(struct page *page, struct span line)
{
    line_open(page->w, LINE_WORDS, (struct span){0});
    line_put(page->w, line, LOOK_DIM);
    line_close(page->w);
}

static void put_line(struct page *page, struct span line)
{
    size_t from = (size_t)(line.at - page->text.at), to = from + line.len;
    size_t quote = quote_lead(page, from, to);
    const struct mark *mark = page_mark(page, from, to);
    struct span behind = {page->text.at + quote, to - quote};

    if (mark && mark->block == BLOCK_CODE)
        put_code(page, from, mark->at > from ? mark->at : from, to);
    else if (!mark && is_rule(behind) && !page->was_heading && page->markup.count)
        put_rule(page, from, quote);
    else if (!mark && is_fence(behind))
        put_dim(page, line);
    else
        put_flowing(page, from, to, mark);
    if (line.len)
        page->was_heading = mark && mark->block == BLOCK_HEADING;
}

void markdown_put(struct writer *w, struct span text)
{
    struct page page = {.w = w, .text = text};
    struct span rest = text;

    if (text.len > DOCUMENT_MARKDOWN_MOST)
        line_say(w, "This text is long: it is shown as it was written, without Markdown.",
                 LOOK_DIM);
    else if (text.len)
        markup_read(&page.markup, text);
    while (rest.len) {
        text_skip_empty(w, &rest);
        if (!rest.len)
            break;
        struct span line = text_line(&rest, true);
        const struct mark_table *table =
            page.table < page.markup.table_count ? &page.markup.tables[page.table] : NULL;
        if (table && table->at < (size_t)(line.at - text.at) + line.len) {
            page.table++;
            if (page_put_table(&page, line, table->rows, &rest))
                continue;
        }
        put_line(&page, line);
    }
    markup_free(&page.markup);
    str_free(&page.next);
}

void document_markdown(struct document *doc, struct span text,
                       const struct document_options *options)
{
    struct writer w;

    writer_open(&w, doc, options);
    markdown_put(&w, text);
    writer_close(&w);
}
