/* Approving: checks whether a decision may be made, asks for what has to be typed, and makes it. */
#include "ui/decide/approve.h"

#include "base/file/file.h"
#include "base/mem.h"
#include "base/text/diff.h"
#include "mail/protocol/decision.h"
#include "mail/protocol/lead_command.h"
#include "mail/protocol/protocol.h"
#include "mail/protocol/tool.h"
#include "mail/thread/request.h"
#include "ui/decide/request_view.h"
#include "ui/decide/undo_window.h"
#include "ui/ui_state.h"
#include "ui/widget/pager.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>
#include <unistd.h>

/* The file that a plan names: compares it with the plan that was sent. */

struct compare_task {
    struct ui_task task;
    struct arena arena;
    struct span root, below, path, plan;
    struct str file;
};

static void compare_task_work(struct ui_task *task, struct store *store)
{
    struct compare_task *it = (struct compare_task *)task;
    struct file_id id;
    int root;

    (void)store;
    if (!file_open_root(it->root.at, &root, &it->task.err))
        return;
    switch (file_read(root, it->below.at, FILE_SIZE_MAX, &it->file, &id, &it->task.err)) {
    case FILE_OK:
        it->task.ok = true;
        break;
    case FILE_GONE:
        err_set(&it->task.err, ERR_ABSENT, "%s: there is no such file", it->path.at);
        break;
    default:
        err_at(&it->task.err, it->path.at);
        break;
    }
    close(root);
}

static void add_difference(struct str *out, const struct compare_task *it)
{
    static const char marks[] = {' ', '-', '+'};
    CLEANUP(diff_free) struct difference difference = {0};

    diff_find(&difference, str_span(&it->file), it->plan);
    str_addf(out,
             "%s is not the plan that was sent. - is only in the file, + only in the plan:\n\n",
             it->path.at);
    for (size_t i = 0; i < difference.count; i++) {
        str_addf(out, "%c ", marks[difference.lines[i].kind]);
        str_add_span(out, difference.lines[i].text);
        str_putc(out, '\n');
    }
}

static void compare_task_done(struct ui_task *task, struct ui *ui)
{
    struct compare_task *it = (struct compare_task *)task;
    CLEANUP(str_free) struct str text = {0};

    if (!it->task.ok) {
        ui_error(ui, &it->task.err);
    } else if (span_eq(span_trim(str_span(&it->file)), span_trim(it->plan))) {
        ui_info(ui, STYLE_PLAIN, "%s is the plan that was sent", it->path.at);
    } else {
        add_difference(&text, it);
        ui_push(ui, text_screen_new(ui, "PLAN FILE", str_span(&text)));
    }
}

static void task_free(struct ui_task *task)
{
    struct compare_task *it = (struct compare_task *)task;

    str_free(&it->file);
    arena_free(&it->arena);
    free(it);
}

/* True if the name is below the root; sets `below`. Only compares names, without any system
 * call. */
static bool is_beneath(struct span path, struct span root, struct span *below)
{
    if (!span_starts(path, root) || path.len <= root.len + 1 || path.at[root.len] != '/')
        return false;
    *below = (struct span){path.at + root.len + 1, path.len - root.len - 1};
    for (size_t i = 0; i + 1 < below->len; i++)
        if (below->at[i] == '.' && below->at[i + 1] == '.')
            return false;
    return true;
}

/* Compares the plan that is shown with its file in the background, and shows the difference. */
static void plan_diff_compare(struct ui *ui, const struct request_page *shown)
{
    const struct request_snapshot *request = request_view_request(shown);
    const struct span_list *roots = &ui_config(ui)->plan_roots;
    struct compare_task *it = mem_zero(1, sizeof *it);
    struct protocol p = {0};
    bool found = false;

    it->task =
        (struct ui_task){.work = compare_task_work, .done = compare_task_done, .free = task_free};
    if (request && request->message->data)
        protocol_parse(&p, request->message->data->protocol, &it->arena);
    it->path = arena_copy(&it->arena, p.plan_path);
    it->plan = arena_copy(&it->arena, p.plan);
    for (size_t i = 0; !found && i < roots->count; i++) {
        it->root = roots->items[i];
        found = is_beneath(it->path, it->root, &it->below);
    }
    if (!p.plan_path.len)
        ui_info(ui, STYLE_DIM, "it names no file of a plan");
    else if (!found)
        ui_info(
            ui, STYLE_WARNING,
            "the file was not opened: it does not lie beneath a decide.plan-root of the config");
    if (p.plan_path.len && found)
        ui_begin(ui, UI_READ, &it->task);
    else
        task_free(&it->task);
}

