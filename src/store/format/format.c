/* Formats: the table of layouts, and the words for what they can do. */
#include "store/format/format.h"

#include "base/file/file.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#include <stdlib.h>

/* Each layout is a file in layouts/ that defines NAME_format, and an entry here; sources are
 * discovered in this order. */
#define LAYOUTS(X) X(claude) X(openclaw) X(adr) X(inbox) X(roo)

#define DECLARE(name) extern const struct format name##_format;
LAYOUTS(DECLARE)

enum { SPELLINGS_MAX = 8 };

#define ENTRY(name) &name##_format,
const struct format *const formats[] = {LAYOUTS(ENTRY) NULL};

static const char *const verb_names[VERB_COUNT] = {
    [VERB_SEND] = "send",
    [VERB_REPLY] = "reply",
    [VERB_HANDOFF] = "handoff",
    [VERB_BROADCAST] = "broadcast",
    [VERB_READ] = "mark read",
    [VERB_PROCESSING] = "processing",
    [VERB_COMPLETED] = "completed",
    [VERB_FAILED] = "failed",
    [VERB_ARCHIVE] = "archive",
    [VERB_EXPIRE] = "expire",
    [VERB_CLEANUP] = "cleanup",
    [VERB_PLAN] = "plan",
    [VERB_PERMISSION] = "permission",
    [VERB_SHUTDOWN] = "shutdown",
    [VERB_MODE] = "mode",
    [VERB_ASSIGN] = "assign",
    [VERB_RULES] = "rules",
    [VERB_ESCALATE] = "escalate",
};

static const char *const ability_names[] = {
    [ABILITY_NONE] = "impossible",
    [ABILITY_CONVENTION] = "convention",
    [ABILITY_NATIVE] = "native",
};

const struct format *format_find(struct span name)
{
    for (size_t i = 0; formats[i]; i++)
        if (span_is(name, formats[i]->name))
            return formats[i];
    return NULL;
}

const char *verb_name(enum verb verb)
{
    return verb_names[verb];
}

const char *ability_name(enum ability ability)
{
    return ability_names[ability];
}

enum verb verb_for_status(enum status status)
{
    static const enum verb verbs[] = {
        [STATUS_UNREAD] = VERB_SEND,           [STATUS_READ] = VERB_READ,
        [STATUS_PROCESSING] = VERB_PROCESSING, [STATUS_FAILED] = VERB_FAILED,
        [STATUS_COMPLETED] = VERB_COMPLETED,   [STATUS_ARCHIVED] = VERB_ARCHIVE,
    };

    return verbs[status];
}

bool format_has_teams(const struct format *format)
{
    return strstr(format->rules[0].pattern, "{team}") != NULL;
}

bool format_is_everybody(const struct format *format, struct span name)
{
    return format->one_for_all && span_is(name, "all");
}

bool format_spell(const struct format *format, struct span name, unsigned variant, struct str *out)
{
    str_clear(out);
    return variant < SPELLINGS_MAX && format->box_name(out, name, variant, NULL);
}

bool format_is_spelling(const struct format *format, struct span name, struct span box)
{
    CLEANUP(str_free) struct str spelled = {0};
    bool same = span_eq(name, box);

    for (unsigned v = 0; !same && format_spell(format, name, v, &spelled); v++)
        same = span_eq(str_span(&spelled), box);
    return same;
}

bool format_is_plain_spelling(const struct format *format, struct span name, struct span box)
{
    CLEANUP(str_free) struct str spelled = {0};

    return format_spell(format, name, 0, &spelled) && span_eq(str_span(&spelled), box);
}

bool format_knows(const struct format *format, struct span name)
{
    /* in other layouts any agent may have that name */
    bool uses = format->verbs[VERB_ESCALATE].ability != ABILITY_NONE;

    for (size_t i = 0; uses && format->outsiders && format->outsiders[i]; i++)
        if (span_is(name, format->outsiders[i]))
            return true;
    return false;
}

const char *format_decided_by(const struct format *format, const struct message *message)
{
    return format->decided_by ? format->decided_by(message) : NULL;
}

/* Returns the value of an environment variable; absent if it is not set, empty, or not UTF-8. */
static struct span variable(const char *name)
{
    struct span value = span_of(name ? getenv(name) : NULL);

    return value.len && utf8_valid(value) ? value : (struct span){0};
}

bool format_add_identity(struct str *out, const struct format *format)
{
    struct span name = variable(format->name_variable), team = variable(format->team_variable);
    CLEANUP(str_free) struct str spelled = {0};

    if (!name.len)
        return false;
    str_add_span(out, name);
    if (team.len && format_spell(format, team, 0, &spelled))
        str_addf(out, "@%s", str_c(&spelled));
    return true;
}

void format_dir(struct str *out, const struct format *format, bool archived, struct span team,
                struct span box)
{
    struct place_names names = {.team = team, .box = box};

    for (size_t i = 0; i < format->rule_count; i++) {
        if (format->rules[i].archived == archived) {
            place_dir(out, format->rules[i].pattern, &names);
            return;
        }
    }
}

void format_box_path(struct str *out, const struct format *format, struct span team,
                     struct span box)
{
    format_dir(out, format, false, team, box);
    if (place_names_box(format->rules[0].pattern)) {
        str_putc(out, '/');
        place_file(out, format->rules[format->rule_count - 1].pattern, box);
    }
}

bool format_parse_bytes(const struct format *format, struct span name, struct span bytes,
                        unsigned want, struct batch *batch, struct err *err)
{
    static const struct place nowhere;
    struct mail_file file = {.place = &nowhere, .name = name, .bytes = bytes};

    return format->parse(&file, want, batch, err);
}

