/* Tests escape sequences: where they end, and their names. */
#include "ui/term/escape.h"

#include <criterion/criterion.h>

TestSuite(escape);

static const struct {
    const char *sequence, *name; /* without the Esc */
} known[] = {
    {"[A", "Up"},
    {"OA", "Up"},
    {"[1;5C", "Ctrl-Right"},
    {"[1;2D", "Shift-Left"},
    {"[1;3H", "Alt-Home"},
    {"[1;8F", "Ctrl-Alt-Shift-End"},
    {"[1;9A", "Alt-Up"},
    {"O5D", "Ctrl-Left"},
    {"[a", "Shift-Up"},
    {"Od", "Ctrl-Left"},
    {"[Z", "BackTab"},
    {"OM", "Enter"},
    {"[1~", "Home"},
    {"[2~", "Insert"},
    {"[3~", "Delete"},
    {"[4~", "End"},
    {"[5~", "PgUp"},
    {"[6;5~", "Ctrl-PgDn"},
    {"[7~", "Home"},
    {"[8~", "End"},
    {"[5^", "Ctrl-PgUp"},
    {"[5$", "Shift-PgUp"},
    {"[5@", "Ctrl-Shift-PgUp"},
    {"OP", "F1"},
    {"[11~", "F1"},
    {"[[E", "F5"},
    {"[15~", "F5"},
    {"[17;2~", "Shift-F6"},
    {"[24~", "F12"},
    {"[1;2P", "Shift-F1"},
};

static const char *const unknown[] = {
    "[",     "O",    "[]",     "[1;9Z",  "[97;5u",  "[<0;1;2M", "[?1;2c", "[M !!", "Om",
    "O5d",   "[[F",  "[9~",    "[16~",   "[3;17~",  "[3;0~",    "[3;~",   "[;5A",  "[5;5A",
    "[1;5;", "[1 q", "]0;x\a", "P1$r\a", "[99999~", "[~",       "[1;5ZZ", "x",
};

Test(escape, keys_that_terminals_agree_on_are_known)
{
    struct str name = {0};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct span sequence = span_of(known[i].sequence);
        str_clear(&name);
        key_add_name(&name, escape_key(sequence));
        cr_expect_str_eq(str_c(&name), known[i].name, "%s", known[i].sequence);
        cr_expect_not(escape_goes_on(sequence), "%s", known[i].sequence);
        for (size_t len = 1; len < sequence.len; len++)
            cr_expect(escape_goes_on((struct span){sequence.at, len}), "%.*s", (int)len,
                      sequence.at);
    }
    str_free(&name);
}

Test(escape, anything_else_is_one_unknown_key)
{
    struct str name = {0};

    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        cr_expect_eq(escape_key(span_of(unknown[i])), K_UNKNOWN, "%s", unknown[i]);
    key_add_name(&name, K_UNKNOWN | K_ALT);
    cr_expect_str_eq(str_c(&name), "an unknown key");
    str_free(&name);
}

static const struct {
    const char *bytes;
    size_t len; /* the length of the sequence */
} ends[] = {
    {"xd", 1},         {"[97;5ud", 6},   {"[<0;10;5Md", 9}, {"[M\"#$d", 5},
    {"O5dd", 3},       {"[[dd", 3},      {"]11;a\ad", 6},   {"]11;a\x1b\\d", 7},
    {"P+r\x1b\\d", 5}, {"_G\x1b\\d", 4}, {"[1 dd", 4},      {"[?1;2cd", 6},
    {"[1\xc3\xa9", 3}, {"[\n", 2},       {"[3$d", 3},       {"[4;1$yd", 6},
};

Test(escape, a_sequence_ends_where_the_next_key_begins)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t len = 1;
        while (ends[i].bytes[len] && escape_goes_on((struct span){ends[i].bytes, len}))
            len++;
        cr_expect_eq(len, ends[i].len, "%s: %zu", ends[i].bytes, len);
    }
}
