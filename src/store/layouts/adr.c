/* The ADR-003 agent mailbox, writing: names, new messages, changes of state, and its table. */
#include "store/layouts/adr.h"

#include "base/json/json_edit.h"
#include "base/json/json_print.h"
#include "base/uuid.h"
#include "store/layouts/adr_private.h"

enum { NAME_BYTES_MAX = 255 };

bool adr_box_name(struct str *out, struct span agent, unsigned variant, struct err *err)
{
    if (variant)
        return false;
    if (!agent.len)
        return err_set(err, ERR_REFUSED, "the name of an agent is empty");
    if (agent.len > NAME_BYTES_MAX)
        return err_set(err, ERR_REFUSED, "the name of an agent is longer than %d bytes",
                       NAME_BYTES_MAX);
    if (span_is(agent, ".") || span_is(agent, "..") || memchr(agent.at, '\0', agent.len))
        return err_set(err, ERR_REFUSED, "\"%.*s\" cannot be the name of an agent", (int)agent.len,
                       agent.at);
    for (size_t i = 0; i < agent.len; i++)
        str_putc(out, agent.at[i] == '/' || agent.at[i] == '\\' ? '_' : agent.at[i]);
    return true;
}

static void adr_new_id(struct str *out, const struct draft *draft)
{
    (void)draft;
    str_puts(out, "MSG-");
    uuid_add_hex(out, 6);
}

static void add_time(cJSON *tree, enum adr_key key, const struct draft *draft, int64_t when_us)
{
    struct str text = {0};

    if (when_us != WHEN_NONE)
        when_add_local_in(draft->zone, &text, when_us);
    json_add_text(tree, adr_fields[key].name,
                  when_us != WHEN_NONE ? str_span(&text) : (struct span){0});
    str_free(&text);
}

static void add_object(cJSON *tree, enum adr_key key, struct span raw)
{
    json_add_raw(tree, adr_fields[key].name, raw.at ? raw : span_of("{}"));
}

static bool check_draft(const struct draft *draft, struct span type, struct err *err)
{
    struct str box = {0};
    bool ok = adr_box_name(&box, draft->from, 0, err) && adr_box_name(&box, draft->to, 0, err);

    str_free(&box);
    if (!ok)
        return false;
    if (!adr_is_type(type))
        return err_set(err, ERR_REFUSED,
                       "\"%.*s\" is no message type of ADR-003: request, response, notification, "
                       "handoff and escalation are",
                       (int)type.len, type.at) ||
               err_about(err, "type");
    if (draft->requires_response && !adr_type_wants_response(type))
        return err_set(err, ERR_REFUSED,
                       "ADR-003 asks for a response by the type of the message: use the type "
                       "request, handoff or escalation");
    return true;
}

/* Without a type it is a request, as in the Python program, unless the sender expects no answer. */
static struct span type_of(const struct draft *draft)
{
    if (draft->type.at)
        return draft->type;
    if (draft->handoff)
        return span_of("handoff");
    return span_of(draft->expects_no_response ? "notification" : "request");
}

static bool adr_compose(const struct draft *draft, struct str *name, struct str *bytes,
                        struct err *err)
{
    struct span type = type_of(draft);
    struct str body = {0};

    if (!check_draft(draft, type, err))
        return false;
    cJSON *tree = cJSON_CreateObject();
    if (draft->handoff)
        handoff_body(&body, draft->handoff, draft_giver(draft), draft->to, false);
    else
        str_add_span(&body, draft->body);

