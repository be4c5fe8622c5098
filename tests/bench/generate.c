/* Makes a mailbox of N messages for measuring: 20 agents, four fifths archived, threads of about
 * four messages over one year, bodies of 0.3 to 6 kB. The same number gives the same messages, as
 * an ADR-003 tree or as a maildir. Files are not written in the order of their times, like those of
 * many agents. For searching, seven bodies contain the word "zephyrquartz", however many bodies
 * there are; about half contain "flamingo"; and each contains some words that are in hardly any
 * other. */
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
enum { FIRST_S = 1735894800, YEAR_S = 365 * 86400 };

static const char *const types[] = {"request", "notification", "handoff", "escalation", "response"};
static const char subject[] = "plan for the next build step";

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

/* The properties of a message, before it is written. */
struct plan {
    uint64_t id, root, reply_to; /* the last two are 0 in the first message of a thread */
    uint64_t seed;               /* of the body */
    int64_t time_us;
    size_t number;
    unsigned char from, to, type, priority;
    bool archived;
};

static void plan_message(struct plan *plan, size_t number, size_t count, struct thread *threads)
{
    struct thread *thread = &threads[draw() % OPEN_THREADS];
    bool reply = thread->root && draw() % 4;

    *plan = (struct plan){.id = draw() & 0xffffffffffffu, .number = number};
    if (reply) {
        int from = thread->to;
        thread->to = thread->from;
        thread->from = from;
        plan->root = thread->root;
        plan->reply_to = thread->last;
    } else {
        thread->root = plan->id;
        thread->from = (int)(draw() % AGENTS);
        thread->to = (thread->from + 1 + (int)(draw() % (AGENTS - 1))) % AGENTS;
    }
    thread->last = plan->id;
    plan->from = (unsigned char)thread->from;
    plan->to = (unsigned char)thread->to;
    plan->archived = draw() % 5 != 0;
    plan->type = reply ? 4 : draw() % 4;
    plan->priority = (unsigned char)(1 + draw() % 4);
    plan->time_us = (int64_t)(((double)number + draw_unit()) / (double)count * YEAR_S * 1e6) +
                    FIRST_S * 1000000LL;
    plan->seed = draw() | 1;
}

static struct plan *plan_all(size_t count)
{
    static struct thread threads[OPEN_THREADS];
    struct plan *plans = calloc(count + 1, sizeof *plans);

    if (!plans) {
        perror("generate");
        exit(1);
    }
    for (size_t i = 0; i < count; i++)
        plan_message(&plans[i], i, count, threads);
    for (size_t i = count; i > 1; i--) {
        size_t other = draw() % i;
        struct plan kept = plans[i - 1];
        plans[i - 1] = plans[other];
        plans[other] = kept;
    }
    return plans;
}

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

/* Adds words for searching, spread evenly. */
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

