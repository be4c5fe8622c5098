/* Tests keys: their names are read as they are written, and invalid names are refused. */
#include "tests/unit/support.h"

#include "ui/keys/key.h"

static uint32_t only_key(const char *word)
{
    struct key_sequence sequence;
    struct err err = {0};

    cr_assert(key_sequence_parse(span_of(word), &sequence, &err), "%s: %s", word, err.text);
    cr_assert_eq(sequence.count, 1, "%s is %u keys", word, sequence.count);
    return sequence.keys[0];
}

static void expect_key(const char *word, uint32_t key, const char *name)
{
    struct str out = {0};
    uint32_t got = only_key(word);

    cr_assert_eq(got, key, "%s is %x, not %x", word, got, key);
    key_add_name(&out, key);
    cr_assert_str_eq(str_c(&out), name, "%s is called %s", word, str_c(&out));
    str_free(&out);
}

static void expect_sequence(const char *word, unsigned count, const uint32_t *keys,
                            const char *name)
{
    struct key_sequence sequence;
    struct str out = {0};
    struct err err = {0};

    cr_assert(key_sequence_parse(span_of(word), &sequence, &err), "%s: %s", word, err.text);
    cr_assert_eq(sequence.count, count, "%s has %u keys", word, sequence.count);
    for (unsigned i = 0; i < count; i++)
        cr_assert_eq(sequence.keys[i], keys[i], "%s: key %u is %x", word, i, sequence.keys[i]);
    key_sequence_add_name(&out, &sequence);
    cr_assert_str_eq(str_c(&out), name, "%s is called %s", word, str_c(&out));
    str_free(&out);
}

#define SEQUENCE(word, name, ...)                                                                  \
    expect_sequence(word, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t),                    \
                    (uint32_t[]){__VA_ARGS__}, name)

static void expect_refused(const char *word, const char *sentence)
{
    struct key_sequence sequence;
    struct err err = {0};

    cr_assert_not(key_sequence_parse(span_of(word), &sequence, &err), "%s was read", word);
    cr_assert_eq(err.scope, ERR_USAGE);
    cr_assert(strstr(err.text, sentence), "%s: %s", word, err.text);
}

Test(key, a_key_is_read_and_written_in_one_form)
{
    expect_key("j", 'j', "j");
    expect_key("J", 'J', "J");
    expect_key("-", '-', "-");
    expect_key("é", 0xe9, "é");
    expect_key("^", '^', "^");
    expect_key("<", '<', "<");
    expect_key(">", '>', ">");
    expect_key("^D", K_CTRL | 'D', "^D");
    expect_key("^_", K_CTRL | '_', "^_");
    expect_key("^^", K_CTRL | '^', "^^");
    expect_key("^\\", K_CTRL | '\\', "^\\");
    expect_key("Enter", K_ENTER, "Enter");
    expect_key("Space", ' ', "Space");
    expect_key("PgDn", K_PGDN, "PgDn");
    expect_key("F1", K_F1, "F1");
    expect_key("F12", K_F12, "F12");
    expect_key("Alt-b", K_ALT | 'b', "Alt-b");
    expect_key("Alt-B", K_ALT | 'B', "Alt-B");
    expect_key("Alt--", K_ALT | '-', "Alt--");
    expect_key("Alt-^D", K_ALT | K_CTRL | 'D', "Alt-^D");
    expect_key("Alt-Backspace", K_ALT | K_BACKSPACE, "Alt-Backspace");
    expect_key("Alt-Space", K_ALT | ' ', "Alt-Space");
    expect_key("Ctrl-Left", K_CTRL | K_LEFT, "Ctrl-Left");
    expect_key("Ctrl-Alt-Shift-Up", K_CTRL | K_ALT | K_SHIFT | K_UP, "Ctrl-Alt-Shift-Up");
}

