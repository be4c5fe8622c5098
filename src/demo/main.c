/* swarmutt-swarm: a living swarm of agents in a directory, for swarmutt demo.
 *
 *     swarmutt-swarm run DIR SPEED SEED AGENTS LAYOUT... [keep]
 *     swarmutt-swarm remove DIR
 *
 * It writes "ready" or an error sentence to standard output once the first messages are written,
 * and lives until standard input ends. Then it ends every agent and, without `keep`, removes the
 * directory. */
#include "demo/files.h"
#include "demo/swarm.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int report_error(const char *sentence)
{
    printf("%s\n", sentence);
    fflush(stdout);
    return 1;
}

/* Removes the directory; retries for a moment, while processes still write there. */
static bool remove_all(const char *dir)
{
    for (int i = 0; i < 100; i++) {
        if (files_remove_tree(dir))
            return true;
        usleep(50000);
    }
    return false;
}

static bool choose_layouts(const struct layout **chosen, int count, char **names, bool *keep)
{
    size_t known = 0;

    for (int i = 0; i < count; i++) {
        bool found = false;
        if (strcmp(names[i], "keep") == 0) {
            *keep = true;
            continue;
        }
        for (size_t k = 0; layouts[k]; k++) {
            if (strcmp(layouts[k]->name, names[i]) != 0)
                continue;
            for (size_t j = 0; j < known; j++)
                found |= chosen[j] == layouts[k];
            if (!found)
                chosen[known++] = layouts[k];
            found = true;
        }
        if (!found)
            return false;
    }
    return known > 0;
}

/* Detaches from the terminal and its signals: the swarm ends when its lifeline does. */
static void detach(void)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

    setsid();
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
}

static int run_swarm(int argc, char **argv)
{
    const struct layout *chosen[8] = {NULL};
    struct swarm swarm = {
        .dir = argv[0], .speed = strtod(argv[1], NULL), .seed = strtoull(argv[2], NULL, 10)};
    bool keep = false;

    if (!(swarm.speed > 0) || !choose_layouts(chosen, argc - 4, argv + 4, &keep) ||
        !swarm_cast(&swarm, chosen, strtoul(argv[3], NULL, 10)))
        return report_error("the swarm cannot be made like that");
    if (!history_write(&swarm)) {
        CLEANUP(demo_free) char *sentence = text_format("%s: %s", swarm.dir, strerror(errno));
        if (!keep)
            remove_all(swarm.dir);
        report_error(sentence);
        swarm_free(&swarm);
        return 1;
    }
    report_error("ready");
    detach();
    director_run(&swarm, STDIN_FILENO);
    bool ok = keep || remove_all(swarm.dir);
    swarm_free(&swarm);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "remove") == 0)
        return remove_all(argv[2]) ? 0 : 1;
    if (argc >= 7 && strcmp(argv[1], "run") == 0)
        return run_swarm(argc - 2, argv + 2);
    fputs("usage: swarmutt-swarm run DIR SPEED SEED AGENTS LAYOUT... [keep]\n"
          "       swarmutt-swarm remove DIR\n",
          stderr);
    return 2;
}
