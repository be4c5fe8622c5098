/* What is said at the foot: sentences that last until the next key, and failures, which last until
 * they can have been read. No curses. */
#ifndef UI_SAYING_H
#define UI_SAYING_H

#include "base/str.h"
#include "mail/page/look.h"

#include <stdint.h>

/* So long a failure is there before a key takes it away. */
#define SAYING_MOMENT_US INT64_C(700000)

/* Zero-initialised is empty and valid. */
struct saying {
    struct str said;
    enum look look;
    struct str failed;
    bool shown;       /* the failure is on the screen ... */
    int64_t shown_us; /* ... since then, by the steady clock */
};

void saying_free(struct saying *saying);

/* The last of each kind counts: a sentence does not take the place of a failure. */
void saying_say(struct saying *saying, enum look look, const char *text);
void saying_fail(struct saying *saying, const char *text);

/* The failure was drawn; a key was pressed. */
void saying_show(struct saying *saying, int64_t now_us);
void saying_key(struct saying *saying, int64_t now_us);

#endif
