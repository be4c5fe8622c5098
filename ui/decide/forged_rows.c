/* Forged lead commands and answers as rows of the queue: collected from all mail, judged by the
 * store. */
#include "ui/decide/forged_rows.h"

#include "base/mem.h"
#include "ui/decide/approve.h"
#include "ui/snapshot/picture.h"
#include "ui/ui_state.h"

#include <stdlib.h>

static void forget_rows(struct forged_rows *rows)
{
    free(rows->items);
    arena_free(&rows->arena);
    rows->items = NULL;
    rows->count = rows->cap = 0;
    rows->arena = (struct arena){0};
}

void decide_forged_free(struct forged_rows *rows)
{
    forget_rows(rows);
    map_free(&rows->settled);
    arena_free(&rows->settled_keys);
    *rows = (struct forged_rows){0};
}

/* --- finding them --- */

struct forged_task {
    struct ui_task task;
    struct kept_heads heads; /* memory of the messages and requests in `list` */
    struct forged_list list;
    enum config_answers how;
    struct forged_rows *rows; /* the screen's; only for forged_task_done(), which is not called once
                               * the screen is closed */
    void (*take)(struct screen *screen);
};

static void forged_task_work(struct ui_task *task, struct store *store)
{
    struct forged_task *it = (struct forged_task *)task;
    struct err ignored; /* a ledger that cannot be read is reported with each request */

    task->ok = store_judge_forged(store, &it->list, it->how, false, &ignored);
}

static struct span keep_key(struct arena *arena, const struct message *message)
{
    CLEANUP(str_free) struct str key = {0};

    if (!message)
        return (struct span){0};
    picture_add_key(&key, message);
    return arena_copy(arena, str_span(&key));
}

/* Appends the key of a message in `settled`. The key of an answer includes its request and whether
 * that is archived: an answer to an archived request is not shown, but is judged again if the
 * request is restored. */
static void add_settled_key(struct str *key, const struct forged *item)
{
    picture_add_key(key, item->message);
    if (item->request) {
        bool archived = item->request->place->archived || item->request->status == STATUS_ARCHIVED;
        str_putc(key, '\0');
        str_putc(key, archived ? 'a' : 'i');
        picture_add_key(key, item->request);
    }
}

static void keep_item(struct forged_rows *rows, const struct forged *item)
{
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    if (item->state == FORGED_NO) {
        add_settled_key(&key, item);
        *map_put_copy(&rows->settled, &rows->settled_keys, str_span(&key), &fresh) =
            item->message->print;
    } else {
        const struct message *shown = item->request ? item->request : item->message;
        *mem_push(rows->items, rows->count, rows->cap) = (struct forged_row){
            .state = item->state,
            .key = keep_key(&rows->arena, shown),
            .answer = keep_key(&rows->arena, item->request ? item->message : NULL)};
    }
}

static void forged_task_done(struct ui_task *task, struct ui *ui)
{
    struct forged_task *it = (struct forged_task *)task;

    forget_rows(it->rows);
    for (size_t i = 0; task->ok && i < it->list.count; i++)
        keep_item(it->rows, &it->list.items[i]);
    it->rows->looked |= task->ok;
    it->take(ui_screen(ui, task->screen));
}

static void task_free(struct ui_task *task)
{
    struct forged_task *it = (struct forged_task *)task;

    forged_list_free(&it->list);
    kept_heads_free(&it->heads);
    free(it);
}

/* True if the message was judged as not forged and its bytes are the same. */
static bool is_settled(const struct forged_rows *rows, const struct forged *item, struct str *key)
{
    str_clear(key);
    add_settled_key(key, item);
    const uint32_t *print = map_get(&rows->settled, str_span(key));
    return print && *print == item->message->print;
}

static struct message *keep_head(struct kept_heads *heads, const struct message *message)
{
    if (!message)
        return NULL;
    kept_heads_add(heads, message);
    return heads->items[heads->count - 1];
}

static void find_candidates(const struct forged_rows *rows, const struct picture *picture,
                            struct forged_task *it)
{
    CLEANUP(forged_list_free) struct forged_list all = {0};
    CLEANUP(str_free) struct str key = {0};

    forged_collect(&all, &picture->model, &picture->sight.asks);
    for (size_t i = 0; i < all.count; i++)
        if (!is_settled(rows, &all.items[i], &key))
            forged_add(&it->list, keep_head(&it->heads, all.items[i].message),
                       keep_head(&it->heads, all.items[i].request));
}

void decide_forged_find(struct forged_rows *rows, struct screen *screen,
                        void (*take)(struct screen *screen))
{
    const struct picture *picture = ui_picture(screen->ui);

    if (!picture->ready) /* an answer could be read before its request */
        return;
    struct forged_task *it = mem_zero(1, sizeof *it);
    it->task = (struct ui_task){.work = forged_task_work,
                                .done = forged_task_done,
                                .free = task_free,
                                .screen = screen->id};
    it->take = take;
    it->rows = rows;
    it->how = ui_config(screen->ui)->answers_elsewhere;
    find_candidates(rows, picture, it);
    if (it->list.count || !rows->looked) {
        ui_begin(screen->ui, UI_READ, &it->task);
        return;
    }
    task_free(&it->task);
    forget_rows(rows);
    take(screen);
}

/* --- in the list --- */

void decide_forged_add(const struct forged_rows *rows, const struct picture *picture,
                       struct list *list, bool alarms)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct forged_row *item = &rows->items[i];
        bool answered = item->state != FORGED_ORDER;
        uint32_t number = picture_number(picture, item->key);
        uint32_t answer = answered ? picture_number(picture, item->answer) : 0;
        if ((item->state != FORGED_NOTE) != alarms || number == UINT32_MAX || answer == UINT32_MAX)
            continue;
        uint32_t ask = picture->sight.asks.of[number];
        if (answered && (ask == ASK_NONE || picture->sight.asks.items[ask].open))
            continue; /* the request is open again and has a row of its own */
        list_add(list, &(struct list_row){.key = item->key,
                                          .item = number,
                                          .of = answer,
                                          .part = item->state == FORGED_ALARM,
                                          .kind = answered ? ROW_ANSWERED : ROW_FORGED});
    }
}

size_t decide_forged_notes(const struct list *list)
{
    size_t count = 0;

    for (size_t i = 0; i < list->count; i++)
        count += list->rows[i].kind == ROW_ANSWERED && !list->rows[i].part;
    return count;
}

bool decide_forged_refuses(struct ui *ui, const struct list_row *row, enum action action)
{
    if (!row || row->kind != ROW_ANSWERED || actions[action].group != GROUP_DECIDE)
        return false;
    approve_refuse(
        ui, action,
        "it was answered in your name, not from here: d puts it away, and a reply reaches the "
        "agent");
    return true;
}
