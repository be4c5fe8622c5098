/* The OpenClaw teams mailbox, writing: names, new messages, marking as read, and its table. */
#include "store/layouts/openclaw.h"

#include "base/json/json_edit.h"
#include "base/json/json_print.h"
#include "base/text/utf8.h"
#include "base/uuid.h"

#include <ctype.h>

enum { NAME_BYTES_MAX = 255, ANSWERED_CHARS = 8 };

#define DAY_US (INT64_C(24) * 3600 * 1000000)

static bool openclaw_box_name(struct str *out, struct span agent, unsigned variant, struct err *err)
{
    if (variant)
        return false;
    if (!agent.len)
        return err_set(err, ERR_REFUSED, "the name of a teammate is empty");
    if (agent.len > NAME_BYTES_MAX)
        return err_set(err, ERR_REFUSED, "the name of a teammate is longer than %d bytes",
                       NAME_BYTES_MAX);
    if (memchr(agent.at, '/', agent.len) || memchr(agent.at, '\0', agent.len))
        return err_set(err, ERR_REFUSED, "\"%.*s\" cannot be the name of a teammate",
                       (int)agent.len, agent.at);
    str_add_span(out, agent);
    return true;
}

static void openclaw_new_id(struct str *out, const struct draft *draft)
{
    (void)draft;
    uuid_add(out);
}

/* The gateway finds a message by its name alone, and cleans up only what is named like this. */
static bool can_be_id(struct span id)
{
    for (size_t i = 0; i < id.len; i++)
        if (isupper((unsigned char)id.at[i]))
            return false;
    return uuid_is(id);
}

/* What the gateway cleans up; capitals are no matter there. */
static bool is_gateway_name(struct span name)
{
    return span_ends(name, ".json") && uuid_is(span_without_end(name, ".json"));
}

static bool check_draft(const struct draft *draft, struct err *err)
{
    struct str box = {0};
    struct span team = draft->team;
    bool ok =
        openclaw_box_name(&box, draft->from, 0, err) && openclaw_box_name(&box, draft->to, 0, err);

    str_free(&box);
    if (!ok)
        return false;
    if (!team.len)
        return err_set(err, ERR_REFUSED,
                       "a message of OpenClaw belongs to a team, and none is named");
    if (team.len > NAME_BYTES_MAX || team.at[0] == '.' || memchr(team.at, '/', team.len) ||
        memchr(team.at, '\0', team.len))
        return err_set(err, ERR_REFUSED, "\"%.*s\" cannot be the name of a team",
                       (int)(team.len < NAME_BYTES_MAX ? team.len : NAME_BYTES_MAX), team.at);
    if (!can_be_id(draft->id))
        return err_set(err, ERR_REFUSED,
                       "\"%.*s\" cannot be the id of a message of OpenClaw: a UUID in small "
                       "letters can",
                       (int)(draft->id.len < NAME_BYTES_MAX ? draft->id.len : NAME_BYTES_MAX),
                       draft->id.at);
    return true;
}

/* All that the sender has to say in one text: the layout has no subject. */
static void add_message(struct str *out, const struct draft *draft)
{
    struct span subject = draft->subject, body = draft->body;

    if (draft->handoff) {
        if (subject.len)
            str_addf(out, "%s%.*s\n\n", handoff_title, (int)subject.len, subject.at);
        handoff_body(out, draft->handoff, draft_giver(draft), draft->to, true);
        return;
    }
    if (draft->reply_to.len) {
        str_puts(out, "Re ");
        str_add_span(out, utf8_start(draft->reply_to, ANSWERED_CHARS));
        str_puts(out, ": ");
    }
    bool repeats = span_eq(span_trim_end(span_first_line(body)), span_trim_end(subject));
    if (subject.len && !repeats) {
        str_add_span(out, subject);
        str_puts(out, body.len ? "\n\n" : "");
    }
    str_add_span(out, body);
}

static bool openclaw_compose(const struct draft *draft, struct str *name, struct str *bytes,
                             struct err *err)
{
    struct str message = {0}, created = {0};
    const char *const *keys = openclaw_keys;

    if (!check_draft(draft, err))
        return false;
    cJSON *tree = cJSON_CreateObject();
    add_message(&message, draft);
    str_addf(&created, "%lld", (long long)(draft->created_us / 1000));
    json_add_text(tree, keys[OPENCLAW_ID], draft->id);
    json_add_text(tree, keys[OPENCLAW_TEAM], draft->team);
    json_add_text(tree, keys[OPENCLAW_FROM], draft->from);
    json_add_text(tree, keys[OPENCLAW_TO], draft->to);
    json_add_text(tree, keys[OPENCLAW_MESSAGE], str_span(&message));
    json_add_text(tree, keys[OPENCLAW_PRIORITY],
                  span_of(draft->priority == PRIORITY_URGENT ? "urgent" : "normal"));
    cJSON_AddFalseToObject(tree, keys[OPENCLAW_READ]);
    json_add_raw(tree, keys[OPENCLAW_CREATED], str_span(&created));
    json_put_tree(bytes, tree, &json_style_node);
    str_putc(bytes, '\n');
    str_add_span(name, draft->id);
    str_puts(name, ".json");
    cJSON_Delete(tree);
    str_free(&message);
    str_free(&created);
    return true;
}

