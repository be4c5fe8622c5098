/* Line editing: characters and words, rows, changes with undo, and actions. */
#include "ui/widget/line_edit.h"

#include "base/mem.h"
#include "base/text/sanitize.h"
#include "base/text/utf8.h"

#include <stdlib.h>
#include <utf8proc.h>

static size_t edit_line_start(const struct edit *edit, size_t at)
{
    const char *before = at ? memrchr(edit->text.at, '\n', at) : NULL;

    return before ? (size_t)(before - edit->text.at) + 1 : 0;
}

/* Lets the next up or down start from the column of the cursor. */
static void edit_forget_column(struct edit *edit)
{
    edit->has_wanted = false;
}

/* Places: where characters, words and lines begin and end. */

/* An ASCII character never continues the one before it. */
static bool is_ascii(char c)
{
    return (unsigned char)c < 0x80;
}

static bool is_mark(const struct sanitize_piece *piece)
{
    return !piece->columns && piece->text[0] != '\n' && piece->text[0] != '\t';
}

/* Returns the start of the code point that ends there. */
static size_t code_start(const struct edit *edit, size_t end)
{
    do
        end--;
    while (((unsigned char)edit->text.at[end] & 0xc0) == 0x80);
    return end;
}

/* Returns the end of the character that the cursor has just passed, with its marks and joiners. */
static size_t end_of_cell(const struct edit *edit, struct sanitize_cursor *cursor)
{
    struct sanitize_piece piece;
    size_t end = edit->text.len - cursor->rest.len;

    while (cursor->rest.len && !is_ascii(cursor->rest.at[0])) {
        if (!sanitize_next(cursor, &piece)) /* only joiners were left */
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
    struct sanitize_cursor cursor = {.rest = rest,
                                     .mode = SANITIZE_LINES | (edit->ascii ? SANITIZE_ASCII : 0)};
    struct sanitize_piece piece;
    sanitize_next(&cursor, &piece);
    size_t end = end_of_cell(edit, &cursor);
    return (struct edit_cell){.end = end,
                              .columns = piece.columns,
                              .first = first,
                              .blank = first == '\t' || (first == ' ' && end == at + 1),
                              .wide = piece.columns == 2 && !piece.escaped};
}

/* Reports whether the code point can be drawn as part of the character before it. */
static bool may_continue(const struct edit *edit, size_t at)
{
    struct span rest = {edit->text.at + at, edit->text.len - at};

    return !is_ascii(rest.at[0]) && utf8proc_charwidth(utf8_next(&rest)) == 0;
}

/* Returns a place at or before `at` where a character begins regardless of the text before it:
 * walks from one character to the next can start there. */
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

/* Returns the start of the last word between `start` and `end`; `end` if there is none. */
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

/* Walks forward through each line, because a single step to the left may be expensive. */
static size_t edit_word_left(const struct edit *edit, size_t at)
{
    while (at > 0) {
        size_t start = edit_line_start(edit, at - 1), word = last_word(edit, start, at);
        if (word < at)
            return word;
        at = start;
    }
    return 0;
}

static size_t edit_word_right(const struct edit *edit, size_t at)
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

static size_t edit_line_end(const struct edit *edit, size_t at)
{
    struct span rest = str_span(&edit->text);
    const char *end = at < rest.len ? memchr(rest.at + at, '\n', rest.len - at) : NULL;

    return end ? (size_t)(end - rest.at) : rest.len;
}

/* Rows: the text broken to a width, and the cursor in it. */

/* Returns the width of a character at that column of a row. */
static size_t columns_at(const struct edit_cell *cell, size_t column)
{
    return cell->first == '\t' ? EDIT_TAB - column % EDIT_TAB : cell->columns;
}

/* Returns the column after a character. Blanks that do not fit all get the last column. */
static size_t column_behind(const struct edit *edit, const struct edit_cell *cell, size_t column)
{
    size_t behind = column + columns_at(cell, column);

    if (!cell->blank || behind <= edit->rows.columns)
        return behind;
    return column > edit->rows.columns ? column : edit->rows.columns;
}

static void add_row(struct edit_rows *rows, size_t start)
{
    *mem_push(rows->starts, rows->count, rows->cap) = start;
}

/* State of a row while it is filled. */
struct filling {
    size_t column;      /* after its text */
    size_t word;        /* start of its last word; the start of the row: there is none */
    size_t word_column; /* column of that word */
};

/* Breaks before the word that does not fit, or inside it if the row has no other. */
static void break_row(struct edit *edit, struct filling *row, size_t at)
{
    bool whole = row->word > edit->rows.starts[edit->rows.count - 1];
    size_t start = whole ? row->word : at;

    add_row(&edit->rows, start);
    *row = (struct filling){.column = whole ? row->column - row->word_column : 0, .word = start};
}

static void may_break(struct filling *row, size_t at)
{
    row->word = at;
    row->word_column = row->column;
}

static void fill_row(struct edit *edit, struct filling *row, size_t at,
                     const struct edit_cell *cell)
{
    const struct edit_rows *rows = &edit->rows;

    if (cell->wide)
        may_break(row, at);
    while (!cell->blank && row->column + cell->columns > rows->columns &&
           at > rows->starts[rows->count - 1])
        break_row(edit, row, at);
    row->column = column_behind(edit, cell, row->column);
    if (cell->blank || cell->wide)
        may_break(row, cell->end);
}

/* Fills rows, from the start of a row that was just added. */
static void fill_rows(struct edit *edit, size_t start)
{
    struct filling row = {.word = start};

    for (size_t at = start; at < edit->text.len;) {
        struct edit_cell cell = edit_cell(edit, at);
        if (cell.first == '\n') {
            add_row(&edit->rows, cell.end);
            row = (struct filling){.word = cell.end};
        } else {
            fill_row(edit, &row, at, &cell);
        }
        at = cell.end;
    }
}

/* Returns the last row that begins at or before that place. */
static size_t row_of(const struct edit *edit, size_t at)
{
    size_t low = 0, high = edit->rows.count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (edit->rows.starts[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Lays out the text for the last width, unless that is up to date. */
static void update_rows(struct edit *edit)
{
    struct edit_rows *rows = &edit->rows;
    size_t columns = edit->columns ? edit->columns : SIZE_MAX / 2, start = 0;

    if (rows->count && rows->columns == columns) {
        if (rows->version == edit->version)
            return;
        start = edit_line_start(edit, rows->same); /* lines before it are unchanged */
        rows->count = row_of(edit, start);
    } else {
        rows->count = 0;
    }
    rows->version = edit->version;
    rows->columns = columns;
    rows->same = SIZE_MAX;
    add_row(rows, start);
    fill_rows(edit, start);
}

static size_t row_end(const struct edit *edit, size_t row)
{
    return row + 1 < edit->rows.count ? edit->rows.starts[row + 1] : edit->text.len;
}

static size_t column_of(const struct edit *edit, size_t row, size_t place)
{
    size_t column = 0;

    for (size_t at = edit->rows.starts[row]; at < place;) {
        struct edit_cell cell = edit_cell(edit, at);
        column = column_behind(edit, &cell, column);
        at = cell.end;
    }
    return column;
}

struct edit_layout edit_layout(struct edit *edit, size_t columns)
{
    if (edit->columns != columns)
        edit_forget_column(edit);
    edit->columns = columns ? columns : 1;
    update_rows(edit);
    size_t row = row_of(edit, edit->cursor), column = column_of(edit, row, edit->cursor);
    return (struct edit_layout){.rows = edit->rows.count,
                                .row = row,
                                .column = column < edit->columns ? column : edit->columns};
}

struct span edit_row(const struct edit *edit, size_t row)
{
    if (row >= edit->rows.count)
        return span_of("");
    size_t start = edit->rows.starts[row];
    return (struct span){str_c(&edit->text) + start, row_end(edit, row) - start};
}

/* Draws one character, but reads on to the end of the text: a joiner counts only before what it
 * joins. */
static void draw_cell(const struct edit *edit, size_t at, size_t end, struct str *out)
{
    struct sanitize_cursor cursor = {.rest = {edit->text.at + at, edit->text.len - at},
                                     .mode = edit->ascii ? SANITIZE_ASCII : 0};
    struct sanitize_piece piece;

    while (sanitize_next(&cursor, &piece) && edit->text.len - cursor.rest.len <= end)
        str_add(out, piece.text, piece.len);
}

size_t edit_draw(const struct edit *edit, size_t row, struct str *out)
{
    size_t column = 0;

    if (row >= edit->rows.count)
        return 0;
    for (size_t at = edit->rows.starts[row], end = row_end(edit, row); at < end;) {
        struct edit_cell cell = edit_cell(edit, at);
        if (cell.first == '\n')
            break;
        size_t behind = column_behind(edit, &cell, column);
        if (cell.blank)
            str_pad(out, ' ', behind - column);
        else
            draw_cell(edit, at, cell.end, out);
        column = behind;
        at = cell.end;
    }
    return column;
}

/* Returns the last place of a row at or before that column. The end of a row that continues is the
 * start of the next row, so it does not count. */
static size_t place_at(const struct edit *edit, size_t row, size_t wanted)
{
    size_t at = edit->rows.starts[row], end = row_end(edit, row), column = 0;

    while (at < end) {
        struct edit_cell cell = edit_cell(edit, at);
        bool last = cell.end == end && row + 1 < edit->rows.count;
        column = column_behind(edit, &cell, column);
        if (column > wanted || cell.first == '\n' || last)
            break;
        at = cell.end;
    }
    return at;
}

void edit_go(struct edit *edit, size_t row, size_t column)
{
    update_rows(edit);
    if (row >= edit->rows.count)
        row = edit->rows.count - 1;
    edit->cursor = place_at(edit, row, column);
    edit->run = EDIT_RUN_NONE;
    edit->wanted = column;
    edit->has_wanted = true;
}

/* Moves the cursor up (-1) or down (1); returns EDIT_NOTHING if there is no such row. */
static enum edit_result edit_go_rows(struct edit *edit, int by)
{
    update_rows(edit);
    size_t row = row_of(edit, edit->cursor);
    if (by < 0 ? row == 0 : row + 1 == edit->rows.count)
        return EDIT_NOTHING;
    edit_go(edit, by < 0 ? row - 1 : row + 1,
            edit->has_wanted ? edit->wanted : column_of(edit, row, edit->cursor));
    return EDIT_DONE;
}

/* Bytes of one step; longer runs of keys become several steps. */
enum { RUN_MOST = 256 };

struct edit_change {
    size_t at;
    struct str removed, added;
    size_t before, after; /* the cursor before and after the change */
};

static void change_free(struct edit_change *change)
{
    str_free(&change->removed);
    str_free(&change->added);
}

static size_t change_bytes(const struct edit_change *change)
{
    return change->removed.len + change->added.len;
}

static void edit_undo_free(struct edit_undo *undo)
{
    for (size_t i = 0; i < undo->count; i++)
        change_free(&undo->changes[i]);
    free(undo->changes);
    *undo = (struct edit_undo){0};
}

static void splice_text(struct edit *edit, size_t from, size_t to, struct span text)
{
    str_room(&edit->text, text.len);
    char *at = edit->text.at + from;
    memmove(at + text.len, edit->text.at + to, edit->text.len - to);
    if (text.len)
        memcpy(at, text.at, text.len);
    edit->text.len += text.len - (to - from);
    edit->text.at[edit->text.len] = '\0';
    edit->version++;
    if (from < edit->rows.same)
        edit->rows.same = from;
}

static void put_before(struct str *text, struct span more)
{
    str_room(text, more.len);
    memmove(text->at + more.len, text->at, text->len);
    memcpy(text->at, more.at, more.len);
    text->len += more.len;
    text->at[text->len] = '\0';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Reports whether typing continues the last step: until a new word begins. */
static bool joins_typing(const struct edit_change *last, size_t from, size_t to, struct span text)
{
    return from == to && last->added.len && last->at + last->added.len == from &&
           (is_blank(text.at[0]) || !is_blank(last->added.at[last->added.len - 1]));
}

/* Extends the last step by the change; returns false if it does not belong to it. */
static bool join_change(struct edit *edit, size_t from, size_t to, struct span text,
                        enum edit_run run)
{
    struct edit_undo *undo = &edit->undo;
    struct edit_change *last = undo->done ? &undo->changes[undo->done - 1] : NULL;
    struct span gone = {str_c(&edit->text) + from, to - from};

    if (!last || undo->done != undo->count || edit->run != run ||
        change_bytes(last) + gone.len + text.len > RUN_MOST)
        return false;
    if (run == EDIT_RUN_TYPE && joins_typing(last, from, to, text))
        str_add_span(&last->added, text);
    else if (run == EDIT_RUN_BACK && to == last->at)
        put_before(&last->removed, gone);
    else if (run == EDIT_RUN_AHEAD && from == last->at)
        str_add_span(&last->removed, gone);
    else
        return false;
    if (run == EDIT_RUN_BACK)
        last->at = from;
    undo->bytes += gone.len + text.len;
    return true;
}

static void forget_undone(struct edit_undo *undo)
{
    while (undo->count > undo->done) {
        struct edit_change *change = &undo->changes[--undo->count];
        undo->bytes -= change_bytes(change);
        change_free(change);
    }
}

static void forget_oldest(struct edit_undo *undo)
{
    size_t drop = 0;

    while (undo->count - drop > 1 &&
           (undo->count - drop > EDIT_UNDO_STEPS || undo->bytes > EDIT_UNDO_BYTES)) {
        undo->bytes -= change_bytes(&undo->changes[drop]);
        change_free(&undo->changes[drop++]);
    }
    undo->count -= drop;
    undo->done -= drop;
    if (drop)
        memmove(undo->changes, undo->changes + drop, undo->count * sizeof *undo->changes);
}

static void remember_change(struct edit *edit, size_t from, size_t to, struct span text)
{
    struct edit_undo *undo = &edit->undo;
    struct edit_change change = {.at = from, .before = edit->cursor};

    forget_undone(undo);
    str_add(&change.removed, str_c(&edit->text) + from, to - from);
    str_add_span(&change.added, text);
    *mem_push(undo->changes, undo->count, undo->cap) = change;
    undo->done = undo->count;
    undo->bytes += change_bytes(&change);
    forget_oldest(undo);
}

/* Replaces part of the text with a clean text and records an undo step; extends the last step if
 * both belong to the same run. */
static void edit_change(struct edit *edit, size_t from, size_t to, struct span text,
                        enum edit_run run)
{
    if (!join_change(edit, from, to, text, run))
        remember_change(edit, from, to, text);
    splice_text(edit, from, to, text);
    edit->cursor = edit_snap(edit, from + text.len); /* a mark after the text may have joined it */
    edit->undo.changes[edit->undo.done - 1].after = edit->cursor;
    edit->run = run;
    edit_forget_column(edit);
}

static void end_run(struct edit *edit)
{
    edit->run = EDIT_RUN_NONE;
    edit_forget_column(edit);
}

static enum edit_result edit_undo(struct edit *edit)
{
    struct edit_undo *undo = &edit->undo;

    end_run(edit);
    if (!undo->done)
        return EDIT_NOTHING;
    const struct edit_change *change = &undo->changes[--undo->done];
    splice_text(edit, change->at, change->at + change->added.len, str_span(&change->removed));
    edit->cursor = change->before;
    return EDIT_DONE;
}

static enum edit_result edit_redo(struct edit *edit)
{
    struct edit_undo *undo = &edit->undo;

    end_run(edit);
    if (undo->done == undo->count)
        return EDIT_NOTHING;
    const struct edit_change *change = &undo->changes[undo->done++];
    splice_text(edit, change->at, change->at + change->removed.len, str_span(&change->added));
    edit->cursor = change->after;
    return EDIT_DONE;
}

/* Effects of keys and pastes. */

void edit_clip_free(struct edit_clip *clip)
{
    str_free(&clip->text);
}

void edit_free(struct edit *edit)
{
    str_free(&edit->text);
    free(edit->rows.starts);
    edit_undo_free(&edit->undo);
    *edit = (struct edit){0};
}

struct span edit_text(const struct edit *edit)
{
    return str_span(&edit->text);
}

uint64_t edit_version(const struct edit *edit)
{
    return edit->version;
}

/* Takes a code point off the front. Terminals send newlines in a paste as CR. */
static int32_t next_code(struct span *rest)
{
    int32_t code = utf8_next(rest);

    if (code == UTF8_INVALID || (code >= 0xd800 && code <= 0xdfff))
        return 0xfffd;
    if (code != '\r')
        return code;
    if (rest->len && rest->at[0] == '\n')
        utf8_next(rest);
    return '\n';
}

/* Appends a text in the form that this edit allows. */
static void take_in(struct str *out, const struct edit *edit, struct span text)
{
    size_t solid = out->len; /* end of the last character that is no newline */

    while (text.len) {
        int32_t code = next_code(&text);
        if (code == 0)
            continue;
        utf8_add(out, code == '\n' && edit->single ? ' ' : code);
        if (code != '\n')
            solid = out->len;
    }
    if (edit->single && solid < out->len) {
        out->len = solid;
        out->at[solid] = '\0';
    }
}

static bool text_fits(const struct edit *edit, size_t without, size_t more)
{
    return edit->text.len - without + more <= (edit->most ? edit->most : EDIT_MOST);
}

enum edit_result edit_set(struct edit *edit, struct span text)
{
    struct str clean = {0};

    take_in(&clean, edit, text);
    if (!text_fits(edit, edit->text.len, clean.len)) {
        str_free(&clean);
        return EDIT_FULL;
    }
    str_free(&edit->text);
    edit->text = clean;
    edit->cursor = clean.len;
    edit->version++;
    edit->rows.same = 0;
    edit->run = EDIT_RUN_NONE;
    edit_undo_free(&edit->undo);
    edit_forget_column(edit);
    return EDIT_DONE;
}

static enum edit_result put_text(struct edit *edit, size_t from, size_t to, struct span text,
                                 enum edit_run run)
{
    CLEANUP(str_free) struct str clean = {0};
    enum edit_result result = EDIT_DONE;

    take_in(&clean, edit, text);
    if (from == to && !clean.len)
        result = EDIT_NOTHING;
    else if (!text_fits(edit, to - from, clean.len))
        result = EDIT_FULL;
    else
        edit_change(edit, from, to, str_span(&clean), run);
    return result;
}

enum edit_result edit_insert(struct edit *edit, struct span text)
{
    struct span rest = text;
    bool typed = text.len && (utf8_next(&rest), !rest.len);

    return put_text(edit, edit->cursor, edit->cursor, text, typed ? EDIT_RUN_TYPE : EDIT_RUN_NONE);
}

enum edit_result edit_replace(struct edit *edit, size_t from, size_t to, struct span text)
{
    from = edit_snap(edit, from);
    to = edit_snap(edit, to < from ? from : to);
    return put_text(edit, from, to, text, EDIT_RUN_NONE);
}

/* Moves the start before a joiner: without the emoji that follows it would become visible. */
static size_t with_joiner(const struct edit *edit, size_t from)
{
    static const struct span joiner = {"\xe2\x80\x8d", 3};
    size_t before = edit_left(edit, from);

    if (from - before > joiner.len &&
        memcmp(edit->text.at + from - joiner.len, joiner.at, joiner.len) == 0)
        return from - joiner.len;
    return from;
}

static void clip(struct edit *edit, struct span text, bool backwards)
{
    struct str kept = {0};

    if (!edit->clip)
        return;
    if (edit->run != EDIT_RUN_CUT)
        str_clear(&edit->clip->text);
    str_add_span(&kept, backwards ? text : str_span(&edit->clip->text));
    str_add_span(&kept, backwards ? str_span(&edit->clip->text) : text);
    str_free(&edit->clip->text);
    edit->clip->text = kept;
}

static enum edit_result move_cursor(struct edit *edit, size_t to)
{
    edit->cursor = to;
    end_run(edit);
    return EDIT_DONE;
}

static enum edit_result delete (struct edit *edit, size_t to) {
    bool back = to < edit->cursor;
    size_t from = back ? to : edit->cursor, end = back ? edit->cursor : to;

    edit_change(edit, with_joiner(edit, from), end, span_of(""),
                back ? EDIT_RUN_BACK : EDIT_RUN_AHEAD);
    return EDIT_DONE;
}

static enum edit_result cut(struct edit *edit, size_t to)
{
    bool back = to < edit->cursor;
    size_t from = back ? to : edit->cursor, end = back ? edit->cursor : to;

    clip(edit, (struct span){edit->text.at + from, end - from}, back);
    edit_change(edit, from, end, span_of(""), EDIT_RUN_CUT);
    return EDIT_DONE;
}

/* Returns the end of the line, or at the end of the line that of its newline. */
static size_t rest_of_line(const struct edit *edit, size_t at)
{
    size_t end = edit_line_end(edit, at);

    return end > at ? end : edit_right(edit, at);
}

static enum edit_result newline(struct edit *edit)
{
    return edit->single ? EDIT_NOTHING : edit_insert(edit, span_of("\n"));
}

static enum edit_result yank(struct edit *edit)
{
    if (!edit->clip)
        return EDIT_NOTHING;
    return put_text(edit, edit->cursor, edit->cursor, str_span(&edit->clip->text), EDIT_RUN_NONE);
}

static enum edit_result up(struct edit *edit)
{
    return edit_go_rows(edit, -1);
}

static enum edit_result down(struct edit *edit)
{
    return edit_go_rows(edit, 1);
}

/* An action of its own (`run`), or an operation from the cursor to a place. */
struct act {
    enum edit_result (*run)(struct edit *edit);
    enum edit_result (*with)(struct edit *edit, size_t to);
    size_t (*to)(const struct edit *edit, size_t at);
};

static const struct act acts[ACTION_COUNT] = {
    [ACTION_NEWLINE] = {.run = newline},
    [ACTION_LEFT] = {.with = move_cursor, .to = edit_left},
    [ACTION_RIGHT] = {.with = move_cursor, .to = edit_right},
    [ACTION_UP] = {.run = up},
    [ACTION_DOWN] = {.run = down},
    [ACTION_WORD_LEFT] = {.with = move_cursor, .to = edit_word_left},
    [ACTION_WORD_RIGHT] = {.with = move_cursor, .to = edit_word_right},
    [ACTION_LINE_START] = {.with = move_cursor, .to = edit_line_start},
    [ACTION_LINE_END] = {.with = move_cursor, .to = edit_line_end},
    [ACTION_DELETE_BACK] = {.with = delete, .to = edit_left},
    [ACTION_DELETE] = {.with = delete, .to = edit_right},
    [ACTION_DELETE_WORD_BACK] = {.with = cut, .to = edit_word_left},
    [ACTION_DELETE_WORD] = {.with = cut, .to = edit_word_right},
    [ACTION_DELETE_TO_START] = {.with = cut, .to = edit_line_start},
    [ACTION_DELETE_TO_END] = {.with = cut, .to = rest_of_line},
    [ACTION_YANK] = {.run = yank},
    [ACTION_EDIT_UNDO] = {.run = edit_undo},
    [ACTION_EDIT_REDO] = {.run = edit_redo},
};

enum edit_result edit_act(struct edit *edit, enum action action)
{
    const struct act *act = &acts[action];

    if (act->run)
        return act->run(edit);
    if (!act->to)
        return EDIT_NOTHING;
    size_t to = act->to(edit, edit->cursor);
    return to == edit->cursor ? EDIT_NOTHING : act->with(edit, to);
}
