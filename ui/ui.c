/* The terminal interface: opening and closing it, its screens and its work. */
#include "base/clean.h"
#include "base/mem.h"
#include "store/roster.h"
#include "ui/configure.h"
#include "ui/confining.h"
#include "ui/foremost.h"
#include "ui/holding.h"
#include "ui/reaction.h"
#include "ui/ui_private.h"

#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

const struct area *ui_area(const struct ui *ui)
{
    return &ui->area;
}

bool ui_is_seen(const struct ui *ui)
{
    return !ui->options->plain || ui->printing;
}

const struct picture *ui_picture(const struct ui *ui)
{
    return ui->picture;
}

struct who_index *ui_who(const struct ui *ui)
{
    return &ui->picture->who;
}

const struct config *ui_config(const struct ui *ui)
{
    return ui->options->config;
}

int64_t ui_now(const struct ui *ui)
{
    return ui->options->now_us == WHEN_NONE ? when_now() : ui->options->now_us;
}

struct render_style ui_style(const struct ui *ui)
{
    return (struct render_style){.clean = ui->grid.clean, .now_us = ui_now(ui)};
}

const struct source *ui_source(const struct ui *ui, size_t index)
{
    return store_source(ui->stores[UI_WATCH], index);
}

size_t ui_source_count(const struct ui *ui)
{
    return store_source_count(ui->stores[UI_WATCH]);
}

bool ui_is_readonly(const struct ui *ui)
{
    return ui->options->readonly;
}

void ui_touch(struct ui *ui)
{
    ui->touched = true;
}

void ui_say(struct ui *ui, enum look look, const char *format, ...)
{
    char text[2048];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    saying_say(&ui->saying, look, text);
    ui_touch(ui);
}

void ui_failf(struct ui *ui, const char *format, ...)
{
    char text[2048];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    saying_fail(&ui->saying, text);
    ui_touch(ui);
}

void ui_fail(struct ui *ui, const struct err *err)
{
    ui_failf(ui, "%s", err->text);
}

/* --- stores and work --- */

static void say_waiting(void *context, const char *sentence)
{
    ui_say(context, LOOK_DIM, "%s", sentence);
}

static void confine(void *context, const struct store *store)
{
    confining_enter(context, store);
}

/* The stores after the first are given the sources that it has found, so that all have the same. */
static struct store *open_like(struct ui *ui, const struct store_options *options, struct err *err)
{
    size_t count = ui_source_count(ui);
    struct str *specs = mem_zero(count + 1, sizeof *specs);
    const char **texts = mem_zero(count + 1, sizeof *texts);
    struct store_options same = *options;

    for (size_t i = 0; i < count; i++) {
        str_addf(&specs[i], "%s:%s", ui_source(ui, i)->format->name, ui_source(ui, i)->path);
        texts[i] = str_c(&specs[i]);
    }
    same.sources = texts;
    same.source_count = count;
    struct store *store = store_open(&same, err);
    for (size_t i = 0; i < count; i++)
        str_free(&specs[i]);
    free(specs);
    free(texts);
    return store;
}

bool ui_open_store(struct ui *ui, enum ui_store which, struct err *err)
{
    struct store_options options = ui->options->store;

    if (ui->stores[which])
        return true;
    options.tell = say_waiting;
    options.tell_context = ui;
    options.patient = true;
    options.local_only = which == UI_DESK;
    options.bystander = which == UI_SEARCH || which == UI_INDEX;
    options.found = which == UI_WATCH ? confine : NULL; /* the first: all threads come later */
    if (which == UI_WATCH || which == UI_DESK)
        ui->stores[which] = store_open(&options, err);
    else
        ui->stores[which] = open_like(ui, &options, err);
    return ui->stores[which] != NULL;
}

static void work(struct store *store, void *context)
{
    struct ui_task *task = context;

    task->work(task, store);
}

