/* Lists of conversations: filters, scopes and searching. */
#include "base/mem.h"
#include "ui/mail/conversation_list.h"
#include "ui/snapshot/agent_names.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

static void conversation_list_add_row(struct mailbox *box, const struct list_row *row,
                                      struct span_list *keys, struct arena *arena);

/* --- the agent whose mail is shown --- */

/* Keeps the cursor on its row, or moves it to the top if that row is not shown any more. */
static void refill_list(struct mailbox *box)
{
    const struct list_row *here = list_here(&box->list);
    CLEANUP(str_free) struct str key = {0};

    if (here)
        str_add_span(&key, here->key);
    conversation_list_fill(box);
    here = list_here(&box->list);
    if (here && !span_eq(here->key, str_span(&key))) {
        box->list.top = 0;
        list_go_to(&box->list, 0);
    }
}

void conversation_list_show_agent(struct screen *screen, const struct agent *agent,
                                  const struct agent *with)
{
    struct mailbox *box = (struct mailbox *)screen;

    str_clear(&box->agent);
    str_clear(&box->who);
    str_clear(&box->with);
    box->head = (struct agent_head){0};
    if (agent) {
        agent_index_add_key(&box->who, agent);
        agent_names_add(screen->ui, &box->agent, agent, false);
    }
    if (with) {
        agent_index_add_key(&box->with, with);
        str_puts(&box->agent, " with:");
        agent_names_add(screen->ui, &box->agent, with, false);
    }
    refill_list(box);
}

static void say_shown(struct mailbox *box)
{
    if (box->agent.len && box->kind != CONVERSATION_LIST_AGENT)
        ui_info(box->screen.ui, STYLE_PLAIN, "mail of %s; q shows everybody's again",
                str_c(&box->agent));
}

/* Shows the mail of all agents with that name; false if there is none. */
static bool show_named(struct mailbox *box, struct span name)
{
    size_t count = 0;
    const struct agent *found = agent_names_find(box->screen.ui, name, &count);

    if (name.len && !count)
        return false;
    conversation_list_show_agent(&box->screen, count == 1 ? found : NULL, NULL);
    if (count > 1) {
        str_add_span(&box->agent, name);
        conversation_list_fill(box);
    }
    say_shown(box);
    return true;
}

static bool agent_accept(struct ui *ui, void *context, struct span text)
{
    struct mailbox *box = (struct mailbox *)ui_screen(ui, *(uint64_t *)context);
    struct span name = span_trim(text);

    if (!box || show_named(box, name))
        return true;
    ui_info(ui, STYLE_ERROR, "nobody here is called \"%.*s\"; Tab shows who is there",
            (int)name.len, name.at);
    return false;
}

static const struct prompt_spec agent_spec = {.label = "agent: ",
                                              .hint =
                                                  "a name, Tab completes; nothing for everybody",
                                              .history = HISTORY_AGENT,
                                              .accept = agent_accept,
                                              .complete = agent_names_complete,
                                              .free = free};

static uint32_t number_of(const struct agents *agents, const struct agent *agent)
{
    return agent ? (uint32_t)(agent - agents->items) : AGENT_NONE;
}

/* Steps through the agents in the order of the agents view, with everybody before the first. */
static void step_agent(struct mailbox *box, bool forward)
{
    const struct agents *agents = &ui_picture(box->screen.ui)->sight.agents;
    size_t at = 0;

    if (!agents->count) {
        ui_info(box->screen.ui, STYLE_DIM, "no agents are known here");
        return;
    }
    uint32_t here = conversation_list_agent(box);
    if (here == AGENT_NONE && box->agent.len)
        here = number_of(agents, agent_names_find(box->screen.ui, str_span(&box->agent), NULL));
    at = here == AGENT_NONE ? 0 : (size_t)here + 1;
    at = (at + (forward ? 1 : agents->count)) % (agents->count + 1);
    if (!at && box->kind == CONVERSATION_LIST_AGENT) /* such a page is never everybody's */
        at = forward ? 1 : agents->count;
    conversation_list_show_agent(&box->screen, at ? &agents->items[at - 1] : NULL, NULL);
    say_shown(box);
}

