/* Files, written the way agents write them. */
#include "demo/files.h"

#include "demo/random.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Growing texts, and JSON in the dialects of Node and Python. */

/* Growing texts. */

static void *check_allocation(void *block)
{
    if (!block)
        _exit(1);
    return block;
}

void *demo_alloc(size_t size)
{
    return check_allocation(calloc(1, size ? size : 1));
}

void *demo_resize(void *block, size_t size)
{
    return check_allocation(realloc(block, size ? size : 1));
}

char *demo_copy(const char *text)
{
    return text ? check_allocation(strdup(text)) : NULL;
}

void text_add(struct text *text, const char *bytes, size_t len)
{
    if (text->len + len + 1 > text->cap) {
        text->cap = (text->len + len + 1) * 2;
        text->at = demo_resize(text->at, text->cap);
    }
    if (len)
        memcpy(text->at + text->len, bytes, len);
    text->len += len;
    text->at[text->len] = '\0';
}

void text_puts(struct text *text, const char *bytes)
{
    text_add(text, bytes, strlen(bytes));
}

void text_putc(struct text *text, char c)
{
    text_add(text, &c, 1);
}

__attribute__((format(printf, 1, 0))) static char *format_list(const char *format, va_list args)
{
    char *made = NULL;

    if (vasprintf(&made, format, args) < 0)
        made = NULL;
    return check_allocation(made);
}

void text_addf(struct text *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    CLEANUP(demo_free) char *made = format_list(format, args);
    va_end(args);
    text_puts(text, made);
}

char *text_format(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *made = format_list(format, args);
    va_end(args);
    return made;
}

const char *text_c(const struct text *text)
{
    return text->at ? text->at : "";
}

static void text_clear(struct text *text)
{
    text->len = 0;
    if (text->at)
        text->at[0] = '\0';
}

void text_free(struct text *text)
{
    free(text->at);
    *text = (struct text){0};
}

/* Decodes one character. Invalid UTF-8 counts as Latin-1; no text of the demo has any. */
static size_t decode_utf8(const unsigned char *at, uint32_t *code)
{
    size_t more = at[0] >= 0xf0 ? 3 : at[0] >= 0xe0 ? 2 : at[0] >= 0xc2 ? 1 : 0;

    *code = more ? at[0] & (0x3f >> more) : at[0];
    for (size_t i = 1; i <= more; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            *code = at[0];
            return 1;
        }
        *code = *code << 6 | (at[i] & 0x3f);
    }
    return more + 1;
}

static void put_break(struct text *out, int blanks)
{
    text_addf(out, "\n%*s", blanks, "");
}

void json_node(struct text *out, const cJSON *tree, int indent)
{
    CLEANUP(demo_free) char *line = check_allocation(cJSON_PrintUnformatted(tree));
    bool quoted = false;
    int depth = 0;

    for (const char *at = line; *at; at++) {
        bool opens = strchr("{[", *at) && !quoted, closes = strchr("}]", *at) && !quoted;
        if (closes && --depth >= 0 && indent && !strchr("{[", at[-1]))
            put_break(out, depth * indent);
        text_putc(out, *at);
        if (quoted && *at == '\\')
            text_putc(out, *++at);
        else if (*at == '"')
            quoted = !quoted;
        depth += opens;
        if (indent && !quoted && ((opens && !strchr("}]", at[1])) || *at == ','))
            put_break(out, depth * indent);
        if (indent && !quoted && *at == ':')
            text_putc(out, ' ');
    }
}

void json_python(struct text *out, const cJSON *tree)
{
    CLEANUP(text_free) struct text bytes = {0};

    json_node(&bytes, tree, 2);
    for (const unsigned char *at = (const unsigned char *)text_c(&bytes); *at;) {
        uint32_t code;
        size_t len = decode_utf8(at, &code);
        if (code < 0x7f)
            text_add(out, (const char *)at, len);
        else if (code < 0x10000)
            text_addf(out, "\\u%04x", code);
        else
            text_addf(out, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10),
                      0xdc00 + (code & 0x3ff));
        at += len;
    }
}

cJSON *json_format(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    CLEANUP(demo_free) char *made = format_list(format, args);
    va_end(args);
    for (char *quote = made; (quote = strchr(quote, '\''));)
        *quote = '"';
    return check_allocation(cJSON_Parse(made));
}

cJSON *json_load(const char *path)
{
    CLEANUP(text_free) struct text bytes = {0};

    return files_read(path, &bytes) ? cJSON_Parse(text_c(&bytes)) : NULL;
}

const char *json_text(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

    return text ? text : "";
}

bool files_make_dir(const char *path, mode_t mode)
{
    CLEANUP(demo_free) char *copy = demo_copy(path);

    for (char *slash = copy + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(copy, mode); /* errors show at the last directory */
        *slash = '/';
    }
    return mkdir(copy, mode) == 0 || errno == EEXIST;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len) {
        ssize_t count = write(fd, bytes, len);
        if (count < 0 && errno != EINTR)
            return false;
        if (count > 0) {
            bytes += count;
            len -= (size_t)count;
        }
    }
    return true;
}

static bool write_with(const char *path, int flags, const char *bytes, size_t len, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, mode);

    if (fd < 0)
        return false;
    bool ok = write_all(fd, bytes, len);
    return close(fd) == 0 && ok;
}

bool files_write(const char *path, const char *bytes, size_t len, mode_t mode)
{
    return write_with(path, O_TRUNC, bytes, len, mode);
}

bool files_create(const char *path, const char *bytes, size_t len, mode_t mode)
{
    return write_with(path, O_EXCL, bytes, len, mode);
}

bool files_replace(const char *path, const char *bytes, size_t len)
{
    CLEANUP(demo_free) char *staged = text_format("%s.tmp", path);

    return files_write(staged, bytes, len, 0666) && rename(staged, path) == 0;
}

bool files_read(const char *path, struct text *out)
{
    char piece[16384];
    ssize_t count = -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

    text_clear(out);
    while (fd >= 0 && (count = read(fd, piece, sizeof piece)) > 0)
        text_add(out, piece, (size_t)count);
    if (fd >= 0)
        close(fd);
    return count == 0;
}

void files_age(const char *path, int64_t time_us)
{
    struct timespec then = {time_us / SECOND_US, time_us % SECOND_US * 1000};

    utimensat(AT_FDCWD, path, (struct timespec[]){then, then}, AT_SYMLINK_NOFOLLOW);
}

/* Takes ownership of the descriptor. */
static bool remove_inside(int fd)
{
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;
    bool ok = dir != NULL;

    if (!dir && fd >= 0)
        close(fd);
    while (dir && (entry = readdir(dir))) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(dirfd(dir), name, 0) == 0)
            continue;
        if (errno == EISDIR || errno == EPERM) {
            remove_inside(
                openat(dirfd(dir), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
            ok = (unlinkat(dirfd(dir), name, AT_REMOVEDIR) == 0 || errno == ENOENT) && ok;
        } else if (errno != ENOENT) {
            ok = false;
        }
    }
    if (dir)
        closedir(dir);
    return ok;
}

bool files_remove_tree(const char *path)
{
    remove_inside(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    return rmdir(path) == 0 || errno == ENOENT;
}
