/* Tests the inbox order: which conversation comes first, and an order that is kept while it is
 * read. */
#include "conversation_support.h"

#include "mail/thread/inbox_order.h"

/* Compares the order as the subjects of its conversations, with a bar between groups. */
static void assert_order_of(struct talking *t, const struct attention *order, const char *want)
{
    struct str got = {0};
    enum inbox_order_group group = INBOX_ORDER_NEEDS;

    for (size_t i = 0; i < order->count; i++) {
        const struct conversation *conversation = &t->conversations.items[order->conversations[i]];
        for (; group < inbox_order_group(&t->conversations, conversation); group++)
            str_putc(&got, '|');
        str_add_span(&got, conversation_subject(&t->conversations, conversation));
        str_putc(&got, ' ');
    }
    cr_assert_str_eq(str_c(&got), want);
    str_free(&got);
}

/* The order of all scopes, narrowed to `scope`, equals the order that is built for it. */
static void assert_narrowed(struct talking *t, const struct scope *scope,
                            const struct attention *built, const char *want)
{
    struct scope everybody = {0};
    struct attention all, order;

    inbox_order_build(&all, &t->conversations, &everybody);
    inbox_order_narrow(&order, &all, &t->conversations, scope);
    cr_assert_eq(memcmp(order.counts, built->counts, sizeof order.counts), 0);
    assert_order_of(t, &order, want);
    inbox_order_free(&order);
    inbox_order_free(&all);
}

static void assert_scope(struct talking *t, const char *scope, const char *want)
{
    struct scope wanted = scope_read(span_of(scope));
    struct attention order;

    build(t);
    inbox_order_build(&order, &t->conversations, &wanted);
    size_t sum = 0;
    for (size_t i = 0; i < INBOX_ORDER_GROUPS; i++)
        sum += order.counts[i];
    cr_assert_eq(sum, order.count);
    assert_order_of(t, &order, want);
    assert_narrowed(t, &wanted, &order, want);
    inbox_order_free(&order);
}

static void assert_order(struct talking *t, const char *want)
{
    assert_scope(t, "all", want);
    finish(t);
}

Test(attention, groups_come_in_their_order)
{
    struct talking t = {0};

    put(&t, &floor_, "ann", "bob", "read", 1)->status = STATUS_READ;
    put(&t, &floor_, "ann", "bob", "theirs", 2);
    put(&t, &desk, "ann", "lead", "mine", 3);
    ask(&t, KIND_PERMISSION, "bob", "lead", "needs", 4);
    ask(&t, KIND_PERMISSION, "ann", "bob", "wait", 5)->status = STATUS_READ;
    assert_order(&t, "needs |mine |wait theirs |read ");
}

Test(attention, what_waits_for_the_person_goes_by_priority_and_then_by_the_longest_wait)
{
    struct talking t = {0};

    ask(&t, KIND_PERMISSION, "a", "lead", "short", 1);
    ask(&t, KIND_PERMISSION, "b", "lead", "long", 60)->status = STATUS_READ;
    ask(&t, KIND_PLAN, "c", "lead", "urgent", 2)->priority = PRIORITY_URGENT;
    ask(&t, KIND_ESCALATION, "d", "lead", "high", 90)->priority = PRIORITY_HIGH;
    ask(&t, KIND_QUESTION, "e", "lead", "low", 99)->priority = PRIORITY_LOW;
    assert_order(&t, "urgent high long short low ");
}

Test(attention, unread_mail_goes_by_priority_and_then_the_oldest_first)
{
    struct talking t = {0};

    put(&t, &desk, "a", "lead", "new", 1);
    put(&t, &desk, "b", "lead", "old", 9);
    put(&t, &desk, "c", "lead", "high", 5)->priority = PRIORITY_HIGH;
    put(&t, &desk, "d", "lead", "low", 99)->priority = PRIORITY_LOW;
    assert_order(&t, "|high old new low ");
}

Test(attention, the_swarms_traffic_goes_by_priority_and_then_the_oldest_first)
{
    struct talking t = {0};

    put(&t, &floor_, "a", "bob", "new", 1);
    put(&t, &floor_, "b", "bob", "old", 9);
    ask(&t, KIND_PERMISSION, "d", "bob", "waits", 5)->status = STATUS_READ;
    put(&t, &floor_, "c", "bob", "high", 5)->priority = PRIORITY_HIGH;
    assert_order(&t, "||high old waits new ");
}

Test(attention, the_rest_goes_by_the_newest_whatever_its_priority)
{
    struct talking t = {0};
    static const char *const names[] = {"old", "new", "urgent", "timeless"};
    static const int ages[] = {90, 1, 30, 0};

    for (size_t i = 0; i < 4; i++)
        put(&t, &desk, "a", "lead", names[i], ages[i])->status = STATUS_READ;
    t.batch.items[2].priority = PRIORITY_URGENT;
    t.batch.items[3].created_us = TIME_NONE;
    assert_order(&t, "|||new urgent old timeless ");
}

