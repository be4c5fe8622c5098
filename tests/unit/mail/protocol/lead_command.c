/* Tests lead commands: every byte that is written, and what is refused before anything is. */
#include "tests/unit/support.h"

#include "mail/protocol/lead_command.h"

#define TIME "2026-02-07T15:35:15.573Z"
#define NOW_US INT64_C(1770478515573000)

static const struct order_means program = {.program = true};
static const struct order_means words = {0};
static const struct order_means typed = {.type = true, .response = true};
static const struct order_means full = {.type = true, .payload = true, .response = true};

static struct order_terms terms_of(enum order_verb verb, struct order_means means)
{
    return (struct order_terms){.verb = verb,
                                .means = means,
                                .from = span_of("team-lead"),
                                .agent = span_of("bob"),
                                .now_us = NOW_US,
                                .priority = PRIORITY_NORMAL};
}

static void assert_protocol(const struct order_terms *terms, const char *want, const char *subject)
{
    struct order_text text;
    struct err err;

    cr_assert(lead_command_make(&text, terms, &err), "%s", err.text);
    assert_span(text.draft.protocol, want);
    assert_span(text.draft.subject, subject);
    assert_span(text.draft.from, "team-lead");
    assert_span(text.draft.to, "bob");
    cr_assert_eq(text.draft.created_us, NOW_US);
    cr_assert_not(text.draft.type.at || text.draft.payload.at || text.draft.requires_response);
    lead_command_free(&text);
}

static void assert_refused(const struct order_terms *terms, const char *want)
{
    struct order_text text;
    struct err err = {0};

    cr_assert_not(lead_command_make(&text, terms, &err), "not refused: %s", want);
    cr_assert_eq(err.scope, ERR_REFUSED);
    cr_assert_str_eq(err.text, want);
    lead_command_free(&text);
}

static void assert_short(const struct order_terms *terms, const char *want)
{
    struct order_text text;
    struct err err;

    cr_assert(lead_command_make(&text, terms, &err), "%s", err.text);
    assert_span(str_span(&text.in_short), want);
    lead_command_free(&text);
}

Test(order, every_verb_has_a_name_and_a_kind)
{
    static const char *const names[] = {"shutdown", "mode", "assign", "rules", "escalate"};
    static const enum kind kinds[] = {KIND_SHUTDOWN, KIND_MODE, KIND_TASK, KIND_RULES,
                                      KIND_ESCALATION};

    for (int i = 0; i < LEAD_VERBS; i++) {
        cr_assert_str_eq(lead_verb_name(i), names[i]);
        cr_assert_eq(lead_verb_kind(i), kinds[i]);
    }
}

Test(order, a_shutdown_names_its_agent_in_the_request_id)
{
    struct order_terms terms = terms_of(LEAD_SHUTDOWN, program);
    struct order_text text;
    struct err err;

    assert_protocol(&terms,
                    "{\"type\":\"shutdown_request\",\"requestId\":\"shutdown-1770478515573@bob\","
                    "\"from\":\"team-lead\",\"timestamp\":\"" TIME "\"}",
                    "Shutdown requested");
    terms.reason = span_of("Work \"done\"\nreally \xc3\xa9");
    assert_protocol(&terms,
                    "{\"type\":\"shutdown_request\",\"requestId\":\"shutdown-1770478515573@bob\","
                    "\"from\":\"team-lead\",\"reason\":\"Work \\\"done\\\"\\nreally \xc3\xa9\","
                    "\"timestamp\":\"" TIME "\"}",
                    "Shutdown requested: Work \"done\"");
    cr_assert(lead_command_make(&text, &terms, &err));
    assert_span(text.id, "shutdown-1770478515573@bob");
    lead_command_free(&text);
}

Test(order, a_reason_of_blanks_is_none)
{
    struct order_terms terms = terms_of(LEAD_SHUTDOWN, program);

    terms.reason = span_of(" \n");
    assert_protocol(&terms,
                    "{\"type\":\"shutdown_request\",\"requestId\":\"shutdown-1770478515573@bob\","
                    "\"from\":\"team-lead\",\"timestamp\":\"" TIME "\"}",
                    "Shutdown requested");
}

Test(order, a_mode_is_set_without_a_time_and_an_id)
{
    struct order_terms terms = terms_of(LEAD_MODE, program);
    struct order_text text;
    struct err err;

    terms.mode = span_of("acceptEdits");
    assert_protocol(&terms,
                    "{\"type\":\"mode_set_request\",\"mode\":\"acceptEdits\",\"from\":"
                    "\"team-lead\"}",
                    "Mode: acceptEdits");
    cr_assert(lead_command_make(&text, &terms, &err));
    cr_assert_null(text.id.at);
    lead_command_free(&text);
}

