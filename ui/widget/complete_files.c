/* Completion, files: the names in a directory. */
#include "ui/widget/complete.h"

#include "base/text/fold.h"
#include "base/text/utf8.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The directory that a path leads into: what stands before its last slash, the slash included. */
static struct span directory_of(struct span typed)
{
    const char *slash = typed.len ? memrchr(typed.at, '/', typed.len) : NULL;

    return (struct span){typed.at, slash ? (size_t)(slash - typed.at) + 1 : 0};
}

static DIR *open_directory(struct span directory, const char *base)
{
    const char *home = getenv("HOME");
    struct str path = {0};

    if (home && span_starts(directory, span_of("~/"))) {
        str_puts(&path, home);
        directory.at++;
        directory.len--;
    } else if (!span_starts(directory, span_of("/"))) {
        str_puts(&path, base);
        str_putc(&path, '/');
    }
    str_add_span(&path, directory);
    int fd = open(str_c(&path), O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
    DIR *opened = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && !opened)
        close(fd);
    str_free(&path);
    return opened;
}

static bool is_plain(struct span name)
{
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.at[i] < 0x20 || name.at[i] == 0x7f)
            return false;
    return utf8_valid(name);
}

static bool is_directory(DIR *dir, const struct dirent *entry)
{
    struct stat st;

    if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK)
        return entry->d_type == DT_DIR;
    return fstatat(dirfd(dir), entry->d_name, &st, 0) == 0 && S_ISDIR(st.st_mode);
}

static void add_file(struct completion *completion, struct span directory, struct span name,
                     bool is_dir)
{
    struct str text = {0};

    str_add_span(&text, directory);
    str_add_span(&text, name);
    if (is_dir)
        str_putc(&text, '/');
    complete_add(completion, str_span(&text), span_of(is_dir ? "directory" : ""), 0);
    str_free(&text);
}

static bool may_be_meant(struct span name, struct span typed, struct span typed_folded)
{
    struct str folded = {0};

    if (!is_plain(name) || span_is(name, ".") || span_is(name, "..") ||
        (name.at[0] == '.' && !span_starts(typed, span_of("."))))
        return false;
    fold_add(&folded, name);
    bool meant = complete_match(str_span(&folded), typed_folded) != COMPLETE_NOT;
    str_free(&folded);
    return meant;
}

void complete_add_files(struct completion *completion, struct span typed, const char *base)
{
    struct span directory = directory_of(typed);
    struct span start = typed;
    struct str folded = {0};
    DIR *dir = open_directory(directory, base);
    size_t added = 0;

    if (!dir)
        return;
    if (directory.len)
        start = (struct span){typed.at + directory.len, typed.len - directory.len};
    fold_add(&folded, start);
    for (size_t read = 0; read < COMPLETE_ENTRIES && added < COMPLETE_FILES; read++) {
        const struct dirent *entry = readdir(dir);
        if (!entry)
            break;
        struct span name = span_of(entry->d_name);
        if (!may_be_meant(name, start, str_span(&folded)))
            continue;
        add_file(completion, directory, name, is_directory(dir, entry));
        added++;
    }
    closedir(dir);
    str_free(&folded);
}
