/* The limit: opens, reads and closes every file of a mailbox once, and does nothing else. Prints
 * the seconds that this took. Files are two directories below the mailbox, unless another number is
 * given. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 20];
static size_t files, bytes;

static void read_dir(int parent, const char *name, long depth)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);

    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        if (depth > 0) {
            read_dir(fd, entry->d_name, depth - 1);
            continue;
        }
        int file = openat(fd, entry->d_name, O_RDONLY | O_CLOEXEC);
        ssize_t got = read(file, buffer, sizeof buffer);
        bytes += got > 0 ? (size_t)got : 0;
        files++;
        close(file);
    }
    closedir(dir);
}

int main(int argc, char **argv)
{
    struct timespec start, end;

    if (argc != 2 && argc != 3)
        return 2;
    clock_gettime(CLOCK_MONOTONIC, &start);
    read_dir(AT_FDCWD, argv[1], argc == 3 ? strtol(argv[2], NULL, 10) : 2);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.6f %zu %zu\n",
           (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9, files,
           bytes);
    return 0;
}