static void openclaw_reply(const struct message *original, struct draft *draft, struct arena *arena)
{
    (void)arena;
    draft->to = original->from;
    draft->team = original->place->team;
    draft->reply_to = original->id;
    if (original->priority == PRIORITY_URGENT)
        draft->priority = PRIORITY_URGENT;
}

static void openclaw_broadcast(struct draft *draft, struct span swarm, struct arena *arena)
{
    (void)arena;
    draft->to = span_of("all");
    if (!draft->team.at)
        draft->team = swarm;
}

static bool openclaw_edit(struct span bytes, const struct change *change, struct str *out,
                          struct err *err)
{
    const struct json_set set = {openclaw_keys[OPENCLAW_READ], {"true", 4}};
    struct batch batch = {0};
    struct place nowhere = {0};
    struct mail_file file = {.place = &nowhere, .name = span_of(""), .bytes = bytes};
    bool ok = openclaw_parse(&file, WANT_HEAD, &batch, err);

    const char *owner = ok ? openclaw_decided_by(&batch.items[0]) : NULL;
    if (owner)
        ok = err_set(err, ERR_REFUSED, "%s", owner);
    else if (ok && batch.items[0].damaged)
        ok = err_set(err, ERR_REFUSED, "it is damaged and is left alone: %s",
                     batch.items[0].damaged);
    else if (ok && change->status != STATUS_READ)
        ok = err_set(err, ERR_REFUSED, "a message of OpenClaw can only become read, not %s",
                     status_name(change->status));
    else if (ok && span_is(batch.items[0].to, "all"))
        ok = err_set(err, ERR_REFUSED,
                     "it is for all of the team, who share one mark: marked as read, it would be "
                     "hidden from everybody else");
    ok = ok && json_set_members(out, bytes, JSON_STRICT, &set, 1, err);
    batch_free(&batch);
    return ok;
}

static const char *const state_keys[] = {"read", NULL};

static const struct place_rule rules[] = {
    {"{team}/mailbox/*.json", false},
    {"{team}/plans/*.json", false},
};

static const char *const markers[] = {"*/mailbox", NULL};

static const char *const homes[] = {"$OPENCLAW_STATE_DIR/teams",
                                    "$CLAWDBOT_STATE_DIR/teams",
                                    "~/.openclaw/teams",
                                    "~/.clawdbot/teams",
                                    "~/.moltbot/teams",
                                    "~/.moldbot/teams",
                                    NULL};

const struct format openclaw_format = {
    .name = "openclaw",
    .title = "OpenClaw teams",
    .identity = "lead",
    .keeping = KEEP_FILES,
    .archiving = ARCHIVE_LOCAL,
    .cleaning = CLEAN_READ,
    .home = "teams",
    .homes = homes,
    .markers = markers,
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .roster_pattern = "{team}/config.json",
    .roster_home = ".",
    .parse_roster = openclaw_parse_roster,
    .settings_file = "../openclaw.json",
    .parse_settings = openclaw_parse_settings,
    .lasts_us = DAY_US,
    .cleans = is_gateway_name,
    .file_mode = 0600,
    .dir_mode = 0700,
    .verbs =
        {
            [VERB_SEND] = {ABILITY_NATIVE, "a new file in the team's mailbox; nobody is told"},
            [VERB_REPLY] = {ABILITY_CONVENTION, "a message to the sender, \"Re ID: ...\""},
            [VERB_HANDOFF] = {ABILITY_CONVENTION, "the whole handoff as the message's text"},
            [VERB_BROADCAST] = {ABILITY_NATIVE, "one file, addressed to all"},
            [VERB_READ] = {ABILITY_NATIVE, "read: true, only in one's own; never for all"},
            [VERB_PROCESSING] = {ABILITY_NONE, "kept here only"},
            [VERB_COMPLETED] = {ABILITY_NONE, "kept here only"},
            [VERB_FAILED] = {ABILITY_NONE, "kept here only"},
            [VERB_ARCHIVE] = {ABILITY_NONE, "hidden here, with a copy of our own"},
            [VERB_EXPIRE] = {ABILITY_CONVENTION, "createdAt and the gateway's time to live"},
            [VERB_CLEANUP] = {ABILITY_NATIVE, "removes what is read and older than its time"},
            [VERB_PLAN] = {ABILITY_CONVENTION, "a message; the gateway alone can approve"},
            [VERB_PERMISSION] = {ABILITY_NONE, "the gateway has no such file"},
            [VERB_SHUTDOWN] = {ABILITY_CONVENTION, "a message in words"},
            [VERB_MODE] = {ABILITY_NONE, "the gateway has no such file"},
            [VERB_ASSIGN] = {ABILITY_NONE, "tasks belong to the gateway"},
            [VERB_RULES] = {ABILITY_NONE, "the gateway has no such file"},
            [VERB_ESCALATE] = {ABILITY_NONE, "no message is one"},
        },
    .fields = FIELD_REPLY_TO | FIELD_ID,
    .priorities = {0, PRIORITY_NORMAL, PRIORITY_NORMAL, PRIORITY_NORMAL, PRIORITY_URGENT},
    .short_replies = true,
    .one_for_all = true,
    .caveat = "the gateway tells nobody about it: it waits until the recipient's program looks",
    .box_name = openclaw_box_name,
    .new_id = openclaw_new_id,
    .parse = openclaw_parse,
    .compose = openclaw_compose,
    .reply = openclaw_reply,
    .broadcast = openclaw_broadcast,
    .state_keys = state_keys,
    .edit = openclaw_edit,
    .decided_by = openclaw_decided_by,
};
