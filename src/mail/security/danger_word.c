/* Dangers: what a word means where it stands. */
#include "mail/security/danger_private.h"

#include "base/text/fold.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '7';
}

/* A mode that lends the rights of a file's owner or group: 4755, u+s, and +4000, which is u+s.
 * However long it is: zeros before a number mean nothing, and there may be any number of clauses.
 */
static bool lends_rights(struct span mode)
{
    bool sets = false;
    size_t digits = 0; /* of a number, without the zeros before it */
    char first = '0';

    for (size_t i = 0; i < mode.len; i++) {
        char c = mode.at[i];
        if (c == '+' || c == '=')
            sets = true;
        if (sets && c == 's')
            return true;
        if (!is_digit(c))
            digits = 0;
        else if (digits++ == 0)
            first = c;
        if (digits == 1 && first == '0')
            digits = 0;
        if (digits == 4 && first >= '2')
            return true;
    }
    return false;
}

static bool is_like(struct span word, const char *pattern)
{
    struct span want = span_of(pattern);

    if (!span_ends(want, "*"))
        return span_eq(word, want);
    want.len--;
    return span_starts(word, want);
}

static bool is_argument(struct span word, struct span folded, const char *argument)
{
    if (strcmp(argument, "+s") == 0)
        return lends_rights(word);
    if (argument[0] == '-' && argument[1] != '-' && !argument[2])
        return word.len > 1 && word.at[0] == '-' && word.at[1] != '-' &&
               memchr(word.at, argument[1], word.len);
    return is_like(argument[0] >= 'a' && argument[0] <= 'z' ? folded : word, argument);
}

static void note_word(struct danger_search *search, enum danger_kind kind,
                      const struct danger_word *word)
{
    danger_note(search, kind, word->at, word->end);
}

static bool may_stand_here(const struct danger_state *state, uint8_t where)
{
    return where == DANGER_ANYWHERE || state->first || (where == DANGER_COMMAND && state->loose);
}

/* Whether this part of the word names a program, or a variable, of the table. */
static void try_name(struct danger_search *search, struct danger_state *state,
                     const struct danger_word *word, struct span name)
{
    for (size_t i = 0; name.len && i < danger_command_count; i++) {
        const struct danger_command *row = &danger_commands[i];
        if (row->name[0] != name.at[0] || !may_stand_here(state, row->where) ||
            !is_like(name, row->name))
            continue;
        if (!row->argument) {
            note_word(search, row->kind, word);
        } else if (!state->started[i]) {
            state->started[i] = word->at + 1;
            state->any_started = true;
        }
    }
}

static void try_names(struct danger_search *search, struct danger_state *state,
                      const struct danger_word *word)
{
    bool command = state->first || state->loose;
    struct str scratch = {0};

    try_name(search, state, word, danger_name(&scratch, word->text, command));
    if (!span_eq(word->text, word->joined))
        try_name(search, state, word, danger_name(&scratch, word->joined, command));
    for (size_t i = 0; i < word->piece_count; i++)
        if (word->pieces[i].len < word->text.len)
            try_name(search, state, word, danger_name(&scratch, word->pieces[i], command));
    str_free(&scratch);
}

static void try_arguments(struct danger_search *search, const struct danger_state *state,
                          const struct danger_word *word, struct span text)
{
    struct str folded = {0};

    fold_add(&folded, text);
    for (size_t i = 0; i < danger_command_count; i++) {
        const struct danger_command *row = &danger_commands[i];
        if (state->started[i] && state->started[i] != word->at + 1 &&
            is_argument(text, str_span(&folded), row->argument))
            danger_note(search, row->kind, state->started[i] - 1, word->end);
    }
    str_free(&folded);
}

static bool is_assignment(struct span text)
{
    size_t i = 0;

    while (i < text.len && ((text.at[i] >= 'a' && text.at[i] <= 'z') || text.at[i] == '_' ||
                            (text.at[i] >= 'A' && text.at[i] <= 'Z') ||
                            (i && text.at[i] >= '0' && text.at[i] <= '9')))
        i++;
    i += i && i < text.len && text.at[i] == '+';
    return i && i < text.len && text.at[i] == '=';
}

static void try_variable(struct danger_search *search, struct danger_state *state,
                         const struct danger_word *word)
{
    const char *sign = memchr(word->text.at, '=', word->text.len);
    struct span name = {word->text.at, (size_t)(sign - word->text.at)};
    struct str folded = {0};

    name.len -= span_ends(name, "+");
    fold_add(&folded, name);
    str_putc(&folded, '=');
    try_name(search, state, word, str_span(&folded));
    str_free(&folded);
}

