/* Forms: what keys do. */
#include "base/mem.h"
#include "mail/message/message.h"
#include "ui/compose/form_private.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

static bool is_locked(struct form_screen *form)
{
    if (form->sending)
        ui_say(form->screen.ui, LOOK_WARNING, "it is being sent: nothing can be changed now");
    return form->sending;
}

/* --- entries without text --- */

static size_t choices(const struct form_screen *form, const struct entry *entry)
{
    return entry->spec->kind == ENTRY_PLACE ? form->place_count : PRIORITY_URGENT;
}

static void choose(struct form_screen *form, struct entry *entry, bool forward)
{
    size_t least = entry->spec->kind == ENTRY_PRIORITY ? PRIORITY_LOW : 0;
    size_t count = choices(form, entry);
    size_t now = entry->choice < least ? PRIORITY_NORMAL - least : entry->choice - least;

    if (!count || is_locked(form))
        return;
    entry->choice = least + (now + (forward ? 1 : count - 1)) % count;
    form_changed(form);
}

static void toggle(struct form_screen *form, struct entry *entry)
{
    if (is_locked(form))
        return;
    entry->on = !entry->on;
    form_changed(form);
}

/* A blank is the next choice. Letters were meant for another field: they change nothing, and
 * neither does a blank between them. */
static void type_plain(struct form_screen *form, struct entry *entry, struct span text)
{
    bool blank = span_is(text, " ");

    if (blank && !form->mistyped && entry->spec->kind == ENTRY_SWITCH)
        toggle(form, entry);
    else if (blank && !form->mistyped)
        choose(form, entry, true);
    else
        ui_say(form->screen.ui, LOOK_WARNING, "%s is not typed: %s change it", entry->spec->label,
               blank ? "the arrows" : "Space or arrows");
    form->mistyped |= !blank;
}

static bool act_plain(struct form_screen *form, struct entry *entry, enum action action)
{
    bool forward = action == ACTION_RIGHT;

    switch (action) {
    case ACTION_LEFT:
    case ACTION_RIGHT:
        if (entry->spec->kind == ENTRY_SWITCH)
            toggle(form, entry);
        else
            choose(form, entry, forward);
        return true;
    case ACTION_UP:
        form_step(form, false);
        return true;
    case ACTION_DOWN:
    case ACTION_NEWLINE:
        form_step(form, true);
        return true;
    default:
        return true; /* nothing to edit */
    }
}

/* --- text --- */

/* Enter ends a line; in a list it starts another item. */
static bool end_line(struct form_screen *form, struct entry *entry)
{
    if (entry->spec->kind == ENTRY_TEXT)
        return false;
    if (entry->spec->kind == ENTRY_ITEMS && edit_text(entry_edit(entry)).len &&
        entry->at + 1 < entry->count)
        entry->at++;
    else
        form_step(form, true);
    return true;
}

/* From one item to its neighbours. */
static bool step_item(struct form_screen *form, struct entry *entry, enum action action)
{
    struct edit *edit = entry_edit(entry);

    if (entry->spec->kind != ENTRY_ITEMS)
        return false;
    if (action == ACTION_LEFT && edit->cursor == 0 && entry->at > 0) {
        entry->at--;
        edit_go(entry_edit(entry), 0, edit_text(entry_edit(entry)).len);
    } else if (action == ACTION_RIGHT && edit->cursor == edit->text.len &&
               entry->at + 1 < entry->count) {
        entry->at++;
        edit_go(entry_edit(entry), 0, 0);
    } else if (action == ACTION_DELETE_BACK && !edit->text.len && entry->at > 0) {
        entry_remove_item(entry, entry->at);
        entry_settle_items(form, entry);
        form_changed(form);
    } else {
        return false;
    }
    return true;
}

static bool act_text(struct form_screen *form, struct entry *entry, enum action action)
{
    struct edit *edit = entry_edit(entry);
    uint64_t before = edit_version(edit);

    if (action == ACTION_NEWLINE && end_line(form, entry))
        return true;
    if (step_item(form, entry, action))
        return true;
    bool moves = (action >= ACTION_LEFT && action <= ACTION_LINE_END);
    if (!moves && is_locked(form))
        return true;
    enum edit_result result =
        action == ACTION_NEWLINE ? edit_insert(edit, span_of("\n")) : edit_act(edit, action);
    if (result == EDIT_FULL)
        ui_say(form->screen.ui, LOOK_WARNING, "the text would be too long; nothing was put in");
    if (result == EDIT_NOTHING && (action == ACTION_UP || action == ACTION_DOWN))
        form_step(form, action == ACTION_DOWN);
    if (edit_version(edit) != before) {
        if (entry->spec->kind == ENTRY_ITEMS)
            entry_settle_items(form, entry);
        form_changed(form);
    }
    return true;
}

