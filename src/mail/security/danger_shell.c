/* Dangers: a text taken apart as a shell would do it.
 *
 * Every word loses its quotes and is judged. What was quoted may be a program itself, for a shell
 * that is started or for whoever reads it later, so it is taken apart again, layer by layer. No
 * comment is known and no quote must end: there is nothing that anybody could hide behind. */
#include "base/mem.h"
#include "mail/security/danger_private.h"
#include "mail/security/danger_read.h"

#include <stdlib.h>

enum { LAYERS_MAX = 6 };

struct shell {
    struct danger_search *search;
    struct danger_state state;
    struct danger_layer *layers; /* still to be taken apart */
    size_t count, cap;
    struct danger_reader reader;
    bool in_ticks;
    struct span *pieces; /* of the word that is judged */
    size_t piece_cap;
};

enum operator_kind {
    OPERATOR_END,
    OPERATOR_PIPE,
    OPERATOR_BACKGROUND,
    OPERATOR_GROUP,
    OPERATOR_SUBSTITUTION,
    OPERATOR_TICK,
    OPERATOR_OUTPUT,
    OPERATOR_INPUT,
    OPERATOR_TEXT, /* a word is the input */
};

/* Longer ones first. */
static const struct {
    const char *text;
    enum operator_kind kind;
} operators[] = {
    {"<<<", OPERATOR_TEXT},        {"&>>", OPERATOR_OUTPUT},      {"$((", OPERATOR_GROUP},
    {"<<", OPERATOR_INPUT},        {"<(", OPERATOR_SUBSTITUTION}, {">(", OPERATOR_SUBSTITUTION},
    {"$(", OPERATOR_SUBSTITUTION}, {"<&", OPERATOR_OUTPUT},       {">&", OPERATOR_OUTPUT},
    {"&>", OPERATOR_OUTPUT},       {"<>", OPERATOR_OUTPUT},       {">>", OPERATOR_OUTPUT},
    {">|", OPERATOR_OUTPUT},       {"&&", OPERATOR_END},          {"||", OPERATOR_END},
    {"|&", OPERATOR_PIPE},         {"|", OPERATOR_PIPE},          {"&", OPERATOR_BACKGROUND},
    {"<", OPERATOR_INPUT},         {">", OPERATOR_OUTPUT},        {";", OPERATOR_END},
    {"\n", OPERATOR_END},          {"(", OPERATOR_GROUP},         {")", OPERATOR_GROUP},
    {"`", OPERATOR_TICK},
};

/* Which operator stands here; there is one. */
static size_t find_operator(const struct shell *shell)
{
    const struct danger_layer *layer = shell->reader.layer;
    struct span rest = {layer->text + shell->reader.pos, layer->len - shell->reader.pos};
    size_t i = 0;

    while (!span_starts(rest, span_of(operators[i].text)))
        i++;
    return i;
}

/* What was quoted may be a text for another shell. */
static void push_layer(struct shell *shell, struct danger_building *word)
{
    static const char telling[] = " \t\n;&|<>()`'\"\\";
    const struct danger_layer *layer = shell->reader.layer;
    bool tells = false;

    for (size_t i = 0; word->quoted && !tells && i < word->text.len; i++)
        tells = word->text.at[i] && strchr(telling, word->text.at[i]);
    if (!tells)
        return;
    if (layer->depth + 1 == LAYERS_MAX) {
        danger_note(shell->search, DANGER_CODE, word->from[0], word->from[word->text.len - 1] + 1);
        return;
    }
    shell->layers = mem_grow(shell->layers, &shell->cap, shell->count + 1, sizeof *shell->layers);
    shell->layers[shell->count++] = (struct danger_layer){.text = word->text.at,
                                                          .from = word->from,
                                                          .len = word->text.len,
                                                          .depth = layer->depth + 1};
    word->text = (struct str){0};
    word->from = NULL;
}

static void add_piece(struct shell *shell, struct danger_word *out, struct span piece)
{
    if (!piece.len)
        return;
    shell->pieces =
        mem_grow(shell->pieces, &shell->piece_cap, out->piece_count + 1, sizeof *shell->pieces);
    shell->pieces[out->piece_count++] = piece;
    out->pieces = shell->pieces;
}

