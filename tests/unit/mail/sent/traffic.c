/* Tests the traffic: who writes to whom, counted and shown. */
#include "tests/unit/support.h"

#include "base/text/sanitize.h"
#include "mail/render/render_traffic.h"

#include <stdio.h>

#define NOW INT64_C(1700000000000000)
#define HOUR INT64_C(3600000000)

static const struct place dev = {.source = 0, .team = {"dev", 3}};
static const struct place ops = {.source = 0, .team = {"ops", 3}};
static const struct place put_away = {.source = 0, .team = {"dev", 3}, .archived = true};

static struct batch batch;
static struct model model;
static struct requests asks;
static struct flow flow;

/* Adds a message sent an hour ago. */
static struct message *put(const struct place *place, const char *from, const char *to)
{
    struct message *message = batch_add(&batch);

    message->place = place;
    message->id = span_of("id");
    message->from = span_of(from);
    message->to = span_of(to);
    message->created_us = NOW - HOUR;
    return message;
}

static void build(int64_t since_us)
{
    model_add(&model, &batch);
    requests_build(&asks, &model, NOW);
    flow_build(&flow, &model, &asks, since_us, NOW);
}

static void clear(void)
{
    flow_free(&flow);
    requests_free(&asks);
    model_free(&model);
}

TestSuite(flow, .fini = clear);

Test(flow, no_messages_are_no_flow)
{
    build(TIME_NONE);
    cr_assert(flow.pair_count == 0 && flow.agent_count == 0 && flow.count == 0);
}

Test(flow, messages_are_counted_by_direction_and_the_busiest_stand_first)
{
    put(&dev, "ann", "bob");
    put(&dev, "bob", "carol")->status = STATUS_READ;
    put(&dev, "bob", "carol")->created_us = NOW;
    build(TIME_NONE);
    cr_assert_eq(flow.pair_count, 2);
    assert_span(flow.pairs[0].from, "bob");
    assert_span(flow.pairs[0].to, "carol");
    cr_assert(flow.pairs[0].count == 2 && flow.pairs[0].unread == 1);
    cr_assert_eq(flow.pairs[0].last_us, NOW);
    cr_assert(flow.pairs[1].count == 1 && flow.pairs[1].unread == 1);
    cr_assert(flow.count == 3 && flow.unread == 2 && flow.open == 0);
    cr_assert_eq(flow.agent_count, 3);
    assert_span(flow.agents[0].name, "bob");
    cr_assert(flow.agents[0].sent == 2 && flow.agents[0].received == 1);
}

Test(flow, teams_are_kept_apart)
{
    put(&ops, "ann", "bob");
    put(&dev, "ann", "bob");
    build(TIME_NONE);
    cr_assert(flow.pair_count == 2 && flow.agent_count == 4);
    assert_span(flow.pairs[0].team, "dev");
    assert_span(flow.pairs[1].team, "ops");
}

Test(flow, idle_notices_are_counted_apart)
{
    put(&dev, "ann", "bob");
    for (int i = 0; i < 3; i++)
        put(&dev, "carol", "bob")->kind = KIND_IDLE;
    build(TIME_NONE);
    cr_assert(flow.count == 1 && flow.idle == 3 && flow.unread == 1);
    assert_span(flow.pairs[1].from, "carol");
    cr_assert(flow.pairs[1].count == 0 && flow.pairs[1].idle == 3);
    assert_span(flow.agents[2].name, "carol");
    cr_assert(flow.agents[2].idle == 3 && flow.agents[2].sent == 0);
}

Test(flow, what_is_archived_or_expired_or_only_looked_at_here_counts_as_it_should)
{
    struct message *looked = put(&dev, "ann", "bob");

    looked->status = STATUS_READ;
    looked->read_here = true;
    put(&put_away, "ann", "bob");
    put(&dev, "ann", "bob")->expires_us = NOW - 1;
    build(TIME_NONE);
    cr_assert(flow.count == 3 && flow.unread == 1);
}

Test(flow, only_what_is_new_enough_is_counted)
{
    put(&dev, "ann", "bob")->created_us = NOW - HOUR - 1;
    put(&dev, "bob", "ann");
    put(&dev, "bob", "carol")->created_us = TIME_NONE;
    put(&dev, "x", "y")->damaged = "torn";
    build(NOW - HOUR);
    cr_assert(flow.pair_count == 1 && flow.count == 1);
    assert_span(flow.pairs[0].from, "bob");
}

Test(flow, an_open_request_is_told_however_old_it_is)
{
    struct message *old = put(&dev, "ann", "bob"), *asked;

    old->requires_response = true;
    old->created_us = NOW - 100 * HOUR;
    old->id = span_of("old");
    asked = put(&dev, "ann", "bob");
    asked->requires_response = true;
    build(NOW - 2 * HOUR);
    cr_assert_eq(flow.pair_count, 1);
    cr_assert(flow.pairs[0].count == 1 && flow.pairs[0].open == 2);
    cr_assert_eq(flow.pairs[0].oldest_us, NOW - 100 * HOUR);
}

Test(flow, an_answered_request_waits_no_more)
{
    struct message *asked = put(&dev, "ann", "bob");

    asked->requires_response = true;
    asked->id = span_of("asked");
    put(&dev, "bob", "ann")->reply_to = span_of("asked");
    build(TIME_NONE);
    cr_assert_eq(flow.open, 0);
    cr_assert_eq(flow.pairs[0].oldest_us, TIME_NONE);
}

static const struct render_options style = {.now_us = NOW};

