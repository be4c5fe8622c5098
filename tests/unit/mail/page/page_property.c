/* Tests documents with random texts: whatever agents write, lines are safe, fit and hide
 * nothing. */
#include "page_support.h"
#include "tests/unit/draw.h"

enum { ROUNDS = 1500, LONGEST = 400 };

static page_maker *const makers[] = {page_text, page_raw, page_markdown, page_json};

enum { MAKERS = sizeof makers / sizeof *makers };

/* Pieces of texts that are likely to be misread. */
static const char *const parts[] = {
    "a",
    "word ",
    "\n",
    "\n\n",
    "  ",
    "    ",
    "\t",
    "*",
    "**",
    "_",
    "`",
    "```\n",
    "~~",
    "# ",
    "## ",
    "- ",
    "1. ",
    "> ",
    "[x]",
    "[x]: u\n",
    "[",
    "](u)",
    "![",
    "<!-- ",
    " -->",
    "<b>",
    "&amp;",
    "\\",
    "|",
    "|a|b|\n",
    "|---|---|\n",
    "---\n",
    "***\n",
    "===\n",
    "http://u ",
    "<http://u>",
    "- [x] ",
    "c@d.e ",
    "\r\n",
    "\x1b[2J",
    "\xe2\x80\xae",
    "\xc3\xa9",
    "\xe6\xbc\xa2",
    "~~~\n",
    "<script>\n",
    "+ ",
    "longwordwithoutend",
    "\\|",
    "\"t\"",
    "(",
    ")",
    "{\"k\":",
    "[1,",
    "\"v\"}",
    "\xff",
};

static void add_random(struct str *out, bool markdown)
{
    size_t want = draw(LONGEST);

    str_clear(out);
    while (out->len < want) {
        if (markdown)
            str_puts(out, parts[draw(sizeof parts / sizeof *parts)]);
        else
            str_putc(out, (char)draw(256));
    }
}

static struct page_options random_options(void)
{
    return (struct page_options){.columns = draw(3) ? 1 + draw(60) : 80,
                                 .whole = draw(6) == 0,
                                 .ascii_borders = draw(2),
                                 .clean = draw(4) ? 0 : SANITIZE_ASCII};
}

Test(page_property, any_bytes_give_lines_that_are_safe_and_fit)
{
    struct str text = {0};
    struct document page = {0};

    for (int round = 0; round < ROUNDS; round++) {
        struct page_options options = random_options();
        add_random(&text, round % 2);
        page_clear(&page);
        makers[draw(MAKERS)](&page, str_span(&text), &options);
        assert_sound(&page, &options, "random");
        cr_assert(page.piece_count <= 1000 + 8 * text.len, "%zu pieces", page.piece_count);
    }
    str_free(&text);
    page_free(&page);
}

/* True for marks that the layout may redraw, and for blanks. */
static bool is_laid_out(char c)
{
    return strchr(" \t\n\r|:-*_", c) != NULL;
}

/* Returns the first character of `all` that is missing in `shown`, in order; NULL for none. */
static const char *find_missing(struct span all, struct span shown)
{
    size_t at = 0;

    for (size_t i = 0; i < all.len; i++) {
        if (is_laid_out(all.at[i]))
            continue;
        while (at < shown.len && shown.at[at] != all.at[i])
            at++;
        if (at++ == shown.len)
            return all.at + i;
    }
    return NULL;
}

Test(page_property, markdown_shows_every_character_of_the_text)
{
    struct str text = {0}, clean = {0};
    struct document page = {0};

    for (int round = 0; round < 2 * ROUNDS; round++) {
        struct page_options options = random_options();
        add_random(&text, true);
        page_clear(&page);
        str_clear(&clean);
        page_markdown(&page, str_span(&text), &options);
        for (size_t i = 0; i < text.len; i++) /* a \r before a line break is not shown */
            if (text.at[i] == '\r' && i + 1 < text.len && text.at[i + 1] == '\n')
                text.at[i] = ' ';
        sanitize_add(&clean, str_span(&text), options.clean | SANITIZE_LINES);
        struct str shown = page_shown(&page, true);
        const char *missing = find_missing(str_span(&clean), str_span(&shown));
        cr_assert_null(missing, "round %d: \"%.20s\" is missing of\n%s\nin\n%s", round, missing,
                       str_c(&clean), str_c(&shown));
        str_free(&shown);
    }
    str_free(&clean);
    str_free(&text);
    page_free(&page);
}

Test(page_property, a_text_of_twice_the_length_costs_twice_as_much)
{
    static const char *const seeds[] = {
        "a ",   "aaaaaaaa", "> ",       "- ",   "[x](y) ", "|a|b|\n|---|---|\n",
        "\x1b", "**a** ",   "[x]: y\n", "`a` ", "\n",      "> > - 1. ",
        "|",    "<!--",     "[1,",      "\t"};
    struct page_options options = narrow(40);

    for (size_t s = 0; s < sizeof seeds / sizeof *seeds; s++) {
        for (size_t m = 0; m < MAKERS; m++) {
            size_t pieces[2], bytes[2];
            for (size_t i = 0; i < 2; i++) {
                struct str text = {0};
                struct document page = {0};
                while (text.len < 20000 * (i + 1))
                    str_puts(&text, seeds[s]);
                makers[m](&page, str_span(&text), &options);
                pieces[i] = page.piece_count + page.line_count;
                bytes[i] = page.text.len;
                str_free(&text);
                page_free(&page);
            }
            cr_assert(pieces[1] <= 100 + pieces[0] * 5 / 2, "%s: %zu, then %zu pieces", seeds[s],
                      pieces[0], pieces[1]);
            cr_assert(bytes[1] <= 100 + bytes[0] * 5 / 2, "%s: %zu, then %zu bytes", seeds[s],
                      bytes[0], bytes[1]);
        }
    }
}

Test(page_property, places_survive_every_width)
{
    struct str text = {0};

    for (int round = 0; round < ROUNDS; round++) {
        struct document one = {0}, two = {0};
        struct page_options a = narrow(1 + draw(60)), b = narrow(1 + draw(60));
        page_maker *make = makers[draw(MAKERS)];
        add_random(&text, true);
        make(&one, str_span(&text), &a);
        make(&two, str_span(&text), &b);
        cr_assert(one.sources == two.sources);
        for (size_t i = 0; i < one.line_count && two.line_count; i++) {
            struct page_place place = page_place(&one, i);
            size_t line = page_line_at(&two, place);
            cr_assert(line < two.line_count);
            /* the dashes of a table are shown only when it is laid out in columns */
            cr_assert(two.lines[line].source == place.source ||
                      two.lines[line].source + 1 == place.source);
            cr_assert(page_line_at(&one, place) <= i);
        }
        page_free(&one);
        page_free(&two);
    }
    str_free(&text);
}
