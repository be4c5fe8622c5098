/* What the tests of watching share: a mailbox that is watched, mail for it, and waiting until the
 * live picture is what a load gives. */
#ifndef TESTS_WATCHED_H
#define TESTS_WATCHED_H

#include "world.h"

#include "mail/live/live.h"

#include <time.h>

/* A limit for what hangs; nothing is ever waited for that long otherwise. */
enum { WATCHED_LIMIT_S = 20 };

extern struct watched {
    struct live *live;
    size_t known, ready; /* how often it was said */
} watched;

/* Opens the world of that format and watches it. */
void watched_start(size_t index, bool poll);
/* Watches the world's store, for a new picture. poll: by looking only. */
void watched_watch(bool poll);
void watched_stop(void);
/* Of a format, by its name. */
size_t watched_index_of(const char *name);

void watched_take_news(void);
/* Waits for news, a little; false when the time is over. */
bool watched_wait(time_t end);
/* Waits until the picture is what a load gives; how many messages there are. */
size_t watched_settle(const char *when);

void watched_post(const char *to);
void watched_post_some(void);
/* The first message of the inboxes; copied, as the model goes. */
void watched_first_path(char *path, size_t size);

#endif
