/* Walking a mailbox tree: only along the rules, never through a link. */
#include "store/scan/walk.h"

#include "base/file/file.h"
#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RULES_MAX = 32 };

/* One directory on the way: the rules that still lead through it, and what their braces matched. */
struct step {
    int fd;
    unsigned depth;
    struct span dir;
    uint32_t alive;
    struct place_names names[RULES_MAX];
};

static unsigned char kind_of(int fd, const struct dirent *entry)
{
    struct stat st;

    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type;
    if (fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return DT_UNKNOWN;
    return IFTODT(st.st_mode);
}

static void report_entry(struct walker *walker, const struct step *step, size_t rule,
                         struct span name, bool regular)
{
    struct found found = {.rule = &walker->rules[rule],
                          .names = step->names[rule],
                          .dir = step->dir,
                          .fd = step->fd,
                          .name = name,
                          .regular = regular};

    walker->found(walker, &found);
}

/* Like report_entry(), but for an entry that cannot be read or entered, with what its name
 * matched. */
static void report_at(struct walker *walker, const struct step *step, size_t rule,
                      const struct place_names *names, struct span name, const char *problem,
                      bool unlisted)
{
    struct found found = {.rule = &walker->rules[rule],
                          .names = names[rule],
                          .dir = step->dir,
                          .fd = step->fd,
                          .name = name,
                          .problem = problem,
                          .unlisted = unlisted};

    walker->found(walker, &found);
}

/* Walks and closes the directory. Returns 0, or the errno if it could not be listed to its end. */
static int walk_dir(struct walker *walker, struct step *step);

/* Enters a directory for all the rules that lead into it at once. */
static void descend(struct walker *walker, const struct step *step, struct span name,
                    uint32_t leading, const struct place_names *names)
{
    struct step below = {.depth = step->depth + 1, .alive = leading};
    CLEANUP(str_free) struct str path = {0};

    memcpy(below.names, names, sizeof below.names);
    str_add_path(&path, step->dir, name);
    below.dir = str_span(&path);
    below.fd = file_open_beneath(step->fd, name.at, O_RDONLY | O_DIRECTORY);
    int problem = below.fd >= 0 ? walk_dir(walker, &below) : errno;
    if (problem && problem != ENOENT && problem != ENOTDIR)
        report_at(walker, step, (size_t)__builtin_ctz(leading), names, name, strerror(problem),
                  true);
}

/* Reports an entry that no rule matches, in a directory where one might have. */
static void report_other(struct walker *walker, const struct step *step, const struct dirent *entry)
{
    for (size_t i = 0; walker->other && i < walker->rule_count; i++) {
        if (!(step->alive >> i & 1) || !place_is_last(walker->rules[i].pattern, step->depth))
            continue;
        struct found other = {.rule = &walker->rules[i],
                              .names = step->names[i],
                              .dir = step->dir,
                              .name = span_of(entry->d_name),
                              .regular = entry->d_type == DT_REG};
        walker->other(walker, &other);
        return;
    }
}

/* Returns the rules that lead through a name, and fills in what they match so far. */
static uint32_t leading_through(const struct walker *walker, const struct step *step,
                                struct span name, struct place_names *names)
{
    uint32_t leading = 0;

    for (size_t i = 0; i < walker->rule_count; i++) {
        const char *pattern = walker->rules[i].pattern;
        if (!(step->alive >> i & 1) || place_is_last(pattern, step->depth))
            continue;
        names[i] = step->names[i];
        if (place_match(place_component(pattern, step->depth), name, &names[i]))
            leading |= UINT32_C(1) << i;
    }
    return leading;
}

/* Enters an entry that rules lead through, or reports why it cannot. */
static void visit_beneath(struct walker *walker, const struct step *step,
                          const struct dirent *entry)
{
    struct span name = span_of(entry->d_name);
    struct place_names names[RULES_MAX];
    uint32_t leading = leading_through(walker, step, name, names);

    if (!leading)
        return;
    unsigned char kind = kind_of(step->fd, entry);
    size_t rule = (size_t)__builtin_ctz(leading);
    struct span component = place_component(walker->rules[rule].pattern, step->depth);
    if (kind == DT_DIR)
        descend(walker, step, name, leading, names);
    else if (kind == DT_LNK)
        report_at(walker, step, rule, names, name, "it is a symbolic link, which is not followed",
                  false);
    else if (span_eq(component, name)) /* other entries are allowed here, but not under this name */
        report_at(walker, step, rule, names, name, "it should be a directory, and is none", false);
}

/* Reports an entry that a rule ends in; true if other rules lead through it. */
static bool visit_dir(struct walker *walker, struct step *step, const struct dirent *entry)
{
    struct span name = span_of(entry->d_name);
    struct place_names names[RULES_MAX];
    bool reported = false; /* the first rule that a file matches is its rule */

    for (size_t i = 0; !reported && i < walker->rule_count; i++) {
        const char *pattern = walker->rules[i].pattern;
        if (!(step->alive >> i & 1) || !place_is_last(pattern, step->depth))
            continue;
        struct place_names before = step->names[i];
        names[i] = before;
        if (!place_match(place_component(pattern, step->depth), name, &names[i]) ||
            (place_is_ignored(name) && /* unless the rule names it */
             !span_eq(place_component(pattern, step->depth), name)))
            continue;
        reported = true;
        step->names[i] = names[i];
        report_entry(walker, step, i, name, entry->d_type == DT_REG);
        step->names[i] = before;
    }
    bool leads = leading_through(walker, step, name, names) != 0;
    if (!leads && !reported)
        report_other(walker, step, entry);
    return leads;
}

/* Handles a directory whose names are known: only the directories below it are visited. */
static bool visit_recalled(struct walker *walker, const struct step *step, const struct found *here)
{
    CLEANUP(span_list_free) struct span_list beneath = {0};
    bool recalled = walker->recall && walker->recall(walker, here, &beneath);

    for (size_t i = 0; recalled && i < beneath.count; i++) {
        struct dirent entry = {.d_type = DT_UNKNOWN};
        if (beneath.items[i].len >= sizeof entry.d_name)
            continue;
        memcpy(entry.d_name, beneath.items[i].at, beneath.items[i].len);
        visit_beneath(walker, step, &entry);
    }
    return recalled;
}

static int cannot_list(int fd)
{
    int problem = errno;

    close(fd);
    return problem;
}

/* Lists a directory. Reports the entries that rules end in before it descends: files of a directory
 * stay together. */
static int visit_all(struct walker *walker, struct step *step)
{
    CLEANUP(mem_free) struct dirent *later = NULL;
    struct dirent *entry;
    size_t count = 0, cap = 0;
    DIR *dir = fdopendir(step->fd);

    if (!dir)
        return cannot_list(step->fd);
    while (!walker->enough && (entry = retry_readdir(dir))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            !visit_dir(walker, step, entry))
            continue;
        struct dirent *kept = mem_push(later, count, cap);
        kept->d_type = entry->d_type;
        memcpy(kept->d_name, entry->d_name, strlen(entry->d_name) + 1);
    }
    int problem = walker->enough ? 0 : errno;
    for (size_t i = 0; i < count && !walker->enough; i++)
        visit_beneath(walker, step, &later[i]);
    closedir(dir);
    return problem;
}

