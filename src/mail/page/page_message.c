/* Documents: a message, and a request with what a person must know before deciding it. */
#include "base/text/diff.h"
#include "mail/handoff/handoff.h"
#include "mail/message/kind.h"
#include "mail/page/page.h"
#include "mail/protocol/protocol.h"

/* Field tables: a known JSON object as labels and values. */

enum { INDENT = 2 };

enum page_field_how {
    AS_PLAIN,    /* a text, all of whose blanks count; anything else as JSON */
    AS_PROSE,    /* a text, wrapped between words */
    AS_EXACT,    /* a text in which every character counts, such as a command */
    AS_SAID,     /* a statement of the agent, shown in quotes */
    AS_MARKDOWN, /* below its label */
    AS_STEPS,    /* an array of texts, numbered */
    AS_LIST,     /* an array of texts */
    AS_INPUT,    /* the input of a tool: with its own table of labels */
};

struct page_field {
    const char *key, *label; /* a key of NULL ends a table */
    enum page_field_how how;
    bool needed; /* if empty, "none" is shown; otherwise an empty field is left out */
};

static const struct page_field input_fields[] = {
    {"command", "Command", AS_EXACT, false}, {"cwd", "Cwd", AS_EXACT, false},
    {"file_path", "File", AS_EXACT, false},  {"notebook_path", "File", AS_EXACT, false},
    {"path", "Path", AS_EXACT, false},       {"url", "URL", AS_EXACT, false},
    {"query", "Query", AS_PLAIN, false},     {"pattern", "Pattern", AS_PLAIN, false},
    {NULL, NULL, AS_PLAIN, false},
};

/* Starts a line with its label. Where there is no room beside the label, the value is below it. */
static void open_value(struct writer *w, const char *label, enum line_mode mode)
{
    size_t len = strlen(label), columns = w->labels, most = writer_half(w);
    CLEANUP(str_free) struct str next = {0};
    bool labelled = len > 0, below = w->indent + columns > most;

    if (below) {
        if (len)
            line_say(w, label, STYLE_LABEL);
        columns = w->indent + INDENT > most ? 0 : INDENT;
        len = 0;
    }
    str_pad(&next, ' ', mode == LINE_WORDS || !columns ? columns : columns - 2);
    if (mode != LINE_WORDS)
        str_puts(&next, "+ ");
    w->same_source = below && labelled;
    line_open(w, mode, str_span(&next));
    w->same_source = false;
    if (len)
        line_add(w, span_of(label), len, STYLE_LABEL);
    line_pad(w, columns > len ? columns - len : 0);
}

/* Writes a text with its label on one line; newlines are shown as ^J. */
static void page_field_line(struct writer *w, const char *label, struct span text,
                            enum line_mode mode, enum style style)
{
    open_value(w, label, mode);
    line_put(w, text, style);
    line_close(w);
}

/* Writes a text with its label. The text may have several lines: none of them can be taken for a
 * label. */
static void page_field_text(struct writer *w, const char *label, struct span text,
                            enum line_mode mode, enum style style)
{
    do {
        if (!*label)
            text_skip_empty(w, &text);
        page_field_line(w, label, text.len ? text_line(&text, false) : text, mode, style);
        label = "";
    } while (text.len);
}

static void put_json(struct writer *w, const char *label, struct json value)
{
    CLEANUP(arena_free) struct arena arena = {0};
    bool nested = (value.kind == JSON_OBJECT || value.kind == JSON_ARRAY) && value.raw.len > 2;

    if (value.kind == JSON_STRING) {
        page_field_text(w, label, json_text(&arena, value), LINE_KEEP, STYLE_PLAIN);
    } else if (!nested) {
        page_field_text(w, label, value.raw, LINE_KEEP, STYLE_CODE);
    } else {
        line_say(w, label, STYLE_LABEL);
        w->indent += INDENT;
        json_put_scanned(w, value);
        w->indent -= INDENT;
    }
}

