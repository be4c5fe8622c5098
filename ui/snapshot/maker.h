/* The maker: keeps the live mail on a thread of its own and makes pictures of it, so that no key
 * waits for one.
 *
 * News is taken in as it comes, and a picture is made of all of it when that is due. At most two
 * pictures are out at a time, the one that is shown and the one that is to follow it: the next is
 * made when the first of them was given back. No curses. */
#ifndef UI_SNAPSHOT_MAKER_H
#define UI_SNAPSHOT_MAKER_H

#include "ui/snapshot/picture.h"

struct maker;

/* Starts the thread and gives the first picture, in which there is nothing. `now_us` is the time
 * for everything; TIME_NONE: the clock's. NULL when that cannot be had. */
struct maker *maker_start(int64_t now_us, struct picture **picture, struct err *err);
/* Ends it, and frees everything with the picture that is still out. NULL is fine. */
void maker_end(struct maker *maker, struct picture *picture);

/* Takes ownership of the news: an update, the agent directory, or that all mail is loaded. */
void maker_add(struct maker *maker, struct news *news);

/* Readable when there may be a new picture. */
int maker_fd(const struct maker *maker);
/* Replaces the snapshot that was in use, and returns that one to the thread: nothing may be
 * borrowed from it any more. False if there is no new one. */
bool maker_take(struct maker *maker, struct picture **picture);

#endif
