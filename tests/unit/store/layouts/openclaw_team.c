/* Tests the OpenClaw layout around its messages: the registry, the settings, and a whole team. */
#include "openclaw_support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

Test(openclaw, the_registry_names_the_team_its_lead_and_its_teammates)
{
    static const struct {
        const char *name, *role, *status;
        bool lead, idle, gone;
    } want[] = {{"lead", NULL, NULL, true, false, false},
                {"tm\xc3\xa9", "writer", "idle", false, true, false},
                {"b", "tester", "active", false, false, false},
                {"c", NULL, "completed", false, false, true},
                {"d", NULL, "failed", false, false, true},
                {"e", NULL, "interrupted", false, false, true},
                {"f", NULL, NULL, false, false, false}};
    struct members members = {0};
    struct arena arena = {0};
    struct err err;
    struct str text = {0};

    str_puts(&text, "{\"teamId\":\"w\",\"teamName\":\"Web \\u0044ev\",\"leadSessionKey\":\"k\","
                    "\"teammates\":{\"tm\\u00e9\":{\"teammateId\":\"x\",\"role\":\"old\"},"
                    "\"b\":{\"role\":\"tester\",\"status\":\"active\"},"
                    "\"c\":{\"status\":\"completed\"},\"d\":{\"status\":\"failed\"},"
                    "\"e\":{\"status\":\"interrupted\",\"role\":5},\"f\":7,\"\":{},"
                    "\"tm\xc3\xa9\":{\"status\":\"idle\",\"role\":\"writer\"}}}");
    cr_assert(openclaw_format.parse_roster(str_span(&text), &members, &arena, &err), "%s",
              err.text);
    str_free(&text); /* the names are in the arena */
    assert_span(members.team, "Web Dev");
    cr_assert_eq(members.count, sizeof want / sizeof *want);
    for (size_t i = 0; i < members.count; i++) {
        const struct member *member = &members.items[i];
        assert_span(member->name, want[i].name);
        assert_span(member->role, want[i].role);
        assert_span(member->status, want[i].status);
        cr_assert_eq(member->lead, want[i].lead, "%s", want[i].name);
        cr_assert_eq(member->idle, want[i].idle, "%s", want[i].name);
        cr_assert_eq(member->gone, want[i].gone, "%s", want[i].name);
    }
    free(members.items);
    arena_free(&arena);
}

Test(openclaw, a_teammate_called_lead_is_the_lead)
{
    struct members members = {0};
    struct arena arena = {0};
    struct err err;

    cr_assert(openclaw_format.parse_roster(
        span_of("{\"teamId\":\"w\",\"teamName\":\"W\",\"leadSessionKey\":\"k\","
                "\"teammates\":{\"lead\":{\"status\":\"idle\"}}}"),
        &members, &arena, &err));
    cr_assert_eq(members.count, 1);
    cr_assert(members.items[0].lead && members.items[0].idle);
    free(members.items);
    arena_free(&arena);
}

Test(openclaw, a_registry_that_the_gateway_rejects_is_refused)
{
    static const char *const bad[] = {
        "{\"teamName\":\"W\",\"leadSessionKey\":\"k\",\"teammates\":{}}",
        "{\"teamId\":\"w\",\"teamName\":\"\",\"leadSessionKey\":\"k\",\"teammates\":{}}",
        "{\"teamId\":\"w\",\"teamName\":\"W\",\"leadSessionKey\":1,\"teammates\":{}}",
        "{\"teamId\":\"w\",\"teamName\":\"W\",\"leadSessionKey\":\"k\",\"teammates\":[]}",
        "{\"teamId\":\"w\",\"teamName\":\"W\",\"leadSessionKey\":\"k\"}",
        "{\"members\":[],\"leadAgentId\":\"x\"}",
        "[]",
        "",
        "{\"teamId\":\"w\",\"teamName\":\"W\",\"leadSessionKey\":\"k\",\"teammates\":{}"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct members members = {0};
        struct arena arena = {0};
        struct err err = {0};
        cr_assert_not(openclaw_format.parse_roster(span_of(bad[i]), &members, &arena, &err), "%s",
                      bad[i]);
        cr_assert(err.text[0] && !members.count);
        arena_free(&arena);
    }
}