void ui_begin(struct ui *ui, enum ui_store which, struct ui_task *task)
{
    task->next = ui->tasks;
    ui->tasks = task;
    task->unbegun = !ui_open_store(ui, which, &task->err);
    if (task->unbegun) {
        ui_fail(ui, &task->err);
        ui->unbegun++;
    } else {
        store_begin(ui->stores[which], work, task);
    }
}

void ui_free_task(struct ui_task *task)
{
    if (task->free)
        task->free(task);
    else
        free(task);
}

void ui_follow(struct ui *ui, int fd, void (*ready)(struct ui *ui, void *context), void *context)
{
    if (ui->followed_count < FOLLOWED_MAX)
        ui->followed[ui->followed_count++] = (struct followed){fd, ready, context};
}

bool ui_follow_room(const struct ui *ui)
{
    return ui->followed_count < FOLLOWED_MAX;
}

void ui_unfollow(struct ui *ui, int fd)
{
    size_t kept = 0;

    for (size_t i = 0; i < ui->followed_count; i++)
        if (ui->followed[i].fd != fd)
            ui->followed[kept++] = ui->followed[i];
    ui->followed_count = kept;
}

/* --- screens --- */

struct screen *ui_top(struct ui *ui)
{
    return ui->over_count ? ui->over[ui->over_count - 1] : ui->views[ui->view];
}

void ui_freshen(struct screen *screen)
{
    if (!screen->stale)
        return;
    screen->stale = false;
    if (screen->ops->renew)
        screen->ops->renew(screen);
}

struct screen *ui_screen(struct ui *ui, uint64_t id)
{
    struct screen *found = NULL;

    for (size_t i = 0; i < VIEW_COUNT; i++)
        if (ui->views[i] && ui->views[i]->id == id)
            found = ui->views[i];
    for (size_t i = 0; i < ui->over_count; i++)
        if (ui->over[i]->id == id)
            found = ui->over[i];
    if (found)
        ui_freshen(found);
    return found;
}

void ui_adopt(struct ui *ui, struct screen *screen)
{
    screen->ui = ui;
    if (!screen->title)
        screen->title = screen->ops->title;
    if (!screen->where)
        screen->where = screen->ops->where;
    if (!screen->id)
        screen->id = ++ui->next_id;
}

bool ui_push(struct ui *ui, struct screen *screen)
{
    ui_adopt(ui, screen);
    if (ui->over_count == SCREENS_MAX) {
        ui_say(ui, LOOK_ERROR, "too many screens are open; leave some with q");
        screen->ops->free(screen);
        return false;
    }
    ui->over[ui->over_count++] = screen;
    ui_touch(ui);
    return true;
}

/* It is freed when whoever called it through the screen is done. */
static void close_screen(struct ui *ui, struct screen *screen)
{
    size_t kept = 0;

    for (size_t i = 0; i < ui->over_count; i++) {
        if (ui->over[i] != screen)
            ui->over[kept++] = ui->over[i];
        else
            ui->closing[ui->closing_count++] = screen;
    }
    ui->over_count = kept;
    ui_touch(ui);
}

void ui_pop(struct ui *ui, struct screen *screen)
{
    close_screen(ui, screen);
    ui_freshen(ui_top(ui));
}

void ui_bury(struct ui *ui)
{
    while (ui->closing_count) {
        struct screen *screen = ui->closing[--ui->closing_count];
        screen->ops->free(screen);
    }
}

void ui_view(struct ui *ui, enum view_number view)
{
    while (ui->over_count)
        close_screen(ui, ui->over[ui->over_count - 1]);
    ui->view = view;
    if (!ui->views[view]) {
        ui->views[view] = views[view]->open(ui);
        ui_adopt(ui, ui->views[view]);
        ui->views[view]->stale = true;
    }
    ui_freshen(ui->views[view]);
    ui_touch(ui);
}

