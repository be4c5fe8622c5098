/* The Claude layout: who is in a team, and its tasks. Neither is ever written. */
#include "base/mem.h"
#include "store/layouts/claude_private.h"
#include "store/layouts/fields.h"

static struct span text_of(struct json object, const char *name, struct arena *arena)
{
    struct span text = json_text(arena, fields_member(object, name));

    return text.at ? arena_copy(arena, text) : text;
}

static void add_member(struct members *members, struct json raw, struct arena *arena)
{
    struct member member = {.name = text_of(raw, "name", arena),
                            .color = text_of(raw, "color", arena),
                            .role = text_of(raw, "agentType", arena),
                            .directory = text_of(raw, "cwd", arena),
                            .idle = fields_member(raw, "isActive").kind == JSON_FALSE};

    if (!member.name.len)
        return;
    members->items =
        mem_grow(members->items, &members->cap, members->count + 1, sizeof *members->items);
    members->items[members->count++] = member;
}

static bool is_lead_role(struct span role)
{
    return span_is(role, "team-lead") || span_is(role, "coordinator") || span_is(role, "lead");
}

/* The lead is whom the file names; else whose role it is; else whoever is called so. */
static void find_lead(struct members *members, size_t first)
{
    struct member *by_role = NULL, *by_name = NULL;

    for (size_t i = first; i < members->count; i++) {
        struct member *member = &members->items[i];
        if (member->lead)
            return;
        if (!by_role && is_lead_role(member->role))
            by_role = member;
        if (!by_name && span_is(member->name, "team-lead"))
            by_name = member;
    }
    if (by_role || by_name)
        (by_role ? by_role : by_name)->lead = true;
}

bool claude_parse_roster(struct span bytes, struct members *members, struct arena *arena,
                         struct err *err)
{
    struct json whole, none, value;
    struct json_walk walk;
    size_t first = members->count;

    if (!json_scan(bytes, JSON_STRICT, &whole, err))
        return false;
    struct json list = fields_member(whole, "members");
    struct span lead = text_of(whole, "leadAgentId", arena);
    if (list.kind != JSON_ARRAY || !json_open(&walk, list.raw, JSON_STRICT, err))
        return err_set(err, ERR_MESSAGE, "it names no team: its members are missing");
    members->team = text_of(whole, "name", arena);
    while (json_next(&walk, &none, &value)) {
        size_t before = members->count;
        add_member(members, value, arena);
        if (members->count > before && lead.len && span_eq(text_of(value, "agentId", arena), lead))
            members->items[before].lead = true;
    }
    find_lead(members, first);
    return true;
}

bool claude_parse_task(struct span bytes, struct task *task, struct arena *arena)
{
    struct json whole;
    struct err ignored;

    if (!json_scan(bytes, JSON_STRICT, &whole, &ignored) || whole.kind != JSON_OBJECT)
        return false;
    struct json metadata = fields_member(whole, "metadata");
    if (metadata.kind == JSON_OBJECT && fields_member(metadata, "_internal").kind == JSON_TRUE)
        return false;
    task->id = text_of(whole, "id", arena);
    task->subject = text_of(whole, "subject", arena);
    task->owner = text_of(whole, "owner", arena);
    task->status = text_of(whole, "status", arena);
    return task->id.len > 0;
}
