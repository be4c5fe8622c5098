/* Verdicts: which decision is meant, what has to be typed with it, and whether it may be made. */
#include "ui/verdict.h"

#include "base/mem.h"
#include "mail/ask.h"
#include "mail/ask_text.h"
#include "mail/protocol.h"
#include "mail/tool.h"
#include "ui/holding.h"
#include "ui/plan_file.h"
#include "ui/prompt.h"
#include "ui/ui_private.h"
#include "ui/verdict_input.h"

#include <stdlib.h>

/* --- which one --- */

bool verdict_of(enum action action, enum kind kind, enum decision *decision, struct err *err)
{
    bool by_use = kind == KIND_PERMISSION || kind == KIND_HOST;
    bool yes = action != ACTION_REJECT && action != ACTION_DENY;
    bool once = action == ACTION_GRANT || action == ACTION_DENY;

    if (!decision_of(kind, yes, decision))
        return err_set(err, ERR_REFUSED, "there is nothing to decide about it");
    if (by_use && (action == ACTION_APPROVE || action == ACTION_REJECT))
        return err_set(
            err, ERR_REFUSED,
            kind == KIND_HOST
                ? "ao allows the host, ad denies it"
                : "ao grants it once, as for the session, ap by a pattern, ad denies it");
    if (!by_use && (once || action == ACTION_GRANT_SESSION || action == ACTION_GRANT_PATTERN))
        return err_set(err, ERR_REFUSED, "aa says yes to it, ar says no");
    if (kind != KIND_PERMISSION &&
        (action == ACTION_GRANT_SESSION || action == ACTION_GRANT_PATTERN))
        return err_set(err, ERR_REFUSED, "only the use of a tool can be granted for longer");
    if (action == ACTION_AMEND && kind != KIND_PERMISSION && kind != KIND_PLAN)
        return err_set(err, ERR_REFUSED, "there is nothing in it to be changed; reply to it");
    return true;
}

static bool asks_us(const struct message *request)
{
    return message_asks(request) && message_for_us(request);
}

bool verdict_offers(const struct message *request, enum action action)
{
    enum decision ignored;
    struct err why;

    if (!request || !asks_us(request))
        return false;
    return action > ACTION_DENY || verdict_of(action, request->kind, &ignored, &why);
}

bool verdict_may(const struct shown *shown, enum decision decision, struct err *err)
{
    const struct request *request = shown_request(shown);

    if (!request)
        return err_set(err, ERR_REFUSED, "it is still being read; nothing was decided");
    if (!decisions[decision].yes)
        return true;
    if (request->refusal.at)
        return err_set(err, ERR_REFUSED, "it cannot be %s: %.*s", decisions[decision].done,
                       (int)request->refusal.len, request->refusal.at);
    if (!shown->seen_end)
        return err_set(err, ERR_REFUSED, "read it to its end first: Space goes on");
    return true;
}

/* --- making it --- */

/* What is being decided while something is typed with it. */
struct making {
    struct ui *ui;
    uint64_t screen;
    struct shown *shown; /* of that screen, while it is open */
    uint64_t stamp;      /* what it showed when the first key was pressed */
    enum decision decision;
    enum action action;
    struct str pattern;
    struct prompt_spec spec; /* with a label of its own */
    struct str label;
};

static void making_free(void *context)
{
    struct making *making = context;

    str_free(&making->pattern);
    str_free(&making->label);
    free(making);
}

static struct making *making_new(struct screen *screen, struct shown *shown, enum decision decision,
                                 enum action action)
{
    struct making *making = mem_zero(1, sizeof *making);

    *making = (struct making){.ui = screen->ui,
                              .screen = screen->id,
                              .shown = shown,
                              .stamp = shown->stamp,
                              .decision = decision,
                              .action = action};
    return making;
}

static void hold(struct ui *ui, const struct shown *shown, enum decision decision,
                 const struct decision_terms *terms)
{
    const struct request *request = shown_request(shown);
    const struct message *head = picture_find(ui_picture(ui), str_span(&shown->key));
    unsigned numbers[SHOWN_SUGGESTIONS];
    struct str asked = {0};

    if (!head) {
        ui_say(ui, LOOK_ERROR, "the request is gone; nothing was decided");
        return;
    }
    struct verdict verdict = {
        .request = head, .sha256 = request->sha256, .decision = decision, .terms = *terms};
    if (decision == DECISION_GRANT) {
        for (unsigned i = 0; i < SHOWN_SUGGESTIONS; i++)
            if (shown->chosen[i])
                numbers[verdict.terms.suggested_count++] = i + 1;
        verdict.terms.suggested = numbers;
        if (shown->amended.len)
            verdict.terms.input = str_span(&shown->amended);
    }
    ask_add_title(&asked, request->message);
    verdict.asked = str_span(&asked);
    holding_add(ui, &verdict);
    str_free(&asked);
}

