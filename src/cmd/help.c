/* Help: printed from the tables that the command line is read with. */
#include "cmd/help.h"

#include "mail/query.h"
#include "ui/keymap.h"

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
         "usage: swarmutt [OPTION]...              opens the screens\n"
         "       swarmutt [OPTION]... COMMAND ...\n"
         "\n"
         "commands:");
    for (size_t i = 0; commands[i]; i++)
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    puts("\noptions, before or after the command:");
    put_options(global_options);
    puts("\nswarmutt COMMAND --help explains one command, swarmutt help query the language of\n"
         "queries, swarmutt help keys the keys; swarmutt(1) explains everything.");
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

static void put_words(const struct query_field *field)
{
    enum { INDENT = 6, WIDTH = 78 };
    int column = 0;

    for (unsigned i = 0; field->word && field->word(i); i++) {
        const char *word = field->word(i), *comma = field->word(i + 1) ? "," : "";
        if (field->word_help) {
            printf("%*s%-15s %s\n", INDENT, "", word, field->word_help(i));
            continue;
        }
        if (column && column + 2 + (int)strlen(word) > WIDTH) {
            putchar('\n');
            column = 0;
        }
        column += printf("%*s%s%s", column ? 1 : INDENT, "", word, comma);
    }
    if (column)
        putchar('\n');
}

/* The language of queries, from the table that they are read with. */
static int help_query(void)
{
    puts("A query chooses messages. It is made of terms, with blanks between them:\n");
    printf("  %-19s %s\n", query_text.value, query_text.help);
    for (const struct query_field *field = query_fields; field->name; field++) {
        char left[64];
        snprintf(left, sizeof left, "%s:%s", field->name, field->value);
        printf("  %-19s %s\n", left, field->help);
        put_words(field);
    }
    puts("\n"
         "Terms side by side must all hold; \"or\", \"not\" (or a dash right before a term) and\n"
         "parentheses do what they say. Several values, with commas between them, are\n"
         "alternatives: kind:plan,permission. Text with blanks in it goes in double quotes;\n"
         "outside of quotes a * stands for any text. Case never matters.\n"
         "\n"
         "On a command line the shell takes quotes, parentheses and stars for itself: put\n"
         "single quotes around the query, and -- before one that starts with a dash.\n"
         "\n"
         "  swarmutt messages 'from:tester-* (is:waiting or prio:high+) not \"disk full\"'");
    return EXIT_DONE;
}

/* The usual keys, from the table that they are read with. */
static int help_keys(const struct app *app)
{
    struct keymap keymap;
    struct arena arena = {0};
    struct str out = {0};

    keymap_init(&keymap);
    struct keymap_rows rows = keymap_help(&keymap, 0, &arena);
    keymap_add_help(&out, &rows, app->clean);
    str_puts(&out,
             "\n"
             "These are the usual keys. ^D is Ctrl with d, gg is g pressed twice. What stands\n"
             "behind the colon is the name of the action on the command line of the screens.\n");
    app_put(&out);
    str_free(&out);
    arena_free(&arena);
    keymap_free(&keymap);
    return EXIT_DONE;
}

static int run_help(struct app *app)
{
    if (!app->operand_count)
        return help_program();
    if (strcmp(app->operands[0], "query") == 0)
        return help_query();
    if (strcmp(app->operands[0], "keys") == 0)
        return help_keys(app);
    const struct command *command = command_find(app->operands[0]);
    return command ? help_command(command)
                   : app_misused(app, "no command \"%s\"", app->operands[0]);
}

const struct command command_help = {.name = "help",
                                     .operands = "[COMMAND | keys | query]",
                                     .summary = "explain the program, a command, keys or queries",
                                     .most = 1,
                                     .storeless = true,
                                     .run = run_help};
