/* Rendering traffic: for each team a table of senders and recipients, and the open waits. */
#include "mail/render/render_traffic.h"
#include "base/json/json_print.h"
#include "base/mem.h"
#include "base/text/sanitize.h"
#include "mail/render/columns.h"

#include <stdlib.h>

enum { NAME_LEAST = 6, NAME_MOST = 16, TOTALS = 3 * 6, AGENTS_LEAST = 3 };

static const char others[] = "others";
static const char *const totals[] = {"sent", "recv", "idle"};

/* The layout of the table of one team: cells for the first agents, then one for the others. */
struct table {
    struct flow_team team;
    size_t *cells, *unread; /* (shown + 1) squared, rows are senders */
    size_t shown;
    size_t name, cell; /* widths */
};

struct span flow_name(struct span name)
{
    return name.len ? name : span_of("?");
}

static size_t name_columns(struct span name, unsigned clean)
{
    CLEANUP(str_free) struct str text = {0};

    return sanitize_add(&text, flow_name(name), clean);
}

void flow_add_count(struct str *out, size_t count, size_t unread)
{
    if (!count)
        str_putc(out, '.');
    else if (unread)
        str_addf(out, "%zu/%zu", count, unread);
    else
        str_addf(out, "%zu", count);
}

static size_t index_of(const struct table *table, struct span name)
{
    for (size_t i = 0; i < table->shown; i++)
        if (span_eq(table->team.agents[i].name, name))
            return i;
    return table->shown;
}

static void fill_table(struct table *table)
{
    size_t side = table->shown + 1;

    table->cells = mem_zero(side * side, sizeof *table->cells);
    table->unread = mem_zero(side * side, sizeof *table->unread);
    for (size_t i = 0; i < table->team.pair_count; i++) {
        const struct flow_pair *pair = &table->team.pairs[i];
        size_t at = index_of(table, pair->from) * side + index_of(table, pair->to);
        table->cells[at] += pair->count;
        table->unread[at] += pair->unread;
    }
}

/* Returns the width of the sum of all cells: no cell, not even that of the others, is wider. */
static size_t widest_cell(const struct flow_team *team)
{
    size_t count = 0, unread = 0;
    CLEANUP(str_free) struct str text = {0};

    for (size_t i = 0; i < team->pair_count; i++) {
        count += team->pairs[i].count;
        unread += team->pairs[i].unread;
    }
    flow_add_count(&text, count, unread);
    return text.len > NAME_LEAST ? text.len : NAME_LEAST;
}

/* Cuts names before it leaves out agents. Returns false if too few would be left for a table. */
static bool lay_out(struct table *table, size_t columns, unsigned clean)
{
    size_t agents = table->team.agent_count, least = widest_cell(&table->team);
    size_t room;

    table->name = NAME_LEAST;
    for (size_t i = 0; i < agents; i++) {
        size_t name = name_columns(table->team.agents[i].name, clean);
        name = name < NAME_MOST ? name : NAME_MOST;
        table->name = name > table->name ? name : table->name;
    }
    room = columns > table->name + TOTALS ? columns - table->name - TOTALS : 0;
    table->shown = agents;
    table->cell = table->name > least ? table->name : least;
    if (columns && agents * (table->cell + 1) > room) {
        table->cell = room / agents > least ? room / agents - 1 : least;
        if (agents * (table->cell + 1) > room)
            table->shown = room / (least + 1) > 1 ? room / (least + 1) - 1 : 0;
        if (table->shown < AGENTS_LEAST && table->shown < agents)
            return false;
    }
    fill_table(table);
    return true;
}

static void put_right(struct str *out, struct span text, size_t width, unsigned clean)
{
    CLEANUP(str_free) struct str cut = {0};
    size_t columns = sanitize_cut(&cut, text, clean, width);

    str_pad(out, ' ', width - columns + 1);
    str_add_span(out, str_span(&cut));
}

static void put_name(struct str *out, struct span name, size_t width, bool right, unsigned clean)
{
    CLEANUP(str_free) struct str cut = {0};

    columns_add_short(&cut, flow_name(name), width, clean);
    if (right)
        put_right(out, str_span(&cut), width, clean);
    else
        sanitize_fit(out, str_span(&cut), clean, width);
}

