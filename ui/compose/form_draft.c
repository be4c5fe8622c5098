/* Forms: saves them as drafts, opens and discards drafts. */
#include "ui/compose/form_draft.h"

#include "base/mem.h"
#include "store/store_local.h"
#include "ui/compose/form_private.h"
#include "ui/compose/outgoing.h"
#include "ui/ui_state.h"

#include <stdlib.h>
#include <unistd.h>

/* The drafts cache: reads the drafts in the background, whenever some process changes them. */

struct load_task {
    struct ui_task task;
    struct saved_drafts drafts;
};

void drafts_cache_free(struct drafts_cache *desk)
{
    saved_drafts_free(&desk->drafts);
    str_free(&desk->problem);
}

static void load_task_work(struct ui_task *task, struct store *store)
{
    struct load_task *load = (struct load_task *)task;

    load->task.ok = store_drafts(store, &load->drafts, &load->task.err);
}

/* Keeps the known drafts if reading fails, since they may still exist. */
static void load_task_done(struct ui_task *task, struct ui *ui)
{
    struct load_task *load = (struct load_task *)task;
    struct drafts_cache *desk = &ui->desk;
    struct screen *view = ui->views[VIEW_DRAFTS];

    desk->asked = false;
    str_clear(&desk->problem);
    if (load->task.ok) {
        saved_drafts_free(&desk->drafts);
        desk->drafts = load->drafts;
        load->drafts = (struct saved_drafts){0};
        desk->known = true;
    } else {
        str_puts(&desk->problem, load->task.err.text);
    }
    if (view && view->ops->renew)
        view->ops->renew(view);
    if (desk->again)
        drafts_cache_load(ui);
}

static void load_free(struct ui_task *task)
{
    saved_drafts_free(&((struct load_task *)task)->drafts);
    free(task);
}

void drafts_cache_load(struct ui *ui)
{
    struct drafts_cache *desk = &ui->desk;

    desk->again = desk->asked;
    if (desk->asked)
        return;
    struct load_task *load = mem_zero(1, sizeof *load);
    load->task =
        (struct ui_task){.work = load_task_work, .done = load_task_done, .free = load_free};
    desk->asked = true;
    ui_begin(ui, UI_DRAFTS, &load->task);
}

size_t drafts_cache_unsent(const struct ui *ui)
{
    const struct agent_directory *world = ui->picture->world;
    size_t count = 0;

    for (size_t i = 0; world && i < world->outbox.count; i++)
        count += world->outbox.items[i].state == OUTBOX_QUEUED ||
                 outbox_is_stuck(world->outbox.items[i].state);
    return count;
}

/* --- draft savers --- */

struct draft_saver {
    size_t holders; /* reference count, only used on the UI thread */
    char id[DRAFT_ID_LEN + 1];
    int64_t version, created_us;
};

struct draft_saver *draft_saver_new(void)
{
    struct draft_saver *keeper = mem_zero(1, sizeof *keeper);

    keeper->holders = 1;
    return keeper;
}

/* Like draft_saver_new(), but for a draft that was claimed. */
static struct draft_saver *draft_saver_of(const struct saved_draft *draft)
{
    struct draft_saver *keeper = draft_saver_new();

    if (draft->id.len <= DRAFT_ID_LEN)
        memcpy(keeper->id, draft->id.at, draft->id.len);
    keeper->version = draft->version;
    keeper->created_us = draft->created_us;
    return keeper;
}

struct draft_saver *draft_saver_hold(struct draft_saver *keeper)
{
    keeper->holders++;
    return keeper;
}

void draft_saver_drop(struct draft_saver *keeper)
{
    if (keeper && --keeper->holders == 0)
        free(keeper);
}

/* --- saving --- */

struct save_task {
    struct ui_task task;
    struct draft_saver *keeper;
    struct arena arena;
    struct saved_draft draft; /* all but its id, version and time of creation */
    struct span_list files;
    struct kept_draft result;
    bool last;
    void (*done)(struct ui *ui, uint64_t screen, const struct kept_draft *result);
};

