/* Queries: reading one, without recursion and in one pass. */
#include "mail/query/query_private.h"

#include "base/mem.h"
#include "base/text/fold.h"
#include "base/text/utf8.h"

#include <stdio.h>
#include <stdlib.h>

/* What is open: the whole text, or a pair of parentheses. */
struct level {
    size_t at;       /* of its parenthesis */
    uint32_t both;   /* operands side by side so far */
    uint32_t either; /* operands of "or" so far */
    bool negated;    /* "not" stands before it */
};

struct reading {
    struct query_parser parser;
    struct level levels[QUERY_DEPTH_MAX + 1];
    size_t depth;
    bool negate;         /* "not" stands before what comes next */
    struct span pending; /* the operator or parenthesis that needs something behind it; or absent */
};

bool query_fail(struct query_parser *parser, size_t at, const char *format, ...)
{
    struct span before = {parser->text.at, at};
    char sentence[900];
    size_t character = 1;
    va_list args;

    for (; before.len; character++)
        utf8_next(&before);
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    if (parser->error_at)
        *parser->error_at = at;
    return err_set(parser->err, ERR_USAGE, "query: character %zu: %s", character, sentence);
}

struct query_node *query_add_node(struct query *query, enum query_op op, uint32_t children)
{
    query->nodes = mem_grow(query->nodes, &query->cap, query->count + 1, sizeof *query->nodes);
    struct query_node *node = &query->nodes[query->count++];
    *node = (struct query_node){.op = op, .children = children};
    return node;
}

/* Counts the node that was added last as an operand of `op`. Operators of the same kind become one:
 * its operands are counted instead. */
static void count_operand(struct query *query, enum query_op op, uint32_t *count)
{
    const struct query_node *last = &query->nodes[query->count - 1];

    if (last->op == op) {
        *count += last->children;
        query->count--;
    } else {
        ++*count;
    }
}

static void finish_operand(struct reading *reading, bool negated)
{
    struct query *query = reading->parser.query;

    if (negated && query->nodes[query->count - 1].op == QUERY_NOT)
        query->count--;
    else if (negated)
        query_add_node(query, QUERY_NOT, 1);
    count_operand(query, QUERY_AND, &reading->levels[reading->depth].both);
    reading->pending = (struct span){0};
}

/* Ends a row of operands side by side. */
static void finish_row(struct reading *reading)
{
    struct level *level = &reading->levels[reading->depth];

    if (level->both > 1)
        query_add_node(reading->parser.query, QUERY_AND, level->both);
    count_operand(reading->parser.query, QUERY_OR, &level->either);
    level->both = 0;
}

static void finish_level(struct reading *reading)
{
    finish_row(reading);
    if (reading->levels[reading->depth].either > 1)
        query_add_node(reading->parser.query, QUERY_OR, reading->levels[reading->depth].either);
}

static size_t offset_of(const struct reading *reading, struct span part)
{
    return (size_t)(part.at - reading->parser.text.at);
}

static bool refuse_pending(struct reading *reading)
{
    struct span pending = reading->pending;

    return query_fail(&reading->parser, offset_of(reading, pending),
                      "\"%.*s\" has nothing behind it", (int)pending.len, pending.at);
}

static bool open_level(struct reading *reading)
{
    struct query_parser *parser = &reading->parser;

    if (reading->depth == QUERY_DEPTH_MAX)
        return query_fail(parser, parser->at, "more than %d parentheses within each other",
                          (int)QUERY_DEPTH_MAX);
    reading->levels[++reading->depth] =
        (struct level){.at = parser->at, .negated = reading->negate};
    reading->negate = false;
    reading->pending = (struct span){parser->text.at + parser->at++, 1};
    return true;
}

static bool close_level(struct reading *reading)
{
    struct query_parser *parser = &reading->parser;

    if (!reading->depth)
        return query_fail(parser, parser->at, "\")\" closes nothing");
    if (reading->pending.at)
        return refuse_pending(reading);
    finish_level(reading);
    bool negated = reading->levels[reading->depth--].negated;
    finish_operand(reading, negated);
    parser->at++;
    return true;
}

