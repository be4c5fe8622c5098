/* A message in the common model of all layouts. */
#ifndef MAIL_MESSAGE_MESSAGE_H
#define MAIL_MESSAGE_MESSAGE_H

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/time.h"

#include <stdint.h>

/* PRIORITY_NONE is a priority that cannot be read. */
enum priority { PRIORITY_NONE, PRIORITY_LOW, PRIORITY_NORMAL, PRIORITY_HIGH, PRIORITY_URGENT };

/* In the order of their rank: of two copies of a message, the one with the higher rank is newer. */
enum status {
    STATUS_UNREAD,
    STATUS_READ,
    STATUS_PROCESSING,
    STATUS_FAILED,
    STATUS_COMPLETED,
    STATUS_ARCHIVED,
    STATUS_NONE, /* cannot be read */
};

/* Oddities that leave a message readable; message_flag_text() has a sentence for each. */
enum message_flag {
    MESSAGE_IN_BOTH = 1 << 0,    /* the same id is in the inbox and in the archive */
    MESSAGE_ZONED_TIME = 1 << 1, /* a time with a zone where the layout has none */
    MESSAGE_BYTE_MARK = 1 << 2,  /* the file starts with a byte order mark */
    MESSAGE_NOT_UTF8 = 1 << 3,   /* the file holds bytes that are not UTF-8 */
    MESSAGE_EQUAL_KEYS = 1 << 4, /* a field occurs twice; the last one counts */
    MESSAGE_STRAY = 1 << 5,      /* the message is in another agent's box */
    MESSAGE_ODD_TYPE = 1 << 6,   /* a field has another type than the layout demands */
    MESSAGE_IRREGULAR = 1 << 7,  /* the head has more than the layout allows; part of it is raw */
    MESSAGE_DANGEROUS = 1 << 8, /* the agents' own reader would run part of the head as a program */
    MESSAGE_NO_TIME = 1 << 9,   /* no time that can be read; created_us is another time */
    MESSAGE_SHARED = 1 << 10,   /* one of several messages in a file that is meant for one */
    MESSAGE_AHEAD = 1 << 11,    /* dated later than the file was written */
    MESSAGE_ODD_VALUE = 1 << 12, /* a field has a value that the layout does not define */
    /* created_us is not the time that the message claims */
    MESSAGE_STAND_IN_TIME = MESSAGE_NO_TIME | MESSAGE_AHEAD,
};

/* The place of files in a source: its team, box, and inbox or archive. The messages found there
 * share it. */
struct place {
    uint32_t source;  /* index into the store's sources */
    const char *root; /* absolute path of the source */
    bool archived;
    bool local;         /* no longer in the tree: a copy that we keep */
    bool by_subject;    /* messages between two agents with the same subject form a thread */
    bool short_replies; /* reply_to holds only the first characters of an id */
    bool chained;       /* a thread without a name is named after its first message */
    bool done_archived; /* completed messages are archived: no status marks them as completed */
    struct span team;   /* absent if the layout has no teams */
    struct span box;    /* as the directory or file name spells it */
    struct span dir;    /* relative to the source's root, NUL-terminated */
    const struct zone *zone; /* zone for times without one; NULL: the local zone */
};

/* Parts of a message that lists do not need; read only on request. JSON spans are checked, but
 * raw. */
struct message_data {
    struct span body;
    struct span payload, context;  /* JSON; absent or null if the message has none */
    struct span attachments, tags; /* JSON arrays of strings */
    struct span protocol;          /* JSON */
    struct span summary, color;    /* absent unless the layout has them apart from the subject */
    struct span swarm;
    struct span sent;     /* on the author's clock, 2026-01-03 14:30; only if the layout shows it */
    bool body_is_payload; /* the body is the text of the payload */
    int64_t read_us, completed_us;
};

/* The fields of an idle notification; spans are absent if it lacks them. */
struct notice {
    struct span reason; /* available, interrupted, failed */
    struct span failure;
    struct span task, task_status; /* the task that ended, and its result */
    struct span summary;           /* the agent it last talked to, as "[to NAME] ..." */
};

/* Facts about the work of a handoff that are not in the head. */
struct work {
    struct span giver; /* the owner of the work, from the text; absent: the sender */
    struct span job;   /* may be absent */
    int64_t read_us, completed_us;
};

/* A message. All spans live as long as the batch or arena that holds the message. Absent spans have
 * at == NULL. */
