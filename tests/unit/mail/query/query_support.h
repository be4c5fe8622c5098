/* Shared by the tests of queries. */
#ifndef TESTS_UNIT_MAIL_QUERY_QUERY_SUPPORT_H
#define TESTS_UNIT_MAIL_QUERY_QUERY_SUPPORT_H

#include "tests/unit/support.h"

#include "mail/message/kind.h"
#include "mail/query/query.h"

#include <stdlib.h>

#define NOW_US INT64_C(1794830400000000) /* 2026-11-16T12:00:00Z */
#define HOUR_US INT64_C(3600000000)

/* Returns the plainest form of a text that must be a query. The caller frees. */
static inline char *plain_of(const char *text)
{
    struct query query;
    struct str out = {0};
    struct err err = {0};

    cr_assert(query_parse(&query, span_of(text), &err, NULL), "%s: %s", text, err.text);
    query_add_text(&out, &query);
    query_free(&query);
    return out.at ? out.at : calloc(1, 1);
}

static inline void expect_plain(const char *text, const char *plain)
{
    char *got = plain_of(text);

    cr_assert_str_eq(got, plain, "%s became %s, not %s", text, got, plain);
    free(got);
}

/* The text must be refused with exactly that sentence, at that byte. */
static inline void expect_error(const char *text, size_t at, const char *sentence)
{
    struct query query;
    struct err err = {0};
    size_t error_at = SIZE_MAX;
    bool ok = query_parse(&query, span_of(text), &err, &error_at);

    query_free(&query);
    cr_assert(!ok, "%s was taken", text);
    cr_assert_eq(err.scope, ERR_USAGE);
    cr_assert_str_eq(err.text, sentence, "%s: %s", text, err.text);
    cr_assert_eq(error_at, at, "%s: byte %zu", text, error_at);
}

#endif
