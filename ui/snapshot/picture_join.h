/* A picture out of parts: what was made of each part of the mail, put one behind the other, and
 * what can only be told from all of it. No curses. */
#ifndef UI_SNAPSHOT_PICTURE_JOIN_H
#define UI_SNAPSHOT_PICTURE_JOIN_H

#include "ui/snapshot/picture.h"

/* Fills the model, the sight and the order of a picture; see picture_build(). */
void picture_join(struct picture *picture, const struct sight_parts *parts,
                  struct agents_world *world, int64_t now_us);

#endif
