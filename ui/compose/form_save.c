/* Forms: saving them as drafts, opening drafts, and throwing them away. */
#include "base/mem.h"
#include "ui/compose/form_private.h"
#include "ui/compose/outgoing.h"
#include "ui/ui_private.h"

#include <stdlib.h>

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
        ui_say(form->screen.ui, LOOK_WARNING, "%s, drafts/%.4s", words[saved->how], saved->id);
}

/* What could not be saved is tried again after a while. */
static void done_save(struct ui *ui, uint64_t screen, const struct kept_draft *result)
{
    struct form_screen *form = form_of(ui_screen(ui, screen));

    form->saving--;
    form->changed_us = when_steady();
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
        ui_say(ui, LOOK_DIM, "kept as a draft; R goes on with it");
    ui_pop(ui, &form->screen);
}

static void save(struct form_screen *form, const struct keep_how *how)
{
    struct keep_how whole = *how;
    struct draft_fields fields;
    struct span_list files = {0};

    form_gather(form, &fields);
    form_add_files(&files, form);
    whole.fields = &fields;
    whole.files = &files;
    whole.number = form->changes;
    keeper_save(form->screen.ui, form->keeper, &whole);
    draft_fields_free(&fields);
    span_list_free(&files);
}

void form_save(struct form_screen *form, enum save_purpose purpose)
{
    form->saving++;
    form->changed_us = when_steady(); /* the next try is not at once */
    save(form,
         &(struct keep_how){.screen = form->screen.id, .purpose = (int)purpose, .done = done_save});
}

void form_save_last(struct form_screen *form)
{
    if (form->out) { /* it was about to be sent, and is not */
        outgoing_free(form->out);
        form->fields.sending_us = WHEN_NONE;
        form->sending = false;
        form->changes++;
    }
    if (form->dropped || form->sending) /* whoever sends it has the draft */
        return;
    if (form->changes != form->saved)
        save(form, &(struct keep_how){.last = true});
    else if (form->id[0])
        keeper_release(form->screen.ui, form->keeper);
}

void form_discard(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;

    form->dropped = true;
    keeper_remove(ui, form->keeper);
    ui_pop(ui, &form->screen);
    ui_say(ui, LOOK_DIM, "thrown away");
}

/* --- opening --- */

struct opening {
    struct ui_task task;
    struct str id; /* empty: the last one that nobody has open */
    struct saved_drafts drafts;
};

static bool claim_last(struct opening *opening, struct store *store)
{
    struct saved_drafts all = {0};
    bool ok = store_drafts(store, &all, &opening->task.err);

    if (ok) {
        err_set(&opening->task.err, ERR_ABSENT, "there is no draft to go on with");
        ok = false;
    }
    for (size_t i = 0; !ok && i < all.count; i++)
        ok = store_claim_draft(store, all.items[i].id, &opening->drafts, &opening->task.err);
    saved_drafts_free(&all);
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
    struct draft_fields fields = draft_fields_new(FORM_COMPOSE);
    struct arena arena = {0};

    if (!opening->task.ok) {
        ui_fail(ui, &opening->task.err);
        return;
    }
    const struct saved_draft *draft = &opening->drafts.items[0];
    if (is_open(ui, draft->id) || outgoing_has_draft(ui, draft->id)) {
        ui_say(ui, LOOK_WARNING, "this draft is open, or is being sent right now");
        return;
    }
    bool ok = draft_fields_read(&fields, draft->fields, &arena, &opening->task.err);
    if (ok && !form_spec_of(fields.form))
        ok = err_set(&opening->task.err, ERR_REFUSED, "there is no form for it");
    if (!ok) {
        struct keeper *keeper = keeper_of(draft);
        err_at(&opening->task.err, "the draft cannot be read");
        ui_fail(ui, &opening->task.err);
        keeper_release(ui, keeper);
        keeper_drop(keeper);
    } else {
        struct form_screen *form = form_new(ui, form_spec_of(fields.form), &fields);
        keeper_drop(form->keeper);
        form->keeper = keeper_of(draft);
        memcpy(form->id, draft->id.at, draft->id.len < DRAFT_ID_LEN ? draft->id.len : DRAFT_ID_LEN);
        form->saved_us = draft->updated_us;
        form_push(form);
    }
    draft_fields_free(&fields);
    arena_free(&arena);
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
    ui_begin(ui, UI_DESK, &opening->task);
}
