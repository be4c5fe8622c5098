/* Request snapshots: requests with their exact bytes and what a person must know before answering.
 *
 * A request is bound to its bytes: the sum is computed over all of them as they are in their file,
 * except the members that hold the message's state, so that reading it is no change. */
#ifndef STORE_DECIDE_REQUEST_SNAPSHOT_H
#define STORE_DECIDE_REQUEST_SNAPSHOT_H

#include "base/file/file.h"
#include "mail/message/message.h"
#include "store/send/deliver.h"
#include "store/source/source.h"

enum { REQUEST_SUM = 64 };

struct request_snapshot {
    struct message *message; /* complete; its place is that of the head */
    struct span raw;         /* its bytes: the file, or its part of it */
    size_t at;               /* offset of these bytes in the file */
    struct file_id file;     /* when it was read */
    bool settled;            /* its last change is so old that another change would be visible */
    char sha256[REQUEST_SUM + 1];
    struct span directory;  /* where the sender works, by its roster; or absent */
    const char *decider;    /* who decides it, if no answer from here can; or NULL */
    struct span refusal;    /* why it must not be approved; absent: nothing against it */
    bool refused_unread;    /* refused because something could not be read */
    struct span_list flags; /* short phrases: its risks, and oddities of its sender */
    struct span in_short;   /* the flags in a few words, without what is normal; or absent */
    bool doubtful;          /* a program would act on it, and its sender is doubtful */
    const struct err *err;  /* NULL, or why it cannot be read: then nothing else counts */
};

struct store;

/* A file that was read. */
struct request_file;

/* Zero-initialised is empty and valid. */
struct request_snapshots {
    struct request_snapshot *items; /* as many as the heads, in the same order */
    size_t count;
    struct request_file *files;
    size_t file_count, file_cap;
    struct arena arena;
};

void request_snapshots_free(struct request_snapshots *requests);

/* Reads them all, each file once. `sources` are those of the store. Call it on the storage
 * thread. */
void requests_read(struct request_snapshots *requests, const struct source *sources,
                   struct message *const *heads, size_t count);

/* True if a program takes the answer; otherwise the answer is words that nothing enforces. */
bool request_is_native(const struct request_snapshot *request);
#define REQUEST_UNENFORCED "words for the agent: no program enforces it"

/* True if the file of a request is unchanged, by the time of its last change of any kind, which
 * nobody can set back. Quick. False when in doubt: a file that had just been changed when it was
 * read can change again without a new time. */
bool request_is_untouched(const struct source *source, const struct request_snapshot *request);
/* Checks only that a request still has these bytes; SEND_NO with the reason, ERR_REFUSED. Its file
 * may be half written just now: waits for that with `wait`, else returns SEND_AGAIN. */
enum send_answer request_is_same(const struct source *source, const struct message *head,
                                 const char *sha256, bool wait, struct err *err);

/* Reads requests as they are now. The caller frees them. */
bool store_requests(struct store *store, struct message *const *heads, size_t count,
                    struct request_snapshots *requests, struct err *err);

#endif
