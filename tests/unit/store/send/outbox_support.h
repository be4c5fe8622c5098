/* Shared by the tests of the outbox: entries, and calls that must succeed. */
#ifndef TESTS_UNIT_STORE_SEND_OUTBOX_SUPPORT_H
#define TESTS_UNIT_STORE_SEND_OUTBOX_SUPPORT_H

#include "tests/unit/store/state/state_support.h"

#define NOW INT64_C(1700000000000000)
#define AFTER (NOW + OUTBOX_LEASE_US)

static struct outbox box;
static struct err err;

static inline struct outbox_entry entry_of(const char *id)
{
    return (struct outbox_entry){.format = {"roo", 3},
                                 .root = {"/srv/mail", 9},
                                 .id = span_of(id),
                                 .bytes = {"bytes", 5},
                                 .created_us = NOW,
                                 .due_us = NOW};
}

static inline int64_t record(struct state *state, const char *id)
{
    struct outbox_entry entry = entry_of(id);

    cr_assert(outbox_record(state, &entry, 1, NOW, &err), "%s", err.text);
    cr_assert_gt(entry.number, 0);
    return entry.number;
}

/* Records an entry and releases it. */
static inline int64_t leave(struct state *state, const char *id)
{
    int64_t number = record(state, id);

    cr_assert(outbox_release(state, number, &err), "%s", err.text);
    return number;
}

static inline size_t count_all(struct state *state)
{
    cr_assert(outbox_list(state, &box, &err), "%s", err.text);
    return box.count;
}

static inline size_t count_due(struct state *state, int64_t now_us)
{
    cr_assert(outbox_due(state, now_us, &box, &err), "%s", err.text);
    return box.count;
}

static inline void expect_claim(struct state *state, int64_t number, int64_t now_us)
{
    cr_assert(outbox_claim(state, number, now_us, &box, &err), "%s", err.text);
    cr_assert_eq(box.count, 1);
    cr_assert_eq(box.items[0].number, number);
}

static inline void expect_refused(bool done)
{
    cr_assert_not(done);
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
}

static inline void finish(struct state *state)
{
    outbox_free(&box);
    state_close(state);
}

#endif
