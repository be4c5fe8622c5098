/* Watching, over all layouts, when directories and roots vanish, become something else and
 * return. */
#include "watched.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(watching_directories, .fini = watched_stop, .timeout = 300);

#define watching_directories(Name) test_every_format(watching_directories, Name)

/* Changes the directories on the path to a message, from the root down. */
static void change_directories(void)
{
    char path[1024], away[600];

    watched_post_some();
    watched_settle("sent");
    watched_first_path(path, sizeof path);
    snprintf(away, sizeof away, "%s/away", world.tmp.path);
    for (char *end = strchr(path + strlen(world.inside) + 1, '/'); end;
         end = strchr(end + 1, '/')) {
        *end = '\0';
        cr_assert(renameat(world.tmp.fd, path, world.tmp.fd, away) == 0, "%s", path);
        watched_settle("gone");
        cr_assert(symlinkat(away, world.tmp.fd, path) == 0);
        watched_settle("a link");
        cr_assert(unlinkat(world.tmp.fd, path, 0) == 0);
        tmp_write(&world.tmp, path, span_of("a file"));
        watched_settle("a file");
        cr_assert(unlinkat(world.tmp.fd, path, 0) == 0);
        cr_assert(mkdirat(world.tmp.fd, path, 0755) == 0);
        watched_settle("empty");
        cr_assert(unlinkat(world.tmp.fd, path, AT_REMOVEDIR) == 0);
        cr_assert(renameat(world.tmp.fd, away, world.tmp.fd, path) == 0);
        cr_assert_eq(watched_settle("back"), 3);
        *end = '/';
    }
    watched_post("bob2");
    cr_assert_eq(watched_settle("one more"), 4);
}

watching_directories(directories_that_go_turn_into_links_and_come_back_show)
{
    watched_start(*index, false);
    change_directories();
}

Test(watching_directories,
     directories_that_go_turn_into_links_and_come_back_show_where_only_looking_finds_them)
{
    watched_start(watched_index_of("adr"), true);
    change_directories();
}

static void wait_for_count(size_t count, const char *when)
{
    for (time_t end = time(NULL) + WATCHED_LIMIT_S; live_count(watched.live) != count;)
        cr_assert(watched_wait(end), "%s", when);
}

static void assert_root_is_found_again(const char *when)
{
    char away[600];

    snprintf(away, sizeof away, "%s/away", world.tmp.path);
    cr_assert(rename(world.root, away) == 0);
    wait_for_count(0, "the root went");
    cr_assert(rename(away, world.root) == 0);
    wait_for_count(3, "the root came back");
    watched_settle(when);
}

watching_directories(a_root_that_goes_and_comes_back_is_found_again)
{
    watched_start(*index, false);
    watched_post_some();
    watched_settle("sent");
    assert_root_is_found_again("told");
}

watching_directories(a_root_that_goes_and_comes_back_is_found_again_by_looking)
{
    watched_start(*index, true);
    watched_post_some();
    watched_settle("sent");
    assert_root_is_found_again("looked at");
}

/* Moves the project and the root in it, whose own directory gets no event. */
watching_directories(a_root_that_goes_with_what_it_lies_in_is_found_again)
{
    char away[600];

    watched_start(*index, false);
    watched_post_some();
    watched_settle("sent");
    snprintf(away, sizeof away, "%s/away", world.tmp.path);
    cr_assert(rename(world.project, away) == 0);
    wait_for_count(0, "the project went");
    cr_assert(rename(away, world.project) == 0);
    wait_for_count(3, "the project came back");
    watched_settle("back");
}

/* A rename over an empty directory replaces it, without an event for its removal. */
watching_directories(a_root_that_another_directory_takes_the_place_of_is_found_again)
{
    char path[1024], away[600];

    watched_start(*index, false);
    watched_post_some();
    watched_settle("sent");
    watched_first_path(path, sizeof path);
    struct str bytes = tmp_read(&world.tmp, path);
    snprintf(away, sizeof away, "%s/away", world.tmp.path);
    cr_assert(rename(world.root, away) == 0);
    tmp_write(&world.tmp, path, str_span(&bytes));
    wait_for_count(1, "another root");
    cr_assert(unlinkat(world.tmp.fd, path, 0) == 0);
    for (char *end = strrchr(path, '/'); end > path + strlen(world.inside);
         end = strrchr(path, '/')) {
        *end = '\0';
        cr_assert(unlinkat(world.tmp.fd, path, AT_REMOVEDIR) == 0);
    }
    wait_for_count(0, "an empty root");
    cr_assert(rename(away, world.root) == 0);
    wait_for_count(3, "the first root again");
    watched_settle("full again");
    str_free(&bytes);
}
