/* The Roo mailbox: progress.md, rosters, new messages, and the table. */
#include "store/layouts/roo.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/uuid.h"
#include "store/layouts/roo_parse.h"

static bool roo_box_name(struct str *out, struct span agent, unsigned variant, struct err *err);

/* progress.md: finding a section in Markdown, and the position for a line in it. */

/* The initial content that the Memory Bank writes. */
static const char blank_log[] =
    "# Progress Log\n\n## Completed Tasks\n\n- \n\n## Next Steps\n\n- \n\n"
    "## Blockers\n\n- ";

struct line {
    struct span text; /* without the line ending */
    struct span end;  /* "\n", "\r\n", or nothing */
};

static struct line line_at(struct span text, size_t at)
{
    struct span rest = {text.at + at, text.len - at};
    struct span line = span_first_line(rest);
    size_t end = line.len < rest.len;

    if (end && line.len && line.at[line.len - 1] == '\r') {
        line.len--;
        end++;
    }
    return (struct line){line, {line.at + line.len, end}};
}

static bool is_fence(struct span line)
{
    struct span text = span_trim(line);

    return span_starts(text, span_of("```")) || span_starts(text, span_of("~~~"));
}

/* Returns true for headings of the first or second level, which end a section. */
static bool is_heading(struct span line)
{
    return span_starts(line, span_of("# ")) || span_starts(line, span_of("## "));
}

static bool is_titled(struct span line, const char *title)
{
    if (!span_starts(line, span_of("## ")))
        return false;
    return span_is(span_trim((struct span){line.at + 3, line.len - 3}), title);
}

/* Returns true for a horizontal rule, such as --- or * * *. */
static bool is_rule(struct span line)
{
    size_t marks = 0;

    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] == ' ' || line.at[i] == '\t')
            continue;
        if (!line.at[i] || !strchr("-*_", line.at[i]))
            return false;
        marks++;
    }
    return marks >= 3;
}

/* Returns the character of a list item, or 0. */
static char bullet_of(struct span line)
{
    struct span text = span_trim(line);

    if (!text.len || !text.at[0] || !strchr("-*+", text.at[0]))
        return 0;
    return text.len == 1 || text.at[1] == ' ' || text.at[1] == '\t' ? text.at[0] : 0;
}

struct section {
    bool found;
    struct line last;   /* last line with content: at least its heading */
    struct line bullet; /* the first list item */
    size_t bullets;
};

static void note_line(struct section *section, struct line line, bool fenced)
{
    if (!span_trim(line.text).len || (!fenced && is_rule(line.text)))
        return;
    section->last = line;
    if (!fenced && bullet_of(line.text) && section->bullets++ == 0)
        section->bullet = line;
}

static struct section find_section(struct span log, const char *title)
{
    struct section section = {0};
    bool fenced = false;

    for (size_t at = 0; at < log.len;) {
        struct line line = line_at(log, at);
        at += line.text.len + line.end.len;
        bool fence = is_fence(line.text);
        if (!fenced && !fence && is_heading(line.text)) {
            if (section.found)
                break;
            section.found = is_titled(line.text, title);
            section.last = line;
        } else if (section.found) {
            note_line(&section, line, fenced || fence);
        }
        fenced ^= fence;
    }
    return section;
}

static struct span line_end_of(struct span log)
{
    struct span end = log.len ? line_at(log, 0).end : (struct span){0};

    return end.len ? end : span_of("\n");
}

static void add_section(struct str *out, struct span log, const char *title, struct span entry)
{
    struct span end = line_end_of(log);

    str_add_span(out, log);
    str_add_span(out, end);
    str_add_span(out, end);
    str_addf(out, "## %s", title);
    str_add_span(out, end);
    str_puts(out, "- ");
    str_add_span(out, entry);
    str_add_span(out, end);
}

void progress_add(struct str *out, struct span log, const char *section, struct span entry)
{
    if (!log.len)
        log = span_of(blank_log);
    struct section found = find_section(log, section);
    if (!found.found) {
        add_section(out, log, section, entry);
        return;
    }
    bool replace = found.bullets == 1 && span_trim(found.bullet.text).len == 1;
    struct line anchor = replace ? found.bullet : found.last;
    char bullet = found.bullets ? bullet_of(found.bullet.text) : '-';
    const char *start = span_trim(anchor.text).at, *end = anchor.text.at + anchor.text.len;

    str_add(out, log.at, (size_t)((replace ? start : end) - log.at));
    if (!replace)
        str_add_span(out, anchor.end.len ? anchor.end : line_end_of(log));
    str_putc(out, bullet);
    str_putc(out, ' ');
    str_add_span(out, entry);
    str_add(out, end, (size_t)(log.at + log.len - end));
}

