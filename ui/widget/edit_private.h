/* Edit: what its files share. */
#ifndef UI_WIDGET_EDIT_PRIVATE_H
#define UI_WIDGET_EDIT_PRIVATE_H

#include "ui/widget/edit.h"

/* A character as a person sees it. */
struct edit_cell {
    size_t end;     /* behind it */
    size_t columns; /* 0 for a newline and a tab */
    char first;     /* its first byte */
    bool blank;     /* a space without marks, or a tab */
    bool wide;      /* rows may be broken on both sides of it */
};

/* The character that begins there, before the end of the text. */
struct edit_cell edit_cell(const struct edit *edit, size_t at);

/* Where a character begins at or behind that place. */
size_t edit_snap(const struct edit *edit, size_t at);

/* Where these lead from a place at which a character begins; nowhere is that place. */
size_t edit_left(const struct edit *edit, size_t at);
size_t edit_right(const struct edit *edit, size_t at);
size_t edit_word_left(const struct edit *edit, size_t at);
size_t edit_word_right(const struct edit *edit, size_t at);
size_t edit_line_start(const struct edit *edit, size_t at);
size_t edit_line_end(const struct edit *edit, size_t at);

/* Where up (-1) and down (1) lead; EDIT_NOTHING when there is no such row. */
enum edit_result edit_go_rows(struct edit *edit, int by);
/* Lets the next up or down start from the column of the cursor. */
void edit_forget_column(struct edit *edit);

/* Puts the text, which is clean, in the place of what is there and remembers how it was; joins the
 * step before when that belongs to the same run. */
void edit_change(struct edit *edit, size_t from, size_t to, struct span text, enum edit_run run);
enum edit_result edit_undo(struct edit *edit);
enum edit_result edit_redo(struct edit *edit);
void edit_undo_free(struct edit_undo *undo);

#endif
