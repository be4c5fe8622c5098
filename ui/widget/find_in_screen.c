/* Incremental search in a screen. */
#include "ui/widget/find_in_screen.h"

#include "ui/ui_state.h"
#include "ui/widget/prompt.h"

static void search_screen(struct ui *ui, struct span text, bool forward, bool live)
{
    struct screen *screen = ui_top(ui);

    if (!text.len || !screen->ops->search)
        return;
    if (!screen->ops->search(screen, text, forward, live))
        ui_say(ui, STYLE_WARNING, "nothing here matches \"%.*s\"", (int)text.len, text.at);
}

static void cancel_search(struct ui *ui, void *context)
{
    struct screen *screen = ui_top(ui);

    (void)context;
    if (screen->ops->search)
        screen->ops->search(screen, (struct span){0}, true, true);
}

static void change_search(struct ui *ui, void *context, struct span text)
{
    if (text.len)
        search_screen(ui, text, true, true);
    else
        cancel_search(ui, context);
}

/* Searches once more: the key has cleared the warning of the last search. */
static bool accept_search(struct ui *ui, void *context, struct span text)
{
    (void)context;
    str_set(&ui->sought, text);
    search_screen(ui, text, true, true);
    return true;
}

static const struct prompt_spec spec = {.label = "/",
                                        .history = HISTORY_SEARCH,
                                        .changed = change_search,
                                        .accept = accept_search,
                                        .cancel = cancel_search};

static void open_prompt(struct ui *ui)
{
    struct screen *screen = ui_top(ui);

    if (screen->ops->search) {
        screen->ops->search(screen, (struct span){0}, true, false);
        ui_prompt(ui, &spec, (struct span){0}, NULL);
    } else {
        ui_say(ui, STYLE_WARNING, "there is nothing to search here");
    }
}

bool search_act(struct ui *ui, enum action action, struct span argument)
{
    if (action == ACTION_SEARCH && !argument.len) {
        open_prompt(ui);
        return true;
    }
    if (action == ACTION_SEARCH)
        str_set(&ui->sought, argument);
    if (!ui->sought.len)
        ui_say(ui, STYLE_DIM, "nothing was sought yet; / starts a search");
    search_screen(ui, str_span(&ui->sought), action != ACTION_SEARCH_PREVIOUS, false);
    return true;
}
