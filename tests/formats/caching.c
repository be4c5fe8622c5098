/* The cache of heads, over all layouts: after any change to the files, the list is the one of a
 * scan without the cache. */
#include "scene.h"

#include "tests/unit/mail/live/live_support.h"

#include <stdio.h>

TestSuite(caching, .fini = close_world, .timeout = 300);

#define caching(Name) test_every_format(caching, Name)

caching(who_is_in_haste_looks_at_new_files_only)
{
    struct load heads = {.inbox = true, .archive = true, .hasty = true};
    struct model known = {0};
    char path[1024];
    struct err err;

    if (!scene_open(*index))
        return;
    scene_make_cache();
    struct model before = scene_scan(true);
    path_of(before.messages[0], path, sizeof path);
    scene_change_in_place(path, false);
    scene_put(scene.dir, scene.next++);
    cr_assert(store_load(world.store, &heads, &known, &err), "%s", err.text);
    model_sort(known.messages, known.count, cmp_where);
    cr_assert_eq(known.count, before.count + 1);
    for (size_t i = 0; i < known.count; i++) {
        char here[1024];
        path_of(known.messages[i], here, sizeof here);
        if (strcmp(here, path) == 0)
            assert_span(known.messages[i]->subject, before.messages[0]->subject.at);
    }
    model_free(&known);
    model_free(&before);
    scene_assert_true("who takes the time sees what has changed");
}

caching(what_is_known_need_not_be_read_and_is_the_same)
{
    char path[512];

    if (!scene_open(*index))
        return;
    cr_assert_not(scene_find_cache(path, sizeof path));
    scene_make_cache();
    cr_assert(scene_find_cache(path, sizeof path));
    struct stat st = scene_look(path);
    cr_assert_eq(st.st_mode & 0777, 0600);
    cr_assert_eq(scene_known_files(), SCENE_FILES);
    scene_assert_true("unchanged");
}

caching(whatever_is_done_to_files_shows)
{
    if (!scene_open(*index))
        return;
    scene_make_cache();
    for (int round = 0; round < usual_rounds(60); round++) {
        char when[64];
        unsigned seed = scene.chance;
        scene_do_something();
        snprintf(when, sizeof when, "round %d, chance %u", round, seed);
        scene_assert_true(when);
    }
    unsigned known = scene_known_files();
    cr_assert_gt(known, SCENE_FILES / 3, "%u", known);
    scene_make_cache();
    scene_assert_true("a cache of what is there now");
}

caching(a_message_that_came_in_the_moment_of_reading_is_not_believed)
{
    char path[1024];

    if (!scene_open(*index))
        return;
    scene_make_cache();
    scene_any_file(path, sizeof path);
    for (int round = 0; round < 20; round++) { /* mostly within one tick of the clock */
        scene_change_in_place(path, true);
        scene_assert_true("changed right after it was read");
    }
}
