/* The contract of all layouts, run through the verbs of the store over every format: sending,
 * replying, handing off, broadcasting and the states of a message. */
#include "world.h"

#include "base/json_print.h"
#include "mail/thread.h"

#include <stdio.h>
#include <sys/stat.h>

static struct str raw(const struct message *message)
{
    struct str bytes = {0};
    struct err err;

    cr_assert(store_raw(world.store, message, &bytes, &err), "%s", err.text);
    return bytes;
}

/* The message's file as a path from the temporary directory. */
static void path_of(const struct message *message, char *path, size_t size)
{
    snprintf(path, size, "%s/%.*s/%s", world.format->home, (int)message->place->dir.len,
             message->place->dir.at, message->file.at);
}

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

contract(a_message_is_read_back_as_it_was_sent)
{
    open_world(*index);
    unsigned fields = world.format->fields;
    struct letter letter = make_letter("alice", "bob");
    struct draft *draft = &letter.draft;
    struct str path = {0};
    struct stat st;

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
    send_letter(&letter);

    struct model model = load(true, false);
    cr_assert_eq(model.count, 1);
    const struct message *m = find(&model, &letter);
    assert_span(m->from, "alice");
    assert_span(m->to, "bob");
    assert_span(m->subject, "A subject");
    assert_span(m->data->body, "First line.\n\nSecond \xc3\xa9 line.");
    cr_assert_eq(m->priority, PRIORITY_HIGH);
    cr_assert_eq(m->status, STATUS_UNREAD);
    cr_assert_eq(m->created_us, SENT_US);
    cr_assert_eq(m->expires_us, draft->expires_us);
    cr_assert_eq(m->flags, 0);
    cr_assert_not(m->place->archived);
    if (draft->type.at)
        assert_span(m->type, "request");
    cr_assert(span_eq(m->thread, draft->thread) && span_eq(m->reply_to, draft->reply_to));
    cr_assert(span_eq(m->data->swarm, draft->swarm));
    if (draft->tags.count)
        assert_same_json(m->data->tags, span_of("[\"t\\\"1\"]"));
    if (draft->attachments.count)
        assert_same_json(m->data->attachments, span_of("[\"a b.c\"]"));
    if (draft->payload.at)
        assert_same_json(m->data->payload, draft->payload);
    if (draft->context.at)
        assert_same_json(m->data->context, draft->context);
    str_addf(&path, "%s/%s/%s", world.root, m->place->dir.at, m->file.at);
    cr_assert(stat(str_c(&path), &st) == 0);
    cr_assert_eq(st.st_mode & 0777, world.format->file_mode & ~022u, "mode %o", st.st_mode);
    str_free(&path);
    letter_free(&letter);
    model_free(&model);
}

contract(an_unknown_recipient_is_refused_and_nothing_is_made)
{
    open_world(*index);
    struct letter stray = make_letter("alice", "bbo"), known = make_letter("alice", "bob");

    assert_refused(world.store, &stray, false, "a send into the empty tree");
    send_letter(&known);
    assert_refused(world.store, &stray, false, "a send to a mistyped name");
    letter_free(&known);
}

contract(whoever_has_a_box_or_wrote_or_is_us_is_known)
{
    open_world(*index);
    struct letter letters[] = {make_letter("alice", "bob"), make_letter("carol", "bob"),
                               make_letter("bob", "alice"),
                               make_letter("bob", world.format->identity)};
    struct send_options options = {.source = STORE_ANY};
    struct err err;

    send_letter(&letters[0]);
    for (size_t i = 1; i < 4; i++)
        cr_assert(store_send(world.store, &letters[i], &options, &err), "%s", err.text);
    struct model model = load(true, false);
    cr_assert_eq(model.count, 4);
    for (size_t i = 0; i < 4; i++) {
        cr_assert(span_eq(find(&model, &letters[i])->to, letters[i].draft.to));
        letter_free(&letters[i]);
    }
    model_free(&model);
}

