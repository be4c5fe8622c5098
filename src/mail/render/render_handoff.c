/* Rendering handoffs. */
#include "mail/render/render_handoff.h"

#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "mail/render/columns.h"

/* So many of those who had the work are told to programs. */
enum { LINEAGE_MOST = 100, STATE_COLUMNS = 11 };

static const struct message *message_of(const struct courses *handoffs, const struct course *course)
{
    return handoffs->model->messages[course->message];
}

/* What stands behind the subject, not yet cleaned. */
static void add_remarks(struct str *out, const struct courses *handoffs,
                        const struct course *course, int64_t now_us)
{
    struct span from = message_of(handoffs, course)->from;
    struct str before = {0};

    str_puts(out, " (");
    if (course->stalled)
        str_addf(out, "%s: ", course_state_name(course->state));
    course_add_evidence(out, handoffs, course, now_us);
    if (!span_eq(course->giver, from)) {
        str_puts(out, "; sent by ");
        str_add_span(out, from);
    }
    if (course_add_lineage(&before, handoffs, course)) {
        str_puts(out, "; after ");
        str_add_span(out, str_span(&before));
    }
    str_putc(out, ')');
    str_free(&before);
}

static void put_course(struct str *out, const struct course *course,
                       const struct render_courses *list, const size_t *widths,
                       const struct render_style *style)
{
    const struct message *message = message_of(list->handoffs, course);
    struct str line = {0}, tail = {0}, text = {0};

    message_add_age(&text, message, style->now_us);
    str_addf(&line, "%4s %-*s ", str_c(&text), STATE_COLUMNS,
             course->stalled ? "stalled" : course_state_name(course->state));
    clean_fit(&line, columns_name(course->giver, list->columns), style->clean, widths[0]);
    str_puts(&line, " -> ");
    clean_fit(&line, columns_name(course->taker, list->columns), style->clean, widths[1]);
    str_putc(&line, ' ');
    clean_add(&line, message->subject, style->clean);
    str_clear(&text);
    add_remarks(&text, list->handoffs, course, style->now_us);
    clean_add(&line, str_span(&text), style->clean);
    columns_add_tail(&tail, message, style->clean);
    columns_put_line(out, str_span(&line), str_span(&tail), style->clean, list->columns);
    str_free(&line);
    str_free(&tail);
    str_free(&text);
}

void render_courses(struct str *out, const struct render_courses *list,
                    const struct render_style *style)
{
    size_t widths[2] = {0};
    size_t most = columns_for_name(list->columns);
    struct str scratch = {0};

    for (size_t i = 0; i < list->count; i++) {
        columns_widen(&widths[0], most, columns_name(list->courses[i]->giver, list->columns),
                      &scratch, style->clean);
        columns_widen(&widths[1], most, columns_name(list->courses[i]->taker, list->columns),
                      &scratch, style->clean);
    }
    for (size_t i = 0; i < list->count; i++)
        put_course(out, list->courses[i], list, widths, style);
    str_free(&scratch);
}

static void put_lineage(struct str *out, const struct courses *handoffs,
                        const struct course *course)
{
    uint32_t line[LINEAGE_MOST];
    size_t count = course_lineage(handoffs, course, line, LINEAGE_MOST);

    str_puts(out, ",\"lineage\":[");
    for (size_t i = 0; i < count; i++) {
        const struct course *earlier = &handoffs->items[line[i]];
        str_puts(out, i ? ",{\"agent\":" : "{\"agent\":");
        json_put_text(out, earlier->giver, &json_style_line);
        str_puts(out, ",\"id\":");
        json_put_text(out, message_of(handoffs, earlier)->id, &json_style_line);
        str_putc(out, '}');
    }
    str_putc(out, ']');
}

void render_course_json(struct str *out, const struct courses *handoffs,
                        const struct course *course, const char *format, struct span source,
                        int64_t now_us)
{
    const struct message *message = message_of(handoffs, course);
    const struct message *told =
        course->evidence == COURSE_NONE ? NULL : handoffs->model->messages[course->evidence];
    struct span team = message->place->team;
    struct str evidence = {0};

    course_add_evidence(&evidence, handoffs, course, now_us);
    str_puts(out, "{\"v\":1");
    json_member(out, "id", message->id);
    json_member(out, "source", source);
    json_member(out, "format", span_of(format));
    json_member(out, "team", team.len ? team : (struct span){0});
    json_member(out, "from", message->from);
    json_member(out, "giver", course->giver);
    json_member(out, "taker", course->taker);
    json_member(out, "subject", message->subject);
    json_member_time(out, "offered_at", message->created_us);
    json_member(out, "state", span_of(course_state_name(course->state)));
    json_member_flag(out, "stalled", course->stalled);
    json_member_time(out, "since", course->since_us);
    json_member_time(out, "heard_at", course->heard_us);
    json_member(out, "evidence", str_span(&evidence));
    json_member(out, "message", told ? told->id : (struct span){0});
    put_lineage(out, handoffs, course);
    str_puts(out, "}\n");
    str_free(&evidence);
}