Test(attention, idle_agents_need_nobody_unless_they_failed)
{
    static const struct notice failure = {.failure = {"no disk left", 12}};
    struct talking t = {0};

    idle(&t, "bob", "lead", "idle", 1)->priority = PRIORITY_URGENT;
    put(&t, &desk, "x", "lead", "read", 99)->status = STATUS_READ;
    idle(&t, "cy", "lead", "failed", 9)->notice = &failure;
    idle(&t, "cy", "ann", "theirs", 9)->notice = &failure;
    put(&t, &desk, "y", "lead", "unread", 2);
    assert_order(&t, "|unread failed |theirs |read idle ");
}

Test(attention, damaged_mail_in_the_persons_box_is_unread_until_it_is_put_away)
{
    struct talking t = {0};
    static const struct place *const where[] = {&desk, &floor_, &shelf};
    static const char *const names[] = {"here", "there", "away"};

    for (size_t i = 0; i < 3; i++) {
        struct message *message = put(&t, where[i], NULL, NULL, NULL, 9 - (int)i);
        message->damaged = names[i];
        message->mine = i != 1;
    }
    assert_order(&t, "|here ||away there ");
}

Test(attention, who_was_asked_looks_at_that_before_suspicions_that_are_older_and_more_urgent)
{
    struct talking t = {.hints = {{0, {"bob", 3}, {"so it is", 8}, TIME_NONE, NULL},
                                  {2, {"cy", 2}, {"so it is", 8}, TIME_NONE, NULL}},
                        .hint_count = 2};

    put(&t, &floor_, "bob", "ann", "stuck", 20)->status = STATUS_READ;
    t.batch.items[0].priority = PRIORITY_URGENT;
    ask(&t, KIND_PLAN, "a", "lead", "asked", 10);
    ask(&t, KIND_PLAN, "cy", "lead", "asked-and-stuck", 5);
    assert_order(&t, "asked asked-and-stuck stuck ");
}

Test(attention, an_idle_notice_that_shows_a_stuck_agent_needs_the_person_too)
{
    static const struct notice failure = {.failure = {"no disk left", 12}};
    struct talking t = {.hints = {{1, {"bob", 3}, {"so it is", 8}, TIME_NONE, NULL}},
                        .hint_count = 1};

    ask(&t, KIND_PLAN, "a", "lead", "longer", 30);
    idle(&t, "bob", "lead", "failed", 20)->notice = &failure;
    ask(&t, KIND_PLAN, "c", "lead", "shorter", 10);
    assert_order(&t, "longer shorter failed ");
}

Test(attention, a_stuck_agent_needs_the_person_since_its_last_word)
{
    struct talking t = {.hints = {{1, {"bob", 3}, {"so it is", 8}, TIME_NONE, NULL}},
                        .hint_count = 1};

    ask(&t, KIND_PERMISSION, "a", "lead", "asked", 10);
    put(&t, &floor_, "bob", "ann", "stuck", 20)->status = STATUS_READ;
    ask(&t, KIND_PERMISSION, "b", "lead", "longer", 30);
    assert_order(&t, "longer asked stuck ");
}

Test(attention, equal_talks_go_by_id_and_source)
{
    struct talking t = {0};
    static const struct place *const where[] = {&elsewhere, &desk, &desk};
    static const char *const ids[] = {"x", "x", "a"};
    static const char *const names[] = {"second", "first", "zeroth"};

    for (size_t i = 0; i < 3; i++)
        put(&t, where[i], "ann", "lead", names[i], 5)->id = span_of(ids[i]);
    assert_order(&t, "|zeroth first second ");
}

/* Lists all messages, conversation by conversation in the inbox order. */
static void note_messages(struct talking *t, struct message **messages)
{
    struct scope all = {0};
    struct attention order;
    size_t count = 0;

    inbox_order_build(&order, &t->conversations, &all);
    for (size_t i = 0; i < order.count; i++) {
        const struct conversation *conversation = &t->conversations.items[order.conversations[i]];
        for (uint32_t k = 0; k < conversation->count; k++)
            messages[count++] = t->model.messages[t->conversations.order[conversation->first + k]];
    }
    cr_assert_eq(count, t->model.count);
    inbox_order_free(&order);
}

Test(attention, the_order_does_not_depend_on_that_of_the_messages)
{
    enum { COUNT = 50 };
    struct talking t = {0};
    struct message *before[COUNT], *after[COUNT];

    for (int i = 0; i < COUNT; i++) {
        struct message *message =
            i % 3 ? ask(&t, KIND_PERMISSION, "a", i % 2 ? "lead" : "bob", "p", i % 2)
                  : put(&t, &desk, "a", "lead", "s", 1);
        message->thread = (struct span){0};
        if (i % 5 < 2) { /* equal in all but their place in the file */
            message->id = span_of("same");
            message->damaged = i % 5 ? NULL : "it is";
        }
        message->raw_at = (uint32_t)i;
    }
    build(&t);
    note_messages(&t, before);
    for (size_t i = 0; i < COUNT / 2; i++) {
        struct message *one = t.model.messages[i];
        t.model.messages[i] = t.model.messages[COUNT - 1 - i];
        t.model.messages[COUNT - 1 - i] = one;
    }
    rebuild(&t);
    note_messages(&t, after);
    for (size_t i = 0; i < COUNT; i++)
        cr_assert_eq(before[i], after[i], "place %zu", i);
    finish(&t);
}

