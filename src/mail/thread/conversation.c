/* Conversations: assigning messages to them, and finding the facts of each. */
#include "mail/thread/conversation.h"

#include "base/mem.h"

#include <stdlib.h>

/* Conversations: key, subject and participants. */

const struct message *conversation_message(const struct conversations *conversations,
                                           const struct conversation *conversation, size_t at)
{
    return conversations->model->messages[conversations->order[conversation->first + at]];
}

const struct message *conversation_request(const struct conversations *conversations,
                                           const struct conversation *conversation)
{
    return conversation->ask == REQUEST_NONE
               ? NULL
               : conversations->model
                     ->messages[conversations->asks->items[conversation->ask].message];
}

struct span conversation_subject(const struct conversations *conversations,
                                 const struct conversation *conversation)
{
    const struct message *message = conversations->model->messages[conversation->named_by];

    return message->damaged ? span_of(message->damaged) : message->subject;
}

void conversation_add_key(struct str *key, const struct conversations *conversations,
                          const struct conversation *conversation)
{
    const struct message *first = conversation_message(conversations, conversation, 0);
    const struct span of_idle[] = {first->place->team, first->from, first->to};
    const struct span of_thread[] = {first->place->team, first->id, {0}};
    const struct span of_damaged[] = {first->place->dir, first->file, first->id};
    const struct span *const parts[] = {[CONVERSATION_THREAD] = of_thread,
                                        [CONVERSATION_IDLE] = of_idle,
                                        [CONVERSATION_DAMAGED] = of_damaged};

    str_add_number(key, conversation->form);
    str_putc(key, ' ');
    str_add_number(key, first->place->source);
    for (size_t i = 0; i < 3; i++) {
        str_putc(key, ' ');
        str_add_number(key, parts[conversation->form][i].len);
        str_putc(key, ' ');
        str_add_span(key, parts[conversation->form][i]);
    }
    if (conversation->form == CONVERSATION_THREAD) { /* other threads may begin with the same id */
        str_putc(key, ' ');
        str_add_number(key, first->content);
    }
}

void conversation_participants(const struct conversations *conversations,
                               const struct conversation *conversation, struct span_list *names)
{
    CLEANUP(map_free) struct map known = {0};

    for (size_t i = 0; i < conversation->count; i++) {
        const struct message *message = conversation_message(conversations, conversation, i);
        const struct span both[] = {message->from, message_recipient(message)};
        for (size_t k = 0; k < 2; k++) {
            bool fresh = false;
            if (both[k].len)
                map_put(&known, both[k], &fresh);
            if (fresh)
                span_list_add(names, both[k]);
        }
    }
}

/* SWARM/NAME also matches its bare NAME. */
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

bool conversation_has_agent(const struct conversations *conversations,
                            const struct conversation *conversation, struct span agent)
{
    struct span name, team;
    bool split = span_split_last(agent, '@', &name, &team);

    for (size_t i = 0; agent.len && i < conversation->count; i++) {
        const struct message *message = conversation_message(conversations, conversation, i);
        if (has_name(message, agent) ||
            (split && span_eq(message->place->team, team) && has_name(message, name)))
            return true;
    }
    return false;
}

bool conversation_is_superseded(const struct conversations *conversations, uint32_t message)
{
    uint32_t ask = conversations->asks->of[message];

    return ask != REQUEST_NONE && conversations->asks->items[ask].superseded_by != REQUEST_NONE;
}

/* The most demanding kinds first. */
static const uint8_t demands[] = {
    KIND_PLAN,     KIND_PERMISSION, KIND_HOST, KIND_SHUTDOWN, KIND_ESCALATION, KIND_HANDOFF,
    KIND_QUESTION, KIND_TASK,       KIND_MODE, KIND_RULES,    KIND_MESSAGE,    KIND_IDLE,
};

static bool is_idle(const struct message *message)
{
    return message->kind == KIND_IDLE && !message->damaged;
}

/* Archived messages are shown in the archive even if they have expired. */
static bool is_left_out(const struct conversation_input *input, const struct message *message)
{
    return !input->expired && !message->place->archived && message_expired(message, input->now_us);
}

static bool is_unread(const struct conversation_input *input, const struct message *message)
{
    return message_is_unread(message) && !message->place->archived && !message->damaged &&
           !message_expired(message, input->now_us);
}

/* Maps from messages to conversations. */
struct sorter {
    struct map idle; /* team, sender and recipient of idle notices: the conversation */
    struct arena keys;
    uint32_t *of_thread;
};

static uint32_t new_conversation(struct conversations *conversations, enum conversation_form form)
{
    conversations->items[conversations->count].form = (uint8_t)form;
    return (uint32_t)conversations->count++;
}

