/* The config: an ini file, split into lines by inih and parsed by tables. */
#include "store/config/config.h"

#include "base/file/file.h"
#include "base/mem.h"
#include "base/text/suggest.h"
#include "base/text/utf8.h"
#include "base/timezone.h"
#include "store/config/config_private.h"
#include "store/source/our_paths.h"
#include "store/source/source.h"

#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Sections of sources and templates, and the settings of an open source. */

/* Templates: initial values of forms. */

static const char *const uses[] = {
    [CONFIG_USE_COMPOSE] = "compose", [CONFIG_USE_REPLY] = "reply",
    [CONFIG_USE_HANDOFF] = "handoff", [CONFIG_USE_BROADCAST] = "broadcast",
    [CONFIG_USE_NUDGE] = "nudge",     [CONFIG_USE_COUNT] = NULL};

static const struct {
    const char *word;
    size_t at; /* offset in struct config_words */
} placeholders[] = {
    {"agent", offsetof(struct config_words, agent)},
    {"sender", offsetof(struct config_words, sender)},
    {"subject", offsetof(struct config_words, subject)},
};

enum {
    PLACEHOLDER_COUNT = sizeof placeholders / sizeof *placeholders,
    ALL = (1 << CONFIG_USE_COUNT) - 1,
    HANDOFF = 1 << CONFIG_USE_HANDOFF,
    ADDRESSED = 1 << CONFIG_USE_COMPOSE | 1 << CONFIG_USE_HANDOFF | 1 << CONFIG_USE_BROADCAST,
};

/* Returns the word of the {word} at the start of the text; absent if there is none. */
static struct span placeholder_at(struct span text)
{
    size_t len = 1;

    while (len < text.len && ((text.at[len] >= 'a' && text.at[len] <= 'z') || text.at[len] == '-'))
        len++;
    return text.len > len && len > 1 && text.at[0] == '{' && text.at[len] == '}'
               ? (struct span){text.at + 1, len - 1}
               : (struct span){0};
}

static bool config_fail_word(struct config_reading *in, const char *what, struct span word,
                             const struct span *known, size_t count);
static bool config_fail_key(struct config_reading *in, const char *what, struct span key,
                            const struct config_setting *table);

/* Rejects unknown placeholders, which would reach an agent unchanged. */
static bool check_text(struct config_reading *in, struct span text)
{
    struct span known[PLACEHOLDER_COUNT];
    bool ok = true;

    for (size_t i = 0; i < PLACEHOLDER_COUNT; i++)
        known[i] = span_of(placeholders[i].word);
    for (; ok && text.len; text.at++, text.len--) {
        struct span word = placeholder_at(text);
        if (span_starts(text, span_of("{{"))) {
            text.at++, text.len--;
            continue;
        }
        for (size_t i = 0; word.at && i < PLACEHOLDER_COUNT; i++)
            if (span_eq(word, known[i]))
                word.at = NULL;
        if (word.at)
            ok = config_fail_word(in,
                                  "a { that means itself is written {{; no placeholder is called",
                                  word, known, PLACEHOLDER_COUNT);
    }
    return ok;
}

static bool set_text(struct config_reading *in, const struct config_setting *setting, void *field,
                     struct span value)
{
    return check_text(in, value) && config_set_text(in, setting, field, value);
}

static bool set_lines(struct config_reading *in, const struct config_setting *setting, void *field,
                      struct span value)
{
    return check_text(in, value) && config_set_lines(in, setting, field, value);
}

static bool set_item(struct config_reading *in, const struct config_setting *setting, void *field,
                     struct span value)
{
    return check_text(in, value) && config_set_item(in, setting, field, value);
}

static bool set_priority(struct config_reading *in, const struct config_setting *setting,
                         void *field, struct span value)
{
    if (priority_parse(value, field))
        return true;
    return config_fail(in, "%s takes low, normal, high or urgent, not \"%s\"", setting->name,
                       value.at);
}

