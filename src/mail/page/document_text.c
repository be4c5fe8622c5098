/* Documents: plain text, raw bytes, and lines of our own. */
#include "base/text/utf8.h"
#include "mail/page/document_private.h"

enum {
    EMPTY_MOST = 8
}; /* more empty lines than this in a row only push out of sight what follows */

bool writer_draws(const struct writer *w)
{
    return !w->options->ascii_borders && !(w->options->clean & CLEAN_ASCII);
}

void line_empty(struct writer *w)
{
    line_open(w, LINE_WORDS, (struct span){0});
    line_close(w);
}

void line_say(struct writer *w, const char *sentence, enum look look)
{
    line_open(w, LINE_WORDS, (struct span){0});
    line_put(w, span_of(sentence), look);
    line_close(w);
}

void line_rule(struct writer *w)
{
    size_t columns = w->options->columns < w->width ? w->options->columns : w->width;
    const char *dash = writer_draws(w) ? "\xe2\x94\x80" : "-";

    while (w->used < columns)
        line_add(w, span_of(dash), 1, LOOK_DIM);
}

struct span text_line(struct span *text, bool crlf)
{
    const char *end = memchr(text->at, '\n', text->len);
    struct span line = {text->at, end ? (size_t)(end - text->at) : text->len};
    size_t taken = line.len + (end != NULL);

    text->at += taken;
    text->len -= taken;
    if (crlf && end && line.len && line.at[line.len - 1] == '\r')
        line.len--;
    return line;
}

struct span text_trim(struct span text)
{
    while (text.len && (text.at[0] == ' ' || text.at[0] == '\t')) {
        text.at++;
        text.len--;
    }
    while (text.len && (text.at[text.len - 1] == ' ' || text.at[text.len - 1] == '\t'))
        text.len--;
    return text;
}

void text_skip_empty(struct writer *w, struct span *text)
{
    struct span rest = *text;
    size_t count = 0;

    for (struct span ahead = rest; ahead.len && !text_trim(text_line(&ahead, true)).len; count++)
        rest = ahead;
    if (count <= EMPTY_MOST)
        return;
    struct str words = {0};
    str_addf(&words, "(%zu empty lines)", count);
    line_say(w, str_c(&words), LOOK_DIM);
    str_free(&words);
    *text = rest;
}

void text_hang(struct str *next, struct span lead)
{
    for (size_t i = 0; i < lead.len; i++) {
        if (lead.at[i] == '\t')
            str_pad(next, ' ', TAB_STOP - next->len % TAB_STOP);
        else
            str_putc(next, lead.at[i] == '>' ? '>' : ' ');
    }
}

/* Starts a line with a margin of two columns, in which lines that go on have a mark: "+ ". */
static void open_marked(struct writer *w, enum line_mode mode)
{
    line_open(w, mode, span_of("+ "));
    if (w->next.len == 2)
        line_pad(w, 2);
}

static size_t leading_blanks(struct span line)
{
    size_t len = 0;

    while (len < line.len && (line.at[len] == ' ' || line.at[len] == '\t'))
        len++;
    return len;
}

static void put_words_line(struct writer *w, struct span line, enum look look, struct str *next)
{
    size_t blanks = leading_blanks(line);

    str_clear(next);
    text_hang(next, (struct span){line.at, blanks});
    line_open(w, LINE_WORDS, str_span(next));
    line_lead(w, (struct span){line.at, blanks}, look);
    line_put(w, (struct span){line.at + blanks, line.len - blanks}, look);
    line_close(w);
}

void text_put(struct writer *w, struct span text, enum line_mode mode, enum look look)
{
    struct str next = {0};

    while (text.len) {
        text_skip_empty(w, &text);
        if (!text.len)
            break;
        struct span line = text_line(&text, true);
        if (mode == LINE_WORDS) {
            put_words_line(w, line, look, &next);
            continue;
        }
        open_marked(w, mode);
        line_put(w, line, look);
        line_close(w);
    }
    str_free(&next);
}

void document_text(struct document *doc, struct span text, const struct document_options *options)
{
    struct writer w;

    writer_open(&w, doc, options);
    text_put(&w, text, LINE_WORDS, LOOK_PLAIN);
    writer_close(&w);
}

/* Bytes that are no UTF-8 tell nothing as U+FFFD. */
static void put_raw_line(struct writer *w, struct span line)
{
    while (line.len) {
        struct span rest = line, bad = line;
        int32_t code = 0;
        while (rest.len) {
            bad = rest;
            code = utf8_next(&rest);
            if (code == UTF8_INVALID || (code >= 0xd800 && code <= 0xdfff))
                break;
            bad = rest;
        }
        line_put(w, (struct span){line.at, (size_t)(bad.at - line.at)}, LOOK_PLAIN);
        for (; bad.at < rest.at; bad.at++) {
            char hex[] = {'<', "0123456789ABCDEF"[(unsigned char)*bad.at >> 4],
                          "0123456789ABCDEF"[*bad.at & 15], '>', '\0'};
            line_put(w, span_of(hex), LOOK_ESCAPED);
            w->doc->escaped++;
        }
        line = rest;
    }
}

void document_raw(struct document *doc, struct span bytes, const struct document_options *options)
{
    struct writer w;

    writer_open(&w, doc, options);
    w.tabs = false;
    while (bytes.len) {
        open_marked(&w, LINE_EXACT);
        put_raw_line(&w, text_line(&bytes, false));
        line_close(&w);
    }
    writer_close(&w);
}