static uint32_t idle_conversation(struct sorter *sorter, struct conversations *conversations,
                                  const struct message *message)
{
    const struct span parts[] = {message->place->team, message->from, message->to};
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    uint32_t *conversation = map_put_copy(
        &sorter->idle, &sorter->keys,
        map_key(&key, message->place->source, parts, sizeof parts / sizeof *parts), &fresh);
    if (fresh)
        *conversation = new_conversation(conversations, CONVERSATION_IDLE);
    return *conversation;
}

static uint32_t conversation_for(struct sorter *sorter, struct conversations *conversations,
                                 const struct message *message, uint32_t thread)
{
    if (message->damaged)
        return new_conversation(conversations, CONVERSATION_DAMAGED);
    if (is_idle(message))
        return idle_conversation(sorter, conversations, message);
    if (sorter->of_thread[thread] == CONVERSATION_NONE)
        sorter->of_thread[thread] = new_conversation(conversations, CONVERSATION_THREAD);
    return sorter->of_thread[thread];
}

static void assign(struct conversations *conversations, const struct conversation_input *input)
{
    const struct model *model = input->model;
    size_t threads = input->threads->count;
    struct sorter sorter = {.of_thread = mem_alloc((threads + 1) * sizeof *sorter.of_thread)};

    memset(sorter.of_thread, 0xff, (threads + 1) * sizeof *sorter.of_thread);
    for (size_t i = 0; i < model->count; i++) {
        conversations->of[i] = CONVERSATION_NONE;
        if (is_left_out(input, model->messages[i]))
            continue;
        conversations->of[i] =
            conversation_for(&sorter, conversations, model->messages[i], input->threads->of[i]);
        conversations->items[conversations->of[i]].count++;
    }
    map_free(&sorter.idle);
    arena_free(&sorter.keys);
    free(sorter.of_thread);
}

static void arrange(struct conversations *conversations, const struct conversation_input *input)
{
    uint32_t at = 0;

    for (size_t i = 0; i < conversations->count; i++) {
        conversations->items[i].first = at;
        at += conversations->items[i].count;
        conversations->items[i].count = 0;
    }
    for (uint32_t i = 0; i < input->model->count; i++) {
        struct conversation *conversation = conversations->of[i] == CONVERSATION_NONE
                                                ? NULL
                                                : &conversations->items[conversations->of[i]];
        if (conversation)
            conversations->order[conversation->first + conversation->count++] = i;
    }
    for (size_t i = 0; i < conversations->count; i++) {
        const struct conversation *conversation = &conversations->items[i];
        model_sort_numbers(input->model, conversations->order + conversation->first,
                           conversation->count);
        if (conversation->form == CONVERSATION_THREAD)
            thread_arrange_numbers(input->model, conversations->order + conversation->first,
                                   conversation->count);
    }
}

/* Finds the oldest open request; one to the person precedes all others. */
static void find_wait(struct conversation *conversation, const struct conversations *conversations)
{
    conversation->ask = REQUEST_NONE;
    conversation->waits_us = TIME_NONE;
    for (size_t i = 0; i < conversation->count; i++) {
        uint32_t ask = conversations->asks->of[conversations->order[conversation->first + i]];
        const struct message *message = conversation_message(conversations, conversation, i);
        if (ask == REQUEST_NONE || !conversations->asks->items[ask].open ||
            conversation->form != CONVERSATION_THREAD)
            continue;
        if (conversation->ask != REQUEST_NONE &&
            (conversation->waits_for_us || !message_for_us(message)))
            continue;
        conversation->ask = ask;
        conversation->waits_for_us = message_for_us(message);
        conversation->waits_on = message_recipient(message);
        conversation->waits_us = message->created_us;
    }
}

static void count_unread(struct conversation *conversation,
                         const struct conversations *conversations,
                         const struct conversation_input *input)
{
    conversation->unread_us = TIME_NONE;
    for (size_t i = 0; i < conversation->count; i++) {
        const struct message *message = conversation_message(conversations, conversation, i);
        if (!is_unread(input, message))
            continue;
        if (!conversation->unread++ || (message_for_us(message) && !conversation->unread_mine))
            conversation->unread_us = message->created_us;
        conversation->unread_mine += message_for_us(message);
    }
}

static void find_priority(struct conversation *conversation,
                          const struct conversations *conversations,
                          const struct conversation_input *input)
{
    enum priority open = PRIORITY_NONE, all = PRIORITY_NONE;

    for (size_t i = 0; i < conversation->count; i++) {
        const struct message *message = conversation_message(conversations, conversation, i);
        uint32_t ask = conversations->asks->of[conversations->order[conversation->first + i]];
        bool is_open = is_unread(input, message) ||
                       (ask != REQUEST_NONE && conversations->asks->items[ask].open);
        if (is_open && message->priority > open)
            open = message->priority;
        if (message->priority > all)
            all = message->priority;
    }
    conversation->priority = (uint8_t)(open ? open : all);
}

