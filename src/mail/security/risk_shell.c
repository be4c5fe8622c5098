/* Risks: a text split into words as a shell does it.
 *
 * Every word is unquoted and judged. Quoted text may itself be a program, for a shell that is
 * started or that reads it later, so it is split again, layer by layer. Comments are not recognized
 * and quotes need not end: nothing can be hidden in them. */
#include "base/mem.h"
#include "base/str.h"
#include "base/text/utf8.h"
#include "mail/security/risk_private.h"

#include <stdlib.h>

/* Reading the words of a text that may be for a shell. */

/* A text, and for each of its bytes the position in the member; `from` is NULL if they are
 * equal. */
struct risk_layer {
    char *text;
    size_t *from;
    size_t len;
    unsigned depth; /* how many levels of quotes were removed */
};

struct risk_reader {
    const struct risk_layer *layer;
    size_t pos;
};

/* A range that the shell replaces. */
struct risk_cut {
    size_t at, end;
};

/* A word while it is read. The owner frees text, from and cuts. */
struct risk_building {
    struct str text;
    size_t *from; /* for each byte of the text */
    size_t cap;
    struct risk_cut *cuts;
    size_t cut_count, cut_cap;
    bool quoted;  /* a part was quoted */
    bool expands; /* it has cuts, or a substitution follows at once */
};

/* One word, without its quotes. */

/* Returns the position in the member of a byte of the layer. */
static size_t risk_origin(const struct risk_layer *layer, size_t pos)
{
    return layer->from ? layer->from[pos] : pos;
}

/* Returns the character `ahead` of the current one; NUL after the end. */
static char risk_peek(const struct risk_reader *reader, size_t ahead)
{
    size_t pos = reader->pos + ahead;

    return pos < reader->layer->len ? reader->layer->text[pos] : '\0';
}

static void copy_as(struct risk_building *word, char c, size_t from)
{
    word->from = mem_grow(word->from, &word->cap, word->text.len + 1, sizeof *word->from);
    word->from[word->text.len] = from;
    str_putc(&word->text, c);
}

static void copy_char(struct risk_reader *reader, struct risk_building *word)
{
    copy_as(word, risk_peek(reader, 0), risk_origin(reader->layer, reader->pos));
    reader->pos++;
}

/* Special parameters, which are not names. */
static const char specials[] = "@*#?$!-";

/* Copies a dollar sign and the name of the parameter, and notes them as a cut. */
static void copy_expansion(struct risk_reader *reader, struct risk_building *word)
{
    struct risk_cut cut = {.at = word->text.len};

    copy_char(reader, word);
    bool braced = risk_peek(reader, 0) == '{';
    if (braced)
        copy_char(reader, word);
    bool special = risk_peek(reader, 0) && strchr(specials, risk_peek(reader, 0));
    if (special)
        copy_char(reader, word);
    while ((!special || braced) && risk_is_name(risk_peek(reader, 0)))
        copy_char(reader, word);
    if (braced && risk_peek(reader, 0) == '}')
        copy_char(reader, word);
    cut.end = word->text.len;
    word->expands = true;
    *mem_push(word->cuts, word->cut_count, word->cut_cap) = cut;
}

static int digit_of(char c, int base)
{
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : base;

    return digit < base ? digit : -1;
}

/* Reads a number in an escape, of at most so many digits. */
static uint32_t take_number(struct risk_reader *reader, int base, unsigned digits)
{
    uint32_t number = 0;

    while (digits-- && digit_of(risk_peek(reader, 0), base) >= 0) {
        number = number * (uint32_t)base + (uint32_t)digit_of(risk_peek(reader, 0), base);
        reader->pos++;
    }
    return number;
}

