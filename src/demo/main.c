/* swarmutt-swarm: a living swarm of agents in a directory, for swarmutt demo.
 *
 *     swarmutt-swarm run DIR SPEED SEED AGENTS LAYOUT... [keep]
 *     swarmutt-swarm remove DIR
 *
 * It writes "ready" or an error sentence to standard output once the first messages are written,
 * and lives until standard input ends. Then it ends every agent and, without `keep`, removes the
 * directory. */
#include "demo/files.h"
#include "demo/random.h"
#include "demo/swarm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The director: starts a process for each agent, says which one acts next, and ends them all. */

enum {
    EVERY_MS = 4500, /* between two actions, with eighteen agents */
    REQUEST_LEAST_S = 20,
    REQUEST_MORE_S = 20,
    MORE_OPEN = 4, /* open requests in addition to those at the start */
    BUDGET = 400,  /* messages without an action of the person: then the swarm rests */
    END_MS = 2000,
};

struct actor {
    pid_t pid;
    int line;
    bool waits, stuck, resting;
};

struct director {
    const struct swarm *swarm;
    struct actor *actors;
    struct dice dice;
    size_t most_open;
    int budget;
    int64_t next_us, next_request_us;
};

static int64_t story_us(const struct director *d, double seconds)
{
    return (int64_t)(seconds / d->swarm->speed * (double)SECOND_US);
}

static bool start_actor(struct director *d, size_t number, int lifeline)
{
    struct actor *actor = &d->actors[number];
    enum mood mood = d->swarm->starts[number].mood;
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    actor->pid = fork();
    if (actor->pid == 0) {
        close(lifeline);
        close(pair[0]);
        for (size_t i = 0; i < number; i++)
            close(d->actors[i].line);
        agent_live(d->swarm, number, pair[1]);
    }
    close(pair[1]);
    actor->line = pair[0];
    actor->waits = mood == MOOD_WAITS;
    actor->stuck = mood == MOOD_STUCK || mood == MOOD_RING;
    return actor->pid > 0;
}

static void read_actor(struct director *d, struct actor *actor)
{
    char words[64];
    ssize_t count = recv(actor->line, words, sizeof words, MSG_DONTWAIT);

    if (count == 0) { /* it has left, or was killed */
        close(actor->line);
        actor->line = -1;
        return;
    }
    for (ssize_t i = 0; i < count; i++) {
        if (words[i] == TELL_ASKED)
            actor->waits = true;
        if (words[i] == TELL_FREE)
            actor->waits = actor->stuck = false;
        if (words[i] == TELL_SENT && d->budget > 0)
            d->budget--;
        if (words[i] == TELL_PERSON)
            d->budget = BUDGET;
        if (words[i] != TELL_SENT)
            actor->resting = false;
    }
}

static size_t count_open(const struct director *d)
{
    size_t open = 0;

    for (size_t i = 0; i < d->swarm->count; i++)
        open += d->actors[i].line >= 0 && d->actors[i].waits;
    return open;
}

static struct actor *pick_actor(struct director *d)
{
    size_t first = dice_pick(&d->dice, (unsigned)d->swarm->count);

    for (size_t i = 0; i < d->swarm->count; i++) {
        struct actor *actor = &d->actors[(first + i) % d->swarm->count];
        if (actor->line >= 0 && !actor->stuck && !actor->resting)
            return actor;
    }
    return NULL;
}

