/* log: prints the decisions of the ledger and checks whether it is intact. */
#include "base/json/json_print.h"
#include "base/mem.h"
#include "base/text/sanitize.h"
#include "cmd/app_options.h"
#include "cmd/read/pending.h"
#include "cmd/read/sources.h"
#include "cmd/words.h"
#include "mail/message/kind.h"
#include "mail/protocol/lead_command.h"
#include "store/decide/decide.h"
#include "store/decide/ledger.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>

/* Decisions in the output, one paragraph each.
 *
 * Text from agents is always on a line after a label, or after a gutter, so that it cannot imitate
 * a line of ours. */

/* The output. `indent` aligns lines with the text after the time of the decision. */
struct paragraph {
    const struct app *app;
    struct str text;
    size_t indent;
};

static void add_sanitized(struct paragraph *out, struct span text)
{
    sanitize_add(&out->text, text, out->app->clean | SANITIZE_LINE);
}

/* Appends "  LABEL:  ". The caller completes the line. */
static void add_label(struct paragraph *out, const char *label)
{
    enum { WIDTH = 10 };
    size_t len = strlen(label) + 1;

    str_pad(&out->text, ' ', out->indent);
    str_addf(&out->text, "%s%s", label, len > 1 ? ":" : " ");
    str_pad(&out->text, ' ', len < WIDTH ? WIDTH - len : 1);
}

static void add_line(struct paragraph *out, const char *label, struct span text)
{
    if (!text.len)
        return;
    add_label(out, label);
    add_sanitized(out, text);
    str_putc(&out->text, '\n');
}

/* Appends the first line of a text, and "..." if there are more. */
static void add_first_line(struct paragraph *out, struct span text)
{
    struct span line = span_first_line(span_trim(text));

    add_sanitized(out, line);
    if (line.len < span_trim(text).len)
        str_puts(&out->text, " ...");
}

/* Appends a whole text, each line after a gutter. */
static void add_text(struct paragraph *out, const char *label, struct span text)
{
    if (!text.len)
        return;
    str_pad(&out->text, ' ', out->indent);
    str_addf(&out->text, "%s:\n", label);
    while (text.len) {
        const char *end = memchr(text.at, '\n', text.len);
        struct span line = {text.at, end ? (size_t)(end - text.at) : text.len};
        str_pad(&out->text, ' ', out->indent);
        str_puts(&out->text, line.len ? "| " : "|");
        add_sanitized(out, line);
        str_putc(&out->text, '\n');
        text.at += line.len + (end != NULL);
        text.len -= line.len + (end != NULL);
    }
}

/* Appends who decided, in whose name, and what. */
static void add_head(struct paragraph *out, const struct decision_record *record)
{
    const struct ledger_entry *first = record->first;
    const struct passwd *user = first->uid >= 0 ? getpwuid((uid_t)first->uid) : NULL;
    CLEANUP(str_free) struct str deed = {0};
    size_t start = out->text.len;

    if (first->at_us == TIME_NONE)
        str_puts(&out->text, "at no known time ");
    else
        time_add_format(&out->text, first->at_us,
                        out->app->to_terminal ? "%H:%M:%S " : "%Y-%m-%d %H:%M:%S ");
    out->indent = out->app->to_terminal ? out->text.len - start : 4;
    if (user)
        add_sanitized(out, span_of(user->pw_name));
    else if (first->uid >= 0)
        str_addf(&out->text, "uid %lld", (long long)first->uid);
    else
        str_puts(&out->text, "somebody");
    if (record->whole.by.len) {
        str_puts(&out->text, " as ");
        add_sanitized(out, record->whole.by);
    }
    str_putc(&out->text, ' ');
    decision_add_action(&deed, record);
    add_sanitized(out, str_span(&deed));
    str_putc(&out->text, '\n');
}

/* Returns the label for the person's words: the reason of a shutdown, else what was said to the
 * agent. */
