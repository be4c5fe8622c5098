/* Outgoing: makes messages from fields, previews and sends them, on the threads of the stores. */
#include "ui/compose/outgoing.h"

#include "base/mem.h"
#include "ui/compose/form.h"
#include "ui/ui_state.h"

#include <stdio.h>
#include <stdlib.h>

/* Adds a sentence to the caveats, once. */
__attribute__((format(printf, 2, 3))) static void outgoing_caution(struct outgoing *out,
                                                                   const char *format, ...)
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

/* --- lead commands: one for each recipient, each with a record in the ledger --- */

static void add_lead_command(struct outgoing *out, struct span to, const struct order_terms *terms,
                             const struct order_way *way)
{
    *mem_push(out->to, out->count, out->cap) = (struct addressee){
        .name = to,
        .how = {.source = way->source,
                .create = !span_trim(out->fields.to).len}, /* addressed by the level */
        .terms = *terms,
        .way = *way};
}

static struct span with_team(struct outgoing *out, struct span name, struct span team)
{
    CLEANUP(str_free) struct str text = {0};

    if (!team.len || memchr(name.at, '@', name.len))
        return arena_copy(&out->arena, name);
    str_add_span(&text, name);
    str_putc(&text, '@');
    str_add_span(&text, team);
    return arena_copy(&out->arena, str_span(&text));
}

/* Adds the command for an agent or, without a name, for the layout's own name of the level, whose
 * mailbox may be created. */
static bool find_agent(struct outgoing *out, struct store *store, struct span name,
                       struct order_terms terms, struct err *err)
{
    struct span to = name.len ? with_team(out, name, out->fields.team) : (struct span){0};
    struct order_way way;

    if (!store_lead_agent(store, name.len ? out->source : STORE_ANY, to, &terms, &way, &out->arena,
                          err))
        return false;
    add_lead_command(out, name.len ? to : way.agent, &terms, &way);
    return true;
}

/* Adds the command for all teammates, found like the recipients of a broadcast. */
static bool add_members(struct outgoing *out, struct store *store, struct order_terms *terms,
                        const struct order_way *team, const struct span_list *leads,
                        struct err *err)
{
    CLEANUP(broadcast_free) struct broadcast plan = {0};
    CLEANUP(lead_command_free) struct order_text text = {0};
    bool ok =
        lead_command_make(&text, terms, err) &&
        store_preview_broadcast(store, &text.draft, team->source, team->team, leads, &plan, err);

    for (size_t i = 0; ok && i < plan.count; i++) {
        struct order_way way = *team;
        way.agent = terms->agent = arena_copy(&out->arena, plan.letters[i].draft.to);
        add_lead_command(out, with_team(out, way.agent, way.team), terms, &way);
    }
    for (size_t i = 0; ok && i < plan.left_out_count; i++)
        outgoing_caution(out, "%.*s does not get it: %s", (int)plan.left_out[i].name.len,
                         plan.left_out[i].name.at, plan.left_out[i].why);
    return ok;
}

/* Adds the command for all teammates if `name` is a team, which `found` reports. */
static bool find_team(struct outgoing *out, struct store *store, struct span name,
                      struct order_terms terms, bool *found, struct err *err)
{
    CLEANUP(span_list_free) struct span_list leads = {0};
    struct order_way way;
    bool ok = true;

    *found = store_lead_team(store, out->source, name, &terms, &way, &leads, &out->arena, err);
    if (*found)
        ok = add_members(out, store, &terms, &way, &leads, err);
    else if (err->scope != ERR_ABSENT)
        ok = false;
    return ok;
}

static bool find_all(struct outgoing *out, struct store *store, const struct order_terms *terms,
                     bool *whole_team, struct err *err)
{
    struct span rest = out->fields.to, name;

    *whole_team = false;
    if (terms->verb == LEAD_ESCALATE && !span_trim(rest).len)
        return find_agent(out, store, (struct span){0}, *terms, err);
    while (form_next_name(&rest, &name)) {
        bool team = false;
        if (terms->verb == LEAD_RULES && !find_team(out, store, name, *terms, &team, err))
            return false;
        if (!team && !find_agent(out, store, name, *terms, err))
            return false;
        *whole_team |= team;
    }
    return true;
}

/* --- cautions --- */

