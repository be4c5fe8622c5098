/* Tests differences between texts. */
#include "tests/unit/support.h"

#include "base/text/diff.h"

#include <stdint.h>

/* Returns the lines, each after its mark: " " in both, "-" removed, "+" added. The caller frees. */
static struct str marked(const char *before, const char *after, size_t *changed)
{
    static const char marks[] = {' ', '-', '+'};
    struct difference difference = {0};
    struct str out = {0};

    diff_find(&difference, span_of(before), span_of(after));
    for (size_t i = 0; i < difference.count; i++) {
        str_putc(&out, marks[difference.lines[i].kind]);
        str_add_span(&out, difference.lines[i].text);
        str_putc(&out, '\n');
    }
    *changed = difference.changed;
    diff_free(&difference);
    return out;
}

static void assert_marked(const char *before, const char *after, size_t changed, const char *want)
{
    size_t found;
    struct str out = marked(before, after, &found);

    cr_assert_str_eq(str_c(&out), want);
    cr_assert_eq(found, changed);
    str_free(&out);
}

Test(difference, few_changes_are_found_as_few)
{
    assert_marked("a\nb\nc\n", "a\nb\nc\n", 0, " a\n b\n c\n");
    assert_marked("a\nb\nc\n", "a\nx\nc\n", 2, " a\n-b\n+x\n c\n");
    assert_marked("a\nc\n", "a\nb\nc\n", 1, " a\n+b\n c\n");
    assert_marked("a\nb\nc\n", "a\nc\n", 1, " a\n-b\n c\n");
    assert_marked("a\n", "a\nb\n", 1, " a\n+b\n");
    assert_marked("b\n", "a\nb\n", 1, "+a\n b\n");
}

Test(difference, blanks_are_differences)
{
    assert_marked("a b\n", "a  b\n", 2, "-a b\n+a  b\n");
    assert_marked("a\n", "a \n", 2, "-a\n+a \n");
}

/* The old and the new text can be rebuilt from the lines. */
static void assert_rebuilds(const char *before, const char *after)
{
    struct difference difference = {0};
    struct str old = {0}, new = {0};
    size_t changed = 0;

    diff_find(&difference, span_of(before), span_of(after));
    for (size_t i = 0; i < difference.count; i++) {
        const struct diff_line *line = &difference.lines[i];
        changed += line->kind != DIFF_SAME;
        if (line->kind != DIFF_NEW) {
            str_add_span(&old, line->text);
            str_putc(&old, '\n');
        }
        if (line->kind != DIFF_GONE) {
            str_add_span(&new, line->text);
            str_putc(&new, '\n');
        }
    }
    cr_assert_eq(changed, difference.changed);
    cr_assert_str_eq(str_c(&old), before);
    cr_assert_str_eq(str_c(&new), after);
    str_free(&old);
    str_free(&new);
    diff_free(&difference);
}

Test(difference, both_texts_come_back)
{
    uint64_t seed = 42;

    for (int round = 0; round < 500; round++) {
        struct str texts[2] = {{0}, {0}};
        for (int which = 0; which < 2; which++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            for (unsigned lines = (unsigned)(seed >> 33) % 30; lines; lines--) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                str_addf(&texts[which], "%c\n", (int)('a' + (seed >> 33) % 4));
            }
        }
        assert_rebuilds(str_c(&texts[0]), str_c(&texts[1]));
        str_free(&texts[0]);
        str_free(&texts[1]);
    }
}

Test(difference, of_texts_with_hardly_anything_in_common_all_is_gone_and_new)
{
    struct str before = {0}, after = {0};

    for (int i = 0; i < 5000; i++) {
        str_addf(&before, "before %d\n", i);
        str_addf(&after, "after %d\n", i);
    }
    assert_rebuilds(str_c(&before), str_c(&after));
    str_free(&before);
    str_free(&after);
}
