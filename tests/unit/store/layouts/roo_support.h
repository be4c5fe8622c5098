/* Shared by the tests of the Roo layout: reading a text as the mail of one agent. */
#ifndef TESTS_UNIT_STORE_LAYOUTS_ROO_SUPPORT_H
#define TESTS_UNIT_STORE_LAYOUTS_ROO_SUPPORT_H

#include "tests/unit/support.h"

#include "store/layouts/roo.h"

enum { WHOLE = WANT_DATA | WANT_BODY };

/* 2025-07-07T11:15:00Z, and the time when the file was written. */
#define SENT_US INT64_C(1751886900000000)
#define WRITTEN_US INT64_C(1800000000123456)

static const struct place place = {.box = {"tester", 6}, .dir = {".roo/mailbox", 12}};

/* Returns false with a reason if nothing can be read. */
static inline bool try_parse(struct batch *batch, struct span bytes, unsigned want)
{
    struct mail_file file = {
        .place = &place, .name = span_of("to-tester.md"), .bytes = bytes, .mtime_us = WRITTEN_US};
    struct err err = {0};
    size_t before = batch->count;
    bool ok = roo_format.parse(&file, want, batch, &err);

    cr_assert_eq(ok, batch->count > before);
    cr_assert(ok || err.text[0]);
    return ok;
}

/* Returns the last message of the text, which must not borrow from the bytes that were read. */
static inline const struct message *parse(struct batch *batch, const char *text)
{
    struct str bytes = {0};

    str_puts(&bytes, text);
    cr_assert(try_parse(batch, str_span(&bytes), WHOLE), "%s", text);
    memset(bytes.at, '!', bytes.len);
    str_free(&bytes);
    return &batch->items[batch->count - 1];
}

#endif
