/* The commands help and version. */
#include "cmd/help.h"

#include "base/text/suggest.h"
#include "base/version.h"
#include "cmd/app.h"
#include "cmd/embedded.h"
#include "cmd/pager.h"
#include "cmd/words.h"
#include "mail/query/query.h"
#include "ui/keys/keymap.h"

#include <langinfo.h>
#include <stdio.h>

/* Help, made from the tables of commands and options, and from the manual pages. */

static void add_options(struct str *out, const struct option_spec *options)
{
    for (; options && options->name; options++) {
        char left[64];
        int len = snprintf(left, sizeof left, "--%s%s%s", options->name, options->value ? " " : "",
                           options->value ? options->value : "");
        if (options->letter)
            str_addf(out, "  -%c, %-28s %s\n", options->letter, left, options->help);
        else
            str_addf(out, "      %-28s%s%s\n", left,
                     len > 28 ? "\n                                   " : " ", options->help);
    }
}

static void add_commands(struct str *out)
{
    str_puts(out, "commands:\n");
    for (size_t i = 0; commands[i]; i++)
        if (!commands[i]->hidden)
            str_addf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
}

static void add_command(struct str *out, const struct command *command)
{
    str_addf(out, "usage: swarmutt %s%s%s%s\n\n%s\n", command->name, command->operands ? " " : "",
             command->operands ? command->operands : "", command->options ? " [OPTION]..." : "",
             command->summary);
    if (command->options) {
        str_puts(out, "\noptions:\n");
        add_options(out, command->options);
    }
    str_puts(out, "\nglobal options:\n");
    add_options(out, global_options);
}

static void add_words(struct str *out, const struct query_field *field)
{
    enum { INDENT = 6, WIDTH = 78 };
    size_t start = out->len;

    for (unsigned i = 0; field->word && field->word(i); i++) {
        const char *word = field->word(i), *comma = field->word(i + 1) ? "," : "";
        if (field->word_help) {
            str_addf(out, "%*s%-15s %s\n", INDENT, "", word, field->word_help(i));
            start = out->len;
            continue;
        }
        if (out->len > start && out->len - start + 2 + strlen(word) > WIDTH) {
            str_putc(out, '\n');
            start = out->len;
        }
        str_addf(out, "%*s%s%s", out->len > start ? 1 : INDENT, "", word, comma);
    }
    if (out->len > start)
        str_putc(out, '\n');
}

/* Appends the query language, from the table of query fields. */
static void add_query(struct str *out, const struct app *app)
{
    (void)app;
    str_puts(out, "A query chooses messages. It is made of terms, with blanks between them:\n\n");
    str_addf(out, "  %-19s %s\n", query_text.value, query_text.help);
    for (const struct query_field *field = query_fields; field->name; field++) {
        char left[64];
        snprintf(left, sizeof left, "%s:%s", field->name, field->value);
        str_addf(out, "  %-19s %s\n", left, field->help);
        add_words(out, field);
    }
    str_puts(
        out,
        "\n"
        "Terms side by side must all hold; \"or\", \"not\" (or a dash right before a term) and\n"
        "parentheses do what they say. Several values, with commas between them, are\n"
        "alternatives: kind:plan,permission. Text with blanks in it goes in double quotes;\n"
        "outside of quotes a * stands for any text. Case never matters.\n"
        "\n"
        "On a command line the shell takes quotes, parentheses and stars for itself: put\n"
        "single quotes around the query, and -- before one that starts with a dash.\n"
        "\n"
        "  swarmutt messages 'from:tester-* (is:waiting or prio:high+) not \"disk full\"'\n");
}

/* Appends the default keys, from the key map. */
static void add_keys(struct str *out, const struct app *app)
{
    struct keymap keymap;
    CLEANUP(arena_free) struct arena arena = {0};

    keymap_init(&keymap);
    struct keymap_rows rows = keymap_help(&keymap, 0, &arena);
    keymap_add_help(out, &rows, app->clean);
    str_puts(out,
             "\n"
             "These are the usual keys. ^D is Ctrl with d, gg is g pressed twice. What stands\n"
             "behind the colon is the name of the action on the command line of the screens.\n");
    keymap_free(&keymap);
}

static void add_topics(struct str *out, const struct app *app);

