/* Tallies of what messages say about whoever they name. */
#include "mail/agent/agent_tally.h"

#include "base/map.h"
#include "base/mem.h"
#include "mail/message/kind.h"

#include <stdlib.h>

/* Clocks of two machines may differ by this much. */
#define SKEW_US INT64_C(300000000)

/* Which name was found for a text at a place. */
struct recent_name {
    const struct place *place;
    struct span text;
    uint32_t name;
    bool boxed; /* the place was noted as a box for it */
};

struct tallying {
    struct agent_tally *tally;
    const struct model *model;
    int64_t now_us;
    struct map numbers; /* of source, team and name: 1 + its number */
    struct arena keys;
    struct str scratch;
    struct recent_name recent[256];
};

int64_t tally_begun(const struct message *message)
{
    return message->data && message->data->read_us != WHEN_NONE ? message->data->read_us
                                                                : message->created_us;
}

/* --- what goes first --- */

void some_add(struct some *some, const struct model *model, struct some more)
{
    bool first = more.count && (!some->count || message_cmp_time(model->messages[more.first],
                                                                 model->messages[some->first]) < 0);

    some->first = first ? more.first : some->first;
    some->count += more.count;
}

void some_add_processing(struct some *some, const struct model *model, struct some more)
{
    bool first = more.count && (!some->count || tally_begun(model->messages[more.first]) <
                                                    tally_begun(model->messages[some->first]));

    some->first = first ? more.first : some->first;
    some->count += more.count;
}

/* At the same moment an idle notice is what ended the turn. */
void tally_take_later(uint32_t *last, const struct model *model, uint32_t other)
{
    if (other == TALLY_NONE)
        return;
    const struct message *a = model->messages[other];
    const struct message *b = *last == TALLY_NONE ? NULL : model->messages[*last];
    bool later = !b;
    if (b && a->created_us == b->created_us && (a->kind == KIND_IDLE) != (b->kind == KIND_IDLE))
        later = a->kind == KIND_IDLE;
    else if (b)
        later = message_cmp_time(a, b) > 0;
    if (later)
        *last = other;
}

/* --- names --- */

static uint32_t number_of(struct tallying *t, const struct place *place, struct span name)
{
    const struct span parts[] = {place->team, name};
    const struct some none = {TALLY_NONE, 0};
    struct agent_tally *tally = t->tally;
    bool fresh;

    uint32_t *number =
        map_put_copy(&t->numbers, &t->keys, map_key(&t->scratch, place->source, parts, 2), &fresh);
    if (!fresh)
        return *number - 1;
    tally->names = mem_grow(tally->names, &tally->cap, tally->count + 1, sizeof *tally->names);
    tally->names[tally->count] = (struct tally_name){.source = place->source,
                                                     .team = place->team,
                                                     .name = name,
                                                     .heard_us = WHEN_NONE,
                                                     .last = TALLY_NONE,
                                                     .last_said = TALLY_NONE,
                                                     .woken_by = TALLY_NONE,
                                                     .unread = none,
                                                     .processing = none,
                                                     .failed = none,
                                                     .unreadable = TALLY_NONE};
    *number = (uint32_t)++tally->count;
    return *number - 1;
}

static struct recent_name *find_name(struct tallying *t, const struct place *place,
                                     struct span text)
{
    enum { RECENT = sizeof t->recent / sizeof *t->recent };
    struct recent_name *recent = &t->recent[place_spot(place, text, RECENT)];

    if (recent->place != place || recent->text.at != text.at || recent->text.len != text.len)
        *recent = (struct recent_name){place, text, number_of(t, place, text), false};
    return recent;
}

/* --- messages --- */

/* Notes a time at which something may change. */
static void note_change(struct tallying *t, int64_t when_us)
{
    if (when_us > t->now_us)
        when_take_sooner(&t->tally->next_us, when_us);
}

static void take_sent(struct tallying *t, struct tally_name *name, uint32_t index)
{
    const struct message *message = t->model->messages[index];
    int64_t when_us = message->created_us;

    name->person |= message->by_us;
    name->spoke = true;
    if (when_us == WHEN_NONE)
        return;
    if (when_us > t->now_us + SKEW_US) {
        note_change(t, when_us - SKEW_US);
        return;
    }
    if (name->heard_us < when_us) /* WHEN_NONE is less than any */
        name->heard_us = when_us;
    tally_take_later(&name->last, t->model, index);
    if (message->kind != KIND_IDLE)
        tally_take_later(&name->last_said, t->model, index);
}

