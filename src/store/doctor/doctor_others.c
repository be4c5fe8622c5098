/* The doctor, entries in a mailbox that are no mail: listing them, and what their names say. */
#include "store/doctor/doctor_private.h"

#include "base/file/retry.h"
#include "base/mem.h"
#include "store/scan/walk.h"

#include <dirent.h>
#include <unistd.h>

static void add_path(struct str *out, const struct other *other)
{
    str_add_path(out, other->dir, other->name);
}

struct finding *other_find(struct exam *exam, bool problem, const struct other *other,
                           struct str *text, struct str *advice)
{
    struct str path = {0};

    add_path(&path, other);
    struct finding *finding = doctor_find(exam, problem, str_span(&path), text, advice);
    str_free(&path);
    return finding;
}

bool other_without_end(struct span name, const char *end, struct span *start)
{
    size_t len = strlen(end);

    if (name.len <= len || !span_ends(name, end))
        return false;
    *start = (struct span){name.at, name.len - len};
    return true;
}

bool other_is_mail_name(const struct format *format, struct span name)
{
    for (size_t i = 0; i < format->rule_count && !place_is_ignored(name); i++) {
        struct place_names ignored = {0};
        unsigned last = 0;
        while (!place_is_last(format->rules[i].pattern, last))
            last++;
        if (place_match(place_component(format->rules[i].pattern, last), name, &ignored))
            return true;
    }
    return false;
}

static void keep(struct exam *exam, struct span team, struct span dir, struct span name)
{
    exam->others =
        mem_grow(exam->others, &exam->other_cap, exam->other_count + 1, sizeof *exam->others);
    exam->others[exam->other_count++] = (struct other){.team = arena_copy(&exam->arena, team),
                                                       .dir = arena_copy(&exam->arena, dir),
                                                       .name = arena_copy(&exam->arena, name)};
}

/* The layout's log is written as mail is, and lies elsewhere. */
static void list_log_dir(struct exam *exam)
{
    struct span log = span_of(exam->source->format->log_file), dir, name, target;
    struct dirent *entry;
    pid_t pid;

    if (!log.at || !span_split_last(log, '/', &dir, &name))
        return;
    dir = arena_copy(&exam->arena, dir);
    int fd = source_dir(exam->source, dir.at);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    if (!stream && fd >= 0)
        close(fd);
    while (stream && (entry = retry_readdir(stream)))
        if (file_is_staged_name(span_of(entry->d_name), &pid, &target))
            keep(exam, (struct span){0}, dir, span_of(entry->d_name));
    if (stream)
        closedir(stream);
}

static void count_dir(struct walker *walker, const struct found *dir)
{
    struct exam *exam = walker->context;
    bool first = true; /* several rules may lead into one directory */

    for (const struct place_rule *rule = walker->rules; first && rule < dir->rule; rule++) {
        struct str there = {0};
        place_dir(&there, rule->pattern, &dir->names);
        first = !span_eq(str_span(&there), dir->dir);
        str_free(&there);
    }
    exam->dir_count += first;
}

static void ignore_file(struct walker *walker, const struct found *file)
{
    (void)walker;
    (void)file;
}

static void keep_entry(struct walker *walker, const struct found *entry)
{
    keep(walker->context, entry->names.team, entry->dir, entry->name);
}

bool others_list(struct exam *exam, struct err *err)
{
    const struct source *source = exam->source;
    struct walker walker = {.rules = source->format->rules,
                            .rule_count = source->format->rule_count,
                            .enter = count_dir,
                            .found = ignore_file,
                            .other = keep_entry,
                            .context = exam};

    list_log_dir(exam);
    return walk_tree(&walker, source->root, err);
}