/* What was typed is for what was on the screen when it was begun, or for nothing. */
static bool is_still_meant(const struct making *making)
{
    struct ui *ui = making->ui;

    if (ui_screen(ui, making->screen) && making->shown->stamp == making->stamp &&
        shown_request(making->shown))
        return true;
    ui_say(ui, LOOK_ERROR, "the request has changed meanwhile; nothing was decided");
    return false;
}

/* --- what is typed --- */

static bool accept_reason(struct ui *ui, void *context, struct span text)
{
    const struct making *making = context;
    struct decision_terms terms = {.reason = span_trim(text)};

    if (!terms.reason.len)
        terms.reason = (struct span){0};
    if (decisions[making->decision].needs_reason && !terms.reason.len) {
        ui_say(ui, LOOK_ERROR, "say why: the agent is to know what to change");
        return false;
    }
    if (is_still_meant(making))
        hold(ui, making->shown, making->decision, &terms);
    return true;
}

static bool accept_mode(struct ui *ui, void *context, struct span text)
{
    const struct making *making = context;
    struct decision_terms terms = {.mode = span_trim(text)};
    struct protocol probe = {.kind = PROTOCOL_PLAN_APPROVAL_RESPONSE,
                             .request_id = span_of("x"),
                             .verdict = VERDICT_YES,
                             .timestamp = span_of("x"),
                             .mode = terms.mode};
    struct err err;

    if (!terms.mode.len) {
        ui_say(ui, LOOK_DIM, "nothing was decided");
        return true;
    }
    if (!protocol_check(&probe, &err)) {
        ui_say(ui, LOOK_ERROR, "%s", err.text);
        return false;
    }
    if (is_still_meant(making))
        hold(ui, making->shown, making->decision, &terms);
    return true;
}

/* A word that nobody types by accident. */
static const char confirmation[] = "grant";

static bool accept_confirmation(struct ui *ui, void *context, struct span text)
{
    const struct making *making = context;
    struct decision_terms terms = {.for_session = making->action != ACTION_GRANT};

    if (making->pattern.len)
        terms.pattern = str_span(&making->pattern);
    else
        terms.every_use = terms.for_session;
    if (!span_is(span_trim(text), confirmation)) {
        ui_say(ui, LOOK_WARNING, "nothing was granted: the word is \"%s\"", confirmation);
        return true;
    }
    if (is_still_meant(making))
        hold(ui, making->shown, making->decision, &terms);
    return true;
}

static void ask_confirmation(struct ui *ui, struct making *making)
{
    struct arena arena = {0};
    struct protocol p = {0};
    const struct request *request = shown_request(making->shown);
    const struct str *amended = &making->shown->amended;
    struct span rule = {0};

    if (request->message->data)
        protocol_parse(&p, request->message->data->protocol, &arena);
    if (making->action == ACTION_GRANT_SESSION &&
        !tool_rule(p.tool_name, amended->len ? str_span(amended) : p.input, &rule, &arena)) {
        ui_say(ui, LOOK_WARNING,
               "it holds characters that mean more in a rule; ap takes a pattern of your own");
        making_free(making);
        arena_free(&arena);
        return;
    }
    str_add_span(&making->pattern, rule);
    str_clear(&making->label);
    if (making->action == ACTION_GRANT)
        str_addf(&making->label, "with %zu of its suggestions; ", shown_chosen(making->shown));
    else if (making->pattern.len)
        str_addf(&making->label, "%.*s(%s) for the session; ", (int)p.tool_name.len, p.tool_name.at,
                 str_c(&making->pattern));
    else
        str_addf(&making->label, "EVERY use of %.*s for the session; ", (int)p.tool_name.len,
                 p.tool_name.at);
    str_addf(&making->label, "type %s: ", confirmation);
    making->spec = (struct prompt_spec){.label = str_c(&making->label),
                                        .history = -1,
                                        .accept = accept_confirmation,
                                        .free = making_free};
    ui_prompt(ui, &making->spec, (struct span){0}, making);
    arena_free(&arena);
}

static bool accept_pattern(struct ui *ui, void *context, struct span text)
{
    const struct making *old = context;
    struct screen *screen = ui_screen(ui, old->screen);

    text = span_trim(text);
    if (!text.len) {
        ui_say(ui, LOOK_DIM, "nothing was granted: there is no pattern");
        return true;
    }
    if (!is_still_meant(old))
        return true;
    struct making *making = making_new(screen, old->shown, old->decision, old->action);
    str_add_span(&making->pattern, text);
    ask_confirmation(ui, making);
    return true;
}

