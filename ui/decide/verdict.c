/* Verdicts: which decision is meant, and whether it may be made. */
#include "ui/decide/verdict_private.h"

#include "mail/thread/ask.h"
#include "ui/decide/holding.h"
#include "ui/decide/plan_file.h"
#include "ui/ui_private.h"

#include <stdlib.h>
#include <unistd.h>

#define TYPED_ON_US INT64_C(1000000)

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

bool verdict_is_persons(const struct ui *ui, enum decision decision, struct err *err)
{
    return !decisions[decision].yes || !ui->options->plain || isatty(STDIN_FILENO) ||
           err_set(err, ERR_REFUSED,
                   "a yes needs somebody at a terminal; scripts have decide --expect");
}

/* Whether a yes can be said to it, or the reason why not. */
static bool may_decide(const struct ui *ui, const struct request_page *shown,
                       enum decision decision, struct err *err)
{
    const struct request *request = request_page_request(shown);

    if (!request || shown->asked)
        return err_set(err, ERR_REFUSED, "it is still being read; nothing was decided");
    if (request->decider)
        return err_set(err, ERR_REFUSED, "%s", request->decider);
    if (!decisions[decision].yes)
        return true;
    if (request->refusal.at)
        return err_set(err, ERR_REFUSED, "it cannot be %s: %.*s", decisions[decision].done,
                       (int)request->refusal.len, request->refusal.at);
    if (drawn_requests_differ(&ui->drawn_requests, request))
        return err_set(err, ERR_REFUSED, "it cannot be %s: " DRAWN_DIFFERENTLY,
                       decisions[decision].done);
    if (!shown->settle.changed && !shown->seen_end)
        return err_set(err, ERR_REFUSED, "read it to its end first: Space goes on");
    return settle_allows(&shown->settle, ui, err);
}

/* --- suggestions --- */

bool verdict_choose(struct ui *ui, struct request_page *shown, struct span text)
{
    size_t count = request_page_suggestions(shown);
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

static void ask_suggestion(struct screen *screen, struct request_page *shown, struct span argument)
{
    struct ui *ui = screen->ui;

    if (!request_page_suggestions(shown))
        ui_say(ui, LOOK_DIM, "it suggests nothing");
    else if (argument.len)
        verdict_choose(ui, shown, argument);
    else
        verdict_ask_suggestion(screen, shown);
}

/* --- the keys --- */

/* Whoever expects to be asked for a reason types it: none of that is heard as keys. */
static void refuse(struct ui *ui, enum action action, const char *why)
{
    ui_say(ui, LOOK_WARNING, "%s", why);
    if (action == ACTION_REJECT || action == ACTION_DENY)
        ui->deaf_us = when_steady() + TYPED_ON_US;
}

bool verdict_act(struct screen *screen, struct request_page *shown, const struct message *request,
                 enum action action, struct span argument)
{
    enum decision decision;
    struct ui *ui = screen->ui;
    struct err err;

    if (action < ACTION_APPROVE || action > ACTION_PLAN_FILE)
        return false;
    if (shown->gone.len)
        refuse(ui, action, "it is gone: nothing was decided; ] goes on");
    else if (!request)
        refuse(ui, action, "there is nothing to decide");
    else if (ui_gone_us(ui, request->place->source))
        refuse(ui, action, "its source is gone: nothing can be decided until it is back");
    else if (!asks_us(request))
        refuse(ui, action, "it asks nothing of you: there is nothing to decide");
    else if (holding_has(ui, str_span(&shown->key)))
        ui_say(ui, LOOK_WARNING, "it is decided already, and held; u takes it back");
    else if (action == ACTION_SUGGESTION)
        ask_suggestion(screen, shown, argument);
    else if (action == ACTION_PLAN_FILE)
        plan_file_compare(ui, shown);
    else if (!verdict_of(action, request->kind, &decision, &err) ||
             !may_decide(ui, shown, decision, &err) || !verdict_is_persons(ui, decision, &err))
        refuse(ui, action, err.text);
    else
        verdict_make(screen, shown, decision, action);
    return true;
}
