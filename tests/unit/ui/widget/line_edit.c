/* Tests line edits: keys, pastes, undo. */
#include "line_edit_support.h"

static struct edit_clip clip;
static struct edit edit;

static void start(void)
{
    edit.clip = &clip;
}

static void stop(void)
{
    edit_free(&edit);
    edit_clip_free(&clip);
}

TestSuite(edit, .init = start, .fini = stop);

static void act(enum action action, const char *wanted)
{
    cr_assert_eq(edit_act(&edit, action), EDIT_DONE, "%s", actions[action].name);
    expect_edit(&edit, wanted);
}

static void nothing(enum action action)
{
    uint64_t version = edit_version(&edit);
    size_t cursor = edit.cursor;

    cr_assert_eq(edit_act(&edit, action), EDIT_NOTHING, "%s", actions[action].name);
    cr_assert_eq(edit_version(&edit), version);
    cr_assert_eq(edit.cursor, cursor);
}

Test(edit, an_empty_text_leaves_every_key_to_the_form)
{
    for (enum action action = 0; action < ACTION_COUNT; action++)
        if (action != ACTION_NEWLINE)
            nothing(action);
    assert_span(edit_text(&edit), "");
}

Test(edit, every_action_for_text_does_something)
{
    for (enum action action = 0; action < ACTION_COUNT; action++) {
        if (actions[action].group != GROUP_EDIT || action == ACTION_COMPLETE ||
            action == ACTION_ACCEPT)
            continue;
        edit_set(&edit, span_of("one two\nthree four\nfive six"));
        edit_act(&edit, ACTION_DELETE_WORD_BACK);
        edit_insert(&edit, span_of("x"));
        if (action == ACTION_EDIT_REDO)
            edit_act(&edit, ACTION_EDIT_UNDO);
        edit_go(&edit, 1, 3);
        cr_assert_eq(edit_act(&edit, action), EDIT_DONE, "%s", actions[action].name);
    }
}

Test(edit, characters_are_stepped_over_as_they_are_drawn)
{
    edit_set(&edit, span_of("a" E_ACUTE KANJI WOMAN JOINER LAPTOP "\x1b"));
    act(ACTION_LEFT, "a" E_ACUTE KANJI WOMAN JOINER LAPTOP "|\x1b");
    act(ACTION_LEFT, "a" E_ACUTE KANJI WOMAN JOINER "|" LAPTOP "\x1b");
    act(ACTION_LEFT, "a" E_ACUTE KANJI "|" WOMAN JOINER LAPTOP "\x1b");
    act(ACTION_LEFT, "a" E_ACUTE "|" KANJI WOMAN JOINER LAPTOP "\x1b");
    act(ACTION_LEFT, "a|" E_ACUTE KANJI WOMAN JOINER LAPTOP "\x1b");
    act(ACTION_LEFT, "|a" E_ACUTE KANJI WOMAN JOINER LAPTOP "\x1b");
    nothing(ACTION_LEFT);
    act(ACTION_RIGHT, "a|" E_ACUTE KANJI WOMAN JOINER LAPTOP "\x1b");
    act(ACTION_RIGHT, "a" E_ACUTE "|" KANJI WOMAN JOINER LAPTOP "\x1b");
}

Test(edit, a_selector_belongs_to_its_emoji)
{
    edit_set(&edit, span_of("x" WOMAN SELECTOR));
    act(ACTION_LEFT, "x|" WOMAN SELECTOR);
    act(ACTION_RIGHT, "x" WOMAN SELECTOR "|");
    nothing(ACTION_RIGHT);
}

Test(edit, where_only_ascii_is_drawn_every_mark_is_a_step)
{
    edit.ascii = true;
    edit_set(&edit, span_of("a" E_ACUTE));
    act(ACTION_LEFT, "ae|" MARK);
    act(ACTION_LEFT, "a|" E_ACUTE);
}

Test(edit, words_are_letters_digits_and_underscores)
{
    edit_set(&edit, span_of("src/my_file.c  \xc3\x84rger!\n"));
    act(ACTION_WORD_LEFT, "src/my_file.c  |\xc3\x84rger!\n");
    act(ACTION_WORD_LEFT, "src/my_file.|c  \xc3\x84rger!\n");
    act(ACTION_WORD_LEFT, "src/|my_file.c  \xc3\x84rger!\n");
    act(ACTION_WORD_LEFT, "|src/my_file.c  \xc3\x84rger!\n");
    nothing(ACTION_WORD_LEFT);
    act(ACTION_WORD_RIGHT, "src|/my_file.c  \xc3\x84rger!\n");
    act(ACTION_WORD_RIGHT, "src/my_file|.c  \xc3\x84rger!\n");
    act(ACTION_WORD_RIGHT, "src/my_file.c|  \xc3\x84rger!\n");
    act(ACTION_WORD_RIGHT, "src/my_file.c  \xc3\x84rger|!\n");
    act(ACTION_WORD_RIGHT, "src/my_file.c  \xc3\x84rger!\n|");
}

