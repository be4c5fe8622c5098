/* Local state: data that no mailbox can hold. Marks, kept copies and the outbox, in state.db in our
 * own directory.
 *
 * The changes of a call that returned true are on disk; a call that returned false has changed
 * nothing. Several processes may use the database at once. Each state is for one thread at a time,
 * and not for the children of a fork. Texts may contain any byte; an absent one is stored as
 * empty. */
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

/* Opens the database and migrates it to the present schema. If there is none, it is created, or
 * without `create` the result is NULL and ERR_ABSENT. NULL too if it cannot be used. */
struct state *state_open(bool create, struct err *err);
/* Like state_open(), but waits up to busy_ms for a database that another process has locked. */
struct state *state_open_within(bool create, int busy_ms, struct err *err);
/* Closes the state; NULL is fine. Claims on entries of the outbox that were not released end with
 * their lease. */
void state_close(struct state *state);

/* With `relaxed`, later changes survive a kill, but may be lost in a power cut; without, they
 * survive both again. A power cut loses the latest changes first. */
void state_relax(struct state *state, bool relaxed);

/* Runs SQLite's check of the whole database without changing it. False, with the problem. */
bool state_check(struct state *state, struct err *err);

/* The key of a message: its id in its source. Borrowed. */
struct state_key {
    const char *format, *root;
    struct span team, box, id;
    uint32_t content; /* of the message, since others may have its id; 0: any */
};

/* Returns the id under which marks and snoozes store the message: its id, and its content if that
 * is known. Borrowed from the key or from `scratch`. */
struct span state_mark_id(const struct state_key *key, struct str *scratch);

/* The marks of one viewer on a message. */
struct mark {
    bool seen, has_status;
    enum status status; /* STATUS_UNREAD without has_status */
    int64_t changed_us; /* of the status; TIME_NONE without one */
    unsigned answered;  /* enum protocol_verdict: the answer that the viewer has sent from here */
};

/* Marks these messages as seen by the viewer, in one transaction. */
bool state_mark_seen(struct state *state, const struct state_key *keys, size_t count,
                     struct span viewer, struct err *err);
/* Sets the status that the viewer sees for these messages, in one transaction; STATUS_UNREAD
 * removes all marks, `seen` included, except the answer. */
bool state_set_status(struct state *state, const struct state_key *keys, size_t count,
                      struct span viewer, enum status status, int64_t now_us, struct err *err);

/* Marks a message as answered by the viewer with that verdict (enum protocol_verdict), in the
 * message `answer`: readers may remove an answer when they have read it. */
bool state_mark_answered(struct state *state, const struct state_key *key, struct span viewer,
                         unsigned verdict, struct span answer, struct err *err);
/* Removes that mark, because the answer was lost. */
struct outbox_entry;
bool state_unmark_answered(struct state *state, const struct outbox_entry *answer, struct err *err);

/* All marks of one viewer in one source. Zero-initialised is empty and valid. */
struct marks {
    struct arena arena;
    struct map map;
    struct mark *items;
    size_t count, cap;
    bool bare; /* some are stored under an id without a content */
};

/* Reads the marks. Replaces `out`; the caller frees it, also after a failure. */
bool state_marks(struct state *state, const char *format, const char *root, struct span viewer,
                 struct marks *out, struct err *err);
/* Returns the mark of a message; NULL if there is none. Borrowed from the marks. */
const struct mark *marks_find(const struct marks *marks, struct span team, struct span box,
                              struct span id);
void marks_free(struct marks *marks);

/* A message that was kept because its layout has no archive. */
struct copy {
    int64_t number;
    struct span team, box, id, viewer;
    struct span name; /* of the file that it was in */
    int64_t kept_us;
    size_t size; /* of its bytes */
};

/* The copies of one source, the oldest first. Zero-initialised is empty and valid. */
struct copies {
    struct arena arena;
    struct copy *items;
    size_t count, cap;
};

/* Keeps a copy of a message and gives it the status archived, in one transaction. Identical bytes
 * of the same message are kept once. `number` may be NULL. */
bool state_keep_copy(struct state *state, const struct state_key *key, struct span viewer,
                     struct span name, struct span bytes, struct span note, int64_t now_us,
                     int64_t *number, struct err *err);
/* Finds out whether these bytes of the message are kept already. */
bool state_has_copy(struct state *state, const struct state_key *key, struct span viewer,
                    struct span bytes, bool *has, struct err *err);
/* Lists the copies. Replaces `out`; the caller frees it, also after a failure. */
bool state_copies(struct state *state, const char *format, const char *root, struct copies *out,
                  struct err *err);
void copies_free(struct copies *copies);
/* Replaces `out` with the bytes of one copy; ERR_ABSENT if there is no such copy. */
bool state_copy_bytes(struct state *state, int64_t number, struct str *out, struct err *err);

/* A message whose former marks and copies are to be restored. */
struct state_undo {
    struct state_key key;
    struct span viewer;
    const struct mark *mark; /* its former status; `seen` stays as it is */
    bool copies;             /* remove the viewer's copies of it ... */
    struct span bytes;       /* ... only those with these bytes; absent: all ... */
    bool (*is_meant)(const void *context, struct span bytes); /* ... for which this returns true */
    const void *context;
};

/* Undoes changes of marks and copies, in one transaction. */
bool state_undo_marks(struct state *state, const struct state_undo *items, size_t count,
                      struct err *err);