static struct span word_here(const struct query_parser *parser)
{
    size_t end = parser->at;

    while (end < parser->text.len && !query_ends_word(parser->text.at[end]) &&
           parser->text.at[end] != '"')
        end++;
    return (struct span){parser->text.at + parser->at, end - parser->at};
}

static bool take_keyword(struct reading *reading, struct span word)
{
    struct query_parser *parser = &reading->parser;
    bool negates = fold_is(word, "not");

    if (!negates && reading->pending.at && reading->pending.at[0] != '(')
        return refuse_pending(reading);
    if (!negates && !reading->levels[reading->depth].both)
        return query_fail(parser, parser->at, "\"%.*s\" has nothing before it", (int)word.len,
                          word.at);
    if (negates)
        reading->negate = !reading->negate;
    if (fold_is(word, "or"))
        finish_row(reading);
    reading->pending = word;
    parser->at += word.len;
    return true;
}

/* A dash right before something is "not"; one that stands alone is text. */
static bool is_minus(const struct query_parser *parser)
{
    return parser->text.at[parser->at] == '-' && parser->at + 1 < parser->text.len &&
           !query_is_blank(parser->text.at[parser->at + 1]) &&
           parser->text.at[parser->at + 1] != ')';
}

static bool take_next(struct reading *reading)
{
    struct query_parser *parser = &reading->parser;

    if (parser->text.at[parser->at] == '(')
        return open_level(reading);
    if (parser->text.at[parser->at] == ')')
        return close_level(reading);
    if (is_minus(parser)) {
        reading->negate = !reading->negate;
        reading->pending = (struct span){parser->text.at + parser->at++, 1};
        return true;
    }
    struct span word = word_here(parser);
    if (query_is_keyword(word))
        return take_keyword(reading, word);
    if (!query_take_term(parser))
        return false;
    finish_operand(reading, reading->negate);
    reading->negate = false;
    return true;
}

static bool check_bytes(struct query_parser *parser)
{
    for (struct span rest = parser->text; rest.len;) {
        size_t at = parser->text.len - rest.len;
        int32_t code = utf8_next(&rest);
        if (code == UTF8_INVALID || (code >= 0xd800 && code <= 0xdfff))
            return query_fail(parser, at, "this is not UTF-8");
    }
    return true;
}

/* Tells each node which operator it belongs to, from the last one on, which belongs to none. */
static void link_nodes(struct query *query)
{
    uint32_t *missing = mem_zero(query->count + 1, sizeof *missing); /* operands not met yet */
    uint32_t open = QUERY_NONE;

    for (uint32_t i = (uint32_t)query->count; i--;) {
        struct query_node *node = &query->nodes[i];
        node->parent = open;
        if (open != QUERY_NONE) {
            query->nodes[open].first = i;
            missing[open]--;
        }
        missing[i] = node->children;
        if (node->children)
            open = i;
        while (open != QUERY_NONE && !missing[open])
            open = query->nodes[open].parent;
    }
    free(missing);
}

static bool read_all(struct reading *reading)
{
    struct query_parser *parser = &reading->parser;

    for (;;) {
        while (parser->at < parser->text.len && query_is_blank(parser->text.at[parser->at]))
            parser->at++;
        if (parser->at == parser->text.len)
            break;
        if (!take_next(reading))
            return false;
    }
    if (reading->pending.at && reading->pending.at[0] != '(')
        return refuse_pending(reading);
    if (reading->depth)
        return query_fail(parser, reading->levels[reading->depth].at, "\"(\" is never closed");
    if (parser->query->count)
        finish_level(reading);
    return true;
}

bool query_parse(struct query *query, struct span text, struct err *err, size_t *error_at)
{
    struct reading reading = {
        .parser = {.query = query, .text = text, .err = err, .error_at = error_at}};

    *query = (struct query){0};
    if (!check_bytes(&reading.parser) || !read_all(&reading)) {
        query_free(query);
        return false;
    }
    link_nodes(query);
    return true;
}
