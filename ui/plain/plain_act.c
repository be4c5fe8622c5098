/* The program without a screen: what a line does. */
#include "base/text/utf8.h"
#include "ui/plain/plain_private.h"
#include "ui/plain/plain_text.h"
#include "ui/widget/command_line.h"

static void run_text(struct plain *plain, struct span line)
{
    struct ui *ui = plain->ui;
    struct key_sequence keys;
    struct err err;
    enum fed fed;

    if (line.at[0] == '/' && line.len > 1) {
        dispatch_act(ui, ACTION_SEARCH, (struct span){line.at + 1, line.len - 1});
        return;
    }
    if (line.at[0] == ':' && line.len > 1)
        line = span_trim((struct span){line.at + 1, line.len - 1});
    if (!command_line_knows(ui, line) && key_sequence_parse(line, &keys, &err)) {
        enum action action = keymap_look(&ui->keymap, ui_top(ui)->where, &keys, &fed);
        if (fed == FED_ACTION) {
            dispatch_act(ui, action, (struct span){0});
            return;
        }
        if (keys.count == 1 || fed == FED_PENDING) {
            ui_say(ui, LOOK_WARNING, "%.*s %s; help shows all keys", (int)line.len, line.at,
                   fed == FED_PENDING ? "is the start of several keys" : "does nothing here");
            return;
        }
    }
    command_line_run(ui, line);
}

/* A number is for the row that had it when it was printed. */
static void run_number(struct plain *plain, size_t number, struct span rest)
{
    struct ui *ui = plain->ui;
    struct screen *screen = ui_top(ui);

    if (!number || number > plain->keys.count || screen->id != plain->screen) {
        ui_say(ui, LOOK_WARNING,
               plain->keys.count ? "no row has the number %zu; an empty line "
                                   "shows them"
                                 : "there is no row %zu here",
               number);
        return;
    }
    if (!screen->ops->choose ||
        !screen->ops->choose(screen, plain->keys.items[number - 1], !rest.len)) {
        ui_say(ui, LOOK_WARNING, "row %zu is not there any more; nothing was done", number);
        return;
    }
    if (!rest.len) {
        ui->acted = ACTION_OPEN;
        return;
    }
    if (screen->where & IN_DECIDE && dispatch_has_moved(ui)) { /* nobody has read it yet */
        ui->acted = ACTION_OPEN;
        ui_say(ui, LOOK_WARNING, "read it first, here it is; then \"%.*s\" does it", (int)rest.len,
               rest.at);
        return;
    }
    dispatch_pin(ui);
    run_text(plain, rest);
}

/* Which actions change what a screen shows as a whole; others move in it, or say what they did. */
static bool shows_all(const struct ui *ui, enum action action, struct screen *screen)
{
    switch (action) {
    case ACTION_SEARCH:
    case ACTION_SEARCH_NEXT:
    case ACTION_SEARCH_PREVIOUS:
        return false;
    case ACTION_REDRAW:
        return true;
    default:
        break;
    }
    if (action == ACTION_NONE || ui->prompt)
        return false;
    switch (actions[action].group) {
    case GROUP_READ:
    case GROUP_FIND:
    case GROUP_VIEW:
        return true;
    case GROUP_MOVE: /* what is decided on, or read, is shown whole */
        return screen->where & (IN_DECIDE | IN_READING) || action == ACTION_BACK;
    default:
        return false;
    }
}

void plain_put_result(struct plain *plain)
{
    struct ui *ui = plain->ui;
    enum action action = ui->acted;
    struct screen *screen = ui_top(ui);
    bool moved = action != ACTION_NONE && !ui->prompt && dispatch_has_moved(ui);
    bool search =
        action == ACTION_SEARCH || action == ACTION_SEARCH_NEXT || action == ACTION_SEARCH_PREVIOUS;

    plain_put_said(plain);
    if (screen->id != plain->screen || shows_all(ui, action, screen) ||
        (moved && screen->where & (IN_DECIDE | IN_READING)))
        plain_show(plain);
    else if (moved || (search && !ui->prompt) || (action && actions[action].group == GROUP_MOVE))
        plain_show_row(plain, search);
}

void plain_act(struct plain *plain, struct span line)
{
    struct ui *ui = plain->ui;
    struct span typed = line;
    size_t number;

    line = span_trim(line);
    ui->acted = ACTION_NONE;
    if (!utf8_valid(typed)) {
        ui_say(ui, LOOK_WARNING, "that is not UTF-8; nothing was done");
    } else if (ui->prompt) {
        prompt_answer(ui, line);
        ui->acted = plain->asking;
    } else if (plain_form_asks(plain)) {
        plain_form_answer(plain, typed);
    } else if (line.len && plain_form_name(plain, line)) {
        plain->asking = ACTION_NONE;
    } else if (!line.len && plain->more) {
        plain_next_page(plain);
    } else if (!line.len) {
        ui->acted = ACTION_REDRAW;
    } else if (plain_take_number(&line, &number)) {
        run_number(plain, number, line);
    } else {
        run_text(plain, line);
    }
    plain->asking = ui->acted;
    ui_bury(ui);
}
