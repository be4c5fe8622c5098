/* Forms: completing what is typed. */
#include "ui/compose/form_private.h"

void form_stop_completing(struct form_screen *form)
{
    complete_free(&form->completion);
    form->completion = (struct completion){0};
    form->completing = false;
}

static void add_candidates(struct form_screen *form, const struct entry_spec *spec,
                           struct span before)
{
    if (spec->complete)
        spec->complete(form, before, &form->complete_from, &form->completion);
    else if (spec->files)
        complete_add_files(&form->completion, before, ".");
}

/* There is something to complete when something was typed that is not complete, or must be: nothing
 * at all, or nothing yet behind a comma. */
static bool begin(struct form_screen *form, const struct entry *entry)
{
    const struct edit *edit = entry_edit(entry);
    struct span before = {str_c(&edit->text), edit->cursor};

    form->complete_from = 0;
    add_candidates(form, entry->spec, before);
    struct span word = {before.at + form->complete_from, before.len - form->complete_from};
    if (!word.len && !(entry->spec->required && (!before.len || form->complete_from)))
        return false;
    if (!complete_open(&form->completion, word))
        return false;
    /* a whole name is not made another one by the key that leads to the next field */
    for (size_t i = 0; i < form->completion.matches; i++)
        if (span_eq(form->completion.candidates[i].text, word))
            return false;
    form->completing = true;
    return true;
}

bool form_complete(struct form_screen *form, bool forward)
{
    struct entry *entry = form_here(form);
    struct edit *edit = entry_edit(entry);

    if (!edit || form->sending || !(entry->spec->complete || entry->spec->files))
        return false;
    bool begun = form->completing;
    if (!begun && !begin(form, entry)) {
        form_stop_completing(form);
        return false;
    }
    if (!begun && !form->completion.typed.len && form->completion.matches > 1) {
        ui_touch(form->screen.ui);
        return true; /* nothing was typed: who there is is shown before one is taken */
    }
    struct span becomes =
        forward ? complete_next(&form->completion) : complete_previous(&form->completion);
    edit_replace(edit, form->complete_from, edit->cursor, becomes);
    if (form->completion.matches == 1)
        form_stop_completing(form);
    if (entry->spec->kind == ENTRY_ITEMS)
        entry_settle_items(form, entry);
    form_changed(form);
    return true;
}
