/* Tests the model: adding batches, settling double ids, finding and sorting messages. */
#include "tests/unit/support.h"

#include "mail/message/model.h"

#include <stdio.h>

/* The places of the messages in these tests. */
static const struct place inbox = {
    .root = "/srv/mailboxes", .box = {"bob", 3}, .dir = {"bob/inbox", 9}};
static const struct place archive = {
    .root = "/srv/mailboxes", .box = {"bob", 3}, .dir = {"bob/archive", 11}, .archived = true};
static const struct place eve_inbox = {
    .root = "/srv/mailboxes", .box = {"eve", 3}, .dir = {"eve/inbox", 9}};
static const struct place eve_archive = {
    .root = "/srv/mailboxes", .box = {"eve", 3}, .dir = {"eve/archive", 11}, .archived = true};
static const struct place far_inbox = {
    .root = "/far/mailboxes", .source = 1, .box = {"bob", 3}, .dir = {"bob/inbox", 9}};
static const struct place far_archive = {.root = "/far/mailboxes",
                                         .source = 1,
                                         .box = {"bob", 3},
                                         .dir = {"bob/archive", 11},
                                         .archived = true};

static void put(struct batch *batch, const struct place *place, const char *id, enum status status)
{
    struct message *message = batch_add(batch);
    struct str file = {0};

    str_addf(&file, "%s.json", id);
    message->id = arena_copy(&batch->arena, span_of(id));
    message->file = arena_copy(&batch->arena, str_span(&file));
    message->place = place;
    message->status = (uint8_t)status;
    str_free(&file);
}

/* Adds one message in a batch of its own. */
static void add(struct model *model, const struct place *place, const char *id, enum status status)
{
    struct batch batch = {0};

    put(&batch, place, id, status);
    model_add(model, &batch);
}

/* Returns the number of messages of a place in the model. */
static size_t count_in(const struct model *model, const struct place *place)
{
    size_t count = 0;

    for (size_t i = 0; i < model->count; i++)
        count += model->messages[i]->place == place;
    return count;
}

static void assert_found(const struct model *model, const char *id, const struct message *want)
{
    struct err err;
    const struct message *got = model_find(model, span_of(id), &err);

    cr_assert_not_null(got, "%s: %s", id, err.text);
    cr_assert_eq(got, want, "%s: found %.*s", id, (int)got->id.len, got->id.at);
}

static void assert_not_found(const struct model *model, const char *id, enum err_scope scope)
{
    struct err err = {0};

    cr_assert_null(model_find(model, span_of(id), &err), "%s", id);
    cr_assert_eq(err.scope, scope, "%s: %s", id, err.text);
    cr_assert_str_not_empty(err.text);
}

Test(model, a_batch_is_taken_over_and_left_empty)
{
    struct model model = {0};
    struct batch batch = {0};

    put(&batch, &inbox, "MSG-1", STATUS_UNREAD);
    put(&batch, &inbox, "MSG-2", STATUS_READ);
    batch_name(&batch, span_of("bob"));
    model_add(&model, &batch);
    cr_assert_eq(batch.count, 0);
    cr_assert_null(batch.items);
    cr_assert_null(batch.arena.chunks);
    batch_free(&batch);
    put(&batch, &inbox, "MSG-3", STATUS_READ);
    model_add(&model, &batch);

    model_settle(&model);
    cr_assert_eq(model.count, 3);
    assert_span(model.messages[0]->id, "MSG-1");
    assert_span(model.messages[1]->id, "MSG-2");
    assert_span(model.messages[2]->id, "MSG-3");
    cr_assert_eq(model.messages[1]->status, STATUS_READ);
    model_free(&model);
    cr_assert_eq(model.count, 0);
}

Test(model, messages_do_not_move_when_more_batches_come)
{
    struct model model = {0};

    add(&model, &inbox, "first", STATUS_UNREAD);
    struct message *first = model.messages[0];
    for (int i = 0; i < 300; i++) {
        char id[16];
        snprintf(id, sizeof id, "MSG-%d", i);
        add(&model, &inbox, id, STATUS_UNREAD);
    }
    cr_assert_eq(model.messages[0], first);
    assert_span(first->id, "first");
    cr_assert_eq(model.count, 301);
    model_free(&model);
}

Test(model, nothing_at_all_is_settled_searched_and_freed)
{
    struct model model = {0};
    struct batch batch = {0};

    model_settle(&model);
    model_add(&model, &batch);
    model_settle(&model);
    model_sort(model.messages, model.count, message_cmp_time);
    assert_not_found(&model, "MSG-1", ERR_ABSENT);
    assert_not_found(&model, "", ERR_ABSENT);
    model_free(&model);
}

