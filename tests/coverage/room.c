/* For a build that counts the branches taken. The counts are written when a process ends; by then
 * the screens are confined and may not write to the directory of the counts. So this allows that
 * directory, COUNTS, and changes nothing else. Linked with --wrap=syscall. */
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

static void allow_counts(int ruleset)
{
    struct landlock_path_beneath_attr rule = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                          LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_READ_DIR,
        .parent_fd = open(COUNTS, O_PATH | O_CLOEXEC)};

    __real_syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

long __wrap_syscall(long number, ...)
{
    va_list list;
    long arguments[6];

    va_start(list, number);
    for (int i = 0; i < 6; i++)
        arguments[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_landlock_restrict_self)
        allow_counts((int)arguments[0]);
    return __real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3],
                          arguments[4], arguments[5]);
}
