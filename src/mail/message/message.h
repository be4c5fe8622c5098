/* A message in the common model of all layouts. */
#ifndef MAIL_MESSAGE_MESSAGE_H
#define MAIL_MESSAGE_MESSAGE_H

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/time.h"

#include <stdint.h>

/* 0 stands for a priority that cannot be read. */
enum priority { PRIORITY_NONE, PRIORITY_LOW, PRIORITY_NORMAL, PRIORITY_HIGH, PRIORITY_URGENT };

/* In the order of their rank: of two copies of a message the one with the higher rank is newer. */
enum status {
    STATUS_UNREAD,
    STATUS_READ,
    STATUS_PROCESSING,
    STATUS_FAILED,
    STATUS_COMPLETED,
    STATUS_ARCHIVED,
    STATUS_NONE, /* cannot be read */
};

/* What is odd about a message without making it unreadable; a table gives each its sentence. */
enum message_flag {
    MESSAGE_IN_BOTH = 1 << 0,    /* the same id lies in the inbox and in the archive */
    MESSAGE_ZONED_TIME = 1 << 1, /* a time with a zone where the layout has none */
    MESSAGE_BYTE_MARK = 1 << 2,  /* the file starts with a byte order mark */
    MESSAGE_NOT_UTF8 = 1 << 3,   /* the file holds bytes that are not UTF-8 */
    MESSAGE_EQUAL_KEYS = 1 << 4, /* a field stands twice; the last one counts */
    MESSAGE_STRAY = 1 << 5,      /* it lies in another agent's box */
    MESSAGE_ODD_TYPE = 1 << 6,   /* a field is of another type than the layout's */
    MESSAGE_IRREGULAR = 1 << 7,  /* its head is more than the layout allows; part of it is raw */
    MESSAGE_DANGEROUS = 1 << 8,  /* the agents' own reader would run a part of it as a program */
    MESSAGE_NO_TIME = 1 << 9,    /* it has no time that can be read; another one stands for it */
    MESSAGE_SHARED = 1 << 10,    /* several messages lie in a file that is for one */
    MESSAGE_AHEAD = 1 << 11,     /* it is dated later than its file was written */
    MESSAGE_ODD_VALUE = 1 << 12, /* a field has a value that the layout does not */
    /* created_us is not what the message says; another time stands for it */
    MESSAGE_STAND_IN_TIME = MESSAGE_NO_TIME | MESSAGE_AHEAD,
};

/* The place in a mailbox tree that a file was found in, shared by the messages there. */
struct place {
    uint32_t source;  /* index into the store's sources */
    const char *root; /* absolute path of the source */
    bool archived;
    bool local;              /* not in the tree any more: a copy that was kept here */
    bool by_subject;         /* messages of two agents with one subject are a thread */
    bool short_replies;      /* reply_to holds only the first characters of an id */
    bool chained;            /* a thread without a name is called after its first message */
    bool done_archived;      /* what was dealt with goes to the archive: no status says so */
    struct span team;        /* absent where the layout has no teams */
    struct span box;         /* as the directory or file spells it */
    struct span dir;         /* beneath the source's root, terminated */
    const struct zone *zone; /* of times there that name none; NULL: ours */
};

/* What lists do without: only there when it was asked for. Spans of JSON are checked and raw. */
struct message_data {
    struct span body;
    struct span payload, context;  /* JSON, absent or null where there is none */
    struct span attachments, tags; /* JSON arrays of strings */
    struct span protocol;          /* JSON */
    struct span summary, color;    /* where the layout has them apart from the subject */
    struct span swarm;
    struct span sent;     /* by its author's clock, 2026-01-03 14:30, where the layout shows that */
    bool body_is_payload; /* the body is the payload, as text */
    int64_t read_us, completed_us;
};

/* What an idle notification says; absent spans where it does not. */
struct notice {
    struct span reason; /* available, interrupted, failed */
    struct span failure;
    struct span task, task_status; /* the task it ended, and how */
    struct span summary;           /* with whom it talked last, as "[to NAME] ..." */
};

/* What a handoff tells of the work beyond its head; see work.h. */
struct work {
    struct span giver; /* whose work the text says that it is; absent: the sender's */
    struct span job;   /* or absent */
    int64_t read_us, completed_us;
};

/* All spans live as long as the batch or arena the message came in. Absent spans have at == NULL.
 */
