/* Input: dispatches keys, pastes and clicks to screens and actions. */
#include "base/text/utf8.h"
#include "ui/decide/undo_window.h"
#include "ui/message_actions.h"
#include "ui/ui_state.h"
#include "ui/views/search_view.h"
#include "ui/widget/command_line.h"
#include "ui/widget/pager.h"

static void send_and_leave(struct ui *ui, void *context)
{
    (void)context;
    ui->leaving_sent = true;
    undo_window_send_all(ui);
}

static void stay(void *context)
{
    ui_info(context, STYLE_WARNING,
            "not left; what was decided is still held, and u takes it back");
}

/* Leaves the program, after a question if decisions are held: leaving must not drop them. */
static void leave_screen(struct ui *ui)
{
    CLEANUP(str_free) struct str question = {0};
    size_t count = undo_window_count(ui);

    ui->leaving = !count;
    if (!count)
        return;
    str_addf(&question, "%zu decision%s held: send %s now, and leave?", count,
             count == 1 ? " is" : "s are", count == 1 ? "it" : "them");
    ui_confirm(ui, str_c(&question), send_and_leave, stay, ui);
}

/* Performs actions that work on every screen, if the screen did not handle them. */
static bool act_anywhere(struct ui *ui, enum action action, struct span argument)
{
    if (action >= ACTION_FIRST_VIEW && action <= ACTION_LAST_VIEW) {
        ui_view(ui, (enum view_number)(action - ACTION_FIRST_VIEW));
        return true;
    }
    switch (action) {
    case ACTION_QUIT:
        leave_screen(ui);
        return true;
    case ACTION_REDRAW:
        terminal_redraw(&ui->terminal);
        ui_touch(ui);
        return true;
    case ACTION_SUSPEND:
        terminal_suspend(&ui->terminal);
        ui_touch(ui);
        return true;
    case ACTION_MOUSE:
        if (!ui->terminal.started) {
            ui_info(ui, STYLE_WARNING, "there is no mouse without a screen");
            return true;
        }
        terminal_set_mouse(&ui->terminal, !ui->terminal.mouse);
        ui_info(ui, STYLE_PLAIN,
                ui->terminal.mouse ? "the mouse is ours; Shift selects text in most terminals"
                                   : "the mouse is the terminal's again");
        return true;
    case ACTION_HELP:
        help_open(ui, ui_top(ui)->where);
        return true;
    case ACTION_COMMAND:
        command_line_open(ui, argument);
        return true;
    case ACTION_SEARCH:
    case ACTION_SEARCH_NEXT:
    case ACTION_SEARCH_PREVIOUS:
        return search_act(ui, action, argument);
    case ACTION_SEARCH_ALL:
        search_view_open(ui, argument);
        return true;
    case ACTION_BACK:
        if (ui->over_count)
            ui_pop(ui, ui_top(ui));
        else
            ui_info(ui, STYLE_DIM, "Q leaves the program");
        return true;
    default:
        return false;
    }
}

void ui_act(struct ui *ui, enum action action, struct span argument)
{
    const struct action_info *info = &actions[action];
    struct screen *screen = ui_top(ui);

    if (ui->acted == ACTION_NONE)
        ui->acted = action;
    if (info->writes && ui->options->readonly) {
        ui_info(ui, STYLE_WARNING, "%s would write, and --readonly was given", info->name);
        return;
    }
    if ((screen->ops->act && screen->ops->act(screen, action, argument)) ||
        message_actions_act(ui, action, argument) || act_anywhere(ui, action, argument))
        ui_touch(ui);
    else
        ui_info(ui, STYLE_WARNING, "%s means nothing here", info->name);
}

static void type_key(struct ui *ui, uint32_t key)
{
    struct screen *screen = ui_top(ui);
    CLEANUP(str_free) struct str text = {0};

    utf8_add(&text, (int32_t)key);
    if (screen->ops->type)
        screen->ops->type(screen, str_span(&text), false);
    ui_touch(ui);
}

static void say_unbound(struct ui *ui)
{
    ui_info(ui, STYLE_DIM, "%s", str_c(&ui->keys.text));
}

void input_give_up(struct ui *ui)
{
    ui->keys.typed.count = 0;
    input_unpin(ui);
}

/* Gives up what was begun; ^C never ends the program. */
static bool take_interrupt(struct ui *ui)
{
    if (ui->prompt) {
        prompt_key(ui, K_ESC);
    } else if (ui->keys.typed.count) {
        input_give_up(ui);
    } else {
        ui_info(ui, STYLE_DIM, "Q leaves the program; drafts are kept");
    }
    ui_touch(ui);
    return true;
}

