/* The config: an ini file, its lines read by inih, its words by the table below. */
#include "store/config.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "store/discover.h"
#include "store/home.h"

#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { CONFIG_BYTES_MAX = 1 << 20 };

/* All settings by their full names; all are durations so far. */
static const struct setting {
    const char *section, *key, *full;
    size_t at; /* in struct agent_limits */
} settings[] = {
    {"stuck", "silent", "stuck.silent", offsetof(struct agent_limits, silent_us)},
    {"stuck", "unread", "stuck.unread", offsetof(struct agent_limits, unread_us)},
    {"stuck", "processing", "stuck.processing", offsetof(struct agent_limits, processing_us)},
};

enum { SETTING_COUNT = sizeof settings / sizeof *settings };

/* One file on its way into the config. */
struct reading {
    struct config *config;
    struct span rest;
    unsigned line;
    struct err *err; /* the first error stays */
    bool failed;
};

static int fail(struct reading *in, const char *sentence)
{
    if (!in->failed)
        err_set(in->err, ERR_USAGE, "line %u: %s", in->line, sentence);
    in->failed = true;
    return 0;
}

/* An error about a word, with the words that it may have meant, or all that would do. */
static int fail_word(struct reading *in, const char *what, const char *word,
                     const struct span *known, size_t count)
{
    struct str hint = {0}, sentence = {0};

    nearest_hint(&hint, span_of(word), known, count);
    bool is_near = hint.len > 0;
    for (size_t i = 0; !is_near && i < count; i++)
        str_addf(&hint, "%s%.*s", i ? ", " : "; known: ", (int)known[i].len, known[i].at);
    str_addf(&sentence, "%s \"%s\"%s", what, word, str_c(&hint));
    fail(in, str_c(&sentence));
    str_free(&hint);
    str_free(&sentence);
    return 0;
}

static int set_duration(struct reading *in, const struct setting *setting,
                        struct agent_limits *limits, unsigned *given, const char *value)
{
    unsigned bit = 1U << (setting - settings);
    struct str sentence = {0};
    int64_t us;

    if (*given & bit)
        str_addf(&sentence, "%s stands here for the second time; remove one", setting->full);
    else if (!when_duration(span_of(value), &us) || us <= 0)
        str_addf(&sentence, "%s is no duration above zero: \"%s\"; write 90s, 15m, 2h or 1h30m",
                 setting->full, value);
    else
        memcpy((char *)limits + setting->at, &us, sizeof us);
    *given |= bit;
    if (sentence.len)
        fail(in, str_c(&sentence));
    str_free(&sentence);
    return !in->failed;
}

static int set_path(struct reading *in, struct config_source *source, const char *value)
{
    const char *colon = value[0] == '/' || value[0] == '~' ? NULL : strchr(value, ':');

    if (source->path)
        return fail(in, "path stands here for the second time; remove one");
    if (colon) {
        char name[32];
        struct span known[16];
        size_t count = 0;
        snprintf(name, sizeof name, "%.*s", (int)(colon - value), value);
        source->format = format_find(span_of(name));
        for (; formats[count] && count < 16; count++)
            known[count] = span_of(formats[count]->name);
        if (!source->format)
            return fail_word(in, "no layout is called", name, known, count);
        value = colon + 1;
    }
    if (value[0] != '/' && strncmp(value, "~/", 2) != 0)
        return fail(in,
                    "the path of a source starts with / or ~/, or with FORMAT: and one of them");
    source->path = path_expand(value);
    if (!source->path)
        return fail(in, "the path starts with ~/, and HOME is not set");
    return 1;
}

static struct config_source *find_source(struct reading *in, struct span name)
{
    struct config *config = in->config;

    for (size_t i = 0; i < config->count; i++)
        if (span_eq(config->sources[i].name, name))
            return &config->sources[i];
    config->sources =
        mem_grow(config->sources, &config->cap, config->count + 1, sizeof *config->sources);
    config->sources[config->count] =
        (struct config_source){.name = arena_copy(&config->arena, name), .line = in->line};
    return &config->sources[config->count++];
}

static int take_source(struct reading *in, struct span name, const char *key, const char *value)
{
    struct span known[SETTING_COUNT + 1] = {span_of("path")};

    if (!name.len)
        return fail(in, "a section of a source needs a name of your own: [source NAME]");
    struct config_source *source = find_source(in, name);
    if (strcmp(key, "path") == 0)
        return set_path(in, source, value);
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (strcmp(key, settings[i].full) == 0)
            return set_duration(in, &settings[i], &source->limits, &source->given, value);
        known[i + 1] = span_of(settings[i].full);
    }
    return fail_word(in, "a source has no key", key, known, SETTING_COUNT + 1);
}

