/* agents: lists the agents with their states and the evidence. */
#include "cmd/read/agents.h"

#include "base/json/json_print.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text/sanitize.h"
#include "base/text/suggest.h"
#include "cmd/mail_filter.h"
#include "cmd/read/sources.h"
#include "mail/render/columns.h"
#include "mail/render/render_event.h"
#include "store/source/agent_directory.h"

#include <stdlib.h>

enum { NAME_COLUMNS_MAX = 28, NAME_COLUMNS_NARROW = 18, SOURCE_COLUMNS_MAX = 24 };

/* The agents to show, and the columns that distinguish them. */
struct view {
    const struct app *app;
    const struct mail_view *mail;
    const struct agents *agents;
    const struct agent **rows;
    size_t count;
    bool teams, sources; /* there are several, and the terminal is wide enough for them */
    struct map twice;    /* name -> 1 if several agents have it and need their teams */
    size_t name_columns, source_columns;
};

static bool has_name(const struct agent *agent, struct span name)
{
    for (size_t i = 0; i < agent->names.count; i++)
        if (span_eq(agent->names.items[i], name))
            return true;
    return span_eq(agent->name, name);
}

static bool is_called(const struct agent *agent, struct span name)
{
    struct span bare, team;

    return has_name(agent, name) || (span_split_last(name, '@', &bare, &team) &&
                                     span_eq(team, agent->team) && has_name(agent, bare));
}

static bool say_unknown(const struct agents *agents, struct span name, struct err *err)
{
    CLEANUP(span_list_free) struct span_list names = {0};
    CLEANUP(str_free) struct str near = {0};

    for (size_t i = 0; i < agents->count; i++)
        span_list_add(&names, agents->items[i].name);
    suggest_hint(&near, name, names.items, names.count);
    err_set(err, ERR_ABSENT, "no agent is called \"%.*s\"%s", (int)name.len, name.at, str_c(&near));
    return false;
}

/* Selects all agents or, with operands, the named ones. */
static bool choose_agents(struct view *view, struct err *err)
{
    const struct app *app = view->app;
    CLEANUP(mem_free) bool *chosen = mem_zero(view->agents->count + 1, sizeof *chosen);
    bool ok = true;

    for (int k = 0; ok && k < app->operand_count; k++) {
        struct span name = span_of(app->operands[k]);
        bool found = false;
        for (size_t i = 0; i < view->agents->count; i++) {
            bool called = is_called(&view->agents->items[i], name);
            chosen[i] |= called;
            found |= called;
        }
        ok = found || say_unknown(view->agents, name, err);
    }
    for (size_t i = 0; ok && i < view->agents->count; i++)
        if (chosen[i] || !app->operand_count)
            view->rows[view->count++] = &view->agents->items[i];
    return ok;
}

static const struct source *source_of(const struct view *view, const struct agent *agent)
{
    return store_source(view->app->store, agent->source);
}

/* Appends the name in the form that other commands take, with the team if there are several teams.
 * On a narrow terminal the team appears only if two agents have this name, to leave room for the
 * reason. */
static void put_name(struct str *out, const struct view *view, const struct agent *agent)
{
    uint32_t *twice = map_get(&view->twice, agent->name);
    bool with_team = (view->teams || (twice && *twice)) && agent->team.len;
    bool before = with_team && !format_has_teams(source_of(view, agent)->format);

    if (before) {
        str_add_span(out, agent->team);
        str_putc(out, '/');
    }
    str_add_span(out, agent->name);
    if (with_team && !before) {
        str_putc(out, '@');
        str_add_span(out, agent->team);
    }
}

static void put_source(struct str *out, const struct view *view, const struct agent *agent)
{
    const struct source *source = source_of(view, agent);

    source_label_add(out, view->app, span_of(source->format->name), span_of(source->path));
}

static void widen_column(size_t *width, size_t most, const struct str *text, unsigned clean)
{
    CLEANUP(str_free) struct str scratch = {0};
    size_t columns = sanitize_add(&scratch, str_span(text), clean);

    columns = columns < most ? columns : most;
    *width = columns > *width ? columns : *width;
}