Test(model, an_id_in_inbox_and_archive_settles_to_the_higher_status)
{
    static const enum status ranks[] = {STATUS_UNREAD, STATUS_READ,      STATUS_PROCESSING,
                                        STATUS_FAILED, STATUS_COMPLETED, STATUS_ARCHIVED};
    enum { COUNT = sizeof ranks / sizeof *ranks };

    for (size_t in = 0; in < COUNT; in++) {
        for (size_t out = 0; out < COUNT; out++) {
            for (int archive_first = 0; archive_first < 2; archive_first++) {
                struct model model = {0};
                if (archive_first)
                    add(&model, &archive, "MSG-1", ranks[out]);
                add(&model, &inbox, "MSG-1", ranks[in]);
                if (!archive_first)
                    add(&model, &archive, "MSG-1", ranks[out]);
                add(&model, &inbox, "MSG-2", STATUS_UNREAD);
                model_settle(&model);
                cr_assert_eq(model.count, 2);
                cr_assert_eq(model.messages[0]->status, in > out ? ranks[in] : ranks[out]);
                cr_assert_eq(model.messages[0]->flags, MESSAGE_IN_BOTH);
                if (in != out)
                    cr_assert_eq(model.messages[0]->place, in > out ? &inbox : &archive);
                cr_assert_eq(model.messages[1]->flags, 0);
                model_free(&model);
            }
        }
    }
}

Test(model, a_damaged_copy_never_hides_the_other)
{
    for (size_t broken = 0; broken < 2; broken++) {
        struct model model = {0};
        add(&model, &inbox, "MSG-1", STATUS_READ);
        add(&model, &archive, "MSG-1", STATUS_ARCHIVED);
        model.messages[broken]->damaged = "it is empty";
        model_settle(&model);
        cr_assert_eq(model.count, 2);
        model_free(&model);
    }
}

Test(model, the_same_id_in_two_boxes_stays_twice_and_is_ambiguous)
{
    struct model model = {0};

    add(&model, &inbox, "MSG-1", STATUS_UNREAD);
    add(&model, &eve_archive, "MSG-1", STATUS_ARCHIVED);
    add(&model, &far_archive, "MSG-1", STATUS_ARCHIVED);
    model_settle(&model);
    cr_assert_eq(model.count, 3);
    for (size_t i = 0; i < model.count; i++)
        cr_assert_eq(model.messages[i]->flags, 0);
    assert_not_found(&model, "MSG-1", ERR_REFUSED);
    model_free(&model);
}

Test(model, many_boxes_with_the_same_double_id_are_each_settled)
{
    enum { BOXES = 40 };
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN";
    struct place places[2][BOXES];
    struct model model = {0};

    for (int archived = 0; archived < 2; archived++) {
        for (int i = 0; i < BOXES; i++) {
            places[archived][i] = (struct place){
                .box = {letters + i, 1}, .dir = {letters + i, 1}, .archived = archived};
            add(&model, &places[archived][i], "MSG-1", archived ? STATUS_ARCHIVED : STATUS_UNREAD);
        }
    }
    model_settle(&model);
    cr_assert_eq(model.count, BOXES, "%zu messages in %d boxes", model.count, (int)BOXES);
    for (int i = 0; i < BOXES; i++) {
        cr_assert_eq(count_in(&model, &places[0][i]), 0, "box %d", i);
        cr_assert_eq(count_in(&model, &places[1][i]), 1, "box %d", i);
    }
    model_free(&model);
}

Test(model, two_sources_with_the_same_double_id_are_each_settled)
{
    struct model model = {0};

    add(&model, &far_inbox, "MSG-1", STATUS_UNREAD);
    add(&model, &inbox, "MSG-1", STATUS_UNREAD);
    add(&model, &far_archive, "MSG-1", STATUS_ARCHIVED);
    model_settle(&model);
    cr_assert_eq(count_in(&model, &inbox), 1);
    cr_assert_eq(count_in(&model, &far_inbox) + count_in(&model, &far_archive), 1,
                 "an id that another source has too is still one message in its own");
    model_free(&model);
}

Test(model, a_message_is_found_by_its_id_or_the_start_of_it)
{
    struct model model = {0};

    add(&model, &inbox, "MSG-aaa111", STATUS_UNREAD);
    add(&model, &inbox, "MSG-aaa222", STATUS_UNREAD);
    add(&model, &eve_inbox, "MSG-bbb333", STATUS_UNREAD);
    add(&model, &archive, "MSG-aaa", STATUS_ARCHIVED);
    model_settle(&model);
    assert_found(&model, "MSG-aaa111", model.messages[0]);
    assert_found(&model, "MSG-aaa1", model.messages[0]);
    assert_found(&model, "MSG-aaa2", model.messages[1]);
    assert_found(&model, "MSG-b", model.messages[2]);
    assert_found(&model, "MSG-aaa", model.messages[3]);
    assert_not_found(&model, "MSG-aa", ERR_REFUSED);
    assert_not_found(&model, "M", ERR_REFUSED);
    assert_not_found(&model, "MSG-aaa1112", ERR_ABSENT);
    assert_not_found(&model, "msg-aaa111", ERR_ABSENT);
    assert_not_found(&model, "aaa111", ERR_ABSENT);
    assert_not_found(&model, "", ERR_ABSENT);
    model_free(&model);
}

