/* Decisions: the table of verbs, and the answers of the protocol. */
#include "mail/protocol/decision.h"

#include "mail/protocol/tool.h"
#include "mail/security/approval_check.h"

/* The text that an agent gets when its request is denied without a reason. */
static const char denied[] = "Permission denied";

#define KIND(kind) (1u << KIND_##kind)

const struct decision_info decisions[DECISION_COUNT] = {
    [DECISION_APPROVE] = {.name = "approve",
                          .done = "approved",
                          .words = "Approved",
                          .kinds = KIND(PLAN),
                          .yes = true},
    [DECISION_REJECT] = {.name = "reject",
                         .done = "rejected",
                         .words = "Rejected",
                         .kinds = KIND(PLAN),
                         .says = true,
                         .needs_reason = true},
    [DECISION_GRANT] = {.name = "grant",
                        .done = "granted",
                        .words = "Granted",
                        .kinds = KIND(PERMISSION),
                        .yes = true},
    [DECISION_DENY] = {.name = "deny",
                       .done = "denied",
                       .words = "Denied",
                       .kinds = KIND(PERMISSION),
                       .says = true},
    [DECISION_ALLOW_HOST] = {.name = "allow-host",
                             .done = "allowed",
                             .words = "Allowed",
                             .kinds = KIND(HOST),
                             .yes = true},
    [DECISION_DENY_HOST] = {.name = "deny-host",
                            .done = "denied",
                            .words = "Denied",
                            .kinds = KIND(HOST)},
    [DECISION_ACCEPT] = {.name = "accept",
                         .done = "accepted",
                         .words = "Accepted",
                         .kinds =
                             KIND(HANDOFF) | KIND(QUESTION) | KIND(ESCALATION) | KIND(SHUTDOWN),
                         .yes = true},
    [DECISION_DECLINE] = {.name = "decline",
                          .done = "declined",
                          .words = "Declined",
                          .kinds =
                              KIND(HANDOFF) | KIND(QUESTION) | KIND(ESCALATION) | KIND(SHUTDOWN),
                          .says = true,
                          .needs_reason = true},
};

bool decision_parse(struct span word, enum decision *decision)
{
    for (unsigned i = 0; i < DECISION_COUNT; i++) {
        if (span_is(word, decisions[i].name)) {
            *decision = i;
            return true;
        }
    }
    return false;
}

bool decision_of(enum kind kind, bool yes, enum decision *decision)
{
    for (unsigned i = 0; i < DECISION_COUNT; i++) {
        if (decisions[i].kinds >> kind & 1 && decisions[i].yes == yes) {
            *decision = i;
            return true;
        }
    }
    return false;
}

/* Permissions. */

/* Appends the chosen suggestions, each as it is in the request. */
static bool add_suggested(struct str *out, struct span suggestions,
                          const struct decision_terms *terms, struct err *err)
{
    for (size_t i = 0; i < terms->suggested_count; i++) {
        struct json_walk walk;
        struct json none, item;
        unsigned number = 0;
        bool open = suggestions.len && json_open(&walk, suggestions, JSON_STRICT, err);
        while (open && number < terms->suggested[i] && json_next(&walk, &none, &item))
            number++;
        if (!number || number != terms->suggested[i])
            return err_set(err, ERR_REFUSED, "the request has no suggestion %u",
                           terms->suggested[i]);
        str_puts(out, out->len > 1 ? "," : "");
        str_add_span(out, item.raw);
    }
    return true;
}

/* Appends a rule for the rest of the session, as the agents' own program writes one. */
static void add_rule(struct str *out, struct span tool, const struct decision_terms *terms)
{
    str_puts(out, out->len > 1 ? "," : "");
    str_puts(out, "{\"type\":\"addRules\",\"rules\":");
    protocol_add_rules(out, tool, &terms->pattern, terms->pattern.len ? 1 : 0);
    str_puts(out, ",\"behavior\":\"allow\",\"destination\":\"session\"}");
}

/* Checks an amended input. It is the person's own text: its problems are reported, and it is not
 * sent. */
static bool check_input(struct span input, struct span *object, struct err *err)
{
    struct json value;

    if (!json_scan(input, JSON_STRICT, &value, err)) {
        err->scope = ERR_REFUSED;
        return err_at(err, "the changed input");
    }
    if (value.kind != JSON_OBJECT)
        return err_set(err, ERR_REFUSED, "the changed input is no JSON object");
    CLEANUP(str_free) struct str why = {0};
    *object = value.raw;
    return !approval_refuses_input(&why, value) || err_set(err, ERR_REFUSED, "%s", str_c(&why));
}

bool decision_settle(struct decision_terms *terms, const struct protocol *request,
                     struct arena *arena, struct err *err)
{
    struct span input = terms->input.at ? terms->input : request->input;