    json_add_text(tree, adr_fields[KEY_ID].name, draft->id);
    json_add_text(tree, adr_fields[KEY_FROM].name, draft->from);
    json_add_text(tree, adr_fields[KEY_TO].name, draft->to);
    json_add_text(tree, adr_fields[KEY_SWARM].name, draft->swarm);
    json_add_text(tree, adr_fields[KEY_TYPE].name, type);
    json_add_text(tree, adr_fields[KEY_SUBJECT].name,
                  draft->subject.at ? draft->subject : span_of(""));
    json_add_text(tree, adr_fields[KEY_BODY].name, str_span(&body));
    add_object(tree, KEY_PAYLOAD, draft->payload);
    cJSON_AddNumberToObject(tree, adr_fields[KEY_PRIORITY].name, draft->priority);
    add_time(tree, KEY_CREATED, draft, draft->created_us);
    add_time(tree, KEY_EXPIRES, draft, draft->expires_us);
    json_add_text(tree, adr_fields[KEY_STATUS].name, span_of("unread"));
    add_time(tree, KEY_READ, draft, WHEN_NONE);
    add_time(tree, KEY_COMPLETED, draft, WHEN_NONE);
    json_add_text(tree, adr_fields[KEY_REPLY_TO].name, draft->reply_to);
    json_add_text(tree, adr_fields[KEY_THREAD].name, draft->thread);
    if (draft->handoff) {
        cJSON_AddItemToObject(tree, adr_fields[KEY_CONTEXT].name, handoff_context(draft->handoff));
        cJSON_AddItemToObject(tree, adr_fields[KEY_ATTACHMENTS].name,
                              handoff_attachments(draft->handoff));
    } else {
        add_object(tree, KEY_CONTEXT, draft->context);
        cJSON_AddItemToObject(tree, adr_fields[KEY_ATTACHMENTS].name,
                              span_list_json(&draft->attachments));
    }
    cJSON *tags = span_list_json(&draft->tags);
    if (draft->handoff)
        cJSON_InsertItemInArray(tags, 0, cJSON_CreateString("handoff"));
    cJSON_AddItemToObject(tree, adr_fields[KEY_TAGS].name, tags);

    json_put_tree(bytes, tree, &json_style_python);
    str_add_span(name, draft->id);
    str_puts(name, ".json");
    cJSON_Delete(tree);
    str_free(&body);
    return true;
}

static void adr_reply(const struct message *original, struct draft *draft, struct arena *arena)
{
    struct str subject = {0};

    str_puts(&subject, "Re: ");
    str_add_span(&subject, original->subject);
    draft->to = original->from;
    draft->subject = arena_copy(arena, str_span(&subject));
    draft->type = span_of(draft->requires_response ? "request" : "response");
    draft->priority = original->priority;
    draft->swarm = original->data->swarm;
    draft->reply_to = original->id;
    draft->thread = original->thread.len ? original->thread : original->id;
    str_free(&subject);
}

static void adr_broadcast(struct draft *draft, struct span swarm, struct arena *arena)
{
    struct str tag = {0};

    str_puts(&tag, "swarm:");
    str_add_span(&tag, swarm);
    if (!draft->type.at)
        draft->type = span_of("notification");
    draft->swarm = swarm;
    span_list_add(&draft->tags, span_of("broadcast"));
    span_list_add(&draft->tags, arena_copy(arena, str_span(&tag)));
    str_free(&tag);
}

static bool adr_edit(struct span bytes, const struct change *change, struct str *out,
                     struct err *err)
{
    struct batch batch = {0};
    struct place nowhere = {0};
    struct mail_file file = {.place = &nowhere, .name = span_of("MSG-"), .bytes = bytes};
    struct json_set sets[3];
    struct str now = {0}, status = {0};
    size_t count = 0;
    bool ok = false;

    if (!adr_parse(&file, WANT_DATA, &batch, err))
        goto out;
    const struct message *message = &batch.items[0];
    if (message->damaged) {
        err_set(err, ERR_REFUSED, "it is damaged and is left alone: %s", message->damaged);
        goto out;
    }
    str_putc(&now, '"');
    when_add_local_in(change->zone, &now, change->now_us);
    str_putc(&now, '"');
    str_addf(&status, "\"%s\"", status_name(change->status));
    sets[count++] = (struct json_set){adr_fields[KEY_STATUS].name, str_span(&status)};
    if (change->status == STATUS_READ && message->data->read_us == WHEN_NONE)
        sets[count++] = (struct json_set){adr_fields[KEY_READ].name, str_span(&now)};
    /* Archiving alone says nothing about the work: completed_at stays as it is. */
    if ((change->status == STATUS_COMPLETED || change->completes) &&
        message->data->completed_us == WHEN_NONE)
        sets[count++] = (struct json_set){adr_fields[KEY_COMPLETED].name, str_span(&now)};
    ok = json_set_members(out, bytes, JSON_PYTHON, sets, count, err);
out:
    str_free(&now);
    str_free(&status);
    batch_free(&batch);
    return ok;
}

