/* Edit, changes: every one can be taken back and done again. */
#include "ui/widget/edit_private.h"

#include "base/mem.h"

#include <stdlib.h>

/* Longer runs of keys become several steps. */
enum { RUN_MOST = 256 };

struct edit_change {
    size_t at;
    struct str removed, added;
    size_t before, after; /* where the cursor was */
};

static void change_free(struct edit_change *change)
{
    str_free(&change->removed);
    str_free(&change->added);
}

static size_t change_bytes(const struct edit_change *change)
{
    return change->removed.len + change->added.len;
}

void edit_undo_free(struct edit_undo *undo)
{
    for (size_t i = 0; i < undo->count; i++)
        change_free(&undo->changes[i]);
    free(undo->changes);
    *undo = (struct edit_undo){0};
}

static void splice(struct edit *edit, size_t from, size_t to, struct span text)
{
    str_room(&edit->text, text.len);
    char *at = edit->text.at + from;
    memmove(at + text.len, edit->text.at + to, edit->text.len - to);
    if (text.len)
        memcpy(at, text.at, text.len);
    edit->text.len += text.len - (to - from);
    edit->text.at[edit->text.len] = '\0';
    edit->version++;
    if (from < edit->rows.same)
        edit->rows.same = from;
}

static void put_before(struct str *text, struct span more)
{
    str_room(text, more.len);
    memmove(text->at + more.len, text->at, text->len);
    memcpy(text->at, more.at, more.len);
    text->len += more.len;
    text->at[text->len] = '\0';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Typing goes on in the same step until a new word begins. */
static bool joins_typing(const struct edit_change *last, size_t from, size_t to, struct span text)
{
    return from == to && last->added.len && last->at + last->added.len == from &&
           (is_blank(text.at[0]) || !is_blank(last->added.at[last->added.len - 1]));
}

/* False when it does not belong to the step before. */
static bool join(struct edit *edit, size_t from, size_t to, struct span text, enum edit_run run)
{
    struct edit_undo *undo = &edit->undo;
    struct edit_change *last = undo->done ? &undo->changes[undo->done - 1] : NULL;
    struct span gone = {str_c(&edit->text) + from, to - from};

    if (!last || undo->done != undo->count || edit->run != run ||
        change_bytes(last) + gone.len + text.len > RUN_MOST)
        return false;
    if (run == EDIT_RUN_TYPE && joins_typing(last, from, to, text))
        str_add_span(&last->added, text);
    else if (run == EDIT_RUN_BACK && to == last->at)
        put_before(&last->removed, gone);
    else if (run == EDIT_RUN_AHEAD && from == last->at)
        str_add_span(&last->removed, gone);
    else
        return false;
    if (run == EDIT_RUN_BACK)
        last->at = from;
    undo->bytes += gone.len + text.len;
    return true;
}

static void forget_undone(struct edit_undo *undo)
{
    while (undo->count > undo->done) {
        struct edit_change *change = &undo->changes[--undo->count];
        undo->bytes -= change_bytes(change);
        change_free(change);
    }
}

static void forget_oldest(struct edit_undo *undo)
{
    size_t drop = 0;

    while (undo->count - drop > 1 &&
           (undo->count - drop > EDIT_UNDO_STEPS || undo->bytes > EDIT_UNDO_BYTES)) {
        undo->bytes -= change_bytes(&undo->changes[drop]);
        change_free(&undo->changes[drop++]);
    }
    undo->count -= drop;
    undo->done -= drop;
    if (drop)
        memmove(undo->changes, undo->changes + drop, undo->count * sizeof *undo->changes);
}

static void remember(struct edit *edit, size_t from, size_t to, struct span text)
{
    struct edit_undo *undo = &edit->undo;
    struct edit_change change = {.at = from, .before = edit->cursor};

    forget_undone(undo);
    str_add(&change.removed, str_c(&edit->text) + from, to - from);
    str_add_span(&change.added, text);
    undo->changes = mem_grow(undo->changes, &undo->cap, undo->count + 1, sizeof *undo->changes);
    undo->changes[undo->count++] = change;
    undo->done = undo->count;
    undo->bytes += change_bytes(&change);
    forget_oldest(undo);
}

void edit_change(struct edit *edit, size_t from, size_t to, struct span text, enum edit_run run)
{
    if (!join(edit, from, to, text, run))
        remember(edit, from, to, text);
    splice(edit, from, to, text);
    edit->cursor = edit_snap(edit, from + text.len); /* a mark may have found a letter */
    edit->undo.changes[edit->undo.done - 1].after = edit->cursor;
    edit->run = run;
    edit_forget_column(edit);
}

enum edit_result edit_undo(struct edit *edit)
{
    struct edit_undo *undo = &edit->undo;

    if (!undo->done)
        return EDIT_NOTHING;
    const struct edit_change *change = &undo->changes[--undo->done];
    splice(edit, change->at, change->at + change->added.len, str_span(&change->removed));
    edit->cursor = change->before;
    return EDIT_DONE;
}

enum edit_result edit_redo(struct edit *edit)
{
    struct edit_undo *undo = &edit->undo;

    if (undo->done == undo->count)
        return EDIT_NOTHING;
    const struct edit_change *change = &undo->changes[undo->done++];
    splice(edit, change->at, change->at + change->removed.len, str_span(&change->added));
    edit->cursor = change->after;
    return EDIT_DONE;
}
