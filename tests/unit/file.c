/* Tests files: no way out of a directory, no wait on a FIFO, and nobody's change is lost. */
#include "support.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct tmp tmp;
static struct err err;
static struct str content;  /* of the file read last */
static struct file_id seen; /* who that was */

static void make(void)
{
    tmp_make(&tmp);
}

static void clear(void)
{
    str_free(&content);
    tmp_remove(&tmp);
}

TestSuite(file, .init = make, .fini = clear);

/* Other programs do as they like between any two system calls. These two stand before those of the
 * C library and let a test be such a program at exactly the right moment. */
static void (*at_fstat)(int call);
static void (*at_exchange)(int call);
static int exchange_errno;

int fstat(int fd, struct stat *st)
{
    static int calls;

    if (at_fstat)
        at_fstat(++calls);
    return fstatat(fd, "", st, AT_EMPTY_PATH);
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    static int calls;

    if (at_exchange)
        at_exchange(++calls);
    if (!exchange_errno)
        return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
    errno = exchange_errno;
    return -1;
}

static void write_text(const char *name, const char *text)
{
    tmp_write(&tmp, name, span_of(text));
}

static void make_link(const char *target, const char *name)
{
    cr_assert_eq(symlinkat(target, tmp.fd, name), 0);
}

static void expect_content(const char *name, const char *text)
{
    struct str got = tmp_read(&tmp, name);
    bool same = span_is(str_span(&got), text);

    str_free(&got);
    cr_assert(same, "%s is not \"%s\"", name, text);
}

static enum file_result read_in(int dir, const char *name, size_t cap)
{
    err = (struct err){0};
    return file_read(dir, name, cap, &content, &seen, &err);
}

static void expect_unreadable(int dir, const char *name, size_t cap, const char *reason)
{
    cr_assert_eq(read_in(dir, name, cap), FILE_FAILED, "%s", name);
    cr_assert(err.scope == ERR_MESSAGE && strstr(err.text, reason), "%s: %s", name, err.text);
}

static mode_t mode_of(const char *name)
{
    struct file_id id;

    cr_assert_eq(file_look(tmp.fd, name, &id, &err), FILE_OK);
    return id.mode & 07777;
}

static struct staged_file stage(const char *name, const char *text)
{
    struct staged_file staged;

    cr_assert(file_stage(&staged, tmp.fd, name, span_of(text), 0666, &err), "%s", err.text);
    return staged;
}

/* Another writes "before" and we read it, */
static void read_before(void)
{
    write_text("a", "before");
    cr_assert_eq(read_in(tmp.fd, "a", 100), FILE_OK);
}

/* and then put "ours" in its place. */
static enum file_result replace(void)
{
    struct staged_file staged = stage("a", "ours");

    return file_publish_over(&staged, &seen, &err);
}

Test(file, reads_the_whole_content_in_place_of_what_was_there)
{
    str_puts(&content, "from before");
    tmp_write(&tmp, "box/a.json", (struct span){"a\0b", 3});
    cr_assert_eq(read_in(tmp.fd, "box/a.json", 100), FILE_OK);
    cr_assert(content.len == 3 && memcmp(content.at, "a\0b", 4) == 0);
    cr_assert(seen.size == 3 && S_ISREG(seen.mode));
}

Test(file, a_missing_file_is_gone)
{
    cr_assert_eq(read_in(tmp.fd, "none", 100), FILE_GONE);
    cr_assert_eq(read_in(tmp.fd, "no/where", 100), FILE_GONE);
    cr_assert_eq(file_look(tmp.fd, "none", &seen, &err), FILE_GONE);
}

Test(file, a_root_is_a_directory_and_may_be_a_link)
{
    char path[512];
    int fd;

    write_text("plain", "");
    make_link(".", "link");
    snprintf(path, sizeof path, "%s/link", tmp.path);
    cr_assert(file_open_root(path, &fd, &err));
    close(fd);
    snprintf(path, sizeof path, "%s/plain", tmp.path);
    cr_assert_not(file_open_root(path, &fd, &err));
    cr_assert(span_starts(span_of(err.text), span_of(path)), "%s", err.text);
}

