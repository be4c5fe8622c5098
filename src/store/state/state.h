/* Local state: what no mailbox can hold. Marks, kept copies and the outbox, in state.db in our own
 * directory.
 *
 * What a call that returned true has changed is on disk; one that returned false has changed
 * nothing. Several processes may use the database at once, each state is for one thread at a time
 * and not for the children of a fork. Texts may hold any byte; an absent one is kept as empty. */
#ifndef STORE_STATE_STATE_H
#define STORE_STATE_STATE_H

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "mail/message/message.h"
#include "store/format/format.h"

#include <stdint.h>

enum { STATE_BUSY_MS = 5000 };

struct state;

/* Opens the database and brings it to the present schema. Where there is none it is made, or
 * without `create` the answer is NULL and ERR_ABSENT. NULL too when it cannot be used. */
struct state *state_open(bool create, struct err *err);
/* The same with another patience for a database that someone else has locked. */
struct state *state_open_within(bool create, int busy_ms, struct err *err);
/* Claims on entries of the outbox that were not let go end with their lease. NULL is fine. */
void state_close(struct state *state);

/* From now on a change survives a kill, but need not survive a power cut; or both again. Whatever
 * is lost then is the latest. */
void state_relax(struct state *state, bool relaxed);

/* Lets SQLite look through the whole database without changing it. False, with what is wrong. */
bool state_check(struct state *state, struct err *err);

/* Which message: what a source calls it. Borrowed. */
struct state_key {
    const char *format, *root;
    struct span team, box, id;
    uint32_t content; /* of the message, since others may have its id; 0: whatever it is */
};

/* What marks and snoozes call the message: its id, and its content if that is known. Borrowed from
 * the key or from `scratch`. */
struct span state_mark_id(const struct state_key *key, struct str *scratch);

/* What one viewer has noted on a message. */
struct mark {
    bool seen, has_status;
    enum status status; /* STATUS_UNREAD without has_status */
    int64_t changed_us; /* of the status; TIME_NONE without one */
    unsigned answered;  /* enum protocol_verdict: what the viewer has answered from here */
};

/* Notes that the viewer has seen these messages, in one transaction. */
bool state_mark_seen(struct state *state, const struct state_key *keys, size_t count,
                     struct span viewer, struct err *err);
/* Gives these messages a status in the viewer's eyes, in one transaction; STATUS_UNREAD forgets
 * all marks but the answer, that they were seen included. */
bool state_set_status(struct state *state, const struct state_key *keys, size_t count,
                      struct span viewer, enum status status, int64_t now_us, struct err *err);

/* Notes that the viewer has answered a message with that verdict (enum protocol_verdict), by the
 * message `answer`: readers may remove an answer when they take it. */
bool state_mark_answered(struct state *state, const struct state_key *key, struct span viewer,
                         unsigned verdict, struct span answer, struct err *err);
/* Forgets it, because that answer was lost. */
struct outbox_entry;
bool state_unmark_answered(struct state *state, const struct outbox_entry *answer, struct err *err);

/* All marks of one viewer in one source. Zero-initialised is empty and valid. */
struct marks {
    struct arena arena;
    struct map map;
    struct mark *items;
    size_t count, cap;
    bool bare; /* some are known by an id alone */
};

/* Replaces `out`; the caller frees it, also after a failure. */
bool state_marks(struct state *state, const char *format, const char *root, struct span viewer,
                 struct marks *out, struct err *err);
/* NULL when nothing is noted on that message. Borrowed from the marks. */
const struct mark *marks_find(const struct marks *marks, struct span team, struct span box,
                              struct span id);
void marks_free(struct marks *marks);

/* A message that was kept because its layout has no archive. */
struct copy {
    int64_t number;
    struct span team, box, id, viewer;
    struct span name; /* of the file it lay in */
    int64_t kept_us;
    size_t size; /* of its bytes */
};

/* The copies of one source, the oldest first. Zero-initialised is empty and valid. */
struct copies {
    struct arena arena;
    struct copy *items;
    size_t count, cap;
};

/* Keeps a copy of a message and gives it the status archived, in one transaction. The very same
 * bytes of the same message are kept once. `number` may be NULL. */
bool state_keep_copy(struct state *state, const struct state_key *key, struct span viewer,
                     struct span name, struct span bytes, struct span note, int64_t now_us,
                     int64_t *number, struct err *err);
/* Whether these bytes of the message are kept already. */
bool state_has_copy(struct state *state, const struct state_key *key, struct span viewer,
                    struct span bytes, bool *has, struct err *err);
/* Replaces `out`; the caller frees it, also after a failure. */
bool state_copies(struct state *state, const char *format, const char *root, struct copies *out,
                  struct err *err);
void copies_free(struct copies *copies);
/* Replaces `out` by the bytes of one copy; ERR_ABSENT when there is no such copy. */
bool state_copy_bytes(struct state *state, int64_t number, struct str *out, struct err *err);

/* A message whose marks and copies are to be as they were. */
struct state_undo {
    struct state_key key;
    struct span viewer;
    const struct mark *mark; /* its status before; what was seen stays seen */
    bool copies;             /* the viewer's copies of it go ... */
    struct span bytes;       /* ... only those with these bytes; absent: all ... */
    bool (*is_meant)(const void *context, struct span bytes); /* ... for which this is true */
    const void *context;
};

