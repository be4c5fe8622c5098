/* Tools and outputs: the tables, and the schemas made from them. */
#include "mcp/tools.h"

#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "base/text/utf8.h"
#include "mail/message/kind.h"
#include "mail/protocol/lead_command.h"
#include "mail/protocol/protocol.h"

#include <ctype.h>

/* URIs of resources, with percent-encoding. */

static const char *const uri_starts[] = {
    [URI_MESSAGE] = "swarmutt://message/", [URI_THREAD] = "swarmutt://thread/"};

void uri_add(struct str *out, enum uri_kind kind, struct span id)
{
    str_puts(out, uri_starts[kind]);
    for (size_t i = 0; i < id.len; i++) {
        unsigned char c = (unsigned char)id.at[i];
        if (c < 0x80 && (isalnum(c) || strchr("-._~", c)) && c)
            str_putc(out, (char)c);
        else
            str_addf(out, "%%%02X", c);
    }
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool decode(struct span text, struct str *out)
{
    str_clear(out);
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] != '%') {
            str_putc(out, text.at[i]);
            continue;
        }
        if (text.len - i < 3 || digit(text.at[i + 1]) < 0 || digit(text.at[i + 2]) < 0)
            return false;
        str_putc(out, (char)(digit(text.at[i + 1]) * 16 + digit(text.at[i + 2])));
        i += 2;
    }
    return out->len && !memchr(out->at, '\0', out->len) && utf8_valid(str_span(out));
}

bool uri_read(struct span uri, enum uri_kind *kind, struct str *id)
{
    for (unsigned i = 0; i < sizeof uri_starts / sizeof *uri_starts; i++) {
        struct span start = span_of(uri_starts[i]);
        if (!span_starts(uri, start))
            continue;
        *kind = i;
        return decode((struct span){uri.at + start.len, uri.len - start.len}, id);
    }
    return false;
}

/* Refusing what an agent may not send: decisions, orders, and text that looks like somebody
 * else's. */

/* Skips everything that any reader may treat as blank, and invisible characters. */
static struct span skip_blanks(struct span text)
{
    for (struct span rest = text; rest.len;) {
        if (!sanitize_is_blank(utf8_next(&rest)))
            return text;
        text = rest;
    }
    return text;
}

/* Reports whether the text may contain a key "type", plain or with some of its letters escaped. */
static bool may_have_type(struct span text)
{
    return memmem(text.at, text.len, "type", 4) || memmem(text.at, text.len, "\\u", 2);
}

static bool has_type(struct json object)
{
    struct json_walk walk;
    struct json key, value;
    bool found = false;

    json_open(&walk, object.raw, JSON_STRICT, NULL);
    while (json_next(&walk, &key, &value))
        found |= json_is(key, "type");
    return found;
}

bool refuse_is_protocol(struct span text)
{
    struct json value;

    text = skip_blanks(text);
    if (!text.len || text.at[0] != '{')
        return false;
    if (json_scan(text, JSON_STRICT, &value, NULL))
        return has_type(value);
    /* Other parsers may accept what ours rejects: deeper nesting, NaN, text after the object. */
    return may_have_type(text);
}

static bool check_text(const char *name, struct span text, struct err *err)
{
    if (refuse_is_protocol(text))
        return err_set(err, ERR_REFUSED,
                       "`%s` could be a protocol message: a program that gets a JSON object with "
                       "a \"type\" may act on it, and decisions and orders do not go through here; "
                       "put words before it",
                       name);
    if (teammate_tag_found(text))
        return err_set(err, ERR_REFUSED,
                       "`%s` holds \"<teammate-message\" or \"</teammate-message\", the tag that "
                       "agents see a message in: what follows would not be yours",
                       name);
    return true;
}

/* Returns the kind of a message that has this type, or that starts with this subject. */
static enum kind kind_of(struct span type, struct span subject)
{
    struct message probe = {.type = type, .subject = subject};

    message_classify(&probe);
    return probe.kind;
}

