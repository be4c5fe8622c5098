/* Tests properties of line edits under random keys: everything can be undone and redone, the cursor
 * is at the start of a character, and the rows are the text. */
#include "line_edit_support.h"
#include "tests/unit/draw.h"

#include "base/text/sanitize.h"
#include "base/text/utf8.h"
#include "ui/widget/line_edit.h"

enum { ROUNDS = 100, KEYS = 100, LONG = 1 << 18 };

static const char *const pieces[] = {
    "a",
    "b",
    " ",
    "\n",
    "\t",
    "word",
    "a long paste\r\nof lines",
    E_ACUTE,
    MARK,
    MARK MARK MARK,
    KANJI,
    WOMAN,
    JOINER,
    SELECTOR,
    WOMAN JOINER LAPTOP,
    "\x1b",
    "\xe2\x80\xae",
    "\xff",
    "\r",
    "abcdefghijklmnopqrstuvwxyz",
    "    ",
    ".",
    "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa",
    "\xe3\x80\x80",
    "\xd1\x84",
};
enum { PIECES = sizeof pieces / sizeof *pieces };

static void press(struct edit *edit)
{
    if (draw(2)) {
        edit_insert(edit, span_of(pieces[draw(PIECES)]));
        return;
    }
    if (!draw(20)) {
        size_t from = draw((uint32_t)edit->text.len + 2);
        edit_replace(edit, from, from + draw(9), span_of(pieces[draw(PIECES)]));
        return;
    }
    edit_act(edit, ACTION_COMPLETE + draw(ACTION_COUNT - ACTION_COMPLETE));
}

/* Goes character by character from the start, which is slow and skips nothing. */
static bool is_character_start(const struct edit *edit, size_t place)
{
    struct sanitize_cursor cursor = {.rest = edit_text(edit),
                                     .mode = SANITIZE_LINES | (edit->ascii ? SANITIZE_ASCII : 0)};
    struct sanitize_piece piece;

    if (place == 0 || place == edit->text.len)
        return true;
    while (sanitize_next(&cursor, &piece)) {
        size_t end = edit->text.len - cursor.rest.len;
        if (end <= place)
            continue;
        struct span code = {edit->text.at + place, end - place};
        utf8_next(&code);
        return code.len == 0 && (piece.columns || piece.text[0] == '\n' || piece.text[0] == '\t');
    }
    return false;
}

static void check_row(const struct edit *edit, size_t row, size_t columns)
{
    struct span text = edit_row(edit, row);
    struct str drawn = {0}, again = {0};
    size_t used = edit_draw(edit, row, &drawn), start = (size_t)(text.at - edit->text.at);

    if (used > columns)
        cr_assert(edit_cell(edit, start).columns > columns, "a row of %zu in %zu", used, columns);
    size_t columns_again = sanitize_add(&again, str_span(&drawn), 0);
    cr_assert(columns_again == used, "\"%s\" takes %zu columns, not %zu", str_c(&drawn),
              columns_again, used);
    cr_assert(!memchr(str_c(&drawn), '\n', drawn.len) && !memchr(str_c(&drawn), '\t', drawn.len));
    str_free(&drawn);
    str_free(&again);
}

/* Asserts that kept rows equal those of a new edit. */
static void check_kept(const struct edit *edit, size_t columns)
{
    struct edit other = {.ascii = edit->ascii};

    edit_set(&other, edit_text(edit));
    edit_layout(&other, columns);
    cr_assert_eq(other.rows.count, edit->rows.count);
    cr_assert(memcmp(other.rows.starts, edit->rows.starts,
                     other.rows.count * sizeof *other.rows.starts) == 0);
    edit_free(&other);
}

static void check(struct edit *edit)
{
    static const size_t widths[] = {1, 4, 5, 9, 17, 17, 17, 17};
    size_t columns = widths[draw(8)], at = 0;
    struct edit_layout layout = edit_layout(edit, columns);

    cr_assert(utf8_valid(edit_text(edit)));
    cr_assert(is_character_start(edit, edit->cursor));
    cr_assert(layout.rows > 0 && layout.row < layout.rows && layout.column <= columns);
    for (size_t row = 0; row < layout.rows; row++) {
        struct span text = edit_row(edit, row);
        cr_assert(!text.len || text.at == edit->text.at + at);
        cr_assert(is_character_start(edit, at));
        if (text.len)
            check_row(edit, row, columns);
        at += text.len;
        cr_assert(row + 1 == layout.rows || text.len > 0);
    }
    cr_assert_eq(at, edit->text.len);
    check_kept(edit, columns);
}

static void check_undo(struct edit *edit, struct span first)
{
    struct str last = {0};

    while (edit_act(edit, ACTION_EDIT_REDO) == EDIT_DONE)
        ;
    str_add_span(&last, edit_text(edit));
    while (edit_act(edit, ACTION_EDIT_UNDO) == EDIT_DONE)
        cr_assert_eq(edit->cursor, edit_snap(edit, edit->cursor));
    cr_assert(span_eq(edit_text(edit), first));
    while (edit_act(edit, ACTION_EDIT_REDO) == EDIT_DONE)
        cr_assert_eq(edit->cursor, edit_snap(edit, edit->cursor));
    cr_assert(span_eq(edit_text(edit), str_span(&last)));
    str_free(&last);
}

Test(edit_property, random_keys)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct edit_clip clip = {0};
        struct edit edit = {
            .clip = &clip, .ascii = draw(4) == 0, .single = draw(4) == 0, .most = 3000};
        struct str first = {0};
        for (uint32_t i = draw(6); i > 0; i--)
            str_puts(&first, pieces[draw(PIECES)]);
        edit_set(&edit, str_span(&first));
        str_clear(&first);
        str_add_span(&first, edit_text(&edit));
        for (int key = 0; key < KEYS; key++) {
            press(&edit);
            check(&edit);
        }
        cr_assert(!edit.single || !memchr(str_c(&edit.text), '\n', edit.text.len));
        check_undo(&edit, str_span(&first));
        edit_free(&edit);
        edit_clip_free(&clip);
        str_free(&first);
    }
}

/* A step to the left from any place leads to the place before it on the way from the start. */
Test(edit_property, left_is_the_reverse_of_right)
{
    for (int round = 0; round < 1000; round++) {
        struct edit edit = {.ascii = draw(4) == 0};
        for (uint32_t i = draw(30); i > 0; i--)
            edit_insert(&edit, span_of(pieces[draw(PIECES)]));
        for (size_t at = 0; at < edit.text.len;) {
            size_t next = edit_right(&edit, at);
            cr_assert(is_character_start(&edit, next));
            cr_assert_eq(edit_left(&edit, next), at);
            for (size_t inside = at + 1; inside <= next; inside++)
                cr_assert_eq(edit_snap(&edit, inside), next);
            at = next;
        }
        edit_free(&edit);
    }
}

/* Presses every key on a long text without blanks, of marks only, and of joined emoji only. */
Test(edit_property, long_texts_are_only_long)
{
    static const char *const units[] = {"x", KANJI, MARK, WOMAN JOINER, "a b\n"};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct str text = {0};
        struct edit edit = {0};
        while (text.len < LONG)
            str_puts(&text, units[i]);
        edit_set(&edit, str_span(&text));
        for (enum action action = ACTION_COMPLETE; action < ACTION_COUNT; action++) {
            edit_layout(&edit, 80);
            edit_act(&edit, action);
        }
        check_undo(&edit, str_span(&text));
        edit_free(&edit);
        str_free(&text);
    }
}