static void assert_shown(size_t columns, const char *want)
{
    struct render_flow what = {.flow = &flow, .columns = columns};
    struct str out = {0};

    render_flow(&out, &what, &style);
    cr_assert_str_eq(str_c(&out), want);
    str_free(&out);
}

Test(flow, a_team_is_a_table_with_who_waits_below)
{
    put(&dev, "ann", "bob")->requires_response = true;
    put(&dev, "bob", "carol\x1b")->status = STATUS_READ;
    put(&dev, "carol\x1b", "bob")->kind = KIND_IDLE;
    build(TIME_NONE);
    assert_shown(80, "# team dev\n"
                     "from        bob     ann carol^[  sent  recv  idle\n"
                     "bob           .       .       1     1     1     0\n"
                     "ann         1/1       .       .     1     0     0\n"
                     "carol^[       .       .       .     0     1     1\n"
                     "waits   1h ann for bob (1 open)\n");
}

/* Adds messages from each of five agents to the next; `a` writes most. */
static void put_ring(void)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "a"};

    for (int i = 0; i < 5; i++)
        put(&dev, names[i], names[i + 1])->status = STATUS_READ;
    put(&dev, "a", "b")->status = STATUS_READ;
    put(&dev, "a", "c")->status = STATUS_READ;
    build(TIME_NONE);
}

Test(flow, those_who_do_not_fit_are_the_others)
{
    put_ring();
    assert_shown(54, "# team dev\n"
                     "from        a      b      c others  sent  recv  idle\n"
                     "a           .      2      1      .     3     1     0\n"
                     "b           .      .      1      .     1     2     0\n"
                     "c           .      .      .      1     1     2     0\n"
                     "others      1      .      .      1     2     2     0\n");
}

Test(flow, names_are_cut_where_they_are_alike)
{
    put(&dev, "builder-1", "builder-2");
    put(&dev, "builder-2", "swarm_dev/ops");
    put(&dev, "swarm_dev/ops", "swarm_dev/implementer");
    build(TIME_NONE);
    struct render_flow what = {.flow = &flow, .columns = 66};
    struct str out = {0};
    render_flow(&out, &what, &style);
    cr_assert(strstr(str_c(&out), "from             bui~r-2    ~ops bui~r-1 imp~ter  sent"), "%s",
              str_c(&out));
    cr_assert(strstr(str_c(&out), "\n~implementer           ."), "%s", str_c(&out));
    str_free(&out);
}

Test(flow, a_narrow_screen_gets_a_list)
{
    put_ring();
    struct render_flow what = {.flow = &flow, .columns = 40};
    struct str out = {0};
    render_flow(&out, &what, &style);
    cr_assert(strstr(str_c(&out), "# team dev\na -> b: 2\na -> c: 1\n"), "%s", str_c(&out));
    cr_assert(strstr(str_c(&out), "\na: sent 3, received 1\n"), "%s", str_c(&out));
    str_free(&out);
}

Test(flow, json_has_one_line_for_each_pair)
{
    struct str out = {0};

    put(&dev, "ann\x1b", "bob")->requires_response = true;
    build(TIME_NONE);
    render_flow_json(&out, &flow.pairs[0], span_of("/mail"), NOW);
    assert_span(str_span(&out),
                "{\"v\":1,\"source\":\"/mail\",\"team\":\"dev\",\"from\":\"ann\\u001b\",\"to\":"
                "\"bob\",\"count\":1,\"unread\":1,\"idle\":0,\"open\":1,\"oldest_wait_s\":3600,"
                "\"last_at\":\"2023-11-14T21:13:20Z\"}\n");
    str_free(&out);
}

Test(flow, parts_of_the_period_are_counted_for_who_writes_and_who_gets)
{
    put(&dev, "ann", "bob"); /* at the start of the period */
    put(&dev, "ann", "bob")->created_us = NOW - HOUR / 2;
    put(&dev, "bob", "ann")->created_us = NOW - 1;
    put(&dev, "bob", "ann")->created_us = NOW + HOUR; /* from a wrong clock */
    put(&dev, "ann", "ann")->created_us = NOW - 1;
    put(&dev, "ann", "bob")->created_us = NOW - 2 * HOUR;
    build(NOW - HOUR);
    cr_assert(flow.agent_count == 2);
    const struct flow_agent *ann = &flow.agents[0];
    assert_span(ann->name, "ann");
    cr_assert(ann->parts[0] == 1 && ann->parts[FLOW_PARTS / 2] == 1);
    cr_assert(ann->parts[FLOW_PARTS - 1] == 3);
    cr_assert(flow.agents[1].parts[FLOW_PARTS - 1] == 2);
    cr_assert(flow_most(ann, FLOW_PARTS) == 3 && flow_most(ann, 1) == 5);
}

Test(flow, without_a_beginning_there_are_no_parts)
{
    put(&dev, "ann", "bob");
    build(TIME_NONE);
    cr_assert(flow_most(&flow.agents[0], FLOW_PARTS) == 0);
}

Test(flow, a_spark_is_blank_for_nothing_and_full_for_the_most)
{
    struct flow_agent agent = {.parts = {[0] = 1, [2] = 8, [3] = 8, [23] = 100}};
    struct render_options plain = {.clean = SANITIZE_ASCII}, utf8 = {0};
    struct str out = {0};

    flow_add_spark(&out, &agent, 12, 16, &plain);
    assert_span(str_span(&out), ".@         @");
    str_clear(&out);
    flow_add_spark(&out, &agent, 12, 16, &utf8);
    assert_span(str_span(&out), "\u2581\u2588         \u2588");
    str_clear(&out);
    flow_add_spark(&out, &agent, 4, 0, &plain);
    assert_span(str_span(&out), "    ");
    str_free(&out);
}