    if (!terms->for_session || terms->pattern.len || terms->every_use ||
        request->kind != PROTOCOL_PERMISSION_REQUEST)
        return true;
    if (!tool_rule(request->tool_name, input, &terms->pattern, arena)) {
        terms->pattern = (struct span){0};
        return err_set(err, ERR_REFUSED,
                       "it holds characters that mean more in a rule: give a pattern of your own");
    }
    if (terms->pattern.len)
        return true;
    return err_set(err, ERR_REFUSED,
                   "nothing in its input says what is done: only every use of %.*s could be "
                   "granted for the session",
                   (int)request->tool_name.len, request->tool_name.at);
}

static bool compose_grant(struct protocol *answer, const struct protocol *request,
                          const struct decision_terms *terms, struct arena *arena, struct err *err)
{
    CLEANUP(str_free) struct str updates = {0};
    bool ok = !terms->for_session || terms->pattern.len || terms->every_use;

    if (!ok)
        err_set(err, ERR_REFUSED, "for the session a grant needs a rule");
    answer->updated_input = request->input;
    if (ok && terms->input.at)
        ok = check_input(terms->input, &answer->updated_input, err);
    str_putc(&updates, '[');
    ok = ok && add_suggested(&updates, request->suggestions, terms, err);
    if (terms->for_session)
        add_rule(&updates, request->tool_name, terms);
    str_putc(&updates, ']');
    answer->permission_updates = arena_copy(arena, str_span(&updates));
    return ok;
}

/* All kinds. */

/* Checks that the verb answers requests of that kind; the error names the verbs that do. */
static bool check_kind(enum decision decision, enum kind kind, const char *what, struct err *err)
{
    enum decision yes, no = decision;

    if (decisions[decision].kinds >> kind & 1)
        return true;
    if (!decision_of(kind, true, &yes))
        return err_set(err, ERR_REFUSED, "a %s is not answered with %s", what,
                       decisions[decision].name);
    decision_of(kind, false, &no); /* every kind that has a yes has a no */
    return err_set(err, ERR_REFUSED, "a %s is not answered with %s; it takes %s or %s", what,
                   decisions[decision].name, decisions[yes].name, decisions[no].name);
}

static enum kind kind_of(const struct protocol *request)
{
    static const enum kind kinds[PROTOCOL_KIND_COUNT] = {
        [PROTOCOL_PLAN_APPROVAL_REQUEST] = KIND_PLAN,
        [PROTOCOL_PERMISSION_REQUEST] = KIND_PERMISSION,
        [PROTOCOL_SANDBOX_PERMISSION_REQUEST] = KIND_HOST,
        [PROTOCOL_SHUTDOWN_REQUEST] = KIND_SHUTDOWN,
    };

    return protocol_wants_answer(request->kind) ? kinds[request->kind] : KIND_MESSAGE;
}

static bool check_terms(enum decision decision, const struct decision_terms *terms, struct err *err)
{
    const struct decision_info *info = &decisions[decision];
    const struct {
        bool used;
        enum decision by;
        const char *what;
    } uses[] = {
        {terms->mode.at, DECISION_APPROVE, "a permission mode"},
        {terms->input.at, DECISION_GRANT, "another input"},
        {terms->suggested_count, DECISION_GRANT, "a suggestion"},
        {terms->for_session || terms->pattern.at, DECISION_GRANT, "a rule"},
    };

    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (uses[i].used && uses[i].by != decision)
            return err_set(err, ERR_REFUSED, "%s goes with %s, not with %s", uses[i].what,
                           decisions[uses[i].by].name, info->name);
    if (info->needs_reason && !span_trim(terms->reason).len)
        return err_set(err, ERR_REFUSED, "%s needs a reason: the agent is to know what to change",
                       info->name);
    return true;
}

bool decision_answer(struct protocol *answer, enum decision decision,
                     const struct protocol *request, const struct decision_terms *terms,
                     int64_t now_us, struct arena *arena, struct err *err)
{
    const struct decision_info *info = &decisions[decision];
    CLEANUP(str_free) struct str time = {0};

    *answer = (struct protocol){.kind = protocol_answer_kind(request->kind),
                                .request_id = request->request_id,
                                .verdict = info->yes ? VERDICT_YES : VERDICT_NO};
    if (!check_kind(decision, kind_of(request), protocol_kind_name(request->kind), err))
        return false;
    if (!check_terms(decision, terms, err))
        return false;
    time_add_utc_ms(&time, now_us);
    answer->timestamp = arena_copy(arena, str_span(&time));
    switch (request->kind) {
    case PROTOCOL_PERMISSION_REQUEST:
        answer->denied = !info->yes;
        answer->error = terms->reason.len ? terms->reason : span_of(denied);
        if (info->yes && !compose_grant(answer, request, terms, arena, err))
            return false;
        break;
    case PROTOCOL_SANDBOX_PERMISSION_REQUEST:
        answer->host = request->host;
        break;
    case PROTOCOL_PLAN_APPROVAL_REQUEST:
        if (info->yes) /* the agent would never see a comment on an approval */
            answer->mode = terms->mode.at ? terms->mode : span_of("default");
        else
            answer->feedback = terms->reason;
        break;
    default: /* a shutdown */
        answer->kind = info->yes ? PROTOCOL_SHUTDOWN_APPROVED : PROTOCOL_SHUTDOWN_REJECTED;
        answer->reason = terms->reason;
        break;
    }
    return true;
}

