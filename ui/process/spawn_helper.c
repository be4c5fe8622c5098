/* The spawner, both ends: the process that checks requests and starts programs, and asking it. */
#include "ui/process/spawn_helper.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Starting programs. */

static void set_child_fd(posix_spawn_file_actions_t *actions, int fd, int as)
{
    if (fd == SPAWN_NOTHING)
        posix_spawn_file_actions_addopen(actions, as, "/dev/null",
                                         as == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    else if (fd != SPAWN_OURS)
        posix_spawn_file_actions_adddup2(actions, fd, as);
}

static int spawn_here(pid_t *child, char *const *words, const struct spawn_files *files)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    set_child_fd(&actions, files->in, STDIN_FILENO);
    set_child_fd(&actions, files->out, STDOUT_FILENO);
    set_child_fd(&actions, files->errors, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    int failed = posix_spawnp(child, words[0], &actions, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

int spawn_program(const struct spawner *spawner, pid_t *child, const char *const *words,
                  const struct spawn_files *files)
{
    static const char *const shell[] = {"sh", "-c", "\"$0\" \"$@\"", NULL};

    if (spawner && spawner->pid)
        return spawn_helper_ask(spawner, child, words, files);
    char **copy = spawn_copy_words(words, NULL);
    int failed = spawn_here(child, copy, files);
    spawn_free_words(copy);
    if (failed != ENOEXEC)
        return failed;
    /* A script without an interpreter line: only a shell can run it, as shells do themselves. */
    copy = spawn_copy_words(shell, words);
    failed = spawn_here(child, copy, files);
    spawn_free_words(copy);
    return failed;
}

static size_t count_words(const char *const *words)
{
    size_t count = 0;

    while (words && words[count])
        count++;
    return count;
}

char **spawn_copy_words(const char *const *words, const char *const *more)
{
    size_t first = count_words(words), all = first + count_words(more);
    char **copy = mem_zero(all + 1, sizeof *copy);

    for (size_t i = 0; i < all; i++)
        copy[i] = mem_strdup(i < first ? words[i] : more[i - first]);
    return copy;
}

char **spawn_self_words(const char *const *self, const char *const *more)
{
    char **words = spawn_copy_words(self, more);

    free(words[0]);
    words[0] = mem_strdup("/proc/self/exe");
    return words;
}

void spawn_free_words(char **words)
{
    for (size_t i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
}

/* Known to both ends. */

enum { SPAWN_HELPER_WORDS = 1024, SPAWN_HELPER_BYTES = 65536, SPAWN_HELPER_FILES = 3 };

/* A request: this struct, the words with a NUL after each, and the descriptors to pass on, in the
 * order of the files. */
struct spawn_helper_request {
    int files[SPAWN_HELPER_FILES]; /* SPAWN_NOTHING, SPAWN_OURS, or 0: the next descriptor */
    unsigned words;
    char text[SPAWN_HELPER_BYTES];
};

struct spawn_helper_answer {
    int error;   /* 0: the program runs */
    pid_t child; /* 0: none was started */
};

/* Stack of the child until it executes the program: a search in $PATH needs little. */
enum { STACK = 256 * 1024 };

/* --- forms --- */

/* Reports whether nothing in the text is special to tmux: # starts a format, which may run
 * commands, and % one of the time; doubled they are literal. */
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

static bool form_fits(const struct spawn_form *form, const char *const *words)
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

/* Returns the form that allows the words, or NULL. */
static const struct spawn_form *find_form(const struct spawn_form *forms, const char *const *words)
{
    for (; forms->words; forms++)
        if (form_fits(forms, words))
            return forms;
    return NULL;
}

/* --- starting --- */

struct starting {
    char *const *words;
    int files[SPAWN_HELPER_FILES]; /* SPAWN_NOTHING, SPAWN_OURS or a descriptor */
    int report;                    /* closed when the program runs; an error is written to it */
    char *variable;                /* for the environment, or NULL */
};

static void give_fd(int fd, int as)
{
    if (fd == SPAWN_NOTHING)
        fd = open("/dev/null", O_CLOEXEC | (as == STDIN_FILENO ? O_RDONLY : O_WRONLY));
    if (fd >= 0)
        dup2(fd, as);
}

static int start_program(void *context)
{
    const struct starting *starting = context;
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t none;

    for (int i = 0; i < SPAWN_HELPER_FILES; i++)
        give_fd(starting->files[i], i);
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &usual, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (starting->variable)
        putenv(starting->variable);
    execvp(starting->words[0], starting->words);
    int error = errno;
    ssize_t ignored = write(starting->report, &error, sizeof error);
    (void)ignored;
    _exit(127);
}

/* Starts the program as a child of the asking process (CLONE_PARENT), which waits for it. */
static struct spawn_helper_answer run_program(char *stack, struct starting *starting)
{
    struct spawn_helper_answer answer = {0};
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return (struct spawn_helper_answer){.error = errno};
    starting->report = ends[1];
    answer.child = clone(start_program, stack + STACK, CLONE_PARENT | SIGCHLD, starting);
    int failed = answer.child < 0 ? errno : 0;
    close(ends[1]);
    if (failed)
        answer = (struct spawn_helper_answer){.error = failed};
    else if (read(ends[0], &failed, sizeof failed) == (ssize_t)sizeof failed)
        answer.error = failed;
    close(ends[0]);
    return answer;
}

/* --- requests --- */

/* Copies the received descriptors, and -1 for missing ones. */
static void take_files(struct msghdr *message, int *fds)
{
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    size_t size = header ? header->cmsg_len - CMSG_LEN(0) : 0;

    memset(fds, 0xff, SPAWN_HELPER_FILES * sizeof *fds);
    if (header && header->cmsg_type == SCM_RIGHTS && size <= SPAWN_HELPER_FILES * sizeof *fds)
        memcpy(fds, CMSG_DATA(header), size);
}

/* Reads the words and files of a request; returns false if it is malformed or a descriptor is
 * missing. */
static bool unpack(const struct spawn_helper_request *request, size_t len, const int *fds,
                   char **words, struct starting *starting)
{
    size_t text = len - offsetof(struct spawn_helper_request, text), at = 0, next = 0;

    if (request->words == 0 || request->words > SPAWN_HELPER_WORDS)
        return false;
    for (size_t i = 0; i < request->words; i++) {
        size_t left = text - at, word = strnlen(request->text + at, left);
        if (word == left)
            return false;
        words[i] = mem_strdup(request->text + at);
        at += word + 1;
    }
    for (size_t i = 0; i < SPAWN_HELPER_FILES; i++) {
        bool given = request->files[i] != SPAWN_NOTHING && request->files[i] != SPAWN_OURS;
        starting->files[i] = given ? fds[next++] : request->files[i];
        if (given && starting->files[i] < 0)
            return false;
    }
    starting->words = words;
    return true;
}

static void answer_one(int fd, struct spawn_helper_request *request, size_t len, const int *fds,
                       const struct spawn_form *forms, char *stack)
{
    struct spawn_helper_answer answer = {.error = EPERM};
    char *words[SPAWN_HELPER_WORDS + 1] = {NULL};
    struct starting starting = {0};

    const struct spawn_form *form = NULL;

    if (len > offsetof(struct spawn_helper_request, text) &&
        unpack(request, len, fds, words, &starting))
        form = find_form(forms, (const char *const *)words);
    if (form) {
        starting.variable = form->variable;
        answer = run_program(stack, &starting);
    }
    for (size_t i = 0; i < SPAWN_HELPER_FILES; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    for (size_t i = 0; words[i]; i++)
        free(words[i]);
    send(fd, &answer, sizeof answer, MSG_NOSIGNAL);
}

/* Answers requests until the other end is closed. */
static void spawn_helper_serve(int fd, const struct spawn_form *forms)
{
    struct spawn_helper_request *request = mem_zero(1, sizeof *request);
    char *stack = mem_alloc(STACK);

    for (;;) {
        union {
            struct cmsghdr header;
            char bytes[CMSG_SPACE(sizeof(int) * SPAWN_HELPER_FILES)];
        } control;
        struct iovec part = {request, sizeof *request};
        struct msghdr message = {.msg_iov = &part,
                                 .msg_iovlen = 1,
                                 .msg_control = control.bytes,
                                 .msg_controllen = sizeof control.bytes};
        int fds[SPAWN_HELPER_FILES];
        ssize_t got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
        if (got <= 0)
            return;
        take_files(&message, fds);
        answer_one(fd, request, (size_t)got, fds, forms, stack);
    }
}

/* Starting, ending and asking the spawner. */

/* The descriptor of the spawner's end of the socket. */
enum { SERVING_FD = 3 };

static void become_program(int fd, const struct spawn_form *forms)
{
    prctl(PR_SET_NAME, "swarmutt-spawn");
    if (fd != SERVING_FD && dup2(fd, SERVING_FD) < 0)
        _exit(1);
    fcntl(SERVING_FD, F_SETFD, FD_CLOEXEC);
    close_range(SERVING_FD + 1, ~0U, 0); /* pipes whose other ends wait for our end */
    spawn_helper_serve(SERVING_FD, forms);
    _exit(0);
}

bool spawn_helper_start(struct spawner *spawner, const struct spawn_form *forms, struct err *err)
{
    sigset_t all, before;
    int ends[2];

    *spawner = (struct spawner){0};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return err_set(err, ERR_SOURCE, "no socket can be had: %s", strerror(errno));
    /* Signals from keys are for whoever has the terminal; the spawner ends when the screens do. */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    spawner->pid = fork();
    if (spawner->pid == 0)
        become_program(ends[1], forms);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    spawner->fd = ends[0];
    if (spawner->pid > 0)
        return true;
    *spawner = (struct spawner){0};
    close(ends[0]);
    return err_set(err, ERR_SOURCE, "no process can be had: %s", strerror(errno));
}

void spawn_helper_end(struct spawner *spawner)
{
    if (!spawner->pid)
        return;
    close(spawner->fd);
    while (waitpid(spawner->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    *spawner = (struct spawner){0};
}

/* --- asking --- */

/* Fills in the words; returns the length of the request, 0 if it is too long. */
static size_t pack_request(struct spawn_helper_request *request, const char *const *words)
{
    size_t len = 0;

    for (; words[request->words]; request->words++) {
        size_t more = strlen(words[request->words]) + 1;
        if (len + more > sizeof request->text || request->words == SPAWN_HELPER_WORDS)
            return 0;
        memcpy(request->text + len, words[request->words], more);
        len += more;
    }
    return offsetof(struct spawn_helper_request, text) + len;
}

static bool send_request(int fd, struct spawn_helper_request *request, size_t len, const int *fds,
                         size_t count)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int) * SPAWN_HELPER_FILES)];
    } control = {0};
    struct iovec part = {request, len};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t sent;

    if (count) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(&control.header), fds, sizeof(int) * count);
    }
    do
        sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)len;
}

