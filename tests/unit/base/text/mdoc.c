/* Tests manual pages as plain text: words, marks, lists, and what is too wide. */
#include "tests/unit/support.h"

#include "base/text/mdoc.h"

static void expect(const char *page, size_t columns, const char *text)
{
    struct str out = {0};

    mdoc_add(&out, span_of(page), columns, true);
    cr_assert_str_eq(str_c(&out), text, "%s\ngave\n%s\nand not\n%s", page, str_c(&out), text);
    str_free(&out);
}

Test(mdoc, macros_in_a_line_mean_what_they_mean)
{
    expect(".Fl -json , Fl S\n", 80, "--json, -S\n");
    expect(".Op Fl\n", 80, "[-]\n");
    expect(".Oo Fl -archive | Fl -all Oc\n", 80, "[--archive | --all]\n");
    expect(".Ar AGENT Ns Oo @ Ns Ar TEAM Oc\n", 80, "AGENT[@TEAM]\n");
    expect(".Pq see Xr swarmutt-config 5 .\n", 80, "(see swarmutt-config(5)).\n");
    expect(".Dq \\&Re: ,\n.Sq \\&! ;\n", 80, "\"Re:\", '!';\n");
    expect(".Pf / Ar TEXT\n", 80, "/TEXT\n");
    expect(".Li \\(haD \\e \\(dqa\\(aq \\(ti\n", 80, "^D \\ \"a' ~\n");
    expect(".Nm cat\n.Nm\n.Nm Ns 's\n", 80, "cat cat cat's\n");
}

Test(mdoc, a_name_in_quotes_or_behind_an_escape_is_no_macro)
{
    expect(".It \\&Up\n.Em \"Fl\" \\&Op\n", 80, "Fl Op\n");
}

Test(mdoc, lines_are_filled_and_long_words_stay_whole)
{
    expect("one two three\nfour\n", 9, "one two\nthree\nfour\n");
    expect("a abcdefghijkl b\n", 6, "a\nabcdefghijkl\nb\n");
    expect(".Em abc Ns defgh\n", 4, "abcdefgh\n");
}

Test(mdoc, an_item_goes_on_behind_its_head_where_there_is_room)
{
    expect(
        ".Sh A\n.Bl -tag -width abc -compact\n.It Cm x\none two\n.It Cm abcdef\nthree\n.El\nend\n",
        16, "A\n     x    one\n          two\n     abcdef\n          three\n     end\n");
    expect(".Sh A\ntext\n.Bl -bullet\n.It\none\n.It\ntwo\n.El\n", 40,
           "A\n     text\n\n     *   one\n\n     *   two\n");
}

Test(mdoc, cells_stand_beneath_each_other_or_in_lines_of_their_own)
{
    static const char page[] =
        ".Sh A\n.Bl -column abcd x\n.It a Ta one two\n.It abcdef Ta b\n.El\n";

    expect(page, 80, "A\n     a     one two\n     abcdef  b\n");
    expect(page, 25, "A\n     a\n         one two\n     abcdef\n         b\n");
}

Test(mdoc, examples_are_indented_and_literal_lines_are_as_they_are)
{
    expect("a\n.Dl b c\nd\n.Bd -literal -offset indent\nx  y\n\n[z]\n.Ed\nend\n", 80,
           "a\n      b c\nd\n\n      x  y\n\n      [z]\nend\n");
}

Test(mdoc, what_was_never_opened_is_not_closed)
{
    expect("a\n.Ed\nb\n", 80, "a b\n");
    expect(".Bd -literal\n.Sh A\n.Ed\nb\n", 80, "A\n     b\n");
    expect(".Bl -column a b\n.Dl x Ta y\nz\n", 80, "      x  y\nz\n");
    expect(".Bl -column \"", 80, "");
}

Test(mdoc, what_is_beyond_it_harms_nothing)
{
    struct str page = {0};

    for (int i = 0; i < 20; i++)
        str_puts(&page, ".Bl -tag -width Ds\n.It a\n");
    for (int i = 0; i < 300; i++)
        str_puts(&page, i ? " Op" : ".Op");
    str_puts(&page,
             "\n.El\n.El\n.Zz word\n.\n.It\n.Ta\n.Bl -column\n.It a Ta b\n.Xr a\n.Bl -width\n\\(");
    struct str out = {0};
    mdoc_add(&out, str_span(&page), 1, false);
    cr_assert(strstr(str_c(&out), "word"));
    str_free(&out);
    str_free(&page);
}