/* Help topics besides commands. The page follows the text that `add` appends. */
static const struct {
    const char *name, *summary;
    const char *page; /* the manual page, or NULL */
    void (*add)(struct str *out, const struct app *app);
} topics[] = {
    {"keys", "the keys of the screens", NULL, add_keys},
    {"query", "the language in which messages are asked for", "swarmutt-query", add_query},
    {"config", "what can be set", "swarmutt-config", NULL},
    {"formats", "the layouts of mailboxes, one by one", "swarmutt-formats", NULL},
    {"layouts", "the same", "swarmutt-formats", NULL},
    {"json", "what is printed for other programs", "swarmutt-json", NULL},
    {"manual", "everything about commands and screens", "swarmutt", NULL},
    {"topics", "this list", NULL, add_topics},
};

enum { TOPICS = sizeof topics / sizeof *topics };

const char *help_topic(size_t number)
{
    return number < TOPICS ? topics[number].name : NULL;
}

static void add_topic_names(struct str *out)
{
    str_puts(out, "topics of swarmutt help, besides commands:\n");
    for (size_t i = 0; i < TOPICS; i++)
        str_addf(out, "  %-10s %s\n", topics[i].name, topics[i].summary);
}

static void add_topics(struct str *out, const struct app *app)
{
    (void)app;
    add_commands(out);
    str_putc(out, '\n');
    add_topic_names(out);
}

int help_program(const struct app *app)
{
    CLEANUP(str_free) struct str out = {0};

    str_puts(&out, "swarmutt - a mailbox client for people who lead swarms of AI agents\n"
                   "\n"
                   "usage: swarmutt [OPTION]...              opens the screens\n"
                   "       swarmutt [OPTION]... COMMAND ...\n"
                   "\n");
    add_commands(&out);
    str_puts(&out, "\noptions, before or after the command:\n");
    add_options(&out, global_options);
    str_putc(&out, '\n');
    add_topic_names(&out);
    str_puts(&out,
             "\nswarmutt COMMAND --help explains one command, swarmutt help TOPIC a topic.\n");
    pager_put(app, &out);
    return EXIT_DONE;
}

int help_command(const struct app *app, const struct command *command)
{
    CLEANUP(str_free) struct str out = {0};

    add_command(&out, command);
    pager_put(app, &out);
    return EXIT_DONE;
}

static void add_page(struct str *out, const char *name)
{
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;

    for (const struct embedded *page = utf8 ? manual_pages_utf8 : manual_pages_ascii; page->name;
         page++)
        if (strcmp(page->name, name) == 0)
            str_puts(out, page->text);
}

/* Appends all help about a name: command, topic, page. Appends nothing if the name is unknown. */
static void add_topic(struct str *out, const struct app *app, const char *name)
{
    const struct command *command = command_find(name);

    if (command)
        add_command(out, command);
    for (size_t i = 0; i < TOPICS; i++) {
        if (strcmp(topics[i].name, name) != 0)
            continue;
        if (topics[i].add)
            topics[i].add(out, app);
        if (topics[i].page)
            add_page(out, topics[i].page);
    }
    if (!out->len)
        add_page(out, name);
}

static int unknown_topic(const struct app *app, const char *name)
{
    CLEANUP(span_list_free) struct span_list names = {0};
    CLEANUP(str_free) struct str near = {0};

    for (size_t i = 0; i < TOPICS; i++)
        span_list_add(&names, span_of(topics[i].name));
    for (unsigned i = 0; words_command(i); i++)
        span_list_add(&names, span_of(words_command(i)));
    suggest_hint(&near, span_of(name), names.items, names.count);
    app_note(app, "no command and no topic \"%s\"%s; swarmutt help topics lists them", name,
             str_c(&near));
    return EXIT_USAGE;
}

static int run_help(struct app *app)
{
    CLEANUP(str_free) struct str out = {0};
    if (!app->operand_count)
        return help_program(app);
    add_topic(&out, app, app->operands[0]);
    if (!out.len)
        return unknown_topic(app, app->operands[0]);
    pager_put(app, &out);
    return EXIT_DONE;
}

const struct command command_help = {.name = "help",
                                     .operands = "[COMMAND | TOPIC]",
                                     .takes = {{.kinds = WORD_TOPIC}},
                                     .summary = "explain the program, a command, keys, queries ...",
                                     .most = 1,
                                     .storeless = true,
                                     .run = run_help};

static int run_version(struct app *app)
{
    CLEANUP(str_free) struct str line = {0};

    str_addf(&line, "swarmutt %s\n", version_text);
    app_put(app, &line);
    return EXIT_DONE;
}

const struct command command_version = {
    .name = "version", .summary = "print the version", .storeless = true, .run = run_version};