/* Copies an escape of $'...', starting after its backslash. */
static void copy_escape(struct risk_reader *reader, struct risk_building *word)
{
    static const char letters[] = "abeEfnrtv", controls[] = "\a\b\x1b\x1b\f\n\r\t\v";
    size_t from = risk_origin(reader->layer, reader->pos ? reader->pos - 1 : 0);
    char c = risk_peek(reader, 0);
    const char *letter = c ? strchr(letters, c) : NULL;
    CLEANUP(str_free) struct str code = {0};

    if (letter) {
        copy_as(word, controls[letter - letters], from);
        reader->pos++;
    } else if (c == 'x' || digit_of(c, 8) >= 0) {
        reader->pos += c == 'x';
        copy_as(word, (char)take_number(reader, c == 'x' ? 16 : 8, c == 'x' ? 2 : 3), from);
    } else if (c == 'u' || c == 'U') {
        reader->pos++;
        utf8_add(&code, (int32_t)(take_number(reader, 16, c == 'u' ? 4 : 8) & 0xfffff));
        for (size_t i = 0; i < code.len; i++)
            copy_as(word, code.at[i], from);
    } else if (reader->pos < reader->layer->len) {
        copy_char(reader, word);
    }
}

static bool is_substitution(char c, char next)
{
    return c == '`' || (c == '$' && next == '(');
}

/* True if there is something here that ends a word unless it is quoted, except for blanks. */
static bool risk_at_operator(const struct risk_reader *reader)
{
    char c = risk_peek(reader, 0);

    return c && (strchr("\n;&|()<>", c) || is_substitution(c, risk_peek(reader, 1)));
}

static bool starts_expansion(char next)
{
    return risk_is_name(next) || next == '{' || (next && strchr(specials, next));
}

/* Copies up to the closing quote or, without one, to the end. Substitutions stay for the next
 * layer. */
static void copy_quoted(struct risk_reader *reader, struct risk_building *word, char quote,
                        bool escapes)
{
    reader->pos++;
    word->quoted = true;
    while (reader->pos < reader->layer->len && risk_peek(reader, 0) != quote) {
        char c = risk_peek(reader, 0), next = risk_peek(reader, 1);
        if (quote == '"' && c == '$' && starts_expansion(next)) {
            copy_expansion(reader, word);
        } else if (c != '\\' || (quote == '\'' && !escapes)) {
            word->expands |= quote == '"' && is_substitution(c, next);
            copy_char(reader, word);
        } else if (escapes) {
            reader->pos++;
            copy_escape(reader, word);
        } else {
            bool taken = next && strchr("$`\"\\\n", next);
            reader->pos += taken;
            if (taken && next == '\n')
                reader->pos++;
            else
                copy_char(reader, word);
        }
    }
    reader->pos += reader->pos < reader->layer->len;
}

static void copy_backslashed(struct risk_reader *reader, struct risk_building *word)
{
    reader->pos++;
    word->quoted = true;
    if (risk_peek(reader, 0) == '\n')
        reader->pos++;
    else if (reader->pos < reader->layer->len)
        copy_char(reader, word);
}

static bool risk_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Reads the word that starts here, at least one character, up to its end. */
static void risk_read_word(struct risk_reader *reader, struct risk_building *word)
{
    while (reader->pos < reader->layer->len) {
        char c = risk_peek(reader, 0), next = risk_peek(reader, 1);
        if (risk_is_blank(c) || risk_at_operator(reader))
            break;
        if (c == '\'' || c == '"') {
            copy_quoted(reader, word, c, false);
        } else if (c == '$' && (next == '\'' || next == '"')) {
            reader->pos++;
            copy_quoted(reader, word, next, next == '\'');
        } else if (c == '$' && starts_expansion(next)) {
            copy_expansion(reader, word);
        } else if (c == '\\') {
            copy_backslashed(reader, word);
        } else {
            copy_char(reader, word);
        }
    }
    /* the output of a substitution is a part of the word */
    word->expands |= is_substitution(risk_peek(reader, 0), risk_peek(reader, 1));
}

/* The meaning of a word in its position. */

static bool is_digit(char c)
{
    return c >= '0' && c <= '7';
}

