/* Rendering what became of what was sent: a line for each thing, or one for each recipient. */
#include "mail/render/render_sent.h"
#include "base/json/json_print.h"
#include "base/text/sanitize.h"

enum { NAME_COLUMNS = 24 };

/* The fates of one thing. */
struct thing {
    const struct fate *items;
    size_t count;
};

static struct thing thing_at(const struct fates *fates, size_t index)
{
    struct thing thing = {&fates->items[index], 0};

    while (index + thing.count < fates->count &&
           thing.items[thing.count].thing == thing.items->thing)
        thing.count++;
    return thing;
}

/* One message that all could see, and behind it who has answered. */
static bool is_for_all(const struct thing *thing)
{
    return thing->count > 1 && span_eq(thing->items[0].id, thing->items[1].id) &&
           span_is(thing->items[0].to, "all");
}

static bool is_group(const struct thing *thing)
{
    return thing->count > 1 && !is_for_all(thing);
}

static void put_age(struct str *out, int64_t when_us, const struct render_style *style)
{
    if (when_us == WHEN_NONE)
        str_putc(out, '-');
    else
        when_add_age(out, style->now_us - when_us);
}

/* "3 answered, 2 read", the farthest first. */
static void put_tally(struct str *out, const struct thing *thing)
{
    static const enum fate_state order[FATE_COUNT] = {
        FATE_ANSWERED, FATE_COMPLETED,   FATE_PROCESSING, FATE_ARCHIVED,
        FATE_TAKEN,    FATE_READ,        FATE_DELIVERED,  FATE_QUEUED,
        FATE_EXPIRED,  FATE_UNCONFIRMED, FATE_VANISHED,   FATE_FAILED};
    size_t counts[FATE_COUNT] = {0};
    const char *comma = "";

    for (size_t i = is_for_all(thing); i < thing->count; i++)
        counts[thing->items[i].state]++;
    for (size_t i = 0; i < FATE_COUNT; i++) {
        if (!counts[order[i]])
            continue;
        str_addf(out, "%s%zu %s", comma, counts[order[i]], fate_name(order[i]));
        comma = ", ";
    }
}

static void put_state(struct str *out, const struct thing *thing)
{
    if (thing->count == 1)
        str_puts(out, fate_name(thing->items->state));
    else
        put_tally(out, thing);
}

void render_fate_state(struct str *out, const struct fates *fates, size_t first)
{
    struct thing thing = thing_at(fates, first);

    put_state(out, &thing);
}

static void put_name(struct str *out, const struct fate *fate)
{
    str_add_span(out, fate->to);
    if (fate->team.len) {
        str_putc(out, '@');
        str_add_span(out, fate->team);
    }
}

static size_t columns_of(struct str *scratch, unsigned clean)
{
    struct str cleaned = {0};
    size_t columns = clean_add(&cleaned, str_span(scratch), clean);

    str_clear(scratch);
    str_free(&cleaned);
    return columns;
}

static void widen_column(size_t *width, size_t columns, size_t most)
{
    columns = columns < most ? columns : most;
    *width = columns > *width ? columns : *width;
}

struct widths {
    size_t id, to, state;
};

static struct widths measure_columns(const struct fates *fates, size_t things, unsigned clean)
{
    struct widths widths = {0};
    struct str text = {0};

    for (size_t i = 0; i < fates->count && fates->items[i].thing < things;) {
        struct thing thing = thing_at(fates, i);
        str_add_span(&text, thing.items->id);
        widen_column(&widths.id, columns_of(&text, clean), NAME_COLUMNS);
        if (!is_group(&thing)) {
            put_name(&text, thing.items);
            widen_column(&widths.to, columns_of(&text, clean), NAME_COLUMNS);
            put_state(&text, &thing);
            widen_column(&widths.state, columns_of(&text, clean), NAME_COLUMNS);
        }
        i += thing.count;
    }
    str_free(&text);
    return widths;
}

/* Whole, for copying, and as wide as its column. */
static void put_padded(struct str *out, struct span text, size_t width, unsigned clean)
{
    size_t columns = clean_add(out, text, clean);

    if (columns < width)
        str_pad(out, ' ', width - columns);
    str_putc(out, ' ');
}

