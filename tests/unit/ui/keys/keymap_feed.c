/* Tests the keymap in use: key sequences, typed texts and messages about them. */
#include "tests/unit/support.h"

#include "ui/keys/keymap.h"

static struct keymap keymap;
static struct key_state state;

static void setup(void)
{
    keymap_init(&keymap);
}

static void teardown(void)
{
    keymap_free(&keymap);
    key_state_free(&state);
}

TestSuite(keymap_feed, .init = setup, .fini = teardown);

static void feed(unsigned where, uint32_t key, enum fed fed, enum action action, const char *text)
{
    enum fed got;
    enum action done = keymap_feed(&keymap, &state, where, key, &got);

    cr_assert_eq(got, fed, "fed is %d, not %d: %s", got, fed, str_c(&state.text));
    cr_assert_eq(done, action, "%s", actions[done].name);
    cr_assert_str_eq(str_c(&state.text), text);
}

static void bind_keys(const char *action, const char *keys)
{
    struct err err = {0};

    cr_assert(keymap_bind(&keymap, span_of(action), span_of(keys), &err), "%s", err.text);
}

Test(keymap_feed, one_key_is_one_action)
{
    feed(IN_INBOX, 'j', FED_ACTION, ACTION_NEXT, "");
    feed(IN_INBOX, K_DOWN, FED_ACTION, ACTION_NEXT, "");
    feed(IN_FLOW, 'p', FED_ACTION, ACTION_PERIOD, "");
    feed(IN_INBOX, 'p', FED_ACTION, ACTION_PREVIEW, "");
}

Test(keymap_feed, a_sequence_waits_and_says_what_may_follow)
{
    feed(IN_INBOX, 'g', FED_PENDING, ACTION_NONE, "g-  g:first  a:reply-all");
    feed(IN_INBOX, 'g', FED_ACTION, ACTION_FIRST, "");
    feed(IN_AGENTS, 'g', FED_PENDING, ACTION_NONE, "g-  g:first  n:nudge");
    feed(IN_AGENTS, 'n', FED_ACTION, ACTION_NUDGE, "");
}

Test(keymap_feed, a_long_sequence_waits_for_each_of_its_keys)
{
    bind_keys("archive", "xa<Enter>^D xb");
    feed(IN_INBOX, 'x', FED_PENDING, ACTION_NONE, "x-  a<Enter>^D:archive  b:archive");
    feed(IN_INBOX, 'a', FED_PENDING, ACTION_NONE, "xa-  <Enter>^D:archive");
    feed(IN_INBOX, K_ENTER, FED_PENDING, ACTION_NONE, "xa<Enter>-  ^D:archive");
    feed(IN_INBOX, K_CTRL | 'D', FED_ACTION, ACTION_ARCHIVE, "");
}

Test(keymap_feed, esc_gives_a_sequence_up_and_does_not_go_back)
{
    feed(IN_INBOX, 'g', FED_PENDING, ACTION_NONE, "g-  g:first  a:reply-all");
    feed(IN_INBOX, K_ESC, FED_CANCELLED, ACTION_NONE, "g was given up; nothing was done");
    feed(IN_INBOX, K_ESC, FED_ACTION, ACTION_BACK, "");
}

Test(keymap_feed, a_wrong_second_key_gives_the_sequence_up_and_does_nothing_itself)
{
    feed(IN_INBOX, 'g', FED_PENDING, ACTION_NONE, "g-  g:first  a:reply-all");
    feed(IN_INBOX, 'd', FED_CANCELLED, ACTION_NONE,
         "gd does nothing here, and was given up; ? shows all keys");
    feed(IN_INBOX, 'd', FED_ACTION, ACTION_ARCHIVE, "");
}

Test(keymap_feed, a_sequence_that_began_on_another_screen_is_given_up)
{
    feed(IN_INBOX, 'g', FED_PENDING, ACTION_NONE, "g-  g:first  a:reply-all");
    feed(IN_THREAD, 'g', FED_CANCELLED, ACTION_NONE,
         "g was given up: the screen has changed; nothing was done");
}

Test(keymap_feed, a_key_without_a_binding_says_so_and_names_the_help)
{
    feed(IN_INBOX, 'x', FED_UNBOUND, ACTION_NONE, "x does nothing here; ? shows all keys");
    feed(IN_FORM, K_F1, FED_UNBOUND, ACTION_NONE, "F1 does nothing here");
    feed(IN_INBOX, 0x9b, FED_UNBOUND, ACTION_NONE, "<U+009B> does nothing here; ? shows all keys");
    bind_keys("help", "F2");
    feed(IN_INBOX, 'x', FED_UNBOUND, ACTION_NONE, "x does nothing here; F2 shows all keys");
}

Test(keymap_feed, characters_are_text_where_a_text_is_written)
{
    feed(IN_LINE, 'j', FED_TEXT, ACTION_NONE, "");
    feed(IN_LINE, ' ', FED_TEXT, ACTION_NONE, "");
    feed(IN_FORM | IN_FIELD, 0x4e2d, FED_TEXT, ACTION_NONE, "");
    feed(IN_LINE, K_ENTER, FED_ACTION, ACTION_ACCEPT, "");
    feed(IN_LINE, K_F12, FED_UNBOUND, ACTION_NONE, "F12 does nothing here");
}

Test(keymap_feed, a_capital_x_in_a_field_does_not_throw_the_draft_away)
{
    feed(IN_FORM | IN_FIELD, 'X', FED_TEXT, ACTION_NONE, "");
    feed(IN_FORM, 'X', FED_ACTION, ACTION_DISCARD, "");
}

Test(keymap_feed, a_sequence_in_a_text_may_go_on_with_a_character)
{
    bind_keys("send", "^Xs");
    feed(IN_FORM | IN_FIELD, K_CTRL | 'X', FED_PENDING, ACTION_NONE, "^X-  s:review+send");
    feed(IN_FORM | IN_FIELD, 's', FED_ACTION, ACTION_SEND, "");
    feed(IN_FORM | IN_FIELD, K_CTRL | 'X', FED_PENDING, ACTION_NONE, "^X-  s:review+send");
    feed(IN_FORM | IN_FIELD, 'q', FED_CANCELLED, ACTION_NONE,
         "^Xq does nothing here, and was given up");
    feed(IN_FORM | IN_FIELD, 'q', FED_TEXT, ACTION_NONE, "");
}

Test(keymap_feed, what_a_form_has_comes_before_what_its_field_has)
{
    bind_keys("postpone", "^W"); /* deletes a word in the field */
    feed(IN_FORM | IN_FIELD, K_CTRL | 'W', FED_ACTION, ACTION_POSTPONE, "");
    feed(IN_LINE, K_CTRL | 'W', FED_ACTION, ACTION_DELETE_WORD_BACK, "");
    feed(IN_FORM | IN_FIELD, K_ENTER, FED_ACTION, ACTION_NEWLINE, "");
    feed(IN_FORM | IN_FIELD, K_TAB, FED_ACTION, ACTION_NEXT_FIELD, "");
}

Test(keymap_feed, orders_have_a_first_key_of_their_own)
{
    feed(IN_AGENTS, 'O', FED_PENDING, ACTION_NONE,
         "O-  s:shutdown  m:mode  a:assign  r:rules  e:escalate");
    feed(IN_AGENTS, 's', FED_ACTION, ACTION_SHUTDOWN, "");
}
