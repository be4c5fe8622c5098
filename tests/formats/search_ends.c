/* Searching and indexing at their limits: interrupted runs, very long phrases, unfinished files,
 * and other files in the index's directory. Tests that must wait run in one layout only. */
#include "world.h"

#include "mail/query/query.h"
#include "store/search/search_index.h"
#include "store/search/search_results.h"
#include "store/store_private.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(search_ends, .fini = close_world, .timeout = 300);

#define search_ends(Name) test_every_format(search_ends, Name)

static _Atomic bool stopped;
static size_t seen, stop_after;

static bool takes_all(void *context, const struct message *message)
{
    struct query_context known = {.layout = world.format->name, .words = true};

    seen++;
    if (stop_after && seen >= stop_after)
        atomic_store(&stopped, true);
    return query_match(context, message, &known);
}

/* Returns the number of results. */
static size_t search(const char *text, bool ranked)
{
    struct query query = {0};
    struct search_result result = {0};
    struct err err = {0};
    size_t at;

    cr_assert(query_parse(&query, span_of(text), &err, &at), "%s", err.text);
    struct search search = {.query = &query,
                            .ranked = ranked,
                            .limit = 100,
                            .stop = &stopped,
                            .matches = takes_all,
                            .context = &query};
    seen = 0;
    cr_assert(store_search(world.store, &search, &result, &err), "%s", err.text);
    size_t count = result.count;
    search_result_free(&result);
    query_free(&query);
    return count;
}

static void post(const char *to, const char *body)
{
    struct outgoing_message letter = make_letter("carol", to);

    if (body)
        letter.draft.body = span_of(body);
    send_letter(&letter);
    outgoing_message_free(&letter);
}

static void post_some(void)
{
    post("alice", NULL);
    post("bob", NULL);
    post("dave", NULL);
}

search_ends(a_search_that_is_stopped_shows_what_it_has)
{
    open_world(*index);
    post_some();
    for (int ranked = 0; ranked < 2; ranked++) {
        atomic_store(&stopped, false);
        stop_after = 0;
        size_t all = search("line", ranked);
        cr_assert_eq(all, 3);
        stop_after = 1;
        cr_assert_leq(search("line", ranked), 1);
        cr_assert_eq(seen, 1, "nobody looks at the others any more");
        cr_assert_eq(search("line", ranked), 0, "it was stopped before it began");
        cr_assert_eq(seen, 0);
    }
}

Test(search_ends, an_index_that_is_stopped_is_finished_another_time)
{
    struct index_build build = {.stop = &stopped, .anew = true, .patient = true};
    struct err err;

    open_world(0);
    post_some();
    atomic_store(&stopped, true);
    cr_assert(store_index_update(world.store, 0, &build, &err), "%s", err.text);
    cr_assert_eq(build.docs, 0);
    atomic_store(&stopped, false);
    cr_assert(store_index_update(world.store, 0, &build, &err), "%s", err.text);
    cr_assert_eq(build.docs, 3);
}

search_ends(more_work_than_was_allowed_is_left_alone)
{
    struct index_build build = {.least = 1, .most = 2};
    struct err err;

    open_world(*index);
    post_some();
    cr_assert(store_index_update(world.store, 0, &build, &err), "%s", err.text);
    cr_assert_eq(build.docs, 0);
}

search_ends(a_phrase_of_very_many_words_is_found)
{
    struct str text = {0}, quoted = {0};

    open_world(*index);
    for (int i = 0; i < 80; i++)
        str_addf(&text, "%sw%d", i ? " " : "", i);
    post("alice", str_c(&text));
    post("bob", "w1 w0");
    atomic_store(&stopped, false);
    str_addf(&quoted, "\"%s\"", str_c(&text));
    cr_assert_eq(search(str_c(&quoted), false), 1);
    cr_assert_eq(search(str_c(&quoted), true), 1);
    str_clear(&quoted);
    str_addf(&quoted, "\"%s other\"", str_c(&text));
    cr_assert_eq(search(str_c(&quoted), false), 0);
    str_free(&text);
    str_free(&quoted);
}

