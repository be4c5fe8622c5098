/* A message of any layout: as an agent means it, before it is written and after it is read. */
#ifndef DEMO_MESSAGE_H
#define DEMO_MESSAGE_H

#include "demo/files.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

enum act {
    ACT_SAY,
    ACT_ASK,
    ACT_PLAN,
    ACT_PERMIT,
    ACT_HOST,
    ACT_HANDOFF,
    ACT_ESCALATE,
    ACT_STOP,   /* a request that an agent ends */
    ACT_ANSWER, /* yes or no to one of those above; `about` says to which, if that is known */
    ACT_IDLE,
    ACT_TASK,
    ACT_MODE,
    ACT_RULES,
};

enum part {
    PART_FROM,
    PART_TO,
    PART_SUBJECT,
    PART_BODY,
    PART_ID,
    PART_REQUEST,  /* the id that an answer repeats */
    PART_REPLY_TO, /* the message that it answers */
    PART_THREAD,
    PART_COMMAND,
    PART_HOST,
    PART_REASON,
    PART_DONE, /* of a handoff: these five; in lists, one line per item */
    PART_STATE,
    PART_NEXT,
    PART_BLOCKERS,
    PART_FILES,
    PART_FILE, /* its file, as the layout names it */
    PARTS,
};

struct message {
    enum act act, about;
    bool yes;    /* of an answer */
    bool urgent; /* if the layout has priorities */
    bool dealt;  /* already read or archived */
    bool to_all;
    bool spare; /* may be dropped if there is no room */
    int64_t time_us;
    char *part[PARTS];
};

struct message *message_new(enum act act, const char *from, const char *to);
void message_free(struct message *message);
/* Replaces a part. NULL removes it. */
void message_set(struct message *message, enum part part, const char *text);
void message_setf(struct message *message, enum part part, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Never returns NULL. */
const char *message_get(const struct message *message, enum part part);
/* Adds the lines of a part to an object, as an array of texts. */
void message_add_lines(const struct message *message, enum part part, cJSON *object,
                       const char *key);
/* Adds the content of a handoff to an object, with the names of ADR-003 and the Agent Inbox. */
void message_add_context(const struct message *message, cJSON *object);
bool message_is(const struct message *message, enum part part, const char *text);

/* Appends the text of a handoff for layouts that have only words. */
void message_add_handoff(struct text *out, const struct message *message);
/* Derives the act from the words, for layouts that have only words. */
void message_understand(struct message *message);
/* Sets the body, and the start of its first sentence as the subject. */
void message_say(struct message *message, const char *body);
/* True if the subject only repeats the start of the body. */
bool message_repeats(const struct message *message);
/* Appends the first line that is not empty. */
void message_add_title(struct text *out, const struct message *message);

#endif