Test(order, a_task_has_a_description_though_it_be_empty)
{
    struct order_terms terms = terms_of(LEAD_ASSIGN, program);

    terms.task = span_of("3");
    terms.subject = span_of("Write tests");
    assert_protocol(&terms,
                    "{\"type\":\"task_assignment\",\"taskId\":\"3\",\"subject\":\"Write tests\","
                    "\"description\":\"\",\"assignedBy\":\"team-lead\",\"timestamp\":\"" TIME "\"}",
                    "Task 3: Write tests");
    terms.description = span_of("All of\n\tthem");
    assert_protocol(&terms,
                    "{\"type\":\"task_assignment\",\"taskId\":\"3\",\"subject\":\"Write tests\","
                    "\"description\":\"All of\\n\\tthem\",\"assignedBy\":\"team-lead\","
                    "\"timestamp\":\"" TIME "\"}",
                    "Task 3: Write tests");
}

Test(order, rules_are_one_for_each_content_or_one_without)
{
    struct order_terms terms = terms_of(LEAD_RULES, program);
    struct span_list rules = {0};

    terms.tool = span_of("Bash");
    terms.behavior = span_of("deny");
    terms.directory = span_of("/src");
    assert_protocol(&terms,
                    "{\"type\":\"team_permission_update\",\"permissionUpdate\":{\"type\":"
                    "\"addRules\",\"rules\":[{\"toolName\":\"Bash\"}],\"behavior\":\"deny\","
                    "\"destination\":\"session\"},\"directoryPath\":\"/src\",\"toolName\":"
                    "\"Bash\"}",
                    "Team permission deny: Bash - /src");
    span_list_add(&rules, span_of("ls:*"));
    span_list_add(&rules, span_of("cat:*"));
    terms.rules = &rules;
    assert_protocol(&terms,
                    "{\"type\":\"team_permission_update\",\"permissionUpdate\":{\"type\":"
                    "\"addRules\",\"rules\":[{\"toolName\":\"Bash\",\"ruleContent\":\"ls:*\"},"
                    "{\"toolName\":\"Bash\",\"ruleContent\":\"cat:*\"}],\"behavior\":\"deny\","
                    "\"destination\":\"session\"},\"directoryPath\":\"/src\",\"toolName\":"
                    "\"Bash\"}",
                    "Team permission deny: Bash - /src");
    assert_short(&terms, "deny Bash: ls:*, cat:* in /src");
    span_list_free(&rules);
}

Test(order, what_no_program_would_take_is_refused)
{
    struct order_terms terms = terms_of(LEAD_MODE, program);

    terms.mode = span_of("manual");
    assert_refused(&terms,
                   "mode_set_request: \"mode\" is \"manual\", an alias of \"default\": use that");
    terms = terms_of(LEAD_MODE, program);
    assert_refused(&terms, "mode_set_request: \"mode\" is missing");
    terms = terms_of(LEAD_ASSIGN, program);
    terms.task = span_of("");
    terms.subject = span_of("s");
    assert_refused(&terms, "task_assignment: \"taskId\" is empty");
    terms = terms_of(LEAD_RULES, program);
    terms.tool = span_of("Bash");
    terms.directory = span_of("/src");
    terms.behavior = span_of("maybe");
    assert_refused(&terms, "team_permission_update: \"behavior\" is \"maybe\", not allow, deny or "
                           "ask");
    terms.behavior = span_of("allow");
    terms.directory = span_of("");
    assert_refused(&terms, "team_permission_update: \"directoryPath\" is empty");
    terms = terms_of(LEAD_SHUTDOWN, program);
    terms.reason = span_of("\xff");
    assert_refused(&terms, "shutdown_request: \"reason\" is not UTF-8");
}

Test(order, the_terms_are_told_in_a_few_words)
{
    struct order_terms terms = terms_of(LEAD_SHUTDOWN, program);

    assert_short(&terms, "");
    terms.reason = span_of("done");
    assert_short(&terms, "done");
    terms = terms_of(LEAD_MODE, program);
    terms.mode = span_of("plan");
    assert_short(&terms, "plan");
    terms = terms_of(LEAD_ASSIGN, program);
    terms.task = span_of("3");
    terms.subject = span_of("Tests");
    assert_short(&terms, "task 3: Tests");
    terms = terms_of(LEAD_RULES, program);
    terms.tool = span_of("Bash");
    terms.behavior = span_of("allow");
    terms.directory = span_of("/src");
    assert_short(&terms, "allow Bash in /src");
}

