/* A request on a page. A decision is bound to the bytes that are drawn here. */
#ifndef UI_DECIDE_REQUEST_VIEW_H
#define UI_DECIDE_REQUEST_VIEW_H

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "store/decide/request_snapshot.h"
#include "ui/ui.h"
#include "ui/widget/pager.h"

/* Notes of the queue: the risks of each request in a few words.
 *
 * They are found by reading the requests on another thread, and only if one of them is new or has
 * changed. */

struct decide_note {
    uint32_t print;   /* hash of the message that it belongs to */
    struct span text; /* absent: no risks */
};

/* Zero-initialised is empty and valid. */
struct decide_notes {
    struct map numbers; /* from the key of a request to its item */
    struct decide_note *items;
    size_t count, cap;
    struct arena arena;
    bool asked; /* true while a task finds them */
};

void risk_notes_free(struct decide_notes *notes);

/* Finds the notes of these requests (indices into the model), unless all of them are known. `notes`
 * must be a part of the screen, which is renewed when they have been found. */
void risk_notes_find(struct decide_notes *notes, struct screen *screen, const uint32_t *requests,
                     size_t count);

/* Returns the note; absent if there is none, or if it is not known yet. */
struct span risk_notes_of(const struct decide_notes *notes, struct span key);

/* Settling: bytes can be approved only after they were on the screen long enough to be read.
 *
 * A screen that asks for decisions owns a `struct settle`. The time counts from the end of the
 * first frame that showed the bytes, and only while each later frame shows them, too. A change that
 * the person did not make must also be acknowledged, and keys that were typed before it was drawn
 * are dropped. No curses. */

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
void drawn_requests_add(struct drawn_requests *drawn, const struct request_snapshot *request);
/* True if this request was drawn with other bytes: an answer could be meant for those. */
bool drawn_requests_differ(const struct drawn_requests *drawn,
                           const struct request_snapshot *request);
#define DRAWN_DIFFERENTLY "its request id was shown with other bytes before"

enum { REQUEST_VIEW_SUGGESTIONS = 16 };

/* Zero-initialised shows nothing. */
struct request_page {
    struct str key;          /* of the request to show; empty: none */
    uint32_t print;          /* hash of its bytes, as the snapshot has it */
    uint64_t decided;        /* value of ui->decided when it was last read */
    uint64_t asked, fetches; /* asked: number of the fetch in progress, 0: none; fetches: number
                              * begun */
    struct request_snapshots
        requests;             /* the request, and the plan that it replaces, or its answer */
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
const struct request_snapshot *request_view_request(const struct request_page *shown);
/* Return how many suggestions it has, at most REQUEST_VIEW_SUGGESTIONS, and how many are chosen. */
size_t request_view_suggestions(const struct request_page *shown);
size_t request_view_chosen(const struct request_page *shown);

void request_view_draw(struct request_page *shown, struct screen *screen, struct grid *grid,
                       const struct area *area);
/* Scrolls, wraps, shows raw bytes or all fields; false for anything else. */
bool request_view_act(struct request_page *shown, enum action action);

#endif
