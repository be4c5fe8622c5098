/* Shared by the tests of the ledger: a home directory, entries, and access to the file from
 * outside. */
#ifndef TESTS_UNIT_STORE_DECIDE_LEDGER_SUPPORT_H
#define TESTS_UNIT_STORE_DECIDE_LEDGER_SUPPORT_H

#include "tests/unit/store/state/state_support.h"

#include "store/decide/ledger.h"

#include <fcntl.h>

#define LEDGER "swarmutt/ledger"
#define HEAD "swarmutt/ledger.head"
#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"

static struct ledger ledger;
static struct err err;

static inline void clear_ledger(void)
{
    ledger_free(&ledger);
    clear_home();
}

/* Returns an event of a decision on a permission, at that second. */
static inline struct ledger_entry entry_of(const char *decision, enum ledger_event event,
                                           int second)
{
    return (struct ledger_entry){.event = event,
                                 .decision = span_of(decision),
                                 .verb = span_of("grant"),
                                 .kind = span_of("permission"),
                                 .by = span_of("team-lead"),
                                 .format = span_of("claude"),
                                 .root = span_of("/srv/claude"),
                                 .team = span_of("dev"),
                                 .agent = span_of("tester-2"),
                                 .at_us = INT64_C(1794830400000000) + second * INT64_C(1000000)};
}

static inline void append(const struct ledger_entry *entry)
{
    cr_assert(ledger_append(entry, &err), "%s", err.text);
}

/* Appends that many entries, each for another decision. */
static inline void append_many(int count)
{
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "d%d", i);
        struct ledger_entry entry = entry_of(name, LEDGER_INTENT, i);
        entry.note = span_of(name);
        append(&entry);
    }
}

/* Reads the whole ledger again. */
static inline void read_anew(void)
{
    ledger_free(&ledger);
    cr_assert(ledger_read(&ledger, &err), "%s", err.text);
}

static inline bool is_whole(void)
{
    read_anew();
    return !ledger.damage;
}

static inline void expect_whole(size_t entries, size_t remarks)
{
    read_anew();
    cr_assert(ledger.damage == 0 && ledger.count == entries && ledger.finding_count == remarks,
              "%zu entries, %zu findings, %zu damaged: %s", ledger.count, ledger.finding_count,
              ledger.damage, ledger.finding_count ? ledger.findings[0].text.at : "");
}

/* Asserts that one of the findings starts with that sentence. */
static inline void expect_finding(bool damage, const char *text)
{
    read_anew();
    for (size_t i = 0; i < ledger.finding_count; i++)
        if (ledger.findings[i].damage == damage &&
            span_starts(ledger.findings[i].text, span_of(text)))
            return;
    cr_assert(false, "not found: %s; found %zu: %s", text, ledger.finding_count,
              ledger.finding_count ? ledger.findings[0].text.at : "nothing");
}

/* Writes in place: file systems sync a file that was truncated and written again, which is slow. */
static inline void rewrite(struct span bytes)
{
    int fd = openat(tmp.fd, LEDGER, O_WRONLY | O_CLOEXEC);

    cr_assert(fd >= 0);
    cr_assert_eq(pwrite(fd, bytes.at, bytes.len, 0), (ssize_t)bytes.len);
    cr_assert_eq(ftruncate(fd, (off_t)bytes.len), 0);
    close(fd);
}

static inline void forget_head(void)
{
    cr_assert_eq(unlinkat(tmp.fd, HEAD, 0), 0);
}

#endif