static void put_markdown(struct writer *w, const char *label, struct span text)
{

    line_say(w, label, STYLE_LABEL);
    w->indent += INDENT;
    markdown_put(w, text);
    w->indent -= INDENT;
}

/* Quotes the text, so that it cannot be taken for a fact. */
static void put_said(struct writer *w, const char *label, struct span text)
{

    if (memchr(text.at, '\n', text.len)) {
        page_field_text(w, label, text, LINE_WORDS, STYLE_QUOTE);
        page_field_line(w, "", span_of("(the agent's words)"), LINE_WORDS, STYLE_DIM);
        return;
    }
    open_value(w, label, LINE_WORDS);
    line_put(w, span_of("\""), STYLE_DIM);
    line_put(w, text, STYLE_QUOTE);
    line_put(w, span_of("\""), STYLE_DIM);
    line_put(w, span_of(" (the agent's words)"), STYLE_DIM);
    line_close(w);
}

static void put_text(struct writer *w, const struct page_field *field, struct span text)
{
    if (field->how == AS_MARKDOWN)
        put_markdown(w, field->label, text);
    else if (field->how == AS_SAID)
        put_said(w, field->label, text);
    else if (field->how == AS_PROSE)
        page_field_text(w, field->label, text, LINE_WORDS, STYLE_PLAIN);
    else if (field->how == AS_EXACT)
        page_field_text(w, field->label, text, LINE_EXACT, STYLE_CODE);
    else
        page_field_text(w, field->label, text, LINE_KEEP, STYLE_PLAIN);
}

static bool is_texts(struct json array)
{
    struct json_walk walk;
    struct json none, item;

    if (array.kind != JSON_ARRAY || !json_open(&walk, array.raw, JSON_PYTHON, NULL))
        return false;
    while (json_next(&walk, &none, &item))
        if (item.kind != JSON_STRING)
            return false;
    return true;
}

/* Writes one text per line; further lines of a text are indented below its number. */
static void put_list(struct writer *w, const struct page_field *field, struct json array)
{
    struct json_walk walk;
    struct json none, item;
    CLEANUP(arena_free) struct arena arena = {0};
    size_t number = 0;

    json_open(&walk, array.raw, JSON_PYTHON, NULL);
    while (json_next(&walk, &none, &item)) {
        struct span text = json_text(&arena, item);
        CLEANUP(str_free) struct str mark = {0};
        if (field->how == AS_STEPS)
            str_addf(&mark, "%zu. ", number + 1);
        else
            str_puts(&mark, "- ");
        for (bool first = true; first || text.len; first = false) {
            open_value(w, number || !first ? "" : field->label, LINE_WORDS);
            if (first)
                line_add(w, str_span(&mark), mark.len, STYLE_DIM);
            else
                line_pad(w, mark.len < w->room ? mark.len : 0);
            if (text.len)
                line_put(w, text_line(&text, false), STYLE_PLAIN);
            line_close(w);
        }
        number++;
    }
}

static bool is_known(const struct page_field *fields, struct json key)
{
    while (fields && fields->key && !json_is(key, fields->key))
        fields++;
    return fields && fields->key;
}

/* Writes the members that the tables do not know, below the label if there is one. */
static void put_rest(struct writer *w, struct span object, const struct page_field *fields,
                     const struct page_field *tail, const char *label)
{
    struct json_walk walk;
    struct json key, value;
    bool any = false;

    json_open(&walk, object, JSON_PYTHON, NULL);
    while (json_next(&walk, &key, &value)) {
        if (is_known(fields, key) || is_known(tail, key))
            continue;
        if (!any && label) {
            w->indent -= INDENT;
            line_say(w, label, STYLE_LABEL);
            w->indent += INDENT;
        }
        any = true;
        json_put_member(w, key, value);
    }
}

static void put_known(struct writer *w, struct span object, const struct page_field *fields);

