/* Watching the sources: the thread of a worker notices changes and reports them.
 *
 * Each directory is watched before it is scanned, so that no change is missed. Trees for which the
 * kernel cannot report changes are scanned every second. */
#ifndef STORE_WATCH_WATCH_H
#define STORE_WATCH_WATCH_H

#include "store/store.h"

struct agent_directory;
struct confine;
struct watch;

struct watch_options {
    unsigned want;               /* enum message_want of the messages that are reported */
    unsigned want_shared;        /* added to it for files that hold many messages */
    bool poll;                   /* check every second instead of using notifications */
    const struct config *config; /* borrowed; NULL: do not report what is known of agents */
    /* The sandbox of the process, borrowed; NULL if there is none. A root that comes back outside
     * of it stays lost. */
    const struct confine *confine;
    /* Report no messages of a source as vanished while the source itself is absent: the caller
     * keeps showing them. */
    bool keep_gone;
};

enum news_kind {
    NEWS_UPDATE, /* files of a source were found or have changed */
    NEWS_READY,  /* everything that was present at the start has been reported */
    NEWS_KNOWN,  /* rosters, tasks or the outbox changed, or may have; see agent_directory.h */
    NEWS_KEPT,   /* drafts or snoozes changed, or may have; not reported before NEWS_READY */
    NEWS_HEALTH, /* the way a source is watched has changed; the text says how */
    NEWS_SOURCE, /* a source disappeared, came back or is new; the text says which */
    NEWS_DONE,   /* work of worker_begin() has ended */
};

struct news {
    enum news_kind kind;
    uint32_t source; /* NEWS_HEALTH, NEWS_SOURCE; UINT32_MAX if it is not among the
                      * sources */
    char *text;      /* NEWS_HEALTH, NEWS_SOURCE */
    bool gone;       /* NEWS_SOURCE: it cannot be read, or is absent */
    bool reopen;     /* NEWS_SOURCE: it can be read after all sources are opened anew */
    struct agent_directory *world; /* NEWS_KNOWN */
    struct update update;          /* NEWS_UPDATE */
    void *done;                    /* NEWS_DONE: the context of the work; not freed with the news */
};

void news_free(struct news *news);

/* Starts to watch all sources, scans them and reports everything that exists: `post` takes
 * ownership of the news. All functions here run on the thread that owns the store. */
struct watch *watch_start(struct store *store, const struct watch_options *options,
                          void (*post)(void *context, const struct news *news), void *context);
void watch_stop(struct watch *watch);

/* Return what to wait for: a descriptor that becomes readable, or -1; and the time until the next
 * action is due, -1 for never. */
int watch_fd(const struct watch *watch);
int watch_timeout_ms(const struct watch *watch);

/* Does everything that is due now. */
void watch_work(struct watch *watch);

#endif
