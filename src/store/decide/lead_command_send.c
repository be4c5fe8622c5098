/* Lead commands: found a recipient for, and sent with their trail in the ledger. */
#include "store/decide/lead_command_send.h"

#include "base/io_error.h"
#include "store/decide/decision_trail.h"
#include "store/store.h"
#include "store/store_private.h"

/* Finding the recipient and what its layout supports. */

static const struct {
    enum verb verb;
    const char *deed; /* follows "no way to" */
} deeds[LEAD_VERBS] = {
    [LEAD_SHUTDOWN] = {VERB_SHUTDOWN, "ask an agent to stop"},
    [LEAD_MODE] = {VERB_MODE, "set the mode of an agent"},
    [LEAD_ASSIGN] = {VERB_ASSIGN, "assign a task; use send or handoff"},
    [LEAD_RULES] = {VERB_RULES, "give agents rules for tools"},
    [LEAD_ESCALATE] = {VERB_ESCALATE, "escalate; use send"},
};

struct ordering {
    uint32_t source; /* STORE_ANY: any that supports it */
    struct span to;
    struct order_terms *terms;
    struct order_way *way;
    struct span_list *leads; /* for a team; or NULL */
    struct arena *arena;
};

static bool say_no_way(const struct format *format, const struct order_terms *terms,
                       struct err *err)
{
    return err_set(err, ERR_REFUSED,
                   "the layout %s has no way to %s; swarmutt formats tells what each can",
                   format->title, deeds[terms->verb].deed);
}

static bool say_nowhere(const struct store *store, const struct order_terms *terms, struct err *err)
{
    if (store->source_count == 1)
        return say_no_way(store->sources[0].format, terms, err);
    return err_set(err, ERR_REFUSED, "none of the %zu mailbox trees here has a way to %s",
                   store->source_count, deeds[terms->verb].deed);
}

/* True for names that a layout knows, like those of levels: their mailboxes are created as the
 * layout's own programs would. */
static bool is_outsider(const struct store *store, struct span name)
{
    for (size_t i = 0; i < store->source_count; i++)
        if (format_knows(store->sources[i].format, name))
            return true;
    return false;
}

static bool find_there(const struct store *store, const struct ordering *order, size_t *index,
                       struct address *address, struct err *err)
{
    const struct source *source = &store->sources[order->source];

    *index = order->source;
    if (source->format->verbs[deeds[order->terms->verb].verb].ability == ABILITY_NONE)
        return say_no_way(source->format, order->terms, err);
    return recipient_find(source, order->to, RECIPIENT_KNOWN, address, order->arena, err);
}

static bool find_agent(const struct store *store, struct ordering *order, size_t *index,
                       struct address *address, struct err *err)
{
    enum verb verb = deeds[order->terms->verb].verb;
    bool by_level = order->terms->verb == LEAD_ESCALATE && !order->to.at;
    struct span to = by_level ? span_of(escalation_routes[order->terms->level].to) : order->to;
    enum recipient_rule rule = by_level && is_outsider(store, to) ? RECIPIENT_NEW : RECIPIENT_KNOWN;
    struct err elsewhere;

    *err = (struct err){0};
    if (order->source != STORE_ANY && !by_level)
        return find_there(store, order, index, address, err);
    if (store_find_recipient(store, to, verb, rule, index, address, order->arena, err))
        return true;
    if (err->scope == ERR_NONE && by_level)
        return say_nowhere(store, order->terms, err);
    if (err->scope == ERR_REFUSED && by_level)
        return err_set(err, ERR_REFUSED,
                       "the level leads to \"%.*s\", who is not known here, or not in one place "
                       "alone; say with --to who gets it, or with --source where",
                       (int)to.len, to.at);
    if (err->scope != ERR_NONE && err->scope != ERR_REFUSED)
        return false;
    /* perhaps the recipient's layout does not support it */
    if (store_find_recipient(store, to, VERB_SEND, RECIPIENT_KNOWN, index, address, order->arena,
                             &elsewhere) &&
        store->sources[*index].format->verbs[verb].ability == ABILITY_NONE)
        return say_no_way(store->sources[*index].format, order->terms, err);
    if (err->scope == ERR_NONE)
        *err = elsewhere;
    return false;
}

