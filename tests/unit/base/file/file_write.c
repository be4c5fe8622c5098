/* Tests writing files: whole or not at all, no change by others is lost, no escape from a
 * directory. */
#include "file_support.h"
#include "tests/unit/store/send/sync_support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static struct err err;

static void expect_content(const char *name, const char *text)
{
    struct str got = tmp_read(&tmp, name);
    bool same = span_is(str_span(&got), text);

    str_free(&got);
    cr_assert(same, "%s is not \"%s\"", name, text);
}

static mode_t mode_of(const char *name)
{
    struct file_id id;

    cr_assert_eq(file_stat(tmp.fd, name, &id, &err), FILE_OK);
    return id.mode & 07777;
}

static struct staged_file stage(const char *name, const char *text)
{
    struct staged_file staged;

    cr_assert(file_stage(&staged, tmp.fd, name, span_of(text), 0666, &err), "%s", err.text);
    return staged;
}

/* Writes "before" as another program and reads it. */
static void read_before(void)
{
    write_text("a", "before");
    cr_assert_eq(read_in(tmp.fd, "a", 100), FILE_OK);
}

/* Replaces the file that read_before() read with "ours". */
static enum file_result replace(void)
{
    struct staged_file staged = stage("a", "ours");

    return file_publish_over(&staged, &seen, &err);
}

static void change_always(int call)
{
    char text[32];

    snprintf(text, sizeof text, "version %.*s", call, "..........");
    write_text("a", text);
}

Test(file, what_was_read_of_a_file_that_never_rests_replaces_nothing_newer)
{
    write_text("a", "version");
    at_fstat = change_always;
    enum file_result result = read_in(tmp.fd, "a", 100);
    at_fstat = NULL;
    struct str now = tmp_read(&tmp, "a");
    bool stale = !span_eq(str_span(&content), str_span(&now));
    str_free(&now);
    if (result == FILE_OK && stale)
        cr_assert_eq(replace(), FILE_CHANGED);
}

Test(file, staged_content_is_whole_but_under_a_name_no_peer_looks_at)
{
    struct staged_file staged = stage("MSG-1.json", "{}");

    cr_assert_eq(tmp_count(&tmp, "."), 1);
    cr_assert_not(tmp_exists(&tmp, "MSG-1.json"));
    cr_assert(staged.temp[0] == '.' && span_ends(span_of(staged.temp), ".tmp"), "%s", staged.temp);
    expect_content(staged.temp, "{}");
    cr_assert_eq(file_publish_new(&staged, &err), FILE_OK);
    cr_assert_eq(tmp_count(&tmp, "."), 1);
    expect_content("MSG-1.json", "{}");
}

Test(file, discarded_content_leaves_nothing)
{
    struct staged_file staged = stage("a", "x");

    file_discard(&staged);
    file_discard(&staged);
    cr_assert_eq(tmp_count(&tmp, "."), 0);
}

Test(file, a_new_file_never_replaces_another_and_may_try_again)
{
    struct staged_file staged = stage("a", "ours");

    write_text("a", "theirs");
    cr_assert_eq(file_publish_new(&staged, &err), FILE_EXISTS);
    expect_content("a", "theirs");
    cr_assert(tmp_exists(&tmp, staged.temp));
    unlinkat(tmp.fd, "a", 0);
    make_link("elsewhere", "a");
    cr_assert_eq(file_publish_new(&staged, &err), FILE_EXISTS);
    unlinkat(tmp.fd, "a", 0);
    cr_assert_eq(file_publish_new(&staged, &err), FILE_OK);
    expect_content("a", "ours");
    cr_assert_eq(tmp_count(&tmp, "."), 1);
}

Test(file, a_new_file_gets_its_mode_less_the_umask)
{
    umask(027);
    struct staged_file staged = stage("a", "x");
    cr_assert_eq(file_publish_new(&staged, &err), FILE_OK);
    cr_assert_eq(mode_of("a"), 0640);
}

Test(file, a_replaced_file_keeps_its_mode_whatever_the_umask)
{
    static const mode_t modes[] = {0600, 0644, 0666, 0640};

    for (size_t i = 0; i < 2 * sizeof modes / sizeof *modes; i++) {
        umask(i % 2 ? 0 : 077);
        write_text("a", "before");
        cr_assert_eq(fchmodat(tmp.fd, "a", modes[i / 2], 0), 0);
        read_before();
        cr_assert_eq(replace(), FILE_OK);
        expect_content("a", "ours");
        cr_assert_eq(mode_of("a"), modes[i / 2]);
    }
    cr_assert_eq(tmp_count(&tmp, "."), 1);
}