static void find_kind(struct conversation *conversation, const struct conversations *conversations)
{
    bool has[KIND_COUNT] = {0};

    for (size_t i = 0; i < conversation->count; i++)
        has[conversation_message(conversations, conversation, i)->kind] = true;
    if (conversation->ask != REQUEST_NONE)
        conversation->kind = conversation_request(conversations, conversation)->kind;
    else
        for (size_t i = sizeof demands / sizeof *demands; i--;)
            if (has[demands[i]])
                conversation->kind = demands[i];
}

static bool says_failed(const struct message *message)
{
    return message->notice &&
           (span_is(message->notice->reason, "failed") || message->notice->failure.len);
}

/* The newest notice gives the present state, but the newest unread failure precedes it. */
static void name_idle(struct conversation *conversation, const struct conversations *conversations,
                      const struct conversation_input *input)
{
    conversation->named_by = conversations->order[conversation->first + conversation->count - 1];
    for (size_t i = 0; i < conversation->count; i++) {
        const struct message *message = conversation_message(conversations, conversation, i);
        if (is_unread(input, message) && says_failed(message)) {
            conversation->failed = true;
            conversation->named_by = conversations->order[conversation->first + i];
        }
    }
}

/* Returns the plan that is in force if `message` is a replaced plan, else `message`. */
static uint32_t standing(const struct conversations *conversations, uint32_t message)
{
    const struct requests *asks = conversations->asks;

    while (conversation_is_superseded(conversations, message)) /* by a later one each time */
        message = asks->items[asks->items[asks->of[message]].superseded_by].message;
    return message;
}

static void find_names(struct conversation *conversation, const struct conversations *conversations,
                       const struct conversation_input *input)
{
    size_t named = conversation->count, threaded = conversation->count;

    for (size_t i = conversation->count; i--;) {
        const struct message *message = conversation_message(conversations, conversation, i);
        if (message->subject.len)
            named = i;
        if (message->thread.len)
            threaded = i;
    }
    conversation->id = threaded < conversation->count && conversation->form == CONVERSATION_THREAD
                           ? conversation_message(conversations, conversation, threaded)->thread
                           : conversation_message(conversations, conversation, 0)->id;
    conversation->named_by = standing(
        conversations,
        conversations->order[conversation->first + (named < conversation->count ? named : 0)]);
    if (conversation->form == CONVERSATION_IDLE)
        name_idle(conversation, conversations, input);
    if (conversation->ask == REQUEST_NONE)
        return;
    uint32_t asking = conversations->asks->items[conversation->ask].message;
    if (conversations->model->messages[asking]->subject.len)
        conversation->named_by = asking;
}

static void find_facts(struct conversation *conversation, const struct conversations *conversations,
                       const struct conversation_input *input)
{
    conversation->stuck_us = TIME_NONE;
    conversation->last_us = TIME_NONE;
    conversation->archived = true;
    for (size_t i = 0; i < conversation->count; i++) {
        const struct message *message = conversation_message(conversations, conversation, i);
        if (message->created_us > conversation->last_us || !i)
            conversation->last_us = message->created_us;
        conversation->archived &= message->place->archived;
        conversation->ours |= message->mine || message->by_us;
    }
    find_wait(conversation, conversations);
    count_unread(conversation, conversations, input);
    find_priority(conversation, conversations, input);
    find_kind(conversation, conversations);
    find_names(conversation, conversations, input);
}

void conversations_take_hints(struct conversations *conversations,
                              const struct conversation_hint *hints, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct conversation_hint *hint = &hints[i];
        if (hint->message >= conversations->model->count ||
            conversations->of[hint->message] == CONVERSATION_NONE)
            continue;
        struct conversation *conversation = &conversations->items[conversations->of[hint->message]];
        int64_t since_us = hint->since_us == TIME_NONE
                               ? conversations->model->messages[hint->message]->created_us
                               : hint->since_us;
        if (conversation->stuck.at && conversation->stuck_us <= since_us)
            continue;
        conversation->stuck = hint->agent;
        conversation->stuck_why = hint->why;
        conversation->stuck_ages = hint->ages;
        conversation->stuck_us = since_us;
    }
}

void conversations_build(struct conversations *conversations,
                         const struct conversation_input *input)
{
    size_t count = input->model->count;

    *conversations =
        (struct conversations){.model = input->model,
                               .asks = input->asks,
                               .items = mem_zero(count + 1, sizeof *conversations->items),
                               .order = mem_alloc((count + 1) * sizeof *conversations->order),
                               .of = mem_alloc((count + 1) * sizeof *conversations->of)};
    assign(conversations, input);
    arrange(conversations, input);
    conversations->items =
        mem_resize(conversations->items, conversations->count + 1, sizeof *conversations->items);
    for (size_t i = 0; i < conversations->count; i++)
        find_facts(&conversations->items[i], conversations, input);
    conversations_take_hints(conversations, input->hints, input->hint_count);
}

void conversations_free(struct conversations *conversations)
{
    free(conversations->items);
    free(conversations->order);
    free(conversations->of);
    *conversations = (struct conversations){0};
}
