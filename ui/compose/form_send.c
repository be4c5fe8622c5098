/* Forms: from what is written to what is sent. First it is shown, then it is noted on disk that it
 * is about to be sent, then it is sent; only what was delivered lets the draft go. */
#include "base/mem.h"
#include "ui/change.h"
#include "ui/compose/form_private.h"
#include "ui/compose/outgoing.h"
#include "ui/compose/review.h"
#include "ui/decide/holding.h"
#include "ui/process/hooks.h"
#include "ui/snapshot/names.h"

/* --- what would be sent --- */

static uint32_t home_of(const struct form_screen *form, struct span name)
{
    const struct agents *agents = &ui_picture(form->screen.ui)->sight.agents;
    uint32_t home = STORE_ANY;

    for (size_t i = 0; i < agents->count; i++) {
        if (!names_is_called(form->screen.ui, &agents->items[i], name))
            continue;
        if (home != STORE_ANY && home != agents->items[i].source)
            return STORE_ANY;
        home = agents->items[i].source;
    }
    return home;
}

static void add_addressee(struct outgoing *out, const struct form_screen *form, struct span name)
{
    const struct source *source = form_source(form);
    struct addressee *to = &out->to[out->count++];
    bool has_team = memchr(name.at, '@', name.len) != NULL;

    *to = (struct addressee){.name = name};
    to->how.source = source ? source->index : home_of(form, name);
    to->how.create = out->fields.create;
    if (!has_team)
        to->team = out->fields.team;
    /* who wrote is known, also without a mailbox */
    if (out->fields.form == FORM_REPLY && out->has_about && span_eq(name, out->about.from)) {
        to->how.create = true;
        to->how.source = out->about.place->source;
        to->how.answers_box = out->about.place->box;
    }
}

static void add_addressees(struct outgoing *out, const struct form_screen *form)
{
    struct span rest = out->fields.to, name;
    size_t most = 1;

    for (size_t i = 0; i < rest.len; i++)
        most += rest.at[i] == ',';
    out->to = mem_zero(most, sizeof *out->to);
    if (out->fields.form == FORM_BROADCAST ||
        out->spec->is_order) { /* who gets it is found later */
        out->count = 1;
        out->to[0].team = out->fields.team;
        out->to[0].how.source = form_source(form) ? form_source(form)->index : STORE_ANY;
        return;
    }
    while (form_next_name(&rest, &name))
        add_addressee(out, form, name);
}

static struct outgoing *outgoing_of(struct form_screen *form)
{
    struct outgoing *out = mem_zero(1, sizeof *out);
    const struct message *about = form_about(form);
    struct draft_fields fields;

    out->spec = form->spec;
    form_gather(form, &fields);
    fields_copy(&out->fields, &fields, &out->arena);
    draft_fields_free(&fields);
    if (about) {
        message_keep(&out->about, about, &out->arena);
        out->has_about = true;
    }
    out->now_us = when_now();
    out->form_id = form->screen.id;
    out->changes = form->changes;
    out->keeper = keeper_hold(form->keeper);
    add_addressees(out, form);
    return out;
}

/* The store speaks to the command line, too. */
static void say_refused(struct form_screen *form, const struct err *err)
{
    static const char option[] = "--create", field[] = "Create";
    const char *at = strstr(err->text, option);

    if (at)
        form_refuse(form, "%.*s%s%s", (int)(at - err->text), err->text, field,
                    at + sizeof option - 1);
    else
        form_refuse(form, "%s", err->text);
}

static void open_review(struct ui *ui, struct outgoing *out)
{
    struct form_screen *form = form_of(ui_screen(ui, out->form_id));

    form->checking = false;
    if (out->err.scope) {
        say_refused(form, &out->err);
        outgoing_free(out);
    } else if (ui_top(ui) != &form->screen) {
        outgoing_free(out); /* the person has gone on */
    } else {
        ui_say(ui, LOOK_PLAIN, "%s", "");
        review_open(ui, out);
    }
}

void form_review(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;
    struct str missing = {0};

    if (form->sending || form->checking) {
        ui_say(ui, LOOK_WARNING, form->sending ? "it is being sent" : "one moment ...");
    } else if (form_add_missing(form, &missing)) {
        ui_say(ui, LOOK_WARNING, "still missing: %s", str_c(&missing));
        form_go_to_missing(form);
    } else {
        form->checking = true;
        ui_say(ui, LOOK_DIM, "looking at what would be sent ...");
        outgoing_preview(ui, outgoing_of(form), open_review);
    }
    str_free(&missing);
}

/* --- sending --- */

static void archive_answered(struct ui *ui, const struct outgoing *out)
{
    struct span_list keys = {0};
    struct str key = {0};

    if (!out->fields.archive || !out->has_about)
        return;
    picture_add_key(&key, &out->about);
    span_list_add(&keys, str_span(&key));
    change_begin(ui, &keys, STATUS_ARCHIVED, 0);
    span_list_free(&keys);
    str_free(&key);
}

