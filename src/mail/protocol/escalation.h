/* Escalations: to whom one goes, and the ids by which messages speak of the same one. */
#ifndef MAIL_PROTOCOL_ESCALATION_H
#define MAIL_PROTOCOL_ESCALATION_H

#include "base/str.h"

#include <stdint.h>

enum escalation_level { ESCALATION_COO, ESCALATION_CEO, ESCALATION_LEVELS };

struct escalation_route {
    const char *word; /* for the level */
    const char *to;
    const char *from;  /* NULL: whoever escalates */
    const char *title; /* what the subject starts with */
    bool is_high;      /* its priority is fixed */
};

extern const struct escalation_route escalation_routes[ESCALATION_LEVELS];

/* False when the word names no level. */
bool escalation_level_find(struct span word, enum escalation_level *level);

/* Whether the text is an id: ESC-YYYYMMDD-NNNN, with up to two more digits. */
bool escalation_is_id(struct span text);

/* Appends the start of all ids of that local day, up to the number. */
void escalation_add_day(struct str *out, int64_t now_us);
/* The highest number that an id with that start has in the text, or `highest` if none has more. */
unsigned escalation_highest(struct span text, struct span day, unsigned highest);
/* Appends the id with the number after that. */
void escalation_add_next(struct str *out, struct span day, unsigned highest);

#endif
