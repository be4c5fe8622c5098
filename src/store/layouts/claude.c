/* The Claude layout: rosters, tasks, names, new entries, and the table. */
#include "store/layouts/claude.h"

#include "base/json/json_print.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "mail/protocol/protocol.h"
#include "store/layouts/claude_private.h"
#include "store/layouts/json_fields.h"

#include <pthread.h>
#include <sha2.h>
#include <stdio.h>

/* Rosters and tasks. Neither is ever written. */

static struct span text_of(struct json object, const char *name, struct arena *arena)
{
    struct span text = json_text(arena, fields_member(object, name));

    return text.at ? arena_copy(arena, text) : text;
}

static void add_member(struct members *members, struct json raw, struct arena *arena)
{
    struct member member = {.name = text_of(raw, "name", arena),
                            .color = text_of(raw, "color", arena),
                            .role = text_of(raw, "agentType", arena),
                            .directory = text_of(raw, "cwd", arena),
                            .idle = fields_member(raw, "isActive").kind == JSON_FALSE};

    if (!member.name.len)
        return;
    *mem_push(members->items, members->count, members->cap) = member;
}

static bool is_lead_role(struct span role)
{
    return span_is(role, "team-lead") || span_is(role, "coordinator") || span_is(role, "lead");
}

/* Finds the lead: the member that the file names, else the first with a lead's role, else the one
 * called team-lead. */
static void find_lead(struct members *members, size_t first)
{
    struct member *by_role = NULL, *by_name = NULL;

    for (size_t i = first; i < members->count; i++) {
        struct member *member = &members->items[i];
        if (member->lead)
            return;
        if (!by_role && is_lead_role(member->role))
            by_role = member;
        if (!by_name && span_is(member->name, "team-lead"))
            by_name = member;
    }
    if (by_role || by_name)
        (by_role ? by_role : by_name)->lead = true;
}

static bool claude_parse_roster(struct span bytes, struct members *members, struct arena *arena,
                                struct err *err)
{
    struct json whole, none, value;
    struct json_walk walk;
    size_t first = members->count;

    if (!json_scan(bytes, JSON_STRICT, &whole, err))
        return false;
    struct json list = fields_member(whole, "members");
    struct span lead = text_of(whole, "leadAgentId", arena);
    if (list.kind != JSON_ARRAY || !json_open(&walk, list.raw, JSON_STRICT, err))
        return err_set(err, ERR_MESSAGE, "it names no team: its members are missing");
    members->team = text_of(whole, "name", arena);
    while (json_next(&walk, &none, &value)) {
        size_t before = members->count;
        add_member(members, value, arena);
        if (members->count > before && lead.len && span_eq(text_of(value, "agentId", arena), lead))
            members->items[before].lead = true;
    }
    find_lead(members, first);
    return true;
}

static bool claude_parse_task(struct span bytes, struct task *task, struct arena *arena)
{
    struct json whole;

    if (!json_scan(bytes, JSON_STRICT, &whole, NULL) || whole.kind != JSON_OBJECT)
        return false;
    struct json metadata = fields_member(whole, "metadata");
    if (metadata.kind == JSON_OBJECT && fields_member(metadata, "_internal").kind == JSON_TRUE)
        return false;
    task->id = text_of(whole, "id", arena);
    task->subject = text_of(whole, "subject", arena);
    task->owner = text_of(whole, "owner", arena);
    task->status = text_of(whole, "status", arena);
    return task->id.len > 0;
}

/* Ids of entries of the classic form, which have none.
 *
 * Bridges agree on a SHA-256 of sender, time and text. Computing it takes most of the time of
 * reading an inbox, and the same entries are read again after every change. So the ids of long
 * texts are cached in a table of fixed size. */

enum { REMEMBERED = 1 << 16, LONG_TEXT = 256 };