Test(model, an_ambiguous_answer_names_what_it_could_mean)
{
    struct model model = {0};
    struct err err;

    for (int i = 0; i < 6; i++) {
        char id[16];
        snprintf(id, sizeof id, "MSG-%d", i);
        add(&model, i ? &inbox : &eve_inbox, id, STATUS_UNREAD);
    }
    cr_assert_null(model_find(&model, span_of("MSG-"), &err));
    cr_assert_eq(err.scope, ERR_REFUSED);
    cr_assert_not_null(strstr(err.text, "eve/inbox/MSG-0.json"), "%s", err.text);
    cr_assert_not_null(strstr(err.text, "6 messages"), "%s", err.text);
    cr_assert_not_null(strstr(err.text, "..."), "%s", err.text);
    model_free(&model);
}

Test(model, a_mistyped_id_is_told_what_is_near)
{
    struct model model = {0};
    struct err err;

    add(&model, &inbox, "MSG-74ff", STATUS_UNREAD);
    add(&model, &inbox, "MSG-0000", STATUS_UNREAD);
    cr_assert_null(model_find(&model, span_of("MSG-47ff"), &err));
    cr_assert_str_eq(err.text, "no message has the id \"MSG-47ff\", whole or as its start; near: "
                               "\"MSG-74ff\"");
    cr_assert_null(model_find(&model, span_of("zz"), &err));
    cr_assert_str_eq(err.text, "no message has the id \"zz\", whole or as its start");
    model_free(&model);
}

Test(model, a_message_is_found_by_its_path)
{
    struct model model = {0};

    add(&model, &inbox, "MSG-1", STATUS_UNREAD);
    add(&model, &eve_inbox, "MSG-1", STATUS_UNREAD);
    add(&model, &archive, "MSG-2", STATUS_ARCHIVED);
    assert_found(&model, "/srv/mailboxes/bob/inbox/MSG-1.json", model.messages[0]);
    assert_found(&model, "bob/inbox/MSG-1.json", model.messages[0]);
    assert_found(&model, "./eve/inbox/MSG-1.json", model.messages[1]);
    assert_found(&model, "../x/bob/archive/MSG-2.json", model.messages[2]);
    assert_not_found(&model, "xbob/inbox/MSG-1.json", ERR_ABSENT);
    assert_not_found(&model, "bob/inbox/MSG-2.json", ERR_ABSENT);
    assert_not_found(&model, "bob/inbox/MSG-1.jso", ERR_ABSENT);
    assert_not_found(&model, "bob/inboxMSG-1.json", ERR_ABSENT);
    model_free(&model);
}

Test(model, a_file_that_lies_in_the_root_itself_is_found_by_its_path)
{
    static const struct place root = {
        .root = "/srv/.roo/mailbox", .box = {"code", 4}, .dir = {"", 0}};
    struct model model = {0};

    add(&model, &root, "to-code", STATUS_UNREAD);
    assert_found(&model, "/srv/.roo/mailbox/to-code.json", model.messages[0]);
    assert_found(&model, "to-code.json", model.messages[0]);
    assert_not_found(&model, "/srv/.roo/mailbox/xto-code.json", ERR_ABSENT);
    model_free(&model);
}

Test(model, a_path_that_fits_messages_of_two_sources_is_not_guessed)
{
    struct model model = {0};

    add(&model, &inbox, "MSG-1", STATUS_UNREAD);
    add(&model, &far_inbox, "MSG-1", STATUS_UNREAD);
    model_settle(&model);
    cr_assert_eq(model.count, 2);
    assert_not_found(&model, "bob/inbox/MSG-1.json", ERR_REFUSED);
    model_free(&model);
}

Test(model, messages_are_sorted_by_the_order_that_is_asked_for)
{
    static const struct {
        const char *id;
        enum priority priority;
        int64_t created_us;
    } given[] = {{"c", PRIORITY_LOW, 1}, {"a", PRIORITY_HIGH, 3}, {"b", PRIORITY_HIGH, 2}};
    struct model model = {0};

    for (size_t i = 0; i < 3; i++) {
        add(&model, &inbox, given[i].id, STATUS_UNREAD);
        model.messages[i]->priority = (uint8_t)given[i].priority;
        model.messages[i]->created_us = given[i].created_us;
    }
    model_sort(model.messages, model.count, message_cmp_time);
    assert_span(model.messages[0]->id, "c");
    assert_span(model.messages[1]->id, "b");
    assert_span(model.messages[2]->id, "a");
    model_sort(model.messages, model.count, message_cmp_urgency);
    assert_span(model.messages[0]->id, "b");
    assert_span(model.messages[1]->id, "a");
    assert_span(model.messages[2]->id, "c");
    model_sort(model.messages, 1, message_cmp_time);
    model_free(&model);
}
