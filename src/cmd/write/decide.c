/* decide: answers a request, bound to the bytes that the person has read. */
#include "store/decide/decide.h"

#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "cmd/app_options.h"
#include "cmd/confirm.h"
#include "cmd/mail_filter.h"
#include "cmd/pager.h"
#include "cmd/read/pending.h"
#include "cmd/write/dry_run.h"
#include "mail/protocol/lead_command.h"
#include "mail/thread/request.h"

#include <stdio.h>
#include <unistd.h>

#define AT(member) offsetof(struct deciding, terms.member)

static const struct option_spec options[] = {
    {"feedback", "TEXT", OPTION_TEXT, AT(reason), .help = "why not, or what to do instead"},
    {"mode", "MODE", OPTION_TEXT, AT(mode), .word = words_mode,
     .help = "approve: the permission mode (default: default)"},
    {"expect", "SHA256", .help = "only if the request still has this sum"},
    {"input", "JSON", OPTION_TEXT, AT(input), .help = "grant: an input to be used instead"},
    {"suggestion", "N", .help = "grant: this suggestion of the request, too"},
    {"session", NULL, OPTION_FLAG, AT(for_session),
     .help = "grant: this very use again, for the rest of the session"},
    {"pattern", "RULE", OPTION_TEXT, AT(pattern),
     .help = "with --session: what matches this instead"},
    {"every-use", NULL, OPTION_FLAG, AT(every_use),
     .help = "with --session: whatever the tool is used for; asks for a name"},
    {"confirm", "AGENT", .kinds = WORD_AGENT, .help = "the name that is asked for, given at once"},
    SENDING_OPTIONS,
    {0},
};

/* --- options --- */

static bool read_numbers(const struct app *app, struct decision_terms *terms, struct arena *arena,
                         struct err *err)
{
    CLEANUP(span_list_free) struct span_list texts = {0};
    bool ok = true;

    app_values(app, "suggestion", &texts);
    unsigned *numbers = arena_alloc(arena, (texts.count + 1) * sizeof *numbers);
    for (size_t i = 0; ok && i < texts.count; i++) {
        unsigned long number;
        ok = number_parse(texts.items[i].at, 1, 999, &number);
        numbers[i] = (unsigned)number;
        if (!ok)
            app_misuse(app, err, "--suggestion takes a number from 1 up, not \"%s\"",
                       texts.items[i].at);
    }
    terms->suggested = numbers;
    terms->suggested_count = texts.count;
    return ok;
}

static bool read_terms(const struct app *app, struct deciding *it, struct err *err)
{
    struct decision_terms *terms = &it->terms;

    if (!decision_parse(span_of(app->operands[1]), &it->decision))
        return app_refuse_word(app, err, "decide", app->operands[1], words_decision);
    if (!read_numbers(app, terms, &it->arena, err) || !app_verify(app, &it->verify, err) ||
        !app_read_options(app, it, err))
        return false;
    if ((terms->pattern.at || terms->every_use) && !terms->for_session)
        return app_misuse(app, err, "--%s goes with --session",
                          terms->pattern.at ? "pattern" : "every-use");
    if (terms->pattern.at && terms->every_use)
        return app_misuse(app, err, "--pattern and --every-use exclude each other");
    return true;
}

/* Finds a request by the id of its message, or by the request id that an answer names. */
static struct message *find_request(const struct model *model, struct span id, struct err *err)
{
    struct message *found = model_find(model, id, err);

    for (size_t i = 0; !found && err->scope == ERR_ABSENT && i < model->count; i++) {
        struct message *message = model->messages[i];
        if (!message->requires_response || !span_eq(message->thread, id))
            continue;
        found = message;
        for (size_t k = i + 1; k < model->count; k++) {
            const struct message *other = model->messages[k];
            if (other->requires_response && span_eq(other->thread, id)) {
                err_set(err, ERR_USAGE, "several requests have the id \"%.*s\"; name the message",
                        (int)id.len, id.at);
                return NULL;
            }
        }
    }
    return found;
}

/* --- state of the request --- */

static const struct request *find_open_request(const struct model *model,
                                               const struct requests *asks,
                                               const struct message *message, struct err *err)
{
    for (size_t i = 0; i < asks->count; i++)
        if (model->messages[asks->items[i].message] == message)
            return &asks->items[i];
    err_set(err, ERR_REFUSED, "nobody waits for an answer to it: it is no request");
    return NULL;
}

/* Returns false while somebody waits for the answer; else sets the error that says how the request
 * was closed. */
