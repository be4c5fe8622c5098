/* Completion of queries. */
#include "ui/widget/complete_query.h"

static void add_fields(struct completion *completion)
{
    struct str text = {0};

    for (const struct query_field *field = query_fields; field->name; field++) {
        str_clear(&text);
        str_addf(&text, "%s:", field->name);
        complete_add(completion, str_span(&text), span_of(field->help), 0);
    }
    for (const char *const *word = query_keywords; *word; word++)
        complete_add(completion, span_of(*word), (struct span){0}, 1);
    str_free(&text);
}

static const struct query_field *find_field(struct span name)
{
    for (const struct query_field *field = query_fields; field->name; field++)
        if (span_is(name, field->name))
            return field;
    return NULL;
}

/* Where the last term starts: behind a blank, a parenthesis or a dash that are not quoted. */
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