static const char *words_label(const struct ledger_entry *said)
{
    return span_is(said->verb, lead_verb_name(LEAD_SHUTDOWN)) ? "reason" : "saying";
}

static void add_terms(struct paragraph *out, const struct ledger_entry *said)
{
    const struct ledger_terms *terms = &said->terms;
    const struct {
        const char *name, *mark;
        struct span text;
    } parts[] = {{"mode", " ", terms->mode},
                 {"", "", terms->rules},
                 {words_label(said), ": ", terms->feedback}};
    const char *before = "";

    if (!terms->mode.len && !terms->rules.len && !terms->feedback.len)
        return;
    add_label(out, "terms");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].text.len)
            continue;
        str_addf(&out->text, "%s%s%s", before, parts[i].name, parts[i].mark);
        add_first_line(out, parts[i].text);
        before = "; ";
    }
    str_putc(&out->text, '\n');
}

static void add_state(struct paragraph *out, const struct decision_record *record)
{
    CLEANUP(str_free) struct str state = {0};

    decision_add_state(&state, record);
    add_line(out, "state", str_span(&state));
}

/* Appends the id of a message and its file. */
static void add_message(struct paragraph *out, const char *label, struct span message,
                        struct span file, const struct ledger_request *part)
{
    if (!message.len && !file.len)
        return;
    add_label(out, label);
    add_sanitized(out, message.len ? message : span_of("-"));
    if (file.len) {
        str_puts(&out->text, " in ");
        add_sanitized(out, file);
    }
    if (part && part->len)
        str_addf(&out->text, ", %lld bytes from %lld on", (long long)part->len,
                 (long long)part->at);
    str_putc(&out->text, '\n');
}

static void add_moment(struct str *out, int64_t at_us)
{
    if (at_us == TIME_NONE)
        return;
    time_add_format(out, at_us, "%Y-%m-%d %H:%M:%S");
    str_addf(out, ".%03d ", (int)(at_us / 1000 % 1000));
}

static void add_events(struct paragraph *out, const struct decision_record *record)
{
    for (const struct ledger_entry *event = record->first; event; event = event->next) {
        add_label(out, event == record->first ? "events" : "");
        add_moment(&out->text, event->at_us);
        add_sanitized(out, event->word);
        str_addf(&out->text, ", entry %lld", (long long)event->number);
        if (event->uid >= 0)
            str_addf(&out->text, ", uid %lld", (long long)event->uid);
        if (event->pid >= 0)
            str_addf(&out->text, ", process %lld", (long long)event->pid);
        if (event->note.len) {
            str_puts(&out->text, ": ");
            add_sanitized(out, event->note);
        }
        str_putc(&out->text, '\n');
    }
}

static void add_details(struct paragraph *out, const struct decision_record *record)
{
    const struct ledger_entry *whole = &record->whole;

    add_line(out, "kind", whole->kind);
    add_line(out, "decision", whole->decision);
    if (whole->root.len) {
        add_label(out, "source");
        add_sanitized(out, whole->format);
        str_putc(&out->text, ' ');
        add_sanitized(out, whole->root);
        str_putc(&out->text, '\n');
    }
    add_line(out, "request", whole->request.id);
    add_message(out, "message", whole->request.message, whole->request.file, &whole->request);
    add_line(out, "sha256", whole->request.sha256);
    add_message(out, "answer", whole->answer.message, whole->answer.file, NULL);
    add_line(out, "sha256", whole->answer.sha256);
    add_events(out, record);
}

static void add_source(struct paragraph *out, const struct naming *naming,
                       const struct ledger_entry *said)
{
    CLEANUP(str_free) struct str source = {0};

    if (!said->root.len || !source_label_needed(naming))
        return;
    source_label_add(&source, naming->app, said->format, said->root);
    add_line(out, "source", str_span(&source));
}

/* Prints one decision; with `whole` everything that was recorded. `naming` has seen all decisions
 * that are printed. */
