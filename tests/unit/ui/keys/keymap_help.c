/* Tests the help and the key bar, which are made from the keymap. */
#include "tests/unit/support.h"

#include "base/text/sanitize.h"
#include "ui/keys/keymap.h"

static struct keymap keymap;
static struct arena arena;

static void setup(void)
{
    keymap_init(&keymap);
}

static void teardown(void)
{
    keymap_free(&keymap);
    arena_free(&arena);
}

TestSuite(keymap_help, .init = setup, .fini = teardown);
TestSuite(keymap_bar, .init = setup, .fini = teardown);

static void bind_keys(const char *action, const char *keys)
{
    struct err err = {0};

    cr_assert(keymap_bind(&keymap, span_of(action), span_of(keys), &err), "%s", err.text);
}

static const struct keymap_row *row_of(const struct keymap_rows *rows, enum action action)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].action == action)
            return &rows->items[i];
    return NULL;
}

Test(keymap_help, has_every_action_once_in_the_order_of_groups)
{
    struct keymap_rows rows = keymap_help(&keymap, 0, &arena);

    cr_assert_eq(rows.count, ACTION_COUNT - 1);
    for (int i = 1; i < ACTION_COUNT; i++) {
        const struct keymap_row *row = row_of(&rows, (enum action)i);
        cr_assert(row, "%s", actions[i].name);
        assert_span(row->keys, actions[i].keys);
    }
    for (size_t i = 1; i < rows.count; i++)
        cr_assert_leq(actions[rows.items[i - 1].action].group, actions[rows.items[i].action].group);
}

Test(keymap_help, of_a_place_has_what_works_there)
{
    struct keymap_rows rows = keymap_help(&keymap, IN_FLOW, &arena);

    cr_assert(row_of(&rows, ACTION_PERIOD));
    cr_assert_not(row_of(&rows, ACTION_PREVIEW));
    cr_assert_not(row_of(&rows, ACTION_NEWLINE));
}

Test(keymap_help, names_no_key_that_something_else_has_there)
{
    bind_keys("postpone", "^W");
    struct keymap_rows rows = keymap_help(&keymap, IN_FORM | IN_FIELD, &arena);

    assert_span(row_of(&rows, ACTION_POSTPONE)->keys, "^W");
    assert_span(row_of(&rows, ACTION_DELETE_WORD_BACK)->keys, "Alt-Backspace");
    assert_span(row_of(&rows, ACTION_DISCARD)->keys, "Alt-x"); /* X is typed text there */
}

Test(keymap_help, names_actions_without_keys_too)
{
    bind_keys("archive", "");
    struct keymap_rows rows = keymap_help(&keymap, IN_INBOX, &arena);

    assert_span(row_of(&rows, ACTION_ARCHIVE)->keys, "");
}

Test(keymap_help, is_lines_with_keys_help_and_name_under_their_groups)
{
    struct str out = {0};

    bind_keys("period", "é ^Xp");
    bind_keys("flow", "<F10><F11><F12><F9>");
    struct keymap_rows all = keymap_help(&keymap, IN_FLOW, &arena);
    struct keymap_row some[] = {*row_of(&all, ACTION_PERIOD), *row_of(&all, ACTION_VIEW_INBOX),
                                *row_of(&all, ACTION_VIEW_FLOW)};
    struct keymap_rows rows = {some, 3};
    keymap_add_help(&out, &rows, SANITIZE_LINE);
    cr_assert_str_eq(
        str_c(&out),
        "Find\n"
        "  é ^Xp            count the last hour, or the last day (:period [hour|day])\n"
        "\n"
        "Views\n"
        "  1                what needs you, what is unread, the rest (:inbox)\n"
        "  <F10><F11><F12><F9> who talks to whom (:flow)\n");
    str_free(&out);
}

/* Compares the bar as it is drawn, rows separated by newlines. */
static void expect_bar(unsigned where, size_t columns, size_t rows, const char *text)
{
    const struct keybar_room room = {.where = where, .columns = columns, .rows = rows};
    struct keybar bar = keymap_bar(&keymap, &room, &arena);
    struct str out = {0};
    size_t row = 0, start = 0;

    for (size_t i = 0; i < bar.count; i++) {
        const struct keybar_piece *piece = &bar.items[i];
        while (row < piece->row) {
            cr_assert_leq(out.len - start, columns);
            str_putc(&out, '\n');
            start = out.len;
            row++;
        }
        str_pad(&out, ' ', piece->column - (out.len - start));
        str_add_span(&out, piece->key);
        str_addf(&out, ":%s", piece->text);
    }
    cr_assert_leq(out.len - start, columns);
    cr_assert_str_eq(str_c(&out), text);
    str_free(&out);
}

Test(keymap_bar, drops_whole_entries_when_it_is_narrow)
{
    expect_bar(IN_INBOX, 40, 1, " a:decide d:archive ?:help Q:quit");
    expect_bar(IN_INBOX, 16, 1, " ?:help Q:quit");
    expect_bar(IN_INBOX, 14, 1, " ?:help Q:quit");
    expect_bar(IN_INBOX, 13, 1, " ?:help");
    expect_bar(IN_INBOX, 6, 1, "");
    expect_bar(IN_INBOX, 0, 1, "");
    expect_bar(IN_INBOX, 80, 0, "");
}

Test(keymap_bar, goes_on_in_the_next_row)
{
    expect_bar(IN_INBOX, 30, 2,
               " a:decide d:archive r:reply\n"
               " m:new H:handoff ?:help Q:quit");
}

Test(keymap_bar, has_the_keys_of_the_config)
{
    bind_keys("archive", "^X<Enter>");
    bind_keys("reply", "");
    expect_bar(IN_INBOX, 45, 1, " a:decide ^X<Enter>:archive ?:help Q:quit");
}
