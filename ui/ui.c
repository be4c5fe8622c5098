/* The terminal interface: start, end, and services for screens. */
#include "ui/ui.h"

#include "base/mem.h"
#include "base/text/sanitize.h"
#include "store/source/roster.h"
#include "ui/decide/undo_window.h"
#include "ui/keys/user_config.h"
#include "ui/process/editor.h"
#include "ui/process/sandbox.h"
#include "ui/reopen.h"
#include "ui/snapshot/first_screen.h"
#include "ui/ui_state.h"

#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* Tasks for stores, which are opened on demand, and descriptors that the loop follows. */

static void say_waiting(void *context, const char *sentence)
{
    ui_info(context, STYLE_DIM, "%s", sentence);
}

static void landlock_thread(void *context, const struct store *store)
{
    sandbox_enter(context, store);
}

/* Opens the store if it is not open yet, and starts its thread. All have the sources that the first
 * one found. */
static bool ui_open_store(struct ui *ui, enum ui_store which, struct err *err)
{
    struct store_options options = ui->options->store;
    struct store *store;

    if (ui->stores[which])
        return true;
    options.tell = say_waiting;
    options.report_context = ui;
    options.patient = options.lasting = true;
    options.local_only = which == UI_DRAFTS;
    options.found =
        which == UI_WATCH ? landlock_thread : NULL; /* the first store, before any thread */
    if (which == UI_WATCH || which == UI_DRAFTS)
        store = store_open(&options, err);
    else
        store = store_copy(worker_store(ui->stores[UI_WATCH]), err);
    ui->stores[which] = worker_start(store, err);
    return ui->stores[which] != NULL;
}

static void run_task(struct store *store, void *context)
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
        ui_error(ui, &task->err);
        ui->unbegun++;
    } else {
        worker_begin(ui->stores[which], run_task, task);
    }
}

void ui_free_task(struct ui_task *task)
{
    if (task->free)
        task->free(task);
    else
        free(task);
}

