/* Tests random queries on random messages: the operators obey their laws. */
#include "query_random.h"

static struct span draw_text(void)
{
    return draw(4) ? span_of(texts[draw(TEXTS)]) : (struct span){0};
}

static void make_message(struct message *message, struct message_data *data, struct place *place,
                         struct query_context *context)
{
    *place = (struct place){
        .root = texts[draw(TEXTS)], .team = draw_text(), .box = draw_text(), .archived = draw(2)};
    *data = (struct message_data){.body = draw_text(),
                                  .payload = span_of(draw(2) ? "{}" : "[1]"),
                                  .tags = span_of(draw(2) ? "[\"a\", \"b\"]" : "[]")};
    *message = (struct message){.id = draw_text(),
                                .from = draw_text(),
                                .to = draw_text(),
                                .subject = draw_text(),
                                .type = draw_text(),
                                .thread = draw_text(),
                                .place = place,
                                .data = draw(4) ? data : NULL,
                                .damaged = draw(8) ? NULL : "why",
                                .created_us = draw(8) ? NOW_US - draw(9000) * 1000000ll : TIME_NONE,
                                .expires_us = draw(2) ? TIME_NONE : NOW_US - 1,
                                .priority = (uint8_t)draw(PRIORITY_URGENT + 1),
                                .status = (uint8_t)draw(STATUS_NONE + 1),
                                .kind = (uint8_t)draw(KIND_COUNT),
                                .mine = draw(2),
                                .by_us = draw(2),
                                .flags = (uint16_t)draw(2)};
    *context = (struct query_context){.now_us = NOW_US, .layout = "adr", .waiting = draw(2)};
}

static void add_random(struct str *out, unsigned depth)
{
    struct query query = make_query(depth);

    query_add_text(out, &query);
    query_free(&query);
}

static bool finds(const char *form, const char *a, const char *b, const char *c,
                  const struct message *message, const struct query_context *context)
{
    struct str text = {0};
    struct query query;
    struct err err = {0};

    for (; *form; form++)
        if (*form >= 'A' && *form <= 'C')
            str_addf(&text, "(%s)", *form == 'A' ? a : *form == 'B' ? b : c);
        else
            str_putc(&text, *form);
    cr_assert(query_parse(&query, str_span(&text), &err, NULL), "%s: %s", str_c(&text), err.text);
    bool found = query_match(&query, message, context);
    query_free(&query);
    str_free(&text);
    return found;
}

Test(query_laws, operators_obey_their_laws)
{
    static const char *const laws[][2] = {
        {"not (A B)", "not A or not B"},
        {"not (A or B)", "not A not B"},
        {"A (B or C)", "A B or A C"},
        {"A or B C", "(A or B) (A or C)"},
        {"not not A", "A"},
        {"A or A B", "A"},
        {"A B C", "C and B and A"},
        {"-A or B", "not (A -B)"},
        {"A or not A", ""},
        {"(A or B or C)", "C or (B or A)"},
    };
    int found = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct str a = {0}, b = {0}, c = {0};
        struct message_data data;
        struct message message;
        struct place place;
        struct query_context context;
        make_message(&message, &data, &place, &context);
        add_random(&a, draw(3));
        add_random(&b, draw(3));
        add_random(&c, draw(3));
        for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
            bool one = finds(laws[i][0], str_c(&a), str_c(&b), str_c(&c), &message, &context);
            bool other = finds(laws[i][1], str_c(&a), str_c(&b), str_c(&c), &message, &context);
            found += one;
            cr_assert_eq(one, other, "%s is not %s: A %s, B %s, C %s", laws[i][0], laws[i][1],
                         str_c(&a), str_c(&b), str_c(&c));
        }
        str_free(&a);
        str_free(&b);
        str_free(&c);
    }
    cr_assert(found > ROUNDS && found < 9 * ROUNDS, "%d were found", found);
}

/* Decides the value of a node in the simplest way. */
static bool holds(const struct query *query, uint32_t at, const struct message *message,
                  const struct query_context *context)
{
    const struct query_node *node = &query->nodes[at];
    struct query_node alone = *node;
    struct query one = {.nodes = &alone, .count = 1};
    bool all = true, any = false;

    alone.parent = QUERY_NONE;
    if (node->op == QUERY_TERM)
        return query_match(&one, message, context);
    for (uint32_t i = 0; i < at; i++) {
        if (query->nodes[i].parent != at)
            continue;
        bool here = holds(query, i, message, context);
        all = all && here;
        any = any || here;
    }
    return node->op == QUERY_NOT ? !any : node->op == QUERY_AND ? all : any;
}

Test(query_laws, leaving_terms_out_decides_the_same_as_asking_for_all)
{
    int found = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct query query = make_query(draw(6));
        struct message_data data;
        struct message message;
        struct place place;
        struct query_context context;
        make_message(&message, &data, &place, &context);
        bool match = query_match(&query, &message, &context);
        cr_assert_eq(match, holds(&query, (uint32_t)query.count - 1, &message, &context));
        found += match;
        query_free(&query);
    }
    cr_assert(found > ROUNDS / 8 && found < 7 * ROUNDS / 8, "%d were found", found);
}
