/* The names in a source: rosters, which are files or lists of files, and boxes. */
#include "store/source/roster.h"

#include "base/file/file.h"
#include "base/io_error.h"
#include "base/map.h"
#include "base/mem.h"
#include "store/scan/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void agent_names_free(struct agent_names *names)
{
    arena_free(&names->arena);
    free(names->items);
    free(names->unread);
    span_list_free(&names->teams);
    *names = (struct agent_names){0};
}

static int by_name(const void *a, const void *b)
{
    const struct agent_name *x = a, *y = b;
    int order = span_cmp(x->team, y->team);

    return order ? order : span_cmp(x->name, y->name);
}

static void sort_names(struct agent_names *names, size_t first)
{
    if (names->count > first)
        qsort(names->items + first, names->count - first, sizeof *names->items, by_name);
}

static struct agent_name *add_name(struct agent_names *names, const struct place_names *found)
{
    struct agent_name *name = mem_push(names->items, names->count, names->cap);
    *name = (struct agent_name){.team = arena_copy(&names->arena, found->team),
                                .name = arena_copy(&names->arena, found->box)};
    return name;
}

/* Notes missing names. `kind` is IO_ERROR_KINDS if the file was read, but its content is
 * invalid. */
static void note_unread(struct agent_names *names, const struct found *file, const char *why,
                        enum io_error_kind kind)
{
    CLEANUP(str_free) struct str text = {0};

    str_add_path(&text, file->dir, file->name);
    str_addf(&text, ": names are missing, because it cannot be read: %s", why);
    if (kind != IO_ERROR_KINDS)
        io_error_note(kind, "", str_c(&text));
    *mem_push(names->unread, names->unread_count, names->unread_cap) =
        (struct unread_names){.team = arena_copy(&names->arena, file->names.team),
                              .why = arena_copy(&names->arena, str_span(&text))};
}

bool agent_names_are_all(const struct agent_names *names, struct span team, struct err *err)
{
    for (size_t i = 0; i < names->unread_count; i++) {
        const struct unread_names *unread = &names->unread[i];
        if (!team.at || !unread->team.at || span_eq(unread->team, team))
            return err_set(err, ERR_BOX, "%s", unread->why.at);
    }
    return true;
}

/* A walk over roster files. */
struct roll_call {
    const struct format *format;
    int root;
    struct agent_names *names; /* NULL: only check whether there is a roster */
    struct map listed;         /* team and name of the agents that rosters have named so far */
    struct arena keys;
    struct str scratch;
    bool found;
};

static void roll_call_free(struct roll_call *call)
{
    map_free(&call->listed);
    arena_free(&call->keys);
    str_free(&call->scratch);
}

static bool read_members(const struct roll_call *call, const struct found *file,
                         struct members *members, struct arena *arena)
{
    CLEANUP(str_free) struct str path = {0}, bytes = {0};
    struct file_id id;
    struct err err;

    str_add_path(&path, file->dir, file->name);
    enum file_result result = file_read(call->root, str_c(&path), FILE_SIZE_MAX, &bytes, &id, &err);
    bool failed = result == FILE_FAILED && errno;
    bool ok =
        result == FILE_OK && call->format->parse_roster(str_span(&bytes), members, arena, &err);
    if (!ok && result != FILE_GONE && call->names)
        note_unread(call->names, file, err.text, failed ? IO_ERROR_OTHER : IO_ERROR_KINDS);
    else if (failed)
        io_error_note(IO_ERROR_OTHER, str_c(&path), err.text);
    return ok;
}

/* True if no earlier roster named the agent: two rosters of one team may. */
static bool is_new(struct roll_call *call, const struct place_names *who)
{
    const struct span parts[] = {who->team, who->box};
    struct span key = map_key(&call->scratch, 0, parts, sizeof parts / sizeof *parts);
    bool fresh;

    map_put_copy(&call->listed, &call->keys, key, &fresh);
    return fresh;
}

static void call_file(struct walker *walker, const struct found *file)
{
    struct roll_call *call = walker->context;
    struct members members = {0};
    CLEANUP(arena_free) struct arena scratch = {0};

    if (file->unlisted && call->names)
        note_unread(call->names, file, file->problem, IO_ERROR_OTHER);
    if (!file->problem && read_members(call, file, &members, &scratch)) {
        call->found = true;
        struct span title =
            call->names ? arena_copy(&call->names->arena, members.team) : (struct span){0};
        for (size_t i = 0; call->names && i < members.count; i++) {
            struct arena *arena = &call->names->arena;
            struct place_names names = {.team = file->names.team, .box = members.items[i].name};
            if (!is_new(call, &names))
                continue;
            struct agent_name *name = add_name(call->names, &names);
            name->on_roster = true;
            name->team_title = title;
            name->member = members.items[i];
            name->member.name = name->name;
            name->member.color = arena_copy(arena, name->member.color);
            name->member.role = arena_copy(arena, name->member.role);
            name->member.status = arena_copy(arena, name->member.status);
            name->member.directory = arena_copy(arena, name->member.directory);
        }
    }
    free(members.items);
}