static struct {
    pthread_mutex_t lock;
    uint64_t seed;
    struct {
        uint64_t print, id; /* both 0: free */
    } slots[REMEMBERED];
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t print_of(const struct span *parts, uint64_t seed)
{
    uint64_t print = seed;

    for (size_t i = 0; i < 3; i++)
        print = map_hash_wide(parts[i].len ? parts[i] : (struct span){"", 0}, print);
    return print;
}

static uint64_t digest(const struct span *parts)
{
    uint8_t bytes[SHA256_DIGEST_LENGTH];
    uint64_t start = 0;
    SHA2_CTX hash;

    SHA256Init(&hash);
    for (size_t i = 0; i < 3; i++) {
        if (i)
            SHA256Update(&hash, (const uint8_t *)"\n", 1);
        if (parts[i].len)
            SHA256Update(&hash, (const uint8_t *)parts[i].at, parts[i].len);
    }
    SHA256Final(bytes, &hash);
    for (size_t i = 0; i < sizeof start; i++)
        start = start << 8 | bytes[i];
    return start;
}

/* Returns the seed of the cache, which prevents an entry that is made to collide with another. */
static uint64_t seed_of_memory(void)
{
    pthread_mutex_lock(&memory.lock);
    if (!memory.seed)
        memory.seed = map_seed();
    uint64_t seed = memory.seed;
    pthread_mutex_unlock(&memory.lock);
    return seed;
}

static bool recall_id(uint64_t print, uint64_t *id)
{
    pthread_mutex_lock(&memory.lock);
    bool known = memory.slots[print % REMEMBERED].print == print;
    *id = memory.slots[print % REMEMBERED].id;
    pthread_mutex_unlock(&memory.lock);
    return known;
}

static void remember_id(uint64_t print, uint64_t id)
{
    pthread_mutex_lock(&memory.lock);
    memory.slots[print % REMEMBERED].print = print;
    memory.slots[print % REMEMBERED].id = id;
    pthread_mutex_unlock(&memory.lock);
}

struct span claude_derive_id(const struct claude_entry *entry, char id[CLAUDE_ID_SIZE])
{
    const struct span parts[] = {entry->from, entry->timestamp, entry->text};
    uint64_t start;

