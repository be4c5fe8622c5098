/* The config: what makes no sense in it, said with the line and what to do. */
#include "base/mem.h"
#include "base/text/nearest.h"
#include "store/config/config_private.h"

#include <stdio.h>

enum { TABLE_MAX = 64 };

/* Those of one line stay in their order. */
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
    struct str hint = {0};

    nearest_hint(&hint, word, known, count);
    bool is_near = hint.len > 0;
    for (size_t i = 0; !is_near && i < count; i++)
        str_addf(&hint, "%s%.*s", i ? ", " : "; known: ", (int)known[i].len, known[i].at);
    config_fail(in, "%s \"%.*s\"%s", what, (int)word.len, word.at, str_c(&hint));
    str_free(&hint);
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

bool config_fail_setting(struct config_reading *in, struct span section, struct span key)
{
    struct span known[TABLE_MAX];
    struct str hint = {0};
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
    nearest_hint(&hint, key, known, count);
    config_fail(in, "above all sections no key is called \"%.*s\"%s", (int)key.len, key.at,
                hint.len ? str_c(&hint) : "; write [SECTION] above it, or SECTION.KEY");
    str_free(&hint);
    return false;
}

bool config_sound(const struct config *config, struct err *err)
{
    const struct config_mistake *first = config->mistakes;

    if (!config->mistake_count)
        return true;
    struct str more = {0};
    if (config->path && config->mistake_count > 1)
        str_addf(&more, " (%zu more: swarmutt config check)", config->mistake_count - 1);
    if (first->line)
        err_set(err, ERR_USAGE, "line %u: %s%s", first->line, first->text.at, str_c(&more));
    else
        err_set(err, ERR_USAGE, "%s%s", first->text.at, str_c(&more));
    str_free(&more);
    if (config->unreadable)
        err->scope = ERR_SOURCE;
    if (config->path)
        err_at(err, config->path);
    return false;
}