static void put_row(struct str *out, const struct table *table, size_t row, unsigned clean)
{
    size_t side = table->shown + 1;
    bool rest = table->shown < table->team.agent_count;
    struct flow_agent sum = {.name = span_of(others)};
    CLEANUP(str_free) struct str cell = {0};

    if (row < table->shown) {
        sum = table->team.agents[row];
    } else {
        for (size_t i = table->shown; i < table->team.agent_count; i++) {
            sum.sent += table->team.agents[i].sent;
            sum.received += table->team.agents[i].received;
            sum.idle += table->team.agents[i].idle;
        }
    }
    put_name(out, sum.name, table->name, false, clean);
    for (size_t i = 0; i < table->shown + rest; i++) {
        str_clear(&cell);
        flow_add_count(&cell, table->cells[row * side + i], table->unread[row * side + i]);
        put_right(out, str_span(&cell), table->cell, clean);
    }
    str_addf(out, " %5zu %5zu %5zu\n", sum.sent, sum.received, sum.idle);
}

static void put_table(struct str *out, const struct table *table, unsigned clean)
{
    bool rest = table->shown < table->team.agent_count;

    sanitize_fit(out, span_of("from"), clean, table->name);
    for (size_t i = 0; i < table->shown; i++)
        put_name(out, table->team.agents[i].name, table->cell, true, clean);
    if (rest)
        put_right(out, span_of(others), table->cell, clean);
    str_addf(out, " %5s %5s %5s\n", totals[0], totals[1], totals[2]);
    for (size_t i = 0; i < table->shown + rest; i++)
        put_row(out, table, i, clean);
}

static void put_pair(struct str *out, const struct flow_pair *pair, const char *between,
                     unsigned clean)
{
    sanitize_add(out, flow_name(pair->from), clean);
    str_puts(out, between);
    sanitize_add(out, flow_name(pair->to), clean);
}

/* Lists the pairs when no table fits. */
static void put_list(struct str *out, const struct flow_team *team, unsigned clean)
{
    for (size_t i = 0; i < team->pair_count; i++) {
        const struct flow_pair *pair = &team->pairs[i];
        put_pair(out, pair, " -> ", clean);
        str_addf(out, ": %zu", pair->count);
        if (pair->unread)
            str_addf(out, ", %zu unread", pair->unread);
        if (pair->idle)
            str_addf(out, ", %zu idle", pair->idle);
        str_putc(out, '\n');
    }
    for (size_t i = 0; i < team->agent_count; i++) {
        const struct flow_agent *agent = &team->agents[i];
        sanitize_add(out, flow_name(agent->name), clean);
        str_addf(out, ": sent %zu, received %zu\n", agent->sent, agent->received);
    }
}

static int longest_first(const void *a, const void *b)
{
    const struct flow_pair *x = *(const struct flow_pair *const *)a;
    const struct flow_pair *y = *(const struct flow_pair *const *)b;

    if (x->oldest_us != y->oldest_us)
        return x->oldest_us < y->oldest_us ? -1 : 1;
    return x < y ? -1 : x > y;
}

const struct flow_pair **flow_waits(const struct flow_pair *pairs, size_t count, size_t *waits)
{
    const struct flow_pair **open = mem_alloc((count + 1) * sizeof *open);

    *waits = 0;
    for (size_t i = 0; i < count; i++)
        if (pairs[i].open)
            open[(*waits)++] = &pairs[i];
    qsort(open, *waits, sizeof *open, longest_first);
    return open;
}

static void put_waits(struct str *out, const struct flow_team *team,
                      const struct render_options *style)
{
    size_t count;
    const struct flow_pair **open = flow_waits(team->pairs, team->pair_count, &count);
    CLEANUP(str_free) struct str age = {0};

    for (size_t i = 0; i < count; i++) {
        str_clear(&age);
        columns_add_age(&age, open[i]->oldest_us, style->now_us);
        str_addf(out, "waits %4s ", str_c(&age));
        put_pair(out, open[i], " for ", style->clean);
        str_addf(out, " (%zu open)\n", open[i]->open);
    }
    free(open);
}

