/* The Claude layout, inside: an inbox, which is a JSON array, entry by entry. */
#ifndef STORE_LAYOUTS_CLAUDE_PRIVATE_H
#define STORE_LAYOUTS_CLAUDE_PRIVATE_H

#include "base/json/json.h"
#include "base/map.h"
#include "store/format/format.h"

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
    bool equal_keys;
};

enum { CLAUDE_ID_SIZE = 24 };
/* The id of an entry that has none of its own, in that room. */
struct span claude_derive_id(const struct claude_entry *entry, char id[CLAUDE_ID_SIZE]);

/* A walk over the entries of an inbox. Texts of the entries live until claude_walk_free(). */
struct claude_walk {
    struct json_walk json;
    struct arena arena;
    struct map ids;
    size_t index; /* of the entry that was read last, from 1 */
};

/* False, with the reason, when the text is no JSON array. */
bool claude_open(struct claude_walk *walk, struct span box, struct err *err);
bool claude_next(struct claude_walk *walk, struct claude_entry *entry);
/* The same in two steps: its value, and what is in it. */
bool claude_step(struct claude_walk *walk, struct claude_entry *entry);
void claude_open_entry(struct claude_walk *walk, struct claude_entry *entry);
/* Whether it is no message: agents pass it over, or remove it. */
bool claude_is_damaged(const struct claude_entry *entry);
/* Its id, for who needs it: making one is slow. To be asked of every sound entry, in their order,
 * so that equal ones are told apart. */
struct span claude_id(struct claude_walk *walk, const struct claude_entry *entry);
/* The id itself, or with its number when entries before have it, too: entries are only ever added
 * at the end. */
struct span claude_unique(struct claude_walk *walk, struct span id);
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
bool claude_overwritten(struct span bytes, const struct box_before *before,
                        char newer[BOX_BEFORE_SUM + 1]);
bool claude_parse(const struct mail_file *file, unsigned want, struct batch *batch,
                  struct err *err);

#endif
