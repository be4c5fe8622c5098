/* Edit, places: where characters, words and lines begin and end. */
#include "ui/widget/edit_private.h"

#include "base/text/clean.h"
#include "base/text/utf8.h"

#include <utf8proc.h>

/* ASCII never continues what stands before it. */
static bool is_ascii(char c)
{
    return (unsigned char)c < 0x80;
}

static bool is_mark(const struct clean_piece *piece)
{
    return !piece->columns && piece->text[0] != '\n' && piece->text[0] != '\t';
}

/* Where the code point that ends there begins. */
static size_t code_start(const struct edit *edit, size_t end)
{
    do
        end--;
    while (((unsigned char)edit->text.at[end] & 0xc0) == 0x80);
    return end;
}

/* The end of what is drawn with the character that the cursor has just passed: marks and glue. */
static size_t end_of_cell(const struct edit *edit, struct clean_cursor *cursor)
{
    struct clean_piece piece;
    size_t end = edit->text.len - cursor->rest.len;

    while (cursor->rest.len && !is_ascii(cursor->rest.at[0])) {
        if (!clean_next(cursor, &piece)) /* only glue was left */
            return edit->text.len;
        if (!is_mark(&piece))
            return code_start(edit, edit->text.len - cursor->rest.len);
        end = edit->text.len - cursor->rest.len;
    }
    return end;
}

struct edit_cell edit_cell(const struct edit *edit, size_t at)
{
    struct span rest = {edit->text.at + at, edit->text.len - at};
    char first = rest.at[0];

    if (first >= 0x20 && first < 0x7f && (rest.len == 1 || is_ascii(rest.at[1])))
        return (struct edit_cell){
            .end = at + 1, .columns = 1, .first = first, .blank = first == ' '};
    struct clean_cursor cursor = {.rest = rest,
                                  .mode = CLEAN_LINES | (edit->ascii ? CLEAN_ASCII : 0)};
    struct clean_piece piece;
    clean_next(&cursor, &piece);
    size_t end = end_of_cell(edit, &cursor);
    return (struct edit_cell){.end = end,
                              .columns = piece.columns,
                              .first = first,
                              .blank = first == '\t' || (first == ' ' && end == at + 1),
                              .wide = piece.columns == 2 && !piece.escaped};
}

/* Whether it can be drawn as part of what stands before it. */
static bool may_continue(const struct edit *edit, size_t at)
{
    struct span rest = {edit->text.at + at, edit->text.len - at};

    return !is_ascii(rest.at[0]) && utf8proc_charwidth(utf8_next(&rest)) == 0;
}

/* Where a character surely begins before that place, whatever stands before it: the walk from one
 * character to the next can start there. */
static size_t sure_start(const struct edit *edit, size_t at)
{
    while (at > 0) {
        at = code_start(edit, at);
        if (!may_continue(edit, at))
            break;
    }
    return at;
}

size_t edit_snap(const struct edit *edit, size_t at)
{
    if (at >= edit->text.len)
        return edit->text.len;
    size_t place = sure_start(edit, at);
    while (place < at)
        place = edit_cell(edit, place).end;
    return place;
}

size_t edit_left(const struct edit *edit, size_t at)
{
    size_t place = sure_start(edit, at), before = place;

    while (place < at) {
        before = place;
        place = edit_cell(edit, place).end;
    }
    return before;
}

size_t edit_right(const struct edit *edit, size_t at)
{
    return at < edit->text.len ? edit_cell(edit, at).end : at;
}

static bool is_word(const struct edit *edit, size_t at)
{
    struct span rest = {edit->text.at + at, edit->text.len - at};
    int32_t code = utf8_next(&rest);

    if (code == '_')
        return true;
    utf8proc_category_t category = utf8proc_category(code);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

/* Where the last word before `end` begins, from `start` on; `end` when there is none. */
static size_t last_word(const struct edit *edit, size_t start, size_t end)
{
    size_t found = end;
    bool inside = false;

    for (size_t at = start; at < end; at = edit_cell(edit, at).end) {
        bool word = is_word(edit, at);
        if (word && !inside)
            found = at;
        inside = word;
    }
    return found;
}

/* Line by line and forward in each: a step to the left may cost a long look back. */
size_t edit_word_left(const struct edit *edit, size_t at)
{
    while (at > 0) {
        size_t start = edit_line_start(edit, at - 1), word = last_word(edit, start, at);
        if (word < at)
            return word;
        at = start;
    }
    return 0;
}

size_t edit_word_right(const struct edit *edit, size_t at)
{
    bool inside = false;

    while (at < edit->text.len) {
        bool word = is_word(edit, at);
        if (inside && !word)
            break;
        inside = word;
        at = edit_right(edit, at);
    }
    return at;
}

size_t edit_line_start(const struct edit *edit, size_t at)
{
    const char *before = at ? memrchr(edit->text.at, '\n', at) : NULL;

    return before ? (size_t)(before - edit->text.at) + 1 : 0;
}

size_t edit_line_end(const struct edit *edit, size_t at)
{
    struct span rest = str_span(&edit->text);
    const char *end = at < rest.len ? memchr(rest.at + at, '\n', rest.len - at) : NULL;

    return end ? (size_t)(end - rest.at) : rest.len;
}
