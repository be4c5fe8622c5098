/* Requests: what somebody wants decided, with the very bytes that say so and what is to be known
 * before an answer.
 *
 * A request is bound to its bytes: the sum is taken over all of them as they lie in their file, but
 * for the members that tell the message's state, so that reading it is no change. */
#ifndef STORE_DECIDE_REQUEST_SNAPSHOT_H
#define STORE_DECIDE_REQUEST_SNAPSHOT_H

#include "base/file/file.h"
#include "mail/message/message.h"
#include "store/send/send_hooks.h"
#include "store/source/source.h"

enum { REQUEST_SUM = 64 };

struct request {
    struct message *message; /* whole; its place is the head's */
    struct span raw;         /* its bytes: of its file, or of its part of it */
    size_t at;               /* where in the file they start */
    struct file_id file;     /* as it was read, */
    bool settled;            /* when its last change was so long ago that another one would show */
    char sha256[REQUEST_SUM + 1];
    struct span directory; /* where the asking agent works, as its roster says; or absent */
    const char *decider;   /* who decides it, when no answer from here can; or NULL */
    struct span refusal;   /* why it must not be said yes to; absent: nothing hinders */
    bool refused_unread;   /* it is refused because something could not be read */
    struct span_list
        flags;            /* short phrases: what is dangerous in it, what is odd about its sender */
    struct span in_short; /* the same in a few words, without what is as it should be; or absent */
    bool doubtful;        /* a program would act on it, and its sender is not who it seems */
    const struct err *err; /* NULL, or why it cannot be had: nothing else counts then */
};

struct store;

/* A file that was read. */
struct request_file;

/* Zero-initialised is empty and valid. */
struct requests {
    struct request *items; /* as many as were asked for, in their order */
    size_t count;
    struct request_file *files;
    size_t file_count, file_cap;
    struct arena arena;
};

void requests_free(struct requests *requests);

/* Reads them all, each file once. `sources` are the store's. On the storage thread. */
void requests_read(struct requests *requests, const struct source *sources,
                   struct message *const *heads, size_t count);

/* Whether a program takes the answer; else it is words, and nothing enforces them. */
bool request_is_native(const struct request *request);
#define REQUEST_UNENFORCED "words for the agent: no program enforces it"

/* Whether the file that a request was read from is the same, by when it changed last: quick, and
 * false when in doubt. */
bool request_is_untouched(const struct source *source, const struct request *request);
/* Only whether a request still has these bytes; SEND_NO with the reason, ERR_REFUSED. Its file may
 * be half written just now: that is waited for, or SEND_AGAIN. */
enum guard_answer request_is_same(const struct source *source, const struct message *head,
                                  const char *sha256, bool wait, struct err *err);

/* Reads requests as they lie there now. The caller frees them. */
bool store_requests(struct store *store, struct message *const *heads, size_t count,
                    struct requests *requests, struct err *err);

#endif
