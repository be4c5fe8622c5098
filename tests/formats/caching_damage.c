/* The cache of heads, over all layouts, when it is damaged, half written or cannot be written: the
 * list is the one of a scan without the cache. */
#include "scene.h"

#include "store/scan/head_cache.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

TestSuite(caching_damage, .fini = close_world, .timeout = 300);

#define caching_damage(Name) test_every_format(caching_damage, Name)

caching_damage(a_cache_that_is_damaged_is_not_there)
{
    char path[512];

    if (!scene_open(*index))
        return;
    scene_make_cache();
    cr_assert(scene_find_cache(path, sizeof path));
    struct str good = tmp_read(&world.tmp, path);
    for (size_t at = 0; at < sizeof(struct cache_header); at++) {
        good.at[at] ^= 1;
        tmp_write(&world.tmp, path, str_span(&good));
        good.at[at] ^= 1;
        scene_assert_true("a bit of its header");
    }
    for (int round = 0; round < usual_rounds(60); round++) {
        struct str bad = {0};
        str_add_span(&bad, str_span(&good));
        size_t at = scene_any((unsigned)bad.len);
        if (round % 3 == 0)
            bad.len = at;
        else if (round % 3 == 1)
            bad.at[at] ^= (char)(1u << scene_any(8));
        else
            memset(bad.at + at, (int)scene_any(256), bad.len - at < 64 ? bad.len - at : 64);
        tmp_write(&world.tmp, path, str_span(&bad));
        scene_assert_true("damaged");
        str_free(&bad);
    }
    tmp_write(&world.tmp, path, span_of("something else"));
    cr_assert_lt(scene_known_files(), SCENE_FILES);
    scene_assert_true("something else");
    cr_assert_eq(scene_known_files(), SCENE_FILES); /* it was made again */
    str_free(&good);
}

/* Loads again and again, and so writes caches. */
static void load_for_ever(void)
{
    store_close(world.store);
    world.store = open_store(NULL, false, NULL);
    for (;;) {
        char path[512];
        struct model model = scene_scan(true);
        model_free(&model);
        if (scene_find_cache(path, sizeof path))
            unlinkat(world.tmp.fd, path, 0);
    }
}

caching_damage(writers_that_are_killed_leave_a_cache_that_is_right_or_none)
{
    if (!scene_open(*index))
        return;
    scene_make_cache();
    store_close(world.store); /* its threads do not exist in a child */
    world.store = NULL;
    for (int round = 0; round < usual_rounds(12); round++) {
        struct timespec pause = {.tv_nsec = 1000000L * scene_any(30)};
        pid_t children[2];
        for (int i = 0; i < 2; i++) {
            children[i] = fork();
            cr_assert_geq(children[i], 0);
            if (!children[i])
                load_for_ever();
        }
        nanosleep(&pause, NULL);
        for (int i = 0; i < 2; i++) {
            kill(children[i], SIGKILL);
            waitpid(children[i], NULL, 0);
        }
        world.store = open_store(NULL, false, NULL);
        scene_assert_true("after a kill");
        store_close(world.store);
        world.store = NULL;
    }
    world.store = open_store(NULL, false, NULL);
}

caching_damage(a_place_that_cannot_be_written_to_changes_nothing)
{
    if (!scene_open(*index))
        return;
    scene_make_cache();
    setenv("XDG_CACHE_HOME", "/proc/none", 1);
    struct model view = scene_scan(false), fresh;
    setenv("HOME", "/proc/none", 1);
    unsetenv("XDG_CACHE_HOME");
    fresh = scene_scan(false);
    scene_assert_same(&view, &fresh, "nowhere");
    model_free(&view);
    model_free(&fresh);
}
