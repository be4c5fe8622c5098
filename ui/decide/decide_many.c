/* Deciding several requests: shows each in full, and the reason for those that are left out. */
#include "ui/decide/decide_many.h"

#include "base/mem.h"
#include "mail/thread/request.h"
#include "ui/decide/approve.h"
#include "ui/decide/undo_window.h"
#include "ui/snapshot/picture.h"
#include "ui/ui_state.h"
#include "ui/widget/pager.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

struct decide_many_task {
    struct screen screen;
    enum action action;
    struct kept_heads heads; /* empty until they were read */
    size_t count;
    struct request_snapshots requests;
    bool ready, seen_end, done;
    struct settle settle;
    struct str problem;
    struct pager pager;
};

static struct decide_many_task *several_of(struct screen *screen)
{
    return (struct decide_many_task *)screen;
}

/* --- reading --- */

struct several_task {
    struct ui_task task;
    struct kept_heads heads; /* moved to the screen when they were read */
    struct request_snapshots requests;
};

static void several_task_work(struct ui_task *task, struct store *store)
{
    struct several_task *it = (struct several_task *)task;

    it->task.ok =
        store_requests(store, it->heads.items, it->heads.count, &it->requests, &it->task.err);
}

static void several_task_done(struct ui_task *task, struct ui *ui)
{
    struct several_task *it = (struct several_task *)task;
    struct decide_many_task *several = several_of(ui_screen(ui, task->screen));

    if (!it->task.ok) {
        str_puts(&several->problem, it->task.err.text);
        return;
    }
    several->requests = it->requests;
    several->heads = it->heads;
    it->requests = (struct request_snapshots){0};
    it->heads = (struct kept_heads){0};
    several->ready = true;
    for (size_t i = 0; i < several->requests.count; i++)
        if (several->requests.items[i].message)
            drawn_requests_add(&ui->drawn_requests, &several->requests.items[i]);
    pager_stale(&several->pager);
}

static void task_free(struct ui_task *task)
{
    struct several_task *it = (struct several_task *)task;

    request_snapshots_free(&it->requests);
    kept_heads_free(&it->heads);
    free(it);
}

/* --- the page --- */

/* True if this request is decided with the others; else the reason. */
static bool takes_part(const struct decide_many_task *several, size_t number,
                       enum decision *decision, struct err *err)
{
    const struct request_snapshot *request = &several->requests.items[number];

    if (request->err) {
        *err = *request->err;
        return false;
    }
    if (!approve_decision_of(several->action, request->message->kind, decision, err) ||
        !approve_is_persons(several->screen.ui, *decision, err))
        return false;
    if (request->decider)
        return err_set(err, ERR_REFUSED, "%s", request->decider);
    if (decisions[*decision].yes && request->refusal.at)
        return err_set(err, ERR_REFUSED, "%.*s", (int)request->refusal.len, request->refusal.at);
    if (decisions[*decision].yes &&
        drawn_requests_differ(&several->screen.ui->drawn_requests, request))
        return err_set(err, ERR_REFUSED, "%s", DRAWN_DIFFERENTLY);
    if (decisions[*decision].yes && request->doubtful)
        return err_set(err, ERR_REFUSED,
                       "its sender may not be who it seems: that is decided by itself");
    return true;
}

static void make_page(void *context, struct document *doc, const struct page_options *options)
{
    const struct decide_many_task *several = context;
    CLEANUP(str_free) struct str line = {0};

    for (size_t i = 0; i < several->requests.count; i++) {
        const struct request_snapshot *request = &several->requests.items[i];
        enum decision decision;
        struct err err;
        str_clear(&line);
        if (takes_part(several, i, &decision, &err))
            str_addf(&line, "%zu of %zu: %s\n", i + 1, several->requests.count,
                     decisions[decision].name);
        else
            str_addf(&line, "%zu of %zu: LEFT OUT: %s\n", i + 1, several->requests.count, err.text);
        page_text(doc, str_span(&line), options);
        if (request->message) {
            struct page_request about = {.refusal = request->refusal,
                                         .flags = &request->flags,
                                         .directory = request->directory};
            page_request(doc, request->message, &about, options);
        }
    }
}

static void several_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct decide_many_task *several = several_of(screen);
    struct page_options options = {.now_us = ui_now(screen->ui)};
    struct area rest = *area;

    if (rest.rows > 4) {
        struct area line = area_take_top(&rest, 1);
        grid_putf(grid, &line, 0, 1, STYLE_GROUP,
                  "%zu REQUESTS: nothing is decided yet; read them, then the same keys again",
                  several->count);
    }
    if (several->problem.len)
        grid_put(grid, &rest, 0, 1, rest.columns - 1, STYLE_ERROR, str_span(&several->problem));
    else if (!several->ready)
        grid_puts(grid, &rest, 0, 1, STYLE_DIM, "reading ...");
    else
        pager_draw(&several->pager, grid, &rest, &options, make_page, several);
    if (several->ready)
        settle_draw(&several->settle, screen->ui);
    if (several->ready && ui_is_seen(screen->ui) && pager_was_read(&several->pager, &rest))
        several->seen_end = true;
}

/* --- deciding --- */

