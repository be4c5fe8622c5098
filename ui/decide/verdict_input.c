/* Verdicts: what a tool is to work on, changed by the person. */
#include "ui/decide/verdict_input.h"

#include "mail/protocol/decision.h"

void verdict_amend(struct ui *ui, struct request_page *shown)
{
    struct decision_terms terms = {0};
    struct arena arena = {0};
    struct protocol request, answer;
    struct str text = {0};
    struct err err;
    uint64_t stamp = shown->stamp;

    protocol_parse(&request, request_page_request(shown)->message->data->protocol, &arena);
    str_add_span(&text, shown->unfinished.len ? str_span(&shown->unfinished)
                        : shown->amended.len  ? str_span(&shown->amended)
                                              : request.input);
    if (!ui_edit(ui, &text, &err)) {
        ui_fail(ui, &err);
    } else if (shown->stamp != stamp) {
        ui_say(ui, LOOK_ERROR, "the request has changed meanwhile; nothing was changed");
    } else if (!span_trim(str_span(&text)).len ||
               span_eq(span_trim(str_span(&text)), request.input)) {
        request_page_amend(shown, (struct span){0});
        str_clear(&shown->unfinished);
        ui_say(ui, LOOK_PLAIN, "the input is the request's own");
    } else {
        terms.input = span_trim(str_span(&text));
        if (decision_answer(&answer, DECISION_GRANT, &request, &terms, 0, &arena, &err)) {
            request_page_amend(shown, terms.input);
            str_clear(&shown->unfinished);
            ui_say(ui, LOOK_WARNING, "the input was changed; read it, then ao grants that");
        } else {
            str_set(&shown->unfinished, str_span(&text));
            ui_failf(ui, "am goes on with what you wrote: %s", err.text);
        }
    }
    shown->seen_end = false;
    settle_restart(&shown->settle);
    page_stale(&shown->page);
    str_free(&text);
    arena_free(&arena);
}