struct message {
    struct span id;
    struct span file; /* name in place->dir, NUL-terminated */
    struct span from, to, subject, type, thread, reply_to;
    const struct place *place;
    const char *damaged; /* reason why the message cannot be parsed, or NULL */
    struct message_data *data;
    const struct notice *notice; /* set for an idle notification, else NULL */
    const struct work *work;     /* set for a handoff whose text or context was read, else NULL */
    int64_t created_us, expires_us; /* TIME_NONE if absent */
    uint32_t raw_at, raw_len; /* position in a file with several messages; raw_len 0: all of it */
    uint32_t print;           /* hash of the message's bytes: shows if they have changed */
    uint32_t content;         /* hash of the author's fields; see message_set_content() */
    uint8_t priority, status;
    uint8_t kind;     /* enum kind */
    uint8_t verdict;  /* enum protocol_verdict: the decision in an answer */
    uint8_t answered; /* enum protocol_verdict: our own answer, if one is recorded */
    uint8_t said;     /* enum handoff_words_said: the handoff's result according to the text */
    bool requires_response;
    bool unread_bytes; /* the bytes of the file could not be read */
    bool seen;         /* opened here by the person */
    bool read_here;    /* counts as read because of `seen`, though its mailbox says unread */
    bool mine;         /* addressed to our agent in its source, alone or among all */
    bool by_us;        /* sent by our agent in its source */
    bool whole_folder; /* placeholder for a directory in which nothing could be read */
    bool read_unsaid;  /* the mailbox does not record reading; the status is unread */
    bool wants_none;   /* a field says that the sender wants no answer */
    bool refused;      /* a plan that approval_refuses(): it does not replace another plan */
    uint16_t flags;
};

/* Flags: the parts to parse in addition to the head. */
enum message_want {
    WANT_HEAD = 0,
    WANT_DATA = 1,
    WANT_BODY = 2,
    WANT_SALVAGE = 4, /* the file will not change: return the readable parts, and the damage */
};

/* Returns "-" for a priority that cannot be read. */
const char *priority_name(enum priority priority);
/* Returns the priorities from low up; NULL after the last one. */
const char *priority_word(unsigned number);
/* True if lists show the priority: not if it is normal or cannot be read. */
bool priority_is_given(enum priority priority);
/* Returns false if no priority has that name. */
bool priority_parse(struct span word, enum priority *priority);

const char *status_name(enum status status);
/* Returns the statuses that a message can be marked with; NULL after the last one. */
const char *mark_word(unsigned number);
bool status_parse(struct span word, enum status *status);

/* True if a message may go from one status to another: any step forward, and from failed back to
 * read or processing, to try again. Staying is not a step. */
bool status_may_become(enum status from, enum status to);

/* Returns the status in the mailbox or of our own mark. Opening a message does not change it. */
enum status message_marked(const struct message *message);

/* True if the mailbox says that the message has not been read: evidence about its recipient. */
bool message_left_unread(const struct message *message);
/* True if the message is shown as unread. If the mailbox does not record reading, only messages to
 * the person count. */
bool message_is_unread(const struct message *message);

/* Returns the sentence for one flag; NULL after the last flag. Callers count from bit 0. */
const char *message_flag_text(unsigned bit);
/* Like message_flag_text(), but a few words, for lines with little room. */
const char *message_flag_word(unsigned bit);

/* Sets the time that the message claims. A claim more than five minutes later than the time when
 * the file was written cannot be true: then that time is used and MESSAGE_AHEAD is set. It never
 * changes, while the present time would make such a message new for ever. written_us is 0 if
 * unknown. */
void message_set_time(struct message *message, int64_t claimed_us, int64_t written_us);

/* Sets the hash of the author's fields: sender, claimed time, subject and text; `text_hash` is the
 * layout's map_hash_wide() of the text. Fields that programs change are not part of it, so all
 * copies of a message have the same content. */
void message_set_content(struct message *message, int64_t claimed_us, uint64_t text_hash);

/* True if expires_us is in the past. */
bool message_expired(const struct message *message, int64_t now_us);

/* True if the person should read or answer it: addressed to us, but not our own mail to all. */
bool message_for_us(const struct message *message);
/* True for an unreadable file or directory that may hold mail for us: it is in our box, or in a
 * directory that belongs to no single agent. */
bool message_hides_ours(const struct message *message);
/* Appends the age of the message: after a ~ if its own time is missing or false and another one is
 * used; nothing if there is no time. */
void message_add_age(struct str *out, const struct message *message, int64_t now_us);

/* Returns the part of an id that answers repeat; with `short_replies` only its first characters. */
struct span message_spoken_id(struct span id, bool short_replies);

/* Returns the recipient: the address or, without one, the box of the message. */
struct span message_recipient(const struct message *message);

/* Appends a name with dashes for the characters that box names cannot have. */
void message_add_spelled(struct str *out, struct span name);
/* True if `box` is the box of that name: its exact spelling, or message_add_spelled(). */
bool message_name_fits(struct span name, struct span box);

/* Appends the path of the file, relative to the source's root or absolute. */
void message_add_path(struct str *out, const struct message *message, bool absolute);
/* Prefixes the error with that path, relative to the root. Always returns false. */
bool message_err_at(struct err *err, const struct message *message);

/* Append a unique name of the message: its path and, if it shares the file, #ID. message_add_part()
 * appends it without the directories. */