static int take_pair(void *context, const char *section, const char *key, const char *value)
{
    struct reading *in = context;
    struct span source = span_of("source"), title = span_of(section);
    struct span known[SETTING_COUNT], sections[] = {span_of("stuck"), span_of("source NAME")};
    size_t count = 0;

    if (span_is(title, "source") || span_starts(title, span_of("source ")))
        return take_source(in,
                           span_trim((struct span){title.at + source.len, title.len - source.len}),
                           key, value);
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        /* above all sections full names will do */
        if (title.len && strcmp(section, settings[i].section) != 0)
            continue;
        if (strcmp(key, title.len ? settings[i].key : settings[i].full) == 0)
            return set_duration(in, &settings[i], &in->config->limits, &in->config->given, value);
        known[count++] = span_of(title.len ? settings[i].key : settings[i].full);
    }
    if (!title.len)
        return fail_word(in, "above all sections no key is called", key, known, count);
    if (count)
        return fail_word(in, "no key of that section is called", key, known, count);
    return fail_word(in, "no section is called", section, sections, 2);
}

/* Hands inih one line, without the blanks before it: indented lines are no continuations here. */
static char *next_line(char *line, int size, void *context)
{
    struct reading *in = context;

    if (!in->rest.len || in->failed)
        return NULL;
    const char *end = memchr(in->rest.at, '\n', in->rest.len);
    struct span text = {in->rest.at, end ? (size_t)(end - in->rest.at) : in->rest.len};
    size_t taken = text.len + (end ? 1 : 0);
    in->rest.at += taken;
    in->rest.len -= taken;
    in->line++;
    text = span_trim(text);
    if (text.len + 2 > (size_t)size) {
        fail(in, "the line is too long; for a long path make a symbolic link and name that");
        return NULL;
    }
    memcpy(line, text.at, text.len);
    memcpy(line + text.len, "\n", 2);
    return line;
}

bool config_parse(struct config *config, struct span text, struct err *err)
{
    struct reading in = {.config = config, .rest = text, .err = err};

    *config = (struct config){.limits = agent_limits_default};
    if (text.len && memchr(text.at, '\0', text.len))
        return err_set(err, ERR_USAGE, "it is no text file");
    int wrong = ini_parse_stream(next_line, &in, take_pair, &in);
    if (wrong > 0 && (!in.failed || (unsigned)wrong < in.line)) { /* inih goes on behind it */
        in.line = (unsigned)wrong;
        in.failed = false;
        fail(&in, "it is neither [SECTION] nor KEY = VALUE; a comment starts with #");
    }
    for (size_t i = 0; !in.failed && i < config->count; i++) {
        in.line = config->sources[i].line;
        if (!config->sources[i].path)
            fail(&in, "which source is meant? add a line path = [FORMAT:]PATH");
    }
    return !in.failed;
}

static bool read_all(const char *path, struct str *text, bool *absent)
{
    FILE *file = fopen(path, "re"); /* a link is the person's own business */
    bool ok = file != NULL;

    *absent = !ok && (errno == ENOENT || errno == ENOTDIR);
    while (ok && text->len <= CONFIG_BYTES_MAX) {
        size_t got = fread(str_room(text, 4096), 1, 4096, file);
        text->len += got;
        if (!got)
            break;
    }
    ok = ok && !ferror(file);
    int reason = errno;
    if (file)
        fclose(file);
    errno = reason;
    return ok;
}

bool config_load(struct config *config, struct err *err)
{
    struct str path = {0}, text = {0};
    bool absent = !home_config(&path), ok = true;

    *config = (struct config){.limits = agent_limits_default};
    str_puts(&path, "/config");
    if (!absent)
        ok = read_all(str_c(&path), &text, &absent);
    if (!ok && !absent)
        err_set(err, ERR_USAGE, "%s: it cannot be read: %s", str_c(&path), strerror(errno));
    else if (ok && text.len > CONFIG_BYTES_MAX)
        ok = err_set(err, ERR_USAGE, "%s: it is larger than a config can be", str_c(&path));
    else if (ok && !absent)
        ok = config_parse(config, str_span(&text), err) || err_at(err, str_c(&path));
    str_free(&path);
    str_free(&text);
    return ok || absent;
}

void config_free(struct config *config)
{
    for (size_t i = 0; i < config->count; i++)
        free(config->sources[i].path);
    free(config->sources);
    arena_free(&config->arena);
    *config = (struct config){0};
}

/* The source's root, or the project that it is found in. */
static bool is_meant(const struct config_source *config, const struct source *source)
{
    char real[PATH_MAX], root[PATH_MAX];
    size_t len;

    if (config->format && config->format != source->format)
        return false;
    if (!config->path || !realpath(config->path, real) || !realpath(source->path, root))
        return false;
    len = strlen(real);
    return strncmp(root, real, len) == 0 &&
           (!root[len] || (root[len] == '/' && strcmp(root + len + 1, source->format->home) == 0));
}

struct agent_limits config_limits(const struct config *config, const struct source *source)
{
    struct agent_limits limits = config->limits;

    for (size_t i = 0; i < config->count; i++) {
        const struct config_source *one = &config->sources[i];
        for (size_t k = 0; is_meant(one, source) && k < SETTING_COUNT; k++)
            if (one->given & 1U << k)
                memcpy((char *)&limits + settings[k].at,
                       (const char *)&one->limits + settings[k].at, sizeof(int64_t));
    }
    return limits;
}