static bool is_decided(enum kind kind)
{
    return kind == KIND_PLAN || kind == KIND_PERMISSION || kind == KIND_HOST;
}

static bool is_ordered(enum kind kind)
{
    return kind == KIND_SHUTDOWN || kind == KIND_TASK || kind == KIND_MODE || kind == KIND_RULES ||
           kind == KIND_IDLE;
}

static bool check_kind(const char *name, enum kind kind, struct err *err)
{
    return (!is_decided(kind) && !is_ordered(kind)) ||
           err_set(err, ERR_REFUSED,
                   "`%s` makes it a message about \"%s\", and decisions and orders do not go "
                   "through here: they are a person's",
                   name, kind_name(kind));
}

static bool check_type(struct span type, struct err *err)
{
    CLEANUP(str_free) struct str small = {0};

    for (size_t i = 0; i < type.len; i++)
        str_putc(&small, (char)tolower((unsigned char)type.at[i]));
    return check_kind("type", kind_of(span_trim(str_span(&small)), (struct span){0}), err);
}

static bool check_one(const struct argument *argument, struct err *err)
{
    const char *name = argument->spec->name;
    bool opens = strcmp(name, "subject") == 0 || strcmp(name, "body") == 0;

    if (argument->spec->kind == ARGUMENT_TEXT && !check_text(name, argument->text, err))
        return false;
    for (size_t i = 0; i < argument->texts.count; i++)
        if (!check_text(name, argument->texts.items[i], err))
            return false;
    if (strcmp(name, "type") == 0)
        return check_type(argument->text, err);
    struct span first = span_trim(span_first_line(skip_blanks(argument->text)));
    return !opens || check_kind(name, kind_of((struct span){0}, first), err);
}

/* Checks subject and body as one text: layouts with only one text put the body after the
 * subject. */
static bool check_together(const struct arguments *arguments, struct err *err)
{
    struct span body = arguments_text(arguments, "body");
    CLEANUP(str_free) struct str text = {0};

    str_add_span(&text, arguments_text(arguments, "subject"));
    str_putc(&text, '\n');
    str_add_span(&text, body);
    return !body.at || check_text("subject` and `body", str_span(&text), err);
}

bool refuse_arguments(const struct arguments *arguments, struct err *err)
{
    for (size_t i = 0; i < arguments->count; i++)
        if (!check_one(&arguments->items[i], err))
            return false;
    return check_together(arguments, err);
}

/* Returns false, with the reason, if the state of this message must not be changed: a marked
 * request for a decision no longer waits for anybody, and a marked order is not seen by the program
 * that it is for. */
static bool refuse_mark(const struct message *message, struct err *err)
{
    bool decides = is_decided(message->kind) || message->kind == KIND_SHUTDOWN;

    return (!message_is_lead_command(message) &&
            !(decides && message->verdict == VERDICT_UNSAID)) ||
           err_set(err, ERR_REFUSED,
                   "%.*s is about a decision or an order (%s) and is not marked through here: the "
                   "person, or the program that it is for, has to see it",
                   (int)message->id.len, message->id.at, kind_name(message->kind));
}

bool refuse_answer(const struct message *original, struct err *err)
{
    return !is_decided(original->kind) || original->verdict != VERDICT_UNSAID ||
           err_set(err, ERR_REFUSED,
                   "%.*s is about a decision (%s), and those do not go through here: they are a "
                   "person's; what you think of it can be a message of its own",
                   (int)original->id.len, original->id.at, kind_name(original->kind));
}

/* Outputs. */

#define VERSION                                                                                    \
    {                                                                                              \
        .name = "v", .kind = OUTPUT_WHOLE                                                          \
    }
#define REMARKS                                                                                    \
    {                                                                                              \
        .name = "remarks", .kind = OUTPUT_LIST, .optional = true,                                  \
        .help = "what else there is to know about the result"                                      \
    }