/* The progress of an outgoing message. The numbers are stored: add at the end. */
enum outbox_state {
    OUTBOX_RECORDED = 0,    /* about to be written, or its writer died before it was */
    OUTBOX_WRITTEN = 1,     /* written; verified again at due_us */
    OUTBOX_QUEUED = 2,      /* waits for a free slot; tried again at due_us */
    OUTBOX_LOST = 3,        /* written, overwritten and given up; `problem` says so */
    OUTBOX_FAILED = 4,      /* kept for the person; `problem` says why */
    OUTBOX_TAKEN = 5,       /* written, and its reader has removed it; leaves the outbox at
                             * due_us */
    OUTBOX_UNCONFIRMED = 6, /* written, and its file is gone or damaged; `problem` says so */
};

/* True if no further step is automatic: the person has to act. */
static inline bool outbox_is_stuck(enum outbox_state state)
{
    return state == OUTBOX_LOST || state == OUTBOX_FAILED || state == OUTBOX_UNCONFIRMED;
}

struct outbox_entry {
    int64_t number; /* set by outbox_record(), never reused */
    struct span format, root, team, box, id, uuid, from, to, subject;
    struct span name, bytes; /* of the file, or of the entry in it; absent in lists */
    struct span problem;
    struct span mailing; /* the same for all messages sent together; empty for a single one */
    int64_t created_us, due_us;
    enum outbox_state state;
    int attempts;
    struct box_before before; /* the state of the array when it was written */
};

/* Entries in the order of their numbers. Zero-initialised is empty and valid. */
struct outbox {
    struct arena arena;
    struct outbox_entry *items;
    size_t count, cap;
};

/* How long an entry stays claimed by a process that has died, or whose lock cannot be checked. */
#define OUTBOX_LEASE_US INT64_C(30000000)

/* Adds entries, all or none, and claims them for us: to be called before anything is written to a
 * mailbox. Sets their numbers. */
bool outbox_record(struct state *state, struct outbox_entry *entries, size_t count, int64_t now_us,
                   struct err *err);
/* outbox_list() reads every entry; outbox_due() reads those that are recorded, written, queued or
 * taken, due, and not claimed by any process. Both replace `out`; the caller frees it, also after a
 * failure. */
bool outbox_list(struct state *state, struct outbox *out, struct err *err);
bool outbox_due(struct state *state, int64_t now_us, struct outbox *out, struct err *err);
/* Reads one entry with its bytes, without claiming it; ERR_ABSENT if there is no such entry. */
bool outbox_read(struct state *state, int64_t number, struct outbox *out, struct err *err);
void outbox_free(struct outbox *outbox);

/* Claims one entry for us alone and reads its present state, with its bytes: another process may
 * have handled it since it was listed. The caller frees `out`, also after a failure. Claiming an
 * entry of ours again renews the lease. ERR_REFUSED while another live process has it, and until
 * the lease of a dead one has expired; ERR_ABSENT if there is no such entry. */
bool outbox_claim(struct state *state, int64_t number, int64_t now_us, struct outbox *out,
                  struct err *err);

/* The functions below change only entries that we have claimed, else ERR_REFUSED. outbox_settle()
 * writes id, uuid, name, state, attempts, due_us, problem, `before`, and the bytes unless they are
 * absent, and releases the entry. */
bool outbox_settle(struct state *state, const struct outbox_entry *entry, struct err *err);
/* Like outbox_settle(), but keeps the claim. */
bool outbox_keep(struct state *state, const struct outbox_entry *entry, struct err *err);
bool outbox_release(struct state *state, int64_t number, struct err *err);
/* Removes an entry that was not sent after all, or that the person has given up. */
bool outbox_remove(struct state *state, int64_t number, struct err *err);
/* Removes the entries of messages that were to be sent together: all or none. */
bool outbox_remove_all(struct state *state, const int64_t *numbers, size_t count, struct err *err);
/* The result of the last check of a message that left the outbox. The numbers are stored. */
enum sent_delivery {
    SENT_THERE = 0,
    SENT_TAKEN = 1,       /* by its reader */
    SENT_LOST = 2,        /* overwritten, and given up by the person */
    SENT_UNCONFIRMED = 3, /* its file was gone or damaged; given up by the person */
};

/* For a message that was sent: moves it from the outbox to the sent messages, under its final id,
 * in one transaction. So a message that was delivered and then taken can be told from one that
 * was never sent. */
bool outbox_done(struct state *state, int64_t number, struct span id, enum sent_delivery delivery,
                 int64_t now_us, struct err *err);

/* Limits for the messages that left the outbox delivered: only the newest are kept, and not for
 * ever. */
#define SENT_KEPT_US (INT64_C(90) * 86400 * 1000000)
enum { SENT_KEPT = 10000 };

struct sent_entry {
    struct span format, root, team, box, id, from, to, subject;
    struct span mailing; /* as in the outbox */
    int64_t created_us, delivered_us;
    enum sent_delivery delivery;
    int64_t delivery_us; /* when that was found; 0 for SENT_THERE */
};

/* Sent messages in the order of their delivery. Zero-initialised is empty and valid. */
struct sent_list {
    struct arena arena;
    struct sent_entry *items;
    size_t count, cap;
};

/* Reads the sent messages. Replaces `out`; the caller frees it, also after a failure. */
bool sent_read(struct state *state, struct sent_list *out, struct err *err);
void sent_list_free(struct sent_list *sent);

#endif
