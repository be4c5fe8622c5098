/* Notes of the queue: what is to be known of each request, in a few words, before it is opened.
 *
 * They are found by reading the requests on another thread, and only when one of them is new or has
 * changed. */
#ifndef UI_DECIDE_RISK_NOTES_H
#define UI_DECIDE_RISK_NOTES_H

#include "base/map.h"
#include "ui/ui.h"

struct decide_note {
    uint32_t print;   /* of the message that it was found for */
    struct span text; /* absent: nothing is odd */
};

/* Zero-initialised is empty and valid. */
struct decide_notes {
    struct map numbers; /* from the key of a request to its item */
    struct decide_note *items;
    size_t count, cap;
    struct arena arena;
    bool asked; /* they are being found */
};

void risk_notes_free(struct decide_notes *notes);

/* Finds the notes of these requests, numbers of messages in the picture, unless all of them are
 * known. They are a part of the screen, which is renewed when they have come. */
void risk_notes_find(struct decide_notes *notes, struct screen *screen, const uint32_t *requests,
                     size_t count);

/* Absent: there is none, or it is not known yet. */
struct span risk_notes_of(const struct decide_notes *notes, struct span key);

#endif
