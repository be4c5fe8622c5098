/* The contract of all layouts: broadcasts, and agents with the same name in two teams. */
#include "world.h"

/* Returns the swarm that enlist() filled; absent if the layout has only one set of agents. */
static struct span swarm_of(const char *name)
{
    return world.teams || world.format->exact_to ? span_of(name) : (struct span){0};
}

static size_t count_for(const struct model *model, const char *to)
{
    size_t count = 0;

    for (size_t i = 0; i < model->count; i++)
        count += span_is(model->messages[i]->to, to);
    return count;
}

static bool broadcast_to(struct span swarm, const struct span_list *exclude,
                         struct broadcast *result, struct err *err)
{
    struct outgoing_message letter = make_letter("alice", "");

    return store_broadcast(world.store, &letter.draft, swarm, exclude, VERIFY_NONE, result, err);
}

contract(a_broadcast_reaches_every_member_but_the_sender_and_the_excluded)
{
    open_world(*index);
    struct span_list exclude = {0};
    struct broadcast result = {0};
    struct err err;

    if (!world.format->one_for_all)
        span_list_add(&exclude, span_of("dave"));
    cr_assert(broadcast_to(swarm_of("dev"), &exclude, &result, &err), "%s", err.text);
    struct model model = load(true, false);
    cr_assert_eq(model.count, result.count);
    for (size_t i = 0; i < result.count; i++) {
        const struct message *m = find(&model, &result.letters[i]);
        cr_assert(result.letters[i].delivered);
        assert_span(m->from, "alice");
        cr_assert(has_text(m->subject, "A subject"));
    }
    if (world.format->one_for_all) {
        cr_assert_eq(count_for(&model, "all"), 1);
        cr_assert_eq(result.count, 1);
        cr_assert_eq(result.reached.count, 3);
    } else {
        cr_assert_eq(count_for(&model, "alice"), 0, "the sender has no use for it");
        cr_assert_eq(count_for(&model, "bob"), 1);
        cr_assert_eq(count_for(&model, "carol"), 1);
        cr_assert_eq(count_for(&model, "dave"), 0);
        cr_assert_eq(result.count, 2);
    }
    span_list_free(&exclude);
    broadcast_free(&result);
    model_free(&model);
}

contract(a_broadcast_to_nobody_changes_nothing)
{
    open_world(*index);
    struct span_list exclude = {0};
    struct broadcast result = {0};
    struct err err;

    struct str before = picture();
    cr_assert_not(broadcast_to(span_of("dve"), &exclude, &result, &err));
    cr_assert_eq(err.scope, ERR_REFUSED);
    broadcast_free(&result);
    result = (struct broadcast){0};
    span_list_add(&exclude, span_of("bob"));
    span_list_add(&exclude, span_of("carol"));
    span_list_add(&exclude, span_of("dave"));
    cr_assert_not(broadcast_to(swarm_of("dev"), &exclude, &result, &err));
    cr_assert_eq(err.scope, world.format->one_for_all ? ERR_REFUSED : ERR_ABSENT, "%s", err.text);
    broadcast_free(&result);
    result = (struct broadcast){0};
    span_list_add(&exclude, span_of("bbo")); /* a typing error */
    cr_assert_not(broadcast_to(swarm_of("dev"), &exclude, &result, &err));
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
    broadcast_free(&result);
    assert_untouched(&before, "a broadcast to nobody");
    span_list_free(&exclude);
}

contract(one_name_in_two_teams_needs_the_team)
{
    open_world(*index);
    if (!world.teams)
        skip_test(close_world, "there are no teams");
    struct outgoing_message bare = make_letter("alice", "bob"),
                            there = make_letter("alice", "bob@ops"),
                            here = make_letter("alice", "bob@dev"),
                            unknown = make_letter("alice", "eve@ops"),
                            nowhere = make_letter("alice", "bob@nowhere");
    struct send_options options = {.verify = VERIFY_NONE, .source = STORE_ANY};
    struct err err;

    enlist("ops", "bob olga");
    assert_refused(world.store, &bare, false, "a name that two teams have");
    assert_refused(world.store, &bare, true, "a name that two teams have, with create");
    assert_refused(world.store, &unknown, false, "a name that the team does not have");
    assert_refused(world.store, &nowhere, false, "a team that does not exist");
    cr_assert(store_send(world.store, &there, &options, &err), "%s", err.text);
    cr_assert(store_send(world.store, &here, &options, &err), "%s", err.text);
    struct model model = load(true, false);
    cr_assert_eq(model.count, 2);
    for (int ops = 0; ops < 2; ops++) {
        struct load one = {.inbox = true, .agent = span_of(ops ? "bob@ops" : "bob@dev")};
        struct model only = {0};
        cr_assert(store_load(world.store, &one, &only, &err), "%s", err.text);
        cr_assert_eq(only.count, 1);
        assert_span(only.messages[0]->to, "bob");
        assert_span(only.messages[0]->place->team, ops ? "ops" : "dev");
        model_free(&only);
    }
    outgoing_message_free(&there);
    outgoing_message_free(&here);
    model_free(&model);
}

