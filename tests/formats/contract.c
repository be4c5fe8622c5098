/* The contract of all layouts, run through the verbs of the store over every format: sending,
 * replying and handing off. */
#include "world.h"

#include "base/json/json_print.h"
#include "mail/thread/thread.h"

#include <stdio.h>
#include <sys/stat.h>

static void assert_same_json(struct span got, struct span want)
{
    struct json a, b;
    struct err err;
    struct str x = {0}, y = {0};

    cr_assert(json_scan(got, JSON_PYTHON, &a, &err) && json_scan(want, JSON_PYTHON, &b, &err));
    json_put_value(&x, a, &json_style_python, 0);
    json_put_value(&y, b, &json_style_python, 0);
    cr_assert_str_eq(str_c(&x), str_c(&y));
    str_free(&x);
    str_free(&y);
}

/* Fills every field that the layout can hold. */
static void fill_draft(struct draft *draft, unsigned fields)
{
    if (fields & FIELD_TYPE)
        draft->type = span_of("request");
    if (fields & FIELD_TAGS)
        span_list_add(&draft->tags, span_of("t\"1"));
    if (fields & FIELD_ATTACHMENTS)
        span_list_add(&draft->attachments, span_of("a b.c"));
    if (fields & FIELD_PAYLOAD)
        draft->payload = span_of("{\"n\":12345678901234567890,\"f\":1.0,\"s\":\"\\u001b\"}");
    if (fields & FIELD_CONTEXT)
        draft->context = span_of("{\"c\":[]}");
    if (fields & FIELD_EXPIRES)
        draft->expires_us = EXPIRES_US;
    if (fields & FIELD_THREAD)
        draft->thread = span_of("thread-1");
    if (fields & FIELD_REPLY_TO)
        draft->reply_to = span_of("parent-1");
    if (fields & FIELD_SWARM)
        draft->swarm = span_of("dev");
}

static void assert_data(const struct message *m, const struct draft *draft)
{
    cr_assert(span_eq(m->data->swarm, draft->swarm));
    if (draft->tags.count)
        assert_same_json(m->data->tags, span_of("[\"t\\\"1\"]"));
    if (draft->attachments.count)
        assert_same_json(m->data->attachments, span_of("[\"a b.c\"]"));
    if (draft->payload.at)
        assert_same_json(m->data->payload, draft->payload);
    if (draft->context.at)
        assert_same_json(m->data->context, draft->context);
    if (draft->type.at)
        assert_span(m->type, "request");
    if (draft->thread.at)
        cr_assert(span_eq(m->thread, draft->thread));
    if (!world.format->short_replies)
        cr_assert(span_eq(m->reply_to, draft->reply_to));
}

contract(a_message_is_read_back_as_it_was_sent)
{
    open_world(*index);
    const struct format *format = world.format;
    struct outgoing_message letter = make_letter("alice", "bob");
    struct draft *draft = &letter.draft;
    char path[1024];
    struct stat st;

    fill_draft(draft, format->fields);
    send_letter(&letter);

    struct model model = load(true, false);
    cr_assert_eq(model.count, 1);
    const struct message *m = find(&model, &letter);
    assert_span(m->from, "alice");
    assert_span(m->to, "bob");
    if (format->fields & FIELD_SUBJECT) {
        assert_span(m->subject, "A subject");
        assert_span(m->data->body, "First line.\n\nSecond \xc3\xa9 line.");
    }
    cr_assert(has_text(m->subject, "A subject"));
    cr_assert(has_text(m->data->body, "First line.\n\nSecond \xc3\xa9 line."));
    cr_assert_eq(m->status, STATUS_UNREAD);
    cr_assert_eq(m->created_us, draft->created_us);
    /* a layout that removes mail after some time counts only read mail */
    cr_assert_eq(m->expires_us, format->lasts_us ? TIME_NONE : draft->expires_us);
    cr_assert_eq(m->flags, 0);
    cr_assert_not(m->place->archived || m->place->local);
    assert_data(m, draft);
    path_of(m, path, sizeof path);
    cr_assert(fstatat(world.tmp.fd, path, &st, 0) == 0);
    cr_assert_eq(st.st_mode & 0777, format->file_mode & ~022u, "mode %o", st.st_mode);
    outgoing_message_free(&letter);
    model_free(&model);
}

contract(a_send_that_is_verified_is_there_once)
{
    open_world(*index);
    struct outgoing_message letter = make_letter("alice", "bob");
    struct send_options options = {.create = true, .verify = VERIFY_BOTH, .source = 0};
    struct outbox outbox = {0};
    struct err err;

    cr_assert(store_send(world.store, &letter, &options, &err), "%s", err.text);
    struct model model = load(true, true);
    cr_assert_eq(model.count, 1);
    find(&model, &letter);
    cr_assert(store_outbox(world.store, &outbox, &err), "%s", err.text);
    cr_assert_eq(outbox.count, 0, "what has arrived is not in the outbox");
    outbox_free(&outbox);
    outgoing_message_free(&letter);
    model_free(&model);
}

