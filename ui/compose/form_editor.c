/* Forms: the present entry in $EDITOR. */
#include "ui/compose/form_private.h"

void form_edit_outside(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;
    struct entry *entry = form_here(form);
    struct edit *edit = entry_edit(entry);
    struct str text = {0};
    struct err err;

    if (!edit || ui_top(ui) != &form->screen || form->sending)
        return;
    str_add_span(&text, edit_text(edit));
    if (!ui_edit(ui, &text, &err)) {
        form_refuse(form, "%s", err.text); /* in full: it may say where the text is */
    } else if (span_eq(str_span(&text), edit_text(edit))) {
        ui_say(ui, LOOK_DIM, "nothing was changed");
    } else if (edit_replace(edit, 0, edit->text.len, str_span(&text)) == EDIT_FULL) {
        ui_failf(ui, "what the editor left is too long; the text is as it was");
    } else {
        if (entry->spec->kind == ENTRY_ITEMS)
            entry_settle_items(form, entry);
        form_changed(form);
        form_save(form, SAVE_TO_KEEP);
    }
    str_free(&text);
    ui_touch(ui);
}
