/* Tests reading files: no escape from a directory, no waiting for a FIFO, no half-changed
 * content. */
#include "file_support.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct err err;

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
    cr_assert_eq(file_stat(tmp.fd, "none", &seen, &err), FILE_GONE);
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

Test(file, of_what_is_far_too_large_hardly_anything_is_read)
{
    int fd = openat(tmp.fd, "huge", O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

    cr_assert(fd >= 0 && ftruncate(fd, (off_t)1 << 30) == 0);
    close(fd);
    cr_assert_eq(file_read_listed(tmp.fd, "huge", FILE_SIZE_MAX, &content, &seen, &err),
                 FILE_FAILED);
    cr_assert(strstr(err.text, "too large (1073741824 bytes"), "%s", err.text);
    cr_assert_lt(content.len, 100000);
}

Test(file, a_file_may_have_as_many_bytes_as_the_limit_and_no_more)
{
    write_text("five", "12345");
    write_text("empty", "");
    cr_assert_eq(read_in(tmp.fd, "five", 5), FILE_OK);
    cr_assert_eq(read_in(tmp.fd, "empty", 0), FILE_OK);
    expect_unreadable(tmp.fd, "five", 4, "too large");
}

/* Files of /proc report the size 0, like a file that grows while it is read. */
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
    if (call == 2) /* after reading, before the second fstat() */
        write_text("a", "the second version");
}

Test(file, a_file_that_changes_while_it_is_read_is_read_again)
{
    write_text("a", "first");
    at_fstat = change_while_read;
    cr_assert_eq(read_in(tmp.fd, "a", 100), FILE_OK);
    assert_span(str_span(&content), "the second version");
}
