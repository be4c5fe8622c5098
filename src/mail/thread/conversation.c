/* Talks: sorting messages into them, and finding the facts of each. */
#include "mail/thread/conversation.h"

#include "base/mem.h"

#include <stdlib.h>

/* Talks: what they are about and who takes part in them. */

const struct message *talk_message(const struct talks *talks, const struct talk *talk, size_t at)
{
    return talks->model->messages[talks->order[talk->first + at]];
}

struct span talk_subject(const struct talks *talks, const struct talk *talk)
{
    const struct message *message = talks->model->messages[talk->named_by];

    return message->damaged ? span_of(message->damaged) : message->subject;
}

void talk_add_key(struct str *key, const struct talks *talks, const struct talk *talk)
{
    const struct message *first = talk_message(talks, talk, 0);
    const struct span of_idle[] = {first->place->team, first->from, first->to};
    const struct span of_thread[] = {first->place->team, first->id, {0}};
    const struct span of_damaged[] = {first->place->dir, first->file, first->id};
    const struct span *const parts[] = {
        [TALK_THREAD] = of_thread, [TALK_IDLE] = of_idle, [TALK_DAMAGED] = of_damaged};

    str_add_number(key, talk->form);
    str_putc(key, ' ');
    str_add_number(key, first->place->source);
    for (size_t i = 0; i < 3; i++) {
        str_putc(key, ' ');
        str_add_number(key, parts[talk->form][i].len);
        str_putc(key, ' ');
        str_add_span(key, parts[talk->form][i]);
    }
    if (talk->form == TALK_THREAD) { /* others may begin with the same id */
        str_putc(key, ' ');
        str_add_number(key, first->content);
    }
}

void talk_participants(const struct talks *talks, const struct talk *talk, struct span_list *names)
{
    struct map known = {0};

    for (size_t i = 0; i < talk->count; i++) {
        const struct message *message = talk_message(talks, talk, i);
        const struct span both[] = {message->from, message_recipient(message)};
        for (size_t k = 0; k < 2; k++) {
            bool fresh = false;
            if (both[k].len)
                map_put(&known, both[k], &fresh);
            if (fresh)
                span_list_add(names, both[k]);
        }
    }
    map_free(&known);
}

/* Of SWARM/NAME the bare name is enough. */
static bool is_called(struct span who, struct span name)
{
    struct span swarm, bare;

    return span_eq(who, name) || (span_split_last(who, '/', &swarm, &bare) && span_eq(bare, name));
}

static bool has_name(const struct message *message, struct span name)
{
    return is_called(message->from, name) || is_called(message->to, name) ||
           span_eq(message->place->box, name);
}

bool talk_has_agent(const struct talks *talks, const struct talk *talk, struct span agent)
{
    struct span name, team;
    bool split = span_split_last(agent, '@', &name, &team);

    for (size_t i = 0; agent.len && i < talk->count; i++) {
        const struct message *message = talk_message(talks, talk, i);
        if (has_name(message, agent) ||
            (split && span_eq(message->place->team, team) && has_name(message, name)))
            return true;
    }
    return false;
}

bool talk_is_superseded(const struct talks *talks, uint32_t message)
{
    uint32_t ask = talks->asks->of[message];

    return ask != ASK_NONE && talks->asks->items[ask].superseded_by != ASK_NONE;
}

/* The most demanding first. */
static const uint8_t demands[] = {
    KIND_PLAN,     KIND_PERMISSION, KIND_HOST, KIND_SHUTDOWN, KIND_ESCALATION, KIND_HANDOFF,
    KIND_QUESTION, KIND_TASK,       KIND_MODE, KIND_RULES,    KIND_MESSAGE,    KIND_IDLE,
};

static bool is_idle(const struct message *message)
{
    return message->kind == KIND_IDLE && !message->damaged;
}

/* What was archived is found in the archive, however late it is. */
static bool is_left_out(const struct talk_input *input, const struct message *message)
{
    return !input->expired && !message->place->archived && message_expired(message, input->now_us);
}

static bool is_unread(const struct talk_input *input, const struct message *message)
{
    return message_is_unread(message) && !message->place->archived && !message->damaged &&
           !message_expired(message, input->now_us);
}

/* Gives messages their talks. */
struct sorter {
    struct map idle; /* of who tells whom: 1 + the talk */
    struct arena keys;
    uint32_t *of_thread;
};

static uint32_t new_talk(struct talks *talks, enum talk_form form)
{
    talks->items[talks->count].form = (uint8_t)form;
    return (uint32_t)talks->count++;
}