/* What goes to the model of an agent; the rest is between programs. */
static bool is_talk(const struct message *message)
{
    return message->kind == KIND_MESSAGE || message->kind == KIND_QUESTION ||
           message->kind == KIND_HANDOFF || message->kind == KIND_ESCALATION ||
           message->kind == KIND_TASK;
}

static bool is_open(const struct tallying *t, const struct message *message)
{
    return !message->place->archived && !message_expired(message, t->now_us);
}

static void take_received(struct tallying *t, struct tally_name *name, uint32_t index)
{
    const struct message *message = t->model->messages[index];
    const struct some one = {index, 1};
    enum status status = message_marked(message);
    bool open = is_open(t, message);

    name->person |= message->mine;
    if (open && message_left_unread(message))
        some_add(&name->unread, t->model, one);
    else if (open && status == STATUS_PROCESSING)
        some_add_processing(&name->processing, t->model, one);
    else if (open && status == STATUS_FAILED)
        some_add(&name->failed, t->model, one);
    if (status == STATUS_UNREAD || status == STATUS_NONE || message->created_us == WHEN_NONE ||
        !is_talk(message))
        return;
    if (message->created_us <= t->now_us)
        tally_take_later(&name->woken_by, t->model, index);
    else
        note_change(t, message->created_us);
}

static void take_box(struct tallying *t, struct recent_name *to, const struct message *message)
{
    struct agent_tally *tally = t->tally;

    if (to->boxed || !message->place->box.len || message->flags & MESSAGE_STRAY)
        return;
    to->boxed = true;
    tally->boxes =
        mem_grow(tally->boxes, &tally->box_cap, tally->box_count + 1, sizeof *tally->boxes);
    tally->boxes[tally->box_count++] = (struct tally_box){to->name, message->place};
}

static void take_word(struct tallying *t, uint32_t index)
{
    const struct message *message = t->model->messages[index];
    struct agent_tally *tally = t->tally;

    if (message->kind == KIND_IDLE || !message_left_unread(message) || !is_open(t, message))
        return;
    tally->words =
        mem_grow(tally->words, &tally->word_cap, tally->word_count + 1, sizeof *tally->words);
    tally->words[tally->word_count++] = index;
}

/* Mail may lie in what cannot be read: of one agent, or of any. */
static void take_unreadable(struct tallying *t, uint32_t index)
{
    const struct message *message = t->model->messages[index];
    struct agent_tally *tally = t->tally;

    if (!message->unread_bytes || message->place->archived)
        return;
    if (message->place->box.at) {
        struct recent_name *box = find_name(t, message->place, message->place->box);
        struct tally_name *name = &tally->names[box->name];
        name->person |= message->mine;
        name->unreadable = name->unreadable == TALLY_NONE ? index : name->unreadable;
        take_box(t, box, message);
        return;
    }
    tally->unreadable = mem_grow(tally->unreadable, &tally->unreadable_cap,
                                 tally->unreadable_count + 1, sizeof *tally->unreadable);
    tally->unreadable[tally->unreadable_count++] = index;
}

static void take_message(struct tallying *t, uint32_t index)
{
    const struct message *message = t->model->messages[index];

    if (message->damaged) {
        take_unreadable(t, index);
        return;
    }
    if (!message->place->archived)
        note_change(t, message->expires_us);
    if (message->from.len) {
        uint32_t from = find_name(t, message->place, message->from)->name;
        take_sent(t, &t->tally->names[from], index);
        take_word(t, index);
    }
    struct recent_name *to = find_name(t, message->place, message_recipient(message));
    take_received(t, &t->tally->names[to->name], index);
    take_box(t, to, message);
}

void agent_tally_fill(struct agent_tally *tally, const struct model *model, int64_t now_us)
{
    struct tallying t = {.tally = tally, .model = model, .now_us = now_us};

    *tally = (struct agent_tally){.next_us = WHEN_NONE};
    for (uint32_t i = 0; i < model->count; i++)
        take_message(&t, i);
    map_free(&t.numbers);
    arena_free(&t.keys);
    str_free(&t.scratch);
}

void agent_tally_free(struct agent_tally *tally)
{
    free(tally->names);
    free(tally->boxes);
    free(tally->words);
    free(tally->unreadable);
    *tally = (struct agent_tally){0};
}