static int32_t harmless(int32_t code)
{
    if (code == '\n' || code == '\r' || code == '\t' || code == 0x85 || code == 0x2028 ||
        code == 0x2029)
        return ' ';
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code <= 0xdfff) ||
        (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069))
        return 0xfffd;
    return code;
}

void progress_add_text(struct str *out, struct span text, size_t most)
{
    struct span rest = span_trim(text);

    for (; rest.len && most; most--)
        utf8_add(out, harmless(utf8_next(&rest)));
    if (rest.len)
        str_puts(out, "...");
}

/* Rosters: the slugs of the modes in .roomodes, which is YAML or JSON. */

enum { FILE_MAX = 1 << 20 };

struct reading {
    struct yaml_events events;
    struct members *members;
    struct arena *arena;
    struct map slugs; /* to take each only once */
};

static void add_member(struct reading *in, struct member member)
{
    struct members *members = in->members;
    struct str box = {0};
    bool fresh = roo_box_name(&box, member.name, 0, NULL);

    str_free(&box);
    if (fresh)
        map_put(&in->slugs, member.name, &fresh);
    if (!fresh)
        return;
    *mem_push(members->items, members->count, members->cap) = member;
}

/* Reads one entry of the list; the current event is its first one. */
static bool read_mode(struct reading *reading)
{
    struct yaml_events *in = &reading->events;
    struct member member = {0};

    if (in->event.type != YAML_MAPPING_START_EVENT)
        return yaml_events_skip(in);
    while (yaml_events_next(in) && in->event.type != YAML_MAPPING_END_EVENT) {
        struct span key = yaml_events_scalar(in);
        struct span *to = span_is(key, "slug")   ? &member.name
                          : span_is(key, "name") ? &member.role
                                                 : NULL;
        if (!yaml_events_skip(in) || !yaml_events_next(in))
            return false;
        if (to)
            *to = arena_copy(reading->arena, yaml_events_scalar(in));
        if (!yaml_events_skip(in))
            return false;
    }
    if (in->event.type != YAML_MAPPING_END_EVENT)
        return false;
    if (span_eq(member.role, member.name))
        member.role = (struct span){0};
    add_member(reading, member);
    return true;
}

static bool read_modes(struct reading *reading)
{
    struct yaml_events *in = &reading->events;

    if (in->event.type != YAML_SEQUENCE_START_EVENT)
        return yaml_events_skip(in);
    while (yaml_events_next(in) && in->event.type != YAML_SEQUENCE_END_EVENT)
        if (!read_mode(reading))
            return false;
    return in->event.type == YAML_SEQUENCE_END_EVENT;
}

static bool read_root(struct reading *reading)
{
    struct yaml_events *in = &reading->events;

    if (!yaml_events_begin(in))
        return false;
    if (in->event.type == YAML_STREAM_END_EVENT)
        return true;
    if (!yaml_events_next(in))
        return false;
    if (in->event.type != YAML_MAPPING_START_EVENT)
        return yaml_events_skip(in);
    while (yaml_events_next(in) && in->event.type != YAML_MAPPING_END_EVENT) {
        bool modes = span_is(yaml_events_scalar(in), "customModes");
        if (!yaml_events_skip(in) || !yaml_events_next(in))
            return false;
        if (!(modes ? read_modes(reading) : yaml_events_skip(in)))
            return false;
    }
    return in->event.type == YAML_MAPPING_END_EVENT;
}

static bool roo_parse_roster(struct span bytes, struct members *members, struct arena *arena,
                             struct err *err)
{
    struct reading reading = {.members = members, .arena = arena};

    if (bytes.len > FILE_MAX)
        return err_set(err, ERR_SOURCE, "it is larger than 1 MiB: no list of modes is");
    yaml_events_open(&reading.events, bytes, YAML_ANY_ENCODING);
    bool ok = read_root(&reading) || yaml_events_problem(&reading.events, err);
    yaml_events_close(&reading.events);
    map_free(&reading.slugs);
    return ok;
}

/* SLUG_MAX leaves room for an id in the file name, for a second message beside the first.
 * LOG_TEXT_MAX limits texts of others in a line of the log. */
enum { SLUG_MAX = 200, LOG_TEXT_MAX = 200 };