static void set_mtime(time_t seconds)
{
    const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};

    cr_assert_eq(utimensat(tmp.fd, "a", times, 0), 0);
}

static void replace_by_theirs(void)
{
    write_text("b", "theirs");
    cr_assert_eq(renameat(tmp.fd, "b", tmp.fd, "a"), 0);
}

/* Changes the file after it was read, in one of four ways. */
static void change(int way)
{
    if (way == 0) { /* another file with the same size and age */
        replace_by_theirs();
        set_mtime(7);
    } else if (way == 1) { /* another age */
        write_text("a", "theirs");
        set_mtime(8);
    } else if (way == 2) { /* another size */
        write_text("a", "theirs, longer");
        set_mtime(7);
    } else {
        write_text("b", "theirs");
        unlinkat(tmp.fd, "a", 0);
        make_link("b", "a");
    }
}

static void expect_changes_are_kept(void)
{
    for (int way = 0; way < 4; way++) {
        write_text("a", "before");
        set_mtime(7);
        cr_assert_eq(read_in(tmp.fd, "a", 100), FILE_OK);
        change(way);
        int count = tmp_count(&tmp, ".");
        cr_assert_eq(replace(), FILE_CHANGED, "way %d", way);
        cr_assert_eq(file_remove(tmp.fd, "a", &seen, &err), FILE_CHANGED, "way %d", way);
        expect_content("a", way == 2 ? "theirs, longer" : "theirs");
        cr_assert_eq(tmp_count(&tmp, "."), count);
    }
}

static void expect_a_gone_file_stays_gone(void)
{
    read_before();
    unlinkat(tmp.fd, "a", 0);
    cr_assert_eq(replace(), FILE_GONE);
    cr_assert_eq(file_remove(tmp.fd, "a", &seen, &err), FILE_GONE);
    cr_assert_eq(tmp_count(&tmp, "."), 0);
}

Test(file, a_file_that_changed_since_it_was_read_is_neither_replaced_nor_removed)
{
    expect_changes_are_kept();
}

Test(file, a_file_that_is_gone_is_not_brought_back)
{
    expect_a_gone_file_stays_gone();
}

Test(file, the_rules_hold_where_two_names_cannot_be_exchanged)
{
    exchange_errno = EINVAL;
    expect_a_gone_file_stays_gone();
    read_before();
    cr_assert_eq(replace(), FILE_OK);
    expect_content("a", "ours");
    expect_changes_are_kept();
}

static void replace_at_first(int call)
{
    if (call == 1)
        replace_by_theirs();
}

Test(file, a_change_at_the_very_moment_of_replacing_is_put_back)
{
    read_before();
    at_exchange = replace_at_first;
    cr_assert_eq(replace(), FILE_CHANGED);
    expect_content("a", "theirs");
    cr_assert_eq(tmp_count(&tmp, "."), 1);
}

static void replace_then_take_away(int call)
{
    if (call == 1)
        replace_by_theirs();
    else
        unlinkat(tmp.fd, "a", 0);
}

Test(file, a_change_that_cannot_be_put_back_is_still_there_under_some_name)
{
    read_before();
    struct staged_file staged = stage("a", "ours"), copy = staged;
    at_exchange = replace_then_take_away;
    cr_assert_neq(file_publish_over(&staged, &seen, &err), FILE_OK);
    cr_assert(tmp_exists(&tmp, "a") || tmp_exists(&tmp, copy.temp), "theirs is lost: %s", err.text);
    expect_content(tmp_exists(&tmp, "a") ? "a" : copy.temp, "theirs");
}

Test(file, removes_the_file_that_was_read)
{
    read_before();
    cr_assert_eq(file_remove(tmp.fd, "a", &seen, &err), FILE_OK);
    cr_assert_eq(tmp_count(&tmp, "."), 0);
    cr_assert(file_sync_dir(tmp.fd, &err));
}

Test(file, staging_that_fails_leaves_nothing_and_says_why)
{
    static const char large[5000];
    const struct rlimit limit = {1000, 1000};
    struct staged_file staged;

    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_assert_not(file_stage(&staged, tmp.fd, "a", (struct span){large, sizeof large}, 0666, &err));
    cr_assert(strncmp(err.text, "a: ", 3) == 0, "%s", err.text);
    cr_assert_eq(tmp_count(&tmp, "."), 0);
}

