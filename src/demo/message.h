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
    ACTS,
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
    PART_TYPE, /* these as the layout writes them: */
    PART_WORDS,
    PART_PRIORITY,
    PART_TOOL,
    PART_COLOR,
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
/* Returns the JSON of a message in a shape, as json_format() takes it. Strings that begin with `$`
 * are words: a part; `ms`, `node`, `shell` and `python`, its time; `dealt`; `asks`, left out unless
 * it wants an answer; `context`, of a handoff its content with the names of ADR-003, otherwise {};
 * `content`, the same or the body. After the name of a part, `?` leaves out the member of a part
 * that is NULL, `|` writes an empty one as null, `[]` writes an array of its lines, and any other
 * text is appended to it. */
cJSON *message_json(const struct message *message, const char *shape);
/* Sets the parts that the shape names from the members of the tree. */
void message_read(struct message *message, const char *shape, const cJSON *tree);
bool message_is(const struct message *message, enum part part, const char *text);

/* Appends what a layout without subjects writes: the text of a handoff, or the body below the
 * subject, which is between two `mark`, unless it repeats the body. NULL: no subject. */
void message_add_words(struct text *out, const struct message *message, const char *mark);
/* Derives the act from the words, for layouts that have only words. */
void message_understand(struct message *message);
/* Sets the body, and the start of its first sentence as the subject. */
void message_say(struct message *message, const char *body);
/* Appends the first line that is not empty. */
void message_add_title(struct text *out, const struct message *message);

#endif