const struct output_spec outputs_message[] = {
    VERSION,
    {.name = "id", .nullable = true, .help = "what read, reply, thread and mark take"},
    {.name = "source"},
    {.name = "format"},
    {.name = "box", .nullable = true},
    {.name = "from", .nullable = true},
    {.name = "to", .nullable = true},
    {.name = "subject", .nullable = true},
    {.name = "body", .nullable = true},
    {.name = "type", .nullable = true},
    {.name = "priority", .nullable = true},
    {.name = "status", .nullable = true},
    {.name = "created_at", .nullable = true},
    {.name = "read_at", .nullable = true},
    {.name = "completed_at", .nullable = true},
    {.name = "expires_at", .nullable = true},
    {.name = "thread", .nullable = true},
    {.name = "reply_to", .nullable = true},
    {.name = "requires_response", .kind = OUTPUT_TRUTH, .nullable = true},
    {.name = "context", .kind = OUTPUT_ANY},
    {.name = "attachments", .kind = OUTPUT_ANY},
    {.name = "tags", .kind = OUTPUT_ANY},
    {.name = "payload", .kind = OUTPUT_ANY},
    {.name = "protocol", .kind = OUTPUT_ANY},
    {.name = "path"},
    {.name = "damaged", .nullable = true, .help = "why it could not be read whole"},
    {.name = "team", .optional = true},
    {.name = "flags",
     .kind = OUTPUT_LIST,
     .optional = true,
     .help = "what is doubtful about the message"},
    {0},
};

const struct output_spec outputs_sent[] = {
    VERSION,
    {.name = "id"},
    {.name = "to"},
    {.name = "queued",
     .kind = OUTPUT_TRUTH,
     .optional = true,
     .help = "it waits until its place in the mailbox is free"},
    {.name = "taken",
     .kind = OUTPUT_TRUTH,
     .optional = true,
     .help = "the recipient's program has taken it already"},
    {.name = "delivered_to", .kind = OUTPUT_LIST, .optional = true, .help = "who sees it"},
    {0},
};

const struct output_spec outputs_marked[] = {
    VERSION,
    {.name = "id"},
    {.name = "status"},
    {.name = "local",
     .kind = OUTPUT_TRUTH,
     .optional = true,
     .help = "the mailbox has no place for it: others do not see it"},
    {0},
};

const struct output_spec outputs_agent[] = {
    VERSION,
    {.name = "agent"},
    {.name = "team", .nullable = true},
    {.name = "address", .help = "what to takes"},
    {.name = "state"},
    {.name = "why", .optional = true},
    {0},
};

static void add_spec(struct str *out, const struct output_spec *spec)
{
    static const char *const types[] = {[OUTPUT_WORDS] = "string",
                                        [OUTPUT_WHOLE] = "integer",
                                        [OUTPUT_TRUTH] = "boolean",
                                        [OUTPUT_LIST] = "array"};
    const char *comma = "";

    str_addf(out, "\"%s\":{", spec->name);
    if (spec->kind != OUTPUT_ANY) {
        str_addf(out, spec->nullable ? "\"type\":[\"%s\",\"null\"]" : "\"type\":\"%s\"",
                 types[spec->kind]);
        comma = ",";
    }
    if (spec->kind == OUTPUT_LIST)
        str_puts(out, ",\"items\":{\"type\":\"string\"}");
    if (spec->help) {
        str_addf(out, "%s\"description\":", comma);
        json_put_text(out, span_of(spec->help), &json_style_line);
    }
    str_putc(out, '}');
}

/* Appends the schema of an object. `last` is one more member, or NULL. */
static void add_object(struct str *out, const struct output_spec *specs,
                       const struct output_spec *last)
{
    const char *comma = "";

    str_puts(out, "{\"type\":\"object\",\"properties\":{");
    for (const struct output_spec *spec = specs; spec->name; spec++, comma = ",") {
        str_puts(out, comma);
        add_spec(out, spec);
    }
    if (last) {
        str_putc(out, ',');
        add_spec(out, last);
    }
    str_puts(out, "},\"required\":[");
    comma = "";
    for (const struct output_spec *spec = specs; spec->name; spec++)
        if (!spec->optional) {
            str_addf(out, "%s\"%s\"", comma, spec->name);
            comma = ",";
        }
    str_puts(out, "]}");
}