int ui_agent_look(const struct ui *ui, uint32_t source, struct span team, struct span name,
                  int otherwise)
{
    const struct agents_world *world = ui->picture->world;

    if (!world || source >= world->source_count)
        return otherwise;
    int look = theme_agent(roster_color(&world->names[source], team, name));
    return look == LOOK_PLAIN ? otherwise : look;
}

/* --- beginning and end --- */

static bool prepare(struct ui *ui, struct err *err)
{
    struct config *config = ui->options->config;

    keymap_init(&ui->keymap);
    ui->keymap.readonly = ui->options->readonly;
    configure_keys(&ui->keymap, config);
    configure_theme(&ui->theme, config, (unsigned)terminal_colours());
    return config_sound(config, err);
}

bool ui_offers(void *context, enum action action)
{
    struct screen *screen = context;

    return screen->ops->offers(screen, action);
}

static void close_all(struct ui *ui)
{
    indexing_stop(ui);
    ui_keep_foremost(ui);
    while (ui->over_count)
        close_screen(ui, ui->over[ui->over_count - 1]);
    ui_bury(ui);
    for (size_t i = 0; i < VIEW_COUNT; i++)
        if (ui->views[i])
            ui->views[i]->ops->free(ui->views[i]);
    prompt_free(ui->prompt);
    holding_send_all(ui); /* by a signal: what was decided is not dropped */
    holding_free(ui);
    reactions_free(ui);
    while (ui->followed_count) { /* whoever still waits does so in vain */
        struct followed last = ui->followed[--ui->followed_count];
        last.ready(ui, last.context);
    }
    maker_end(ui->maker, ui->picture); /* messages know where their sources lie */
    for (size_t i = UI_STORES; i-- > 0;)
        store_close(ui->stores[i]);
    while (ui->tasks) {
        struct ui_task *task = ui->tasks;
        ui->tasks = task->next;
        ui_free_task(task);
    }
    journal_free(&ui->journal);
    desk_free(&ui->desk);
    tags_free(&ui->tags.tags);
    snoozes_free(&ui->snoozes);
    hooks_close(ui);
    tidings_close(ui);
    errands_close(ui);
    indexing_close(ui);
    acting_free(&ui->pinned);
    keymap_free(&ui->keymap);
    grid_free(&ui->grid);
    edit_clip_free(&ui->clip);
    saying_free(&ui->saying);
    str_free(&ui->sought);
    str_free(&ui->health);
    history_free(&ui->history);
    key_state_free(&ui->keys);
}

int ui_run(const struct ui_options *options, struct err *err)
{
    struct ui_options mine = *options;
    struct ui ui = {.options = &mine, .terminal.wake = {-1, -1}};
    bool ok;

    mine.plain |= !terminal_is_able();

    tidings_open(&ui);
    errands_open(&ui);
    indexing_open(&ui);
    hooks_open(&ui);
    ui.grid.clean = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? 0 : CLEAN_ASCII;
    confining_prepare(&ui);
    ok = prepare(&ui, err) && ui_open_store(&ui, UI_WATCH, err) &&
         (ui.maker = maker_start(mine.now_us, &ui.picture, err)) &&
         (mine.plain || terminal_start(&ui.terminal, &ui.theme, err));
    if (ok) {
        ui_view(&ui, (enum view_number)options->config->view);
        if (options->config->mouse && !mine.plain)
            terminal_set_mouse(&ui.terminal, true);
        if (options->note)
            ui_say(&ui, LOOK_PLAIN, "%s", options->note);
        if (mine.plain)
            plain_run(&ui);
        else
            loop_run(&ui);
    }
    terminal_stop(&ui.terminal);
    close_all(&ui);
    spawner_end(&ui.spawner);
    confine_free(&ui.confine);
    if (ui.parting.len)
        fputs(str_c(&ui.parting), stderr);
    str_free(&ui.parting);
    if (ui.ended_by) { /* all is saved: whoever waits for us sees what it was */
        signal(ui.ended_by, SIG_DFL);
        raise(ui.ended_by);
    }
    return ok ? 0 : -1;
}
