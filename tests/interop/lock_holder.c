/* Takes and releases the lock of an inbox on demand, for the tests that mix it with other programs.
 *
 * lock_holder DIRECTORY INBOX MARKER reads lines: "take WAIT_MS HOLD_MS" holds the lock that long,
 * with a file MARKER that only one holder can make; "clear" clears a leftover claim. Answers each
 * line with one: ok, double (another holder was there), lost (another program took it over), held
 * (with a negative HOLD_MS: until the line "release"), or the error. */
#include "base/file/signal_cleanup.h"
#include "store/send/inbox_lock.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void hold_ms(long ms)
{
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000};

    nanosleep(&pause, NULL);
}

static void take(struct lock *lock, int dir, char **argv, long wait_ms, long ms)
{
    const struct lock_options options = {.wait_ms = wait_ms};
    struct err err;

    if (!lock_take(lock, dir, argv[2], &options, &err)) {
        puts(err.text);
        return;
    }
    if (ms < 0) {
        puts("held");
        return;
    }
    int fd = open(argv[3], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    hold_ms(ms);
    bool ours = lock_still_ours(lock);
    if (fd >= 0) {
        close(fd);
        unlink(argv[3]);
    }
    lock_release(lock);
    puts(fd < 0 ? "double" : ours ? "ok" : "lost");
}

static void release(struct lock *lock)
{
    lock_release(lock);
    puts("released");
}

int main(int argc, char **argv)
{
    int dir = argc == 4 ? open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    long wait_ms, ms;
    char line[128];
    struct lock lock;

    if (dir < 0)
        return 2;
    signal_cleanup_install();
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "take %ld %ld", &wait_ms, &ms) == 2)
            take(&lock, dir, argv, wait_ms, ms);
        else if (strcmp(line, "clear\n") == 0)
            puts(lock_clear_claim(dir, argv[2]) ? "cleared" : "nothing");
        else if (strcmp(line, "release\n") == 0)
            release(&lock);
        else
            return 2;
        fflush(stdout);
    }
    fprintf(stderr, "longest hold %lld us\n", (long long)lock_longest_hold_us());
    return 0;
}
