/* Queries: the table of fields, and how each of them matches a message. */
#include "mail/query/query_fields.h"

#include "base/json/json.h"
#include "mail/message/kind.h"

/* The words of is: and has:. */

/* A word for a fact about a whole message. */
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

/* True for a value other than null or an empty object, array or string. The value was checked
 * before. */
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

static const char *query_is_word(unsigned number)
{
    return number < IS_COUNT ? is_facts[number].name : NULL;
}

static const char *query_is_help(unsigned number)
{
    return is_facts[number].help;
}

static bool query_is_fact(const struct message *message, const struct query_context *context,
                          unsigned number)
{
    return is_facts[number].holds(message, context);
}

static const char *query_has_word(unsigned number)
{
    return number < HAS_COUNT ? has_facts[number].name : NULL;
}

static const char *query_has_help(unsigned number)
{
    return has_facts[number].help;
}

static bool query_has_fact(const struct message *message, const struct query_context *context,
                           unsigned number)
{
    return has_facts[number].holds(message, context);
}

const char *const query_keywords[] = {"and", "or", "not", NULL};

static const char *word_of_kind(unsigned number)
{
    return number < KIND_COUNT ? kind_name(number) : NULL;
}

static bool is_kind(const struct message *message, const struct query_context *context,
                    unsigned number)
{
    (void)context;
    return message->kind == number &&
           !message->damaged; /* the kind of a damaged message is unknown */
}

static const char *state_word(unsigned number)
{
    return number < STATUS_NONE ? status_name(number) : NULL;
}

static bool is_state(const struct message *message, const struct query_context *context,
                     unsigned number)
{
    (void)context;
    return message->status == number;
}

static bool is_priority(const struct message *message, const struct query_context *context,
                        unsigned number)
{
    (void)context;
    return message->priority == number + PRIORITY_LOW;
}

/* Matches the name, alone or followed by its team. */
static bool is_called(const struct query_value *value, struct span name, struct span team)
{
    CLEANUP(str_free) struct str both = {0};

    if (query_stands_in(value, name, QUERY_WHOLE))
        return true;
    if (!name.at || !team.at)
        return false;
    str_add_span(&both, name);
    str_putc(&both, '@');
    str_add_span(&both, team);
    return query_stands_in(value, str_span(&both), QUERY_WHOLE);
}

static bool is_named(const struct query_value *value, struct span name, const struct place *place)
{
    struct span before, behind;

    if (is_called(value, name, place->team))
        return true;
    if (span_split_last(name, '@', &before, &behind) && span_eq(behind, place->team))
        name = before;
    if (span_split_last(name, '/', &before, &behind))
        name = behind;
    return is_called(value, name, place->team);
}

static bool is_from(const struct message *message, const struct query_context *context,
                    const struct query_value *value)
{
    (void)context;
    return is_named(value, message->from, message->place);
}

static bool is_to(const struct message *message, const struct query_context *context,
                  const struct query_value *value)
{
    (void)context;
    return is_named(value, message->to, message->place);
}

static bool is_in_box(const struct message *message, const struct query_context *context,
                      const struct query_value *value)
{
    (void)context;
    return is_named(value, message->place->box, message->place);
}

static bool is_in_source(const struct message *message, const struct query_context *context,
                         const struct query_value *value)
{
    return query_stands_in(value, span_of(context->layout), QUERY_WHOLE) ||
           query_stands_in(value, span_of(message->place->root), 0);
}

static bool is_of_type(const struct message *message, const struct query_context *context,
                       const struct query_value *value)
{
    (void)context;
    return query_stands_in(value, message->type, QUERY_WHOLE);
}

/* A message without a thread may be the first of one. */
static bool is_in_thread(const struct message *message, const struct query_context *context,
                         const struct query_value *value)
{
    return query_stands_in(value, context->thread, QUERY_START) ||
           query_stands_in(value, message->thread.len ? message->thread : message->id, QUERY_START);
}

static bool is_tagged(const struct message *message, const struct query_context *context,
                      const struct query_value *value)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct json_walk walk;
    struct json key, tag;
    bool found = false;

    (void)context;
    if (!message->data || !message->data->tags.at ||
        !json_open(&walk, message->data->tags, JSON_PYTHON, NULL))
        return false;
    while (!found && json_next(&walk, &key, &tag))
        found = query_stands_in(value, json_text(&arena, tag), QUERY_WHOLE);
    return found;
}