/* True for a mode that sets the set-user-ID or set-group-ID bit: 4755, u+s, and +4000, which is
 * u+s. Of any length: leading zeros have no meaning, and there may be any number of clauses. */
static bool lends_rights(struct span mode)
{
    bool sets = false;
    size_t digits = 0; /* of a number, without leading zeros */
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

static bool is_like(struct span word, struct span pattern)
{
    if (pattern.at[pattern.len - 1] != '*')
        return span_eq(word, pattern);
    pattern.len--;
    return span_starts(word, pattern);
}

static bool is_argument(struct span word, struct span folded, struct span argument)
{
    if (span_is(argument, "+s"))
        return lends_rights(word);
    if (argument.len == 2 && argument.at[0] == '-' && argument.at[1] != '-')
        return word.len > 1 && word.at[0] == '-' && word.at[1] != '-' &&
               memchr(word.at, argument.at[1], word.len);
    return is_like(argument.at[0] >= 'a' && argument.at[0] <= 'z' ? folded : word, argument);
}

/* True if the row has this name. */
static bool is_named(const struct risk_command *row, struct span name)
{
    const char *names = row->names;

    for (struct span known; (known = risk_take(&names)).len;)
        if (known.at[0] == name.at[0] && is_like(name, known))
            return true;
    return false;
}

static void note_word(struct risk_search *search, enum risk_kind kind, const struct risk_word *word)
{
    risk_note(search, kind, word->at, word->end);
}

static bool may_stand_here(const struct risk_state *state, uint8_t where)
{
    return where == RISK_ANYWHERE || state->first || (where == RISK_COMMAND && state->loose);
}

/* Checks whether this part of the word names a program, or a variable, of the table. */
static void try_name(struct risk_search *search, struct risk_state *state,
                     const struct risk_word *word, struct span name)
{
    for (size_t i = 0; name.len && i < risk_command_count; i++) {
        const struct risk_command *row = &risk_commands[i];
        if (!may_stand_here(state, row->where) || !is_named(row, name))
            continue;
        if (!row->arguments) {
            note_word(search, row->kind, word);
        } else if (!state->started[i]) {
            state->started[i] = word->at + 1;
            state->any_started = true;
        }
    }
}

static void try_names(struct risk_search *search, struct risk_state *state,
                      const struct risk_word *word)
{
    bool command = state->first || state->loose;
    CLEANUP(str_free) struct str scratch = {0};

    try_name(search, state, word, risk_name(&scratch, word->text, command));
    if (!span_eq(word->text, word->joined))
        try_name(search, state, word, risk_name(&scratch, word->joined, command));
    for (size_t i = 0; i < word->piece_count; i++)
        if (word->pieces[i].len < word->text.len)
            try_name(search, state, word, risk_name(&scratch, word->pieces[i], command));
}

static void try_arguments(struct risk_search *search, const struct risk_state *state,
                          const struct risk_word *word, struct span text)
{
    CLEANUP(str_free) struct str folded = {0};

    fold_add(&folded, text);
    for (size_t i = 0; i < risk_command_count; i++) {
        const struct risk_command *row = &risk_commands[i];
        const char *arguments = row->arguments;
        bool waits = state->started[i] && state->started[i] != word->at + 1;
        for (struct span argument; waits && (argument = risk_take(&arguments)).len;)
            if (is_argument(text, str_span(&folded), argument))
                risk_note(search, row->kind, state->started[i] - 1, word->end);
    }
}

static bool is_assignment(struct span text)
{
    size_t i = 0;

    while (i < text.len && risk_is_name(text.at[i]) && (i || text.at[i] < '0' || text.at[i] > '9'))
        i++;
    i += i && i < text.len && text.at[i] == '+';
    return i && i < text.len && text.at[i] == '=';
}

static void try_variable(struct risk_search *search, struct risk_state *state,
                         const struct risk_word *word)
{
    const char *sign = memchr(word->text.at, '=', word->text.len);
    struct span name = {word->text.at, (size_t)(sign - word->text.at)};
    CLEANUP(str_free) struct str folded = {0};

    name.len -= span_ends(name, "+");
    fold_add(&folded, name);
    str_putc(&folded, '=');
    try_name(search, state, word, str_span(&folded));
}

/* True if the shell computes the command's name, so that nobody can see it. */
static bool is_made(const struct risk_word *word)
{
    bool test = span_is(word->text, "[") || span_is(word->text, "[[");

    if (word->expands)
        return true;
    for (size_t i = 0; !test && i < word->text.len; i++)
        if (strchr("*?[", word->text.at[i]) && word->text.at[i])
            return true;
    return false;
}

/* True if an option makes an interpreter run the next word, or its input. */
static bool runs_text(struct span text)
{
    const char *words = "--eval --command --print -command -eval -encodedcommand /c /k --stdin";
    CLEANUP(str_free) struct str folded = {0};
    bool runs = span_is(text, "-");

    fold_add(&folded, text);
    for (struct span known; !runs && (known = risk_take(&words)).len;)
        runs = span_starts(str_span(&folded), known);
    for (size_t i = 1; !runs && text.at[0] == '-' && text.at[1] != '-' && i < text.len; i++)
        runs = strchr("cersp", text.at[i]) && text.at[i];
    return runs;
}

static void follow_interpreter(struct risk_search *search, struct risk_state *state,
                               const struct risk_word *word, struct span name)
{
    if (state->interpreter && !state->has_arguments) {
        bool option = word->text.len && (word->text.at[0] == '-' || word->text.at[0] == '/');
        if (option && runs_text(word->text))
            risk_note(search, RISK_CODE, state->interpreter - 1, word->end);
        state->has_options |= option;
        state->has_arguments = !span_starts(word->text, span_of("-"));
    }
    if (!(state->first || state->loose) || !risk_is_interpreter(name))
        return;
    if (state->piped)
        note_word(search, RISK_CODE, word);
    state->interpreter = word->at + 1;
    state->interpreter_end = word->end;
    state->has_options = state->has_arguments = false;
}

/* Checks the word itself, whatever its position. */
static void judge_text(struct risk_search *search, const struct risk_state *state,
                       const struct risk_word *word)
{
    if (word->changed)
        risk_in_word_parts(search, word->text, word->at, word->end);
    if (!span_eq(word->text, word->joined))
        risk_in_word_parts(search, word->joined, word->at, word->end);
    if (!state->first || !risk_program(word->text).at)
        risk_in_word_paths(search, word->text, word->at, word->end);
}

/* True if the command's name may follow this word, which may also expand to nothing. */
static bool goes_before(const struct risk_word *word, struct span name)
{
    struct span text = word->text;
    bool number = text.len && text.at[0] >= '0' && text.at[0] <= '9';

    return number || word->expands || span_starts(text, span_of("-")) || is_assignment(text) ||
           risk_is_keyword(name);
}

static void risk_judge_word(struct risk_search *search, struct risk_state *state,
                            const struct risk_word *word)
{
    CLEANUP(str_free) struct str scratch = {0};
    struct span name = risk_name(&scratch, word->text, state->first || state->loose);
    bool target = state->target, runner = risk_is_runner(name);

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
            note_word(search, RISK_CODE, word);
        follow_interpreter(search, state, word, name);
        state->loose |= runner;
        state->first = runner || (state->first && goes_before(word, name));
    }
}

