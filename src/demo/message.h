/* A message apart from any layout: what agents mean before it has bytes, and after. */
#ifndef DEMO_MESSAGE_H
#define DEMO_MESSAGE_H

#include "demo/text.h"

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
    ACT_STOP,   /* the wish that an agent ends */
    ACT_ANSWER, /* yes or no to one of those above; `about` says to which, where it is known */
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
    PART_REQUEST,  /* the id that an answer to it repeats */
    PART_REPLY_TO, /* the message that it answers */
    PART_THREAD,
    PART_COMMAND,
    PART_HOST,
    PART_REASON,
    PART_DONE, /* of a handoff: these five; lists have a line for each */
    PART_STATE,
    PART_NEXT,
    PART_BLOCKERS,
    PART_FILES,
    PART_FILE, /* where it lies, as its layout names it */
    PARTS,
};

struct message {
    enum act act, about;
    bool yes;    /* of an answer */
    bool urgent; /* as far as a layout tells */
    bool dealt;  /* it lies there read, or put away */
    bool to_all;
    bool spare; /* need not be sent where there is no room */
    int64_t time_us;
    char *part[PARTS];
};

struct message *message_new(enum act act, const char *from, const char *to);
void message_free(struct message *message);
/* Replaces a part. NULL removes it. */
void message_set(struct message *message, enum part part, const char *text);
void message_setf(struct message *message, enum part part, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Never NULL. */
const char *message_get(const struct message *message, enum part part);
/* Adds the lines of a part to an object, as an array of texts. */
void message_add_lines(const struct message *message, enum part part, cJSON *object,
                       const char *key);
/* Adds what a handoff says to an object, as ADR-003 and the Agent Inbox name it. */
void message_add_context(const struct message *message, cJSON *object);
bool message_is(const struct message *message, enum part part, const char *text);

/* The text of a handoff, as agents write it where there are only words. */
void message_add_handoff(struct text *out, const struct message *message);
/* Tells from the words what it is, where its layout has only those. */
void message_understand(struct message *message);
/* Gives it a text, and the start of its first sentence as the subject. */
void message_say(struct message *message, const char *body);
/* Whether the subject only repeats how the text starts. */
bool message_repeats(const struct message *message);
/* Its first line with something in it. */
void message_add_title(struct text *out, const struct message *message);

#endif
