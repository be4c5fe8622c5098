/* The Agent Inbox System: reading, new messages, answers, and the table. */
#include "store/layouts/agent_inbox.h"

#include "base/json/json_print.h"
#include "base/uuid.h"
#include "mail/handoff/handoff.h"
#include "store/layouts/json_fields.h"

/* Reading: from the bytes of a file to a message.
 *
 * No program reads these files, so no JSON object is damaged: missing fields and fields of the
 * wrong type get a default. */

const char *const inbox_keys[INBOX_KEY_COUNT] = {
    [INBOX_ID] = "id",
    [INBOX_TIME] = "timestamp",
    [INBOX_FROM] = "from",
    [INBOX_TO] = "to",
    [INBOX_TYPE] = "type",
    [INBOX_SUBJECT] = "subject",
    [INBOX_CONTENT] = "content",
    [INBOX_THREAD] = "conversationId",
    [INBOX_PRIORITY] = "priority",
    [INBOX_RESPONSE] = "requiresResponse",
    [INBOX_REPLY_TO] = "replyTo",
    [INBOX_MESSAGE] = "message",
    [INBOX_BODY] = "body",
};

static const struct span plain = {"message", 7}, plain_reply = {"reply", 5};

/* Returns true for the types that are written without a type field. */
static bool inbox_is_plain(struct span type)
{
    return span_eq(type, plain) || span_eq(type, plain_reply);
}

struct reading {
    const struct mail_file *file;
    struct json values[INBOX_KEY_COUNT];
    struct batch *batch;
    struct arena scratch;
    struct message *message;
};

static bool is_given(struct json value)
{
    return value.kind != JSON_ABSENT && value.kind != JSON_NULL;
}

/* Returns a string, or a number as it is spelled. Anything else, and an empty string, counts as
 * absent. */
static struct span read_text(struct reading *in, enum inbox_key key)
{
    struct json value = in->values[key];
    struct span text = json_text(&in->scratch, value);

    if (is_given(value) && value.kind != JSON_STRING)
        in->message->flags |= MESSAGE_ODD_TYPE;
    if (value.kind == JSON_NUMBER)
        text = value.raw;
    return text.len ? text : (struct span){0};
}

/* Converts seconds, milliseconds or microseconds since the epoch, recognised by their size. Smaller
 * numbers may be anything. */
