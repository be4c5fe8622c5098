/* Ordering: found, made, sent, and said what came of it. */
#include "cmd/write/ordering.h"

#include "base/json/json_print.h"
#include "base/text/clean.h"
#include "cmd/write/previewing.h"

static void put_sent(const struct ordering *ordering)
{
    const struct app *app = ordering->app;
    const struct letter *letter = &ordering->letter;
    struct span id = ordering->text.id; /* absent where nobody's program knows it */
    struct str line = {0};

    if (!ordering->id_key) {
        app_put_id(app, letter, NULL);
        return;
    }
    if (app_json(app)) {
        str_puts(&line, "{\"v\":1");
        json_member(&line, ordering->id_key, id);
        json_member(&line, "to", ordering->to);
        json_member(&line, "id", str_span(&letter->id));
        if (letter->queued)
            json_member_flag(&line, "queued", true);
        if (letter->taken)
            json_member_flag(&line, "taken", true);
        str_putc(&line, '}');
    } else {
        clean_add(&line, id.at ? id : str_span(&letter->id), app->clean);
        str_putc(&line, ' ');
        clean_add(&line, ordering->to, app->clean);
    }
    str_putc(&line, '\n');
    app_put(app, &line);
    str_free(&line);
    app_put_remarks(app, letter);
}

void ordering_say_way(const struct ordering *ordering)
{
    const struct source *source = store_source(ordering->app->store, ordering->way.source);
    const struct order_terms *terms = &ordering->terms;

    if (ordering->way.ability == ABILITY_CONVENTION)
        app_note(ordering->app,
                 "in the layout %s this is a custom for people and models: no program enforces it",
                 source->format->title);
    if (terms->means.program && !span_is(terms->from, source->identity))
        app_note(ordering->app,
                 "it goes out in the name of \"%.*s\", from whom alone programs take it, and whose "
                 "inbox gets the answer",
                 (int)terms->from.len, terms->from.at);
}

bool ordering_find(struct ordering *ordering, struct span to, struct err *err)
{
    struct app *app = ordering->app;

    ordering->to = to;
    ordering->terms.now_us = when_now();
    if (!app_verify(app, &ordering->how.verify, err) ||
        !store_order_agent(app->store, STORE_ANY, to, &ordering->terms, &ordering->way,
                           &ordering->arena, err))
        return false;
    ordering->how.source = ordering->way.source;
    if (!to.at) { /* the layout's own name for it, whose mailbox may be made */
        ordering->to = ordering->way.agent;
        ordering->how.create = true;
    }
    ordering_say_way(ordering);
    return true;
}

bool ordering_make(struct ordering *ordering, struct err *err)
{
    if (!order_make(&ordering->text, &ordering->terms, err))
        return false;
    ordering->letter.draft = ordering->text.draft;
    ordering->letter.draft.to = ordering->to;
    return true;
}

int ordering_send(struct ordering *ordering)
{
    struct app *app = ordering->app;
    struct letter *letter = &ordering->letter;
    struct order_note note = {.verb = order_verb_name(ordering->terms.verb),
                              .kind = order_verb_kind(ordering->terms.verb),
                              .agent = ordering->way.agent,
                              .team = ordering->way.team,
                              .terms = str_span(&ordering->text.in_short),
                              .id = ordering->text.id};
    struct err err;

    if (app_has(app, "dry-run"))
        return preview_and_print(app, letter, &ordering->how);
    bool ok = store_order(app->store, letter, &ordering->how, &note, &err);
    if (letter->delivered || letter->queued)
        put_sent(ordering);
    return ok ? EXIT_DONE : app_fail(app, &err);
}

int ordering_send_to(struct ordering *ordering, const struct draft *planned)
{
    ordering->letter = (struct letter){.draft = ordering->text.draft};
    ordering->letter.draft.to = ordering->to = ordering->way.agent = planned->to;
    ordering->letter.draft.team = ordering->way.team;
    ordering->letter.draft.created_us = planned->created_us; /* else their ids were the same */
    int code = ordering_send(ordering);
    letter_free(&ordering->letter);
    ordering->letter = (struct letter){0};
    return code;
}

int ordering_run(struct ordering *ordering, struct span to)
{
    struct err err;

    return ordering_find(ordering, to, &err) && ordering_make(ordering, &err)
               ? ordering_send(ordering)
               : app_fail(ordering->app, &err);
}

void ordering_free(struct ordering *ordering)
{
    letter_free(&ordering->letter);
    order_text_free(&ordering->text);
    arena_free(&ordering->arena);
}