struct span query_part(const struct message *message, enum query_part part)
{
    switch (part) {
    case QUERY_PART_SUBJECT:
        return message->subject;
    case QUERY_PART_FROM:
        return message->from;
    case QUERY_PART_TO:
        return message->to;
    default:
        return message->data ? message->data->body : (struct span){0};
    }
}

/* Reports whether one of these texts contains the value; checks the short ones first. */
static bool has_text(const struct message *message, const struct query_context *context,
                     const struct query_value *value, unsigned parts)
{
    for (unsigned part = 0; part < QUERY_PART_COUNT; part++) {
        struct span text = parts >> part & 1 ? query_part(message, part) : (struct span){0};
        if (context->words && value->phrase.count ? phrase_stands_in(&value->phrase, text, NULL)
                                                  : query_stands_in(value, text, 0))
            return true;
    }
    return false;
}

static bool is_in_subject(const struct message *message, const struct query_context *context,
                          const struct query_value *value)
{
    return has_text(message, context, value, 1 << QUERY_PART_SUBJECT);
}

static bool is_in_body(const struct message *message, const struct query_context *context,
                       const struct query_value *value)
{
    return has_text(message, context, value, 1 << QUERY_PART_BODY);
}

static bool is_anywhere(const struct message *message, const struct query_context *context,
                        const struct query_value *value)
{
    return has_text(message, context, value, QUERY_PARTS_ALL);
}

static bool is_older(const struct message *message, int64_t limit_us)
{
    return message->created_us != TIME_NONE && message->created_us < limit_us;
}

static bool is_newer(const struct message *message, int64_t limit_us)
{
    return message->created_us != TIME_NONE && message->created_us >= limit_us;
}

const struct query_field query_text = {.name = "",
                                       .value = "TEXT",
                                       .help = "in the subject, the body, the sender's or the "
                                               "recipient's name",
                                       .wants = WANT_DATA | WANT_BODY,
                                       .parts = QUERY_PARTS_ALL,
                                       .has_text = is_anywhere};

const struct query_field query_fields[] = {
    {.name = "from", .value = "NAME", .help = "who sent it", .has_text = is_from},
    {.name = "to", .value = "NAME", .help = "whom it is for", .has_text = is_to},
    {.name = "box", .value = "NAME", .help = "whose box it lies in", .has_text = is_in_box},
    {.name = "source",
     .value = "LAYOUT|PATH",
     .help = "the layout of its mailboxes, or a part of their path",
     .has_text = is_in_source},
    {.name = "subject",
     .value = "TEXT",
     .help = "in the subject",
     .parts = 1 << QUERY_PART_SUBJECT,
     .has_text = is_in_subject},
    {.name = "body",
     .value = "TEXT",
     .help = "in the body",
     .wants = WANT_DATA | WANT_BODY,
     .parts = 1 << QUERY_PART_BODY,
     .has_text = is_in_body},
    {.name = "kind",
     .value = "WORD",
     .help = "what it is about, in the same words for all layouts",
     .word = word_of_kind,
     .has_word = is_kind},
    {.name = "type",
     .value = "TYPE",
     .help = "the type it has in its own layout",
     .has_text = is_of_type},
    {.name = "state",
     .value = "WORD",
     .help = "its state",
     .word = state_word,
     .has_word = is_state},
    {.name = "prio",
     .value = "WORD[+]",
     .help = "its priority; with + at least that",
     .word = priority_word,
     .at_least = true,
     .has_word = is_priority},
    {.name = "tag",
     .value = "TAG",
     .help = "one of its tags",
     .wants = WANT_DATA,
     .has_text = is_tagged},
    {.name = "thread",
     .value = "ID",
     .help = "the id of its conversation as list has it, or the start of it",
     .joins = true,
     .has_text = is_in_thread},
    {.name = "is",
     .value = "WORD",
     .help = "what can be said of it",
     .word = query_is_word,
     .word_help = query_is_help,
     .asks = UINT32_C(1) << QUERY_IS_WAITING,
     .has_word = query_is_fact},
    {.name = "has",
     .value = "WORD",
     .help = "what it carries",
     .word = query_has_word,
     .word_help = query_has_help,
     .wants = WANT_DATA,
     .has_word = query_has_fact},
    {.name = "older",
     .value = "TIME",
     .help = "sent before then: 2h, 7d, 2026-11-01, 2026-11-01T14:30",
     .has_time = is_older},
    {.name = "newer", .value = "TIME", .help = "sent then or later", .has_time = is_newer},
    {0},
};