Test(file, names_may_be_as_long_as_the_file_system_takes_them)
{
    struct staged_file one, two;
    char name[300];

    memset(name, 'x', sizeof name);
    name[255] = '\0';
    one = stage(name, "1");
    name[254] = 'y'; /* differs only after the part that fits into a temporary name */
    two = stage(name, "2");
    cr_assert_eq(file_publish_new(&one, &err), FILE_OK);
    cr_assert_eq(file_publish_new(&two, &err), FILE_OK);
    expect_content(name, "2");
    cr_assert_eq(tmp_count(&tmp, "."), 2);
    name[255] = 'x';
    name[256] = '\0';
    cr_assert_not(file_stage(&one, tmp.fd, name, span_of("3"), 0666, &err));
    cr_assert_eq(tmp_count(&tmp, "."), 2);
}

Test(file, makes_nested_directories_and_takes_those_that_are_there)
{
    umask(022);
    cr_assert(file_make_dirs(tmp.fd, "a/b/c", 0777, &err), "%s", err.text);
    cr_assert(file_make_dirs(tmp.fd, "a/b/d", 0700, &err), "%s", err.text);
    cr_assert(file_make_dirs(tmp.fd, "a", 0777, &err), "%s", err.text);
    cr_assert_eq(mode_of("a/b/c"), 0755);
    cr_assert_eq(mode_of("a/b/d"), 0700);
    cr_assert_eq(tmp_count(&tmp, "a/b"), 2);
}

Test(file, makes_no_directory_through_a_link_over_a_file_or_outside)
{
    static const char *const refused[] = {"link",       "link/x",  "dir/link/x", "file",
                                          "file/x",     "..",      "../x",       "dir/../../x",
                                          "/nowhere/x", "dangling"};

    write_text("file", "");
    write_text("dir/file", "");
    write_text("target/file", "");
    make_link("target", "link");
    make_link("../target", "dir/link");
    make_link("nothing", "dangling");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        err = (struct err){0};
        cr_assert_not(file_make_dirs(tmp.fd, refused[i], 0777, &err), "%s", refused[i]);
        cr_assert(err.text[0] != '\0', "%s", refused[i]);
    }
    cr_assert_eq(tmp_count(&tmp, "target"), 1);
}

/* --- replacing by a plain rename, under a lock --- */

static enum file_result replace_locked(void)
{
    struct staged_file staged;

    cr_assert(file_stage(&staged, tmp.fd, "a", span_of("ours"), seen.mode & 07777, &err), "%s",
              err.text);
    return file_publish_locked(&staged, &seen, &err);
}

Test(file, under_a_lock_the_file_that_was_read_is_replaced)
{
    read_before();
    cr_assert_eq(replace_locked(), FILE_OK);
    expect_content("a", "ours");
    cr_assert_eq(tmp_count(&tmp, "."), 1);
}

Test(file, under_a_lock_any_change_is_noticed_and_kept)
{
    read_before();
    write_text("a", "longer than before");
    cr_assert_eq(replace_locked(), FILE_CHANGED);
    expect_content("a", "longer than before");
    read_before();
    write_text("b", "before");
    cr_assert_eq(renameat(tmp.fd, "b", tmp.fd, "a"), 0);
    cr_assert_eq(replace_locked(), FILE_CHANGED, "another file of the same size");
    read_before();
    cr_assert_eq(fchmodat(tmp.fd, "a", 0600, 0), 0);
    cr_assert_eq(replace_locked(), FILE_CHANGED, "only its mode");
    cr_assert_eq(mode_of("a"), 0600);
    read_before();
    cr_assert_eq(unlinkat(tmp.fd, "a", 0), 0);
    cr_assert_eq(replace_locked(), FILE_GONE);
    cr_assert_eq(tmp_count(&tmp, "."), 0, "it is not brought back, and nothing is left");
}

Test(file, under_a_lock_a_replaced_file_keeps_its_mode_whatever_the_umask)
{
    static const mode_t modes[] = {0600, 0644, 0666, 0664, 0620};

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        write_text("a", "before");
        cr_assert_eq(fchmodat(tmp.fd, "a", modes[i], 0), 0);
        cr_assert_eq(read_in(tmp.fd, "a", 100), FILE_OK);
        umask(022);
        cr_assert_eq(replace_locked(), FILE_OK);
        cr_assert_eq(mode_of("a"), modes[i], "%o became %o", (unsigned)modes[i],
                     (unsigned)mode_of("a"));
    }
}

/* The number of calls of fsync(). */
static int syncs;

static void count_sync(int fd)
{
    (void)fd;
    syncs++;
}