contract(a_taken_id_is_refused_and_nothing_is_replaced)
{
    open_world(*index);
    struct letter first = make_letter("alice", "bob"), second = make_letter("eve", "bob");

    send_letter(&first);
    second.draft.id = str_span(&first.id);
    second.draft.body = span_of("Something else.");
    struct send_options options = {.create = true};
    struct err err = {0};
    struct model before = load(true, true);
    struct str bytes = raw(before.messages[0]);
    cr_assert_not(store_send(world.store, &second, &options, &err));
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
    struct model after = load(true, true);
    cr_assert_eq(after.count, 1);
    struct str again = raw(after.messages[0]);
    cr_assert(span_eq(str_span(&bytes), str_span(&again)));
    str_free(&bytes);
    str_free(&again);
    letter_free(&first);
    letter_free(&second);
    model_free(&before);
    model_free(&after);
}

contract(a_reply_lands_with_the_sender_and_shares_the_thread)
{
    open_world(*index);
    struct letter letters[3] = {make_letter("alice", "bob")};
    struct send_options options = {.source = STORE_ANY};
    struct arena arena = {0};
    struct err err;

    send_letter(&letters[0]);
    for (size_t i = 1; i < 3; i++) {
        struct model model = load(true, false);
        struct message *original = find(&model, &letters[i - 1]);
        letters[i] = make_letter(i == 1 ? "bob" : "alice", "nobody");
        cr_assert(store_prepare_reply(world.store, original, &letters[i].draft, &arena, &err), "%s",
                  err.text);
        cr_assert(span_eq(letters[i].draft.to, original->from));
        cr_assert(store_send(world.store, &letters[i], &options, &err), "%s", err.text);
        model_free(&model);
    }
    struct model model = load(true, false);
    cr_assert_eq(model.count, 3);
    assert_span(find(&model, &letters[1])->to, "alice");
    assert_span(find(&model, &letters[2])->to, "bob");
    cr_assert(span_eq(find(&model, &letters[1])->place->box, span_of("alice")));
    if (world.format->fields & (FIELD_THREAD | FIELD_REPLY_TO)) {
        struct threads threads;
        threads_build(&threads, &model);
        cr_assert_eq(threads.count, 1);
        threads_free(&threads);
    }
    for (size_t i = 0; i < 3; i++)
        letter_free(&letters[i]);
    model_free(&model);
    arena_free(&arena);
}

contract(a_handoff_carries_all_the_next_one_has_to_know)
{
    open_world(*index);
    struct letter letter = make_letter("alice", "bob");
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
    letter_free(&letter);
    handoff_free(&handoff);
    model_free(&model);
}

contract(a_broadcast_reaches_every_member_but_the_sender_and_the_excluded)
{
    open_world(*index);
    if (!world.format->roster_pattern)
        cr_skip_test("no roster");
    static const char *const members[] = {"alice", "bob", "carol", "dave"};
    struct letter letter = make_letter("alice", "");
    struct span_list exclude = {0};
    struct broadcast result = {0};
    struct err err;

    for (size_t i = 0; i < 4; i++)
        enlist("dev", members[i]);
    enlist("ops", "olga");
    store_close(world.store);
    world.store = open_store(false, NULL);
    span_list_add(&exclude, span_of("dev/dave"));
    cr_assert(
        store_broadcast(world.store, &letter.draft, span_of("dev"), &exclude, true, &result, &err),
        "%s", err.text);
    cr_assert_eq(result.count, 2);
    struct model model = load(true, false);
    cr_assert_eq(model.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct message *m = find(&model, &result.letters[i]);
        cr_assert(result.letters[i].delivered);
        assert_span(m->to, i ? "carol" : "bob");
        assert_span(m->from, "alice");
        assert_span(m->subject, "A subject");
    }
    broadcast_free(&result);

    struct str before = picture();
    result = (struct broadcast){0};
    cr_assert_not(
        store_broadcast(world.store, &letter.draft, span_of("dve"), &exclude, true, &result, &err));
    cr_assert_eq(err.scope, ERR_REFUSED);
    broadcast_free(&result);
    span_list_add(&exclude, span_of("olga"));
    result = (struct broadcast){0};
    cr_assert_not(
        store_broadcast(world.store, &letter.draft, span_of("ops"), &exclude, true, &result, &err));
    cr_assert_eq(err.scope, ERR_ABSENT);
    broadcast_free(&result);
    assert_untouched(&before, "a broadcast to nobody");
    span_list_free(&exclude);
    model_free(&model);
}