Test(openclaw, settings_are_read_from_json5)
{
    struct settings settings = {.lasts_us = openclaw_format.lasts_us};
    struct arena arena = {0};
    struct err err;
    struct str text = {0};

    cr_assert_eq(settings.lasts_us, 24 * HOUR_US);
    str_puts(&text, "{ // the gateway\n  gateway: { teams: { storage: {\n"
                    "    mailboxTTLHours: 1.5, /* short */\n    'basePath': '~/my teams',\n"
                    "  }, }, port: 1 },\n}");
    cr_assert(openclaw_format.parse_settings(str_span(&text), &settings, &arena, &err), "%s",
              err.text);
    str_free(&text);
    cr_assert_eq(settings.lasts_us, HOUR_US + HOUR_US / 2);
    assert_span(settings.base_path, "~/my teams");
    arena_free(&arena);
}

Test(openclaw, settings_that_are_not_given_stay_as_they_were)
{
    static const char *const quiet[] = {"{}",
                                        "[1]",
                                        "{gateway: {teams: {storage: {}}}}",
                                        "{gateway: {teams: {storage: 7}}}",
                                        "{gateway: null}",
                                        "{gateway: {teams: {storage: {basePath: ''}}}}",
                                        "{teams: {storage: {mailboxTTLHours: 2}}}"};
    struct arena arena = {0};

    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
        struct settings settings = {.lasts_us = 5};
        struct err err;
        cr_assert(openclaw_format.parse_settings(span_of(quiet[i]), &settings, &arena, &err),
                  "%s: %s", quiet[i], err.text);
        cr_assert_eq(settings.lasts_us, 5);
        cr_assert_null(settings.base_path.at);
    }
    arena_free(&arena);
}

Test(openclaw, settings_that_make_no_sense_are_told_and_change_nothing)
{
    static const char *const values[] = {"mailboxTTLHours: 0",
                                         "mailboxTTLHours: -1",
                                         "mailboxTTLHours: '24'",
                                         "mailboxTTLHours: 1e999",
                                         "mailboxTTLHours: 878401",
                                         "mailboxTTLHours: null",
                                         "basePath: 7",
                                         "basePath: null"};
    struct arena arena = {0};

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct settings settings = {.lasts_us = 5};
        struct str text = {0};
        struct err err = {0};
        str_addf(&text, "{gateway: {teams: {storage: {%s}}}}", values[i]);
        cr_assert_not(openclaw_format.parse_settings(str_span(&text), &settings, &arena, &err),
                      "%s", values[i]);
        cr_assert_not_null(strstr(err.text, "gateway.teams.storage."), "%s", err.text);
        cr_assert(settings.lasts_us == 5 && !settings.base_path.at);
        str_free(&text);
    }
    struct settings settings = {.lasts_us = 5};
    struct err err = {0};
    cr_assert_not(openclaw_format.parse_settings(span_of("{a: +1}"), &settings, &arena, &err));
    arena_free(&arena);
}

Test(openclaw, the_sample_team_is_read)
{
    static const struct {
        const char *id, *from, *to, *subject;
        enum priority priority;
    } want[] = {
        {"69825797-74c9-4ef5-8fce-081f7ce83297", "lead", "tm1", "H\xc3\xa9llo", PRIORITY_URGENT},
        {"70183416-c91b-46f8-9b46-c863fbf7075a", "lead", "all", "all hands", PRIORITY_NORMAL},
        {"74b61e8d-2a73-4cc3-a06b-03070f5385ff", "tm1", "lead", "answer", PRIORITY_NORMAL}};
    char path[1024];
    struct members members = {0};
    struct batch batch = {0};
    struct err err;

    if (!shared_path(path, sizeof path, "samples/openclaw/teams/web-dev"))
        return;
    struct tmp dir = {.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        char name[128];
        snprintf(name, sizeof name, "mailbox/%s.json", want[i].id);
        struct str text = tmp_read(&dir, name);
        const struct message *m = parse(&batch, str_span(&text));
        str_free(&text);
        cr_assert_null(m->damaged, "%s", m->damaged);
        cr_assert_eq(m->flags, 0);
        assert_span(m->id, want[i].id);
        assert_span(m->from, want[i].from);
        assert_span(m->to, want[i].to);
        assert_span(m->subject, want[i].subject);
        cr_assert_eq(m->priority, want[i].priority);
        cr_assert_eq(m->status, STATUS_UNREAD);
    }
    struct str config = tmp_read(&dir, "config.json");
    cr_assert(openclaw_format.parse_roster(str_span(&config), &members, &batch.arena, &err), "%s",
              err.text);
    cr_assert_eq(members.count, 3);
    assert_span(members.team, "Web Dev");
    assert_span(members.items[2].name, "tm2");
    str_free(&config);
    free(members.items);
    batch_free(&batch);
    close(dir.fd);
}
