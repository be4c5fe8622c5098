/* Changes to the files of a mailbox that nobody watches, for the tests of the cache of heads. */
#include "scene.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void scene_any_file(char *path, size_t size)
{
    struct model model = scene_scan(false);

    cr_assert_gt(model.count, 0);
    path_of(model.messages[scene_any((unsigned)model.count)], path, size);
    model_free(&model);
}

struct stat scene_look(const char *path)
{
    struct stat st;

    cr_assert_eq(fstatat(world.tmp.fd, path, &st, AT_SYMLINK_NOFOLLOW), 0);
    return st;
}

static void set_back(const char *path, const struct stat *st)
{
    struct timespec times[2] = {st->st_atim, st->st_mtim};

    cr_assert_eq(utimensat(world.tmp.fd, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

void scene_change_in_place(const char *path, bool hide)
{
    struct stat before = scene_look(path);
    if (!S_ISREG(before.st_mode))
        return;
    struct str bytes = tmp_read(&world.tmp, path);
    const char *at = strstr(str_c(&bytes), "ubject");
    int fd = openat(world.tmp.fd, path, O_WRONLY | O_CLOEXEC);
    char letter = (char)('A' + scene_any(26));

    cr_assert(fd >= 0);
    if (at) /* else it was damaged before */
        cr_assert(pwrite(fd, &letter, 1, at - bytes.at - 1) == 1);
    close(fd);
    if (hide)
        set_back(path, &before);
    str_free(&bytes);
}

static void replace(const char *path)
{
    struct stat before = scene_look(path);
    if (!S_ISREG(before.st_mode))
        return;
    struct str bytes = tmp_read(&world.tmp, path);
    char other[1100];

    snprintf(other, sizeof other, "%s.new", path);
    char *at = strstr(bytes.at, "ubject");
    if (at)
        at[-1] = (char)('A' + scene_any(26));
    tmp_write(&world.tmp, other, str_span(&bytes));
    set_back(other, &before);
    cr_assert_eq(renameat(world.tmp.fd, other, world.tmp.fd, path), 0);
    str_free(&bytes);
}

static void touch_back(const char *path)
{
    struct stat long_ago = {.st_mtim.tv_sec = 1000000000};

    set_back(path, &long_ago);
}

static void move_away(const char *path)
{
    char other[1100];

    snprintf(other, sizeof other, "%s/%s", scene.archive, strrchr(path, '/') + 1);
    renameat(world.tmp.fd, path, world.tmp.fd, other);
}

static void hide_dir(const char *dir, const struct stat *st)
{
    set_back(dir, st); /* with the times of an unchanged directory */
}

void scene_do_something(void)
{
    char path[1024];
    struct stat inbox = scene_look(scene.dir), archive = scene_look(scene.archive);

    scene_any_file(path, sizeof path);
    switch (scene_any(10)) {
    case 0:
        scene_change_in_place(path, false);
        break;
    case 1:
        scene_change_in_place(path, true);
        break;
    case 2:
        replace(path);
        break;
    case 3:
        unlinkat(world.tmp.fd, path, 0);
        break;
    case 4:
        move_away(path);
        break;
    case 5:
        scene_put(scene_any(2) ? scene.dir : scene.archive, scene.next++);
        break;
    case 6:
        touch_back(path);
        break;
    case 7:
        if (!S_ISREG(scene_look(path).st_mode))
            break;
        tmp_write(&world.tmp, path, span_of("{ this is no message"));
        touch_back(path); /* otherwise the scan waits for the rest of the file */
        break;
    case 8: /* not a regular file, in place of a message */
        unlinkat(world.tmp.fd, path, 0);
        cr_assert_eq(symlinkat("nowhere", world.tmp.fd, path), 0);
        break;
    case 9:
        unlinkat(world.tmp.fd, path, 0);
        cr_assert_eq(mkfifoat(world.tmp.fd, path, 0666), 0);
        break;
    }
    if (scene_any(2)) {
        hide_dir(scene.dir, &inbox);
        hide_dir(scene.archive, &archive);
    }
}