/* Closes all stores. Waits for running tasks, and does not call their done(). */
static void ui_close_stores(struct ui *ui)
{
    for (size_t i = UI_STORES; i-- > 0;)
        worker_stop(ui->stores[i]);
    while (ui->tasks) {
        struct ui_task *task = ui->tasks;
        ui->tasks = task->next;
        ui_free_task(task);
    }
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

/* Status messages. */

void status_message_free(struct status_message *saying)
{
    str_free(&saying->said);
    str_free(&saying->failed);
}

void status_message_set(struct status_message *saying, enum style style, const char *text)
{
    str_set(&saying->said, span_of(text));
    saying->style = style;
}

void status_message_fail(struct status_message *saying, const char *text)
{
    str_clear(&saying->said); /* "sending ..." is over */
    str_set(&saying->failed, span_of(text));
    saying->shown = false;
}

void status_message_show(struct status_message *saying, int64_t now_us)
{
    if (!saying->shown)
        saying->shown_us = now_us;
    saying->shown = true;
}

void status_message_key(struct status_message *saying, int64_t now_us)
{
    str_clear(&saying->said);
    if (saying->shown && now_us - saying->shown_us >= STATUS_MESSAGE_MOMENT_US)
        str_clear(&saying->failed);
}

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

struct who_index *ui_agents(const struct ui *ui)
{
    return &ui->picture->who;
}

const struct config *ui_config(const struct ui *ui)
{
    return ui->options->config;
}

int64_t ui_now(const struct ui *ui)
{
    return ui->options->now_us == TIME_NONE ? time_now() : ui->options->now_us;
}

struct render_options ui_render_options(const struct ui *ui)
{
    return (struct render_options){.clean = ui->grid.clean, .now_us = ui_now(ui)};
}

const struct source *ui_source(const struct ui *ui, size_t index)
{
    return store_source(worker_store(ui->stores[UI_WATCH]), index);
}

size_t ui_source_count(const struct ui *ui)
{
    return store_source_count(worker_store(ui->stores[UI_WATCH]));
}

bool ui_is_readonly(const struct ui *ui)
{
    return ui->options->readonly;
}

void ui_touch(struct ui *ui)
{
    ui->touched = true;
}

void ui_info(struct ui *ui, enum style style, const char *format, ...)
{
    char text[2048];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    status_message_set(&ui->saying, style, text);
    ui_touch(ui);
}

void ui_failf(struct ui *ui, const char *format, ...)
{
    char text[2048];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    status_message_fail(&ui->saying, text);
    ui_touch(ui);
}

void ui_error(struct ui *ui, const struct err *err)
{
    ui_failf(ui, "%s", err->text);
}

int64_t ui_gone_us(const struct ui *ui, size_t source)
{
    return ui->gone && source < ui_source_count(ui) ? ui->gone[source].since_us : 0;
}

int ui_agent_style(const struct ui *ui, uint32_t source, struct span team, struct span name,
                   int otherwise)
{
    const struct agent_directory *world = ui->picture->world;

    if (!world || source >= world->source_count)
        return otherwise;
    int style = theme_agent(roster_color(&world->names[source], team, name));
    return style == STYLE_PLAIN ? otherwise : style;
}

bool ui_edit(struct ui *ui, struct str *text, struct err *err)
{
    const char *command = config_editor(ui_config(ui), NULL);

    return editor_run(&ui->terminal, &ui->spawner, command, text, err);
}

/* --- start and end --- */

static bool prepare_ui(struct ui *ui, struct err *err)
{
    struct config *config = ui->options->config;

    keymap_init(&ui->keymap);
    ui->keymap.readonly = ui->options->readonly;
    user_config_keys(&ui->keymap, config);
    user_config_theme(&ui->theme, config, (unsigned)terminal_colours());
    return config_sound(config, err);
}

static void close_all(struct ui *ui)
{
    indexer_stop(ui);
    ui_keep_first_screen(ui);
    ui_close_screens(ui);
    prompt_free(ui->prompt);
    undo_window_send_all(ui); /* after a signal: decisions must not be dropped */
    undo_window_free(ui);
    key_set_free(&ui->answered);
    drawn_requests_free(&ui->drawn_requests);
    reactions_free(ui);
    while (ui->followed_count) { /* nothing more is waited for: let each one finish */
        struct followed last = ui->followed[--ui->followed_count];
        last.ready(ui, last.context);
    }
    maker_end(ui->maker, ui->picture); /* before the stores: messages point to their sources */
    ui_close_stores(ui);
    undo_stack_free(&ui->journal);
    drafts_cache_free(&ui->desk);
    tags_free(&ui->tags.tags);
    snoozes_free(&ui->snoozes);
    hooks_close(ui);
    changes_feed_close(ui);
    outbox_worker_close(ui);
    indexer_close(ui);
    message_actions_free(&ui->pinned);
    keymap_free(&ui->keymap);
    grid_free(&ui->grid);
    edit_clip_free(&ui->clip);
    status_message_free(&ui->saying);
    str_free(&ui->sought);
    str_free(&ui->health);
    free(ui->gone);
    reopen_free(ui);
    history_free(&ui->history);
    key_state_free(&ui->keys);
}

int ui_run(const struct ui_options *options, struct err *err)
{
    struct ui_options mine = *options;
    struct ui ui = {.options = &mine, .terminal.wake = {-1, -1}};
    bool ok;

    mine.plain |= !terminal_is_able();

    changes_feed_open(&ui);
    outbox_worker_open(&ui);
    indexer_open(&ui);
    hooks_open(&ui);
    ui.grid.clean = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? 0 : SANITIZE_ASCII;
    reopen_init(&ui);
    sandbox_prepare(&ui);
    ok = prepare_ui(&ui, err) && ui_open_store(&ui, UI_WATCH, err) &&
         (ui.maker = maker_start(mine.now_us, &ui.picture, err)) &&
         (mine.plain || terminal_start(&ui.terminal, &ui.theme, err));
    if (ok) {
        if (!reopen_resume(&ui))
            ui_view(&ui, (enum view_number)options->config->view);
        if (options->config->mouse && !mine.plain)
            terminal_set_mouse(&ui.terminal, true);
        if (options->note)
            ui_info(&ui, STYLE_PLAIN, "%s", options->note);
        if (mine.plain)
            plain_run(&ui);
        else
            loop_run(&ui);
    }
    terminal_stop(&ui.terminal);
    close_all(&ui);
    if (ui.reopen.going && !ui.ended_by)
        reopen_run(&ui);
    str_free(&ui.reopen.path);
    spawn_helper_end(&ui.spawner);
    landlock_free(&ui.confine);
    if (ui.parting.len)
        fputs(str_c(&ui.parting), stderr);
    str_free(&ui.parting);
    if (ui.ended_by) { /* all is saved: our parent sees which signal it was */
        signal(ui.ended_by, SIG_DFL);
        raise(ui.ended_by);
    }
    return ok ? 0 : -1;
}