static bool receive_answer(int fd, struct spawn_helper_answer *answer)
{
    ssize_t got;

    do
        got = recv(fd, answer, sizeof *answer, 0);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof *answer;
}

int spawn_helper_ask(const struct spawner *spawner, pid_t *child, const char *const *words,
                     const struct spawn_files *files)
{
    const int given[SPAWN_HELPER_FILES] = {files->in, files->out, files->errors};
    CLEANUP(mem_free) struct spawn_helper_request *request = mem_zero(1, sizeof *request);
    struct spawn_helper_answer answer = {.error = EPIPE};
    int fds[SPAWN_HELPER_FILES];
    size_t count = 0, len = pack_request(request, words);

    for (size_t i = 0; i < SPAWN_HELPER_FILES; i++) {
        request->files[i] = given[i] < 0 ? given[i] : 0;
        if (given[i] >= 0)
            fds[count++] = given[i];
    }
    if (!len)
        answer.error = E2BIG;
    else if (!send_request(spawner->fd, request, len, fds, count) ||
             !receive_answer(spawner->fd, &answer))
        answer = (struct spawn_helper_answer){.error = EPIPE};
    if (answer.error && answer.child) /* it was created, but could not execute the program */
        while (waitpid(answer.child, NULL, 0) < 0 && errno == EINTR)
            ;
    *child = answer.error ? 0 : answer.child;
    return answer.error;
}
