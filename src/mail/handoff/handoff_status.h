/* Courses of handoffs: how far work that was handed over has come, and who had it before.
 *
 * All of it is derived from messages, and only the taker's own words and its own mailbox move a
 * handoff: what anybody else writes does not count. The taker's words are its messages that answer
 * the handoff, and those in the same conversation behind it that answer no other handoff; of
 * several handoffs to one taker in a conversation they mean the last one before them. Idle notices
 * say nothing about one piece of work. The first of these rules that holds decides:
 *
 *   declined, completed, failed
 *                its last word on it says so (work.h has the words; of several the newest counts).
 *   completed    the mailbox says completed, or archived and when it was completed; or it is
 *                archived, where a layout says "done" in no other way, and the last word was not
 *                that it is accepted.
 *   failed       the mailbox says failed.
 *   handed on    the taker has handed the same work to somebody else, or the person has in its
 *                name, and that one has not declined.
 *   in progress  the mailbox says processing; or the taker has accepted and written again.
 *   accepted     its last word says so.
 *   seen         the mailbox says read or archived; or the taker answered in other words; or it is
 *                for the person, who has looked at it here.
 *   offered      nothing of that.
 *
 * An offered, seen or accepted handoff, and one in progress, is stalled when nothing has been seen
 * of its taker for longer than a limit (struct agent_limits): unread while it is offered, silent
 * when it was read without a word, processing once the taker has said something or the mailbox says
 * that it is worked on. An offer that has expired is stalled at once. What was archived without a
 * word is never stalled: it was put away. Times that lie in the future are no evidence.
 *
 * The handoff before another one, of the same work, is an earlier one in the same source and team:
 * the one that it answers; else the last one whose taker is the giver or the sender of this one, of
 * the same job, in the same conversation or of the same subject; else the last one of the same job,
 * or in the same conversation. */
#ifndef MAIL_HANDOFF_HANDOFF_STATUS_H
#define MAIL_HANDOFF_HANDOFF_STATUS_H

#include "mail/agent/agent.h"
#include "mail/thread/thread.h"

#define HANDOFF_STATUS_NONE UINT32_MAX

enum handoff_status_state {
    HANDOFF_STATUS_OFFERED,
    HANDOFF_STATUS_SEEN,
    HANDOFF_STATUS_ACCEPTED,
    HANDOFF_STATUS_IN_PROGRESS,
    HANDOFF_STATUS_COMPLETED,
    HANDOFF_STATUS_FAILED,
    HANDOFF_STATUS_DECLINED,
    HANDOFF_STATUS_HANDED_ON,
    HANDOFF_STATE_COUNT,
};

/* The word for it: offered, in progress ... */
const char *handoff_state_name(enum handoff_status_state state);

/* What tells the state. */
enum handoff_status_proof {
    PROOF_UNREAD,   /* its mailbox: untouched ... */
    PROOF_EXPIRED,  /* ... and not shown to the taker any more */
    PROOF_READ,     /* its mailbox */
    PROOF_LOOKED,   /* the person has opened it here */
    PROOF_PUT_AWAY, /* it is in the archive, without a word */
    PROOF_ANSWERED, /* a message, which neither accepts nor declines */
    PROOF_SAID,     /* a message */
    PROOF_WROTE,    /* a message behind the one that accepts */
    PROOF_MARKED,   /* its mailbox, in the same word */
    PROOF_ARCHIVED, /* it is in the archive */
    PROOF_PASSED,   /* the next handoff */
    PROOF_COUNT,
};

/* The course of one handoff. Messages are numbers in the model's order; HANDOFF_STATUS_NONE for
 * none. Texts are raw and borrowed from the messages. */
struct handoff_status {
    uint32_t message;
    struct span giver; /* whose work it is, as the text says; else who sent it */
    struct span taker;
    uint32_t previous; /* the course of the same work before, always an earlier one; or none */
    uint32_t next;     /* the one by which the taker handed it on, or none */
    enum handoff_status_state state;
    enum handoff_status_proof proof;
    uint32_t evidence; /* the message that tells the state; none: the mailbox does */
    int64_t since_us;  /* when it came to this; TIME_NONE where nobody says */
    int64_t heard_us;  /* when something was last seen of its taker, or it was offered */
    bool stalled;
};

