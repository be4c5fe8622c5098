/* Places: matching path patterns, and filling them in. */
#include "store/format/path_pattern.h"

struct span place_component(const char *pattern, unsigned n)
{
    for (; n; n--) {
        pattern = strchr(pattern, '/');
        if (!pattern)
            return (struct span){0};
        pattern++;
    }
    const char *end = strchr(pattern, '/');
    return (struct span){pattern, end ? (size_t)(end - pattern) : strlen(pattern)};
}

bool place_is_last(const char *pattern, unsigned n)
{
    return !place_component(pattern, n + 1).at;
}

bool place_has_box(const char *pattern)
{
    return strstr(pattern, "{box}") != NULL;
}

bool place_names_box(const char *pattern)
{
    const char *box = strstr(pattern, "{box}");

    return box && !strchr(box, '/');
}

static struct span *slot_of(struct span brace, struct place_names *names)
{
    return span_is(brace, "{team}") ? &names->team : &names->box;
}

/* Returns the length of the wildcard at the start of a component; 0 if it starts with plain
 * text. */
static size_t wildcard(struct span component)
{
    if (!component.len || (component.at[0] != '*' && component.at[0] != '{'))
        return 0;
    if (component.at[0] == '*')
        return 1;
    return (size_t)((const char *)memchr(component.at, '}', component.len) - component.at) + 1;
}

static bool match(struct span component, struct span name, struct place_names *names, bool in_name)
{
    size_t wild = wildcard(component);

    if (!component.len)
        return !name.len;
    if (!wild) {
        if (!name.len || name.at[0] != component.at[0])
            return false;
        struct span rest_pattern = {component.at + 1, component.len - 1};
        struct span rest_name = {name.at + 1, name.len - 1};
        return match(rest_pattern, rest_name, names, true);
    }
    if (component.at[0] == '*' && name.len && name.at[0] == '.' && !in_name)
        return false; /* as in a shell */
    struct span brace = {component.at, wild};
    struct span rest = {component.at + wild, component.len - wild};
    bool keep = component.at[0] == '{';
    if (!memchr(rest.at, '*', rest.len) && !memchr(rest.at, '{', rest.len)) {
        /* the common case: only plain text follows, and it must be the end */
        if (name.len < rest.len + keep ||
            memcmp(name.at + name.len - rest.len, rest.at, rest.len) != 0)
            return false;
        if (keep)
            *slot_of(brace, names) = (struct span){name.at, name.len - rest.len};
        return true;
    }
    for (size_t take = keep; take <= name.len; take++) { /* kept text is never empty */
        struct span tail = {name.at + take, name.len - take};
        if (match(rest, tail, names, true)) {
            if (keep)
                *slot_of(brace, names) = (struct span){name.at, take};
            return true;
        }
    }
    return false;
}

bool place_match(struct span component, struct span name, struct place_names *names)
{
    return match(component, name, names, false);
}

/* Matches the components of a path one by one. Returns the depth of the pattern that was reached, 0
 * if it does not match. */
static unsigned match_path(const char *pattern, struct span path, struct place_names *names)
{
    unsigned depth = 0;

    for (;; depth++) {
        const char *slash = memchr(path.at, '/', path.len);
        struct span name = {path.at, slash ? (size_t)(slash - path.at) : path.len};
        struct span component = place_component(pattern, depth);
        if (!component.at || !match(component, name, names, false))
            return 0;
        if (!slash)
            return depth + 1;
        path.at = slash + 1;
        path.len -= name.len + 1;
    }
}

static unsigned match_file(const char *pattern, struct span dir, struct span name,
                           struct place_names *names)
{
    unsigned above = dir.len ? match_path(pattern, dir, names) : 0;
    struct span component = place_component(pattern, above);

    if ((dir.len && !above) || !component.at || !match(component, name, names, false))
        return 0;
    return above + 1;
}

const struct place_rule *place_find(const struct place_rule *rules, size_t count, struct span dir,
                                    struct span name, struct place_names *names)
{
    for (size_t i = 0; i < count; i++) {
        *names = (struct place_names){0};
        unsigned depth = match_file(rules[i].pattern, dir, name, names);
        if (depth && place_is_last(rules[i].pattern, depth - 1) &&
            (!place_is_ignored(name) || /* unless the rule names it */
             span_eq(place_component(rules[i].pattern, depth - 1), name)))
            return &rules[i];
    }
    return NULL;
}

bool place_leads(const struct place_rule *rules, size_t count, struct span dir, struct span name)
{
    struct place_names names = {0};

    for (size_t i = 0; i < count; i++) {
        unsigned depth = match_file(rules[i].pattern, dir, name, &names);
        if (depth && !place_is_last(rules[i].pattern, depth - 1))
            return true;
    }
    return false;
}

static void fill_in(struct str *out, struct span component, const struct place_names *names)
{
    struct place_names given = *names;

    while (component.len) {
        size_t wild = wildcard(component);
        struct span brace = {component.at, wild};
        if (wild)
            str_add_span(out, *slot_of(brace, &given));
        else
            str_putc(out, component.at[0]);
        component.at += wild ? wild : 1;
        component.len -= wild ? wild : 1;
    }
}

void place_dir(struct str *out, const char *pattern, const struct place_names *names)
{
    for (unsigned n = 0; !place_is_last(pattern, n); n++) {
        if (n)
            str_putc(out, '/');
        fill_in(out, place_component(pattern, n), names);
    }
}

void place_file(struct str *out, const char *pattern, struct span box)
{
    struct place_names names = {.box = box};
    unsigned n = 0;

    while (!place_is_last(pattern, n))
        n++;
    fill_in(out, place_component(pattern, n), &names);
}

bool place_is_ignored(struct span name)
{
    return !name.len || name.at[0] == '.' || span_ends(name, ".tmp") || span_ends(name, ".lock") ||
           span_is(name, "README.md");
}
