/* Shared by the tests of the Claude layout: reading an inbox, and changing one as text. */
#ifndef TESTS_UNIT_STORE_LAYOUTS_CLAUDE_SUPPORT_H
#define TESTS_UNIT_STORE_LAYOUTS_CLAUDE_SUPPORT_H

#include "tests/unit/support.h"

#include "store/layouts/claude.h"
#include "store/layouts/claude_private.h"

#include <stdio.h>
#include <stdlib.h>

/* 2026-02-07T15:35:15.573Z */
#define SENT "2026-02-07T15:35:15.573Z"
#define SENT_US INT64_C(1770478515573000)
#define UUID "0e9f4a52-7a1b-4c3d-8e5f-60718293a4b5"
enum { WHOLE = WANT_DATA | WANT_BODY };

static const struct place inbox_place = {
    .team = {"web", 3}, .box = {"bob", 3}, .dir = {"teams/web/inboxes", 17}, .by_subject = true};

/* Appends the messages of an inbox to the batch; false if it cannot be read. */
static inline bool read_inbox(struct batch *batch, struct span bytes, unsigned want,
                              struct err *err)
{
    char *copy = malloc(bytes.len + 1); /* a copy that nothing may borrow from or read past */
    struct mail_file file = {
        .place = &inbox_place, .name = span_of("bob.json"), .bytes = {copy, bytes.len}};

    cr_assert_not_null(copy);
    memcpy(copy, bytes.len ? bytes.at : "", bytes.len);
    bool ok = claude_format.parse(&file, want, batch, err);
    free(copy);
    return ok;
}

static inline const struct message *read_text(struct batch *batch, const char *text)
{
    struct err err = {0};

    cr_assert(read_inbox(batch, span_of(text), WHOLE, &err), "%s: %s", text, err.text);
    cr_assert(batch->count > 0, "no message in %s", text);
    return &batch->items[batch->count - 1];
}

/* Compares the bytes of an inbox after the entry was added. */
static inline struct appended expect_append(const char *box, const char *entry, const char *want)
{
    struct str out = {0};
    struct appended result;
    struct err err = {0};

    cr_assert(
        claude_format.append(span_of(box), span_of(entry), span_of(UUID), &out, &result, &err),
        "%s", err.text);
    cr_assert_str_eq(str_c(&out), want);
    cr_assert_eq(out.len, strlen(want));
    str_free(&out);
    return result;
}

#endif
