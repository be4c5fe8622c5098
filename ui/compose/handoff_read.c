/* Handing work over: reading what was written before, while the form is already open. */
#include "base/mem.h"
#include "mail/handoff/prefill.h"
#include "mail/message/kind.h"
#include "ui/compose/form_private.h"
#include "ui/compose/handoff_form.h"
#include "ui/compose/writing.h"

#include <stdlib.h>

/* So many messages are read at most: the last ones of the conversation, of the agent, and those
 * that handed work over to or from it. */
enum { TALK_MOST = 24, OWN_MOST = 16, HANDOFFS_MOST = 8 };

struct reading {
    struct ui_task task;
    struct arena arena;
    struct message *heads; /* the oldest first */
    bool *quotable;        /* a part of the conversation or, without one, the agent's own */
    size_t count;
    struct batch *batches; /* one for each */
    struct draft_fields fields;
    struct span_list names;
    struct span state, why;
    struct span_list absent; /* files that are not there */
};

/* --- what is read --- */

struct chosen {
    uint32_t *numbers;
    size_t count, cap;
};

static void choose(struct chosen *chosen, uint32_t number)
{
    for (size_t i = 0; i < chosen->count; i++)
        if (chosen->numbers[i] == number)
            return;
    chosen->numbers =
        mem_grow(chosen->numbers, &chosen->cap, chosen->count + 1, sizeof *chosen->numbers);
    chosen->numbers[chosen->count++] = number;
}

static void choose_talk(struct chosen *chosen, const struct sight *sight, const struct talk *talk)
{
    uint32_t first = talk->count > TALK_MOST ? talk->count - TALK_MOST : 0;

    for (uint32_t i = first; i < talk->count; i++)
        choose(chosen, sight->talks.order[talk->first + i]);
}

/* The newest of a kind, as many as are wanted; the model has them in no order. */
static void keep_newest(struct chosen *newest, const struct model *model, uint32_t number,
                        size_t most)
{
    size_t oldest = 0;

    if (newest->count < most) {
        choose(newest, number);
        return;
    }
    for (size_t i = 1; i < newest->count; i++)
        if (message_cmp_time(model->messages[newest->numbers[i]],
                             model->messages[newest->numbers[oldest]]) < 0)
            oldest = i;
    if (message_cmp_time(model->messages[number], model->messages[newest->numbers[oldest]]) > 0)
        newest->numbers[oldest] = number;
}

static void choose_mail(struct chosen *chosen, struct ui *ui, uint32_t agent)
{
    const struct model *model = ui_picture(ui)->sight.model;
    struct chosen own = {0}, handoffs = {0};
    uint32_t parts[WHO_PARTS];

    for (uint32_t i = 0; i < model->count; i++) {
        who_of_message(ui_who(ui), model->messages[i], parts);
        bool from = parts[WHO_FROM] == agent, to = parts[WHO_TO] == agent;
        if (model->messages[i]->kind == KIND_HANDOFF && (from || to))
            keep_newest(&handoffs, model, i, HANDOFFS_MOST);
        else if (from)
            keep_newest(&own, model, i, OWN_MOST);
    }
    for (size_t i = 0; i < own.count; i++)
        choose(chosen, own.numbers[i]);
    for (size_t i = 0; i < handoffs.count; i++)
        choose(chosen, handoffs.numbers[i]);
    free(own.numbers);
    free(handoffs.numbers);
}

static int compare_heads(const void *a, const void *b)
{
    return message_cmp_time(a, b);
}

static const struct talk *talk_of(struct ui *ui, const struct message *about)
{
    struct str key = {0};

    if (!about)
        return NULL;
    picture_add_key(&key, about);
    const struct talk *talk = picture_talk(ui_picture(ui), str_span(&key));
    str_free(&key);
    return talk;
}

static void keep_heads(struct reading *reading, const struct model *model,
                       const struct chosen *chosen)
{
    reading->heads = mem_zero(chosen->count + 1, sizeof *reading->heads);
    for (size_t i = 0; i < chosen->count; i++)
        message_keep(&reading->heads[reading->count++], model->messages[chosen->numbers[i]],
                     &reading->arena);
    qsort(reading->heads, reading->count, sizeof *reading->heads, compare_heads);
    reading->batches = mem_zero(reading->count + 1, sizeof *reading->batches);
}

