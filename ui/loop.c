/* The loop of the screens: input, events and drawing. */
#include "base/mem.h"
#include "ui/compose/form_draft.h"
#include "ui/decide/undo_window.h"
#include "ui/reopen.h"
#include "ui/snapshot/first_screen.h"
#include "ui/snooze.h"
#include "ui/ui_state.h"

#include <poll.h>

/* Events that both loops handle between two keys or lines: news, finished tasks, timers. */

enum { NEWS_AT_ONCE = 64 };

static void finish_tasks(struct ui *ui, struct ui_task *task)
{
    struct ui_task **link = &ui->tasks;

    while (*link != task)
        link = &(*link)->next;
    *link = task->next;
    if (task->done && (!task->screen || ui_screen(ui, task->screen)))
        task->done(task, ui);
    ui_free_task(task);
    ui_touch(ui);
}

/* Ends the tasks that have no store like any other. Handles only those counted at the start, so
 * that a done() that begins another failing task cannot hold up the loop. */
static void finish_unbegun(struct ui *ui)
{
    for (size_t count = ui->unbegun; count; count--) {
        struct ui_task *oldest = NULL;
        for (struct ui_task *task = ui->tasks; task; task = task->next)
            if (task->unbegun)
                oldest = task;
        if (!oldest)
            break;
        ui->unbegun--;
        finish_tasks(ui, oldest);
        ui_bury(ui);
    }
}

/* Notes that a source is gone or present again. Its rows stay; renews the screens. */
static void take_source(struct ui *ui, const struct news *news)
{
    if (!ui->gone)
        ui->gone = mem_zero(ui_source_count(ui) + 1, sizeof *ui->gone);
    if (news->source < ui_source_count(ui)) {
        struct gone_source *gone = &ui->gone[news->source];
        gone->since_us = !news->gone ? 0 : gone->since_us ? gone->since_us : ui_now(ui);
        gone->remade = news->reopen;
    }
    if (news->reopen)
        reopen_want(ui);
    if (news->gone)
        ui_failf(ui, "%s", news->text);
    else
        ui_info(ui, STYLE_PLAIN, "%s", news->text);
    ui->stale = true;
}

static void take_news(struct ui *ui, enum ui_store which)
{
    struct news news;

    for (int i = 0; i < NEWS_AT_ONCE && worker_next(ui->stores[which], &news); i++) {
        switch (news.kind) {
        case NEWS_UPDATE:
            outbox_worker_mail(ui, news.update.source);
            indexer_news(ui, &news.update);
            maker_add(ui->maker, &news);
            break;
        case NEWS_KNOWN:
            outbox_worker_known(ui, news.world);
            maker_add(ui->maker, &news);
            break;
        case NEWS_READY:
            indexer_ready(ui);
            maker_add(ui->maker, &news);
            break;
        case NEWS_KEPT:
            snooze_load(ui);
            drafts_cache_load(ui);
            break;
        case NEWS_HEALTH:
            str_set(&ui->health, span_of(news.text));
            ui_touch(ui);
            break;
        case NEWS_SOURCE:
            take_source(ui, &news);
            break;
        case NEWS_DONE:
            finish_tasks(ui, news.done);
            ui_bury(ui);
            break;
        }
        news_free(&news);
    }
}

/* Returns one of all screens, NULL after the last. */
static struct screen *screen_at(const struct ui *ui, size_t at)
{
    for (size_t i = 0; i < VIEW_COUNT; i++)
        if (ui->views[i] && at-- == 0)
            return ui->views[i];
    return at < ui->over_count ? ui->over[at] : NULL;
}

/* Renews the visible screen; the others are renewed when they become visible. */
static void renew_screens(struct ui *ui)
{
    struct screen *screen;

    ui->stale = false;
    for (size_t i = 0; (screen = screen_at(ui, i)); i++)
        screen->stale = true;
    ui_freshen(ui_top(ui));
    ui_touch(ui);
}

static void take_picture(struct ui *ui)
{
    if (maker_take(ui->maker, &ui->picture)) {
        renew_screens(ui);
        changes_feed_renew(ui);
        if (!ui->first_screen_of)
            ui_keep_first_screen(ui);
        if (ui->picture->changes.count)
            ui->busy_us = time_steady();
    } else if (ui->stale) {
        renew_screens(ui);
    }
}

static int64_t next_due_us(struct ui *ui)
{
    int64_t due_us = ui->stale || ui->unbegun ? 0 : TIME_NONE;
    struct screen *screen;

    time_min(&due_us, snooze_due_us(ui));
    time_min(&due_us, changes_feed_due_us(ui));
    time_min(&due_us, undo_window_due_us(ui));
    time_min(&due_us, outbox_worker_due_us(ui));
    time_min(&due_us, indexer_due_us(ui));
    time_min(&due_us, reopen_due_us(ui));
    time_min(&due_us, prompt_due_us(ui));
    for (size_t i = 0; (screen = screen_at(ui, i)); i++)
        if (screen->ops->due_us)
            time_min(&due_us, screen->ops->due_us(screen));
    return due_us;
}

enum {
    FD_INPUT,
    FD_SIGNALS,
    FD_PICTURE,
    FD_STORES,
    FD_HOOKS = FD_STORES + UI_STORES,
    FD_OTHERS = FD_HOOKS + HOOKS_FDS,
    FDS_MAX = FD_OTHERS + FOLLOWED_MAX
};

