/* Tests heads: a message that is folded unfolds unchanged, and shared texts are stored once. */
#include "live_support.h"

#include "mail/live/head.h"

#include <stdlib.h>

static const struct place inbox = {.source = 3,
                                   .root = "/srv/mail",
                                   .by_subject = true,
                                   .short_replies = true,
                                   .chained = true,
                                   .done_archived = true,
                                   .team = {"web", 3},
                                   .box = {"bob", 3},
                                   .dir = {"bob/inbox", 9}};

static const struct notice full_notice = {.reason = {"failed", 6},
                                          .failure = {"", 0},
                                          .task = {"7", 1},
                                          .task_status = {NULL, 0},
                                          .summary = {"[to ann] \0 x", 12}};

static const struct work full_work = {
    .giver = {"carol", 5}, .job = {"", 0}, .read_us = INT64_MAX - 5, .completed_us = -7};

/* Returns a message with all fields set, none to its default. */
static struct message full(void)
{
    return (struct message){.id = span_of("MSG-1"),
                            .file = span_of("note.json"),
                            .from = span_of("ann"),
                            .to = span_of("bob"),
                            .subject = span_of("a subject"),
                            .type = span_of("request"),
                            .thread = span_of("thread"),
                            .reply_to = span_of("MSG-0"),
                            .place = &inbox,
                            .damaged = "it is",
                            .notice = &full_notice,
                            .work = &full_work,
                            .created_us = INT64_MAX - 1,
                            .expires_us = INT64_MIN + 1,
                            .raw_at = UINT32_MAX,
                            .raw_len = UINT32_MAX - 1,
                            .print = UINT32_MAX - 2,
                            .priority = PRIORITY_URGENT,
                            .status = STATUS_NONE,
                            .kind = 11,
                            .verdict = 2,
                            .said = 4,
                            .requires_response = true,
                            .unread_bytes = true,
                            .seen = true,
                            .read_here = true,
                            .mine = true,
                            .by_us = true,
                            .whole_folder = true,
                            .refused = true,
                            .flags = UINT16_MAX};
}

static void assert_comes_back(struct head_pool *pool, uint32_t slot, const struct message *message,
                              const char *what)
{
    struct arena arena = {0};
    struct message back;

    head_unfold(pool, slot, &back, &arena);
    cr_assert_null(head_difference(&back, message), "%s: %s", what,
                   head_difference(&back, message));
    cr_assert_null(back.data);
    cr_assert(span_eq(head_id(head_at(pool, slot)), message->id), "%s", what);
    cr_assert(span_eq(head_file(head_at(pool, slot)), message->file), "%s", what);
    cr_assert_eq(back.file.at[back.file.len], '\0', "a file's name is terminated");
    arena_free(&arena);
}

static void assert_round_trip(const struct message *message, const char *what)
{
    struct head_pool pool = {0};
    uint32_t slot = head_take(&pool);

    head_fold(&pool, slot, message);
    assert_comes_back(&pool, slot, message, what);
    head_pool_free(&pool);
}

Test(head, everything_comes_back_as_it_was)
{
    struct message message = full();

    assert_round_trip(&message, "full");
    message = (struct message){.id = span_of(""), .file = span_of("x"), .place = &inbox};
    assert_round_trip(&message, "bare");
}

/* Sets one field at a time, so that no field can be mistaken for another. */
Test(head, each_field_alone_comes_back)
{
    struct message bare = {.id = span_of("id"),
                           .file = span_of("file"),
                           .place = &inbox,
                           .created_us = TIME_NONE,
                           .expires_us = TIME_NONE};
    bool *const flags[] = {&bare.requires_response, &bare.unread_bytes, &bare.seen,
                           &bare.read_here,         &bare.mine,         &bare.by_us,
                           &bare.whole_folder,      &bare.refused};
    struct span *const texts[] = {&bare.from, &bare.to,     &bare.subject,
                                  &bare.type, &bare.thread, &bare.reply_to};
    const struct span values[] = {{"", 0}, {"x", 1}, {"a\0b", 3}, {"\xff\x1b\n", 3}};

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        *flags[i] = true;
        assert_round_trip(&bare, "a flag");
        *flags[i] = false;
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            *texts[i] = values[k];
            assert_round_trip(&bare, "a text");
        }
        *texts[i] = (struct span){0};
    }
    bare.damaged = "";
    assert_round_trip(&bare, "damaged without a word");
    bare.damaged = NULL;
    for (unsigned bit = 0; bit < 16; bit++) {
        bare.flags = (uint16_t)(1u << bit);
        assert_round_trip(&bare, "a message flag");
    }
}

