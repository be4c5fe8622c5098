/* Completion: of names, of files, and of queries. */
#include "ui/widget/completion.h"

#include "base/mem.h"
#include "base/text/utf8.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Matching, ordering, cycling. */

void complete_free(struct completion *completion)
{
    arena_free(&completion->arena);
    map_free(&completion->known);
    free(completion->candidates);
    *completion = (struct completion){0};
}

static struct span fold_text(struct completion *completion, struct span text)
{
    CLEANUP(str_free) struct str folded = {0};

    fold_add(&folded, text);
    return arena_copy(&completion->arena, str_span(&folded));
}

void complete_add(struct completion *completion, struct span text, struct span note, int rank)
{
    bool fresh;

    if (!text.len)
        return;
    uint32_t *known = map_get(&completion->known, text);
    if (known) {
        struct candidate *old = &completion->candidates[*known];
        if (rank < old->rank) {
            old->rank = rank;
            old->note = arena_copy(&completion->arena, note);
        }
        return;
    }
    struct candidate candidate = {.text = arena_copy(&completion->arena, text),
                                  .note = arena_copy(&completion->arena, note),
                                  .folded = fold_text(completion, text),
                                  .rank = rank};
    *map_put(&completion->known, candidate.text, &fresh) = (uint32_t)completion->count;
    *mem_push(completion->candidates, completion->count, completion->cap) = candidate;
}

static bool has_in_order(struct span text, struct span typed)
{
    while (typed.len && text.len) {
        struct span rest = typed;
        int32_t wanted = utf8_next(&rest);
        if (utf8_next(&text) == wanted)
            typed = rest;
    }
    return !typed.len;
}

/* Compares two folded texts, see base/text/utf8.h. */
static enum complete_match complete_match(struct span text, struct span typed)
{
    if (span_starts(text, typed))
        return COMPLETE_START;
    if (memmem(text.at, text.len, typed.at, typed.len))
        return COMPLETE_PART;
    return has_in_order(text, typed) ? COMPLETE_LOOSE : COMPLETE_NOT;
}

static int by_worth(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;

    if (a->match != b->match)
        return a->match < b->match ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    int order = span_cmp(a->folded, b->folded);
    return order ? order : span_cmp(a->text, b->text);
}

/* Takes one character off the front, folded. */
static void take_folded(struct str *folded, struct span *rest)
{
    const char *start = rest->at;

    utf8_next(rest);
    str_clear(folded);
    fold_add(folded, (struct span){start, (size_t)(rest->at - start)});
}

/* Returns the start of `a` that `b` shares, ignoring case. */
static struct span common_start(struct span a, struct span b)
{
    CLEANUP(str_free) struct str one = {0}, other = {0};
    struct span rest = a;

    while (rest.len && b.len) {
        struct span before = rest;
        take_folded(&one, &rest);
        take_folded(&other, &b);
        if (!span_eq(str_span(&one), str_span(&other))) {
            rest = before;
            break;
        }
    }
    return (struct span){a.at, a.len - rest.len};
}

/* Returns the common start of the names that begin with the typed text; absent if it is no longer
 * than that. */
static struct span find_common(struct completion *completion, struct span typed_folded)
{
    const struct candidate *candidates = completion->candidates;

    if (!completion->matches || candidates[0].match != COMPLETE_START)
        return (struct span){0};
    struct span common = candidates[0].text;
    for (size_t i = 1; i < completion->matches && candidates[i].match == COMPLETE_START; i++)
        common = common_start(common, candidates[i].text);
    return fold_text(completion, common).len > typed_folded.len ? common : (struct span){0};
}

size_t complete_open(struct completion *completion, struct span typed)
{
    struct span folded = fold_text(completion, typed);

    completion->typed = arena_copy(&completion->arena, typed.at ? typed : span_of(""));
    completion->matches = 0;
    for (size_t i = 0; i < completion->count; i++) {
        struct candidate *candidate = &completion->candidates[i];
        candidate->match = complete_match(candidate->folded, folded);
        completion->matches += candidate->match != COMPLETE_NOT;
    }
    if (completion->count)
        qsort(completion->candidates, completion->count, sizeof *completion->candidates, by_worth);
    completion->common = find_common(completion, folded);
    completion->at = completion->matches;
    completion->fresh = true;
    return completion->matches;
}

