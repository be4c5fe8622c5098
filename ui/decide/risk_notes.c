/* Notes of the queue: reads and judges the requests on the thread of a store. */
#include "ui/decide/risk_notes.h"

#include "base/mem.h"
#include "store/decide/decide.h"
#include "ui/snapshot/picture.h"

#include <stdlib.h>

void risk_notes_free(struct decide_notes *notes)
{
    map_free(&notes->numbers);
    free(notes->items);
    arena_free(&notes->arena);
    *notes = (struct decide_notes){0};
}

struct notes_task {
    struct ui_task task;
    struct kept_heads heads;
    struct requests requests;
    struct decide_notes *notes; /* the screen's; only for notes_task_done(), which is not called
                                 * once the screen is closed */
};

static void notes_task_work(struct ui_task *base, struct store *store)
{
    struct notes_task *task = (struct notes_task *)base;
    struct err ignored; /* a request that cannot be read has no note; its page has the reason */

    task->task.ok =
        store_requests(store, task->heads.items, task->heads.count, &task->requests, &ignored);
}

static void keep_note(struct decide_notes *notes, const struct message *head, struct span text)
{
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    picture_add_key(&key, head);
    *map_put_copy(&notes->numbers, &notes->arena, str_span(&key), &fresh) = (uint32_t)notes->count;
    *mem_push(notes->items, notes->count, notes->cap) = (struct decide_note){
        head->print, text.len ? arena_copy(&notes->arena, text) : (struct span){0}};
}

static void notes_task_done(struct ui_task *base, struct ui *ui)
{
    struct notes_task *task = (struct notes_task *)base;
    struct screen *screen = ui_screen(ui, base->screen);
    struct decide_notes *notes = task->notes;

    risk_notes_free(notes);
    for (size_t i = 0; i < task->heads.count; i++)
        keep_note(notes, task->heads.items[i],
                  task->task.ok ? task->requests.items[i].in_short : (struct span){0});
    if (screen->ops->renew)
        screen->ops->renew(screen); /* finds the notes of requests that arrived meanwhile */
}

static void task_free(struct ui_task *base)
{
    struct notes_task *task = (struct notes_task *)base;

    requests_free(&task->requests);
    kept_heads_free(&task->heads);
    free(task);
}

static const struct decide_note *find_note(const struct decide_notes *notes, struct span key)
{
    const uint32_t *number = map_get(&notes->numbers, key);

    return number ? &notes->items[*number] : NULL;
}

static bool knows_note(const struct decide_notes *notes, const struct message *message,
                       struct str *key)
{
    str_clear(key);
    picture_add_key(key, message);
    const struct decide_note *note = find_note(notes, str_span(key));
    return note && note->print == message->print;
}

void risk_notes_find(struct decide_notes *notes, struct screen *screen, const uint32_t *requests,
                     size_t count)
{
    const struct model *model = &ui_picture(screen->ui)->model;
    CLEANUP(str_free) struct str key = {0};
    bool known = true;

    for (size_t i = 0; i < count && known; i++)
        known = knows_note(notes, model->messages[requests[i]], &key);
    if (known || notes->asked)
        return;
    struct notes_task *task = mem_zero(1, sizeof *task);
    task->task = (struct ui_task){
        .work = notes_task_work, .done = notes_task_done, .free = task_free, .screen = screen->id};
    task->notes = notes;
    for (size_t i = 0; i < count; i++)
        kept_heads_add(&task->heads, model->messages[requests[i]]);
    notes->asked = true;
    ui_begin(screen->ui, UI_READ, &task->task);
}

struct span risk_notes_of(const struct decide_notes *notes, struct span key)
{
    const struct decide_note *note = find_note(notes, key);

    return note ? note->text : (struct span){0};
}