/* Zero-initialised is empty and valid. */
struct handoff_list {
    const struct model *model;    /* borrowed */
    struct handoff_status *items; /* the oldest first */
    size_t count;
    uint32_t *of;           /* for each message: its course, or HANDOFF_STATUS_NONE */
    int64_t next_change_us; /* before that the clock alone stalls none; TIME_NONE: never */
};

/* Everything borrowed. */
struct handoffs_input {
    const struct model *model;
    const struct threads *threads;
    int64_t now_us;
    const struct agent_limits *limits; /* one for each source; NULL: the usual ones */
    /* As in struct agents_input; NULL: everybody has one name. */
    bool (*identify)(void *context, uint32_t source, struct span team, struct span name,
                     struct agent_id *id);
    void *context;
};

/* Takes time in proportion to the messages, sorting aside, however handoffs refer to each other. A
 * handoff that answers something is one only where it wants an answer itself or has the text or
 * the context of one; one to everybody is none. */
void handoffs_build(struct handoff_list *handoffs, const struct handoffs_input *input);

/* The same in two steps: what takers say is heard in each share of the mail that has whole
 * conversations, and then all is joined, since work goes from one conversation to another. */
struct offer {
    uint32_t message;
    uint32_t said_in;         /* the taker's last word, or HANDOFF_STATUS_NONE */
    uint32_t answered;        /* its first message that has no word for it */
    uint32_t wrote;           /* the first such one behind its last word */
    uint8_t said;             /* enum handoff_words_said */
    int64_t heard_us;         /* when something was last seen of its taker, or it was offered */
    struct span job, subject; /* what may tell that it is the same work; absent: nothing does */
};
/* Zero-initialised is empty and valid. Messages are numbers in the order of the share's model. */
struct hearing {
    struct offer *items;
    size_t count;
    int64_t next_us; /* before that the clock alone changes nothing of it; TIME_NONE: never */
};
void handoffs_hear(struct hearing *hearing, const struct handoffs_input *input);
void hearing_free(struct hearing *hearing);

/* A share whose messages stand one behind the other in the model of all, from this one on. */
struct handoffs_share {
    const struct hearing *hearing;
    uint32_t first;
};
void handoffs_join(struct handoff_list *handoffs, const struct handoffs_input *input,
                   const struct handoffs_share *shares, size_t count);
void handoffs_free(struct handoff_list *handoffs);

/* The course of a message of the model, or NULL when it is no handoff. */
const struct handoff_status *handoffs_of(const struct handoff_list *handoffs, uint32_t message);

/* Whether its taker has done with it: completed, failed, declined, handed on, or put away. */
bool handoff_status_is_over(const struct handoff_status *handoff_status);

/* By how pressing they are: stalled ones, failed, declined, offered, seen, accepted, in progress,
 * handed on, completed; then by priority, the oldest first. */
int handoff_status_cmp(const struct handoff_list *handoffs, const struct handoff_status *a,
                       const struct handoff_status *b);

/* Those who had the work before its giver, as courses in which they gave it away: the oldest
 * first, the nearest `most` of them. Handoffs that were declined, and several in a row by one
 * giver, count once. Returns how many. */
size_t handoff_status_lineage(const struct handoff_list *handoffs,
                              const struct handoff_status *handoff_status, uint32_t *line,
                              size_t most);

/* Appends the names of the last few of them; false, and nothing, when there are none. */
bool handoff_status_add_lineage(struct str *out, const struct handoff_list *handoffs,
                                const struct handoff_status *handoff_status);

/* In words, on one line; what others wrote goes in raw.
 *   tag        stalled 3h, accepted
 *   evidence   said so in MSG-1 2h ago; nothing for 3h
 *   sentence   accepted 2h ago by tester-2 (said so in MSG-1); before: builder-1, infra-4 */
void handoff_status_add_tag(struct str *out, const struct handoff_status *handoff_status,
                            int64_t now_us);
void handoff_status_add_evidence(struct str *out, const struct handoff_list *handoffs,
                                 const struct handoff_status *handoff_status, int64_t now_us);
void handoff_status_add_sentence(struct str *out, const struct handoff_list *handoffs,
                                 const struct handoff_status *handoff_status, int64_t now_us);

#endif
