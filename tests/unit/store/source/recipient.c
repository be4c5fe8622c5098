/* Tests recipients: members of swarms, agents who wrote, and the owner of a message. */
#include "tests/unit/support.h"

#include "store/source/address.h"
#include "store/source/recipient.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static struct tmp tmp;
static struct source source;
static struct arena arena;
static struct address found;
static struct err err;

static void make(void)
{
    source = (struct source){.root = -1};
    tmp_make(&tmp);
}

static void clear(void)
{
    source_close(&source);
    arena_free(&arena);
    tmp_remove(&tmp);
}

TestSuite(recipient, .init = make, .fini = clear);

static void put(const char *path, const char *text)
{
    tmp_write(&tmp, path, span_of(text));
}

static void open_as(const char *format, const char *root, const char *identity)
{
    char spec[512];

    snprintf(spec, sizeof spec, "%s:%s/%s", format, tmp.path, root);
    cr_assert(source_open(&source, spec, identity, NULL, &err), "%s", err.text);
}

Test(recipient, a_member_is_meant_by_name_with_swarm_and_with_team_or_its_title)
{
    const struct agent_name member = {
        .name = {"bob", 3}, .team = {"alpha", 5}, .team_title = {"First Team", 10}};
    const struct agent_name alone = {.name = {"bob", 3}};

    cr_assert(recipient_is_member(&member, span_of("bob")));
    cr_assert(recipient_is_member(&member, span_of("alpha/bob")));
    cr_assert(recipient_is_member(&member, span_of("bob@alpha")));
    cr_assert(recipient_is_member(&member, span_of("bob@First Team")));
    cr_assert(!recipient_is_member(&member, span_of("bob@beta")));
    cr_assert(!recipient_is_member(&member, span_of("cy@alpha")));
    cr_assert(!recipient_is_member(&member, span_of("cy")));
    cr_assert(!recipient_is_member(&alone, span_of("bob@alpha")), "it is in no team");
}

Test(recipient, a_sender_without_an_inbox_is_answered_where_the_layout_says_if_that_is_there)
{
    put("scheduler/inboxes/task-managers/archive/.keep", "");
    open_as("inbox", "scheduler/inboxes", "task-managers");
    struct span manager = span_of("task-managers");
    cr_assert(source.format->reply_box && source.format->is_manager(manager));
    char box[100];
    snprintf(box, sizeof box, "scheduler/inboxes/%s/archive/.keep", source.format->reply_box);
    bool there = tmp_exists(&tmp, box);
    cr_assert_eq(
        there, recipient_find_sender(&source, span_of("stranger"), manager, &found, &arena, &err));
    cr_assert(there || strstr(err.text, "has no inbox here"), "%s", err.text);
    put(box, "");
    cr_assert(recipient_find_sender(&source, span_of("stranger"), manager, &found, &arena, &err),
              "%s", err.text);
    assert_span(found.agent, "stranger");
    assert_span(found.box, source.format->reply_box);
}

#define MAILBOX "workspace/mailboxes/dev_architect/inbox/"

Test(recipient, what_is_damaged_does_not_tell_by_which_name_a_box_is_addressed)
{
    static const struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};

    put(MAILBOX "a.json", "{\"to_agent\":\"dev/architect\"");
    cr_assert_eq(utimensat(tmp.fd, MAILBOX "a.json", old, 0), 0);
    open_as("adr", "workspace/mailboxes", "alice");
    cr_assert_null(recipient_other_spelling(&source, span_of("dev_architect"), &arena).at);
    put(MAILBOX "MSG-0123456789ab.json",
        "{\"id\":\"MSG-0123456789ab\",\"from_agent\":\"x\",\"to_agent\":\"dev/architect\","
        "\"type\":\"handoff\",\"priority\":3,\"subject\":\"s\",\"body\":\"c\","
        "\"created_at\":\"2026-01-04T00:53:21.667898\",\"status\":\"unread\"}");
    assert_span(recipient_other_spelling(&source, span_of("dev_architect"), &arena),
                "dev/architect");
}

Test(recipient, a_name_that_cannot_be_a_box_has_no_other_spelling_and_no_other_name)
{
    put("swarms/dev/agents/architect.md", "");
    put(MAILBOX ".keep", "");
    open_as("adr", "workspace/mailboxes", "alice");
    struct address to = {.agent = span_of("dev/..")};
    cr_assert_null(recipient_other_spelling(&source, span_of(".."), &arena).at);
    cr_assert_null(recipient_other_name(&source, &to, &arena).at);
    to.agent = span_of("architect");
    assert_span(recipient_other_name(&source, &to, &arena), "dev/architect");
}

static bool is_ours(const char *to)
{
    static const struct place place;
    const struct message message = {.place = &place, .to = span_of(to)};

    return address_is_ours(&source, &message);
}

Test(recipient, a_bare_identity_is_one_of_its_swarm_alone)
{
    put("swarms/dev/agents/architect.md", "");
    put("workspace/mailboxes/architect/inbox/.keep", "");
    open_as("adr", "workspace/mailboxes", "architect");
    cr_assert(address_narrow(&source, &err), "%s", err.text);
    cr_assert_str_eq(source.swarm, "dev");
    cr_assert(is_ours("architect") && is_ours("dev/architect"));
    cr_assert(!is_ours("ops/architect") && !is_ours("bob"));
}

Test(recipient, an_identity_with_its_swarm_needs_no_roster)
{
    put("workspace/mailboxes/architect/inbox/.keep", "");
    open_as("adr", "workspace/mailboxes", "ops/architect");
    cr_assert(address_narrow(&source, &err), "%s", err.text);
    cr_assert_null(source.swarm);
    cr_assert(is_ours("architect") && is_ours("ops/architect"));
    cr_assert(!is_ours("dev/architect"));
}

Test(recipient, a_message_for_everybody_is_by_nobody)
{
    static const struct place place = {.team = {"web", 3}};

    put("teams/web/mailbox/.keep", "");
    open_as("openclaw", "teams", "all");
    cr_assert(!address_is_us(&source, &place, span_of("all")));
    cr_assert(!address_is_us(&source, &place, span_of("tm1")));
}

Test(recipient, nobody_is_in_a_swarm_where_no_team_has_members)
{
    struct agent_names names = {0};

    put("teams/web/inboxes/bob.json", "[]");
    open_as("claude", "", NULL);
    cr_assert(!recipient_swarm(&source, span_of("web"), &names, &err));
    cr_assert(strstr(err.text, "no team has members here"), "%s", err.text);
    agent_names_free(&names);
}