static void put_input(struct writer *w, const struct page_field *field, struct json value)
{
    if (value.kind != JSON_OBJECT || value.raw.len <= 2) {
        put_json(w, field->label, value);
        return;
    }
    put_known(w, value.raw, input_fields);
    w->indent += INDENT;
    put_rest(w, value.raw, input_fields, NULL, field->label);
    w->indent -= INDENT;
}

static bool is_nothing(struct json value)
{
    return value.kind == JSON_NULL || (value.kind == JSON_STRING && value.raw.len == 2) ||
           ((value.kind == JSON_ARRAY || value.kind == JSON_OBJECT) && value.raw.len == 2);
}

static void put_field(struct writer *w, const struct page_field *field, struct json value)
{
    CLEANUP(arena_free) struct arena arena = {0};

    if (is_nothing(value)) {
        if (field->needed)
            page_field_text(w, field->label, span_of("none"), LINE_WORDS, STYLE_DIM);
    } else if (value.raw.at == w->below) {
        page_field_line(w, field->label, span_of("what stands below"), LINE_WORDS, STYLE_DIM);
    } else if (field->how == AS_INPUT) {
        put_input(w, field, value);
    } else if (field->how == AS_STEPS || field->how == AS_LIST) {
        if (is_texts(value))
            put_list(w, field, value);
        else
            put_json(w, field->label, value);
    } else if (value.kind == JSON_STRING) {
        put_text(w, field, json_text(&arena, value));
    } else {
        put_json(w, field->label, value);
    }
}

static void put_known(struct writer *w, struct span object, const struct page_field *fields)
{
    struct json_walk walk;
    struct json key, value;

    for (const struct page_field *field = fields; field && field->key; field++) {
        json_open(&walk, object, JSON_PYTHON, NULL);
        while (json_next(&walk, &key, &value))
            if (json_is(key, field->key))
                put_field(w, field, value);
    }
}

/* Writes the members that the tables know, in their order, then all others as JSON. Equal keys are
 * all shown. The object must have been scanned successfully. `tail` may be NULL. */
static void page_field_members(struct writer *w, struct span object,
                               const struct page_field *fields, const struct page_field *tail)
{
    put_known(w, object, fields);
    put_known(w, object, tail);
    put_rest(w, object, fields, tail, NULL);
}

/* Writes the heading of a part of a message. */
static void page_field_title(struct writer *w, const char *title)
{
    line_empty(w);
    line_open(w, LINE_WORDS, (struct span){0});
    line_put(w, span_of("-- "), STYLE_DIM);
    line_put(w, span_of(title), STYLE_HEADING);
    line_put(w, span_of(" "), STYLE_DIM);
    line_rule(w);
    line_close(w);
}

/* A handoff's context as the form in which it was filled in. */

enum { HANDOFF_LABELS = 16 };

static const struct page_field fields[] = {
    {"work_completed", "Done", AS_PROSE, true},
    {"current_state", "State", AS_PROSE, true},
    {"next_steps", "Next", AS_STEPS, true},
    {"blockers", "Blockers", AS_STEPS, true},
    {"files_modified", "Files modified", AS_LIST, false},
    {"files_created", "Files created", AS_LIST, false},
    {"dependencies", "Depends on", AS_LIST, false},
    {"related_escalations", "Escalations", AS_LIST, false},
    {"state_file", "State file", AS_EXACT, false},
    {"job_id", "Job", AS_EXACT, false},
    {"notes", "Notes", AS_PROSE, false},
    {NULL, NULL, AS_PLAIN, false},
};

/* Writes a context for which handoff_is_context() is true. */
static void handoff_put(struct writer *w, struct span context)
{
    w->labels = HANDOFF_LABELS;
    page_field_members(w, context, fields, NULL);
    w->labels = WRITER_LABELS;
}

/* Messages of a protocol, with everything that a person decides on. */

