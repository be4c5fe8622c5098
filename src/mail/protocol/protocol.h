/* Protocol messages of Claude Code teams: texts that are JSON objects for the agents' programs. */
#ifndef MAIL_PROTOCOL_PROTOCOL_H
#define MAIL_PROTOCOL_PROTOCOL_H

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#include <stdint.h>

enum protocol_kind {
    PROTOCOL_NONE,    /* plain text */
    PROTOCOL_UNKNOWN, /* an object with a type that is not listed here: show it raw */
    PROTOCOL_IDLE_NOTIFICATION,
    PROTOCOL_PERMISSION_REQUEST,
    PROTOCOL_PERMISSION_RESPONSE,
    PROTOCOL_SANDBOX_PERMISSION_REQUEST,
    PROTOCOL_SANDBOX_PERMISSION_RESPONSE,
    PROTOCOL_PLAN_APPROVAL_REQUEST,
    PROTOCOL_PLAN_APPROVAL_RESPONSE,
    PROTOCOL_SHUTDOWN_REQUEST,
    PROTOCOL_SHUTDOWN_APPROVED,
    PROTOCOL_SHUTDOWN_REJECTED,
    PROTOCOL_TASK_ASSIGNMENT,
    PROTOCOL_TEAM_PERMISSION_UPDATE,
    PROTOCOL_MODE_SET_REQUEST,
    PROTOCOL_KIND_COUNT,
};

enum protocol_verdict { VERDICT_UNSAID, VERDICT_NO, VERDICT_YES };

/* One message of any kind; fields that the kind or the message does not have are absent. Texts are
 * decoded. Raw members are the JSON text of the message. All of it is text of others: paths in it
 * are never opened. */
struct protocol {
    enum protocol_kind kind;
    bool denied; /* permission_response: the form with an error */

    /* Filled by protocol_parse(), ignored by protocol_compose(). */
    bool acts;              /* the receiving program acts on it */
    struct span problem;    /* a sentence about the first problem, if any */
    struct span equal_keys; /* a key that occurs twice in some object; the last one counts */
    struct span type;
    struct span raw; /* the whole object */

    struct span request_id; /* request_id or requestId: joins an answer to its request; or absent */
    struct span from, timestamp;
    struct span reason;
    enum protocol_verdict verdict; /* approved, allow */
    struct span mode;              /* mode, permissionMode */

    struct span idle_reason, summary, completed_task, completed_status, failure_reason;

    struct span agent_id, tool_name, tool_use_id, description;
    struct span input;       /* raw object */
    struct span suggestions; /* raw array */

    struct span response;           /* raw object around the next two; not composed from */
    struct span updated_input;      /* raw object; the request's input if nothing was changed */
    struct span permission_updates; /* raw array */
    struct span error;

    struct span worker_id, worker_name, worker_color;
    struct span host_pattern; /* raw object around the host; not composed from */
    struct span host;
    struct span created_at; /* raw number, milliseconds */

    struct span plan_path, plan, feedback;
    struct span pane_id, backend_type;
    struct span task_id, subject, assigned_by;

    struct span permission_update; /* raw object around the next two; not composed from */
    struct span rules;             /* raw array; see protocol_add_rules() */
    struct span behavior;
    struct span rule_content; /* of one rule */
    struct span directory;
};

/* Reads the text of a message. Returns false for plain text: no object, or one without a type. The
 * result borrows from the text and the arena.
 *
 * Receivers check the shutdown, plan and mode kinds: a problem there means that the message has no
 * effect (`acts` is false). The other kinds are recognized by their type alone: a problem is a
 * remark, and a member of the wrong type is absent. Nobody acts on unknown kinds. */
bool protocol_parse(struct protocol *p, struct span text, struct arena *arena);

/* Refuses a message that no agent should get: a required member that is absent, or is empty where
 * that has no use, a word that is not legal, a raw member that is not JSON of its kind, text that
 * is not UTF-8. */
bool protocol_check(const struct protocol *p, struct err *err);
/* Appends the message as JSON.stringify() writes it; raw members are copied byte for byte. Only for
 * messages that protocol_check() accepted. */
void protocol_compose(struct str *out, const struct protocol *p);

/* Appends the array for `rules`: one rule for each content, or one without content. */
void protocol_add_rules(struct str *out, struct span tool, const struct span *contents,
                        size_t count);

/* Returns the word for `type`; "" for plain text and unknown kinds. */
const char *protocol_kind_name(enum protocol_kind kind);
/* Returns PROTOCOL_UNKNOWN if no kind has that name. */
enum protocol_kind protocol_kind_find(struct span name);
/* True for kinds that go to a handler and never into the text that the model sees. */
bool protocol_is_routed(enum protocol_kind kind);
bool protocol_wants_answer(enum protocol_kind kind);
/* Returns the kind of the answer, or PROTOCOL_NONE. A shutdown_request is answered with
 * PROTOCOL_SHUTDOWN_APPROVED or PROTOCOL_SHUTDOWN_REJECTED; this returns the former. */
enum protocol_kind protocol_answer_kind(enum protocol_kind kind);
/* Returns what the message decides about the request that it answers. */
enum protocol_verdict protocol_decides(const struct protocol *p);

/* Appends the tool or host of a permission request and the part of its input that says most: what
 * will happen, not the agent's description of it. Raw text of others. */
void protocol_add_use(struct str *out, const struct protocol *p);

/* Appends a short subject. It contains raw text of others: the caller must sanitize it. */
void protocol_title(struct str *out, const struct protocol *p);

/* Appends everything that it says to a person: the title, then in full each text that the title
 * shortens. Raw text of others. */
void protocol_add_words(struct str *out, const struct protocol *p);

/* The parts of a new request id. */
struct protocol_seed {
    int64_t now_ms;
    uint64_t random;  /* permission kinds */
    struct span name; /* the agent to shut down, or the author of the plan */
    struct span team; /* plan kind */
};

/* Appends a request id as the agents make them. Returns false for kinds that start no exchange. */
bool protocol_new_id(struct str *out, enum protocol_kind kind, const struct protocol_seed *seed);

/* The tag that Claude Code puts around a message when it shows it to an agent. */

/* Reports whether a text contains anything that a model could read as the start or the end of such
 * a tag, and so as the words of another sender. Case, blanks, invisible characters and accents make
 * no difference, and a character counts as the one that it looks like. */
bool teammate_tag_found(struct span text);

#endif