/* Ends a command; `pipe` if it is piped into the next one. */
static void risk_end_command(struct risk_search *search, struct risk_state *state, bool pipe)
{
    if (state->interpreter && !state->has_arguments && !state->has_options)
        risk_note(search, RISK_CODE, state->interpreter - 1, state->interpreter_end);
    if (state->any_started)
        memset(state->started, 0, sizeof state->started);
    state->any_started = state->loose = state->target = false;
    state->first = true;
    state->piped = pipe;
    state->interpreter = 0;
}

/* The input comes from another source than the terminal. */
static void risk_input_redirected(struct risk_search *search, struct risk_state *state, size_t at)
{
    if (state->interpreter && !state->has_arguments)
        risk_note(search, RISK_CODE, state->interpreter - 1, at);
}

enum { LAYERS_MAX = 6 };

struct shell {
    struct risk_search *search;
    struct risk_state state;
    struct risk_layer *layers; /* still to be read */
    size_t count, cap;
    struct risk_reader reader;
    bool in_ticks;
    struct span *pieces; /* of the current word */
    size_t piece_cap;
};

/* The effects of an operator. */
enum {
    ENDS_COMMAND = 1,
    PIPES = 2,       /* into the next command */
    BACKGROUND = 4,  /* the command goes on */
    TICK = 8,        /* starts or ends a substitution */
    RUNS_CODE = 16,  /* a substitution starts */
    READS = 32,      /* the input is redirected; with no other effect the next word is the input */
    NAMES_FILE = 64, /* the next word is a file */
    NAMES_COMMAND = 128, /* the next word is a command's name */
};

