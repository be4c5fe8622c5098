/* The agents: filtering, going to one by its name, and searching. */
#include "base/mem.h"
#include "base/text/fold.h"
#include "ui/snapshot/names.h"
#include "ui/views/agent_page.h"
#include "ui/views/agents_private.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

static struct agents_view *view_of(struct screen *screen)
{
    return (struct agents_view *)screen;
}

/* --- filter --- */

static void set_filter(struct agents_view *view, struct span text)
{
    struct str copy = {0}; /* it may be the filter's own */

    str_add_span(&copy, span_trim(text));
    str_free(&view->filter);
    view->filter = copy;
    agents_view_fill(view);
}

/* A prompt is for the view it was opened on. */
struct asking {
    uint64_t screen;
    struct str before;
};

static struct asking *asking_new(struct agents_view *view)
{
    struct asking *asking = mem_zero(1, sizeof *asking);

    asking->screen = view->screen.id;
    str_add_span(&asking->before, str_span(&view->filter));
    return asking;
}

static void asking_free(void *context)
{
    str_free(&((struct asking *)context)->before);
    free(context);
}

static void filter_changed(struct ui *ui, void *context, struct span text)
{
    struct screen *screen = ui_screen(ui, ((struct asking *)context)->screen);

    if (screen)
        set_filter(view_of(screen), text);
}

static bool filter_accept(struct ui *ui, void *context, struct span text)
{
    filter_changed(ui, context, text);
    return true;
}

static void filter_cancel(struct ui *ui, void *context)
{
    filter_changed(ui, context, str_span(&((struct asking *)context)->before));
}

static void filter_complete(struct ui *ui, void *context, struct span before, size_t *from,
                            struct completion *completion)
{
    const struct agents *agents = &ui_picture(ui)->sight.agents;

    (void)context;
    *from = before.len;
    while (*from && before.at[*from - 1] != ' ')
        --*from;
    for (int i = 0; i < AGENT_STATE_COUNT; i++) {
        struct str word = {0};
        fold_add(&word, span_of(agent_state_name((enum agent_state)i)));
        complete_add(completion, str_span(&word), span_of("state"), 0);
        str_free(&word);
    }
    for (size_t i = 0; i < agents->count; i++) {
        complete_add(completion, agents->items[i].name, span_of("agent"), 2);
        if (agents->items[i].team.len)
            complete_add(completion, agents->items[i].team, span_of("team"), 1);
    }
}

static const struct prompt_spec filter_spec = {
    .label = "agents: ",
    .hint = "words of a name, a team, a role or a state: stuck waits-you gone",
    .history = HISTORY_FILTER,
    .changed = filter_changed,
    .accept = filter_accept,
    .cancel = filter_cancel,
    .complete = filter_complete,
    .free = asking_free};

/* --- going to an agent --- */

static bool pick_accept(struct ui *ui, void *context, struct span text)
{
    struct span name = span_trim(text);
    const struct agent *found = names_find_agent(ui, name, NULL);

    (void)context;
    if (!name.len)
        return true;
    if (!found) {
        ui_say(ui, LOOK_ERROR, "nobody here is called \"%.*s\"; Tab shows who is there",
               (int)name.len, name.at);
        return false;
    }
    agent_page_open(ui, found);
    return true;
}

static const struct prompt_spec pick_spec = {.label = "agent: ",
                                             .hint = "a name, Tab completes",
                                             .history = HISTORY_AGENT,
                                             .accept = pick_accept,
                                             .complete = names_complete_agent};

bool agents_view_find_act(struct agents_view *view, enum action action, struct span argument)
{
    struct ui *ui = view->screen.ui;

    switch (action) {
    case ACTION_FILTER:
        if (argument.at)
            set_filter(view, argument);
        else
            ui_prompt(ui, &filter_spec, str_span(&view->filter), asking_new(view));
        return true;
    case ACTION_PICK_AGENT:
        if (argument.len)
            pick_accept(ui, NULL, argument);
        else
            ui_prompt(ui, &pick_spec, (struct span){0}, NULL);
        return true;
    case ACTION_BACK:
        if (!view->filter.len)
            return false;
        set_filter(view, (struct span){0});
        return true;
    default:
        return false;
    }
}

/* --- searching --- */

static void add_words(void *context, const struct list_row *row, struct str *out)
{
    const struct agent *agent = agents_view_at(context, row);
    const struct span parts[] = {agent->name, agent->team, agent->why,
                                 span_of(agent_state_name(agent->state))};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        str_add_span(out, parts[i]);
        str_putc(out, '\n');
    }
}

bool agents_view_search(struct screen *screen, struct span text, bool forward, bool live)
{
    struct agents_view *view = view_of(screen);

    return list_search(&view->list, text, forward, live, add_words, view);
}
