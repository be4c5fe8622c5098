/* Lists of conversations: whose mail is shown, and which agent is meant. */
#include "base/mem.h"
#include "ui/mail/mailbox_private.h"
#include "ui/snapshot/names.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

/* The cursor stays on its row, or goes to the top where that is not shown any more. */
static void refill(struct mailbox *box)
{
    const struct list_row *here = list_here(&box->list);
    struct str key = {0};

    if (here)
        str_add_span(&key, here->key);
    mailbox_fill(box);
    here = list_here(&box->list);
    if (here && !span_eq(here->key, str_span(&key))) {
        box->list.top = 0;
        list_go_to(&box->list, 0);
    }
    str_free(&key);
}

void mailbox_show_agent(struct screen *screen, const struct agent *agent, const struct agent *with)
{
    struct mailbox *box = (struct mailbox *)screen;

    str_clear(&box->agent);
    str_clear(&box->who);
    str_clear(&box->with);
    box->head = (struct agent_head){0};
    if (agent) {
        who_add_key(&box->who, agent);
        names_add(screen->ui, &box->agent, agent, false);
    }
    if (with) {
        who_add_key(&box->with, with);
        str_puts(&box->agent, " with:");
        names_add(screen->ui, &box->agent, with, false);
    }
    refill(box);
}

static void say_shown(struct mailbox *box)
{
    if (box->agent.len && box->kind != MAILBOX_AGENT)
        ui_say(box->screen.ui, LOOK_PLAIN, "mail of %s; q shows everybody's again",
               str_c(&box->agent));
}

/* A name that several have is all of them. */
static bool show_named(struct mailbox *box, struct span name)
{
    size_t count = 0;
    const struct agent *found = names_find_agent(box->screen.ui, name, &count);

    if (name.len && !count)
        return false;
    mailbox_show_agent(&box->screen, count == 1 ? found : NULL, NULL);
    if (count > 1) {
        str_add_span(&box->agent, name);
        mailbox_fill(box);
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
    ui_say(ui, LOOK_ERROR, "nobody here is called \"%.*s\"; Tab shows who is there", (int)name.len,
           name.at);
    return false;
}

static const struct prompt_spec agent_spec = {.label = "agent: ",
                                              .hint =
                                                  "a name, Tab completes; nothing for everybody",
                                              .history = HISTORY_AGENT,
                                              .accept = agent_accept,
                                              .complete = names_complete_agent,
                                              .free = free};

static uint32_t number_of(const struct agents *agents, const struct agent *agent)
{
    return agent ? (uint32_t)(agent - agents->items) : AGENT_NONE;
}

/* The agents in the order of their view, with everybody before the first. */
static void step_agent(struct mailbox *box, bool forward)
{
    const struct agents *agents = &ui_picture(box->screen.ui)->sight.agents;
    size_t at = 0;

    if (!agents->count) {
        ui_say(box->screen.ui, LOOK_DIM, "no agents are known here");
        return;
    }
    uint32_t here = mailbox_agent(box);
    if (here == AGENT_NONE && box->agent.len)
        here = number_of(agents, names_find_agent(box->screen.ui, str_span(&box->agent), NULL));
    at = here == AGENT_NONE ? 0 : (size_t)here + 1;
    at = (at + (forward ? 1 : agents->count)) % (agents->count + 1);
    if (!at && box->kind == MAILBOX_AGENT) /* a page is always somebody's */
        at = forward ? 1 : agents->count;
    mailbox_show_agent(&box->screen, at ? &agents->items[at - 1] : NULL, NULL);
    say_shown(box);
}

/* The prompt is for the list that it was opened on, even if another one is in front by then. */
static void pick(struct mailbox *box, struct span argument)
{
    uint64_t *screen = mem_alloc(sizeof *screen);

    *screen = box->screen.id;
    if (!argument.len) {
        ui_prompt(box->screen.ui, &agent_spec, (struct span){0}, screen);
        return;
    }
    agent_accept(box->screen.ui, screen, argument);
    free(screen);
}

bool mailbox_agent_act(struct mailbox *box, enum action action, struct span argument)
{
    switch (action) {
    case ACTION_PICK_AGENT:
        pick(box, argument);
        return true;
    case ACTION_NEXT_AGENT:
    case ACTION_PREVIOUS_AGENT:
        step_agent(box, action == ACTION_NEXT_AGENT);
        return true;
    default:
        return false;
    }
}

/* --- which one is meant --- */

/* Who asks, who may be stuck, else who wrote last, or got it from us. */
static struct span agent_of_row(struct mailbox *box, const struct list_row *row,
                                const struct message **message)
{
    const struct talks *talks = &ui_picture(box->screen.ui)->sight.talks;
    const struct talk *talk = &talks->items[row->item];

    if (row->kind == ROW_MESSAGE) {
        *message = picture_find(ui_picture(box->screen.ui), row->key);
    } else if (talk->waits_for_us && talk->ask != ASK_NONE) {
        *message = talks->model->messages[talks->asks->items[talk->ask].message];
    } else {
        *message = talk_message(talks, talk, talk->count - 1);
        if (talk->stuck.at)
            return talk->stuck;
        for (size_t i = talk->count; (*message)->by_us && i-- > 0;)
            if (!talk_message(talks, talk, i)->by_us)
                *message = talk_message(talks, talk, i);
    }
    if (!*message)
        return (struct span){0};
    return (*message)->by_us ? message_recipient(*message) : (*message)->from;
}

bool mailbox_selected_agent(struct screen *screen, struct span *name, uint32_t *source,
                            struct arena *arena)
{
    struct mailbox *box = (struct mailbox *)screen;
    const struct agents *agents = &ui_picture(screen->ui)->sight.agents;
    const struct list_row *row = list_here(&box->list);
    const struct message *message = NULL;
    uint32_t number = box->kind == MAILBOX_AGENT ? mailbox_agent(box) : AGENT_NONE;
    struct str label = {0};

    if (number == AGENT_NONE && row) {
        struct span called = agent_of_row(box, row, &message);
        if (message)
            number =
                who_find(ui_who(screen->ui), message->place->source, message->place->team, called);
        if (number == AGENT_NONE && message)
            str_add_span(&label, called);
        *source = message ? message->place->source : 0;
    }
    if (number != AGENT_NONE) {
        *source = agents->items[number].source;
        names_add(screen->ui, &label, &agents->items[number], false);
    }
    *name = arena_copy(arena, str_span(&label));
    str_free(&label);
    return name->len > 0;
}
