/* Arguments: validated by the table that describes them. */
#include "mcp/arguments.h"

#include "base/json/json_print.h"
#include "base/text/utf8.h"

#include <stdlib.h>

/* Argument names with which a caller would say who it is, or whose mail it wants. */
static const char *const names_of_others[] = {"from",  "as",  "sender", "identity",
                                              "agent", "box", "viewer", NULL};

static bool is_among(const char *(*word)(unsigned number), struct span text)
{
    for (unsigned i = 0; word(i); i++)
        if (span_is(text, word(i)))
            return true;
    return false;
}

static const struct argument_spec *find_spec(const struct argument_spec *specs, struct json key)
{
    for (; specs->name; specs++)
        if (json_is(key, specs->name))
            return specs;
    return NULL;
}

/* Checked before everything else, so that this error is the one reported. */
static bool check_self(const char *tool, const struct argument_spec *specs, struct json object,
                       const char *self, struct err *err)
{
    struct json_walk walk;
    struct json key, value;

    json_open(&walk, object.raw, JSON_STRICT, err);
    while (json_next(&walk, &key, &value))
        for (size_t i = 0; names_of_others[i]; i++)
            if (json_is(key, names_of_others[i]) && !find_spec(specs, key))
                return err_set(err, ERR_REFUSED,
                               "%s takes no `%s`: here you are \"%s\" and nobody else, whose "
                               "mail is read and in whose name it is sent",
                               tool, names_of_others[i], self);
    return true;
}

static bool say_unknown(const char *tool, const struct argument_spec *specs, struct span name,
                        struct err *err)
{
    CLEANUP(str_free) struct str known = {0};

    for (const struct argument_spec *spec = specs; spec->name; spec++)
        str_addf(&known, "%s%s", known.len ? ", " : "", spec->name);
    return err_set(err, ERR_USAGE, "%s takes no `%.*s`; it takes: %s", tool,
                   (int)(name.len < 60 ? name.len : 60), name.at,
                   known.len ? str_c(&known) : "nothing");
}

/* Reads a text that can be an option of a command or a part of a message: no NUL, valid UTF-8. */
static bool take_text(struct arguments *arguments, const char *tool,
                      const struct argument_spec *spec, struct json value, struct span *text,
                      struct err *err)
{
    if (value.kind != JSON_STRING)
        return err_set(err, ERR_USAGE, "%s: `%s` takes %s", tool, spec->name,
                       spec->kind == ARGUMENT_TEXTS ? "a list of strings" : "a string");
    *text = arena_copy(&arguments->arena, json_text(&arguments->arena, value));
    if (memchr(text->at, '\0', text->len))
        return err_set(err, ERR_USAGE, "%s: `%s` holds a NUL character", tool, spec->name);
    if (!utf8_valid(*text))
        return err_set(err, ERR_USAGE, "%s: `%s` holds half of a surrogate pair", tool, spec->name);
    if (!spec->blank && !span_trim(*text).len)
        return err_set(err, ERR_USAGE, "%s: `%s` is empty", tool, spec->name);
    return true;
}

static bool check_word(const char *tool, const struct argument_spec *spec, struct span text,
                       struct err *err)
{
    CLEANUP(str_free) struct str known = {0};

    if (!spec->word || is_among(spec->word, text))
        return true;
    str_add_choice(&known, spec->word);
    return err_set(err, ERR_USAGE, "%s: `%s` takes %s, not \"%.*s\"", tool, spec->name,
                   str_c(&known), (int)(text.len < 60 ? text.len : 60), text.at);
}

static bool take_texts(struct arguments *arguments, const char *tool, struct argument *argument,
                       struct json value, struct err *err)
{
    struct json_walk walk;
    struct json key, item;
    struct span text = {0};

    if (value.kind != JSON_ARRAY)
        return err_set(err, ERR_USAGE, "%s: `%s` takes a list of strings", tool,
                       argument->spec->name);
    json_open(&walk, value.raw, JSON_STRICT, err);
    while (json_next(&walk, &key, &item)) {
        if (!take_text(arguments, tool, argument->spec, item, &text, err))
            return false;
        span_list_add(&argument->texts, text);
    }
    return true;
}

static bool take_number(struct arguments *arguments, const char *tool, struct argument *argument,
                        struct json value, struct err *err)
{
    const struct argument_spec *spec = argument->spec;

    if (value.kind == JSON_NUMBER)
        argument->number = strtod(arena_copy(&arguments->arena, value.raw).at, NULL);
    bool within = value.kind == JSON_NUMBER && argument->number >= spec->least &&
                  argument->number <= spec->most;
    return (within && (spec->fractions || argument->number == (int)argument->number)) ||
           err_set(err, ERR_USAGE, "%s: `%s` takes a %s from %d to %d", tool, spec->name,
                   spec->fractions ? "number" : "whole number", spec->least, spec->most);
}

static bool take_argument(struct arguments *arguments, const char *tool, struct argument *argument,
                          struct json value, struct err *err)
{
    const struct argument_spec *spec = argument->spec;

