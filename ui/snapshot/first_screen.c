/* Saves the files of the first screen, which the next session reports first. */
#include "ui/snapshot/first_screen.h"

#include "base/mem.h"
#include "store/scan/first_screen.h"
#include "ui/ui_state.h"

#include <stdlib.h>

enum { FOREMOST_CONVERSATIONS = 100 }; /* more than a large terminal has lines */

struct first_screen_task {
    struct ui_task task;
    struct span_list *parts; /* of each source */
    size_t source_count;
    struct arena arena;
};

static void first_screen_work(struct ui_task *task, struct store *store)
{
    struct first_screen_task *run = (struct first_screen_task *)task;

    for (uint32_t i = 0; i < run->source_count && i < store_source_count(store); i++)
        store_keep_first_screen(store, i, &run->parts[i]);
}

static void task_free(struct ui_task *task)
{
    struct first_screen_task *run = (struct first_screen_task *)task;

    for (size_t i = 0; i < run->source_count; i++)
        span_list_free(&run->parts[i]);
    free(run->parts);
    arena_free(&run->arena);
    free(run);
}

/* Adds the files of a conversation, all of them, so that the state of its request is known. */
static void add_conversation(struct first_screen_task *run,
                             const struct conversations *conversations,
                             const struct conversation *conversation)
{
    for (size_t i = 0; i < conversation->count; i++) {
        const struct message *message = conversation_message(conversations, conversation, i);
        struct span_list *parts = &run->parts[message->place->source];
        if (message->place->local || parts->count >= 2 * FIRST_SCREEN_FILES_MAX)
            continue;
        span_list_add(parts, arena_copy(&run->arena, message->place->dir));
        span_list_add(parts, arena_copy(&run->arena, message->file));
    }
}

void ui_keep_first_screen(struct ui *ui)
{
    const struct picture *picture = ui->picture;
    struct first_screen_task *run;

    if (ui->options->readonly || !picture || !picture->ready ||
        ui->first_screen_of == picture->number)
        return;
    ui->first_screen_of = picture->number;
    run = mem_zero(1, sizeof *run);
    run->task = (struct ui_task){.work = first_screen_work, .free = task_free};
    run->source_count = ui_source_count(ui);
    run->parts = mem_zero(run->source_count + 1, sizeof *run->parts);
    for (size_t i = 0; i < picture->order.count && i < FOREMOST_CONVERSATIONS; i++)
        add_conversation(run, &picture->sight.conversations,
                         &picture->sight.conversations.items[picture->order.conversations[i]]);
    ui_begin(ui, UI_READ, &run->task);
}
