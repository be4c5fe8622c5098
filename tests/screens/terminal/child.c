/* A program in a pseudo terminal. */
#include "child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

/* A message from the leader. */
struct report {
    enum { STARTED, STOPPED, ENDED } what;
    pid_t program;
    int status;
    struct termios modes;
};

/* A message to the leader. */
enum lead_command { GO_ON = 'c' };

static void reset_signals(void)
{
    sigset_t none;

    for (int signal_number = 1; signal_number < NSIG; signal_number++)
        signal(signal_number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void run_program(const char *cwd, char *const argv[], char *const env[])
{
    setpgid(0, 0);
    tcsetpgrp(STDIN_FILENO, getpid());
    reset_signals();
    if (cwd && chdir(cwd) != 0)
        _exit(126);
    execve(argv[0], argv, env);
    dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

/* Makes the terminal ours again, with the modes that it had before, like a shell. */
static void take_terminal(const struct termios *before)
{
    tcsetpgrp(STDIN_FILENO, getpgrp());
    tcsetattr(STDIN_FILENO, TCSANOW, before);
}

static void give_terminal(pid_t program)
{
    tcsetpgrp(STDIN_FILENO, program);
    kill(-program, SIGCONT);
}

static void report(int control, pid_t program, int status)
{
    struct report said = {
        .what = WIFSTOPPED(status) ? STOPPED : ENDED, .program = program, .status = status};

    tcgetattr(STDIN_FILENO, &said.modes);
    if (send(control, &said, sizeof said, MSG_NOSIGNAL) < 0)
        _exit(1);
}

/* Runs until the test closes the control socket. */
static void watch_program(int control, pid_t program, const struct termios *before, int news)
{
    struct pollfd fds[] = {{control, POLLIN, 0}, {news, POLLIN, 0}};
    bool ended = false;

    for (;;) {
        if (poll(fds, 2, -1) < 0)
            continue;
        struct signalfd_siginfo info;
        int status;
        while (fds[1].revents && read(news, &info, sizeof info) > 0) {
            if (info.ssi_signo == SIGHUP && !ended)
                kill(-program, SIGHUP); /* the system signals only the leader */
            while (!ended && waitpid(program, &status, WNOHANG | WUNTRACED) == program) {
                report(control, program, status);
                ended = !WIFSTOPPED(status);
                take_terminal(before);
            }
        }
        char order;
        if (!fds[0].revents)
            continue;
        if (read(control, &order, 1) <= 0)
            break;
        if (order == GO_ON && !ended)
            give_terminal(program);
    }
    if (!ended) {
        kill(-program, SIGKILL);
        kill(program, SIGKILL); /* if it has left its group */
        waitpid(program, NULL, 0);
    }
}

/* Never returns. Everything here is safe between fork() and execve(). */
static void lead(int control, int slave, const char *cwd, char *const argv[], char *const env[])
{
    static const int ignored[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};
    struct termios before;
    sigset_t news;

    if (login_tty(slave) != 0 || dup2(control, 3) < 0)
        _exit(1);
    close_range(4, ~0U, 0);
    fcntl(3, F_SETFD, FD_CLOEXEC);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    sigemptyset(&news);
    sigaddset(&news, SIGCHLD);
    sigaddset(&news, SIGHUP);
    sigprocmask(SIG_SETMASK, &news, NULL);
    int news_fd = signalfd(-1, &news, SFD_CLOEXEC | SFD_NONBLOCK);
    tcgetattr(STDIN_FILENO, &before);

    pid_t program = fork();
    if (program == 0)
        run_program(cwd, argv, env);
    setpgid(program, program);
    struct report started = {.what = STARTED, .program = program};
    if (program < 0 || send(3, &started, sizeof started, MSG_NOSIGNAL) < 0)
        _exit(1);
    watch_program(3, program, &before, news_fd);
    _exit(0);
}

bool child_start(struct child *child, int rows, int cols, const char *cwd, char *const argv[],
                 char *const env[])
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    int ends[2];

    *child = (struct child){.program = -1};
    if (openpty(&child->master, &child->slave, NULL, NULL, &size) != 0)
        return false;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fcntl(child->master, F_SETFD, FD_CLOEXEC);
    fcntl(child->slave, F_SETFD, FD_CLOEXEC);
    fcntl(child->master, F_SETFL, O_NONBLOCK);
    tcgetattr(child->slave, &child->before);
    child->leader = fork();
    if (child->leader == 0)
        lead(ends[1], child->slave, cwd, argv, env);
    close(ends[1]);
    child->control = ends[0];
    return child->leader > 0 && child_take_report(child);
}

bool child_take_report(struct child *child)
{
    struct report said;

    if (recv(child->control, &said, sizeof said, 0) != (ssize_t)sizeof said)
        return false;
    child->program = said.program;
    if (said.what == STARTED)
        return true;
    child->stopped = said.what == STOPPED;
    child->ended = said.what == ENDED;
    child->status = said.status;
    child->after = said.modes;
    return true;
}

void child_continue(struct child *child)
{
    char order = GO_ON;

    child->stopped = false;
    send(child->control, &order, 1, MSG_NOSIGNAL);
}

bool child_resize(struct child *child, int rows, int cols)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

    return ioctl(child->master, TIOCSWINSZ, &size) == 0;
}

void child_hang_up(struct child *child)
{
    if (child->master >= 0)
        close(child->master);
    child->master = -1;
}

static bool read_thread(const char *path, unsigned long *switches)
{
    char line[256];
    bool asleep = false;
    FILE *file = fopen(path, "re");

    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        const char *number = strstr(line, "voluntary_ctxt_switches:"); /* of both kinds */
        if (strncmp(line, "State:\tS", 8) == 0)
            asleep = true;
        else if (number)
            *switches += strtoul(strchr(number, ':') + 1, NULL, 10);
    }
    fclose(file);
    return asleep;
}

bool child_is_asleep(const struct child *child, unsigned long *switches)
{
    struct pollfd input = {child->slave, POLLIN, 0};
    char path[512];
    bool asleep = true;

    *switches = 0;
    if (poll(&input, 1, 0) != 0)
        return false;
    snprintf(path, sizeof path, "/proc/%d/task", (int)child->program);
    DIR *threads = opendir(path);
    if (!threads)
        return false;
    for (struct dirent *entry; (entry = readdir(threads));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/status", (int)child->program, entry->d_name);
        asleep = read_thread(path, switches) && asleep;
    }
    closedir(threads);
    return asleep;
}

void child_close(struct child *child)
{
    close(child->control);
    close(child->slave);
    child_hang_up(child);
    waitpid(child->leader, NULL, 0);
}
