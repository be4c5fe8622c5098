/* Outgoing: orders, one for each recipient, each with what the ledger is told of it. */
#include "base/mem.h"
#include "store/decide/order.h"
#include "ui/compose/form_private.h"
#include "ui/compose/outgoing.h"

#include <stdlib.h>

/* An order for one agent. */
struct ordered {
    struct span to; /* as it is addressed */
    struct order_terms terms;
    struct order_way way;
    struct order_text text;
};

void outgoing_free_orders(struct outgoing *out)
{
    for (size_t i = 0; i < out->order_count; i++)
        order_text_free(&out->orders[i].text);
    free(out->orders);
}

/* --- who gets it --- */

static void add(struct outgoing *out, struct span to, const struct order_terms *terms,
                const struct order_way *way)
{
    out->orders = mem_grow(out->orders, &out->order_cap, out->order_count + 1, sizeof *out->orders);
    out->orders[out->order_count++] = (struct ordered){.to = to, .terms = *terms, .way = *way};
}

static struct span with_team(struct outgoing *out, struct span name, struct span team)
{
    struct str text = {0};

    if (!team.len || memchr(name.at, '@', name.len))
        return arena_copy(&out->arena, name);
    str_add_span(&text, name);
    str_putc(&text, '@');
    str_add_span(&text, team);
    struct span kept = arena_copy(&out->arena, str_span(&text));
    str_free(&text);
    return kept;
}

static bool find_agent(struct outgoing *out, struct store *store, struct span name,
                       struct order_terms terms, struct err *err)
{
    struct span to = with_team(out, name, out->fields.team);
    struct order_way way;

    if (!store_order_agent(store, out->to[0].how.source, to, &terms, &way, &out->arena, err))
        return false;
    add(out, to, &terms, &way);
    return true;
}

/* The layout's own name for who stands above, whose mailbox may be made. */
static bool find_by_level(struct outgoing *out, struct store *store, struct order_terms terms,
                          struct err *err)
{
    struct order_way way;

    if (!store_order_agent(store, STORE_ANY, (struct span){0}, &terms, &way, &out->arena, err))
        return false;
    add(out, way.agent, &terms, &way);
    return true;
}

/* All teammates, as a broadcast finds them. */
static bool add_members(struct outgoing *out, struct store *store, struct order_terms *terms,
                        const struct order_way *team, const struct span_list *leads,
                        struct err *err)
{
    struct broadcast plan = {0};
    struct order_text text = {0};
    bool ok =
        order_make(&text, terms, err) &&
        store_preview_broadcast(store, &text.draft, team->source, team->team, leads, &plan, err);

    for (size_t i = 0; ok && i < plan.count; i++) {
        struct order_way way = *team;
        way.agent = terms->agent = arena_copy(&out->arena, plan.letters[i].draft.to);
        add(out, with_team(out, way.agent, way.team), terms, &way);
    }
    for (size_t i = 0; ok && i < plan.left_out_count; i++)
        outgoing_caution(out, "%.*s does not get it: %s", (int)plan.left_out[i].name.len,
                         plan.left_out[i].name.at, plan.left_out[i].why);
    broadcast_free(&plan);
    order_text_free(&text);
    return ok;
}

/* Rules are for all of a team when it is one that is named. */
static bool find_team(struct outgoing *out, struct store *store, struct span name,
                      struct order_terms terms, bool *found, struct err *err)
{
    struct span_list leads = {0};
    struct order_way way;
    bool ok = true;

    *found = store_order_team(store, out->to[0].how.source, name, &terms, &way, &leads, &out->arena,
                              err);
    if (*found)
        ok = add_members(out, store, &terms, &way, &leads, err);
    else if (err->scope != ERR_ABSENT)
        ok = false;
    span_list_free(&leads);
    return ok;
}

static bool find_all(struct outgoing *out, struct store *store, const struct order_terms *terms,
                     bool *whole_team, struct err *err)
{
    struct span rest = out->fields.to, name;

    *whole_team = false;
    if (terms->verb == ORDER_ESCALATE && !span_trim(rest).len)
        return find_by_level(out, store, *terms, err);
    while (form_next_name(&rest, &name)) {
        bool team = false;
        if (terms->verb == ORDER_RULES && !find_team(out, store, name, *terms, &team, err))
            return false;
        if (!team && !find_agent(out, store, name, *terms, err))
            return false;
        *whole_team |= team;
    }
    return true;
}

/* --- what is said of it --- */

/* What takes protection away is not sent before the person has typed for whom. */
static bool confirm(struct outgoing *out, const struct order_terms *terms, bool whole_team,
                    struct err *err)
{
    struct span to = span_trim(out->fields.to), given = span_trim(out->fields.order.confirm);
    bool unguarded = terms->verb == ORDER_MODE && order_mode_is_unguarded(terms->mode);

