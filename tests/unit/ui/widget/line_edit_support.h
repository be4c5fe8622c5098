/* Shared by the tests of line edits. */
#ifndef TESTS_UNIT_UI_WIDGET_LINE_EDIT_SUPPORT_H
#define TESTS_UNIT_UI_WIDGET_LINE_EDIT_SUPPORT_H

#include "tests/unit/support.h"

#include "ui/widget/line_edit.h"

/* A letter with a mark, a wide letter, a joined emoji, a mark without a letter. */
#define E_ACUTE "e\xcc\x81"
#define MARK "\xcc\x81"
#define KANJI "\xe6\xbc\xa2"
#define JOINER "\xe2\x80\x8d"
#define SELECTOR "\xef\xb8\x8f"
#define WOMAN "\xf0\x9f\x91\xa9"
#define LAPTOP "\xf0\x9f\x92\xbb"

static inline void type(struct edit *edit, const char *text)
{
    for (; *text; text++)
        edit_insert(edit, (struct span){text, 1});
}

/* Compares the text, with the cursor in it as '|'. */
static inline void expect_edit(const struct edit *edit, const char *wanted)
{
    struct str got = {0};
    struct span text = edit_text(edit);

    str_add(&got, text.at, edit->cursor);
    str_putc(&got, '|');
    str_add(&got, text.at + edit->cursor, text.len - edit->cursor);
    assert_span(str_span(&got), wanted);
    str_free(&got);
}

#endif
