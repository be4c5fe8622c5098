/* Who we say we are. */
#include "cmd/read/myself.h"

#include "base/span_list.h"
#include "base/text/nearest.h"

/* Whether somebody is called that in the source. A name of several is no new one; one that nobody
 * can have there is looked for in the others. */
static bool is_known(struct store *store, uint32_t index, struct span name)
{
    const struct source *source = store_source(store, index);
    struct arena arena = {0};
    struct address address;
    struct err ignored;

    bool known = span_is(name, source->format->identity);
    if (!known && source_has_name(source))
        known = !store_address(store, index, name, &address, &arena, &ignored) || address.has_box ||
                address.on_roster;
    arena_free(&arena);
    return known;
}

void myself_add_names(struct span_list *names, struct store *store, uint32_t index,
                      struct span typed, struct arena *arena)
{
    bool teams = format_has_teams(store_source(store, index)->format);
    char mark = teams ? '@' : '/';
    bool whole = memchr(typed.at, mark, typed.len) != NULL;
    struct agent_names known = {0};
    struct err ignored;

    store_names(store, index, &known, &ignored);
    for (size_t i = 0; i < known.count; i++) {
        const struct agent_name *one = &known.items[i];
        struct span parts[] = {teams ? one->name : one->team, teams ? one->team : one->name};
        struct str text = {0};
        if (whole && one->team.len)
            str_addf(&text, "%.*s%c%.*s", (int)parts[0].len, parts[0].at, mark, (int)parts[1].len,
                     parts[1].at);
        else
            str_add_span(&text, one->name);
        span_list_add(names, arena_copy(arena, str_span(&text)));
        str_free(&text);
    }
    agent_names_free(&known);
}

/* Looked for last, because every message is looked at for it. */
static bool has_written(struct store *store)
{
    struct load all = {.inbox = true, .archive = true};
    struct model model = {0};
    struct err ignored;
    bool found = false;

    if (store_load(store, &all, &model, &ignored))
        for (size_t i = 0; i < model.count; i++)
            found |= model.messages[i]->by_us;
    model_free(&model);
    return found;
}

void myself_add_doubt(struct str *out, struct store *store, struct span name)
{
    struct span_list names = {0};
    struct arena arena = {0};
    struct str near = {0};
    bool known = false;

    for (uint32_t i = 0; !known && i < store_source_count(store); i++) {
        known = is_known(store, i, name);
        myself_add_names(&names, store, i, name, &arena);
        span_list_add(&names, span_of(store_source(store, i)->format->identity));
    }
    if (!known)
        nearest_slip(&near, name, names.items, names.count);
    if (near.len && !has_written(store))
        str_addf(out, "nobody is called \"%.*s\" here%s; going on as \"%.*s\"", (int)name.len,
                 name.at, str_c(&near), (int)name.len, name.at);
    span_list_free(&names);
    arena_free(&arena);
    str_free(&near);
}
