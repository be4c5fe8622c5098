/* Senders: how plausible it is that a request comes from the sender that it names.
 *
 * Anybody who can write into a mailbox can put any name there. Nothing here proves a sender; each
 * finding is a short flag for the person who decides. */
#ifndef MAIL_SECURITY_SENDER_H
#define MAIL_SECURITY_SENDER_H

#include "base/mem.h"
#include "base/str.h"

/* Hosts in requests: a name or an address, with or without a port. */

/* True for an address with colons, in brackets or not. */
bool host_is_address(struct span host);

/* Returns the part before the port; the whole text if there is no port. */
struct span host_without_port(struct span host);

enum sender_flag {
    SENDER_NAMELESS = 1 << 0,
    SENDER_ON_ROSTER = 1 << 1,
    SENDER_OFF_ROSTER = 1 << 2,
    SENDER_NO_ROSTER = 1 << 3,
    SENDER_IS_LEAD = 1 << 4,
    SENDER_IS_US = 1 << 5,
    SENDER_ELSEWHERE = 1 << 6,
    SENDER_HIDES = 1 << 7,
    SENDER_MIXES = 1 << 8,
    SENDER_ALIKE = 1 << 9,
    SENDER_STRAY = 1 << 10,
    SENDER_OTHER_OWNER = 1 << 11,
    SENDER_OPEN_PLACE = 1 << 12,
    /* No reason for doubt. */
    SENDER_FINE = SENDER_ON_ROSTER,
    /* Another agent may have used a name that looks right. */
    SENDER_DOUBTFUL = SENDER_OFF_ROSTER | SENDER_IS_US | SENDER_MIXES | SENDER_ALIKE,
};

/* The known facts about a sender and the file of its message. */
struct sender_facts {
    struct span name;
    const struct span *roster; /* the names of its team, or at least those that resemble its own */
    size_t roster_count;
    bool has_roster;           /* there is a roster, though it may be empty */
    bool listed;               /* the roster has the sender, perhaps in another spelling */
    const struct span *others; /* known names of others, at least those that resemble its own */
    size_t other_count;
    struct span lead;    /* of its team, or absent */
    struct span us;      /* the person's own name there, or absent */
    bool elsewhere;      /* an agent of another team has the same name */
    bool stray;          /* the message is in the box of another agent than it is addressed to */
    bool other_owner;    /* its file belongs to another user than its directory, or than us */
    bool open_directory; /* every user of the machine may write into its directory */
};

/* Appends a short sentence for each finding, sanitized, and returns the findings as flags. The
 * sentences live in the arena, except for constant ones. */
unsigned sender_judge(const struct sender_facts *facts, struct span_list *says,
                      struct arena *arena);

#endif