static void report_actor(struct actor *actor, char word)
{
    if (actor && actor->line >= 0)
        (void)send(actor->line, &word, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Lets an agent act; if the person has done nothing for long, every agent rests. */
static void direct(struct director *d, int64_t now_us)
{
    struct actor *actor = pick_actor(d);
    bool may_ask = now_us >= d->next_request_us && count_open(d) < d->most_open;
    double every_s = EVERY_MS / 1000.0;

    if (d->swarm->count > 18)
        every_s = every_s * 18 / (double)d->swarm->count + 0.5;
    every_s *= 0.5 + dice_pick(&d->dice, 100) / 100.0;
    if (d->budget < BUDGET / 4)
        every_s *= 4;
    d->next_us = now_us + story_us(d, every_s);
    if (may_ask)
        d->next_request_us =
            now_us + story_us(d, REQUEST_LEAST_S + dice_pick(&d->dice, REQUEST_MORE_S));
    if (d->budget <= 0 && actor)
        actor->resting = true;
    report_actor(actor, d->budget <= 0 ? REST : may_ask ? GO_AND_ASK : GO);
}

/* Returns false when the lifeline has ended. */
static bool wait_for_something(struct director *d, int lifeline)
{
    size_t count = d->swarm->count;
    struct pollfd *fds = demo_alloc((count + 1) * sizeof *fds);
    int64_t left_us = d->next_us - clock_steady();
    bool alive = true;

    for (size_t i = 0; i < count; i++)
        fds[i] = (struct pollfd){.fd = d->actors[i].line, .events = POLLIN};
    fds[count] = (struct pollfd){.fd = lifeline, .events = POLLIN};
    if (poll(fds, count + 1, left_us < 0 ? 0 : (int)(left_us / 1000) + 1) > 0) {
        for (size_t i = 0; i < count; i++)
            if (fds[i].revents)
                read_actor(d, &d->actors[i]);
        alive = !fds[count].revents;
    }
    free(fds);
    return alive;
}

/* Ends all agents: an agent ends by itself when its line does, between two messages. */
static void end_all(struct director *d)
{
    int64_t limit_us = clock_steady() + END_MS * 1000;
    size_t left = d->swarm->count;

    for (size_t i = 0; i < d->swarm->count; i++)
        if (d->actors[i].line >= 0)
            close(d->actors[i].line);
    while (left) {
        bool late = clock_steady() > limit_us;
        left = 0;
        for (size_t i = 0; i < d->swarm->count; i++) {
            pid_t *pid = &d->actors[i].pid;
            if (*pid <= 0)
                continue;
            if (late)
                kill(*pid, SIGKILL);
            if (waitpid(*pid, NULL, late ? 0 : WNOHANG) != 0)
                *pid = 0;
            else
                left++;
        }
        if (left)
            usleep(5000);
    }
}

/* Forgets agents that have left, as their lines have shown: their process ids may be reused from
 * now on. */
static void forget_ended(struct director *d)
{
    pid_t ended;

    while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
        for (size_t i = 0; i < d->swarm->count; i++)
            if (d->actors[i].pid == ended)
                d->actors[i].pid = 0;
}

/* Starts the agents and keeps them going until `lifeline` ends. All have ended when it returns. */
static bool director_run(struct swarm *swarm, int lifeline)
{
    struct director d = {.swarm = swarm,
                         .actors = demo_alloc(swarm->count * sizeof *d.actors),
                         .dice = dice_make(swarm->seed, AGENTS_MAX + 1),
                         .budget = BUDGET};
    bool ok = true;

    for (size_t i = 0; i < swarm->count; i++)
        d.actors[i].line = -1;
    for (size_t i = 0; ok && i < swarm->count; i++)
        ok = start_actor(&d, i, lifeline);
    d.most_open = count_open(&d) + MORE_OPEN;
    d.next_us = clock_steady() + story_us(&d, 2);
    d.next_request_us = clock_steady() + story_us(&d, 12);
    while (ok && wait_for_something(&d, lifeline)) {
        int64_t now_us = clock_steady();
        forget_ended(&d);
        if (now_us >= d.next_us)
            direct(&d, now_us);
    }
    end_all(&d);
    free(d.actors);
    return ok;
}

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

/* Fills in the layouts that the words name, each once; `chosen` is empty and has room for all. */
static bool choose_layouts(const struct layout **chosen, int count, char **words, bool *keep)
{
    for (int i = 0; i < count; i++) {
        size_t layout = 0, place = 0;
        if (strcmp(words[i], "keep") == 0) {
            *keep = true;
            continue;
        }
        while (layouts[layout] && strcmp(layouts[layout]->name, words[i]) != 0)
            layout++;
        if (!layouts[layout])
            return false;
        while (chosen[place] && chosen[place] != layouts[layout])
            place++;
        chosen[place] = layouts[layout];
    }
    return chosen[0] != NULL;
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