Test(order, the_words_for_modes_and_behaviours_are_those_that_programs_take)
{
    const char *const *modes = lead_modes();
    const char *const *behaviors = lead_behaviors();
    struct err err = {0};
    struct span mode;
    size_t count = 0;

    for (; modes[count]; count++)
        cr_assert(lead_mode(span_of(modes[count]), &mode, &err), "%s", err.text);
    cr_assert_eq(count, 7);
    for (count = 0; behaviors[count]; count++) {
        struct order_terms terms = terms_of(LEAD_RULES, program);
        struct order_text text;
        terms.tool = span_of("Bash");
        terms.behavior = span_of(behaviors[count]);
        terms.directory = span_of("/src");
        cr_assert(lead_command_make(&text, &terms, &err), "%s", err.text);
        lead_command_free(&text);
    }
    cr_assert_eq(count, 3);
}

Test(order, modes_are_known_by_their_names_and_an_alias)
{
    static const char *const modes[] = {"default", "acceptEdits", "bypassPermissions", "plan",
                                        "dontAsk", "auto",        "delegate"};
    struct span mode;
    struct err err = {0};

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        cr_assert(lead_mode(span_of(modes[i]), &mode, &err));
        assert_span(mode, modes[i]);
        cr_assert_eq(lead_mode_is_unguarded(mode), i == 2 || i == 4, "%s", modes[i]);
    }
    cr_assert(lead_mode(span_of("manual"), &mode, &err));
    assert_span(mode, "default");
    cr_assert_not(lead_mode(span_of("acceptedits"), &mode, &err));
    cr_assert_eq(err.scope, ERR_REFUSED);
    cr_assert_str_eq(err.text, "no mode is called \"acceptedits\"; near: \"acceptEdits\"; known: "
                               "default, acceptEdits, bypassPermissions, plan, dontAsk, auto, "
                               "delegate");
    cr_assert_not(lead_mode(span_of(""), &mode, &err));
    cr_assert_not(lead_mode(span_of("plan "), &mode, &err));
}

/* --- words --- */

#define STOP                                                                                       \
    "Please finish what you are doing, leave your work so that others can go on from it, and "     \
    "stop."
#define ANSWER "Answer this message: that you stop, or why you cannot."

Test(order, where_no_program_takes_it_a_shutdown_is_words)
{
    struct order_terms terms = terms_of(LEAD_SHUTDOWN, words);
    struct order_text text;
    struct err err;

    cr_assert(lead_command_make(&text, &terms, &err));
    assert_span(text.draft.subject, "Shutdown requested");
    assert_span(text.draft.body, STOP "\n\n" ANSWER);
    cr_assert_not(text.draft.protocol.at || text.draft.type.at || text.draft.payload.at ||
                  text.draft.requires_response || text.id.at);
    lead_command_free(&text);
    terms.reason = span_of("the sprint\nis over");
    terms.means = typed;
    cr_assert(lead_command_make(&text, &terms, &err));
    assert_span(text.draft.subject, "Shutdown requested: the sprint");
    assert_span(text.draft.body, STOP "\n\nReason: the sprint\nis over\n\n" ANSWER);
    cr_assert(text.draft.requires_response);
    cr_assert_not(text.draft.type.at || text.draft.payload.at);
    lead_command_free(&text);
}

Test(order, a_shutdown_with_data_for_programs_is_a_request)
{
    struct order_terms terms = terms_of(LEAD_SHUTDOWN, full);
    struct order_text text;
    struct err err;

    cr_assert(lead_command_make(&text, &terms, &err));
    assert_span(text.draft.type, "request");
    assert_span(text.draft.payload, "{\"x_protocol\":\"shutdown\"}");
    cr_assert(text.draft.requires_response);
    lead_command_free(&text);
}

Test(order, other_orders_have_no_words)
{
    for (int verb = LEAD_MODE; verb < LEAD_ESCALATE; verb++) {
        struct order_terms terms = terms_of(verb, full);
        assert_refused(&terms, "no custom has words for this order");
    }
}

static struct order_terms escalation(enum escalation_level level, struct order_means means)
{
    struct order_terms terms = terms_of(LEAD_ESCALATE, means);

    terms.level = level;
    terms.title = span_of("Build blocked");
    terms.reason = span_of("blocked");
    terms.id = span_of("ESC-20260103-0001");
    return terms;
}

Test(order, an_escalation_is_what_the_agents_python_writes)
{
    struct order_terms terms = escalation(ESCALATION_COO, full);
    struct order_text text;
    struct err err;

    terms.body = span_of("No disk is left.");
    terms.priority = PRIORITY_URGENT;
    cr_assert(lead_command_make(&text, &terms, &err), "%s", err.text);
    assert_span(text.draft.type, "escalation");
    assert_span(text.draft.subject, "Escalation: Build blocked");
    assert_span(text.draft.body, "No disk is left.");
    assert_span(text.draft.payload,
                "{\"escalation_id\":\"ESC-20260103-0001\",\"reason\":\"blocked\"}");
    assert_span(text.id, "ESC-20260103-0001");
    assert_span(str_span(&text.in_short), "ESC-20260103-0001: Build blocked");
    cr_assert_eq(text.draft.priority, PRIORITY_URGENT);
    cr_assert_eq(text.draft.tags.count, 0);
    lead_command_free(&text);
    terms.level = ESCALATION_CEO;
    terms.body = (struct span){0};
    cr_assert(lead_command_make(&text, &terms, &err), "%s", err.text);
    assert_span(text.draft.subject, "CEO Escalation: Build blocked");
    assert_span(text.draft.body, "blocked");
    cr_assert_eq(text.draft.priority, PRIORITY_HIGH);
    lead_command_free(&text);
}

