/* Tests the states of agents: for each rule a short history, and the sentence that a lead reads. */
#include "agent_support.h"

Test(agent, nobody_at_all_is_no_row)
{
    assert_story(&(struct story){0}, "");
}

Test(agent, the_person_is_no_row)
{
    assert_said("IDLE bob: never heard, 1 unread since 1m", {1 * MINUTES, "you", "bob", "hello"});
}

Test(agent, who_asked_you_waits_for_you)
{
    assert_said("WAITS-YOU bob: perm 0f00: Bash - rm -rf build/, 2m",
                {2 * MINUTES, "bob", "you", "Permission: Bash - rm -rf build/", KIND_PERMISSION,
                 .asks = true});
}

Test(agent, the_oldest_of_several_requests_is_told_and_the_rest_counted)
{
    assert_said("WAITS-YOU bob: question 1f00: which port?, 9m, and 2 more",
                {3 * MINUTES, "bob", "you", "Plan for approval", KIND_PLAN, .asks = true},
                {9 * MINUTES, "bob", "you", "which port?", KIND_QUESTION, .asks = true},
                {4 * MINUTES, "bob", "you", "Host: example.org", KIND_HOST, .asks = true});
}

Test(agent, a_request_that_says_nothing_more_has_only_its_kind_and_id)
{
    assert_said("WAITS-YOU bob: plan 0f00, 12s",
                {12, "bob", "you", "Plan for approval", KIND_PLAN, .asks = true});
}

Test(agent, an_answered_request_waits_no_more)
{
    assert_said("WORKING bob: last: \"which port?\" 5m ago; 1 unread since 4m",
                {5 * MINUTES, "bob", "you", "which port?", KIND_QUESTION, .asks = true, .id = "q"},
                {4 * MINUTES, "you", "bob", "8080", .reply_to = "q"});
}

Test(agent, an_id_is_as_long_as_it_must_be_to_be_found)
{
    assert_said("WAITS-YOU bob: question abcdefgh: one?, 2m\n"
                "WAITS-YOU eve: question abcdefxy: two?, 1m",
                {120, "bob", "you", "one?", KIND_QUESTION, .asks = true, .id = "abcdefghij"},
                {60, "eve", "you", "two?", KIND_QUESTION, .asks = true, .id = "abcdefxyz"});
}

Test(agent, silence_over_unread_mail_may_be_stuck)
{
    assert_said("STUCK? infra-4: silent 19m, 3 unread since 17m; last: \"no disk left\"",
                {19 * MINUTES, "infra-4", "you", "no disk left"},
                {17 * MINUTES, "you", "infra-4", "free some"},
                {16 * MINUTES, "you", "infra-4", "well?"},
                {2 * MINUTES, "you", "infra-4", "hello?"});
}

Test(agent, mail_that_came_just_now_makes_nobody_stuck)
{
    assert_said("IDLE bob: silent 3h, 1 unread since 2m; last: \"done\" 3h ago",
                {3 * HOURS, "bob", "you", "done"}, {2 * MINUTES, "you", "bob", "another thing"});
}

Test(agent, silence_while_somebody_waits_for_an_answer_may_be_stuck)
{
    assert_said("STUCK? bob: silent 19m, you wait for an answer since 18m; last: \"starting\"",
                {19 * MINUTES, "bob", "you", "starting"},
                {18 * MINUTES, "you", "bob", "which port?", KIND_QUESTION, STATUS_READ, true});
    assert_said("STUCK? bob: silent 19m, eve waits for an answer since 18m; last: \"starting\"\n"
                "WAITS eve: reply from bob, 18m (question 1f00: which port?); bob is STUCK?",
                {19 * MINUTES, "bob", "you", "starting"},
                {18 * MINUTES, "eve", "bob", "which port?", KIND_QUESTION, STATUS_READ, true});
}

