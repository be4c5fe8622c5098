/* Measures the time from the rename of a message to its name until a program that follows the
 * directory has reported it.
 *
 * Starts the program, writes messages on a fixed schedule like an agent of the ADR-003 layout, and
 * reads the program's output in a second thread. Prints one line about how well the schedule was
 * kept (messages begun over a millisecond late, the worst delay in us, files a second), then the
 * microseconds that each message took, or -1 if it was not reported. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BODY = 700, TEXT_ROOM = 4096, PROBES = 1000, PROBE_US = 20000, LAST_US = 20000000 };

struct run {
    long count;
    int64_t every_us;
    int dir;        /* directory for new messages */
    int out;        /* the program's output */
    int64_t *at_ns; /* time of each report, 0 if none; the reader alone uses it while it runs */
    atomic_long told, probes_told;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void wait_until(int64_t time_ns)
{
    struct timespec when = {.tv_sec = time_ns / 1000000000, .tv_nsec = time_ns % 1000000000};

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL))
        ;
}

/* Message numbers start at 0. Those before them are probes, which find out if the program is ready,
 * and count down from PROBES. */
static void take_line(struct run *run, const char *line, int64_t time_ns)
{
    const char *id = strstr(line, "MSG-");

    if (!id)
        return;
    long number = strtol(id + strlen("MSG-"), NULL, 16) - PROBES;
    if (number < 0) {
        run->probes_told++;
    } else if (number < run->count && !run->at_ns[number]) {
        run->at_ns[number] = time_ns;
        run->told++;
    }
}

static void *read_lines(void *context)
{
    static char buffer[1 << 18];
    struct run *run = context;
    size_t len = 0;
    ssize_t got;

    while ((got = read(run->out, buffer + len, sizeof buffer - 1 - len)) > 0) {
        int64_t time_ns = now_ns();
        char *line = buffer;
        len += (size_t)got;
        buffer[len] = '\0';
        for (char *end; (end = memchr(line, '\n', len - (size_t)(line - buffer))); line = end + 1) {
            *end = '\0';
            take_line(run, line, time_ns);
        }
        len -= (size_t)(line - buffer);
        memmove(buffer, line, len);
    }
    return NULL;
}

/* Returns the time just before the rename to the final name. */
static int64_t write_message(const struct run *run, long number)
{
    char name[40], temporary[48], text[TEXT_ROOM], body[BODY + 1];

    for (size_t i = 0; i < BODY; i++)
        body[i] = "the review of the parser is done and the queue waits "[i % 53];
    body[BODY] = '\0';
    int len =
        snprintf(text, sizeof text,
                 "{\n  \"id\": \"MSG-%012lx\",\n  \"from_agent\": \"agent-01\",\n"
                 "  \"to_agent\": \"agent-00\",\n  \"swarm_name\": \"swarm_dev\",\n"
                 "  \"type\": \"request\",\n  \"subject\": \"plan for build step %ld\",\n"
                 "  \"body\": \"%s\",\n  \"payload\": {\"step\": %ld},\n  \"priority\": 2,\n"
                 "  \"created_at\": \"2026-01-03T14:30:00.123456\",\n  \"expires_at\": null,\n"
                 "  \"status\": \"unread\",\n  \"read_at\": null,\n  \"completed_at\": null,\n"
                 "  \"reply_to\": null,\n  \"thread_id\": null,\n  \"context\": {},\n"
                 "  \"attachments\": [],\n  \"tags\": [\"build\"]\n}",
                 (unsigned long)(number + PROBES), number, body, number);
    snprintf(name, sizeof name, "MSG-%012lx.json", (unsigned long)(number + PROBES));
    snprintf(temporary, sizeof temporary, "%s.tmp", name);
    int fd = openat(run->dir, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || write(fd, text, (size_t)len) != len) {
        perror(temporary);
        exit(1);
    }
    close(fd);
    int64_t time_ns = now_ns();
    if (renameat(run->dir, temporary, run->dir, name)) {
        perror(name);
        exit(1);
    }
    return time_ns;
}

static pid_t start(struct run *run, char **command)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC)) {
        perror("pipe");
        exit(1);
    }
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[1], STDOUT_FILENO);
        execv(command[0], command);
        perror(command[0]);
        _exit(1);
    }
    close(ends[1]);
    run->out = ends[0];
    return child;
}

/* Waits until the program reports a message that was written after its start. */
static void wait_until_ready(struct run *run)
{
    for (long number = -PROBES + 1; number < 0 && !run->probes_told; number++) {
        write_message(run, number);
        wait_until(now_ns() + PROBE_US * INT64_C(1000));
    }
    if (run->probes_told)
        return;
    fputs("latency: the program tells nothing\n", stderr);
    exit(1);
}

/* Writes all messages, notes the times, and waits until they are reported or a limit has passed. */
static void measure(struct run *run, int64_t *from_ns)
{
    int64_t every_ns = run->every_us * 1000, first_ns = now_ns() + 100000000, worst_ns = 0;
    long late = 0;

    for (long i = 0; i < run->count; i++) {
        wait_until(first_ns + i * every_ns);
        int64_t late_ns = now_ns() - first_ns - i * every_ns;
        worst_ns = late_ns > worst_ns ? late_ns : worst_ns;
        late += late_ns > 1000000;
        from_ns[i] = write_message(run, i);
    }
    int64_t end_ns = now_ns();
    while (run->told < run->count && now_ns() < end_ns + LAST_US * INT64_C(1000))
        wait_until(now_ns() + 1000000);
    printf("%ld %lld %.0f\n", late, (long long)worst_ns / 1000,
           (double)run->count * 1e9 / (double)(end_ns - first_ns));
}

int main(int argc, char **argv)
{
    struct run run = {0};
    pthread_t reader;

    if (argc < 5) {
        fputs("usage: latency COUNT MICROSECONDS DIRECTORY PROGRAM [ARGUMENT]...\n", stderr);
        return 2;
    }
    run.count = strtol(argv[1], NULL, 10);
    run.every_us = strtol(argv[2], NULL, 10);
    run.dir = open(argv[3], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    run.at_ns = calloc((size_t)run.count, sizeof *run.at_ns);
    int64_t *from_ns = calloc((size_t)run.count, sizeof *from_ns);
    if (run.dir < 0 || !run.at_ns || !from_ns) {
        perror(argv[3]);
        return 1;
    }
    pid_t child = start(&run, argv + 4);
    prctl(PR_SET_TIMERSLACK, 1000UL);
    pthread_create(&reader, NULL, read_lines, &run);
    wait_until_ready(&run);
    measure(&run, from_ns);
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    pthread_join(reader, NULL);
    for (long i = 0; i < run.count; i++)
        printf("%.1f\n", run.at_ns[i] ? (double)(run.at_ns[i] - from_ns[i]) / 1e3 : -1.0);
    close(run.dir);
    close(run.out);
    free(run.at_ns);
    free(from_ns);
    return 0;
}
