/* Confinement by Landlock. The C library has no functions for it, and its headers may be older than
 * the kernel: what they may lack is defined here. */
#include "base/file/landlock.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* VERSION_LEAST is the first that allows moving files between directories, which archiving
 * needs. */
enum { VERSION_LEAST = 2, VERSION_TRUNCATE = 3, VERSION_NET = 4, VERSION_SCOPE = 6 };

#define FS_TRUNCATE (UINT64_C(1) << 14)
#define NET_ALL ((UINT64_C(1) << 0) | (UINT64_C(1) << 1)) /* listening and connecting by TCP */
#define SCOPE_SOCKETS (UINT64_C(1) << 0)                  /* abstract UNIX sockets */

/* The attributes as of VERSION_SCOPE; an older kernel is passed only the first of them. */
struct attributes {
    uint64_t fs, net, scoped;
};

#define LIST LANDLOCK_ACCESS_FS_READ_DIR
#define READ (LIST | LANDLOCK_ACCESS_FS_READ_FILE)
#define WRITE                                                                                      \
    (READ | LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE | LANDLOCK_ACCESS_FS_REMOVE_DIR |          \
     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |  \
     LANDLOCK_ACCESS_FS_REFER)
/* Never allowed anywhere. Running programs is not restricted, because they are confined, too. */
#define NEVER                                                                                      \
    (LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |  \
     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)
/* The rights that apply to a file. */
#define OF_FILES (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE)

int landlock_judge(long answer, int error, struct err *err)
{
    if (answer >= VERSION_LEAST)
        return (int)answer;
    if (answer > 0)
        err_set(err, ERR_SOURCE,
                "the Landlock of this kernel (ABI %ld) would not let messages be moved into an "
                "archive",
                answer);
    else if (error == ENOSYS)
        err_set(err, ERR_SOURCE, "this kernel has no Landlock");
    else if (error == EOPNOTSUPP)
        err_set(err, ERR_SOURCE, "Landlock is switched off on this machine");
    else
        err_set(err, ERR_SOURCE, "Landlock cannot be asked: %s", strerror(error));
    return 0;
}

int landlock_version(struct err *err)
{
    long answer = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    return landlock_judge(answer, errno, err);
}

bool landlock_open(struct confine *confine, struct err *err)
{
    struct attributes attributes = {.fs = WRITE | NEVER};
    size_t size = sizeof attributes;

    *confine = (struct confine){.version = landlock_version(err), .ruleset = -1};
    if (!confine->version)
        return false;
    if (confine->version < VERSION_TRUNCATE)
        attributes.fs &= ~FS_TRUNCATE;
    if (confine->version >= VERSION_NET)
        attributes.net = NET_ALL;
    else
        size = offsetof(struct attributes, net);
    if (confine->version >= VERSION_SCOPE)
        attributes.scoped = SCOPE_SOCKETS;
    else if (confine->version >= VERSION_NET)
        size = offsetof(struct attributes, scoped);
    confine->handled = attributes.fs;
    confine->ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    if (confine->ruleset >= 0)
        return true;
    confine->version = 0;
    return err_set(err, ERR_SOURCE, "Landlock gives no ruleset: %s", strerror(errno));
}

struct landlock_place {
    dev_t dev;
    ino_t ino;
};

static void note_place(struct confine *confine, const struct stat *st)
{
    *mem_push(confine->places, confine->count, confine->cap) =
        (struct landlock_place){st->st_dev, st->st_ino};
}

bool landlock_allow(struct confine *confine, const char *path, enum landlock_right right)
{
    static const uint64_t rights[] = {
        [LANDLOCK_LIST] = LIST, [LANDLOCK_READ] = READ, [LANDLOCK_WRITE] = WRITE};
    struct landlock_path_beneath_attr rule = {.allowed_access = rights[right] & confine->handled};
    struct stat st;
    int fd = open(path, O_PATH | O_CLOEXEC);
    bool ok = fd >= 0 && fstat(fd, &st) == 0;

    if (ok && !S_ISDIR(st.st_mode))
        rule.allowed_access &= OF_FILES;
    rule.parent_fd = fd;
    ok = ok && syscall(SYS_landlock_add_rule, confine->ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule,
                       0) == 0;
    if (ok && right >= LANDLOCK_READ && S_ISDIR(st.st_mode))
        note_place(confine, &st);
    if (fd >= 0)
        close(fd);
    return ok;
}

bool landlock_enter(struct confine *confine, struct err *err)
{
    bool ok = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
              syscall(SYS_landlock_restrict_self, confine->ruleset, 0) == 0;

    if (!ok) {
        err_set(err, ERR_SOURCE, "Landlock refuses: %s", strerror(errno));
        confine->version = 0;
    }
    close(confine->ruleset);
    return ok;
}

static bool is_place(const struct confine *confine, const struct stat *st)
{
    for (size_t i = 0; i < confine->count; i++)
        if (confine->places[i].dev == st->st_dev && confine->places[i].ino == st->st_ino)
            return true;
    return false;
}

/* Walks up to the root, which is its own parent. */
bool landlock_reaches(const struct confine *confine, int dir)
{
    struct stat st, below = {0};
    bool reached = !confine->version;
    int at = openat(dir, ".", O_PATH | O_CLOEXEC);

    while (!reached && at >= 0 && fstat(at, &st) == 0) {
        reached = is_place(confine, &st);
        if (st.st_dev == below.st_dev && st.st_ino == below.st_ino)
            break;
        int above = openat(at, "..", O_PATH | O_CLOEXEC);
        close(at);
        at = above;
        below = st;
    }
    if (at >= 0)
        close(at);
    return reached;
}

void landlock_free(struct confine *confine)
{
    free(confine->places);
    *confine = (struct confine){0};
}