static bool opens(const char *path)
{
    int fd = file_open_beneath(tmp.fd, path, O_RDONLY);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static void expect_only_paths_beneath(void)
{
    static const char *const refused[] = {"link",         "linked/a", "dir/link", "dir/linked/a",
                                          "dir/back/top", "..",       "../top",   "dir/../../top",
                                          "/etc/passwd",  "/"};

    write_text("top", "");
    write_text("dir/a", "");
    write_text("dir/deep/a", "");
    make_link("top", "link");
    make_link("dir", "linked");
    make_link("a", "dir/link");
    make_link("deep", "dir/linked");
    make_link("..", "dir/back");
    cr_assert(opens("top") && opens("dir/a") && opens("dir/deep/a") && opens("dir"));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        cr_assert_not(opens(refused[i]), "%s", refused[i]);
}

Test(file, opening_follows_no_link_and_leads_nowhere_else)
{
    expect_only_paths_beneath();
}

Test(file, opening_is_as_strict_where_the_kernel_or_a_sandbox_has_no_openat2)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof rules / sizeof *rules, rules};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0)
        cr_log_warn("system calls cannot be filtered here: openat2 is there after all");
    expect_only_paths_beneath();
}

Test(file, what_is_no_regular_file_is_refused_at_once_and_named)
{
    int dev = open("/dev", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    cr_assert_eq(mkdirat(tmp.fd, "dir", 0777), 0);
    cr_assert_eq(mkfifoat(tmp.fd, "fifo", 0666), 0);
    cr_assert_eq(mknodat(tmp.fd, "socket", S_IFSOCK | 0666, 0), 0);
    make_link("/dev/null", "null");
    make_link("nothing", "dangling");
    expect_unreadable(tmp.fd, "dir", 100, "a directory");
    expect_unreadable(tmp.fd, "fifo", 100, "a FIFO");
    expect_unreadable(tmp.fd, "socket", 100, "a socket");
    expect_unreadable(tmp.fd, "null", 100, "a symbolic link");
    expect_unreadable(tmp.fd, "dangling", 100, "a symbolic link");
    expect_unreadable(dev, "null", 100, "a device");
    close(dev);
}

Test(file, a_name_that_was_listed_as_a_file_may_be_something_else_by_now)
{
    write_text("a", "content");
    cr_assert_eq(file_read_listed(tmp.fd, "a", 7, &content, &seen, &err), FILE_OK);
    assert_span(str_span(&content), "content");
    cr_assert_eq(file_read_listed(tmp.fd, "a", 6, &content, &seen, &err), FILE_FAILED);
    cr_assert_eq(file_read_listed(tmp.fd, "none", 100, &content, &seen, &err), FILE_GONE);
    cr_assert_eq(mkdirat(tmp.fd, "dir", 0777), 0);
    cr_assert_eq(mkfifoat(tmp.fd, "fifo", 0666), 0);
    make_link("a", "link");
    cr_assert_eq(file_read_listed(tmp.fd, "dir", 100, &content, &seen, &err), FILE_FAILED);
    cr_assert_eq(file_read_listed(tmp.fd, "fifo", 100, &content, &seen, &err), FILE_FAILED);
    cr_assert_eq(file_read_listed(tmp.fd, "link", 100, &content, &seen, &err), FILE_FAILED);
}

Test(file, a_file_may_have_as_many_bytes_as_the_limit_and_no_more)
{
    write_text("five", "12345");
    write_text("empty", "");
    cr_assert_eq(read_in(tmp.fd, "five", 5), FILE_OK);
    cr_assert_eq(read_in(tmp.fd, "empty", 0), FILE_OK);
    expect_unreadable(tmp.fd, "five", 4, "too large");
}

/* The files of /proc claim to be empty, as a file does that grows while it is read. */
Test(file, the_limit_holds_for_a_file_with_more_bytes_than_its_size_says)
{
    int proc = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    cr_assert_eq(read_in(proc, "status", FILE_SIZE_MAX), FILE_OK);
    cr_assert(content.len > 16);
    expect_unreadable(proc, "status", 16, "too large");
    close(proc);
}

static void change_while_read(int call)
{
    if (call == 2) /* the content was read, but not yet found to be the same file */
        write_text("a", "the second version");
}

Test(file, a_file_that_changes_while_it_is_read_is_read_again)
{
    write_text("a", "first");
    at_fstat = change_while_read;
    cr_assert_eq(read_in(tmp.fd, "a", 100), FILE_OK);
    assert_span(str_span(&content), "the second version");
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

/* The ways a file that was read can be another one by now. */
static void change(int way)
{
    if (way == 0) { /* another file, in size and age the same */
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
    name[254] = 'y'; /* differs only behind what fits into a temporary name */
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