#define TEMPLATE_AT(member) .at = offsetof(struct config_template, member)
#define TEXT .value = "TEXT", .set = set_text
#define LINES .value = "TEXT", .set = set_lines, .several = true
#define ITEMS .value = "TEXT", .set = set_item, .several = true

static const struct config_setting template_settings[] = {
    {.name = "for",
     .value = "FORM",
     .usual = "compose",
     .words = uses,
     .set = config_set_word,
     .uses = ALL,
     TEMPLATE_AT(use)},
    {.name = "to", .uses = ADDRESSED, TEXT, TEMPLATE_AT(to)},
    {.name = "subject", .uses = ALL, TEXT, TEMPLATE_AT(subject)},
    {.name = "priority",
     .value = "PRIORITY",
     .usual = "normal",
     .set = set_priority,
     .uses = ALL,
     TEMPLATE_AT(priority)},
    {.name = "tag", .uses = ALL & ~HANDOFF, ITEMS, TEMPLATE_AT(tags)},
    {.name = "body", .uses = ALL & ~HANDOFF, LINES, TEMPLATE_AT(body)},
    {.name = "done", .uses = HANDOFF, LINES, TEMPLATE_AT(handoff.work_completed)},
    {.name = "state", .uses = HANDOFF, LINES, TEMPLATE_AT(handoff.current_state)},
    {.name = "next", .uses = HANDOFF, ITEMS, TEMPLATE_AT(handoff.next_steps)},
    {.name = "blocker", .uses = HANDOFF, ITEMS, TEMPLATE_AT(handoff.blockers)},
    {.name = "modified", .uses = HANDOFF, ITEMS, TEMPLATE_AT(handoff.files_modified)},
    {.name = "created", .uses = HANDOFF, ITEMS, TEMPLATE_AT(handoff.files_created)},
    {.name = "state-file", .uses = HANDOFF, TEXT, TEMPLATE_AT(handoff.state_file)},
    {.name = "dependency", .uses = HANDOFF, ITEMS, TEMPLATE_AT(handoff.dependencies)},
    {.name = "escalation", .uses = HANDOFF, ITEMS, TEMPLATE_AT(handoff.related_escalations)},
    {.name = "job", .uses = HANDOFF, TEXT, TEMPLATE_AT(handoff.job_id)},
    {.name = "notes", .uses = HANDOFF, LINES, TEMPLATE_AT(handoff.notes)},
    {0},
};

static struct config_template *find_template(struct config_reading *in, struct span name)
{
    struct config *config = in->config;

    for (size_t i = 0; i < config->template_count; i++)
        if (span_eq(config->templates[i].name, name))
            return &config->templates[i];
    struct config_template *template =
        mem_push(config->templates, config->template_count, config->template_cap);
    *template = (struct config_template){.name = arena_copy(&config->arena, name),
                                         .line = in->section_line};
    config_set_usual(in, template_settings, template);
    return template;
}

static bool config_take_template(struct config_reading *in, struct span name, struct span key,
                                 struct span value)
{
    struct config_template *template = find_template(in, name);

    for (const struct config_setting *one = template_settings; one->name; one++)
        if (span_is(key, one->name))
            return config_set(in, one, template, &template->given, value);
    return config_fail_key(in, "a template has no key", key, template_settings);
}

static void config_end_templates(struct config_reading *in)
{
    for (size_t i = 0; i < in->config->template_count; i++) {
        const struct config_template *template = &in->config->templates[i];
        for (const struct config_setting *one = template_settings; one->name; one++) {
            const struct config_pair *pair = config_given(&template->given, one->name);
            if (pair && !(one->uses & 1U << template->use))
                config_mistake(in->config, pair->line, "a template for %s has no %s",
                               uses[template->use], one->name);
        }
    }
}

static void config_free_templates(struct config *config)
{
    for (size_t i = 0; i < config->template_count; i++) {
        struct config_template *template = &config->templates[i];
        free(template->given.items);
        span_list_free(&template->tags);
        handoff_free(&template->handoff);
    }
    free(config->templates);
}