void draft_saver_look_for(const struct span_list *files, struct span_list *absent)
{
    for (size_t i = 0; i < files->count; i++)
        if (access(files->items[i].at, F_OK) != 0)
            span_list_add(absent, files->items[i]);
}

static void work_save(struct ui_task *task, struct store *store)
{
    struct save_task *save = (struct save_task *)task;
    struct draft_saver *keeper = save->keeper;
    struct kept_draft *result = &save->result;
    struct err ignored;

    save->draft.id = span_of(keeper->id);
    save->draft.version = keeper->version;
    save->draft.created_us = keeper->created_us;
    task->ok = store_save_draft(store, &save->draft, &result->saved, &task->err);
    if (task->ok) {
        memcpy(keeper->id, result->saved.id, sizeof keeper->id);
        keeper->version = result->saved.version;
        keeper->created_us = result->saved.created_us;
    }
    if (save->last && keeper->id[0])
        store_release_draft(store, span_of(keeper->id), &ignored);
    draft_saver_look_for(&save->files, &save->result.absent);
}

static void draft_saver_saved(struct ui_task *task, struct ui *ui)
{
    struct save_task *save = (struct save_task *)task;

    save->result.ok = task->ok;
    if (!task->ok)
        ui_failf(ui, "the draft is not saved: %s", task->err.text);
    if (save->done)
        save->done(ui, task->screen, &save->result);
}

static void free_save(struct ui_task *task)
{
    struct save_task *save = (struct save_task *)task;

    draft_saver_drop(save->keeper);
    span_list_free(&save->files);
    span_list_free(&save->result.absent);
    arena_free(&save->arena);
    free(save);
}

/* Returns the recipients, as lists show them. */
static struct span addressee_of(const struct draft_fields *fields)
{
    if (fields->form != FORM_BROADCAST)
        return fields->to;
    return fields->everybody ? span_of("everybody") : fields->team;
}

static void describe_draft(struct save_task *save, const struct draft_fields *fields,
                           int64_t now_us)
{
    struct arena *arena = &save->arena;
    struct draft_fields kept = *fields;
    CLEANUP(str_free) struct str json = {0};

    kept.order.confirm = (struct span){0}; /* it has to be typed each time */
    draft_fields_write(&json, &kept);
    save->draft = (struct saved_draft){.form = span_of(form_name(fields->form)),
                                       .format = arena_copy(arena, fields->format),
                                       .root = arena_copy(arena, fields->root),
                                       .to = arena_copy(arena, addressee_of(fields)),
                                       .subject = arena_copy(arena, fields->subject),
                                       .fields = arena_copy(arena, str_span(&json)),
                                       .updated_us = now_us};
}

void draft_saver_save(struct ui *ui, struct draft_saver *keeper, const struct keep_how *how)
{
    struct save_task *save = mem_zero(1, sizeof *save);

    save->task = (struct ui_task){
        .work = work_save, .done = draft_saver_saved, .free = free_save, .screen = how->screen};
    save->keeper = draft_saver_hold(keeper);
    describe_draft(save, how->fields, ui_now(ui));
    if (how->files)
        span_list_copy(&save->files, how->files, &save->arena);
    save->result.number = how->number;
    save->result.purpose = how->purpose;
    save->result.saved_us = save->draft.updated_us;
    save->last = how->last;
    save->done = how->done;
    ui_begin(ui, UI_DRAFTS, &save->task);
}

/* --- releasing and removing --- */

struct end_task {
    struct ui_task task;
    struct draft_saver *keeper;
    bool remove;
};

static void work_end(struct ui_task *task, struct store *store)
{
    struct end_task *end = (struct end_task *)task;
    struct span id = span_of(end->keeper->id);

    end->task.ok =
        !id.len || (end->remove ? store_drop_draft(store, id, end->keeper->version, &end->task.err)
                                : store_release_draft(store, id, &end->task.err));
}

static void done_end(struct ui_task *task, struct ui *ui)
{
    struct end_task *end = (struct end_task *)task;

    if (!end->task.ok && end->remove)
        ui_info(ui, STYLE_WARNING, "its draft is still there: %s", end->task.err.text);
}