Test(search_ends, a_file_that_is_never_finished_holds_nothing_up_for_long)
{
    char path[600];

    open_world(0);
    post_some();
    struct model model = load(true, false);
    path_of(model.messages[0], path, sizeof path);
    model_free(&model);
    struct str bytes = tmp_read(&world.tmp, path);
    tmp_write(&world.tmp, path, (struct span){bytes.at, 4}); /* its writer may still run */
    atomic_store(&stopped, false);
    size_t found = search("line", false);
    cr_assert(found >= 1 && found <= 2, "%zu", found);
    tmp_write(&world.tmp, path, str_span(&bytes));
    cr_assert_eq(search("line", false), 3, "it was finished");
    str_free(&bytes);
}

/* --- the directory of the index --- */

static struct str index_dir(void)
{
    struct str path = {0};
    struct err err;

    cr_assert(index_add_path(&path, &world.store->sources[0], true, &err), "%s", err.text);
    return path;
}

static void put(const struct str *dir, const char *name)
{
    struct str path = {0};

    str_addf(&path, "%s/%s", str_c(dir), name);
    int fd = open(str_c(&path), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    cr_assert_geq(fd, 0);
    close(fd);
    str_free(&path);
}

static bool has(const struct str *dir, const char *name)
{
    struct str path = {0};

    str_addf(&path, "%s/%s", str_c(dir), name);
    bool there = access(str_c(&path), F_OK) == 0;
    str_free(&path);
    return there;
}

Test(search_ends, what_others_left_in_the_index_goes_and_what_is_no_part_of_it_stays)
{
    struct index_build build = {.patient = true};
    struct err err;

    open_world(0);
    post_some();
    struct str dir = index_dir();
    put(&dir, "new.1");
    put(&dir, "0000000000000007.segment"); /* damaged */
    put(&dir, "0000000000000007.other");
    put(&dir, "notes");
    cr_assert(store_index_update(world.store, 0, &build, &err), "%s", err.text);
    cr_assert_eq(build.docs, 3);
    cr_assert(!has(&dir, "new.1") && !has(&dir, "0000000000000007.segment"));
    cr_assert(has(&dir, "0000000000000007.other") && has(&dir, "notes"));
    cr_assert(has(&dir, "0000000000000008.segment"), "a number is never used twice");
    str_free(&dir);
}

search_ends(an_index_that_cannot_be_deleted_says_what_is_in_the_way)
{
    struct err err = {0};

    open_world(*index);
    struct str dir = index_dir(), inside = {0};
    str_addf(&inside, "%s/inside", str_c(&dir));
    cr_assert_eq(mkdir(str_c(&inside), 0700), 0);
    cr_assert_not(store_index_drop(world.store, 0, &err));
    cr_assert_not_null(strstr(err.text, "inside: it cannot be deleted"), "%s", err.text);
    cr_assert_eq(rmdir(str_c(&inside)), 0);
    cr_assert(store_index_drop(world.store, 0, &err), "%s", err.text);
    cr_assert_neq(access(str_c(&dir), F_OK), 0);
    str_free(&dir);
    str_free(&inside);
}

search_ends(nothing_is_made_of_news_before_the_first_search)
{
    struct err err = {0};

    open_world(*index);
    post_some();
    struct searcher *searcher = searcher_new(world.store->sources, 1, false);
    searcher_report(searcher, 0, span_of("x"), span_of("y"));
    struct query query = {0};
    struct search_result result = {0};
    size_t at;
    cr_assert(query_parse(&query, span_of("line"), &err, &at), "%s", err.text);
    struct search search = {.query = &query, .limit = 9, .matches = takes_all, .context = &query};
    stop_after = 0;
    cr_assert(searcher_find(searcher, NULL, &search, &result, &err), "%s", err.text);
    cr_assert_eq(result.count, 3);
    search_result_free(&result);
    query_free(&query);
    searcher_free(searcher);
}
