/* Completing a command line: its words are gone through as they will be when it is run. */
#include "cmd/complete/completing.h"

#include "base/mem.h"
#include "cmd/complete/offering.h"

/* What the words before the last one have said. */
struct said {
    struct app *app;
    const struct command *command;
    const struct option_spec *valueless; /* the last word is its value */
    int operands;
    bool operands_only; /* behind "--" */
    bool lost;          /* no command of that name */
};

void completing_free(struct completing *completing)
{
    complete_free(&completing->offers);
}

static const struct option_spec *find_in(const struct option_spec *options, struct span name)
{
    for (; options && options->name; options++)
        if (span_is(name, options->name))
            return options;
    return NULL;
}

static const struct option_spec *find_option(const struct said *said, struct span name)
{
    const struct option_spec *found = find_in(global_options, name);

    return found || !said->command ? found : find_in(said->command->options, name);
}

/* Only global options have letters. */
static const struct option_spec *find_letter(char letter)
{
    for (const struct option_spec *option = global_options; option->name; option++)
        if (option->letter == letter)
            return option;
    return NULL;
}

static void give(struct said *said, const char *name, struct span value)
{
    struct app *app = said->app;

    app->given = mem_grow(app->given, &app->given_cap, app->given_count + 1, sizeof *app->given);
    app->given[app->given_count++] = (struct given){name, value.at};
}

/* "--name" and "--name=value": where the value starts, or 0. */
static size_t value_start(struct span word)
{
    const char *mark = word.len > 2 ? memchr(word.at, '=', word.len) : NULL;

    return mark ? (size_t)(mark - word.at) + 1 : 0;
}

static struct span behind(struct span word, size_t start)
{
    return (struct span){word.at + start, word.len - start};
}

static void take_option(struct said *said, struct span word)
{
    bool is_long = word.at[1] == '-';
    size_t value = is_long ? value_start(word) : word.len > 2 ? 2 : 0;
    struct span name = behind(word, 2);

    if (is_long && value)
        name.len = value - 3;
    const struct option_spec *option = is_long ? find_option(said, name) : find_letter(word.at[1]);
    if (option && option->value && !value)
        said->valueless = option;
    else if (option && option->value)
        give(said, option->name, behind(word, value));
}

static void take_word(struct said *said, struct span word)
{
    if (said->valueless) {
        give(said, said->valueless->name, word);
        said->valueless = NULL;
    } else if (said->operands_only || word.len < 2 || word.at[0] != '-') {
        if (said->command)
            said->operands++;
        else if (!(said->command = command_find(word.at)))
            said->lost = true;
    } else if (span_is(word, "--")) {
        said->operands_only = true;
    } else {
        take_option(said, word);
    }
}

static void add_options(struct completion *offers, const struct option_spec *options, int rank)
{
    struct str text = {0};

    for (; options && options->name; options++) {
        str_clear(&text);
        str_addf(&text, "--%s", options->name);
        complete_add(offers, str_span(&text), span_of(options->help), rank);
    }
    str_free(&text);
}

static void add_all_options(struct completing *completing, const struct said *said)
{
    if (said->command)
        add_options(&completing->offers, said->command->options, 0);
    add_options(&completing->offers, global_options, 1);
}

static const struct word_spec *operand_spec(const struct said *said)
{
    const struct word_spec *takes = said->command->takes;
    int last = takes[1].kinds || takes[1].word;

    if (said->operands <= last)
        return &takes[said->operands];
    return takes[last].more ? &takes[last] : NULL;
}

/* Names and ids are of agents: one that begins like an option would be taken for it. */
static void drop_dashes(struct completion *offers)
{
    size_t kept = 0;

    for (size_t i = 0; i < offers->count; i++)
        if (offers->candidates[i].text.at[0] != '-')
            offers->candidates[kept++] = offers->candidates[i];
    offers->count = kept;
}

static void look_at_operand(struct completing *completing, const struct said *said,
                            struct span word)
{
    const struct word_spec *spec = operand_spec(said);

    if (spec && (spec->kinds || spec->word)) {
        offer_words(completing, said->app, spec, word, 0);
        if (!said->operands_only)
            drop_dashes(&completing->offers);
    } else if (!word.len) {
        add_all_options(completing, said); /* there is nothing else to be said */
    }
}

/* The value of an option, which starts there in the word. */
static void look_at_value(struct completing *completing, const struct said *said,
                          const struct option_spec *option, struct span word, size_t start)
{
    completing->from = start;
    if (option && option->value)
        offer_words(completing, said->app, &option->takes, word, start);
}

void completing_look(struct completing *completing, struct app *app, const struct span_list *words)
{
    struct said said = {.app = app};

    if (!words->count)
        return;
    give(&said, "readonly", (struct span){0});
    for (size_t i = 0; i + 1 < words->count; i++)
        take_word(&said, words->items[i]);
    struct span word = words->items[words->count - 1];
    bool is_option = word.len && word.at[0] == '-' && !said.operands_only;
    size_t value = is_option && span_starts(word, span_of("--")) ? value_start(word) : 0;
    if (said.lost)
        return;
    if (said.valueless)
        look_at_value(completing, &said, said.valueless, word, 0);
    else if (value)
        look_at_value(completing, &said, find_option(&said, (struct span){word.at + 2, value - 3}),
                      word, value);
    else if (is_option)
        add_all_options(completing, &said);
    else if (said.command)
        look_at_operand(completing, &said, word);
    else
        offer_commands(&completing->offers, false);
    complete_open(&completing->offers, behind(word, completing->from));
}
