/* Deciding several requests: each in full, with those that are left out and why. */
#include "ui/decide_batch.h"

#include "base/mem.h"
#include "mail/ask_text.h"
#include "store/decide.h"
#include "ui/holding.h"
#include "ui/page.h"
#include "ui/prompt.h"
#include "ui/ui_private.h"
#include "ui/verdict.h"

#include <stdlib.h>

struct batch_screen {
    struct screen screen;
    enum action action;
    struct arena arena; /* of the heads */
    struct message *heads;
    size_t count;
    struct requests requests;
    bool ready, seen_end, done;
    struct str problem;
    struct page page;
};

static struct batch_screen *batch_of(struct screen *screen)
{
    return (struct batch_screen *)screen;
}

/* --- reading --- */

struct batch_task {
    struct ui_task task;
    struct message *heads; /* the screen's; it waits for the task by not being freed before */
    struct message **pointers;
    struct arena arena;
    size_t count;
    struct requests requests;
    struct err err;
    bool ok;
};

static void work(struct ui_task *task, struct store *store)
{
    struct batch_task *it = (struct batch_task *)task;

    it->ok = store_requests(store, it->pointers, it->count, &it->requests, &it->err);
}

static void done(struct ui_task *task, struct ui *ui)
{
    struct batch_task *it = (struct batch_task *)task;
    struct batch_screen *batch = batch_of(ui_screen(ui, task->screen));

    if (!it->ok) {
        str_puts(&batch->problem, it->err.text);
        return;
    }
    batch->requests = it->requests;
    batch->heads = it->heads;
    batch->arena = it->arena;
    it->requests = (struct requests){0};
    it->heads = NULL;
    it->arena = (struct arena){0};
    batch->ready = true;
    page_stale(&batch->page);
}

static void task_free(struct ui_task *task)
{
    struct batch_task *it = (struct batch_task *)task;

    requests_free(&it->requests);
    free(it->heads);
    free(it->pointers);
    arena_free(&it->arena);
    free(it);
}

/* --- what it says --- */

/* Whether one of them is decided with the others; else the reason. */
static bool takes_part(const struct batch_screen *batch, size_t number, enum decision *decision,
                       struct err *err)
{
    const struct request *request = &batch->requests.items[number];

    if (request->err.scope) {
        *err = request->err;
        return false;
    }
    if (!verdict_of(batch->action, request->message->kind, decision, err) ||
        !verdict_is_persons(batch->screen.ui, *decision, err))
        return false;
    if (decisions[*decision].yes && request->refusal.at)
        return err_set(err, ERR_REFUSED, "%.*s", (int)request->refusal.len, request->refusal.at);
    if (decisions[*decision].yes && request->doubtful)
        return err_set(err, ERR_REFUSED,
                       "its sender may not be who it seems: that is decided by itself");
    return true;
}

static void make(void *context, struct document *doc, const struct document_options *options)
{
    const struct batch_screen *batch = context;
    struct str line = {0};

    for (size_t i = 0; i < batch->requests.count; i++) {
        const struct request *request = &batch->requests.items[i];
        enum decision decision;
        struct err err;
        str_clear(&line);
        if (takes_part(batch, i, &decision, &err))
            str_addf(&line, "%zu of %zu: %s\n", i + 1, batch->requests.count,
                     decisions[decision].name);
        else
            str_addf(&line, "%zu of %zu: LEFT OUT: %s\n", i + 1, batch->requests.count, err.text);
        document_text(doc, str_span(&line), options);
        if (request->message) {
            struct document_request about = {.refusal = request->refusal,
                                             .flags = &request->flags,
                                             .directory = request->directory};
            document_request(doc, request->message, &about, options);
        }
    }
    str_free(&line);
}

static void batch_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct batch_screen *batch = batch_of(screen);
    struct document_options options = {.now_us = ui_now(screen->ui)};
    struct area rest = *area;

    if (rest.rows > 4) {
        struct area line = area_take_top(&rest, 1);
        grid_putf(grid, &line, 0, 1, LOOK_GROUP,
                  "%zu REQUESTS: nothing is decided yet; read them, then the same keys again",
                  batch->count);
    }
    if (batch->problem.len)
        grid_put(grid, &rest, 0, 1, rest.columns - 1, LOOK_ERROR, str_span(&batch->problem));
    else if (!batch->ready)
        grid_puts(grid, &rest, 0, 1, LOOK_DIM, "reading ...");
    else
        page_draw(&batch->page, grid, &rest, &options, make, batch);
    if (batch->ready && ui_is_seen(screen->ui) && page_was_read(&batch->page, &rest))
        batch->seen_end = true;
}

/* --- deciding --- */