/* Puts a line of unknown data, oddly laid out, into the message's file. */
static void add_unknown_data(const struct message *message)
{
    struct str bytes = raw(message), odd = {0};
    const char *brace = strchr(str_c(&bytes), '{');
    char path[1024];

    if (brace) {
        str_add(&odd, bytes.at, (size_t)(brace + 1 - bytes.at));
        str_puts(&odd, "\"x_unknown\" :{ \"b\":1E+02,\r\n\t\"a\":[ 12345678901234567890 ,1.0]},");
        str_puts(&odd, brace + 1);
        path_of(message, path, sizeof path);
        tmp_write(&world.tmp, path, str_span(&odd));
    }
    str_free(&bytes);
    str_free(&odd);
}

/* The bytes are those that the edit for this status makes of the ones before. */
static void assert_only_state_changed(const struct str *before, const struct message *after)
{
    const int64_t times[] = {after->data->read_us, after->data->completed_us, 0};
    struct str now = raw(after);
    bool same = false;

    for (size_t i = 0; i < 3 && !same; i++) {
        struct change change = {.status = after->status, .now_us = times[i]};
        struct str edited = {0};
        struct err err;
        if (times[i] != WHEN_NONE && world.format->edit(str_span(before), &change, &edited, &err))
            same = span_eq(str_span(&edited), str_span(&now));
        str_free(&edited);
    }
    cr_assert(same, "%s became\n%s", str_c(before), str_c(&now));
    str_free(&now);
}

contract(every_step_is_made_or_refused_as_the_tables_say)
{
    open_world(*index);
    for (size_t from = 0; from < STATUS_COUNT; from++) {
        for (size_t to = 0; to < STATUS_COUNT; to++) {
            struct letter letter = make_letter("alice", "bob");
            struct err err = {0};
            if (from && !can(statuses[from]))
                continue;
            send_letter(&letter);
            struct model fresh = load(true, true);
            add_unknown_data(find(&fresh, &letter));
            if (from)
                cr_assert(store_change(world.store, find(&fresh, &letter), statuses[from], &err),
                          "%s", err.text);
            struct model model = load(true, true);
            const struct message *m = find(&model, &letter);
            cr_assert_eq(m->status, statuses[from]);
            struct str before = raw(m), tree = picture();
            bool legal = can(statuses[to]) && status_may_become(statuses[from], statuses[to]) &&
                         !m->place->archived;
            cr_assert_eq(store_change(world.store, m, statuses[to], &err), legal, "%s to %s: %s",
                         status_name(statuses[from]), status_name(statuses[to]), err.text);
            if (legal) {
                struct model changed = load(true, true);
                const struct message *now = find(&changed, &letter);
                cr_assert_eq(now->status, statuses[to]);
                assert_only_state_changed(&before, now);
                model_free(&changed);
                str_free(&tree);
            } else {
                cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
                assert_untouched(&tree, "a refused step");
            }
            str_free(&before);
            letter_free(&letter);
            model_free(&fresh);
            model_free(&model);
        }
    }
}

