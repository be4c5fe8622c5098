/* The config: an ini file, split into lines by inih and parsed by tables. */
#include "store/config/config.h"

#include "base/file/file.h"
#include "base/mem.h"
#include "base/text/suggest.h"
#include "base/text/utf8.h"
#include "store/config/config_private.h"
#include "store/source/our_paths.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Mistakes, reported with the line and advice. */

enum { TABLE_MAX = 64 };

/* Adds a mistake, sorted by line. Mistakes of one line stay in order. */
__attribute__((format(printf, 3, 0))) static void add_mistake(struct config *config, unsigned line,
                                                              const char *format, va_list args)
{
    size_t at = config->mistake_count;
    char sentence[900];

    vsnprintf(sentence, sizeof sentence, format, args);
    config->mistakes = mem_grow(config->mistakes, &config->mistake_cap, config->mistake_count + 1,
                                sizeof *config->mistakes);
    for (; at && config->mistakes[at - 1].line > line; at--)
        config->mistakes[at] = config->mistakes[at - 1];
    config->mistakes[at] =
        (struct config_mistake){line, arena_copy(&config->arena, span_of(sentence))};
    config->mistake_count++;
}

bool config_mistake(struct config *config, unsigned line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_mistake(config, line, format, args);
    va_end(args);
    return false;
}

bool config_fail(struct config_reading *in, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_mistake(in->config, in->line, format, args);
    va_end(args);
    return false;
}

bool config_fail_word(struct config_reading *in, const char *what, struct span word,
                      const struct span *known, size_t count)
{
    CLEANUP(str_free) struct str hint = {0};

    suggest_hint(&hint, word, known, count);
    bool is_near = hint.len > 0;
    for (size_t i = 0; !is_near && i < count; i++)
        str_addf(&hint, "%s%.*s", i ? ", " : "; known: ", (int)known[i].len, known[i].at);
    config_fail(in, "%s \"%.*s\"%s", what, (int)word.len, word.at, str_c(&hint));
    return false;
}

bool config_fail_key(struct config_reading *in, const char *what, struct span key,
                     const struct config_setting *table)
{
    struct span known[TABLE_MAX];
    size_t count = 0;

    for (; count < TABLE_MAX && table[count].name; count++)
        known[count] = span_of(table[count].name);
    return config_fail_word(in, what, key, known, count);
}

/* Adds a mistake about a key of a section, or above all sections. Names the section if the key
 * belongs to another one. */
static bool config_fail_setting(struct config_reading *in, struct span section, struct span key)
{
    struct span known[TABLE_MAX];
    CLEANUP(str_free) struct str hint = {0};
    size_t count = 0;

    for (const struct config_setting *one = config_settings; one->name && count < TABLE_MAX;
         one++) {
        const char *dot = strchr(one->name, '.');
        struct span home = {one->name, (size_t)(dot - one->name)};
        if (span_is(key, dot + 1))
            return config_fail(in, "%s belongs in the section [%.*s]", dot + 1, (int)home.len,
                               home.at);
        if (!section.len || span_eq(section, home))
            known[count++] = span_of(section.len ? dot + 1 : one->name);
    }
    if (section.len)
        return config_fail_word(in, "no key of that section is called", key, known, count);
    suggest_hint(&hint, key, known, count);
    config_fail(in, "above all sections no key is called \"%.*s\"%s", (int)key.len, key.at,
                hint.len ? str_c(&hint) : "; write [SECTION] above it, or SECTION.KEY");
    return false;
}

bool config_sound(const struct config *config, struct err *err)
{
    const struct config_mistake *first = config->mistakes;

    if (!config->mistake_count)
        return true;
    CLEANUP(str_free) struct str more = {0};
    if (config->path && config->mistake_count > 1)
        str_addf(&more, " (%zu more: swarmutt config check)", config->mistake_count - 1);
    if (first->line)
        err_set(err, ERR_USAGE, "line %u: %s%s", first->line, first->text.at, str_c(&more));
    else
        err_set(err, ERR_USAGE, "%s%s", first->text.at, str_c(&more));
    if (config->unreadable)
        err->scope = ERR_SOURCE;
    if (config->path)
        err_at(err, config->path);
    return false;
}

enum { CONFIG_BYTES_MAX = 1 << 20, SECTION_BYTES_MAX = 49 /* inih truncates the rest */ };
enum { OUT_OF_MEMORY = -2 /* return value of inih */ };

/* Sections with a name that the person chooses. */
static const struct {
    const char *word;
    bool (*take)(struct config_reading *in, struct span name, struct span key, struct span value);
} named_sections[] = {{"source", config_take_source}, {"template", config_take_template}};

const struct config_pair *config_given(const struct config_pairs *pairs, const char *key)
{
    for (size_t i = pairs->count; i--;)
        if (span_is(pairs->items[i].key, key))
            return &pairs->items[i];
    return NULL;
}

void config_pair_add(struct config_reading *in, struct config_pairs *pairs, struct span key,
                     struct span value)
{
    struct arena *arena = &in->config->arena;