static struct span shown(const struct completion *completion)
{
    return completion->at < completion->matches ? completion->candidates[completion->at].text
                                                : completion->typed;
}

struct span complete_next(struct completion *completion)
{
    bool fresh = completion->fresh;

    completion->fresh = false;
    if (fresh && completion->common.len) {
        if (span_eq(completion->common, completion->candidates[0].text))
            completion->at = 0; /* already shown: the next one is another */
        return completion->common;
    }
    completion->at = completion->at >= completion->matches ? 0 : completion->at + 1;
    return shown(completion);
}

struct span complete_previous(struct completion *completion)
{
    completion->fresh = false;
    completion->at = completion->at ? completion->at - 1 : completion->matches;
    return shown(completion);
}

/* Completion of files: the names in a directory. */

/* Returns the directory of a path: everything up to its last slash. */
static struct span directory_of(struct span typed)
{
    const char *slash = typed.len ? memrchr(typed.at, '/', typed.len) : NULL;

    return (struct span){typed.at, slash ? (size_t)(slash - typed.at) + 1 : 0};
}

static DIR *open_directory(struct span directory, const char *base)
{
    const char *home = getenv("HOME");
    CLEANUP(str_free) struct str path = {0};

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
    CLEANUP(str_free) struct str text = {0};

    str_add_span(&text, directory);
    str_add_span(&text, name);
    if (is_dir)
        str_putc(&text, '/');
    complete_add(completion, str_span(&text), span_of(is_dir ? "directory" : ""), 0);
}

static bool may_be_meant(struct span name, struct span typed, struct span typed_folded)
{
    CLEANUP(str_free) struct str folded = {0};

    if (!is_plain(name) || span_is(name, ".") || span_is(name, "..") ||
        (name.at[0] == '.' && !span_starts(typed, span_of("."))))
        return false;
    fold_add(&folded, name);
    return complete_match(str_span(&folded), typed_folded) != COMPLETE_NOT;
}

void complete_add_files(struct completion *completion, struct span typed, const char *base)
{
    struct span directory = directory_of(typed);
    struct span start = typed;
    CLEANUP(str_free) struct str folded = {0};
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
}

static void add_fields(struct completion *completion)
{
    CLEANUP(str_free) struct str text = {0};

    for (const struct query_field *field = query_fields; field->name; field++) {
        str_clear(&text);
        str_addf(&text, "%s:", field->name);
        complete_add(completion, str_span(&text), span_of(field->help), 0);
    }
    for (const char *const *word = query_keywords; *word; word++)
        complete_add(completion, span_of(*word), (struct span){0}, 1);
}

static const struct query_field *find_field(struct span name)
{
    for (const struct query_field *field = query_fields; field->name; field++)
        if (span_is(name, field->name))
            return field;
    return NULL;
}

/* Returns the start of the last term: after a blank, a parenthesis or a dash that is not quoted. */
static size_t term_start(struct span before)
{
    size_t start = 0;
    bool quoted = false;

    for (size_t i = 0; i < before.len; i++) {
        char c = before.at[i];
        if (quoted && c == '\\' && i + 1 < before.len)
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == ' ' || c == '(' || (c == '-' && i == start)))
            start = i + 1;
    }
    return start;
}

const struct query_field *complete_query(struct completion *completion, struct span before,
                                         size_t *from)
{
    size_t start = term_start(before), value = 0;
    bool quoted = false;

    for (size_t i = start; i < before.len; i++) {
        quoted ^= before.at[i] == '"';
        if (!quoted && ((before.at[i] == ':' && !value) || (value && before.at[i] == ',')))
            value = i + 1;
    }
    *from = value ? value : start;
    if (!value) {
        add_fields(completion);
        return NULL;
    }
    const char *colon = memchr(before.at + start, ':', before.len - start);
    const struct query_field *field =
        find_field((struct span){before.at + start, (size_t)(colon - before.at) - start});
    for (unsigned i = 0; field && field->word && field->word(i); i++)
        complete_add(completion, span_of(field->word(i)),
                     span_of(field->word_help ? field->word_help(i) : NULL), 0);
    return field;
}

bool complete_wants_agents(const struct query_field *field)
{
    return field && (strcmp(field->name, "from") == 0 || strcmp(field->name, "to") == 0);
}

bool complete_wants_tags(const struct query_field *field)
{
    return field && strcmp(field->name, "tag") == 0;
}