static void put_line(struct str *out, const struct thing *thing, const struct widths *widths,
                     const struct render_style *style)
{
    struct str text = {0};

    put_age(&text, thing->items->sent_us, style);
    str_addf(out, "%4s ", str_c(&text));
    put_padded(out, thing->items->id, widths->id, style->clean);
    str_clear(&text);
    if (is_group(thing)) { /* as wide as it must be: such lines are few */
        str_addf(&text, "%zu recipients: ", thing->count);
        put_tally(&text, thing);
        put_padded(out, str_span(&text), widths->to + 1 + widths->state, style->clean);
    } else {
        put_name(&text, thing->items);
        clean_fit(out, str_span(&text), style->clean, widths->to);
        str_putc(out, ' ');
        str_clear(&text);
        put_state(&text, thing);
        put_padded(out, str_span(&text), widths->state, style->clean);
    }
    clean_add(out, thing->items->subject, style->clean);
    if (!is_group(thing) && thing->items->answer && thing->items->problem.len) {
        str_puts(out, "  ! ");
        clean_add(out, thing->items->problem, style->clean);
    }
    str_free(&text);
}

void render_fates(struct str *out, const struct fates *fates, size_t things, size_t columns,
                  const struct render_style *style)
{
    struct widths widths = measure_columns(fates, things, style->clean);
    struct str line = {0};

    for (size_t i = 0; i < fates->count && fates->items[i].thing < things;) {
        struct thing thing = thing_at(fates, i);
        str_clear(&line);
        put_line(&line, &thing, &widths, style);
        if (columns)
            clean_cut(out, str_span(&line), style->clean, columns);
        else
            str_add_span(out, str_span(&line));
        str_putc(out, '\n');
        i += thing.count;
    }
    str_free(&line);
}

static void put_head(struct str *out, const struct thing *thing, const struct render_style *style)
{
    const struct fate *first = thing->items;

    str_puts(out, "Subject: ");
    clean_add(out, first->subject, style->clean);
    str_puts(out, "\nFrom:    ");
    clean_add(out, first->from, style->clean);
    str_puts(out, "\nSent:    ");
    if (first->sent_us == WHEN_NONE) {
        str_putc(out, '-');
    } else {
        when_add_format(out, first->sent_us, "%Y-%m-%d %H:%M:%S (");
        put_age(out, first->sent_us, style);
        str_puts(out, style->now_us - first->sent_us >= 1000000 ? " ago)" : ")");
    }
    str_puts(out, "\nState:   ");
    put_state(out, thing);
    str_puts(out, "\n\n");
}

/* With its recipients' columns as wide as they must be. */
static void put_row(struct str *out, const struct fate *fate, const struct widths *widths,
                    const struct render_style *style)
{
    struct str text = {0};

    put_name(&text, fate);
    put_padded(out, str_span(&text), widths->to, style->clean);
    str_clear(&text);
    put_age(&text, fate->since_us, style);
    str_addf(out, "%-10s %5s ", fate_name(fate->state), str_c(&text));
    put_padded(out, fate->id, widths->id, style->clean);
    if (fate->answer)
        clean_add(out, fate->answer->id, style->clean);
    else
        str_putc(out, '-');
    if (fate->problem.len) {
        str_puts(out, "\n  ! ");
        clean_add(out, fate->problem, style->clean);
    }
    str_putc(out, '\n');
    str_free(&text);
}

void render_fate(struct str *out, const struct fates *fates, uint32_t number,
                 const struct render_style *style)
{
    struct widths widths = {.to = strlen("TO"), .id = strlen("ID")};
    struct str text = {0};
    size_t first = 0;

    while (first < fates->count && fates->items[first].thing != number)
        first++;
    if (first == fates->count)
        return;
    struct thing thing = thing_at(fates, first);
    for (size_t i = 0; i < thing.count; i++) {
        put_name(&text, &thing.items[i]);
        widen_column(&widths.to, columns_of(&text, style->clean), SIZE_MAX);
        str_add_span(&text, thing.items[i].id);
        widen_column(&widths.id, columns_of(&text, style->clean), SIZE_MAX);
    }
    put_head(out, &thing, style);
    str_addf(out, "%-*s %-10s %5s %-*s %s\n", (int)widths.to, "TO", "STATE", "SINCE",
             (int)widths.id, "ID", "ANSWER");
    for (size_t i = 0; i < thing.count; i++)
        put_row(out, &thing.items[i], &widths, style);
    str_free(&text);
}

void render_fate_json(struct str *out, const struct fate *fate, const char *format,
                      struct span source)
{
    str_puts(out, "{\"v\":1");
    json_member(out, "id", fate->id);
    json_member(out, "source", source);
    json_member(out, "format", span_of(format));
    json_member(out, "to", fate->to);
    json_member(out, "team", fate->team.len ? fate->team : (struct span){0});
    json_member(out, "subject", fate->subject);
    json_member_time(out, "sent_at", fate->sent_us);
    json_member(out, "state", span_of(fate_name(fate->state)));
    json_member_time(out, "since", fate->since_us);
    json_member(out, "answer", fate->answer ? fate->answer->id : (struct span){0});
    json_member(out, "group", fate->group);
    json_member(out, "problem", fate->problem);
    str_puts(out, "}\n");
}