/* Refuses a command that removes protection unless the person has typed its recipient again. */
static bool confirm_lead_command(struct outgoing *out, const struct order_terms *terms,
                                 bool whole_team, struct err *err)
{
    struct span to = span_trim(out->fields.to), given = span_trim(out->fields.order.confirm);
    bool unguarded = terms->verb == LEAD_MODE && lead_mode_is_unguarded(terms->mode);

    if (!unguarded && !(whole_team && span_is(terms->behavior, "allow")))
        return true;
    if (unguarded)
        outgoing_caution(out,
                         "%.*s takes all protection away: \"%.*s\" will act without asking anybody",
                         (int)terms->mode.len, terms->mode.at, (int)to.len, to.at);
    else
        outgoing_caution(out, "all %zu teammates of \"%.*s\" will use %.*s without asking",
                         out->count, (int)to.len, to.at, (int)terms->tool.len, terms->tool.at);
    if (given.len && span_eq(given, to))
        return true;
    return err_set(err, ERR_REFUSED,
                   "this takes protection away: Confirm takes \"%.*s\", not \"%.*s\"", (int)to.len,
                   to.at, (int)given.len, given.len ? given.at : "");
}

static void say_way(struct outgoing *out, struct store *store, const struct addressee *order)
{
    const struct source *source = store_source(store, order->way.source);

    if (order->way.ability == ABILITY_CONVENTION)
        outgoing_caution(out,
                         "in the layout %s this is a custom for people and models: no program "
                         "enforces it",
                         source->format->title);
    if (order->terms.means.program && !span_is(order->terms.from, source->identity))
        outgoing_caution(out,
                         "it goes out in the name of \"%.*s\", from whom alone programs take it, "
                         "and whose inbox gets the answer",
                         (int)order->terms.from.len, order->terms.from.at);
}

/* --- preview and sending --- */

static bool fill_escalation(struct outgoing *out, struct store *store, struct order_terms *terms,
                            struct err *err)
{
    const struct draft_fields *fields = &out->fields;
    struct span word = span_trim(fields->order.level), given = span_trim(fields->order.id);
    CLEANUP(str_free) struct str id = {0};

    if (!escalation_level_find(word, &terms->level))
        return err_set(err, ERR_REFUSED, "Level takes coo or ceo, not \"%.*s\"", (int)word.len,
                       word.len ? word.at : "");
    terms->title = fields->subject;
    terms->body = fields->body;
    terms->priority = fields->priority;
    terms->id = given.len ? given : (struct span){0};
    bool ok = store_name_escalation(store, terms, &id, err);
    if (ok)
        terms->id = arena_copy(&out->arena, terms->id);
    return ok;
}

static bool fill_terms(struct outgoing *out, struct store *store, struct order_terms *terms,
                       struct err *err)
{
    const struct draft_fields *fields = &out->fields;

    *terms = (struct order_terms){.verb = out->spec->verb,
                                  .now_us = out->now_us,
                                  .reason = fields->order.reason,
                                  .task = span_trim(fields->order.task),
                                  .subject = fields->subject,
                                  .description = fields->body,
                                  .tool = span_trim(fields->order.tool),
                                  .behavior = span_trim(fields->order.behavior),
                                  .directory = fields->order.directory,
                                  .rules = &fields->order.rules};
    if (terms->verb == LEAD_ESCALATE)
        return fill_escalation(out, store, terms, err);
    return terms->verb != LEAD_MODE || lead_mode(span_trim(fields->order.mode), &terms->mode, err);
}

/* Makes the lead command for one recipient. */
static bool make_lead_command(struct outgoing *out, struct store *store, struct addressee *to,
                              struct err *err)
{
    to->terms.now_us += (to - out->to) * INT64_C(1000); /* different times make different ids */
    if (!lead_command_make(&to->text, &to->terms, err))
        return false;
    say_way(out, store, to);
    to->letter.draft = to->text.draft;
    to->letter.draft.to = to->name;
    return true;
}

static bool find_recipients(struct outgoing *out, struct store *store, struct err *err)
{
    struct order_terms terms;
    bool whole_team;

    return fill_terms(out, store, &terms, err) && find_all(out, store, &terms, &whole_team, err) &&
           confirm_lead_command(out, &terms, whole_team, err);
}

static bool send_lead_command(struct store *store, struct addressee *to, struct err *err)
{
    struct order_note note = {.verb = lead_verb_name(to->terms.verb),
                              .kind = lead_verb_kind(to->terms.verb),
                              .agent = to->way.agent,
                              .team = to->way.team,
                              .terms = str_span(&to->text.in_short),
                              .id = to->text.id};

    return store_lead_command(store, &to->letter, &to->how, &note, err);
}