/* Appends the JSON Schema of a result: an object or, if `list` is not NULL, a list of objects under
 * that name. */
static void outputs_add_schema(struct str *out, const struct output_spec *specs, const char *list)
{
    static const struct output_spec version = VERSION, remarks = REMARKS;

    if (!list) {
        add_object(out, specs, &remarks);
        return;
    }
    str_puts(out, "{\"type\":\"object\",\"properties\":{");
    add_spec(out, &version);
    str_addf(out, ",\"%s\":{\"type\":\"array\",\"items\":", list);
    add_object(out, specs, NULL);
    str_puts(out, "},");
    add_spec(out, &remarks);
    str_addf(out, "},\"required\":[\"v\",\"%s\"]}", list);
}

#define PRIORITY                                                                                   \
    {                                                                                              \
        .name = "priority", .word = priority_word, .option = "priority",                           \
        .help = "how pressing it is; normal where it is not given"                                 \
    }
#define CREATE                                                                                     \
    {                                                                                              \
        .name = "create", .kind = ARGUMENT_FLAG, .option = "create",                               \
        .help = "make a mailbox for a recipient nobody knows yet; only if the name is sure"        \
    }
#define MESSAGE_ID                                                                                 \
    {                                                                                              \
        .name = "id", .needed = true, .help = "the id of the message, or a unique start of it"     \
    }

static const struct argument_spec send_arguments[] = {
    {.name = "to",
     .needed = true,
     .option = "to",
     .help = "who gets it: the name of an agent, AGENT@TEAM where several teams have one"},
    {.name = "subject", .needed = true, .option = "subject", .help = "what it is about, in a line"},
    {.name = "body", .needed = true, .blank = true, .option = "body", .help = "the text"},
    PRIORITY,
    {.name = "type",
     .option = "type",
     .help = "the layout's own message type, such as request or notification; rarely needed"},
    {.name = "tags", .kind = ARGUMENT_TEXTS, .option = "tag", .help = "tags, where there are any"},
    {.name = "attachments",
     .kind = ARGUMENT_TEXTS,
     .option = "attach",
     .help = "paths of files it speaks of; the files themselves are not sent"},
    {.name = "expires", .option = "expires", .help = "how long it is of use: 90s, 30m, 2h or 7d"},
    {.name = "requires_response",
     .kind = ARGUMENT_FLAG,
     .option = "requires-response",
     .help = "an answer is expected"},
    CREATE,
    {0},
};

static const struct argument_spec check_arguments[] = {
    {.name = "all", .kind = ARGUMENT_FLAG, .option = "all", .help = "also what was read before"},
    {.name = "types", .kind = ARGUMENT_TEXTS, .option = "type", .help = "only these message types"},
    {.name = "min_priority",
     .word = priority_word,
     .option = "min-priority",
     .help = "only this priority and above"},
    {.name = "limit",
     .kind = ARGUMENT_NUMBER,
     .least = 1,
     .most = 1000,
     .usual = 50,
     .help = "at most this many messages"},
    {0},
};

static const struct argument_spec no_arguments[] = {{0}};

static const struct argument_spec id_arguments[] = {MESSAGE_ID, {0}};

static const struct argument_spec thread_arguments[] = {
    {.name = "id", .needed = true, .help = "the id of the thread, or of any message in it"},
    {0},
};

static const struct argument_spec reply_arguments[] = {
    MESSAGE_ID,
    {.name = "body", .needed = true, .option = "body", .help = "the text of the answer"},
    {0},
};