Test(agent, who_waits_for_another_may_be_silent_while_a_third_waits)
{
    assert_said("WAITS eve: reply from bob, 40m (question 0f00: one?)\n"
                "WAITS bob: reply from cat, 30m (question 1f00: two?)\n"
                "WORKING cat: last: \"hm\" 1m ago; bob waits for an answer since 30m",
                {40 * MINUTES, "eve", "bob", "one?", KIND_QUESTION, STATUS_READ, true},
                {30 * MINUTES, "bob", "cat", "two?", KIND_QUESTION, STATUS_READ, true},
                {1 * MINUTES, "cat", "you", "hm"});
}

Test(agent, silence_on_a_task_may_be_stuck)
{
    const struct said said[] = {{19 * MINUTES, "bob", "you", "on it"}, {0}};
    const struct agent_task tasks[] = {
        {.id = TEXT("20"), .owner = TEXT("bob"), .status = TEXT("completed")},
        {.id = TEXT("21"),
         .subject = TEXT("parser.c"),
         .owner = TEXT("bob"),
         .status = TEXT("in_progress")},
    };

    assert_story(&(struct story){.said = said, .tasks = tasks, .task_count = 2},
                 "STUCK? bob: silent 19m on task 21: parser.c; last: \"on it\"");
}

Test(agent, a_task_in_progress_is_work)
{
    const struct said said[] = {{9, "w1", "you", "on it", .team = "dev"}, {0}};
    const struct agent_task tasks[] = {{.list = TEXT("dev"),
                                        .id = TEXT("21"),
                                        .subject = TEXT("parser.c"),
                                        .owner = TEXT("w1@dev"),
                                        .status = TEXT("in_progress")},
                                       {.list = TEXT("dev"),
                                        .id = TEXT("22"),
                                        .owner = TEXT("nobody"),
                                        .status = TEXT("in_progress")}};

    assert_story(&(struct story){.said = said, .tasks = tasks, .task_count = 2},
                 "WORKING w1: task 21: parser.c");
}

Test(agent, who_writes_but_does_not_read_may_be_stuck)
{
    assert_said("STUCK? bob: wrote 3m ago, but leaves 1 unread since 12m",
                {12 * MINUTES, "you", "bob", "stop that"}, {3 * MINUTES, "bob", "you", "step 4"});
}

Test(agent, a_long_turn_over_unread_mail_is_work_until_silence_is_old)
{
    assert_said("WORKING bob: last: \"step 4\" 14m ago; 1 unread since 12m",
                {14 * MINUTES, "bob", "you", "step 4"}, {12 * MINUTES, "you", "bob", "stop that"});
}

Test(agent, a_notice_of_failure_may_be_stuck)
{
    assert_said("STUCK? bob: says it failed, 3m: \"disk full\"",
                {4 * MINUTES, "bob", "you", "building"},
                {3 * MINUTES, "bob", "you", .kind = KIND_IDLE, .subject = "Idle",
                 .idle = {.reason = TEXT("failed"), .failure = TEXT("disk full")}});
    assert_said("STUCK? bob: was interrupted, 3m",
                {3 * MINUTES, "bob", "you", IDLE("interrupted")});
    assert_said("STUCK? bob: says task 12 is blocked, 3m",
                {3 * MINUTES, "bob", "you", .kind = KIND_IDLE, .subject = "Idle",
                 .idle = {.reason = TEXT("available"),
                          .task = TEXT("12"),
                          .task_status = TEXT("blocked")}});
    assert_said("STUCK? bob: says task 12 failed, 3m; 1 unread since 1m",
                {3 * MINUTES, "bob", "you", .kind = KIND_IDLE, .subject = "Idle",
                 .idle = {.task = TEXT("12"), .task_status = TEXT("failed")}},
                {1 * MINUTES, "you", "bob", "why?"});
}

Test(agent, a_failure_that_something_followed_is_past)
{
    assert_said("WORKING bob: last: \"again\" 1m ago", {3 * MINUTES, "bob", "you", IDLE("failed")},
                {1 * MINUTES, "bob", "you", "again"});
}

