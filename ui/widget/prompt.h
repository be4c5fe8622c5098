/* The prompt: one line at the foot that is being typed, with completion and history. */
#ifndef UI_WIDGET_PROMPT_H
#define UI_WIDGET_PROMPT_H

#include "ui/term/grid.h"
#include "ui/ui.h"
#include "ui/widget/completion.h"
#include "ui/widget/history.h"

struct prompt;

/* All of them are given the context. */
struct prompt_spec {
    const char *label; /* before the line */
    int history;       /* enum history_kind of its lines; -1: none are kept */
    const char *hint;  /* shown while the line is empty; or NULL */
    bool words; /* it is written to somebody: what was typed is in the history, and on disk, also
                 * when it was given up; an editor may make several lines of it */
    /* After each change, for what is done while typing. May be NULL. */
    void (*changed)(struct ui *ui, void *context, struct span text);
    /* What was typed is to be done. False: it cannot be (a reason was said), the line stays. */
    bool (*accept)(struct ui *ui, void *context, struct span text);
    /* It was given up. May be NULL. */
    void (*cancel)(struct ui *ui, void *context);
    /* Adds what the word that ends at the cursor may become; *from is where it starts. May be NULL.
     */
    void (*complete)(struct ui *ui, void *context, struct span before_cursor, size_t *from,
                     struct completion *completion);
    /* Frees the context, last. May be NULL. */
    void (*free)(void *context);
};

/* Opens a line; one that was open is given up. The spec must live as long. */
void ui_prompt(struct ui *ui, const struct prompt_spec *spec, struct span initial, void *context);

/* Asks a question that only the key y says yes to. `yes` takes the context and frees it; `no` frees
 * it; either may be NULL. */
void ui_confirm(struct ui *ui, const char *question, void (*yes)(struct ui *ui, void *context),
                void (*no)(void *context), void *context);

/* Completes what was to be completed when there was nothing to do it with yet, unless something
 * else was typed since. */
void prompt_complete_again(struct ui *ui);

/* When what is being typed is to be kept, TIME_NONE: never; keeping it. */
int64_t prompt_due_us(const struct ui *ui);
void prompt_work(struct ui *ui);

/* For the loop. */
void prompt_draw(struct ui *ui, struct grid *grid, const struct area *line);
void prompt_key(struct ui *ui, uint32_t key);
void prompt_type(struct ui *ui, struct span text);
void prompt_free(struct prompt *prompt);

/* For who reads whole lines: what is asked, cleaned; the answer, of which an empty one leaves a
 * line as it stands and y or yes agrees to a question; giving it up. */
void prompt_add_question(const struct ui *ui, struct str *out);
void prompt_answer(struct ui *ui, struct span line);
void prompt_give_up(struct ui *ui);

#endif