/* The word without what the shell replaces, and its pieces. */
static void split(struct shell *shell, const struct danger_building *word, struct danger_word *out,
                  struct str *joined)
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
    struct danger_building word = {0};
    struct str joined = {0};
    size_t start = shell->reader.pos;

    danger_read_word(&shell->reader, &word);
    struct danger_word judged = {.text = str_span(&word.text),
                                 .joined = str_span(&word.text),
                                 .at = danger_origin(shell->reader.layer, start),
                                 .end =
                                     danger_origin(shell->reader.layer, shell->reader.pos - 1) + 1,
                                 .expands = word.expands,
                                 .changed = word.quoted};
    if (word.text.len)
        split(shell, &word, &judged, &joined);
    danger_judge_word(shell->search, &shell->state, &judged);
    push_layer(shell, &word);
    str_free(&joined);
    str_free(&word.text);
    free(word.from);
    free(word.cuts);
}

/* Inside quotes an ampersand is seldom the shell's. */
static bool is_background(const struct shell *shell)
{
    char next = danger_peek(&shell->reader, 1);

    return !shell->reader.layer->depth || !next || danger_is_blank(next) || strchr("\n;)", next);
}

static void take_operator(struct shell *shell, size_t which)
{
    size_t len = strlen(operators[which].text),
           at = danger_origin(shell->reader.layer, shell->reader.pos);
    size_t end = danger_origin(shell->reader.layer, shell->reader.pos + len - 1) + 1;
    struct danger_state *state = &shell->state;

    switch (operators[which].kind) {
    case OPERATOR_BACKGROUND:
        if (is_background(shell))
            danger_note(shell->search, DANGER_LASTS, at, end);
        danger_end_command(shell->search, state, false);
        break;
    case OPERATOR_END:
    case OPERATOR_PIPE:
        danger_end_command(shell->search, state, operators[which].kind == OPERATOR_PIPE);
        break;
    case OPERATOR_TICK:
        shell->in_ticks = !shell->in_ticks;
        if (shell->in_ticks)
            danger_note(shell->search, DANGER_CODE, at, end);
        state->first = true;
        break;
    case OPERATOR_SUBSTITUTION:
        danger_note(shell->search, DANGER_CODE, at, end);
        danger_input_redirected(shell->search, state, end);
        state->first = true;
        break;
    case OPERATOR_GROUP:
        state->first = true;
        break;
    case OPERATOR_TEXT:
    case OPERATOR_INPUT:
        danger_input_redirected(shell->search, state, end);
        state->target = operators[which].kind == OPERATOR_INPUT;
        break;
    case OPERATOR_OUTPUT:
        state->target = true;
        break;
    }
    shell->reader.pos += len;
}

static void take_apart(struct shell *shell, const struct danger_layer *layer)
{
    shell->reader.layer = layer;
    shell->reader.pos = 0;
    shell->in_ticks = false;
    shell->state = (struct danger_state){.first = true, .quoted = layer->depth > 0};
    while (shell->reader.pos < layer->len) {
        if (danger_at_operator(&shell->reader))
            take_operator(shell, find_operator(shell));
        else if (danger_is_blank(danger_peek(&shell->reader, 0)))
            shell->reader.pos++;
        else if (danger_peek(&shell->reader, 0) == '\\' && danger_peek(&shell->reader, 1) == '\n')
            shell->reader.pos += 2;
        else
            take_word(shell);
    }
    danger_end_command(shell->search, &shell->state, false);
}

void danger_in_shell(struct danger_search *search)
{
    struct str text = {0};
    struct shell shell = {.search = search};

    str_add_span(&text, search->text); /* terminated, for what follows */
    struct danger_layer whole = {.text = text.at, .len = text.len};
    take_apart(&shell, &whole);
    while (shell.count) {
        struct danger_layer layer = shell.layers[--shell.count];
        take_apart(&shell, &layer);
        free(layer.text);
        free(layer.from);
    }
    free(shell.layers);
    free(shell.pieces);
    str_free(&text);
}
