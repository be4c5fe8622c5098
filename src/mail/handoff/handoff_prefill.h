/* Prefilling a handoff form from earlier messages. */
#ifndef MAIL_HANDOFF_HANDOFF_PREFILL_H
#define MAIL_HANDOFF_HANDOFF_PREFILL_H

#include "mail/handoff/handoff.h"
#include "mail/message/message.h"

enum {
    PREFILL_FILES = 24, /* limits per list: of files, and of anything else */
    PREFILL_ITEMS = 12,
};

/* All of it is borrowed. */
struct prefill_input {
    /* The conversation and the agent's own mail, oldest first. A message without data adds only its
     * head. */
    const struct message *const *messages;
    size_t count;
    struct span_list names; /* all spellings of the agent whose work it is */
    struct span state, why; /* the agent's state in one word, and the reason, if they help the next
                               agent; or absent */
};

/* Completes the handoff: sets texts that are empty, and appends items that are not in the list yet.
 * Each field comes from the newest message that has it:
 *
 *   files         of handoff contexts and attachments; of all messages, the newest first
 *   next steps, blockers, dependencies, escalations, state file, job
 *                 of the last handoff context that has any
 *   blockers      also: the failure that the agent's last message reports
 *   escalations   also: those that messages raised
 *   done, state, notes
 *                 of the last handoff context that has any
 *   state         else the agent's state and the reason
 *
 * The texts are in the arena; lists grow as usual. */
void prefill_handoff(struct handoff *handoff, const struct prefill_input *input,
                     struct arena *arena);

/* Stores the last messages that are neither damaged nor idle notices, at most `most`, oldest first.
 * Returns their number. */
size_t prefill_last(const struct message *const *messages, size_t count,
                    const struct message **last, size_t most);

/* Returns the subject of a handoff that continues this one: without the prefixes of answers and of
 * earlier handoffs. Borrowed from `subject`. */
struct span prefill_subject(struct span subject);

#endif
