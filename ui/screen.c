/* The stack of screens: opening and closing them. */
#include "ui/screen.h"

#include "ui/mail/conversation_list.h"
#include "ui/ui_state.h"

/* The table of views, and the two views that are conversation lists. */

static struct screen *inbox_new(struct ui *ui)
{
    return conversation_list_new(ui, CONVERSATION_LIST_INBOX);
}

static struct screen *archive_new(struct ui *ui)
{
    return conversation_list_new(ui, CONVERSATION_LIST_ARCHIVE);
}

const struct view view_inbox = {.title = "Inbox", .open = inbox_new};
const struct view view_archived = {.title = "Archive", .open = archive_new};

#define ENTRY(symbol, name, key, help) &view_##name,
const struct view *const views[VIEW_COUNT] = {VIEWS(ENTRY)};

struct screen *ui_top(struct ui *ui)
{
    return ui->over_count ? ui->over[ui->over_count - 1] : ui->views[ui->view];
}

void ui_freshen(struct screen *screen)
{
    if (!screen->stale)
        return;
    screen->stale = false;
    if (screen->ops->renew)
        screen->ops->renew(screen);
}

struct screen *ui_screen(struct ui *ui, uint64_t id)
{
    struct screen *found = NULL;

    for (size_t i = 0; i < VIEW_COUNT; i++)
        if (ui->views[i] && ui->views[i]->id == id)
            found = ui->views[i];
    for (size_t i = 0; i < ui->over_count; i++)
        if (ui->over[i]->id == id)
            found = ui->over[i];
    if (found)
        ui_freshen(found);
    return found;
}

void ui_adopt(struct ui *ui, struct screen *screen)
{
    screen->ui = ui;
    if (!screen->title)
        screen->title = screen->ops->title;
    if (!screen->where)
        screen->where = screen->ops->where;
    if (!screen->id)
        screen->id = ++ui->next_id;
}

bool ui_push(struct ui *ui, struct screen *screen)
{
    ui_adopt(ui, screen);
    if (ui->over_count == SCREENS_MAX) {
        ui_info(ui, STYLE_ERROR, "too many screens are open; leave some with q");
        screen->ops->free(screen);
        return false;
    }
    ui->over[ui->over_count++] = screen;
    ui_touch(ui);
    return true;
}

/* Removes the screen from the stack. ui_bury() frees it later, when its callers have returned. */
static void close_screen(struct ui *ui, struct screen *screen)
{
    size_t kept = 0;

    for (size_t i = 0; i < ui->over_count; i++) {
        if (ui->over[i] != screen)
            ui->over[kept++] = ui->over[i];
        else
            ui->closing[ui->closing_count++] = screen;
    }
    ui->over_count = kept;
    ui_touch(ui);
}

void ui_pop(struct ui *ui, struct screen *screen)
{
    close_screen(ui, screen);
    ui_freshen(ui_top(ui));
}

void ui_bury(struct ui *ui)
{
    while (ui->closing_count) {
        struct screen *screen = ui->closing[--ui->closing_count];
        screen->ops->free(screen);
    }
}

/* Closes all screens on top of the view. */
static void close_over(struct ui *ui)
{
    while (ui->over_count)
        close_screen(ui, ui->over[ui->over_count - 1]);
}

void ui_view(struct ui *ui, enum view_number view)
{
    close_over(ui);
    ui->view = view;
    if (!ui->views[view]) {
        ui->views[view] = views[view]->open(ui);
        ui_adopt(ui, ui->views[view]);
        ui->views[view]->stale = true;
    }
    ui_freshen(ui->views[view]);
    ui_touch(ui);
}

bool ui_offers(void *context, enum action action)
{
    struct screen *screen = context;

    return screen->ops->offers(screen, action);
}

void ui_close_screens(struct ui *ui)
{
    close_over(ui);
    ui_bury(ui);
    for (size_t i = 0; i < VIEW_COUNT; i++)
        if (ui->views[i])
            ui->views[i]->ops->free(ui->views[i]);
}
