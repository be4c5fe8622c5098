/* Forms: the screen. */
#include "ui/compose/form.h"

#include "base/mem.h"
#include "mail/message/message.h"
#include "ui/ui_state.h"
#include "ui/widget/prompt.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* --- the present entry in $EDITOR --- */

void form_edit_outside(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;
    struct entry *entry = form_here(form);
    struct edit *edit = entry_edit(entry);
    CLEANUP(str_free) struct str text = {0};
    struct err err;

    if (!edit || ui_top(ui) != &form->screen || form->sending)
        return;
    str_add_span(&text, edit_text(edit));
    if (!ui_edit(ui, &text, &err)) {
        form_refuse(form, "%s", err.text); /* in full: it may contain the path of the text */
    } else if (span_eq(str_span(&text), edit_text(edit))) {
        ui_info(ui, STYLE_DIM, "nothing was changed");
    } else if (edit_replace(edit, 0, edit->text.len, str_span(&text)) == EDIT_FULL) {
        ui_failf(ui, "what the editor left is too long; the text is as it was");
    } else {
        if (entry->spec->kind == ENTRY_ITEMS)
            entry_settle_items(form, entry);
        form_changed(form);
        form_save(form, DRAFT_KEEP);
    }
    ui_touch(ui);
}

/* --- keys --- */

static bool is_locked(struct form_screen *form)
{
    if (form->sending)
        ui_info(form->screen.ui, STYLE_WARNING, "it is being sent: nothing can be changed now");
    return form->sending;
}

/* --- entries without text --- */

static void choose_value(struct form_screen *form, struct entry *entry, bool forward)
{
    size_t least = entry->spec->kind == ENTRY_PRIORITY ? PRIORITY_LOW : 0;
    size_t count = entry->spec->kind == ENTRY_PLACE ? form->place_count : PRIORITY_URGENT;
    size_t now = entry->choice < least ? PRIORITY_NORMAL - least : entry->choice - least;

    if (!count || is_locked(form))
        return;
    entry->choice = least + (now + (forward ? 1 : count - 1)) % count;
    form_changed(form);
}

static void toggle_entry(struct form_screen *form, struct entry *entry)
{
    if (is_locked(form))
        return;
    entry->on = !entry->on;
    form_changed(form);
}

/* Handles text typed into an entry without text. A blank chooses the next value. Letters were meant
 * for another entry: they change nothing, and neither does a blank after them. */
static void type_plain(struct form_screen *form, struct entry *entry, struct span text)
{
    bool blank = span_is(text, " ");

    if (blank && !form->mistyped && entry->spec->kind == ENTRY_SWITCH)
        toggle_entry(form, entry);
    else if (blank && !form->mistyped)
        choose_value(form, entry, true);
    else
        ui_info(form->screen.ui, STYLE_WARNING, "%s is not typed: %s change it", entry->spec->label,
                blank ? "the arrows" : "Space or arrows");
    form->mistyped |= !blank;
}

static void act_plain(struct form_screen *form, struct entry *entry, enum action action)
{
    bool chooses = action == ACTION_LEFT || action == ACTION_RIGHT;

    if (chooses && entry->spec->kind == ENTRY_SWITCH)
        toggle_entry(form, entry);
    else if (chooses)
        choose_value(form, entry, action == ACTION_RIGHT);
    else if (action == ACTION_UP)
        form_step(form, false);
    else if (action == ACTION_DOWN || action == ACTION_NEWLINE)
        form_step(form, true);
}

/* --- text --- */

/* Ends a line: in a list Enter goes to the next item, in a one-line entry to the next entry. False
 * in a text of several lines. */
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

/* Moves between items at the ends of their texts, and removes an empty one; false for anything
 * else. */
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

static void act_text(struct form_screen *form, struct entry *entry, enum action action)
{
    struct edit *edit = entry_edit(entry);
    uint64_t before = edit_version(edit);

    if ((action == ACTION_NEWLINE && end_line(form, entry)) || step_item(form, entry, action))
        return;
    bool moves = (action >= ACTION_LEFT && action <= ACTION_LINE_END);
    if (!moves && is_locked(form))
        return;
    enum edit_result result =
        action == ACTION_NEWLINE ? edit_insert(edit, span_of("\n")) : edit_act(edit, action);
    if (result == EDIT_FULL)
        ui_info(form->screen.ui, STYLE_WARNING, "the text would be too long; nothing was put in");
    if (result == EDIT_NOTHING && (action == ACTION_UP || action == ACTION_DOWN))
        form_step(form, action == ACTION_DOWN);
    if (edit_version(edit) != before) {
        if (entry->spec->kind == ENTRY_ITEMS)
            entry_settle_items(form, entry);
        form_changed(form);
    }
}