/* Opens a prompt for this list, even if another screen is on top when it is accepted. */
static void pick_agent(struct mailbox *box, struct span argument)
{
    if (argument.len)
        agent_accept(box->screen.ui, &box->screen.id, argument);
    else
        ui_prompt_for(&box->screen, &agent_spec);
}

/* Performs the actions that choose whose mail is shown; false for all others. */
static bool conversation_list_agent_act(struct mailbox *box, enum action action,
                                        struct span argument)
{
    switch (action) {
    case ACTION_PICK_AGENT:
        pick_agent(box, argument);
        return true;
    case ACTION_NEXT_AGENT:
    case ACTION_PREVIOUS_AGENT:
        step_agent(box, action == ACTION_NEXT_AGENT);
        return true;
    default:
        return false;
    }
}

/* --- the selected agent --- */

/* Returns the name of the agent that a row is about: the one that asks, the one that may be stuck,
 * else the author of the last message that is not ours, or the recipient if all of them are ours.
 * Sets the message that the name comes from. */
static struct span agent_of_row(struct mailbox *box, const struct list_row *row,
                                const struct message **message)
{
    const struct conversations *conversations = &ui_picture(box->screen.ui)->sight.conversations;
    const struct conversation *conversation = &conversations->items[row->item];

    if (row->kind == ROW_MESSAGE) {
        *message = picture_find(ui_picture(box->screen.ui), row->key);
    } else if (conversation->waits_for_us && conversation->ask != REQUEST_NONE) {
        *message = conversation_request(conversations, conversation);
    } else {
        *message = conversation_message(conversations, conversation, conversation->count - 1);
        if (conversation->stuck.at)
            return conversation->stuck;
        for (size_t i = conversation->count; (*message)->by_us && i-- > 0;)
            if (!conversation_message(conversations, conversation, i)->by_us)
                *message = conversation_message(conversations, conversation, i);
    }
    if (!*message)
        return (struct span){0};
    return (*message)->by_us ? message_recipient(*message) : (*message)->from;
}

bool conversation_list_selected_agent(struct screen *screen, struct span *name, uint32_t *source,
                                      struct arena *arena)
{
    struct mailbox *box = (struct mailbox *)screen;
    const struct agents *agents = &ui_picture(screen->ui)->sight.agents;
    const struct list_row *row = list_here(&box->list);
    const struct message *message = NULL;
    uint32_t number =
        box->kind == CONVERSATION_LIST_AGENT ? conversation_list_agent(box) : AGENT_NONE;
    CLEANUP(str_free) struct str label = {0};

    if (number == AGENT_NONE && row) {
        struct span called = agent_of_row(box, row, &message);
        if (message)
            number = agent_index_find(ui_agents(screen->ui), message->place->source,
                                      message->place->team, called);
        if (number == AGENT_NONE && message)
            str_add_span(&label, called);
        *source = message ? message->place->source : 0;
    }
    if (number != AGENT_NONE) {
        *source = agents->items[number].source;
        agent_names_add(screen->ui, &label, &agents->items[number], false);
    }
    *name = arena_copy(arena, str_span(&label));
    return name->len > 0;
}

/* --- tagging --- */

static void tag_rows(struct screen *screen)
{
    struct mailbox *box = (struct mailbox *)screen;
    const struct conversations *conversations = &ui_picture(screen->ui)->sight.conversations;
    bool whole = !filter_is_running(&box->tagging);
    CLEANUP(str_free) struct str reading = {0};
    size_t count = 0;

    for (size_t i = 0; i < box->list.count; i++) {
        const struct list_row *row = &box->list.rows[i];
        if (row->kind != ROW_CONVERSATION ||
            !filter_matches_conversation(&box->tagging, screen->ui,
                                         &conversations->items[row->item]))
            continue;
        count++;
        if (!key_set_has(&box->tagged, row->key))
            key_set_toggle(&box->tagged, row->key);
    }
    filter_explain(&box->tagging, &reading);
    if (whole) /* otherwise filter_start() has reported that the files could not be searched */
        ui_info(screen->ui, STYLE_PLAIN, "%zu tagged%s%s", count, reading.len ? "; " : "",
                str_c(&reading));
    filter_free(&box->tagging);
    ui_touch(screen->ui);
}

