/* Shared by the files of the Claude layout: the entries of an inbox, which is a JSON array. */
#ifndef STORE_LAYOUTS_CLAUDE_PRIVATE_H
#define STORE_LAYOUTS_CLAUDE_PRIVATE_H

#include "base/json/json.h"
#include "base/map.h"
#include "store/format/format.h"

/* The keys of an entry that we know. */
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
    struct json value; /* the whole entry */
    struct json fields[CLAUDE_KEY_COUNT];
    struct span from, text, timestamp; /* decoded; absent if they are not strings */
    bool equal_keys;
};

enum { CLAUDE_ID_SIZE = 24 };
/* Makes the id of an entry that has none, in the caller's buffer. */
struct span claude_derive_id(const struct claude_entry *entry, char id[CLAUDE_ID_SIZE]);

/* Iterates over the entries of an inbox. Texts of the entries are valid until
 * claude_walk_free(). */
struct claude_walk {
    struct json_walk json;
    struct arena arena;
    struct map ids;
    size_t index; /* number of the last entry that was read, from 1 */
};

/* Returns false, with the reason, if the text is not a JSON array. */
/* claude_next() in two steps: read the value, then decode its fields. */
/* Returns true if the end of the array was reached, whatever follows it. */

/* Calls `found` for every complete entry of damaged text. */
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
