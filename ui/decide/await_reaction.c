/* Reactions: decisions that were sent and that the agent has not reacted to yet. */
#include "ui/decide/await_reaction.h"

#include "base/mem.h"
#include "ui/ui_state.h"

#include <stdlib.h>

/* A decision that was sent, until the agent reacts. */
struct unconfirmed {
    struct ui_task task; /* notes the reaction in the ledger */
    struct arena arena;
    char decision[37];
    struct decision_sent sent;
    struct span label, message;
    struct str note; /* evidence that the message gives */
    uint32_t source;
    struct unconfirmed *next;
};

static void note_work(struct ui_task *task, struct store *store)
{
    struct unconfirmed *one = (struct unconfirmed *)task;

    store_note_effect(store, one->decision, one->message, str_c(&one->note));
}

static void unconfirmed_free(struct ui_task *task)
{
    struct unconfirmed *one = (struct unconfirmed *)task;

    str_free(&one->note);
    arena_free(&one->arena);
    free(one);
}

void reaction_await(struct ui *ui, const struct deciding *it, struct span label)
{
    const struct message *request = it->request;
    struct unconfirmed *one = mem_zero(1, sizeof *one);

    one->task = (struct ui_task){.work = note_work, .free = unconfirmed_free};
    memcpy(one->decision, it->decision_name, sizeof one->decision);
    one->sent = (struct decision_sent){
        .agent = arena_copy(&one->arena, request->from),
        .team = arena_copy(&one->arena, request->place->team),
        .answer = arena_copy(&one->arena, str_span(&it->letter.id)),
        .request = it->native ? arena_copy(&one->arena, request->thread) : (struct span){0},
        .sent_us = it->letter.draft.created_us};
    one->label = arena_copy(&one->arena, label);
    one->source = request->place->source;
    one->next = ui->unconfirmed;
    ui->unconfirmed = one;
}

/* False if the mailbox shows that the answer is still unread. */
static bool is_noticed(const struct ui *ui, const struct unconfirmed *one)
{
    const struct model *model = &ui->picture->model;

    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        if (message->place->source == one->source && span_eq(message->id, one->sent.answer))
            return message->status != STATUS_UNREAD;
    }
    return true;
}

static bool is_reaction(const struct ui *ui, struct unconfirmed *one, const struct message *message)
{
    if (one->source != message->place->source || !span_eq(one->sent.agent, message->from))
        return false;
    one->sent.now_us = time_now();
    one->sent.noticed = is_noticed(ui, one);
    return decision_is_reaction(message, &one->sent);
}

void reaction_seen(struct ui *ui, const struct message *message)
{
    for (struct unconfirmed **link = &ui->unconfirmed, *one; (one = *link);) {
        if (!is_reaction(ui, one, message)) {
            link = &one->next;
            continue;
        }
        *link = one->next;
        one->message = arena_copy(&one->arena, message->id);
        decision_add_reaction(&one->note, message, &one->sent);
        ui_say(ui, STYLE_PLAIN, "confirmed, your %.*s: %s", (int)one->label.len, one->label.at,
               str_c(&one->note));
        ui_begin(ui, UI_WRITE, &one->task);
    }
}

void reactions_free(struct ui *ui)
{
    while (ui->unconfirmed) {
        struct unconfirmed *one = ui->unconfirmed;
        ui->unconfirmed = one->next;
        unconfirmed_free(&one->task);
    }
}