Test(edit, a_word_is_found_behind_lines_without_words)
{
    edit_set(&edit, span_of("one\n\n---\n"));
    act(ACTION_WORD_LEFT, "|one\n\n---\n");
}

Test(edit, start_and_end_are_those_of_the_written_line)
{
    edit_set(&edit, span_of("one\ntwo two\nthree"));
    edit_go(&edit, 1, 2);
    act(ACTION_LINE_START, "one\n|two two\nthree");
    nothing(ACTION_LINE_START);
    act(ACTION_LINE_END, "one\ntwo two|\nthree");
    nothing(ACTION_LINE_END);
}

Test(edit, deleting_takes_a_letter_with_its_marks)
{
    edit_set(&edit, span_of("a" E_ACUTE "b"));
    act(ACTION_DELETE_BACK, "a" E_ACUTE "|");
    act(ACTION_DELETE_BACK, "a|");
    act(ACTION_DELETE_BACK, "|");
    nothing(ACTION_DELETE_BACK);
}

Test(edit, deleting_half_of_a_joined_emoji_leaves_no_joiner)
{
    edit_set(&edit, span_of(WOMAN JOINER LAPTOP));
    act(ACTION_DELETE_BACK, WOMAN "|");
    act(ACTION_EDIT_UNDO, WOMAN JOINER LAPTOP "|");
    act(ACTION_LEFT, WOMAN JOINER "|" LAPTOP);
    act(ACTION_DELETE, WOMAN "|");
}

Test(edit, a_mark_that_finds_a_letter_takes_the_cursor_with_it)
{
    edit_set(&edit, span_of("e\n" MARK));
    edit_go(&edit, 1, 0);
    expect_edit(&edit, "e\n|" MARK);
    act(ACTION_DELETE_BACK, "e" MARK "|");
    act(ACTION_EDIT_UNDO, "e\n|" MARK);
}

Test(edit, consecutive_cuts_come_back_as_one)
{
    edit_set(&edit, span_of("one two three\nfour"));
    edit_go(&edit, 0, 7);
    act(ACTION_DELETE_WORD_BACK, "one | three\nfour");
    act(ACTION_DELETE_WORD, "one |\nfour");
    act(ACTION_DELETE_TO_END, "one |four");
    act(ACTION_DELETE_TO_START, "|four");
    act(ACTION_YANK, "one two three\n|four");
    act(ACTION_DELETE_TO_END, "one two three\n|");
    act(ACTION_YANK, "one two three\nfour|");
}

Test(edit, what_was_cut_can_be_put_into_another_edit)
{
    struct edit other = {.clip = &clip, .single = true};

    edit_set(&edit, span_of("one\ntwo\n"));
    edit_go(&edit, 0, 0);
    edit_act(&edit, ACTION_DELETE_TO_END);
    edit_act(&edit, ACTION_DELETE_TO_END);
    edit_act(&edit, ACTION_DELETE_TO_END);
    cr_assert_eq(edit_act(&other, ACTION_YANK), EDIT_DONE);
    expect_edit(&other, "one two|");
    edit_free(&other);
}

Test(edit, without_a_clip_cutting_still_deletes)
{
    edit.clip = NULL;
    edit_set(&edit, span_of("one"));
    act(ACTION_DELETE_WORD_BACK, "|");
    nothing(ACTION_YANK);
    act(ACTION_EDIT_UNDO, "one|");
}

Test(edit, typing_is_taken_back_word_by_word)
{
    type(&edit, "one two  three");
    act(ACTION_EDIT_UNDO, "one two  |");
    act(ACTION_EDIT_UNDO, "one |");
    act(ACTION_EDIT_UNDO, "|");
    nothing(ACTION_EDIT_UNDO);
    act(ACTION_EDIT_REDO, "one |");
    act(ACTION_EDIT_REDO, "one two  |");
    act(ACTION_EDIT_REDO, "one two  three|");
    nothing(ACTION_EDIT_REDO);
}

Test(edit, moving_ends_a_step)
{
    type(&edit, "ab");
    edit_act(&edit, ACTION_LEFT);
    edit_act(&edit, ACTION_RIGHT);
    type(&edit, "cd");
    act(ACTION_EDIT_UNDO, "ab|");
}

Test(edit, a_run_of_deleting_is_one_step)
{
    edit_set(&edit, span_of("abcdef"));
    edit_act(&edit, ACTION_DELETE_BACK);
    edit_act(&edit, ACTION_DELETE_BACK);
    edit_go(&edit, 0, 1);
    edit_act(&edit, ACTION_DELETE);
    edit_act(&edit, ACTION_DELETE);
    expect_edit(&edit, "a|d");
    act(ACTION_EDIT_UNDO, "a|bcd");
    act(ACTION_EDIT_UNDO, "abcdef|");
}

