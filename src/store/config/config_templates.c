/* The config: templates, which forms start with. */
#include "base/mem.h"
#include "store/config/config_private.h"

#include <stdlib.h>

static const char *const uses[] = {
    [CONFIG_USE_COMPOSE] = "compose", [CONFIG_USE_REPLY] = "reply",
    [CONFIG_USE_HANDOFF] = "handoff", [CONFIG_USE_BROADCAST] = "broadcast",
    [CONFIG_USE_NUDGE] = "nudge",     [CONFIG_USE_COUNT] = NULL};

static const struct {
    const char *word;
    size_t at; /* in struct config_words */
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

/* The word of a {word} that the text starts with; absent when it starts with none. */
static struct span placeholder_at(struct span text)
{
    size_t len = 1;

    while (len < text.len && ((text.at[len] >= 'a' && text.at[len] <= 'z') || text.at[len] == '-'))
        len++;
    return text.len > len && len > 1 && text.at[0] == '{' && text.at[len] == '}'
               ? (struct span){text.at + 1, len - 1}
               : (struct span){0};
}

/* Texts whose placeholders are not known would reach an agent as they are. */
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

#define AT(member) .at = offsetof(struct config_template, member)
#define TEXT .value = "TEXT", .set = set_text
#define LINES .value = "TEXT", .set = set_lines, .several = true
#define ITEMS .value = "TEXT", .set = set_item, .several = true

static const struct config_setting settings[] = {
    {.name = "for",
     .value = "FORM",
     .usual = "compose",
     .words = uses,
     .set = config_set_word,
     .uses = ALL,
     AT(use)},
    {.name = "to", .uses = ADDRESSED, TEXT, AT(to)},
    {.name = "subject", .uses = ALL, TEXT, AT(subject)},
    {.name = "priority",
     .value = "PRIORITY",
     .usual = "normal",
     .set = set_priority,
     .uses = ALL,
     AT(priority)},
    {.name = "tag", .uses = ALL & ~HANDOFF, ITEMS, AT(tags)},
    {.name = "body", .uses = ALL & ~HANDOFF, LINES, AT(body)},
    {.name = "done", .uses = HANDOFF, LINES, AT(handoff.work_completed)},
    {.name = "state", .uses = HANDOFF, LINES, AT(handoff.current_state)},
    {.name = "next", .uses = HANDOFF, ITEMS, AT(handoff.next_steps)},
    {.name = "blocker", .uses = HANDOFF, ITEMS, AT(handoff.blockers)},
    {.name = "modified", .uses = HANDOFF, ITEMS, AT(handoff.files_modified)},
    {.name = "created", .uses = HANDOFF, ITEMS, AT(handoff.files_created)},
    {.name = "state-file", .uses = HANDOFF, TEXT, AT(handoff.state_file)},
    {.name = "dependency", .uses = HANDOFF, ITEMS, AT(handoff.dependencies)},
    {.name = "escalation", .uses = HANDOFF, ITEMS, AT(handoff.related_escalations)},
    {.name = "job", .uses = HANDOFF, TEXT, AT(handoff.job_id)},
    {.name = "notes", .uses = HANDOFF, LINES, AT(handoff.notes)},
    {0},
};

static struct config_template *find_template(struct config_reading *in, struct span name)
{
    struct config *config = in->config;

    for (size_t i = 0; i < config->template_count; i++)
        if (span_eq(config->templates[i].name, name))
            return &config->templates[i];
    config->templates = mem_grow(config->templates, &config->template_cap,
                                 config->template_count + 1, sizeof *config->templates);
    struct config_template *template = &config->templates[config->template_count++];
    *template = (struct config_template){.name = arena_copy(&config->arena, name),
                                         .line = in->section_line};
    config_set_usual(in, settings, template);
    return template;
}

bool config_take_template(struct config_reading *in, struct span name, struct span key,
                          struct span value)
{
    struct config_template *template = find_template(in, name);

    for (const struct config_setting *one = settings; one->name; one++)
        if (span_is(key, one->name))
            return config_set(in, one, template, &template->given, value);
    return config_fail_key(in, "a template has no key", key, settings);
}

void config_end_templates(struct config_reading *in)
{
    for (size_t i = 0; i < in->config->template_count; i++) {
        const struct config_template *template = &in->config->templates[i];
        for (const struct config_setting *one = settings; one->name; one++) {
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
