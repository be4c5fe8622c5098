/* Work on the outbox while the program runs: sent messages are checked, vanished ones written
 * again, and queued ones sent when their slot is free. */
#ifndef UI_SNAPSHOT_OUTBOX_WORKER_H
#define UI_SNAPSHOT_OUTBOX_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agent_directory;
struct ui;

struct outbox_workers {
    bool *queued; /* for each source: something waits there for a place */
    size_t source_count;
    bool busy, again; /* they are being run; and something has changed since */
    int64_t due_us;   /* when to run them again, by the steady clock; or TIME_NONE */
};

void outbox_worker_open(struct ui *ui);
void outbox_worker_close(struct ui *ui);

/* The outbox may have changed; and mail of a source has. Both return at once. */
void outbox_worker_known(struct ui *ui, const struct agent_directory *world);
void outbox_worker_mail(struct ui *ui, uint32_t source);

/* In how many microseconds there is something to do, and beginning to do it. */
int64_t outbox_worker_due_us(const struct ui *ui);
void outbox_worker_work(struct ui *ui);

#endif