/* What is quoted: the conversation, or else what the agent itself said. */
static void mark_quotable(struct reading *reading, const struct sight *sight,
                          const struct talk *talk)
{
    reading->quotable = mem_zero(reading->count + 1, sizeof *reading->quotable);
    for (size_t i = 0; i < reading->count; i++) {
        const struct message *head = &reading->heads[i];
        for (size_t k = 0; !talk && k < reading->names.count; k++)
            reading->quotable[i] |= span_eq(head->from, reading->names.items[k]);
        for (uint32_t k = 0; talk && k < talk->count; k++)
            reading->quotable[i] |=
                message_cmp_place(head, talk_message(&sight->talks, talk, k)) == 0;
    }
}

/* --- on the store's thread --- */

static void add_quotes(struct reading *reading, const struct message *const *messages)
{
    const struct message **said = mem_zero(reading->count + 1, sizeof *said);
    const struct message *last[HANDOFF_QUOTED];
    struct str text = {0};
    size_t count = 0;

    for (size_t i = 0; i < reading->count; i++)
        if (reading->quotable[i] && messages[i]->data)
            said[count++] = messages[i];
    count = prefill_last(said, count, last, HANDOFF_QUOTED);
    if (count && !reading->fields.subject.len)
        reading->fields.subject =
            arena_copy(&reading->arena, prefill_subject(last[count - 1]->subject));
    for (size_t i = 0; i < count; i++) {
        str_puts(&text, i ? "\n" : "");
        writing_quote(&text, last[i], false);
    }
    reading->fields.body = arena_copy(&reading->arena, span_trim(str_span(&text)));
    str_free(&text);
    free(said);
}

static void work(struct ui_task *task, struct store *store)
{
    struct reading *reading = (struct reading *)task;
    const struct message **messages = mem_zero(reading->count + 1, sizeof *messages);
    struct handoff *handoff = &reading->fields.handoff;

    for (size_t i = 0; i < reading->count; i++) {
        struct err ignored; /* one that is gone says nothing */
        const struct message *whole =
            store_fetch(store, &reading->heads[i], &reading->batches[i], &ignored);
        messages[i] = whole ? whole : &reading->heads[i];
    }
    prefill_handoff(handoff,
                    &(struct prefill_input){.messages = messages,
                                            .count = reading->count,
                                            .names = reading->names,
                                            .state = reading->state,
                                            .why = reading->why},
                    &reading->arena);
    add_quotes(reading, messages);
    keeper_look_for(&handoff->files_modified, &reading->absent);
    keeper_look_for(&handoff->files_created, &reading->absent);
    if (handoff->state_file.len)
        keeper_look_for(&(struct span_list){.items = &handoff->state_file, .count = 1},
                        &reading->absent);
    free(messages);
}

static void done(struct ui_task *task, struct ui *ui)
{
    struct reading *reading = (struct reading *)task;

    form_refill(form_of(ui_screen(ui, task->screen)), &reading->fields, &reading->absent);
}

static void reading_free(struct ui_task *task)
{
    struct reading *reading = (struct reading *)task;

    for (size_t i = 0; i < reading->count; i++)
        batch_free(&reading->batches[i]);
    free(reading->batches);
    free(reading->heads);
    free(reading->quotable);
    draft_fields_free(&reading->fields);
    span_list_free(&reading->names);
    span_list_free(&reading->absent);
    arena_free(&reading->arena);
    free(reading);
}

void handoff_read(struct ui *ui, struct handing *handing, const struct draft_fields *fields)
{
    struct reading *reading = mem_zero(1, sizeof *reading);
    const struct sight *sight = &ui_picture(ui)->sight;
    const struct talk *talk = talk_of(ui, handing->about);
    const struct agent *agent = handing->agent;
    struct chosen chosen = {0};

    reading->task = (struct ui_task){
        .work = work, .done = done, .free = reading_free, .screen = ui_top(ui)->id};
    fields_copy(&reading->fields, fields, &reading->arena);
    if (agent) {
        if (agent->state == AGENT_STUCK) { /* other states are ours to know */
            reading->state = span_of(agent_state_name(agent->state));
            reading->why = arena_copy(&reading->arena, agent->why);
        }
        span_list_add(&reading->names, arena_copy(&reading->arena, agent->name));
        span_list_copy(&reading->names, &agent->names, &reading->arena);
        choose_mail(&chosen, ui, (uint32_t)(agent - sight->agents.items));
    } else if (fields->from.len) {
        span_list_add(&reading->names, arena_copy(&reading->arena, fields->from));
    }
    if (talk)
        choose_talk(&chosen, sight, talk);
    keep_heads(reading, sight->model, &chosen);
    mark_quotable(reading, sight, talk);
    free(chosen.numbers);
    ui_begin(ui, UI_READ, &reading->task);
}