/* Pastes a text into items: each line is an item, and typing goes on in the last one. */
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
        ui_info(screen->ui, STYLE_WARNING, "nothing can be pasted into %s", entry->spec->label);
    if (!edit || is_locked(form))
        return;
    if (entry->spec->kind == ENTRY_ITEMS)
        type_items(form, entry, text);
    else if (edit_insert(edit, text) == EDIT_FULL)
        ui_info(screen->ui, STYLE_WARNING, "the text would be too long; nothing was put in");
    form_changed(form);
}

/* --- the form --- */

/* Closes the form if everything is saved, else saves it first: nothing that was typed may be
 * lost. */
static void leave_form(struct form_screen *form)
{
    if (form->changes == form->saved || form->sending)
        form_left(form);
    else
        form_save(form, DRAFT_LEAVE);
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
    if (is_locked(form))
        return;
    uint64_t *id = mem_alloc(sizeof *id);
    *id = form->screen.id;
    ui_confirm(form->screen.ui, "Throw away what was written?", discard_now, free, id);
}

static void open_editor(struct form_screen *form)
{
    if (!entry_edit(form_here(form))) {
        ui_info(form->screen.ui, STYLE_WARNING, "%s is no text", form_here(form)->spec->label);
        return;
    }
    if (is_locked(form))
        return;
    form_save(form, DRAFT_EDIT);
}