contract(a_priority_becomes_what_the_layout_has_for_it)
{
    static const char *const to[] = {NULL, "alice", "bob", "carol", "dave"};

    open_world(*index);
    for (int priority = PRIORITY_LOW; priority <= PRIORITY_URGENT; priority++) {
        struct outgoing_message letter = make_letter("alice", to[priority]);
        letter.draft.priority = priority;
        send_letter(&letter);
        struct model model = load(true, false);
        cr_assert_eq(find(&model, &letter)->priority, world.format->priorities[priority], "%d",
                     priority);
        outgoing_message_free(&letter);
        model_free(&model);
    }
}

contract(an_unknown_recipient_is_refused_and_nothing_is_made)
{
    open_world(*index);
    struct outgoing_message stray = make_letter("alice", "bbo"),
                            known = make_letter("alice", "bob");

    assert_refused(world.store, &stray, false, "a send into the empty tree");
    send_letter(&known);
    assert_refused(world.store, &stray, false, "a send to a mistyped name");
    outgoing_message_free(&known);
}

contract(whoever_has_a_box_or_wrote_or_is_us_is_known)
{
    open_world(*index);
    /* Boxes that are made only on request do not exist because somebody wrote. */
    struct outgoing_message letters[] = {
        make_letter("eve", "frank"), make_letter("frank", world.format->reply_box ? "bob" : "eve"),
        make_letter("frank", world.format->identity), make_letter("carol", "frank")};
    struct send_options options = {.verify = VERIFY_NONE, .source = STORE_ANY};
    size_t arrived = world.format->storage == STORAGE_SLOT ? 3 : 4; /* the last one waits */
    struct err err;

    send_letter(&letters[0]);
    for (size_t i = 1; i < 4; i++)
        cr_assert(store_send(world.store, &letters[i], &options, &err), "%s", err.text);
    struct model model = load(true, false);
    cr_assert_eq(model.count, arrived);
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(letters[i].queued, i >= arrived);
        if (i < arrived)
            cr_assert(span_eq(find(&model, &letters[i])->to, letters[i].draft.to));
        outgoing_message_free(&letters[i]);
    }
    model_free(&model);
}

contract(a_second_message_never_harms_the_first)
{
    open_world(*index);
    struct outgoing_message first = make_letter("alice", "bob"), second = make_letter("eve", "bob");
    bool named_by_id = world.format->storage == STORAGE_FILES && !world.format->numbered;
    struct send_options options = {.create = true, .verify = VERIFY_NONE};
    struct err err = {0};

    send_letter(&first);
    if (world.format->fields & FIELD_ID)
        second.draft.id = str_span(&first.id);
    second.draft.body = span_of("Something else.");
    struct model before = load(true, true);
    struct str bytes = raw(before.messages[0]);
    bool ok = store_send(world.store, &second, &options, &err);
    cr_assert_eq(ok, !named_by_id, "%s", err.text);
    cr_assert_eq(second.queued, world.format->storage == STORAGE_SLOT);
    if (!ok)
        cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
    struct model after = load(true, true);
    cr_assert_eq(after.count, 1 + (ok && !second.queued));
    size_t same = 0;
    for (size_t i = 0; i < after.count; i++) {
        struct str now = raw(after.messages[i]);
        same += span_eq(str_span(&bytes), str_span(&now));
        str_free(&now);
    }
    cr_assert_eq(same, 1);
    str_free(&bytes);
    outgoing_message_free(&first);
    outgoing_message_free(&second);
    model_free(&before);
    model_free(&after);
}

