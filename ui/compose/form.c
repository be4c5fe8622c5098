/* Forms: the screen. */
#include "ui/compose/form.h"

#include "base/mem.h"
#include "ui/compose/form_private.h"
#include "ui/ui_private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct form_screen *form_of(struct screen *screen)
{
    return (struct form_screen *)screen;
}

struct ui *form_ui(const struct form_screen *form)
{
    return form->screen.ui;
}

struct span form_written(const struct form_screen *form, size_t at)
{
    for (size_t i = 0; i < form->count; i++) {
        const struct entry *entry = &form->entries[i];
        if (entry->spec->at == at && entry->count)
            return edit_text(&entry->edits[0]);
    }
    return (struct span){0};
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

/* --- judging --- */

bool form_is_absent(const struct form_screen *form, struct span file)
{
    return span_list_has(&form->absent, file);
}

static void warn_of_files(struct form_screen *form, const struct entry *entry)
{
    for (size_t i = 0; i < entry->count; i++)
        if (edit_text(&entry->edits[i]).len && form_is_absent(form, edit_text(&entry->edits[i])))
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
    if (form->fields.sending_us != WHEN_NONE && !form->sending)
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
        form->changed_us = when_steady();
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
        when_add_format(out, form->saved_us, "saved %H:%M:%S");
    else
        str_puts(out, "nothing to save");
}

/* Where it is narrow what is missing goes before all that can do without a look. */
static void form_status(struct screen *screen, struct str *out)
{
    struct form_screen *form = form_of(screen);
    bool narrow = screen->ui->grid.columns < FORM_NARROW;
    struct str missing = {0};

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
    str_free(&missing);
}

static int64_t form_due_us(struct screen *screen)
{
    const struct form_screen *form = form_of(screen);

    if (form->saving || form->sending || form->changes == form->saved)
        return WHEN_NONE;
    return when_left(form->changed_us + FORM_SAVE_US);
}

static void form_tick(struct screen *screen)
{
    form_save(form_of(screen), SAVE_TO_KEEP);
}

static void form_free(struct screen *screen)
{
    struct form_screen *form = form_of(screen);

    form_save_last(form);
    keeper_drop(form->keeper);
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

static const struct screen_ops form_ops = {.title = "Form",
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

const struct screen_ops *form_screen_ops(void)
{
    return &form_ops;
}

/* The fields are written out and read again: what comes back is a copy of its own. */
void fields_copy(struct draft_fields *copy, const struct draft_fields *fields, struct arena *arena)
{
    struct str json = {0};
    struct err ignored;

    *copy = draft_fields_new(fields->form);
    draft_fields_write(&json, fields);
    draft_fields_read(copy, str_span(&json), arena, &ignored);
    str_free(&json);
}

static size_t first_to_write(struct form_screen *form)
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
    form->keeper = keeper_new();
    form->about_of = UINT_MAX;
    fields_copy(&form->fields, fields, &form->arena);
    form_fill_entries(form);
    form_judge(form);
    form->at = first_to_write(form);
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