void message_add_part(struct str *out, const struct message *message);
void message_add_name(struct str *out, const struct message *message, bool absolute);

/* Appends a suffix to such a name for copies that we keep. Several copies may have been in a file
 * of the same name; the suffix distinguishes them. */
void message_add_copy(struct str *out, const struct message *message);

bool place_is_same(const struct place *a, const struct place *b);
/* True if two messages with the same id in the same box are versions of one message: the content or
 * the file is the same. */
bool message_is_same(const struct message *a, const struct message *b);
/* Returns the slot, of `count`, for cached results about a name at a place. Hashes the addresses:
 * messages that share a name share its bytes, so most lookups need no comparison of text. */
size_t place_spot(const struct place *place, struct span name, size_t count);
/* Returns a copy of the place in the arena, or `last` if it is the same place. `last` may be
 * NULL. */
const struct place *place_keep(const struct place *place, const struct place *last,
                               struct arena *arena);

/* Copies a head into the arena, with its place and the names that messages share, so that it
 * outlives the original. Does not copy its data. */
void message_keep(struct message *copy, const struct message *message, struct arena *arena);
/* Like message_keep(), but copies the data as well. */
void message_keep_whole(struct message *copy, const struct message *message, struct arena *arena);

/* Order of a work list: highest priority first, then oldest, then by id. */
int message_cmp_urgency(const struct message *a, const struct message *b);
/* By time, then by id. */
int message_cmp_time(const struct message *a, const struct message *b);
/* Newest first; messages of the same time by place. */
int message_cmp_newest(const struct message *a, const struct message *b);
/* By source, directory, file and position in the file; for messages that are equal otherwise. */
int message_cmp_place(const struct message *a, const struct message *b);

/* Returns the message's part of the bytes of its file: all of them if it is alone in it. */
static inline struct span message_raw(const struct message *message, struct span bytes)
{
    return message->raw_len ? (struct span){bytes.at + message->raw_at, message->raw_len} : bytes;
}

/* A map from messages to numbers; the key is message_add_name(). */

/* Zero-initialised is empty and valid. The messages need not outlive their entries. */
struct message_map {
    struct map names;
    struct arena arena;
};

/* Empties it. */
void message_map_free(struct message_map *map);

/* Returns the value of this message, which is 0 if it was added now. Borrowed until the next
 * message_map_put(). */
uint32_t *message_map_put(struct message_map *map, const struct message *message);
/* Returns NULL if the message is not in the map. */
const uint32_t *message_map_get(const struct message_map *map, const struct message *message);

/* A batch: messages that were read together, and the memory that they use. */

/* Zero-initialised is empty and valid. Messages do not move after the last batch_add(). */
struct batch {
    struct arena arena;
    struct message *items;
    size_t count, cap;
    struct map names; /* recurring texts, stored once; text to index of its entry */
};

void batch_free(struct batch *batch);

/* Reserves room for that many messages. */
void batch_reserve(struct batch *batch, size_t count);

/* Adds a message: times are TIME_NONE, priority and status have their defaults, the rest is zero.
 * Borrowed until the next batch_add(). */
struct message *batch_add(struct batch *batch);

/* Returns a copy of a text that many messages share, such as a name or a type. Stores it once. */
struct span batch_name(struct batch *batch, struct span text);

/* Returns the message with the id of `message`, from `first` on; prefers one with the same content.
 * NULL if there is none. */
struct message *batch_find(const struct batch *batch, size_t first, const struct message *message);

/* Frees the memory that only adding needs. No names can be added afterwards. */
void batch_finish(struct batch *batch);

/* An update: files of a source as they are now, sent by who watches to the owner of the
 * model. */

enum update_what {
    UPDATE_HOLDS, /* the file was read: it holds exactly these messages */
    UPDATE_KEPT,  /* the file exists, but cannot be read now: keep its former messages */
    UPDATE_GONE,  /* the file does not exist */
};

struct update_file {
    const struct place *place; /* in the batch's memory, like the name */
    struct span name;
    enum update_what what;
    size_t first, count; /* the file's messages in the batch */
};

/* Zero-initialised is empty and valid. */
struct update {
    struct batch batch;
    struct update_file *files;
    size_t count, cap;
    uint32_t source;
    /* `looking` is set on updates of a full scan of a tree. The last one has `sweep`: files in
     * sweep_dir or below it that the scan did not meet do not exist any more. */
    bool looking, sweep;
    size_t coming;         /* number of files that the whole scan meets; 0: unknown */
    bool without_copies;   /* our own copies could not be read: keep the known ones */
    struct span sweep_dir; /* relative to the root, in the batch's memory; empty: the whole tree */
};

void update_free(struct update *update);

/* Adds a file whose messages are those in the batch from `first` on. Place and name must be in the
 * batch's memory. */
void update_add(struct update *update, const struct place *place, struct span name,
                enum update_what what, size_t first);

#endif
