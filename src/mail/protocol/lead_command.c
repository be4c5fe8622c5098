/* Lead commands: protocol messages if programs take them, otherwise words by custom. */
#include "mail/protocol/lead_command.h"

#include "base/json/json_print.h"
#include "base/text/suggest.h"
#include "base/time.h"
#include "mail/protocol/protocol_table.h"

/* Escalations: the table of levels; ids are found within any text. */

enum { DAY_DIGITS = 8, DIGITS_LEAST = 4, DIGITS_MOST = 6 };

static const char start[] = "ESC-";

const struct escalation_route escalation_routes[ESCALATION_LEVELS] = {
    [ESCALATION_COO] = {.word = "coo", .to = "coo", .title = "Escalation: "},
    [ESCALATION_CEO] =
        {.word = "ceo", .to = "user", .from = "coo", .title = "CEO Escalation: ", .is_high = true},
};

bool escalation_level_find(struct span word, enum escalation_level *level)
{
    for (unsigned i = 0; i < ESCALATION_LEVELS; i++) {
        if (span_is(word, escalation_routes[i].word)) {
            *level = i;
            return true;
        }
    }
    return false;
}

/* Returns the number of digits that the text starts with. */
static size_t count_digits(struct span text)
{
    size_t count = 0;

    while (count < text.len && text.at[count] >= '0' && text.at[count] <= '9')
        count++;
    return count;
}

static struct span after(struct span text, size_t skip)
{
    return (struct span){text.at + skip, text.len - skip};
}

static bool is_number(size_t digits)
{
    return digits >= DIGITS_LEAST && digits <= DIGITS_MOST;
}

bool escalation_is_id(struct span text)
{
    if (!span_starts(text, span_of(start)))
        return false;
    text = after(text, sizeof start - 1);
    if (count_digits(text) != DAY_DIGITS || text.len == DAY_DIGITS || text.at[DAY_DIGITS] != '-')
        return false;
    text = after(text, DAY_DIGITS + 1);
    return is_number(text.len) && count_digits(text) == text.len;
}

void escalation_add_day(struct str *out, int64_t now_us)
{
    str_puts(out, start);
    time_add_format(out, now_us, "%Y%m%d-");
}

unsigned escalation_highest(struct span text, struct span day, unsigned highest)
{
    const char *at;

    while (text.len && (at = memmem(text.at, text.len, day.at, day.len))) {
        text = after(text, (size_t)(at - text.at) + day.len);
        size_t digits = count_digits(text);
        unsigned number = 0;
        for (size_t i = 0; is_number(digits) && i < digits; i++)
            number = number * 10 + (unsigned)(text.at[i] - '0');
        highest = number > highest ? number : highest;
    }
    return highest;
}

void escalation_add_next(struct str *out, struct span day, unsigned highest)
{
    str_add_span(out, day);
    str_addf(out, "%0*u", DIGITS_LEAST, highest + 1);
}

/* The words of a shutdown where it is an ordinary message. */
static const char please_stop[] =
    "Please finish what you are doing, leave your work so that others can go on from it, and stop.";
static const char please_answer[] = "Answer this message: that you stop, or why you cannot.";

static const struct {
    const char *name;
    enum kind kind;
    enum protocol_kind protocol; /* PROTOCOL_NONE: no program knows it */
} verbs[LEAD_VERBS] = {
    [LEAD_SHUTDOWN] = {"shutdown", KIND_SHUTDOWN, PROTOCOL_SHUTDOWN_REQUEST},
    [LEAD_MODE] = {"mode", KIND_MODE, PROTOCOL_MODE_SET_REQUEST},
    [LEAD_ASSIGN] = {"assign", KIND_TASK, PROTOCOL_TASK_ASSIGNMENT},
    [LEAD_RULES] = {"rules", KIND_RULES, PROTOCOL_TEAM_PERMISSION_UPDATE},
    [LEAD_ESCALATE] = {"escalate", KIND_ESCALATION, PROTOCOL_NONE},
};

const char *lead_verb_name(enum order_verb verb)
{
    return verbs[verb].name;
}

enum kind lead_verb_kind(enum order_verb verb)
{
    return verbs[verb].kind;
}

static bool say_no_mode(struct span word, const struct protocol_words *words, struct err *err)
{
    CLEANUP(span_list_free) struct span_list names = {0};
    CLEANUP(str_free) struct str near = {0}, known = {0};

    for (size_t i = 0; words->list[i]; i++) {
        span_list_add(&names, span_of(words->list[i]));
        str_addf(&known, "%s%s", i ? ", " : "", words->list[i]);
    }
    suggest_hint(&near, word, names.items, names.count);
    err_set(err, ERR_REFUSED, "no mode is called \"%.*s\"%s; known: %s", (int)word.len, word.at,
            str_c(&near), str_c(&known));
    return false;
}