/* In one transaction. */
bool state_take_back(struct state *state, const struct state_undo *items, size_t count,
                     struct err *err);

/* How far a message of ours has come. The numbers are stored: add at the end. */
enum outbox_state {
    OUTBOX_RECORDED = 0,    /* about to be written, or whoever was about to do it died */
    OUTBOX_WRITTEN = 1,     /* written; at due_us it is looked for again */
    OUTBOX_QUEUED = 2,      /* waits for a free slot; at due_us that is tried again */
    OUTBOX_LOST = 3,        /* written, overwritten and given up; `problem` says so */
    OUTBOX_FAILED = 4,      /* kept for the person; `problem` says why */
    OUTBOX_TAKEN = 5,       /* written, and its reader has taken it; at due_us it leaves */
    OUTBOX_UNCONFIRMED = 6, /* written, and its file is gone or damaged; `problem` says so */
};

/* Whether nothing happens to it by itself: it is the person's turn. */
static inline bool outbox_is_stuck(enum outbox_state state)
{
    return state == OUTBOX_LOST || state == OUTBOX_FAILED || state == OUTBOX_UNCONFIRMED;
}

struct outbox_entry {
    int64_t number; /* given by outbox_record(), never given again */
    struct span format, root, team, box, id, uuid, from, to, subject;
    struct span name, bytes; /* of the file, or the entry in it; lists leave the bytes absent */
    struct span problem;
    struct span mailing; /* the same for all that were sent together; empty for one alone */
    int64_t created_us, due_us;
    enum outbox_state state;
    int attempts;
    struct box_before before; /* what was in an array when it was written */
};

/* Entries in the order of their numbers. Zero-initialised is empty and valid. */
struct outbox {
    struct arena arena;
    struct outbox_entry *items;
    size_t count, cap;
};

/* How long an entry stays with a process that has died or cannot be asked. */
#define OUTBOX_LEASE_US INT64_C(30000000)

/* Adds entries, all or none, and claims them for us: to be called before anything is written to a
 * mailbox. Fills in their numbers. */
bool outbox_record(struct state *state, struct outbox_entry *entries, size_t count, int64_t now_us,
                   struct err *err);
/* Every entry, or those that are recorded, written or queued, due, and not claimed by anybody.
 * Replaces `out`; the caller frees it, also after a failure. */
bool outbox_list(struct state *state, struct outbox *out, struct err *err);
bool outbox_due(struct state *state, int64_t now_us, struct outbox *out, struct err *err);
/* One entry with its bytes, just to look at; ERR_ABSENT when there is no such entry. */
bool outbox_read(struct state *state, int64_t number, struct outbox *out, struct err *err);
void outbox_free(struct outbox *outbox);

/* Takes one entry for us alone and reads it, with its bytes, as it is now: what a list said before
 * may have been done since. The caller frees `out`, also after a failure. Taking again what is ours
 * renews the lease. ERR_REFUSED while another process that lives has it, and until the lease of a
 * dead one has run out; ERR_ABSENT when there is no such entry. */
bool outbox_claim(struct state *state, int64_t number, int64_t now_us, struct outbox *out,
                  struct err *err);

/* These change only what is claimed by us, else ERR_REFUSED. Settling writes id, uuid, name, state,
 * attempts, due_us, problem, what was there before, and the bytes unless they are absent, and lets
 * go. */
bool outbox_settle(struct state *state, const struct outbox_entry *entry, struct err *err);
/* The same without letting go. */
bool outbox_keep(struct state *state, const struct outbox_entry *entry, struct err *err);
bool outbox_release(struct state *state, int64_t number, struct err *err);
/* For what was not sent after all, and what the person has given up. */
bool outbox_remove(struct state *state, int64_t number, struct err *err);
/* The same for what was to be sent together: all of it, or nothing. */
bool outbox_remove_all(struct state *state, const int64_t *numbers, size_t count, struct err *err);
/* What the last look at a message that left the outbox has found. The numbers are stored. */
enum sent_delivery {
    SENT_THERE = 0,
    SENT_TAKEN = 1,       /* by its reader */
    SENT_LOST = 2,        /* overwritten, and given up by the person */
    SENT_UNCONFIRMED = 3, /* its file was gone or damaged; given up by the person */
};

/* For what was sent: it leaves the outbox and is noted as sent, under the id that it has got, in
 * one transaction. */
bool outbox_done(struct state *state, int64_t number, struct span id, enum sent_delivery delivery,
                 int64_t now_us, struct err *err);

/* What is known of messages that left the outbox delivered: the newest, and not for ever. */
#define SENT_KEPT_US (INT64_C(90) * 86400 * 1000000)
enum { SENT_KEPT = 10000 };

struct sent_entry {
    struct span format, root, team, box, id, from, to, subject;
    struct span mailing; /* as in the outbox */
    int64_t created_us, delivered_us;
    enum sent_delivery delivery;
    int64_t delivery_us; /* when that was found; 0 while it was there */
};

/* In the order they were delivered in. Zero-initialised is empty and valid. */
struct sent_list {
    struct arena arena;
    struct sent_entry *items;
    size_t count, cap;
};

/* Replaces `out`; the caller frees it, also after a failure. */
bool sent_read(struct state *state, struct sent_list *out, struct err *err);
void sent_list_free(struct sent_list *sent);

#endif
