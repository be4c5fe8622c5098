/* The Roo mailbox, who is there: the slugs of the modes in .roomodes, which is YAML or JSON. */
#include "base/map.h"
#include "base/mem.h"
#include "store/layouts/roo.h"
#include "store/layouts/yaml_events.h"

enum { FILE_MAX = 1 << 20 };

struct reading {
    struct yaml_events events;
    struct members *members;
    struct arena *arena;
    struct map slugs; /* each is taken once */
};

static void add_member(struct reading *in, struct member member)
{
    struct members *members = in->members;
    struct str box = {0};
    struct err ignored;
    bool fresh = roo_box_name(&box, member.name, 0, &ignored);

    str_free(&box);
    if (fresh)
        map_put(&in->slugs, member.name, &fresh);
    if (!fresh)
        return;
    members->items =
        mem_grow(members->items, &members->cap, members->count + 1, sizeof *members->items);
    members->items[members->count++] = member;
}

/* One entry of the list: its first event is the present one. */
static bool read_mode(struct reading *reading)
{
    struct yaml_events *in = &reading->events;
    struct member member = {0};

    if (in->event.type != YAML_MAPPING_START_EVENT)
        return yaml_events_skip(in);
    while (yaml_events_next(in) && in->event.type != YAML_MAPPING_END_EVENT) {
        struct span key = yaml_events_scalar(in);
        struct span *to = span_is(key, "slug")   ? &member.name
                          : span_is(key, "name") ? &member.role
                                                 : NULL;
        if (!yaml_events_skip(in) || !yaml_events_next(in))
            return false;
        if (to)
            *to = arena_copy(reading->arena, yaml_events_scalar(in));
        if (!yaml_events_skip(in))
            return false;
    }
    if (in->event.type != YAML_MAPPING_END_EVENT)
        return false;
    if (span_eq(member.role, member.name))
        member.role = (struct span){0};
    add_member(reading, member);
    return true;
}

static bool read_modes(struct reading *reading)
{
    struct yaml_events *in = &reading->events;

    if (in->event.type != YAML_SEQUENCE_START_EVENT)
        return yaml_events_skip(in);
    while (yaml_events_next(in) && in->event.type != YAML_SEQUENCE_END_EVENT)
        if (!read_mode(reading))
            return false;
    return in->event.type == YAML_SEQUENCE_END_EVENT;
}

static bool read_root(struct reading *reading)
{
    struct yaml_events *in = &reading->events;

    if (!yaml_events_begin(in))
        return false;
    if (in->event.type == YAML_STREAM_END_EVENT)
        return true;
    if (!yaml_events_next(in))
        return false;
    if (in->event.type != YAML_MAPPING_START_EVENT)
        return yaml_events_skip(in);
    while (yaml_events_next(in) && in->event.type != YAML_MAPPING_END_EVENT) {
        bool modes = span_is(yaml_events_scalar(in), "customModes");
        if (!yaml_events_skip(in) || !yaml_events_next(in))
            return false;
        if (!(modes ? read_modes(reading) : yaml_events_skip(in)))
            return false;
    }
    return in->event.type == YAML_MAPPING_END_EVENT;
}

bool roo_parse_roster(struct span bytes, struct members *members, struct arena *arena,
                      struct err *err)
{
    struct reading reading = {.members = members, .arena = arena};

    if (bytes.len > FILE_MAX)
        return err_set(err, ERR_SOURCE, "it is larger than 1 MiB: no list of modes is");
    yaml_events_open(&reading.events, bytes, YAML_ANY_ENCODING);
    bool ok = read_root(&reading) || yaml_events_problem(&reading.events, err);
    yaml_events_close(&reading.events);
    map_free(&reading.slugs);
    return ok;
}
