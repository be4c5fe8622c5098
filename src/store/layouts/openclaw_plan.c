/* The OpenClaw teams mailbox, plans: a file for each teammate, which its gateway alone writes.
 *
 * A plan is read as a request of the teammate to the lead. The gateway keeps in memory whether it
 * was approved, so nothing is ever written here. */
#include "mail/message/kind.h"
#include "store/layouts/fields.h"
#include "store/layouts/openclaw.h"

enum plan_key { TEAMMATE, STATUS, PLAN, SUBMITTED, FEEDBACK, KEY_COUNT };

static const char *const keys[KEY_COUNT] = {
    [TEAMMATE] = "teammateId",   [STATUS] = "status",     [PLAN] = "plan",
    [SUBMITTED] = "submittedAt", [FEEDBACK] = "feedback",
};

static const struct span type = {"plan", 4};

const char *openclaw_decided_by(const struct message *message)
{
    return span_eq(message->type, type)
               ? "the OpenClaw gateway decides it: its lead uses the tool plan_review, and nothing "
                 "that is written here would reach it"
               : NULL;
}

/* An array of texts, or of steps: objects that have one. */
static void add_items(struct str *out, const char *title, struct json array, bool numbered)
{
    struct json_walk walk;
    struct json none, item;
    struct arena arena = {0};
    struct err ignored;
    unsigned number = 0;

    if (array.kind != JSON_ARRAY || !json_open(&walk, array.raw, JSON_STRICT, &ignored))
        return;
    while (json_next(&walk, &none, &item)) {
        struct json text = item.kind == JSON_OBJECT ? fields_member(item, "description") : item;
        if (!number++)
            str_addf(out, "\n\n%s:", title);
        if (numbered)
            str_addf(out, "\n%u. ", number);
        else
            str_puts(out, "\n- ");
        str_add_span(out, json_text(&arena, text));
    }
    arena_free(&arena);
}

static void add_body(struct str *out, const struct json *values, struct arena *scratch)
{
    struct json plan = values[PLAN];
    struct span feedback = json_text(scratch, values[FEEDBACK]);

    str_add_span(out, json_text(scratch, fields_member(plan, "summary")));
    add_items(out, "Steps", fields_member(plan, "steps"), true);
    add_items(out, "Risks", fields_member(plan, "risks"), false);
    add_items(out, "Alternatives", fields_member(plan, "alternatives"), false);
    str_puts(out, "\n\nStatus: ");
    str_add_span(out, json_text(scratch, values[STATUS]));
    str_puts(out, "\nDecided by: the OpenClaw gateway");
    if (feedback.len) {
        str_puts(out, "\nFeedback: ");
        str_add_span(out, feedback);
    }
}

static void name_plan(struct message *message, struct span teammate, struct arena *arena)
{
    struct str id = {0};

    str_puts(&id, "plan:");
    str_add_span(&id, teammate);
    message->id = arena_copy(arena, str_span(&id));
    str_free(&id);
}

static void set_times(struct message *message, struct json submitted, struct span body,
                      int64_t written_us)
{
    double ms;
    bool told = fields_number(submitted, &ms) && ms > 0 && ms < 8.64e15;
    int64_t claimed_us = told ? (int64_t)(ms * 1000) : WHEN_NONE;

    message_set_time(message, claimed_us, written_us);
    message_set_content(message, claimed_us, map_hash_wide(body, 0));
    if (told)
        return;
    message->created_us = written_us;
    message->flags |= MESSAGE_NO_TIME;
}

bool openclaw_parse_plan(const struct mail_file *file, unsigned want, struct batch *batch)
{
    struct json values[KEY_COUNT] = {0};
    struct fields_found found;
    struct arena scratch = {0};
    struct str body = {0};
    struct err ignored;

    if (!fields_read(file->bytes, JSON_STRICT, keys, KEY_COUNT, values, &found, &ignored) ||
        found.kind != JSON_OBJECT || values[TEAMMATE].kind != JSON_STRING ||
        values[PLAN].kind != JSON_OBJECT)
        return false;
    struct message *message = batch_add(batch);
    struct arena *arena = &batch->arena;
    struct span teammate = json_text(&scratch, values[TEAMMATE]);
    add_body(&body, values, &scratch);
    message->place = file->place;
    message->file = arena_copy(arena, file->name);
    message->flags = (uint16_t)found.flags;
    name_plan(message, teammate, arena);
    message->from = batch_name(batch, teammate);
    message->to = span_of("lead");
    message->type = type;
    message->kind = KIND_PLAN;
    message->subject =
        arena_copy(arena, span_trim_end(span_first_line(span_trim(str_span(&body)))));
    message->status = json_is(values[STATUS], "pending") ? STATUS_UNREAD : STATUS_COMPLETED;
    message->read_unsaid = message->status == STATUS_UNREAD;
    set_times(message, values[SUBMITTED], str_span(&body), file->mtime_us);
    if (want) {
        message->data = arena_alloc(arena, sizeof *message->data);
        message->data->read_us = message->data->completed_us = WHEN_NONE;
    }
    if (want & WANT_BODY)
        message->data->body = arena_copy(arena, str_span(&body));
    str_free(&body);
    arena_free(&scratch);
    return true;
}
