/* Tools of agents: the known ones, each with the member of its input that says what it does. */
#include "mail/protocol/tool.h"

#include "base/json/json.h"

static const struct {
    const char *name, *telling;
} tools[] = {
    {"Bash", "command"},
    {"Edit", "file_path"},
    {"Glob", "pattern"},
    {"Grep", "pattern"},
    {"LS", "path"},
    {"MultiEdit", "file_path"},
    {"NotebookEdit", "notebook_path"},
    {"NotebookRead", "notebook_path"},
    {"Read", "file_path"},
    {"WebFetch", "url"},
    {"WebSearch", "query"},
    {"Write", "file_path"},
};

enum { TOOLS = sizeof tools / sizeof *tools };

/* The members that say most about the use of an unknown tool, in this order. */
static const char *const telling[] = {"command", "file_path", "notebook_path", "path",
                                      "url",     "query",     "pattern"};

enum { TELLING = sizeof telling / sizeof *telling, STRANGE = 3 };

/* Returns NULL for an unknown tool. */
static const char *telling_of(struct span tool)
{
    for (size_t i = 0; i < TOOLS; i++)
        if (span_is(tool, tools[i].name))
            return tools[i].telling;
    return NULL;
}

bool tool_ignores(struct span tool, struct span member)
{
    const char *own = telling_of(tool);

    for (size_t i = 0; own && i < STRANGE; i++)
        if (span_is(member, telling[i]))
            return !span_is(member, own);
    return false;
}

/* Ranks how much a member says: a lower rank says more; TELLING + 1 says nothing. */
static size_t rank_of(struct span tool, struct span member)
{
    const char *own = telling_of(tool);
    size_t rank = 0;

    if (own && span_is(member, own))
        return 0;
    if (tool_ignores(tool, member))
        return TELLING + 1;
    while (rank < TELLING && !span_is(member, telling[rank]))
        rank++;
    return rank;
}

struct span tool_use(struct span tool, struct span input, struct arena *arena)
{
    size_t best = TELLING + 1;
    struct span found = input;
    struct json_walk walk;
    struct json key, value;

    if (!input.len || !json_open(&walk, input, JSON_STRICT, NULL))
        return input;
    while (json_next(&walk, &key, &value)) {
        size_t rank = rank_of(tool, json_text(arena, key));
        /* of equal keys the last one counts */
        if (value.kind != JSON_STRING || rank > best || (rank == best && rank >= TELLING))
            continue;
        best = rank;
        found = json_text(arena, value);
    }
    return !span_is(found, "{}") ? span_trim(found) : (struct span){0};
}

bool tool_rule(struct span tool, struct span input, struct span *rule, struct arena *arena)
{
    static const char *const members[] = {"command", "file_path", "notebook_path", "path", "url"};
    const char *own = telling_of(tool);
    struct json_walk walk;
    struct json key, value;

    *rule = (struct span){0};
    if (!input.len || !json_open(&walk, input, JSON_STRICT, NULL))
        return true;
    while (json_next(&walk, &key, &value))
        for (size_t i = 0; i < sizeof members / sizeof *members; i++)
            if (value.kind == JSON_STRING && json_is(key, own ? own : members[i]))
                *rule = json_text(arena, value);
    for (size_t i = 0; i < rule->len; i++)
        if (strchr("*?[]()\n", rule->at[i]))
            return false;
    return true;
}
