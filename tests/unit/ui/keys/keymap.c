/* Tests the keymap: what the config may bind, and the reasons when it may not. */
#include "tests/unit/support.h"

#include "ui/keys/keymap.h"

static struct keymap keymap;

static void setup(void)
{
    keymap_init(&keymap);
}

static void teardown(void)
{
    keymap_free(&keymap);
}

TestSuite(keymap, .init = setup, .fini = teardown);

static void bind_keys(const char *action, const char *keys)
{
    struct err err = {0};

    cr_assert(keymap_bind(&keymap, span_of(action), span_of(keys), &err), "%s: %s", action,
              err.text);
}

static void expect_refused(const char *action, const char *keys, const char *sentence)
{
    struct err err = {0};

    cr_assert_not(keymap_bind(&keymap, span_of(action), span_of(keys), &err), "%s = %s", action,
                  keys);
    cr_assert_eq(err.scope, ERR_USAGE);
    cr_assert(strstr(err.text, sentence), "%s", err.text);
}

static void expect_settled(void)
{
    struct err err = {0};
    enum action which;

    cr_assert(keymap_settle(&keymap, &(size_t){0}, &which, &err), "%s", err.text);
}

static void expect_clash(enum action blamed, const char *sentence)
{
    struct err err = {0};
    enum action which;

    cr_assert_not(keymap_settle(&keymap, &(size_t){0}, &which, &err));
    cr_assert_eq(err.scope, ERR_USAGE);
    cr_assert_str_eq(err.text, sentence);
    cr_assert_eq(which, blamed, "%s is blamed", actions[which].name);
}

static enum action found(unsigned where, const char *word)
{
    struct key_sequence keys;
    struct err err = {0};
    enum fed fed;

    cr_assert(key_sequence_parse(span_of(word), &keys, &err), "%s", err.text);
    return keymap_lookup(&keymap, where, &keys, &fed);
}

Test(keymap, every_usual_key_can_be_read_and_is_in_its_usual_form)
{
    for (int i = 0; i < ACTION_COUNT; i++) {
        struct str keys = {0};
        for (size_t k = 0; k < keymap.count; k++) {
            if (keymap.items[k].action != (enum action)i)
                continue;
            if (keys.len)
                str_putc(&keys, ' ');
            key_sequence_add_name(&keys, &keymap.items[k].keys);
        }
        cr_assert_str_eq(str_c(&keys), actions[i].keys, "%s: %s", actions[i].name, str_c(&keys));
        str_free(&keys);
    }
}

Test(keymap, no_usual_key_means_two_things_in_one_place)
{
    expect_settled();
}

Test(keymap, every_usual_key_is_allowed)
{
    for (size_t i = 0; i < keymap.count; i++) {
        struct err err = {0};
        cr_assert(keymap_allows(&actions[keymap.items[i].action], &keymap.items[i].keys, &err),
                  "%s", err.text);
    }
}

Test(keymap, every_action_has_a_name_of_its_own_a_help_and_a_place)
{
    for (int i = 1; i < ACTION_COUNT; i++) {
        cr_assert(actions[i].name && actions[i].help && actions[i].keys, "action %d", i);
        cr_assert(actions[i].where, "%s", actions[i].name);
        cr_assert_eq(action_find(span_of(actions[i].name)), (enum action)i, "%s", actions[i].name);
    }
}

Test(keymap, given_keys_stand_instead_of_the_usual_ones_wherever_the_action_applies)
{
    bind_keys("archive", "x  ^Xa\t");
    expect_settled();
    cr_assert_eq(found(IN_INBOX, "x"), ACTION_ARCHIVE);
    cr_assert_eq(found(IN_THREAD, "^Xa"), ACTION_ARCHIVE);
    cr_assert_eq(found(IN_INBOX, "d"), ACTION_NONE);
    cr_assert_eq(found(IN_INBOX, "A"), ACTION_NONE);
    cr_assert_eq(found(IN_FLOW, "x"), ACTION_NONE);
}

Test(keymap, an_action_without_keys_has_none)
{
    bind_keys("archive", "");
    expect_settled();
    cr_assert_eq(found(IN_INBOX, "d"), ACTION_NONE);
}

Test(keymap, two_actions_can_swap_their_keys)
{
    bind_keys("next", "k");
    bind_keys("previous", "j");
    expect_settled();
    cr_assert_eq(found(IN_INBOX, "k"), ACTION_NEXT);
    cr_assert_eq(found(IN_INBOX, "j"), ACTION_PREVIOUS);
}

Test(keymap, none_frees_keys_and_what_starts_with_them)
{
    bind_keys("none", "d z");
    expect_settled();
    cr_assert_eq(found(IN_INBOX, "d"), ACTION_NONE);
    cr_assert_eq(found(IN_INBOX, "za"), ACTION_NONE);
    cr_assert_eq(found(IN_INBOX, "A"), ACTION_ARCHIVE);
}

