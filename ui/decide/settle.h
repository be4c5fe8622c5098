/* Settling: bytes can be approved only after they were on the screen long enough to be read.
 *
 * A screen that asks for decisions owns a `struct settle`. The time counts from the end of the
 * first frame that showed the bytes, and only while each later frame shows them, too. A change that
 * the person did not make must also be acknowledged, and keys that were typed before it was drawn
 * are dropped. No curses. */
#ifndef UI_DECIDE_SETTLE_H
#define UI_DECIDE_SETTLE_H

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "store/decide/request_snapshot.h"

struct ui;

/* Zero-initialised: nothing was drawn yet. */
struct settle {
    uint64_t frame;   /* the last frame that drew the bytes; 0: none since they changed */
    int64_t since_us; /* end of the first of these frames, by the steady clock; 0: not yet */
    unsigned resumes; /* value of ui->terminal.resumes in that frame */
    bool changed;     /* true if the bytes changed and the person has not acknowledged it */
};

/* Restarts: the person went to something else. */
void settle_restart(struct settle *settle);
/* Restarts: the bytes changed without the person. */
void settle_change(struct settle *settle, struct ui *ui);
/* Must be called whenever the bytes are drawn. */
void settle_draw(struct settle *settle, const struct ui *ui);

/* Returns how long the bytes still have to be on the screen; 0: they can be approved. */
int64_t settle_left_us(const struct settle *settle, const struct ui *ui);
/* Like settle_left_us(), but TIME_NONE if waiting alone changes nothing. For the event loop. */
int64_t settle_due_us(const struct settle *settle, const struct ui *ui);
/* True if the bytes can be approved now; else ERR_REFUSED with the reason. */
bool settle_allows(const struct settle *settle, const struct ui *ui, struct err *err);

/* The requests that were drawn, with the hashes of their bytes. Zero-initialised is empty. */
struct drawn_requests {
    struct map sums; /* from identity_of() to an index into `items` */
    char (*items)[REQUEST_SUM + 1];
    size_t count, cap;
    struct arena arena;
};

void drawn_requests_free(struct drawn_requests *drawn);
void drawn_requests_add(struct drawn_requests *drawn, const struct request *request);
/* True if this request was drawn with other bytes: an answer could be meant for those. */
bool drawn_requests_differ(const struct drawn_requests *drawn, const struct request *request);
#define DRAWN_DIFFERENTLY "its request id was shown with other bytes before"

#endif
