/* Forms: what becomes known when they are already open. What was typed is never touched. */
#include "ui/compose/form_private.h"

static const void *value_of(const struct draft_fields *fields, const struct entry *entry)
{
    return (const char *)fields + entry->spec->at;
}

static bool same_list(const struct span_list *a, const struct span_list *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++)
        same = span_eq(a->items[i], b->items[i]);
    return same;
}

static bool is_same(const struct entry *entry, const struct draft_fields *a,
                    const struct draft_fields *b)
{
    const void *x = value_of(a, entry), *y = value_of(b, entry);

    switch (entry->spec->kind) {
    case ENTRY_LINE:
    case ENTRY_TEXT:
        return span_eq(*(const struct span *)x, *(const struct span *)y);
    case ENTRY_ITEMS:
        return same_list(x, y);
    case ENTRY_PRIORITY:
        return *(const enum priority *)x == *(const enum priority *)y;
    case ENTRY_SWITCH:
        return *(const bool *)x == *(const bool *)y;
    case ENTRY_PLACE:
        break;
    }
    return true;
}

/* The value becomes the one that the form was opened with. */
static void keep_value(struct form_screen *form, const struct entry *entry,
                       const struct draft_fields *fields)
{
    void *to = (char *)&form->fields + entry->spec->at;
    const void *from = value_of(fields, entry);
    struct span_list *list = to;

    switch (entry->spec->kind) {
    case ENTRY_LINE:
    case ENTRY_TEXT:
        *(struct span *)to = arena_copy(&form->arena, *(const struct span *)from);
        break;
    case ENTRY_ITEMS:
        span_list_free(list);
        span_list_copy(list, from, &form->arena);
        break;
    case ENTRY_PRIORITY:
        *(enum priority *)to = *(const enum priority *)from;
        break;
    case ENTRY_SWITCH:
        *(bool *)to = *(const bool *)from;
        break;
    case ENTRY_PLACE:
        break;
    }
}

static void refill(struct form_screen *form, struct entry *entry)
{
    for (size_t i = 0; i < entry->count; i++)
        edit_free(&entry->edits[i]);
    entry->count = 0;
    entry->at = 0;
    form_fill_entry(form, entry);
}

void form_set_items(struct form_screen *form, size_t at, const struct span_list *items)
{
    for (size_t i = 0; i < form->count; i++) {
        struct entry *entry = &form->entries[i];
        struct span_list *list = (void *)((char *)&form->fields + at);
        if (entry->spec->at != at || entry->spec->kind != ENTRY_ITEMS)
            continue;
        span_list_free(list);
        span_list_copy(list, items, &form->arena);
        refill(form, entry);
    }
}

static void take_absent(struct form_screen *form, const struct span_list *absent)
{
    for (size_t i = 0; i < absent->count; i++)
        if (!form_is_absent(form, absent->items[i]))
            span_list_add(&form->absent, arena_copy(&form->absent_arena, absent->items[i]));
}

void form_refill(struct form_screen *form, const struct draft_fields *fields,
                 const struct span_list *absent)
{
    struct draft_fields now;

    if (form->sending || form->dropped)
        return;
    form_gather(form, &now);
    for (size_t i = 0; i < form->count; i++) {
        struct entry *entry = &form->entries[i];
        if (!is_same(entry, &now, &form->fields) || is_same(entry, fields, &form->fields))
            continue;
        keep_value(form, entry, fields);
        if (entry == form_here(form)) /* what is offered elsewhere stays */
            form_stop_completing(form);
        refill(form, entry);
    }
    draft_fields_free(&now);
    take_absent(form, absent);
    if (form->changes)
        form_changed(form); /* it is saved with what was typed */
    else
        form_judge(form);
    ui_touch(form->screen.ui);
}