/* The shell makes the command's name of something, and nobody sees of what. */
static bool is_made(const struct danger_word *word)
{
    bool test = span_is(word->text, "[") || span_is(word->text, "[[");

    if (word->expands)
        return true;
    for (size_t i = 0; !test && i < word->text.len; i++)
        if (strchr("*?[", word->text.at[i]) && word->text.at[i])
            return true;
    return false;
}

/* Whether an option makes an interpreter run the next word, or what it reads. */
static bool runs_text(struct span text)
{
    static const char *const words[] = {
        "--eval",          "--command", "--print", "-command", "-eval",
        "-encodedcommand", "/c",        "/k",      "--stdin",  NULL};
    struct str folded = {0};
    bool runs = span_is(text, "-");

    fold_add(&folded, text);
    for (size_t i = 0; !runs && words[i]; i++)
        runs = span_starts(str_span(&folded), span_of(words[i]));
    for (size_t i = 1; !runs && text.at[0] == '-' && text.at[1] != '-' && i < text.len; i++)
        runs = strchr("cersp", text.at[i]) && text.at[i];
    str_free(&folded);
    return runs;
}

static void follow_interpreter(struct danger_search *search, struct danger_state *state,
                               const struct danger_word *word, struct span name)
{
    if (state->interpreter && !state->has_arguments) {
        bool option = word->text.len && (word->text.at[0] == '-' || word->text.at[0] == '/');
        if (option && runs_text(word->text))
            danger_note(search, DANGER_CODE, state->interpreter - 1, word->end);
        state->has_options |= option;
        state->has_arguments = !span_starts(word->text, span_of("-"));
    }
    if (!(state->first || state->loose) || !danger_is_interpreter(name))
        return;
    if (state->piped)
        note_word(search, DANGER_CODE, word);
    state->interpreter = word->at + 1;
    state->interpreter_end = word->end;
    state->has_options = state->has_arguments = false;
}

/* What the word tells by itself, whatever it is there for. */
static void judge_text(struct danger_search *search, const struct danger_state *state,
                       const struct danger_word *word)
{
    if (word->changed)
        danger_in_word_parts(search, word->text, word->at, word->end);
    if (!span_eq(word->text, word->joined))
        danger_in_word_parts(search, word->joined, word->at, word->end);
    if (!state->first || !danger_program(word->text).at)
        danger_in_word_paths(search, word->text, word->at, word->end);
}

/* Whether the command's name may still come behind this word, which may also become nothing. */
static bool goes_before(const struct danger_word *word, struct span name)
{
    struct span text = word->text;
    bool number = text.len && text.at[0] >= '0' && text.at[0] <= '9';

    return number || word->expands || span_starts(text, span_of("-")) || is_assignment(text) ||
           danger_is_keyword(name);
}

void danger_judge_word(struct danger_search *search, struct danger_state *state,
                       const struct danger_word *word)
{
    struct str scratch = {0};
    struct span name = danger_name(&scratch, word->text, state->first || state->loose);
    bool target = state->target, runner = danger_is_runner(name);

    judge_text(search, state, word);
    state->target = false;
    if (!target) {
        if (state->any_started)
            try_arguments(search, state, word, word->text);
        if (state->any_started && !span_eq(word->text, word->joined))
            try_arguments(search, state, word, word->joined);
        try_names(search, state, word);
        if (is_assignment(word->text))
            try_variable(search, state, word);
        else if (state->first && !state->quoted && is_made(word))
            note_word(search, DANGER_CODE, word);
        follow_interpreter(search, state, word, name);
        state->loose |= runner;
        state->first = runner || (state->first && goes_before(word, name));
    }
    str_free(&scratch);
}

void danger_end_command(struct danger_search *search, struct danger_state *state, bool pipe)
{
    if (state->interpreter && !state->has_arguments && !state->has_options)
        danger_note(search, DANGER_CODE, state->interpreter - 1, state->interpreter_end);
    if (state->any_started)
        memset(state->started, 0, sizeof state->started);
    state->any_started = state->loose = state->target = false;
    state->first = true;
    state->piped = pipe;
    state->interpreter = 0;
}

void danger_input_redirected(struct danger_search *search, struct danger_state *state, size_t at)
{
    if (state->interpreter && !state->has_arguments)
        danger_note(search, DANGER_CODE, state->interpreter - 1, at);
}