static const struct page_field protocol_fields[PROTOCOL_KIND_COUNT][7] = {
    [PROTOCOL_IDLE_NOTIFICATION] = {{"idleReason", "Reason", AS_PLAIN, false},
                                    {"failureReason", "Failure", AS_PROSE, false},
                                    {"summary", "Summary", AS_PROSE, false},
                                    {"completedTaskId", "Task", AS_PLAIN, false},
                                    {"completedStatus", "Outcome", AS_PLAIN, false}},
    [PROTOCOL_PERMISSION_REQUEST] = {{"tool_name", "Tool", AS_EXACT, false},
                                     {"input", "Input", AS_INPUT, true},
                                     {"description", "Reason", AS_SAID, false},
                                     {"permission_suggestions", "Suggests", AS_PLAIN, false},
                                     {"agent_id", "Agent", AS_PLAIN, false},
                                     {"tool_use_id", "Use", AS_PLAIN, false}},
    [PROTOCOL_PERMISSION_RESPONSE] = {{"subtype", "Outcome", AS_PLAIN, false},
                                      {"error", "Error", AS_PROSE, false},
                                      {"response", "Response", AS_PLAIN, false}},
    [PROTOCOL_SANDBOX_PERMISSION_REQUEST] = {{"hostPattern", "Host", AS_PLAIN, true},
                                             {"workerName", "Agent", AS_PLAIN, false},
                                             {"workerId", "Agent id", AS_PLAIN, false}},
    [PROTOCOL_SANDBOX_PERMISSION_RESPONSE] = {{"host", "Host", AS_EXACT, true},
                                              {"allow", "Allowed", AS_PLAIN, true}},
    [PROTOCOL_PLAN_APPROVAL_REQUEST] = {{"planFilePath", "Plan file", AS_EXACT, false},
                                        {"planContent", "Plan", AS_MARKDOWN, true}},
    [PROTOCOL_PLAN_APPROVAL_RESPONSE] = {{"approved", "Approved", AS_PLAIN, true},
                                         {"feedback", "Feedback", AS_PROSE, false},
                                         {"permissionMode", "Mode", AS_PLAIN, false}},
    [PROTOCOL_SHUTDOWN_REQUEST] = {{"reason", "Reason", AS_SAID, false}},
    [PROTOCOL_SHUTDOWN_APPROVED] = {{"reason", "Reason", AS_SAID, false}},
    [PROTOCOL_SHUTDOWN_REJECTED] = {{"reason", "Reason", AS_SAID, false}},
    [PROTOCOL_TASK_ASSIGNMENT] = {{"taskId", "Task", AS_PLAIN, false},
                                  {"subject", "Subject", AS_PROSE, false},
                                  {"assignedBy", "By", AS_PLAIN, false},
                                  {"description", "Work", AS_MARKDOWN, false}},
    [PROTOCOL_TEAM_PERMISSION_UPDATE] = {{"toolName", "Tool", AS_EXACT, false},
                                         {"directoryPath", "Directory", AS_EXACT, false},
                                         {"permissionUpdate", "Update", AS_PLAIN, true}},
    [PROTOCOL_MODE_SET_REQUEST] = {{"mode", "Mode", AS_PLAIN, true}},
};

/* Members that each of these kinds may have; they come last. */
static const struct page_field protocol_tail[] = {
    {"from", "Sender", AS_PLAIN, false},        {"timestamp", "Stamp", AS_PLAIN, false},
    {"request_id", "Request", AS_PLAIN, false}, {"requestId", "Request", AS_PLAIN, false},
    {"type", "Type", AS_PLAIN, false},          {NULL, NULL, AS_PLAIN, false},
};

static void put_warning(struct writer *w, const char *start, struct span text, const char *end)
{
    line_open(w, LINE_WORDS, span_of("  "));
    line_put(w, span_of(start), STYLE_WARNING);
    line_put(w, text, STYLE_WARNING);
    line_put(w, span_of(end), STYLE_WARNING);
    line_close(w);
}

