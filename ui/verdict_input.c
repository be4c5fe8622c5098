/* Verdicts: what a tool is to work on, changed by the person or made a rule. */
#include "ui/verdict_input.h"

#include "base/json.h"
#include "mail/decision.h"
#include "ui/editor.h"
#include "ui/ui_private.h"

bool verdict_same_use(const struct protocol *p, struct span *rule, struct arena *arena)
{
    static const char *const members[] = {"command", "file_path", "notebook_path", "path", "url"};
    struct json_walk walk;
    struct json key, value;
    struct err ignored;

    *rule = (struct span){0};
    if (!p->input.len || !json_open(&walk, p->input, JSON_STRICT, &ignored))
        return true;
    while (json_next(&walk, &key, &value))
        for (size_t i = 0; i < sizeof members / sizeof *members; i++)
            if (value.kind == JSON_STRING && json_is(key, members[i]))
                *rule = json_text(arena, value);
    for (size_t i = 0; i < rule->len; i++)
        if (strchr("*?[]()\n", rule->at[i]))
            return false;
    return true;
}

void verdict_amend(struct ui *ui, struct shown *shown)
{
    struct decision_terms terms = {0};
    struct arena arena = {0};
    struct protocol request, answer;
    struct str text = {0};
    struct err err;
    uint64_t stamp = shown->stamp;

    protocol_parse(&request, shown_request(shown)->message->data->protocol, &arena);
    str_add_span(&text, shown->amended.len ? str_span(&shown->amended) : request.input);
    if (!editor_run(&ui->terminal, config_editor(ui_config(ui), NULL), &text, &err)) {
        ui_fail(ui, &err);
    } else if (shown->stamp != stamp) {
        ui_say(ui, LOOK_ERROR, "the request has changed meanwhile; nothing was changed");
    } else if (!span_trim(str_span(&text)).len ||
               span_eq(span_trim(str_span(&text)), request.input)) {
        str_clear(&shown->amended);
        ui_say(ui, LOOK_PLAIN, "the input is the request's own");
    } else {
        terms.input = span_trim(str_span(&text));
        if (decision_answer(&answer, DECISION_GRANT, &request, &terms, 0, &arena, &err)) {
            str_clear(&shown->amended);
            str_add_span(&shown->amended, terms.input);
            ui_say(ui, LOOK_WARNING, "the input was changed; read it, then ao grants that");
        } else {
            ui_fail(ui, &err);
        }
    }
    shown->seen_end = false;
    page_stale(&shown->page);
    str_free(&text);
    arena_free(&arena);
}
