/* Settling: a yes counts only for bytes that were on the screen long enough to be read.
 *
 * A screen that asks for decisions owns a `struct settle`. The time counts from the end of the
 * first frame that showed the bytes, and only while each frame after it shows them, too. A change
 * that the person did not make must also be acknowledged, and keys that were typed before it was
 * drawn are dropped. No curses. */
#ifndef UI_DECIDE_SETTLE_H
#define UI_DECIDE_SETTLE_H

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "store/decide/request_snapshot.h"

struct ui;

/* Zero-initialised: nothing was drawn yet. */
struct settle {
    uint64_t frame;   /* the last frame that drew it; 0: none since it became what it is */
    int64_t since_us; /* when the first of these frames was on the screen; 0: not yet */
    unsigned resumes; /* how often the terminal had come back to us by then */
    bool changed;     /* somebody else changed it, and the person has not acknowledged that */
};

/* The next frame shows something else because the person went there. */
void settle_restart(struct settle *settle);
/* The next frame shows something else, and the person did not ask for it. */
void settle_change(struct settle *settle, struct ui *ui);
/* To be called whenever the bytes are drawn. */
void settle_draw(struct settle *settle, const struct ui *ui);

/* How long it still has to be on the screen; 0: a yes counts. */
int64_t settle_left_us(const struct settle *settle, const struct ui *ui);
/* The same for a loop: TIME_NONE where nothing changes by waiting. */
int64_t settle_due_us(const struct settle *settle, const struct ui *ui);
/* Whether a yes counts now; else ERR_REFUSED with the reason. */
bool settle_allows(const struct settle *settle, const struct ui *ui, struct err *err);

/* The requests that were drawn, each with the sum of its bytes. Zero-initialised is empty. */
struct drawn_requests {
    struct map sums; /* by source, team, sender and id; an index into `items` */
    char (*items)[REQUEST_SUM + 1];
    size_t count, cap;
    struct arena arena;
};

void drawn_requests_free(struct drawn_requests *drawn);
void drawn_requests_add(struct drawn_requests *drawn, const struct request *request);
/* Whether the id of this request was drawn with other bytes: an answer could be taken for those. */
bool drawn_requests_differ(const struct drawn_requests *drawn, const struct request *request);
#define DRAWN_DIFFERENTLY "its request id was shown with other bytes before"

#endif
