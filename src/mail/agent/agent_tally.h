/* Tallies: what some messages say about whoever they name, before anybody knows who is who.
 *
 * All that agents are judged by is the newest, the oldest or the number of something, so tallies of
 * parts of the mail make the tally of all of it: only the parts that change are looked through
 * again. */
#ifndef MAIL_AGENT_AGENT_TALLY_H
#define MAIL_AGENT_AGENT_TALLY_H

#include "mail/message/model.h"

#define TALLY_NONE UINT32_MAX

/* The oldest of some messages, and how many there are. */
struct some {
    uint32_t first;
    size_t count;
};

/* One name as messages of one team spell it. Messages are numbers in the model's order, TALLY_NONE
 * for none. */
struct tally_name {
    uint32_t source;
    struct span team, name;
    bool person;        /* it is the person's */
    bool spoke;         /* a message from it is there, of whatever time */
    int64_t heard_us;   /* of the newest that does not lie in the future, or WHEN_NONE */
    uint32_t last;      /* its last word */
    uint32_t last_said; /* the last that is more than an idle notice */
    uint32_t woken_by;  /* the newest talk that it has read */
    struct some unread, processing, failed;
    uint32_t unreadable; /* stands for its box, which could not be read */
};

/* A place in which a message for that name lies. */
struct tally_box {
    uint32_t name;
    const struct place *place;
};

/* Zero-initialised is empty and valid. Borrows from the messages. */
struct agent_tally {
    struct tally_name *names;
    size_t count, cap;
    struct tally_box *boxes; /* some of them more than once */
    size_t box_count, box_cap;
    uint32_t *words; /* messages with a sender that are unread and no idle notices */
    size_t word_count, word_cap;
    uint32_t *unreadable; /* stand for directories of several boxes that could not be read */
    size_t unreadable_count, unreadable_cap;
    int64_t next_us; /* before that the clock alone changes nothing of it; WHEN_NONE: never */
};

void agent_tally_fill(struct agent_tally *tally, const struct model *model, int64_t now_us);
void agent_tally_free(struct agent_tally *tally);

/* Adds what is known of a message, or of several, to what is known already: those that go first
 * where it matters win. The model is the one that the numbers are of. */
void some_add(struct some *some, const struct model *model, struct some more);
void some_add_processing(struct some *some, const struct model *model, struct some more);
void tally_take_later(uint32_t *last, const struct model *model, uint32_t other);

/* Since when a message is worked on: nobody writes that down, but it was read before. */
int64_t tally_begun(const struct message *message);

#endif
