/* Forms: the values of their entries, from fields and back. */
#include "base/mem.h"
#include "base/text/sanitize.h"
#include "ui/compose/form.h"
#include "ui/ui_state.h"

#include <stdlib.h>

/* --- completing what is typed --- */

void form_stop_completing(struct form_screen *form)
{
    complete_free(&form->completion);
    form->completion = (struct completion){0};
    form->completing = false;
}

/* Begins to complete a word that is not complete yet. An empty word is completed only in a required
 * entry, if the entry is empty or after a comma. */
static bool begin_completion(struct form_screen *form, const struct entry *entry)
{
    const struct edit *edit = entry_edit(entry);
    struct span before = {str_c(&edit->text), edit->cursor};

    form->complete_from = 0;
    for (size_t i = 0; entry->spec->commas && i < before.len; i++)
        if (before.at[i] == ',')
            form->complete_from = i + 1;
    while (entry->spec->commas && form->complete_from < before.len &&
           before.at[form->complete_from] == ' ')
        form->complete_from++;
    if (entry->spec->complete)
        entry->spec->complete(form, &form->completion);
    else
        complete_add_files(&form->completion, before, ".");
    struct span word = {before.at + form->complete_from, before.len - form->complete_from};
    if (!word.len && !(entry->spec->required && (!before.len || form->complete_from)))
        return false;
    if (!complete_open(&form->completion, word))
        return false;
    /* the key goes to the next entry and must not change a complete name */
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
    if (!begun && !begin_completion(form, entry)) {
        form_stop_completing(form);
        return false;
    }
    if (!begun && !form->completion.typed.len && form->completion.matches > 1) {
        ui_touch(form->screen.ui);
        return true; /* nothing was typed: show the candidates first */
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

static void *field_member(struct draft_fields *fields, const struct entry_spec *spec)
{
    return (char *)fields + spec->at;
}

static bool is_typed(const struct entry_spec *spec)
{
    return spec->kind == ENTRY_LINE || spec->kind == ENTRY_TEXT || spec->kind == ENTRY_ITEMS;
}

struct edit *entry_edit(const struct entry *entry)
{
    return is_typed(entry->spec) ? &entry->edits[entry->at] : NULL;
}

struct entry *form_here(struct form_screen *form)
{
    return &form->entries[form->at];
}

struct entry *form_entry(const struct form_screen *form, size_t at)
{
    for (size_t i = 0; i < form->count; i++)
        if (form->entries[i].spec->kind != ENTRY_PLACE && form->entries[i].spec->at == at)
            return &form->entries[i];
    return NULL;
}

bool form_is_in(const struct form_screen *form, size_t at)
{
    const struct entry *entry = &form->entries[form->at];

    return entry->spec->kind != ENTRY_PLACE && entry->spec->at == at;
}

bool entry_is_empty(const struct entry *entry)
{
    for (size_t i = 0; i < entry->count; i++)
        if (span_trim(edit_text(&entry->edits[i])).len)
            return false;
    return entry->spec->kind == ENTRY_SWITCH ? !entry->on : is_typed(entry->spec);
}

/* Hides an entry that the layout cannot hold, unless something is written in it. */
bool entry_is_shown(struct form_screen *form, const struct entry *entry)
{
    const struct entry_spec *spec = entry->spec;
    const struct source *source = form_source(form);

    if (spec->kind == ENTRY_PLACE)
        return form->place_count > 1;
    if (spec->shown && !spec->shown(form))
        return false;
    if (spec->kind == ENTRY_PRIORITY && source)
        return source->format->priorities[PRIORITY_LOW] !=
               source->format->priorities[PRIORITY_URGENT];
    if (!spec->needs || !source || (source->format->fields & spec->needs) == spec->needs)
        return true;
    return !entry_is_empty(entry);
}

bool entry_is_required(struct form_screen *form, const struct entry *entry)
{
    const struct source *source = form_source(form);

    return entry->spec->required ||
           (source && (source->format->fields & entry->spec->required_by) != 0);
}

static void add_edit(struct form_screen *form, struct entry *entry, struct span text)
{
    struct ui *ui = form->screen.ui;
    struct edit *edit = mem_push(entry->edits, entry->count, entry->cap);

    *edit = (struct edit){.clip = &ui->clip,
                          .single = entry->spec->kind != ENTRY_TEXT,
                          .ascii = (ui->grid.clean & SANITIZE_ASCII) != 0};
    edit_set(edit, text.at ? text : span_of(""));
}

static void free_edits(struct entry *entry)
{
    for (size_t i = 0; i < entry->count; i++)
        edit_free(&entry->edits[i]);
    entry->count = 0;
    entry->at = 0;
}

void form_fill_entry(struct form_screen *form, struct entry *entry)
{
    const struct entry_spec *spec = entry->spec;
    void *value = field_member(&form->fields, spec);
    const struct span_list *list = value;

    free_edits(entry);
    switch (spec->kind) {
    case ENTRY_LINE:
    case ENTRY_TEXT:
        add_edit(form, entry, *(struct span *)value);
        break;
    case ENTRY_ITEMS:
        for (size_t i = 0; i < list->count; i++)
            add_edit(form, entry, list->items[i]);
        entry_settle_items(form, entry);
        entry->at = entry->count - 1;
        break;
    case ENTRY_PRIORITY:
        entry->choice = *(enum priority *)value;
        break;
    case ENTRY_SWITCH:
        entry->on = *(bool *)value;
        break;
    case ENTRY_PLACE:
        break;
    }
}

void form_fill_entries(struct form_screen *form)
{
    while (form->spec->entries[form->count].label)
        form->count++;
    form->entries = mem_zero(form->count, sizeof *form->entries);
    for (size_t i = 0; i < form->count; i++) {
        form->entries[i].spec = &form->spec->entries[i];
        form_fill_entry(form, &form->entries[i]);
    }
}

void form_free_entries(struct form_screen *form)
{
    for (size_t i = 0; i < form->count; i++) {
        free_edits(&form->entries[i]);
        free(form->entries[i].edits);
    }
    free(form->entries);
}

void entry_remove_item(struct entry *entry, size_t item)
{
    edit_free(&entry->edits[item]);
    memmove(&entry->edits[item], &entry->edits[item + 1],
            (entry->count - item - 1) * sizeof *entry->edits);
    entry->count--;
    if (entry->at > item || entry->at == entry->count)
        entry->at -= entry->at > 0;
}

void entry_settle_items(struct form_screen *form, struct entry *entry)
{
    if (!entry->count || edit_text(&entry->edits[entry->count - 1]).len)
        add_edit(form, entry, (struct span){0});
}

/* Sets an empty text to an absent one. */
static void gather_entry(const struct entry *entry, struct draft_fields *fields,
                         struct arena *arena)
{
    void *value = field_member(fields, entry->spec);
    struct span_list *list = value;
    struct span text;

    switch (entry->spec->kind) {
    case ENTRY_LINE:
    case ENTRY_TEXT:
        text = edit_text(&entry->edits[0]);
        *(struct span *)value = text.len ? arena_copy(arena, text) : (struct span){0};
        break;
    case ENTRY_ITEMS:
        list->count = 0;
        for (size_t i = 0; i < entry->count; i++)
            if (edit_text(&entry->edits[i]).len)
                span_list_add(list, arena_copy(arena, edit_text(&entry->edits[i])));
        break;
    case ENTRY_PRIORITY:
        *(enum priority *)value = (enum priority)entry->choice;
        break;
    case ENTRY_SWITCH:
        *(bool *)value = entry->on;
        break;
    case ENTRY_PLACE:
        break;
    }
}

void form_gather(struct form_screen *form, struct draft_fields *fields, struct arena *arena)
{
    const struct source *source = form_source(form);

    draft_fields_copy(fields, &form->fields, arena);
    for (size_t i = 0; i < form->count; i++)
        gather_entry(&form->entries[i], fields, arena);
    if (source) {
        fields->format = arena_copy(arena, span_of(source->format->name));
        fields->root = arena_copy(arena, span_of(source->path));
    }
    if (!form_entry(form, AT(team)))
        fields->team = arena_copy(arena, form_team(form));
}

size_t form_add_missing(struct form_screen *form, struct str *out)
{
    size_t missing = 0;

    for (size_t i = 0; i < form->count; i++) {
        const struct entry *entry = &form->entries[i];
        if (!entry_is_required(form, entry) || !entry_is_shown(form, entry) ||
            !entry_is_empty(entry))
            continue;
        str_addf(out, "%s%s", missing++ ? ", " : "", entry->spec->label);
    }
    return missing;
}

void form_go(struct form_screen *form, size_t at, bool from_below)
{
    struct entry *entry = &form->entries[at];
    struct edit *edit;

    form_stop_completing(form);
    form->at = at;
    if (entry->spec->kind == ENTRY_ITEMS && !from_below)
        entry->at = entry->count - 1;
    edit = entry_edit(entry);
    if (edit && edit->columns) {
        struct edit_layout layout = edit_layout(edit, edit->columns);
        edit_go(edit, from_below ? layout.rows - 1 : 0, layout.column);
    }
    if (entry->spec->enter)
        entry->spec->enter(form);
    form_judge(form); /* names are judged when the cursor has left them */
    ui_touch(form->screen.ui);
}

/* Judges the form at each step: which entries are shown may depend on the entry with the cursor. */
bool form_step(struct form_screen *form, bool forward)
{
    size_t before = form->at, at = before;

    for (;;) {
        if (forward ? at + 1 >= form->count : at == 0)
            break;
        at += forward ? 1 : (size_t)-1;
        form->at = at;
        form_judge(form);
        if (!entry_is_shown(form, &form->entries[at]))
            continue;
        form_go(form, at, !forward);
        return true;
    }
    form->at = before;
    form_judge(form);
    return false;
}

void form_set_text(struct form_screen *form, size_t at, struct span text)
{
    struct entry *entry = form_entry(form, at);

    if (entry && entry->count)
        edit_replace(&entry->edits[0], 0, entry->edits[0].text.len, text);
}

/* --- fields as text --- */

void form_add_field(struct str *out, const char *label, struct span text)
{
    text = span_trim(text);
    if (!text.len)
        return;
    bool lines = memchr(text.at, '\n', text.len) != NULL;
    str_addf(out, "%-10s%s", label, lines ? "\n" : " ");
    str_add_span(out, text);
    str_putc(out, '\n');
}

static void add_entry(struct str *out, const struct entry_spec *spec,
                      const struct draft_fields *fields)
{
    const void *value = (const char *)fields + spec->at;
    const struct span_list *list = value;

    switch (spec->kind) {
    case ENTRY_LINE:
    case ENTRY_TEXT:
        form_add_field(out, spec->label, *(const struct span *)value);
        break;
    case ENTRY_ITEMS:
        for (size_t i = 0; i < list->count; i++)
            form_add_field(out, i ? "" : spec->label, list->items[i]);
        break;
    case ENTRY_PRIORITY:
        if (*(const enum priority *)value != PRIORITY_NORMAL)
            form_add_field(out, spec->label, span_of(priority_name(*(const enum priority *)value)));
        break;
    case ENTRY_SWITCH:
        if (*(const bool *)value)
            form_add_field(out, spec->label, span_of("yes"));
        break;
    case ENTRY_PLACE:
        form_add_field(out, spec->label, fields->root);
        break;
    }
}

void form_add_fields(struct str *out, const struct draft_fields *fields)
{
    for (const struct entry_spec *one = form_spec_of(fields->form)->entries; one->label; one++)
        add_entry(out, one, fields);
}
