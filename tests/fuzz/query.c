/* Queries: a query is accepted, or refused at a position; its plainest form means the same; and the
 * laws of matching hold for any message.
 *
 * The parts of the input are the query, and subject, sender, recipient and text of the message. */
#include "mail/query/query.h"

#include "fuzz.h"

#define NOW_US INT64_C(1794830400000000) /* 2026-11-16T12:00:00Z */

static bool matches(struct span text, const struct message *message, bool words)
{
    struct query_context context = {
        .now_us = NOW_US, .layout = "adr", .thread = span_of("t"), .words = words};
    struct query query;
    struct err err = {0};

    require(query_parse(&query, text, &err, NULL), "%s", err.text);
    bool match = query_match(&query, message, &context);
    query_free(&query);
    return match;
}

/* Stands for an index that does not know the words: everything may match. */
static bool may_be(const void *context, uint32_t node)
{
    (void)context;
    (void)node;
    return true;
}

static void check_matching(const struct query *query, struct span plain, struct span text,
                           const struct message *message)
{
    struct str negated = {0};
    struct span where;
    enum query_part part;

    str_addf(&negated, "not (%.*s)", (int)plain.len, plain.at);
    for (unsigned words = 0; words < 2; words++) {
        bool match = matches(text, message, words);
        require(matches(plain, message, words) == match, "%.*s", (int)plain.len, plain.at);
        if (plain.len && !memchr(plain.at, 0, plain.len))
            require(matches(str_span(&negated), message, words) != match, "%s", str_c(&negated));
    }
    require(query_may_match(query, may_be, NULL), "%.*s", (int)plain.len, plain.at);
    if (query_find_words(query, message, &part, &where)) {
        require(part < QUERY_PART_COUNT, "part %d", part);
        require(fuzz_inside(where, query_part(message, part)), "part %d", part);
    }
    str_free(&negated);
}

static void check_plain(const struct query *query, struct span plain)
{
    struct query read;
    struct str again = {0};
    struct err err = {0};

    require(query_parse(&read, plain, &err, NULL), "%.*s: %s", (int)plain.len, plain.at, err.text);
    query_add_text(&again, &read);
    require(span_eq(plain, str_span(&again)), "%.*s, %s", (int)plain.len, plain.at, str_c(&again));
    require(read.count == query->count, "%.*s", (int)plain.len, plain.at);
    for (size_t i = 0; i < read.count; i++) {
        const struct query_node *a = &query->nodes[i], *b = &read.nodes[i];
        require(a->op == b->op && a->children == b->children && a->parent == b->parent &&
                    a->field == b->field && a->words == b->words &&
                    a->value_count == b->value_count && a->time_us == b->time_us &&
                    a->is_age == b->is_age,
                "node %zu of %.*s", i, (int)plain.len, plain.at);
    }
    query_free(&read);
    str_free(&again);
}

void fuzz_query(struct span input)
{
    struct span text = fuzz_part(&input);
    static const struct place place = {.root = "/", .box = {"bob", 3}, .dir = {"d", 1}};
    struct message_data data = {.read_us = TIME_NONE, .completed_us = TIME_NONE};
    struct message message = {.id = span_of("1"),
                              .file = span_of("f"),
                              .place = &place,
                              .data = &data,
                              .created_us = NOW_US,
                              .expires_us = TIME_NONE};
    struct query query;
    struct str plain = {0};
    struct err err = {0};
    size_t at = SIZE_MAX;

    message.subject = fuzz_part(&input);
    message.from = fuzz_part(&input);
    message.to = fuzz_part(&input);
    data.body = fuzz_part(&input);
    if (query_parse(&query, text, &err, &at)) {
        query_add_text(&plain, &query);
        check_plain(&query, str_span(&plain));
        check_matching(&query, str_span(&plain), text, &message);
    } else {
        require(err.scope == ERR_USAGE && at < text.len, "%s", err.text);
        require(span_starts(span_of(err.text), span_of("query: character ")), "%s", err.text);
    }
    query_free(&query);
    str_free(&plain);
}
