/* Preparations of the process, and opening the log, the store and the screens. */
#include "cmd/startup.h"

#include "base/file/signal_cleanup.h"
#include "base/mem.h"
#include "cmd/read/sources.h"
#include "store/source/our_paths.h"
#include "ui/ui.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Standard streams and allocation failures. */

void startup_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
            continue;
        /* Open it in the wrong direction, so that using it fails as if it were closed. All lower
         * descriptors are open, so open() returns this number. */
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            signal_cleanup_exit(EXIT_FAILED,
                                "swarmutt: a standard stream is closed, and /dev/null cannot "
                                "be opened in its place\n");
    }
}

/* The failure handler gets no argument. */
static const struct app *guarded;

static void out_of_memory(void)
{
    /* It is unknown how far the command had come. */
    if (guarded->changes)
        signal_cleanup_exit(EXIT_UNCONFIRMED,
                            "swarmutt: out of memory; nothing acknowledged is lost, but "
                            "see what was done before trying again\n");
    signal_cleanup_exit(EXIT_FAILED, "swarmutt: out of memory; nothing acknowledged is lost\n");
}

void startup_memory(const struct app *app)
{
    guarded = app;
    mem_on_failure(out_of_memory);
}

bool startup_log(struct app *app, struct err *err)
{
    CLEANUP(str_free) struct str path = {0};
    bool ok = home_state(&path, true, err);

    str_puts(&path, "/debug.log");
    if (ok)
        app->log = log_open(str_c(&path), err);
    return app->log != NULL;
}

/* Returns the values of --source. The caller frees the array. */
static const char **source_specs(const struct app *app, size_t *count)
{
    CLEANUP(span_list_free) struct span_list sources = {0};

    app_values(app, "source", &sources);
    const char **specs = mem_zero(sources.count + 1, sizeof *specs);
    for (size_t i = 0; i < sources.count; i++)
        specs[i] = sources.items[i].at;
    *count = sources.count;
    return specs;
}

/* Returns the store options that the command line gives. */
static struct store_options store_options_of(struct app *app, const char *const *specs,
                                             size_t count)
{
    return (struct store_options){.sources = specs,
                                  .source_count = count,
                                  .config = &app->config,
                                  .identity = app_value(app, "as"),
                                  .swarms = app_value(app, "swarms"),
                                  .sourceless = app->command && app->command->sourceless,
                                  .readonly = app_has(app, "readonly"),
                                  .log = app->log,
                                  .tell = app_tell,
                                  .tell_context = app};
}

bool startup_store(struct app *app, struct err *err)
{
    size_t count;
    CLEANUP(mem_free) const char **specs = source_specs(app, &count);
    struct store_options options = store_options_of(app, specs, count);

    app->store = store_open(&options, err);
    return app->store != NULL;
}

void startup_doubt(const struct app *app)
{
    CLEANUP(str_free) struct str doubt = {0};

    if (app_has(app, "as"))
        identity_check_add_doubt(&doubt, app->store, app_text(app, "as"));
    if (doubt.len)
        app_note(app, "%s", str_c(&doubt));
}

/* Appends the remark of startup_doubt() for the screens, which open their own stores. */
static void add_doubt(struct str *out, const struct app *app, const struct store_options *options)
{
    struct store_options style = *options;
    struct err ignored;

    style.readonly = style.bystander = style.sourceless = true;
    style.tell = NULL;
    struct store *store = app_has(app, "as") ? store_open(&style, &ignored) : NULL;
    if (store)
        identity_check_add_doubt(out, store, app_text(app, "as"));
    store_close(store);
}

/* Returns the subcommands that the command line of the screens offers. The caller frees the
 * array. */
static struct ui_command *commands_for_screens(void)
{
    size_t count = 0;

    while (commands[count])
        count++;
    struct ui_command *all = mem_zero(count + 1, sizeof *all);
    struct ui_command *next = all;
    for (size_t i = 0; i < count; i++)
        if (!commands[i]->hidden)
            *next++ = (struct ui_command){commands[i]->name, commands[i]->summary, commands[i]->one,
                                          commands[i]->writes};
    return all;
}

int startup_screens(struct app *app, const char *const *self, const struct startup_note *note)
{
    struct err err = {0};
    size_t count;

    if (app_has(app, "debug") && !startup_log(app, &err))
        return app_fail(app, &err);
    if (!config_load(&app->config, &err))
        return app_fail(app, &err);
    CLEANUP(mem_free) const char **specs = source_specs(app, &count);
    CLEANUP(mem_free) struct ui_command *offered = commands_for_screens();
    struct store_options how = store_options_of(app, specs, count);
    CLEANUP(str_free) struct str doubt = {0};
    add_doubt(&doubt, app, &how);
    struct ui_options options = {.store = how,
                                 .config = &app->config,
                                 .log = app->log,
                                 .now_us = app->now_us,
                                 .readonly = app_has(app, "readonly"),
                                 .plain = app_has(app, "plain"),
                                 .commands = offered,
                                 .note = note        ? note->said
                                         : doubt.len ? doubt.at
                                                     : NULL,
                                 .label = note ? note->label : NULL,
                                 .self = self};
    return ui_run(&options, &err) == 0 ? EXIT_DONE : app_fail(app, &err);
}