static uint32_t idle_talk(struct sorter *sorter, struct talks *talks, const struct message *message)
{
    const struct span parts[] = {message->place->team, message->from, message->to};
    struct str key = {0};
    bool fresh;

    uint32_t *talk = map_put_copy(
        &sorter->idle, &sorter->keys,
        map_key(&key, message->place->source, parts, sizeof parts / sizeof *parts), &fresh);
    if (fresh)
        *talk = new_talk(talks, TALK_IDLE);
    str_free(&key);
    return *talk;
}

static uint32_t talk_for(struct sorter *sorter, struct talks *talks, const struct message *message,
                         uint32_t thread)
{
    if (message->damaged)
        return new_talk(talks, TALK_DAMAGED);
    if (is_idle(message))
        return idle_talk(sorter, talks, message);
    if (sorter->of_thread[thread] == TALK_NONE)
        sorter->of_thread[thread] = new_talk(talks, TALK_THREAD);
    return sorter->of_thread[thread];
}

static void assign(struct talks *talks, const struct talk_input *input)
{
    const struct model *model = input->model;
    size_t threads = input->threads->count;
    struct sorter sorter = {.of_thread = mem_alloc((threads + 1) * sizeof *sorter.of_thread)};

    memset(sorter.of_thread, 0xff, (threads + 1) * sizeof *sorter.of_thread);
    for (size_t i = 0; i < model->count; i++) {
        talks->of[i] = TALK_NONE;
        if (is_left_out(input, model->messages[i]))
            continue;
        talks->of[i] = talk_for(&sorter, talks, model->messages[i], input->threads->of[i]);
        talks->items[talks->of[i]].count++;
    }
    map_free(&sorter.idle);
    arena_free(&sorter.keys);
    free(sorter.of_thread);
}

static void arrange(struct talks *talks, const struct talk_input *input)
{
    uint32_t at = 0;

    for (size_t i = 0; i < talks->count; i++) {
        talks->items[i].first = at;
        at += talks->items[i].count;
        talks->items[i].count = 0;
    }
    for (uint32_t i = 0; i < input->model->count; i++) {
        struct talk *talk = talks->of[i] == TALK_NONE ? NULL : &talks->items[talks->of[i]];
        if (talk)
            talks->order[talk->first + talk->count++] = i;
    }
    for (size_t i = 0; i < talks->count; i++) {
        const struct talk *talk = &talks->items[i];
        model_sort_numbers(input->model, talks->order + talk->first, talk->count);
        if (talk->form == TALK_THREAD)
            thread_arrange_numbers(input->model, talks->order + talk->first, talk->count);
    }
}

/* The oldest open ask, one that waits for the person before all others. */
static void find_wait(struct talk *talk, const struct talks *talks)
{
    talk->ask = ASK_NONE;
    talk->waits_us = WHEN_NONE;
    for (size_t i = 0; i < talk->count; i++) {
        uint32_t ask = talks->asks->of[talks->order[talk->first + i]];
        const struct message *message = talk_message(talks, talk, i);
        if (ask == ASK_NONE || !talks->asks->items[ask].open || talk->form != TALK_THREAD)
            continue;
        if (talk->ask != ASK_NONE && (talk->waits_for_us || !message_for_us(message)))
            continue;
        talk->ask = ask;
        talk->waits_for_us = message_for_us(message);
        talk->waits_on = message_recipient(message);
        talk->waits_us = message->created_us;
    }
}

static void count_unread(struct talk *talk, const struct talks *talks,
                         const struct talk_input *input)
{
    talk->unread_us = WHEN_NONE;
    for (size_t i = 0; i < talk->count; i++) {
        const struct message *message = talk_message(talks, talk, i);
        if (!is_unread(input, message))
            continue;
        if (!talk->unread++ || (message_for_us(message) && !talk->unread_mine))
            talk->unread_us = message->created_us;
        talk->unread_mine += message_for_us(message);
    }
}

static void find_priority(struct talk *talk, const struct talks *talks,
                          const struct talk_input *input)
{
    enum priority open = PRIORITY_NONE, all = PRIORITY_NONE;

    for (size_t i = 0; i < talk->count; i++) {
        const struct message *message = talk_message(talks, talk, i);
        uint32_t ask = talks->asks->of[talks->order[talk->first + i]];
        bool is_open =
            is_unread(input, message) || (ask != ASK_NONE && talks->asks->items[ask].open);
        if (is_open && message->priority > open)
            open = message->priority;
        if (message->priority > all)
            all = message->priority;
    }
    talk->priority = (uint8_t)(open ? open : all);
}