static const struct argument_spec handoff_arguments[] = {
    {.name = "to", .needed = true, .option = "to", .help = "who takes the work over"},
    {.name = "subject", .needed = true, .option = "subject", .help = "what it is about, in a line"},
    {.name = "done", .needed = true, .option = "done", .help = "what was done"},
    {.name = "state", .needed = true, .option = "state", .help = "how things stand now"},
    {.name = "next", .kind = ARGUMENT_TEXTS, .option = "next", .help = "what to do next"},
    {.name = "blockers", .kind = ARGUMENT_TEXTS, .option = "blocker", .help = "what is in the way"},
    {.name = "files_modified",
     .kind = ARGUMENT_TEXTS,
     .option = "modified",
     .help = "files that were changed"},
    {.name = "files_created",
     .kind = ARGUMENT_TEXTS,
     .option = "created",
     .help = "files that are new"},
    {.name = "state_file", .option = "state-file", .help = "where the state is written down"},
    {.name = "dependencies",
     .kind = ARGUMENT_TEXTS,
     .option = "dependency",
     .help = "what it depends on"},
    {.name = "escalations",
     .kind = ARGUMENT_TEXTS,
     .option = "escalation",
     .help = "ids of escalations it belongs to"},
    {.name = "job", .option = "job", .help = "the job it belongs to"},
    {.name = "notes", .option = "notes", .help = "anything else the next agent has to know"},
    {.name = "additional_notes",
     .option = "additional-notes",
     .help = "the same, for the text of the message where it has one apart from its context"},
    PRIORITY,
    CREATE,
    {0},
};

static const struct argument_spec broadcast_arguments[] = {
    {.name = "subject", .needed = true, .option = "subject", .help = "what it is about, in a line"},
    {.name = "body", .needed = true, .blank = true, .option = "body", .help = "the text"},
    {.name = "swarm",
     .option = "swarm",
     .help = "the swarm or team whose agents get it; all agents where it is not given"},
    {.name = "exclude",
     .kind = ARGUMENT_TEXTS,
     .option = "exclude",
     .help = "agents who do not get it"},
    {.name = "type", .option = "type", .help = "the layout's own message type; rarely needed"},
    PRIORITY,
    {0},
};

static const struct argument_spec search_arguments[] = {
    {.name = "query",
     .blank = true,
     .help = "words, and terms such as from:bob to:alice subject:deploy is:unread is:waiting "
             "kind:handoff prio:high+ newer:2h, joined by blanks, or, not and parentheses; nothing "
             "finds all"},
    {.name = "archived", .kind = ARGUMENT_FLAG, .option = "all", .help = "also archived messages"},
    {.name = "bodies", .kind = ARGUMENT_FLAG, .option = "bodies", .help = "with their texts"},
    {.name = "limit",
     .kind = ARGUMENT_NUMBER,
     .least = 1,
     .most = 1000,
     .usual = 50,
     .help = "at most this many messages, the newest first"},
    {0},
};

static const struct argument_spec mark_arguments[] = {
    MESSAGE_ID,
    {.name = "status",
     .needed = true,
     .word = mark_word,
     .help = "what became of it; completed messages go to the archive"},
    {.name = "keep",
     .kind = ARGUMENT_FLAG,
     .option = "keep",
     .help = "a completed message stays in the inbox"},
    {0},
};

static const struct argument_spec wait_arguments[] = {
    {.name = "query",
     .blank = true,
     .help = "what the message must be like, as for search; nothing takes any"},
    {.name = "timeout_s",
     .kind = ARGUMENT_NUMBER,
     .least = 0,
     .most = 3600,
     .fractions = true,
     .usual = 45, /* many clients abort a call after 60 */
     .help = "give up after that many seconds; stay below your client's own limit for a call"},
    {0},
};

