/* A request that is shown: the bytes that are drawn are the ones that a decision is bound to. */
#ifndef UI_DECIDE_REQUEST_VIEW_H
#define UI_DECIDE_REQUEST_VIEW_H

#include "store/decide/request_snapshot.h"
#include "ui/decide/settle.h"
#include "ui/ui.h"
#include "ui/widget/pager.h"

enum { REQUEST_VIEW_SUGGESTIONS = 16 };

/* Zero-initialised shows nothing. */
struct request_page {
    struct str key;           /* of the request that is to be shown; empty: none */
    uint32_t print;           /* of its bytes, as the picture knows them */
    uint64_t decided;         /* how many decisions had come to an end when it was asked for */
    uint64_t asked, fetches;  /* the fetch that is waited for, 0: none; and how many were begun */
    struct requests requests; /* it, and the plan whose place it takes, or its answer */
    struct arena arena;       /* of their heads, which they borrow from */
    struct span_list earlier; /* what was decided for the same agent before; in `texts` */
    struct arena texts;
    uint64_t stamp; /* another one stands for other bytes */
    struct settle settle;
    bool seen_end;   /* the last line was on the screen */
    struct str gone; /* why the request does not wait any more, a sentence; empty: it does */
    bool show_raw, all_fields;
    bool forged;                   /* it is no request, but an order that is not ours */
    bool answered, answered_alarm; /* in the person's name, not from here */
    bool chosen[REQUEST_VIEW_SUGGESTIONS];
    struct str amended;             /* the input to be used instead; empty: the request's */
    struct span_list amended_flags; /* what to know of it; in an arena of its own */
    struct arena amended_arena;
    struct str unfinished; /* what an editor left instead of one, and could not be taken */
    struct str problem;    /* why it cannot be shown */
    struct pager pager;
};

void request_view_free(struct request_page *shown);

/* Says whether the request that is to be shown next was answered in the person's name, not from
 * here. */
void request_view_answered(struct request_page *shown, bool answered, bool alarm);

/* From now on this request of the picture; NULL: none. `before` is the plan whose place it takes,
 * or NULL; of one that was answered it is the answer. `asked` says whether the person went there.
 * It is a part of the screen. */
void request_view_show(struct request_page *shown, struct screen *screen,
                       const struct message *message, const struct message *before, bool asked);
/* The request that is shown has gone, for that reason: it stays on the page. */
void request_view_set_gone(struct request_page *shown, struct screen *screen, const char *why);

/* The person has seen that it changed; false when there was nothing to acknowledge. */
bool request_view_acknowledge(struct request_page *shown);

/* The input that is to be used instead of the request's own; absent: its own. */
void request_view_amend(struct request_page *shown, struct span input);

/* The request as it is drawn; NULL while it is being read. */
const struct request *request_view_request(const struct request_page *shown);
/* How many suggestions it has, of which so many are chosen. */
size_t request_view_suggestions(const struct request_page *shown);
size_t request_view_chosen(const struct request_page *shown);

void request_view_draw(struct request_page *shown, struct screen *screen, struct grid *grid,
                       const struct area *area);
/* Scrolling, wrapping, raw bytes, all fields; false for anything else. */
bool request_view_act(struct request_page *shown, enum action action);

#endif