static void fill_means(const struct source *source, struct ordering *order)
{
    const struct format *format = source->format;

    order->way->source = source->index;
    order->way->ability = format->verbs[deeds[order->terms->verb].verb].ability;
    order->terms->means = (struct order_means){.program = order->way->ability == ABILITY_NATIVE &&
                                                          order->terms->verb != LEAD_ESCALATE,
                                               .type = format->fields & FIELD_TYPE,
                                               .payload = format->fields & FIELD_PAYLOAD,
                                               .response = format->fields & FIELD_RESPONSE};
}

/* Sets the sender: programs take commands only from the lead; elsewhere everybody uses their own
 * name. */
static void fill_sender(const struct source *source, struct order_terms *terms)
{
    const char *fixed = terms->verb == LEAD_ESCALATE ? escalation_routes[terms->level].from : NULL;

    if (terms->means.program)
        fixed = source->format->identity;
    terms->from = span_of(fixed ? fixed : source->identity);
}

/* Checks sender and recipient against the team's roster. */
static bool check_roster(const struct source *source, const struct ordering *order, struct err *err)
{
    CLEANUP(agent_names_free) struct agent_names names = {0};
    bool ok = source_rosters(source, &names, err);

    for (size_t i = 0; ok && i < names.count; i++) {
        const struct agent_name *one = &names.items[i];
        if (!span_eq(one->team, order->way->team))
            continue;
        if (span_is(one->name, source->identity) && !one->member.lead &&
            !span_eq(one->name, order->terms->from))
            ok = err_set(err, ERR_REFUSED,
                         "only who leads the team orders this, and you are \"%s\" here",
                         source->identity);
        else if (one->member.lead && order->leads)
            span_list_add(order->leads, arena_copy(order->arena, one->name));
        else if (one->member.lead && span_eq(one->name, order->way->agent))
            ok = err_set(err, ERR_REFUSED,
                         "\"%.*s\" leads the team: such an order goes to a teammate",
                         (int)one->name.len, one->name.at);
    }
    return ok;
}

static bool check_people(const struct source *source, const struct ordering *order, struct err *err)
{
    const struct order_terms *terms = order->terms;
    struct span agent = order->way->agent;
    bool by_route = terms->verb == LEAD_ESCALATE && escalation_routes[terms->level].from;

    if (agent.at &&
        (span_eq(agent, terms->from) || (!by_route && span_is(agent, source->identity))))
        return err_set(err, ERR_REFUSED, "\"%.*s\" is you: it goes to somebody else",
                       (int)agent.len, agent.at);
    return !terms->means.program || check_roster(source, order, err);
}

/* Fills in what the order means in the source that was found for it. */
static bool fill_order(const struct source *source, struct ordering *order, struct err *err)
{
    fill_means(source, order);
    fill_sender(source, order->terms);
    return check_people(source, order, err);
}

bool store_lead_agent(struct store *store, uint32_t source, struct span to,
                      struct order_terms *terms, struct order_way *way, struct arena *arena,
                      struct err *err)
{
    struct ordering order = {
        .source = source, .to = to, .terms = terms, .way = way, .arena = arena};
    struct address address = {0};
    size_t index;

    *way = (struct order_way){0};
    if (!find_agent(store, &order, &index, &address, err))
        return false;
    way->agent = terms->agent = address.agent;
    way->team = address.team;
    return fill_order(&store->sources[index], &order, err);
}

static bool has_team(const struct source *source, struct span name, struct span *team,
                     struct arena *arena)
{
    CLEANUP(agent_names_free) struct agent_names names = {0};
    struct err err;
    bool found = false;