Test(head, each_part_of_a_notice_is_absent_empty_or_there)
{
    struct message message = full();
    const struct span values[] = {{NULL, 0}, {"", 0}, {"some words", 10}};

    for (unsigned which = 0; which < 3 * 3 * 3 * 3 * 3; which++) {
        struct notice notice = {.reason = values[which % 3],
                                .failure = values[which / 3 % 3],
                                .task = values[which / 9 % 3],
                                .task_status = values[which / 27 % 3],
                                .summary = values[which / 81 % 3]};
        message.notice = &notice;
        message.damaged = which % 2 ? "it is" : NULL;
        assert_round_trip(&message, "a notice");
    }
}

Test(head, each_part_of_work_is_absent_empty_or_there)
{
    struct message message = full();
    const struct span values[] = {{NULL, 0}, {"", 0}, {"some words", 10}};

    for (unsigned which = 0; which < 3 * 3 * 2; which++) {
        struct work work = {.giver = values[which % 3],
                            .job = values[which / 3 % 3],
                            .read_us = which,
                            .completed_us = TIME_NONE};
        message.work = &work;
        message.notice = which < 9 ? NULL : &full_notice;
        assert_round_trip(&message, "work");
    }
}

Test(head, what_needs_room_of_its_own_is_left_out_where_there_is_none)
{
    struct head_pool pool = {0};
    struct message message = full(), back;
    uint32_t slot = head_take(&pool);

    head_fold(&pool, slot, &message);
    head_unfold(&pool, slot, &back, NULL);
    cr_assert_null(back.notice);
    cr_assert_null(back.work);
    message.notice = NULL;
    message.work = NULL;
    cr_assert_null(head_difference(&back, &message), "%s", head_difference(&back, &message));
    head_pool_free(&pool);
}

/* Each row: an id and the name of its file. */
static const char *const named[][2] = {
    {"MSG-1", "MSG-1.json"},
    {"MSG-1", "MSG-1"},
    {"MSG-1.json", "MSG-1"},
    {"", "MSG-1.json"},
    {"1", "MSG-1.json"},
    {"MSG-2", "MSG-1"},
    {"x", ""},
    {"", ""},
};

Test(head, ids_come_back_whether_or_not_the_file_is_named_after_them)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        struct message message = full();
        message.id = span_of(named[i][0]);
        message.file = span_of(named[i][1]);
        assert_round_trip(&message, named[i][0]);
    }
}

Test(head, texts_of_any_length_come_back)
{
    static const size_t lengths[] = {255, 256, 65535, 65536, 65537, 1u << 20};
    char *text = malloc(1u << 20);

    memset(text, 'y', 1u << 20);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct message message = full();
        message.id = message.subject = message.thread = (struct span){text, lengths[i]};
        message.reply_to = message.from = message.type = (struct span){text, lengths[i]};
        assert_round_trip(&message, "long");
    }
    free(text);
}

Test(head, a_slot_that_is_filled_again_forgets_what_was_there_and_keeps_its_links)
{
    struct head_pool pool = {0};
    struct message message = full(), bare = {.id = span_of("b"), .file = span_of("c")};
    uint32_t slot = head_take(&pool);

    bare.place = &inbox;
    head_fold(&pool, slot, &message);
    head_at(&pool, slot)->next_in_file = 7;
    head_at(&pool, slot)->next_same = 8;
    head_fold(&pool, slot, &bare);
    assert_comes_back(&pool, slot, &bare, "the second");
    cr_assert_eq(head_at(&pool, slot)->next_in_file, 7);
    cr_assert_eq(head_at(&pool, slot)->next_same, 8);
    head_pool_free(&pool);
}