const struct tool tools[] = {
    {.name = "send",
     .title = "Send a message",
     .description = "Send a message to another agent, in your own name. Returns its id.",
     .command = "send",
     .arguments = send_arguments,
     .outputs = outputs_sent,
     .writes = true},
    {.name = "check",
     .title = "Check for mail",
     .description = "The messages that wait for you, whole, the most important first. They are "
                    "not marked by this: use mark when you have dealt with one.",
     .command = "check",
     .arguments = check_arguments,
     .outputs = outputs_message,
     .limited = true,
     .result = TOOL_SOME},
    {.name = "read",
     .title = "Read a message",
     .description = "One message to you or from you, whole.",
     .command = "show",
     .arguments = id_arguments,
     .outputs = outputs_message,
     .operands = {"id"}},
    {.name = "reply",
     .title = "Answer a message",
     .description = "Answer a message, in the same thread. Returns the id of the answer. Requests "
                    "for a decision (plans, permissions) are not answered with this: a person "
                    "decides.",
     .command = "reply",
     .arguments = reply_arguments,
     .outputs = outputs_sent,
     .operands = {"id"},
     .permits = refuse_answer,
     .writes = true},
    {.name = "handoff",
     .title = "Hand work off",
     .description = "Pass your work on to another agent with all that it has to know: what was "
                    "done, how things stand, what comes next. Returns the id.",
     .command = "handoff",
     .arguments = handoff_arguments,
     .outputs = outputs_sent,
     .writes = true},
    {.name = "broadcast",
     .title = "Send to all",
     .description = "Send one message to every agent of a swarm, or to all agents. Returns an id "
                    "for each message that was made.",
     .command = "broadcast",
     .arguments = broadcast_arguments,
     .outputs = outputs_sent,
     .unless_given = "swarm",
     .result = TOOL_LIST,
     .writes = true},
    {.name = "thread",
     .title = "Read a conversation",
     .description = "The messages of a conversation that are to you or from you, whole, the "
                    "oldest first, archived ones included.",
     .command = "thread",
     .arguments = thread_arguments,
     .outputs = outputs_message,
     .operands = {"id"},
     .result = TOOL_LIST},
    {.name = "search",
     .title = "Search your mail",
     .description = "Messages to you or from you that match a query, the newest first.",
     .command = "messages",
     .arguments = search_arguments,
     .outputs = outputs_message,
     .operands = {"query"},
     .limited = true,
     .newest = true,
     .result = TOOL_SOME},
    {.name = "mark",
     .title = "Mark a message",
     .description = "Say what became of a message to you: read, processing, completed (it goes to "
                    "the archive) or failed. Others see it where the layout has a place for it.",
     .command = "mark",
     .arguments = mark_arguments,
     .outputs = outputs_marked,
     .operands = {"id", "status"},
     .permits = refuse_mark,
     .own = true,
     .writes = true,
     .destructive = true,
     .repeatable = true},
    {.name = "agents",
     .title = "List the agents",
     .description =
         "The other agents, the most pressing first, each with the address that \"to\" takes and "
         "its state: WAITS-YOU (it waits for your answer), STUCK? (it may be stuck), WAITS (for "
         "another agent), WORKING, IDLE, GONE, or UNKNOWN (its mailbox cannot be read).",
     .command = "agents",
     .arguments = no_arguments,
     .outputs = outputs_agent,
     .result = TOOL_AGENTS},
    {.name = "wait",
     .title = "Wait for mail",
     .description = "Wait until mail for you comes that matches a query, and return it. Unread "
                    "mail that no tool has given you in this session counts at once. An empty "
                    "list means that nothing came in time.",
     .arguments = wait_arguments,
     .outputs = outputs_message,
     .result = TOOL_SOME},
    {0},
};

const char *tool_list_name(enum tool_result result)
{
    return result == TOOL_OBJECT ? NULL : result == TOOL_AGENTS ? "agents" : "messages";
}

const struct tool *tool_find(struct span name)
{
    for (const struct tool *tool = tools; tool->name; tool++)
        if (span_is(name, tool->name))
            return tool;
    return NULL;
}

/* Returns the argument for an option or an operand of the command, or NULL. */
static const struct argument_spec *find_argument(const struct tool *tool, struct span name)
{
    for (const struct argument_spec *spec = tool ? tool->arguments : NULL; spec && spec->name;
         spec++)
        if (span_is(name, spec->option ? spec->option : spec->name))
            return spec;
    return NULL;
}