Test(agent, work_on_one_message_for_long_may_be_stuck)
{
    assert_said("STUCK? bob: at work on 0f00 since 45m (when it was read): \"fix it\"",
                {50 * MINUTES, "you", "bob", "fix it", .status = STATUS_PROCESSING,
                 .read_ago_s = 45 * MINUTES},
                {5 * MINUTES, "bob", "you", "still busy"});
    assert_said("STUCK? bob: at work on 0f00 since 50m (when it was sent): \"fix it\", and 1 more",
                {50 * MINUTES, "you", "bob", "fix it", .status = STATUS_PROCESSING},
                {55 * MINUTES, "you", "bob", "that too", .status = STATUS_PROCESSING,
                 .read_ago_s = 5 * MINUTES});
    assert_said("WORKING bob: at work on 0f00 since 20m (when it was sent): \"fix it\"",
                {20 * MINUTES, "you", "bob", "fix it", .status = STATUS_PROCESSING},
                {5 * MINUTES, "bob", "you", "busy"});
}

Test(agent, a_message_that_was_given_up_may_be_stuck)
{
    assert_said("STUCK? bob: failed at 0f00: \"fix it\"",
                {50 * MINUTES, "you", "bob", "fix it", .status = STATUS_FAILED},
                {5 * MINUTES, "bob", "you", "next"});
}

Test(agent, mail_that_does_not_reach_it_may_be_stuck)
{
    const struct agent_unsent old = {.to = TEXT("bob"), .since_us = NOW_US - 720 * SECOND_US};
    const struct agent_unsent fresh = {.to = TEXT("bob"), .since_us = NOW_US - 60 * SECOND_US};
    const struct agent_unsent failed[] = {
        fresh, {.to = TEXT("bob"), .since_us = NOW_US - 30 * SECOND_US, .failed = true}};

    assert_story(&(struct story){.unsent = &old, .unsent_count = 1},
                 "STUCK? bob: 1 message for it queued since 12m: see outbox");
    assert_story(&(struct story){.unsent = &fresh, .unsent_count = 1},
                 "IDLE bob: never heard, nothing waits");
    assert_story(&(struct story){.unsent = failed, .unsent_count = 2},
                 "STUCK? bob: 2 messages for it cannot be delivered since 1m: see outbox");
}

Test(agent, who_rests_and_has_read_everything_is_idle_however_long)
{
    assert_said("IDLE bob: idle since 9h; last: \"done\" 10h ago",
                {10 * HOURS, "bob", "you", "done"}, {9 * HOURS, "bob", "you", IDLE("available")});
    assert_said("IDLE bob: idle since 9h; you wait for an answer since 10h",
                {10 * HOURS, "you", "bob", "well?", KIND_QUESTION, STATUS_READ, true},
                {9 * HOURS, "bob", "you", IDLE("available")});
}

Test(agent, who_rests_over_unread_mail_may_be_stuck)
{
    assert_said("STUCK? bob: idle since 14m, 3 unread since 12m: nobody woke it",
                {14 * MINUTES, "bob", "you", IDLE("available")},
                {12 * MINUTES, "you", "bob", "one"}, {11 * MINUTES, "you", "bob", "two"},
                {1 * MINUTES, "you", "bob", "three"});
    assert_said("IDLE bob: idle since 14m; 1 unread since 2m",
                {14 * MINUTES, "bob", "you", IDLE("available")},
                {2 * MINUTES, "you", "bob", "one"});
}

Test(agent, an_idle_notice_of_the_same_moment_is_the_last_word)
{
    assert_said("IDLE bob: idle since 1m; last: \"done\" 1m ago",
                {1 * MINUTES, "bob", "you", IDLE("available"), .id = "a"},
                {1 * MINUTES, "bob", "you", "done", .id = "b"});
}

