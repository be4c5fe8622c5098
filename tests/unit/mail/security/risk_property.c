/* Tests risks: in any text, what is found is a part of it. */
#include "risk_support.h"
#include "tests/unit/draw.h"

enum { ROUNDS = 20000, LONG = 100000, DEEP = 900 };

static const char *const pieces[] = {
    "rm",   " ",    "'",  "\"",  "\\",   "$",    "(",        ")",        "`",           "|",
    "&",    ";",    "\n", "<",   ">",    "{",    "}",        "=",        "$'",          "\\x72",
    "/etc", "..",   "~",  "$x",  "${x}", "sudo", "bash -c ", "$(",       "<<EOF\n",     "\xd0\xb0",
    "\xff", "\\u0", "a",  "://", ":",    ",",    "-",        "git push", "LD_PRELOAD=", "\t",
};

static void make_text(struct str *text)
{
    uint32_t count = draw(30);

    while (count--) {
        if (draw(20))
            str_puts(text, pieces[draw(sizeof pieces / sizeof *pieces)]);
        else
            str_putc(text, (char)(1 + draw(255)));
    }
}

/* Appends the text as JSON that keeps every byte, also bytes that are not UTF-8. */
static void add_input(struct str *out, struct span text)
{
    str_puts(out, "{\"command\":\"");
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c < 0x20)
            str_addf(out, "\\u%04x", c);
        else
            str_addf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
    str_puts(out, "\"}");
}

Test(risk_property, whatever_is_found_lies_in_the_text)
{

    for (unsigned round = 0; round < (unsigned)usual_rounds(ROUNDS); round++) {
        struct risk_list found = {0};
        struct str text = {0}, input = {0};
        make_text(&text);
        add_input(&input, str_span(&text));
        unsigned kinds = find_in(round % 5 ? "Bash" : "Glob", str_c(&input), CWD, &found);
        unsigned listed = 0;
        for (size_t i = 0; i < found.count; i++) {
            const struct risk *one = &found.items[i];
            listed |= 1U << one->kind;
            if (one->kind == RISK_IGNORED)
                continue; /* its text is a key */
            cr_assert(one->kind < RISK_COUNT && one->len && one->at + one->len <= text.len);
            cr_assert(span_eq(one->text, (struct span){text.at + one->at, one->len}), "%s",
                      str_c(&input));
        }
        cr_assert_eq(kinds, listed);
        risk_list_free(&found);
        str_free(&text);
        str_free(&input);
    }
}

/* Searches long repetitions of items that each need work, which must not grow with their square. */
Test(risk_property, long_texts_are_looked_through, .timeout = 120)
{
    static const char *const rows[] = {"rm ",
                                       "'",
                                       "\"",
                                       "\\",
                                       "$(",
                                       "`",
                                       "a,",
                                       "a=",
                                       "$x",
                                       "/../",
                                       ".env ",
                                       "rm;",
                                       "://",
                                       "{",
                                       "git ",
                                       "chmod ",
                                       "chmod 4755 ",
                                       "'a b' ",
                                       "\"'a b'\" ",
                                       "&",
                                       "<(",
                                       ("\xd0\xb0"
                                        "a"),
                                       "\xc2\xa0",
                                       "secrets",
                                       "(",
                                       "bash "};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct risk_list found = {0};
        struct str text = {0}, input = {0};
        while (text.len < LONG)
            str_puts(&text, rows[i]);
        add_input(&input, str_span(&text));
        find_in("Bash", str_c(&input), CWD, &found);
        risk_list_free(&found);
        str_free(&text);
        str_free(&input);
    }
}

Test(risk_property, nested_input_is_looked_through)
{
    struct risk_list found = {0};
    struct str input = {0};

    str_puts(&input, "{\"a\":");
    str_pad(&input, '[', DEEP);
    str_puts(&input, "\"rm x\"");
    str_pad(&input, ']', DEEP);
    str_puts(&input, "}");
    cr_assert_eq(find_in("X", str_c(&input), CWD, &found), (unsigned)DELETES);
    risk_list_free(&found);
    /* deeper than the scanner reads: nothing is found, and nothing breaks */
    str_clear(&input);
    str_puts(&input, "{\"a\":");
    str_pad(&input, '[', 100000);
    cr_assert_eq(find_in("X", str_c(&input), CWD, &found), 0);
    cr_assert_eq(find_in("X", "{\"a\":\"rm", CWD, &found), 0);
    cr_assert_eq(find_in("X", "", CWD, &found), 0);
    risk_list_free(&found);
    str_free(&input);
}
