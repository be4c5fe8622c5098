/* Tests the names in a source: members of rosters, and boxes that exist. */
#include "tests/unit/support.h"

#include "store/layouts/claude.h"
#include "store/layouts/openclaw.h"
#include "store/source/roster.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static struct tmp tmp;
static struct source source;
static struct agent_names names;
static struct err err;

static void make(void)
{
    source = (struct source){.root = -1};
    tmp_make(&tmp);
}

static void clear(void)
{
    agent_names_free(&names);
    source_close(&source);
    tmp_remove(&tmp);
}

TestSuite(roster, .init = make, .fini = clear);

static void open_mail(const char *format)
{
    char spec[512];

    snprintf(spec, sizeof spec, "%s:%s/mail", format, tmp.path);
    cr_assert(source_open(&source, spec, NULL, NULL, &err), "%s", err.text);
}

static void put(const char *path, const char *text)
{
    tmp_write(&tmp, path, span_of(text));
}

/* Names are written TEAM/NAME. */
static void expect_names(const char *const *want, size_t count)
{
    cr_assert_eq(names.count, count, "%zu names", names.count);
    for (size_t i = 0; i < count; i++) {
        struct str got = {0};
        str_add_span(&got, names.items[i].team);
        str_putc(&got, '/');
        str_add_span(&got, names.items[i].name);
        cr_assert_str_eq(str_c(&got), want[i]);
        str_free(&got);
    }
}

Test(roster, boxes_are_inboxes_and_nothing_else)
{
    put("mail/teams/web/inboxes/bob.json", "[]");
    put("mail/teams/web/inboxes/a b.json", "");
    put("mail/teams/web/inboxes/bob.json.damaged-123", "x");
    put("mail/teams/web/inboxes/.bob.json.1.x.tmp", "x");
    put("mail/teams/web/inboxes/bob.json.lock/claim", "x");
    put("mail/teams/web/inboxes/.lock", "");
    put("mail/teams/web/inboxes/README.md", "x");
    put("mail/teams/web/inboxes/deep/x.json", "[]");
    put("mail/teams/ops/inboxes/zed.json", "[]");
    put("mail/teams/empty/config.json", "{}");
    open_mail("claude");
    cr_assert(source_boxes(&source, &names, &err), "%s", err.text);
    expect_names((const char *const[]){"ops/zed", "web/a b", "web/bob"}, 3);
    cr_assert_not(names.items[0].on_roster);
}

Test(roster, members_are_read_from_every_team_in_the_order_of_names)
{
    put("mail/teams/web/config.json",
        "{\"name\":\"The Web\",\"leadAgentId\":\"l@web\",\"members\":["
        "{\"name\":\"lead\",\"agentId\":\"l@web\",\"agentType\":\"team-lead\"},"
        "{\"name\":\"ann\",\"color\":\"pink\",\"isActive\":false}]}");
    put("mail/teams/ops/config.json",
        "{\"leadAgentId\":\"\",\"members\":[{\"name\":\"zed\"},{\"name\":\"bob\"}]}");
    put("mail/teams/broken/config.json", "{\"leadAgentId\":\"\",\"members\":[{\"name\":\"x\"}");
    put("mail/teams/other/config.json", "{\"teamId\":\"x\",\"teammates\":{\"y\":{}}}");
    put("mail/teams/none/inboxes/x.json", "[]");
    open_mail("claude");
    cr_assert(source_rosters(&source, &names, &err), "%s", err.text);
    expect_names((const char *const[]){"ops/bob", "ops/zed", "web/ann", "web/lead"}, 4);
    for (size_t i = 0; i < 4; i++)
        cr_assert(names.items[i].on_roster);
    assert_span(names.items[2].team_title, "The Web");
    assert_span(names.items[2].member.color, "pink");
    assert_span(names.items[2].member.name, "ann");
    cr_assert(names.items[2].member.idle && !names.items[2].member.lead);
    assert_span(names.items[3].member.role, "team-lead");
    cr_assert(names.items[3].member.lead);
    cr_assert_null(names.items[0].team_title.at);
}

Test(roster, boxes_and_members_are_added_one_behind_the_other)
{
    put("mail/teams/web/config.json", "{\"leadAgentId\":\"\",\"members\":[{\"name\":\"ann\"}]}");
    put("mail/teams/web/inboxes/zed.json", "[]");
    open_mail("claude");
    cr_assert(source_boxes(&source, &names, &err) && source_rosters(&source, &names, &err));
    expect_names((const char *const[]){"web/zed", "web/ann"}, 2);
    cr_assert(!names.items[0].on_roster && names.items[1].on_roster);
}

Test(roster, a_config_that_is_a_link_is_not_followed)
{
    put("elsewhere.json", "{\"leadAgentId\":\"\",\"members\":[{\"name\":\"ann\"}]}");
    put("mail/teams/web/inboxes/zed.json", "[]");
    cr_assert_eq(symlinkat("../../../elsewhere.json", tmp.fd, "mail/teams/web/config.json"), 0);
    open_mail("claude");
    cr_assert(source_rosters(&source, &names, &err), "%s", err.text);
    cr_assert_eq(names.count, 0);
}

Test(roster, no_roster_is_no_error)
{
    put("mail/teams/.keep", "");
    open_mail("claude");
    cr_assert(source_rosters(&source, &names, &err) && source_boxes(&source, &names, &err));
    cr_assert_eq(names.count, 0);
}

static bool tells(const struct format *format, const char *dir)
{
    int fd = openat(tmp.fd, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    cr_assert_geq(fd, 0);
    bool told = roster_knows(format, fd);
    close(fd);
    return told;
}

Test(roster, the_content_of_a_roster_tells_the_layout)
{
    put("claude/teams/t/config.json", "{\"leadAgentId\":\"\",\"members\":[]}");
    put("claw/t/config.json", "{\"teamId\":\"w\",\"teamName\":\"W\",\"leadSessionKey\":\"k\","
                              "\"teammates\":{}}");
    put("none/teams/t/config.json", "{}");
    cr_assert(tells(&claude_format, "claude"));
    cr_assert_not(tells(&openclaw_format, "claude/teams"));
    cr_assert(tells(&openclaw_format, "claw"));
    cr_assert_not(tells(&claude_format, "none"));
}