    if (!source_rosters(source, &names, &err))
        io_error_note_err(&err); /* the name may be a team's all the same */
    for (size_t i = 0; !found && i < names.count; i++) {
        found = span_eq(names.items[i].team, name) || span_eq(names.items[i].team_title, name);
        if (found)
            *team = arena_copy(arena, names.items[i].team);
    }
    return found;
}

bool store_lead_team(struct store *store, uint32_t source, struct span team,
                     struct order_terms *terms, struct order_way *way, struct span_list *leads,
                     struct arena *arena, struct err *err)
{
    struct ordering order = {.terms = terms, .way = way, .leads = leads, .arena = arena};
    enum verb verb = deeds[terms->verb].verb;
    const struct source *found = NULL;

    *way = (struct order_way){0};
    for (size_t i = 0; i < store->source_count; i++) {
        if ((source != STORE_ANY && i != source) ||
            store->sources[i].format->verbs[verb].ability == ABILITY_NONE ||
            !has_team(&store->sources[i], team, &way->team, arena))
            continue;
        if (found)
            return err_set(err, ERR_REFUSED,
                           "several sources have a team \"%.*s\"; name the one that is meant with "
                           "--source",
                           (int)team.len, team.at);
        found = &store->sources[i];
    }
    if (!found)
        return err_set(err, ERR_ABSENT, "there is no team \"%.*s\" here", (int)team.len, team.at);
    return fill_order(found, &order, err);
}

/* Returns the highest number that an escalation of the day has in any readable message. */
static unsigned find_highest(const struct model *model, struct span day)
{
    unsigned highest = 0;

    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        const struct message_data *data = message->data;
        highest = escalation_highest(message->subject, day, highest);
        if (!data)
            continue;
        const struct span texts[] = {data->body, data->payload, data->context, data->tags};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            highest = escalation_highest(texts[k], day, highest);
    }
    return highest;
}

bool store_name_escalation(struct store *store, struct order_terms *terms, struct str *id,
                           struct err *err)
{
    struct load all = {.inbox = true, .archive = true, .want = WANT_DATA | WANT_BODY};
    CLEANUP(model_free) struct model model = {0};
    CLEANUP(str_free) struct str day = {0};

    if (terms->id.at)
        return true;
    if (!store_load(store, &all, &model, err))
        return false;
    escalation_add_day(&day, terms->now_us);
    escalation_add_next(id, str_span(&day), find_highest(&model, str_span(&day)));
    terms->id = str_span(id);
    return true;
}

struct order_trail {
    const struct outgoing_message *letter;
    const struct order_note *note;
    struct decided_trail trail;
};

static bool note_intent(void *context, const struct outgoing_file *outgoing, struct err *err)
{
    struct order_trail *it = context;
    const struct draft *draft = &it->letter->draft;

    decision_trail_open_lead(&it->trail, outgoing->source, it->note,
                             draft->protocol.at ? draft->protocol : draft->body);
    if (draft->from.len)
        it->trail.entry.by = draft->from;
    return decision_trail_intend(&it->trail, outgoing, err);
}

static void note_written(void *context, const struct outgoing_file *outgoing)
{
    struct order_trail *it = context;

    decision_trail_note(&it->trail, LEDGER_DELIVERED, outgoing, NULL);
}

bool store_lead_command(struct store *store, struct outgoing_message *letter,
                        const struct send_options *options, const struct order_note *note,
                        struct err *err)
{
    struct order_trail it = {.letter = letter, .note = note};
    struct send_hooks hooks = {.packed = note_intent, .written = note_written, .context = &it};
    struct send_options how = *options;

    how.hooks = &hooks;
    bool ok = store_send(store, letter, &how, err);
    decision_trail_sent(&it.trail, letter, ok, err);
    decision_trail_close(&it.trail);
    return ok;
}
