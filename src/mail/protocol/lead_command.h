/* Lead commands and escalations: who receives an escalation, and the ids by which messages refer to
 * one. */
#ifndef MAIL_PROTOCOL_LEAD_COMMAND_H
#define MAIL_PROTOCOL_LEAD_COMMAND_H

#include "base/err.h"
#include "base/str.h"
#include "mail/message/draft.h"
#include "mail/message/kind.h"

#include <stdint.h>

enum escalation_level { ESCALATION_COO, ESCALATION_CEO, ESCALATION_LEVELS };

struct escalation_route {
    const char *word; /* the name of the level */
    const char *to;
    const char *from;  /* NULL: the agent that escalates */
    const char *title; /* start of the subject */
    bool is_high;      /* its priority is fixed to high */
};

extern const struct escalation_route escalation_routes[ESCALATION_LEVELS];

/* Returns false if the word names no level. */
bool escalation_level_find(struct span word, enum escalation_level *level);

/* Reports whether the text is an id: ESC-YYYYMMDD-NNNN, with up to two more digits. */
bool escalation_is_id(struct span text);

/* Appends the start of all ids of that local day, up to the number. */
void escalation_add_day(struct str *out, int64_t now_us);
/* Returns the highest number among the ids in the text that start with `day`, but at least
 * `highest`. */
unsigned escalation_highest(struct span text, struct span day, unsigned highest);
/* Appends the id with the next number after `highest`. */
void escalation_add_next(struct str *out, struct span day, unsigned highest);

/* Lead commands: messages that only a lead sends, from their terms to a draft. */

enum order_verb {
    LEAD_SHUTDOWN, /* end the work */
    LEAD_MODE,     /* change the permission mode */
    LEAD_ASSIGN,   /* give a task */
    LEAD_RULES,    /* change what tools may be used for */
    LEAD_ESCALATE, /* pass something to the level above */
    LEAD_VERBS,
};

const char *lead_verb_name(enum order_verb verb);
enum kind lead_verb_kind(enum order_verb verb);

/* The means that the recipient's layout has for a lead command. */
struct order_means {
    bool program;  /* the recipient's program takes a protocol message; otherwise words */
    bool type;     /* messages have a type */
    bool payload;  /* and data for programs */
    bool response; /* and a mark that a response is wanted */
};

/* The terms of a lead command, borrowed. A verb ignores the fields that it does not need. */
struct order_terms {
    enum order_verb verb;
    struct order_means means;
    struct span from;  /* the sender */
    struct span agent; /* the recipient, without a team */
    int64_t now_us;
    struct span reason; /* shutdown (optional), escalate */
    struct span mode;
    struct span task, subject, description;
    struct span tool, behavior, directory;
    const struct span_list *rules; /* uses of the tool; none: all */
    enum escalation_level level;
    struct span title, body, id; /* escalate; without a body the reason is used */
    enum priority priority;      /* escalate to the coo */
};

/* A finished lead command; the caller frees it with lead_command_free(). */
struct order_text {
    struct draft draft;  /* borrows from the terms and from the fields below */
    struct span id;      /* id of the request (answers repeat it) or of the escalation; or absent */
    struct str in_short; /* the terms in a few words, not sanitized */
    struct str protocol, subject, body, payload, name, time, rules;
};

/* Makes the message. Refused if a term is missing or invalid. The caller must check that the layout
 * can carry lead commands. The caller calls lead_command_free() even on failure. */
bool lead_command_make(struct order_text *text, const struct order_terms *terms, struct err *err);
void lead_command_free(struct order_text *text);

/* Finds the mode that a word names, also by its name on the agents' own command line. The refusal
 * names the nearest ones. */
bool lead_mode(struct span word, struct span *mode, struct err *err);
/* Return the names of the modes and of the behaviours; each list ends with NULL. */
const char *const *lead_modes(void);
const char *const *lead_behaviors(void);
/* True if an agent in that mode acts without asking anybody. */
bool lead_mode_is_unguarded(struct span mode);

/* Reports whether only a lead sends such a message to agents: a verdict on a request, a mode,
 * rules, a shutdown request. */
bool message_is_lead_command(const struct message *message);
/* Reports whether it is a lead command in an agent's inbox that was not archived: somebody must
 * have sent it. */
bool message_is_lead_command_given(const struct message *message);

#endif