static void decide_all(struct ui *ui, struct batch_screen *batch, struct span reason)
{
    size_t count = 0;

    for (size_t i = 0; i < batch->requests.count; i++) {
        const struct request *request = &batch->requests.items[i];
        enum decision decision;
        struct str asked = {0};
        struct err ignored;
        if (!takes_part(batch, i, &decision, &ignored))
            continue;
        ask_add_title(&asked, request->message);
        struct verdict verdict = {
            .request = &batch->heads[i],
            .sha256 = request->sha256,
            .decision = decision,
            .terms = {.reason = decisions[decision].yes ? (struct span){0} : reason},
            .asked = str_span(&asked)};
        holding_add(ui, &verdict);
        count++;
        str_free(&asked);
    }
    batch->done = true;
    ui_say(ui, LOOK_WARNING, "%zu decision%s held; u takes them back one by one", count,
           count == 1 ? " is" : "s are");
    ui_act(ui_screen(ui, batch->screen.id)->ui, ACTION_BACK, (struct span){0});
}

static bool needs_reason(const struct batch_screen *batch)
{
    enum decision decision;
    struct err ignored;
    bool needs = false;

    for (size_t i = 0; i < batch->requests.count; i++)
        needs |= takes_part(batch, i, &decision, &ignored) && decisions[decision].needs_reason;
    return needs;
}

static bool accept_reason(struct ui *ui, void *context, struct span text)
{
    struct screen *screen = ui_screen(ui, *(uint64_t *)context);

    if (screen && !span_trim(text).len && needs_reason(batch_of(screen))) {
        ui_say(ui, LOOK_ERROR, "say why: the agents are to know what to change");
        return false;
    }
    if (screen)
        decide_all(ui, batch_of(screen), span_trim(text));
    return true;
}

static const struct prompt_spec reason_spec = {
    .label = "why not, to all of them: ",
    .history = HISTORY_REASON,
    .words = true,
    .accept = accept_reason,
    .free = free,
};

static bool batch_act(struct screen *screen, enum action action, struct span argument)
{
    struct batch_screen *batch = batch_of(screen);
    struct ui *ui = screen->ui;

    (void)argument;
    if (action < ACTION_APPROVE || action > ACTION_DENY)
        return page_act(&batch->page, action) || action == ACTION_SCROLL;
    if (action != batch->action) {
        ui_say(ui, LOOK_WARNING, "this list is for %s; q goes back", actions[batch->action].name);
    } else if (!batch->ready || batch->done) {
        ui_say(ui, LOOK_DIM, "they are still being read");
    } else if (!batch->seen_end) {
        ui_say(ui, LOOK_WARNING, "read the list to its end first: Space goes on");
    } else if (action == ACTION_REJECT || action == ACTION_DENY) {
        uint64_t *id = mem_alloc(sizeof *id);
        *id = screen->id;
        ui_prompt(ui, &reason_spec, (struct span){0}, id);
    } else {
        decide_all(ui, batch, (struct span){0});
    }
    return true;
}

static void batch_status(struct screen *screen, struct str *out)
{
    const struct batch_screen *batch = batch_of(screen);

    str_addf(out, "%s %zu requests  %u%%", actions[batch->action].name, batch->count,
             page_percent(&batch->page));
}

static bool batch_search(struct screen *screen, struct span text, bool forward, bool live)
{
    return page_search(&batch_of(screen)->page, text, forward, live);
}

static void several_free(struct screen *screen)
{
    struct batch_screen *batch = batch_of(screen);

    requests_free(&batch->requests);
    free(batch->heads);
    arena_free(&batch->arena);
    str_free(&batch->problem);
    page_free(&batch->page);
    free(batch);
}

static const struct screen_ops ops = {.title = "Decide",
                                      .where = IN_DECIDE,
                                      .draw = batch_draw,
                                      .act = batch_act,
                                      .status = batch_status,
                                      .search = batch_search,
                                      .free = several_free};

void decide_batch_open(struct ui *ui, enum action action, const struct span_list *keys)
{
    if (action == ACTION_AMEND || action == ACTION_GRANT_SESSION ||
        action == ACTION_GRANT_PATTERN) {
        ui_say(ui, LOOK_WARNING, "that is for one request at a time; ^T untags all");
        return;
    }
    struct batch_screen *batch = mem_zero(1, sizeof *batch);
    struct batch_task *it = mem_zero(1, sizeof *it);
    batch->screen = (struct screen){.ops = &ops, .ui = ui};
    batch->action = action;
    it->heads = mem_zero(keys->count + 1, sizeof *it->heads);
    it->pointers = mem_zero(keys->count + 1, sizeof *it->pointers);
    for (size_t i = 0; i < keys->count; i++) {
        const struct message *message = picture_find(ui_picture(ui), keys->items[i]);
        if (!message)
            continue;
        it->pointers[it->count] = &it->heads[it->count];
        message_keep(it->pointers[it->count++], message, &it->arena);
    }
    batch->count = it->count;
    it->task = (struct ui_task){.work = work, .done = done, .free = task_free};
    if (!ui_push(ui, &batch->screen)) {
        task_free(&it->task);
        return;
    }
    it->task.screen = batch->screen.id;
    ui_begin(ui, UI_READ, &it->task);
}
