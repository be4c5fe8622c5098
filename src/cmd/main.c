/* The program: parses the command line, opens the store, runs one subcommand. */
#include "cmd/main.h"

#include "base/file/signal_cleanup.h"
#include "base/mem.h"
#include "base/text/sanitize.h"
#include "base/text/suggest.h"
#include "base/text/utf8.h"
#include "cmd/app.h"
#include "cmd/help.h"
#include "cmd/mail_filter.h"
#include "cmd/read/sources.h"
#include "cmd/words.h"
#include "store/config/config.h"
#include "store/source/our_paths.h"
#include "ui/ui.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Preparations of the process, and opening the log, the store and the screens. */

/* Standard streams and allocation failures. */

static void startup_streams(void)
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

/* Makes an allocation failure end the process with a sentence. `app` says whether something may
 * have changed by then; it must stay valid until the process ends. */
static void startup_memory(const struct app *app)
{
    guarded = app;
    mem_on_failure(out_of_memory);
}

/* Opens app->log in the state directory. */
static bool startup_log(struct app *app, struct err *err)
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
                                  .report_context = app};
}

bool startup_store(struct app *app, struct err *err)
{
    size_t count;
    CLEANUP(mem_free) const char **specs = source_specs(app, &count);
    struct store_options options = store_options_of(app, specs, count);

    app->store = store_open(&options, err);
    return app->store != NULL;
}

/* Prints a remark if the name in --as is unknown and similar to a known one. */
static void startup_doubt(const struct app *app)
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
    struct store_options checking = *options;
    struct err ignored;

    checking.readonly = checking.bystander = checking.sourceless = true;
    checking.tell = NULL;
    struct store *store = app_has(app, "as") ? store_open(&checking, &ignored) : NULL;
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

enum { OPTION_BASE = 1000, OPTIONS_MAX = 64 };

const struct option_spec global_options[] = {
    {"source", "[FORMAT:]PATH", .letter = 'S', .kinds = WORD_SOURCE, .path = true,
     .help = "a mailbox tree; may be given several times"},
    {"as", "NAME", .kinds = WORD_AGENT, .help = "who I am"},
    {"swarms", "DIR", .kinds = WORD_DIRECTORY, .path = true,
     .help = "(adr) where the swarms and their agents are described"},
    {"json", .help = "one JSON object a line"},
    {"readonly", .help = "refuse everything that would write"},
    {"plain", .help = "no screens: lines are printed and read"},
    {"debug", .help = "keep a diagnostic log in the state directory"},
    {"help", .letter = 'h', .help = "explain the program or a command"},
    {"version", .letter = 'V', .help = "print the version"},
    {0},
};

/* The options of a command and the global options, in the form that getopt_long() takes. */
struct option_table {
    const struct option_spec *specs[OPTIONS_MAX];
    struct option longs[OPTIONS_MAX];
    char letters[2 * OPTIONS_MAX + 3];
    int count;
};

static void add_options(struct option_table *table, const struct option_spec *specs)
{
    for (; specs && specs->name; specs++) {
        char letter[] = {specs->letter, specs->value ? ':' : '\0', '\0'};
        table->longs[table->count] =
            (struct option){specs->name, specs->value ? required_argument : no_argument, NULL,
                            OPTION_BASE + table->count};
        table->specs[table->count++] = specs;
        if (specs->letter)
            strcat(table->letters, letter);
    }
}

static const struct option_spec *spec_of(const struct option_table *table, int code)
{
    if (code >= OPTION_BASE)
        return table->specs[code - OPTION_BASE];
    for (int i = 0; i < table->count; i++)
        if (table->specs[i]->letter == code)
            return table->specs[i];
    return NULL;
}

/* Reports a wrong option. getopt_long() reports a short option by its letter, a long one only by
 * its position. */
static bool say_option(const struct app *app, bool valueless, const char *word)
{
    char letter[] = {'-', (char)optopt, '\0'};
    const char *option = optopt > 0 && optopt < OPTION_BASE ? letter : word;

    app_misused(app, valueless ? "the option %s needs a value" : "no option %s here", option);
    return false;
}