/* Adds the agent of a file, for layouts where each file is one agent. */
static void call_name(struct walker *walker, const struct found *file)
{
    struct roll_call *call = walker->context;

    if (file->unlisted)
        note_unread(call->names, file, file->problem, IO_ERROR_OTHER);
    if (file->problem || file->names.box.at[0] == call->format->roster_aside)
        return;
    struct agent_name *name = add_name(call->names, &file->names);
    name->on_roster = true;
    name->member.name = name->name;
}

static bool call_roll(struct roll_call *call, const char *path, struct err *err)
{
    struct place_rule rule = {call->format->roster_pattern, false};
    struct walker walker = {.rules = &rule,
                            .rule_count = 1,
                            .found = call->format->parse_roster ? call_file : call_name,
                            .context = call};
    struct err problem;

    if (!path)
        return true;
    if (!file_open_root(path, &call->root, &problem)) {
        if (errno == ENOENT || errno == ENOTDIR)
            return true;
        *err = problem;
        return false;
    }
    bool ok = walk_tree(&walker, call->root, err);
    close(call->root);
    return ok;
}

bool source_rosters(const struct source *source, struct agent_names *names, struct err *err)
{
    CLEANUP(roll_call_free) struct roll_call call = {.format = source->format, .names = names};
    size_t first = names->count;
    bool ok =
        call_roll(&call, source->roster_path, err) && call_roll(&call, source->base_path, err);

    sort_names(names, first);
    return ok;
}

bool roster_is_missing(const struct source *source, const struct agent_names *names,
                       struct span team)
{
    const struct format *format = source->format;

    if (!format->parse_roster || place_has_box(format->rules[0].pattern))
        return false;
    for (size_t i = 0; i < names->count; i++)
        if (names->items[i].on_roster && span_eq(names->items[i].team, team))
            return false;
    for (size_t i = 0; i < names->unread_count; i++)
        if (span_eq(names->unread[i].team, team))
            return false;
    return span_list_has(&names->teams, team);
}

void roster_add_path(struct str *out, const struct source *source, struct span team)
{
    const char *pattern = source->format->roster_pattern;
    const struct place_names names = {.team = team};

    place_dir(out, pattern, &names);
    str_putc(out, '/');
    place_file(out, pattern, team);
}

void roster_add_missing(struct str *out, const struct source *source, struct span team)
{
    roster_add_path(out, source, team);
    str_puts(out, " is missing" ROSTER_MISSING);
}

struct span roster_color(const struct agent_names *names, struct span team, struct span agent)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->items[i].on_roster && span_eq(names->items[i].name, agent) &&
            span_eq(names->items[i].team, team))
            return names->items[i].member.color;
    return (struct span){0};
}

bool roster_knows(const struct format *format, int root)
{
    struct place_rule rule = {format->roster_pattern, false};
    CLEANUP(roll_call_free) struct roll_call call = {.format = format, .root = root};
    struct walker walker = {.rules = &rule, .rule_count = 1, .found = call_file, .context = &call};
    struct err err;

    if (format->parse_roster && !walk_tree(&walker, root, &err))
        io_error_note_err(&err);
    return call.found;
}

/* Adds a box. Inbox and archive are one box. */
static void add_box(struct agent_names *names, const struct place_names *found)
{
    const struct agent_name *last = names->count ? &names->items[names->count - 1] : NULL;

    if (!found->box.at ||
        (last && span_eq(last->name, found->box) && span_eq(last->team, found->team)))
        return;
    add_name(names, found);
}

static void enter_box(struct walker *walker, const struct found *dir)
{
    struct agent_names *names = walker->context;

    if (dir->names.team.at && !span_list_has(&names->teams, dir->names.team))
        span_list_add(&names->teams, arena_copy(&names->arena, dir->names.team));
    add_box(names, &dir->names);
}

static void note_box(struct walker *walker, const struct found *file)
{
    if (file->unlisted && !file->names.box.at)
        note_unread(walker->context, file, file->problem, IO_ERROR_MAIL);
    else if (file->unlisted || (!file->problem && place_names_box(file->rule->pattern)))
        add_box(walker->context, &file->names); /* it exists, but its content is unknown */
}

bool source_boxes(const struct source *source, struct agent_names *names, struct err *err)
{
    struct walker walker = {.rules = source->format->rules,
                            .rule_count = source->format->rule_count,
                            .enter = enter_box,
                            .found = note_box,
                            .boxes_only = true,
                            .context = names};
    size_t first = names->count;
    bool ok = walk_tree(&walker, source->root, err);

    sort_names(names, first);
    return ok;
}