Test(agent, who_read_something_after_it_rested_was_woken)
{
    assert_said("WORKING bob: has read \"do this\" from you, 3m old",
                {14 * MINUTES, "bob", "you", IDLE("available")},
                {3 * MINUTES, "you", "bob", "do this", .status = STATUS_READ});
    assert_said("IDLE bob: idle since 40m", {40 * MINUTES, "bob", "you", IDLE("available")},
                {30 * MINUTES, "you", "bob", "do this", .status = STATUS_READ});
    assert_said("IDLE bob: idle since 14m", {14 * MINUTES, "bob", "you", IDLE("available")},
                {3 * MINUTES, "you", "bob", "Mode: plan", KIND_MODE, STATUS_READ});
}

Test(agent, an_idle_notice_tells_whom_it_waits_for)
{
    const struct notice wrote = {.reason = TEXT("available"), .summary = TEXT("[to eve] look")};

    assert_said("WAITS bob: wrote to eve, unread there since 4m: \"please look\"\n"
                "WORKING eve: last: \"hm\" 1m ago; 1 unread since 4m",
                {4 * MINUTES, "bob", "eve", "please look"},
                {3 * MINUTES, "bob", "you", .kind = KIND_IDLE, .subject = "Idle", .idle = wrote},
                {1 * MINUTES, "eve", "you", "hm"});
    assert_said("WORKING eve: last: \"hm\" 1m ago\n"
                "IDLE bob: idle since 3m; wrote to eve: \"look\"",
                {4 * MINUTES, "bob", "eve", "please look", .status = STATUS_READ},
                {3 * MINUTES, "bob", "you", .kind = KIND_IDLE, .subject = "Idle", .idle = wrote},
                {1 * MINUTES, "eve", "you", "hm"});
}

Test(agent, an_idle_notice_tells_which_task_has_ended)
{
    assert_said("IDLE bob: idle since 3m; task 12 resolved",
                {3 * MINUTES, "bob", "you", .kind = KIND_IDLE, .subject = "Idle",
                 .idle = {.task = TEXT("12"), .task_status = TEXT("resolved")}});
}

Test(agent, who_asked_another_agent_waits_for_it)
{
    assert_said("WAITS doc-3: reply from builder-1, 4m (question 0f00: which port?)\n"
                "WORKING builder-1: last: \"busy\" 1m ago; 1 unread since 4m",
                {4 * MINUTES, "doc-3", "builder-1", "which port?", KIND_QUESTION, .asks = true},
                {1 * MINUTES, "builder-1", "you", "busy"});
}

Test(agent, nothing_waits_for_the_silent_who_have_read_everything)
{
    assert_said("IDLE bob: nothing waits; last: \"done\" 3h ago",
                {3 * HOURS, "bob", "you", "done"});
}

Test(agent, who_agreed_to_shut_down_is_gone)
{
    assert_said(
        "GONE bob: shut down 2h ago; 1 unread will not be read",
        {2 * HOURS, "bob", "you", "Shutdown approved", KIND_SHUTDOWN, .verdict = VERDICT_YES},
        {1 * HOURS, "you", "bob", "still there?"});
    assert_said(
        "WORKING bob: last: \"back\" 1m ago",
        {2 * HOURS, "bob", "you", "Shutdown approved", KIND_SHUTDOWN, .verdict = VERDICT_YES},
        {1 * MINUTES, "bob", "you", "back"});
    assert_said(
        "WORKING bob: last: \"Shutdown rejected\" 1m ago",
        {1 * MINUTES, "bob", "you", "Shutdown rejected", KIND_SHUTDOWN, .verdict = VERDICT_NO});
}