void outgoing_free(struct outgoing *out)
{
    if (!out)
        return;
    for (size_t i = 0; i < out->count; i++) {
        outgoing_message_free(&out->to[i].letter);
        preview_free(&out->to[i].preview);
        lead_command_free(&out->to[i].text);
    }
    free(out->to);
    broadcast_free(&out->plan);
    draft_free(&out->draft);
    span_list_free(&out->caveats);
    span_list_free(&out->left);
    batch_free(&out->batch);
    draft_fields_free(&out->fields);
    str_free(&out->said);
    draft_saver_drop(out->keeper);
    arena_free(&out->arena);
    free(out);
}

/* --- the draft --- */

/* Adds what a reply has in that layout; input of the person replaces it. */
static void start_answer(struct outgoing *out, struct store *store, struct draft *draft)
{
    struct err ignored;
    struct message *whole =
        out->has_about ? store_fetch(store, &out->about, &out->batch, &ignored) : NULL;

    if (whole)
        store_prepare_reply(store, whole, draft, &out->arena, &ignored);
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
    if (!time_duration(text, &lasts_us) || !lasts_us)
        return err_set(err, ERR_USAGE,
                       "Expires takes a duration such as 30m, 2h or 7d, not \"%.*s\"",
                       (int)text.len, text.at);
    draft->expires_us = out->now_us + lasts_us;
    return true;
}

/* Removes what the layout cannot hold, with a caution. Links of a reply are removed without one,
 * since nobody typed them. */
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
    if (draft->expires_us != TIME_NONE && !(format->fields & FIELD_EXPIRES)) {
        outgoing_caution(out, "it does not expire: %s has no such time", format->title);
        draft->expires_us = TIME_NONE;
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
    span_list_copy(&draft->tags, &fields->tags, &out->arena);
    span_list_copy(&draft->attachments, &fields->attachments, &out->arena);
    draft->team = (struct span){0};
    if (!take_expiry(out, draft, err) || (out->spec->fill && !out->spec->fill(draft, &with, err)))
        return false;
    if (source != STORE_ANY)
        leave_out(out, store_source(store, source)->format, draft);
    return true;
}

/* --- preview --- */

/* Makes the message for one recipient. */
static bool make_letter(struct outgoing *out, struct store *store, struct addressee *to,
                        struct err *err)
{
    if (out->spec->is_order)
        return make_lead_command(out, store, to, err);
    if (!make_draft(out, store, to->how.source, &to->letter.draft, err))
        return false;
    to->letter.draft.to = to->name;
    to->letter.draft.team = to->team;
    return true;
}

static bool preview_letters(struct outgoing *out, struct store *store, struct err *err)
{
    if (out->spec->is_order && !find_recipients(out, store, err))
        return false;
    for (size_t i = 0; i < out->count; i++) {
        struct addressee *to = &out->to[i];
        if (!make_letter(out, store, to, err) ||
            !store_preview(store, &to->letter, &to->how, &to->preview, err))
            return false;
        if (!out->spec->is_order)
            to->letter.draft.team = to->team;
    }
    return true;
}

static bool preview_broadcast(struct outgoing *out, struct store *store, struct err *err)
{
    struct span swarm = !out->fields.everybody ? out->fields.team : (struct span){0};

    return make_draft(out, store, out->source, &out->draft, err) &&
           store_preview_broadcast(store, &out->draft, out->source, swarm, &out->fields.exclude,
                                   &out->plan, err);
}

struct outgoing_task {
    struct ui_task task;
    struct outgoing *out;
    void (*done)(struct ui *ui, struct outgoing *out);
};

static void work_preview(struct ui_task *task, struct store *store)
{
    struct outgoing *out = ((struct outgoing_task *)task)->out;
    bool ok = out->fields.form == FORM_BROADCAST ? preview_broadcast(out, store, &out->err)
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

static void note_letter(struct outgoing *out, const struct addressee *to, bool ok,
                        const struct err *err)
{
    const struct outgoing_message *letter = &to->letter;
    struct span name = to->name;

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
        struct addressee *to = &out->to[i];
        struct err err;
        str_clear(&to->letter.warning); /* it was shown in the review */
        bool ok = out->spec->is_order ? send_lead_command(store, to, &err)
                                      : store_send(store, &to->letter, &to->how, &err);
        note_letter(out, to, ok, &err);
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
        const struct outgoing_message *letter = &plan->letters[i];
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