/* Shows the message of a protocol; returns false if it is none. */
static bool protocol_put(struct writer *w, struct span text)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct protocol p;
    bool is_protocol = protocol_parse(&p, text, &arena);

    if (is_protocol && p.problem.len && !p.acts && p.kind != PROTOCOL_UNKNOWN)
        put_warning(w, "Its receiver does not act on it: ", p.problem, "");
    else if (is_protocol && p.problem.len)
        put_warning(w, "Something is odd about it: ", p.problem, "");
    if (is_protocol && p.equal_keys.at)
        put_warning(w, "The key \"", p.equal_keys, "\" stands twice; the last one counts.");
    if (is_protocol && protocol_fields[p.kind]->key)
        page_field_members(w, p.raw, protocol_fields[p.kind], protocol_tail);
    else if (is_protocol)
        json_put_scanned(w, (struct json){JSON_OBJECT, p.raw});
    return is_protocol;
}

/* A message with its head and its parts. */

/* Writes a label within a line of several. */
static void put_label(struct writer *w, const char *label)
{
    if (w->used > w->start || w->cell_count)
        line_put(w, span_of("  "), STYLE_PLAIN);
    line_put(w, span_of(label), STYLE_LABEL);
    line_put(w, span_of(" "), STYLE_PLAIN);
}

/* Quotes a name that could be taken for a label and another name. */
static void put_name(struct writer *w, struct span name)
{
    bool quotes = !name.len || memchr(name.at, ' ', name.len) || memchr(name.at, '\t', name.len);

    line_put(w, span_of(quotes ? "\"" : ""), STYLE_DIM);
    line_put(w, name, STYLE_STRONG);
    line_put(w, span_of(quotes ? "\"" : ""), STYLE_DIM);
}

/* Appends "10:02:11 (1m ago)", with the date if it is not today. */
static void add_time(struct writer *w, struct str *out, int64_t time_us)
{
    int64_t now_us = w->options->now_us, next_us = time_distance_lasts(time_us, now_us);
    CLEANUP(str_free) struct str day = {0}, today = {0};

    time_add_format(&day, time_us, "%Y-%m-%d ");
    time_add_format(&today, now_us, "%Y-%m-%d ");
    if (!span_eq(str_span(&day), str_span(&today)))
        str_add_span(out, str_span(&day));
    time_add_format(out, time_us, "%H:%M:%S");
    str_puts(out, " (");
    time_add_distance(out, time_us, now_us);
    str_putc(out, ')');
    if (!w->page->ages_us || next_us < w->page->ages_us)
        w->page->ages_us = next_us;
}

static void put_route(struct writer *w, const struct message *message)
{
    CLEANUP(str_free) struct str when = {0};

    line_open(w, LINE_WORDS, span_of("  "));
    if (message->from.len) {
        put_label(w, "From");
        put_name(w, message->from);
    }
    put_label(w, "To");
    put_name(w, message_recipient(message));
    if (priority_is_given(message->priority)) {
        put_label(w, "Prio");
        line_put(w, span_of(priority_name(message->priority)),
                 message->priority >= PRIORITY_HIGH ? STYLE_WARNING : STYLE_PLAIN);
    }
    if (message->created_us != TIME_NONE) {
        add_time(w, &when, message->created_us);
        line_put(w,
                 span_of(message->flags & MESSAGE_NO_TIME ? "  at no known time, sorted as of "
                         : message->flags & MESSAGE_AHEAD ? "  dated in the future, sorted as of "
                                                          : "  "),
                 STYLE_PLAIN);
        line_put(w, str_span(&when), STYLE_DIM);
    }
    line_close(w);
}