/* True if there may be something wanted in a directory or below it. */
static bool is_worth_listing(const struct walker *walker, const struct step *step)
{
    for (size_t i = 0; i < walker->rule_count; i++) {
        const char *pattern = walker->rules[i].pattern;
        if (step->alive >> i & 1 && (!walker->boxes_only || !place_is_last(pattern, step->depth) ||
                                     place_names_box(pattern)))
            return true;
    }
    return false;
}

static int walk_dir(struct walker *walker, struct step *step)
{
    bool recalled = false;

    if (walker->pass)
        walker->pass(walker, step->fd, step->dir);
    for (size_t i = 0; i < walker->rule_count; i++) {
        if (!(step->alive >> i & 1) || !place_is_last(walker->rules[i].pattern, step->depth))
            continue;
        struct found here = {
            .rule = &walker->rules[i], .names = step->names[i], .dir = step->dir, .fd = step->fd};
        if (walker->enter)
            walker->enter(walker, &here);
        recalled = recalled || visit_recalled(walker, step, &here);
    }
    if (!recalled && is_worth_listing(walker, step))
        return visit_all(walker, step);
    close(step->fd);
    return 0;
}

bool walk_tree(struct walker *walker, int root, struct err *err)
{
    struct step step = {.alive = (uint32_t)((UINT64_C(1) << walker->rule_count) - 1),
                        .dir = {"", 0}};

    step.fd = retry_open(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    int problem = step.fd >= 0 ? walk_dir(walker, &step) : root < 0 ? ENOENT : errno;
    return !problem ||
           err_set(err, ERR_SOURCE, "the directory cannot be read: %s", strerror(problem));
}

/* Goes one level down by a known name, as far as rules lead that way. */
static bool step_down(const struct walker *walker, struct step *step, struct span name)
{
    uint32_t leading = 0;

    for (size_t i = 0; i < walker->rule_count; i++) {
        const char *pattern = walker->rules[i].pattern;
        if (step->alive >> i & 1 && !place_is_last(pattern, step->depth) &&
            place_match(place_component(pattern, step->depth), name, &step->names[i]))
            leading |= UINT32_C(1) << i;
    }
    step->alive = leading;
    step->depth++;
    return leading != 0;
}

static bool step_into(const struct walker *walker, struct step *step, struct span dir)
{
    while (dir.len) {
        const char *slash = memchr(dir.at, '/', dir.len);
        struct span name = {dir.at, slash ? (size_t)(slash - dir.at) : dir.len};
        if (!step_down(walker, step, name))
            return false;
        dir.at += name.len + (slash != NULL);
        dir.len -= name.len + (slash != NULL);
    }
    return true;
}

void walk_entry(struct walker *walker, int root, struct span dir, struct span name)
{
    struct step step = {.alive = (uint32_t)((UINT64_C(1) << walker->rule_count) - 1), .dir = dir};
    struct dirent entry = {.d_type = DT_UNKNOWN};
    struct stat st;

    if (name.len >= sizeof entry.d_name || !step_into(walker, &step, dir))
        return;
    memcpy(entry.d_name, name.at, name.len);
    step.fd = file_open_beneath(root, dir.len ? dir.at : ".", O_RDONLY | O_DIRECTORY);
    if (step.fd < 0)
        return;
    if (fstatat(step.fd, entry.d_name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        entry.d_type = IFTODT(st.st_mode);
        if (visit_dir(walker, &step, &entry))
            visit_beneath(walker, &step, &entry);
    }
    close(step.fd);
}
