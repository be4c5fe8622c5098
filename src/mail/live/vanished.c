/* Messages that have vanished, in groups: a whole tree may be removed at once. */
#include "mail/live/vanished.h"

#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>

/* Messages that vanish within this time are reported together, at the time of the last one. */
#define TOGETHER_US INT64_C(20000)

struct gone_message {
    struct message message;
    bool back;
    uint32_t again; /* 1 + the previous one with the same id; 0: none */
};

struct vanished_group {
    struct arena arena;
    struct gone_message *items;
    size_t count, cap;
    size_t away;      /* not back */
    size_t next;      /* next to report */
    struct map known; /* 1 + the last one with that id; 0: all are back */
    int64_t due_us;
};

static void drop_group(struct vanished *gone, size_t index)
{
    struct vanished_group *group = &gone->groups[index];

    arena_free(&group->arena);
    map_free(&group->known);
    free(group->items);
    memmove(group, group + 1, (--gone->count - index) * sizeof *group);
}

void vanished_free(struct vanished *gone)
{
    while (gone->count)
        drop_group(gone, gone->count - 1);
    free(gone->groups);
    *gone = (struct vanished){0};
}

static size_t length(struct span text)
{
    return text.at ? text.len + 1 : 0;
}

/* Appends the key of a message: its box and id, inbox and archive alike. */
static void add_key(struct str *key, const struct message *message)
{
    const struct place *place = message->place;

    str_addf(key, "%u %zu %zu ", place->source, length(place->team), length(place->box));
    str_add_span(key, place->team);
    str_add_span(key, place->box);
    str_add_span(key, message->id);
}

static struct vanished_group *group_for(struct vanished *gone, int64_t now_us)
{
    struct vanished_group *last = gone->count ? &gone->groups[gone->count - 1] : NULL;

    if (last && now_us + VANISHED_US <= last->due_us)
        return last;
    gone->groups = mem_grow(gone->groups, &gone->cap, gone->count + 1, sizeof *gone->groups);
    last = &gone->groups[gone->count++];
    *last = (struct vanished_group){.due_us = now_us + VANISHED_US + TOGETHER_US};
    return last;
}

void vanished_hold(struct vanished *gone, const struct message *message, int64_t now_us)
{
    struct vanished_group *group = group_for(gone, now_us);
    struct str key = {0};
    bool fresh;

    add_key(&key, message);
    uint32_t *known = map_put_copy(&group->known, &group->arena, str_span(&key), &fresh);
    group->items = mem_grow(group->items, &group->cap, group->count + 1, sizeof *group->items);
    struct gone_message *item = &group->items[group->count++];
    *item = (struct gone_message){.again = *known};
    message_keep(&item->message, message, &group->arena);
    *known = (uint32_t)group->count;
    group->away++;
    str_free(&key);
}

/* Marks the message as back, if the group has it. `link` is the start of the list of its id. */
static bool bring_back(struct vanished_group *group, uint32_t *link, const struct message *message)
{
    for (; *link; link = &group->items[*link - 1].again) {
        struct gone_message *item = &group->items[*link - 1];
        if (!message_is_same(&item->message, message))
            continue;
        item->back = true;
        *link = item->again;
        group->away--;
        return true;
    }
    return false;
}

bool vanished_is_back(struct vanished *gone, const struct message *message)
{
    struct str key = {0};
    bool found = false;

    if (!gone->count)
        return false;
    add_key(&key, message);
    for (size_t i = 0; i < gone->count && !found; i++) {
        struct vanished_group *group = &gone->groups[i];
        uint32_t *known = map_get(&group->known, str_span(&key));
        found = known && bring_back(group, known, message);
        if (found && !group->away)
            drop_group(gone, i);
    }
    str_free(&key);
    return found;
}

const struct message *vanished_next(struct vanished *gone, int64_t now_us)
{
    while (gone->count && gone->groups[0].due_us <= now_us) {
        struct vanished_group *group = &gone->groups[0];
        while (group->next < group->count) {
            struct gone_message *item = &group->items[group->next++];
            if (!item->back)
                return &item->message;
        }
        drop_group(gone, 0);
    }
    return NULL;
}

int64_t vanished_due_us(const struct vanished *gone)
{
    return gone->count ? gone->groups[0].due_us : TIME_NONE;
}
