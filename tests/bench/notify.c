/* The smallest program that follows one directory: reads each file that is moved in, and prints a
 * line for it. With a number, prints one line when it is ready and one when it has read that many
 * files, with the time in microseconds of the steady clock. */
#include "clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

static char contents[1 << 20];

static void take(int dir, const char *name, long *left)
{
    int file = openat(dir, name, O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return;
    ssize_t got = read(file, contents, sizeof contents);
    close(file);
    if (*left < 0) {
        printf("%s %zd\n", name, got);
    } else if (--*left == 0) {
        printf("%lld\n", (long long)now_us());
    } else {
        return;
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static _Alignas(struct inotify_event) char events[65536];
    int dir = argc > 1 ? open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int told = inotify_init1(IN_CLOEXEC);
    long left = argc > 2 ? strtol(argv[2], NULL, 10) : -1;
    ssize_t got;

    if (dir < 0 || told < 0 || inotify_add_watch(told, argv[1], IN_MOVED_TO) < 0) {
        fputs("usage: notify DIRECTORY [COUNT]\n", stderr);
        return 2;
    }
    if (left > 0) {
        puts("ready");
        fflush(stdout);
    }
    while (left && (got = read(told, events, sizeof events)) > 0) {
        for (char *at = events; at < events + got;) {
            const struct inotify_event *event = (const struct inotify_event *)(void *)at;
            at += sizeof *event + event->len;
            if (event->len)
                take(dir, event->name, &left);
        }
    }
    close(dir);
    return left != 0;
}
