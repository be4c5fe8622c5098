/* A format: what one mailbox layout knows, as names and bytes, without a single system call.
 *
 * Everything that reads, locks, writes or syncs is in the store and obeys this table, so that a
 * layout is one file and one line in format.c. */
#ifndef STORE_FORMAT_H
#define STORE_FORMAT_H

#include "base/err.h"
#include "mail/batch.h"
#include "mail/draft.h"
#include "store/place.h"

#include <sys/types.h>

/* What can be asked of a layout. */
enum verb {
    VERB_SEND,
    VERB_REPLY,
    VERB_HANDOFF,
    VERB_BROADCAST,
    VERB_READ,
    VERB_PROCESSING,
    VERB_COMPLETED,
    VERB_FAILED,
    VERB_ARCHIVE,
    VERB_EXPIRE,
    VERB_COUNT,
};

enum ability {
    ABILITY_NONE,       /* the layout has no way; local state at best */
    ABILITY_CONVENTION, /* a way for people and models; no program enforces it */
    ABILITY_NATIVE,
};

struct capability {
    enum ability ability;
    const char *how; /* in a few words */
};

/* What a message of the layout can carry. */
enum field {
    FIELD_TYPE = 1 << 0,
    FIELD_TAGS = 1 << 1,
    FIELD_ATTACHMENTS = 1 << 2,
    FIELD_PAYLOAD = 1 << 3,
    FIELD_CONTEXT = 1 << 4,
    FIELD_EXPIRES = 1 << 5,
    FIELD_THREAD = 1 << 6,
    FIELD_REPLY_TO = 1 << 7,
    FIELD_SWARM = 1 << 8,
    FIELD_RESPONSE = 1 << 9, /* says by itself that it wants a response */
    FIELD_NOTE = 1 << 10,    /* a word about what was done, when it is archived */
};

/* One file as it was read. */
struct mail_file {
    const struct place *place; /* outlives the batch's messages */
    struct span name;
    struct span bytes;
    int64_t mtime_us;
};

/* A change of state that is to be written. */
struct change {
    enum status status;
    int64_t now_us;
};

struct format {
    const char *name;     /* as in --source NAME:PATH */
    const char *title;    /* for people */
    const char *identity; /* who the person is unless told otherwise */

    /* Where such a mailbox lies beneath a project; the last component is the source's root. */
    const char *home;
    /* A path pattern: something that matches it beneath a directory tells the layout. */
    const char *marker;
    /* Where messages lie. The first rule is where new ones go. */
    const struct place_rule *rules;
    size_t rule_count;
    /* Names of agents, {team}/{box}, beneath a roster directory of its own; NULL without one. */
    const char *roster_pattern;
    const char *roster_home; /* the roster directory relative to the root */

    mode_t file_mode, dir_mode;
    struct capability verbs[VERB_COUNT];
    unsigned fields;

    /* The character that stands in a box's name for those that cannot: names which differ only
     * there share a box. */
    char stand_in;
    /* Appends the box that an agent's mail goes into; refuses names that cannot be one. */
    bool (*box_name)(struct str *out, struct span agent, struct err *err);
    /* Appends a new message id. */
    void (*new_id)(struct str *out);
    /* Appends the messages of a file. False, with the reason, when nothing can be made of it: it
     * may be half written. A message that was understood but is wrong is appended as damaged. */
    bool (*parse)(const struct mail_file *file, unsigned want, struct batch *batch,
                  struct err *err);
    /* Checks the draft against the layout, then appends file name and bytes of the new message. */
    bool (*compose)(const struct draft *draft, struct str *name, struct str *bytes,
                    struct err *err);
    /* Fills in recipient, subject, thread and the like of an answer. */
    void (*reply)(const struct message *original, struct draft *draft, struct arena *arena);
    /* Turns the draft for one member of a swarm into a broadcast's. */
    void (*broadcast)(struct draft *draft, struct span swarm, struct arena *arena);
    /* Appends the file with the state changed and every other byte as it was. */
    bool (*edit)(struct span bytes, const struct change *change, struct str *out, struct err *err);
    /* Appends the file with its state blanked out: two copies of one message become equal. */
    bool (*blank_state)(struct span bytes, struct str *out, struct err *err);
};

/* All layouts; NULL ends the table. */
extern const struct format *const formats[];

/* NULL when there is no such layout. */
const struct format *format_find(struct span name);

const char *verb_name(enum verb verb);
const char *ability_name(enum ability ability);
/* The verb that brings a message into that status. */
enum verb verb_for_status(enum status status);

/* The directory, beneath the source's root, that holds the mail of a box. */
void format_dir(struct str *out, const struct format *format, bool archived,
                const struct place_names *names);

/* False, with the reason, when the draft uses a field that the layout cannot hold. */
bool format_can_hold(const struct format *format, const struct draft *draft, struct err *err);

/* Appends file name and bytes of a new message. Refused, with the reason, when the layout cannot
 * hold it or its recipient could not read it. */
bool format_compose(const struct format *format, const struct draft *draft, struct str *name,
                    struct str *bytes, struct err *err);

#endif
