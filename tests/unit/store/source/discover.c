/* Tests discovery: where mailboxes are searched, and which one is chosen. */
#include "tests/unit/support.h"

#include "store/source/source.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct tmp tmp;
static struct str found, looked, want;
static size_t stop_after;

static void make(void)
{
    static const char *const variables[] = {"CLAUDE_CONFIG_DIR", "OPENCLAW_STATE_DIR",
                                            "CLAWDBOT_STATE_DIR"};
    char resolved[PATH_MAX];
    struct str home = {0};

    tmp_make(&tmp);
    cr_assert_not_null(realpath(tmp.path, resolved)); /* as getcwd() returns it */
    cr_assert_lt(strlen(resolved), sizeof tmp.path);
    memcpy(tmp.path, resolved, strlen(resolved) + 1);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    str_addf(&home, "%s/home", tmp.path);
    setenv("HOME", str_c(&home), 1);
    str_free(&home);
    cr_assert_eq(mkdirat(tmp.fd, "home", 0777), 0);
    cr_assert_eq(mkdirat(tmp.fd, "work", 0777), 0);
    cr_assert_eq(fchdir(tmp.fd), 0);
    cr_assert_eq(chdir("work"), 0);
    stop_after = SIZE_MAX;
}

static void clear(void)
{
    cr_assert_eq(chdir("/"), 0);
    str_free(&found);
    str_free(&looked);
    str_free(&want);
    tmp_remove(&tmp);
}

TestSuite(discover, .init = make, .fini = clear);

static void put_dir(const char *path)
{
    struct str file = {0};

    str_addf(&file, "%s/.keep", path);
    tmp_write(&tmp, str_c(&file), span_of(""));
    str_free(&file);
}

static void go_to(const char *path)
{
    cr_assert_eq(fchdir(tmp.fd), 0);
    cr_assert_eq(chdir(path), 0);
}

static void set_to(const char *variable, const char *path)
{
    struct str full = {0};

    str_addf(&full, "%s/%s", tmp.path, path);
    setenv(variable, str_c(&full), 1);
    str_free(&full);
}

static bool note(void *context, const char *spec)
{
    (void)context;
    str_addf(&found, "%s\n", spec);
    return stop_after-- > 1;
}

static bool style(const char *format)
{
    str_clear(&found);
    str_clear(&looked);
    return discover(format_find(span_of(format)), note, NULL, &looked);
}

/* Each is FORMAT:PATH beneath the temporary directory; NULL ends them. */
static void expect(const char *format, const char *first, const char *second)
{
    cr_assert(style(format));
    str_clear(&want);
    if (first)
        str_addf(&want, "%s:%s/%s\n", format, tmp.path, first);
    if (second)
        str_addf(&want, "%s:%s/%s\n", format, tmp.path, second);
    cr_assert_str_eq(str_c(&found), str_c(&want));
}

Test(discover, teams_lie_in_the_home_directory)
{
    expect("claude", NULL, NULL);
    put_dir("home/.claude");
    expect("claude", NULL, NULL);
    put_dir("home/.claude/teams");
    expect("claude", "home/.claude", NULL);
    cr_assert(strstr(str_c(&looked), "~/.claude"), "%s", str_c(&looked));
    cr_assert(strstr(str_c(&looked), "$CLAUDE_CONFIG_DIR"), "%s", str_c(&looked));
}

Test(discover, a_variable_that_is_set_decides)
{
    put_dir("home/.claude/teams");
    put_dir("conf/teams");
    set_to("CLAUDE_CONFIG_DIR", "conf");
    expect("claude", "conf", NULL);
    set_to("CLAUDE_CONFIG_DIR", "nothing-here");
    expect("claude", NULL, NULL);
    setenv("CLAUDE_CONFIG_DIR", "", 1);
    expect("claude", "home/.claude", NULL);
}

Test(discover, of_several_usual_places_the_first_that_is_there_counts)
{
    put_dir("home/.moltbot/teams");
    expect("openclaw", "home/.moltbot/teams", NULL);
    put_dir("home/.openclaw/teams");
    expect("openclaw", "home/.openclaw/teams", NULL);
    put_dir("conf/teams");
    set_to("CLAWDBOT_STATE_DIR", "conf");
    expect("openclaw", "conf/teams", NULL);
    set_to("OPENCLAW_STATE_DIR", "empty");
    expect("openclaw", NULL, NULL);
}

