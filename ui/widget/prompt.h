/* The prompt: one line at the foot that is being typed, with completion and history. */
#ifndef UI_WIDGET_PROMPT_H
#define UI_WIDGET_PROMPT_H

#include "ui/term/grid.h"
#include "ui/ui.h"
#include "ui/widget/completion.h"

struct prompt;

/* All callbacks get the context. */
struct prompt_spec {
    const char *label; /* shown before the line */
    int history;       /* enum history_kind of its lines; -1: no history */
    const char *hint;  /* shown while the line is empty; or NULL */
    /* Text for somebody: it is in the history, and on disk, even if the prompt is given up; an
     * editor may add lines. */
    bool words;
    /* Called after each change, for effects while typing. May be NULL. */
    void (*changed)(struct ui *ui, void *context, struct span text);
    /* Called with the finished text. Returns false, after saying why, if it is not valid: the
     * prompt stays. */
    bool (*accept)(struct ui *ui, void *context, struct span text);
    /* Called when the prompt is given up. May be NULL. */
    void (*cancel)(struct ui *ui, void *context);
    /* Adds completions of the word that ends at the cursor; *from is its start. May be NULL. */
    void (*complete)(struct ui *ui, void *context, struct span before_cursor, size_t *from,
                     struct completion *completion);
    /* Frees the context; called last. May be NULL. */
    void (*free)(void *context);
};

/* Opens a prompt; gives up one that was open. The spec must live as long as the prompt. */
void ui_prompt(struct ui *ui, const struct prompt_spec *spec, struct span initial, void *context);

/* Opens an empty prompt whose context is the id of the screen; `free` of the spec must be free().
 */
void ui_prompt_for(struct screen *screen, const struct prompt_spec *spec);

/* Asks a question; only the key y means yes. `yes` takes ownership of the context; `no` frees it in
 * all other cases. Either may be NULL. */
void ui_confirm(struct ui *ui, const char *question, void (*yes)(struct ui *ui, void *context),
                void (*no)(void *context), void *context);

/* Repeats a completion whose candidates were not known yet, unless the text has changed since. */
void prompt_complete_again(struct ui *ui);

/* prompt_due_us() returns when to save the text being typed, TIME_NONE: never; prompt_work() saves
 * it. */
int64_t prompt_due_us(const struct ui *ui);
void prompt_work(struct ui *ui);

/* For the loop and the frame. */
void prompt_draw(struct ui *ui, struct grid *grid, const struct area *line);
void prompt_key(struct ui *ui, uint32_t key);
void prompt_type(struct ui *ui, struct span text);
void prompt_free(struct prompt *prompt);

/* For input as whole lines. prompt_add_question() appends the question, cleaned. prompt_answer()
 * answers it: an empty answer leaves the text as it is; y or yes confirms a question.
 * prompt_give_up() closes the prompt without an answer. */
void prompt_add_question(const struct ui *ui, struct str *out);
void prompt_answer(struct ui *ui, struct span line);
void prompt_give_up(struct ui *ui);

#endif