Test(head, slots_that_were_given_back_are_used_again)
{
    enum { COUNT = 2000 };
    struct head_pool pool = {0};
    struct message message = full();
    uint32_t slots[COUNT];

    for (size_t i = 0; i < COUNT; i++) {
        slots[i] = head_take(&pool);
        cr_assert_eq(slots[i], i);
        head_fold(&pool, slots[i], &message);
    }
    for (size_t i = 0; i < COUNT; i += 3) {
        head_drop(&pool, slots[i]);
        cr_assert_not(head_at(&pool, slots[i])->used);
    }
    message.id = span_of("another");
    for (size_t i = 0; i < COUNT; i += 3) {
        uint32_t slot = head_take(&pool);
        cr_assert_lt(slot, COUNT);
        cr_assert_eq(slot % 3, 0, "a slot that is in use was given away");
        cr_assert_eq(head_at(&pool, slot)->next_in_file, HEAD_NONE);
        cr_assert_eq(head_at(&pool, slot)->next_same, HEAD_NONE);
        head_fold(&pool, slot, &message);
    }
    cr_assert_eq(pool.count, COUNT);
    cr_assert_eq(head_take(&pool), COUNT);
    for (size_t i = 0; i < COUNT; i++)
        cr_assert(span_is(head_id(head_at(&pool, slots[i])), i % 3 ? "MSG-1" : "another"));
    head_pool_free(&pool);
}

Test(head, names_are_kept_once_whoever_writes_them)
{
    struct head_pool pool = {0};
    struct message message = full();
    struct message back;

    for (int i = 0; i < 1000; i++) {
        char from[] = "ann", to[] = "bob"; /* at another address each time */
        message.from = span_of(from);
        message.to = span_of(i % 2 ? to : from);
        head_fold(&pool, head_take(&pool), &message);
    }
    cr_assert_eq(pool.name_count, 3, "ann, bob and the type");
    head_unfold(&pool, 998, &back, NULL);
    cr_assert_eq(back.from.at, back.to.at);
    head_pool_free(&pool);
}

/* Each differs from the first in one thing that makes it another place. */
Test(head, places_are_kept_once_and_apart)
{
    struct head_pool pool = {0};
    struct place places[] = {inbox, inbox, inbox, inbox, inbox, inbox, inbox, inbox, inbox};
    enum { COUNT = sizeof places / sizeof *places };

    places[1].source = 4;
    places[2].archived = true;
    places[3].local = true;
    places[4].team = span_of("ops");
    places[5].box = span_of("ann");
    places[6].dir = span_of("bob/archive");
    places[7].team = span_of("webb"); /* the same letters in sequence, split elsewhere */
    places[7].box = span_of("ob");
    places[8].team = (struct span){0};
    for (int round = 0; round < 3; round++)
        for (uint32_t i = 0; i < COUNT; i++)
            for (int twice = 0; twice < 2; twice++)
                cr_assert_eq(head_place(&pool, &places[i]), i, "round %d, place %u", round, i);
    cr_assert_eq(pool.place_count, COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        cr_assert(same_place(pool.places[i], &places[i]), "%u", i);
    head_pool_free(&pool);
}

Test(head, a_place_without_a_team_is_not_that_of_a_team_without_a_name)
{
    struct head_pool pool = {0};
    struct place empty = inbox, none = inbox;

    empty.team = span_of("");
    none.team = (struct span){0};
    uint32_t first = head_place(&pool, &empty);
    cr_assert_neq(head_place(&pool, &none), first);
    cr_assert_eq(head_place(&pool, &empty), first);
    head_pool_free(&pool);
}