static bool is_settled(const struct model *model, const struct requests *asks,
                       const struct request *ask, const struct message *message, struct err *err)
{
    if (ask->open)
        return false;
    if (ask->answer != REQUEST_NONE) {
        const struct message *answer = model->messages[ask->answer];
        err_set(err, ERR_REFUSED, "it was answered already, by \"%.*s\"%s; nothing was sent",
                (int)answer->from.len, answer->from.at,
                answer->verdict == VERDICT_YES  ? ", who said yes"
                : answer->verdict == VERDICT_NO ? ", who said no"
                                                : "");
    } else if (message->answered != VERDICT_UNSAID) {
        err_set(err, ERR_REFUSED,
                "it was answered already, from here: you said %s; nothing was sent",
                message->answered == VERDICT_YES ? "yes" : "no");
    } else if (ask->superseded_by != REQUEST_NONE) {
        const struct message *later = model->messages[asks->items[ask->superseded_by].message];
        err_set(err, ERR_REFUSED, "a later plan took its place: %.*s; nothing was sent",
                (int)later->id.len, later->id.at);
    } else {
        err_set(err, ERR_REFUSED, "it is settled: %s; nothing was sent",
                message->place->archived ? "archived"
                : message->expires_us != TIME_NONE && message->status < STATUS_FAILED
                    ? "expired"
                    : status_name(message->status));
    }
    return true;
}

/* --- confirmation --- */

/* Prints the request as the screens show it: after a gutter, with nothing cut, its end marked. */
static bool put_request(const struct app *app, const struct request_snapshot *request,
                        struct err *err)
{
    enum { COLUMNS = 80 };
    size_t columns = app_columns(app);
    struct page_options how = {.columns = columns ? columns : COLUMNS,
                               .now_us = app_now(app),
                               .clean = app->clean & SANITIZE_ASCII};
    struct page_request about = {
        .refusal = request->refusal, .flags = &request->flags, .directory = request->directory};
    CLEANUP(page_free) struct document document = {0};

    if (!request_is_native(request) && !request->decider)
        about.native_note = span_of(REQUEST_UNENFORCED);
    page_request(&document, request->message, &about, &how);
    bool ok = app_show(app, &document, err);
    printf("SHA-256 %s\n", request->sha256);
    return ok;
}

/* Shows the request and asks. Only the typed verb confirms; Enter alone does not. */
static bool is_confirmed(const struct app *app, const struct request_snapshot *request,
                         const struct deciding *it, struct err *err)
{
    const char *verb = decisions[it->decision].name;
    char question[64], line[64];

    if (!put_request(app, request, err))
        return false;
    snprintf(question, sizeof question, "Type %s to do it: ", verb);
    if (app_ask(app, question, line, sizeof line) && span_is(span_trim(span_of(line)), verb))
        return true;
    return err_set(err, ERR_REFUSED, "nothing was sent: it was not confirmed");
}

/* Requires the name of the agent if the decision removes a protection, even if the request was
 * read. */
static bool is_meant(const struct app *app, const struct request_snapshot *request,
                     const struct deciding *it, struct err *err)
{
    const struct message *message = request->message;
    CLEANUP(str_free) struct str what = {0};

    if (!decisions[it->decision].yes)
        return true;
    if (request->doubtful)
        str_puts(&what, "its sender may not be who it seems");
    else if (it->terms.every_use)
        str_puts(&what, "every use of the tool is granted for the session");
    else if (lead_mode_is_unguarded(it->terms.mode))
        str_puts(&what, "in that mode nobody is asked before the agent acts");
    return !what.len || app_confirm(app, message->from, str_c(&what), err);
}

static bool bind(const struct app *app, const struct request_snapshot *request, struct deciding *it,
                 struct err *err)
{
    const char *expect = app_value(app, "expect");

    it->sha256 = expect ? expect : request->sha256;
    if (expect && strlen(expect) != REQUEST_SUM)
        return app_misuse(app, err, "--expect takes the sha256 that pending --json gives");
    if (expect || app_has(app, "dry-run"))
        return is_meant(app, request, it, err);
    if (!isatty(STDIN_FILENO) || !app->to_terminal)
        return err_set(err, ERR_REFUSED,
                       "nobody has looked at it: run this on a terminal, where it is shown, or "
                       "give the sha256 of what you looked at with --expect; pending --json has "
                       "it");
    return is_confirmed(app, request, it, err) && is_meant(app, request, it, err);
}

/* --- output --- */

