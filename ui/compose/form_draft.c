/* Drafts of forms: lists, saves, opens, releases and removes them in the background. */
#include "ui/compose/form_draft.h"

#include "base/mem.h"
#include "store/store_local.h"
#include "ui/compose/form.h"
#include "ui/compose/outgoing.h"
#include "ui/ui_state.h"

#include <stdlib.h>
#include <unistd.h>

/* The drafts cache: reads the drafts in the background, whenever some process changes them. */

void drafts_cache_free(struct drafts_cache *desk)
{
    saved_drafts_free(&desk->drafts);
    str_free(&desk->problem);
}

void drafts_cache_load(struct ui *ui)
{
    struct drafts_cache *desk = &ui->desk;

    desk->again = desk->asked;
    desk->asked = true;
    if (!desk->again)
        draft_begin(ui, NULL, DRAFT_LIST, NULL);
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

/* --- work on a draft --- */

struct draft_task {
    struct ui_task task;
    struct draft_saver *keeper; /* or NULL */
    enum draft_work what;
    struct arena arena;
    struct draft_fields fields;
    struct span id;             /* of the draft to open; empty: the last that no process has open */
    struct saved_drafts drafts; /* that were read */
    uint64_t changes;           /* of the form when it was saved */
    int64_t now_us;
    struct draft_saved saved;
    struct span_list absent; /* files that do not exist */
};

static void add_files(struct span_list *files, const struct draft_fields *fields)
{
    for (const struct entry_spec *one = form_spec_of(fields->form)->entries; one->label; one++) {
        const void *value = (const char *)fields + one->at;
        const struct span *texts = value;
        size_t count = 1;
        if (one->kind == ENTRY_ITEMS) {
            texts = ((const struct span_list *)value)->items;
            count = ((const struct span_list *)value)->count;
        }
        for (size_t i = 0; one->files && i < count; i++)
            if (texts[i].len)
                span_list_add(files, texts[i]);
    }
}

void form_add_absent(struct span_list *absent, const struct draft_fields *fields)
{
    CLEANUP(span_list_free) struct span_list files = {0};

    add_files(&files, fields);
    for (size_t i = 0; i < files.count; i++)
        if (access(files.items[i].at, F_OK) != 0)
            span_list_add(absent, files.items[i]);
}

/* Returns the recipients, as lists show them. */
static struct span addressee_of(const struct draft_fields *fields)
{
    if (fields->form != FORM_BROADCAST)
        return fields->to;
    return fields->everybody ? span_of("everybody") : fields->team;
}

static bool save_draft(struct draft_task *it, struct store *store)
{
    struct draft_saver *keeper = it->keeper;
    struct draft_fields *fields = &it->fields;
    CLEANUP(str_free) struct str json = {0};

    fields->order.confirm = (struct span){0}; /* it has to be typed each time */
    draft_fields_write(&json, fields);
    struct saved_draft draft = {.id = span_of(keeper->id),
                                .version = keeper->version,
                                .created_us = keeper->created_us,
                                .form = span_of(form_name(fields->form)),
                                .format = fields->format,
                                .root = fields->root,
                                .to = addressee_of(fields),
                                .subject = fields->subject,
                                .fields = str_span(&json),
                                .updated_us = it->now_us};
    if (!store_save_draft(store, &draft, &it->saved, &it->task.err))
        return false;
    memcpy(keeper->id, it->saved.id, sizeof keeper->id);
    keeper->version = it->saved.version;
    keeper->created_us = it->saved.created_us;
    return true;
}

static bool open_draft(struct draft_task *it, struct store *store)
{
    CLEANUP(saved_drafts_free) struct saved_drafts all = {0};
    struct draft_saver *keeper = it->keeper;
    bool ok = false;

    if (it->id.len) {
        ok = store_claim_draft(store, it->id, &it->drafts, &it->task.err);
    } else if (store_drafts(store, &all, &it->task.err)) {
        err_set(&it->task.err, ERR_ABSENT, "there is no draft to go on with");
        for (size_t i = 0; !ok && i < all.count; i++)
            ok = store_claim_draft(store, all.items[i].id, &it->drafts, &it->task.err);
    }
    if (!ok)
        return false;
    const struct saved_draft *draft = &it->drafts.items[0];
    if (draft->id.len <= DRAFT_ID_LEN)
        memcpy(keeper->id, draft->id.at, draft->id.len);
    keeper->version = draft->version;
    keeper->created_us = draft->created_us;
    return true;
}

static void work_draft(struct ui_task *task, struct store *store)
{
    struct draft_task *it = (struct draft_task *)task;
    struct draft_saver *keeper = it->keeper;
    struct err ignored;

    task->ok = it->what == DRAFT_LIST   ? store_drafts(store, &it->drafts, &task->err)
               : it->what == DRAFT_OPEN ? open_draft(it, store)
                                        : it->what > DRAFT_SAVE_LAST || save_draft(it, store);
    if ((it->what == DRAFT_SAVE_LAST || it->what == DRAFT_RELEASE) && keeper->id[0])
        store_release_draft(store, span_of(keeper->id), &ignored);
    else if (it->what == DRAFT_REMOVE && keeper->id[0])
        task->ok = store_drop_draft(store, span_of(keeper->id), keeper->version, &task->err);
    form_add_absent(&it->absent, &it->fields);
}

static void take_absent(struct form_screen *form, const struct span_list *absent)
{
    span_list_free(&form->absent);
    arena_free(&form->absent_arena);
    form->absent_arena = (struct arena){0};
    span_list_copy(&form->absent, absent, &form->absent_arena);
    form_judge(form);
}

static void take_saved(struct form_screen *form, const struct draft_task *it)
{
    static const char *const words[] = {
        [DRAFT_CHANGED] = "another process has changed this draft: what you write is a copy of it",
        [DRAFT_REMOVED] = "another process has sent or removed this draft: this is a new one"};
    const struct draft_saved *saved = &it->saved;

    memcpy(form->id, saved->id, sizeof form->id);
    form->saved = it->changes;
    form->saved_us = it->now_us;
    if (saved->how != DRAFT_SAVED)
        ui_info(form->screen.ui, STYLE_WARNING, "%s, drafts/%.4s", words[saved->how], saved->id);
}

/* Applies the result of a save. A failed one is repeated after FORM_SAVE_US. */
static void finish_save(struct form_screen *form, const struct draft_task *it)
{
    form->saving--;
    form->changed_us = time_steady();
    if (it->task.ok)
        take_saved(form, it);
    take_absent(form, &it->absent);
    if (it->what == DRAFT_EDIT && it->task.ok)
        form_edit_outside(form);
    if (it->what == DRAFT_SEND)
        form_go_on_sending(form, it->task.ok);
    if (it->what == DRAFT_LEAVE && it->task.ok)
        form_left(form);
}

/* Keeps the known drafts if reading fails, since they may still exist. */
static void take_list(struct ui *ui, struct draft_task *it)
{
    struct drafts_cache *desk = &ui->desk;
    struct screen *view = ui->views[VIEW_DRAFTS];

    desk->asked = false;
    str_clear(&desk->problem);
    if (it->task.ok) {
        saved_drafts_free(&desk->drafts);
        desk->drafts = it->drafts;
        it->drafts = (struct saved_drafts){0};
        desk->known = true;
    } else {
        str_puts(&desk->problem, it->task.err.text);
    }
    if (view && view->ops->renew)
        view->ops->renew(view);
    if (desk->again)
        drafts_cache_load(ui);
}

static bool is_open(struct ui *ui, struct span id)
{
    for (size_t i = 0; i < ui->over_count; i++)
        if (ui->over[i]->ops == &form_ops && span_is(id, form_of(ui->over[i])->id))
            return true;
    return false;
}

static void show_opened(struct ui *ui, struct draft_task *it)
{
    CLEANUP(draft_fields_free) struct draft_fields fields = draft_fields_new(FORM_COMPOSE);
    CLEANUP(arena_free) struct arena arena = {0};

    if (!it->task.ok) {
        ui_error(ui, &it->task.err);
        return;
    }
    const struct saved_draft *draft = &it->drafts.items[0];
    if (is_open(ui, draft->id) || outgoing_has_draft(ui, draft->id)) {
        ui_info(ui, STYLE_WARNING, "this draft is open, or is being sent right now");
        return;
    }
    bool ok = draft_fields_read(&fields, draft->fields, &arena, &it->task.err);
    if (ok && !form_spec_of(fields.form))
        ok = err_set(&it->task.err, ERR_REFUSED, "there is no form for it");
    if (!ok) {
        err_at(&it->task.err, "the draft cannot be read");
        ui_error(ui, &it->task.err);
        draft_begin(ui, it->keeper, DRAFT_RELEASE, NULL);
    } else {
        struct form_screen *form = form_new(ui, form_spec_of(fields.form), &fields);
        draft_saver_drop(form->keeper);
        form->keeper = draft_saver_hold(it->keeper);
        memcpy(form->id, draft->id.at, draft->id.len < DRAFT_ID_LEN ? draft->id.len : DRAFT_ID_LEN);
        form->saved_us = draft->updated_us;
        form_push(form);
    }
}

static void done_draft(struct ui_task *task, struct ui *ui)
{
    struct draft_task *it = (struct draft_task *)task;

    if (!task->ok && it->what <= DRAFT_SAVE_LAST)
        ui_failf(ui, "the draft is not saved: %s", task->err.text);
    if (!task->ok && it->what == DRAFT_REMOVE)
        ui_info(ui, STYLE_WARNING, "its draft is still there: %s", task->err.text);
    if (it->what == DRAFT_LIST) {
        take_list(ui, it);
    } else if (it->what == DRAFT_OPEN) {
        show_opened(ui, it);
    } else if (it->what == DRAFT_CHECK) {
        take_absent(form_of(ui_screen(ui, task->screen)), &it->absent);
        ui_touch(ui);
    } else if (task->screen) {
        finish_save(form_of(ui_screen(ui, task->screen)), it);
    }
}

static void free_draft(struct ui_task *task)
{
    struct draft_task *it = (struct draft_task *)task;

    draft_saver_drop(it->keeper);
    draft_fields_free(&it->fields);
    saved_drafts_free(&it->drafts);
    span_list_free(&it->absent);
    arena_free(&it->arena);
    free(it);
}

static struct draft_task *draft_task_new(struct ui *ui, struct draft_saver *keeper,
                                         enum draft_work what)
{
    struct draft_task *it = mem_zero(1, sizeof *it);

    it->task = (struct ui_task){.work = work_draft, .done = done_draft, .free = free_draft};
    it->keeper = keeper ? draft_saver_hold(keeper) : NULL;
    it->what = what;
    it->now_us = ui_now(ui);
    return it;
}

void draft_begin(struct ui *ui, struct draft_saver *keeper, enum draft_work what,
                 const struct draft_fields *fields)
{
    struct draft_task *it = draft_task_new(ui, keeper, what);

    if (fields)
        draft_fields_copy(&it->fields, fields, &it->arena);
    ui_begin(ui, UI_DRAFTS, &it->task);
}

/* Begins work on what is written; with `screen` it is finished in the form. */
static void begin_work(struct form_screen *form, enum draft_work what, uint64_t screen)
{
    struct draft_task *it = draft_task_new(form->screen.ui, form->keeper, what);

    form_gather(form, &it->fields, &it->arena);
    it->changes = form->changes;
    it->task.screen = screen;
    ui_begin(form->screen.ui, UI_DRAFTS, &it->task);
}

/* --- values that become known while the form is open; typed text is never replaced --- */

void form_set_items(struct form_screen *form, size_t at, const struct span_list *items)
{
    struct entry *entry = form_entry(form, at);
    struct span_list *list = (void *)((char *)&form->fields + at);

    if (!entry || entry->spec->kind != ENTRY_ITEMS)
        return;
    span_list_free(list);
    span_list_copy(list, items, &form->arena);
    form_fill_entry(form, entry);
}

void form_refill(struct form_screen *form, const struct draft_fields *fields,
                 const struct span_list *absent)
{
    if (form->sending || form->dropped)
        return;
    CLEANUP(arena_free) struct arena arena = {0};
    CLEANUP(draft_fields_free) struct draft_fields now = draft_fields_new(fields->form);
    CLEANUP(draft_fields_free) struct draft_fields before = form->fields;
    form_gather(form, &now, &arena);
    draft_fields_copy(&form->fields, fields, &form->arena);
    form->fields.sending_us = before.sending_us;
    for (size_t i = 0; i < form->count; i++) {
        struct entry *entry = &form->entries[i];
        size_t at = entry->spec->at;
        if (!draft_fields_same(&now, &before, at) || draft_fields_same(fields, &before, at))
            continue;
        if (entry == form_here(form)) /* completions of other entries stay */
            form_stop_completing(form);
        form_fill_entry(form, entry);
    }
    for (size_t i = 0; i < absent->count; i++)
        if (!span_list_has(&form->absent, absent->items[i]))
            span_list_add(&form->absent, arena_copy(&form->absent_arena, absent->items[i]));
    if (form->changes)
        form_changed(form); /* saved together with what was typed */
    else
        form_judge(form);
    ui_touch(form->screen.ui);
}

void form_left(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;

    if (form->changes || form->id[0])
        ui_info(ui, STYLE_DIM, "kept as a draft; R goes on with it");
    ui_pop(ui, &form->screen);
}

void form_save(struct form_screen *form, enum draft_work what)
{
    form->saving++;
    form->changed_us = time_steady(); /* delays the next try */
    begin_work(form, what, form->screen.id);
}

void form_look_for_files(struct form_screen *form)
{
    CLEANUP(span_list_free) struct span_list files = {0};

    add_files(&files, &form->fields);
    if (files.count)
        begin_work(form, DRAFT_CHECK, form->screen.id);
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
        begin_work(form, DRAFT_SAVE_LAST, 0);
    else if (form->id[0])
        draft_begin(form->screen.ui, form->keeper, DRAFT_RELEASE, NULL);
}

void form_discard(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;

    form->dropped = true;
    draft_begin(ui, form->keeper, DRAFT_REMOVE, NULL);
    ui_pop(ui, &form->screen);
    ui_info(ui, STYLE_DIM, "thrown away");
}

void form_open_draft(struct ui *ui, struct span id)
{
    struct draft_saver *keeper = draft_saver_new();
    struct draft_task *it = draft_task_new(ui, keeper, DRAFT_OPEN);

    it->id = arena_copy(&it->arena, id);
    draft_saver_drop(keeper);
    ui_begin(ui, UI_DRAFTS, &it->task);
}
