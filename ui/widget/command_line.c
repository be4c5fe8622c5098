/* The command line: actions and commands by name, with completion. */
#include "ui/widget/command_line.h"

#include "base/mem.h"
#include "base/text/suggest.h"
#include "ui/message_actions.h"
#include "ui/process/command_output.h"
#include "ui/process/spawn_helper.h"
#include "ui/snapshot/agent_names.h"
#include "ui/ui_state.h"
#include "ui/widget/prompt.h"

/* Splits the line into its first word and the rest. */
static struct span split_word(struct span line, struct span *rest)
{
    struct span word = span_trim(line);

    *rest = (struct span){0};
    for (size_t i = 0; i < word.len; i++) {
        if (word.at[i] != ' ')
            continue;
        *rest = span_trim((struct span){word.at + i, word.len - i});
        word.len = i;
    }
    return word;
}

static const struct ui_command *find_command(const struct ui *ui, struct span name)
{
    const struct ui_command *command = ui->options->commands;

    for (; command && command->name; command++)
        if (span_is(name, command->name))
            return command;
    return NULL;
}

/* Splits a line into words like a shell, but only quotes and backslashes are special. */
static char **words_of(struct span line)
{
    char **words = NULL;
    size_t count = 0, cap = 0;
    CLEANUP(str_free) struct str word = {0};
    bool inside = false;
    char quote = 0;

    for (size_t i = 0; i <= line.len; i++) {
        char c = i < line.len ? line.at[i] : ' ';
        if (i < line.len && c == '\\' && quote != '\'' && i + 1 < line.len) {
            str_putc(&word, line.at[++i]);
            inside = true;
        } else if (quote && c == quote && i < line.len) {
            quote = 0;
        } else if (!quote && (c == '"' || c == '\'')) {
            quote = c;
            inside = true;
        } else if (i < line.len && (quote || c != ' ')) {
            str_putc(&word, c);
            inside = true;
        } else if (inside) {
            words = mem_grow(words, &cap, count + 2, sizeof *words);
            words[count++] = mem_strdup(str_c(&word));
            words[count] = NULL;
            str_clear(&word);
            inside = false;
        }
    }
    return words;
}

static void run_command(struct ui *ui, const struct ui_command *command, struct span line)
{
    char **words = words_of(line);

    if (command->writes && ui->options->readonly)
        ui_info(ui, STYLE_WARNING, "%s would write, and --readonly was given", command->name);
    else if (words)
        command_output_open(ui, command, (const char *const *)words);
    spawn_free_words(words);
}

static bool say_unknown(struct ui *ui, struct span name)
{
    CLEANUP(span_list_free) struct span_list names = {0};
    CLEANUP(str_free) struct str near = {0};

    for (int i = 1; i < ACTION_COUNT; i++)
        span_list_add(&names, span_of(actions[i].name));
    for (const struct ui_command *one = ui->options->commands; one && one->name; one++)
        span_list_add(&names, span_of(one->name));
    suggest_hint(&near, name, names.items, names.count);
    ui_info(ui, STYLE_ERROR, "no action or command is called \"%.*s\"%s", (int)name.len, name.at,
            str_c(&near));
    return false;
}

bool command_line_knows(const struct ui *ui, struct span line)
{
    struct span rest, word = split_word(line, &rest);

    return action_find(word) != ACTION_NONE || find_command(ui, word) != NULL;
}

/* Runs a line. An action has precedence over a command of the same name, unless it takes no
 * argument and there is one: archive is for the selection, archive ID for the message with that
 * id. */
bool command_line_run(struct ui *ui, struct span line)
{
    struct span rest, word;
    bool outside = span_trim(line).len && span_trim(line).at[0] == '!';

    line = span_trim(line);
    if (outside)
        line = span_trim((struct span){line.at + 1, line.len - 1});
    word = split_word(line, &rest);
    enum action action = outside ? ACTION_NONE : action_find(word);
    const struct ui_command *command = find_command(ui, word);
    if (action != ACTION_NONE && !(command && rest.len && !actions[action].argument)) {
        if (rest.len && !actions[action].argument) {
            ui_info(ui, STYLE_ERROR, "%s takes nothing behind it", actions[action].name);
            return false;
        }
        input_act(ui, action, rest);
    } else if (command) {
        run_command(ui, command, line);
    } else {
        return say_unknown(ui, word);
    }
    return true;
}

