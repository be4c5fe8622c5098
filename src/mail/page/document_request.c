/* Documents: a request, with what a person must know before it is decided. */
#include "base/text/difference.h"
#include "mail/page/document_sheet.h"
#include "mail/protocol/protocol.h"

enum { LABELS = 11, AROUND = 3 };

#define ALARM                                                                                      \
    "not yours: only a lead sends this, and neither the lead of its team nor you did. An agent's " \
    "program may have taken it for yours: look at what the agent does, set its mode again, or "    \
    "ask it to stop"

#define ANSWERED "answered in your name, not from here. "
#define ANSWERED_PERHAPS ANSWERED "The lead's own program may have done so, or somebody else did. "
#define ANSWERED_THEN "The agent may have acted on it: look at what it does. d puts this away"

static void put_flags(struct sheet *sheet, const struct span_list *flags)
{
    for (size_t i = 0; flags && i < flags->count; i++)
        sheet_text(sheet, i ? "" : "Flags", flags->items[i], LINE_WORDS, LOOK_WARNING);
}

static void put_facts(struct writer *w, const struct document_request *about)
{
    struct sheet sheet = {w, LABELS};

    if (about->alarm) {
        sheet_text(&sheet, "ALARM", span_of(ALARM), LINE_WORDS, LOOK_ERROR);
        return;
    }
    if (about->answer) {
        bool alarm = about->answer_alarm;
        sheet_text(&sheet, alarm ? "ALARM" : "Note",
                   span_of(alarm ? ANSWERED ANSWERED_THEN : ANSWERED_PERHAPS ANSWERED_THEN),
                   LINE_WORDS, alarm ? LOOK_ERROR : LOOK_WARNING);
        sheet_text(&sheet, "Answer", about->answer_note, LINE_WORDS, LOOK_WARNING);
    }
    if (about->refusal.at)
        sheet_text(&sheet, "REFUSED", about->refusal, LINE_WORDS, LOOK_ERROR);
    put_flags(&sheet, about->flags);
    if (about->native_note.at)
        sheet_text(&sheet, "Answer", about->native_note, LINE_WORDS, LOOK_WARNING);
    if (about->directory.len)
        sheet_line(&sheet, "Works in", about->directory, LINE_EXACT, LOOK_PLAIN);
}

/* Behind the request: what is asked now must not be pushed out of sight by it. */
static void put_earlier(struct writer *w, const struct document_request *about)
{
    struct sheet sheet = {w, LABELS};

    for (size_t i = 0; i < about->earlier.count; i++)
        sheet_text(&sheet, i ? "" : "Earlier", about->earlier.items[i], LINE_WORDS, LOOK_PLAIN);
}

static bool has_suggestions(struct span suggestions)
{
    return suggestions.len > 2 && suggestions.at[0] == '[';
}

/* Suggestions are the agent's: each is off until it is chosen. */
static void put_suggestions(struct writer *w, struct span suggestions,
                            const struct document_request *about)
{
    struct json_walk walk;
    struct json none, item;
    struct err ignored;
    size_t number = 0;

    if (!has_suggestions(suggestions) || !json_open(&walk, suggestions, JSON_STRICT, &ignored))
        return;
    sheet_title(w, "Suggested by the agent; off unless chosen one by one");
    while (json_next(&walk, &none, &item)) {
        bool on = number < about->chosen_count && about->chosen[number];
        struct str mark = {0};
        number++;
        str_addf(&mark, "%zu [%c]", number, on ? 'x' : ' ');
        line_say(w, str_c(&mark), on ? LOOK_WARNING : LOOK_LABEL);
        w->gutter = true;
        json_put_scanned(w, item);
        w->gutter = false;
        str_free(&mark);
    }
}

static bool is_near_change(const struct difference *difference, size_t line)
{
    size_t from = line > AROUND ? line - AROUND : 0;

    for (size_t i = from; i < difference->count && i <= line + AROUND; i++)
        if (difference->lines[i].kind != DIFFERENCE_SAME)
            return true;
    return false;
}

static void put_change(struct writer *w, const struct difference_line *line)
{
    static const char *const marks[] = {"  ", "- ", "+ "};
    static const enum look looks[] = {LOOK_DIM, LOOK_STRUCK, LOOK_STRONG};

    line_open(w, LINE_KEEP, span_of("    "));
    line_add(w, span_of(marks[line->kind]), 2, LOOK_LABEL);
    line_put(w, line->text, looks[line->kind]);
    line_close(w);
}

static void put_difference(struct writer *w, struct span before, struct span after)
{
    struct difference difference = {0};
    bool skipped = false;

    difference_find(&difference, before, after);
    sheet_title(w, "Changed since the plan it replaces");
    if (!difference.changed)
        line_say(w, "nothing: the two plans are the same", LOOK_WARNING);
    w->gutter = true;
    for (size_t i = 0; difference.changed && i < difference.count; i++) {
        if (is_near_change(&difference, i))
            put_change(w, &difference.lines[i]);
        else if (!skipped)
            line_say(w, "  ...", LOOK_DIM);
        skipped = !is_near_change(&difference, i);
    }
    w->gutter = false;
    difference_free(&difference);
}

static void put_amended(struct writer *w, const struct document_request *about)
{
    struct sheet sheet = {w, LABELS};

    sheet_title(w, "Changed by you: this input is used instead");
    put_flags(&sheet, about->amended_flags);
    w->gutter = true;
    json_put(w, about->amended);
    w->gutter = false;
}

void document_request(struct document *doc, const struct message *message,
                      const struct document_request *about, const struct document_options *options)
{
    struct arena arena = {0};
    struct protocol p = {0};
    struct writer w;

    writer_open(&w, doc, options);
    if (message->data && message->data->protocol.len)
        protocol_parse(&p, message->data->protocol, &arena);
    put_facts(&w, about);
    w.gutter = true;
    w.brief = p.kind && protocol_wants_answer(p.kind);
    w.below = has_suggestions(p.suggestions) ? p.suggestions.at : NULL;
    message_put(&w, message);
    w.below = NULL;
    w.brief = w.gutter = false;
    put_suggestions(&w, p.suggestions, about);
    if (about->amended.at)
        put_amended(&w, about);
    if (about->before.at && message->data)
        put_difference(&w, about->before,
                       p.kind == PROTOCOL_PLAN_APPROVAL_REQUEST ? p.plan : message->data->body);
    if (about->answer) {
        sheet_title(&w, "The answer that was found");
        w.gutter = true;
        message_put(&w, about->answer);
        w.gutter = false;
    }
    put_earlier(&w, about);
    line_say(&w, about->alarm ? "-- end of the message" : "-- end of the request", LOOK_DIM);
    writer_close(&w);
    arena_free(&arena);
}
