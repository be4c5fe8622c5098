/* The prompt, inside. */
#ifndef UI_WIDGET_PROMPT_PRIVATE_H
#define UI_WIDGET_PROMPT_PRIVATE_H

#include "ui/ui_private.h"

struct prompt {
    const struct prompt_spec *spec; /* NULL: a question */
    void *context;
    struct edit edit;
    struct history_walk walk;
    struct completion completion;
    bool completing;
    size_t from;        /* where the word that is completed starts */
    bool waits;         /* it is completed when what there is was found, ... */
    uint64_t waited;    /* ... should it still be this version */
    struct str kept;    /* of what was typed, what is in the history */
    int64_t changed_us; /* since when that is not all of it; 0: it is */
    struct str question;
    void (*yes)(struct ui *ui, void *context);
    void (*no)(void *context);
};

/* After each change of the line: whoever opened it is told. */
void prompt_changed(struct ui *ui);

/* Completes the word at the cursor, or goes on to what else fits; and no more. */
void prompt_complete(struct ui *ui, bool forward);
void prompt_stop_completing(struct prompt *prompt);

#endif
