/* complete: what the completions of the shells ask, and answer themselves with.
 *
 *     complete bash LINE BREAKS   the line up to the cursor; the characters that break words
 *     complete zsh WORD...        the words up to the cursor, without quotes
 *     complete fish WORD...       the same; the last one as it was typed
 *
 * The first line says what the shell is to look for by itself; what may stand in the place of the
 * last word follows, a line each. For bash it is ready to be inserted; for the others it is plain
 * text, with a tab and a note behind it. Nothing is said, whatever goes wrong. */
#include "base/text/clean.h"
#include "cmd/complete/completing.h"
#include "cmd/complete/shell_words.h"
#include "cmd/words.h"

#include <stdio.h>

/* Whether a line of a terminal can show it as what it is, and a line of ours hold it. */
static bool is_showable(struct span text)
{
    struct clean_piece piece;

    return !memchr(text.at, '\n', text.len) && !memchr(text.at, '\t', text.len) &&
           !clean_find_hidden(text, &piece);
}

/* Only what goes on with what was typed: shells would be misled by anything else. */
static bool goes_on(const struct candidate *offer, struct span typed)
{
    if (typed.len && typed.at[0] != '"' && offer->text.at[0] == '"') /* a value in quotes */
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

/* The word as it would be: what stays of it, and an offer. */
static void add_whole(struct str *out, struct span word, const struct completing *completing,
                      size_t number)
{
    str_add(out, word.at, completing->from);
    str_add_span(out, completing->offers.candidates[number].text);
}

static void put_for_bash(const struct app *app, const struct completing *completing,
                         struct span word, const struct shell_end *end)
{
    struct span typed = {word.at + completing->from, word.len - completing->from};
    struct str out = {0};

    for (size_t i = 0; i < completing->offers.count; i++) {
        struct str whole = {0};
        add_whole(&whole, word, completing, i);
        if (goes_on(&completing->offers.candidates[i], typed) && is_showable(str_span(&whole)) &&
            whole.len >= end->keep) {
            shell_quote(&out, (struct span){whole.at + end->keep, whole.len - end->keep},
                        end->quote);
            str_putc(&out, '\n');
        }
        str_free(&whole);
    }
    app_put(app, &out);
    str_free(&out);
}

static void put_plain(const struct app *app, const struct completing *completing, struct span word)
{
    struct span typed = {word.at + completing->from, word.len - completing->from};
    struct str out = {0};

    for (size_t i = 0; i < completing->offers.count; i++) {
        const struct candidate *offer = &completing->offers.candidates[i];
        struct str whole = {0};
        add_whole(&whole, word, completing, i);
        if (goes_on(offer, typed) && is_showable(str_span(&whole))) {
            str_add_span(&out, str_span(&whole));
            str_putc(&out, '\t');
            clean_add(&out, offer->note, CLEAN_LINE);
            str_putc(&out, '\n');
        }
        str_free(&whole);
    }
    app_put(app, &out);
    str_free(&out);
}

static int run_complete(struct app *app)
{
    struct completing completing = {0};
    struct span_list words = {0};
    struct shell_end end = {0};
    struct arena arena = {0};
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
        completing_look(&completing, app, &words);
        put_names(&completing);
        if (bash)
            put_for_bash(app, &completing, word, &end);
        else
            put_plain(app, &completing, word);
    }
    completing_free(&completing);
    span_list_free(&words);
    arena_free(&arena);
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
