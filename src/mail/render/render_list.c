/* Rendering lists of messages, requests and conversations, one line each. */
#include "mail/render/render_list.h"

#include "base/text/sanitize.h"
#include "mail/render/columns.h"
#include "mail/render/render.h"
#include "mail/thread/request.h"

/* Requests: the queue of decisions. */

static void put_request(struct str *out, const struct render_requests *list, size_t number,
                        const size_t *widths, const struct render_options *style)
{
    const struct message *message = list->messages[number];
    CLEANUP(str_free) struct str line = {0}, tail = {0}, age = {0}, title = {0};
    const struct span names[] = {columns_name(message->from, list->columns),
                                 columns_name(message_recipient(message), list->columns)};

    message_add_age(&age, message, style->now_us);
    str_addf(&line, "%4s ", str_c(&age));
    for (size_t i = 0; i < 1u + list->show_to; i++) {
        sanitize_fit(&line, names[i], style->clean, widths[i]);
        str_putc(&line, ' ');
    }
    str_addf(&line, "%-*s ", COLUMNS_KIND, kind_word(message->kind));
    request_add_title(&title, message);
    sanitize_add(&line, str_span(&title), style->clean);
    if (list->notes && list->notes[number].len) {
        str_puts(&tail, "  [");
        sanitize_add(&tail, list->notes[number], style->clean);
        str_putc(&tail, ']');
    }
    columns_add_tail(&tail, message, style->clean);
    columns_put_line(out, str_span(&line), str_span(&tail), style->clean, list->columns);
}

void render_requests(struct str *out, const struct render_requests *list,
                     const struct render_options *style)
{
    size_t widths[2] = {0};
    size_t most = columns_for_name(list->columns);
    CLEANUP(str_free) struct str scratch = {0};

    for (size_t i = 0; i < list->count; i++) {
        const struct message *message = list->messages[i];
        columns_widen(&widths[0], most, columns_name(message->from, list->columns), &scratch,
                      style->clean);
        columns_widen(&widths[1], most, columns_name(message_recipient(message), list->columns),
                      &scratch, style->clean);
    }
    for (size_t i = 0; i < list->count; i++)
        put_request(out, list, i, widths, style);
}

/* Messages in columns. */

/* The widths of the columns of a list. */
struct widths {
    size_t id, from, to, type;
    bool hide_type;
};

static void measure_columns(struct widths *widths, const struct render_list *list, unsigned clean)
{
    CLEANUP(str_free) struct str scratch = {0};
    size_t most = columns_for_name(list->columns);

    widths->hide_type = most < COLUMNS_NAME; /* on a narrow screen the subject matters more */
    for (size_t i = 0; i < list->count; i++) {
        const struct message *message = list->messages[i];
        columns_widen(&widths->id, COLUMNS_NAME, message->id, &scratch, clean);
        columns_widen(&widths->from, most, message->from, &scratch, clean);
        columns_widen(&widths->to, most, message_recipient(message), &scratch, clean);
        columns_widen(&widths->type, COLUMNS_NAME, message->type, &scratch, clean);
    }
}

static void put_line(struct str *out, const struct message *message, const struct widths *widths,
                     bool hide_to, const struct render_options *style)
{
    CLEANUP(str_free) struct str age = {0};

    message_add_age(&age, message, style->now_us);
    columns_add_whole(out, message->id, widths->id, style->clean);
    str_addf(out, " %4s ", str_c(&age));
    sanitize_fit(out, message->from, style->clean, widths->from);
    str_putc(out, ' ');
    if (!hide_to) {
        sanitize_fit(out, message_recipient(message), style->clean, widths->to);
        str_putc(out, ' ');
    }
    str_addf(out, "%-6s %-10s ", message->damaged ? "-" : priority_name(message->priority),
             message->damaged ? "damaged" : status_name(message->status));
    if (!widths->hide_type) {
        sanitize_fit(out, message->type, style->clean, widths->type);
        str_putc(out, ' ');
    }
    if (message->flags)
        str_puts(out, "[!] ");
    if (message->damaged) {
        sanitize_add(out, message->file, style->clean);
        str_puts(out, ": ");
    }
    sanitize_add(out, message->damaged ? span_of(message->damaged) : message->subject,
                 style->clean);
}

void render_list(struct str *out, const struct render_list *list,
                 const struct render_options *style)
{
    struct widths widths = {0};
    CLEANUP(str_free) struct str line = {0};

    measure_columns(&widths, list, style->clean);
    for (size_t i = 0; i < list->count; i++) {
        str_clear(&line);
        put_line(&line, list->messages[i], &widths, list->hide_to, style);
        columns_put_line(out, str_span(&line), (struct span){0}, style->clean, list->columns);
    }
}

enum { NO_KIND = 60 }; /* narrower screens do not show the kind */