static void decide_all(struct ui *ui, struct decide_many_task *several, struct span reason)
{
    size_t count = 0;

    for (size_t i = 0; i < several->requests.count; i++) {
        const struct request_snapshot *request = &several->requests.items[i];
        enum decision decision;
        CLEANUP(str_free) struct str asked = {0};
        struct err ignored;
        if (!takes_part(several, i, &decision, &ignored))
            continue;
        request_add_title(&asked, request->message);
        struct undo_window_entry verdict = {
            .request = several->heads.items[i],
            .sha256 = request->sha256,
            .decision = decision,
            .terms = {.reason = !decisions[decision].yes ? reason : (struct span){0}},
            .asked = str_span(&asked)};
        undo_window_add(ui, &verdict);
        count++;
    }
    several->done = true;
    ui_info(ui, STYLE_WARNING, "%zu decision%s held; u takes them back one by one", count,
            count == 1 ? " is" : "s are");
    ui_act(ui_screen(ui, several->screen.id)->ui, ACTION_BACK, (struct span){0});
}

static bool needs_reason(const struct decide_many_task *several)
{
    enum decision decision;
    struct err ignored;
    bool needs = false;

    for (size_t i = 0; i < several->requests.count; i++)
        needs |= takes_part(several, i, &decision, &ignored) && decisions[decision].needs_reason;
    return needs;
}

static bool accept_reason(struct ui *ui, void *context, struct span text)
{
    struct screen *screen = ui_screen(ui, *(uint64_t *)context);

    if (screen && !span_trim(text).len && needs_reason(several_of(screen))) {
        ui_info(ui, STYLE_ERROR, "say why: the agents are to know what to change");
        return false;
    }
    if (screen)
        decide_all(ui, several_of(screen), span_trim(text));
    return true;
}

static const struct prompt_spec reason_spec = {
    .label = "why not, to all of them: ",
    .history = HISTORY_REASON,
    .words = true,
    .accept = accept_reason,
    .free = free,
};

static bool several_act(struct screen *screen, enum action action, struct span argument)
{
    struct decide_many_task *several = several_of(screen);
    struct ui *ui = screen->ui;
    struct err err;

    (void)argument;
    if (action < ACTION_APPROVE || action > ACTION_DENY)
        return pager_act(&several->pager, action) || action == ACTION_SCROLL;
    if (action != several->action) {
        ui_info(ui, STYLE_WARNING, "this list is for %s; q goes back",
                actions[several->action].name);
    } else if (!several->ready || several->done) {
        ui_info(ui, STYLE_DIM, "they are still being read");
    } else if (!several->seen_end) {
        ui_info(ui, STYLE_WARNING, "read the list to its end first: Space goes on");
    } else if (action == ACTION_REJECT || action == ACTION_DENY) {
        ui_prompt_for(screen, &reason_spec);
    } else if (!settle_allows(&several->settle, ui, &err)) {
        ui_info(ui, STYLE_WARNING, "%s", err.text);
    } else {
        decide_all(ui, several, (struct span){0});
    }
    return true;
}

static void several_status(struct screen *screen, struct str *out)
{
    const struct decide_many_task *several = several_of(screen);

    str_addf(out, "%s %zu requests  %u%%", actions[several->action].name, several->count,
             pager_percent(&several->pager));
    if (several->ready && settle_left_us(&several->settle, screen->ui) > 0)
        str_puts(out, "  settling");
}

static int64_t several_due_us(struct screen *screen)
{
    return settle_due_us(&several_of(screen)->settle, screen->ui);
}

static void several_free(struct screen *screen)
{
    struct decide_many_task *several = several_of(screen);

    request_snapshots_free(&several->requests);
    kept_heads_free(&several->heads);
    str_free(&several->problem);
    pager_free(&several->pager);
    free(several);
}

static const struct screen_ops ops = {.title = "Decide",
                                      .where = IN_DECIDE,
                                      .draw = several_draw,
                                      .act = several_act,
                                      .status = several_status,
                                      .due_us = several_due_us,
                                      .search = pager_screen_search,
                                      .free = several_free};

void decide_many_open(struct ui *ui, enum action action, const struct span_list *keys)
{
    if (action == ACTION_AMEND || action == ACTION_GRANT_SESSION ||
        action == ACTION_GRANT_PATTERN) {
        ui_info(ui, STYLE_WARNING, "that is for one request at a time; ^T untags all");
        return;
    }
    struct decide_many_task *several = mem_zero(1, sizeof *several);
    struct several_task *it = mem_zero(1, sizeof *it);
    several->screen = (struct screen){.ops = &ops, .ui = ui, .pager = &several->pager};
    several->action = action;
    for (size_t i = 0; i < keys->count; i++) {
        const struct message *message = picture_find(ui_picture(ui), keys->items[i]);
        if (message)
            kept_heads_add(&it->heads, message);
    }
    several->count = it->heads.count;
    it->task =
        (struct ui_task){.work = several_task_work, .done = several_task_done, .free = task_free};
    if (!ui_push(ui, &several->screen)) {
        task_free(&it->task);
        return;
    }
    it->task.screen = several->screen.id;
    ui_begin(ui, UI_READ, &it->task);
}
