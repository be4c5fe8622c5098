/* Courses of handoffs, inside: what is heard of each before it is judged. */
#ifndef MAIL_HANDOFF_COURSE_PRIVATE_H
#define MAIL_HANDOFF_COURSE_PRIVATE_H

#include "base/hash_index.h"
#include "base/map.h"
#include "mail/handoff/course.h"
#include "mail/handoff/work.h"

/* What is known of the course of the same number. Agents are numbers. */
struct heard {
    uint32_t taker, giver, sender;
    uint32_t thread;
    enum work_said said;
    uint32_t said_in;  /* the taker's last word, or COURSE_NONE */
    uint32_t answered; /* its first message that has no word for it */
    uint32_t wrote;    /* the first such one behind its last word */
    struct span job, subject;
};

/* What two messages at one place can have in common. */
enum common {
    COMMON_ID, /* the id, as answers repeat it */
    COMMON_THREAD,
    COMMON_JOB,
    COMMON_SUBJECT,
    COMMON_COUNT,
};

/* Who was found for a name at a place. */
struct known_agent {
    const struct place *place;
    struct span name;
    uint32_t agent;
};

struct building {
    const struct courses_input *in;
    struct courses *out;
    struct heard *heard;
    size_t cap;
    struct known_agent known[128]; /* by where name and place lie */
    struct map spelled;            /* source, team and name: 1 + a number; 0 for everybody */
    struct map agents;             /* the same as identified */
    uint32_t agent_count;
    /* the last course that has something in common, with anybody and with the same taker */
    struct hash_index last[COMMON_COUNT][2];
    uint64_t seed; /* of these */
    struct arena arena;
    struct str scratch;
};

static inline const struct message *heard_message(const struct building *b, uint32_t index)
{
    return b->in->model->messages[index];
}

struct building courses_building(const struct courses_input *input, struct courses *out);
void courses_building_free(struct building *b);

/* Adds the course of an offer; false where it is for nobody in particular, and so is none. */
bool courses_add(struct building *b, uint32_t index);
/* The number of whoever a name means at that place; COURSE_NONE for everybody or nobody. */
uint32_t courses_agent(struct building *b, const struct place *place, struct span name);

/* The last course that was noted with that in common and, unless it is COURSE_NONE, with that
 * taker; or COURSE_NONE. */
uint32_t courses_last(const struct building *b, enum common common, const struct place *place,
                      struct span text, uint32_t taker);
/* What may tell that a handoff is about the same work as another one; absent: nothing does. */
struct span courses_job(const struct message *message);
struct span courses_subject(const struct message *message);
/* A thread's number as such a text. */
struct span courses_thread(const uint32_t *thread);
/* This course is the last one of its id, of its conversation, or of all but its id. */
void courses_note_id(struct building *b, uint32_t course);
void courses_note_thread(struct building *b, uint32_t course);
void courses_note(struct building *b, uint32_t course);
/* The handoff of the same work before this one, among those that were noted. */
uint32_t courses_previous(const struct building *b, uint32_t course);

/* State, proof and whether it is stalled. */
void courses_judge(struct building *b, uint32_t course);

#endif
