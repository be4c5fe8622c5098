/* Verdicts: what has to be typed before a decision is made, and making it. */
#include "base/mem.h"
#include "mail/protocol/order.h"
#include "mail/protocol/protocol.h"
#include "mail/protocol/tool.h"
#include "mail/thread/ask_text.h"
#include "ui/decide/holding.h"
#include "ui/decide/verdict_input.h"
#include "ui/decide/verdict_private.h"
#include "ui/ui_private.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

/* What is being decided while something is typed with it. */
struct making {
    struct ui *ui;
    uint64_t screen;
    struct request_page *shown; /* of that screen, while it is open */
    uint64_t stamp;             /* what it showed when the first key was pressed */
    enum decision decision;
    enum action action;
    struct str pattern, mode;
    void (*next)(struct ui *ui, struct making *making); /* once the agent's name was typed */
    struct prompt_spec spec;                            /* with a label of its own */
    struct str label;
};

static void making_free(void *context)
{
    struct making *making = context;

    str_free(&making->pattern);
    str_free(&making->mode);
    str_free(&making->label);
    free(making);
}

static struct making *making_new(struct screen *screen, struct request_page *shown,
                                 enum decision decision, enum action action)
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

/* The same for another question: a prompt frees its own. */
static struct making *again(const struct making *old)
{
    struct making *making = mem_zero(1, sizeof *making);

    *making = *old;
    making->pattern = making->mode = making->label = (struct str){0};
    str_add_span(&making->pattern, str_span(&old->pattern));
    str_add_span(&making->mode, str_span(&old->mode));
    return making;
}

static void hold(struct ui *ui, const struct request_page *shown, enum decision decision,
                 const struct decision_terms *terms)
{
    const struct request *request = request_page_request(shown);
    const struct message *head = picture_find(ui_picture(ui), str_span(&shown->key));
    unsigned numbers[REQUEST_PAGE_SUGGESTIONS];
    struct str asked = {0};

    if (!head) {
        ui_say(ui, LOOK_ERROR, "the request is gone; nothing was decided");
        return;
    }
    struct verdict verdict = {
        .request = head, .sha256 = request->sha256, .decision = decision, .terms = *terms};
    if (decision == DECISION_GRANT) {
        for (unsigned i = 0; i < REQUEST_PAGE_SUGGESTIONS; i++)
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
        request_page_request(making->shown))
        return true;
    ui_say(ui, LOOK_ERROR, "the request has changed meanwhile; nothing was decided");
    return false;
}

static void ask(struct ui *ui, struct making *making, const char *hint,
                bool (*accept)(struct ui *ui, void *context, struct span text))
{
    making->spec = (struct prompt_spec){.label = str_c(&making->label),
                                        .hint = hint,
                                        .history = -1,
                                        .accept = accept,
                                        .free = making_free};
    ui_prompt(ui, &making->spec, (struct span){0}, making);
}

/* The same for words to the agent, which are not lost when they are given up. */
static void ask_words(struct ui *ui, struct making *making, const char *hint,
                      bool (*accept)(struct ui *ui, void *context, struct span text))
{
    making->spec = (struct prompt_spec){.label = str_c(&making->label),
                                        .hint = hint,
                                        .history = HISTORY_REASON,
                                        .words = true,
                                        .accept = accept,
                                        .free = making_free};
    ui_prompt(ui, &making->spec, (struct span){0}, making);
}

/* --- the name of the agent --- */

static bool accept_name(struct ui *ui, void *context, struct span text)
{
    const struct making *making = context;

    if (!is_still_meant(making))
        return true;
    if (span_eq(span_trim(text), request_page_request(making->shown)->message->from))
        making->next(ui, again(making));
    else
        ui_say(ui, LOOK_WARNING, "that was not the name: nothing was decided");
    return true;
}

/* What takes a protection away is typed, not pressed. */
static void ask_name(struct ui *ui, struct making *making, const char *why,
                     void (*next)(struct ui *ui, struct making *making))
{
    making->next = next;
    str_clear(&making->label);
    str_addf(&making->label, "%s; its name: ", why);
    ask(ui, making, "the agent's name, typed, goes on; anything else decides nothing", accept_name);
}

/* --- what is said --- */

static bool accept_reason(struct ui *ui, void *context, struct span text)
{
    const struct making *making = context;
    struct decision_terms terms = {.reason = span_trim(text)};

    if (!terms.reason.len)
        terms.reason = (struct span){0};
    if (making->mode.len)
        terms.mode = str_span(&making->mode);
    if (decisions[making->decision].needs_reason && !terms.reason.len) {
        ui_say(ui, LOOK_ERROR, "say why: the agent is to know what to change");
        return false;
    }
    if (is_still_meant(making))
        hold(ui, making->shown, making->decision, &terms);
    return true;
}

static void ask_reason(struct ui *ui, struct making *making)
{
    const struct decision_info *info = &decisions[making->decision];

    str_set(&making->label, span_of("why not: "));
    ask_words(ui, making,
              info->needs_reason ? "what the agent is to do instead"
              : info->says       ? "may be left empty"
                                 : "may be left empty; it goes in a message of its own",
              accept_reason);
}