static void approve_ask_suggestion(struct screen *screen, struct request_page *shown);
static void approve_ask(struct screen *screen, struct request_page *shown, enum decision decision,
                        enum action action);

/* --- changing the input of a tool --- */

/* Opens the input of the request in the person's editor. The result is checked and shown, and only
 * then can be granted. Text that is not valid is opened again the next time. */
static void approve_amend(struct ui *ui, struct request_page *shown)
{
    struct decision_terms terms = {0};
    CLEANUP(arena_free) struct arena arena = {0};
    struct protocol request, answer;
    CLEANUP(str_free) struct str text = {0};
    struct err err;
    uint64_t stamp = shown->stamp;

    protocol_parse(&request, request_view_request(shown)->message->data->protocol, &arena);
    str_add_span(&text, shown->unfinished.len ? str_span(&shown->unfinished)
                        : shown->amended.len  ? str_span(&shown->amended)
                                              : request.input);
    if (!ui_edit(ui, &text, &err)) {
        ui_error(ui, &err);
    } else if (shown->stamp != stamp) {
        ui_info(ui, STYLE_ERROR, "the request has changed meanwhile; nothing was changed");
    } else if (!span_trim(str_span(&text)).len ||
               span_eq(span_trim(str_span(&text)), request.input)) {
        request_view_amend(shown, (struct span){0});
        str_clear(&shown->unfinished);
        ui_info(ui, STYLE_PLAIN, "the input is the request's own");
    } else {
        terms.input = span_trim(str_span(&text));
        if (decision_answer(&answer, DECISION_GRANT, &request, &terms, 0, &arena, &err)) {
            request_view_amend(shown, terms.input);
            str_clear(&shown->unfinished);
            ui_info(ui, STYLE_WARNING, "the input was changed; read it, then ao grants that");
        } else {
            str_set(&shown->unfinished, str_span(&text));
            ui_failf(ui, "am goes on with what you wrote: %s", err.text);
        }
    }
    shown->seen_end = false;
    settle_restart(&shown->settle);
    pager_stale(&shown->pager);
}

/* --- the meant decision, and whether it may be made --- */

#define TYPED_ON_US INT64_C(1000000)

bool approve_decision_of(enum action action, enum kind kind, enum decision *decision,
                         struct err *err)
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

bool approve_offers(const struct message *request, enum action action)
{
    enum decision ignored;

    if (!request || !asks_us(request))
        return false;
    return action > ACTION_DENY || approve_decision_of(action, request->kind, &ignored, NULL);
}

bool approve_is_persons(const struct ui *ui, enum decision decision, struct err *err)
{
    return !decisions[decision].yes || !ui->options->plain || isatty(STDIN_FILENO) ||
           err_set(err, ERR_REFUSED,
                   "a yes needs somebody at a terminal; scripts have decide --expect");
}

