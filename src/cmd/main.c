/* The program: parses the command line, opens the store, runs one subcommand. */
#include "base/file/signal_cleanup.h"
#include "base/mem.h"
#include "base/text/sanitize.h"
#include "base/text/suggest.h"
#include "base/text/utf8.h"
#include "cmd/app.h"
#include "cmd/help.h"
#include "cmd/startup.h"
#include "cmd/unreadable.h"
#include "cmd/words.h"
#include "store/config/config.h"

#include <cjson/cJSON.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { OPTION_BASE = 1000, OPTIONS_MAX = 64 };

const struct option_spec global_options[] = {
    {.name = "source",
     .letter = 'S',
     .value = "[FORMAT:]PATH",
     .takes = {.kinds = WORD_SOURCE},
     .path = true,
     .help = "a mailbox tree; may be given several times"},
    {.name = "as", .value = "NAME", .takes = {.kinds = WORD_AGENT}, .help = "who I am"},
    {.name = "swarms",
     .value = "DIR",
     .takes = {.kinds = WORD_DIRECTORY},
     .path = true,
     .help = "(adr) where the swarms and their agents are described"},
    {.name = "json", .help = "one JSON object a line"},
    {.name = "readonly", .help = "refuse everything that would write"},
    {.name = "plain", .help = "no screens: lines are printed and read"},
    {.name = "debug", .help = "keep a diagnostic log in the state directory"},
    {.name = "help", .letter = 'h', .help = "explain the program or a command"},
    {.name = "version", .letter = 'V', .help = "print the version"},
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
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = mem_alloc, .free_fn = free});
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        app.clean = isatty(STDOUT_FILENO) ? SANITIZE_ASCII : 0;
        app.sanitize_error = isatty(STDERR_FILENO) ? SANITIZE_ASCII : 0;
    }
    int code = run_arguments(&app, argc, argv);
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
