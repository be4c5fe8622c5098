/* Drafts and outbox: the text about what is selected. */
#include "base/mem.h"
#include "mail/render/render_fate.h"
#include "store/store_drafts.h"
#include "ui/compose/form.h"
#include "ui/ui_private.h"
#include "ui/views/drafts_private.h"

#include <stdlib.h>

/* --- a draft --- */

static void add_field(struct str *out, const char *label, struct span text)
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
        add_field(out, spec->label, *(const struct span *)value);
        break;
    case ENTRY_ITEMS:
        for (size_t i = 0; i < list->count; i++)
            add_field(out, i ? "" : spec->label, list->items[i]);
        break;
    case ENTRY_PRIORITY:
        if (*(const enum priority *)value != PRIORITY_NORMAL)
            add_field(out, spec->label, span_of(priority_name(*(const enum priority *)value)));
        break;
    case ENTRY_SWITCH:
        if (*(const bool *)value)
            add_field(out, spec->label, span_of("yes"));
        break;
    case ENTRY_PLACE:
        add_field(out, spec->label, fields->root);
        break;
    }
}

static void add_draft(struct str *out, const struct saved_draft *draft)
{
    struct draft_fields fields = draft_fields_new(FORM_COMPOSE);
    struct arena arena = {0};
    struct err err;

    str_addf(out, "%.*s, drafts/%.*s, begun ", (int)draft->form.len, draft->form.at,
             (int)draft->id.len, draft->id.at);
    when_add_format(out, draft->created_us, "%Y-%m-%d %H:%M");
    when_add_format(out, draft->updated_us, ", saved %H:%M:%S\n");
    if (!draft_fields_read(&fields, draft->fields, &arena, &err)) {
        str_addf(out, "it cannot be read: %s\n", err.text);
    } else if (form_spec_of(fields.form)) {
        if (fields.sending_us != WHEN_NONE)
            str_puts(out, "Sending it was begun, and its end was not seen: look at what was sent "
                          "before you send it again.\n");
        str_putc(out, '\n');
        for (const struct entry_spec *one = form_spec_of(fields.form)->entries; one->label; one++)
            add_entry(out, one, &fields);
    }
    draft_fields_free(&fields);
    arena_free(&arena);
}

/* --- reading it --- */

struct look_task {
    struct ui_task task;
    uint64_t number;
    int64_t entry; /* of the outbox; 0: a draft */
    struct str id;
    struct saved_drafts drafts;
    struct outbox outbox;
};

static void work(struct ui_task *task, struct store *store)
{
    struct look_task *look = (struct look_task *)task;

    look->task.ok = look->entry
                        ? store_outbox_look(store, look->entry, &look->outbox, &look->task.err)
                        : store_draft(store, str_span(&look->id), &look->drafts, &look->task.err);
}

static void done(struct ui_task *task, struct ui *ui)
{
    struct look_task *look = (struct look_task *)task;
    struct drafts_view *view = drafts_of(ui_screen(ui, task->screen));

    if (look->number != view->looks)
        return;
    if (!look->entry)
        str_clear(&view->text);
    if (!look->task.ok) {
        str_puts(&view->text, look->task.err.text);
    } else if (look->entry) {
        str_puts(&view->text, "\n");
        str_add_span(&view->text, look->outbox.items[0].bytes);
    } else {
        add_draft(&view->text, &look->drafts.items[0]);
    }
    page_stale(&view->page);
}

static void look_free(struct ui_task *task)
{
    struct look_task *look = (struct look_task *)task;

    str_free(&look->id);
    saved_drafts_free(&look->drafts);
    outbox_free(&look->outbox);
    free(look);
}

static void begin(struct drafts_view *view, int64_t entry, struct span id)
{
    struct look_task *look = mem_zero(1, sizeof *look);

    look->task =
        (struct ui_task){.work = work, .done = done, .free = look_free, .screen = view->screen.id};
    look->number = view->looks;
    look->entry = entry;
    str_add_span(&look->id, id);
    ui_begin(view->screen.ui, UI_DESK, &look->task);
}

/* --- what is known at once --- */

static void tell_entry(struct str *out, const struct outbox_entry *entry)
{
    str_addf(out, "%s: ", drafts_state(entry->state));
    str_add_span(out, entry->subject);
    str_puts(out, entry->subject.len ? ", to " : "to ");
    str_add_span(out, entry->to);
    if (entry->team.len)
        str_addf(out, "@%.*s", (int)entry->team.len, entry->team.at);
    when_add_format(out, entry->created_us, ", since %Y-%m-%d %H:%M:%S");
    str_addf(out, "\nin %.*s, id %.*s", (int)entry->root.len, entry->root.at, (int)entry->id.len,
             entry->id.at);
    if (entry->attempts)
        str_addf(out, ", %d attempt%s", entry->attempts, entry->attempts == 1 ? "" : "s");
    str_putc(out, '\n');
    add_field(out, "Why", entry->problem);
    add_field(out, "Next", span_of(drafts_next(entry->state)));
}

static void add_version(struct str *key, const struct drafts_view *view, const struct list_row *row)
{
    str_add_span(key, row->key);
    if (row->kind == ROW_DRAFT)
        str_addf(key, " %lld", (long long)drafts_draft(view, row)->version);
    if (row->kind == ROW_OUTBOX)
        str_addf(key, " %d %d", (int)drafts_entry(view, row)->state,
                 drafts_entry(view, row)->attempts);
}

static void tell_sent(struct drafts_view *view, const struct list_row *row)
{
    struct render_style style = ui_style(view->screen.ui);

    str_clear(&view->text);
    render_fate(&view->text, &view->fates, drafts_fate(view, row)->thing, &style);
    page_stale(&view->page);
}

void drafts_look(struct drafts_view *view)
{
    const struct list_row *row = list_here(&view->list);
    struct str key = {0};

    if (row)
        add_version(&key, view, row);
    bool same = span_eq(str_span(&key), str_span(&view->shown));
    bool same_row = row && span_starts(str_span(&view->shown), row->key);
    str_free(&view->shown);
    view->shown = key;
    if (row && row->kind == ROW_SENT)
        tell_sent(view, row); /* it changes without another version */
    if (same)
        return;
    view->looks++;
    if (!same_row)
        page_reset(&view->page);
    if (!row)
        return;
    if (row->kind == ROW_OUTBOX) {
        str_clear(&view->text);
        tell_entry(&view->text, drafts_entry(view, row));
        begin(view, drafts_entry(view, row)->number, (struct span){0});
    } else if (row->kind == ROW_DRAFT) {
        if (!same_row)
            str_clear(&view->text);
        begin(view, 0, drafts_draft(view, row)->id);
    }
}
