/* Approval checks: requests of Claude's protocol, from the entry in the inbox down to what is
 * executed, and messages of other layouts. */
#include "mail/security/approval_check.h"

#include "base/json/json.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text/confusables.h"
#include "base/text/sanitize.h"
#include "base/text/utf8.h"
#include "mail/message/message.h"
#include "mail/protocol/protocol_table.h"
#include "mail/security/sender.h"
#include "mail/thread/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <utf8proc.h>

/* Differences between readers of one text, and characters that a person could not see. */

enum { QUOTE_COLUMNS = 40 };

/* Appends the sentence; always returns true, so that a check can end with it. */
__attribute__((format(printf, 2, 3))) static bool approval_say(struct str *why, const char *format,
                                                               ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    str_puts(why, text);
    return true;
}

/* Appends hostile text in quotes: ASCII, sanitized and cut. */
static void approval_quote(struct str *why, struct span text)
{
    str_putc(why, '"');
    sanitize_cut(why, text, SANITIZE_LINE | SANITIZE_ASCII, QUOTE_COLUMNS);
    str_putc(why, '"');
}

/* The keys of a value, compared within each object in the form in which some reader may confuse
 * them: without case, and for some without the marks between words. */
struct keys {
    struct str *why;
    const char *what;
    struct arena arena;
    struct map seen;     /* object and folded key -> index of the first such key, plus one */
    struct span *firsts; /* as they were written */
    size_t count, cap;
};

static void keys_free(struct keys *keys)
{
    arena_free(&keys->arena);
    map_free(&keys->seen);
    free(keys->firsts);
}

/* Returns a map key: the number of the object, how the key was folded, and the folded key. */
static struct span comparable(struct keys *keys, uint32_t object, struct span key, bool joined)
{
    CLEANUP(str_free) struct str form = {0};

    str_add(&form, (const char *)&object, sizeof object);
    str_putc(&form, joined ? 'j' : 'c');
    size_t start = form.len, kept = start;
    fold_add(&form, key);
    for (size_t i = start; i < form.len; i++)
        if (!joined || (form.at[i] != '_' && form.at[i] != '-'))
            form.at[kept++] = form.at[i];
    return arena_copy(&keys->arena, (struct span){form.at, kept});
}

static bool say_keys(struct keys *keys, struct span first, struct span key, bool joined)
{
    if (span_eq(first, key)) {
        str_puts(keys->why, "the key ");
        approval_quote(keys->why, key);
        return approval_say(keys->why, " stands twice in %s", keys->what);
    }
    str_puts(keys->why, "the keys ");
    approval_quote(keys->why, first);
    str_puts(keys->why, " and ");
    approval_quote(keys->why, key);
    return approval_say(keys->why, " in %s %s", keys->what,
                        joined ? "are one to some readers" : "differ only in case");
}

static bool refuses_key(struct keys *keys, uint32_t object, struct span key, bool joined)
{
    bool fresh;
    uint32_t *first = map_put(&keys->seen, comparable(keys, object, key, joined), &fresh);

    if (!fresh)
        return say_keys(keys, keys->firsts[*first - 1], key, joined);
    *mem_push(keys->firsts, keys->count, keys->cap) = key;
    *first = (uint32_t)keys->count;
    return false;
}

/* True for a key that JavaScript does not always treat as a key. */
static bool is_prototype(struct span key)
{
    return span_is(key, "__proto__");
}

static bool refuses_characters(struct str *why, struct json string, const char *what)
{
    struct span content = json_content(string);

    while (content.len) {
        int32_t code = json_next_char(&content);
        if (code == 0)
            return approval_say(why, "%s holds a NUL character", what);
        if (code >= 0xd800 && code <= 0xdfff)
            return approval_say(why, "%s holds half a character, a lone surrogate", what);
    }
    return false;
}

/* Refuses a JSON value on which readers could disagree: keys that some reader confuses, deep
 * nesting, NUL, lone surrogates, anywhere in it. `what` names the value in the sentence. With
 * `request` it also refuses keys of the outermost object that differ only in the marks between
 * words. */
