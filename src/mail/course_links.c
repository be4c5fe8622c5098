/* Courses of handoffs: who is who, and which of them are of the same work. */
#include "mail/course_private.h"
#include "mail/prefill.h"

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

uint32_t courses_agent(struct building *b, const struct place *place, struct span name)
{
    uint32_t source = place->source;
    struct agent_id id = {.team = place->team, .name = name};

    if (!name.len)
        return COURSE_NONE;
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

/* Borrowed until the next call. */
static struct span key_of(struct building *b, enum common common, const struct place *place,
                          struct span text, uint32_t taker)
{
    const uint32_t numbers[] = {common, taker};

    if (common == COMMON_ID)
        text = message_spoken_id(text, place->short_replies);
    const struct span parts[] = {{(const char *)numbers, sizeof numbers}, place->team, text};
    return map_key(&b->scratch, place->source, parts, sizeof parts / sizeof *parts);
}

uint32_t courses_last(struct building *b, enum common common, const struct place *place,
                      struct span text, uint32_t taker)
{
    const uint32_t *last =
        text.len ? map_get(&b->last, key_of(b, common, place, text, taker)) : NULL;

    return last ? *last - 1 : COURSE_NONE;
}

static void note(struct building *b, enum common common, struct span text, uint32_t course)
{
    const struct place *place = heard_message(b, b->out->items[course].message)->place;
    const uint32_t takers[] = {COURSE_NONE, b->heard[course].taker};
    bool fresh;

    for (size_t i = 0; text.len && i < sizeof takers / sizeof *takers; i++) {
        struct span key = key_of(b, common, place, text, takers[i]);
        uint32_t *last = map_put_copy(&b->last, &b->arena, key, &fresh);
        *last = course + 1;
    }
}

static struct span job_of(const struct message *message)
{
    return message->work ? message->work->job : (struct span){0};
}

/* Absent where the layout has none and the text stands for it: all handoffs start alike. */
static struct span subject_of(const struct message *message)
{
    struct span subject = prefill_subject(message->subject);

    return !span_starts(subject, span_of("Work handoff from ")) ? subject : (struct span){0};
}

void courses_note_id(struct building *b, uint32_t course)
{
    note(b, COMMON_ID, heard_message(b, b->out->items[course].message)->id, course);
}

void courses_note_thread(struct building *b, uint32_t course)
{
    note(b, COMMON_THREAD, courses_thread(&b->heard[course].thread), course);
}

void courses_note(struct building *b, uint32_t course)
{
    const struct message *message = heard_message(b, b->out->items[course].message);

    courses_note_thread(b, course);
    note(b, COMMON_JOB, job_of(message), course);
    note(b, COMMON_SUBJECT, subject_of(message), course);
}

uint32_t courses_previous(struct building *b, uint32_t course)
{
    const struct heard *heard = &b->heard[course];
    const struct message *message = heard_message(b, b->out->items[course].message);
    const uint32_t holders[] = {heard->giver, heard->sender};
    const struct {
        enum common common;
        struct span text;
        bool by_anybody;
    } ways[] = {{COMMON_JOB, job_of(message), true},
                {COMMON_THREAD, courses_thread(&heard->thread), true},
                {COMMON_SUBJECT, subject_of(message), false}};
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