static void put_done(const struct app *app, const struct deciding *it)
{
    CLEANUP(str_free) struct str text = {0};

    if (app_json(app)) {
        str_puts(&text, "{\"v\":1");
        json_member(&text, "id", str_span(&it->letter.id));
        json_member_word(&text, "decision", decisions[it->decision].name);
        json_member(&text, "request", it->request->id);
        json_member(&text, "agent", it->request->from);
        json_member_word(&text, "sha256", it->sha256);
        json_member_flag(&text, "native", it->native);
        json_member_word(&text, "state", "unconfirmed");
        str_puts(&text, "}\n");
    } else {
        sanitize_add(&text, str_span(&it->letter.id), app->clean);
        str_putc(&text, '\n');
    }
    app_put(app, &text);
    if (!app_json(app))
        app_note(app, "%s; sent, unconfirmed until %.*s is seen to react",
                 decisions[it->decision].done, (int)it->request->from.len, it->request->from.at);
    if (it->note.len)
        app_note(app, "%s", str_c(&it->note));
}

/* Prints the request as it is now, because the person must read it again. */
static void put_now(struct app *app, struct message *head)
{
    CLEANUP(request_snapshots_free) struct request_snapshots now = {0};
    CLEANUP(str_free) struct str text = {0};
    struct err ignored;

    if (store_requests(app->store, &head, 1, &now, &ignored) && now.items[0].message) {
        if (app_json(app))
            request_add_json(app, &text, head, &now.items[0]);
        app_put(app, &text);
        if (!app_json(app))
            put_request(app, &now.items[0], &ignored);
    }
}

static int preview_decision(struct app *app, struct deciding *it)
{
    CLEANUP(preview_free) struct preview preview_decision = {0};
    struct err err;

    if (!store_preview_decision(app->store, it, &preview_decision, &err))
        return app_fail(app, &err);
    preview_print(app, &preview_decision);
    if (it->note.len)
        app_note(app, "%s", str_c(&it->note));
    return EXIT_DONE;
}

/* Returns true if the decision would be accepted now, so that the person is not asked in vain. */
static bool is_possible(struct app *app, const struct deciding *it, const struct message *head,
                        const struct request_snapshot *request, struct err *err)
{
    CLEANUP(deciding_free)
    struct deciding trial = {.decision = it->decision,
                             .terms = it->terms,
                             .request = head,
                             .sha256 = request->sha256,
                             .letter = {.draft = draft_new()}};
    CLEANUP(preview_free) struct preview ignored = {0};

    return store_preview_decision(app->store, &trial, &ignored, err);
}

static int make_decision(struct app *app, struct deciding *it, struct message *head,
                         const struct request_snapshot *request)
{
    struct err err;

    if (request->err)
        return app_fail(app, request->err);
    if (!is_possible(app, it, head, request, &err) || !bind(app, request, it, &err))
        return app_fail(app, &err);
    it->request = head;
    if (app_has(app, "dry-run"))
        return preview_decision(app, it);
    bool ok = store_decide(app->store, it, &err);
    if (ok || it->letter.delivered)
        put_done(app, it);
    if (ok)
        return EXIT_DONE;
    if (err.scope == ERR_REFUSED)
        put_now(app, head);
    return app_fail(app, &err);
}

static int find_and_decide(struct app *app, struct deciding *it, struct model *model)
{
    CLEANUP(request_snapshots_free) struct request_snapshots requests = {0};
    CLEANUP(requests_free) struct requests asks = {0};
    struct message *head = NULL;
    struct err err = {0};

    if (app_load(app, &load_everything, model, &err))
        head = find_request(model, span_of(app->operands[0]), &err);
    if (!head || unreadable_is_message(head, &err))
        return app_fail(app, &err);
    requests_build(&asks, model, app_now(app));
    const struct request *ask = find_open_request(model, &asks, head, &err);
    if (!ask)
        return app_fail(app, &err);
    if (is_settled(model, &asks, ask, head, &err)) {
        int code = app_fail(app, &err);
        if (app_json(app))
            put_now(app, head);
        return code;
    }
    if (!store_requests(app->store, &head, 1, &requests, &err))
        return app_fail(app, &err);
    return make_decision(app, it, head, &requests.items[0]);
}

static int run_decide(struct app *app)
{
    CLEANUP(deciding_free) struct deciding it = {.letter = {.draft = draft_new()}};
    CLEANUP(model_free) struct model model = {0};
    struct err err;

    return read_terms(app, &it, &err) ? find_and_decide(app, &it, &model) : app_fail(app, &err);
}

const struct command command_decide = {.name = "decide",
                                       .operands = "ID VERB",
                                       .takes = {{.kinds = WORD_REQUEST}, {.word = words_decision}},
                                       .summary = "answer a plan, a permission or another request",
                                       .options = options,
                                       .least = 2,
                                       .most = 2,
                                       .writes = true,
                                       .run = run_decide};
