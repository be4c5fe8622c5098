/* Tests front matter: where it ends, and the fields that are read. */
#include "tests/unit/support.h"

#include "store/layouts/roo_parse.h"

#include <stdlib.h>

Test(front_matter, a_file_is_split_where_the_usual_reader_splits_it)
{
    static const struct {
        const char *text;
        enum front_split split;
        const char *language, *block, *body;
    } cases[] = {
        {"---\na: 1\n---\nx\n", FRONT_CLOSED, "", "\na: 1", "x\n"},
        {"\xef\xbb\xbf---\na: 1\n---\nx", FRONT_CLOSED, "", "\na: 1", "x"},
        {"\n---\na: 1\n---\nx", FRONT_NONE, NULL, NULL, NULL},
        {" ---\na: 1\n---\nx", FRONT_NONE, NULL, NULL, NULL},
        {"----\na: 1\n---\nx", FRONT_NONE, NULL, NULL, NULL},
        {"--\na: 1\n---\nx", FRONT_NONE, NULL, NULL, NULL},
        {"text", FRONT_NONE, NULL, NULL, NULL},
        {"", FRONT_NONE, NULL, NULL, NULL},
        {"---\r\na: 1\r\n---\r\nx\r\ny", FRONT_CLOSED, "", "\na: 1\r", "x\r\ny"},
        {"---\na: 1\n", FRONT_OPEN, NULL, NULL, NULL},
        {"---\na: 1\n --- \n", FRONT_OPEN, NULL, NULL, NULL},
        {"---", FRONT_OPEN, NULL, NULL, NULL},
        {"---\ra: 1\r---\rx", FRONT_OPEN, NULL, NULL, NULL},
        {"---\na: 1\n---- x\ny", FRONT_CLOSED, "", "\na: 1", "- x\ny"},
        {"---\na: 1\n---x\ny", FRONT_CLOSED, "", "\na: 1", "x\ny"},
        {"---\na: 1\n---", FRONT_CLOSED, "", "\na: 1", ""},
        {"---\na: 1\n---\n\n\nx", FRONT_CLOSED, "", "\na: 1", "\n\nx"},
        {"---\n---\n", FRONT_CLOSED, "", "", ""},
        {"---\na: 1\n---\nx\n---\nb: 2\n---\ny", FRONT_CLOSED, "", "\na: 1",
         "x\n---\nb: 2\n---\ny"},
        {"---js\na\n---\nx", FRONT_CLOSED, "js", "\na", "x"},
        {"--- yaml \t\r\na: 1\n---\nx", FRONT_CLOSED, "yaml", "\na: 1", "x"},
        {"---  \na: 1\n---\nx", FRONT_CLOSED, "", "\na: 1", "x"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct front_matter front;
        cr_assert_eq(front_split(span_of(cases[i].text), &front), cases[i].split, "%s",
                     cases[i].text);
        if (cases[i].split != FRONT_CLOSED)
            continue;
        assert_span(front.language, cases[i].language);
        assert_span(front.block, cases[i].block);
        assert_span(front.body, cases[i].body);
    }
}

Test(front_matter, the_languages_that_are_run_are_known)
{
    static const char *const programs[] = {"js",     "JS",           "javascript",
                                           "coffee", "CoffeeScript", "cson"};
    static const char *const others[] = {"", "yaml", "json", "jsx", "j", "toml", "js x"};

    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        cr_assert(front_is_program(span_of(programs[i])), "%s", programs[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_not(front_is_program(span_of(others[i])), "%s", others[i]);
    cr_assert(front_is_yaml(span_of("")) && front_is_yaml(span_of("yaml")) &&
              front_is_yaml(span_of("YML")));
    cr_assert_not(front_is_yaml(span_of("json")) || front_is_yaml(span_of("js")));
}

/* Returns the fields as text: KEY=VALUE; for simple ones, KEY~ for null, KEY?SOURCE; for others. */
static struct str describe(const struct front_fields *fields)
{
    struct str text = {0};

    for (size_t i = 0; i < fields->count; i++) {
        const struct front_field *field = &fields->items[i];
        str_add_span(&text, field->key);
        str_putc(&text, !field->simple ? '?' : field->null ? '~' : '=');
        str_add_span(&text, field->value);
        str_putc(&text, ';');
    }
    return text;
}

enum { IRREGULAR = 1, REPEATED = 2, FAILED = 4 };

static void assert_read(struct span block, const char *want, unsigned flags)
{
    struct front_fields fields = {0};
    struct arena arena = {0};

    front_read(&fields, block, &arena);
    struct str got = describe(&fields);
    cr_assert_str_eq(str_c(&got), want, "%.*s: %s", (int)block.len, block.at, str_c(&got));
    cr_assert_eq(fields.irregular * IRREGULAR + fields.repeated * REPEATED + fields.failed * FAILED,
                 flags, "%.*s", (int)block.len, block.at);
    str_free(&got);
    arena_free(&arena);
    front_fields_free(&fields);
}

Test(front_matter, simple_fields_of_every_style_are_read)
{
    static const struct {
        const char *block, *want;
    } cases[] = {
        {"\na: b\nc: d e", "a=b;c=d e;"},
        {"\r\na: b\r\nc: d\r", "a=b;c=d;"},
        {"a: 'it''s'\nb: \"x\\ty\\u00e9\"", "a=it's;b=x\ty\xc3\xa9;"},
        {"# note\na: b # note\n\nc: d#e", "a=b;c=d#e;"},
        {"a: |\n  x\n  y\nb: >\n  x\n  y\n", "a=x\ny\n;b=x y\n;"},
        {"a: x\n  y", "a=x y;"},
        {"a:\nb: ~\nc: null\nd: NULL\ne: Null", "a~;b~~;c~null;d~NULL;e~Null;"},
        {"a: \"\"\nb: '~'\nc: \"null\"\nd: nUll", "a=;b=~;c=null;d=nUll;"},
        {"a: 12345\nb: 1e3\nc: 0x1F\nd: 0123\ne: 12:30:45\nf: true",
         "a=12345;b=1e3;c=0x1F;d=0123;e=12:30:45;f=true;"},
        {"a: 2025-07-07T11:15:00Z\nb: 2025-07-08", "a=2025-07-07T11:15:00Z;b=2025-07-08;"},
        {"\"a b\": c", "a b=c;"},
        {"a: b\n...", "a=b;"},
        {"", ""},
        {"\n# only a note", ""},
        {"a: x\xffy", "a=x\xef\xbf\xbdy;"},
        {"a: \xed\xa0\x80\xed\xbf\xbf\xf0\x9f\x98\x80",
         "a=\xef\xbf\xbd\xef\xbf\xbd\xf0\x9f\x98\x80;"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_read(span_of(cases[i].block), cases[i].want, 0);
}

Test(front_matter, what_is_no_simple_field_is_kept_as_it_stands)
{
    static const struct {
        const char *block, *want;
        unsigned flags;
    } cases[] = {
        {"a: [b, c]\nd: e", "a?[b, c];d=e;", IRREGULAR},
        {"\xc3\xa9: {x: \xf0\x9f\x98\x80}\nd: e", "\xc3\xa9?{x: \xf0\x9f\x98\x80};d=e;", IRREGULAR},
        {"a:\n  b: c\n  d: e\nf: g", "a?b: c\n  d: e;f=g;", IRREGULAR},
        {"a:\n- b\n- [c]\nf: g", "a?- b\n- [c];f=g;", IRREGULAR},
        {"a: &x b", "a=b;", IRREGULAR},
        {"a: &x b\nc: *x", "a=b;c?*x;", IRREGULAR},
        {"a: !!str b\nc: d", "a?!!str b;c=d;", IRREGULAR},
        {"a: !x [b]\nc: d", "a?!x [b];c=d;", IRREGULAR},
        {"{a: b, c: d}", "a=b;c=d;", IRREGULAR},
        {"&x\na: b", "a=b;", IRREGULAR},
        {"? [a]\n: b\nc: d", "c=d;", IRREGULAR},
        {"&x a: b\nc: d", "a=b;c=d;", IRREGULAR},
        {"!!str a: b\nc: d", "a=b;c=d;", IRREGULAR},
        {"!!map\na: b", "a=b;", IRREGULAR},
        {"\"\": b\nc: d", "=b;c=d;", 0},
        {"? [a, @]\n: b", "", IRREGULAR | FAILED},
        {"@a", "", IRREGULAR | FAILED},
        {"--- @a", "", IRREGULAR | FAILED},
        {"{a:\n b}\n@", "a=b;", IRREGULAR | FAILED},
        {"b: &b {a: x}\n<<: *b\na: y", "b?&b {a: x};<<?*b;a=y;", IRREGULAR},
        {"just text", "", IRREGULAR},
        {"- a\n- b", "", IRREGULAR},
        {"a: b\na: c\nd: e", "a=c;d=e;", IRREGULAR | REPEATED},
        {"a: b\n\"a\": [c]", "a?[c];", IRREGULAR | REPEATED},
        {"a: b\n--- \nc: d", "a=b;", IRREGULAR},
        {"a: b\nc: @d\ne: f", "a=b;", IRREGULAR | FAILED},
        {"a: b\nc: d: e", "a=b;c=d;", IRREGULAR | FAILED},
        {"a: b\nc: \"d", "a=b;", IRREGULAR | FAILED},
        {"a: b\n...\nc: d", "a=b;", IRREGULAR | FAILED},
        {"a: b\n c\n\td: e", "", IRREGULAR | FAILED},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_read(span_of(cases[i].block), cases[i].want, cases[i].flags);
}

static const char *problem_of(struct span block, struct arena *arena)
{
    struct front_fields fields = {0};

    front_read(&fields, block, arena);
    const char *problem = fields.problem;
    front_fields_free(&fields);
    return problem;
}

Test(front_matter, a_problem_names_its_line_in_the_file)
{
    struct arena arena = {0};

    cr_assert_null(problem_of(span_of("\na: b"), &arena));
    const char *problem = problem_of(span_of("\na: b\nc: @d"), &arena);
    cr_assert(problem && strstr(problem, "line 3: "), "%s", problem);
    problem = problem_of((struct span){"\na: b\nc: \0d", 11}, &arena);
    cr_assert(problem && strstr(problem, "line 3: "), "%s", problem);
    arena_free(&arena);
}

/* Returns `count` times the text, then the rest. */
static struct str repeat(const char *text, size_t count, const char *rest)
{
    struct str out = {0};

    for (size_t i = 0; i < count; i++)
        str_puts(&out, text);
    str_puts(&out, rest);
    return out;
}

static void assert_limited(struct span block, const char *problem, bool has_last)
{
    struct front_fields fields = {0};
    struct arena arena = {0};

    front_read(&fields, block, &arena);
    cr_assert_eq(fields.irregular, problem != NULL);
    cr_assert_not(fields.failed);
    if (problem)
        cr_assert(fields.problem && strstr(fields.problem, problem), "%s", fields.problem);
    cr_assert_eq(front_text(&fields, "last").at != NULL, has_last);
    arena_free(&arena);
    front_fields_free(&fields);
}

Test(front_matter, a_head_is_read_up_to_its_limits)
{
    struct str keys = {0};

    for (int i = 0; i < 999; i++)
        str_addf(&keys, "k%d: v\n", i);
    str_puts(&keys, "last: v\n");
    assert_limited(str_span(&keys), NULL, true);
    str_puts(&keys, "more: v\n");
    assert_limited(str_span(&keys), "1000 keys", true);
    str_free(&keys);

    struct str large = repeat("# 345678\n", (64 << 10) / 9 - 1, "last: v\n");
    cr_assert_leq(large.len, 64 << 10);
    assert_limited(str_span(&large), NULL, true);
    str_pad(&large, '#', 100);
    assert_limited(str_span(&large), "64 KiB", true);
    str_free(&large);
    large = repeat("# 345678\n", (64 << 10) / 9 + 1, "last: v\n");
    assert_limited(str_span(&large), "64 KiB", false);
    str_free(&large);

    large = repeat("#", (64 << 10) + 1, "");
    assert_limited(str_span(&large), "64 KiB", false);
    str_free(&large);

    struct str deep = repeat("[", 20000, "\nlast: v\n"), start = {0};
    str_puts(&start, "first: ");
    str_add_span(&start, str_span(&deep));
    assert_limited(str_span(&start), "nested deeper", false);
    str_free(&deep);
    str_free(&start);
}

Test(front_matter, the_text_of_a_field_is_absent_when_it_is_no_text)
{
    struct front_fields fields = {0};
    struct arena arena = {0};

    front_read(&fields, span_of("a: x\nb:\nc: [x]\nd: ''"), &arena);
    assert_span(front_text(&fields, "a"), "x");
    cr_assert_null(front_text(&fields, "b").at);
    cr_assert_null(front_text(&fields, "c").at);
    cr_assert_not_null(front_text(&fields, "d").at);
    cr_assert_null(front_text(&fields, "e").at);
    arena_free(&arena);
    front_fields_free(&fields);
}