Test(file, quick_staging_leaves_the_syncing_for_later)
{
    struct staged_file staged;

    at_fsync = count_sync;
    staged = stage("a", "x");
    cr_assert_gt(syncs, 0);
    file_discard(&staged);
    syncs = 0;
    cr_assert(file_stage_quickly(&staged, tmp.fd, "a", span_of("quick"), 0640, &err));
    cr_assert_eq(syncs, 0);
    cr_assert_not(tmp_exists(&tmp, "a"));
    expect_content(staged.temp, "quick");
    cr_assert_eq(file_publish_new(&staged, &err), FILE_OK);
    cr_assert(file_sync(tmp.fd, "a", &err), "%s", err.text);
    cr_assert_gt(syncs, 0);
    expect_content("a", "quick");
    cr_assert_eq(tmp_count(&tmp, "."), 1);
}

Test(file, a_file_is_created_only_where_there_is_none)
{
    umask(022);
    cr_assert(file_create(tmp.fd, "a", span_of("[]"), 0666, &err), "%s", err.text);
    expect_content("a", "[]");
    cr_assert_eq(mode_of("a"), 0644);
    cr_assert(file_create(tmp.fd, "a", span_of("other"), 0600, &err), "%s", err.text);
    expect_content("a", "[]");
    make_link("elsewhere", "b");
    cr_assert(file_create(tmp.fd, "b", span_of("x"), 0666, &err), "the name is taken");
    cr_assert_not(tmp_exists(&tmp, "elsewhere"), "and the link is not followed");
    cr_assert_eq(tmp_count(&tmp, "."), 2);
    err = (struct err){0};
    cr_assert_not(file_create(tmp.fd, "no/such", span_of("x"), 0666, &err));
    cr_assert_str_not_empty(err.text);
}

static void expect_moves(void)
{
    struct tmp to = {.fd = -1};

    cr_assert(file_make_dirs(tmp.fd, "to", 0777, &err));
    to.fd = openat(tmp.fd, "to", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    write_text("a", "first");
    write_text("b", "second");
    cr_assert_eq(fchmodat(tmp.fd, "a", 0604, 0), 0);
    cr_assert_eq(file_move(tmp.fd, "a", to.fd, "x", &err), FILE_OK, "%s", err.text);
    expect_content("to/x", "first");
    cr_assert_eq(mode_of("to/x"), 0604);
    cr_assert_not(tmp_exists(&tmp, "a"));
    cr_assert_eq(file_move(tmp.fd, "b", to.fd, "x", &err), FILE_EXISTS);
    expect_content("to/x", "first");
    expect_content("b", "second");
    cr_assert_eq(file_move(tmp.fd, "a", to.fd, "y", &err), FILE_GONE);
    cr_assert_not(tmp_exists(&tmp, "to/y"));
    cr_assert_eq(linkat(tmp.fd, "b", to.fd, "b", 0), 0, "somebody was stopped here");
    cr_assert_eq(file_move(tmp.fd, "b", to.fd, "b", &err), FILE_OK, "%s", err.text);
    expect_content("to/b", "second");
    cr_assert_not(tmp_exists(&tmp, "b"));
    close(to.fd);
}

Test(file, a_file_moves_as_it_is_and_replaces_nothing)
{
    expect_moves();
}

Test(file, a_file_moves_where_a_rename_cannot_refuse_to_replace)
{
    exchange_errno = EINVAL;
    expect_moves();
}

Test(file, a_number_stands_before_the_extension)
{
    static const struct {
        const char *name;
        int number;
        const char *want;
    } cases[] = {{"a.json", 1, "a.json"},
                 {"a.json", 2, "a-2.json"},
                 {"a.b.json", 13, "a.b-13.json"},
                 {"plain", 3, "plain-3"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str name = {0};
        file_numbered_name(&name, cases[i].name, cases[i].number);
        cr_assert_str_eq(str_c(&name), cases[i].want);
        str_free(&name);
    }
}

static bool is_beginning(struct span bytes, const void *context)
{
    return span_starts(span_of(context), bytes);
}

Test(file, only_what_is_known_and_of_a_process_that_ended_is_swept)
{
    enum { NOBODY = 999999999 }; /* larger than any process number */
    char ours[64], ended[64], other[64];

    snprintf(ours, sizeof ours, ".a.%ld.01234567.tmp", (long)getpid());
    snprintf(ended, sizeof ended, ".a.%d.01234567.tmp", NOBODY);
    snprintf(other, sizeof other, ".a.%d.89abcdef.tmp", NOBODY);
    write_text("a", "whole");
    write_text(ours, "who");
    write_text(ended, "who");
    write_text(other, "somebody's");
    file_sweep(tmp.fd, "a", is_beginning, "whole");
    cr_assert_lt(faccessat(tmp.fd, ended, F_OK, 0), 0);
    expect_content(ours, "who");
    expect_content(other, "somebody's");
    expect_content("a", "whole");
}