static bool form_act(struct screen *screen, enum action action, struct span argument)
{
    struct form_screen *form = form_of(screen);
    struct entry *entry = form_here(form);

    (void)argument;
    form->mistyped = false;
    if (action == ACTION_LEAVE && form->completing && form->completion.matches > 1) {
        form_stop_completing(form); /* close what is on top first */
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
        leave_form(form);
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
    if (entry_edit(entry))
        act_text(form, entry, action);
    else
        act_plain(form, entry, action);
    return true;
}

static bool form_click(struct screen *screen, int y, int x, bool twice)
{
    struct form_screen *form = form_of(screen);

    (void)x;
    (void)twice;
    y += ui_area(screen->ui)->y; /* rows are stored relative to the terminal */
    for (size_t i = 0; i < form->count; i++) {
        const struct entry *entry = &form->entries[i];
        if (entry->rows && y >= entry->row && y < entry->row + entry->rows) {
            form_go(form, i, false);
            return true;
        }
    }
    return false;
}

struct form_screen *form_of(struct screen *screen)
{
    return (struct form_screen *)screen;
}

struct span form_written(const struct form_screen *form, size_t at)
{
    const struct entry *entry = form_entry(form, at);

    return entry && entry->count ? edit_text(&entry->edits[0]) : (struct span){0};
}

void form_warn(struct form_screen *form, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    str_addf(&form->warnings, "%s%s", form->warnings.len ? "; " : "", text);
}

void form_refuse(struct form_screen *form, const char *format, ...)
{
    char text[2048];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    str_set(&form->problem, span_of(text));
    ui_failf(form->screen.ui, "%s", text);
}

/* --- warnings --- */

static void warn_of_files(struct form_screen *form, const struct entry *entry)
{
    for (size_t i = 0; i < entry->count; i++)
        if (edit_text(&entry->edits[i]).len &&
            span_list_has(&form->absent, edit_text(&entry->edits[i])))
            form_warn(form, "%s %zu", entry->spec->label, i + 1);
}

static void warn_of_layout(struct form_screen *form, const struct entry *entry)
{
    const struct source *source = form_source(form);

    if (source && entry->spec->kind == ENTRY_PRIORITY &&
        source->format->priorities[entry->choice] != entry->choice)
        form_warn(form, "%s is read as %s there", priority_name((enum priority)entry->choice),
                  priority_name((enum priority)source->format->priorities[entry->choice]));
    if (source && entry->spec->needs && !entry_is_empty(entry) &&
        (source->format->fields & entry->spec->needs) != entry->spec->needs)
        form_warn(form, "%s has no %s", source->format->title, entry->spec->label);
}

void form_judge(struct form_screen *form)
{
    str_clear(&form->warnings);
    form_find_places(form);
    if (form->fields.sending_us != TIME_NONE && !form->sending)
        form_warn(form, "it may have been sent before: look at `sent` first");
    for (size_t i = 0; i < form->count; i++) {
        const struct entry *entry = &form->entries[i];
        if (!entry_is_shown(form, entry))
            continue;
        warn_of_layout(form, entry);
        if (entry->spec->files)
            warn_of_files(form, entry);
    }
    if (form->spec->warn)
        form->spec->warn(form);
}

void form_changed(struct form_screen *form)
{
    if (form->changes == form->saved)
        form->changed_us = time_steady();
    form->changes++;
    str_clear(&form->problem);
    form_judge(form);
    ui_touch(form->screen.ui);
}

/* --- the screen --- */

static void form_renew(struct screen *screen)
{
    form_judge(form_of(screen));
}

static void add_saved(struct str *out, const struct form_screen *form)
{
    if (form->sending)
        str_puts(out, "sending ...");
    else if (form->changes != form->saved)
        str_puts(out, form->saving ? "saving ..." : "not saved yet");
    else if (form->id[0])
        time_add_format(out, form->saved_us, "saved %H:%M:%S");
    else
        str_puts(out, "nothing to save");
}

/* Appends the status. If there is little room, the missing entries come first, since the rest
 * matters less. */
static void form_status(struct screen *screen, struct str *out)
{
    struct form_screen *form = form_of(screen);
    bool narrow = screen->ui->grid.columns < FORM_NARROW;
    CLEANUP(str_free) struct str missing = {0};

    form_add_missing(form, &missing);
    if (narrow && missing.len)
        str_addf(out, "missing: %s   ", str_c(&missing));
    add_saved(out, form);
    if (form->id[0] && !narrow)
        str_addf(out, " drafts/%.4s", form->id);
    if (!narrow)
        str_addf(out, "   missing: %s", missing.len ? str_c(&missing) : "none");
    if (form->warnings.len)
        str_addf(out, "   warn: %s", str_c(&form->warnings));
}

static int64_t form_due_us(struct screen *screen)
{
    const struct form_screen *form = form_of(screen);

    if (form->saving || form->sending || form->changes == form->saved)
        return TIME_NONE;
    return time_left(form->changed_us + FORM_SAVE_US);
}

static void form_tick(struct screen *screen)
{
    form_save(form_of(screen), DRAFT_KEEP);
}

static void form_free(struct screen *screen)
{
    struct form_screen *form = form_of(screen);

    form_save_last(form);
    draft_saver_drop(form->keeper);
    form_stop_completing(form);
    form_free_entries(form);
    draft_fields_free(&form->fields);
    span_list_free(&form->tags);
    free(form->places);
    arena_free(&form->place_arena);
    arena_free(&form->arena);
    str_free(&form->warnings);
    str_free(&form->problem);
    span_list_free(&form->absent);
    arena_free(&form->absent_arena);
    free(form);
}

const struct screen_ops form_ops = {.title = "Form",
                                    .where = IN_FORM | IN_FIELD,
                                    .draw = form_draw,
                                    .act = form_act,
                                    .type = form_type,
                                    .renew = form_renew,
                                    .status = form_status,
                                    .click = form_click,
                                    .due_us = form_due_us,
                                    .tick = form_tick,
                                    .free = form_free};

size_t form_first_to_write(struct form_screen *form)
{
    size_t last = 0;

    for (size_t i = 0; i < form->count; i++) {
        const struct entry *entry = &form->entries[i];
        if (!entry_is_shown(form, entry))
            continue;
        if (entry_is_required(form, entry) && entry_is_empty(entry))
            return i;
        last = i;
    }
    return last;
}

struct form_screen *form_new(struct ui *ui, const struct form_spec *spec,
                             const struct draft_fields *fields)
{
    struct form_screen *form = mem_zero(1, sizeof *form);

    form->screen = (struct screen){.ops = &form_ops, .ui = ui};
    form->spec = spec;
    form->keeper = draft_saver_new();
    form->about_of = UINT_MAX;
    draft_fields_copy(&form->fields, fields, &form->arena);
    form_fill_entries(form);
    form_judge(form);
    form->at = form_first_to_write(form);
    form_judge(form); /* again: the entry with the cursor is not judged */
    return form;
}

bool form_push(struct form_screen *form)
{
    if (!ui_push(form->screen.ui, &form->screen))
        return false;
    form_look_for_files(form);
    return true;
}

bool form_open(struct ui *ui, const struct form_spec *spec, const struct draft_fields *fields)
{
    return form_push(form_new(ui, spec, fields));
}