Test(discover, a_projects_mailboxes_are_found_from_anywhere_inside)
{
    put_dir("work/.roo");
    put_dir("work/src/deep/down");
    expect("roo", "work", NULL);
    go_to("work/src/deep/down");
    expect("roo", "work", NULL);
    put_dir("work/src/.roo");
    expect("roo", "work/src", NULL);
    cr_assert(strstr(str_c(&looked), ".roo here and above"), "%s", str_c(&looked));
    go_to("home");
    expect("roo", NULL, NULL);
}

Test(discover, mailboxes_in_a_directory_of_the_project_are_named_by_it)
{
    put_dir("work/workspace/mailboxes");
    put_dir("work/src");
    go_to("work/src");
    expect("adr", "work/workspace/mailboxes", NULL);
    go_to("home");
    expect("adr", NULL, NULL);
}

Test(discover, the_project_and_the_home_directory_may_both_have_some)
{
    put_dir("work/scheduler/inboxes");
    put_dir("home/clawd/scheduler/inboxes");
    expect("inbox", "work/scheduler/inboxes", "home/clawd/scheduler/inboxes");
    stop_after = 1;
    cr_assert_not(style("inbox"), "it stops when it is told to");
    str_clear(&want);
    str_addf(&want, "inbox:%s/work/scheduler/inboxes\n", tmp.path);
    cr_assert_str_eq(str_c(&found), str_c(&want));
}

Test(discover, a_file_in_the_place_of_a_directory_is_no_mailbox)
{
    tmp_write(&tmp, "work/.roo", span_of("x"));
    tmp_write(&tmp, "home/.claude/teams", span_of("x"));
    expect("roo", NULL, NULL);
    expect("claude", NULL, NULL);
}

Test(discover, without_a_home_only_the_project_is_looked_at)
{
    put_dir("home/.claude/teams");
    unsetenv("HOME");
    expect("claude", NULL, NULL);
    setenv("HOME", "relative", 1);
    expect("claude", NULL, NULL);
    put_dir("work/.roo");
    expect("roo", "work", NULL);
}

Test(discover, from_a_directory_that_is_gone_the_home_is_still_looked_at)
{
    put_dir("home/clawd/scheduler/inboxes");
    go_to("work");
    cr_assert_eq(unlinkat(tmp.fd, "work", AT_REMOVEDIR), 0);
    expect("inbox", "home/clawd/scheduler/inboxes", NULL);
}

static void expect_path(const char *path, const char *expanded)
{
    char *got = path_expand(path);

    if (expanded)
        cr_assert_str_eq(got, expanded);
    else
        cr_assert_null(got, "%s became %s", path, got);
    free(got);
}

Test(discover, paths_are_expanded_at_their_start)
{
    setenv("HOME", "/h", 1);
    setenv("PLACE", "/p/q", 1);
    setenv("RELATIVE", "p", 1);
    expect_path("~/x/y", "/h/x/y");
    expect_path("$PLACE", "/p/q");
    expect_path("$PLACE/teams", "/p/q/teams");
    expect_path("/a/$PLACE/~", "/a/$PLACE/~");
    expect_path("plain", "plain");
    expect_path("", "");
    expect_path("~user/x", "~user/x");
    expect_path("$NO_SUCH_VARIABLE_HERE/x", NULL);
    expect_path("$RELATIVE/x", NULL);
    expect_path("$", NULL);
    unsetenv("HOME");
    expect_path("~/x", NULL);
}

__attribute__((noinline)) static void leave_on_the_stack(const char *text)
{
    volatile char bytes[32768];
    size_t len = strlen(text) + 1;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = text[i % len];
}

Test(discover, a_variable_with_a_very_long_name_is_none)
{
    struct str path = {0};

    setenv("P", "/p", 1);
    str_putc(&path, '$');
    str_pad(&path, 'A', 80);
    str_puts(&path, "/x");
    leave_on_the_stack("P"); /* the name must not be read from uninitialised memory */
    expect_path(str_c(&path), NULL);
    str_free(&path);
}
