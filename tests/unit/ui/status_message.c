/* Tests of what is said at the foot, and for how long. */
#include "tests/unit/support.h"

#include "ui/ui.h"

static struct saying saying;

static void clear(void)
{
    saying_free(&saying);
}

TestSuite(saying, .fini = clear);

#define NOW INT64_C(1000000)

Test(saying, a_sentence_lasts_until_the_next_key)
{
    saying_say(&saying, LOOK_PLAIN, "done");
    cr_assert_str_eq(str_c(&saying.said), "done");
    saying_key(&saying, NOW);
    cr_assert_eq(saying.said.len, 0);
}

Test(saying, a_failure_stays_until_a_key_after_a_moment)
{
    saying_fail(&saying, "no room");
    saying_show(&saying, NOW);
    saying_key(&saying, NOW + SAYING_MOMENT_US - 1);
    cr_assert_str_eq(str_c(&saying.failed), "no room");
    saying_show(&saying, NOW + SAYING_MOMENT_US - 1); /* it is drawn again with each key */
    saying_key(&saying, NOW + SAYING_MOMENT_US);
    cr_assert_eq(saying.failed.len, 0);
}

Test(saying, a_failure_that_nobody_could_see_stays)
{
    saying_fail(&saying, "no room");
    saying_key(&saying, NOW + 100 * SAYING_MOMENT_US);
    cr_assert_str_eq(str_c(&saying.failed), "no room");
}

Test(saying, another_failure_has_a_moment_of_its_own)
{
    saying_fail(&saying, "no room");
    saying_show(&saying, NOW);
    saying_fail(&saying, "no luck");
    saying_key(&saying, NOW + 2 * SAYING_MOMENT_US);
    cr_assert_str_eq(str_c(&saying.failed), "no luck");
    saying_show(&saying, NOW + 2 * SAYING_MOMENT_US);
    saying_key(&saying, NOW + 3 * SAYING_MOMENT_US);
    cr_assert_eq(saying.failed.len, 0);
}

Test(saying, a_sentence_takes_no_failure_away)
{
    saying_say(&saying, LOOK_DIM, "sending ...");
    saying_fail(&saying, "no room");
    cr_assert_eq(saying.said.len, 0, "that is over");
    saying_say(&saying, LOOK_PLAIN, "kept");
    cr_assert_str_eq(str_c(&saying.failed), "no room");
    cr_assert_str_eq(str_c(&saying.said), "kept");
}