    if (entry->text.len < LONG_TEXT) {
        start = digest(parts);
    } else {
        uint64_t print = print_of(parts, seed_of_memory());
        if (!recall_id(print, &start)) {
            start = digest(parts);
            remember_id(print, start);
        }
    }
    int len = snprintf(id, CLAUDE_ID_SIZE, "inbox-%016llx", (unsigned long long)start);
    return (struct span){id, (size_t)len};
}

enum { NAME_BYTES_MAX = 240, SUMMARY_CHARACTERS = 200 };

static bool is_plain(int32_t code, bool underscore)
{
    return (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z') ||
           (code >= '0' && code <= '9') || code == '-' || (underscore && code == '_');
}

static bool check_name(struct span agent, struct err *err)
{
    if (!agent.len)
        return err_set(err, ERR_REFUSED, "the name of an agent is empty");
    if (agent.len > NAME_BYTES_MAX)
        return err_set(err, ERR_REFUSED, "the name of an agent is longer than %d bytes",
                       NAME_BYTES_MAX);
    return true;
}

/* Replaces every UTF-16 unit that is not a letter, digit, dash or underscore by a dash. Variants
 * that are also in use: 1 makes one dash of a run; 2 also replaces underscores and converts to
 * lower case. */
static bool claude_box_name(struct str *out, struct span agent, unsigned variant, struct err *err)
{
    bool dashed = false;

    if (variant > 2 || !check_name(agent, err))
        return false;
    while (agent.len) {
        int32_t code = utf8_next(&agent);
        bool plain = is_plain(code, variant != 2);
        if (plain)
            str_putc(out, (char)(variant == 2 && code >= 'A' && code <= 'Z' ? code + 32 : code));
        else if (variant != 1 || !dashed)
            str_puts(out, code > 0xffff && variant != 1 ? "--" : "-");
        dashed = !plain;
    }
    return true;
}

/* Appends a text that is put into a tag for the model: nothing in it may end the tag. */
static void add_attribute(struct str *out, struct span text)
{
    struct span start = utf8_start(text, SUMMARY_CHARACTERS);
    bool cut = start.len < text.len;

    if (cut)
        start = utf8_start(text, SUMMARY_CHARACTERS - 1);
    while (start.len) {
        int32_t code = utf8_next(&start);
        if (code == '"')
            code = '\'';
        else if (code == '<' || code == '>')
            code = code == '<' ? '(' : ')';
        else if (code < 0x20 || code == 0x7f) /* bytes that are not UTF-8 give a negative code */
            code = ' ';
        utf8_add(out, code);
    }
    if (cut)
        str_puts(out, "\xe2\x80\xa6");
}

static void add_summary(struct str *out, const struct draft *draft)
{
    CLEANUP(str_free) struct str text = {0};

    if (draft->priority >= PRIORITY_HIGH)
        str_puts(&text, draft->priority == PRIORITY_URGENT ? "[URGENT] " : "[HIGH] ");
    if (draft->handoff)
        str_puts(&text, "Handoff: ");
    str_add_span(&text, draft->subject);
    add_attribute(out, span_trim(str_span(&text)));
}

static bool check_sender(struct span from, struct err *err)
{
    if (!check_name(from, err))
        return false;
    for (size_t i = 0; i < from.len; i++)
        if (strchr("\"<>", from.at[i]) || (unsigned char)from.at[i] < 0x20)
            return err_set(err, ERR_REFUSED,
                           "the sender's name cannot hold quotes, angle brackets or control "
                           "characters: it is shown to the agent inside a tag");
    return true;
}

/* Returns true for a word, or a number sign and digits; other values in a roster are no colours. */
static bool is_color(struct span color)
{
    for (size_t i = 0; i < color.len; i++)
        if (!is_plain((unsigned char)color.at[i], true) && color.at[i] != '#')
            return false;
    return color.len > 0;
}

/* Returns true if the recipient's program acts on the text. Such entries have no summary. */
static bool is_protocol(const struct draft *draft)
{
    struct protocol protocol;
    CLEANUP(arena_free) struct arena scratch = {0};

    return draft->protocol.at ||
           (draft->body.len && protocol_parse(&protocol, draft->body, &scratch) &&
            protocol.kind != PROTOCOL_UNKNOWN);
}

static void add_text(struct str *out, const struct draft *draft)
{
    if (draft->protocol.at)
        str_add_span(out, draft->protocol);
    else if (draft->handoff)
        handoff_body(out, draft->handoff, draft_giver(draft), draft->to, true);
    else
        str_add_span(out, draft->body.len ? draft->body : draft->subject);
}

/* Writes the keys in the order in which the agents' programs write them. */
static bool claude_compose(const struct draft *draft, struct str *name, struct str *bytes,
                           struct err *err)
{
    CLEANUP(str_free) struct str summary = {0}, text = {0}, time = {0};

    if (!check_sender(draft->from, err) || !claude_box_name(name, draft->to, 0, err))
        return false;
    str_puts(name, ".json");
    add_text(&text, draft);
    add_summary(&summary, draft);
    time_add_utc_ms(&time, draft->created_us);

    cJSON *tree = cJSON_CreateObject();
    json_add_text(tree, "from", draft->from);
    json_add_text(tree, "text", str_span(&text));
    if (summary.len && !is_protocol(draft))
        json_add_text(tree, "summary", str_span(&summary));
    json_add_text(tree, "timestamp", str_span(&time));
    if (!draft->protocol.at && is_color(draft->color)) /* lead commands have no colour */
        json_add_text(tree, "color", draft->color);
    cJSON_AddFalseToObject(tree, "read");
    json_put_tree(bytes, tree, &json_style_node);
    cJSON_Delete(tree);
    return true;
}

static void claude_reply(const struct message *original, struct draft *draft, struct arena *arena)
{
    CLEANUP(str_free) struct str subject = {0};

    if (!span_starts(original->subject, span_of("Re: ")))
        str_puts(&subject, "Re: ");
    str_add_span(&subject, original->subject);
    draft->to = original->from;
    draft->team = original->place->team;
    draft->subject = arena_copy(arena, str_span(&subject));
}

static void claude_broadcast(struct draft *draft, struct span swarm, struct arena *arena)
{
    (void)arena;
    draft->team = swarm;
}

static const char *claude_warn(const struct draft *draft)
{
    CLEANUP(str_free) struct str text = {0};

    add_text(&text, draft);
    if (teammate_tag_found(str_span(&text)))
        return "the text holds \"<teammate-message\" or \"</teammate-message\", the tag that the "
               "agent sees it in: it may take what follows for another message";
    if (!draft->protocol.at && is_protocol(draft))
        return "the text is a protocol message: the recipient's program acts on it";
    return NULL;
}

static const char *const state_keys[] = {"read", NULL};

static const struct place_rule rules[] = {{"teams/{team}/inboxes/{box}.json", false}};
static const char *const markers[] = {"teams/*/inboxes", NULL};
static const char *const homes[] = {"$CLAUDE_CONFIG_DIR", "~/.claude", NULL};

static const char *const outsiders[] = {"user", NULL};

const struct format claude_format = {
    .name = "claude",
    .title = "Claude Code teams",
    .identity = "team-lead",
    .storage = STORAGE_ARRAY,
    .archiving = ARCHIVE_LOCAL,
    .lead_answers = true,
    .home = "",
    .homes = homes,
    .markers = markers,
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .roster_pattern = "teams/{team}/config.json",
    .roster_home = ".",
    .outsiders = outsiders,
    .parse_roster = claude_parse_roster,
    .default_team = "default",
    .name_variable = "CLAUDE_CODE_AGENT_NAME",
    .team_variable = "CLAUDE_CODE_TEAM_NAME",
    .task_pattern = "tasks/{team}/*.json",
    .parse_task = claude_parse_task,
    .file_mode = 0666,
    .dir_mode = 0777,
    .verbs =
        {
            [VERB_SEND] = {ABILITY_NATIVE, "an entry at the end of the inbox, under its lock"},
            [VERB_REPLY] = {ABILITY_CONVENTION, "an entry for the sender, summary Re: ..."},
            [VERB_HANDOFF] = {ABILITY_CONVENTION, "a text that says it all, summary Handoff: ..."},
            [VERB_BROADCAST] = {ABILITY_NATIVE, "an entry for each member of the team"},
            [VERB_READ] = {ABILITY_NATIVE, "the read flag, in one's own inbox only"},
            [VERB_PROCESSING] = {ABILITY_NONE, "kept here"},
            [VERB_COMPLETED] = {ABILITY_NONE, "kept here; tasks belong to the agents"},
            [VERB_FAILED] = {ABILITY_NONE, "kept here"},
            [VERB_ARCHIVE] = {ABILITY_NONE, "hidden here, with a copy; the inbox stays whole"},
            [VERB_EXPIRE] = {ABILITY_NONE, "nothing expires"},
            [VERB_CLEANUP] = {ABILITY_NONE, "only an orphaned team's inbox, on request"},
            [VERB_PLAN] = {ABILITY_NATIVE, "plan_approval_response"},
            [VERB_PERMISSION] = {ABILITY_NATIVE, "permission_response"},
            [VERB_SHUTDOWN] = {ABILITY_NATIVE, "shutdown_request"},
            [VERB_MODE] = {ABILITY_NATIVE, "mode_set_request"},
            [VERB_ASSIGN] = {ABILITY_NATIVE, "task_assignment"},
            [VERB_RULES] = {ABILITY_NATIVE, "team_permission_update, an entry for each teammate"},
            [VERB_ESCALATE] = {ABILITY_NONE, "no message is one"},
        },
    .priorities = {0, PRIORITY_NORMAL, PRIORITY_NORMAL, PRIORITY_NORMAL, PRIORITY_NORMAL},
    .by_subject = true,
    .stand_in = '-',
    .box_name = claude_box_name,
    .parse = claude_parse,
    .compose = claude_compose,
    .append = claude_append,
    .overwritten = claude_overwritten,
    .holds = claude_holds,
    .reply = claude_reply,
    .broadcast = claude_broadcast,
    .state_keys = state_keys,
    .edit = claude_edit,
    .warn = claude_warn,
};
