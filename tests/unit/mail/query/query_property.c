/* Tests random queries: printing and reading give the same query, and no typed text does harm. */
#include "query_random.h"

enum { TEXT_MAX = 200 };

static bool is_same_node(const struct query_node *a, const struct query_node *b)
{
    if (a->op != b->op || a->children != b->children || a->parent != b->parent)
        return false;
    if (a->op != QUERY_TERM)
        return a->first == b->first;
    if (a->field != b->field || a->words != b->words || a->value_count != b->value_count ||
        a->time_us != b->time_us || a->is_age != b->is_age)
        return false;
    for (size_t i = 0; i < a->value_count; i++)
        if (!span_eq(a->values[i].text, b->values[i].text) ||
            !span_eq(a->values[i].folded, b->values[i].folded) ||
            a->values[i].wild != b->values[i].wild)
            return false;
    return true;
}

static void assert_same(const struct query *a, const struct query *b, const char *text)
{
    cr_assert_eq(a->count, b->count, "%s", text);
    for (size_t i = 0; i < a->count; i++)
        cr_assert(is_same_node(&a->nodes[i], &b->nodes[i]), "node %zu of %s", i, text);
}

Test(query_property, a_query_that_is_printed_reads_as_the_same_query)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct query made = make_query(draw(6)), read;
        struct str text = {0}, again = {0};
        struct err err = {0};
        query_add_text(&text, &made);
        cr_assert(query_parse(&read, str_span(&text), &err, NULL), "%s: %s", str_c(&text),
                  err.text);
        assert_same(&made, &read, str_c(&text));
        query_add_text(&again, &read);
        cr_assert_str_eq(str_c(&again), str_c(&text));
        query_free(&made);
        query_free(&read);
        str_free(&text);
        str_free(&again);
    }
}

/* The text is refused at a place inside it, or its plainest form is a fixed point. */
static bool assert_sound(struct span text)
{
    struct query query, read;
    struct str plain = {0}, again = {0};
    struct err err = {0};
    size_t at = SIZE_MAX;
    bool ok = query_parse(&query, text, &err, &at);

    if (!ok) {
        cr_assert_eq(err.scope, ERR_USAGE);
        cr_assert_lt(at, text.len, "%.*s: %s", (int)text.len, text.at, err.text);
        cr_assert(span_starts(span_of(err.text), span_of("query: character ")));
        query_free(&query);
        return false;
    }
    query_add_text(&plain, &query);
    cr_assert(query_parse(&read, str_span(&plain), &err, NULL), "%s: %s", str_c(&plain), err.text);
    assert_same(&query, &read, str_c(&plain));
    query_add_text(&again, &read);
    cr_assert(span_eq(str_span(&plain), str_span(&again)), "%s, %s", str_c(&plain), str_c(&again));
    query_free(&query);
    query_free(&read);
    str_free(&plain);
    str_free(&again);
    return true;
}

/* Uses a copy of the exact size, so that reading too far is found. */
static bool assert_sound_exactly(const char *bytes, size_t len)
{
    char *exact = mem_alloc(len ? len : 1);

    memcpy(exact, bytes, len);
    bool ok = assert_sound((struct span){exact, len});
    free(exact);
    return ok;
}

Test(query_property, any_bytes_are_taken_or_refused_at_a_place)
{
    char bytes[TEXT_MAX];

    for (int round = 0; round < ROUNDS; round++) {
        size_t len = draw(TEXT_MAX);
        for (size_t i = 0; i < len; i++)
            bytes[i] = (char)(draw(8) ? draw(128) : draw(256));
        assert_sound_exactly(bytes, len);
    }
}

static const char *const tokens[] = {
    "(",  ")",   "\"", "\\",    "-",   ",",        "*",        " ",        "  ",         "or ",
    "or", "and", "a",  "not ",  "b c", "\"x y\"",  "from:",    "is:read",  "kind:plan,", "unread",
    ":",  "+",   "\t", "prio:", "low", "older:2h", "newer:1d", "subject:", "\xc3\xa4",   " tag:t ",
};

Test(query_property, tokens_in_any_order_are_taken_or_refused_at_a_place)
{
    int taken = 0;

    for (int round = 0; round < 4 * ROUNDS; round++) {
        struct str text = {0};
        for (uint32_t i = draw(12); i--;)
            str_puts(&text, tokens[draw(sizeof tokens / sizeof *tokens)]);
        taken += assert_sound_exactly(str_c(&text), text.len);
        str_free(&text);
    }
    cr_assert(taken > ROUNDS / 4 && taken < 3 * ROUNDS, "%d were taken", taken);
}

Test(query_property, a_query_with_a_slip_in_it_is_taken_or_refused_at_a_place)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct query query = make_query(draw(5));
        struct str text = {0};
        query_add_text(&text, &query);
        size_t at = draw((uint32_t)text.len), cut = draw(3);
        cut = cut < text.len - at ? cut : text.len - at;
        memmove(text.at + at, text.at + at + cut, text.len - at - cut);
        text.len -= cut;
        if (text.len && draw(2))
            text.at[draw((uint32_t)text.len)] = "()\",:*- \\x"[draw(10)];
        assert_sound_exactly(str_c(&text), text.len);
        query_free(&query);
        str_free(&text);
    }
}