struct message {
    struct span id;
    struct span file; /* its name in place->dir, terminated */
    struct span from, to, subject, type, thread, reply_to;
    const struct place *place;
    const char *damaged; /* the reason, or NULL */
    struct message_data *data;
    const struct notice *notice;    /* of an idle notification, else NULL */
    const struct work *work;        /* of a handoff that has its text or its context, else NULL */
    int64_t created_us, expires_us; /* TIME_NONE where absent */
    uint32_t raw_at, raw_len;       /* its part of a file that holds several; 0: all of it */
    uint32_t print;                 /* of its bytes: tells whether it is still the same */
    uint32_t content;               /* of what its author wrote; see message_set_content() */
    uint8_t priority, status;
    uint8_t kind;     /* enum kind */
    uint8_t verdict;  /* enum protocol_verdict: what an answer decided */
    uint8_t answered; /* enum protocol_verdict: what was answered from here, if that is noted */
    uint8_t said;     /* enum handoff_words_said: what it says became of a handoff */
    bool requires_response;
    bool unread_bytes; /* not even the bytes of the file could be had */
    bool seen;         /* somebody has looked at it here */
    bool read_here;    /* and so it counts as read, though its mailbox says that it is not */
    bool mine;         /* for who we are in its source, alone or with all */
    bool by_us;        /* from who we are there */
    bool whole_folder; /* stands for a directory: nothing in it could be read */
    bool read_unsaid;  /* its mailbox does not record whether it was read; the status is unread */
    bool wants_none;   /* a field of it says that it wants no answer */
    bool refused;      /* a plan that approval_refuses(): it takes no other plan's place */
    uint16_t flags;
};

/* What parsing a file is asked for beyond the head. */
enum message_want {
    WANT_HEAD = 0,
    WANT_DATA = 1,
    WANT_BODY = 2,
    WANT_SALVAGE = 4, /* the file stays as it is: what can be read of it, and the damage */
};

/* "-" for what cannot be read. */
const char *priority_name(enum priority priority);
/* All of them from low up; NULL behind the last one. */
const char *priority_word(unsigned number);
/* Whether lists say it: what is normal, or cannot be read, goes without saying. */
bool priority_is_told(enum priority priority);
/* False when the word names none. */
bool priority_parse(struct span word, enum priority *priority);

const char *status_name(enum status status);
/* Those that a message can be marked with; NULL behind the last one. */
const char *mark_word(unsigned number);
bool status_parse(struct span word, enum status *status);

/* Whether a message may go from one status to another: any step forward, and from failed back to
 * read or processing, for another try. Staying is not a step. */
bool status_may_become(enum status from, enum status to);

/* What its mailbox says, or was marked here: looking at it aside. */
enum status message_marked(const struct message *message);

/* Whether its mailbox says that it has not been read: evidence about its recipient. */
bool message_left_unread(const struct message *message);
/* Whether it is to be shown as unread: what its mailbox does not say counts only for what is for
 * the person. */
bool message_is_unread(const struct message *message);

/* The sentence for one flag; flags are tried from bit 0 up, NULL ends them. */
const char *message_flag_text(unsigned bit);
/* The same in a few words, for lines that have little room. */
const char *message_flag_word(unsigned bit);

/* Gives it the time that it claims. A time that is later than its file was written cannot be true:
 * then that of the file stands for it, and it is flagged. written_us is 0 where nobody knows. */
void message_set_time(struct message *message, int64_t claimed_us, int64_t written_us);

/* Hashes what its author wrote: sender, claimed time, subject and the text, which the layout has
 * hashed by map_hash_wide(). States that programs change are no part of it, so all copies of one
 * message have the same content. */
void message_set_content(struct message *message, int64_t claimed_us, uint64_t text_hash);

/* True when expires_us lies in the past. */
bool message_expired(const struct message *message, int64_t now_us);

/* Whether it is for the person to read or to answer: ours, but not what we sent to all ourselves.
 */
bool message_for_us(const struct message *message);
/* Whether it stands for something unreadable that may hold mail for us: our box, or a directory
 * that is no single agent's. */
bool message_hides_ours(const struct message *message);
/* Appends how long ago it was written: with a ~ where it does not say so and another time stands
 * for that, and nothing where there is none. */
void message_add_age(struct str *out, const struct message *message, int64_t now_us);

/* As much of an id as answers repeat, where they repeat only its first characters. */
struct span message_spoken_id(struct span id, bool short_replies);

/* Who it is for: its address or, without one, the box it lies in. */
struct span message_recipient(const struct message *message);

/* Appends a name with dashes for what boxes cannot spell. */
void message_add_spelled(struct str *out, struct span name);
/* Whether a name is the one that a box is for: as it stands, or spelled like that. */
bool message_name_fits(struct span name, struct span box);

/* Appends the path of its file, beneath the source's root or absolute. */
void message_add_path(struct str *out, const struct message *message, bool absolute);
/* Puts that path, beneath the root, before what the error says; always false. */
bool message_err_at(struct err *err, const struct message *message);

/* Appends what names this message alone: its path and, where it shares the file, #ID. The first
 * gives only the latter part, from the file's name on. */
