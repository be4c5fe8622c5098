/* Dangers: which member of a request is looked at in which way, and what was found. */
#include "mail/security/danger.h"

#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/clean.h"
#include "base/text/fold.h"
#include "base/text/lookalike.h"
#include "mail/protocol/tool.h"
#include "mail/security/danger_private.h"

#include <stdlib.h>

/* More than the first are hardly read. */
enum { FOUND_MAX = 200, WORDS_MOST = 12 };

static const char *const phrases_of[] = {
    [DANGER_DELETES] = "deletes files",
    [DANGER_NETWORK] = "uses the network",
    [DANGER_ROOT] = "takes root rights",
    [DANGER_OUTSIDE] = "reaches outside the working directory",
    [DANGER_CODE] = "runs code made from text",
    [DANGER_ENDS] = "ends programs",
    [DANGER_LASTS] = "keeps running or starts again",
    [DANGER_SECRETS] = "touches secrets",
    [DANGER_RIGHTS] = "changes what agents may do",
    [DANGER_ALIKE] = "holds characters that look like others",
    [DANGER_IGNORED] = "holds what the tool does not look at",
    [DANGER_WIDE] = "allows more than one host",
    [DANGER_NEAR] = "reaches this machine or its own network",
    [DANGER_ADDRESS] = "names a host by its number",
    [DANGER_HOST] = "names a host that resembles a known one",
    [DANGER_REQUEST] = "holds another request",
    [DANGER_LONG] = "has a very long line",
    [DANGER_FAR] = "has text far from the rest",
};

enum how {
    HOW_SHELL, /* may be a command */
    HOW_PATH,
    HOW_TEXT,  /* is read or written, not run */
    HOW_PROSE, /* tells a person or an agent what is to be done */
};

/* How members of known tools are used; without a tool, those of all tools. The rest may be a
 * command. */
static const struct {
    const char *tool, *key;
    enum how how;
} members[] = {
    {NULL, "file_path", HOW_PATH},
    {NULL, "notebook_path", HOW_PATH},
    {NULL, "path", HOW_PATH},
    {NULL, "cwd", HOW_PATH},
    {"Bash", "description", HOW_TEXT},
    {"Edit", "old_string", HOW_TEXT},
    {"Edit", "new_string", HOW_TEXT},
    {"MultiEdit", "edits", HOW_TEXT},
    {"Write", "content", HOW_TEXT},
    {"NotebookEdit", "new_source", HOW_TEXT},
    {"NotebookRead", "cell_id", HOW_TEXT},
    {"Read", "pages", HOW_TEXT},
    {"LS", "ignore", HOW_TEXT},
    {"Glob", "pattern", HOW_PATH},
    {"Grep", "pattern", HOW_TEXT},
    {"Grep", "glob", HOW_PATH},
    {"WebFetch", "url", HOW_TEXT},
    {"WebFetch", "prompt", HOW_TEXT},
    {"WebSearch", "query", HOW_TEXT},
    {"Task", "prompt", HOW_PROSE},
    {"Task", "description", HOW_TEXT},
    {"TodoWrite", "todos", HOW_TEXT},
    {"ExitPlanMode", "plan", HOW_PROSE},
};

enum { MEMBERS = sizeof members / sizeof *members };

/* Switches that say something by being on. */
static const struct {
    const char *key;
    enum danger_kind kind;
} switches[] = {
    {"run_in_background", DANGER_LASTS},
    {"dangerouslyDisableSandbox", DANGER_RIGHTS},
};

/* What the names of tools give away. */
static const struct {
    const char *part;
    enum danger_kind kind;
} tool_parts[] = {
    {"web", DANGER_NETWORK},       {"fetch", DANGER_NETWORK},  {"http", DANGER_NETWORK},
    {"browser", DANGER_NETWORK},   {"search", DANGER_NETWORK}, {"download", DANGER_NETWORK},
    {"upload", DANGER_NETWORK},    {"send", DANGER_NETWORK},   {"push", DANGER_NETWORK},
    {"delete", DANGER_DELETES},    {"remove", DANGER_DELETES}, {"drop", DANGER_DELETES},
    {"exec", DANGER_CODE},         {"eval", DANGER_CODE},      {"sudo", DANGER_ROOT},
    {"kill", DANGER_ENDS},         {"secret", DANGER_SECRETS}, {"credential", DANGER_SECRETS},
    {"permission", DANGER_RIGHTS},
};

const char *danger_phrase(enum danger_kind kind)
{
    return phrases_of[kind];
}

void danger_add_phrases(struct span_list *phrases, const struct danger_list *found, unsigned kinds,
                        struct arena *arena)
{
    struct str text = {0};

    for (unsigned kind = 0; kind < DANGER_COUNT; kind++) {
        size_t words = 0;
        if (!(kinds >> kind & 1))
            continue;
        str_clear(&text);
        str_puts(&text, phrases_of[kind]);
        for (size_t i = 0; i < found->count; i++) {
            const struct danger *one = &found->items[i];
            if (one->kind != kind || !one->text.len || ++words > WORDS_MOST)
                continue;
            str_puts(&text, words > 1 ? ", \"" : ": \"");
            clean_add(&text, one->text, 0);
            str_putc(&text, '"');
        }
        if (words > WORDS_MOST)
            str_addf(&text, " and %zu more", words - WORDS_MOST);
        span_list_add(phrases, arena_copy(arena, str_span(&text)));
    }
    str_free(&text);
}

