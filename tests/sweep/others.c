/* Changes by other programs to a mailbox while a verb works on it. */
#include "sweep.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MAX = 32 };

/* The files with mail in them. */
struct mail_files {
    char paths[FILES_MAX][512];
    struct str bytes[FILES_MAX];
    size_t count;
};

static bool is_mail(const char *name)
{
    return name[0] != '.' && strcmp(name, "config.json") != 0 && !strstr(name, ".lock");
}

static bool leads_on(const char *name)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static void read_path(const char *path, struct str *out)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0) {
        ssize_t got = read(fd, str_room(out, (size_t)st.st_size), (size_t)st.st_size);
        out->len += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
}

static void find_files(const char *path, struct mail_files *files)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        char name[512];
        struct stat st;
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (lstat(name, &st) == 0) {
            if (S_ISDIR(st.st_mode) && leads_on(entries[i]->d_name))
                find_files(name, files);
            if (S_ISREG(st.st_mode) && is_mail(entries[i]->d_name) && files->count < FILES_MAX) {
                snprintf(files->paths[files->count], sizeof *files->paths, "%s", name);
                read_path(name, &files->bytes[files->count++]);
            }
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void free_files(struct mail_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        str_free(&files->bytes[i]);
}

void put_as_others(const char *path, struct span bytes)
{
    char temp[600];

    snprintf(temp, sizeof temp, "%s/.of-others", world.root);
    int fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return;
    bool whole = write(fd, bytes.at, bytes.len) == (ssize_t)bytes.len;
    close(fd);
    if (whole)
        rename(temp, path);
}

void each_mail_file(void (*work)(const char *path, struct span bytes, struct span next))
{
    struct mail_files files = {0};

    find_files(world.root, &files);
    for (size_t i = 0; i < files.count; i++)
        work(files.paths[i], str_span(&files.bytes[i]),
             str_span(&files.bytes[(i + 1) % files.count]));
    free_files(&files);
}

static void put_same(const char *path, struct span bytes, struct span next)
{
    (void)next;
    put_as_others(path, bytes);
}

static void put_next(const char *path, struct span bytes, struct span next)
{
    (void)bytes;
    put_as_others(path, next);
}

static void put_half(const char *path, struct span bytes, struct span next)
{
    (void)next;
    put_as_others(path, (struct span){bytes.at, bytes.len / 2});
}

static void take(const char *path, struct span bytes, struct span next)
{
    (void)bytes, (void)next;
    unlink(path);
}

static void leave_lock(const char *path, struct span bytes, struct span next)
{
    char name[600];

    (void)bytes, (void)next;
    snprintf(name, sizeof name, "%s.lock", path);
    mkdir(name, 0755);
}

static void leave_lock_file(const char *path, struct span bytes, struct span next)
{
    char name[600];

    (void)bytes, (void)next;
    snprintf(name, sizeof name, "%s.lock", path);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd >= 0)
        close(fd);
}

static void rewrite(void)
{
    each_mail_file(put_same);
}

static void exchange(void)
{
    each_mail_file(put_next);
}

static void cut_short(void)
{
    each_mail_file(put_half);
}

static void take_all(void)
{
    each_mail_file(take);
}

static void leave_locks(void)
{
    each_mail_file(leave_lock);
}

static void leave_lock_files(void)
{
    each_mail_file(leave_lock_file);
}

const struct others others[] = {
    {.what = "write the same again", .work = rewrite},
    {.what = "exchange all messages", .work = exchange, .takes = true},
    {.what = "cut all files short", .work = cut_short, .takes = true, .once = true},
    {.what = "take all away", .work = take_all, .takes = true},
    {.what = "leave locks behind", .work = leave_locks, .once = true},
    {.what = "leave lock files behind", .work = leave_lock_files, .once = true},
    {0},
};
