/* Running a command for each event: a queue, one child, a pipe that never blocks. */
#include "ui/running.h"

#include "base/mem.h"
#include "ui/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

struct running_input {
    struct running_input *next;
    struct str text;
};

/* The words of a command line, without any meaning of quotes. */
static void split(struct running *running, const char *command)
{
    size_t count = 0, cap = 0;
    bool whole = access(command, X_OK) == 0;
    char *save = NULL;

    running->words = mem_strdup(command);
    char *word = whole ? running->words : strtok_r(running->words, " \t\n", &save);
    while (word) {
        running->command = mem_grow(running->command, &cap, count + 2, sizeof *running->command);
        running->command[count++] = word;
        running->command[count] = NULL;
        word = whole ? NULL : strtok_r(NULL, " \t\n", &save);
    }
}

bool running_open(struct running *running, const char *command, struct err *err)
{
    running->child_fd = running->input = -1;
    running->last = &running->first;
    if (!command)
        return true;
    split(running, command);
    if (!running->command) {
        running_close(running);
        return err_set(err, ERR_USAGE, "that names no command");
    }
    signal(SIGPIPE, SIG_IGN); /* a command need not read what it is given */
    return true;
}

static void drop_first(struct running *running)
{
    struct running_input *input = running->first;

    running->first = input->next;
    if (!running->first)
        running->last = &running->first;
    str_free(&input->text);
    free(input);
    running->waiting--;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void running_close(struct running *running)
{
    while (running->first)
        drop_first(running);
    close_fd(&running->input);
    close_fd(&running->child_fd);
    free(running->command);
    free(running->words);
}

void running_add(struct running *running, struct span text)
{
    struct running_input *input = mem_zero(1, sizeof *input);

    str_add_span(&input->text, text);
    *running->last = input;
    running->last = &input->next;
    running->waiting++;
}

bool running_busy(const struct running *running)
{
    return running->child || running->first;
}

static void __attribute__((format(printf, 2, 3)))
tell(const struct running *running, const char *format, ...)
{
    char sentence[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    running->tell(running->context, sentence);
}

static void start(struct running *running)
{
    int ends[2];

    running->written = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        tell(running, "%s cannot be run: %s", running->command[0], strerror(errno));
        drop_first(running);
        return;
    }
    fflush(stdout); /* the line of the event stands before what the command says */
    int out = running->silent ? SPAWN_NOTHING : SPAWN_OURS;
    int failed = spawn_program(&running->child, (const char *const *)running->command,
                               &(struct spawn_files){.in = ends[0], .out = out, .errors = out});
    close(ends[0]);
    if (failed) {
        tell(running, "%s cannot be run: %s", running->command[0], strerror(failed));
        running->child = 0;
        close(ends[1]);
        drop_first(running);
        return;
    }
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    running->input = ends[1];
    running->child_fd = pidfd_open(running->child, 0);
}

static void feed(struct running *running)
{
    const struct str *text = &running->first->text;
    ssize_t wrote =
        write(running->input, text->at + running->written, text->len - running->written);

    if (wrote > 0)
        running->written += (size_t)wrote;
    if (running->written == text->len || (wrote < 0 && errno != EAGAIN && errno != EINTR))
        close_fd(&running->input); /* done, or it does not want more */
}

static void bury(struct running *running)
{
    int status;

    if (waitpid(running->child, &status, WNOHANG) != running->child)
        return;
    if (WIFEXITED(status) && WEXITSTATUS(status))
        tell(running, "%s ended with %d", running->command[0], WEXITSTATUS(status));
    if (WIFSIGNALED(status))
        tell(running, "%s was ended by signal %d", running->command[0], WTERMSIG(status));
    running->child = 0;
    close_fd(&running->input);
    close_fd(&running->child_fd);
    drop_first(running);
}

void running_poll(const struct running *running, struct pollfd *fds)
{
    fds[0] = (struct pollfd){.fd = running->input, .events = POLLOUT};
    fds[1] = (struct pollfd){.fd = running->child_fd, .events = POLLIN};
}

void running_work(struct running *running, const struct pollfd *fds)
{
    if (running->input >= 0 && fds[0].fd == running->input && fds[0].revents)
        feed(running);
    if (running->child && fds[1].revents)
        bury(running);
    while (!running->child && running->first) {
        start(running);
        if (running->input >= 0)
            feed(running); /* what fits into the pipe is there, whatever becomes of us */
    }
}