/* The draft as it is from now on, where no form has it any more. */
static void keep_rest(struct ui *ui, struct outgoing *out)
{
    keeper_save(ui, out->keeper, &(struct keep_how){.fields = &out->fields, .last = true});
}

/* Who has got a broadcast that did not reach all is left out of the next one. */
static void exclude_reached(struct outgoing *out)
{
    for (size_t i = 0; out->plan.count > 1 && i < out->plan.count; i++) {
        const struct letter *letter = &out->plan.letters[i];
        if (letter->delivered || letter->queued)
            span_list_add(&out->fields.exclude, arena_copy(&out->arena, letter->draft.to));
    }
}

/* Whom it did not reach stays in the draft: sending that again reaches nobody twice. */
static void set_rest(struct outgoing *out)
{
    struct str names = {0};

    if (out->left.count && out->left.count < out->count) {
        for (size_t i = 0; i < out->left.count; i++) {
            str_puts(&names, i ? ", " : "");
            str_add_span(&names, out->left.items[i]);
        }
        out->fields.to = arena_copy(&out->arena, str_span(&names));
    }
    if (!out->unsure)
        out->fields.sending_us = WHEN_NONE;
    exclude_reached(out);
    str_free(&names);
}

static void add_failed(struct str *text, const struct outgoing *out)
{
    if (out->fields.form == FORM_BROADCAST)
        str_addf(text, "to %s: %s; the draft is kept for whom it has not reached",
                 str_c(&out->said), out->err.text);
    else if (out->unsure)
        str_addf(text, "unconfirmed: %s; the draft is kept, look at `sent` before sending it again",
                 out->err.text);
    else if (out->said.len)
        str_addf(text, "sent to %s; not to the others: %s; the draft is kept for them",
                 str_c(&out->said), out->err.text);
    else
        str_addf(text, "not sent: %s; the draft is kept", out->err.text);
}

static void take_failed(struct ui *ui, struct outgoing *out, struct form_screen *form)
{
    struct str text = {0};

    review_close(ui, out->form_id);
    set_rest(out);
    add_failed(&text, out);
    if (form) {
        form->sending = false;
        form->fields.sending_us = out->fields.sending_us;
        form_set_text(form, offsetof(struct draft_fields, to), out->fields.to);
        form_set_items(form, offsetof(struct draft_fields, exclude), &out->fields.exclude);
        form_changed(form);
        form_save(form, SAVE_TO_KEEP);
        form_refuse(form, "%s", str_c(&text));
    } else {
        keep_rest(ui, out);
        ui_failf(ui, "%s", str_c(&text));
    }
    str_free(&text);
}

static void tell_hooks(struct ui *ui, const struct outgoing *out)
{
    const struct broadcast *plan = &out->plan;

    for (size_t i = 0; out->letters && i < out->count; i++)
        if (out->letters[i].delivered)
            hooks_sent(ui, out->previews[i].source, &out->letters[i],
                       str_span(&out->previews[i].path), false);
    for (size_t i = 0; plan->previews && i < plan->count; i++)
        if (plan->letters[i].delivered)
            hooks_sent(ui, plan->source, &plan->letters[i], str_span(&plan->previews[i].path),
                       false);
}

static void done_send(struct ui *ui, struct outgoing *out)
{
    struct screen *screen = ui_screen(ui, out->form_id);
    struct form_screen *form = screen ? form_of(screen) : NULL;

    tell_hooks(ui, out);
    if (out->err.scope) {
        take_failed(ui, out, form);
    } else {
        review_close(ui, out->form_id);
        if (form) {
            form->dropped = true;
            ui_pop(ui, screen);
        }
        keeper_remove(ui, out->keeper);
        archive_answered(ui, out);
        ui_say(ui, LOOK_PLAIN, "sent to %s", str_c(&out->said));
    }
    outgoing_free(out);
}

void form_send(struct ui *ui, struct outgoing *out)
{
    struct screen *screen = ui_screen(ui, out->form_id);
    struct form_screen *form = screen ? form_of(screen) : NULL;

    if (!form || form->sending || form->changes != out->changes) {
        ui_say(ui, LOOK_WARNING, "it has changed since: look at it again");
        review_close(ui, out->form_id);
        outgoing_free(out);
        return;
    }
    form->sending = true;
    form->out = out;
    form->fields.sending_us = out->fields.sending_us = when_now();
    ui_say(ui, LOOK_DIM, "sending ...");
    form_save(form, SAVE_TO_SEND);
}

void form_go_on_sending(struct form_screen *form, bool saved)
{
    struct ui *ui = form->screen.ui;
    struct outgoing *out = form->out;

    form->out = NULL;
    if (!saved) { /* it was said why */
        form->sending = false;
        form->fields.sending_us = WHEN_NONE;
        review_close(ui, out->form_id);
        outgoing_free(out);
        return;
    }
    memcpy(out->id, form->id, sizeof out->id);
    holding_send_all(ui); /* what was decided before goes first: an answer may put a request away */
    outgoing_send(ui, out, done_send);
}