static bool approval_refuses_value(struct str *why, struct json value, const char *what,
                                   bool request)
{
    struct json_strings walk = {.at = value.raw.at, .end = value.raw.at + value.raw.len};
    CLEANUP(keys_free) struct keys keys = {.why = why, .what = what};
    struct json string;
    bool is_key, refused = false;

    while (!refused && json_next_string(&walk, &string, &is_key)) {
        refused = refuses_characters(why, string, what);
        if (refused || !is_key)
            continue;
        struct span key = json_text(&keys.arena, string);
        if (is_prototype(key))
            refused =
                approval_say(why, "%s has a key \"__proto__\", which is none in JavaScript", what);
        else
            refused = refuses_key(&keys, walk.object, key, false) ||
                      (request && walk.depth == 1 && refuses_key(&keys, walk.object, key, true));
    }
    if (!refused && walk.deepest > APPROVAL_DEPTH_MAX)
        refused =
            approval_say(why, "%s is nested more than %d levels deep", what, APPROVAL_DEPTH_MAX);
    return refused;
}

/* Refuses hidden characters in a text, which `what` names. With `one_line` also newlines and
 * tabs. */
static bool approval_refuses_text(struct str *why, struct span text, const char *what,
                                  bool one_line)
{
    struct sanitize_piece piece;

    if (sanitize_find_hidden(text, &piece)) {
        bool broken = piece.text[0] != '^' && piece.text[0] != '<';
        return approval_say(why, "%s holds %s, which nobody would see", what,
                            broken ? "bytes that are no character" : piece.text);
    }
    for (size_t i = 0; one_line && i < text.len; i++)
        if (text.at[i] == '\n' || text.at[i] == '\t')
            return approval_say(why, "%s holds %s", what,
                                text.at[i] == '\n' ? "a line break" : "a tab");
    return false;
}

/* Like approval_refuses_text(), but for every key and string of a value. */
static bool approval_refuses_strings(struct str *why, struct json value, const char *what)
{
    struct json_strings walk = {.at = value.raw.at, .end = value.raw.at + value.raw.len};
    struct json string;
    bool is_key, refused = false;

    while (!refused && json_next_string(&walk, &string, &is_key)) {
        CLEANUP(arena_free) struct arena arena = {0};
        refused = approval_refuses_text(why, json_text(&arena, string), what, false);
    }
    return refused;
}

/* Host patterns: valid names that are not confusable. */

enum { HOST_BYTES_MAX = 1000, LABEL_CHARACTERS_MAX = 63 };

/* True for letters, digits and marks; beyond ASCII only for those that no reader maps to others. */
static bool is_host_character(int32_t code)
{
    if (code < 0x80)
        return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') ||
               (code >= '0' && code <= '9') || code == '-' || code == '_';
    const utf8proc_property_t *property = utf8proc_get_property(code);
    return property->category >= UTF8PROC_CATEGORY_LU &&
           property->category <= UTF8PROC_CATEGORY_NO && property->decomp_type == 0;
}

static bool is_label(struct span label)
{
    struct span rest = label;
    size_t count = 0;

    while (rest.len) {
        if (!is_host_character(utf8_next(&rest)))
            return false;
        count++;
    }
    return count && count <= LABEL_CHARACTERS_MAX && label.at[0] != '-' &&
           label.at[label.len - 1] != '-';
}

static struct span take_label(struct span *rest)
{
    const char *dot = memchr(rest->at, '.', rest->len);
    struct span label = {rest->at, dot ? (size_t)(dot - rest->at) : rest->len};
    size_t taken = label.len + (dot ? 1 : 0);

    rest->at += taken;
    rest->len -= taken;
    return label;
}

static bool say_no_host(struct str *why, struct span host)
{
    approval_quote(why, host);
    return approval_say(why, " is not the name of a host");
}

/* Refuses a host that is not a valid name, or that mixes scripts. */
static bool approval_refuses_host(struct str *why, struct span host)
{
    struct span rest = host_without_port(host);

    if (host_is_address(host) || span_is(host, "*"))
        return false;
    if (!rest.len || rest.len > HOST_BYTES_MAX || rest.at[rest.len - 1] == '.')
        return say_no_host(why, host);
    if (span_starts(rest, span_of("*.")))
        rest = (struct span){rest.at + 2, rest.len - 2};
    while (rest.len) {
        struct span label = take_label(&rest);
        if (!is_label(label))
            return say_no_host(why, host);
        if (confusable_mixes(label)) {
            str_puts(why, "the host ");
            approval_quote(why, host);
            return approval_say(why, " mixes letters of different scripts, which look alike");
        }
    }
    return false;
}