Test(agent, what_a_roster_says_counts)
{
    const struct agent_known known[] = {
        {KNOWN("done"), .status = TEXT("completed"), .on_roster = true, .gone = true},
        {KNOWN("ill"), .status = TEXT("failed"), .on_roster = true, .gone = true},
        {KNOWN("lazy"), .on_roster = true, .idle = true},
        {KNOWN("new"), .on_roster = true},
        {KNOWN("you"), .on_roster = true, .person = true},
    };
    const struct said said[] = {{2 * HOURS, "ill", "you", "help"},
                                {2 * HOURS, "lazy", "you", "done"},
                                {1 * HOURS, "you", "done", "one more"},
                                {0}};

    assert_story(&(struct story){.said = said, .known = known, .known_count = 5},
                 "STUCK? ill: the roster says failed; last: \"help\" 2h ago\n"
                 "IDLE lazy: the roster says idle; last: \"done\" 2h ago\n"
                 "IDLE new: never heard, nothing waits\n"
                 "GONE done: the roster says completed; 1 unread will not be read");
}

Test(agent, members_who_never_spoke_are_stuck_only_over_old_mail)
{
    const struct agent_known known[] = {{KNOWN("a"), .on_roster = true},
                                        {KNOWN("b"), .on_roster = true}};
    const struct said said[] = {
        {12 * MINUTES, "you", "a", "start"}, {9 * MINUTES, "you", "b", "start"}, {0}};

    assert_story(&(struct story){.said = said, .known = known, .known_count = 2},
                 "STUCK? a: never heard, 1 unread since 12m\n"
                 "IDLE b: never heard, 1 unread since 9m");
}

Test(agent, who_is_on_no_roster_is_told_apart_or_gone)
{
    const struct agent_known known[] = {{KNOWN("a"), .on_roster = true},
                                        {KNOWN("code"), .on_roster = true, .implied = true},
                                        {KNOWN("ask"), .on_roster = true, .implied = true}};
    const struct said said[] = {{1 * MINUTES, "guest", "you", "hi"},
                                {2 * HOURS, "left", "you", "bye"},
                                {1 * HOURS, "you", "left", "wait"},
                                {1 * HOURS, "you", "phantom", "hello"},
                                {1 * HOURS, "asker", "you", "may I?", KIND_QUESTION, .asks = true},
                                {2 * HOURS, "code", "you", "done"},
                                {0}};

    assert_story(&(struct story){.said = said, .known = known, .known_count = 3},
                 "WAITS-YOU asker: question 4f00: may I?, 1h; on no roster\n"
                 "WORKING guest: last: \"hi\" 1m ago; on no roster\n"
                 "IDLE code: nothing waits; last: \"done\" 2h ago\n"
                 "IDLE a: never heard, nothing waits\n"
                 "GONE left: left the roster; 1 unread will not be read; last: \"bye\" 2h ago\n"
                 "GONE phantom: on no roster, never heard; 1 unread will not be read");
}

Test(agent, nobody_leaves_a_team_without_a_roster)
{
    const struct agent_known known[] = {{.team = TEXT("dev"), KNOWN("a"), .on_roster = true}};
    const struct said said[] = {{2 * HOURS, "b", "you", "bye", .team = "ops"}, {0}};

    assert_story(&(struct story){.said = said, .known = known, .known_count = 1},
                 "IDLE b: nothing waits; last: \"bye\" 2h ago\n"
                 "IDLE a: never heard, nothing waits");
}

Test(agent, all_spellings_of_a_name_are_one_row)
{
    const struct agent_known known[] = {
        {KNOWN("architect"), .on_roster = true, .role = TEXT("design")},
        {KNOWN("dev/architect"), .box = true},
        {KNOWN("empty"), .box = true}};
    const struct said said[] = {{20 * MINUTES, "you", "architect", "one"},
                                {15 * MINUTES, "you", "dev/architect", "two"},
                                {1 * MINUTES, "dev/architect", "you", "three"},
                                {0}};
    struct telling telling;

    tell(&telling, &(struct story){.said = said, .known = known, .known_count = 3});
    cr_assert_eq(telling.agents.count, 2);
    const struct agent *agent = &telling.agents.items[0];
    assert_span(agent->name, "architect");
    assert_span(agent->role, "design");
    assert_span(agent->why, "wrote 1m ago, but leaves 2 unread since 20m");
    cr_assert_eq(agent->unread, 2);
    cr_assert_eq(agent->unread_us, NOW_US - 20 * MINUTES * SECOND_US);
    cr_assert_eq(agent->names.count, 2);
    assert_span(agent->names.items[0], "architect");
    assert_span(agent->names.items[1], "dev/architect");
    assert_span(telling.agents.items[1].name, "empty");
    tell_no_more(&telling);
}

