/* Trust: requests of Claude's protocol, from the entry in the inbox down to what is executed. */
#include "base/text/clean.h"
#include "mail/protocol/protocol_table.h"
#include "mail/security/trust.h"
#include "mail/security/trust_private.h"

#define AT(member) offsetof(struct protocol, member)

static const char envelope[] = "the entry in the inbox", request[] = "the request";

/* What programs take out of an entry, and of which kind that is; JSON_TRUE stands for both truth
 * values. */
enum entry_key { ENTRY_FROM, ENTRY_TEXT, ENTRY_TIME, ENTRY_READ, ENTRY_SUMMARY, ENTRY_COLOR };

static const struct {
    const char *name;
    enum json_kind kind;
    bool needed;
} entry_keys[] = {
    [ENTRY_FROM] = {"from", JSON_STRING, true},
    [ENTRY_TEXT] = {"text", JSON_STRING, true},
    [ENTRY_TIME] = {"timestamp", JSON_STRING, false},
    [ENTRY_READ] = {"read", JSON_TRUE, false},
    [ENTRY_SUMMARY] = {"summary", JSON_STRING, false},
    [ENTRY_COLOR] = {"color", JSON_STRING, false},
};

enum { ENTRY_KEYS = sizeof entry_keys / sizeof *entry_keys };

/* What becomes part of what a program does, for each kind of request. */
static const struct {
    enum protocol_kind kind;
    const char *name; /* in sentences */
    size_t at;
    bool json;
    bool one_line;
    bool filled; /* with nothing in it there is nothing to decide on */
} executed[] = {
    {PROTOCOL_PERMISSION_REQUEST, "the tool's name", AT(tool_name), false, true, true},
    {PROTOCOL_PERMISSION_REQUEST, "the tool's input", AT(input), true, false, false},
    {PROTOCOL_PERMISSION_REQUEST, "what the request suggests to allow", AT(suggestions), true,
     false, false},
    {PROTOCOL_SANDBOX_PERMISSION_REQUEST, "the host", AT(host_pattern), true, false, false},
    {PROTOCOL_PLAN_APPROVAL_REQUEST, "the plan", AT(plan), false, false, true},
    {PROTOCOL_PLAN_APPROVAL_REQUEST, "the path of the plan", AT(plan_path), false, true, false},
};

/* Who a request says is asking. */
static const struct {
    enum protocol_kind kind;
    size_t at;
    bool with_team; /* the team may stand behind it */
} senders[] = {
    {PROTOCOL_PERMISSION_REQUEST, AT(agent_id), true},
    {PROTOCOL_SANDBOX_PERMISSION_REQUEST, AT(worker_name), false},
    {PROTOCOL_PLAN_APPROVAL_REQUEST, AT(from), false},
    {PROTOCOL_SHUTDOWN_REQUEST, AT(from), false},
};

enum { SENDERS = sizeof senders / sizeof *senders };

static bool is_sender(struct span said, struct span from, struct span team, bool with_team)
{
    if (span_eq(said, from))
        return true;
    if (!with_team || !team.len || !span_starts(said, from) || said.at[from.len] != '@')
        return false;
    struct span behind = {said.at + from.len + 1, said.len - from.len - 1};
    return message_name_fits(behind, team); /* the directory may spell it with dashes */
}

static bool refuses_sender(struct str *why, const struct protocol *p, const struct message *message)
{
    for (size_t i = 0; i < SENDERS; i++) {
        struct span said = protocol_get(p, senders[i].at);
        if (senders[i].kind != p->kind ||
            is_sender(said, message->from, message->place->team, senders[i].with_team))
            continue;
        str_puts(why, "it comes from ");
        trust_quote(why, message->from);
        str_puts(why, ", but it says that ");
        trust_quote(why, said);
        return trust_say(why, " asks");
    }
    return false;
}

