/* Escalations: to whom one goes, and the ids by which messages speak of the same one. */
#ifndef MAIL_PROTOCOL_LEAD_COMMAND_H
#define MAIL_PROTOCOL_LEAD_COMMAND_H

#include "base/err.h"
#include "base/str.h"
#include "mail/message/draft.h"
#include "mail/message/kind.h"

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

/* Orders: what only a lead sends, from its terms to a draft. */

enum order_verb {
    LEAD_SHUTDOWN, /* to end work */
    LEAD_MODE,     /* in which mode to work */
    LEAD_ASSIGN,   /* a task */
    LEAD_RULES,    /* what tools may be used for */
    LEAD_ESCALATE, /* something goes to who stands above */
    LEAD_VERBS,
};

const char *lead_verb_name(enum order_verb verb);
enum kind lead_verb_kind(enum order_verb verb);

/* What the recipient's layout has for an order. */
struct order_means {
    bool program;  /* the recipient's program takes it, as a protocol message; else it is words */
    bool type;     /* messages have a type */
    bool payload;  /* and data for programs */
    bool response; /* and say that they want a response */
};

/* What is ordered. What a verb does not need is not looked at. Borrowed. */
struct order_terms {
    enum order_verb verb;
    struct order_means means;
    struct span from;  /* who orders it */
    struct span agent; /* who gets it, without a team */
    int64_t now_us;
    struct span reason; /* shutdown, if there is one; escalate */
    struct span mode;
    struct span task, subject, description;
    struct span tool, behavior, directory;
    const struct span_list *rules; /* what the tool is used for; none: anything */
    enum escalation_level level;
    struct span title, body, id; /* escalate; without a body the reason stands for it */
    enum priority priority;      /* escalate to the coo */
};

/* A made order; ends with lead_command_free(). */
struct order_text {
    struct draft draft;  /* borrows from the terms and from what follows */
    struct span id;      /* that answers repeat, or the escalation's; absent in other orders */
    struct str in_short; /* the terms in a few words, as they were given: clean it */
    struct str protocol, subject, body, payload, name, time, rules;
};

/* Makes the message. Refused when something of it is missing or makes no sense. Whether the layout
 * has a way at all is for the caller to know. */
bool lead_command_make(struct order_text *text, const struct order_terms *terms, struct err *err);
void lead_command_free(struct order_text *text);

/* The mode that a word names, also by the name that it has on the agents' own command line. Refused
 * with the nearest ones. */
bool lead_mode(struct span word, struct span *mode, struct err *err);
/* The words that there are for modes and for behaviours; each list ends with NULL. */
const char *const *lead_modes(void);
const char *const *lead_behaviors(void);
/* Whether nobody is asked any more before such an agent acts. */
bool lead_mode_is_unguarded(struct span mode);

/* Whether it is something that only a lead sends to agents: a verdict on a request, a mode, rules,
 * the wish that it ends. */
bool message_is_lead_command(const struct message *message);
/* Whether it is one that lies with an agent and was not put away: somebody has to have given it. */
bool message_is_lead_command_given(const struct message *message);

#endif
