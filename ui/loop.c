/* The loop of the screens: keys, and drawing. */
#include "ui/ui_private.h"

enum { KEYS_AT_ONCE = 256 };

/* While something happens ages are drawn every second, else when the minute changes. */
#define LIVELY_US INT64_C(60000000)
#define SECOND_US INT64_C(1000000)

static void take_keys(struct ui *ui)
{
    for (int i = 0; i < KEYS_AT_ONCE && !ui->leaving; i++) {
        struct input input = terminal_next(&ui->terminal);
        if (input.kind == INPUT_NONE)
            return;
        if (input.kind == INPUT_GONE) {
            ui->leaving = true;
            ui->ended_by = (int)input.key;
            return;
        }
        ui->busy_us = ui->key_us = when_steady();
        if (input.kind != INPUT_RESIZE && ui->busy_us < ui->deaf_us)
            continue; /* typed ahead: it was not meant for what is there now */
        if (input.kind != INPUT_RESIZE && ui->drops_input) {
            ui_say(ui, LOOK_WARNING, "what was typed before the change was shown was dropped");
            continue;
        }
        dispatch_input(ui, &input);
        ui_bury(ui);
    }
}

/* Until ages look different. */
static int64_t clock_due_us(const struct ui *ui)
{
    int64_t now_us = ui_now(ui);

    if (ui->options->now_us != WHEN_NONE)
        return WHEN_NONE;
    return when_steady() - ui->busy_us < LIVELY_US ? SECOND_US - now_us % SECOND_US
                                                   : LIVELY_US - now_us % LIVELY_US;
}

static void draw(struct ui *ui)
{
    if (ui->grid.rows != terminal_rows() || ui->grid.columns != terminal_columns())
        grid_resize(&ui->grid, terminal_rows(), terminal_columns());
    else
        grid_clear(&ui->grid);
    ui->frame++;
    frame_draw(ui);
    terminal_show(&ui->terminal, &ui->grid);
    ui->drawn_us = when_steady();
    ui->touched = false;
    if (ui->drops_input) {
        dispatch_give_up(ui);
        take_keys(ui); /* what was typed before this was drawn */
        ui_touch(ui);
        ui->drops_input = false;
    }
}

void loop_run(struct ui *ui)
{
    ui->busy_us = when_steady();
    ui_touch(ui);
    draw(ui); /* before anything is read: the person sees that it is there */
    events_start(ui);
    while (!ui->leaving) {
        if (events_wait(ui, terminal_fd(&ui->terminal), terminal_wake_fd(&ui->terminal),
                        clock_due_us(ui)))
            take_keys(ui);
        events_settle(ui);
        if (ui->touched && !ui->leaving)
            draw(ui);
    }
}
