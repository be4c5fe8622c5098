/* Tests the cached heads of a file with many messages: after any change of an inbox, reading it
 * with the cache gives the same as reading it without. */
#include "tests/unit/draw.h"
#include "tests/unit/store/layouts/claude_support.h"

#include "mail/live/head.h"
#include "mail/message/entry_cache.h"
#include "mail/message/kind.h"

enum { SEED = 7, ENTRIES = 24 };

/* %1$s: the number of a text, %2$s: the read flag. */
#define TIMED(from, text)                                                                          \
    "{\"from\":\"" from "\",\"text\":\"" text "\",\"timestamp\":\"" SENT "\",\"read\":%2$s}"
#define NAMED(id)                                                                                  \
    "{\"from\":\"erin\",\"text\":\"text\",\"msg_id\":\"" id "\",\"timestamp\":\"" SENT             \
    "\",\"read\":%2$s}"

enum { USUAL_SHAPES = 10 };

static const char *const shapes[] = {
    TIMED("carol", "text %1$s"),
    TIMED("carol", "text"), /* the same text every time */
    NAMED("m-%1$s"),
    NAMED("m"),
    "{\"from\":\"dave\",\"text\":\"it came with the one before: %1$s\",\"read\":%2$s}",
    TIMED("dave", "{\\\"type\\\":\\\"shutdown_request\\\",\\\"requestId\\\":\\\"r%1$s\\\"}"),
    TIMED("dave", "{\\\"type\\\":\\\"idle_notification\\\",\\\"idleReason\\\":\\\"failed\\\","
                  "\\\"failureReason\\\":\\\"no %1$s\\\"}"),
    TIMED("carol", "Work handoff from dave to bob.\\n\\nT%1$s"),
    TIMED("carol", "accepted: T%1$s"),
    TIMED("carol", "Re: T%1$s\\nCompleted."),
    TIMED("carol", "\xff %1$s"),
    "{\"from\":\"carol\",\"read\":%2$s}",
    "%1$s",
};

/* An inbox of the test. */
struct box {
    struct box_entry {
        uint32_t shape, number;
        bool read;
    } entries[ENTRIES];
    size_t count;
};

static void put_box(struct str *out, const struct box *box)
{
    str_putc(out, '[');
    for (size_t i = 0; i < box->count; i++) {
        const char *shape = shapes[box->entries[i].shape];
        const char *read = box->entries[i].read ? "true" : "false";
        char number[16];
        snprintf(number, sizeof number, "%u", box->entries[i].number);
        str_puts(out, i ? ",\n  " : "\n  ");
        for (const char *at = shape; *at; at += *at == '%' ? 4 : 1) {
            if (*at == '%')
                str_puts(out, at[1] == '1' ? number : read);
            else
                str_putc(out, *at);
        }
    }
    str_puts(out, "\n]");
}

/* Adds an entry; common shapes are drawn more often than odd ones. */
static void add_entry(struct box *box)
{
    uint32_t shape = draw(3) ? draw(USUAL_SHAPES) : draw(sizeof shapes / sizeof *shapes);

    box->entries[box->count].shape = shape;
    box->entries[box->count].number = draw(6);
    box->entries[box->count++].read = false;
}

static void remove_entry(struct box *box, size_t number)
{
    memmove(box->entries + number, box->entries + number + 1,
            (--box->count - number) * sizeof *box->entries);
}

static void change_box(struct box *box)
{
    size_t number = box->count ? draw((uint32_t)box->count) : 0;
    struct box_entry moved;

    switch (box->count ? draw(6) : 0) {
    case 0:
    case 1:
        if (box->count < ENTRIES)
            add_entry(box);
        break;
    case 2:
    case 3:
        box->entries[number].read = true;
        break;
    case 4:
        remove_entry(box, number);
        break;
    case 5: /* move an entry to the end */
        moved = box->entries[number];
        remove_entry(box, number);
        box->entries[box->count++] = moved;
        break;
    default:
        break;
    }
}

/* Appends all that lists know of the messages, with names as text. */
static void put_heads(struct str *out, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct message *message = &batch->items[i];
        struct span names[] = {message->from, message->to, message->type};
        for (size_t k = 0; k < 3; k++) {
            str_add_span(out, names[k]);
            str_putc(out, '\n');
        }
        str_puts(out, message->damaged ? message->damaged : "");
        head_write(out, message, &(struct head_names){0});
    }
}

/* Numbers the names as a cache does; here each message has three of its own. */
static void note_names(struct span names[1 + 3 * ENTRIES], const struct batch *batch,
                       struct str *heads)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct message *message = &batch->items[i];
        const struct span own[] = {message->from, message->to, message->type};
        uint32_t at[3];
        for (uint32_t k = 0; k < 3; k++) {
            at[k] = own[k].at ? 1 + 3 * i + k : 0;
            names[1 + 3 * i + k] = own[k].at ? own[k] : span_of("");
        }
        head_write(heads, message, &(struct head_names){at[0], at[1], at[2]});
    }
}