static const struct {
    const char *texts; /* a list */
    unsigned effects;
} operators[] = {
    {"<<<", READS},
    {"&>> <& >& &> <> >> >| >", NAMES_FILE},
    {"<< <", READS | NAMES_FILE},
    {"<( >( $(", RUNS_CODE | READS | NAMES_COMMAND},
    {"$(( ( )", NAMES_COMMAND},
    {"&& || ; \n", ENDS_COMMAND},
    {"|& |", ENDS_COMMAND | PIPES},
    {"&", ENDS_COMMAND | BACKGROUND},
    {"`", TICK | NAMES_COMMAND},
};

/* Finds the longest operator that is here; there must be one. Returns its effects. */
static unsigned find_operator(const struct shell *shell, size_t *len)
{
    const struct risk_layer *layer = shell->reader.layer;
    struct span rest = {layer->text + shell->reader.pos, layer->len - shell->reader.pos};
    unsigned effects = 0;

    *len = 0;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        const char *texts = operators[i].texts;
        for (struct span text; (text = risk_take(&texts)).len;) {
            if (text.len <= *len || !span_starts(rest, text))
                continue;
            *len = text.len;
            effects = operators[i].effects;
        }
    }
    return effects;
}

/* Quoted text may be for another shell: adds it as a layer. */
static void push_layer(struct shell *shell, struct risk_building *word)
{
    static const char telling[] = " \t\n;&|<>()`'\"\\";
    const struct risk_layer *layer = shell->reader.layer;
    bool tells = false;

    for (size_t i = 0; word->quoted && !tells && i < word->text.len; i++)
        tells = word->text.at[i] && strchr(telling, word->text.at[i]);
    if (!tells)
        return;
    if (layer->depth + 1 == LAYERS_MAX) {
        risk_note(shell->search, RISK_CODE, word->from[0], word->from[word->text.len - 1] + 1);
        return;
    }
    *mem_push(shell->layers, shell->count, shell->cap) =
        (struct risk_layer){.text = word->text.at,
                            .from = word->from,
                            .len = word->text.len,
                            .depth = layer->depth + 1};
    word->text = (struct str){0};
    word->from = NULL;
}

static void add_piece(struct shell *shell, struct risk_word *out, struct span piece)
{
    if (!piece.len)
        return;
    *mem_push(shell->pieces, out->piece_count, shell->piece_cap) = piece;
    out->pieces = shell->pieces;
}

/* Finds the word without its expansions, and its pieces. */
static void split_pieces(struct shell *shell, const struct risk_building *word,
                         struct risk_word *out, struct str *joined)
{
    size_t cut = 0, start = 0;