static const struct protocol_words *mode_words(void)
{
    return protocol_form(PROTOCOL_MODE_SET_REQUEST, false)->fields[0].words;
}

const char *const *lead_modes(void)
{
    return mode_words()->list;
}

const char *const *lead_behaviors(void)
{
    return protocol_behaviors.list;
}

bool lead_mode(struct span word, struct span *mode, struct err *err)
{
    const struct protocol_words *words = mode_words();

    if (span_is(word, words->alias))
        word = span_of(words->meant);
    for (size_t i = 0; words->list[i]; i++) {
        if (span_is(word, words->list[i])) {
            *mode = span_of(words->list[i]);
            return true;
        }
    }
    return say_no_mode(word, words, err);
}

bool lead_mode_is_unguarded(struct span mode)
{
    return span_is(mode, "bypassPermissions") || span_is(mode, "dontAsk");
}

/* Returns the text, or an absent span if it is blank, so that the field is left out. */
static struct span filled(struct span text)
{
    return span_trim(text).len ? text : (struct span){0};
}

static struct span or_empty(struct span text)
{
    return text.at ? text : span_of("");
}

/* Returns the message as the recipient's program knows it. */
static struct protocol protocol_of(struct order_text *text, const struct order_terms *terms)
{
    struct protocol_seed seed = {.now_ms = terms->now_us / 1000, .name = terms->agent};
    struct protocol message = {.kind = verbs[terms->verb].protocol,
                               .from = terms->from,
                               .reason = filled(terms->reason),
                               .mode = terms->mode,
                               .task_id = terms->task,
                               .subject = terms->subject,
                               .description = or_empty(terms->description),
                               .assigned_by = terms->from,
                               .tool_name = terms->tool,
                               .behavior = terms->behavior,
                               .directory = terms->directory};

    time_add_utc_ms(&text->time, terms->now_us);
    message.timestamp = str_span(&text->time);
    if (protocol_new_id(&text->name, message.kind, &seed))
        message.request_id = text->id = str_span(&text->name);
    if (message.tool_name.at) {
        bool some = terms->rules && terms->rules->count;
        protocol_add_rules(&text->rules, terms->tool, some ? terms->rules->items : NULL,
                           some ? terms->rules->count : 0);
        message.rules = str_span(&text->rules);
    }
    return message;
}

static bool make_protocol(struct order_text *text, const struct order_terms *terms, struct err *err)
{
    struct protocol message = protocol_of(text, terms);

    if (!protocol_check(&message, err))
        return false;
    protocol_compose(&text->protocol, &message);
    protocol_title(&text->subject, &message);
    text->draft.protocol = str_span(&text->protocol);
    return true;
}

static bool make_shutdown(struct order_text *text, const struct order_terms *terms, struct err *err)
{
    struct protocol titled = {.kind = PROTOCOL_SHUTDOWN_REQUEST, .reason = filled(terms->reason)};
    struct draft *draft = &text->draft;

    (void)err;
    protocol_title(&text->subject, &titled);
    str_puts(&text->body, please_stop);
    if (titled.reason.at) {
        str_puts(&text->body, "\n\nReason: ");
        str_add_span(&text->body, span_trim(titled.reason));
    }
    str_addf(&text->body, "\n\n%s", please_answer);
    if (terms->means.payload) {
        str_puts(&text->payload, "{\"x_protocol\":\"shutdown\"}");
        draft->type = span_of("request");
        draft->payload = str_span(&text->payload);
    }
    draft->requires_response = terms->means.response;
    return true;
}

static void add_member(struct str *out, const char *before, struct span text)
{
    str_puts(out, before);
    json_put_text(out, text, &json_style_node_line);
}

/* Puts the id and the reason into a payload as the agents' own Python writes it; without payloads,
 * into the text. */
static bool make_escalation(struct order_text *text, const struct order_terms *terms,
                            struct err *err)
{
    const struct escalation_route *route = &escalation_routes[terms->level];
    struct span reason = span_trim(terms->reason);
    struct draft *draft = &text->draft;

