/* Help: printed from the tables that the command line is read with. */
#include "cmd/help.h"

#include <stdio.h>

static void put_options(const struct option_spec *options)
{
    for (; options && options->name; options++) {
        char left[64];
        int len = snprintf(left, sizeof left, "--%s%s%s", options->name, options->value ? " " : "",
                           options->value ? options->value : "");
        if (options->letter)
            printf("  -%c, %-28s %s\n", options->letter, left, options->help);
        else
            printf("      %-28s%s%s\n", left,
                   len > 28 ? "\n                                   " : " ", options->help);
    }
}

int help_program(void)
{
    puts("swarmutt - a mailbox client for people who lead swarms of AI agents\n"
         "\n"
         "usage: swarmutt [OPTION]... COMMAND ...\n"
         "\n"
         "commands:");
    for (size_t i = 0; commands[i]; i++)
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    puts("\noptions, before or after the command:");
    put_options(global_options);
    puts("\nswarmutt COMMAND --help explains one command; swarmutt(1) explains everything.");
    return EXIT_DONE;
}

int help_command(const struct command *command)
{
    printf("usage: swarmutt %s%s%s%s\n\n%s\n", command->name, command->operands ? " " : "",
           command->operands ? command->operands : "", command->options ? " [OPTION]..." : "",
           command->summary);
    if (command->options) {
        puts("\noptions:");
        put_options(command->options);
    }
    puts("\nglobal options:");
    put_options(global_options);
    return EXIT_DONE;
}

static int run_help(struct app *app)
{
    if (!app->operand_count)
        return help_program();
    const struct command *command = command_find(app->operands[0]);
    return command ? help_command(command)
                   : app_misused(app, "no command \"%s\"", app->operands[0]);
}

const struct command command_help = {.name = "help",
                                     .operands = "[COMMAND]",
                                     .summary = "explain the program or a command",
                                     .most = 1,
                                     .storeless = true,
                                     .run = run_help};