/* Tags what matches a query; false, after an error message, if the query has a mistake. If the
 * query needs the files, they are searched in the background and the rows are tagged afterwards. */
static bool conversation_list_tag_matching(struct mailbox *box, struct span text)
{
    struct err err;

    if (box->tagging.looking) {
        ui_info(box->screen.ui, STYLE_WARNING, "still looking for what to tag; try again");
        return false;
    }
    if (!filter_set(&box->tagging, text, &err)) {
        ui_error(box->screen.ui, &err);
        return false;
    }
    if (!filter_is_running(&box->tagging)) {
        tag_rows(&box->screen);
        return true;
    }
    ui_info(box->screen.ui, STYLE_DIM, "looking for what to tag ...");
    filter_start(&box->tagging, &box->screen, tag_rows);
    return true;
}

static bool tag_accept(struct ui *ui, void *context, struct span text)
{
    struct mailbox *box = (struct mailbox *)ui_screen(ui, *(uint64_t *)context);

    return !box || conversation_list_tag_matching(box, text);
}

static const struct prompt_spec tag_spec = {.label = "tag: ",
                                            .hint = "a query; everything shown that matches",
                                            .history = HISTORY_FILTER,
                                            .accept = tag_accept,
                                            .complete = agent_names_complete_query,
                                            .free = free};

void conversation_list_untag(struct screen *screen, const struct span_list *keys)
{
    struct mailbox *box = (struct mailbox *)screen;
    CLEANUP(map_free) struct map done = {0};
    bool fresh;

    for (size_t i = 0; i < keys->count; i++)
        *map_put(&done, keys->items[i], &fresh) = 1;
    for (size_t i = 0; i < box->list.count; i++) {
        const struct list_row *row = &box->list.rows[i];
        CLEANUP(span_list_free) struct span_list messages = {0};
        CLEANUP(arena_free) struct arena arena = {0};
        bool any = false;
        if (!row->key.at || !key_set_has(&box->tagged, row->key))
            continue;
        conversation_list_add_row(box, row, &messages, &arena);
        for (size_t k = 0; k < messages.count; k++)
            any = any || map_get(&done, messages.items[k]);
        if (any)
            key_set_toggle(&box->tagged, row->key);
    }
}

static void row_matches(struct screen *screen)
{
    conversation_list_fill((struct mailbox *)screen);
    conversation_list_filter((struct mailbox *)screen);
}

void conversation_list_filter(struct mailbox *box)
{
    filter_start(&box->filter, &box->screen, row_matches);
}

/* --- filter --- */

static bool set_filter(struct mailbox *box, struct span text, bool say)
{
    CLEANUP(str_free) struct str reading = {0};
    struct err err;

    if (!filter_set(&box->filter, text, &err)) {
        if (say)
            ui_error(box->screen.ui, &err);
        return false;
    }
    row_matches(&box->screen);
    filter_explain(&box->filter, &reading);
    if (say && reading.len)
        ui_info(box->screen.ui, STYLE_PLAIN, "%s", str_c(&reading));
    return true;
}

/* Prompt context. A prompt is for the list that it was opened on, even if another one is on top. */
struct asking {
    uint64_t screen;
    struct str before; /* the filter, restored when the prompt is cancelled */
    struct str row;    /* the row under the cursor: the cursor returns to it whenever it is shown */
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

    if (box && set_filter(box, text, false)) /* no message: the person is still typing */
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
    .complete = agent_names_complete_query,
    .free = asking_free};

/* --- scopes --- */