/* Each line of a paste is an item; the last one goes on. */
static void type_items(struct form_screen *form, struct entry *entry, struct span text)
{
    while (text.len) {
        size_t len = 0;
        while (len < text.len && text.at[len] != '\n' && text.at[len] != '\r')
            len++;
        edit_insert(entry_edit(entry), (struct span){text.at, len});
        entry_settle_items(form, entry);
        while (len < text.len && (text.at[len] == '\n' || text.at[len] == '\r'))
            len++;
        text.at += len;
        text.len -= len;
        if (text.len && edit_text(entry_edit(entry)).len)
            entry->at = entry->count - 1;
    }
}

void form_type(struct screen *screen, struct span text, bool pasted)
{
    struct form_screen *form = form_of(screen);
    struct entry *entry = form_here(form);
    struct edit *edit = entry_edit(entry);

    form_stop_completing(form);
    if (!edit && !pasted)
        type_plain(form, entry, text);
    if (!edit && pasted)
        ui_say(screen->ui, LOOK_WARNING, "nothing can be pasted into %s", entry->spec->label);
    if (!edit || is_locked(form))
        return;
    if (entry->spec->kind == ENTRY_ITEMS)
        type_items(form, entry, text);
    else if (edit_insert(edit, text) == EDIT_FULL)
        ui_say(screen->ui, LOOK_WARNING, "the text would be too long; nothing was put in");
    form_changed(form);
}

/* --- the form --- */

/* Only what is on disk is left: else what was typed would be gone. */
static void leave(struct form_screen *form)
{
    if (form->changes == form->saved || form->sending)
        form_left(form);
    else
        form_save(form, SAVE_TO_LEAVE);
}

static void discard_now(struct ui *ui, void *context)
{
    struct screen *screen = ui_screen(ui, *(uint64_t *)context);

    free(context);
    if (!screen)
        return;
    form_discard(form_of(screen));
}

static void ask_to_discard(struct form_screen *form)
{
    uint64_t *id = mem_zero(1, sizeof *id);

    if (is_locked(form)) {
        free(id);
        return;
    }
    *id = form->screen.id;
    ui_confirm(form->screen.ui, "Throw away what was written?", discard_now, free, id);
}

static void open_editor(struct form_screen *form)
{
    if (!entry_edit(form_here(form))) {
        ui_say(form->screen.ui, LOOK_WARNING, "%s is no text", form_here(form)->spec->label);
        return;
    }
    if (is_locked(form))
        return;
    form_save(form, SAVE_TO_EDIT);
}

bool form_act(struct screen *screen, enum action action, struct span argument)
{
    struct form_screen *form = form_of(screen);
    struct entry *entry = form_here(form);

    (void)argument;
    form->mistyped = false;
    if (action == ACTION_LEAVE && form->completing && form->completion.matches > 1) {
        form_stop_completing(form); /* first what lies on top */
        ui_touch(screen->ui);
        return true;
    }
    if (action != ACTION_NEXT_FIELD && action != ACTION_PREVIOUS_FIELD)
        form_stop_completing(form);
    switch (action) {
    case ACTION_NEXT_FIELD:
        if (!form_complete(form, true))
            form_step(form, true);
        return true;
    case ACTION_PREVIOUS_FIELD:
        if (!form->completing || !form_complete(form, false))
            form_step(form, false);
        return true;
    case ACTION_LEAVE:
    case ACTION_POSTPONE:
        leave(form);
        return true;
    case ACTION_DISCARD:
        ask_to_discard(form);
        return true;
    case ACTION_EDITOR:
        open_editor(form);
        return true;
    case ACTION_SEND:
    case ACTION_REVIEW:
        form_review(form);
        return true;
    default:
        break;
    }
    if (actions[action].group != GROUP_EDIT)
        return false;
    return entry_edit(entry) ? act_text(form, entry, action) : act_plain(form, entry, action);
}

bool form_click(struct screen *screen, int y, int x, bool twice)
{
    struct form_screen *form = form_of(screen);

    (void)x;
    (void)twice;
    y += ui_area(screen->ui)->y; /* as rows are kept */
    for (size_t i = 0; i < form->count; i++) {
        const struct entry *entry = &form->entries[i];
        if (entry->rows && y >= entry->row && y < entry->row + entry->rows) {
            form_go(form, i, false);
            return true;
        }
    }
    return false;
}