    switch (spec->kind) {
    case ARGUMENT_TEXT:
        return take_text(arguments, tool, spec, value, &argument->text, err) &&
               check_word(tool, spec, argument->text, err);
    case ARGUMENT_TEXTS:
        return take_texts(arguments, tool, argument, value, err);
    case ARGUMENT_NUMBER:
        return take_number(arguments, tool, argument, value, err);
    case ARGUMENT_FLAG:
        break;
    }
    argument->flag = value.kind == JSON_TRUE;
    return argument->flag || value.kind == JSON_FALSE ||
           err_set(err, ERR_USAGE, "%s: `%s` takes true or false", tool, spec->name);
}

static size_t count_specs(const struct argument_spec *specs)
{
    size_t count = 0;

    while (specs[count].name)
        count++;
    return count;
}

static bool read_members(struct arguments *arguments, const char *tool,
                         const struct argument_spec *specs, struct json object, struct err *err)
{
    struct json_walk walk;
    struct json key, value;

    /* no key is repeated: each spec occurs at most once */
    arguments->items =
        arena_alloc(&arguments->arena, (count_specs(specs) + 1) * sizeof *arguments->items);
    json_open(&walk, object.raw, JSON_STRICT, err);
    while (json_next(&walk, &key, &value)) {
        const struct argument_spec *spec = find_spec(specs, key);
        if (!spec)
            return say_unknown(tool, specs, json_text(&arguments->arena, key), err);
        struct argument *argument = &arguments->items[arguments->count++];
        argument->spec = spec;
        if (!take_argument(arguments, tool, argument, value, err))
            return false;
    }
    return true;
}

bool arguments_read(struct arguments *arguments, const char *tool,
                    const struct argument_spec *specs, struct json object, const char *self,
                    struct err *err)
{
    if (object.kind == JSON_OBJECT && (!check_self(tool, specs, object, self, err) ||
                                       !read_members(arguments, tool, specs, object, err)))
        return false;
    for (const struct argument_spec *spec = specs; spec->name; spec++)
        if (spec->needed && !arguments_get(arguments, spec->name))
            return err_set(err, ERR_USAGE, "%s needs `%s`: %s", tool, spec->name, spec->help);
    return true;
}

void arguments_free(struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++)
        span_list_free(&arguments->items[i].texts);
    arena_free(&arguments->arena);
}

const struct argument *arguments_get(const struct arguments *arguments, const char *name)
{
    for (size_t i = 0; i < arguments->count; i++)
        if (strcmp(arguments->items[i].spec->name, name) == 0)
            return &arguments->items[i];
    return NULL;
}

struct span arguments_text(const struct arguments *arguments, const char *name)
{
    const struct argument *argument = arguments_get(arguments, name);

    return argument ? argument->text : (struct span){0};
}

double arguments_number(const struct arguments *arguments, const struct argument_spec *specs,
                        const char *name)
{
    const struct argument *argument = arguments_get(arguments, name);

    while (!argument && strcmp(specs->name, name) != 0)
        specs++;
    return argument ? argument->number : specs->usual;
}

static void add_spec(struct str *out, const struct argument_spec *spec)
{
    static const char *const types[] = {
        [ARGUMENT_TEXT] = "\"string\"",
        [ARGUMENT_TEXTS] = "\"array\",\"items\":{\"type\":\"string\",\"minLength\":1}",
        [ARGUMENT_FLAG] = "\"boolean\"",
        [ARGUMENT_NUMBER] = "\"integer\""};

    str_addf(out, "\"%s\":{\"type\":%s", spec->name, types[spec->kind]);
    if (spec->kind == ARGUMENT_TEXT && !spec->blank && !spec->word)
        str_puts(out, ",\"minLength\":1");
    if (spec->kind == ARGUMENT_NUMBER)
        str_addf(out, ",\"minimum\":%d,\"maximum\":%d,\"default\":%d", spec->least, spec->most,
                 spec->usual);
    for (unsigned i = 0; spec->word && spec->word(i); i++)
        str_addf(out, "%s\"%s\"", i ? "," : ",\"enum\":[", spec->word(i));
    str_puts(out, spec->word ? "],\"description\":" : ",\"description\":");
    json_put_text(out, span_of(spec->help), &json_style_line);
    str_putc(out, '}');
}

void arguments_add_schema(struct str *out, const struct argument_spec *specs)
{
    const char *comma = "";

    str_puts(out, "{\"type\":\"object\",\"properties\":{");
    for (const struct argument_spec *spec = specs; spec->name; spec++) {
        str_puts(out, spec == specs ? "" : ",");
        add_spec(out, spec);
    }
    str_puts(out, "},\"required\":[");
    for (const struct argument_spec *spec = specs; spec->name; spec++) {
        if (spec->needed)
            str_addf(out, "%s\"%s\"", comma, spec->name);
        comma = spec->needed ? "," : comma;
    }
    str_puts(out, "],\"additionalProperties\":false}");
}
