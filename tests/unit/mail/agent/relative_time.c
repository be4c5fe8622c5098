/* Tests sentences whose ages advance while they are shown. */
#include "agent_support.h"

TestSuite(aging);

/* Compares the first agent's sentence, shown `seconds` after it was made. */
static void assert_later(const struct said *said, int seconds, const char *want)
{
    struct telling telling;
    struct str got = {0};

    tell(&telling, &(struct story){.said = said});
    const struct agent *agent = &telling.agents.items[0];
    relative_time_add(&got, agent->why, &agent->why_ages, NOW_US + seconds * SECOND_US);
    cr_assert_str_eq(str_c(&got), want, "%s", str_c(&got));
    str_free(&got);
    tell_no_more(&telling);
}

Test(aging, an_age_in_a_reason_is_no_older_than_the_column_beside_it)
{
    const struct said blind[] = {
        {0, "bob", "you", "12s ago"}, {12 * MINUTES, "you", "bob", "please"}, {0}};
    const struct said silent[] = {
        {19 * MINUTES, "bob", "you", "silent 19m"}, {17 * MINUTES, "you", "bob", "free some"}, {0}};

    assert_later(blind, 0, "wrote now, but leaves 1 unread since 12m");
    assert_later(blind, 45, "wrote 45s ago, but leaves 1 unread since 12m");
    assert_later(blind, 120, "wrote 2m ago, but leaves 1 unread since 14m");
    /* the quoted text of the agent does not change */
    assert_later(silent, 3600, "silent 1h, 1 unread since 1h; last: \"silent 19m\"");
}

Test(aging, a_sentence_without_ages_is_left_alone)
{
    struct str got = {0};

    relative_time_add(&got, span_of("nothing waits"), NULL, NOW_US);
    relative_time_add(&got, (struct span){0}, &(struct aging){0}, NOW_US);
    cr_assert_str_eq(str_c(&got), "nothing waits");
    relative_time_add_age(&got, TIME_NONE, false, NOW_US);
    cr_assert_str_eq(str_c(&got), "nothing waitsunknown");
    str_free(&got);
}