void config_fill(struct str *out, struct span text, const struct config_words *words)
{
    for (; text.len; text.at++, text.len--) {
        struct span word = placeholder_at(text);
        size_t i = 0;
        while (word.at && i < PLACEHOLDER_COUNT && !span_is(word, placeholders[i].word))
            i++;
        if (word.at && i < PLACEHOLDER_COUNT) {
            str_add_span(out, *(const struct span *)((const char *)words + placeholders[i].at));
            text.at += word.len + 1;
            text.len -= word.len + 1;
            continue;
        }
        if (span_starts(text, span_of("{{")))
            text.at++, text.len--;
        str_putc(out, text.at[0]);
    }
}

static bool set_path(struct config_reading *in, const struct config_setting *setting, void *field,
                     struct span value)
{
    struct config_source *source =
        (struct config_source *)((char *)field - offsetof(struct config_source, path));
    const char *path = value.at;
    const char *colon = path[0] == '/' || path[0] == '~' ? NULL : strchr(path, ':');

    (void)setting;
    if (colon) {
        struct span name = {path, (size_t)(colon - path)}, known[16];
        size_t count = 0;
        source->format = format_find(name);
        for (; count < 16 && formats[count]; count++)
            known[count] = span_of(formats[count]->name);
        if (!source->format)
            return config_fail_word(in, "no layout is called", name, known, count);
        path = colon + 1;
    }
    if (path[0] != '/' && strncmp(path, "~/", 2) != 0)
        return config_fail(
            in, "the path of a source starts with / or ~/, or with FORMAT: and one of them");
    CLEANUP(mem_free) char *expanded = path_expand(path);
    if (!expanded)
        return config_fail(in, "the path starts with ~/, and HOME is not set");
    source->path = arena_strdup(&in->config->arena, expanded);
    return true;
}

static bool set_timezone(struct config_reading *in, const struct config_setting *setting,
                         void *field, struct span value)
{
    struct err err;
    struct zone *zone = zone_open(value.at, &err);

    if (!zone)
        return config_fail(in, "%s", err.text);
    zone_free(zone);
    return config_set_text(in, setting, field, value);
}

#define AT(member) .at = offsetof(struct config_source, member)
#define LIMIT(key, member)                                                                         \
    {                                                                                              \
        .name = (key), .value = "DURATION", .otherwise = "as for all", .set = config_set_duration, \
        AT(limits.member)                                                                          \
    }

static const struct config_setting settings[] = {
    {.name = "path", .value = "[FORMAT:]PATH", .set = set_path, AT(path)},
    {.name = "identity",
     .value = "NAME",
     .otherwise = "as for all",
     .set = config_set_text,
     AT(identity)},
    {.name = "timezone",
     .value = "ZONE",
     .otherwise = "that of the person",
     .set = set_timezone,
     AT(timezone)},
    {.name = "open", .value = "yes|no", .usual = "yes", .set = config_set_switch, AT(open)},
    LIMIT("stuck.silent", silent_us),
    LIMIT("stuck.unread", unread_us),
    LIMIT("stuck.processing", processing_us),
    {0},
};

static struct config_source *find_source(struct config_reading *in, struct span name)
{
    struct config *config = in->config;

    for (size_t i = 0; i < config->source_count; i++)
        if (span_eq(config->sources[i].name, name))
            return &config->sources[i];
    struct config_source *source =
        mem_push(config->sources, config->source_count, config->source_cap);
    *source =
        (struct config_source){.name = arena_copy(&config->arena, name), .line = in->section_line};
    config_set_usual(in, settings, source);
    return source;
}

/* Parse a line of [source NAME] or [template NAME]. */
static bool config_take_source(struct config_reading *in, struct span name, struct span key,
                               struct span value)
{
    struct config_source *source = find_source(in, name);

