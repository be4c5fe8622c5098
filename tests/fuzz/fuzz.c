/* Fuzzing: the table of targets, and their shared helpers. */
#include "fuzz.h"

#include "base/mem.h"
#include "base/text/sanitize.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

const struct fuzz_target fuzz_targets[] = {
    {"adr", fuzz_adr},
    {"cache", fuzz_cache},
    {"claude", fuzz_claude},
    {"clean", fuzz_clean},
    {"compose", fuzz_compose},
    {"config", fuzz_config},
    {"document", fuzz_document},
    {"escape", fuzz_escape},
    {"front_matter", fuzz_front_matter},
    {"inbox", fuzz_inbox},
    {"json", fuzz_json},
    {"json_edit", fuzz_json_edit},
    {"ledger", fuzz_ledger},
    {"mcp", fuzz_mcp},
    {"openclaw", fuzz_openclaw},
    {"protocol", fuzz_protocol},
    {"query", fuzz_query},
    {"roo", fuzz_roo},
    {"segment", fuzz_segment},
    {NULL, NULL},
};

const struct fuzz_target *fuzz_find(const char *name)
{
    const struct fuzz_target *target = fuzz_targets;

    while (target->name && strcmp(target->name, name) != 0)
        target++;
    return target->name ? target : NULL;
}

void fuzz_fail(const char *file, int line, const char *holds, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "%s:%d: does not hold: %s: ", file, line, holds);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}

unsigned char fuzz_byte(struct span *input)
{
    if (!input->len)
        return 0;
    input->len--;
    return (unsigned char)*input->at++;
}

struct span fuzz_part(struct span *input)
{
    const char *mark = input->len ? memchr(input->at, FUZZ_MARK, input->len) : NULL;
    struct span part = {input->at, mark ? (size_t)(mark - input->at) : input->len};
    size_t taken = part.len + (mark != NULL);

    input->at += taken;
    input->len -= taken;
    return part;
}

bool fuzz_spoil(char *bytes, size_t len, struct span input)
{
    char *before = mem_alloc(len + 1);

    memcpy(before, bytes, len);
    while (input.len >= 6 && len) {
        size_t at = fuzz_byte(&input) * 256u;
        at = (at + fuzz_byte(&input)) % len;
        for (size_t i = 0; i < 4; i++)
            bytes[at + i < len ? at + i : at] = (char)fuzz_byte(&input);
    }
    bool changed = memcmp(before, bytes, len) != 0;
    free(before);
    return changed;
}

/* --- files --- */

static char directory[4096];

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *place)
{
    (void)st;
    (void)kind;
    (void)place;
    return remove(path);
}

static void remove_directory(void)
{
    nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_dir(void)
{
    static const char *const homes[] = {"XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
                                        "HOME"};
    const char *base = getenv("TMPDIR");

    if (directory[0])
        return directory;
    snprintf(directory, sizeof directory, "%s/swarmutt-fuzz-XXXXXX", base ? base : "/tmp");
    require(mkdtemp(directory), "no directory can be made: %s", directory);
    atexit(remove_directory);
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
        setenv(homes[i], directory, 1);
    return directory;
}

void fuzz_write(const char *name, struct span bytes)
{
    char path[sizeof directory + 256];

    snprintf(path, sizeof path, "%s/%s", fuzz_dir(), name);
    /* in place: file systems sync a file that was truncated and written again, which is slow */
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    require(fd >= 0, "%s cannot be opened", path);
    require(pwrite(fd, bytes.at, bytes.len, 0) == (ssize_t)bytes.len &&
                ftruncate(fd, (off_t)bytes.len) == 0,
            "%s cannot be written", path);
    close(fd);
}

/* --- what must hold --- */

bool fuzz_inside(struct span part, struct span whole)
{
    return !part.at || (part.at >= whole.at && part.at + part.len <= whole.at + whole.len);
}

void fuzz_require_clean(struct span text)
{
    struct str clean = {0};

    sanitize_add(&clean, text, SANITIZE_LINE);
    require(span_eq(str_span(&clean), text), "\"%.*s\"", (int)text.len, text.at);
    str_free(&clean);
}

static bool is_one_of(struct json key, const char *const *keys)
{
    while (*keys && !json_is(key, *keys))
        keys++;
    return *keys != NULL;
}

/* True if the walk is at the member of that key that counts: the last one. */
static bool is_last(struct json_walk walk, struct json key)
{
    struct json other, ignored;
    struct arena arena = {0};
    bool last = true;

    while (last && json_next(&walk, &other, &ignored))
        last = !span_eq(json_text(&arena, other), json_text(&arena, key));
    arena_free(&arena);
    return last;
}

static struct span between(const char *from, const char *to)
{
    return (struct span){from, (size_t)(to - from)};
}

void fuzz_require_kept(struct span before, struct span after, const char *const *keys)
{
    struct json_walk old, new;
    struct json old_key, old_value, new_key = {0}, new_value = {0};
    const char *old_at = before.at, *new_at = after.at;
    struct err err;

    require(json_open(&old, before, JSON_PYTHON, &err), "%s", err.text);
    require(json_open(&new, after, JSON_PYTHON, &err), "%s", err.text);
    while (json_next(&old, &old_key, &old_value)) {
        require(json_next(&new, &new_key, &new_value), "a member is gone");
        require(span_eq(between(old_at, old_value.raw.at), between(new_at, new_value.raw.at)),
                "before the value of %.*s", (int)old_key.raw.len, old_key.raw.at);
        require(span_eq(old_value.raw, new_value.raw) ||
                    (is_one_of(old_key, keys) && is_last(old, old_key)),
                "the value of %.*s", (int)old_key.raw.len, old_key.raw.at);
        old_at = old_value.raw.at + old_value.raw.len;
        new_at = new_value.raw.at + new_value.raw.len;
    }
    while (json_next(&new, &new_key, &new_value)) {
        require(is_one_of(new_key, keys), "%.*s was added", (int)new_key.raw.len, new_key.raw.at);
        new_at = new_value.raw.at + new_value.raw.len;
    }
    require(json_close(&new, &err), "%s", err.text);
    struct span rest = between(old_at, before.at + before.len);
    struct span tail = between(new_at, after.at + after.len);
    bool was_empty = old_at == before.at; /* then the text before the brace is in the rest, too */
    require(was_empty ? rest.len >= tail.len &&
                            memcmp(rest.at + rest.len - tail.len, tail.at, tail.len) == 0
                      : span_eq(rest, tail),
            "behind the last member");
}