static void decision_put(const struct naming *naming, const struct decision_record *record,
                         bool whole)
{
    struct paragraph out = {.app = naming->app};
    const struct ledger_entry *said = &record->whole;

    add_head(&out, record);
    if (!whole) {
        add_source(&out, naming, said);
        if (said->request.asked.len) {
            add_label(&out, "asked");
            add_first_line(&out, said->request.asked);
            str_putc(&out.text, '\n');
        }
        add_terms(&out, said);
        add_state(&out, record);
    } else {
        add_text(&out, "asked", said->request.asked);
        add_line(&out, "mode", said->terms.mode);
        add_text(&out, "rules", said->terms.rules);
        add_text(&out, words_label(said), said->terms.feedback);
        add_text(&out, "answered", said->answer.text);
        add_state(&out, record);
        add_details(&out, record);
    }
    app_put(out.app, &out.text);
    str_free(&out.text);
}

/* Prints one line of JSON for each event of the decision. */
static void decision_put_json(const struct app *app, const struct decision_record *record)
{
    CLEANUP(str_free) struct str text = {0};

    for (const struct ledger_entry *event = record->first; event; event = event->next) {
        str_addf(&text, "{\"v\":1,\"n\":%lld", (long long)event->number);
        json_member_time(&text, "at", event->at_us);
        json_member(&text, "event", event->word);
        ledger_add_members(&text, event);
        json_member(&text, "state", span_of(decision_state_word(record->state)));
        str_puts(&text, "}\n");
    }
    app_put(app, &text);
}

static const struct option_spec options[] = {
    {"long", .help = "everything that was recorded"},
    {"limit", "N", .help = "only the newest N decisions"},
    {"expect", "SHA256", .help = "(verify) the sum that some line must have"},
    {0},
};

enum { FINDINGS_SHOWN = 20 };

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* Appends the texts of a decision that a query searches. */
static void add_body(struct str *out, const struct decision_record *record)
{
    const struct ledger_entry *whole = &record->whole;
    const struct span parts[] = {whole->verb, whole->terms.mode, whole->terms.feedback,
                                 whole->terms.rules, whole->answer.text};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        str_add_span(out, parts[i]);
        str_putc(out, '\n');
    }
    decision_add_state(out, record);
}

/* Matches a decision against the query as if it were a message from the agent that it concerns to
 * the person who decided. */
static bool entry_matches(const struct querying *querying, const struct decision_record *record)
{
    const struct ledger_entry *whole = &record->whole;
    CLEANUP(str_free) struct str root = {0}, layout = {0}, body = {0};
    enum kind kind;

    if (!querying->query.count)
        return true;
    str_add_span(&root, whole->root);
    str_add_span(&layout, whole->format);
    add_body(&body, record);
    struct place place = {.root = str_c(&root), .team = whole->team};
    struct message_data data = {.body = str_span(&body)};
    struct message message = {.id = whole->decision,
                              .from = whole->agent,
                              .to = whole->by,
                              .subject = whole->request.asked,
                              .type = whole->verb,
                              .thread = whole->request.id,
                              .place = &place,
                              .data = &data,
                              .created_us = record->first->at_us,
                              .expires_us = TIME_NONE,
                              .status = STATUS_NONE,
                              .kind = kind_parse(whole->kind, &kind) ? kind : KIND_COUNT};
    struct query_context context = {.now_us = querying_now(querying), .layout = str_c(&layout)};
    return query_match(&querying->query, &message, &context);
}

/* Prints the date before the first decision of a day. */
static void put_day(const struct app *app, const struct decision_record *record, struct str *day)
{
    CLEANUP(str_free) struct str now = {0};
    size_t columns = app_columns(app);

    if (record->first->at_us != TIME_NONE)
        time_add_format(&now, record->first->at_us, "-- %A %d %B %Y ");
    if (now.len && !span_eq(str_span(&now), str_span(day))) {
        str_clear(day);
        str_add_span(day, str_span(&now));
        if (now.len < columns)
            str_pad(&now, '-', columns - now.len);
        str_putc(&now, '\n');
        app_put(app, &now);
    }
}