    if (!span_trim(terms->title).len || !reason.len)
        return err_set(err, ERR_REFUSED, "an escalation needs a title and a reason");
    if (!escalation_is_id(terms->id))
        return err_set(err, ERR_REFUSED,
                       "\"%.*s\" is no id of an escalation: ESC-20260131-0001 would be one",
                       (int)terms->id.len, or_empty(terms->id).at);
    if (!terms->means.type)
        return err_set(err, ERR_REFUSED, "no escalation can be told from other messages there");
    text->id = terms->id;
    str_puts(&text->subject, route->title);
    str_add_span(&text->subject, terms->title);
    str_add_span(&text->body, terms->body);
    if (terms->means.payload) {
        if (!text->body.len)
            str_add_span(&text->body, terms->reason);
        add_member(&text->payload, "{\"escalation_id\":", terms->id);
        add_member(&text->payload, ",\"reason\":", terms->reason);
        str_putc(&text->payload, '}');
        draft->payload = str_span(&text->payload);
    } else {
        str_addf(&text->body, "%sEscalation: %.*s\nReason: %.*s", text->body.len ? "\n\n" : "",
                 (int)terms->id.len, terms->id.at, (int)reason.len, reason.at);
    }
    draft->type = span_of("escalation");
    draft->priority = route->is_high ? PRIORITY_HIGH : terms->priority;
    draft->requires_response = terms->means.response;
    return true;
}

static bool (*const in_words[LEAD_VERBS])(struct order_text *text, const struct order_terms *terms,
                                          struct err *err) = {
    [LEAD_SHUTDOWN] = make_shutdown,
    [LEAD_ESCALATE] = make_escalation,
};

/* Summarizes the terms: "task 3: Tests", or "allow Bash: ls:*, cat:* in /src". */
static void sum_up(struct order_text *text, const struct order_terms *terms)
{
    struct str *out = &text->in_short;
    size_t rules = terms->rules ? terms->rules->count : 0;

    switch (terms->verb) {
    case LEAD_SHUTDOWN:
        str_add_span(out, terms->reason);
        break;
    case LEAD_MODE:
        str_add_span(out, terms->mode);
        break;
    case LEAD_ASSIGN:
        str_puts(out, "task ");
        str_add_span(out, terms->task);
        str_puts(out, ": ");
        str_add_span(out, terms->subject);
        break;
    case LEAD_RULES:
        str_add_span(out, terms->behavior);
        str_putc(out, ' ');
        str_add_span(out, terms->tool);
        for (size_t i = 0; i < rules; i++) {
            str_puts(out, i ? ", " : ": ");
            str_add_span(out, terms->rules->items[i]);
        }
        str_puts(out, " in ");
        str_add_span(out, terms->directory);
        break;
    case LEAD_ESCALATE:
        str_add_span(out, terms->id);
        str_puts(out, ": ");
        str_add_span(out, terms->title);
        break;
    case LEAD_VERBS:
        break;
    }
}

bool lead_command_make(struct order_text *text, const struct order_terms *terms, struct err *err)
{
    bool by_program = terms->means.program && verbs[terms->verb].protocol != PROTOCOL_NONE;

    *text = (struct order_text){.draft = draft_new()};
    if (!by_program && !in_words[terms->verb])
        return err_set(err, ERR_REFUSED, "no custom has words for this order");
    if (!(by_program ? make_protocol : in_words[terms->verb])(text, terms, err))
        return false;
    text->draft.from = terms->from;
    text->draft.to = terms->agent;
    text->draft.subject = str_span(&text->subject);
    text->draft.body = str_span(&text->body);
    text->draft.created_us = terms->now_us;
    sum_up(text, terms);
    return true;
}

void lead_command_free(struct order_text *text)
{
    struct str *const parts[] = {&text->in_short, &text->protocol, &text->subject, &text->body,
                                 &text->payload,  &text->name,     &text->time,    &text->rules};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        str_free(parts[i]);
    *text = (struct order_text){0};
}

bool message_is_lead_command(const struct message *message)
{
    switch (protocol_kind_find(message->type)) {
    case PROTOCOL_PERMISSION_RESPONSE:
    case PROTOCOL_SANDBOX_PERMISSION_RESPONSE:
    case PROTOCOL_PLAN_APPROVAL_RESPONSE:
    case PROTOCOL_SHUTDOWN_REQUEST:
    case PROTOCOL_TEAM_PERMISSION_UPDATE:
    case PROTOCOL_MODE_SET_REQUEST:
        return !message->damaged;
    default:
        return false;
    }
}

bool message_is_lead_command_given(const struct message *message)
{
    return message_is_lead_command(message) && !message->mine && !message->place->archived &&
           message->status < STATUS_ARCHIVED;
}
