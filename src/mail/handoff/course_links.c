/* Courses of handoffs: who is who, and which of them are of the same work. */
#include "mail/handoff/course_private.h"
#include "mail/handoff/prefill.h"

struct span courses_thread(const uint32_t *thread)
{
    return (struct span){(const char *)thread, sizeof *thread};
}

static uint32_t *put_key(struct building *b, struct map *map, struct span key)
{
    bool fresh;

    return map_put_copy(map, &b->arena, key, &fresh);
}

static struct span agent_key_of(struct building *b, uint32_t source, struct span team,
                                struct span name)
{
    const struct span parts[] = {team, name};

    return map_key(&b->scratch, source, parts, 2);
}

static uint32_t find_agent(struct building *b, const struct place *place, struct span name)
{
    uint32_t source = place->source;
    struct agent_id id = {.team = place->team, .name = name};
    const uint32_t *known = map_get(&b->spelled, agent_key_of(b, source, place->team, name));
    if (known)
        return *known - 1; /* 0, for everybody, becomes COURSE_NONE */
    bool one = !b->in->identify || b->in->identify(b->in->context, source, place->team, name, &id);
    uint32_t number = 0;
    if (one) {
        uint32_t *agent = put_key(b, &b->agents, agent_key_of(b, source, id.team, id.name));
        if (!*agent)
            *agent = ++b->agent_count;
        number = *agent;
    }
    *put_key(b, &b->spelled, agent_key_of(b, source, place->team, name)) = number;
    return number - 1;
}

uint32_t courses_agent(struct building *b, const struct place *place, struct span name)
{
    enum { KNOWN = sizeof b->known / sizeof *b->known };
    struct known_agent *known = &b->known[place_spot(place, name, KNOWN)];

    if (!name.len)
        return COURSE_NONE;
    if (known->place != place || known->name.at != name.at || known->name.len != name.len)
        *known = (struct known_agent){place, name, find_agent(b, place, name)};
    return known->agent;
}

/* --- what courses have in common --- */

struct span courses_job(const struct message *message)
{
    return message->work ? message->work->job : (struct span){0};
}

/* Absent where the layout has none and the text stands for it: all handoffs start alike. */
struct span courses_subject(const struct message *message)
{
    struct span subject = prefill_subject(message->subject);

    return !span_starts(subject, span_of("Work handoff from ")) ? subject : (struct span){0};
}

static struct span text_of(const struct building *b, uint32_t course, enum common common)
{
    const struct message *message = heard_message(b, b->out->items[course].message);

    switch (common) {
    case COMMON_ID:
        return message_spoken_id(message->id, message->place->short_replies);
    case COMMON_THREAD:
        return courses_thread(&b->heard[course].thread);
    case COMMON_JOB:
        return b->heard[course].job;
    case COMMON_SUBJECT:
    case COMMON_COUNT:
        break;
    }
    return b->heard[course].subject;
}

struct wanted {
    const struct building *b;
    enum common common;
    const struct place *place;
    struct span text;
    uint32_t taker; /* COURSE_NONE: anybody */
};

static bool is_wanted(const void *context, uint32_t course)
{
    const struct wanted *wanted = context;
    const struct place *place =
        heard_message(wanted->b, wanted->b->out->items[course].message)->place;

    return (wanted->taker == COURSE_NONE || wanted->b->heard[course].taker == wanted->taker) &&
           (place == wanted->place || (place->source == wanted->place->source &&
                                       span_eq(place->team, wanted->place->team))) &&
           span_eq(text_of(wanted->b, course, wanted->common), wanted->text);
}

static uint32_t hash_of(const struct wanted *wanted)
{
    uint64_t place = wanted->place->source + ((uint64_t)wanted->taker << 32);

    return map_hash(wanted->text, wanted->b->seed + place * UINT64_C(0x9e3779b97f4a7c15));
}

static uint32_t *find_last(const struct wanted *wanted)
{
    const struct hash_index *last = &wanted->b->last[wanted->common][wanted->taker != COURSE_NONE];

    return hash_index_find(last, hash_of(wanted), is_wanted, wanted);
}

uint32_t courses_last(const struct building *b, enum common common, const struct place *place,
                      struct span text, uint32_t taker)
{
    struct wanted wanted = {b, common, place, text, taker};

    if (common == COMMON_ID)
        wanted.text = message_spoken_id(text, place->short_replies);
    const uint32_t *last = text.len ? find_last(&wanted) : NULL;
    return last ? *last : COURSE_NONE;
}

static void note(struct building *b, enum common common, uint32_t course)
{
    const struct place *place = heard_message(b, b->out->items[course].message)->place;
    struct wanted wanted = {b, common, place, text_of(b, course, common), COURSE_NONE};

    for (size_t by_taker = 0; wanted.text.len && by_taker < 2; by_taker++) {
        uint32_t *last = find_last(&wanted);
        if (last)
            *last = course;
        else
            hash_index_add(&b->last[common][by_taker], hash_of(&wanted), course);
        wanted.taker = b->heard[course].taker;
    }
}

void courses_note_id(struct building *b, uint32_t course)
{
    note(b, COMMON_ID, course);
}

void courses_note_thread(struct building *b, uint32_t course)
{
    note(b, COMMON_THREAD, course);
}

void courses_note(struct building *b, uint32_t course)
{
    note(b, COMMON_THREAD, course);
    note(b, COMMON_JOB, course);
    note(b, COMMON_SUBJECT, course);
}

uint32_t courses_previous(const struct building *b, uint32_t course)
{
    const struct heard *heard = &b->heard[course];
    const struct message *message = heard_message(b, b->out->items[course].message);
    const uint32_t holders[] = {heard->giver, heard->sender};
    const struct {
        enum common common;
        struct span text;
        bool by_anybody;
    } ways[] = {{COMMON_JOB, heard->job, true},
                {COMMON_THREAD, courses_thread(&heard->thread), true},
                {COMMON_SUBJECT, heard->subject, false}};
    enum { WAYS = sizeof ways / sizeof *ways };

    uint32_t found = courses_last(b, COMMON_ID, message->place, message->reply_to, COURSE_NONE);
    if (found != COURSE_NONE && found < course) /* only ever back: there can be no circle */
        return found;
    for (size_t i = 0; i < 2 * WAYS; i++) {
        uint32_t holder = holders[i % 2];
        if (holder == COURSE_NONE)
            continue;
        found = courses_last(b, ways[i / 2].common, message->place, ways[i / 2].text, holder);
        if (found != COURSE_NONE)
            return found;
    }
    for (size_t i = 0; i < WAYS; i++) {
        found = ways[i].by_anybody
                    ? courses_last(b, ways[i].common, message->place, ways[i].text, COURSE_NONE)
                    : COURSE_NONE;
        if (found != COURSE_NONE)
            return found;
    }
    return COURSE_NONE;
}