static size_t name_length(struct span text)
{
    size_t len = 0;

    while (len < text.len && ((text.at[len] >= 'a' && text.at[len] <= 'z') || text.at[len] == '-'))
        len++;
    return len;
}

/* Appends the client's name for an option; returns false if the tool has none. */
static bool add_option(struct str *out, const struct tool *tool, struct span name)
{
    const struct argument_spec *spec = find_argument(tool, name);

    if (spec)
        str_addf(out, "`%s`", spec->name);
    else if (tool && tool->unless_given && span_is(name, "all"))
        str_addf(out, "no `%s`", tool->unless_given);
    else
        return false;
    return true;
}

/* Removes what the sentence is about from its start, and appends the argument it corresponds to. */
static void add_subject(struct str *out, const struct tool *tool, struct span *sentence)
{
    bool marked = span_starts(*sentence, span_of("--"));
    struct span rest = {sentence->at + 2 * marked, sentence->len - 2 * marked};
    struct span name = {rest.at, name_length(rest)};
    const struct argument_spec *spec = find_argument(tool, name);

    rest.at += name.len;
    rest.len -= name.len;
    if (!span_starts(rest, span_of(": ")) || (!spec && !marked))
        return;
    if (spec)
        str_addf(out, "`%s`: ", spec->name);
    *sentence = (struct span){rest.at + 2, rest.len - 2};
}

static void take_back(struct str *out, size_t len)
{
    out->len = len;
    out->at[len] = '\0';
}

void tool_add_sentence(struct str *out, const struct tool *tool, struct span sentence)
{
    bool quoted = false, left_out = false;
    size_t part = 0; /* position of the last semicolon in the output; 0: none yet */

    add_subject(out, tool, &sentence);
    for (size_t i = 0; i < sentence.len;) {
        struct span rest = {sentence.at + i, sentence.len - i};
        bool starts = !i || strchr(" (", rest.at[-1]);
        size_t taken = 1;
        if (!quoted && span_starts(rest, span_of("; "))) {
            part = out->len;
            left_out = false;
        }
        if (!quoted && !left_out && starts && span_starts(rest, span_of("--"))) {
            struct span name = {rest.at + 2, name_length((struct span){rest.at + 2, rest.len - 2})};
            bool known = add_option(out, tool, name);
            taken = name.len + 2;
            left_out = !known && part;
            if (left_out)
                take_back(out, part);
            else if (!known)
                str_add(out, rest.at, taken);
        } else {
            quoted ^= *rest.at == '"';
            if (!left_out)
                str_putc(out, *rest.at);
        }
        i += taken;
    }
}

static const char *yes_or_no(bool yes)
{
    return yes ? "true" : "false";
}

static void add_tool(struct str *out, const struct tool *tool)
{
    str_addf(out, "{\"name\":\"%s\",\"title\":\"%s\",\"description\":", tool->name, tool->title);
    json_put_text(out, span_of(tool->description), &json_style_line);
    str_puts(out, ",\"inputSchema\":");
    arguments_add_schema(out, tool->arguments);
    str_puts(out, ",\"outputSchema\":");
    outputs_add_schema(out, tool->outputs, tool_list_name(tool->result));
    str_addf(out,
             ",\"annotations\":{\"title\":\"%s\",\"readOnlyHint\":%s,\"destructiveHint\":%s,"
             "\"idempotentHint\":%s,\"openWorldHint\":false}}",
             tool->title, yes_or_no(!tool->writes), yes_or_no(tool->destructive),
             yes_or_no(!tool->writes || tool->repeatable));
}

void tools_add_list(struct str *out, bool readonly)
{
    const char *comma = "";

    str_putc(out, '[');
    for (const struct tool *tool = tools; tool->name; tool++) {
        if (readonly && tool->writes)
            continue;
        str_puts(out, comma);
        add_tool(out, tool);
        comma = ",";
    }
    str_putc(out, ']');
}