static bool read_box(struct batch *batch, struct span bytes, struct entry_cache *known)
{
    struct mail_file file = {
        .place = &inbox_place, .name = span_of("bob.json"), .bytes = bytes, .known = known};
    struct err err;
    bool ok = claude_format.parse(&file, WANT_HEAD, batch, &err);

    for (size_t i = 0; i < batch->count; i++)
        message_classify(&batch->items[i]);
    return ok;
}

static void expect_the_same(struct span before, struct span after)
{
    struct span names[1 + 3 * ENTRIES] = {{0}};
    struct batch old = {0}, quick = {0}, slow = {0};
    struct str heads = {0}, got = {0}, want = {0};
    struct entry_cache known;

    cr_assert(read_box(&old, before, NULL));
    note_names(names, &old, &heads);
    entry_cache_write(&heads, &old, 0, before, SEED);
    entry_cache_fill(&known, str_span(&heads), old.count, names, 3 * old.count, SEED);
    cr_assert_eq(known.count, old.count);
    cr_assert(read_box(&quick, after, &known) && read_box(&slow, after, NULL));
    put_heads(&got, &quick);
    put_heads(&want, &slow);
    cr_assert(span_eq(str_span(&got), str_span(&want)), "before: %s\nafter: %s", before.at,
              after.at);
    entry_cache_free(&known);
    str_free(&heads);
    str_free(&got);
    str_free(&want);
    batch_free(&old);
    batch_free(&quick);
    batch_free(&slow);
}

Test(known, whatever_was_done_to_an_inbox_the_same_is_read_from_nothing)
{
    struct box box = {0};
    struct str before = {0}, after = {0};

    for (int round = 0; round < usual_rounds(4000); round++) {
        str_clear(&before);
        str_clear(&after);
        put_box(&before, &box);
        for (uint32_t changes = draw(3); changes < 3; changes++)
            change_box(&box);
        put_box(&after, &box);
        expect_the_same(str_span(&before), str_span(&after));
    }
    str_free(&before);
    str_free(&after);
}

#define PLAIN(text) "{\"from\":\"carol\",\"text\":\"" text "\",\"timestamp\":\"" SENT "\"}"

/* Reads with cached heads that have another subject, which shows where a head came from. */
static void read_knowing(struct batch *batch, const char *before, const char *after, unsigned want)
{
    struct span names[1 + 3 * ENTRIES] = {{0}};
    struct batch old = {0};
    struct str heads = {0};
    struct entry_cache known;

    cr_assert(read_box(&old, span_of(before), NULL));
    for (size_t i = 0; i < old.count; i++)
        old.items[i].subject = span_of("known");
    note_names(names, &old, &heads);
    entry_cache_write(&heads, &old, 0, span_of(before), SEED);
    entry_cache_fill(&known, str_span(&heads), old.count, names, 3 * old.count, SEED);
    struct mail_file file = {.place = &inbox_place,
                             .name = span_of("bob.json"),
                             .bytes = span_of(after),
                             .known = &known};
    struct err err;
    cr_assert(claude_format.parse(&file, want, batch, &err));
    entry_cache_free(&known);
    str_free(&heads);
    batch_free(&old);
}

Test(known, only_entries_that_changed_are_read)
{
    struct batch batch = {0};

    read_knowing(&batch, "[" PLAIN("a") "," PLAIN("b") "]",
                 "[" PLAIN("a") "," PLAIN("c") "," PLAIN("b") "]", WANT_HEAD);
    cr_assert_eq(batch.count, 3);
    assert_span(batch.items[0].subject, "known");
    assert_span(batch.items[1].subject, "c");
    assert_span(batch.items[2].subject, "known");
    batch_free(&batch);
}

Test(known, who_wants_more_than_heads_reads_all)
{
    struct batch batch = {0};

    read_knowing(&batch, "[" PLAIN("a") "]", "[" PLAIN("a") "]", WANT_BODY);
    assert_span(batch.items[0].subject, "a");
    assert_span(batch.items[0].data->body, "a");
    batch_free(&batch);
}

Test(known, heads_that_are_cut_off_tell_nothing)
{
    struct batch batch = {0}, taken = {0};
    struct str heads = {0};
    struct span names[1 + 3 * ENTRIES] = {{0}};
    struct entry_cache known;

    cr_assert(read_box(&batch, span_of("[" PLAIN("a") "," PLAIN("b") "]"), NULL));
    note_names(names, &batch, &heads);
    entry_cache_write(&heads, &batch, 0, span_of("[" PLAIN("a") "," PLAIN("b") "]"), SEED);
    for (size_t len = 0; len <= heads.len; len++) {
        entry_cache_fill(&known, (struct span){heads.at, len}, 2, names, 6, SEED);
        cr_assert_eq(known.count, len == heads.len ? 2 : 0);
        const struct message *message =
            entry_cache_take(&known, span_of(PLAIN("b")), &inbox_place, &taken);
        cr_assert_eq(message != NULL, len == heads.len);
        entry_cache_free(&known);
    }
    assert_span(taken.items[0].subject, "b");
    str_free(&heads);
    batch_free(&batch);
    batch_free(&taken);
}