static bool refuses_id(struct str *why, struct span id)
{
    if (!id.len)
        return trust_say(why, "the request id is empty");
    if (id.len > TRUST_ID_MAX)
        return trust_say(why, "the request id is longer than %d characters", TRUST_ID_MAX);
    for (size_t i = 0; i < id.len; i++)
        if (id.at[i] < 0x20 || id.at[i] > 0x7e || strchr("\"'`\\", id.at[i]))
            return trust_say(why, "the request id holds something else than printable ASCII "
                                  "without quotes and backslash");
    if (id.at[0] == ' ' || id.at[id.len - 1] == ' ')
        return trust_say(why, "the request id starts or ends with a blank");
    return false;
}

static bool refuses_executed(struct str *why, const struct protocol *p)
{
    for (size_t i = 0; i < sizeof executed / sizeof *executed; i++) {
        struct span text = protocol_get(p, executed[i].at);
        struct json value = {.kind = JSON_OBJECT, .raw = text};
        if (executed[i].kind != p->kind)
            continue;
        if (executed[i].filled && !span_trim(text).len)
            return trust_say(why, "%s is empty", executed[i].name);
        if (executed[i].json
                ? trust_refuses_strings(why, value, executed[i].name)
                : trust_refuses_text(why, text, executed[i].name, executed[i].one_line))
            return true;
    }
    return p->kind == PROTOCOL_SANDBOX_PERMISSION_REQUEST && trust_refuses_host(why, p->host);
}

static bool is_request(enum protocol_kind kind)
{
    for (size_t i = 0; i < SENDERS; i++)
        if (senders[i].kind == kind)
            return true;
    return false;
}

/* The object in the text of an entry. */
static bool refuses_request(struct str *why, const struct message *message, struct span text,
                            struct arena *arena)
{
    struct protocol p;

    if (!protocol_parse(&p, text, arena))
        return trust_say(why, "%s cannot be read", request);
    if (p.kind == PROTOCOL_UNKNOWN)
        return trust_say(why, "requests of that kind are not known here");
    if (!is_request(p.kind))
        return trust_say(why, "it asks for nothing that could be approved");
    if (trust_refuses_value(why, (struct json){JSON_OBJECT, p.raw}, request, true))
        return true;
    if (p.problem.at) {
        trust_say(why, "%s is not as it must be: ", request);
        clean_add(why, p.problem, CLEAN_LINE | CLEAN_ASCII);
        return true;
    }
    return refuses_id(why, p.request_id) || refuses_sender(why, &p, message) ||
           refuses_executed(why, &p);
}

static bool refuses_kinds(struct str *why, const struct json *fields)
{
    for (size_t i = 0; i < ENTRY_KEYS; i++) {
        enum json_kind kind = fields[i].kind == JSON_FALSE ? JSON_TRUE : fields[i].kind;
        if (kind == JSON_ABSENT && entry_keys[i].needed)
            return trust_say(why, "%s has no \"%s\"", envelope, entry_keys[i].name);
        if (kind != JSON_ABSENT && kind != entry_keys[i].kind)
            return trust_say(why, "\"%s\" in %s is of the wrong type", entry_keys[i].name,
                             envelope);
    }
    return false;
}

bool trust_refuses_entry(struct str *why, const struct message *message, struct span raw,
                         struct arena *arena)
{
    struct json fields[ENTRY_KEYS] = {0}, entry, key, value;
    struct json_walk walk;
    struct err err;

    if (!json_scan(raw, JSON_STRICT, &entry, &err) || entry.kind != JSON_OBJECT)
        return trust_say(why, "%s is no JSON object", envelope);
    if (trust_refuses_value(why, entry, envelope, false))
        return true;
    json_open(&walk, entry.raw, JSON_STRICT, &err);
    while (json_next(&walk, &key, &value))
        for (size_t i = 0; i < ENTRY_KEYS; i++)
            if (json_is(key, entry_keys[i].name))
                fields[i] = value;
    if (refuses_kinds(why, fields))
        return true;
    struct span text = json_text(arena, fields[ENTRY_TEXT]);
    if (!span_eq(text, message->data->body) ||
        !span_eq(json_text(arena, fields[ENTRY_FROM]), message->from))
        return trust_say(why, "what lies in the mailbox is not what is shown");
    if (!span_trim(message->from).len)
        return trust_say(why, "nobody is named as its sender");
    return trust_refuses_text(why, message->from, "the sender's name", true) ||
           refuses_request(why, message, text, arena);
}
