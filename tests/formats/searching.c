/* Searching over every format: results with an index, without one and with an outdated one must
 * equal those of a slow model. */
#include "searching.h"

#include "store/search/search_results.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(searching, .fini = close_world, .timeout = 300);

#define searching(Name) test_every_format(searching, Name)

searching(an_index_the_files_and_a_slow_model_find_the_same)
{
    open_world(*index);
    searching_fill(SEARCHING_LETTERS);
    searching_archive_some(3);
    searching_open_both(true);
    cr_assert(searching_known() >= 4, "%zu", searching_known());
    searching_assert_all_agree("fresh", false);
    searching_assert_all_agree("informed", true);
    searching_close_both();
}

/* Rewrites a message's file in place: the same length, another word. */
static bool rewrite(const struct message *message)
{
    char path[1024], whole[1500];
    char *word;

    path_of(message, path, sizeof path);
    snprintf(whole, sizeof whole, "%s/%s", world.tmp.path, path);
    int fd = open(whole, O_RDWR);
    struct stat st;
    cr_assert(fd >= 0 && fstat(fd, &st) == 0, "%s", whole);
    char *all = calloc(1, (size_t)st.st_size + 1);
    cr_assert_eq(pread(fd, all, (size_t)st.st_size, 0), st.st_size);
    word = strstr(all, "alpha");
    bool done = word != NULL;
    for (; (word = strstr(all, "alpha")); word += 5)
        memcpy(word, "gamma", 5);
    cr_assert_eq(pwrite(fd, all, (size_t)st.st_size, 0), st.st_size);
    close(fd);
    /* and set its old time again */
    struct timespec times[2] = {st.st_atim, st.st_mtim};
    cr_assert_eq(utimensat(AT_FDCWD, whole, times, 0), 0);
    free(all);
    return done;
}

searching(what_happened_since_the_index_was_built_is_found_as_well)
{
    open_world(*index);
    searching_fill(SEARCHING_LETTERS);
    searching_archive_some(3);
    searching_open_both(true);
    struct model model = load(true, true);
    size_t rewritten = 0, removed = 0;
    for (size_t i = 0; i < model.count; i++) {
        char path[1024], whole[1500];
        if (model.messages[i]->place->local)
            continue;
        path_of(model.messages[i], path, sizeof path);
        snprintf(whole, sizeof whole, "%s/%s", world.tmp.path, path);
        /* about one in five of the messages with the word: their order is arbitrary */
        if (rewritten * 5 <= i && access(whole, F_OK) == 0)
            rewritten += rewrite(model.messages[i]);
        if (i % 7 == 3 && world.format->storage == STORAGE_FILES)
            removed += unlink(whole) == 0;
    }
    model_free(&model);
    /* a slot holds one message, which may not have the word */
    cr_assert(rewritten > 0 || world.format->storage == STORAGE_SLOT);
    cr_assert(removed > 0 || world.format->storage != STORAGE_FILES);
    searching_assert_all_agree("rewritten in place", false);
    searching_fill(4);
    searching_archive_some(4);
    searching_assert_all_agree("sent and archived", false);
    searching_close_both();
}

searching(what_is_told_is_enough_to_know)
{
    open_world(*index);
    searching_fill(SEARCHING_LETTERS);
    searching_open_both(true);
    struct str dir = {0};
    searching_fill(1);
    struct model model = load(true, true);
    for (size_t i = 0; i < model.count; i++)
        if (!model.messages[i]->place->local)
            store_search_report(searching_indexed, 0, model.messages[i]->place->dir,
                                model.messages[i]->file);
    for (size_t i = 0; i < SEARCHING_NAMES; i++) { /* messages that were removed */
        struct span team = world.teams ? span_of("dev") : (struct span){0};
        char file[200];
        str_clear(&dir);
        format_dir(&dir, world.format, false, team, span_of(searching_names[i]));
        snprintf(file, sizeof file, "to-%s.md", searching_names[i]);
        store_search_report(searching_indexed, 0, str_span(&dir), span_of(file));
    }
    searching_assert_all_agree("told", true);
    model_free(&model);
    str_free(&dir);
    searching_close_both();
}

searching(an_index_is_brought_up_to_date_by_reading_what_is_new)
{
    open_world(*index);
    searching_fill(SEARCHING_LETTERS);
    searching_open_both(true);
    searching_fill(3);
    size_t before = searching_known();
    struct index_build more = {.patient = true};
    struct err err = {0};
    cr_assert(store_index_update(world.store, 0, &more, &err), "%s", err.text);
    cr_assert(more.docs > 0);
    struct model model = load(true, true);
    cr_assert_geq(searching_known(), before);
    cr_assert_geq(searching_known(), model.count);
    model_free(&model);
    searching_assert_all_agree("up to date", false);
    struct index_build again = {.patient = true};
    cr_assert(store_index_update(world.store, 0, &again, &err), "%s", err.text);
    cr_assert_eq(again.docs, 0, "%zu", again.docs); /* there is nothing to do */
    searching_close_both();
}