#define AT(member) offsetof(struct protocol, member)

static const char envelope[] = "the entry in the inbox", request[] = "the request";

/* The members of an entry that programs use, and their types; JSON_TRUE means either truth
 * value. */
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

/* The parts of each kind of request that influence the actions of a program. */
static const struct {
    enum protocol_kind kind;
    const char *name; /* in sentences */
    size_t at;
    bool json;
    bool one_line;
    bool filled; /* if it is empty there is nothing to decide */
} executed[] = {
    {PROTOCOL_PERMISSION_REQUEST, "the tool's name", AT(tool_name), false, true, true},
    {PROTOCOL_PERMISSION_REQUEST, "the tool's input", AT(input), true, false, false},
    {PROTOCOL_PERMISSION_REQUEST, "what the request suggests to allow", AT(suggestions), true,
     false, false},
    {PROTOCOL_SANDBOX_PERMISSION_REQUEST, "the host", AT(host_pattern), true, false, false},
    {PROTOCOL_PLAN_APPROVAL_REQUEST, "the plan", AT(plan), false, false, true},
    {PROTOCOL_PLAN_APPROVAL_REQUEST, "the path of the plan", AT(plan_path), false, true, false},
};

/* The member that names the sender, for each kind of request. */
static const struct {
    enum protocol_kind kind;
    size_t at;
    bool with_team; /* may be followed by the team */
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
        approval_quote(why, message->from);
        str_puts(why, ", but it says that ");
        approval_quote(why, said);
        return approval_say(why, " asks");
    }
    return false;
}

static bool refuses_id(struct str *why, struct span id)
{
    if (!id.len)
        return approval_say(why, "the request id is empty");
    if (id.len > APPROVAL_ID_MAX)
        return approval_say(why, "the request id is longer than %d characters", APPROVAL_ID_MAX);
    for (size_t i = 0; i < id.len; i++)
        if (id.at[i] < 0x20 || id.at[i] > 0x7e || strchr("\"'`\\", id.at[i]))
            return approval_say(why, "the request id holds something else than printable ASCII "
                                     "without quotes and backslash");
    if (id.at[0] == ' ' || id.at[id.len - 1] == ' ')
        return approval_say(why, "the request id starts or ends with a blank");
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
            return approval_say(why, "%s is empty", executed[i].name);
        if (executed[i].json
                ? approval_refuses_strings(why, value, executed[i].name)
                : approval_refuses_text(why, text, executed[i].name, executed[i].one_line))
            return true;
    }
    return p->kind == PROTOCOL_SANDBOX_PERMISSION_REQUEST && approval_refuses_host(why, p->host);
}

static bool is_request(enum protocol_kind kind)
{
    for (size_t i = 0; i < SENDERS; i++)
        if (senders[i].kind == kind)
            return true;
    return false;
}

/* Refuses the object in the text of an entry. */
static bool refuses_request(struct str *why, const struct message *message, struct span text,
                            struct arena *arena)
{
    struct protocol p;

    if (!protocol_parse(&p, text, arena))
        return approval_say(why, "%s cannot be read", request);
    if (p.kind == PROTOCOL_UNKNOWN)
        return approval_say(why, "requests of that kind are not known here");
    if (!is_request(p.kind))
        return approval_say(why, "it asks for nothing that could be approved");
    if (approval_refuses_value(why, (struct json){JSON_OBJECT, p.raw}, request, true))
        return true;
    if (p.problem.at) {
        approval_say(why, "%s is not as it must be: ", request);
        sanitize_add(why, p.problem, SANITIZE_LINE | SANITIZE_ASCII);
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
            return approval_say(why, "%s has no \"%s\"", envelope, entry_keys[i].name);
        if (kind != JSON_ABSENT && kind != entry_keys[i].kind)
            return approval_say(why, "\"%s\" in %s is of the wrong type", entry_keys[i].name,
                                envelope);
    }
    return false;
}

/* Refuses an entry of an inbox with a request in its text. The arena is scratch. */
static bool approval_refuses_entry(struct str *why, const struct message *message, struct span raw,
                                   struct arena *arena)
{
    struct json fields[ENTRY_KEYS] = {0}, entry, key, value;
    struct json_walk walk;

