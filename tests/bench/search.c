/* Builds the search index of a mailbox, opens it and searches, all in this process. Prints lines of
 * a word and a number: seconds of building, by the clock and by the processor, and milliseconds of
 * searching. The cache directory must be a scratch one. */
#include "store/search/search_results.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 21, FIRST = 50 };

static double now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool matches(void *context, const struct message *message)
{
    struct query_context known = {.words = true};

    return query_match(context, message, &known);
}

static int cmp_times(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return left < right ? -1 : left > right;
}

static void fail(const struct err *err)
{
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

/* Prints the median and the best of several runs, and separately the first search, which checks
 * every file. */
static void measure(struct store *store, const char *name, const char *text, bool ranked)
{
    double times[ROUNDS];
    struct query query;
    struct err err;
    size_t found = 0;

    if (!query_parse(&query, span_of(text), &err, NULL))
        fail(&err);
    for (int i = 0; i < ROUNDS; i++) {
        struct search search = {.query = &query,
                                .ranked = ranked,
                                .limit = FIRST,
                                .informed = true,
                                .matches = matches,
                                .context = &query};
        struct search_result result = {0};
        double start = now(CLOCK_MONOTONIC);
        if (!store_search(store, &search, &result, &err))
            fail(&err);
        times[i] = (now(CLOCK_MONOTONIC) - start) * 1e3;
        found = result.count;
        search_result_free(&result);
    }
    qsort(times, ROUNDS, sizeof *times, cmp_times);
    printf("%s_ms %.3f\n%s_best_ms %.3f\n%s_found %zu\n", name, times[ROUNDS / 2], name, times[0],
           name, found);
    query_free(&query);
}

int main(int argc, char **argv)
{
    struct store_options options = {.sources = (const char *const *)&argv[1], .source_count = 1};
    struct index_build build = {.anew = true};
    struct index_status status;
    struct err err;

    if (argc != 4)
        return 2;
    struct store *store = store_open(&options, &err);
    if (!store)
        fail(&err);
    double start = now(CLOCK_MONOTONIC), work = now(CLOCK_PROCESS_CPUTIME_ID);
    if (!store_index_update(store, 0, &build, &err))
        fail(&err);
    printf("build_s %.3f\nbuild_cpu_s %.3f\nmessages %zu\n", now(CLOCK_MONOTONIC) - start,
           now(CLOCK_PROCESS_CPUTIME_ID) - work, build.docs);
    if (!store_index_status(store, 0, &status, &err))
        fail(&err);
    printf("index_bytes %llu\nindexed %zu\n", (unsigned long long)status.bytes, status.docs);
    index_status_free(&status);
    start = now(CLOCK_MONOTONIC);
    measure(store, "open", "xyzzyplugh", false);
    measure(store, "rare", argv[2], false);
    measure(store, "common", argv[3], false);
    measure(store, "rare_ranked", argv[2], true);
    measure(store, "common_ranked", argv[3], true);
    store_close(store);
    return 0;
}
