/* Outgoing: fields become letters, which are looked at and sent, on the stores' threads. */
#include "ui/compose/outgoing.h"

#include "base/mem.h"
#include "ui/ui_private.h"

#include <stdio.h>
#include <stdlib.h>

void outgoing_free(struct outgoing *out)
{
    if (!out)
        return;
    for (size_t i = 0; out->letters && i < out->count; i++) {
        letter_free(&out->letters[i]);
        preview_free(&out->previews[i]);
    }
    free(out->letters);
    free(out->previews);
    free(out->to);
    outgoing_free_orders(out);
    broadcast_free(&out->plan);
    draft_free(&out->draft);
    span_list_free(&out->caveats);
    span_list_free(&out->left);
    batch_free(&out->batch);
    draft_fields_free(&out->fields);
    str_free(&out->said);
    keeper_drop(out->keeper);
    arena_free(&out->arena);
    free(out);
}

/* --- drafts --- */

void outgoing_caution(struct outgoing *out, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (size_t i = 0; i < out->caveats.count; i++)
        if (span_is(out->caveats.items[i], text))
            return;
    span_list_add(&out->caveats, arena_copy(&out->arena, span_of(text)));
}

/* What answering adds in that layout; words of the person come over it. */
static void start_answer(struct outgoing *out, struct store *store, struct draft *draft)
{
    struct err ignored;
    struct message *whole =
        out->has_about ? store_fetch(store, &out->about, &out->batch, &ignored) : NULL;

    if (whole)
        store_prepare_reply(store, whole, draft, &out->arena, &ignored);
}

static void copy_list(struct span_list *to, const struct span_list *from)
{
    for (size_t i = 0; i < from->count; i++)
        span_list_add(to, from->items[i]);
}

static void take_text(struct span *to, struct span from)
{
    if (from.len)
        *to = from;
}

static bool take_expiry(struct outgoing *out, struct draft *draft, struct err *err)
{
    struct span text = span_trim(out->fields.expires);
    int64_t lasts_us;

    if (!text.len)
        return true;
    if (!when_duration(text, &lasts_us) || !lasts_us)
        return err_set(err, ERR_USAGE,
                       "Expires takes a duration such as 30m, 2h or 7d, not \"%.*s\"",
                       (int)text.len, text.at);
    draft->expires_us = out->now_us + lasts_us;
    return true;
}

/* What the layout cannot hold is left out, and said. What it cannot hold of an answer's links was
 * never typed by anybody. */
static void leave_out(struct outgoing *out, const struct format *format, struct draft *draft)
{
    if (draft->tags.count && !(format->fields & FIELD_TAGS)) {
        outgoing_caution(out, "the tags are left out: %s has none", format->title);
        draft->tags.count = 0;
    }
    if (draft->attachments.count && !(format->fields & FIELD_ATTACHMENTS)) {
        outgoing_caution(out, "the files are left out: %s has no attachments", format->title);
        draft->attachments.count = 0;
    }
    if (draft->expires_us != WHEN_NONE && !(format->fields & FIELD_EXPIRES)) {
        outgoing_caution(out, "it does not expire: %s has no such time", format->title);
        draft->expires_us = WHEN_NONE;
    }
    if (draft->requires_response && !(format->fields & FIELD_RESPONSE)) {
        outgoing_caution(out, "nothing but its words asks for a response: %s has no mark for it",
                         format->title);
        draft->requires_response = false;
    }
    if (!(format->fields & FIELD_TYPE))
        draft->type = (struct span){0};
    if (!(format->fields & FIELD_THREAD))
        draft->thread = (struct span){0};
    if (!(format->fields & FIELD_REPLY_TO))
        draft->reply_to = (struct span){0};
    if (!(format->fields & FIELD_SWARM))
        draft->swarm = (struct span){0};
    if (format->priorities[draft->priority] != draft->priority && draft->priority &&
        draft->priority != PRIORITY_NORMAL)
        outgoing_caution(out, "%s is %s in %s", priority_name(draft->priority),
                         priority_name((enum priority)format->priorities[draft->priority]),
                         format->title);
}

static bool make_draft(struct outgoing *out, struct store *store, uint32_t source,
                       struct draft *draft, struct err *err)
{
    const struct draft_fields *fields = &out->fields;
    struct form_filling with = {.store = store,
                                .fields = fields,
                                .about = out->has_about ? &out->about : NULL,
                                .arena = &out->arena};

    *draft = draft_new();
    draft->requires_response = fields->requires_response;
    draft->expects_no_response = !fields->requires_response;
    if (fields->form == FORM_REPLY)
        start_answer(out, store, draft);
    draft->from = fields->from;
    draft->subject = fields->subject.at ? fields->subject : span_of("");
    draft->body = fields->body.at ? fields->body : span_of("");
    if (!draft->type.at)
        take_text(&draft->type, fields->type);
    take_text(&draft->thread, fields->thread);
    take_text(&draft->reply_to, fields->reply_to);
    draft->priority = fields->priority ? fields->priority : PRIORITY_NORMAL;
    copy_list(&draft->tags, &fields->tags);
    copy_list(&draft->attachments, &fields->attachments);
    draft->team = (struct span){0};
    if (!take_expiry(out, draft, err) || (out->spec->fill && !out->spec->fill(draft, &with, err)))
        return false;
    if (source != STORE_ANY)
        leave_out(out, store_source(store, source)->format, draft);
    return true;
}

/* --- looking --- */