    if (!unguarded && !(whole_team && span_is(terms->behavior, "allow")))
        return true;
    if (unguarded)
        outgoing_caution(out,
                         "%.*s takes all protection away: \"%.*s\" will act without asking anybody",
                         (int)terms->mode.len, terms->mode.at, (int)to.len, to.at);
    else
        outgoing_caution(out, "all %zu teammates of \"%.*s\" will use %.*s without asking",
                         out->order_count, (int)to.len, to.at, (int)terms->tool.len,
                         terms->tool.at);
    if (given.len && span_eq(given, to))
        return true;
    return err_set(err, ERR_REFUSED,
                   "this takes protection away: Confirm takes \"%.*s\", not \"%.*s\"", (int)to.len,
                   to.at, (int)given.len, given.len ? given.at : "");
}

static void say_way(struct outgoing *out, struct store *store, const struct ordered *order)
{
    const struct source *source = store_source(store, order->way.source);

    if (order->way.ability == ABILITY_CONVENTION)
        outgoing_caution(out,
                         "in the layout %s this is a custom for people and models: no program "
                         "enforces it",
                         source->format->title);
    if (order->terms.means.program && !span_is(order->terms.from, source->identity))
        outgoing_caution(out,
                         "it goes out in the name of \"%.*s\", from whom alone programs take it, "
                         "and whose inbox gets the answer",
                         (int)order->terms.from.len, order->terms.from.at);
}

/* --- looking and sending --- */

static bool fill_escalation(struct outgoing *out, struct store *store, struct order_terms *terms,
                            struct err *err)
{
    const struct draft_fields *fields = &out->fields;
    struct span word = span_trim(fields->order.level), given = span_trim(fields->order.id);
    struct str id = {0};

    if (!escalation_level_find(word, &terms->level))
        return err_set(err, ERR_REFUSED, "Level takes coo or ceo, not \"%.*s\"", (int)word.len,
                       word.len ? word.at : "");
    terms->title = fields->subject;
    terms->body = fields->body;
    terms->priority = fields->priority;
    terms->id = given.len ? given : (struct span){0};
    bool ok = store_name_escalation(store, terms, &id, err);
    if (ok)
        terms->id = arena_copy(&out->arena, terms->id);
    str_free(&id);
    return ok;
}

static bool fill_terms(struct outgoing *out, struct store *store, struct order_terms *terms,
                       struct err *err)
{
    const struct draft_fields *fields = &out->fields;

    *terms = (struct order_terms){.verb = out->spec->verb,
                                  .now_us = out->now_us,
                                  .reason = fields->order.reason,
                                  .task = span_trim(fields->order.task),
                                  .subject = fields->subject,
                                  .description = fields->body,
                                  .tool = span_trim(fields->order.tool),
                                  .behavior = span_trim(fields->order.behavior),
                                  .directory = fields->order.directory,
                                  .rules = &fields->order.rules};
    if (terms->verb == ORDER_ESCALATE)
        return fill_escalation(out, store, terms, err);
    return terms->verb != ORDER_MODE ||
           order_mode(span_trim(fields->order.mode), &terms->mode, err);
}

static bool preview(struct outgoing *out, struct store *store, size_t at, struct err *err)
{
    struct ordered *order = &out->orders[at];
    struct letter *letter = &out->letters[at];
    struct addressee *to = &out->to[at];

    order->terms.now_us += (int64_t)at * 1000; /* else their ids were the same */
    if (!order_make(&order->text, &order->terms, err))
        return false;
    say_way(out, store, order);
    to->name = letter->draft.to = order->to;
    to->how.source = order->way.source;
    to->how.create = !span_trim(out->fields.to).len; /* it goes by its level */
    letter->draft = order->text.draft;
    letter->draft.to = order->to;
    return store_preview(store, letter, &to->how, &out->previews[at], err);
}

bool outgoing_preview_orders(struct outgoing *out, struct store *store, struct err *err)
{
    struct order_terms terms;
    bool whole_team;

    if (!fill_terms(out, store, &terms, err) || !find_all(out, store, &terms, &whole_team, err) ||
        !confirm(out, &terms, whole_team, err))
        return false;
    free(out->to);
    out->count = out->order_count;
    out->to = mem_zero(out->count, sizeof *out->to);
    out->letters = mem_zero(out->count, sizeof *out->letters);
    out->previews = mem_zero(out->count, sizeof *out->previews);
    for (size_t i = 0; i < out->count; i++)
        if (!preview(out, store, i, err))
            return false;
    return true;
}

bool outgoing_send_order(struct outgoing *out, struct store *store, size_t at, struct err *err)
{
    const struct ordered *order = &out->orders[at];
    struct order_note note = {.verb = order_verb_name(order->terms.verb),
                              .kind = order_verb_kind(order->terms.verb),
                              .agent = order->way.agent,
                              .team = order->way.team,
                              .terms = str_span(&order->text.in_short),
                              .id = order->text.id};

    return store_order(store, &out->letters[at], &out->to[at].how, &note, err);
}
