/* Changes since the first complete snapshot, for notifications, hooks and the line before a prompt.
 * The mail present at the start is never reported. */
#ifndef UI_SNAPSHOT_CHANGES_FEED_H
#define UI_SNAPSHOT_CHANGES_FEED_H

#include "mail/live/live.h"
#include "mail/live/vanished.h"
#include "mail/thread/alert.h"
#include "ui/process/notify.h"

struct ui;

/* A message that came, as it came. */
struct change_event {
    struct str key;
    struct str object; /* for hooks; or empty */
};

/* Zero-initialised is empty and valid. */
struct changes_feed {
    struct notify notify;
    struct alerts_reported told;
    struct vanished gone;       /* messages that may only be on their way somewhere else */
    struct change_event *fresh; /* messages since the open requests were checked last */
    size_t fresh_count, fresh_cap;
    size_t fresh_told; /* how many of these were reported */
    bool begun;        /* true after the state at the start was noted */
    int64_t check_us;  /* time of the next check of open requests, by the steady clock; or
                        * TIME_NONE */
};

void changes_feed_open(struct ui *ui);
void changes_feed_close(struct ui *ui);

/* Another picture is shown. */
void changes_feed_renew(struct ui *ui);
/* In how many microseconds there is something to do, and doing it. */
int64_t changes_feed_due_us(const struct ui *ui);
void changes_feed_work(struct ui *ui);

#endif