void format_add_file(const struct format *format, struct span bytes, struct str *out)
{
    bool array = format->storage == STORAGE_ARRAY;

    str_puts(out, array ? "[" : "");
    str_add_span(out, bytes);
    str_puts(out, array ? "]" : "");
}

void format_log_step(const struct format *format, struct log *log, enum log_step step,
                     struct span id)
{
    CLEANUP(str_free) struct str line = {0};

    if (format->step_line)
        format->step_line(&line, step, id);
    if (line.len)
        log_add(log, "%s", str_c(&line));
}

bool format_blank_state(const struct format *format, struct span bytes, struct str *out,
                        struct err *err)
{
    enum { STATE_KEYS_MAX = 4 };
    struct json_set sets[STATE_KEYS_MAX];
    size_t count = 0;

    if (!format->state_keys) {
        str_add_span(out, bytes);
        return true;
    }
    for (; format->state_keys[count]; count++)
        sets[count] = (struct json_set){format->state_keys[count], span_of("null")};
    return json_set_members(out, bytes, JSON_PYTHON, sets, count, err);
}

static bool is_all_utf8(const struct draft *draft)
{
    const struct span texts[] = {draft->id,    draft->from,   draft->to,       draft->subject,
                                 draft->body,  draft->type,   draft->payload,  draft->context,
                                 draft->swarm, draft->thread, draft->reply_to, draft->giver};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!utf8_escapable(texts[i]))
            return false;
    return true;
}

/* Returns the first part of a handoff that a handoff of text only has no place for; NULL if there
 * is none. Such a text has places for the work done, the state, next steps, blockers and notes. */
static const char *beyond_text(const struct handoff *handoff)
{
    return handoff->files_modified.count || handoff->files_created.count ? "files of a handoff"
           : handoff->state_file.at             ? "the state file of a handoff"
           : handoff->dependencies.count        ? "dependencies of a handoff"
           : handoff->related_escalations.count ? "escalations of a handoff"
           : handoff->job_id.at                 ? "the job of a handoff"
                                                : NULL;
}

bool format_can_hold(const struct format *format, const struct draft *draft, struct err *err)
{
    const struct {
        bool used;
        enum field field;
        const char *what;
    } uses[] = {
        {draft->type.at, FIELD_TYPE, "a type"},
        {draft->tags.count, FIELD_TAGS, "tags"},
        {draft->attachments.count, FIELD_ATTACHMENTS, "attachments"},
        {draft->payload.at, FIELD_PAYLOAD, "a payload"},
        {draft->context.at, FIELD_CONTEXT, "a context"},
        {draft->expires_us != TIME_NONE, FIELD_EXPIRES, "an expiry time"},
        {draft->thread.at, FIELD_THREAD, "a thread id"},
        {draft->reply_to.at, FIELD_REPLY_TO, "the id it answers"},
        {draft->swarm.at, FIELD_SWARM, "a swarm"},
        {draft->requires_response, FIELD_RESPONSE, "a request for a response"},
    };

    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (uses[i].used && !(format->fields & uses[i].field))
            return err_set(err, ERR_REFUSED, "a message of the layout %s cannot hold %s",
                           format->title, uses[i].what);
    const char *part = draft->handoff ? beyond_text(draft->handoff) : NULL;
    if (part && !(format->fields & FIELD_HANDOFF))
        return err_set(
            err, ERR_REFUSED,
            "a message of the layout %s cannot hold %s: there a handoff is its text alone; "
            "say it in --notes",
            format->title, part);
    if (draft->id.at && !(format->fields & FIELD_ID) && format->new_id == NULL && draft->id.len)
        return err_set(err, ERR_REFUSED, "a message of the layout %s cannot be given an id",
                       format->title);
    if (draft->body.len > FILE_SIZE_MAX)
        return err_set(err, ERR_REFUSED, "the text is too large: the limit is %d bytes",
                       FILE_SIZE_MAX);
    if (!is_all_utf8(draft))
        return err_set(err, ERR_REFUSED, "names and texts of a message must be UTF-8");
    return true;
}

/* Parses the new message as its recipient will, and stores the id found there. */
static bool is_readable(const struct format *format, struct span name, struct span bytes,
                        struct str *id, struct err *err)
{
    CLEANUP(str_free) struct str file = {0};
    CLEANUP(batch_free) struct batch batch = {0};

    format_add_file(format, bytes, &file);
    bool ok = format_parse_bytes(format, name, str_span(&file), WANT_HEAD, &batch, err);
    if (ok && !batch.items[0].damaged)
        str_set(id, batch.items[0].id);
    if (ok && batch.items[0].damaged)
        ok = err_set(err, ERR_REFUSED, "%s", batch.items[0].damaged);
    if (!ok) {
        err_at(err, "the message would be unreadable for its recipient");
        err->scope = ERR_REFUSED;
    }
    return ok;
}

/* Checks the file name: the sender's id may be part of it. */
static bool is_name(struct span name, struct err *err)
{
    if (name.len && (memchr(name.at, '\0', name.len) || memchr(name.at, '/', name.len)))
        return err_set(err, ERR_REFUSED,
                       "the id cannot be part of a file's name: it holds a slash or a NUL");
    return true;
}

bool format_compose(const struct format *format, const struct draft *draft, struct str *name,
                    struct str *bytes, struct str *id, struct err *err)
{
    return format_can_hold(format, draft, err) && format->compose(draft, name, bytes, err) &&
           is_name(str_span(name), err) &&
           (bytes->len <= FILE_SIZE_MAX ||
            err_set(err, ERR_REFUSED, "the message is too large: %zu bytes, and the limit is %d",
                    bytes->len, FILE_SIZE_MAX)) &&
           is_readable(format, str_span(name), str_span(bytes), id, err);
}