/* True if this decision may be made about the request; else the reason. */
static bool may_decide(const struct ui *ui, const struct request_page *shown,
                       enum decision decision, struct err *err)
{
    const struct request_snapshot *request = request_view_request(shown);

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

/* Toggles the suggestion of that number; false, after a message, if there is none. */
static bool approve_choose_suggestions(struct ui *ui, struct request_page *shown, struct span text)
{
    size_t count = request_view_suggestions(shown);
    char *end;
    CLEANUP(str_free) struct str word = {0};

    str_add_span(&word, span_trim(text));
    unsigned long number = strtoul(str_c(&word), &end, 10);
    bool ok = word.len && !*end && number > 0 && number <= count;
    if (!ok) {
        ui_info(ui, STYLE_ERROR, "its suggestions have the numbers 1 to %zu", count);
        return false;
    }
    shown->chosen[number - 1] = !shown->chosen[number - 1];
    ui_info(ui, STYLE_WARNING, "suggestion %lu is %s; nothing is granted yet", number,
            shown->chosen[number - 1] ? "chosen" : "off");
    pager_stale(&shown->pager);
    return true;
}

static void ask_suggestion(struct screen *screen, struct request_page *shown, struct span argument)
{
    struct ui *ui = screen->ui;

    if (!request_view_suggestions(shown))
        ui_info(ui, STYLE_DIM, "it suggests nothing");
    else if (argument.len)
        approve_choose_suggestions(ui, shown, argument);
    else
        approve_ask_suggestion(screen, shown);
}

/* --- the keys --- */

void approve_refuse(struct ui *ui, enum action action, const char *why)
{
    ui_info(ui, STYLE_WARNING, "%s", why);
    if (action == ACTION_REJECT || action == ACTION_DENY)
        ui->deaf_us = time_steady() + TYPED_ON_US;
}

bool approve_act(struct screen *screen, struct request_page *shown, const struct message *request,
                 enum action action, struct span argument)
{
    enum decision decision;
    struct ui *ui = screen->ui;
    struct err err;

    if (action < ACTION_APPROVE || action > ACTION_PLAN_FILE)
        return false;
    if (shown->gone.len)
        approve_refuse(ui, action, "it is gone: nothing was decided; ] goes on");
    else if (!request)
        approve_refuse(ui, action, "there is nothing to decide");
    else if (ui_gone_us(ui, request->place->source))
        approve_refuse(ui, action, "its source is gone: nothing can be decided until it is back");
    else if (!asks_us(request))
        approve_refuse(ui, action, "it asks nothing of you: there is nothing to decide");
    else if (undo_window_has(ui, str_span(&shown->key)))
        ui_info(ui, STYLE_WARNING, "it is decided already, and held; u takes it back");
    else if (action == ACTION_SUGGESTION)
        ask_suggestion(screen, shown, argument);
    else if (action == ACTION_PLAN_FILE)
        plan_diff_compare(ui, shown);
    else if (!approve_decision_of(action, request->kind, &decision, &err) ||
             !may_decide(ui, shown, decision, &err) || !approve_is_persons(ui, decision, &err))
        approve_refuse(ui, action, err.text);
    else
        approve_ask(screen, shown, decision, action);
    return true;
}

/* A decision that waits for something to be typed. */
struct making {
    struct ui *ui;
    uint64_t screen;
    struct request_page *shown; /* part of `screen`: valid while that is open */
    uint64_t stamp;             /* value of shown->stamp at the first key */
    enum decision decision;
    enum action action;
    struct str pattern, mode;
    void (*next)(struct ui *ui, struct making *making); /* called when the agent's name was typed */
    struct prompt_spec spec;                            /* here because its label is not constant */
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

/* Returns a copy for a following prompt, since each prompt frees its own. The label is not
 * copied. */
static struct making *copy_making(const struct making *old)
{
    struct making *making = mem_zero(1, sizeof *making);