Test(keymap, none_leaves_what_was_given_whichever_comes_first)
{
    bind_keys("archive", "u");
    bind_keys("none", "u s");
    bind_keys("scope", "s");
    expect_settled();
    cr_assert_eq(found(IN_INBOX, "u"), ACTION_ARCHIVE);
    cr_assert_eq(found(IN_INBOX, "s"), ACTION_SCOPE);
}

Test(keymap, a_key_of_another_action_is_refused_with_both_names_and_a_way_out)
{
    bind_keys("archive", "u");
    expect_clash(ACTION_ARCHIVE, "the key u of archive is the key of undo too; give undo another "
                                 "key (undo = KEY), or none (none = u)");
}

Test(keymap, a_key_given_twice_is_refused)
{
    bind_keys("archive", "x");
    bind_keys("snooze", "x");
    expect_clash(ACTION_ARCHIVE,
                 "the key x of archive is the key of snooze too; give one of them another key");
}

Test(keymap, a_key_that_hides_a_longer_one_is_refused)
{
    bind_keys("archive", "z");
    expect_clash(ACTION_ARCHIVE, "the key z of archive starts za of fold, which could never be "
                                 "typed; give fold another key (fold = KEY), or none (none = z)");
    bind_keys("none", "z");
    expect_settled();
}

Test(keymap, a_key_that_is_hidden_by_a_shorter_one_is_refused)
{
    bind_keys("archive", "jj");
    expect_clash(ACTION_ARCHIVE, "the key j of next starts jj of archive, which could never be "
                                 "typed; give next another key (next = KEY), or none (none = j)");
}

Test(keymap, keys_of_one_action_that_start_alike_are_refused)
{
    bind_keys("archive", "x xx");
    expect_clash(ACTION_ARCHIVE, "archive has the keys x and xx, which start alike; leave one out");
}

Test(keymap, one_key_may_mean_two_things_in_two_places)
{
    bind_keys("retry", "t"); /* bound to tag, but not among drafts */
    expect_settled();
    cr_assert_eq(found(IN_DRAFTS, "t"), ACTION_RETRY);
    cr_assert_eq(found(IN_INBOX, "t"), ACTION_TAG);
}

Test(keymap, an_unknown_action_is_refused_with_the_nearest_names)
{
    expect_refused("archiv", "x", "no action is called \"archiv\"; near: \"archive\"");
    expect_refused("", "x", "no action is called \"\"");
    expect_refused("Archive", "x", "near: \"archive\"");
}

Test(keymap, an_unreadable_key_is_refused_and_nothing_changes)
{
    expect_refused("archive", "x Entre", "\"Entre\" is no key");
    expect_refused("archive", "x Entre", "a key is written j, ^D, Enter");
    cr_assert_eq(found(IN_INBOX, "d"), ACTION_ARCHIVE);
    cr_assert_eq(found(IN_INBOX, "x"), ACTION_NONE);
    bind_keys("archive", "x");
}

Test(keymap, an_action_is_bound_once)
{
    bind_keys("archive", "x");
    expect_refused("archive", "y", "archive stands here for the second time");
}

Test(keymap, what_edits_a_text_cannot_have_a_character)
{
    expect_refused("delete-word", "x", "delete-word cannot have the key x: it is a character");
    expect_refused("postpone", "zz", "postpone cannot have the key zz");
    expect_refused("left", "Space", "left cannot have the key Space");
    bind_keys("delete-word", "Alt-x");
    bind_keys("postpone", "^Xp");
    bind_keys("send", "^Xs");
    expect_settled();
}

Test(keymap, what_must_not_happen_by_one_slip_has_two_keys_without_enter_and_space)
{
    static const struct action_info approve = {
        .name = "approve", .where = IN_INBOX, .two_keys = true};
    static const char *const refused[] = {"a",        "F2",       "Enter",        "a<Enter>",
                                          "<Enter>a", "<Space>a", "<Alt-Enter>a", "a<Space>"};

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct key_sequence keys;
        struct err err = {0};
        cr_assert(key_sequence_parse(span_of(refused[i]), &keys, &err), "%s", err.text);
        cr_assert_not(keymap_allows(&approve, &keys, &err), "%s", refused[i]);
        cr_assert(strstr(err.text, "approve cannot have the key "), "%s", err.text);
    }
    struct key_sequence two;
    struct err err = {0};
    cr_assert(key_sequence_parse(span_of("aa"), &two, &err));
    cr_assert(keymap_allows(&approve, &two, &err), "%s", err.text);
}

Test(keymap, some_key_leaves_the_program)
{
    bind_keys("quit", "");
    expect_settled();
    bind_keys("command", "");
    expect_clash(ACTION_QUIT, "neither quit nor command has a key, so the program could not be "
                              "left; give one of them a key");
}