/* Answers in words. */

/* Appends the object that programs look for, by custom. */
static void add_payload(struct str *out, enum kind kind, bool yes)
{
    static const char *const words[KIND_COUNT] = {
        [KIND_PLAN] = "plan_approval", [KIND_PERMISSION] = "permission", [KIND_HOST] = "host",
        [KIND_SHUTDOWN] = "shutdown",  [KIND_HANDOFF] = "handoff",
    };

    if (words[kind])
        str_addf(out, "{\"x_protocol\":\"%s\",\"approved\":%s}", words[kind],
                 yes ? "true" : "false");
}

bool decision_say(struct draft *draft, enum decision decision, const struct message *request,
                  const struct decision_terms *terms, struct decision_carrier carrier,
                  struct arena *arena, struct err *err)
{
    const struct decision_info *info = &decisions[decision];
    CLEANUP(str_free) struct str body = {0}, payload = {0};

    if (!check_kind(decision, request->kind, kind_name(request->kind), err))
        return false;
    if (terms->input.at || terms->suggested_count || terms->for_session)
        return err_set(err, ERR_REFUSED,
                       "only a program can take another input, a suggestion or a rule, and none "
                       "waits for this answer; say it in words");
    if (!check_terms(decision, terms, err))
        return false;
    str_puts(&body, info->words);
    if (terms->mode.at)
        str_addf(&body, " (permission mode: %.*s)", (int)terms->mode.len, terms->mode.at);
    str_puts(&body, terms->reason.len ? ": " : ".");
    str_add_span(&body, terms->reason);
    draft->body = arena_copy(arena, str_span(&body));
    add_payload(&payload, request->kind, info->yes);
    if (carrier.payload && payload.len)
        draft->payload = arena_copy(arena, str_span(&payload));
    else if (carrier.type && request->kind == KIND_PLAN)
        draft->type = span_of("plan-approval");
    else if (carrier.type && draft->type.len)
        draft->type = span_of("response"); /* the request's type would make it a request */
    return true;
}

void decision_add_terms(struct str *out, enum decision decision, const struct decision_terms *terms)
{
    size_t before = out->len;

    if (terms->mode.at)
        str_addf(out, "mode %.*s", (int)terms->mode.len, terms->mode.at);
    else if (decision == DECISION_APPROVE)
        str_puts(out, "mode default");
    if (terms->input.at)
        str_addf(out, "with the input %.*s instead", (int)terms->input.len, terms->input.at);
    for (size_t i = 0; i < terms->suggested_count; i++)
        str_addf(out, "%ssuggestion %u", out->len > before ? ", " : "", terms->suggested[i]);
    if (terms->for_session && terms->pattern.len)
        str_addf(out, "%sfor the session: %.*s", out->len > before ? ", " : "",
                 (int)terms->pattern.len, terms->pattern.at);
    else if (terms->for_session)
        str_addf(out, "%sfor the session: every use", out->len > before ? ", " : "");
    if (terms->reason.len)
        str_addf(out, "%s\"%.*s\"", out->len > before ? ", " : "", (int)terms->reason.len,
                 terms->reason.at);
}

/* Reactions of the agent. */

static bool answers(const struct message *message, const struct decision_sent *sent)
{
    return message->reply_to.len &&
           ((sent->request.len && span_eq(message->reply_to, sent->request)) ||
            span_eq(message->reply_to, sent->answer));
}

bool decision_is_reaction(const struct message *message, const struct decision_sent *sent)
{
    enum { SLACK_US = 2000000 }; /* for the clocks of two programs on one machine */

    if (message->damaged || message->by_us || span_eq(message->id, sent->answer) ||
        !span_eq(message->from, sent->agent) || !span_eq(message->place->team, sent->team))
        return false;
    /* the time that replaces one from the future does not say when the message was written */
    return answers(message, sent) ||
           (sent->noticed && !(message->flags & MESSAGE_AHEAD) &&
            message->created_us >= sent->sent_us && message->created_us <= sent->now_us + SLACK_US);
}

void decision_add_reaction(struct str *out, const struct message *message,
                           const struct decision_sent *sent)
{
    if (!answers(message, sent)) {
        str_puts(out, "the agent has written since");
        return;
    }
    str_puts(out, "the agent has answered: ");
    str_add_span(out, span_first_line(message->subject));
}
