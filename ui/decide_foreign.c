/* Orders that others gave, as rows of the queue: found among all orders by who gave them. */
#include "ui/decide_foreign.h"

#include "base/mem.h"
#include "mail/order.h"
#include "store/decide.h"
#include "ui/kept_heads.h"

#include <stdlib.h>

void decide_foreign_free(struct foreign_orders *rows)
{
    span_list_free(&rows->keys);
    arena_free(&rows->arena);
    *rows = (struct foreign_orders){0};
}

struct foreign_task {
    struct ui_task task;
    struct kept_heads orders;
    bool *foreign; /* of each of them */
    void (*take)(struct screen *screen, struct foreign_orders *rows);
};

static void work(struct ui_task *task, struct store *store)
{
    struct foreign_task *it = (struct foreign_task *)task;
    struct err ignored; /* a ledger that cannot be read is told with each request */

    task->ok =
        store_foreign_orders(store, it->orders.items, it->orders.count, it->foreign, &ignored);
}

static void done(struct ui_task *task, struct ui *ui)
{
    struct foreign_task *it = (struct foreign_task *)task;
    struct foreign_orders rows = {0};
    struct str key = {0};

    for (size_t i = 0; task->ok && i < it->orders.count; i++) {
        if (!it->foreign[i])
            continue;
        str_clear(&key);
        picture_add_key(&key, it->orders.items[i]);
        span_list_add(&rows.keys, arena_copy(&rows.arena, str_span(&key)));
    }
    it->take(ui_screen(ui, task->screen), &rows);
    decide_foreign_free(&rows);
    str_free(&key);
}

static void task_free(struct ui_task *task)
{
    struct foreign_task *it = (struct foreign_task *)task;

    kept_heads_free(&it->orders);
    free(it->foreign);
    free(it);
}

void decide_foreign_find(struct screen *screen,
                         void (*take)(struct screen *screen, struct foreign_orders *rows))
{
    const struct model *model = &ui_picture(screen->ui)->model;
    struct foreign_orders none = {0};
    struct kept_heads orders = {0};

    for (size_t i = 0; i < model->count; i++)
        if (message_is_order_given(model->messages[i]))
            kept_heads_add(&orders, model->messages[i]);
    if (!orders.count) {
        take(screen, &none);
        return;
    }
    struct foreign_task *it = mem_zero(1, sizeof *it);
    it->task =
        (struct ui_task){.work = work, .done = done, .free = task_free, .screen = screen->id};
    it->take = take;
    it->orders = orders;
    it->foreign = mem_zero(orders.count, sizeof *it->foreign);
    ui_begin(screen->ui, UI_READ, &it->task);
}