const char *const inbox_order_titles[INBOX_ORDER_GROUPS] = {[INBOX_ORDER_NEEDS] = "needs you",
                                                            [INBOX_ORDER_UNREAD] = "unread",
                                                            [INBOX_ORDER_SWARM] = "with the agents",
                                                            [INBOX_ORDER_REST] = "read"};
static const char marks[INBOX_ORDER_GROUPS] = {'!', 'N', ' ', ' '};

/* True if the name is one of our names in this conversation; such names are not listed. */
static bool is_ours(const struct conversations *conversations,
                    const struct conversation *conversation, struct span name)
{
    for (size_t i = 0; i < conversation->count; i++) {
        const struct message *message = conversation_message(conversations, conversation, i);
        if ((message->by_us && span_eq(message->from, name)) ||
            (message->mine && span_eq(message_recipient(message), name)))
            return true;
    }
    return false;
}

static void add_name(struct str *who, struct span name, size_t screen)
{
    if (!name.len)
        return;
    str_puts(who, who->len ? ", " : "");
    str_add_span(who, columns_name(name, screen));
}

/* Returns the stuck agent's name as it is spelled in the conversation: SWARM/NAME is NAME too. */
static struct span spelled(const struct span_list *names, struct span agent)
{
    struct span found = agent, swarm, bare;

    for (size_t i = names->count; i--;)
        if (span_split_last(names->items[i], '/', &swarm, &bare) && span_eq(bare, agent))
            found = names->items[i];
    for (size_t i = 0; i < names->count; i++)
        if (span_eq(names->items[i], agent))
            found = agent;
    return found;
}

/* Appends the participants, first the agent that is stuck or asks. Our own name is shown only if
 * there is no other. */
static void add_who(struct str *who, const struct conversations *conversations,
                    const struct conversation *conversation, size_t screen)
{
    enum { NAMES_MOST = 8 }; /* no column is wider */
    CLEANUP(span_list_free) struct span_list names = {0};
    struct span first = conversation->stuck;

    conversation_participants(conversations, conversation, &names);
    if (first.at)
        first = spelled(&names, first);
    else if (conversation->ask != REQUEST_NONE)
        first = conversation_request(conversations, conversation)->from;
    if (!is_ours(conversations, conversation, first))
        add_name(who, first, screen);
    for (size_t i = 0; i < names.count && i < NAMES_MOST; i++)
        if (!span_eq(names.items[i], first) &&
            !is_ours(conversations, conversation, names.items[i]))
            add_name(who, names.items[i], screen);
    if (!who->len && names.count)
        add_name(who, names.items[0], screen);
}

static const char *word_of(const struct conversation *conversation)
{
    if (inbox_order_is_hint(conversation))
        return "STUCK?";
    return conversation->form == CONVERSATION_DAMAGED ? "damaged" : kind_word(conversation->kind);
}

static void add_age(struct str *out, int64_t since_us, const struct render_options *style)
{
    if (since_us != TIME_NONE)
        time_add_age(out, style->now_us - since_us);
}

/* Appends the evidence that an agent is stuck, or the open request, or the subject. */
static void add_subject(struct str *out, const struct conversations *conversations,
                        const struct conversation *conversation, const struct render_options *style)
{
    unsigned clean = style->clean;
    CLEANUP(str_free) struct str text = {0};

    if (conversation->form == CONVERSATION_DAMAGED) {
        sanitize_add(out, conversation_message(conversations, conversation, 0)->file, clean);
        str_puts(out, ": ");
    }
    if (inbox_order_is_hint(conversation))
        relative_time_add(&text, conversation->stuck_why, conversation->stuck_ages, style->now_us);
    else if (conversation->ask != REQUEST_NONE)
        request_add_title(&text, conversation_request(conversations, conversation));
    else
        str_add_span(&text, conversation_subject(conversations, conversation));
    sanitize_add(out, str_span(&text), clean);
}

/* Appends the priority, which explains the order of the list. */
static void add_priority(struct str *out, const struct render_conversations *list,
                         const struct conversation *conversation)
{
    if (priority_is_given(conversation->priority) &&
        inbox_order_group(list->conversations, conversation) != INBOX_ORDER_REST)
        str_addf(out, "  %s", priority_name(conversation->priority));
}

/* Appends the status of the last message, if it is neither unread nor just read. */
static void add_progress(struct str *out, const struct render_conversations *list,
                         const struct conversation *conversation)
{
    const struct message *last =
        conversation_message(list->conversations, conversation, conversation->count - 1);

    if (last->status == STATUS_PROCESSING || last->status == STATUS_FAILED)
        str_addf(out, "  %s", status_name(last->status));
}

