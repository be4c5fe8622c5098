/* A request on a page. A decision is bound to the bytes that are drawn here. */
#ifndef UI_DECIDE_REQUEST_VIEW_H
#define UI_DECIDE_REQUEST_VIEW_H

#include "store/decide/request_snapshot.h"
#include "ui/decide/settle.h"
#include "ui/ui.h"
#include "ui/widget/pager.h"

enum { REQUEST_VIEW_SUGGESTIONS = 16 };

/* Zero-initialised shows nothing. */
struct request_page {
    struct str key;           /* of the request to show; empty: none */
    uint32_t print;           /* hash of its bytes, as the snapshot has it */
    uint64_t decided;         /* value of ui->decided when it was last read */
    uint64_t asked, fetches;  /* asked: number of the fetch in progress, 0: none; fetches: number
                               * begun */
    struct requests requests; /* the request, and the plan that it replaces, or its answer */
    struct arena arena;       /* of the message heads, which `requests` borrow from */
    struct span_list earlier; /* earlier decisions for the same agent; in `texts` */
    struct arena texts;
    uint64_t stamp; /* changes whenever the page shows other bytes */
    struct settle settle;
    bool seen_end;   /* true if the last line was on the screen */
    struct str gone; /* reason why the request is not open any more; empty: it is open */
    bool show_raw, all_fields;
    bool forged;                   /* true for a lead command that is not ours */
    bool answered, answered_alarm; /* answered: in the person's name, not from here; answered_alarm:
                                    * as an alarm */
    bool chosen[REQUEST_VIEW_SUGGESTIONS];
    struct str amended;             /* the changed input; empty: the request's own */
    struct span_list amended_flags; /* risks of the changed input; in `amended_arena` */
    struct arena amended_arena;
    struct str unfinished; /* the text from the editor, if it was not a valid input */
    struct str problem;    /* reason why it cannot be shown */
    struct pager pager;
};

void request_view_free(struct request_page *shown);

/* Sets whether the request shown next was answered in the person's name, but not from here. Must be
 * called before request_view_show(). */
void request_view_answered(struct request_page *shown, bool answered, bool alarm);

/* Shows this request of the snapshot from now on; NULL: none. `before` is the plan that it
 * replaces, or NULL; for an answered request it is the answer. `asked` is true if the person went
 * there. `shown` must be a part of the screen. */
void request_view_show(struct request_page *shown, struct screen *screen,
                       const struct message *message, const struct message *before, bool asked);
/* Marks the request as gone for that reason. It stays on the page. */
void request_view_set_gone(struct request_page *shown, struct screen *screen, const char *why);

/* Notes that the person has seen the change; false if there was none. */
bool request_view_acknowledge(struct request_page *shown);

/* Sets the input to grant instead of the request's own; absent: its own. */
void request_view_amend(struct request_page *shown, struct span input);

/* Returns the request that is shown; NULL while it is being read. */
const struct request *request_view_request(const struct request_page *shown);
/* Return how many suggestions it has, at most REQUEST_VIEW_SUGGESTIONS, and how many are chosen. */
size_t request_view_suggestions(const struct request_page *shown);
size_t request_view_chosen(const struct request_page *shown);

void request_view_draw(struct request_page *shown, struct screen *screen, struct grid *grid,
                       const struct area *area);
/* Scrolls, wraps, shows raw bytes or all fields; false for anything else. */
bool request_view_act(struct request_page *shown, enum action action);

#endif