    *making = *old;
    making->pattern = making->mode = making->label = (struct str){0};
    str_add_span(&making->pattern, str_span(&old->pattern));
    str_add_span(&making->mode, str_span(&old->mode));
    return making;
}

static void hold_decision(struct ui *ui, const struct request_page *shown, enum decision decision,
                          const struct decision_terms *terms)
{
    const struct request_snapshot *request = request_view_request(shown);
    const struct message *head = picture_find(ui_picture(ui), str_span(&shown->key));
    unsigned numbers[REQUEST_VIEW_SUGGESTIONS];
    CLEANUP(str_free) struct str asked = {0};

    if (!head) {
        ui_info(ui, STYLE_ERROR, "the request is gone; nothing was decided");
        return;
    }
    struct undo_window_entry verdict = {
        .request = head, .sha256 = request->sha256, .decision = decision, .terms = *terms};
    if (decision == DECISION_GRANT) {
        for (unsigned i = 0; i < REQUEST_VIEW_SUGGESTIONS; i++)
            if (shown->chosen[i])
                numbers[verdict.terms.suggested_count++] = i + 1;
        verdict.terms.suggested = numbers;
        if (shown->amended.len)
            verdict.terms.input = str_span(&shown->amended);
    }
    request_add_title(&asked, request->message);
    verdict.asked = str_span(&asked);
    undo_window_add(ui, &verdict);
}

/* True if the request is still the one that was shown when typing began; else says that it has
 * changed. */
static bool is_still_meant(const struct making *making)
{
    struct ui *ui = making->ui;

    if (ui_screen(ui, making->screen) && making->shown->stamp == making->stamp &&
        request_view_request(making->shown))
        return true;
    ui_info(ui, STYLE_ERROR, "the request has changed meanwhile; nothing was decided");
    return false;
}

/* Asks for text. Words to the agent have a history, and are kept when the prompt is cancelled.
 * `label` is NULL if making->label is set. */
static void ask_text(struct ui *ui, struct making *making, const char *label, const char *hint,
                     bool words, bool (*accept)(struct ui *ui, void *context, struct span text))
{
    if (label)
        str_set(&making->label, span_of(label));
    making->spec = (struct prompt_spec){.label = str_c(&making->label),
                                        .hint = hint,
                                        .history = words ? HISTORY_REASON : -1,
                                        .words = words,
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
    if (span_eq(span_trim(text), request_view_request(making->shown)->message->from))
        making->next(ui, copy_making(making));
    else
        ui_info(ui, STYLE_WARNING, "that was not the name: nothing was decided");
    return true;
}

/* Asks for the agent's name before a protection is removed, so that one key is not enough. */
static void ask_name(struct ui *ui, struct making *making, const char *why,
                     void (*next)(struct ui *ui, struct making *making))
{
    making->next = next;
    str_clear(&making->label);
    str_addf(&making->label, "%s; its name: ", why);
    ask_text(ui, making, NULL, "the agent's name, typed, goes on; anything else decides nothing",
             false, accept_name);
}

/* --- reasons and notes --- */

static bool accept_reason(struct ui *ui, void *context, struct span text)
{
    const struct making *making = context;
    struct decision_terms terms = {.reason = span_trim(text)};

    if (!terms.reason.len)
        terms.reason = (struct span){0};
    if (making->mode.len)
        terms.mode = str_span(&making->mode);
    if (decisions[making->decision].needs_reason && !terms.reason.len) {
        ui_info(ui, STYLE_ERROR, "say why: the agent is to know what to change");
        return false;
    }
    if (is_still_meant(making))
        hold_decision(ui, making->shown, making->decision, &terms);
    return true;
}

static void ask_reason(struct ui *ui, struct making *making)
{
    const struct decision_info *info = &decisions[making->decision];

    ask_text(ui, making, "why not: ",
             info->needs_reason ? "what the agent is to do instead"
             : info->says       ? "may be left empty"
                                : "may be left empty; it goes in a message of its own",
             true, accept_reason);
}

static void ask_note(struct ui *ui, struct making *making)
{
    ask_text(ui, making, "a note with it: ",
             request_is_native(request_view_request(making->shown))
                 ? "may be left empty; it goes in a message of its own"
                 : "may be left empty",
             true, accept_reason);
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
        ui_info(ui, STYLE_DIM, "nothing was decided");
        return true;
    }
    if (!protocol_check(&probe, &err)) {
        ui_info(ui, STYLE_ERROR, "%s", err.text);
        return false;
    }
    if (!is_still_meant(old))
        return true;
    struct making *making = copy_making(old);
    str_set(&making->mode, probe.mode);
    if (lead_mode_is_unguarded(probe.mode))
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
    for (const char *const *mode = lead_modes(); *mode; mode++)
        complete_add(completion, span_of(*mode), (struct span){0}, 0);
}

static void ask_mode(struct ui *ui, struct making *making)
{
    ask_text(ui, making,
             "approve with the mode: ", "default, acceptEdits, plan, ...; empty decides nothing",
             false, accept_mode);
    making->spec.complete = complete_mode;
}

/* --- rules --- */

/* a word that nobody types by accident */
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
        ui_info(ui, STYLE_WARNING, "nothing was granted: the word is \"%s\"", confirmation);
        return true;
    }
    if (is_still_meant(making))
        hold_decision(ui, making->shown, making->decision, &terms);
    return true;
}

