/* Shared by the tests of watching: a watched mailbox, mail for it, and waiting until the live
 * picture is the one of a load. */
#ifndef TESTS_WATCHED_H
#define TESTS_WATCHED_H

#include "world.h"

#include "mail/live/live.h"
#include "store/worker.h"

#include <time.h>

/* A limit for a hanging test; no correct one waits that long. */
enum { WATCHED_LIMIT_S = 20 };

extern struct watched {
    struct worker *worker;
    struct live *live;
    size_t known, ready; /* number of reports */
} watched;

/* Opens the world of that format and watches it. */
void watched_start(size_t index, bool poll);
/* Watches the world's store, for a new picture. poll: without inotify. */
void watched_watch(bool poll);
void watched_stop(void);
/* Returns the index of a format by its name. */
size_t watched_index_of(const char *name);

void watched_take_news(void);
/* Waits for news, a little; returns false when the time is over. */
bool watched_wait(time_t end);
/* Waits until the picture is the one of a load; returns the number of messages. */
size_t watched_settle(const char *when);

void watched_post(const char *to);
void watched_post_some(void);
/* Copies the path of the first message in the inboxes. */
void watched_first_path(char *path, size_t size);

#endif
