/* Storage errors: the lists of them. */
#include "base/io_error.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>

enum { PATH_LEN = 4096, REASON_LEN = 1024 };

struct list {
    size_t count;
    struct {
        char path[PATH_LEN], reason[REASON_LEN];
        bool reported;
    } kept[IO_ERRORS_KEPT];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list lists[IO_ERROR_KINDS];

static size_t kept_count(const struct list *list)
{
    return list->count < IO_ERRORS_KEPT ? list->count : IO_ERRORS_KEPT;
}

/* Reports whether one text ends with the other: "Permission denied" covers both. */
static bool ends_alike(const char *one, const char *other)
{
    size_t len = strlen(one), other_len = strlen(other);

    return len < other_len ? strcmp(other + other_len - len, one) == 0
                           : strcmp(one + len - other_len, other) == 0;
}

/* An error on a directory covers the paths beneath it. */
static bool is_beneath(const char *path, const char *top)
{
    size_t len = strlen(top);

    return len && strncmp(path, top, len) == 0 && path[len] == '/';
}

static bool is_known(const struct list *list, const char *path, const char *reason)
{
    for (size_t i = 0; i < kept_count(list); i++)
        if ((strncmp(list->kept[i].path, path, PATH_LEN - 1) == 0 &&
             (path[0] || strncmp(list->kept[i].reason, reason, REASON_LEN - 1) == 0)) ||
            (is_beneath(path, list->kept[i].path) && ends_alike(list->kept[i].reason, reason)))
            return true;
    return false;
}

void io_error_note(enum io_error_kind kind, const char *path, const char *reason)
{
    struct list *list = &lists[kind];

    pthread_mutex_lock(&lock);
    if (!is_known(list, path, reason)) {
        if (list->count < IO_ERRORS_KEPT) {
            snprintf(list->kept[list->count].path, PATH_LEN, "%s", path);
            snprintf(list->kept[list->count].reason, REASON_LEN, "%s", reason);
            list->kept[list->count].reported = false;
        }
        list->count++;
    }
    pthread_mutex_unlock(&lock);
}

void io_error_note_errno(const char *path)
{
    int problem = errno;

    if (problem && problem != ENOENT && problem != ENOTDIR && problem != ELOOP)
        io_error_note(IO_ERROR_OTHER, path, strerror(problem));
    errno = problem;
}

void io_error_note_err(const struct err *err)
{
    if (err->scope != ERR_NONE && err->scope != ERR_ABSENT)
        io_error_note(IO_ERROR_OTHER, "", err->text);
}

void io_error_reported(const char *reason)
{
    struct list *list = &lists[IO_ERROR_OTHER];

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < kept_count(list); i++)
        list->kept[i].reported |= strncmp(list->kept[i].reason, reason, REASON_LEN - 1) == 0;
    pthread_mutex_unlock(&lock);
}

size_t io_error_count(enum io_error_kind kind)
{
    pthread_mutex_lock(&lock);
    size_t count = lists[kind].count;
    pthread_mutex_unlock(&lock);
    return count;
}

bool io_error_take(enum io_error_kind kind, struct str *path, struct str *reason)
{
    struct list *list = &lists[kind];

    str_clear(path);
    str_clear(reason);
    pthread_mutex_lock(&lock);
    size_t i = 0;
    while (i < kept_count(list) && list->kept[i].reported)
        i++;
    bool there = i < kept_count(list);
    if (there) {
        str_puts(path, list->kept[i].path);
        str_puts(reason, list->kept[i].reason);
        list->kept[i].reported = true;
    }
    pthread_mutex_unlock(&lock);
    return there;
}

void io_error_clear(size_t keep)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < IO_ERROR_KINDS; i++) {
        size_t most = i == IO_ERROR_OTHER ? keep : 0;
        lists[i].count = lists[i].count < most ? lists[i].count : most;
        for (size_t k = 0; k < kept_count(&lists[i]); k++)
            lists[i].kept[k].reported = false;
    }
    pthread_mutex_unlock(&lock);
}