static bool is_of(const struct flow_agent *first, uint32_t source, struct span team)
{
    return first->source == source && span_eq(first->team, team);
}

bool flow_next_team(const struct flow *flow, struct flow_team *team)
{
    const struct flow_agent *first = team->agents ? team->agents + team->agent_count : flow->agents;
    const struct flow_pair *pairs = team->pairs ? team->pairs + team->pair_count : flow->pairs;
    size_t agents_left = flow->agent_count - (size_t)(first - flow->agents);
    size_t pairs_left = flow->pair_count - (size_t)(pairs - flow->pairs);

    *team = (struct flow_team){.agents = first, .pairs = pairs};
    while (team->agent_count < agents_left &&
           is_of(first, first[team->agent_count].source, first[team->agent_count].team))
        team->agent_count++;
    while (agents_left && team->pair_count < pairs_left &&
           is_of(first, pairs[team->pair_count].source, pairs[team->pair_count].team))
        team->pair_count++;
    return team->agent_count > 0;
}

static void put_title(struct str *out, const struct render_flow *what, const struct flow_team *team,
                      unsigned clean)
{
    const struct flow_agent *first = team->agents;

    if (!what->titles && !first->team.len)
        return;
    str_puts(out, "# ");
    if (what->titles)
        sanitize_add(out, what->titles[first->source], clean);
    if (first->team.len) {
        str_puts(out, what->titles ? ", team " : "team ");
        sanitize_add(out, first->team, clean);
    }
    str_putc(out, '\n');
}

void render_flow(struct str *out, const struct render_flow *what,
                 const struct render_options *style)
{
    struct flow_team team = {0};

    while (flow_next_team(what->flow, &team)) {
        struct table table = {.team = team};
        if (out->len)
            str_putc(out, '\n');
        put_title(out, what, &table.team, style->clean);
        if (lay_out(&table, what->columns, style->clean))
            put_table(out, &table, style->clean);
        else
            put_list(out, &table.team, style->clean);
        put_waits(out, &table.team, style);
        free(table.cells);
        free(table.unread);
    }
}

void render_flow_json(struct str *out, const struct flow_pair *pair, struct span source,
                      int64_t now_us)
{
    str_puts(out, "{\"v\":1");
    json_member(out, "source", source);
    json_member(out, "team", pair->team.len ? pair->team : (struct span){0});
    json_member(out, "from", pair->from);
    json_member(out, "to", pair->to);
    json_member_count(out, "count", pair->count);
    json_member_count(out, "unread", pair->unread);
    json_member_count(out, "idle", pair->idle);
    json_member_count(out, "open", pair->open);
    json_member_seconds(out, "oldest_wait_s", pair->oldest_us, now_us);
    json_member_time(out, "last_at", pair->last_us);
    str_puts(out, "}\n");
}

static uint32_t sum(const struct flow_agent *agent, size_t columns, size_t at)
{
    size_t wide = FLOW_PARTS / columns;
    uint32_t count = 0;

    for (size_t i = 0; i < wide; i++)
        count += agent->parts[at * wide + i];
    return count;
}

uint32_t flow_most(const struct flow_agent *agent, size_t columns)
{
    uint32_t most = 0;

    for (size_t i = 0; i < columns; i++)
        if (sum(agent, columns, i) > most)
            most = sum(agent, columns, i);
    return most;
}

void flow_add_spark(struct str *out, const struct flow_agent *agent, size_t columns, uint32_t most,
                    const struct render_options *style)
{
    static const char *const bars[] = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                       "\u2585", "\u2586", "\u2587", "\u2588"};
    static const char *const plain[] = {" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};
    bool ascii = style->clean & SANITIZE_ASCII;
    uint64_t steps = ascii ? sizeof plain / sizeof *plain - 1 : sizeof bars / sizeof *bars - 1;

    for (size_t i = 0; i < columns; i++) {
        uint64_t count = sum(agent, columns, i);
        uint64_t step = most ? (count * steps + most - 1) / most : 0;
        step = step < steps ? step : steps;
        str_puts(out, ascii ? plain[step] : bars[step]);
    }
}