Test(key, other_spellings_are_read_too)
{
    expect_key("^d", K_CTRL | 'D', "^D");
    expect_key("Ctrl-d", K_CTRL | 'D', "^D");
    expect_key("ctrl-left", K_CTRL | K_LEFT, "Ctrl-Left");
    expect_key("Shift-Ctrl-Left", K_CTRL | K_SHIFT | K_LEFT, "Ctrl-Shift-Left");
    expect_key("Ctrl-Alt-d", K_ALT | K_CTRL | 'D', "Alt-^D");
    expect_key("<Up>", K_UP, "Up");
    expect_key("<up>", K_UP, "Up");
    expect_key("<;>", ';', ";");
    expect_key("<j>", 'j', "j");
    expect_key("Escape", K_ESC, "Esc");
    expect_key("PageUp", K_PGUP, "PgUp");
}

Test(key, what_terminals_cannot_tell_apart_is_one_key)
{
    expect_key("^I", K_TAB, "Tab");
    expect_key("^M", K_ENTER, "Enter");
    expect_key("^J", K_ENTER, "Enter");
    expect_key("^[", K_ESC, "Esc");
    expect_key("^H", K_BACKSPACE, "Backspace");
    expect_key("^?", K_BACKSPACE, "Backspace");
    expect_key("Ctrl-Space", K_CTRL | '@', "^@");
    expect_key("Shift-Tab", K_BACKTAB, "BackTab");
    cr_assert_eq(key_of_code('\t'), K_TAB);
    cr_assert_eq(key_of_code('\r'), K_ENTER);
    cr_assert_eq(key_of_code('\n'), K_ENTER);
    cr_assert_eq(key_of_code(0x1b), K_ESC);
    cr_assert_eq(key_of_code(0x7f), K_BACKSPACE);
    cr_assert_eq(key_of_code(0), K_CTRL | '@');
    cr_assert_eq(key_of_code(4), K_CTRL | 'D');
    cr_assert_eq(key_of_code('a'), 'a');
}

Test(key, a_sequence_is_one_word)
{
    SEQUENCE("gg", "gg", 'g', 'g');
    SEQUENCE("zM", "zM", 'z', 'M');
    SEQUENCE("^Xs", "^Xs", K_CTRL | 'X', 's');
    SEQUENCE("^X^S", "^X^S", K_CTRL | 'X', K_CTRL | 'S');
    SEQUENCE("g<Enter>", "g<Enter>", 'g', K_ENTER);
    SEQUENCE("<F1><Alt-b>c", "<F1><Alt-b>c", K_F1, K_ALT | 'b', 'c');
    SEQUENCE("abcd", "abcd", 'a', 'b', 'c', 'd');
    SEQUENCE("ü<Space>", "ü<Space>", 0xfc, ' ');
    SEQUENCE("a-", "a-", 'a', '-');
}

Test(key, a_word_that_is_the_name_of_a_key_is_that_key)
{
    SEQUENCE("Up", "Up", K_UP);
    SEQUENCE("<U>p", "<U>p", 'U', 'p');
    SEQUENCE("F1", "F1", K_F1);
    SEQUENCE("<F>1", "<F>1", 'F', '1');
    expect_refused("up", "write Up for that key, <u>p for keys one after the other");
    expect_refused("f1", "write F1 for that key");
}

Test(key, marks_inside_of_a_sequence_can_still_be_keys)
{
    SEQUENCE("g^", "g<^>", 'g', '^');
    SEQUENCE("<^>^", "<^><^>", '^', '^');
    SEQUENCE("<<>a", "<<>a", '<', 'a');
    SEQUENCE("a<", "a<<>", 'a', '<');
    SEQUENCE("<>>a", ">a", '>', 'a');
    SEQUENCE("<Alt->>a", "<Alt->>a", K_ALT | '>', 'a');
    SEQUENCE("<Alt-->>", "<Alt-->>", K_ALT | '-', '>');
    SEQUENCE("<->>", "->", '-', '>');
    SEQUENCE("<A>lt-", "Alt-", 'A', 'l', 't', '-');
}