/* Finds out which columns are needed to distinguish agents. */
static void compare_agents(struct view *view)
{
    size_t columns = app_columns(view->app);
    bool room = !columns || columns >= COLUMNS_NARROW, fresh;

    for (size_t i = 0; i < view->agents->count; i++) {
        const struct agent *one = &view->agents->items[i], *first = &view->agents->items[0];
        view->teams |= room && !span_eq(one->team, first->team);
        view->sources |= room && one->source != first->source;
        uint32_t *twice = map_put(&view->twice, one->name, &fresh);
        *twice = !fresh;
    }
}

static void measure_columns(struct view *view)
{
    size_t columns = app_columns(view->app);
    bool cut = columns > 0; /* without a terminal nothing is cut */
    size_t names = !cut                       ? SIZE_MAX
                   : columns < COLUMNS_NARROW ? NAME_COLUMNS_NARROW
                                              : NAME_COLUMNS_MAX;
    size_t sources = cut ? SOURCE_COLUMNS_MAX : SIZE_MAX;
    CLEANUP(str_free) struct str text = {0};

    view->name_columns = strlen("AGENT");
    view->source_columns = strlen("SOURCE");
    for (size_t i = 0; i < view->count; i++) {
        str_clear(&text);
        put_name(&text, view, view->rows[i]);
        widen_column(&view->name_columns, names, &text, view->app->clean);
        str_clear(&text);
        put_source(&text, view, view->rows[i]);
        widen_column(&view->source_columns, sources, &text, view->app->clean);
    }
}

/* Appends a line such as "9 agents   stuck 1  waits-you 2". */
static void put_summary(struct str *out, const struct view *view)
{
    static const struct {
        enum agent_state state;
        const char *word;
    } words[] = {{AGENT_STUCK, "stuck"}, {AGENT_UNKNOWN, "unknown"}, {AGENT_WAITS_YOU, "waits-you"},
                 {AGENT_WAITS, "waits"}, {AGENT_WORKING, "working"}, {AGENT_IDLE, "idle"},
                 {AGENT_GONE, "gone"}};
    const char *gap = "   ";

    str_addf(out, " %zu agent%s", view->count, view->count == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t count = 0;
        for (size_t k = 0; k < view->count; k++)
            count += view->rows[k]->state == words[i].state;
        if (!count)
            continue;
        str_addf(out, "%s%s %zu", gap, words[i].word, count);
        gap = "  ";
    }
}

static void put_age(struct str *out, const struct view *view, int64_t since_us, int width)
{
    CLEANUP(str_free) struct str age = {0};

    if (since_us == TIME_NONE)
        str_putc(&age, '-');
    else
        time_add_age(&age, app_now(view->app) - since_us);
    str_addf(out, " %*s", width, str_c(&age));
}

static void put_row(struct str *out, const struct view *view, const struct agent *agent)
{
    unsigned clean = view->app->clean;
    bool urgent = agent->state == AGENT_STUCK || agent->state == AGENT_WAITS_YOU;
    CLEANUP(str_free) struct str text = {0};

    str_addf(out, "%c%-9s  ", urgent ? '!' : ' ', agent_state_name(agent->state));
    put_name(&text, view, agent);
    sanitize_fit(out, str_span(&text), clean, view->name_columns);
    if (view->sources) {
        str_clear(&text);
        put_source(&text, view, agent);
        str_puts(out, "  ");
        sanitize_fit(out, str_span(&text), clean, view->source_columns);
    }
    put_age(out, view, agent->heard_us, 6);
    str_addf(out, " %6zu", agent->unread);
    put_age(out, view, agent->unread_us, 6);
    str_puts(out, "  ");
    sanitize_add(out, agent->why, clean);
}

static void put_line(struct str *out, const struct view *view, const struct str *line)
{
    size_t columns = app_columns(view->app);

    if (columns)
        sanitize_cut(out, str_span(line), view->app->clean, columns);
    else
        str_add_span(out, str_span(line));
    str_putc(out, '\n');
}

static void put_table(struct str *out, const struct view *view)
{
    CLEANUP(str_free) struct str line = {0};

    put_summary(&line, view);
    put_line(out, view, &line);
    str_clear(&line);
    str_addf(&line, " %-9s  %-*s", "STATE", (int)view->name_columns, "AGENT");
    if (view->sources)
        str_addf(&line, "  %-*s", (int)view->source_columns, "SOURCE");
    str_puts(&line, "  HEARD UNREAD OLDEST  WHY");
    put_line(out, view, &line);
    for (size_t i = 0; i < view->count; i++) {
        str_clear(&line);
        put_row(&line, view, view->rows[i]);
        put_line(out, view, &line);
    }
}