static bool is_slug_char(char c)
{
    return roo_is_letter(c) || (c >= '0' && c <= '9') || c == '-';
}

/* See struct format. */
static bool roo_box_name(struct str *out, struct span agent, unsigned variant, struct err *err)
{
    if (variant)
        return false;
    if (!agent.len)
        return err_set(err, ERR_REFUSED, "the slug of an agent is empty");
    if (agent.len > SLUG_MAX)
        return err_set(err, ERR_REFUSED, "the slug of an agent is longer than %d characters",
                       SLUG_MAX);
    for (size_t i = 0; i < agent.len; i++)
        if (!is_slug_char(agent.at[i]))
            return err_set(err, ERR_REFUSED,
                           "\"%.*s\" cannot be the slug of an agent: letters, digits and - can",
                           (int)agent.len, agent.at);
    str_add_span(out, agent);
    return true;
}

static void roo_new_id(struct str *out, const struct draft *draft)
{
    (void)draft;
    str_puts(out, "msg-");
    uuid_add_hex(out, 4);
}

/* Returns true if every YAML reader in use reads the unquoted text as a string. */
static bool is_plain(struct span text)
{
    static const char *const words[] = {"true", "false", "null", "yes", "no",
                                        "on",   "off",   "y",    "n"};

    if (!text.len || !roo_is_letter(text.at[0]))
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!is_slug_char(text.at[i]) && text.at[i] != '_')
            return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_is_nocase(text, words[i]))
            return false;
    return true;
}

static void add_escape(struct str *out, int32_t code)
{
    if (code == '"' || code == '\\')
        str_addf(out, "\\%c", (char)code);
    else if (code == '\n')
        str_puts(out, "\\n");
    else if (code == '\t')
        str_puts(out, "\\t");
    else if (code == '\r')
        str_puts(out, "\\r");
    else if (code < 0x20 || (code >= 0x7f && code < 0xa0))
        str_addf(out, "\\x%02x", (unsigned)code);
    else if (code == 0x2028 || code == 0x2029 || code == 0xfeff || code == 0xfffe || code == 0xffff)
        str_addf(out, "\\u%04x", (unsigned)code);
    else
        utf8_add(out, code);
}

static void add_quoted(struct str *out, struct span text)
{
    str_putc(out, '"');
    while (text.len)
        add_escape(out, utf8_next(&text));
    str_putc(out, '"');
}

/* Appends a time in whole seconds, as in the protocol's own examples. */
static void add_time(struct str *out, int64_t time_us)
{
    int64_t part = time_us % 1000000;

    time_add_utc(out, time_us - part - (part < 0 ? 1000000 : 0));
}

static void add_head(struct str *out, const struct draft *draft)
{
    str_puts(out, "---\nfrom: ");
    if (is_plain(draft->from))
        str_add_span(out, draft->from);
    else
        add_quoted(out, draft->from);
    str_puts(out, "\ntimestamp: \"");
    add_time(out, draft->created_us);
    str_puts(out, "\"\nid: ");
    add_quoted(out, draft->id);
    if (draft->reply_to.at) {
        str_puts(out, "\nin_reply_to: ");
        add_quoted(out, draft->reply_to);
    }
    if (draft->priority >= PRIORITY_HIGH)
        str_puts(out, "\npriority: high");
    str_puts(out, "\n---\n");
}

static struct span without_last_lines(struct span text)
{
    while (text.len && (text.at[text.len - 1] == '\n' || text.at[text.len - 1] == '\r'))
        text.len--;
    return text;
}

static void add_body(struct str *out, const struct draft *draft)
{
    struct span body = without_last_lines(draft->body);
    struct span subject = roo_subject(draft->subject);
    bool titled = subject.len && (draft->handoff || !span_eq(subject, roo_subject(body)));

    if (titled) {
        str_addf(out, "\n**%s", draft->handoff ? handoff_title : "");
        progress_add_text(out, draft->subject, SIZE_MAX);
        str_puts(out, "**\n");
    }
    if (draft->handoff) {
        str_putc(out, '\n');
        handoff_body(out, draft->handoff, draft_giver(draft), draft->to, true);
        str_putc(out, '\n');
        return;
    }
    if (body.len) {
        str_putc(out, '\n');
        str_add_span(out, body);
        str_putc(out, '\n');
    }
}

static bool has_nul(struct span text)
{
    return text.len && memchr(text.at, '\0', text.len);
}

