/* complete: called by the completion scripts of the shells.
 *
 *     complete bash LINE BREAKS   the line up to the cursor; the characters that break words
 *     complete zsh WORD...        the words up to the cursor, without quotes
 *     complete fish WORD...       like zsh, but the last word as it was typed
 *
 * The first line of the output says what the shell should complete by itself; then come the
 * candidates for the last word, one per line. For bash they are ready for insertion; for the others
 * they are plain text, followed by a tab and a note. Errors are not reported. */
#include "cmd/complete/complete.h"

#include "base/mem.h"
#include "base/text/sanitize.h"
#include "cmd/app.h"
#include "cmd/complete/complete_candidates.h"
#include "cmd/complete/shell_words.h"
#include "cmd/embedded.h"
#include "cmd/words.h"

#include <stdio.h>

/* Completing a command line: its words are parsed as they will be when it is run. */

/* The meaning of the words before the last one. */
struct said {
    struct app *app;
    const struct command *command;
    const struct option_spec *valueless; /* the last word is the value of this option */
    int operands;
    bool operands_only; /* after "--" */
    bool lost;          /* there is no command of that name */
};

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

static void add_given(struct said *said, const char *name, struct span value)
{
    struct app *app = said->app;

    *mem_push(app->given, app->given_count, app->given_cap) = (struct given){name, value.at};
}

/* Returns where the value starts in "--name=value", or 0 if there is none. */
static size_t value_start(struct span word)
{
    const char *mark = word.len > 2 ? memchr(word.at, '=', word.len) : NULL;

    return mark ? (size_t)(mark - word.at) + 1 : 0;
}

static struct span after(struct span word, size_t start)
{
    return (struct span){word.at + start, word.len - start};
}

static void take_option(struct said *said, struct span word)
{
    bool is_long = word.at[1] == '-';
    size_t value = is_long ? value_start(word) : word.len > 2 ? 2 : 0;
    struct span name = after(word, 2);

    if (is_long && value)
        name.len = value - 3;
    const struct option_spec *option = is_long ? find_option(said, name) : find_letter(word.at[1]);
    if (option && option->value && !value)
        said->valueless = option;
    else if (option && option->value)
        add_given(said, option->name, after(word, value));
}

