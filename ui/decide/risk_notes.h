/* Notes of the queue: the risks of each request in a few words.
 *
 * They are found by reading the requests on another thread, and only if one of them is new or has
 * changed. */
#ifndef UI_DECIDE_RISK_NOTES_H
#define UI_DECIDE_RISK_NOTES_H

#include "base/map.h"
#include "ui/ui.h"

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

#endif
