/* Rendering delivery statuses: a line for each thing sent, or one for each recipient. */
#include "mail/render/render_sent.h"
#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "mail/render/columns.h"

/* The delivery statuses of one thing. */
struct sent_thing {
    const struct delivery_status *items;
    size_t count;
};

static struct sent_thing thing_at(const struct delivery_statuses *statuses, size_t index)
{
    struct sent_thing thing = {&statuses->items[index], 0};

    while (index + thing.count < statuses->count &&
           thing.items[thing.count].thing == thing.items->thing)
        thing.count++;
    return thing;
}

/* True for one message that all can see, followed by the agents that have answered. */
static bool is_for_all(const struct sent_thing *thing)
{
    return thing->count > 1 && span_eq(thing->items[0].id, thing->items[1].id) &&
           span_is(thing->items[0].to, "all");
}

static bool is_group(const struct sent_thing *thing)
{
    return thing->count > 1 && !is_for_all(thing);
}

/* Appends "3 answered, 2 read", the furthest state first. */
static void put_tally(struct str *out, const struct sent_thing *thing)
{
    static const enum delivery_state order[DELIVERY_COUNT] = {
        DELIVERY_ANSWERED, DELIVERY_COMPLETED,   DELIVERY_PROCESSING, DELIVERY_ARCHIVED,
        DELIVERY_TAKEN,    DELIVERY_READ,        DELIVERY_DELIVERED,  DELIVERY_QUEUED,
        DELIVERY_EXPIRED,  DELIVERY_UNCONFIRMED, DELIVERY_VANISHED,   DELIVERY_FAILED};
    size_t counts[DELIVERY_COUNT] = {0};
    const char *comma = "";

    for (size_t i = is_for_all(thing); i < thing->count; i++)
        counts[thing->items[i].state]++;
    for (size_t i = 0; i < DELIVERY_COUNT; i++) {
        if (!counts[order[i]])
            continue;
        str_addf(out, "%s%zu %s", comma, counts[order[i]], delivery_state_name(order[i]));
        comma = ", ";
    }
}

static void put_state(struct str *out, const struct sent_thing *thing)
{
    if (thing->count == 1)
        str_puts(out, delivery_state_name(thing->items->state));
    else
        put_tally(out, thing);
}

void render_delivery_state(struct str *out, const struct delivery_statuses *statuses, size_t first)
{
    struct sent_thing thing = thing_at(statuses, first);

    put_state(out, &thing);
}

static void put_name(struct str *out, const struct delivery_status *delivery)
{
    str_add_span(out, delivery->to);
    if (delivery->team.len) {
        str_putc(out, '@');
        str_add_span(out, delivery->team);
    }
}

struct widths {
    size_t id, to, state;
};

static struct widths measure_columns(const struct delivery_statuses *statuses, size_t things,
                                     unsigned clean)
{
    struct widths widths = {0};
    CLEANUP(str_free) struct str text = {0}, scratch = {0};

    for (size_t i = 0; i < statuses->count && statuses->items[i].thing < things;) {
        struct sent_thing thing = thing_at(statuses, i);
        columns_widen(&widths.id, COLUMNS_NAME, thing.items->id, &scratch, clean);
        if (!is_group(&thing)) {
            str_clear(&text);
            put_name(&text, thing.items);
            columns_widen(&widths.to, COLUMNS_NAME, str_span(&text), &scratch, clean);
            str_clear(&text);
            put_state(&text, &thing);
            columns_widen(&widths.state, COLUMNS_NAME, str_span(&text), &scratch, clean);
        }
        i += thing.count;
    }
    return widths;
}

static void put_padded(struct str *out, struct span text, size_t width, unsigned clean)
{
    columns_add_whole(out, text, width, clean);
    str_putc(out, ' ');
}

static void put_line(struct str *out, const struct sent_thing *thing, const struct widths *widths,
                     const struct render_options *style)
{
    CLEANUP(str_free) struct str text = {0};

    columns_add_age(&text, thing->items->sent_us, style->now_us);
    str_addf(out, "%4s ", str_c(&text));
    put_padded(out, thing->items->id, widths->id, style->clean);
    str_clear(&text);
    if (is_group(thing)) { /* not cut: such lines are few */
        str_addf(&text, "%zu recipients: ", thing->count);
        put_tally(&text, thing);
        put_padded(out, str_span(&text), widths->to + 1 + widths->state, style->clean);
    } else {
        put_name(&text, thing->items);
        sanitize_fit(out, str_span(&text), style->clean, widths->to);
        str_putc(out, ' ');
        str_clear(&text);
        put_state(&text, thing);
        put_padded(out, str_span(&text), widths->state, style->clean);
    }
    sanitize_add(out, thing->items->subject, style->clean);
    if (!is_group(thing) && thing->items->answer && thing->items->problem.len) {
        str_puts(out, "  ! ");
        sanitize_add(out, thing->items->problem, style->clean);
    }
}