static void free_end(struct ui_task *task)
{
    struct end_task *end = (struct end_task *)task;

    draft_saver_drop(end->keeper);
    free(end);
}

static void begin_end(struct ui *ui, struct draft_saver *keeper, bool remove)
{
    struct end_task *end = mem_zero(1, sizeof *end);

    end->task = (struct ui_task){.work = work_end, .done = done_end, .free = free_end};
    end->keeper = draft_saver_hold(keeper);
    end->remove = remove;
    ui_begin(ui, UI_DRAFTS, &end->task);
}

void draft_saver_remove(struct ui *ui, struct draft_saver *keeper)
{
    begin_end(ui, keeper, true);
}

/* Releases a draft that was claimed and not changed. */
static void draft_saver_release(struct ui *ui, struct draft_saver *keeper)
{
    begin_end(ui, keeper, false);
}

/* --- values that become known while the form is open; typed text is never replaced --- */

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

/* Makes this value the one that the form was opened with. */
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

static void refill_entry(struct form_screen *form, struct entry *entry)
{
    for (size_t i = 0; i < entry->count; i++)
        edit_free(&entry->edits[i]);
    entry->count = 0;
    entry->at = 0;
    form_fill_entry(form, entry);
}

void form_set_items(struct form_screen *form, size_t at, const struct span_list *items)
{
    struct entry *entry = form_entry(form, at);
    struct span_list *list = (void *)((char *)&form->fields + at);

    if (!entry || entry->spec->kind != ENTRY_ITEMS)
        return;
    span_list_free(list);
    span_list_copy(list, items, &form->arena);
    refill_entry(form, entry);
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
        if (entry == form_here(form)) /* completions of other entries stay */
            form_stop_completing(form);
        refill_entry(form, entry);
    }
    draft_fields_free(&now);
    take_absent(form, absent);
    if (form->changes)
        form_changed(form); /* saved together with what was typed */
    else
        form_judge(form);
    ui_touch(form->screen.ui);
}

static void take_saved(struct form_screen *form, const struct kept_draft *result)
{
    static const char *const words[] = {
        [DRAFT_CHANGED] = "another process has changed this draft: what you write is a copy of it",
        [DRAFT_REMOVED] = "another process has sent or removed this draft: this is a new one"};
    const struct draft_saved *saved = &result->saved;

    memcpy(form->id, saved->id, sizeof form->id);
    form->saved = result->number;
    form->saved_us = result->saved_us;
    if (saved->how != DRAFT_SAVED)
        ui_info(form->screen.ui, STYLE_WARNING, "%s, drafts/%.4s", words[saved->how], saved->id);
}

/* Applies the result of a save. A failed one is repeated after FORM_SAVE_US. */
static void done_save(struct ui *ui, uint64_t screen, const struct kept_draft *result)
{
    struct form_screen *form = form_of(ui_screen(ui, screen));

    form->saving--;
    form->changed_us = time_steady();
    if (result->ok)
        take_saved(form, result);
    form_take_absent(form, &result->absent);
    if (result->purpose == SAVE_TO_EDIT && result->ok)
        form_edit_outside(form);
    if (result->purpose == SAVE_TO_SEND)
        form_go_on_sending(form, result->ok);
    if (result->purpose == SAVE_TO_LEAVE && result->ok)
        form_left(form);
}

void form_left(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;

    if (form->changes || form->id[0])
        ui_info(ui, STYLE_DIM, "kept as a draft; R goes on with it");
    ui_pop(ui, &form->screen);
}

static void save_form(struct form_screen *form, const struct keep_how *how)
{
    struct keep_how whole = *how;
    struct draft_fields fields;
    CLEANUP(span_list_free) struct span_list files = {0};

    form_gather(form, &fields);
    form_add_files(&files, form);
    whole.fields = &fields;
    whole.files = &files;
    whole.number = form->changes;
    draft_saver_save(form->screen.ui, form->keeper, &whole);
    draft_fields_free(&fields);
}

void form_save(struct form_screen *form, enum save_purpose purpose)
{
    form->saving++;
    form->changed_us = time_steady(); /* delays the next try */
    save_form(form, &(struct keep_how){
                        .screen = form->screen.id, .purpose = (int)purpose, .done = done_save});
}