    if (!json_scan(raw, JSON_STRICT, &entry, NULL) || entry.kind != JSON_OBJECT)
        return approval_say(why, "%s is no JSON object", envelope);
    if (approval_refuses_value(why, entry, envelope, false))
        return true;
    json_open(&walk, entry.raw, JSON_STRICT, NULL);
    while (json_next(&walk, &key, &value))
        for (size_t i = 0; i < ENTRY_KEYS; i++)
            if (json_is(key, entry_keys[i].name))
                fields[i] = value;
    if (refuses_kinds(why, fields))
        return true;
    struct span text = json_text(arena, fields[ENTRY_TEXT]);
    if (!span_eq(text, message->data->body) ||
        !span_eq(json_text(arena, fields[ENTRY_FROM]), message->from))
        return approval_say(why, "what lies in the mailbox is not what is shown");
    if (!span_trim(message->from).len)
        return approval_say(why, "nobody is named as its sender");
    return approval_refuses_text(why, message->from, "the sender's name", true) ||
           refuses_request(why, message, text, arena);
}

/* All messages, and those that no program acts on. */

/* Checks line by line: lines may end with CR LF. */
static bool refuses_lines(struct str *why, struct span text)
{
    bool refused = false;

    while (!refused && text.len) {
        size_t len = text.len;
        struct span line = span_take_line(&text);
        line.len -= line.len < len && span_ends(line, "\r");
        refused = approval_refuses_text(why, line, "the message", false);
    }
    return refused;
}

/* Refuses an unknown word in the field that, by custom, holds the kind of request. */
static bool refuses_custom(struct str *why, const struct message *message)
{
    bool known = message->kind == KIND_PLAN || message->kind == KIND_PERMISSION ||
                 message->kind == KIND_HOST || message->kind == KIND_SHUTDOWN;

    return message->data->protocol.at && !known &&
           approval_say(why, "requests of that kind are not known here");
}

/* True for a plan with only a title: it must not replace a plan with text. */
static bool is_empty_plan(const struct message *message)
{
    const struct message_data *data = message->data;

    return message->kind == KIND_PLAN && !span_trim(data->body).len && data->context.len <= 2;
}

/* Refuses a message of a layout in which no program enforces decisions. */
static bool refuses_message(struct str *why, const struct message *message, struct span raw)
{
    struct span text = utf8_without_mark(raw);
    struct json value;

    if (message->flags & MESSAGE_DANGEROUS)
        return approval_say(why, "the agents' own reader would run a part of it as a program");
    if (message->flags & MESSAGE_EQUAL_KEYS)
        return approval_say(why, "a field stands twice in it");
    if (!message_asks(message))
        return approval_say(why, "it asks for nothing that could be approved");
    if (is_empty_plan(message))
        return approval_say(why, "the plan is empty");
    if (refuses_custom(why, message) || approval_refuses_text(why, message->id, "its id", true))
        return true;
    if (!span_starts(span_trim(text), span_of("{")))
        return refuses_lines(why, text);
    if (!json_scan(raw, JSON_PYTHON, &value, NULL))
        return approval_say(why, "its JSON cannot be read");
    return approval_refuses_value(why, value, "the message", false) ||
           approval_refuses_strings(why, value, "the message");
}

bool approval_refuses(struct str *why, const struct message *message, struct span raw)
{
    CLEANUP(arena_free) struct arena arena = {0};

    if (message->damaged) {
        str_puts(why, "it is damaged: ");
        sanitize_add(why, span_of(message->damaged), SANITIZE_LINE | SANITIZE_ASCII);
        return true;
    }
    if (!message->data || !raw.len)
        return approval_say(why, "it was not read whole");
    if (!utf8_valid(raw))
        return approval_say(why, "it holds bytes that are not UTF-8");
    if (message->data->body_is_payload && message->data->protocol.at)
        return approval_refuses_entry(why, message, raw, &arena);
    return refuses_message(why, message, raw);
}

bool approval_refuses_input(struct str *why, struct json input)
{
    static const char what[] = "the changed input";

    return approval_refuses_value(why, input, what, false) ||
           approval_refuses_strings(why, input, what);
}
