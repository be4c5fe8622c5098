/* Running a command for each event: a queue, one child, a pipe that never blocks. */
#include "ui/process/process_pipe.h"

#include "base/mem.h"
#include "ui/process/spawn_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

struct process_pipe_input {
    struct process_pipe_input *next;
    struct str text;
};

/* Exit status of timeout(1) when the time is over, and when there is no such command. */
enum { TOOK_TOO_LONG = 124, NOT_FOUND = 127 };

struct words {
    char **items;
    size_t count, cap;
};

static void add_word(struct words *words, char *word)
{
    words->items = mem_grow(words->items, &words->cap, words->count + 2, sizeof *words->items);
    words->items[words->count++] = word;
    words->items[words->count] = NULL;
}

/* Puts timeout(1) before the words; it also ends everything that the command has started. */
static void add_limit(struct running *running, struct words *words)
{
    static char program[] = "timeout", grace[] = "--kill-after=1";

    snprintf(running->limit, sizeof running->limit, "%lld.%06lld",
             (long long)(running->limit_us / 1000000), (long long)(running->limit_us % 1000000));
    add_word(words, program);
    add_word(words, grace);
    add_word(words, running->limit);
}

/* Splits a command line at blanks; quotes have no meaning. */
static void split_words(struct running *running, const char *command)
{
    bool whole = access(command, X_OK) == 0;
    struct words words = {0};
    char *save = NULL;

    running->text = mem_strdup(command);
    running->name = whole ? running->text : strtok_r(running->text, " \t\n", &save);
    if (!running->name)
        return;
    if (running->limit_us)
        add_limit(running, &words);
    char *word = running->text + (running->name - running->text);
    while (word) {
        add_word(&words, word);
        word = whole ? NULL : strtok_r(NULL, " \t\n", &save);
    }
    running->command = words.items;
}

bool process_pipe_open(struct running *running, const char *command, struct err *err)
{
    running->child_fd = running->input = -1;
    running->last = &running->first;
    if (!command)
        return true;
    split_words(running, command);
    if (!running->command) {
        process_pipe_close(running);
        return err_set(err, ERR_USAGE, "that names no command");
    }
    signal(SIGPIPE, SIG_IGN); /* a command need not read its input */
    return true;
}

static void drop_first(struct running *running)
{
    struct process_pipe_input *input = running->first;

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

void process_pipe_close(struct running *running)
{
    while (running->first)
        drop_first(running);
    close_fd(&running->input);
    close_fd(&running->child_fd);
    free(running->command);
    free(running->text);
}

void process_pipe_add(struct running *running, struct span text)
{
    struct process_pipe_input *input = mem_zero(1, sizeof *input);

    str_add_span(&input->text, text);
    *running->last = input;
    running->last = &input->next;
    running->waiting++;
}

bool process_pipe_busy(const struct running *running)
{
    return running->child || running->first;
}

static void __attribute__((format(printf, 2, 3)))
report_end(const struct running *running, const char *format, ...)
{
    char sentence[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    running->tell(running->context, sentence);
}

static void start_child(struct running *running)
{
    int ends[2];

    running->written = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        report_end(running, "%s cannot be run: %s", running->name, strerror(errno));
        drop_first(running);
        return;
    }
    fflush(stdout); /* the line of the event comes before the output of the command */
    int out = running->silent ? SPAWN_NOTHING : SPAWN_OURS;
    int failed =
        spawn_program(running->spawner, &running->child, (const char *const *)running->command,
                      &(struct spawn_files){.in = ends[0], .out = out, .errors = out});
    close(ends[0]);
    if (failed) {
        report_end(running, "%s cannot be run: %s", running->name, strerror(failed));
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
        close_fd(&running->input); /* done, or it reads no more */
}

static void report_exit(const struct running *running, int status)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;

    if (running->limit_us && (code == TOOK_TOO_LONG || killed))
        report_end(running, "%s took longer than %g s and was ended", running->name,
                   (double)running->limit_us / 1e6);
    else if (running->limit_us && code == NOT_FOUND)
        report_end(running, "%s cannot be run: there is no such command", running->name);
    else if (code)
        report_end(running, "%s ended with %d", running->name, code);
    else if (WIFSIGNALED(status))
        report_end(running, "%s was ended by signal %d", running->name, WTERMSIG(status));
}

static void bury_child(struct running *running)
{
    int status;

    if (waitpid(running->child, &status, WNOHANG) != running->child)
        return;
    report_exit(running, status);
    running->child = 0;
    close_fd(&running->input);
    close_fd(&running->child_fd);
    drop_first(running);
}

void process_pipe_poll(const struct running *running, struct pollfd *fds)
{
    fds[0] = (struct pollfd){.fd = running->input, .events = POLLOUT};
    fds[1] = (struct pollfd){.fd = running->child_fd, .events = POLLIN};
}

void process_pipe_work(struct running *running, const struct pollfd *fds)
{
    if (running->input >= 0 && fds[0].fd == running->input && fds[0].revents)
        feed(running);
    if (running->child && fds[1].revents)
        bury_child(running);
    while (!running->child && running->first) {
        start_child(running);
        if (running->input >= 0)
            feed(running); /* what fits into the pipe is delivered even if we end now */
    }
}