contract(one_name_in_two_teams_is_two_people)
{
    open_world(*index);
    if (!world.teams)
        skip_test(close_world, "there are no teams");
    struct outgoing_message there = make_letter("alice", "bob@ops");

    enlist("ops", "bob olga");
    send_letter(&there);
    struct model model = load(true, false);
    become("bob@dev");
    struct str before = picture();
    struct changed outcome = change(world.store, model.messages[0], STATUS_READ);
    cr_assert(!outcome.ok && outcome.err.scope == ERR_REFUSED, "%s", outcome.err.text);
    assert_untouched(&before, "a mark by one of the other team");
    become("bob@ops");
    assert_changed(model.messages[0], STATUS_READ);
    outgoing_message_free(&there);
    model_free(&model);
}

contract(a_broadcast_to_all_swarms_is_the_same_for_each_and_leaves_its_sender_out)
{
    open_world(*index);
    if (world.teams || world.format->exact_to)
        enlist("ops", "erin frank");
    struct outgoing_message letter = make_letter("alice", "");
    struct span tag = span_of("night");
    struct span_list exclude = {0};
    struct broadcast plan = {0};
    struct err err;

    span_list_add(&exclude, span_of("alice"));
    if (world.format->fields & FIELD_TAGS)
        letter.draft.tags = (struct span_list){.items = &tag, .count = 1};
    cr_assert(store_preview_broadcast(world.store, &letter.draft, STORE_ANY, (struct span){0},
                                      &exclude, &plan, &err),
              "%s", err.text);
    for (size_t i = 0; i < plan.count; i++) {
        if (world.format->fields & FIELD_TAGS)
            assert_span(plan.letters[i].draft.tags.items[0], "night");
        cr_assert(!span_is(plan.letters[i].draft.to, "alice"));
    }
    for (size_t i = 0; i < plan.left_out_count; i++)
        cr_assert(span_is(plan.left_out[i].name, "alice") ||
                  span_is(plan.left_out[i].name, "lead"));
    if (world.format->one_for_all) {
        cr_assert_eq(plan.count, 2, "one for each team");
        cr_assert_eq(plan.reached.count, 5);
    } else {
        cr_assert_eq(plan.count, world.teams || world.format->exact_to ? 5 : 3);
    }
    struct store *looking = open_store(NULL, true, NULL);
    cr_assert(!store_broadcast_plan(looking, &plan, VERIFY_NONE, &err));
    cr_assert_str_not_empty(err.text);
    store_close(looking);
    cr_assert(store_broadcast_plan(world.store, &plan, VERIFY_NONE, &err), "%s", err.text);
    struct model model = load(true, false);
    cr_assert_eq(model.count, plan.count);
    model_free(&model);
    span_list_free(&exclude);
    broadcast_free(&plan);
}

contract(a_sender_with_the_team_of_the_message_is_named_without_it)
{
    open_world(*index);
    struct outgoing_message same = make_letter("alice@dev", "bob@dev"),
                            other = make_letter("zoe@ops", "bob@dev");

    if (world.teams) {
        send_letter(&same);
        send_letter(&other);
        struct model model = load(true, false);
        cr_assert_eq(model.count, 2);
        for (size_t i = 0; i < 2; i++)
            cr_assert(span_is(model.messages[i]->from, "alice") ||
                      span_is(model.messages[i]->from, "zoe@ops"));
        model_free(&model);
    }
    outgoing_message_free(&same);
    outgoing_message_free(&other);
}