static void find_kind(struct talk *talk, const struct talks *talks)
{
    bool has[KIND_COUNT] = {0};

    for (size_t i = 0; i < talk->count; i++)
        has[talk_message(talks, talk, i)->kind] = true;
    if (talk->ask != ASK_NONE)
        talk->kind = talks->model->messages[talks->asks->items[talk->ask].message]->kind;
    else
        for (size_t i = sizeof demands / sizeof *demands; i--;)
            if (has[demands[i]])
                talk->kind = demands[i];
}

static bool says_failed(const struct message *message)
{
    return message->notice &&
           (span_is(message->notice->reason, "failed") || message->notice->failure.len);
}

/* The newest notice says how it is now; but a failure that nobody has read is not talked over. */
static void name_idle(struct talk *talk, const struct talks *talks, const struct talk_input *input)
{
    talk->named_by = talks->order[talk->first + talk->count - 1];
    for (size_t i = 0; i < talk->count; i++) {
        const struct message *message = talk_message(talks, talk, i);
        if (is_unread(input, message) && says_failed(message)) {
            talk->failed = true;
            talk->named_by = talks->order[talk->first + i];
        }
    }
}

/* The plan that stands, where the message is one that others replaced. */
static uint32_t standing(const struct talks *talks, uint32_t message)
{
    while (talk_is_superseded(talks, message)) /* by a later one each time */
        message =
            talks->asks->items[talks->asks->items[talks->asks->of[message]].superseded_by].message;
    return message;
}

static void find_names(struct talk *talk, const struct talks *talks, const struct talk_input *input)
{
    size_t named = talk->count, threaded = talk->count;

    for (size_t i = talk->count; i--;) {
        const struct message *message = talk_message(talks, talk, i);
        if (message->subject.len)
            named = i;
        if (message->thread.len)
            threaded = i;
    }
    talk->id = threaded < talk->count && talk->form == TALK_THREAD
                   ? talk_message(talks, talk, threaded)->thread
                   : talk_message(talks, talk, 0)->id;
    talk->named_by = standing(talks, talks->order[talk->first + (named < talk->count ? named : 0)]);
    if (talk->form == TALK_IDLE)
        name_idle(talk, talks, input);
    if (talk->ask == ASK_NONE)
        return;
    uint32_t asking = talks->asks->items[talk->ask].message;
    if (talks->model->messages[asking]->subject.len)
        talk->named_by = asking;
}

static void find_facts(struct talk *talk, const struct talks *talks, const struct talk_input *input)
{
    talk->stuck_us = WHEN_NONE;
    talk->last_us = WHEN_NONE;
    talk->archived = true;
    for (size_t i = 0; i < talk->count; i++) {
        const struct message *message = talk_message(talks, talk, i);
        if (message->created_us > talk->last_us || !i)
            talk->last_us = message->created_us;
        talk->archived &= message->place->archived;
        talk->ours |= message->mine || message->by_us;
    }
    find_wait(talk, talks);
    count_unread(talk, talks, input);
    find_priority(talk, talks, input);
    find_kind(talk, talks);
    find_names(talk, talks, input);
}

void talks_take_hints(struct talks *talks, const struct talk_hint *hints, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct talk_hint *hint = &hints[i];
        if (hint->message >= talks->model->count || talks->of[hint->message] == TALK_NONE)
            continue;
        struct talk *talk = &talks->items[talks->of[hint->message]];
        int64_t since_us = hint->since_us == WHEN_NONE
                               ? talks->model->messages[hint->message]->created_us
                               : hint->since_us;
        if (talk->stuck.at && talk->stuck_us <= since_us)
            continue;
        talk->stuck = hint->agent;
        talk->stuck_why = hint->why;
        talk->stuck_ages = hint->ages;
        talk->stuck_us = since_us;
    }
}

void talks_build(struct talks *talks, const struct talk_input *input)
{
    size_t count = input->model->count;

    *talks = (struct talks){.model = input->model,
                            .asks = input->asks,
                            .items = mem_zero(count + 1, sizeof *talks->items),
                            .order = mem_alloc((count + 1) * sizeof *talks->order),
                            .of = mem_alloc((count + 1) * sizeof *talks->of)};
    assign(talks, input);
    arrange(talks, input);
    talks->items = mem_resize(talks->items, talks->count + 1, sizeof *talks->items);
    for (size_t i = 0; i < talks->count; i++)
        find_facts(&talks->items[i], talks, input);
    talks_take_hints(talks, input->hints, input->hint_count);
}

void talks_free(struct talks *talks)
{
    free(talks->items);
    free(talks->order);
    free(talks->of);
    *talks = (struct talks){0};
}
