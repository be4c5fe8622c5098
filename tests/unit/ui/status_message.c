/* Tests the messages in the last line, and how long they are shown. */
#include "tests/unit/support.h"

#include "ui/ui.h"

static struct status_message saying;

static void clear(void)
{
    status_message_free(&saying);
}

TestSuite(saying, .fini = clear);

#define NOW INT64_C(1000000)

Test(saying, a_sentence_lasts_until_the_next_key)
{
    status_message_set(&saying, STYLE_PLAIN, "done");
    cr_assert_str_eq(str_c(&saying.said), "done");
    status_message_key(&saying, NOW);
    cr_assert_eq(saying.said.len, 0);
}

Test(saying, a_failure_stays_until_a_key_after_a_moment)
{
    status_message_fail(&saying, "no room");
    status_message_show(&saying, NOW);
    status_message_key(&saying, NOW + STATUS_MESSAGE_MOMENT_US - 1);
    cr_assert_str_eq(str_c(&saying.failed), "no room");
    status_message_show(&saying, NOW + STATUS_MESSAGE_MOMENT_US - 1); /* each key draws it again */
    status_message_key(&saying, NOW + STATUS_MESSAGE_MOMENT_US);
    cr_assert_eq(saying.failed.len, 0);
}

Test(saying, a_failure_that_nobody_could_see_stays)
{
    status_message_fail(&saying, "no room");
    status_message_key(&saying, NOW + 100 * STATUS_MESSAGE_MOMENT_US);
    cr_assert_str_eq(str_c(&saying.failed), "no room");
}

Test(saying, another_failure_has_a_moment_of_its_own)
{
    status_message_fail(&saying, "no room");
    status_message_show(&saying, NOW);
    status_message_fail(&saying, "no luck");
    status_message_key(&saying, NOW + 2 * STATUS_MESSAGE_MOMENT_US);
    cr_assert_str_eq(str_c(&saying.failed), "no luck");
    status_message_show(&saying, NOW + 2 * STATUS_MESSAGE_MOMENT_US);
    status_message_key(&saying, NOW + 3 * STATUS_MESSAGE_MOMENT_US);
    cr_assert_eq(saying.failed.len, 0);
}

Test(saying, a_sentence_takes_no_failure_away)
{
    status_message_set(&saying, STYLE_DIM, "sending ...");
    status_message_fail(&saying, "no room");
    cr_assert_eq(saying.said.len, 0, "that is over");
    status_message_set(&saying, STYLE_PLAIN, "kept");
    cr_assert_str_eq(str_c(&saying.failed), "no room");
    cr_assert_str_eq(str_c(&saying.said), "kept");
}