/* Prints the newest `limit` decisions that match, the oldest of them first. */
static int put_decisions(const struct app *app, const struct ledger *ledger,
                         const struct querying *querying, size_t limit)
{
    CLEANUP(mem_free) size_t *found = mem_zero(ledger->decision_count + 1, sizeof *found);
    size_t count = 0;
    struct naming naming = {.app = app};
    CLEANUP(str_free) struct str day = {0};

    for (size_t i = ledger->decision_count; i-- && count < limit;) {
        const struct ledger_entry *whole = &ledger->decisions[i].whole;
        if (!entry_matches(querying, &ledger->decisions[i]))
            continue;
        found[count++] = i;
        source_label_see(&naming, whole->format, whole->root);
    }
    for (size_t i = count; i--;) {
        const struct decision_record *record = &ledger->decisions[found[i]];
        if (app_json(app)) {
            decision_put_json(app, record);
            continue;
        }
        if (app->to_terminal)
            put_day(app, record, &day);
        decision_put(&naming, record, app_has(app, "long"));
    }
    if (ledger->damage)
        app_note(app, "the ledger is damaged, in %zu place%s; see swarmutt log verify",
                 ledger->damage, plural(ledger->damage));
    if (count || !limit)
        return EXIT_DONE;
    if (ledger->decision_count)
        app_note(app, "no decision matches: %s", str_c(&querying->text));
    else if (!ledger->damage)
        app_note(app, "nothing was decided yet");
    return EXIT_NOTHING;
}

static void put_finding(const struct app *app, const struct ledger_finding *finding)
{
    CLEANUP(str_free) struct str line = {0};

    str_addf(&line, "%-8s", finding->damage ? "problem" : "remark");
    sanitize_add(&line, finding->text, app->clean | SANITIZE_LINE);
    str_putc(&line, '\n');
    app_put(app, &line);
}

static void put_verified_json(const struct app *app, const struct ledger *ledger, bool whole)
{
    CLEANUP(str_free) struct str line = {0};

    str_puts(&line, "{\"v\":1");
    json_member_count(&line, "entries", ledger->count);
    json_member_count(&line, "decisions", ledger->decision_count);
    json_member_flag(&line, "whole", whole);
    json_member_word(&line, "head", ledger->head);
    json_key(&line, "findings");
    str_putc(&line, '[');
    for (size_t i = 0; i < ledger->finding_count; i++) {
        const struct ledger_finding *finding = &ledger->findings[i];
        str_puts(&line, i ? ",{" : "{");
        json_member_count(&line, "line", finding->line);
        json_member_word(&line, "severity", finding->damage ? "problem" : "remark");
        json_member(&line, "text", finding->text);
        str_putc(&line, '}');
    }
    str_puts(&line, "]}\n");
    app_put(app, &line);
}

static void put_verified(const struct app *app, const struct ledger *ledger, bool whole)
{
    size_t shown = ledger->finding_count < FINDINGS_SHOWN ? ledger->finding_count : FINDINGS_SHOWN;

    for (size_t i = 0; i < shown; i++)
        put_finding(app, &ledger->findings[i]);
    if (shown < ledger->finding_count)
        printf("%zu more; all of them with --json\n", ledger->finding_count - shown);
    if (!ledger->there)
        puts("nothing was decided yet: there is no ledger");
    else if (whole)
        printf("%zu %s, chain whole\nthe sum of the last line is %s\n", ledger->count,
               ledger->count == 1 ? "entry" : "entries", ledger->head);
}

static int verify(const struct app *app, const struct ledger *ledger)
{
    struct span expected = app_text(app, "expect");
    bool found = !expected.at || ledger_has_sum(ledger, expected);
    bool whole = !ledger->damage && found;

    if (app_json(app))
        put_verified_json(app, ledger, whole);
    else
        put_verified(app, ledger, whole);
    if (!found)
        app_note(app, "no line of the ledger has the sum %.*s: lines were changed or cut off",
                 (int)expected.len, expected.at);
    if (ledger->damage)
        app_note(app, "the ledger is not as it was written: %zu problem%s, %zu %s can be read",
                 ledger->damage, plural(ledger->damage), ledger->count,
                 ledger->count == 1 ? "entry" : "entries");
    return whole ? EXIT_DONE : EXIT_FAILED;
}