/* Appends the state in words. */
static void add_tail(struct str *out, const struct render_conversations *list,
                     const struct conversation *conversation, const struct render_options *style)
{
    if (inbox_order_is_hint(conversation)) {
        add_priority(out, list, conversation);
        return; /* the evidence says the rest */
    }
    if (conversation->count > 1)
        str_addf(out, " [%u]", conversation->count);
    add_priority(out, list, conversation);
    if (conversation->waits_for_us) {
        str_puts(out, "  waits for you");
    } else if (conversation->waits_on.at) {
        str_puts(out, "  waits for ");
        sanitize_cut(out, columns_name(conversation->waits_on, list->columns), style->clean,
                     COLUMNS_NAME);
        str_putc(out, ' ');
        add_age(out, conversation->waits_us, style);
    } else if (conversation->unread && conversation->form == CONVERSATION_THREAD) {
        str_addf(out, "  %u unread", conversation->unread);
    } else if (conversation->form == CONVERSATION_THREAD) {
        add_progress(out, list, conversation);
    }
}

/* Returns the message whose age is shown; NULL if it is not the age of a message. */
static const struct message *dated(const struct conversation_line *line,
                                   const struct conversations *conversations,
                                   const struct conversation *conversation)
{
    if (line->group != INBOX_ORDER_NEEDS)
        return conversation_message(conversations, conversation, conversation->count - 1);
    return conversation->waits_for_us ? conversation_request(conversations, conversation) : NULL;
}

void conversation_line_fill(struct conversation_line *line, const struct render_conversations *list,
                            const struct conversation *conversation,
                            const struct render_options *style)
{
    int64_t since_us = conversation->last_us;

    line->group = inbox_order_group(list->conversations, conversation);
    line->mark = marks[line->group];
    line->word = word_of(conversation);
    if (line->group == INBOX_ORDER_NEEDS)
        since_us = conversation->waits_for_us ? conversation->waits_us : conversation->stuck_us;
    str_clear(&line->age);
    str_clear(&line->who);
    str_clear(&line->subject);
    str_clear(&line->tail);
    const struct message *message = dated(line, list->conversations, conversation);
    if (message && message->flags & MESSAGE_STAND_IN_TIME && since_us != TIME_NONE)
        str_putc(&line->age, '~');
    add_age(&line->age, since_us, style);
    add_who(&line->who, list->conversations, conversation, list->columns);
    add_subject(&line->subject, list->conversations, conversation, style);
    add_tail(&line->tail, list, conversation, style);
}

void conversation_line_free(struct conversation_line *line)
{
    str_free(&line->age);
    str_free(&line->who);
    str_free(&line->subject);
    str_free(&line->tail);
}

static void put_conversation(struct str *out, const struct render_conversations *list,
                             const struct conversation *conversation, size_t who_width,
                             const struct render_options *style)
{
    CLEANUP(conversation_line_free) struct conversation_line parts = {0};
    CLEANUP(str_free) struct str line = {0};

    conversation_line_fill(&parts, list, conversation, style);
    str_addf(&line, "%c %4s ", parts.mark, str_c(&parts.age));
    sanitize_fit(&line, str_span(&parts.who), style->clean, who_width);
    str_putc(&line, ' ');
    if (!list->columns || list->columns >= NO_KIND)
        str_addf(&line, "%-*s ", COLUMNS_KIND, parts.word);
    str_add_span(&line, str_span(&parts.subject));
    columns_put_line(out, str_span(&line), str_span(&parts.tail), style->clean, list->columns);
}

static void put_heading(struct str *out, enum inbox_order_group group, size_t count, size_t columns)
{
    size_t before = out->len;

    str_addf(out, "-- %s (%zu) ", inbox_order_titles[group], count);
    size_t used = out->len - before;
    if (used < columns)
        str_pad(out, '-', columns - used);
    str_putc(out, '\n');
}

static size_t lines_of(const struct render_conversations *list)
{
    return list->order->count < list->most ? list->order->count : list->most;
}

size_t conversation_who_width(const struct render_conversations *list,
                              const struct render_options *style)
{
    CLEANUP(str_free) struct str scratch = {0}, who = {0};
    size_t width = 0;

    for (size_t i = 0; i < lines_of(list); i++) {
        str_clear(&who);
        add_who(&who, list->conversations,
                &list->conversations->items[list->order->conversations[i]], list->columns);
        columns_widen(&width, columns_for_name(list->columns), str_span(&who), &scratch,
                      style->clean);
    }
    return width;
}

void render_conversations(struct str *out, const struct render_conversations *list,
                          const struct render_options *style)
{
    enum inbox_order_group group = INBOX_ORDER_GROUPS;
    size_t width = conversation_who_width(list, style);

    for (size_t i = 0; i < lines_of(list); i++) {
        const struct conversation *conversation =
            &list->conversations->items[list->order->conversations[i]];
        if (list->headings && inbox_order_group(list->conversations, conversation) != group) {
            group = inbox_order_group(list->conversations, conversation);
            put_heading(out, group, list->order->counts[group], list->columns);
        }
        put_conversation(out, list, conversation, width, style);
    }
}