void form_save_last(struct form_screen *form)
{
    if (form->out) { /* it was about to be sent, and will not be */
        outgoing_free(form->out);
        form->fields.sending_us = TIME_NONE;
        form->sending = false;
        form->changes++;
    }
    if (form->dropped || form->sending) /* sending keeps the draft */
        return;
    if (form->changes != form->saved)
        save_form(form, &(struct keep_how){.last = true});
    else if (form->id[0])
        draft_saver_release(form->screen.ui, form->keeper);
}

void form_discard(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;

    form->dropped = true;
    draft_saver_remove(ui, form->keeper);
    ui_pop(ui, &form->screen);
    ui_info(ui, STYLE_DIM, "thrown away");
}

/* --- opening --- */

struct opening {
    struct ui_task task;
    struct str id; /* empty: the last draft that no process has open */
    struct saved_drafts drafts;
};

static bool claim_last(struct opening *opening, struct store *store)
{
    CLEANUP(saved_drafts_free) struct saved_drafts all = {0};
    bool ok = store_drafts(store, &all, &opening->task.err);

    if (ok) {
        err_set(&opening->task.err, ERR_ABSENT, "there is no draft to go on with");
        ok = false;
    }
    for (size_t i = 0; !ok && i < all.count; i++)
        ok = store_claim_draft(store, all.items[i].id, &opening->drafts, &opening->task.err);
    return ok;
}

static void work_open(struct ui_task *task, struct store *store)
{
    struct opening *opening = (struct opening *)task;

    opening->task.ok = opening->id.len ? store_claim_draft(store, str_span(&opening->id),
                                                           &opening->drafts, &opening->task.err)
                                       : claim_last(opening, store);
}

static bool is_open(struct ui *ui, struct span id)
{
    for (size_t i = 0; i < ui->over_count; i++)
        if (ui->over[i]->ops == form_screen_ops() && span_is(id, form_of(ui->over[i])->id))
            return true;
    return false;
}

static void done_open(struct ui_task *task, struct ui *ui)
{
    struct opening *opening = (struct opening *)task;
    CLEANUP(draft_fields_free) struct draft_fields fields = draft_fields_new(FORM_COMPOSE);
    CLEANUP(arena_free) struct arena arena = {0};

    if (!opening->task.ok) {
        ui_error(ui, &opening->task.err);
        return;
    }
    const struct saved_draft *draft = &opening->drafts.items[0];
    if (is_open(ui, draft->id) || outgoing_has_draft(ui, draft->id)) {
        ui_info(ui, STYLE_WARNING, "this draft is open, or is being sent right now");
        return;
    }
    bool ok = draft_fields_read(&fields, draft->fields, &arena, &opening->task.err);
    if (ok && !form_spec_of(fields.form))
        ok = err_set(&opening->task.err, ERR_REFUSED, "there is no form for it");
    if (!ok) {
        struct draft_saver *keeper = draft_saver_of(draft);
        err_at(&opening->task.err, "the draft cannot be read");
        ui_error(ui, &opening->task.err);
        draft_saver_release(ui, keeper);
        draft_saver_drop(keeper);
    } else {
        struct form_screen *form = form_new(ui, form_spec_of(fields.form), &fields);
        draft_saver_drop(form->keeper);
        form->keeper = draft_saver_of(draft);
        memcpy(form->id, draft->id.at, draft->id.len < DRAFT_ID_LEN ? draft->id.len : DRAFT_ID_LEN);
        form->saved_us = draft->updated_us;
        form_push(form);
    }
}

static void free_open(struct ui_task *task)
{
    struct opening *opening = (struct opening *)task;

    str_free(&opening->id);
    saved_drafts_free(&opening->drafts);
    free(opening);
}

void form_open_draft(struct ui *ui, struct span id)
{
    struct opening *opening = mem_zero(1, sizeof *opening);

    opening->task = (struct ui_task){.work = work_open, .done = done_open, .free = free_open};
    str_add_span(&opening->id, id);
    ui_begin(ui, UI_DRAFTS, &opening->task);
}