static void write_file(int root, const char *path, const char *text, int len)
{
    int fd = openat(root, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    if (fd < 0 || write(fd, text, (size_t)len) != len) {
        perror(path);
        exit(1);
    }
    close(fd);
}

/* Returns an id in quotes, or null. */
static const char *quoted(char *room, size_t size, uint64_t id)
{
    if (!id)
        return "null";
    snprintf(room, size, "\"MSG-%012llx\"", (unsigned long long)id);
    return room;
}

static void write_adr(int root, const struct plan *plan, const char *body, const struct tm *tm)
{
    static char text[3 * BODY_MAX];
    char path[128], when[40], reply_to[40], thread_id[40];

    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", tm);
    int len = snprintf(text, sizeof text,
                       "{\n  \"id\": \"MSG-%012llx\",\n  \"from_agent\": \"agent-%02d\",\n"
                       "  \"to_agent\": \"agent-%02d\",\n  \"swarm_name\": \"swarm_dev\",\n"
                       "  \"type\": \"%s\",\n  \"subject\": \"%s%s\",\n  \"body\": \"%s\",\n"
                       "  \"payload\": {},\n  \"priority\": %d,\n  \"created_at\": \"%s.%06d\",\n"
                       "  \"expires_at\": null,\n  \"status\": \"%s\",\n  \"read_at\": null,\n"
                       "  \"completed_at\": null,\n  \"reply_to\": %s,\n  \"thread_id\": %s,\n"
                       "  \"context\": {},\n  \"attachments\": [],\n  \"tags\": []\n}",
                       (unsigned long long)plan->id, plan->from, plan->to, types[plan->type],
                       plan->root ? "Re: " : "", subject, body, plan->priority, when,
                       (int)(plan->time_us % 1000000), plan->archived ? "archived" : "unread",
                       quoted(reply_to, sizeof reply_to, plan->reply_to),
                       quoted(thread_id, sizeof thread_id, plan->root));
    snprintf(path, sizeof path, "agent-%02d/%s/MSG-%012llx.json", plan->to,
             plan->archived ? "archive" : "inbox", (unsigned long long)plan->id);
    write_file(root, path, text, len);
}

/* Replaces the characters that JSON escapes, for mail. */
static void unescape(char *out, const char *in)
{
    for (; *in; in++) {
        if (strncmp(in, "\\n", 2) == 0) {
            *out++ = '\n';
            in++;
        } else if (strncmp(in, "\\u", 2) == 0) {
            out = stpcpy(out, in[2] == '0' ? "\xc3\xa9" : "\xe2\x9c\x93");
            in += 5;
        } else {
            *out++ = *in;
        }
    }
    *out = '\0';
}

static void write_mail(int root, const struct plan *plan, const char *body, const struct tm *tm)
{
    static char text[3 * BODY_MAX], plain[2 * BODY_MAX];
    char path[128], when[60], thread[160] = "";

    strftime(when, sizeof when, "%a, %d %b %Y %H:%M:%S +0000", tm);
    unescape(plain, body);
    if (plan->root)
        snprintf(thread, sizeof thread,
                 "In-Reply-To: <%012llx@bench>\nReferences: <%012llx@bench> <%012llx@bench>\n",
                 (unsigned long long)plan->reply_to, (unsigned long long)plan->root,
                 (unsigned long long)plan->reply_to);
    int len = snprintf(text, sizeof text,
                       "Message-ID: <%012llx@bench>\nFrom: agent-%02d@bench\nTo: agent-%02d@bench\n"
                       "Subject: %s%s\nDate: %s\n%sMIME-Version: 1.0\n"
                       "Content-Type: text/plain; charset=utf-8\n\n%s\n",
                       (unsigned long long)plan->id, plan->from, plan->to, plan->root ? "Re: " : "",
                       subject, when, thread, plain);
    snprintf(path, sizeof path, "cur/%lld.%012llx.bench:2,%s", (long long)(plan->time_us / 1000000),
             (unsigned long long)plan->id, plan->archived ? "S" : "");
    write_file(root, path, text, len);
}

static void make_dirs(int root, bool maildir)
{
    static const char *const parts[] = {"", "/inbox", "/archive"};
    static const char *const folders[] = {"cur", "new", "tmp"};
    char path[64];

    for (size_t i = 0; maildir && i < 3; i++)
        mkdirat(root, folders[i], 0777);
    for (int i = 0; !maildir && i < 3 * AGENTS; i++) {
        snprintf(path, sizeof path, "agent-%02d%s", i / 3, parts[i % 3]);
        mkdirat(root, path, 0777);
    }
}

int main(int argc, char **argv)
{
    static char body[2 * BODY_MAX];
    bool maildir = argc > 1 && strcmp(argv[1], "--maildir") == 0;

    if (argc != 3 + maildir) {
        fputs("usage: generate [--maildir] COUNT DIRECTORY\n", stderr);
        return 2;
    }
    argv += maildir;
    mkdir(argv[2], 0777);
    int root = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    make_dirs(root, maildir);
    size_t count = strtoul(argv[1], NULL, 10);
    struct plan *plans = plan_all(count);
    for (size_t i = 0; i < count; i++) {
        time_t seconds = (time_t)(plans[i].time_us / 1000000);
        struct tm tm;
        gmtime_r(&seconds, &tm);
        state = plans[i].seed;
        size_t len = make_body(body);
        len += add_planted(body + len, plans[i].number, count);
        body[len] = '\0';
        (maildir ? write_mail : write_adr)(root, &plans[i], body, &tm);
    }
    free(plans);
    close(root);
    return 0;
}
