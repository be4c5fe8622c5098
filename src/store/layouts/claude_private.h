/* The Claude layout, inside: an inbox, which is a JSON array, entry by entry. */
#ifndef STORE_CLAUDE_PRIVATE_H
#define STORE_CLAUDE_PRIVATE_H

#include "base/json.h"
#include "base/map.h"
#include "store/format.h"

/* What is known of an entry's keys. */
enum claude_key {
    CLAUDE_FROM,
    CLAUDE_TEXT,
    CLAUDE_SUMMARY,
    CLAUDE_TIMESTAMP,
    CLAUDE_COLOR,
    CLAUDE_READ,
    CLAUDE_CONTENT,
    CLAUDE_VERSION,
    CLAUDE_MSG_ID,
    CLAUDE_MESSAGE_ID,
    CLAUDE_MESSAGE_ID_SNAKE,
    CLAUDE_KEY_COUNT,
};

struct claude_entry {
    struct json value; /* all of it */
    struct json fields[CLAUDE_KEY_COUNT];
    struct span from, text, timestamp; /* decoded; absent when they are no strings */
    struct span id;
    bool equal_keys;
};

/* A walk over the entries of an inbox. Texts of the entries live until claude_walk_free(). */
struct claude_walk {
    struct json_walk json;
    struct arena arena;
    struct map ids;
    size_t index; /* of the entry that was read last, from 1 */
};

/* False, with the reason, when the text is no JSON array. */
bool claude_open(struct claude_walk *walk, struct span box, struct err *err);
/* The next entry, with an id that no other entry of the inbox has. */
bool claude_next(struct claude_walk *walk, struct claude_entry *entry);
/* True when the array came to its end, whatever stands behind it. */
bool claude_ended(const struct claude_walk *walk);
void claude_walk_free(struct claude_walk *walk);

/* Hands every complete entry of damaged text to the function. */
void claude_salvage(struct span box, void (*found)(void *context, struct span entry),
                    void *context);

/* See struct format. */
bool claude_append(struct span box, struct span entry, struct span uuid, struct str *out,
                   struct appended *result, struct err *err);
bool claude_edit(struct span bytes, const struct change *change, struct str *out, struct err *err);
bool claude_holds(struct span bytes, struct span message);
bool claude_parse(const struct mail_file *file, unsigned want, struct batch *batch,
                  struct err *err);
bool claude_parse_task(struct span bytes, struct task *task, struct arena *arena);
bool claude_parse_roster(struct span bytes, struct members *members, struct arena *arena,
                         struct err *err);

#endif
