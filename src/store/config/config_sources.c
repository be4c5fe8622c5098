/* Sections of sources and templates, and the settings of an open source. */
#include "base/mem.h"
#include "base/timezone.h"
#include "store/config/config_private.h"
#include "store/source/discover.h"

#include <limits.h>
#include <stdlib.h>

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

bool config_take_template(struct config_reading *in, struct span name, struct span key,
                          struct span value)
{
    struct config_template *template = find_template(in, name);

    for (const struct config_setting *one = template_settings; one->name; one++)
        if (span_is(key, one->name))
            return config_set(in, one, template, &template->given, value);
    return config_fail_key(in, "a template has no key", key, template_settings);
}

void config_end_templates(struct config_reading *in)
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

void config_free_templates(struct config *config)
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

bool config_take_source(struct config_reading *in, struct span name, struct span key,
                        struct span value)
{
    struct config_source *source = find_source(in, name);

    for (const struct config_setting *one = settings; one->name; one++)
        if (span_is(key, one->name))
            return config_set(in, one, source, &source->given, value);
    return config_fail_key(in, "a source has no key", key, settings);
}

void config_end_sources(struct config_reading *in)
{
    for (size_t i = 0; i < in->config->source_count; i++) {
        const struct config_source *source = &in->config->sources[i];
        if (!config_given(&source->given, "path"))
            config_mistake(in->config, source->line,
                           "which source is meant? add a line path = [FORMAT:]PATH");
    }
}

void config_free_sources(struct config *config)
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
