/* Moves all files of one directory into another as quickly as possible. Prints when it began and
 * when it ended, in microseconds of the steady clock. */
#include "clock.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    DIR *from = argc == 3 ? opendir(argv[1]) : NULL;
    int to = argc == 3 ? open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (!from || to < 0) {
        fputs("usage: burst FROM TO\n", stderr);
        return 2;
    }
    int64_t begun_us = now_us();
    for (struct dirent *entry; (entry = readdir(from));) {
        if (entry->d_name[0] == '.')
            continue;
        if (renameat(dirfd(from), entry->d_name, to, entry->d_name)) {
            perror(entry->d_name);
            return 1;
        }
    }
    printf("%lld %lld\n", (long long)begun_us, (long long)now_us());
    closedir(from);
    close(to);
    return 0;
}
