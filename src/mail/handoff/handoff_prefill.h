/* Prefill: what a handoff can start with, from what was written before it. */
#ifndef MAIL_HANDOFF_HANDOFF_PREFILL_H
#define MAIL_HANDOFF_HANDOFF_PREFILL_H

#include "mail/handoff/handoff.h"
#include "mail/message/message.h"

enum {
    PREFILL_FILES = 24, /* so many files at most in each list, and so many of anything else */
    PREFILL_ITEMS = 12,
};

/* Everything borrowed. */
struct prefill_input {
    /* The conversation and the agent's own mail, the oldest first. Those without data tell only
     * what their heads do. */
    const struct message *const *messages;
    size_t count;
    struct span_list names; /* of the agent whose work it is, in all spellings */
    struct span state, why; /* its state in one word, and the reason, where that is of use to who
                               takes over; or absent */
};

/* Adds to what is there already: texts where there is none, items behind those that are there, each
 * once. The newest message that has something to say on a field says it:
 *
 *   files         of the contexts of handoffs, and attachments; of all messages, the newest first
 *   next steps, blockers, dependencies, escalations, state file, job
 *                 of the last handoff context that has any
 *   blockers      besides: what the agent's last word says that it failed on
 *   escalations   besides: those that messages raised
 *   done, state, notes
 *                 of the last handoff context that has any
 *   state         else the agent's state and the reason
 *
 * Texts live in the arena; lists grow as usual. */
void prefill_handoff(struct handoff *handoff, const struct prefill_input *input,
                     struct arena *arena);

/* The last of the messages that say something: idle notices and damaged ones do not. At most so
 * many, the oldest first; returns how many. */
size_t prefill_last(const struct message *const *messages, size_t count,
                    const struct message **last, size_t most);

/* What a handoff is called that goes on with this subject: without the marks of answers and of
 * earlier handoffs before it. Borrowed from it. */
struct span prefill_subject(struct span subject);

#endif