static bool is_sum(struct span text)
{
    return text.len == LEDGER_SUM && strspn(text.at, "0123456789abcdef") == LEDGER_SUM;
}

static bool is_unsettled(const struct ledger *ledger)
{
    for (size_t i = 0; i < ledger->decision_count; i++) {
        enum decision_state state = ledger->decisions[i].state;
        if (state == DECISION_UNKNOWN || state == DECISION_DELIVERED || state == DECISION_VERIFIED)
            return true;
    }
    return false;
}

/* Updates the ledger from the mailboxes if it has decisions whose outcome is not final. */
static bool bring_up_to_date(struct app *app, struct ledger *ledger, const struct model *model,
                             struct err *err)
{
    if (!is_unsettled(ledger))
        return true;
    store_settle_decisions(app->store, model);
    return ledger_read(ledger, err);
}

/* Prints the requests that were answered in our name but not from here, if they match the query.
 * Returns their number. */
static size_t put_answered(struct app *app, const struct querying *querying,
                           const struct model *model)
{
    CLEANUP(forged_list_free) struct forged_list forged = {0};
    CLEANUP(requests_free) struct requests asks = {0};
    struct err err;

    requests_build(&asks, model, app_now(app));
    forged_collect(&forged, model, &asks);
    if (!store_judge_forged(app->store, &forged, app->config.answers_elsewhere, true, &err))
        app_note(app, "%s", err.text);
    for (size_t i = 0; i < forged.count; i++)
        if (forged.items[i].request && !querying_match(querying, forged.items[i].request))
            forged.items[i].state = FORGED_NO;
    size_t count = requests_put_answered(app, &forged, FORGED_ALARM);
    return count + requests_put_answered(app, &forged, FORGED_NOTE);
}

static int put_log(struct app *app, struct ledger *ledger, struct querying *querying, size_t limit)
{
    CLEANUP(model_free) struct model model = {0};
    struct err err;
    bool loaded = querying_load(querying, &load_everything, &model, &err);
    int code = bring_up_to_date(app, ledger, loaded ? &model : NULL, &err)
                   ? put_decisions(app, ledger, querying, limit)
                   : app_fail(app, &err);
    if (loaded && limit && put_answered(app, querying, &model) && code == EXIT_NOTHING)
        code = EXIT_DONE;
    return code;
}

static int run_log(struct app *app)
{
    bool verifying = app->operand_count == 1 && strcmp(app->operands[0], "verify") == 0;
    CLEANUP(querying_close) struct querying querying = {0};
    CLEANUP(ledger_free) struct ledger ledger = {0};
    struct err err;
    size_t limit;

    if (app_has(app, "expect") && !verifying)
        return app_misused(app, "--expect belongs to log verify");
    if (app_has(app, "expect") && !is_sum(app_text(app, "expect")))
        return app_misused(app, "--expect takes a SHA-256 in 64 small hexadecimal digits");
    if (!app_limit(app, &limit) ||
        !app_query_read(&querying, app, app->operands, verifying ? 0 : app->operand_count))
        return EXIT_USAGE;
    if (!ledger_read(&ledger, &err))
        return app_fail(app, &err);
    return verifying ? verify(app, &ledger) : put_log(app, &ledger, &querying, limit);
}

const struct command command_log = {
    .name = "log",
    .operands = "[QUERY] | verify",
    .takes = {{.kinds = WORD_QUERY, .word = words_log}, {.kinds = WORD_QUERY, .more = true}},
    .summary = "what was decided, and whether that is all",
    .options = options,
    .most = -1,
    .sourceless = true,
    .undaunted = true,
    .run = run_log};
