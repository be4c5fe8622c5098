/* The terminal: signals. They only write into a pipe; what they want is done by who reads it. */
#include "ui/term/terminal.h"
#include "ui/term/terminal_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

enum { LEAVE_S = 5 };

/* Signals that ask the process to end. While we have the terminal there is time to save what was
 * just typed, but not for ever. */
static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
enum { ASKING = sizeof asking / sizeof *asking };

/* What handlers start from: the end of the pipe, and what the signals above do by themselves, which
 * is to end the process at once. */
static int wake_end = -1;
static struct sigaction at_once[ASKING];

static void on_signal(int number)
{
    int kept = errno;
    char byte = (char)number;
    ssize_t ignored = write(wake_end, &byte, 1);

    (void)ignored;
    errno = kept;
}

void terminal_let_end(void)
{
    struct sigaction now;

    for (size_t i = 0; i < ASKING; i++)
        if (sigaction(asking[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaction(asking[i], &at_once[i], NULL);
}

static void on_asking(int number)
{
    terminal_let_end(); /* a second one is not a question */
    alarm(LEAVE_S);
    on_signal(number);
}

void terminal_catch_asking(void)
{
    struct sigaction action = {.sa_handler = on_asking, .sa_flags = SA_RESTART}, now;

    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < ASKING; i++) {
        sigaction(asking[i], NULL, &now);
        if (now.sa_handler == on_asking || now.sa_handler == SIG_IGN)
            continue;
        at_once[i] = now;
        sigaction(asking[i], &action, NULL);
    }
}

bool terminal_asks_to_end(int number)
{
    for (size_t i = 0; i < ASKING; i++)
        if (asking[i] == number)
            return true;
    return false;
}

bool terminal_catch_signals(struct terminal *terminal, struct err *err)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    const int numbers[] = {SIGWINCH, SIGTSTP, SIGCONT};

    if (pipe2(terminal->wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return err_set(err, ERR_SOURCE, "no pipe can be had: %s", strerror(errno));
    wake_end = terminal->wake[1];
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    return true;
}

/* That it goes on was told, too, and needs no second answer. */
static void forget_continuing(struct terminal *terminal)
{
    char numbers[64];
    ssize_t count = read(terminal->wake[0], numbers, sizeof numbers);

    for (ssize_t i = 0; i < count; i++)
        if (terminal_asks_to_end(numbers[i]))
            on_signal(numbers[i]);
}

void terminal_suspend(struct terminal *terminal)
{
    struct sigaction stop = {.sa_handler = SIG_DFL}, before;

    terminal_release(terminal);
    sigemptyset(&stop.sa_mask);
    sigaction(SIGTSTP, &stop, &before);
    raise(SIGTSTP);
    terminal_resume(terminal);
    sigaction(SIGTSTP, &before, NULL);
    forget_continuing(terminal);
}
