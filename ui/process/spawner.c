/* The spawner: starting, ending and asking it. */
#include "ui/process/spawner.h"

#include "base/mem.h"
#include "ui/process/spawner_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the spawner has its end. */
enum { SERVING_FD = 3 };

static void become(int fd, const struct spawn_form *forms)
{
    prctl(PR_SET_NAME, "swarmutt-spawn");
    if (fd != SERVING_FD && dup2(fd, SERVING_FD) < 0)
        _exit(1);
    fcntl(SERVING_FD, F_SETFD, FD_CLOEXEC);
    close_range(SERVING_FD + 1, ~0U, 0); /* pipes by which others know that we live */
    spawner_serve(SERVING_FD, forms);
    _exit(0);
}

bool spawner_start(struct spawner *spawner, const struct spawn_form *forms, struct err *err)
{
    sigset_t all, before;
    int ends[2];

    *spawner = (struct spawner){0};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return err_set(err, ERR_SOURCE, "no socket can be had: %s", strerror(errno));
    /* Keys that send signals are for whoever has the terminal, and the screens' end is its own. */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    spawner->pid = fork();
    if (spawner->pid == 0)
        become(ends[1], forms);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    spawner->fd = ends[0];
    if (spawner->pid > 0)
        return true;
    *spawner = (struct spawner){0};
    close(ends[0]);
    return err_set(err, ERR_SOURCE, "no process can be had: %s", strerror(errno));
}

void spawner_end(struct spawner *spawner)
{
    if (!spawner->pid)
        return;
    close(spawner->fd);
    while (waitpid(spawner->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    *spawner = (struct spawner){0};
}

/* --- asking --- */

/* How long the request is; 0: too long. */
static size_t pack(struct spawner_request *request, const char *const *words)
{
    size_t len = 0;

    for (; words[request->words]; request->words++) {
        size_t more = strlen(words[request->words]) + 1;
        if (len + more > sizeof request->text || request->words == SPAWNER_WORDS)
            return 0;
        memcpy(request->text + len, words[request->words], more);
        len += more;
    }
    return offsetof(struct spawner_request, text) + len;
}

static bool put(int fd, struct spawner_request *request, size_t len, const int *fds, size_t count)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int) * SPAWNER_FILES)];
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

static bool take(int fd, struct spawner_answer *answer)
{
    ssize_t got;

    do
        got = recv(fd, answer, sizeof *answer, 0);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof *answer;
}

int spawner_ask(const struct spawner *spawner, pid_t *child, const char *const *words,
                const struct spawn_files *files)
{
    const int given[SPAWNER_FILES] = {files->in, files->out, files->errors};
    struct spawner_request *request = mem_zero(1, sizeof *request);
    struct spawner_answer answer = {.error = EPIPE};
    int fds[SPAWNER_FILES];
    size_t count = 0, len = pack(request, words);

    for (size_t i = 0; i < SPAWNER_FILES; i++) {
        request->files[i] = given[i] < 0 ? given[i] : 0;
        if (given[i] >= 0)
            fds[count++] = given[i];
    }
    if (!len)
        answer.error = E2BIG;
    else if (!put(spawner->fd, request, len, fds, count) || !take(spawner->fd, &answer))
        answer = (struct spawner_answer){.error = EPIPE};
    free(request);
    if (answer.error && answer.child) /* it was made, and could not become that program */
        while (waitpid(answer.child, NULL, 0) < 0 && errno == EINTR)
            ;
    *child = answer.error ? 0 : answer.child;
    return answer.error;
}