void agents_add_json(struct str *out, const struct app *app, const struct agents *agents,
                     const struct agent *agent, const struct model *model)
{
    const struct source *source = store_source(app->store, agent->source);

    render_agent_json(out, agents, agent, model, source->format->name, span_of(source->path),
                      app_now(app));
}

/* --- output for an agent that asks through the MCP server --- */

static bool has_box(const struct view *view, const struct agent *agent)
{
    for (size_t i = 0; i < view->mail->world.known_count; i++) {
        const struct agent_known *known = &view->mail->world.known[i];
        if (known->source == agent->source && known->box && span_eq(known->team, agent->team) &&
            has_name(agent, known->name))
            return true;
    }
    return false;
}

static bool has_our_mail(const struct view *view, const struct agent *agent)
{
    for (size_t i = 0; i < view->mail->model.count; i++) {
        const struct message *message = view->mail->model.messages[i];
        if ((message->mine && has_name(agent, message->from)) ||
            (message->by_us && has_name(agent, message->to)))
            return true;
    }
    return false;
}

/* Returns false for an agent that occurs only in mail that the asking agent may not read. */
static bool is_shown(const struct view *view, const struct agent *agent)
{
    return !view->app->own_only || agent->on_roster || has_box(view, agent) ||
           has_our_mail(view, agent);
}

/* Leaves out the reason of the state if the asking agent sees only its own mail: all mail
 * determines the state, so the reason could disclose mail of others. */
static void put_served(struct str *out, const struct view *view, const struct agent *agent)
{
    CLEANUP(str_free) struct str address = {0};

    put_name(&address, view, agent);
    str_puts(out, "{\"v\":1");
    json_member(out, "agent", agent->name);
    json_member(out, "team", agent->team);
    json_member(out, "address", str_span(&address));
    json_member(out, "state", span_of(agent_state_name(agent->state)));
    if (!view->app->own_only)
        json_member(out, "why", agent->why);
    str_puts(out, "}\n");
}

static void put_all_served(struct str *out, struct view *view)
{
    compare_agents(view);
    for (size_t i = 0; i < view->count; i++)
        if (is_shown(view, view->rows[i]))
            put_served(out, view, view->rows[i]);
    map_free(&view->twice);
}

static int show_agents(struct view *view)
{
    CLEANUP(str_free) struct str text = {0};
    struct err err;
    int code = unreadable_report(view->app, &view->mail->places, view->agents->count);

    view->rows = mem_zero(view->agents->count + 1, sizeof *view->rows);
    if (!view->agents->count) {
        if (code == EXIT_NOTHING)
            app_note(view->app, "no agents here: no roster, mailbox or message names one");
    } else if (!choose_agents(view, &err)) {
        code = app_fail(view->app, &err);
    } else if (view->app->capture) {
        put_all_served(&text, view);
    } else if (app_json(view->app)) {
        for (size_t i = 0; i < view->count; i++)
            agents_add_json(&text, view->app, view->agents, view->rows[i], &view->mail->model);
    } else {
        compare_agents(view);
        measure_columns(view);
        put_table(&text, view);
        map_free(&view->twice);
    }
    app_put(view->app, &text);
    free(view->rows);
    return code;
}

static int run_agents(struct app *app)
{
    /* data has the time when a message was read, which is the start of work on it */
    struct load all = {.inbox = true, .archive = true, .want = WANT_DATA, .everyone = true};
    CLEANUP(mail_view_free) struct mail_view mail = {.app = app};
    CLEANUP(agents_free) struct agents agents = {0};
    CLEANUP(requests_free) struct requests asks = {0};
    struct err err;

    if (!mail_view_load(&mail, &all, &err) ||
        !store_agents(app->store, &app->config, &mail.world, &err))
        return app_fail(app, &err);
    requests_build(&asks, &mail.model, app_now(app));
    agent_directory_build(&mail.world, &mail.model, &asks, app_now(app), &agents);
    struct view view = {.app = app, .mail = &mail, .agents = &agents};
    return show_agents(&view);
}

const struct command command_agents = {.name = "agents",
                                       .operands = "[AGENT...]",
                                       .takes = {{.kinds = WORD_AGENT, .more = true}},
                                       .summary = "who waits, who may be stuck, who works, and why",
                                       .most = -1,
                                       .run = run_agents};