static void put_state(struct writer *w, const struct message *message)
{
    CLEANUP(str_free) struct str when = {0};

    line_open(w, LINE_WORDS, span_of("  "));
    put_label(w, "Kind");
    line_put(w, span_of(kind_word(message->kind)), STYLE_PLAIN);
    if (message->status != STATUS_NONE) {
        put_label(w, "Status");
        line_put(w, span_of(status_name(message->status)), STYLE_PLAIN);
    }
    if (message->read_here)
        line_put(w, span_of(" (here; unread in its mailbox)"), STYLE_DIM);
    if (message->requires_response)
        line_put(w, span_of("  wants an answer"), STYLE_PLAIN);
    if (message->expires_us != TIME_NONE) {
        bool over = message_expired(message, w->options->now_us);
        add_time(w, &when, message->expires_us);
        put_label(w, over ? "EXPIRED" : "Expires");
        line_put(w, str_span(&when), over ? STYLE_WARNING : STYLE_PLAIN);
    }
    line_close(w);
}

static void put_row(struct writer *w, const char *label, struct span text)
{
    if (text.len)
        page_field_line(w, label, text, LINE_KEEP, STYLE_PLAIN);
}

static void put_time(struct writer *w, const char *label, int64_t time_us)
{
    CLEANUP(str_free) struct str when = {0};

    if (time_us != TIME_NONE)
        add_time(w, &when, time_us);
    put_row(w, label, str_span(&when));
}

static void put_all(struct writer *w, const struct message *message)
{
    const struct message_data *data = message->data;
    CLEANUP(str_free) struct str path = {0};

    message_add_name(&path, message, message->place->root != NULL);
    put_row(w, "Id", message->id);
    put_row(w, "Type", message->type);
    put_row(w, "Team", message->place->team);
    put_row(w, "Thread", message->thread);
    put_row(w, "Answers", message->reply_to);
    if (data) {
        put_row(w, "Swarm", data->swarm);
        put_row(w, "Summary", data->summary);
        put_row(w, "Colour", data->color);
        put_time(w, "Read", data->read_us);
        put_time(w, "Completed", data->completed_us);
    }
    put_row(w, "File", str_span(&path));
}

/* Shows the problems of the message: damage and flags. */
static void put_remarks(struct writer *w, const struct message *message)
{
    if (message->damaged) {
        page_field_text(w, "DAMAGED", span_of(message->damaged), LINE_WORDS, STYLE_ERROR);
        page_field_text(w, "",
                        span_of("What can be read of it is shown; look at its raw bytes too."),
                        LINE_WORDS, STYLE_ERROR);
    }
    for (unsigned bit = 0; message_flag_text(bit); bit++)
        if (message->flags >> bit & 1)
            page_field_text(w, "Note", span_of(message_flag_text(bit)), LINE_WORDS, STYLE_WARNING);
}

static bool holds_any(struct span json, enum json_kind kind)
{
    struct json_walk walk;
    struct json key, value;

    return json.len > 2 && json_open(&walk, json, JSON_PYTHON, NULL) && walk.kind == kind &&
           json_next(&walk, &key, &value);
}

static void put_tags(struct writer *w, struct span tags)
{
    struct json_walk walk;
    struct json none, tag;
    CLEANUP(str_free) struct str words = {0};
    CLEANUP(arena_free) struct arena arena = {0};

    if (!holds_any(tags, JSON_ARRAY))
        return;
    json_open(&walk, tags, JSON_PYTHON, NULL);
    while (json_next(&walk, &none, &tag)) {
        str_puts(&words, words.len ? ", " : "");
        str_add_span(&words, tag.kind == JSON_STRING ? json_text(&arena, tag) : tag.raw);
    }
    put_row(w, "Tags", str_span(&words));
}

static void put_head(struct writer *w, const struct message *message)
{
    put_route(w, message);
    if (!w->brief || w->options->all_fields) {
        put_row(w, "Subject", message->subject);
        put_state(w, message);
    }
    if (w->options->handoff.len)
        page_field_line(w, "Handoff", w->options->handoff, LINE_WORDS, STYLE_PLAIN);
    if (message->data)
        put_tags(w, message->data->tags);
    if (w->options->all_fields)
        put_all(w, message);
    put_remarks(w, message);
    if (!w->brief || w->options->all_fields)
        line_empty(w);
}