contract(what_is_archived_is_found_only_in_the_archive)
{
    open_world(*index);
    if (!can(STATUS_ARCHIVED))
        cr_skip_test("nothing can be archived");
    struct letter letter = make_letter("alice", "bob"), other = make_letter("alice", "bob");
    struct err err;

    send_letter(&letter);
    send_letter(&other);
    struct model model = load(true, false);
    cr_assert(store_change(world.store, find(&model, &letter), STATUS_ARCHIVED, &err), "%s",
              err.text);
    struct model inbox = load(true, false), archive = load(false, true), both = load(true, true);
    cr_assert_eq(inbox.count, 1);
    cr_assert_eq(archive.count, 1);
    cr_assert_eq(both.count, 2);
    find(&inbox, &other);
    cr_assert(find(&archive, &letter)->place->archived);
    cr_assert_eq(find(&archive, &letter)->status, STATUS_ARCHIVED);
    cr_assert_not(store_change(world.store, find(&model, &letter), STATUS_READ, &err),
                  "what was listed is no longer there");
    letter_free(&letter);
    letter_free(&other);
    model_free(&model);
    model_free(&inbox);
    model_free(&archive);
    model_free(&both);
}

contract(a_message_that_comes_back_is_one_message_and_can_be_archived_again)
{
    open_world(*index);
    if (!can(STATUS_ARCHIVED))
        cr_skip_test("nothing can be archived");
    struct letter letter = make_letter("alice", "bob");
    char path[1024];
    struct err err;

    send_letter(&letter);
    struct model model = load(true, false);
    struct str bytes = raw(model.messages[0]);
    path_of(model.messages[0], path, sizeof path);
    cr_assert(store_change(world.store, model.messages[0], STATUS_ARCHIVED, &err), "%s", err.text);
    tmp_write(&world.tmp, path, str_span(&bytes));
    for (int archive = 0; archive < 2; archive++) {
        struct model both = load(true, archive);
        cr_assert_eq(both.count, 1);
        cr_assert_eq(both.messages[0]->status, STATUS_ARCHIVED);
        cr_assert_eq(both.messages[0]->flags, MESSAGE_IN_BOTH);
        if (archive)
            cr_assert(store_change(world.store, both.messages[0], STATUS_ARCHIVED, &err), "%s",
                      err.text);
        model_free(&both);
    }
    cr_assert_not(tmp_exists(&world.tmp, path));
    struct model after = load(true, true);
    cr_assert_eq(after.count, 1);
    cr_assert_eq(after.messages[0]->flags, 0);
    str_free(&bytes);
    letter_free(&letter);
    model_free(&model);
    model_free(&after);
}

contract(another_message_under_a_taken_name_is_archived_beside_it)
{
    open_world(*index);
    if (!can(STATUS_ARCHIVED))
        cr_skip_test("nothing can be archived");
    struct letter letter = make_letter("alice", "bob");
    char path[1024];
    struct err err;

    send_letter(&letter);
    struct model model = load(true, false);
    struct str bytes = raw(model.messages[0]);
    path_of(model.messages[0], path, sizeof path);
    cr_assert(store_change(world.store, model.messages[0], STATUS_ARCHIVED, &err), "%s", err.text);
    memcpy(strstr(bytes.at, "First line"), "Later line", strlen("Later line"));
    tmp_write(&world.tmp, path, str_span(&bytes));
    struct model both = load(true, true);
    cr_assert(store_change(world.store, both.messages[0], STATUS_ARCHIVED, &err), "%s", err.text);
    cr_assert_not(tmp_exists(&world.tmp, path));
    struct model archive = load(false, true);
    size_t firsts = 0, laters = 0;
    for (size_t i = 0; i < archive.count; i++) {
        firsts += span_starts(archive.messages[i]->data->body, span_of("First line"));
        laters += span_starts(archive.messages[i]->data->body, span_of("Later line"));
    }
    cr_assert(firsts == 1 && laters == 1, "%zu and %zu", firsts, laters);
    str_free(&bytes);
    letter_free(&letter);
    model_free(&model);
    model_free(&both);
    model_free(&archive);
}