/* Parses the options after argv[0]. Stops at the first operand while the command is unknown. */
static bool read_options(struct app *app, int argc, char **argv)
{
    struct option_table table = {.letters = ":"};
    int code;

    optind = 0; /* resets getopt_long() after an earlier command line */

    if (!app->command)
        memcpy(table.letters, "+:", 3);
    add_options(&table, global_options);
    if (app->command)
        add_options(&table, app->command->options);
    opterr = 0;
    while ((code = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1) {
        if (code == ':' || code == '?')
            return say_option(app, code == ':', argv[optind - 1]);
        const struct option_spec *spec = spec_of(&table, code);
        if (spec->value && !spec->path && !utf8_valid(span_of(optarg))) {
            app_misused(app, "the value of --%s is not UTF-8", spec->name);
            return false;
        }
        *mem_push(app->given, app->given_count, app->given_cap) =
            (struct given){spec->name, optarg};
    }
    return true;
}

static int unknown_command(struct app *app, const char *name)
{
    CLEANUP(str_free) struct str near = {0};

    suggest_hint_words(&near, span_of(name), words_command);
    return app_misused(app, "no command \"%s\"%s", name, str_c(&near));
}

static int run_command(struct app *app, int argc, char **argv)
{
    const struct command *command = app->command;
    struct err err = {0};

    if (!read_options(app, argc, argv))
        return EXIT_USAGE;
    if (app_has(app, "help"))
        return help_command(app, command);
    app->operands = argv + optind;
    app->operand_count = argc - optind;
    if (app->operand_count < command->least)
        return app_misused(app, "%s needs %s", command->name, command->operands);
    if (command->most >= 0 && app->operand_count > command->most)
        return app_misused(app, "%s does not take \"%s\"", command->name,
                           app->operands[command->most]);
    if (command->writes && app_has(app, "readonly") && !app_has(app, "dry-run")) {
        err_set(&err, ERR_REFUSED, "%s would write, and --readonly was given", command->name);
        return app_fail(app, &err);
    }
    if (app_has(app, "debug") && !startup_log(app, &err))
        return app_fail(app, &err);
    log_add(app->log, "start: %s", command->name);
    if (!command->storeless && !config_load(&app->config, &err) && !command->undaunted)
        return app_fail(app, &err);
    if (!command->storeless && !startup_store(app, &err))
        return unreadable_finish(app, app_fail(app, &err));
    if (!command->storeless)
        startup_doubt(app);
    app->changes = command->writes;
    return unreadable_finish(app, command->run(app));
}

static bool read_now(struct app *app)
{
    const char *text = getenv("SWARMUTT_NOW");
    enum time_zone zone;

    if (!text || !*text)
        return true;
    app->now_us = time_parse(span_of(text), &zone);
    if (app->now_us != TIME_NONE)
        return true;
    app_misused(app, "SWARMUTT_NOW is \"%s\", which is no time such as 2026-01-31T12:00:00Z", text);
    return false;
}

static int run_arguments(struct app *app, int argc, char **argv)
{
    if (!read_now(app))
        return EXIT_USAGE;
    if (!read_options(app, argc, argv))
        return EXIT_USAGE;
    if (app_has(app, "version"))
        return command_find("version")->run(app);
    if (app_has(app, "help"))
        return help_program(app);
    if (optind >= argc)
        return app_has(app, "plain") || (app->to_terminal && isatty(STDIN_FILENO))
                   ? startup_screens(app, (const char *const *)argv, NULL)
                   : help_program(app);
    app->command = command_find(argv[optind]);
    if (!app->command)
        return unknown_command(app, argv[optind]);
    return run_command(app, argc - optind, argv + optind);
}

int main(int argc, char **argv)
{
    struct app app = {.to_terminal = isatty(STDOUT_FILENO), .now_us = TIME_NONE};

    startup_streams();
    startup_memory(&app);
    /* otherwise memory that was needed only for loading stays with a process that runs for hours */
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    signal_cleanup_install();
    signal(SIGXFSZ, SIG_IGN); /* a write beyond a limit fails, and the command says so */
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = mem_alloc, .free_fn = free});
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        app.clean = isatty(STDOUT_FILENO) ? SANITIZE_ASCII : 0;
        app.sanitize_error = isatty(STDERR_FILENO) ? SANITIZE_ASCII : 0;
    }
    int code = run_arguments(&app, argc, argv);
    fflush(stdout); /* before what loads left for later; what fails here is seen below */
    store_close(app.store);
    config_free(&app.config);
    log_add(app.log, "end: exit %d", code);
    log_close(app.log);
    free(app.given);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("swarmutt: standard output cannot be written\n", stderr);
        if (!code)
            code = app.changes ? EXIT_UNCONFIRMED : EXIT_FAILED;
    }
    return code;
}