static void ask(struct ui *ui, struct making *making, const char *label, const char *hint,
                bool (*accept)(struct ui *ui, void *context, struct span text))
{
    making->spec = (struct prompt_spec){
        .label = label, .hint = hint, .history = -1, .accept = accept, .free = making_free};
    ui_prompt(ui, &making->spec, (struct span){0}, making);
}

static void ask_reason(struct ui *ui, struct making *making)
{
    making->spec = (struct prompt_spec){.label = "why not: ",
                                        .hint = decisions[making->decision].needs_reason
                                                    ? "what the agent is to do instead"
                                                    : "may be left empty",
                                        .history = HISTORY_REASON,
                                        .words = true,
                                        .accept = accept_reason,
                                        .free = making_free};
    ui_prompt(ui, &making->spec, (struct span){0}, making);
}

/* --- suggestions --- */

static bool choose(struct ui *ui, struct shown *shown, struct span text)
{
    size_t count = shown_suggestions(shown);
    char *end;
    struct str word = {0};

    str_add_span(&word, span_trim(text));
    unsigned long number = strtoul(str_c(&word), &end, 10);
    bool ok = word.len && !*end && number > 0 && number <= count;
    str_free(&word);
    if (!ok) {
        ui_say(ui, LOOK_ERROR, "its suggestions have the numbers 1 to %zu", count);
        return false;
    }
    shown->chosen[number - 1] = !shown->chosen[number - 1];
    ui_say(ui, LOOK_WARNING, "suggestion %lu is %s; nothing is granted yet", number,
           shown->chosen[number - 1] ? "chosen" : "off");
    page_stale(&shown->page);
    return true;
}

static bool accept_suggestion(struct ui *ui, void *context, struct span text)
{
    const struct making *making = context;

    return !is_still_meant(making) || choose(ui, making->shown, text);
}

static void ask_suggestion(struct screen *screen, struct shown *shown, struct span argument)
{
    struct ui *ui = screen->ui;

    if (!shown_suggestions(shown))
        ui_say(ui, LOOK_DIM, "it suggests nothing");
    else if (argument.len)
        choose(ui, shown, argument);
    else
        ask(ui, making_new(screen, shown, DECISION_GRANT, ACTION_SUGGESTION),
            "suggestion: ", "its number; the same again switches it off", accept_suggestion);
}

/* --- the keys --- */

static void decide(struct screen *screen, struct shown *shown, enum decision decision,
                   enum action action)
{
    struct ui *ui = screen->ui;
    const struct request *request = shown_request(shown);
    struct decision_terms none = {0};

    if (!decisions[decision].yes && decision != DECISION_DENY_HOST) {
        ask_reason(ui, making_new(screen, shown, decision, action));
    } else if (action == ACTION_AMEND && request->message->kind == KIND_PERMISSION) {
        verdict_amend(ui, shown);
    } else if (action == ACTION_AMEND) {
        ask(ui, making_new(screen, shown, decision, action),
            "approve with the mode: ", "default, acceptEdits, plan, ...; empty decides nothing",
            accept_mode);
    } else if (action == ACTION_GRANT_PATTERN) {
        ask(ui, making_new(screen, shown, decision, action),
            "pattern: ", "as the agent's program takes it, such as make:*", accept_pattern);
    } else if (action == ACTION_GRANT_SESSION || (action == ACTION_GRANT && shown_chosen(shown))) {
        ask_confirmation(ui, making_new(screen, shown, decision, action));
    } else {
        hold(ui, shown, decision, &none);
    }
}

bool verdict_act(struct screen *screen, struct shown *shown, const struct message *request,
                 enum action action, struct span argument)
{
    enum decision decision;
    struct ui *ui = screen->ui;
    struct err err;

    if (action < ACTION_APPROVE || action > ACTION_PLAN_FILE)
        return false;
    if (!request)
        ui_say(ui, LOOK_DIM, "there is nothing to decide");
    else if (!asks_us(request))
        ui_say(ui, LOOK_WARNING, "it asks nothing of you: there is nothing to decide");
    else if (holding_has(ui, str_span(&shown->key)))
        ui_say(ui, LOOK_WARNING, "it is decided already, and held; u takes it back");
    else if (action == ACTION_SUGGESTION)
        ask_suggestion(screen, shown, argument);
    else if (action == ACTION_PLAN_FILE)
        plan_file_compare(ui, shown);
    else if (!verdict_of(action, request->kind, &decision, &err) ||
             !verdict_may(shown, decision, &err))
        ui_say(ui, LOOK_WARNING, "%s", err.text);
    else
        decide(screen, shown, decision, action);
    return true;
}