/* Refuses actions that need two keys: a line may come from the history or a paste, so Enter must
 * not decide anything. */
static bool needs_keys(struct ui *ui, struct span text)
{
    struct span rest;
    enum action action = action_find(split_word(span_trim(text), &rest));

    if (action == ACTION_NONE || !actions[action].two_keys)
        return false;
    ui_info(ui, STYLE_WARNING, "%s is decided by its keys alone; ? shows them",
            actions[action].name);
    return true;
}

/* Runs the line for the targets that were selected when it was opened. */
static bool accept_line(struct ui *ui, void *context, struct span text)
{
    struct targets *begun = context;

    if (!span_trim(text).len)
        return true;
    if (needs_keys(ui, text))
        return false;
    input_unpin(ui);
    ui->pinned = *begun;
    *begun = (struct targets){0};
    bool done = command_line_run(ui, text);
    *begun = ui->pinned;
    ui->pinned = (struct targets){0};
    return done;
}

static void add_names(struct ui *ui, struct completion *completion)
{
    unsigned where = ui_top(ui)->where;

    for (int i = 1; i < ACTION_COUNT; i++)
        if (actions[i].group != GROUP_EDIT)
            complete_add(completion, span_of(actions[i].name), span_of(actions[i].help),
                         actions[i].where & where ? 0 : 2);
    for (const struct ui_command *one = ui->options->commands; one && one->name; one++)
        complete_add(completion, span_of(one->name), span_of(one->summary), 1);
}

/* Adds the literal words of an argument: lower case, between bars. */
static void add_words(const char *argument, struct completion *completion)
{
    for (const char *at = argument; *at; at += strspn(at, "[]| ")) {
        struct span one = {at, strcspn(at, "[]| ")};
        if (one.len && one.at[0] >= 'a' && one.at[0] <= 'z')
            complete_add(completion, one, (struct span){0}, 0);
        at += one.len;
    }
}

/* Adds possible arguments of an action, according to its row in the table. */
static void add_arguments(struct ui *ui, const char *argument, struct completion *completion)
{
    if (strstr(argument, "STATUS"))
        for (enum status status = STATUS_UNREAD; status < STATUS_ARCHIVED; status++)
            complete_add(completion, span_of(status_name(status)), (struct span){0}, (int)status);
    else if (strstr(argument, "AGENT") || strstr(argument, "TEAM"))
        agent_names_add_agents(ui, NULL, NULL, completion);
    else
        add_words(argument, completion);
}

static void complete_line(struct ui *ui, void *context, struct span before, size_t *from,
                          struct completion *completion)
{
    struct span rest, word = split_word(before, &rest);
    size_t start = before.len;

    (void)context;
    while (start && before.at[start - 1] != ' ')
        start--;
    *from = start;
    enum action action = action_find(word);
    const char *argument = action == ACTION_NONE ? NULL : actions[action].argument;
    if (start <= (size_t)(word.at - before.at))
        add_names(ui, completion);
    else if (argument && !strstr(argument, "QUERY"))
        add_arguments(ui, argument, completion);
    else /* a query, or the words of a command */
        agent_names_complete_query(ui, NULL, before, from, completion);
}

static const struct prompt_spec spec = {.label = ":",
                                        .hint =
                                            "an action or a command; Tab completes, !archive ID "
                                            "is always the command",
                                        .history = HISTORY_COMMAND,
                                        .accept = accept_line,
                                        .complete = complete_line,
                                        .free = message_actions_drop};

void command_line_open(struct ui *ui, struct span text)
{
    struct targets begun;

    message_actions_targets(ui, &begun);
    ui_prompt(ui, &spec, text, message_actions_keep(&begun));
}