void render_delivery_statuses(struct str *out, const struct delivery_statuses *statuses,
                              size_t things, size_t columns, const struct render_options *style)
{
    struct widths widths = measure_columns(statuses, things, style->clean);
    CLEANUP(str_free) struct str line = {0};

    for (size_t i = 0; i < statuses->count && statuses->items[i].thing < things;) {
        struct sent_thing thing = thing_at(statuses, i);
        str_clear(&line);
        put_line(&line, &thing, &widths, style);
        if (columns)
            sanitize_cut(out, str_span(&line), style->clean, columns);
        else
            str_add_span(out, str_span(&line));
        str_putc(out, '\n');
        i += thing.count;
    }
}

static void put_head(struct str *out, const struct sent_thing *thing,
                     const struct render_options *style)
{
    const struct delivery_status *first = thing->items;

    str_puts(out, "Subject: ");
    sanitize_add(out, first->subject, style->clean);
    str_puts(out, "\nFrom:    ");
    sanitize_add(out, first->from, style->clean);
    str_puts(out, "\nSent:    ");
    if (first->sent_us == TIME_NONE) {
        str_putc(out, '-');
    } else {
        time_add_format(out, first->sent_us, "%Y-%m-%d %H:%M:%S (");
        columns_add_age(out, first->sent_us, style->now_us);
        str_puts(out, style->now_us - first->sent_us >= 1000000 ? " ago)" : ")");
    }
    str_puts(out, "\nState:   ");
    put_state(out, thing);
    str_puts(out, "\n\n");
}

/* Writes the line of one recipient. */
static void put_row(struct str *out, const struct delivery_status *delivery,
                    const struct widths *widths, const struct render_options *style)
{
    CLEANUP(str_free) struct str text = {0};

    put_name(&text, delivery);
    put_padded(out, str_span(&text), widths->to, style->clean);
    str_clear(&text);
    columns_add_age(&text, delivery->since_us, style->now_us);
    str_addf(out, "%-10s %5s ", delivery_state_name(delivery->state), str_c(&text));
    put_padded(out, delivery->id, widths->id, style->clean);
    if (delivery->answer)
        sanitize_add(out, delivery->answer->id, style->clean);
    else
        str_putc(out, '-');
    if (delivery->problem.len) {
        str_puts(out, "\n  ! ");
        sanitize_add(out, delivery->problem, style->clean);
    }
    str_putc(out, '\n');
}

void render_delivery(struct str *out, const struct delivery_statuses *statuses, uint32_t number,
                     const struct render_options *style)
{
    struct widths widths = {.to = strlen("TO"), .id = strlen("ID")};
    CLEANUP(str_free) struct str text = {0}, scratch = {0};
    size_t first = 0;

    while (first < statuses->count && statuses->items[first].thing != number)
        first++;
    if (first == statuses->count)
        return;
    struct sent_thing thing = thing_at(statuses, first);
    for (size_t i = 0; i < thing.count; i++) {
        str_clear(&text);
        put_name(&text, &thing.items[i]);
        columns_widen(&widths.to, SIZE_MAX, str_span(&text), &scratch, style->clean);
        columns_widen(&widths.id, SIZE_MAX, thing.items[i].id, &scratch, style->clean);
    }
    put_head(out, &thing, style);
    str_addf(out, "%-*s %-10s %5s %-*s %s\n", (int)widths.to, "TO", "STATE", "SINCE",
             (int)widths.id, "ID", "ANSWER");
    for (size_t i = 0; i < thing.count; i++)
        put_row(out, &thing.items[i], &widths, style);
}

void render_delivery_json(struct str *out, const struct delivery_status *delivery,
                          const char *format, struct span source)
{
    str_puts(out, "{\"v\":1");
    json_member(out, "id", delivery->id);
    json_member(out, "source", source);
    json_member(out, "format", span_of(format));
    json_member(out, "to", delivery->to);
    json_member(out, "team", delivery->team.len ? delivery->team : (struct span){0});
    json_member(out, "subject", delivery->subject);
    json_member_time(out, "sent_at", delivery->sent_us);
    json_member(out, "state", span_of(delivery_state_name(delivery->state)));
    json_member_time(out, "since", delivery->since_us);
    json_member(out, "answer", delivery->answer ? delivery->answer->id : (struct span){0});
    json_member(out, "group", delivery->group);
    json_member(out, "problem", delivery->problem);
    str_puts(out, "}\n");
}
