/* The outbox: every message is noted before it is written, and looked for afterwards. */
#ifndef STORE_SEND_OUTBOX_H
#define STORE_SEND_OUTBOX_H

#include "store/send/deliver.h"

/* So often a message that was overwritten is written again by itself. */
int outbox_rewrites(const struct format *format);
/* What is said when that did not help. */
const char *outbox_vanished(const struct format *format);
/* What is said of a message whose file is gone, or damaged for good. */
extern const char outbox_unconfirmed[];

/* Notes the parcels before anything is written. */
bool outbox_note(const struct delivery *how, const struct outgoing_message *letters,
                 struct parcel *parcels, size_t count, struct err *err);

/* Whether an older message waits for the same slot: a new one goes behind it. */
bool outbox_has_queue(const struct delivery *how, const struct parcel *parcel);

/* Notes that a parcel is in its array, and what later looks are judged by: should the process be
 * killed before them, the next one knows as much. */
void outbox_note_written(const struct delivery *how, const struct parcel *parcel);

/* Between two looks that decide whether a message was overwritten: longer than agents wait before
 * they look into their mailbox again. */
#define OUTBOX_SUSPECT_US INT64_C(1700000)

/* Whether a written parcel is still where it was put. An entry of an array that is gone was taken
 * by its reader, unless two looks have found everything as a writer leaves it that did not know of
 * it; the parcel remembers the first. In a slot, which we fill only while it is empty, another
 * message of ours says that this one was taken; one of somebody else may have been written over it.
 * Never OUTGOING_FILE_MISSING. */
enum outgoing_file_seen outbox_look(struct state *state, struct parcel *parcel, struct log *log);

/* Settles what became of them: takes those off that are done, keeps those that wait for a free slot
 * or for another look, and looks for what was written to shared files, as often as `how` says. `ok`
 * and `err` are how writing went; returns how it all went. */
bool outbox_finish(const struct delivery *how, struct outgoing_message *letters,
                   struct parcel *parcels, size_t count, bool ok, struct err *err);

/* Does what is due: second looks, writing again what was overwritten, slots that are free again.
 * Opens the sources it needs by itself. Problems are kept with the entries. Changes nothing in the
 * state where there is nothing to do, so that whoever is told of changes can call it for each of
 * them. */
void outbox_work(struct state *state, struct log *log);
/* When it has something to do again, at the latest; TIME_NONE: nothing is on its way. What waits
 * for a slot goes out as soon as that is free only if somebody who sees it calls sooner. */
int64_t outbox_next_us(struct state *state, int64_t now_us, struct log *log);

/* Writes one entry that was interrupted or given up once more; ERR_ABSENT without such an entry. */
bool outbox_retry(struct state *state, int64_t number, struct log *log, struct err *err);

#endif
