/* Decisions in the output of commands: one paragraph each.
 *
 * Whatever agents wrote stands behind a label on one line, or behind a gutter: none of it can pass
 * for a line of ours. */
#include "cmd/read/decisions.h"

#include "base/json/json_print.h"
#include "base/text/clean.h"
#include "mail/protocol/order.h"

#include <pwd.h>

/* Where a paragraph goes: its lines stand below the time of their decision. */
struct paragraph {
    const struct app *app;
    struct str text;
    size_t indent;
};

static void add_clean(struct paragraph *out, struct span text)
{
    clean_add(&out->text, text, out->app->clean | CLEAN_LINE);
}

/* "  LABEL:  ", to be followed by something on the same line. */
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
    add_clean(out, text);
    str_putc(&out->text, '\n');
}

/* A text of which only the first line is told, and whether there is more. */
static void add_first_line(struct paragraph *out, struct span text)
{
    struct span line = span_first_line(span_trim(text));

    add_clean(out, line);
    if (line.len < span_trim(text).len)
        str_puts(&out->text, " ...");
}

/* A text as a whole, behind a gutter. */
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
        add_clean(out, line);
        str_putc(&out->text, '\n');
        text.at += line.len + (end != NULL);
        text.len -= line.len + (end != NULL);
    }
}

/* Who decided, as whom, and what. */
static void add_head(struct paragraph *out, const struct decision_record *record)
{
    const struct ledger_entry *first = record->first;
    const struct passwd *user = first->uid >= 0 ? getpwuid((uid_t)first->uid) : NULL;
    struct str deed = {0};
    size_t start = out->text.len;

    if (first->at_us == WHEN_NONE)
        str_puts(&out->text, "at no known time ");
    else
        when_add_format(&out->text, first->at_us,
                        out->app->to_terminal ? "%H:%M:%S " : "%Y-%m-%d %H:%M:%S ");
    out->indent = out->app->to_terminal ? out->text.len - start : 4;
    if (user)
        add_clean(out, span_of(user->pw_name));
    else if (first->uid >= 0)
        str_addf(&out->text, "uid %lld", (long long)first->uid);
    else
        str_puts(&out->text, "somebody");
    if (record->whole.by.len) {
        str_puts(&out->text, " as ");
        add_clean(out, record->whole.by);
    }
    str_putc(&out->text, ' ');
    decision_add_deed(&deed, record);
    add_clean(out, str_span(&deed));
    str_putc(&out->text, '\n');
    str_free(&deed);
}

/* What the words of a decision are: an answer to the agent, or why it is asked to stop. */
static const char *words_label(const struct ledger_entry *said)
{
    return span_is(said->verb, order_verb_name(ORDER_SHUTDOWN)) ? "reason" : "saying";
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
    struct str state = {0};

    decision_add_state(&state, record);
    add_line(out, "state", str_span(&state));
    str_free(&state);
}

/* Which message, and where it lies. */
static void add_message(struct paragraph *out, const char *label, struct span message,
                        struct span file, const struct ledger_request *part)
{
    if (!message.len && !file.len)
        return;
    add_label(out, label);
    add_clean(out, message.len ? message : span_of("-"));
    if (file.len) {
        str_puts(&out->text, " in ");
        add_clean(out, file);
    }
    if (part && part->len)
        str_addf(&out->text, ", %lld bytes from %lld on", (long long)part->len,
                 (long long)part->at);
    str_putc(&out->text, '\n');
}

static void add_moment(struct str *out, int64_t at_us)
{
    if (at_us == WHEN_NONE)
        return;
    when_add_format(out, at_us, "%Y-%m-%d %H:%M:%S");
    str_addf(out, ".%03d ", (int)(at_us / 1000 % 1000));
}

static void add_events(struct paragraph *out, const struct decision_record *record)
{
    for (const struct ledger_entry *event = record->first; event; event = event->next) {
        add_label(out, event == record->first ? "events" : "");
        add_moment(&out->text, event->at_us);
        add_clean(out, event->word);
        str_addf(&out->text, ", entry %lld", (long long)event->number);
        if (event->uid >= 0)
            str_addf(&out->text, ", uid %lld", (long long)event->uid);
        if (event->pid >= 0)
            str_addf(&out->text, ", process %lld", (long long)event->pid);
        if (event->note.len) {
            str_puts(&out->text, ": ");
            add_clean(out, event->note);
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
        add_clean(out, whole->format);
        str_putc(&out->text, ' ');
        add_clean(out, whole->root);
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
    struct str source = {0};

    if (!said->root.len || !naming_needed(naming))
        return;
    naming_add(&source, naming->app, said->format, said->root);
    add_line(out, "source", str_span(&source));
    str_free(&source);
}

void decision_put(const struct naming *naming, const struct decision_record *record, bool whole)
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

void decision_put_json(const struct app *app, const struct decision_record *record)
{
    struct str text = {0};

    for (const struct ledger_entry *event = record->first; event; event = event->next) {
        str_addf(&text, "{\"v\":1,\"n\":%lld", (long long)event->number);
        json_member_time(&text, "at", event->at_us);
        json_member(&text, "event", event->word);
        ledger_add_members(&text, event);
        json_member(&text, "state", span_of(decision_state_word(record->state)));
        str_puts(&text, "}\n");
    }
    app_put(app, &text);
    str_free(&text);
}