    for (const struct config_setting *one = settings; one->name; one++)
        if (span_is(key, one->name))
            return config_set(in, one, source, &source->given, value);
    return config_fail_key(in, "a source has no key", key, settings);
}

/* Check what depends on the whole file. */
static void config_end_sources(struct config_reading *in)
{
    for (size_t i = 0; i < in->config->source_count; i++) {
        const struct config_source *source = &in->config->sources[i];
        if (!config_given(&source->given, "path"))
            config_mistake(in->config, source->line,
                           "which source is meant? add a line path = [FORMAT:]PATH");
    }
}

static void config_free_sources(struct config *config)
{
    for (size_t i = 0; i < config->source_count; i++)
        free(config->sources[i].given.items);
    free(config->sources);
}

/* Returns true if `root` is `top`, or `top` followed by the last components of the layout's default
 * path to its mailboxes. */
static bool leads_down(const struct format *format, const char *top, const char *root)
{
    size_t len = strlen(top), home = strlen(format->home);

    if (strncmp(root, top, len) != 0 || (root[len] && root[len] != '/'))
        return false;
    size_t rest = root[len] ? strlen(root + len + 1) : 0;
    return rest <= home && strcmp(format->home + home - rest, root + len + (rest > 0)) == 0 &&
           (!rest || rest == home || format->home[home - rest - 1] == '/');
}

/* Returns true if `path` is the first component of the layout's markers below `root`, given instead
 * of the root. */
static bool is_inside(const struct format *format, const char *path, const char *root)
{
    struct span first = place_component(format->markers[0], 0);
    size_t len = strlen(root);

    return !format->home[0] && strncmp(path, root, len) == 0 && path[len] == '/' &&
           span_is(first, path + len + 1);
}

static bool is_meant(const struct config_source *config, const struct source *source)
{
    char real[PATH_MAX], root[PATH_MAX];

    if (config->format && config->format != source->format)
        return false;
    if (!config->path || !realpath(config->path, real) || !realpath(source->path, root))
        return false;
    return leads_down(source->format, real, root) || is_inside(source->format, real, root);
}

struct agent_limits config_limits(const struct config *config, const struct source *source)
{
    struct agent_limits limits = config->limits;

    for (size_t i = 0; i < config->source_count; i++) {
        const struct config_source *one = &config->sources[i];
        if (!is_meant(one, source))
            continue;
        for (const struct config_setting *row = settings; row->name; row++)
            if (row->set == config_set_duration && config_given(&one->given, row->name))
                memcpy((char *)&limits + row->at - offsetof(struct config_source, limits),
                       (const char *)one + row->at, sizeof(int64_t));
    }
    return limits;
}

/* Returns a setting of the source, else of the one whose settings led to it. `offset` is that of
 * the field. */
static struct span text_setting(const struct config *config, const struct source *source,
                                const struct source *from, size_t offset)
{
    for (const struct source *one = source; one; one = one == source ? from : NULL)
        for (size_t i = config->source_count; i--;) {
            struct span value = *(const struct span *)((const char *)&config->sources[i] + offset);
            if (value.at && is_meant(&config->sources[i], one))
                return value;
        }
    return (struct span){0};
}

struct span config_identity(const struct config *config, const struct source *source,
                            const struct source *from)
{
    struct span identity =
        text_setting(config, source, from, offsetof(struct config_source, identity));

    return identity.at ? identity : config->identity;
}

struct span config_timezone(const struct config *config, const struct source *source,
                            const struct source *from)
{
    return text_setting(config, source, from, offsetof(struct config_source, timezone));
}

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

/* Adds a mistake about a word, with the known words that are similar, or else all known words. */
static bool config_fail_word(struct config_reading *in, const char *what, struct span word,
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

/* Like config_fail_word(), with the keys of a table. */
static bool config_fail_key(struct config_reading *in, const char *what, struct span key,
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
static void check_line(struct config_reading *in, struct span text)
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
    check_line(in, text);
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
