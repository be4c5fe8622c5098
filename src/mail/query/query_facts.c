/* Queries: the words of is: and has:. */
#include "mail/message/kind.h"
#include "mail/query/query_private.h"

/* Words that say something about a message as a whole. */
struct fact {
    const char *name, *help;
    bool (*holds)(const struct message *message, const struct query_context *context);
};

static bool is_unread(const struct message *message, const struct query_context *context)
{
    (void)context;
    return message_is_unread(message);
}

static bool is_read(const struct message *message, const struct query_context *context)
{
    (void)context;
    return message->status != STATUS_UNREAD && message->status != STATUS_NONE;
}

static bool is_waiting(const struct message *message, const struct query_context *context)
{
    (void)message;
    return context->waiting;
}

static bool is_mine(const struct message *message, const struct query_context *context)
{
    (void)context;
    return message->mine;
}

static bool is_sent(const struct message *message, const struct query_context *context)
{
    (void)context;
    return message->by_us;
}

static bool is_handoff(const struct message *message, const struct query_context *context)
{
    (void)context;
    return message->kind == KIND_HANDOFF;
}

static bool is_archived(const struct message *message, const struct query_context *context)
{
    (void)context;
    return message->place->archived;
}

static bool is_expired(const struct message *message, const struct query_context *context)
{
    return message_expired(message, context->now_us);
}

static bool is_flagged(const struct message *message, const struct query_context *context)
{
    (void)context;
    return message->flags != 0;
}

static bool is_damaged(const struct message *message, const struct query_context *context)
{
    (void)context;
    return message->damaged != NULL;
}

static const struct fact is_facts[] = {
    {"unread", "not read yet", is_unread},
    {"read", "read, or any state behind that", is_read},
    [QUERY_IS_WAITING] = {"waiting", "a request that still waits for its answer", is_waiting},
    {"mine", "for me, alone or with all", is_mine},
    {"sent", "from me", is_sent},
    {"handoff", "hands work over", is_handoff},
    {"archived", "in the archive", is_archived},
    {"expired", "past its time", is_expired},
    {"flagged", "something is odd about it; show says what", is_flagged},
    {"damaged", "it cannot be read", is_damaged},
};

/* Neither absent nor null nor an empty object, array or string. The value was checked before. */
static bool is_filled(struct span json)
{
    struct span text = span_trim(json);

    if (!text.len || span_is(text, "null") || span_is(text, "\"\""))
        return false;
    if (text.at[0] != '{' && text.at[0] != '[')
        return true;
    return span_trim((struct span){text.at + 1, text.len - 2}).len > 0;
}

static bool has_payload(const struct message *message, const struct query_context *context)
{
    (void)context;
    return message->data && is_filled(message->data->payload);
}

static bool has_context(const struct message *message, const struct query_context *context)
{
    (void)context;
    return message->data && is_filled(message->data->context);
}

static bool has_attachments(const struct message *message, const struct query_context *context)
{
    (void)context;
    return message->data && is_filled(message->data->attachments);
}

static bool has_tags(const struct message *message, const struct query_context *context)
{
    (void)context;
    return message->data && is_filled(message->data->tags);
}

static bool has_thread(const struct message *message, const struct query_context *context)
{
    (void)context;
    return message->thread.len > 0;
}

static const struct fact has_facts[] = {
    {"payload", "data for a program", has_payload},
    {"context", "the state of the work, as in a handoff", has_context},
    {"attachments", "names of files", has_attachments},
    {"tags", "any tag", has_tags},
    {"thread", "the id of a thread", has_thread},
};

enum {
    IS_COUNT = sizeof is_facts / sizeof *is_facts,
    HAS_COUNT = sizeof has_facts / sizeof *has_facts
};

const char *query_is_word(unsigned number)
{
    return number < IS_COUNT ? is_facts[number].name : NULL;
}

const char *query_is_help(unsigned number)
{
    return is_facts[number].help;
}

bool query_is_fact(const struct message *message, const struct query_context *context,
                   unsigned number)
{
    return is_facts[number].holds(message, context);
}

const char *query_has_word(unsigned number)
{
    return number < HAS_COUNT ? has_facts[number].name : NULL;
}

const char *query_has_help(unsigned number)
{
    return has_facts[number].help;
}

bool query_has_fact(const struct message *message, const struct query_context *context,
                    unsigned number)
{
    return has_facts[number].holds(message, context);
}