Test(agent, what_is_damaged_archived_or_expired_does_not_wait)
{
    assert_said("IDLE bob: nothing waits; last: \"done\" 3h ago", {3 * HOURS, "bob", "you", "done"},
                {2 * HOURS, "you", "bob", "broken", .damaged = true},
                {2 * HOURS, "you", "bob", "put away", .archived = true},
                {2 * HOURS, "you", "bob", "expired", .ends_in_s = -5});
}

Test(agent, a_time_to_come_is_no_evidence)
{
    assert_said("IDLE bob: nothing waits; last: \"done\" 3h ago", {3 * HOURS, "bob", "you", "done"},
                {-9 * HOURS, "bob", "you", "from tomorrow"},
                {0, "bob", "you", "whenever", .timeless = true});
    assert_said("WORKING bob: last: \"a fast clock\" now", {-10, "bob", "you", "a fast clock"});
}

Test(agent, long_texts_are_cut_between_characters_and_to_one_line)
{
    assert_said("WORKING bob: last: \"\303\204\303\204\303\204\303\204\303\204\303\204\303\204"
                "\303\204\303\204\303\204 0123456789 0123456789 0123456789 0...\" 1m ago",
                {1 * MINUTES, "bob", "you",
                 "\303\204\303\204\303\204\303\204\303\204\303\204\303\204\303\204\303\204\303\204"
                 " 0123456789 0123456789 0123456789 0123456789\nmore"});
}

Test(agent, the_next_change_is_the_first_limit_that_is_reached)
{
    const struct said working[] = {{5 * MINUTES, "bob", "you", "busy"}, {0}};
    const struct said resting[] = {{5 * HOURS, "bob", "you", IDLE("available")}, {0}};
    const struct said unread[] = {
        {5 * HOURS, "bob", "you", IDLE("available")}, {4 * MINUTES, "you", "bob", "one"}, {0}};
    const struct said ending[] = {{5 * HOURS, "bob", "you", IDLE("available")},
                                  {4 * MINUTES, "you", "bob", "one", .ends_in_s = 7},
                                  {0}};
    const struct {
        const struct said *said;
        int64_t next_us;
    } cases[] = {{working, NOW_US + 10 * MINUTES * SECOND_US + 1},
                 {resting, TIME_NONE},
                 {unread, NOW_US + 6 * MINUTES * SECOND_US + 1},
                 {ending, NOW_US + 7 * SECOND_US}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct telling telling;
        tell(&telling, &(struct story){.said = cases[i].said});
        cr_assert_eq(telling.agents.next_change_us, cases[i].next_us, "case %zu", i);
        tell_no_more(&telling);
    }
}

Test(agent, limits_are_those_that_were_given)
{
    const struct said said[] = {{12 * MINUTES, "you", "bob", "one"}, {0}};
    const struct agent_limits patient = {.silent_us = 1, .unread_us = HOURS * SECOND_US};

    assert_story(&(struct story){.said = said, .limits = patient},
                 "IDLE bob: never heard, 1 unread since 12m");
}