static int64_t from_epoch(double number)
{
    static const struct {
        double least, most, unit_us;
    } units[] = {{1e8, 1e11, 1e6}, {1e11, 1e13, 1e3}, {1e15, 1e17, 1}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (number >= units[i].least && number < units[i].most)
            return (int64_t)(number * units[i].unit_us + 0.5);
    return TIME_NONE;
}

static size_t digits_at_start(struct span text, double *number)
{
    size_t i = 0;

    for (*number = 0; i < text.len && text.at[i] >= '0' && text.at[i] <= '9'; i++)
        *number = *number * 10 + (text.at[i] - '0');
    return i;
}

static int64_t parse_time(struct reading *in)
{
    struct json value = in->values[INBOX_TIME];
    enum time_zone zone;
    double number;

    if (fields_number(value, &number)) {
        in->message->flags |= MESSAGE_ODD_TYPE;
        return from_epoch(number);
    }
    struct span text = span_trim(read_text(in, INBOX_TIME));
    if (text.len && digits_at_start(text, &number) == text.len && from_epoch(number) != TIME_NONE)
        return from_epoch(number);
    return time_parse_in(in->file->place->zone, text, &zone);
}

static void read_time(struct reading *in, int64_t claimed_us)
{
    enum { EPOCH_DIGITS = 10 };
    struct message *message = in->message;
    double number;

    message_set_time(message, claimed_us, in->file->mtime_us);
    if (claimed_us != TIME_NONE)
        return;
    message->flags |= MESSAGE_NO_TIME;
    message->created_us = in->file->mtime_us;
    if (digits_at_start(in->file->name, &number) == EPOCH_DIGITS)
        message->created_us = from_epoch(number);
    if (message->created_us == TIME_NONE) /* ten digits that start with zeros */
        message->created_us = in->file->mtime_us;
}

static enum priority read_priority(struct reading *in)
{
    struct span word = span_trim(read_text(in, INBOX_PRIORITY));

    if (span_is_nocase(word, "urgent") || span_is_nocase(word, "critical") ||
        span_is_nocase(word, "p1-critical") || span_starts_nocase(word, "p0"))
        return PRIORITY_URGENT;
    if (span_is_nocase(word, "high"))
        return PRIORITY_HIGH;
    return span_is_nocase(word, "low") ? PRIORITY_LOW : PRIORITY_NORMAL;
}

static struct json find_content(struct reading *in)
{
    static const enum inbox_key keys[] = {INBOX_CONTENT, INBOX_MESSAGE, INBOX_BODY};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (is_given(in->values[keys[i]]))
            return in->values[keys[i]];
    return (struct json){0};
}

static void read_data(struct reading *in, unsigned want, struct json content)
{
    struct arena *arena = &in->batch->arena;
    struct message_data *data = arena_alloc(arena, sizeof *data);
    CLEANUP(str_free) struct str text = {0};

    in->message->data = data;
    data->read_us = data->completed_us = TIME_NONE;
    if (content.kind == JSON_OBJECT) {
        data->payload = arena_copy(arena, content.raw);
        data->body_is_payload = true;
        if (span_is(in->message->type, "handoff"))
            data->context = data->payload;
    }
    if (!(want & WANT_BODY))
        return;
    if (content.kind == JSON_STRING) {
        data->body = arena_copy(arena, json_text(&in->scratch, content));
        return;
    }
    if (content.kind != JSON_ABSENT)
        json_put_value(&text, content, &json_style_node, 0);
    data->body = arena_copy(arena, str_span(&text));
}

static void read_names(struct reading *in)
{
    struct message *message = in->message;
    struct arena *arena = &in->batch->arena;
    struct span id = read_text(in, INBOX_ID), to = read_text(in, INBOX_TO);
    CLEANUP(str_free) struct str unnamed = {0};

    if (!id.len) {
        str_puts(&unnamed, "file:");
        str_add_span(&unnamed, in->file->name);
        id = str_span(&unnamed);
    }
    message->id = arena_copy(arena, id);
    message->from = batch_name(in->batch, read_text(in, INBOX_FROM));
    /* The directory is the address; the name in the file is often another name for it. */
    message->to = batch_name(in->batch, in->file->place->box.at ? in->file->place->box : to);
    message->thread = arena_copy(arena, read_text(in, INBOX_THREAD));
    message->reply_to = arena_copy(arena, read_text(in, INBOX_REPLY_TO));
    message->type = batch_name(in->batch, read_text(in, INBOX_TYPE));
    if (!message->type.len)
        message->type = message->reply_to.len ? plain_reply : plain;
}

/* Reads what the message says about a handoff and its progress. */
static void read_work(struct reading *in, struct json content)
{
    struct arena *arena = &in->batch->arena;

    if (content.kind == JSON_STRING && handoff_words_may_report(json_content(content)))
        handoff_words_read_text(in->message, json_text(&in->scratch, content), arena);
    if (content.kind == JSON_OBJECT)
        handoff_words_read_payload(in->message, content.raw);
    if (content.kind == JSON_OBJECT && span_is(in->message->type, "handoff"))
        handoff_words_read_context(in->message, content.raw, arena);
}

static void read_message(struct reading *in, unsigned want)
{
    struct message *message = in->message;
    struct json content = find_content(in), response = in->values[INBOX_RESPONSE];
    struct span subject = read_text(in, INBOX_SUBJECT);

    int64_t claimed_us = parse_time(in);
    read_names(in);
    read_time(in, claimed_us);
    if (!subject.len)
        subject = span_trim_end(span_first_line(span_trim(json_text(&in->scratch, content))));
    message->subject = arena_copy(&in->batch->arena, subject);
    message_set_content(message, claimed_us, fields_hash(content, 0));
    message->priority = (uint8_t)read_priority(in);
    message->requires_response = response.kind == JSON_TRUE;
    message->wants_none = response.kind == JSON_FALSE;
    if (is_given(response) && response.kind != JSON_TRUE && response.kind != JSON_FALSE)
        message->flags |= MESSAGE_ODD_TYPE;
    if (is_given(content) && content.kind != JSON_STRING && content.kind != JSON_OBJECT)
        message->flags |= MESSAGE_ODD_TYPE;
    message->status = in->file->place->archived ? STATUS_ARCHIVED : STATUS_UNREAD;
    read_work(in, content);
    if (want)
        read_data(in, want, content);
}

/* See struct format. */
static bool inbox_parse(const struct mail_file *file, unsigned want, struct batch *batch,
                        struct err *err)
{
    struct reading in = {.file = file, .batch = batch};
    struct fields_found found;

    if (!fields_read(file->bytes, JSON_STRICT, inbox_keys, INBOX_KEY_COUNT, in.values, &found, err))
        return false;
    in.message = batch_add(batch);
    in.message->place = file->place;
    in.message->file = arena_copy(&batch->arena, file->name);
    in.message->flags = (uint16_t)found.flags;
    if (found.kind != JSON_OBJECT)
        in.message->damaged = "it is a JSON array, not an object";
    read_message(&in, want);
    arena_free(&in.scratch);
    return true;
}

enum { NAME_BYTES_MAX = 255, SLUG_MAX = 40 };

/* Appends other names that agents use for inboxes: the plural, then these aliases. */
static bool add_variant(struct str *out, struct span agent, unsigned variant)
{
    static const struct {
        const char *alias, *box;
    } aliases[] = {{"pm", "person-manager"},
                   {"coord", "coordinator"},
                   {"tm", "task-managers"},
                   {"val", "validator"}};

    if (variant == 1 && agent.len && agent.len < NAME_BYTES_MAX) {
        str_add_span(out, agent);
        str_putc(out, 's');
        return true;
    }
    for (size_t i = 0; variant == 2 && i < sizeof aliases / sizeof *aliases; i++) {
        if (span_is(agent, aliases[i].alias)) {
            str_puts(out, aliases[i].box);
            return true;
        }
    }
    return false;
}

static bool inbox_box_name(struct str *out, struct span agent, unsigned variant, struct err *err)
{
    if (agent.len > NAME_BYTES_MAX)
        return !variant && err_set(err, ERR_REFUSED, "the name of an inbox is longer than %d bytes",
                                   NAME_BYTES_MAX);
    bool possible = agent.len && agent.at[0] != '.' && !memchr(agent.at, '/', agent.len) &&
                    !memchr(agent.at, '\0', agent.len) && !span_is(agent, "archive");
    if (variant)
        return possible && add_variant(out, agent, variant);
    if (!agent.len)
        return err_set(err, ERR_REFUSED, "the name of an inbox is empty");
    if (!possible)
        return err_set(err, ERR_REFUSED, "\"%.*s\" cannot be the name of an inbox", (int)agent.len,
                       agent.at);
    str_add_span(out, agent);
    return true;
}

/* Appends lower-case letters and digits, and one dash for everything else; never empty. */
static void add_slug(struct str *out, struct span text)
{
    char slug[SLUG_MAX];
    size_t len = 0;

    for (size_t i = 0; i < text.len && len < SLUG_MAX; i++) {
        char c = text.at[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c | 0x20);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            slug[len++] = c;
        else if (len && slug[len - 1] != '-')
            slug[len++] = '-';
    }
    if (len && slug[len - 1] == '-')
        len--;
    str_add_span(out, len ? (struct span){slug, len} : span_of("message"));
}

static int64_t created_at(const struct draft *draft)
{
    return draft->created_us == TIME_NONE ? time_now() : draft->created_us;
}

static void inbox_new_id(struct str *out, const struct draft *draft)
{
    add_slug(out, draft->from);
    str_addf(out, "-%lld-", (long long)(created_at(draft) / 1000));
    uuid_add_hex(out, 2);
}

static void add_new_thread(struct str *out, const struct draft *draft)
{
    str_addf(out, "conv-%lld", (long long)(created_at(draft) / 1000));
}

/* Returns true for ids that are in the file without escapes, because agents find conversations with
 * grep. */
static bool can_be_grepped(struct span id)
{
    for (size_t i = 0; i < id.len; i++)
        if (id.at[i] < 0x20 || id.at[i] > 0x7e || id.at[i] == '"' || id.at[i] == '\\')
            return false;
    return id.len > 0;
}

static bool check_draft(const struct draft *draft, struct err *err)
{
    CLEANUP(str_free) struct str box = {0};
    struct span id = draft->id;

    if (!inbox_box_name(&box, draft->from, 0, err) || !inbox_box_name(&box, draft->to, 0, err))
        return false;
    if (!can_be_grepped(id) || id.at[0] == '.' || memchr(id.at, '/', id.len))
        return err_set(err, ERR_REFUSED,
                       "an id must be plain ASCII without quotes and slashes; \"%.*s\" is not",
                       (int)(id.len < NAME_BYTES_MAX ? id.len : NAME_BYTES_MAX), id.at);
    if (draft->thread.at && !can_be_grepped(draft->thread))
        return err_set(err, ERR_REFUSED,
                       "the id of a conversation must be ASCII on one line, without quotes: agents "
                       "look for it with grep");
    return true;
}

static void add_name(struct str *name, const struct draft *draft)
{
    str_addf(name, "%lld-", (long long)(created_at(draft) / 1000000));
    add_slug(name, draft->from);
    str_putc(name, '-');
    add_slug(name, draft->subject);
    str_puts(name, ".json");
}

/* Makes the context of a handoff. Its notes take the giver of the work, if that is not the sender,
 * and the additional notes, because the layout has no other place for them. */
static cJSON *context_of(const struct draft *draft)
{
    struct handoff handoff = *draft->handoff;
    CLEANUP(str_free) struct str notes = {0};

    if (draft->giver.len && !span_eq(draft->giver, draft->from)) {
        str_puts(&notes, "This is the work of ");
        str_add_span(&notes, draft->giver);
        str_puts(&notes, handoff.notes.len || handoff.additional_notes.len ? ".\n\n" : ".");
    }
    handoff_add_notes(&notes, &handoff);
    handoff.notes = str_span(&notes);
    return handoff_context(&handoff);
}

static bool inbox_compose(const struct draft *draft, struct str *name, struct str *bytes,
                          struct err *err)
{
    CLEANUP(str_free) struct str time = {0}, thread = {0};
    struct span type = draft->type;
    const char *const *keys = inbox_keys;

    if (!check_draft(draft, err))
        return false;
    if (!type.len && draft->handoff)
        type = span_of("handoff");
    if (draft->thread.at)
        str_add_span(&thread, draft->thread);
    else
        add_new_thread(&thread, draft);
    time_add_utc(&time, created_at(draft) / 1000000 * 1000000);

    cJSON *tree = cJSON_CreateObject();
    json_add_text(tree, keys[INBOX_ID], draft->id);
    json_add_text(tree, keys[INBOX_TIME], str_span(&time));
    json_add_text(tree, keys[INBOX_FROM], draft->from);
    json_add_text(tree, keys[INBOX_TO], draft->to);
    if (type.len)
        json_add_text(tree, keys[INBOX_TYPE], type);
    json_add_text(tree, keys[INBOX_SUBJECT], draft->subject.at ? draft->subject : span_of(""));
    if (draft->handoff)
        cJSON_AddItemToObject(tree, keys[INBOX_CONTENT], context_of(draft));
    else
        json_add_text(tree, keys[INBOX_CONTENT], draft->body.at ? draft->body : span_of(""));
    json_add_text(tree, keys[INBOX_THREAD], str_span(&thread));
    if (draft->priority > PRIORITY_NORMAL)
        json_add_text(tree, keys[INBOX_PRIORITY], span_of(priority_name(draft->priority)));
    if (draft->requires_response)
        cJSON_AddTrueToObject(tree, keys[INBOX_RESPONSE]);
    if (draft->reply_to.len)
        json_add_text(tree, keys[INBOX_REPLY_TO], draft->reply_to);
    json_put_tree(bytes, tree, &json_style_node);
    str_putc(bytes, '\n');
    add_name(name, draft);
    cJSON_Delete(tree);
    return true;
}

static bool is_manager(struct span box)
{
    return memmem(box.at, box.len, "manager", 7) || span_is(box, "coordinator");
}

static void inbox_reply(const struct message *original, struct draft *draft, struct arena *arena)
{
    struct span thread = original->thread.len ? original->thread : original->id;
    CLEANUP(str_free) struct str subject = {0};

    if (!span_starts_nocase(original->subject, "re:"))
        str_puts(&subject, "Re: ");
    str_add_span(&subject, original->subject);
    draft->to = original->from;
    draft->subject = arena_copy(arena, str_span(&subject));
    draft->reply_to = original->id;
    /* An id that grep cannot find starts a new conversation; replyTo still names the original. */
    if (can_be_grepped(thread))
        draft->thread = thread;
    if (!inbox_is_plain(original->type))
        draft->type = original->type;
}

static void inbox_broadcast(struct draft *draft, struct span swarm, struct arena *arena)
{
    CLEANUP(str_free) struct str thread = {0};

    (void)swarm;
    if (draft->thread.at)
        return;
    add_new_thread(&thread, draft);
    draft->thread = arena_copy(arena, str_span(&thread));
}

static const struct place_rule rules[] = {
    {"{box}/*.json", false},
    {"{box}/archive/*.json", true},
};

static const char *const markers[] = {"*/archive", NULL};

static const char *const homes[] = {"~/clawd/scheduler/inboxes", NULL};

const struct format inbox_format = {
    .name = "inbox",
    .title = "Agent Inbox",
    .identity = "coordinator",
    .storage = STORAGE_FILES,
    .archiving = ARCHIVE_MOVE,
    .answered_archived = true,
    .cleaning = CLEANING_ARCHIVE,
    .archive_lasts_us = INT64_C(8) * 86400 * 1000000, /* whole days, more than seven */
    .home = "scheduler/inboxes",
    .home_tells = true,
    .upward = true,
    .numbered = true,
    .chained = true,
    .done_archived = true,
    .reply_box = "workers",
    .is_manager = is_manager,
    .homes = homes,
    .markers = markers,
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .file_mode = 0666,
    .dir_mode = 0777,
    .verbs =
        {
            [VERB_SEND] = {ABILITY_NATIVE, "a new file in the recipient's inbox"},
            [VERB_REPLY] = {ABILITY_NATIVE, "replyTo and conversationId, then archived"},
            [VERB_HANDOFF] = {ABILITY_CONVENTION, "type handoff, the context as content"},
            [VERB_BROADCAST] = {ABILITY_CONVENTION, "one file an inbox, one conversation"},
            [VERB_READ] = {ABILITY_NONE, "kept here only"},
            [VERB_PROCESSING] = {ABILITY_NONE, "kept here only"},
            [VERB_COMPLETED] = {ABILITY_CONVENTION, "moved to archive/"},
            [VERB_FAILED] = {ABILITY_CONVENTION, "an answer of type failure, then archived"},
            [VERB_ARCHIVE] = {ABILITY_NATIVE, "its file is moved to archive/"},
            [VERB_EXPIRE] = {ABILITY_NONE, "kept here only"},
            [VERB_CLEANUP] = {ABILITY_NATIVE, "archived messages of eight days and more"},
            [VERB_PLAN] = {ABILITY_CONVENTION, "type plan-approval, in words"},
            [VERB_PERMISSION] = {ABILITY_CONVENTION, "in words"},
            [VERB_SHUTDOWN] = {ABILITY_CONVENTION, "in words"},
            [VERB_MODE] = {ABILITY_NONE, "agents have no modes"},
            [VERB_ASSIGN] = {ABILITY_NONE, "no tasks are known"},
            [VERB_RULES] = {ABILITY_NONE, "agents have no rules"},
            [VERB_ESCALATE] = {ABILITY_CONVENTION, "type escalation, in words"},
        },
    .fields = FIELD_TYPE | FIELD_THREAD | FIELD_REPLY_TO | FIELD_RESPONSE | FIELD_SUBJECT |
              FIELD_ID | FIELD_HANDOFF,
    .priorities = {0, PRIORITY_NORMAL, PRIORITY_NORMAL, PRIORITY_HIGH, PRIORITY_URGENT},
    .box_name = inbox_box_name,
    .new_id = inbox_new_id,
    .parse = inbox_parse,
    .compose = inbox_compose,
    .reply = inbox_reply,
    .broadcast = inbox_broadcast,
};
