/* Orders that others gave, as rows of the queue: found among all orders by who gave them. */
#include "ui/decide_foreign.h"

#include "base/mem.h"
#include "mail/ask.h"
#include "store/decide.h"

#include <stdlib.h>

void decide_foreign_free(struct foreign_orders *rows)
{
    span_list_free(&rows->keys);
    arena_free(&rows->arena);
    *rows = (struct foreign_orders){0};
}

struct alarm_task {
    struct ui_task task;
    struct arena arena;
    struct message *heads;
    struct message **orders;
    bool *foreign;
    size_t count;
    void (*take)(struct screen *screen, struct foreign_orders *rows);
};

static void work(struct ui_task *task, struct store *store)
{
    struct alarm_task *it = (struct alarm_task *)task;
    struct err ignored; /* a ledger that cannot be read is told with each request */

    if (!store_foreign_orders(store, it->orders, it->count, it->foreign, &ignored))
        it->count = 0;
}

static void done(struct ui_task *task, struct ui *ui)
{
    struct alarm_task *it = (struct alarm_task *)task;
    struct foreign_orders rows = {0};
    struct str key = {0};

    for (size_t i = 0; i < it->count; i++) {
        if (!it->foreign[i])
            continue;
        str_clear(&key);
        picture_add_key(&key, it->orders[i]);
        span_list_add(&rows.keys, arena_copy(&rows.arena, str_span(&key)));
    }
    it->take(ui_screen(ui, task->screen), &rows);
    decide_foreign_free(&rows);
    str_free(&key);
}

static void task_free(struct ui_task *task)
{
    struct alarm_task *it = (struct alarm_task *)task;

    free(it->heads);
    free(it->orders);
    free(it->foreign);
    arena_free(&it->arena);
    free(it);
}

void decide_foreign_find(struct screen *screen,
                         void (*take)(struct screen *screen, struct foreign_orders *rows))
{
    const struct model *model = &ui_picture(screen->ui)->model;
    struct foreign_orders none = {0};
    size_t count = 0;

    for (size_t i = 0; i < model->count; i++)
        count += message_is_order_given(model->messages[i]);
    if (!count) {
        take(screen, &none);
        return;
    }
    struct alarm_task *it = mem_zero(1, sizeof *it);
    it->task =
        (struct ui_task){.work = work, .done = done, .free = task_free, .screen = screen->id};
    it->take = take;
    it->heads = mem_zero(count, sizeof *it->heads);
    it->orders = mem_zero(count, sizeof *it->orders);
    it->foreign = mem_zero(count, sizeof *it->foreign);
    for (size_t i = 0; i < model->count; i++) {
        if (!message_is_order_given(model->messages[i]))
            continue;
        it->orders[it->count] = &it->heads[it->count];
        message_keep(it->orders[it->count++], model->messages[i], &it->arena);
    }
    ui_begin(screen->ui, UI_READ, &it->task);
}
