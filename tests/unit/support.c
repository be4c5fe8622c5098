/* Shared by the C tests: temporary directories, skipping, zones and locales. */
#include "support.h"

#include "base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void tmp_make(struct tmp *tmp)
{
    const char *base = getenv("TMPDIR");

    snprintf(tmp->path, sizeof tmp->path, "%s/swarmutt-test-XXXXXX", base ? base : "/tmp");
    cr_assert(mkdtemp(tmp->path) != NULL, "no temporary directory");
    tmp->fd = open(tmp->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cr_assert(tmp->fd >= 0);
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st;
    (void)kind;
    (void)ftw;
    return remove(path);
}

void tmp_remove(struct tmp *tmp)
{
    close(tmp->fd);
    nftw(tmp->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void tmp_write(const struct tmp *tmp, const char *path, struct span bytes)
{
    char part[1024];

    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        mkdirat(tmp->fd, part, 0777);
    }
    int fd = openat(tmp->fd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    cr_assert(fd >= 0, "cannot write %s", path);
    cr_assert(write(fd, bytes.at, bytes.len) == (ssize_t)bytes.len);
    close(fd);
}

struct str tmp_read(const struct tmp *tmp, const char *path)
{
    struct str text = {0};
    int fd = openat(tmp->fd, path, O_RDONLY | O_CLOEXEC);

    cr_assert(fd >= 0, "cannot read %s", path);
    for (;;) {
        ssize_t got = read(fd, str_room(&text, 65536), 65536);
        cr_assert(got >= 0);
        if (!got)
            break;
        text.len += (size_t)got;
        text.at[text.len] = '\0';
    }
    close(fd);
    return text;
}

bool tmp_exists(const struct tmp *tmp, const char *path)
{
    struct stat st;

    return fstatat(tmp->fd, path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

int tmp_count(const struct tmp *tmp, const char *path)
{
    int fd = openat(tmp->fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fdopendir(fd);
    int count = 0;

    cr_assert(dir != NULL, "no directory %s", path);
    for (struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

void skip_test(void (*clear)(void), const char *reason)
{
    if (clear)
        clear();
    cr_skip_test("%s", reason);
}

void say_skipped(const char *reason)
{
    fprintf(stderr, "skipped: %s::%s: %s\n", criterion_current_test->category,
            criterion_current_test->name, reason);
}

void skip_here(void (*clear)(void), const char *reason)
{
    say_skipped(reason);
    skip_test(clear, reason);
}

int usual_rounds(int usual)
{
#if defined __SANITIZE_ADDRESS__
    return usual / 4;
#elif defined __has_feature
#if __has_feature(address_sanitizer)
    return usual / 4;
#endif
#endif
    return usual;
}

bool shared_path(char *path, size_t size, const char *name)
{
    const char *shared = getenv("SWARMUTT_SHARED");
    struct stat st;

    if (!shared)
        shared = "../shared";
    snprintf(path, size, "%s/%s", shared, name);
    if (stat(path, &st) == 0)
        return true;
    struct str reason = {0};
    str_addf(&reason, "%s is not there", path);
    say_skipped(str_c(&reason));
    str_free(&reason);
    return false;
}

/* Called by the leak sanitizer. The test runner's library leaks some memory of its own; the tests
 * run in separate processes, which have this variable. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return !getenv("BXFI_MAP");
}

static void use_zone(const char *zone)
{
    setenv("TZ", zone, 1);
    tzset();
}

void use_zone_utc(void)
{
    use_zone("UTC");
}

void use_zone_east(void)
{
    use_zone("CET-1");
}

void use_utf8_locale(void)
{
    locale_t utf8 = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);

    cr_assert(utf8 != (locale_t)0);
    uselocale(utf8);
}