Test(edit, a_new_edit_forgets_what_was_taken_back)
{
    type(&edit, "one two");
    edit_act(&edit, ACTION_EDIT_UNDO);
    type(&edit, "x");
    nothing(ACTION_EDIT_REDO);
    act(ACTION_EDIT_UNDO, "one |");
}

Test(edit, a_paste_is_one_step_with_lines_of_its_own)
{
    type(&edit, "a");
    cr_assert_eq(edit_insert(&edit, (struct span){"1\r\n2\r3\n4\0\t\x1b", 12}), EDIT_DONE);
    expect_edit(&edit, "a1\n2\n3\n4\t\x1b|");
    act(ACTION_EDIT_UNDO, "a|");
}

Test(edit, what_is_no_utf8_becomes_visible)
{
    edit_insert(&edit, span_of("a\xff\xc3"
                               "b\xed\xa0\x80"));
    expect_edit(&edit, "a\xef\xbf\xbd\xef\xbf\xbd"
                       "b\xef\xbf\xbd|");
}

Test(edit, a_single_line_stays_one)
{
    edit.single = true;
    edit_set(&edit, span_of("one\ntwo\n\n"));
    expect_edit(&edit, "one two|");
    nothing(ACTION_NEWLINE);
    edit_insert(&edit, span_of("a\r\nb\r"));
    expect_edit(&edit, "one twoa b|");
    cr_assert_eq(edit_insert(&edit, span_of("\n")), EDIT_NOTHING);
}

Test(edit, nothing_is_inserted_beyond_the_most)
{
    edit.most = 8;
    edit_set(&edit, span_of("123456"));
    cr_assert_eq(edit_insert(&edit, span_of("789")), EDIT_FULL);
    expect_edit(&edit, "123456|");
    cr_assert_eq(edit_insert(&edit, span_of("78")), EDIT_DONE);
    cr_assert_eq(edit_act(&edit, ACTION_NEWLINE), EDIT_FULL);
    cr_assert_eq(edit_set(&edit, span_of("123456789")), EDIT_FULL);
    expect_edit(&edit, "12345678|");
    edit_act(&edit, ACTION_DELETE_WORD_BACK);
    cr_assert_eq(edit_replace(&edit, 0, 0, span_of("123456789")), EDIT_FULL);
    act(ACTION_YANK, "12345678|");
    cr_assert_eq(edit_act(&edit, ACTION_YANK), EDIT_FULL);
}

Test(edit, replacing_is_one_step_from_character_to_character)
{
    edit_set(&edit, span_of("to bu" E_ACUTE "x"));
    cr_assert_eq(edit_replace(&edit, 3, 6, span_of("builder-1")), EDIT_DONE);
    expect_edit(&edit, "to builder-1|x");
    act(ACTION_EDIT_UNDO, "to bu" E_ACUTE "x|");
    edit_replace(&edit, 7, 7, span_of("-"));
    expect_edit(&edit, "to bu" E_ACUTE "-|x");
    edit_replace(&edit, 2, 1000, span_of(""));
    expect_edit(&edit, "to|");
}

Test(edit, the_version_tells_changes_from_moves)
{
    uint64_t version = edit_version(&edit);

    type(&edit, "ab");
    cr_assert_neq(edit_version(&edit), version);
    version = edit_version(&edit);
    edit_act(&edit, ACTION_LEFT);
    edit_layout(&edit, 10);
    cr_assert_eq(edit_version(&edit), version);
    edit_act(&edit, ACTION_EDIT_UNDO);
    cr_assert_neq(edit_version(&edit), version);
    version = edit_version(&edit);
    edit_set(&edit, span_of("ab"));
    cr_assert_neq(edit_version(&edit), version);
}

Test(edit, what_can_be_taken_back_is_bounded)
{
    struct str big = {0};

    str_pad(&big, 'x', EDIT_MOST);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(edit_replace(&edit, 0, edit.text.len, str_span(&big)), EDIT_DONE);
        cr_assert_leq(edit.undo.bytes, EDIT_UNDO_BYTES);
    }
    act(ACTION_EDIT_UNDO, str_c((str_putc(&big, '|'), &big)));
    edit_set(&edit, span_of(""));
    for (int i = 0; i < EDIT_UNDO_STEPS + 5; i++)
        edit_insert(&edit, span_of("ab"));
    for (int i = 0; i < EDIT_UNDO_STEPS; i++)
        cr_assert_eq(edit_act(&edit, ACTION_EDIT_UNDO), EDIT_DONE);
    expect_edit(&edit, "ababababab|");
    nothing(ACTION_EDIT_UNDO);
    str_free(&big);
}