Test(attention, a_scope_leaves_only_who_takes_part)
{
    struct talking t = {.hints = {{3, {"dan", 3}, {"so it is", 8}, TIME_NONE, NULL}},
                        .hint_count = 1};

    put(&t, &desk, "ann", "lead", "to-us", 5);
    put(&t, &floor_, "lead", "bob", "from-us", 4);
    put(&t, &floor_, "ann", "bob", "theirs", 3);
    put(&t, &floor_, "dan", "bob", "stuck", 2);
    assert_scope(&t, "all", "stuck |to-us |from-us theirs ");
    assert_scope(&t, "mine", "|to-us |from-us ");
    assert_scope(&t, "ann", "|to-us |theirs ");
    assert_scope(&t, "bob@web", "stuck ||from-us theirs ");
    assert_scope(&t, "bob@ops", "");
    assert_scope(&t, "nobody", "");
    finish(&t);
}

/* Orders the current conversations close to the noted order, and notes the result. */
static void assert_kept(struct talking *t, struct inbox_order_keys *keys, const char *want)
{
    struct scope all = {0};
    struct attention order;

    build(t);
    inbox_order_build(&order, &t->conversations, &all);
    struct arena names = {0};
    struct span *conversation_keys =
        mem_alloc((t->conversations.count + 1) * sizeof *conversation_keys);
    for (size_t i = 0; i < t->conversations.count; i++) {
        struct str key = {0};
        conversation_add_key(&key, &t->conversations, &t->conversations.items[i]);
        conversation_keys[i] = arena_copy(&names, str_span(&key));
        str_free(&key);
    }
    uint64_t *seats = mem_alloc((t->conversations.count + 1) * sizeof *seats);
    for (size_t i = 0; i < t->conversations.count; i++)
        seats[i] =
            inbox_order_key(&t->conversations, &t->conversations.items[i], conversation_keys[i]);
    inbox_order_keep(&order, seats, keys);
    assert_order_of(t, &order, want);
    inbox_order_note(keys, &order, seats);
    free(seats);
    free(conversation_keys);
    arena_free(&names);
    inbox_order_free(&order);
}

Test(attention, talks_keep_their_places_while_others_come)
{
    struct talking t = {0};
    struct inbox_order_keys keys = {0};

    put(&t, &desk, "a", "lead", "first", 9);
    put(&t, &desk, "b", "lead", "second", 8);
    put(&t, &desk, "c", "lead", "third", 7);
    assert_kept(&t, &keys, "|first second third ");
    t.batch.items[2].priority = PRIORITY_URGENT; /* alone it would move to the top */
    assert_kept(&t, &keys, "|first second third ");
    put(&t, &desk, "d", "lead", "new", 8)->priority = PRIORITY_HIGH;
    assert_kept(&t, &keys, "|first new second third ");
    assert_kept(&t, &keys, "|first new second third ");
    inbox_order_keys_free(&keys);
    assert_kept(&t, &keys, "|third new first second ");
    inbox_order_keys_free(&keys);
    finish(&t);
}

Test(attention, a_talk_whose_group_changes_goes_where_it_belongs)
{
    struct talking t = {0};
    struct inbox_order_keys keys = {0};

    ask(&t, KIND_PERMISSION, "a", "lead", "p1", 9)->status = STATUS_READ;
    ask(&t, KIND_PERMISSION, "b", "lead", "p2", 8)->status = STATUS_READ;
    put(&t, &desk, "c", "lead", "old", 90)->status = STATUS_READ;
    put(&t, &desk, "d", "lead", "older", 99)->status = STATUS_READ;
    assert_kept(&t, &keys, "p1 p2 |||old older ");
    answer(&t, KIND_PERMISSION, "lead", "a", "p1", 1);
    assert_kept(&t, &keys, "p2 |||p1 old older ");
    inbox_order_keys_free(&keys);
    finish(&t);
}

Test(attention, a_talk_is_known_again_when_messages_were_added)
{
    struct talking t = {0};
    struct inbox_order_keys keys = {0};

    put(&t, &desk, "a", "lead", "one", 9)->status = STATUS_READ;
    put(&t, &desk, "b", "lead", "two", 8)->status = STATUS_READ;
    idle(&t, "x", "lead", "i1", 7);
    idle(&t, "y", "lead", "i2", 6);
    assert_kept(&t, &keys, "|||two one i2 i1 ");
    put(&t, &floor_, "lead", "a", "Re: one", 1)->status = STATUS_READ;
    idle(&t, "x", "lead", "i3", 1);
    assert_kept(&t, &keys, "|||two one i2 i3 ");
    inbox_order_keys_free(&keys);
    finish(&t);
}
