/* The spawner, its own process: what it is asked for is held against what it may start. */
#include "base/mem.h"
#include "ui/process/spawner_private.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Of a program before it is one: looking for it in $PATH needs little. */
enum { STACK = 256 * 1024 };

/* --- forms --- */

/* For tmux # begins a format, which may run commands, and % is for the time; two of them are one.
 */
static bool means_nothing(const char *text)
{
    for (; *text; text++) {
        bool special = *text == '#' || *text == '%';
        if (special && text[1] != *text)
            return false;
        text += special;
    }
    return true;
}

static bool fits(const struct spawn_form *form, const char *const *words)
{
    const char *start = form->start ? form->start : "";
    size_t len = strlen(start), i = 0;

    for (; form->words[i]; i++)
        if (!words[i] || strcmp(words[i], form->words[i]) != 0)
            return false;
    const char *last = words[i];
    if (form->tail == SPAWN_ALONE || !last)
        return form->tail == SPAWN_ALONE && !last;
    if (words[i + 1] || strncmp(last, start, len) != 0)
        return false;
    return form->tail == SPAWN_FILE ? !strchr(last + len, '/') : means_nothing(last + len);
}

/* The form that allows it, or NULL. */
static const struct spawn_form *find_form(const struct spawn_form *forms, const char *const *words)
{
    for (; forms->words; forms++)
        if (fits(forms, words))
            return forms;
    return NULL;
}

/* --- starting --- */

struct starting {
    char *const *words;
    int files[SPAWNER_FILES]; /* SPAWN_NOTHING, SPAWN_OURS or a descriptor */
    int report;               /* closed when the program runs; else the error goes there */
    const char *variable;     /* for its environment, or NULL */
};

static void give(int fd, int as)
{
    if (fd == SPAWN_NOTHING)
        fd = open("/dev/null", O_CLOEXEC | (as == STDIN_FILENO ? O_RDONLY : O_WRONLY));
    if (fd >= 0)
        dup2(fd, as);
}

static int start(void *context)
{
    const struct starting *starting = context;
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t none;

    for (int i = 0; i < SPAWNER_FILES; i++)
        give(starting->files[i], i);
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &usual, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (starting->variable)
        putenv((char *)(uintptr_t)starting->variable);
    execvp(starting->words[0], starting->words);
    int error = errno;
    ssize_t ignored = write(starting->report, &error, sizeof error);
    (void)ignored;
    _exit(127);
}

/* A child of who asks: it waits for it, and is told how it ended. */
static struct spawner_answer run(char *stack, struct starting *starting)
{
    struct spawner_answer answer = {0};
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return (struct spawner_answer){.error = errno};
    starting->report = ends[1];
    answer.child = clone(start, stack + STACK, CLONE_PARENT | SIGCHLD, starting);
    int failed = answer.child < 0 ? errno : 0;
    close(ends[1]);
    if (failed)
        answer = (struct spawner_answer){.error = failed};
    else if (read(ends[0], &failed, sizeof failed) == (ssize_t)sizeof failed)
        answer.error = failed;
    close(ends[0]);
    return answer;
}

/* --- requests --- */

/* The descriptors that came with it, -1 behind them. */
static void take_files(struct msghdr *message, int *fds)
{
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    size_t size = header ? header->cmsg_len - CMSG_LEN(0) : 0;

    memset(fds, 0xff, SPAWNER_FILES * sizeof *fds);
    if (header && header->cmsg_type == SCM_RIGHTS && size <= SPAWNER_FILES * sizeof *fds)
        memcpy(fds, CMSG_DATA(header), size);
}

/* False when there are more words than bytes, or a descriptor is missing. */
static bool unpack(const struct spawner_request *request, size_t len, const int *fds, char **words,
                   struct starting *starting)
{
    size_t text = len - offsetof(struct spawner_request, text), at = 0, next = 0;

    if (request->words == 0 || request->words > SPAWNER_WORDS)
        return false;
    for (size_t i = 0; i < request->words; i++) {
        size_t left = text - at, word = strnlen(request->text + at, left);
        if (word == left)
            return false;
        words[i] = mem_strdup(request->text + at);
        at += word + 1;
    }
    for (size_t i = 0; i < SPAWNER_FILES; i++) {
        bool given = request->files[i] != SPAWN_NOTHING && request->files[i] != SPAWN_OURS;
        starting->files[i] = given ? fds[next++] : request->files[i];
        if (given && starting->files[i] < 0)
            return false;
    }
    starting->words = words;
    return true;
}

static void answer_one(int fd, struct spawner_request *request, size_t len, const int *fds,
                       const struct spawn_form *forms, char *stack)
{
    struct spawner_answer answer = {.error = EPERM};
    char *words[SPAWNER_WORDS + 1] = {NULL};
    struct starting starting = {0};

    const struct spawn_form *form = NULL;

    if (len > offsetof(struct spawner_request, text) && unpack(request, len, fds, words, &starting))
        form = find_form(forms, (const char *const *)words);
    if (form) {
        starting.variable = form->variable;
        answer = run(stack, &starting);
    }
    for (size_t i = 0; i < SPAWNER_FILES; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    for (size_t i = 0; words[i]; i++)
        free(words[i]);
    send(fd, &answer, sizeof answer, MSG_NOSIGNAL);
}

void spawner_serve(int fd, const struct spawn_form *forms)
{
    struct spawner_request *request = mem_zero(1, sizeof *request);
    char *stack = mem_alloc(STACK);

    for (;;) {
        union {
            struct cmsghdr header;
            char bytes[CMSG_SPACE(sizeof(int) * SPAWNER_FILES)];
        } control;
        struct iovec part = {request, sizeof *request};
        struct msghdr message = {.msg_iov = &part,
                                 .msg_iovlen = 1,
                                 .msg_control = control.bytes,
                                 .msg_controllen = sizeof control.bytes};
        int fds[SPAWNER_FILES];
        ssize_t got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
        if (got <= 0)
            return;
        take_files(&message, fds);
        answer_one(fd, request, (size_t)got, fds, forms, stack);
    }
}