static bool preview_letters(struct outgoing *out, struct store *store, struct err *err)
{
    out->letters = mem_zero(out->count, sizeof *out->letters);
    out->previews = mem_zero(out->count, sizeof *out->previews);
    for (size_t i = 0; i < out->count; i++) {
        struct addressee *to = &out->to[i];
        struct letter *letter = &out->letters[i];
        if (!make_draft(out, store, to->how.source, &letter->draft, err))
            return false;
        letter->draft.to = to->name;
        letter->draft.team = to->team;
        if (!store_preview(store, letter, &to->how, &out->previews[i], err))
            return false;
        letter->draft.team = to->team;
    }
    return true;
}

static bool preview_broadcast(struct outgoing *out, struct store *store, struct err *err)
{
    struct span swarm = !out->fields.everybody ? out->to[0].team : (struct span){0};

    return make_draft(out, store, out->to[0].how.source, &out->draft, err) &&
           store_preview_broadcast(store, &out->draft, out->to[0].how.source, swarm,
                                   &out->fields.exclude, &out->plan, err);
}

struct outgoing_task {
    struct ui_task task;
    struct outgoing *out;
    void (*done)(struct ui *ui, struct outgoing *out);
};

static void work_preview(struct ui_task *task, struct store *store)
{
    struct outgoing *out = ((struct outgoing_task *)task)->out;
    bool ok = out->spec->is_order                  ? outgoing_preview_orders(out, store, &out->err)
              : out->fields.form == FORM_BROADCAST ? preview_broadcast(out, store, &out->err)
                                                   : preview_letters(out, store, &out->err);

    if (ok)
        out->err.scope = ERR_NONE;
}

static void done_task(struct ui_task *task, struct ui *ui)
{
    struct outgoing_task *sending = (struct outgoing_task *)task;
    struct outgoing *out = sending->out;

    sending->out = NULL;
    if (task->unbegun)
        out->err = task->err;
    sending->done(ui, out);
}

static void free_task(struct ui_task *task)
{
    struct outgoing_task *sending = (struct outgoing_task *)task;

    outgoing_free(sending->out);
    free(sending);
}

static struct outgoing_task *task_new(struct outgoing *out,
                                      void (*done)(struct ui *ui, struct outgoing *out))
{
    struct outgoing_task *task = mem_zero(1, sizeof *task);

    task->task = (struct ui_task){.done = done_task, .free = free_task};
    task->out = out;
    task->done = done;
    return task;
}

void outgoing_preview(struct ui *ui, struct outgoing *out,
                      void (*done)(struct ui *ui, struct outgoing *out))
{
    struct outgoing_task *task = task_new(out, done);

    task->task.work = work_preview;
    task->task.screen = out->form_id;
    ui_begin(ui, UI_READ, &task->task);
}

/* --- sending --- */

static void note_letter(struct outgoing *out, size_t at, const struct letter *letter, bool ok,
                        const struct err *err)
{
    struct span name = out->to[at].name;

    if (ok || letter->delivered || letter->queued) {
        str_addf(&out->said, "%s%.*s, %s", out->said.len ? "; " : "", (int)name.len, name.at,
                 str_c(&letter->id));
        if (letter->queued)
            str_puts(&out->said, " (queued: the one before it was not taken yet)");
    }
    if (!ok && !letter->delivered && !letter->queued && err->scope != ERR_UNCONFIRMED)
        span_list_add(&out->left, name);
    if (!ok && err->scope == ERR_UNCONFIRMED)
        out->unsure = true;
    if (!ok && !out->err.scope)
        out->err = *err;
}

static void send_letters(struct outgoing *out, struct store *store)
{
    for (size_t i = 0; i < out->count; i++) {
        struct letter *letter = &out->letters[i];
        struct err err;
        str_clear(&letter->warning); /* it was shown */
        bool ok = out->orders ? outgoing_send_order(out, store, i, &err)
                              : store_send(store, letter, &out->to[i].how, &err);
        note_letter(out, i, letter, ok, &err);
    }
}

static void send_broadcast(struct outgoing *out, struct store *store)
{
    struct broadcast *plan = &out->plan;
    size_t delivered = 0, queued = 0, unsure = 0;
    struct err err;

    if (!store_broadcast_plan(store, plan, VERIFY_FIRST, &err)) {
        out->err = err;
        out->unsure = err.scope == ERR_UNCONFIRMED;
    }
    for (size_t i = 0; i < plan->count; i++) {
        const struct letter *letter = &plan->letters[i];
        delivered += letter->delivered && !letter->unsure;
        unsure += letter->delivered && letter->unsure;
        queued += letter->queued;
    }
    size_t all = plan->reached.count ? plan->reached.count : plan->count;
    str_addf(&out->said, "%zu agent%s: %zu of %zu message%s delivered", all, all == 1 ? "" : "s",
             delivered, plan->count, plan->count == 1 ? "" : "s");
    if (queued)
        str_addf(&out->said, ", %zu queued", queued);
    if (unsure)
        str_addf(&out->said, ", %zu unconfirmed", unsure);
}

static void work_send(struct ui_task *task, struct store *store)
{
    struct outgoing *out = ((struct outgoing_task *)task)->out;

    out->err.scope = ERR_NONE;
    if (out->fields.form == FORM_BROADCAST)
        send_broadcast(out, store);
    else
        send_letters(out, store);
}

void outgoing_send(struct ui *ui, struct outgoing *out,
                   void (*done)(struct ui *ui, struct outgoing *out))
{
    struct outgoing_task *task = task_new(out, done);

    task->task.work = work_send;
    ui_begin(ui, UI_WRITE, &task->task);
}

bool outgoing_has_draft(const struct ui *ui, struct span id)
{
    for (const struct ui_task *task = ui->tasks; task; task = task->next)
        if (task->work == work_send && span_is(id, ((const struct outgoing_task *)task)->out->id))
            return true;
    return false;
}
