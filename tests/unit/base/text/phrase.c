/* Tests phrases, the queries that the word index can answer, and excerpts. */
#include "tests/unit/support.h"

#include "base/mem.h"
#include "mail/query/query.h"
#include "mail/render/columns.h"

#include <stdlib.h>

static bool stands(const char *phrase, bool open, const char *text)
{
    struct arena arena = {0};
    struct phrase read;

    phrase_read(&read, span_of(phrase), open, &arena);
    bool found = phrase_stands_in(&read, span_of(text), NULL);
    arena_free(&arena);
    return found;
}

Test(phrase, words_stand_in_a_row_and_nowhere_else)
{
    cr_assert(stands("disk full", false, "the DISK: full again"));
    cr_assert_not(stands("disk full", false, "full disk"));
    cr_assert_not(stands("disk full", false, "disk is full"));
    cr_assert_not(stands("pars", false, "parser"));
    cr_assert(stands("a a b", false, "a a a b"));
    cr_assert_not(stands("", false, "anything"));
    cr_assert_not(stands("a", false, ""));
}

Test(phrase, the_last_word_may_be_open)
{
    cr_assert(stands("pars", true, "the parser"));
    cr_assert(stands("src/ba", true, "in src/base/fold.c"));
    cr_assert_not(stands("src/ba", true, "in sr/base"));
    cr_assert_not(stands("dis full", true, "disk full"));
    /* after a character that is no part of a word, the phrase is not open */
    cr_assert(stands("src/", true, "src"));
    cr_assert_not(stands("src/", true, "srcs"));
}

static struct query parse(const char *text)
{
    struct query query;
    struct err err;

    cr_assert(query_parse(&query, span_of(text), &err, NULL), "%s", err.text);
    return query;
}

static bool needs(const char *text)
{
    struct query query = parse(text);
    bool does = query_needs_words(&query);

    query_free(&query);
    return does;
}

Test(query_words, only_what_cannot_match_without_words_needs_them)
{
    cr_assert(needs("a"));
    cr_assert(needs("a from:bob"));
    cr_assert(needs("subject:a or body:\"b c\""));
    cr_assert(needs("not from:bob a*"));
    cr_assert_not(needs(""));
    cr_assert_not(needs("from:bob"));
    cr_assert_not(needs("not a"));
    cr_assert_not(needs("a or from:bob"));
    cr_assert_not(needs("a or not b"));
    cr_assert_not(needs("\"->\""));      /* no word in it */
    cr_assert_not(needs("a*b"));         /* words cannot decide it */
    cr_assert_not(needs("subject:a,*")); /* one of the two has no word */
    cr_assert(needs("\"->\" a"));
}

/* True if bit `node` of the context is set: the message has that term. */
static bool has_bit(const void *context, uint32_t node)
{
    return *(const unsigned *)context >> node & 1;
}

static bool may(const char *text, unsigned has)
{
    struct query query = parse(text);
    bool can = query_may_match(&query, has_bit, &has);

    query_free(&query);
    return can;
}

Test(query_words, what_is_not_known_may_be)
{
    cr_assert(may("a b", 3) && !may("a b", 1) && !may("a b", 2));
    cr_assert(may("a or b", 2) && !may("a or b", 0));
    cr_assert(may("a from:bob", 1) && !may("a from:bob", 2));
    cr_assert(may("a not b", 5) && may("a not b", 1) && !may("a not b", 2));
    cr_assert(may("not (a b)", 0));
    cr_assert(may("(a or is:read) b", 8) && !may("(a or is:read) b", 1));
}

static struct message message_of(const char *subject, const char *body, struct message_data *data)
{
    *data = (struct message_data){.body = span_of(body)};
    return (struct message){.subject = span_of(subject),
                            .from = span_of("tester-2"),
                            .to = span_of("lead"),
                            .data = data};
}

static bool matches(const char *text, const char *subject, const char *body, bool words)
{
    static const struct place place = {.root = "/x"};
    struct query_context context = {.words = words};
    struct message_data data;
    struct message message = message_of(subject, body, &data);
    struct query query = parse(text);

    message.place = &place;
    bool match = query_match(&query, &message, &context);
    query_free(&query);
    return match;
}

Test(query_words, texts_are_words_when_they_are_sought_as_such)
{
    cr_assert(matches("pars", "a parser", "", false));
    cr_assert_not(matches("pars", "a parser", "", true));
    cr_assert(matches("pars*", "a parser", "", true));
    cr_assert(matches("tester-2", "", "", true));
    cr_assert(matches("subject:fold.c", "see src/fold.c", "", true));
    cr_assert_not(matches("subject:fold.c", "", "see src/fold.c", true));
    cr_assert(matches("body:\"fold c\"", "", "see src/fold.c", true));
    /* without a word in it: compared as characters */
    cr_assert(matches("\"->\"", "", "a -> b", true));
    cr_assert(matches("pa*er", "", "a parser", true));
    /* names match as names in both ways */
    cr_assert(matches("from:tester-*", "", "", true));
    cr_assert_not(matches("from:tester", "", "", true));
}

static void assert_excerpt(const char *sought, const char *body, const char *wanted)
{
    struct message_data data;
    struct message message = message_of("the subject", body, &data);
    struct query query = parse(sought);
    struct excerpt excerpt = excerpt_of(&query, &message);
    struct str line = {0};

    excerpt_add(&line, &excerpt, 0);
    cr_assert_str_eq(str_c(&line), wanted);
    str_free(&line);
    query_free(&query);
}

Test(excerpt, it_is_the_line_around_what_was_found)
{
    assert_excerpt("full", "one\n  the disk is full now  \nthree", "the disk is full now");
    assert_excerpt("subject", "body", "the subject");
    assert_excerpt("is:read", "\n\nfirst line\nsecond", "first line");
    assert_excerpt("\"two three\"", "one two\nthree four", "one two three four");
    assert_excerpt("not full needle", "full of needle", "full of needle");
}

Test(excerpt, it_starts_not_far_before_and_is_clean)
{
    assert_excerpt("needle",
                   "a very long line in which many words stand before the needle is found in it",
                   "... in which many words stand before the needle is found in it");
    assert_excerpt("needle", "\x1b[31mneedle\x1b[0m", "^[[31mneedle^[[0m");
}