contract(what_finds_its_slot_taken_waits_in_the_outbox_and_goes_out_when_it_is_free)
{
    open_world(*index);
    if (world.format->storage != STORAGE_SLOT)
        skip_test(close_world, "there is always room");
    struct outgoing_message first = make_letter("alice", "bob"), second = make_letter("eve", "bob");
    struct send_options options = {.verify = VERIFY_NONE, .source = STORE_ANY};
    struct outbox outbox = {0};
    struct err err;

    send_letter(&first);
    struct model model = load(true, true);
    struct str before = picture();
    cr_assert(store_send(world.store, &second, &options, &err), "%s", err.text);
    cr_assert(second.queued && !second.delivered);
    assert_untouched(&before, "a message that has to wait");
    cr_assert(store_outbox(world.store, &outbox, &err), "%s", err.text);
    cr_assert_eq(outbox.count, 1);
    cr_assert_eq(outbox.items[0].state, OUTBOX_QUEUED);
    cr_assert(span_eq(outbox.items[0].id, str_span(&second.id)));

    assert_changed(find(&model, &first), STATUS_ARCHIVED);
    store_outbox_retry(world.store, outbox.items[0].number, &err); /* or the outbox did it */
    struct model after = load(true, false);
    cr_assert_eq(after.count, 1);
    assert_span(find(&after, &second)->from, "eve");
    cr_assert(store_outbox(world.store, &outbox, &err), "%s", err.text);
    for (size_t i = 0; i < outbox.count; i++) /* a second check may still be due */
        cr_assert_eq(outbox.items[i].state, OUTBOX_WRITTEN);
    outbox_free(&outbox);
    outgoing_message_free(&first);
    outgoing_message_free(&second);
    model_free(&model);
    model_free(&after);
}

contract(a_reply_lands_with_the_sender_and_shares_the_thread)
{
    open_world(*index);
    size_t count = world.format->storage == STORAGE_SLOT ? 2 : 3; /* a third would have to wait */
    struct outgoing_message letters[3] = {make_letter("alice", "bob")};
    struct send_options options = {.verify = VERIFY_NONE, .source = STORE_ANY};
    struct arena arena = {0};
    struct threads threads;
    struct err err;

    send_letter(&letters[0]);
    for (size_t i = 1; i < count; i++) {
        struct model model = load(true, false);
        struct message *original = find(&model, &letters[i - 1]);
        letters[i] = make_letter(i == 1 ? "bob" : "alice", "nobody");
        cr_assert(store_prepare_reply(world.store, original, &letters[i].draft, &arena, &err), "%s",
                  err.text);
        cr_assert(span_eq(letters[i].draft.to, original->from));
        cr_assert(store_send(world.store, &letters[i], &options, &err), "%s", err.text);
        model_free(&model);
    }
    struct outgoing_message stranger = make_letter("carol", "dave");
    stranger.draft.subject = span_of("Another matter");
    send_letter(&stranger);
    struct model model = load(true, false);
    cr_assert_eq(model.count, count + 1);
    assert_span(find(&model, &letters[1])->to, "alice");
    cr_assert(has_text(find(&model, &letters[1])->data->body, "Second \xc3\xa9 line."));
    threads_build(&threads, &model, NULL);
    cr_assert_eq(threads.count, 2, "%zu threads", threads.count);
    threads_free(&threads);
    for (size_t i = 0; i < count; i++)
        outgoing_message_free(&letters[i]);
    outgoing_message_free(&stranger);
    model_free(&model);
    arena_free(&arena);
}

contract(going_on_with_what_one_said_oneself_is_for_who_was_told)
{
    open_world(*index);
    become("alice");
    struct outgoing_message letter = make_letter("alice", "bob");
    struct draft draft = draft_new();
    struct arena arena = {0};
    struct err err;

    send_letter(&letter);
    struct model model = load(true, false);
    struct message *own = find(&model, &letter);
    cr_assert(own->by_us);
    cr_assert(store_prepare_reply(world.store, own, &draft, &arena, &err), "%s", err.text);
    assert_span(draft.to, "bob");
    model_free(&model);
    outgoing_message_free(&letter);
    arena_free(&arena);
}

contract(a_handoff_carries_all_the_next_one_has_to_know)
{
    open_world(*index);
    struct outgoing_message letter = make_letter("alice", "bob");
    struct handoff handoff = {.work_completed = span_of("work-done"),
                              .current_state = span_of("state-now"),
                              .notes = span_of("note-well")};
    static const char *const texts[] = {"work-done", "state-now", "note-well", "step-one", "stop"};

    span_list_add(&handoff.next_steps, span_of("step-one"));
    span_list_add(&handoff.blockers, span_of("stop"));
    letter.draft.handoff = &handoff;
    send_letter(&letter);
    struct model model = load(true, false);
    const struct message *m = find(&model, &letter);
    struct str bytes = raw(m);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_assert_not_null(strstr(str_c(&bytes), texts[i]), "%s", texts[i]);
    if (world.format->fields & FIELD_CONTEXT) {
        struct json_walk walk;
        struct json key, value;
        struct err err;
        size_t keys = 0;
        cr_assert(json_open(&walk, m->data->context, JSON_PYTHON, &err));
        while (json_next(&walk, &key, &value))
            keys++;
        cr_assert_eq(keys, 11);
    }
    str_free(&bytes);
    outgoing_message_free(&letter);
    handoff_free(&handoff);
    model_free(&model);
}
