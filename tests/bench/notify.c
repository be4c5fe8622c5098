/* The least that following one directory can be: reads each file that is moved in, and says so in a
 * line. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

static char contents[1 << 20];

static void tell(int dir, const char *name)
{
    int file = openat(dir, name, O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return;
    ssize_t got = read(file, contents, sizeof contents);
    close(file);
    printf("%s %zd\n", name, got);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static _Alignas(struct inotify_event) char events[65536];
    int dir = argc == 2 ? open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int told = inotify_init1(IN_CLOEXEC);
    ssize_t got;

    if (dir < 0 || told < 0 || inotify_add_watch(told, argv[1], IN_MOVED_TO) < 0) {
        fputs("usage: notify DIRECTORY\n", stderr);
        return 2;
    }
    while ((got = read(told, events, sizeof events)) > 0) {
        for (char *at = events; at < events + got;) {
            const struct inotify_event *event = (const struct inotify_event *)(void *)at;
            at += sizeof *event + event->len;
            if (event->len)
                tell(dir, event->name);
        }
    }
    return 1;
}