static void put_context(struct writer *w, struct span context)
{
    bool handoff = handoff_is_context(context);

    page_field_title(w, handoff ? "Handoff" : "Context");
    if (handoff)
        handoff_put(w, context);
    else
        json_put(w, context);
}

static void put_body(struct writer *w, const struct message_data *data)
{
    bool payload = data->body_is_payload && holds_any(data->payload, JSON_OBJECT);

    if (data->body_is_payload && data->protocol.len && protocol_put(w, data->protocol))
        return;
    if (payload && handoff_is_context(data->payload))
        handoff_put(w, data->payload);
    else if (payload)
        json_put(w, data->payload);
    else
        markdown_put(w, data->body);
}

/* Writes a message with its head and its parts; page_message() without the writer. */
static void message_put(struct writer *w, const struct message *message)
{
    const struct message_data *data = message->data;

    put_head(w, message);
    if (!data)
        return;
    put_body(w, data);
    if (data->context.at != data->payload.at && holds_any(data->context, JSON_OBJECT))
        put_context(w, data->context);
    if (holds_any(data->attachments, JSON_ARRAY)) {
        page_field_title(w, "Attachments (named only; nothing opens them)");
        json_put(w, data->attachments);
    }
    if (!data->body_is_payload &&
        (holds_any(data->payload, JSON_OBJECT) || holds_any(data->payload, JSON_ARRAY))) {
        page_field_title(w, "Payload");
        json_put(w, data->payload);
    }
}

void page_message(struct document *page, const struct message *message,
                  const struct page_options *options)
{
    CLEANUP(writer_free) struct writer w = writer_new(page, options);

    message_put(&w, message);
}

enum { AROUND = 3 };

#define ALARM                                                                                      \
    "not yours: only a lead sends this, and neither the lead of its team nor you did. An agent's " \
    "program may have taken it for yours: look at what the agent does, set its mode again, or "    \
    "ask it to stop"

#define ANSWERED "answered in your name, not from here. "
#define ANSWERED_PERHAPS ANSWERED "The lead's own program may have done so, or somebody else did. "
#define ANSWERED_THEN "The agent may have acted on it: look at what it does. d puts this away"

static void put_flags(struct writer *w, const struct span_list *flags)
{
    for (size_t i = 0; flags && i < flags->count; i++)
        page_field_text(w, i ? "" : "Flags", flags->items[i], LINE_WORDS, STYLE_WARNING);
}

static void put_facts(struct writer *w, const struct page_request *about)
{
    if (about->alarm) {
        page_field_text(w, "ALARM", span_of(ALARM), LINE_WORDS, STYLE_ERROR);
        return;
    }
    if (about->answer) {
        bool alarm = about->answer_alarm;
        page_field_text(w, alarm ? "ALARM" : "Note",
                        span_of(alarm ? ANSWERED ANSWERED_THEN : ANSWERED_PERHAPS ANSWERED_THEN),
                        LINE_WORDS, alarm ? STYLE_ERROR : STYLE_WARNING);
        page_field_text(w, "Answer", about->answer_note, LINE_WORDS, STYLE_WARNING);
    }
    if (about->refusal.at)
        page_field_text(w, "REFUSED", about->refusal, LINE_WORDS, STYLE_ERROR);
    put_flags(w, about->flags);
    if (about->native_note.at)
        page_field_text(w, "Answer", about->native_note, LINE_WORDS, STYLE_WARNING);
    if (about->directory.len)
        page_field_line(w, "Works in", about->directory, LINE_EXACT, STYLE_PLAIN);
}

/* Lists earlier decisions after the request: they must not push it out of sight. */
static void put_earlier(struct writer *w, const struct page_request *about)
{
    for (size_t i = 0; i < about->earlier.count; i++)
        page_field_text(w, i ? "" : "Earlier", about->earlier.items[i], LINE_WORDS, STYLE_PLAIN);
}