    *mem_push(pairs->items, pairs->count, pairs->cap) =
        (struct config_pair){arena_copy(arena, key), arena_copy(arena, value), in->line};
}

/* Parses a line of [keys], or of a style in [theme]. Only the screens know the meaning. */
static bool take_plain(struct config_reading *in, struct config_pairs *pairs, struct span key,
                       struct span value)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (span_eq(pairs->items[i].key, key))
            return config_fail(in, "%.*s stands here for the second time; remove one", (int)key.len,
                               key.at);
    config_pair_add(in, pairs, key, value);
    return true;
}

/* Adds a mistake about the section, once for all of its lines. */
static bool fail_section(struct config_reading *in, struct span word)
{
    static const char *const others[] = {"keys", "source", "template"};
    struct span known[16], last = {0};
    size_t count = 0;
    unsigned line = in->line;

    if (in->named_line == in->section_line)
        return false;
    in->named_line = in->line = in->section_line;
    for (const struct config_setting *one = config_settings; one->name; one++) {
        struct span home = {one->name, strcspn(one->name, ".")};
        if (!span_eq(home, last))
            known[count++] = last = home;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        known[count++] = span_of(others[i]);
    config_fail_word(in, "no section is called", word, known, count);
    in->line = line;
    return false;
}

/* Adds a mistake about a section without a name, once for all of its lines. */
static bool fail_nameless(struct config_reading *in, size_t which)
{
    const char *word = named_sections[which].word;

    if (in->named_line != in->section_line)
        config_mistake(in->config, in->section_line,
                       "a section of a %s needs a name of your own: [%s NAME]", word, word);
    in->named_line = in->section_line;
    return false;
}

static bool take_named(struct config_reading *in, size_t which, struct span name, struct span key,
                       struct span value)
{
    return name.len ? named_sections[which].take(in, name, key, value) : fail_nameless(in, which);
}

/* Returns true if there are settings in a section of that name. */
static bool is_section(struct span section)
{
    bool found = span_is(section, "keys");

    for (const struct config_setting *one = config_settings; !found && one->name; one++)
        found = span_eq(section, (struct span){one->name, strcspn(one->name, ".")});
    return found;
}

static bool take_setting(struct config_reading *in, struct span section, struct span key,
                         struct span value)
{
    struct config *config = in->config;

    if (span_is(section, "keys"))
        return take_plain(in, &config->keys, key, value);
    for (const struct config_setting *one = config_settings; one->name; one++) {
        struct span home = {one->name, strcspn(one->name, ".")};
        /* full names are allowed above all sections */
        if (section.len ? span_eq(section, home) && span_is(key, one->name + home.len + 1)
                        : span_is(key, one->name))
            return config_set(in, one, config, &config->given, value);
    }
    if (span_is(section, "theme"))
        return take_plain(in, &config->theme, key, value);
    return !section.len || is_section(section) ? config_fail_setting(in, section, key)
                                               : fail_section(in, section);
}

/* Returns the first word of the title of a section: its kind. */
static struct span first_word(struct span title)
{
    struct span word = {title.at, 0};

    while (word.len < title.len && title.at[word.len] != ' ' && title.at[word.len] != '\t')
        word.len++;
    return word;
}

static bool apply_line(struct config_reading *in, struct span title, struct span key,
                       struct span value)
{
    struct span word = first_word(title);

    if (!value.len)
        return config_fail(in,
                           "%s has no value; remove the line, or write one (a ; behind a blank "
                           "starts a comment)",
                           key.at);
    if (!span_is(key, "path") && (!utf8_valid(value) || !utf8_valid(key)))
        return config_fail(in, "it is not UTF-8");
    for (size_t i = 0; i < sizeof named_sections / sizeof *named_sections; i++)
        if (span_is(word, named_sections[i].word))
            return take_named(in, i,
                              span_trim((struct span){title.at + word.len, title.len - word.len}),
                              key, value);
    return take_setting(in, title, key, value);
}

static int take_pair(void *context, const char *section, const char *key, const char *value)
{
    struct config_reading *in = context;

    in->expects = false;
    if (!in->lost)
        apply_line(in, span_trim(span_of(section)), span_of(key),
                   in->whole.at ? in->whole : span_of(value));
    return 1; /* continue after a mistake */
}

/* Removes a trailing comment. */
static struct span uncomment(struct span text)
{
    for (size_t i = 1; i < text.len; i++)
        if (text.at[i] == ';' && (text.at[i - 1] == ' ' || text.at[i - 1] == '\t'))
            return span_trim_end((struct span){text.at, i});
    return text;
}

/* Checks the title of a section, because inih reports only sections with a pair. */
static void check_section(struct config_reading *in, struct span title)
{
    struct span word = first_word(title);

    for (size_t i = 0; i < sizeof named_sections / sizeof *named_sections; i++) {
        if (!span_is(word, named_sections[i].word))
            continue;
        if (word.len == title.len)
            fail_nameless(in, i);
        return;
    }
    if (!is_section(title))
        fail_section(in, title);
}

/* Classifies a line before inih parses it, because inih reports only the first mistake. */
static void style_at(struct config_reading *in, struct span text)
{
    struct span title = uncomment(text);
    const char *end = title.len ? memchr(title.at, ']', title.len) : NULL;

    in->expects = text.len && !strchr("#;[", text.at[0]);
    if (!text.len || text.at[0] != '[')
        return;
    in->section_line = in->line;
    in->lost = true;
    if (!end)
        config_fail(in, "it is neither [SECTION] nor KEY = VALUE; a comment starts with #");
    else if (end - text.at - 1 > SECTION_BYTES_MAX)
        config_fail(in, "the name of a section has at most %d bytes", SECTION_BYTES_MAX);
    else
        in->lost = false;
    if (!in->lost)
        check_section(in, span_trim((struct span){text.at + 1, (size_t)(end - text.at) - 1}));
}

/* Shortens a line for inih, which takes at most 200 bytes per line: it gets the start, and the
 * value is kept in in->whole. */
static size_t shorten(struct config_reading *in, struct span text, char *line, size_t size)
{
    const char *marks = in->expects ? "=:" : "]";
    size_t len = 0;

    while (len < text.len && !strchr(marks, text.at[len]))
        len++;
    if ((!in->expects && (text.at[0] != '[' || in->lost)) || len == text.len || len + 3 > size) {
        memcpy(line, "#", 1);
        return 1;
    }
    memcpy(line, text.at, ++len);
    if (in->expects)
        in->whole = span_trim(uncomment((struct span){text.at + len, text.len - len}));
    return len;
}

/* Returns one line for inih, without leading blanks, so that an indented line is no
 * continuation. */
static char *next_line(char *line, int size, void *context)
{
    struct config_reading *in = context;

    if (in->expects)
        config_fail(in, "it is neither [SECTION] nor KEY = VALUE; a comment starts with #");
    in->expects = false;
    in->whole = (struct span){0};
    if (!in->rest.len)
        return NULL;
    const char *end = memchr(in->rest.at, '\n', in->rest.len);
    struct span text = {in->rest.at, end ? (size_t)(end - in->rest.at) : in->rest.len};
    size_t taken = text.len + (end ? 1 : 0);
    in->rest.at += taken;
    in->rest.len -= taken;
    in->line++;
    text = span_trim(text);
    style_at(in, text);
    if (text.len + 2 > (size_t)size)
        text.len = shorten(in, text, line, (size_t)size);
    else
        memcpy(line, text.at, text.len);
    memcpy(line + text.len, "\n", 2);
    return line;
}

static void parse_text(struct config *config, struct span text)
{
    struct config_reading in = {.config = config, .rest = text};
    struct span mark = span_of("\xEF\xBB\xBF");

    config_set_usual(&in, config_settings, config);
    if (span_starts(text, mark))
        in.rest = (struct span){text.at + mark.len, text.len - mark.len};
    if (text.len && memchr(text.at, '\0', text.len)) {
        config_mistake(config, 0, "it is no text file");
        return;
    }
    if (ini_parse_stream(next_line, &in, take_pair, &in) == OUT_OF_MEMORY)
        mem_exhausted();
    config_end_sources(&in);
    config_end_templates(&in);
}

bool config_parse(struct config *config, struct span text, struct err *err)
{
    *config = (struct config){0};
    parse_text(config, text);
    return config_sound(config, err);
}

static bool read_all(const char *path, struct str *text, bool *absent)
{
    int fd = retry_open(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0); /* a link is the person's own */
    ssize_t got = fd < 0 ? -1 : 1;

    *absent = fd < 0 && (errno == ENOENT || errno == ENOTDIR);
    while (got > 0 && text->len <= CONFIG_BYTES_MAX) {
        do
            got = read(fd, str_room(text, 4096), 4096);
        while (got < 0 && errno == EINTR);
        text->len += got > 0 ? (size_t)got : 0;
    }
    int reason = errno;
    if (fd >= 0)
        close(fd);
    errno = reason;
    return got >= 0;
}

bool config_load(struct config *config, struct err *err)
{
    CLEANUP(str_free) struct str path = {0}, text = {0};
    bool absent = !home_config(&path), ok = true;

    *config = (struct config){0};
    if (!absent) {
        str_puts(&path, "/config");
        config->path = arena_strdup(&config->arena, str_c(&path));
        ok = read_all(config->path, &text, &absent);
        config->present = !absent;
    }
    config->unreadable = !ok && !absent;
    if (config->unreadable)
        config_mistake(config, 0, "it cannot be read: %s", strerror(errno));
    if (text.len > CONFIG_BYTES_MAX)
        config_mistake(config, 0, "it is larger than a config can be");
    parse_text(config, !config->mistake_count ? str_span(&text) : (struct span){0});
    return config_sound(config, err);
}

void config_free(struct config *config)
{
    config_free_sources(config);
    config_free_templates(config);
    for (int i = 0; i < CONFIG_CHANNEL_COUNT; i++)
        query_free(&config->notices[i].query);
    span_list_free(&config->plan_roots);
    free(config->given.items);
    free(config->keys.items);
    free(config->theme.items);
    free(config->mistakes);
    arena_free(&config->arena);
    *config = (struct config){0};
}
