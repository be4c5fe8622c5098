/* The contract of all layouts: a preview shows exactly the bytes that are sent, and writes
 * nothing. */
#include "world.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct send_options options = {
    .create = true, .verify = VERIFY_NONE, .source = STORE_ANY};

static void preview(struct store *store, struct outgoing_message *letter, struct preview *out)
{
    struct str before = picture();
    struct err err;

    cr_assert(store_preview(store, letter, &options, out, &err), "%s", err.text);
    assert_untouched(&before, "a preview");
    cr_assert_not(letter->delivered || letter->queued);
    cr_assert_eq(letter->warning.len, 0, "it is said when it is sent");
}

/* Asserts that the sent message and its file are as shown. */
static void assert_as_shown(const struct outgoing_message *letter, const struct preview *shown)
{
    struct model model = load(true, false);
    const struct message *m = find(&model, letter);
    struct str bytes = raw(m), path = {0};

    message_add_path(&path, m, true);
    cr_assert_str_eq(str_c(&path), str_c(&shown->path));
    cr_assert(span_eq(str_span(&bytes), str_span(&shown->bytes)), "shown:\n%s\nsent:\n%s",
              str_c(&shown->bytes), str_c(&bytes));
    cr_assert(span_eq(m->id, str_span(&shown->id)));
    cr_assert_eq(shown->is_entry, m->raw_len > 0);
    str_free(&bytes);
    str_free(&path);
    model_free(&model);
}

static void preview_and_send(struct outgoing_message *letter)
{
    struct preview shown = {0}, again = {0};

    preview(world.store, letter, &shown);
    cr_assert(shown.makes_box || world.format->storage != STORAGE_ARRAY);
    preview(world.store, letter, &again);
    cr_assert(span_eq(str_span(&shown.bytes), str_span(&again.bytes)),
              "it is shown the same twice");
    preview_free(&shown);
    send_letter(letter);
    cr_assert(span_eq(str_span(&letter->warning), str_span(&again.warning)));
    assert_as_shown(letter, &again);
    preview_free(&again);
}

contract(what_is_shown_is_what_is_sent)
{
    open_world(*index);
    struct outgoing_message first = make_letter("alice", "bob"),
                            second = make_letter("alice", "carol");

    first.draft.created_us = second.draft.created_us = TIME_NONE;
    preview_and_send(&first);
    preview_and_send(&second);
    outgoing_message_free(&first);
    outgoing_message_free(&second);
}

static void assert_not_shown(struct outgoing_message *letter, const char *reason)
{
    struct preview shown = {0};
    struct err err = {0};

    cr_assert_not(store_preview(world.store, letter, &options, &shown, &err));
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
    preview_free(&shown);
}

contract(what_cannot_be_sent_is_not_shown_but_why_not)
{
    char path[600];

    open_world(*index);
    struct outgoing_message first = make_letter("alice", "bob"),
                            second = make_letter("alice", "bob");

    send_letter(&first);
    struct model model = load(true, false);
    path_of(model.messages[0], path, sizeof path);
    if (world.format->storage == STORAGE_ARRAY) { /* put a directory in its place */
        cr_assert_eq(unlinkat(world.tmp.fd, path, 0), 0);
        cr_assert_eq(mkdirat(world.tmp.fd, path, 0700), 0);
        assert_not_shown(&second, "bob.json");
    } else if (world.format->storage == STORAGE_FILES && !world.format->numbered) {
        second.draft.id = model.messages[0]->id;
        assert_not_shown(&second, "a message with this id is there already");
    }
    model_free(&model);
    outgoing_message_free(&first);
    outgoing_message_free(&second);
}

contract(a_name_of_which_all_numbers_are_taken_is_refused_when_it_is_shown_as_when_it_is_sent)
{
    open_world(*index);
    struct outgoing_message letter = make_letter("alice", "bob");
    struct preview shown = {0};

    if (!world.format->numbered) {
        outgoing_message_free(&letter);
        skip_test(close_world, "names have no numbers");
    }
    preview(world.store, &letter, &shown); /* the preview gives the letter its id */
    const char *path = str_c(&shown.path) + strlen(world.tmp.path) + 1;
    for (int number = 1; number <= 999; number++) {
        char name[600];
        int stem = (int)strlen(path) - (int)strlen(".json");
        if (number > 1)
            snprintf(name, sizeof name, "%.*s-%d.json", stem, path, number);
        else
            snprintf(name, sizeof name, "%s", path);
        tmp_write(&world.tmp, name, span_of("{}"));
    }
    assert_not_shown(&letter, "are taken");
    struct span dir, name;
    char box[512];
    cr_assert(span_split_last(span_of(path), '/', &dir, &name));
    snprintf(box, sizeof box, "%.*s", (int)dir.len, dir.at);
    int before = tmp_count(&world.tmp, box);
    struct err err = {0};
    cr_assert_not(store_send(world.store, &letter, &options, &err));
    cr_assert_not_null(strstr(err.text, "are taken"), "%s", err.text);
    cr_assert_not(letter.delivered || letter.queued);
    cr_assert_eq(tmp_count(&world.tmp, box), before);
    outgoing_message_free(&letter);
    preview_free(&shown);
}

