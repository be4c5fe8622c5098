/* Talks: what they are about and who takes part in them. */
#include "mail/thread/talk.h"

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