static void set_scope(struct mailbox *box, struct span argument)
{
    struct ui *ui = box->screen.ui;

    if (argument.len && !span_is(argument, "mine") && !span_is(argument, "all") &&
        !span_is(argument, "snoozed")) {
        ui_info(ui, STYLE_ERROR, "the scope is mine, all or snoozed");
        return;
    }
    box->scope.mine = argument.len ? span_is(argument, "mine") : !box->scope.mine && !box->snoozed;
    box->snoozed = span_is(argument, "snoozed");
    if (box->snoozed)
        ui_info(ui, STYLE_PLAIN, "only what is put aside; o shows the rest again");
    else
        ui_info(ui, STYLE_PLAIN,
                box->scope.mine ? "only what you wrote or got, or are needed for"
                                : "everybody's mail");
    conversation_list_fill(box);
}

/* Clears the filter first, then the chosen agent. */
static bool go_back(struct mailbox *box)
{
    if (filter_is_on(&box->filter))
        return set_filter(box, (struct span){"", 0}, true);
    if (box->agent.len && box->kind != CONVERSATION_LIST_AGENT) {
        conversation_list_show_agent(&box->screen, NULL, NULL);
        return true;
    }
    return false;
}

bool conversation_list_find_act(struct mailbox *box, enum action action, struct span argument)
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
            conversation_list_tag_matching(box, argument);
        else
            ui_prompt_for(&box->screen, &tag_spec);
        return true;
    case ACTION_SCOPE:
        set_scope(box, argument);
        return true;
    case ACTION_BACK:
        return go_back(box);
    default:
        return conversation_list_agent_act(box, action, argument);
    }
}

/* --- searching --- */

static void add_part(struct str *out, struct span text)
{
    str_add_span(out, text);
    str_putc(out, '\n');
}

/* Appends names and subjects, and for a damaged message its file. Message texts are searched by the
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
    const struct conversations *conversations = &picture->sight.conversations;
    const struct conversation *conversation = &conversations->items[row->item];

    if (row->kind == ROW_MESSAGE) {
        const struct message *message = picture_find(picture, row->key);
        if (message)
            add_message(out, message);
        return;
    }
    add_part(out, conversation_subject(conversations, conversation));
    if (conversation->stuck.at)
        add_part(out, conversation->stuck_why);
    for (size_t i = 0; i < conversation->count; i++) {
        add_message(out, conversation_message(conversations, conversation, i));
        add_part(out, message_recipient(conversation_message(conversations, conversation, i)));
    }
}

bool conversation_list_search(struct screen *screen, struct span text, bool forward, bool live)
{
    struct mailbox *box = (struct mailbox *)screen;

    return list_search(&box->list, text, forward, live, add_words, box);
}

/* --- targets of an action --- */

/* Adds the keys of the messages of a row. */
static void conversation_list_add_row(struct mailbox *box, const struct list_row *row,
                                      struct span_list *keys, struct arena *arena)
{
    const struct conversations *conversations = &ui_picture(box->screen.ui)->sight.conversations;
    const struct conversation *conversation = &conversations->items[row->item];
    CLEANUP(str_free) struct str key = {0};

    if (row->kind == ROW_MESSAGE) {
        span_list_add(keys, arena_copy(arena, row->key));
        return;
    }
    for (size_t i = 0; i < conversation->count; i++) {
        str_clear(&key);
        picture_add_key(&key, conversation_message(conversations, conversation, i));
        span_list_add(keys, arena_copy(arena, str_span(&key)));
    }
}

/* Adds the messages of the tagged rows, or of the row under the cursor if none is tagged. Tagged
 * rows that are not shown any more do not count. */
bool conversation_list_targets(struct screen *screen, struct span_list *keys, struct arena *arena)
{
    struct mailbox *box = (struct mailbox *)screen;
    const struct list_row *here = list_here(&box->list);
    bool tagged = false;

    for (size_t i = 0; i < box->list.count; i++) {
        const struct list_row *row = &box->list.rows[i];
        if (!row->key.at || !key_set_has(&box->tagged, row->key))
            continue;
        tagged = true;
        conversation_list_add_row(box, row, keys, arena);
    }
    if (!tagged && here)
        conversation_list_add_row(box, here, keys, arena);
    return tagged;
}
