/* Runs a program and prints the microseconds from its start until the first byte of its output and
 * until its end. Its input is empty, and its output is discarded. */
#include "clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void become(char **command, int out)
{
    int nothing = open("/dev/null", O_RDONLY);

    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
}

int main(int argc, char **argv)
{
    static char bytes[65536];
    int ends[2], status = 0;
    int64_t first_us = 0;

    if (argc < 2 || pipe2(ends, O_CLOEXEC)) {
        fputs("usage: timed PROGRAM [ARGUMENT]...\n", stderr);
        return 2;
    }
    int64_t begun_us = now_us();
    pid_t child = fork();
    if (child == 0)
        become(argv + 1, ends[1]);
    close(ends[1]);
    while (child > 0 && read(ends[0], bytes, sizeof bytes) > 0)
        first_us = first_us ? first_us : now_us();
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        perror(argv[1]);
        return 1;
    }
    int64_t end_us = now_us();
    printf("%lld %lld\n", (long long)((first_us ? first_us : end_us) - begun_us),
           (long long)(end_us - begun_us));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