void danger_list_free(struct danger_list *list)
{
    free(list->items);
    arena_free(&list->arena);
    *list = (struct danger_list){0};
}

static bool has(const struct danger_list *list, const struct danger *danger)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == danger->kind && span_eq(list->items[i].text, danger->text))
            return true;
    return false;
}

/* The same word again tells nothing, and would take the place of others. */
static void add(struct danger_search *search, struct danger danger)
{
    struct danger_list *list = search->found;
    bool fresh = !(search->kinds & 1U << danger.kind);

    if ((list->count >= FOUND_MAX && !fresh) || has(list, &danger))
        return;
    search->kinds |= 1U << danger.kind;
    danger.key = search->key;
    danger.nested = search->nested;
    danger.string = search->string;
    danger.text = arena_copy(&list->arena, danger.text);
    list->items = mem_grow(list->items, &list->cap, list->count + 1, sizeof *list->items);
    list->items[list->count++] = danger;
}

void danger_note(struct danger_search *search, enum danger_kind kind, size_t at, size_t end)
{
    const struct danger_list *list = search->found;

    for (size_t i = 0; i < list->count; i++) {
        const struct danger *before = &list->items[i];
        if (before->kind == kind && before->key.at == search->key.at &&
            before->string == search->string && before->at <= at && end <= before->at + before->len)
            return;
    }
    add(search,
        (struct danger){
            .kind = kind, .at = at, .len = end - at, .text = {search->text.at + at, end - at}});
}

static enum how how_used(struct span tool, struct span key)
{
    for (size_t i = 0; i < MEMBERS; i++)
        if (span_is(key, members[i].key) && (!members[i].tool || span_is(tool, members[i].tool)))
            return members[i].how;
    return HOW_SHELL;
}

static void look_at(struct danger_search *search, struct span text, enum how how)
{
    search->text = text;
    if (how == HOW_PROSE)
        danger_in_prose(search);
    else
        danger_in_hosts(search);
    if (how == HOW_PATH)
        danger_in_path(search);
    if (how != HOW_SHELL)
        return;
    danger_in_lines(search);
    danger_in_requests(search);
    danger_alike(search);
    danger_in_parts(search);
    danger_in_shell(search);
}

static void look_at_member(struct danger_search *search, struct json value, enum how how)
{
    struct json_strings walk = {.at = value.raw.at, .end = value.raw.at + value.raw.len};
    struct json string;
    bool is_key;

    search->nested = value.kind != JSON_STRING;
    search->string = 0;
    while (json_next_string(&walk, &string, &is_key)) {
        if (is_key)
            continue;
        look_at(search, json_text(&search->found->arena, string), how);
        search->string++;
    }
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        bool off = value.kind == JSON_FALSE || value.kind == JSON_NULL;
        struct str text = {0};
        str_addf(&text, "%s: ", switches[i].key);
        str_add_span(&text, value.raw);
        if (span_is(search->key, switches[i].key) && !off)
            add(search, (struct danger){.kind = switches[i].kind, .text = str_span(&text)});
        str_free(&text);
    }
}

static void look_at_tool(struct danger_search *search, struct span tool)
{
    struct str folded = {0};
    bool alike = false;

    search->key = span_of("tool_name");
    search->text = tool;
    fold_add(&folded, tool);
    for (size_t i = 0; i < sizeof tool_parts / sizeof *tool_parts; i++)
        if (memmem(str_c(&folded), folded.len, tool_parts[i].part, strlen(tool_parts[i].part)))
            danger_note(search, tool_parts[i].kind, 0, tool.len);
    for (size_t i = 0; i < MEMBERS; i++) {
        struct span name = span_of(members[i].tool);
        alike |= name.len && lookalike_same(name, tool); /* the name itself is none */
    }
    if (alike)
        danger_note(search, DANGER_ALIKE, 0, tool.len);
    danger_alike(search);
    str_free(&folded);
}

static void look_at_input(struct danger_search *search, struct span tool, struct span input)
{
    struct json_walk walk;
    struct json key, value;
    struct err ignored;

    if (!input.len || !json_open(&walk, input, JSON_STRICT, &ignored))
        return;
    while (json_next(&walk, &key, &value)) {
        search->key = arena_copy(&search->found->arena, json_text(&search->found->arena, key));
        if (tool_ignores(tool, search->key))
            add(search, (struct danger){.kind = DANGER_IGNORED, .text = search->key});
        look_at_member(search, value, how_used(tool, search->key));
    }
}

unsigned danger_find(const struct protocol *p, struct span cwd, struct danger_list *found)
{
    struct danger_search search = {.found = found, .cwd = cwd};

    if (p->kind == PROTOCOL_PERMISSION_REQUEST) {
        look_at_tool(&search, p->tool_name);
        look_at_input(&search, p->tool_name, p->input);
    } else if (p->kind == PROTOCOL_SANDBOX_PERMISSION_REQUEST && p->host.at) {
        search.key = span_of("host");
        search.text = p->host;
        danger_in_host(&search);
    } else if (p->kind == PROTOCOL_PLAN_APPROVAL_REQUEST) {
        search.key = span_of("plan");
        search.text = p->plan;
        danger_in_prose(&search);
    }
    return search.kinds;
}

unsigned danger_find_text(struct span text, struct span cwd, struct danger_list *found)
{
    struct danger_search search = {
        .found = found, .cwd = cwd, .key = span_of("text"), .text = text};

    danger_in_prose(&search);
    return search.kinds;
}
