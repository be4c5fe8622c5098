/* What waits for an agent. */
#include "store/pending.h"

#include "mail/protocol.h"

struct load pending_load(const struct criteria *criteria)
{
    return (struct load){.inbox = true,
                         .agent = criteria->agent,
                         .ours = !criteria->agent.at,
                         .as_reader = true,
                         .viewer = criteria->agent,
                         .want_shared = WANT_DATA | WANT_BODY};
}

static bool has_type(const struct span_list *types, struct span type)
{
    for (size_t i = 0; i < types->count; i++)
        if (span_eq(types->items[i], type))
            return true;
    return !types->count;
}

bool pending_is_addressed(const struct store *store, const struct message *message,
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

bool pending_matches(const struct store *store, const struct message *message,
                     const struct criteria *criteria)
{
    return !message->damaged && pending_is_addressed(store, message, criteria->agent) &&
           !(criteria->plain && is_routed(store, message)) &&
           (!criteria->unread || message->status == STATUS_UNREAD) &&
           has_type(&criteria->types, message->type) && message->priority >= criteria->least &&
           !message_expired(message, criteria->now_us);
}
