/* Tests heads as bytes: they are read back as written, and cut or changed bytes do no harm. */
#include "live_support.h"

#include "mail/live/head.h"
#include "mail/message/kind.h"

#include <stdlib.h>

static const struct place somewhere = {.root = "/root", .box = {"box", 3}, .dir = {"box/inbox", 9}};
static const struct span names[] = {{0}, {"alice", 5}, {"bob", 3}, {"handoff", 7}};
enum { NAMES = sizeof names / sizeof *names - 1 };

static const struct notice notice = {.reason = {"failed", 6}, .summary = {"", 0}};
static const struct work work = {.giver = {"carol", 5}, .read_us = 17, .completed_us = TIME_NONE};

static struct message sample(void)
{
    return (struct message){.id = span_of("MSG-1"),
                            .file = span_of("MSG-1.json"),
                            .from = names[1],
                            .to = names[2],
                            .type = names[3],
                            .subject = span_of("A subject \xc3\xa9"),
                            .thread = span_of(""),
                            .place = &somewhere,
                            .damaged = "half of it",
                            .notice = &notice,
                            .work = &work,
                            .created_us = 1234567890123456,
                            .expires_us = TIME_NONE,
                            .raw_at = 3,
                            .raw_len = 7,
                            .print = 99,
                            .priority = PRIORITY_HIGH,
                            .status = STATUS_READ,
                            .kind = KIND_HANDOFF,
                            .requires_response = true,
                            .flags = MESSAGE_STRAY};
}

static struct str written(const struct message *message)
{
    struct head_names numbers = {1, 2, 3};
    struct str bytes = {0};

    head_write(&bytes, message, &numbers);
    return bytes;
}

Test(head_bytes, what_was_written_is_read_again)
{
    struct message message = sample(), other = sample();
    struct head_names none = {0};
    struct str bytes = written(&message);
    struct batch batch = {0};

    other.id = span_of("not in the file's name");
    other.from = other.to = other.type = other.thread = other.subject = (struct span){0};
    other.damaged = NULL;
    other.notice = NULL;
    other.work = NULL;
    head_write(&bytes, &other, &none);
    struct span rest = str_span(&bytes);
    cr_assert(head_read(&rest, names, NAMES, &somewhere, &batch));
    cr_assert(head_read(&rest, names, NAMES, &somewhere, &batch));
    cr_assert_eq(rest.len, 0);
    cr_assert_not(head_read(&rest, names, NAMES, &somewhere, &batch));
    cr_assert_eq(batch.count, 2);
    cr_assert_null(head_difference(&batch.items[0], &message), "%s",
                   head_difference(&batch.items[0], &message));
    cr_assert_null(head_difference(&batch.items[1], &other), "%s",
                   head_difference(&batch.items[1], &other));
    str_free(&bytes); /* the message borrows nothing from it */
    assert_span(batch.items[0].subject, "A subject \xc3\xa9");
    batch_free(&batch);
}

Test(head_bytes, one_that_is_cut_is_not_read)
{
    struct message message = sample();
    struct str bytes = written(&message);

    for (size_t len = 0; len < bytes.len; len++) {
        struct batch batch = {0};
        char *copy = malloc(len + 1); /* an exact copy, so that reading too far is found */
        memcpy(copy, bytes.at, len);
        struct span rest = {copy, len};
        cr_assert_not(head_read(&rest, names, NAMES, &somewhere, &batch), "%zu bytes", len);
        cr_assert_eq(batch.count, 0);
        free(copy);
        batch_free(&batch);
    }
    str_free(&bytes);
}

Test(head_bytes, one_with_any_bit_wrong_does_no_harm)
{
    struct message message = sample();
    struct str bytes = written(&message);

    for (size_t bit = 0; bit < bytes.len * 8; bit++) {
        struct batch batch = {0};
        char *copy = malloc(bytes.len);
        memcpy(copy, bytes.at, bytes.len);
        copy[bit / 8] ^= (char)(1 << bit % 8);
        struct span rest = {copy, bytes.len};
        if (head_read(&rest, names, NAMES, &somewhere, &batch)) {
            const struct message *read = &batch.items[0];
            cr_assert_eq(strlen(read->file.at), read->file.len);
            cr_assert_lt(read->kind, KIND_COUNT);
            cr_assert_leq(read->status, STATUS_NONE);
        }
        free(copy);
        batch_free(&batch);
    }
    str_free(&bytes);
}

Test(head_bytes, names_that_nobody_has_are_refused)
{
    struct message message = sample();
    struct str bytes = written(&message);
    struct batch batch = {0};
    struct span rest = str_span(&bytes);

    cr_assert_not(head_read(&rest, names, NAMES - 1, &somewhere, &batch));
    batch_free(&batch);
    str_free(&bytes);
}