    for (size_t i = 0; i < word->text.len; i++) {
        while (cut < word->cut_count && word->cuts[cut].end <= i)
            cut++;
        bool removed = cut < word->cut_count && word->cuts[cut].at <= i;
        if (!removed && word->cut_count)
            str_putc(joined, word->text.at[i]);
        if (removed || strchr("={},", word->text.at[i])) {
            add_piece(shell, out, (struct span){word->text.at + start, i - start});
            start = i + 1;
        }
    }
    add_piece(shell, out, (struct span){word->text.at + start, word->text.len - start});
    out->joined = word->cut_count ? str_span(joined) : out->text;
}

static void take_word(struct shell *shell)
{
    struct risk_building word = {0};
    CLEANUP(str_free) struct str joined = {0};
    size_t start = shell->reader.pos;

    risk_read_word(&shell->reader, &word);
    struct risk_word judged = {.text = str_span(&word.text),
                               .joined = str_span(&word.text),
                               .at = risk_origin(shell->reader.layer, start),
                               .end = risk_origin(shell->reader.layer, shell->reader.pos - 1) + 1,
                               .expands = word.expands,
                               .changed = word.quoted};
    if (word.text.len)
        split_pieces(shell, &word, &judged, &joined);
    risk_judge_word(shell->search, &shell->state, &judged);
    push_layer(shell, &word);
    str_free(&word.text);
    free(word.from);
    free(word.cuts);
}

/* True if an ampersand is one of the shell; inside quotes it seldom is. */
static bool is_background(const struct shell *shell)
{
    char next = risk_peek(&shell->reader, 1);

    return !shell->reader.layer->depth || !next || risk_is_blank(next) || strchr("\n;)", next);
}

static void take_operator(struct shell *shell)
{
    size_t len, at = risk_origin(shell->reader.layer, shell->reader.pos);
    unsigned effects = find_operator(shell, &len);
    size_t end = risk_origin(shell->reader.layer, shell->reader.pos + len - 1) + 1;
    struct risk_state *state = &shell->state;

    if (effects & TICK)
        shell->in_ticks = !shell->in_ticks;
    if (effects & BACKGROUND && is_background(shell))
        risk_note(shell->search, RISK_LASTS, at, end);
    if (effects & RUNS_CODE || (effects & TICK && shell->in_ticks))
        risk_note(shell->search, RISK_CODE, at, end);
    if (effects & READS)
        risk_input_redirected(shell->search, state, end);
    if (effects & ENDS_COMMAND)
        risk_end_command(shell->search, state, effects & PIPES);
    if (effects & NAMES_FILE || effects == READS)
        state->target = effects & NAMES_FILE;
    state->first |= (effects & NAMES_COMMAND) != 0;
    shell->reader.pos += len;
}

static void take_apart(struct shell *shell, const struct risk_layer *layer)
{
    shell->reader.layer = layer;
    shell->reader.pos = 0;
    shell->in_ticks = false;
    shell->state = (struct risk_state){.first = true, .quoted = layer->depth > 0};
    while (shell->reader.pos < layer->len) {
        if (risk_at_operator(&shell->reader))
            take_operator(shell);
        else if (risk_is_blank(risk_peek(&shell->reader, 0)))
            shell->reader.pos++;
        else if (risk_peek(&shell->reader, 0) == '\\' && risk_peek(&shell->reader, 1) == '\n')
            shell->reader.pos += 2;
        else
            take_word(shell);
    }
    risk_end_command(shell->search, &shell->state, false);
}

void risk_in_shell(struct risk_search *search)
{
    CLEANUP(str_free) struct str text = {0};
    struct shell shell = {.search = search};

    str_add_span(&text, search->text); /* terminated, as the reader expects */
    struct risk_layer whole = {.text = text.at, .len = text.len};
    take_apart(&shell, &whole);
    while (shell.count) {
        struct risk_layer layer = shell.layers[--shell.count];
        take_apart(&shell, &layer);
        free(layer.text);
        free(layer.from);
    }
    free(shell.layers);
    free(shell.pieces);
}