/* Returns false if the body would be read as a second message. */
static bool is_one_message(struct span bytes, struct err *err)
{
    struct place nowhere = {0};
    struct mail_file file = {.place = &nowhere, .name = span_of("to-.md"), .bytes = bytes};
    CLEANUP(batch_free) struct batch batch = {0};
    bool ok = roo_parse(&file, WANT_HEAD, &batch, err);

    if (ok && batch.count > 1)
        ok = err_set(err, ERR_REFUSED,
                     "the text holds a block between lines of --- with from, timestamp and id: "
                     "it would be read as a second message; indent it");
    return ok;
}

static bool roo_compose(const struct draft *draft, struct str *name, struct str *bytes,
                        struct err *err)
{
    if (!draft->from.len || !draft->id.len)
        return err_set(err, ERR_REFUSED, "a message needs a sender and an id");
    str_puts(name, "to-");
    if (!roo_box_name(name, draft->to, 0, err))
        return false;
    str_puts(name, ".md");
    add_head(bytes, draft);
    add_body(bytes, draft);
    if (has_nul(str_span(bytes)) || has_nul(draft->from) || has_nul(draft->id) ||
        has_nul(draft->reply_to))
        return err_set(err, ERR_REFUSED, "a Markdown file cannot hold a NUL byte");
    if (!utf8_valid(str_span(bytes)))
        return err_set(err, ERR_REFUSED, "names and texts of a message must be UTF-8");
    return is_one_message(str_span(bytes), err);
}

static bool roo_holds(struct span bytes, struct span message)
{
    struct place nowhere = {0};
    struct mail_file one = {.place = &nowhere, .name = span_of("to-.md"), .bytes = message};
    struct mail_file all = {.place = &nowhere, .name = span_of("to-.md"), .bytes = bytes};
    CLEANUP(batch_free) struct batch batch = {0};
    bool found = false;

    if (roo_parse(&one, WANT_HEAD, &batch, NULL) && roo_parse(&all, WANT_HEAD, &batch, NULL)) {
        const struct message *wanted = &batch.items[0];
        for (size_t i = 1; i < batch.count && !wanted->damaged; i++) {
            const struct message *other = &batch.items[i];
            found |= span_eq(other->id, wanted->id) && span_eq(other->from, wanted->from) &&
                     other->created_us == wanted->created_us;
        }
    }
    return found;
}

static void roo_reply(const struct message *original, struct draft *draft, struct arena *arena)
{
    CLEANUP(str_free) struct str subject = {0};

    if (!roo_is_answer(original->subject))
        str_puts(&subject, "Re: ");
    str_add_span(&subject, original->subject);
    draft->to = original->from;
    draft->subject = arena_copy(arena, str_span(&subject));
    draft->priority = original->priority;
    draft->reply_to = original->id;
}

static void roo_broadcast(struct draft *draft, struct span swarm, struct arena *arena)
{
    (void)draft;
    (void)swarm;
    (void)arena;
}

/* Returns true if the log has the entry with a time not before `since_us`. Entries have whole
 * seconds. */
static bool is_logged(struct span log, struct span entry, int64_t since_us)
{
    enum { FILE_STAMP_MAX = sizeof "2025-07-07T11:20:00Z" - 1 };
    enum time_zone zone;

    if (!log.len) /* no log yet */
        return false;
    const char *end = log.at + log.len, *found = log.at;
    since_us -= since_us % 1000000;
    while ((found = memmem(found, (size_t)(end - found), entry.at, entry.len))) {
        struct span stamp = {found - FILE_STAMP_MAX, FILE_STAMP_MAX};
        char after = found + entry.len < end ? found[entry.len] : '\n';
        bool whole =
            found - log.at > FILE_STAMP_MAX && stamp.at[-1] == '[' &&
            (strchr("\r\n", after) ||
             span_starts((struct span){found + entry.len, (size_t)(end - found) - entry.len},
                         span_of(" - ")));
        int64_t time_us = whole ? time_parse(stamp, &zone) : TIME_NONE;
        if (time_us != TIME_NONE && time_us >= since_us)
            return true;
        found += entry.len;
    }
    return false;
}

static bool roo_log_line(struct span log, const struct message *message, int64_t written_us,
                         struct span note, bool failed, int64_t now_us, struct str *out,
                         struct err *err)
{
    CLEANUP(str_free) struct str entry = {0};