/* Calls `ready` of the descriptor, unless it was unfollowed meanwhile. */
static void call_followed(struct ui *ui, int fd)
{
    for (size_t i = 0; i < ui->followed_count; i++) {
        if (ui->followed[i].fd == fd) {
            ui->followed[i].ready(ui, ui->followed[i].context);
            return;
        }
    }
}

bool events_wait(struct ui *ui, int input, int signals, int64_t most_us)
{
    struct pollfd fds[FDS_MAX] = {[FD_INPUT] = {.fd = input, .events = POLLIN},
                                  [FD_SIGNALS] = {.fd = signals, .events = POLLIN},
                                  [FD_PICTURE] = {.fd = maker_fd(ui->maker), .events = POLLIN}};
    size_t others = ui->followed_count;
    int64_t due_us = next_due_us(ui);

    time_min(&due_us, most_us);
    for (size_t i = 0; i < UI_STORES; i++)
        fds[FD_STORES + i] =
            (struct pollfd){.fd = ui->stores[i] ? worker_fd(ui->stores[i]) : -1, .events = POLLIN};
    hooks_poll(ui, fds + FD_HOOKS);
    for (size_t i = 0; i < others; i++)
        fds[FD_OTHERS + i] = (struct pollfd){.fd = ui->followed[i].fd, .events = POLLIN};
    int ready = poll(fds, FD_OTHERS + others, due_us == TIME_NONE ? -1 : time_poll_ms(due_us));
    if (ready == 0)
        ui_touch(ui); /* the clock has moved */
    for (size_t i = 0; ready > 0 && i < UI_STORES; i++)
        if (fds[FD_STORES + i].revents)
            take_news(ui, (enum ui_store)i);
    if (ready > 0)
        hooks_work(ui, fds + FD_HOOKS);
    for (size_t i = 0; ready > 0 && i < others; i++)
        if (fds[FD_OTHERS + i].revents)
            call_followed(ui, fds[FD_OTHERS + i].fd);
    return ready < 0 || fds[FD_INPUT].revents || fds[FD_SIGNALS].revents;
}

static void tick_screens(struct ui *ui)
{
    struct screen *screen;

    for (size_t i = 0; (screen = screen_at(ui, i)); i++) {
        if (screen->ops->due_us && screen->ops->tick && screen->ops->due_us(screen) == 0)
            screen->ops->tick(screen);
    }
}

void events_start(struct ui *ui)
{
    /* hooks are given whole messages as they arrive; screens fetch what they show */
    bool whole = hooks_has(ui, CONFIG_HOOK_NEW) || hooks_has(ui, CONFIG_HOOK_WAITING);

    ui->busy_us = time_steady();
    worker_watch(ui->stores[UI_WATCH],
                 &(struct watch_options){.want = whole ? WANT_DATA | WANT_BODY : 0,
                                         .config = ui->options->config,
                                         .keep_gone = true,
                                         .confine = &ui->confine});
    snooze_load(ui);
    drafts_cache_load(ui);
    remember_load(ui);
}

void events_settle(struct ui *ui)
{
    finish_unbegun(ui);
    if (snooze_due_us(ui) == 0)
        snooze_load(ui); /* drop snoozes that have ended */
    take_picture(ui);
    changes_feed_work(ui);
    undo_window_work(ui);
    if (ui->leaving_sent && !undo_window_count(ui))
        ui->leaving = true;
    outbox_worker_work(ui);
    indexer_work(ui);
    prompt_work(ui);
    tick_screens(ui);
    ui_bury(ui);
    reopen_work(ui);
}

enum { KEYS_AT_ONCE = 256 };

/* For this long after the last key or news, ages are redrawn every second; later, every minute. */
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
        ui->busy_us = ui->key_us = time_steady();
        if (input.kind != INPUT_RESIZE && ui->busy_us < ui->deaf_us)
            continue; /* typed ahead: not meant for what is on the screen now */
        if (input.kind != INPUT_RESIZE && ui->drops_input) {
            ui_info(ui, STYLE_WARNING, "what was typed before the change was shown was dropped");
            continue;
        }
        input_handle(ui, &input);
        ui_bury(ui);
    }
}

/* Returns the time until displayed ages change. */
static int64_t clock_due_us(const struct ui *ui)
{
    int64_t now_us = ui_now(ui);

    if (ui->options->now_us != TIME_NONE)
        return TIME_NONE;
    return time_steady() - ui->busy_us < LIVELY_US ? SECOND_US - now_us % SECOND_US
                                                   : LIVELY_US - now_us % LIVELY_US;
}

static void draw_screens(struct ui *ui)
{
    if (ui->grid.rows != terminal_rows() || ui->grid.columns != terminal_columns())
        grid_resize(&ui->grid, terminal_rows(), terminal_columns());
    else
        grid_clear(&ui->grid);
    ui->frame++;
    frame_draw(ui);
    terminal_show(&ui->terminal, &ui->grid);
    ui->drawn_us = time_steady();
    ui->touched = false;
    if (ui->drops_input) {
        input_give_up(ui);
        take_keys(ui); /* drop what was typed before this was drawn */
        ui_touch(ui);
        ui->drops_input = false;
    }
}

void loop_run(struct ui *ui)
{
    ui->busy_us = time_steady();
    ui_touch(ui);
    draw_screens(ui); /* before anything is read: shows the person that the program runs */
    events_start(ui);
    while (!ui->leaving) {
        if (events_wait(ui, terminal_fd(&ui->terminal), terminal_wake_fd(&ui->terminal),
                        clock_due_us(ui)))
            take_keys(ui);
        events_settle(ui);
        if (ui->touched && !ui->leaving)
            draw_screens(ui);
    }
}