static void ask_note(struct ui *ui, struct making *making)
{
    str_set(&making->label, span_of("a note with it: "));
    ask_words(ui, making,
              request_is_native(request_page_request(making->shown))
                  ? "may be left empty; it goes in a message of its own"
                  : "may be left empty",
              accept_reason);
}

/* --- the mode of a plan --- */

static bool accept_mode(struct ui *ui, void *context, struct span text)
{
    const struct making *old = context;
    struct protocol probe = {.kind = PROTOCOL_PLAN_APPROVAL_RESPONSE,
                             .request_id = span_of("x"),
                             .verdict = VERDICT_YES,
                             .timestamp = span_of("x"),
                             .mode = span_trim(text)};
    struct err err;

    if (!probe.mode.len) {
        ui_say(ui, LOOK_DIM, "nothing was decided");
        return true;
    }
    if (!protocol_check(&probe, &err)) {
        ui_say(ui, LOOK_ERROR, "%s", err.text);
        return false;
    }
    if (!is_still_meant(old))
        return true;
    struct making *making = again(old);
    str_set(&making->mode, probe.mode);
    if (order_mode_is_unguarded(probe.mode))
        ask_name(ui, making, "nobody is asked then before the agent acts", ask_note);
    else
        ask_note(ui, making);
    return true;
}

static void complete_mode(struct ui *ui, void *context, struct span before, size_t *from,
                          struct completion *completion)
{
    (void)ui;
    (void)context;
    (void)before;
    *from = 0;
    for (const char *const *mode = order_modes(); *mode; mode++)
        complete_add(completion, span_of(*mode), (struct span){0}, 0);
}

static void ask_mode(struct ui *ui, struct making *making)
{
    str_set(&making->label, span_of("approve with the mode: "));
    ask(ui, making, "default, acceptEdits, plan, ...; empty decides nothing", accept_mode);
    making->spec.complete = complete_mode;
}

/* --- rules --- */

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
    const struct request *request = request_page_request(making->shown);
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
        str_addf(&making->label, "with %zu of its suggestions; ",
                 request_page_chosen(making->shown));
    else if (making->pattern.len)
        str_addf(&making->label, "%.*s(%s) for the session; ", (int)p.tool_name.len, p.tool_name.at,
                 str_c(&making->pattern));
    else
        str_addf(&making->label, "EVERY use of %.*s for the session; ", (int)p.tool_name.len,
                 p.tool_name.at);
    str_addf(&making->label, "type %s: ", confirmation);
    ask(ui, making, NULL, accept_confirmation);
    arena_free(&arena);
}

static bool accept_pattern(struct ui *ui, void *context, struct span text)
{
    const struct making *old = context;

    text = span_trim(text);
    if (!text.len) {
        ui_say(ui, LOOK_DIM, "nothing was granted: there is no pattern");
        return true;
    }
    if (memchr(text.at, '(', text.len) || memchr(text.at, ')', text.len)) {
        ui_say(ui, LOOK_ERROR, "only what stands in the parentheses of a rule, without them");
        return false;
    }
    if (!is_still_meant(old))
        return true;
    struct making *making = again(old);
    str_add_span(&making->pattern, text);
    ask_confirmation(ui, making);
    return true;
}

static void ask_pattern(struct ui *ui, struct making *making)
{
    str_set(&making->label, span_of("pattern: "));
    ask(ui, making, "as the agent's program takes it, such as make:*", accept_pattern);
}

/* --- suggestions --- */

static bool accept_suggestion(struct ui *ui, void *context, struct span text)
{
    const struct making *making = context;

    return !is_still_meant(making) || verdict_choose(ui, making->shown, text);
}

void verdict_ask_suggestion(struct screen *screen, struct request_page *shown)
{
    struct making *making = making_new(screen, shown, DECISION_GRANT, ACTION_SUGGESTION);

    str_set(&making->label, span_of("suggestion: "));
    ask(screen->ui, making, "its number; the same again switches it off", accept_suggestion);
}

/* --- all of them --- */

/* Asks for what belongs to it, or makes it. */
static void go_on(struct ui *ui, struct making *making)
{
    struct request_page *shown = making->shown;
    enum action action = making->action;
    struct decision_terms none = {0};

    if (!decisions[making->decision].yes) {
        ask_reason(ui, making);
    } else if (action == ACTION_AMEND && request_is_native(request_page_request(shown))) {
        ask_mode(ui, making);
    } else if (action == ACTION_AMEND) {
        ask_note(ui, making);
    } else if (action == ACTION_GRANT_PATTERN) {
        ask_pattern(ui, making);
    } else if (action == ACTION_GRANT_SESSION ||
               (action == ACTION_GRANT && request_page_chosen(shown))) {
        ask_confirmation(ui, making);
    } else {
        hold(ui, shown, making->decision, &none);
        making_free(making);
    }
}

void verdict_make(struct screen *screen, struct request_page *shown, enum decision decision,
                  enum action action)
{
    const struct request *request = request_page_request(shown);
    struct making *making;

    if (action == ACTION_AMEND && request->message->kind == KIND_PERMISSION) {
        verdict_amend(screen->ui, shown);
        return;
    }
    making = making_new(screen, shown, decision, action);
    if (decisions[decision].yes && request->doubtful)
        ask_name(screen->ui, making, "its sender may not be who it seems", go_on);
    else
        go_on(screen->ui, making);
}
