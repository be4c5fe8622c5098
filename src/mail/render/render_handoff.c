/* Rendering handoffs. */
#include "mail/render/render_handoff.h"

#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "mail/render/columns.h"

/* LINEAGE_MOST: earlier holders of the work that are listed for programs */
enum { LINEAGE_MOST = 100, STATE_COLUMNS = 11 };

static const struct message *message_of(const struct handoff_list *handoffs,
                                        const struct handoff_status *handoff_status)
{
    return handoffs->model->messages[handoff_status->message];
}

/* Appends the remarks after the subject, not sanitized. */
static void add_remarks(struct str *out, const struct handoff_list *handoffs,
                        const struct handoff_status *handoff_status, int64_t now_us)
{
    struct span from = message_of(handoffs, handoff_status)->from;
    CLEANUP(str_free) struct str before = {0};

    str_puts(out, " (");
    if (handoff_status->stalled)
        str_addf(out, "%s: ", handoff_state_name(handoff_status->state));
    handoff_status_add_evidence(out, handoffs, handoff_status, now_us);
    if (!span_eq(handoff_status->giver, from)) {
        str_puts(out, "; sent by ");
        str_add_span(out, from);
    }
    if (handoff_status_add_lineage(&before, handoffs, handoff_status)) {
        str_puts(out, "; after ");
        str_add_span(out, str_span(&before));
    }
    str_putc(out, ')');
}

static void put_handoff_status(struct str *out, const struct handoff_status *handoff_status,
                               const struct render_handoffs *list, const size_t *widths,
                               const struct render_options *style)
{
    const struct message *message = message_of(list->handoffs, handoff_status);
    CLEANUP(str_free) struct str line = {0}, tail = {0}, text = {0};

    message_add_age(&text, message, style->now_us);
    str_addf(&line, "%4s %-*s ", str_c(&text), STATE_COLUMNS,
             handoff_status->stalled ? "stalled" : handoff_state_name(handoff_status->state));
    sanitize_fit(&line, columns_name(handoff_status->giver, list->columns), style->clean,
                 widths[0]);
    str_puts(&line, " -> ");
    sanitize_fit(&line, columns_name(handoff_status->taker, list->columns), style->clean,
                 widths[1]);
    str_putc(&line, ' ');
    sanitize_add(&line, message->subject, style->clean);
    str_clear(&text);
    add_remarks(&text, list->handoffs, handoff_status, style->now_us);
    sanitize_add(&line, str_span(&text), style->clean);
    columns_add_tail(&tail, message, style->clean);
    columns_put_line(out, str_span(&line), str_span(&tail), style->clean, list->columns);
}

void render_handoffs(struct str *out, const struct render_handoffs *list,
                     const struct render_options *style)
{
    size_t widths[2] = {0};
    size_t most = columns_for_name(list->columns);
    CLEANUP(str_free) struct str scratch = {0};

    for (size_t i = 0; i < list->count; i++) {
        columns_widen(&widths[0], most, columns_name(list->handoff_list[i]->giver, list->columns),
                      &scratch, style->clean);
        columns_widen(&widths[1], most, columns_name(list->handoff_list[i]->taker, list->columns),
                      &scratch, style->clean);
    }
    for (size_t i = 0; i < list->count; i++)
        put_handoff_status(out, list->handoff_list[i], list, widths, style);
}

static void put_lineage(struct str *out, const struct handoff_list *handoffs,
                        const struct handoff_status *handoff_status)
{
    uint32_t line[LINEAGE_MOST];
    size_t count = handoff_status_lineage(handoffs, handoff_status, line, LINEAGE_MOST);

    str_puts(out, ",\"lineage\":[");
    for (size_t i = 0; i < count; i++) {
        const struct handoff_status *earlier = &handoffs->items[line[i]];
        str_puts(out, i ? ",{\"agent\":" : "{\"agent\":");
        json_put_text(out, earlier->giver, &json_style_line);
        str_puts(out, ",\"id\":");
        json_put_text(out, message_of(handoffs, earlier)->id, &json_style_line);
        str_putc(out, '}');
    }
    str_putc(out, ']');
}

void render_handoff_status_json(struct str *out, const struct handoff_list *handoffs,
                                const struct handoff_status *handoff_status, const char *format,
                                struct span source, int64_t now_us)
{
    const struct message *message = message_of(handoffs, handoff_status);
    const struct message *told = handoff_status->evidence == HANDOFF_STATUS_NONE
                                     ? NULL
                                     : handoffs->model->messages[handoff_status->evidence];
    struct span team = message->place->team;
    CLEANUP(str_free) struct str evidence = {0};

    handoff_status_add_evidence(&evidence, handoffs, handoff_status, now_us);
    str_puts(out, "{\"v\":1");
    json_member(out, "id", message->id);
    json_member(out, "source", source);
    json_member(out, "format", span_of(format));
    json_member(out, "team", team.len ? team : (struct span){0});
    json_member(out, "from", message->from);
    json_member(out, "giver", handoff_status->giver);
    json_member(out, "taker", handoff_status->taker);
    json_member(out, "subject", message->subject);
    json_member_time(out, "offered_at", message->created_us);
    json_member(out, "state", span_of(handoff_state_name(handoff_status->state)));
    json_member_flag(out, "stalled", handoff_status->stalled);
    json_member_time(out, "since", handoff_status->since_us);
    json_member_time(out, "heard_at", handoff_status->heard_us);
    json_member(out, "evidence", str_span(&evidence));
    json_member(out, "message", told ? told->id : (struct span){0});
    put_lineage(out, handoffs, handoff_status);
    str_puts(out, "}\n");
}