    (void)err;
    str_putc(&entry, '[');
    add_time(&entry, now_us);
    size_t stamp = entry.len;
    str_addf(&entry, "] %s mailbox message id:", failed ? "Failed" : "Processed");
    progress_add_text(&entry, message->id, LOG_TEXT_MAX);
    if (message->from.len) {
        str_puts(&entry, " from ");
        progress_add_text(&entry, message->from, LOG_TEXT_MAX);
    }
    if (message->subject.len) {
        str_puts(&entry, ": ");
        progress_add_text(&entry, message->subject, LOG_TEXT_MAX);
    }
    struct span said = {entry.at + stamp, entry.len - stamp};
    bool logged = !failed && is_logged(log, said, written_us);
    if (note.len) {
        str_puts(&entry, " - ");
        progress_add_text(&entry, note, SIZE_MAX);
    }
    if (logged)
        str_add_span(out, log);
    else
        progress_add(out, log, failed ? "Blockers" : "Completed Tasks", str_span(&entry));
    return true;
}

/* Appends the line that the instructions of the modes ask for. */
static void roo_step_line(struct str *out, enum log_step step, struct span id)
{
    if (step == LOG_CHECKING)
        str_puts(out, "[MAILBOX: CHECKING]");
    else
        str_addf(out, "[MAILBOX: %s MESSAGE id:%.*s]",
                 step == LOG_PROCESSING ? "PROCESSING" : "ARCHIVING", (int)id.len, id.at);
}

static const struct place_rule rules[] = {
    {".roo/mailbox/to-{box}.*.md", false},
    {".roo/mailbox/to-{box}.md", false},
};

static const char *const markers[] = {".roo/mailbox", ".roo/memory-bank", NULL};

static const char *const built_in[] = {"code", "architect", "ask", "debug", "orchestrator", NULL};

const struct format roo_format = {
    .name = "roo",
    .title = "Roo mailbox",
    .identity = "orchestrator",
    .storage = STORAGE_SLOT,
    .archiving = ARCHIVE_DELETE,
    .home = "",
    .upward = true,
    .done_archived = true,
    .markers = markers,
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .roster_pattern = ".roomodes",
    .roster_home = ".",
    .built_in = built_in,
    .parse_roster = roo_parse_roster,
    .file_mode = 0666,
    .dir_mode = 0777,
    .verbs =
        {
            [VERB_SEND] = {ABILITY_NATIVE, "the recipient's file, while there is none"},
            [VERB_REPLY] = {ABILITY_CONVENTION, "the sender's file, with in_reply_to"},
            [VERB_HANDOFF] = {ABILITY_CONVENTION, "all of it in the text"},
            [VERB_BROADCAST] = {ABILITY_CONVENTION, "one file for each slug"},
            [VERB_READ] = {ABILITY_NONE, "kept here only"},
            [VERB_PROCESSING] = {ABILITY_NATIVE, "a line in the agent's chat; no file changes"},
            [VERB_COMPLETED] = {ABILITY_NATIVE, "a line in progress.md, then the file goes"},
            [VERB_FAILED] = {ABILITY_CONVENTION, "a line under Blockers, the file stays"},
            [VERB_ARCHIVE] = {ABILITY_NATIVE, "the file goes; a copy is kept here"},
            [VERB_EXPIRE] = {ABILITY_NONE, "kept here only"},
            [VERB_CLEANUP] = {ABILITY_NONE, "nothing to clean"},
            [VERB_PLAN] = {ABILITY_CONVENTION, "in words"},
            [VERB_PERMISSION] = {ABILITY_CONVENTION, "in words"},
            [VERB_SHUTDOWN] = {ABILITY_CONVENTION, "in words"},
            [VERB_MODE] = {ABILITY_NONE, "who reads a file is the mode"},
            [VERB_ASSIGN] = {ABILITY_NONE, "no tasks are known"},
            [VERB_RULES] = {ABILITY_NONE, "agents have no rules"},
            [VERB_ESCALATE] = {ABILITY_NONE, "no message is one"},
        },
    .fields = FIELD_REPLY_TO | FIELD_NOTE | FIELD_ID,
    .priorities = {0, PRIORITY_NORMAL, PRIORITY_NORMAL, PRIORITY_HIGH, PRIORITY_HIGH},
    .box_name = roo_box_name,
    .new_id = roo_new_id,
    .parse = roo_parse,
    .compose = roo_compose,
    .holds = roo_holds,
    .reply = roo_reply,
    .broadcast = roo_broadcast,
    .log_file = ".roo/memory-bank/progress.md",
    .log_line = roo_log_line,
    .step_line = roo_step_line,
};