Test(order, without_data_for_programs_the_text_has_all_of_an_escalation)
{
    struct order_terms terms = escalation(ESCALATION_COO, typed);
    struct order_text text;
    struct err err;

    cr_assert(lead_command_make(&text, &terms, &err), "%s", err.text);
    assert_span(text.draft.body, "Escalation: ESC-20260103-0001\nReason: blocked");
    cr_assert_not(text.draft.payload.at);
    cr_assert(text.draft.requires_response);
    lead_command_free(&text);
    terms.body = span_of("No disk is left.");
    cr_assert(lead_command_make(&text, &terms, &err), "%s", err.text);
    assert_span(text.draft.body,
                "No disk is left.\n\nEscalation: ESC-20260103-0001\nReason: blocked");
    lead_command_free(&text);
}

Test(order, an_escalation_without_its_parts_is_refused)
{
    struct order_terms terms = escalation(ESCALATION_COO, full);

    terms.title = span_of(" ");
    assert_refused(&terms, "an escalation needs a title and a reason");
    terms = escalation(ESCALATION_COO, full);
    terms.reason = (struct span){0};
    assert_refused(&terms, "an escalation needs a title and a reason");
    terms = escalation(ESCALATION_COO, full);
    terms.id = span_of("ESC-1");
    assert_refused(&terms, "\"ESC-1\" is no id of an escalation: ESC-20260131-0001 would be one");
    terms.id = (struct span){0};
    assert_refused(&terms, "\"\" is no id of an escalation: ESC-20260131-0001 would be one");
    terms = escalation(ESCALATION_COO, words);
    assert_refused(&terms, "no escalation can be told from other messages there");
}

Test(escalation, levels_have_words)
{
    enum escalation_level level = ESCALATION_LEVELS;

    cr_assert(escalation_level_find(span_of("coo"), &level));
    cr_assert_eq(level, ESCALATION_COO);
    cr_assert(escalation_level_find(span_of("ceo"), &level));
    cr_assert_eq(level, ESCALATION_CEO);
    cr_assert_not(escalation_level_find(span_of("COO"), &level));
    cr_assert_not(escalation_level_find((struct span){0}, &level));
}

Test(escalation, ids_have_one_form)
{
    static const struct {
        const char *text;
        bool is_id;
    } rows[] = {{"ESC-20260103-0001", true},
                {"ESC-20260103-999999", true},
                {"ESC-20260103-001", false},
                {"ESC-20260103-1234567", false},
                {"ESC-2026010-0001", false},
                {"ESC-202601033-0001", false},
                {"ESC-20260103-0001 ", false},
                {"ESC-20260103", false},
                {"ESC-20260103-", false},
                {"esc-20260103-0001", false},
                {"xESC-20260103-0001", false},
                {"", false},
                {"ESC-", false},
                {"ESC-20260103-00a1", false}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_assert_eq(escalation_is_id(span_of(rows[i].text)), rows[i].is_id, "%s", rows[i].text);
}

Test(escalation, the_next_number_follows_the_highest_of_the_day)
{
    struct span day = span_of("ESC-20260103-");
    struct str id = {0};

    cr_assert_eq(escalation_highest(span_of(""), day, 0), 0);
    cr_assert_eq(escalation_highest((struct span){0}, day, 3), 3);
    cr_assert_eq(escalation_highest(span_of("see ESC-20260103-0007, ESC-20260103-0002"), day, 0),
                 7);
    cr_assert_eq(escalation_highest(span_of("\"ESC-20260103-0007\""), day, 9), 9);
    cr_assert_eq(escalation_highest(span_of("ESC-20260104-0007"), day, 0), 0);
    cr_assert_eq(escalation_highest(span_of("ESC-20260103-9999999999"), day, 0), 0);
    cr_assert_eq(escalation_highest(span_of("ESC-20260103-12 ESC-20260103-"), day, 0), 0);
    escalation_add_next(&id, day, 0);
    assert_span(str_span(&id), "ESC-20260103-0001");
    str_clear(&id);
    escalation_add_next(&id, day, 9999);
    assert_span(str_span(&id), "ESC-20260103-10000");
    cr_assert(escalation_is_id(str_span(&id)));
    str_free(&id);
}
