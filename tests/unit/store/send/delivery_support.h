/* Shared by the tests of delivery and of the outbox: a mailbox, a letter, and its outcome. */
#ifndef TESTS_UNIT_STORE_SEND_DELIVERY_SUPPORT_H
#define TESTS_UNIT_STORE_SEND_DELIVERY_SUPPORT_H

#include "tests/unit/store/state/state_support.h"

#include "base/time.h"
#include "store/layouts/claude.h"
#include "store/send/outbox.h"

#include <fcntl.h>

/* From inbox_lock_support.c and file_support.c: other programs between two system calls. */
extern void (*before_mkdir)(int call, const char *name);
extern void (*at_fstat)(int call);

#define INBOX "mail/teams/web/inboxes/bob.json"
#define SLOT "mail/.roo/mailbox/to-tester.md"
/* OTHER, and the inbox as a writer leaves it that knew OTHER but no later message. */
#define NEWER "{\"from\":\"y\",\"text\":\"newer\",\"timestamp\":\"t\",\"read\":false}"
#define OLDER "{\"from\":\"x\",\"text\":\"other\",\"timestamp\":\"t\",\"read\":false}"
#define OTHER "[" OLDER "]"
#define OVERWRITTEN "[" OLDER "," NEWER "]"
#define OVERWRITTEN_TWICE "[" OLDER "," NEWER "," NEWER "]"

static struct source source;
static struct state *state;
static struct err err;
static struct outbox box;
static struct outgoing_message letter;

static inline void open_mail(const char *format)
{
    char spec[512];

    if (source.path)
        source_close(&source);
    snprintf(spec, sizeof spec, "%s:%s/mail", format, tmp.path);
    cr_assert(source_open(&source, spec, NULL, NULL, &err), "%s", err.text);
}

/* Opens a mailbox where a recipient has one slot, which is taken. */
static inline void open_slots(void)
{
    tmp_write(&tmp, SLOT, span_of("---\nid: \"first\"\n---\n\nfirst\n"));
    open_mail("roo");
}

static inline void make(void)
{
    make_home();
    setenv("HOME", tmp.path, 1);
    tmp_write(&tmp, INBOX, span_of("[]"));
    open_mail("claude");
    state = open_state();
}

static inline void clear(void)
{
    before_mkdir = NULL;
    at_fstat = NULL;
    outgoing_message_free(&letter);
    outbox_free(&box);
    state_close(state);
    source_close(&source);
    clear_home();
}

static inline struct outgoing_message outgoing_message_to(const char *agent, const char *body)
{
    bool teams = format_has_teams(source.format);
    struct outgoing_message made = {.draft = draft_new(),
                                    .to = {.agent = span_of(agent),
                                           .team = teams ? span_of("web") : (struct span){0},
                                           .box = span_of(agent),
                                           .has_box = true}};

    made.draft.from = span_of("lead");
    made.draft.to = span_of(agent);
    made.draft.subject = span_of("Subject");
    made.draft.body = span_of(body);
    return made;
}

static inline bool deliver_all(struct outgoing_message *letters, size_t count, enum verify verify)
{
    const struct delivery how = {.source = &source, .state = state, .verify = verify};

    err = (struct err){0};
    return deliver(&how, letters, count, &err);
}

static inline bool send(const char *agent, const char *body, enum verify verify)
{
    outgoing_message_free(&letter);
    letter = outgoing_message_to(agent, body);
    return deliver_all(&letter, 1, verify);
}

static inline int times_in(const char *path, const char *text)
{
    int times = 0;

    if (!tmp_exists(&tmp, path))
        return 0;
    struct str got = tmp_read(&tmp, path);
    for (const char *at = str_c(&got); (at = strstr(at, text)); at++)
        times++;
    str_free(&got);
    return times;
}

static inline size_t count_outbox(void)
{
    cr_assert(outbox_list(state, &box, &err), "%s", err.text);
    return box.count;
}

/* Asserts that the outbox has one entry, in that state. */
static inline const struct outbox_entry *expect_entry(enum outbox_state want)
{
    cr_assert_eq(count_outbox(), 1, "%zu entries", box.count);
    cr_assert_eq(box.items[0].state, want, "state %d: %.*s", (int)box.items[0].state,
                 (int)box.items[0].problem.len, box.items[0].problem.at);
    return &box.items[0];
}

/* Does the work of the next process, when everything is due. */
static inline void work(void)
{
    run_outside("UPDATE outbox SET due_us = (CAST(strftime('%s', 'now') AS INTEGER) - 1) * 1000000 "
                "WHERE state NOT IN (3, 4, 6)");
    outbox_work(state, NULL);
}

#endif