Test(key, what_is_written_is_read_as_the_same)
{
    /* every pair of these keys, each also alone */
    static const uint32_t keys[] = {'U',
                                    'p',
                                    'F',
                                    '1',
                                    '^',
                                    '<',
                                    '>',
                                    '-',
                                    ' ',
                                    0x4e2d,
                                    K_ENTER,
                                    K_TAB,
                                    K_CTRL | '^',
                                    K_CTRL | '@',
                                    K_ALT | '<',
                                    K_ALT | '>',
                                    K_ALT | '-',
                                    K_ALT | '^',
                                    K_ALT | ' ',
                                    K_ALT | K_CTRL | '^',
                                    K_CTRL | K_LEFT,
                                    K_SHIFT | K_F12};
    enum { COUNT = sizeof keys / sizeof *keys };

    for (unsigned i = 0; i < COUNT * COUNT * COUNT; i++) {
        struct key_sequence all = {
            {keys[i % COUNT], keys[i / COUNT % COUNT], keys[i / COUNT / COUNT]}, 1 + i % 3};
        struct key_sequence again;
        struct str word = {0};
        struct err err = {0};
        key_sequence_add_name(&word, &all);
        cr_assert_not(strchr(str_c(&word), ' '), "%s has a blank in it", str_c(&word));
        cr_assert(key_sequence_parse(str_span(&word), &again, &err), "%s", err.text);
        cr_assert(key_sequence_eq(&all, &again), "%s is read as something else", str_c(&word));
        str_free(&word);
    }
}

Test(key, a_refusal_says_why_and_how_keys_are_written)
{
    expect_refused("", "is no key");
    expect_refused("Entre", "\"Entre\" is no key, and too long");
    expect_refused("Entre", "near: \"Enter\"");
    expect_refused("Entre", "a key is written j, ^D, Enter, Alt-b or Ctrl-Left");
    expect_refused("abcde", "too long");
    expect_refused("^1", "\"^1\" is no key");
    expect_refused("^é", "\"^é\" is no key");
    expect_refused("Alt-bb", "\"Alt-bb\" is no key");
    expect_refused("Alt-Esc", "terminals");
    expect_refused("Ctrl-1", "terminals");
    expect_refused("Ctrl-Enter", "terminals");
    expect_refused("Shift-a", "terminals");
    expect_refused("Alt-é̀", "is no key");
    expect_refused("g<Ent", "< without a >");
    expect_refused("<>", "< without a >");
    expect_refused("<Uq>a", "\"Uq\" is no key");
    expect_refused("<Esc>a", "has Esc in it");
    expect_refused("a^[", "has Esc in it");
    expect_refused("a\x01", "is no key");
    expect_refused("\xe2\x80\xae", "is no key"); /* turns text around */
    expect_refused("\xff", "is no key");
}

Test(key, text_is_what_can_stand_in_a_text)
{
    cr_assert(key_is_text('a') && key_is_text(' ') && key_is_text(0xe9) && key_is_text(0x1f600));
    cr_assert(key_is_text(0x301)); /* a mark that combines with the character before */
    cr_assert_not(key_is_text(0x7f));
    cr_assert_not(key_is_text(0x9b)); /* starts a control sequence */
    cr_assert_not(key_is_text(K_ENTER));
    cr_assert_not(key_is_text(K_ALT | 'a'));
    cr_assert_not(key_is_text(K_CTRL | 'A'));
    cr_assert_not(key_is_text(0xd800));
    cr_assert_not(key_is_text(0));
}

Test(key, a_key_that_must_not_be_drawn_has_a_harmless_name)
{
    struct str out = {0};

    key_add_name(&out, 0x9b);
    key_add_name(&out, 0x202e);
    cr_assert_str_eq(str_c(&out), "<U+009B><U+202E>");
    str_free(&out);
}

Test(key, every_name_is_read_and_written)
{
    size_t count = 0;

    for (; key_named_at(count); count++) {
        const char *name = key_named_at(count);
        expect_key(name, only_key(name), name);
    }
    cr_assert_gt(count, 20);
}
