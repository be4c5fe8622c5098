/* The outbox: every message is noted before it is written, and checked afterwards. */
#ifndef STORE_SEND_OUTBOX_H
#define STORE_SEND_OUTBOX_H

#include "store/send/deliver.h"

/* Returns how often an overwritten message is written again automatically. */
int outbox_rewrites(const struct format *format);
/* Returns the problem to report when that did not help. */
const char *outbox_vanished(const struct format *format);
/* The problem of a message whose file is gone, or damaged for good. */
extern const char outbox_unconfirmed[];

/* Notes the messages before anything is written, and fills in their numbers. On failure nothing may
 * be sent. */
bool outbox_note(const struct delivery *how, const struct outgoing_message *letters,
                 struct outgoing_file *outgoing_files, size_t count, struct err *err);

/* True if an older message waits for the same slot: a new one must be queued after it. */
bool outbox_has_queue(const struct delivery *how, const struct outgoing_file *outgoing);

/* Notes that a message is in its array, and what later checks compare with: if this process is
 * killed before them, the next one knows as much. */
void outbox_note_written(const struct delivery *how, const struct outgoing_file *outgoing);

/* Pause between the two checks that decide whether a message was overwritten: longer than agents
 * wait before they read their mailbox again. */
#define OUTBOX_SUSPECT_US INT64_C(1700000)

/* Checks if a written message is still in its place. If its entry of an array is missing, its
 * reader took it, unless two checks have found everything as a writer leaves it that did not know
 * of the entry; `outgoing` remembers the first check. In a slot, which we fill only while it is
 * empty, another message of ours, or a copy of this one that was archived here, means that it was
 * taken; a message of another program may have been written over it. Never returns
 * OUTGOING_FILE_MISSING. */
enum outgoing_file_seen outbox_check(struct state *state, struct outgoing_file *outgoing,
                                     struct log *log);

/* Settles what became of the messages: removes those that are done, keeps those that wait for a
 * free slot or for another check, and checks what was written to shared files, as often as
 * `how->verify` says. `ok` and `err` are the result of writing; returns the overall result. */
bool outbox_finish(const struct delivery *how, struct outgoing_message *letters,
                   struct outgoing_file *outgoing_files, size_t count, bool ok, struct err *err);

/* Does what is due: second checks, writing overwritten messages again, filling slots that are free
 * again. Opens the sources that it needs. Keeps problems with the entries. Changes nothing in the
 * state when there is nothing to do, so that it can be called on every change of the state. */
void outbox_work(struct state *state, struct log *log);
/* Returns when outbox_work() has something to do again, at the latest; TIME_NONE if nothing is on
 * its way. A message that waits for a slot goes out as soon as the slot is free only if a caller
 * who watches it calls outbox_work() sooner. */
int64_t outbox_next_us(struct state *state, int64_t now_us, struct log *log);

/* Writes one entry again that was interrupted or given up. ERR_ABSENT without such an entry. */
bool outbox_retry(struct state *state, int64_t number, struct log *log, struct err *err);

#endif