void message_add_part(struct str *out, const struct message *message);
void message_add_name(struct str *out, const struct message *message, bool absolute);

/* Appends, behind such a name, what tells apart copies that are kept here: they only remember the
 * name that they had, and so may many. */
void message_add_copy(struct str *out, const struct message *message);

bool place_is_same(const struct place *a, const struct place *b);
/* Of two messages of one id in one box: whether they are one message with something changed. Its
 * text or its file is the same then. */
bool message_is_same(const struct message *a, const struct message *b);
/* Where, of so many spots, to keep what was found for a name at a place: those that many messages
 * share are the same bytes, so what lies there is most often found again without comparing any. */
size_t place_spot(const struct place *place, struct span name, size_t count);
/* A copy of the place in the arena or, when it is the same, the one that was copied last (which may
 * be NULL). */
const struct place *place_keep(const struct place *place, const struct place *last,
                               struct arena *arena);

/* Copies a head into the arena, so that it outlives where it came from; its place and the names
 * that messages share are copied too, its data is not. */
void message_keep(struct message *copy, const struct message *message, struct arena *arena);
/* The same with its data. */
void message_keep_whole(struct message *copy, const struct message *message, struct arena *arena);

/* How a list that is worked off is ordered: priority first, then the oldest, then the id. */
int message_cmp_urgency(const struct message *a, const struct message *b);
/* By time, then by id. */
int message_cmp_time(const struct message *a, const struct message *b);
/* The newest first; those of one time by their place. */
int message_cmp_newest(const struct message *a, const struct message *b);
/* By where they lie: source, directory, file and the part of it; for what is equal otherwise. */
int message_cmp_place(const struct message *a, const struct message *b);

/* The part of its file's bytes that is the message: all of them where it is alone in it. */
static inline struct span message_raw(const struct message *message, struct span bytes)
{
    return message->raw_len ? (struct span){bytes.at + message->raw_at, message->raw_len} : bytes;
}

/* A map of messages, each known by its name (message_add_name()). */

/* Zero-initialised is empty and valid. The messages themselves may go. */
struct message_map {
    struct map names;
    struct arena arena;
};

/* Empties it. */
void message_map_free(struct message_map *map);

/* The value's place for this message, added with 0 if need be. Borrowed until the next one is
 * added. */
uint32_t *message_map_put(struct message_map *map, const struct message *message);
/* NULL when it is not there. */
const uint32_t *message_map_get(const struct message_map *map, const struct message *message);

/* A batch: messages that were read together, with the memory they live in. */

/* Zero-initialised is empty and valid. Messages do not move once the batch is handed over. */
struct batch {
    struct arena arena;
    struct message *items;
    size_t count, cap;
    struct map names; /* texts that recur, kept once: to their numbers among its entries */
};

void batch_free(struct batch *batch);

/* Room for so many messages, where it is known how many will come. */
void batch_reserve(struct batch *batch, size_t count);

/* A new message, zeroed but for times, priority and status, which say "none given" and the
 * defaults. Borrowed until the next batch_add(). */
struct message *batch_add(struct batch *batch);

/* A copy of a text that many messages share: names, types. */
struct span batch_name(struct batch *batch, struct span text);

/* The message with that one's id, from `first` on: the same content before any other. NULL without
 * one. */
struct message *batch_find(const struct batch *batch, size_t first, const struct message *message);

/* Gives back what only filling needed. Names can no longer be added. */
void batch_finish(struct batch *batch);

/* An update: files of a source as they are now, on the way from the storage thread to whoever keeps
 * the picture. */

enum update_what {
    UPDATE_HOLDS, /* the file was read: it holds these messages and no others */
    UPDATE_KEPT,  /* it is there and cannot be read just now: what it held before still counts */
    UPDATE_GONE,  /* it is not there */
};

struct update_file {
    const struct place *place; /* in the batch's memory, as the name is */
    struct span name;
    enum update_what what;
    size_t first, count; /* its messages in the batch */
};

/* Zero-initialised is empty and valid. */
struct update {
    struct batch batch;
    struct update_file *files;
    size_t count, cap;
    uint32_t source;
    /* Looking through a tree gives updates that say so. The last one sweeps: what lies in that
     * directory or beneath and was not met on the way is gone. */
    bool looking, sweep;
    size_t coming;         /* files that are met on that way in all; 0: nobody knows */
    bool without_copies;   /* those that are kept here could not be looked at: they stay */
    struct span sweep_dir; /* beneath the root, in the batch's memory; empty: everything */
};

void update_free(struct update *update);

/* Notes that the file holds what was added to the batch from `first` on. Place and name must be in
 * the batch's memory. */
void update_add(struct update *update, const struct place *place, struct span name,
                enum update_what what, size_t first);

#endif
