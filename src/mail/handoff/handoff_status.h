/* Handoff status: how far work that was handed over has come, and who had it before.
 *
 * All of it is derived from messages. Only the taker's own messages and its own mailbox change the
 * state of a handoff; messages of others do not count. The taker's messages are those that answer
 * the handoff, and those that follow it in the same conversation and answer no other handoff; if a
 * conversation has several handoffs to one taker, they refer to the last one before them. Idle
 * notices say nothing about one piece of work. The first of these rules that holds decides:
 *
 *   declined, completed, failed
 *                its newest message about it that says so (handoff.h has the words).
 *   completed    the mailbox says completed, or archived and when it was completed; or it is
 *                archived, in a layout that has no other sign of completion, and the taker's last
 *                message did not accept it.
 *   failed       the mailbox says failed.
 *   handed on    the taker has handed the same work to another agent, or the person has in its
 *                name, and that agent has not declined.
 *   in progress  the mailbox says processing; or the taker has accepted and written again.
 *   accepted     its last message about it says so.
 *   seen         the mailbox says read or archived; or the taker answered in other words; or it is
 *                for the person, who has opened it here.
 *   offered      none of that.
 *
 * An offered, seen or accepted handoff, and one in progress, is stalled if its taker has shown no
 * activity for longer than a limit of struct agent_limits: unread_us while it is offered, silent_us
 * if it was read but not answered, processing_us once the taker has said something or the mailbox
 * says that it is worked on. An expired offer is stalled at once. A handoff that was archived
 * without an answer is never stalled. Times in the future are no evidence.
 *
 * The previous handoff of the same work is an earlier one in the same source and team: the one that
 * it answers; else the last one whose taker is the giver or the sender of this one and that has the
 * same job, conversation or subject; else the last one with the same job or in the same
 * conversation. It is always earlier, so a chain of handoffs ends. */
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

/* Returns the state's name: offered, in progress ... */
const char *handoff_state_name(enum handoff_status_state state);

/* The evidence for the state. */
enum handoff_status_proof {
    PROOF_UNREAD,   /* its mailbox: untouched ... */
    PROOF_EXPIRED,  /* ... and no longer shown to the taker */
    PROOF_READ,     /* its mailbox */
    PROOF_LOOKED,   /* the person has opened it here */
    PROOF_PUT_AWAY, /* archived without an answer */
    PROOF_ANSWERED, /* a message that neither accepts nor declines */
    PROOF_SAID,     /* a message */
    PROOF_WROTE,    /* a message after the one that accepts */
    PROOF_MARKED,   /* its mailbox, which names the state */
    PROOF_ARCHIVED, /* it is archived */
    PROOF_PASSED,   /* the next handoff */
    PROOF_COUNT,
};

/* The status of one handoff. Message numbers are those of the model; HANDOFF_STATUS_NONE for none.
 * Texts are raw and borrowed from the messages. */
struct handoff_status {
    uint32_t message;
    struct span giver; /* owner of the work according to the text; else the sender */
    struct span taker;
    uint32_t previous; /* previous handoff of the same work, an earlier item; or none */
    uint32_t next;     /* the one by which the taker handed it on, or none */
    enum handoff_status_state state;
    enum handoff_status_proof proof;
    uint32_t evidence; /* message that shows the state; none: the mailbox does */
    int64_t since_us;  /* start of the state; TIME_NONE if unknown */
    int64_t heard_us;  /* last sign of activity of the taker, else the time of the offer */
    bool stalled;
};

/* Zero-initialised is empty and valid. */
struct handoff_list {
    const struct model *model;    /* borrowed */
    struct handoff_status *items; /* oldest first */
    size_t count;
    uint32_t *of;           /* for each message: its item, or HANDOFF_STATUS_NONE */
    int64_t next_change_us; /* the clock alone stalls none before; TIME_NONE: never */
};

/* All of it is borrowed. */
struct handoffs_input {
    const struct model *model;
    const struct threads *threads;
    int64_t now_us;
    const struct agent_limits *limits; /* one per source; NULL: agent_limits_default */
    /* As in struct agents_input; NULL: each agent has one name. */
    bool (*identify)(void *context, uint32_t source, struct span team, struct span name,
                     struct agent_id *id);
    void *context;
};

/* Builds the list. Takes linear time, except for sorting, however handoffs refer to each other. A
 * handoff message that answers another one counts only if it requires a response or has the text or
 * the context of a handoff; a handoff to everybody does not count. */
void handoffs_build(struct handoff_list *handoffs, const struct handoffs_input *input);

/* Like handoffs_build(), but in two steps: handoffs_collect() reads the takers' messages of one
 * share of the mail, which has whole conversations; handoffs_join() joins all shares, since work
 * can go from one conversation to another. */
struct offer {
    uint32_t message;
    uint32_t said_in;         /* the taker's last message about it, or HANDOFF_STATUS_NONE */
    uint32_t answered;        /* its first message with none of the words */
    uint32_t wrote;           /* the first such message after said_in */
    uint8_t said;             /* enum handoff_words_said */
    int64_t heard_us;         /* last sign of activity of the taker, else the time of the offer */
    struct span job, subject; /* identify the same work; absent: do not */
};
/* The result for one share. Zero-initialised is empty and valid. Message numbers are those of the
 * share's model. */
struct hearing {
    struct offer *items;
    size_t count;
    int64_t next_us; /* the clock alone changes nothing before; TIME_NONE: never */
};
void handoffs_collect(struct hearing *hearing, const struct handoffs_input *input);
void hearing_free(struct hearing *hearing);

/* A share whose messages are consecutive in the whole model, from `first` on. */
struct handoffs_share {
    const struct hearing *hearing;
    uint32_t first;
};
void handoffs_join(struct handoff_list *handoffs, const struct handoffs_input *input,
                   const struct handoffs_share *shares, size_t count);
void handoffs_free(struct handoff_list *handoffs);

/* Returns the status of a message of the model, or NULL if it is no handoff. */
const struct handoff_status *handoffs_of(const struct handoff_list *handoffs, uint32_t message);

/* True if its taker needs to do no more: completed, failed, declined, handed on, or archived
 * without an answer. */
bool handoff_status_is_over(const struct handoff_status *handoff_status);

/* Compares by urgency: stalled, failed, declined, offered, seen, accepted, in progress, handed on,
 * completed, archived without an answer; then by priority, oldest first. */
int handoff_status_cmp(const struct handoff_list *handoffs, const struct handoff_status *a,
                       const struct handoff_status *b);

/* Stores the previous owners of the work, as indexes of the handoffs that they gave: oldest first,
 * only the last `most`. Skips declined handoffs, and counts consecutive ones of one giver once.
 * Returns their number. */
size_t handoff_status_lineage(const struct handoff_list *handoffs,
                              const struct handoff_status *handoff_status, uint32_t *line,
                              size_t most);

/* Appends the names of the last few previous owners; false, and appends nothing, if there are
 * none. */
bool handoff_status_add_lineage(struct str *out, const struct handoff_list *handoffs,
                                const struct handoff_status *handoff_status);

/* Append the status in words, on one line; the texts of others are raw.
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
