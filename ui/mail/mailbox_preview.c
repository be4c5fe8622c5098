/* Lists of conversations: the preview of what is selected. */
#include "ui/mail/mailbox_private.h"
#include "ui/mail/thread.h"

/* The list has room for age, name and kind, and for a few words. */
enum { BESIDE_FROM = 100, BELOW_FROM = 14, LIST_LEAST = 44 };

const struct message *mailbox_message(struct mailbox *box)
{
    const struct picture *picture = ui_picture(box->screen.ui);
    const struct list_row *row = list_here(&box->list);

    if (!row)
        return NULL;
    if (row->kind == ROW_MESSAGE)
        return picture_find(picture, row->key);
    return thread_start(&picture->sight.talks, &picture->sight.talks.items[row->item]);
}

/* Beside the list where there is room by itself; below it only for who asks for it. */
void mailbox_place_preview(struct mailbox *box, struct grid *grid, struct area *list)
{
    struct area *preview = &box->panes.preview;

    *preview = (struct area){0};
    if (box->preview == PREVIEW_NEVER)
        return;
    if (box->panes.whole.columns >= BESIDE_FROM && !grid->plain) {
        int columns = (list->columns - 1) / 2;
        *preview = *list;
        *list = area_take_left(preview, columns > LIST_LEAST ? columns : LIST_LEAST);
        struct area wall = area_take_left(preview, 1);
        grid_wall(grid, &wall, 0, LOOK_BORDER);
    } else if (box->preview == PREVIEW_ALWAYS && list->rows >= BELOW_FROM) {
        *preview = area_take_bottom(list, list->rows / 2);
        struct area rule = area_take_top(preview, 1);
        grid_rule(grid, &rule, 0, LOOK_BORDER);
    }
}

void mailbox_draw_preview(struct mailbox *box, struct grid *grid)
{
    if (!box->panes.preview.columns)
        return;
    message_page_show(&box->opened, &box->screen, mailbox_message(box));
    message_page_draw(&box->opened, &box->screen, grid, &box->panes.preview);
}

static bool toggle(struct mailbox *box)
{
    bool shown = box->panes.preview.columns > 0;

    box->preview = shown ? PREVIEW_NEVER : PREVIEW_ALWAYS;
    box->in_preview = false;
    if (shown)
        box->panes.preview.columns = 0; /* for a key that comes before it is drawn again */
    if (!shown && box->panes.whole.columns < BESIDE_FROM && box->panes.list.rows < BELOW_FROM)
        ui_say(box->screen.ui, LOOK_WARNING, "there is no room for a preview; Enter opens it");
    return true;
}

bool mailbox_preview_act(struct mailbox *box, enum action action)
{
    bool shown = box->panes.preview.columns > 0;

    switch (action) {
    case ACTION_PREVIEW:
        return toggle(box);
    case ACTION_OTHER_PANE:
        box->in_preview = shown && !box->in_preview;
        if (!shown)
            ui_say(box->screen.ui, LOOK_DIM, "there is no other pane; p shows a preview");
        return true;
    case ACTION_RAW:
        if (shown)
            return message_page_act(&box->opened, &box->screen, action);
        ui_act(box->screen.ui, ACTION_OPEN, (struct span){0});
        if (ui_top(box->screen.ui) != &box->screen)
            ui_act(box->screen.ui, ACTION_RAW, (struct span){0});
        return true;
    default:
        return shown && box->in_preview && page_act(&box->opened.page, action);
    }
}
