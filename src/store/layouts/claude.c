/* The Claude layout: names, new entries, and its table. */
#include "store/layouts/claude.h"

#include "base/json/json_print.h"
#include "base/text/utf8.h"
#include "mail/protocol/protocol.h"
#include "mail/protocol/teammate_tag.h"
#include "store/layouts/claude_private.h"

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

/* Every UTF-16 unit that is no letter, digit, dash or underscore becomes a dash. The variants are
 * in use too: runs of them become one dash; or underscores go as well, and capitals. */
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

/* Summaries and names are pasted into tags for the model: nothing in them may end one. */
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
        else if (code < 0x20 || code == 0x7f) /* what is not UTF-8 is less than 0 */
            code = ' ';
        utf8_add(out, code);
    }
    if (cut)
        str_puts(out, "\xe2\x80\xa6");
}

static void add_summary(struct str *out, const struct draft *draft)
{
    struct str text = {0};

    if (draft->priority >= PRIORITY_HIGH)
        str_puts(&text, draft->priority == PRIORITY_URGENT ? "[URGENT] " : "[HIGH] ");
    if (draft->handoff)
        str_puts(&text, "Handoff: ");
    str_add_span(&text, draft->subject);
    add_attribute(out, span_trim(str_span(&text)));
    str_free(&text);
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

/* A word, or a number sign and digits: what else a roster calls a colour is nobody's. */
static bool is_color(struct span color)
{
    for (size_t i = 0; i < color.len; i++)
        if (!is_plain((unsigned char)color.at[i], true) && color.at[i] != '#')
            return false;
    return color.len > 0;
}

/* A text that the recipient's program acts on travels without a summary. */
static bool is_protocol(const struct draft *draft)
{
    struct protocol protocol;
    struct arena scratch = {0};
    bool known = draft->protocol.at ||
                 (draft->body.len && protocol_parse(&protocol, draft->body, &scratch) &&
                  protocol.kind != PROTOCOL_UNKNOWN);

    arena_free(&scratch);
    return known;
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

/* The keys in the order that the programs themselves write them in. */
static bool claude_compose(const struct draft *draft, struct str *name, struct str *bytes,
                           struct err *err)
{
    struct str summary = {0}, text = {0}, time = {0};

    if (!check_sender(draft->from, err) || !claude_box_name(name, draft->to, 0, err))
        return false;
    str_puts(name, ".json");
    add_text(&text, draft);
    add_summary(&summary, draft);
    when_add_utc_ms(&time, draft->created_us);

    cJSON *tree = cJSON_CreateObject();
    json_add_text(tree, "from", draft->from);
    json_add_text(tree, "text", str_span(&text));
    if (summary.len && !is_protocol(draft))
        json_add_text(tree, "summary", str_span(&summary));
    json_add_text(tree, "timestamp", str_span(&time));
    if (!draft->protocol.at && is_color(draft->color)) /* what a lead orders has none */
        json_add_text(tree, "color", draft->color);
    cJSON_AddFalseToObject(tree, "read");
    json_put_tree(bytes, tree, &json_style_node);
    cJSON_Delete(tree);
    str_free(&summary);
    str_free(&text);
    str_free(&time);
    return true;
}

static void claude_reply(const struct message *original, struct draft *draft, struct arena *arena)
{
    struct str subject = {0};

    if (!span_starts(original->subject, span_of("Re: ")))
        str_puts(&subject, "Re: ");
    str_add_span(&subject, original->subject);
    draft->to = original->from;
    draft->team = original->place->team;
    draft->subject = arena_copy(arena, str_span(&subject));
    str_free(&subject);
}

static void claude_broadcast(struct draft *draft, struct span swarm, struct arena *arena)
{
    (void)arena;
    draft->team = swarm;
}

static const char *claude_warn(const struct draft *draft)
{
    struct str text = {0};

    add_text(&text, draft);
    bool tag = teammate_tag_found(str_span(&text));
    str_free(&text);
    if (tag)
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
    .keeping = KEEP_ARRAY,
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
