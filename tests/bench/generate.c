/* Makes a mailbox of N messages for measuring: 20 agents, four fifths archived, threads of about
 * four messages, bodies of 0.3 to 6 kB. The same seed gives the same tree. For searching the word
 * "zephyrquartz" stands in seven bodies, however many there are, "flamingo" in about half of them,
 * and each has some words that hardly any other has. */
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { AGENTS = 20, OPEN_THREADS = 64, BODY_MIN = 300, BODY_MAX = 6000 };
enum { RARE = 7, VOCABULARY = 60000 };

static uint64_t state = 0x9e3779b97f4a7c15u;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double draw_unit(void)
{
    return (double)(draw() >> 11) / (double)(1ull << 53);
}

struct thread {
    uint64_t root, last;
    int from, to;
};

static size_t make_body(char *out)
{
    static const char *const words[] = {
        "the",   "review", "of",      "parser", "handoff", "is",      "done",   "blocked", "queue",
        "retry", "schema", "session", "commit", "failing", "timeout", "please", "verify",  "module",
        "index", "lock",   "state",   "file",   "message", "agent",   "build",  "and",     "with"};
    double normal = sqrt(-2 * log(draw_unit() + 1e-12)) * cos(6.283185307 * draw_unit());
    double wanted = 1200 * exp(0.75 * normal);
    size_t size = wanted < BODY_MIN ? BODY_MIN : wanted > BODY_MAX ? BODY_MAX : (size_t)wanted;
    size_t len = 0;

    while (len < size) {
        uint64_t which = draw();
        if (which % 97 == 0)
            len += (size_t)sprintf(out + len, "\\n\\n- src/%s.c:%d ", words[which / 97 % 27],
                                   (int)(which / 5000 % 900));
        else if (which % 89 == 0)
            len += (size_t)sprintf(out + len, "caf\\u00e9 \\u2713 ");
        else
            len += (size_t)sprintf(out + len, "%s ", words[which % 27]);
    }
    return len;
}

/* Words for searching, spread evenly. */
static size_t add_planted(char *out, size_t i, size_t count)
{
    size_t len = 0, step = count / RARE ? count / RARE : 1;

    if (i % step == step / 2 && i / step < RARE)
        len += (size_t)sprintf(out + len, "zephyrquartz ");
    if (i % 2)
        len += (size_t)sprintf(out + len, "flamingo ");
    for (int k = 0; k < 12; k++) {
        uint64_t which = (i * 12 + (uint64_t)k) * UINT64_C(0x9e3779b97f4a7c15);
        len += (size_t)sprintf(out + len, "w%llx ", (unsigned long long)(which % VOCABULARY));
    }
    return len;
}

static void write_message(int root, size_t i, size_t count, struct thread *threads)
{
    static char text[3 * BODY_MAX], body[2 * BODY_MAX];
    static const char *const types[] = {"request", "notification", "handoff", "escalation"};
    struct thread *thread = &threads[draw() % OPEN_THREADS];
    uint64_t id = draw() & 0xffffffffffffu;
    bool reply = thread->root && draw() % 4;
    char path[128], when[40], reply_to[40] = "null", thread_id[40] = "null";
    time_t seconds = 1767430800 + (time_t)(i * 7);
    struct tm tm;

    if (reply) {
        int from = thread->to;
        thread->to = thread->from;
        thread->from = from;
        snprintf(reply_to, sizeof reply_to, "\"MSG-%012llx\"", (unsigned long long)thread->last);
        snprintf(thread_id, sizeof thread_id, "\"MSG-%012llx\"", (unsigned long long)thread->root);
    } else {
        thread->root = id;
        thread->from = (int)(draw() % AGENTS);
        thread->to = (thread->from + 1 + (int)(draw() % (AGENTS - 1))) % AGENTS;
    }
    thread->last = id;
    bool archived = draw() % 5 != 0;
    size_t body_len = make_body(body);
    body_len += add_planted(body + body_len, i, count);
    body[body_len] = '\0';
    gmtime_r(&seconds, &tm);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &tm);
    int len = snprintf(
        text, sizeof text,
        "{\n  \"id\": \"MSG-%012llx\",\n  \"from_agent\": \"agent-%02d\",\n"
        "  \"to_agent\": \"agent-%02d\",\n  \"swarm_name\": \"swarm_dev\",\n"
        "  \"type\": \"%s\",\n  \"subject\": \"%s%.40s\",\n  \"body\": \"%s\",\n"
        "  \"payload\": {},\n  \"priority\": %d,\n  \"created_at\": \"%s.%06d\",\n"
        "  \"expires_at\": null,\n  \"status\": \"%s\",\n  \"read_at\": null,\n"
        "  \"completed_at\": null,\n  \"reply_to\": %s,\n  \"thread_id\": %s,\n"
        "  \"context\": {},\n  \"attachments\": [],\n  \"tags\": []\n}",
        (unsigned long long)id, thread->from, thread->to, reply ? "response" : types[draw() % 4],
        reply ? "Re: " : "", "plan for the next build step", body, 1 + (int)(draw() % 4), when,
        (int)(draw() % 1000000), archived ? "archived" : "unread", reply_to, thread_id);
    snprintf(path, sizeof path, "agent-%02d/%s/MSG-%012llx.json", thread->to,
             archived ? "archive" : "inbox", (unsigned long long)id);
    int fd = openat(root, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || write(fd, text, (size_t)len) != len) {
        perror(path);
        exit(1);
    }
    close(fd);
}

int main(int argc, char **argv)
{
    static struct thread threads[OPEN_THREADS];

    if (argc != 3) {
        fputs("usage: generate COUNT DIRECTORY\n", stderr);
        return 2;
    }
    mkdir(argv[2], 0777);
    int root = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < AGENTS; i++) {
        char path[64];
        snprintf(path, sizeof path, "agent-%02d", i);
        mkdirat(root, path, 0777);
        snprintf(path, sizeof path, "agent-%02d/inbox", i);
        mkdirat(root, path, 0777);
        snprintf(path, sizeof path, "agent-%02d/archive", i);
        mkdirat(root, path, 0777);
    }
    size_t count = strtoul(argv[1], NULL, 10);
    for (size_t i = 0; i < count; i++)
        write_message(root, i, count, threads);
    close(root);
    return 0;
}