static bool has_suggestions(struct span suggestions)
{
    return suggestions.len > 2 && suggestions.at[0] == '[';
}

/* Lists the agent's suggestions; each is off until it is chosen. */
static void put_suggestions(struct writer *w, struct span suggestions,
                            const struct page_request *about)
{
    struct json_walk walk;
    struct json none, item;
    size_t number = 0;

    if (!has_suggestions(suggestions) || !json_open(&walk, suggestions, JSON_STRICT, NULL))
        return;
    page_field_title(w, "Suggested by the agent; off unless chosen one by one");
    while (json_next(&walk, &none, &item)) {
        bool on = number < about->chosen_count && about->chosen[number];
        CLEANUP(str_free) struct str mark = {0};
        number++;
        str_addf(&mark, "%zu [%c]", number, on ? 'x' : ' ');
        line_say(w, str_c(&mark), on ? STYLE_WARNING : STYLE_LABEL);
        w->gutter = true;
        json_put_scanned(w, item);
        w->gutter = false;
    }
}

static bool is_near_change(const struct difference *difference, size_t line)
{
    size_t from = line > AROUND ? line - AROUND : 0;

    for (size_t i = from; i < difference->count && i <= line + AROUND; i++)
        if (difference->lines[i].kind != DIFF_SAME)
            return true;
    return false;
}

static void put_change(struct writer *w, const struct diff_line *line)
{
    static const char *const marks[] = {"  ", "- ", "+ "};
    static const enum style styles[] = {STYLE_DIM, STYLE_STRUCK, STYLE_STRONG};

    line_open(w, LINE_KEEP, span_of("    "));
    line_add(w, span_of(marks[line->kind]), 2, STYLE_LABEL);
    line_put(w, line->text, styles[line->kind]);
    line_close(w);
}

static void put_difference(struct writer *w, struct span before, struct span after)
{
    CLEANUP(diff_free) struct difference difference = {0};
    bool skipped = false;

    diff_find(&difference, before, after);
    page_field_title(w, "Changed since the plan it replaces");
    if (!difference.changed)
        line_say(w, "nothing: the two plans are the same", STYLE_WARNING);
    w->gutter = true;
    for (size_t i = 0; difference.changed && i < difference.count; i++) {
        if (is_near_change(&difference, i))
            put_change(w, &difference.lines[i]);
        else if (!skipped)
            line_say(w, "  ...", STYLE_DIM);
        skipped = !is_near_change(&difference, i);
    }
    w->gutter = false;
}

static void put_amended(struct writer *w, const struct page_request *about)
{
    page_field_title(w, "Changed by you: this input is used instead");
    put_flags(w, about->amended_flags);
    w->gutter = true;
    json_put(w, about->amended);
    w->gutter = false;
}

void page_request(struct document *page, const struct message *message,
                  const struct page_request *about, const struct page_options *options)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct protocol p = {0};
    CLEANUP(writer_free) struct writer w = writer_new(page, options);

    if (message->data && message->data->protocol.len)
        protocol_parse(&p, message->data->protocol, &arena);
    put_facts(&w, about);
    w.gutter = true;
    w.brief = p.kind && protocol_wants_answer(p.kind);
    w.below = has_suggestions(p.suggestions) ? p.suggestions.at : NULL;
    message_put(&w, message);
    w.below = NULL;
    w.brief = w.gutter = false;
    put_suggestions(&w, p.suggestions, about);
    if (about->amended.at)
        put_amended(&w, about);
    if (about->before.at && message->data)
        put_difference(&w, about->before,
                       p.kind == PROTOCOL_PLAN_APPROVAL_REQUEST ? p.plan : message->data->body);
    if (about->answer) {
        page_field_title(&w, "The answer that was found");
        w.gutter = true;
        message_put(&w, about->answer);
        w.gutter = false;
    }
    put_earlier(&w, about);
    line_say(&w, about->alarm ? "-- end of the message" : "-- end of the request", STYLE_DIM);
}
