/* What waits for an agent. */
#include "store/checking.h"

#include "mail/protocol/protocol.h"

struct load checking_load(const struct checking *checking)
{
    return (struct load){.inbox = true,
                         .agent = checking->agent,
                         .ours = !checking->agent.at,
                         .as_reader = true,
                         .viewer = checking->agent,
                         .want_shared = WANT_DATA | WANT_BODY};
}

static bool has_type(const struct span_list *types, struct span type)
{
    for (size_t i = 0; i < types->count; i++)
        if (span_eq(types->items[i], type))
            return true;
    return !types->count;
}

bool checking_is_addressed(const struct store *store, const struct message *message,
                           struct span agent)
{
    if (!agent.at)
        return message_for_us(message);
    return !store_source(store, message->place->source)->format->exact_to ||
           span_eq(message->to, agent);
}

static bool is_routed(const struct store *store, const struct message *message)
{
    return store_source(store, message->place->source)->format->keeping == KEEP_ARRAY &&
           protocol_is_routed(protocol_kind_find(message->type));
}

bool checking_matches(const struct store *store, const struct message *message,
                      const struct checking *checking)
{
    return !message->damaged && checking_is_addressed(store, message, checking->agent) &&
           !(checking->plain && is_routed(store, message)) &&
           (!checking->unread || message->status == STATUS_UNREAD) &&
           has_type(&checking->types, message->type) && message->priority >= checking->least &&
           !message_expired(message, checking->now_us);
}
