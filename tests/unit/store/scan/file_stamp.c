/* Tests file stamps: when a file can be trusted without reading it. */
#include "tests/unit/support.h"

#include "store/scan/file_list.h"

#define SECOND INT64_C(1000000000)

static struct stamp stamp(int64_t mtime_ns, int64_t ctime_ns, int64_t read_ns)
{
    return (struct stamp){
        .size = 10, .mtime_ns = mtime_ns, .ctime_ns = ctime_ns, .ino = 7, .read_ns = read_ns};
}

Test(stamp, a_file_that_was_touched_just_before_it_was_read_is_not_trusted)
{
    struct stamp now = stamp(100 * SECOND, 100 * SECOND, 0);
    struct stamp late = stamp(100 * SECOND, 100 * SECOND, 103 * SECOND);
    struct stamp edge = stamp(100 * SECOND, 100 * SECOND, 102 * SECOND);
    struct stamp soon = stamp(100 * SECOND, 100 * SECOND, 102 * SECOND - 1);
    struct stamp never = stamp(100 * SECOND, 100 * SECOND, 0);

    cr_assert(file_stamp_holds(&late, &now));
    cr_assert(file_stamp_holds(&edge, &now));
    cr_assert_not(file_stamp_holds(&soon, &now));
    cr_assert_not(file_stamp_holds(&never, &now));
}

Test(stamp, both_times_count)
{
    struct stamp now = stamp(1 * SECOND, 100 * SECOND, 0);
    struct stamp read = stamp(1 * SECOND, 100 * SECOND, 101 * SECOND);

    cr_assert_not(file_stamp_holds(&read, &now)); /* its time was set back just now */
    read.read_ns = 200 * SECOND;
    cr_assert(file_stamp_holds(&read, &now));
}

Test(stamp, a_file_from_the_future_is_never_trusted)
{
    struct stamp read = stamp(500 * SECOND, 100 * SECOND, 200 * SECOND), now = read;

    cr_assert_not(file_stamp_holds(&read, &now));
    read = now = stamp(100 * SECOND, 500 * SECOND, 200 * SECOND);
    cr_assert_not(file_stamp_holds(&read, &now));
}

Test(stamp, any_difference_tells)
{
    struct stamp read = stamp(100 * SECOND, 100 * SECOND, 200 * SECOND), now = read;

    now.size++;
    cr_assert_not(file_stamp_holds(&read, &now));
    now = read;
    now.ino++;
    cr_assert_not(file_stamp_holds(&read, &now));
    now = read;
    now.mtime_ns--;
    cr_assert_not(file_stamp_holds(&read, &now));
    now = read;
    now.ctime_ns--; /* the clock was set back */
    cr_assert_not(file_stamp_holds(&read, &now));
}