Test(agent, a_row_has_its_numbers_and_its_evidence)
{
    const struct said said[] = {
        {9 * MINUTES, "bob", "you", "may I?", KIND_QUESTION, .asks = true},
        {8 * MINUTES, "bob", "eve", "can you?", KIND_QUESTION, .asks = true},
        {7 * MINUTES, "eve", "bob", "will you?", KIND_QUESTION, .asks = true},
        {0}};
    struct telling telling;

    tell(&telling, &(struct story){.said = said});
    const struct agent *bob = &telling.agents.items[0];
    assert_span(bob->name, "bob");
    cr_assert_eq(bob->state, AGENT_WAITS_YOU);
    cr_assert_eq(bob->evidence, 0);
    cr_assert_eq(bob->heard_us, NOW_US - 8 * MINUTES * SECOND_US);
    cr_assert_eq(bob->asks_you, 1);
    cr_assert_eq(bob->asks_by, 1);
    cr_assert_eq(bob->asks_to, 1);
    cr_assert_eq(bob->unread, 1);
    cr_assert(bob->spoke && !bob->on_roster && !bob->off_roster);
    assert_span(bob->waits_on, "you");
    cr_assert_eq(bob->waits_us, NOW_US - 9 * MINUTES * SECOND_US);
    cr_assert_eq(bob->circle, 0);
    cr_assert_eq(telling.agents.in_state[AGENT_WAITS_YOU], 1);
    cr_assert_eq(telling.agents.in_state[AGENT_STUCK], 1);
    tell_no_more(&telling);
}

Test(agent, a_hundred_thousand_messages_of_a_thousand_agents_make_a_thousand_rows)
{
    enum { MESSAGES = 100000, AGENTS = 1000 };
    struct telling telling = {0};
    char from[16], to[16];

    for (size_t i = 0; i < MESSAGES; i++) {
        snprintf(from, sizeof from, "a%zu", i % AGENTS);
        snprintf(to, sizeof to, "a%zu", (i * 7 + 1) % AGENTS);
        struct said said = {(int)(i % 5000), from, to, "s", KIND_QUESTION, .asks = i % 3 == 0};
        say(&telling.batch, &said, i);
    }
    model_add(&telling.model, &telling.batch);
    requests_build(&telling.asks, &telling.model, NOW_US);
    struct agents_input input = {.model = &telling.model,
                                 .asks = &telling.asks,
                                 .now_us = NOW_US,
                                 .limits = &agent_limits_default,
                                 .identify = identify_plainly};
    agents_build(&telling.agents, &input);
    cr_assert_eq(telling.agents.count, AGENTS);
    tell_no_more(&telling);
}

Test(agent, who_has_taken_a_message_on_is_at_work_until_that_takes_long)
{
    assert_said("WORKING bob: at work on 0f00 since 20m (when it was read): \"port it\"",
                {40 * MINUTES, "you", "bob", "port it", KIND_QUESTION, STATUS_PROCESSING, true,
                 .read_ago_s = 20 * MINUTES});
    assert_said("WORKING bob: at work on 1f00 since 20m (when it was read): \"port it\"; 1 unread "
                "since 1m",
                {50 * MINUTES, "bob", "you", "ready"},
                {40 * MINUTES, "you", "bob", "port it", KIND_QUESTION, STATUS_PROCESSING, true,
                 .read_ago_s = 20 * MINUTES},
                {1 * MINUTES, "you", "bob", "and this"});
    assert_said("STUCK? bob: at work on 0f00 since 31m (when it was read): \"port it\"",
                {40 * MINUTES, "you", "bob", "port it", KIND_QUESTION, STATUS_PROCESSING, true,
                 .read_ago_s = 31 * MINUTES});
}

Test(agent, who_read_a_request_long_ago_and_never_said_a_word_may_be_stuck)
{
    assert_said("STUCK? bob: never heard, you wait for an answer since 16m",
                {16 * MINUTES, "you", "bob", "which port?", KIND_QUESTION, STATUS_READ, true});
    assert_said("IDLE bob: never heard, you wait for an answer since 14m",
                {14 * MINUTES, "you", "bob", "which port?", KIND_QUESTION, STATUS_READ, true});
}