/* Whether it was read is still told, whether it was being worked on is not. */
static bool adr_reopen(struct span bytes, struct str *out, struct err *err)
{
    struct batch batch = {0};
    struct place nowhere = {0};
    struct mail_file file = {.place = &nowhere, .name = span_of("MSG-"), .bytes = bytes};
    bool ok = adr_parse(&file, WANT_DATA, &batch, err);

    if (ok && batch.items[0].damaged)
        ok = err_set(err, ERR_REFUSED, "it is damaged and is left alone: %s",
                     batch.items[0].damaged);
    if (ok) {
        bool was_read = batch.items[0].data->read_us != WHEN_NONE;
        const struct json_set sets[] = {
            {adr_fields[KEY_STATUS].name, span_of(was_read ? "\"read\"" : "\"unread\"")},
            {adr_fields[KEY_COMPLETED].name, {"null", 4}}};
        ok = json_set_members(out, bytes, JSON_PYTHON, sets, sizeof sets / sizeof *sets, err);
    }
    batch_free(&batch);
    return ok;
}

static const char *const state_keys[] = {"status", "read_at", "completed_at", NULL};

static const struct place_rule rules[] = {
    {"{box}/inbox/*.json", false},
    {"{box}/archive/*.json", true},
};

static const char *const markers[] = {"*/inbox", NULL};

static const char *const outsiders[] = {"user", "coo", "system", NULL};

const struct format adr_format = {
    .name = "adr",
    .title = "ADR-003",
    .identity = "user",
    .keeping = KEEP_FILES,
    .archiving = ARCHIVE_COPY,
    .cleaning = CLEAN_DONE,
    .home = "workspace/mailboxes",
    .upward = true,
    .markers = markers,
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .roster_pattern = "{team}/agents/{box}.md",
    .roster_aside = '_',
    .roster_home = "../../swarms",
    .outsiders = outsiders,
    .file_mode = 0666,
    .dir_mode = 0777,
    .verbs =
        {
            [VERB_SEND] = {ABILITY_NATIVE, "a new file in the recipient's inbox"},
            [VERB_REPLY] = {ABILITY_NATIVE, "type response with reply_to and thread_id"},
            [VERB_HANDOFF] = {ABILITY_NATIVE, "type handoff with the eleven context fields"},
            [VERB_BROADCAST] = {ABILITY_NATIVE, "one message for each agent of the swarm"},
            [VERB_READ] = {ABILITY_NATIVE, "status read, read_at"},
            [VERB_PROCESSING] = {ABILITY_NATIVE, "status processing"},
            [VERB_COMPLETED] = {ABILITY_NATIVE, "completed_at; archived unless kept"},
            [VERB_FAILED] = {ABILITY_CONVENTION, "status failed, stays in the inbox"},
            [VERB_ARCHIVE] = {ABILITY_NATIVE, "status archived, moved to archive/"},
            [VERB_EXPIRE] = {ABILITY_NATIVE, "hidden after expires_at"},
            [VERB_CLEANUP] = {ABILITY_CONVENTION, "archives what is completed or expired"},
            [VERB_PLAN] = {ABILITY_CONVENTION, "type response, payload.x_protocol plan_approval"},
            [VERB_PERMISSION] = {ABILITY_CONVENTION, "type response, payload.x_protocol"},
            [VERB_SHUTDOWN] = {ABILITY_CONVENTION, "type request, payload.x_protocol shutdown"},
            [VERB_MODE] = {ABILITY_NONE, "agents have no modes"},
            [VERB_ASSIGN] = {ABILITY_NONE, "no tasks are known"},
            [VERB_RULES] = {ABILITY_NONE, "agents have no rules"},
            [VERB_ESCALATE] = {ABILITY_NATIVE,
                               "type escalation to coo or user, payload.escalation_id"},
        },
    .fields = FIELD_TYPE | FIELD_TAGS | FIELD_ATTACHMENTS | FIELD_PAYLOAD | FIELD_CONTEXT |
              FIELD_EXPIRES | FIELD_THREAD | FIELD_REPLY_TO | FIELD_SWARM | FIELD_RESPONSE |
              FIELD_SUBJECT | FIELD_ID | FIELD_HANDOFF,
    .priorities = {0, PRIORITY_LOW, PRIORITY_NORMAL, PRIORITY_HIGH, PRIORITY_URGENT},
    .exact_to = true,
    .stand_in = '_',
    .box_name = adr_box_name,
    .new_id = adr_new_id,
    .parse = adr_parse,
    .compose = adr_compose,
    .reply = adr_reply,
    .broadcast = adr_broadcast,
    .edit = adr_edit,
    .state_keys = state_keys,
    .reopen = adr_reopen,
};
