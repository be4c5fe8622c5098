/* Lists of conversations: filters, scopes and searching. */
#include "base/mem.h"
#include "ui/mail/mailbox_private.h"
#include "ui/snapshot/names.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

static void found(struct screen *screen)
{
    mailbox_fill((struct mailbox *)screen);
    mailbox_look((struct mailbox *)screen);
}

void mailbox_look(struct mailbox *box)
{
    filter_look(&box->filter, &box->screen, found);
}

/* --- filter --- */

static bool set_filter(struct mailbox *box, struct span text, bool say)
{
    struct str reading = {0};
    struct err err;

    if (!filter_set(&box->filter, text, &err)) {
        if (say)
            ui_fail(box->screen.ui, &err);
        return false;
    }
    found(&box->screen);
    filter_explain(&box->filter, &reading);
    if (say && reading.len)
        ui_say(box->screen.ui, LOOK_PLAIN, "%s", str_c(&reading));
    str_free(&reading);
    return true;
}

/* A prompt is for the list that it was opened on, even if another one is in front by now. */
struct asking {
    uint64_t screen;
    struct str before; /* the filter, for who thinks better of it */
    struct str row;    /* which the cursor was on: it goes back there whenever that is shown */
};

static struct asking *asking_new(struct mailbox *box)
{
    struct asking *asking = mem_zero(1, sizeof *asking);

    const struct list_row *here = list_here(&box->list);

    asking->screen = box->screen.id;
    str_add_span(&asking->before, str_span(&box->filter.text));
    if (here)
        str_add_span(&asking->row, here->key);
    return asking;
}

static void asking_free(void *context)
{
    struct asking *asking = context;

    str_free(&asking->before);
    str_free(&asking->row);
    free(asking);
}

static struct mailbox *asked(struct ui *ui, void *context)
{
    return (struct mailbox *)ui_screen(ui, ((struct asking *)context)->screen);
}

static void try_filter(struct ui *ui, struct asking *asking, struct span text)
{
    struct mailbox *box = asked(ui, asking);

    if (box && set_filter(box, text, false)) /* half a word is no mistake yet */
        list_go(&box->list, str_span(&asking->row));
}

static void filter_changed(struct ui *ui, void *context, struct span text)
{
    try_filter(ui, context, text);
}

static bool filter_accept(struct ui *ui, void *context, struct span text)
{
    struct mailbox *box = asked(ui, context);

    return !box || set_filter(box, text, true);
}

static void filter_cancel(struct ui *ui, void *context)
{
    struct asking *asking = context;

    try_filter(ui, asking, str_span(&asking->before));
}

static const struct prompt_spec filter_spec = {
    .label = "filter: ",
    .hint = "from:NAME kind:plan is:waiting prio:high+ words",
    .history = HISTORY_FILTER,
    .changed = filter_changed,
    .accept = filter_accept,
    .cancel = filter_cancel,
    .complete = names_complete_query,
    .free = asking_free};

/* --- scopes --- */

static void set_scope(struct mailbox *box, struct span argument)
{
    struct ui *ui = box->screen.ui;

    if (argument.len && !span_is(argument, "mine") && !span_is(argument, "all") &&
        !span_is(argument, "snoozed")) {
        ui_say(ui, LOOK_ERROR, "the scope is mine, all or snoozed");
        return;
    }
    box->scope.mine = argument.len ? span_is(argument, "mine") : !box->scope.mine && !box->snoozed;
    box->snoozed = span_is(argument, "snoozed");
    if (box->snoozed)
        ui_say(ui, LOOK_PLAIN, "only what is put aside; o shows the rest again");
    else
        ui_say(ui, LOOK_PLAIN,
               box->scope.mine ? "only what you wrote or got, or are needed for"
                               : "everybody's mail");
    mailbox_fill(box);
}

/* Leaves the filter first, then the agent. */
static bool go_back(struct mailbox *box)
{
    if (filter_is_on(&box->filter))
        return set_filter(box, (struct span){"", 0}, true);
    if (box->agent.len && box->kind != MAILBOX_AGENT) {
        mailbox_show_agent(&box->screen, NULL, NULL);
        return true;
    }
    return false;
}

bool mailbox_find_act(struct mailbox *box, enum action action, struct span argument)
{
    struct ui *ui = box->screen.ui;

    switch (action) {
    case ACTION_FILTER:
        if (argument.at)
            set_filter(box, argument, true);
        else
            ui_prompt(ui, &filter_spec, str_span(&box->filter.text), asking_new(box));
        return true;
    case ACTION_TAG_FILTER:
        if (argument.len)
            mailbox_tag_matching(box, argument);
        else
            mailbox_tag_ask(box);
        return true;
    case ACTION_SCOPE:
        set_scope(box, argument);
        return true;
    case ACTION_BACK:
        return go_back(box);
    default:
        return mailbox_agent_act(box, action, argument);
    }
}

/* --- searching --- */

static void add_part(struct str *out, struct span text)
{
    str_add_span(out, text);
    str_putc(out, '\n');
}

/* Names and subjects, and of what is damaged its file; for what is written inside there is the
 * filter. */
static void add_message(struct str *out, const struct message *message)
{
    add_part(out, message->subject);
    add_part(out, message->from);
    if (message->damaged) {
        add_part(out, message->file);
        add_part(out, span_of(message->damaged));
    }
}

static void add_words(void *context, const struct list_row *row, struct str *out)
{
    const struct picture *picture = ui_picture(((struct mailbox *)context)->screen.ui);
    const struct talks *talks = &picture->sight.talks;
    const struct talk *talk = &talks->items[row->item];

    if (row->kind == ROW_MESSAGE) {
        const struct message *message = picture_find(picture, row->key);
        if (message)
            add_message(out, message);
        return;
    }
    add_part(out, talk_subject(talks, talk));
    if (talk->stuck.at)
        add_part(out, talk->stuck_why);
    for (size_t i = 0; i < talk->count; i++) {
        add_message(out, talk_message(talks, talk, i));
        add_part(out, message_recipient(talk_message(talks, talk, i)));
    }
}

bool mailbox_search(struct screen *screen, struct span text, bool forward, bool live)
{
    struct mailbox *box = (struct mailbox *)screen;

    return list_search(&box->list, text, forward, live, add_words, box);
}

/* --- what an action is for --- */

void mailbox_add_row(struct mailbox *box, const struct list_row *row, struct span_list *keys,
                     struct arena *arena)
{
    const struct talks *talks = &ui_picture(box->screen.ui)->sight.talks;
    const struct talk *talk = &talks->items[row->item];
    struct str key = {0};

    if (row->kind == ROW_MESSAGE) {
        span_list_add(keys, arena_copy(arena, row->key));
        return;
    }
    for (size_t i = 0; i < talk->count; i++) {
        str_clear(&key);
        picture_add_key(&key, talk_message(talks, talk, i));
        span_list_add(keys, arena_copy(arena, str_span(&key)));
    }
    str_free(&key);
}

/* Tags win over the cursor. What is tagged and not shown any more is not meant. */
bool mailbox_targets(struct screen *screen, struct span_list *keys, struct arena *arena)
{
    struct mailbox *box = (struct mailbox *)screen;
    const struct list_row *here = list_here(&box->list);
    bool tagged = false;

    for (size_t i = 0; i < box->list.count; i++) {
        const struct list_row *row = &box->list.rows[i];
        if (!row->key.at || !key_set_has(&box->tagged, row->key))
            continue;
        tagged = true;
        mailbox_add_row(box, row, keys, arena);
    }
    if (!tagged && here)
        mailbox_add_row(box, here, keys, arena);
    return tagged;
}