contract(an_answer_and_a_handoff_are_sent_as_they_are_shown)
{
    open_world(*index);
    struct outgoing_message letter = make_letter("alice", "bob"),
                            answer = make_letter("bob", "nobody");
    struct outgoing_message handoff = make_letter("bob", "carol");
    struct handoff work = {.work_completed = span_of("done"), .current_state = span_of("open")};
    struct arena arena = {0};
    struct err err;

    send_letter(&letter);
    struct model model = load(true, false);
    cr_assert(store_prepare_reply(world.store, model.messages[0], &answer.draft, &arena, &err));
    handoff.draft.handoff = &work;
    answer.draft.created_us = handoff.draft.created_us = TIME_NONE;
    preview_and_send(&answer);
    preview_and_send(&handoff);
    arena_free(&arena);
    outgoing_message_free(&letter);
    outgoing_message_free(&answer);
    outgoing_message_free(&handoff);
    model_free(&model);
}

contract(a_second_one_to_the_same_box_is_sent_as_it_is_shown)
{
    open_world(*index);
    struct outgoing_message first = make_letter("alice", "bob"),
                            second = make_letter("alice", "bob");
    struct preview shown = {0};

    second.draft.created_us = first.draft.created_us; /* the same name, if names come from times */
    send_letter(&first);
    preview(world.store, &second, &shown);
    cr_assert_eq(shown.queued, world.format->storage == STORAGE_SLOT);
    cr_assert_not(shown.makes_box);
    if (!shown.queued) {
        send_letter(&second);
        assert_as_shown(&second, &shown);
    }
    preview_free(&shown);
    outgoing_message_free(&first);
    outgoing_message_free(&second);
}

contract(what_would_be_refused_is_refused_with_the_same_words)
{
    open_world(*index);
    struct outgoing_message known = make_letter("alice", "bob"),
                            stray = make_letter("alice", "bbo");
    struct send_options strict = {.verify = VERIFY_NONE, .source = STORE_ANY};
    struct preview shown = {0};
    struct err said, meant;

    send_letter(&known);
    struct str before = picture();
    cr_assert_not(store_preview(world.store, &stray, &strict, &shown, &said));
    cr_assert_not(store_send(world.store, &stray, &strict, &meant));
    cr_assert_str_eq(said.text, meant.text);
    cr_assert_eq(said.scope, meant.scope);
    assert_untouched(&before, "what was refused");
    preview_free(&shown);
    outgoing_message_free(&known);
    outgoing_message_free(&stray);
}

contract(a_store_for_reading_can_show)
{
    open_world(*index);
    struct outgoing_message letter = make_letter("alice", "bob");
    struct preview shown = {0};
    struct store *reading = open_store("alice", true, NULL);

    preview(reading, &letter, &shown);
    cr_assert(has_text(str_span(&shown.bytes), "First line."));
    preview_free(&shown);
    outgoing_message_free(&letter);
    store_close(reading);
}

static struct broadcast preview_all(const struct draft *draft, const struct span_list *exclude)
{
    struct broadcast plan = {0};
    struct str before = picture();
    struct err err;

    cr_assert(store_preview_broadcast(world.store, draft, STORE_ANY, (struct span){0}, exclude,
                                      &plan, &err),
              "%s", err.text);
    assert_untouched(&before, "a preview");
    return plan;
}

contract(a_broadcast_is_sent_as_it_is_shown)
{
    open_world(*index);
    struct draft draft = make_letter("alice", "nobody").draft;
    struct span_list exclude = {0};
    struct err err;

    if (!world.format->one_for_all)
        span_list_add(&exclude, span_of("carol"));
    draft.created_us = TIME_NONE;
    struct broadcast plan = preview_all(&draft, &exclude);
    bool alice = false, carol = false;
    for (size_t i = 0; i < plan.left_out_count; i++) {
        alice |= span_is(plan.left_out[i].name, "alice") && plan.left_out[i].why;
        carol |= span_is(plan.left_out[i].name, "carol") && plan.left_out[i].why;
    }
    cr_assert(alice && carol == (exclude.count > 0));
    size_t dev = 0;
    for (size_t i = 0; i < plan.count; i++)
        dev += span_is(plan.letters[i].draft.to, "bob") + span_is(plan.letters[i].draft.to, "dave");
    cr_assert_eq(world.format->one_for_all ? plan.reached.count : dev,
                 world.format->one_for_all ? 3 : 2);
    enlist("dev", "alice bob carol dave erin"); /* erin joins after the preview */
    cr_assert(store_broadcast_plan(world.store, &plan, VERIFY_NONE, &err), "%s", err.text);
    struct model model = load(true, false);
    cr_assert_eq(model.count, plan.count);
    for (size_t i = 0; i < plan.count; i++) {
        cr_assert(plan.letters[i].delivered);
        assert_as_shown(&plan.letters[i], &plan.previews[i]);
        cr_assert_not(span_is(plan.letters[i].draft.to, "erin"));
    }
    broadcast_free(&plan);
    span_list_free(&exclude);
    model_free(&model);
}