static void take_word(struct said *said, struct span word)
{
    if (said->valueless) {
        add_given(said, said->valueless->name, word);
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
    CLEANUP(str_free) struct str text = {0};

    for (; options && options->name; options++) {
        str_clear(&text);
        str_addf(&text, "--%s", options->name);
        complete_add(offers, str_span(&text), span_of(options->help), rank);
    }
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

/* Drops names and ids (agents choose them) that start with a dash: the command would take them for
 * options. */
static void drop_dashes(struct completion *offers)
{
    size_t kept = 0;

    for (size_t i = 0; i < offers->count; i++)
        if (offers->candidates[i].text.at[0] != '-')
            offers->candidates[kept++] = offers->candidates[i];
    offers->count = kept;
}

static void style_at_operand(struct completing *completing, const struct said *said,
                             struct span word)
{
    const struct word_spec *spec = operand_spec(said);

    if (spec && (spec->kinds || spec->word)) {
        offer_words(completing, said->app, spec, word, 0);
        if (!said->operands_only)
            drop_dashes(&completing->offers);
    } else if (!word.len) {
        add_all_options(completing, said); /* nothing else can follow */
    }
}

/* Completes the value of an option, which starts at `start` in the word. */
static void style_at_value(struct completing *completing, const struct said *said,
                           const struct option_spec *option, struct span word, size_t start)
{
    completing->from = start;
    if (option && option->value)
        offer_words(completing, said->app, &option->takes, word, start);
}

/* Completes the last of the words, which are those after the program's name. Options among them
 * that choose the mailboxes and the identity are applied; nothing is written and no error is
 * reported. The caller frees `completing`. */
static void complete_line_look(struct completing *completing, struct app *app,
                               const struct span_list *words)
{
    struct said said = {.app = app};

    if (!words->count)
        return;
    add_given(&said, "readonly", (struct span){0});
    for (size_t i = 0; i + 1 < words->count; i++)
        take_word(&said, words->items[i]);
    struct span word = words->items[words->count - 1];
    bool is_option = word.len && word.at[0] == '-' && !said.operands_only;
    size_t value = is_option && span_starts(word, span_of("--")) ? value_start(word) : 0;
    if (said.lost)
        return;
    if (said.valueless)
        style_at_value(completing, &said, said.valueless, word, 0);
    else if (value)
        style_at_value(completing, &said, find_option(&said, (struct span){word.at + 2, value - 3}),
                       word, value);
    else if (is_option)
        add_all_options(completing, &said);
    else if (said.command)
        style_at_operand(completing, &said, word);
    else
        offer_commands(&completing->offers, false);
    complete_open(&completing->offers, after(word, completing->from));
}

/* completion: prints the script that makes a shell complete our command lines. */

static int run_completion(struct app *app)
{
    struct err err;

    for (const struct embedded *script = completion_scripts; script->name; script++) {
        if (strcmp(script->name, app->operands[0]) == 0) {
            fputs(script->text, stdout);
            return EXIT_DONE;
        }
    }
    app_refuse_word(app, &err, "completion", app->operands[0], words_shell);
    return app_fail(app, &err);
}

const struct command command_completion = {.name = "completion",
                                           .operands = "bash | zsh | fish",
                                           .takes = {{.word = words_shell}},
                                           .summary =
                                               "a script that lets a shell complete commands",
                                           .least = 1,
                                           .most = 1,
                                           .storeless = true,
                                           .run = run_completion};

/* Reports whether a terminal can show the text on one line as it is, and the output format can hold
 * it. */
static bool is_showable(struct span text)
{
    struct sanitize_piece piece;

    return !memchr(text.at, '\n', text.len) && !memchr(text.at, '\t', text.len) &&
           !sanitize_find_hidden(text, &piece);
}

/* Reports whether the candidate continues what was typed: anything else would confuse the shell. */
static bool goes_on(const struct candidate *offer, struct span typed)
{
    if (typed.len && typed.at[0] != '"' && offer->text.at[0] == '"') /* a quoted value */
        return span_starts((struct span){offer->text.at + 1, offer->text.len - 1}, typed);
    return span_starts(offer->text, typed);
}

static void put_names(const struct completing *completing)
{
    static const char *const words[] = {[NAMES_NONE] = "words",
                                        [NAMES_FILES] = "files",
                                        [NAMES_DIRECTORIES] = "directories",
                                        [NAMES_PROGRAMS] = "programs"};

    puts(words[completing->names]);
}

/* Prints the candidates; `end` is NULL for shells that take plain text and a note. */
static void put_offers(const struct app *app, const struct completing *completing, struct span word,
                       const struct shell_end *end)
{
    CLEANUP(str_free) struct str out = {0}, whole = {0};

    for (size_t i = 0; i < completing->offers.count; i++) {
        const struct candidate *offer = &completing->offers.candidates[i];
        str_set(&whole, (struct span){word.at, completing->from});
        str_add_span(&whole, offer->text);
        if (!goes_on(offer, after(word, completing->from)) || !is_showable(str_span(&whole)) ||
            (end && whole.len < end->keep))
            continue;
        if (end) {
            shell_quote(&out, after(str_span(&whole), end->keep), end->quote);
        } else {
            str_add_span(&out, str_span(&whole));
            str_putc(&out, '\t');
            sanitize_add(&out, offer->note, SANITIZE_LINE);
        }
        str_putc(&out, '\n');
    }
    app_put(app, &out);
}

static int run_complete(struct app *app)
{
    struct completing completing = {0};
    CLEANUP(span_list_free) struct span_list words = {0};
    struct shell_end end = {0};
    CLEANUP(arena_free) struct arena arena = {0};
    bool bash = strcmp(app->operands[0], "bash") == 0;
    bool fish = strcmp(app->operands[0], "fish") == 0;

    if (!freopen("/dev/null", "w", stderr))
        return EXIT_FAILED;
    if (bash) {
        shell_split(span_of(app->operands[1]), app->operand_count > 2 ? app->operands[2] : "",
                    &words, &end, &arena);
        memmove(words.items, words.items + 1, --words.count * sizeof *words.items);
    } else {
        for (int i = 1; i < app->operand_count; i++)
            span_list_add(&words, fish && i + 1 == app->operand_count
                                      ? shell_unquote(span_of(app->operands[i]), &arena)
                                      : span_of(app->operands[i]));
    }
    if (words.count) {
        struct span word = words.items[words.count - 1];
        app->given_count = 0;
        complete_line_look(&completing, app, &words);
        put_names(&completing);
        put_offers(app, &completing, word, bash ? &end : NULL);
    }
    complete_free(&completing.offers);
    return EXIT_DONE;
}

const struct command command_complete = {.name = "complete",
                                         .operands = "SHELL WORD...",
                                         .summary = "for the completions of shells",
                                         .least = 2,
                                         .most = -1,
                                         .storeless = true,
                                         .sourceless = true,
                                         .hidden = true,
                                         .takes = {{.word = words_shell}},
                                         .run = run_complete};
