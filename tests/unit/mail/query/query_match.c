/* Tests queries: the messages that each term finds. */
#include "query_support.h"

static struct place where;
static struct message_data data;
static struct message message;
static struct query_context context;

/* Makes a handoff of high priority, two hours old, in a box of the team web. */
static void set_up(void)
{
    setenv("TZ", "Europe/Berlin", 1);
    where = (struct place){
        .root = "/home/lead/.Claude", .team = span_of("web"), .box = span_of("Tester-2")};
    data = (struct message_data){.body = span_of("The DISK at /var is full.\nStra\xc3\x9f"
                                                 "e \xc3\x84rger"),
                                 .payload = span_of("{\"a\": 1}"),
                                 .context = span_of("{ }"),
                                 .attachments = span_of("[]"),
                                 .tags = span_of("[\"Build\", 3, \"d\\u00e9j\\u00e0 vu\"]")};
    message = (struct message){.id = span_of("MSG-0123"),
                               .from = span_of("swarm_dev/Infra-4"),
                               .to = span_of("tester-2@web"),
                               .subject = span_of("Handoff: free the disk (now)"),
                               .type = span_of("handoff"),
                               .thread = span_of("THR-77aa"),
                               .place = &where,
                               .data = &data,
                               .created_us = NOW_US - 2 * HOUR_US,
                               .expires_us = NOW_US,
                               .priority = PRIORITY_HIGH,
                               .status = STATUS_PROCESSING,
                               .kind = KIND_HANDOFF};
    context = (struct query_context){.now_us = NOW_US, .layout = "claude"};
}

TestSuite(query_match, .init = set_up);

static bool matches(const char *text)
{
    struct query query;
    struct err err;

    cr_assert(query_parse(&query, span_of(text), &err, NULL), "%s", text);
    bool found = query_match(&query, &message, &context);
    query_free(&query);
    return found;
}

#define yes(text) cr_assert(matches(text), "%s", text)
#define no(text) cr_assert(!matches(text), "%s", text)

Test(query_match, nothing_asked_is_everything_found)
{
    yes("");
    yes("  ");
}

Test(query_match, names_are_whole_with_or_without_swarm_and_team)
{
    yes("from:swarm_dev/infra-4");
    yes("from:INFRA-4");
    yes("from:infra-4@web");
    yes("from:swarm_dev/infra-4@web");
    no("from:infra");
    no("from:swarm_dev");
    no("from:infra-4@other");
    yes("to:tester-2");
    yes("to:tester-2@WEB");
    no("to:web");
    yes("box:tester-2");
    yes("box:tester-2@web");
    no("box:tester");
    yes("from:nobody,infra-4");
}

Test(query_match, another_team_than_the_boxs_is_part_of_the_name)
{
    message.from = span_of("bob@away");
    no("from:bob");
    yes("from:bob@away");
    yes("from:bob@away@web");
    where.team = (struct span){0};
    yes("from:bob@away");
    no("from:bob@");
}

Test(query_match, stars_stand_for_any_text)
{
    yes("from:inf*");
    yes("from:*-4");
    yes("from:i*a-*");
    yes("from:*");
    yes("from:*@web");
    no("from:fra*");
    no("from:*fra");
    no("from:\"inf*\"");
    no("from:infra-4*4");
    yes("subject:free*now");
    yes("subject:\"(now)\"");
    no("subject:now*free");
    yes("body:disk*full*rger");
    yes("tag:b*d");
    message.from = span_of("a*b");
    yes("from:\"a*b\"");
}

Test(query_match, what_is_absent_has_no_text_at_all)
{
    message.from = message.subject = (struct span){0};
    no("from:*");
    no("subject:*");
    message.subject = span_of("");
    yes("subject:*");
    message.data = NULL;
    no("body:*");
    no("tag:*");
    no("has:payload,tags");
}

Test(query_match, text_is_found_inside_words_whatever_its_case)
{
    yes("subject:FREE");
    yes("subject:\"the disk\"");
    no("subject:\"disk the\"");
    yes("body:\"full.\nstra\"");
    yes("body:STRASSE");
    yes("body:\xc3\xa4RGER");
    no("body:arger");
    no("subject:var");
    yes("body:var,nothing");
}

Test(query_match, words_alone_are_sought_in_subject_body_and_names)
{
    yes("free");
    yes("/VAR");
    yes("infra");
    yes("tester");
    yes("\"at /var\"");
    no("THR-77aa");
    no("web disk nothing");
    yes("web disk full");
}