static bool same_targets(const struct targets *a, const struct targets *b)
{
    bool same = a->screen == b->screen && a->keys.count == b->keys.count && a->stamp == b->stamp;

    if (!a->keys.count) /* without messages the agent is the target */
        same = same && span_eq(a->agent, b->agent) && a->agent_source == b->agent_source;
    for (size_t i = 0; same && i < a->keys.count; i++)
        same = span_eq(a->keys.items[i], b->keys.items[i]);
    return same;
}

bool input_has_moved(struct ui *ui)
{
    CLEANUP(message_actions_free) struct targets now = {0};

    if (!ui->pinned.screen)
        return false;
    message_actions_targets(ui, &now);
    return !same_targets(&now, &ui->pinned);
}

/* Reports whether the action applies to the selection. Undo does not: it applies to the last
 * change. */
static bool is_about_selected(enum action action)
{
    enum action_group group = actions[action].group;

    return (group == GROUP_WRITE || group == GROUP_ACT || group == GROUP_DECIDE) &&
           action != ACTION_UNDO;
}

/* Reports whether the action would still have the targets that were pinned at the first key of its
 * sequence; says so if not. */
static bool is_still_meant(struct ui *ui, enum action action)
{
    bool same = !is_about_selected(action) || !input_has_moved(ui);

    if (!same)
        ui_info(ui, STYLE_WARNING, "what was selected has changed meanwhile; nothing was done");
    return same;
}

void input_pin(struct ui *ui)
{
    message_actions_free(&ui->pinned);
    message_actions_targets(ui, &ui->pinned);
}

void input_unpin(struct ui *ui)
{
    message_actions_free(&ui->pinned);
    ui->pinned = (struct targets){0};
}

void input_act(struct ui *ui, enum action action, struct span argument)
{
    if (is_still_meant(ui, action))
        ui_act(ui, action, argument);
}

static void take_key(struct ui *ui, uint32_t key)
{
    enum fed fed;

    status_message_key(&ui->saying, time_steady());
    ui_touch(ui);
    if (key == ('C' | K_CTRL) && take_interrupt(ui))
        return;
    if (ui->prompt) {
        prompt_key(ui, key);
        return;
    }
    ui->keys.offers = ui_top(ui)->ops->offers ? ui_offers : NULL;
    ui->keys.context = ui_top(ui);
    enum action action = keymap_feed(&ui->keymap, &ui->keys, ui_top(ui)->where, key, &fed);
    switch (fed) {
    case FED_ACTION:
        input_act(ui, action, (struct span){0});
        break;
    case FED_TEXT:
        type_key(ui, key);
        break;
    case FED_PENDING:
        if (!ui->pinned.screen)
            input_pin(ui);
        return;
    case FED_UNBOUND:
    case FED_CANCELLED:
        say_unbound(ui);
        break;
    }
    input_unpin(ui);
}

/* Inserts pasted text. A paste never performs an action, and it gives up a pending key sequence. */
static void take_paste(struct ui *ui, struct span text)
{
    struct screen *screen = ui_top(ui);

    if (!ui->prompt)
        input_give_up(ui);
    if (ui->prompt)
        prompt_type(ui, text);
    else if (screen->ops->type)
        screen->ops->type(screen, text, true);
    else
        ui_info(ui, STYLE_WARNING, "there is no place for a paste here; nothing was done with it");
    ui_touch(ui);
}

/* Handles a click. Clicks on the title and the foot do not go to the screen. */
static void take_click(struct ui *ui, const struct input *input)
{
    struct screen *screen = ui_top(ui);

    if (input->kind == INPUT_WHEEL)
        ui_act(ui, input->y < 0 ? ACTION_PREVIOUS : ACTION_NEXT, (struct span){0});
    else if (screen->ops->click && input->y >= ui->area.y && input->y < ui->area.y + ui->area.rows)
        screen->ops->click(screen, input->y - ui->area.y, input->x, input->twice);
    ui_touch(ui);
}

void input_handle(struct ui *ui, const struct input *input)
{
    switch (input->kind) {
    case INPUT_KEY:
        take_key(ui, input->key);
        break;
    case INPUT_PASTE:
        take_paste(ui, str_span(&ui->terminal.pasted));
        break;
    case INPUT_CLICK:
    case INPUT_WHEEL:
        take_click(ui, input);
        break;
    case INPUT_RESIZE:
        ui_touch(ui);
        break;
    case INPUT_NONE:
    case INPUT_GONE:
        break;
    }
}
