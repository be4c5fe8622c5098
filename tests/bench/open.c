/* Opens a mailbox as the program does: load everything, settle, thread, sort. Prints the seconds
 * that this took, the messages, and the resident memory above an empty process in bytes per
 * message. With --readonly it does not write the cache for the next run. */
#include "mail/thread/thread.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long resident(void)
{
    long size = 0, pages = 0;
    FILE *statm = fopen("/proc/self/statm", "re");

    if (statm && fscanf(statm, "%ld %ld", &size, &pages) != 2)
        pages = 0;
    if (statm)
        fclose(statm);
    return pages * sysconf(_SC_PAGESIZE);
}

int main(int argc, char **argv)
{
    struct timespec start, end;
    bool readonly = argc == 3 && strcmp(argv[1], "--readonly") == 0;
    struct store_options options = {.sources = (const char *const *)&argv[1 + readonly],
                                    .source_count = 1,
                                    .readonly = readonly};
    struct load all = {.inbox = true, .archive = true};
    struct model model = {0};
    struct threads threads;
    struct err err;

    if (argc != 2 + readonly)
        return 2;
    long before = resident();
    clock_gettime(CLOCK_MONOTONIC, &start);
    struct store *store = store_open(&options, &err);
    if (!store || !store_load(store, &all, &model, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    model_sort(model.messages, model.count, message_cmp_urgency);
    threads_build(&threads, &model, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.6f %zu %.0f\n",
           (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9,
           model.count, (double)(resident() - before) / (double)(model.count ? model.count : 1));
    threads_free(&threads);
    model_free(&model);
    store_close(store);
    return 0;
}