Test(query_match, sources_are_found_by_layout_or_part_of_the_path)
{
    yes("source:claude");
    yes("source:CLA*");
    yes("source:lead/.cl");
    no("source:openclaw");
    context.layout = NULL;
    where.root = "/x";
    no("source:claude");
}

Test(query_match, kinds_states_priorities_and_types_are_words)
{
    yes("kind:handoff");
    yes("kind:plan,handoff");
    no("kind:plan");
    yes("state:processing");
    no("state:read,unread");
    yes("prio:high");
    yes("prio:normal+");
    no("prio:urgent,low");
    yes("type:HANDOFF");
    no("type:hand");
}

Test(query_match, a_damaged_message_has_no_kind_state_or_priority)
{
    message.damaged = "no JSON";
    message.kind = KIND_MESSAGE;
    message.status = STATUS_NONE;
    message.priority = PRIORITY_NONE;
    no("kind:message");
    no("state:unread,read,processing,failed,completed,archived");
    no("prio:low+");
    no("is:unread");
    no("is:read");
    yes("is:damaged");
}

Test(query_match, tags_are_whole)
{
    yes("tag:build");
    yes("tag:\"D\xc3\x89J\xc3\x80 VU\"");
    no("tag:3");
    no("tag:buil");
    data.tags = span_of("null");
    no("tag:*");
}

Test(query_match, threads_are_found_by_the_start_of_their_id)
{
    context.thread = span_of("conv-5");
    yes("thread:conv-5");
    context.thread = (struct span){0};
    no("thread:conv-5");
    yes("thread:THR-77aa");
    yes("thread:thr-7");
    no("thread:77aa");
    no("thread:MSG-0123");
    message.thread = span_of("");
    yes("thread:MSG-0123");
    no("has:thread");
}

Test(query_match, is_says_what_can_be_said)
{
    yes("is:read");
    no("is:unread");
    yes("is:handoff");
    yes("is:expired");
    no("is:waiting,mine,sent,archived,flagged,damaged");
    message.mine = true;
    yes("is:mine");
    message.by_us = true;
    yes("is:sent");
    where.archived = true;
    yes("is:archived");
    message.flags = MESSAGE_STRAY;
    yes("is:flagged");
    context.waiting = true;
    yes("is:waiting");
    message.status = STATUS_UNREAD;
    yes("is:unread");
    no("is:read");
    context.now_us--;
    no("is:expired");
}

Test(query_match, has_means_more_than_an_empty_value)
{
    yes("has:payload");
    yes("has:tags");
    yes("has:thread");
    no("has:context,attachments");
    data.context = data.attachments = span_of("[ {} ]");
    yes("has:context");
    yes("has:attachments");
    data.payload = span_of("null");
    no("has:payload");
    data.payload = span_of("\"\"");
    no("has:payload");
    data.payload = span_of("0");
    yes("has:payload");
}

Test(query_match, ages_are_counted_from_now)
{
    yes("older:1h59m");
    no("older:2h");
    yes("newer:2h");
    no("newer:1h59m");
    context.now_us++;
    yes("older:2h");
    no("newer:2h");
}

Test(query_match, a_date_is_its_start_where_we_are)
{
    message.created_us = INT64_C(1793487600000000); /* 2026-10-31T23:00:00Z */
    yes("newer:2026-11-01");
    no("older:2026-11-01");
    no("newer:2026-11-01T00:00Z");
    yes("newer:\"2026-11-01 00:00\"");
    no("newer:2026-11-02");
    message.created_us--;
    no("newer:2026-11-01");
    yes("older:2026-11-01");
    yes("newer:20261031");
}

Test(query_match, what_has_no_time_is_neither_older_nor_newer)
{
    message.created_us = TIME_NONE;
    no("older:1s");
    no("newer:2000-01-01");
}

Test(query_match, operators_mean_what_they_say)
{
    yes("free or nothing");
    yes("nothing or free");
    no("free nothing");
    no("nothing free");
    yes("not nothing");
    no("not free");
    yes("not (nothing or none) free");
    no("not (nothing or free)");
    yes("nothing none or free disk");
    no("nothing (none or free)");
    yes("free (none or disk) not (nothing disk)");
    yes("-nothing -none");
}