static void ask_confirmation(struct ui *ui, struct making *making)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct protocol p = {0};
    const struct request_snapshot *request = request_view_request(making->shown);
    const struct str *amended = &making->shown->amended;
    struct span rule = {0};

    if (request->message->data)
        protocol_parse(&p, request->message->data->protocol, &arena);
    if (making->action == ACTION_GRANT_SESSION &&
        !tool_rule(p.tool_name, amended->len ? str_span(amended) : p.input, &rule, &arena)) {
        ui_info(ui, STYLE_WARNING,
                "it holds characters that mean more in a rule; ap takes a pattern of your own");
        making_free(making);
        return;
    }
    str_add_span(&making->pattern, rule);
    str_clear(&making->label);
    if (making->action == ACTION_GRANT)
        str_addf(&making->label, "with %zu of its suggestions; ",
                 request_view_chosen(making->shown));
    else if (making->pattern.len)
        str_addf(&making->label, "%.*s(%s) for the session; ", (int)p.tool_name.len, p.tool_name.at,
                 str_c(&making->pattern));
    else
        str_addf(&making->label, "EVERY use of %.*s for the session; ", (int)p.tool_name.len,
                 p.tool_name.at);
    str_addf(&making->label, "type %s: ", confirmation);
    ask_text(ui, making, NULL, NULL, false, accept_confirmation);
}

static bool accept_pattern(struct ui *ui, void *context, struct span text)
{
    const struct making *old = context;

    text = span_trim(text);
    if (!text.len) {
        ui_info(ui, STYLE_DIM, "nothing was granted: there is no pattern");
        return true;
    }
    if (memchr(text.at, '(', text.len) || memchr(text.at, ')', text.len)) {
        ui_info(ui, STYLE_ERROR, "only what stands in the parentheses of a rule, without them");
        return false;
    }
    if (!is_still_meant(old))
        return true;
    struct making *making = copy_making(old);
    str_add_span(&making->pattern, text);
    ask_confirmation(ui, making);
    return true;
}

static void ask_pattern(struct ui *ui, struct making *making)
{
    ask_text(ui, making, "pattern: ", "as the agent's program takes it, such as make:*", false,
             accept_pattern);
}

/* --- suggestions --- */

static bool accept_suggestion(struct ui *ui, void *context, struct span text)
{
    const struct making *making = context;

    return !is_still_meant(making) || approve_choose_suggestions(ui, making->shown, text);
}

static void approve_ask_suggestion(struct screen *screen, struct request_page *shown)
{
    struct making *making = making_new(screen, shown, DECISION_GRANT, ACTION_SUGGESTION);

    ask_text(screen->ui, making, "suggestion: ", "its number; the same again switches it off",
             false, accept_suggestion);
}

/* --- the way through the prompts --- */

/* Opens the prompt that the decision needs, or makes the decision. */
static void go_on(struct ui *ui, struct making *making)
{
    struct request_page *shown = making->shown;
    enum action action = making->action;
    struct decision_terms none = {0};

    if (!decisions[making->decision].yes) {
        ask_reason(ui, making);
    } else if (action == ACTION_AMEND && request_is_native(request_view_request(shown))) {
        ask_mode(ui, making);
    } else if (action == ACTION_AMEND) {
        ask_note(ui, making);
    } else if (action == ACTION_GRANT_PATTERN) {
        ask_pattern(ui, making);
    } else if (action == ACTION_GRANT_SESSION ||
               (action == ACTION_GRANT && request_view_chosen(shown))) {
        ask_confirmation(ui, making);
    } else {
        hold_decision(ui, shown, making->decision, &none);
        making_free(making);
    }
}

/* Makes the decision, after everything that has to be typed. The caller has checked that it may be
 * made. */
static void approve_ask(struct screen *screen, struct request_page *shown, enum decision decision,
                        enum action action)
{
    const struct request_snapshot *request = request_view_request(shown);
    struct making *making;

    if (action == ACTION_AMEND && request->message->kind == KIND_PERMISSION) {
        approve_amend(screen->ui, shown);
        return;
    }
    making = making_new(screen, shown, decision, action);
    if (decisions[decision].yes && request->doubtful)
        ask_name(screen->ui, making, "its sender may not be who it seems", go_on);
    else
        go_on(screen->ui, making);
}
