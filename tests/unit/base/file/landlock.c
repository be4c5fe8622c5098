/* Tests confinement: the paths that a confined process can open, and kernels without Landlock. */
#include "base/file/landlock.h"

#include "landlock_support.h"

#include <sys/stat.h>

static struct tmp tmp;

static void open_tmp(void)
{
    tmp_make(&tmp);
    tmp_write(&tmp, "beside", span_of("a secret"));
    tmp_write(&tmp, "mail/inbox/one", span_of("one"));
    tmp_write(&tmp, "mail/archive/old", span_of("old"));
    tmp_write(&tmp, "looked-at/one", span_of("one"));
}

static void close_tmp(void)
{
    tmp_remove(&tmp);
}

TestSuite(confine, .init = open_tmp, .fini = close_tmp);

/* Confines this process to the directory: it may write mail, read looked-at and list all names. */
static struct confine confine;

static void enter(void *context)
{
    struct err err;

    (void)context;
    must(chdir(tmp.path) == 0);
    must(landlock_open(&confine, &err));
    must(landlock_allow(&confine, "/", LANDLOCK_LIST));
    must(landlock_allow(&confine, "mail", LANDLOCK_WRITE));
    must(landlock_allow(&confine, "looked-at", LANDLOCK_READ));
    must(!landlock_allow(&confine, "nowhere", LANDLOCK_READ));
    for (const char *const *path = (const char *const[]){"/usr", "/lib", "/lib64", NULL}; *path;
         path++)
        landlock_allow(&confine, *path, LANDLOCK_READ); /* for programs to run */
    must(landlock_enter(&confine, &err));
}

static void inside(void *context)
{
    enter(context);
    must(opens("mail/inbox/one", O_RDONLY) == 0);
    must(opens("mail/inbox/two", O_WRONLY | O_CREAT | O_EXCL) == 0);
    must(opens("mail/inbox/two", O_WRONLY | O_TRUNC) == 0);
    must(rename("mail/inbox/two", "mail/archive/two") == 0);
    must(link("mail/inbox/one", "mail/archive/one") == 0);
    must(renameat2(AT_FDCWD, "mail/inbox/one", AT_FDCWD, "mail/archive/old", RENAME_EXCHANGE) == 0);
    must(mkdir("mail/box", 0700) == 0 && rmdir("mail/box") == 0);
    must(unlink("mail/archive/one") == 0);
}

static void outside(void *context)
{
    struct stat st;

    enter(context);
    must(opens("beside", O_RDONLY) == EACCES);
    must(opens("mail/../beside", O_RDONLY) == EACCES);
    must(opens("/etc/passwd", O_RDONLY) == EACCES);
    must(opens("new", O_WRONLY | O_CREAT) == EACCES);
    must(rename("mail/inbox/one", "stolen") < 0 && errno == EACCES);
    must(rename("beside", "mail/inbox/beside") < 0 && errno == EACCES);
    must(symlink("../beside", "mail/beside") < 0 && errno == EACCES);
    must(unlink("beside") < 0 && errno == EACCES);
    must(stat("beside", &st) == 0); /* Landlock does not restrict stat() */
    must(opens(".", O_RDONLY | O_DIRECTORY) == 0);
}

static void only_reading(void *context)
{
    enter(context);
    must(opens("looked-at/one", O_RDONLY) == 0);
    must(opens("looked-at/one", O_WRONLY) == EACCES);
    must(opens("looked-at/two", O_WRONLY | O_CREAT) == EACCES);
    must(unlink("looked-at/one") < 0 && errno == EACCES);
    must(rename("looked-at/one", "mail/inbox/three") < 0 && errno == EACCES);
}

static void in_what_is_started(void *context)
{
    enter(context);
    must(system("cat mail/inbox/one >mail/copy && ! cat beside 2>mail/said") == 0);
}

static bool reaches(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    must(fd >= 0);
    bool reached = landlock_reaches(&confine, fd);
    close(fd);
    return reached;
}

static void tell_reach(void *context)
{
    must(chdir(tmp.path) == 0 && reaches("mail") && reaches("/"));
    enter(context);
    must(reaches("mail") && reaches("mail/inbox") && reaches("looked-at"));
    must(!reaches(".") && !reaches("/") && !reaches("/etc"));
    must(rename("mail/inbox", "mail/other") == 0 && mkdir("mail/inbox", 0700) == 0);
    must(reaches("mail/inbox"));
    landlock_free(&confine);
}

Test(confine, it_is_known_what_is_in_reach)
{
    in_process(tell_reach, NULL);
}

Test(confine, what_was_allowed_works_and_files_move_between_directories)
{
    in_process(inside, NULL);
    cr_assert(tmp_exists(&tmp, "mail/archive/two"));
}

Test(confine, everything_else_is_refused)
{
    in_process(outside, NULL);
}

Test(confine, what_may_be_read_cannot_be_changed)
{
    in_process(only_reading, NULL);
}

Test(confine, programs_that_are_started_are_confined_too)
{
    in_process(in_what_is_started, NULL);
    struct str said = tmp_read(&tmp, "mail/said");
    cr_assert(strstr(str_c(&said), "Permission denied"), "%s", str_c(&said));
    str_free(&said);
}

static void judged(long answer, int error, int version, const char *reason)
{
    struct err err = {0};

    cr_expect_eq(landlock_judge(answer, error, &err), version);
    cr_expect(strstr(err.text, reason), "%s", err.text);
}

Test(confine, a_kernel_that_cannot_do_it_is_told_by_its_answer)
{
    judged(-1, ENOSYS, 0, "this kernel has no Landlock");
    judged(-1, EOPNOTSUPP, 0, "Landlock is switched off");
    judged(-1, EPERM, 0, "Landlock cannot be asked: Operation not permitted");
    judged(1, 0, 0, "(ABI 1) would not let messages be moved");
    judged(2, 0, 2, "");
    judged(7, 0, 7, "");
}
