/* Escape sequences, as the terminals of the last decades send them. */
#include "ui/term/escape.h"

enum { ESC = 0x1b, BEL = 7, MOUSE_BYTES = 3 };

bool escape_is_text(struct span sequence)
{
    return sequence.len && memchr("]P_^X", sequence.at[0], 5);
}

/* Takes a number of at most four digits off the front; returns -1 if there is none. */
static int take_number(struct span *rest)
{
    int number = -1;

    for (int i = 0; i < 4 && rest->len && *rest->at >= '0' && *rest->at <= '9'; i++) {
        number = (number < 0 ? 0 : number) * 10 + (*rest->at - '0');
        rest->at++;
        rest->len--;
    }
    return number;
}

/* Reports whether the sequence is [5$ of one family of terminals; after several numbers a $ comes
 * before a letter. */
static bool is_shifted(struct span sequence)
{
    struct span rest = {sequence.at + 1, sequence.len - 1};

    return take_number(&rest) >= 0 && span_is(rest, "$");
}

/* Reports whether a CSI sequence needs more bytes. It is numbers and signs, then a letter, with
 * three exceptions: [[A of the console, [M of an old mouse, which three bytes follow, and [5$. */
static bool control_goes_on(struct span sequence)
{
    char last = sequence.at[sequence.len - 1];

    if (sequence.len == 1)
        return true;
    if (sequence.at[1] == '[')
        return sequence.len < 3;
    if (sequence.at[1] == 'M')
        return sequence.len < 2 + MOUSE_BYTES;
    return last >= ' ' && last < '@' && !is_shifted(sequence);
}

bool escape_goes_on(struct span sequence)
{
    if (!sequence.len)
        return true;
    char last = sequence.at[sequence.len - 1];
    if (escape_is_text(sequence))
        return last != BEL && (sequence.len < 3 || sequence.at[sequence.len - 2] != ESC);
    if (sequence.at[0] == 'O')
        return sequence.len == 1 || (last >= '0' && last <= ';');
    return sequence.at[0] == '[' && control_goes_on(sequence);
}

/* --- keys of sequences --- */

struct csi_code {
    int sent; /* a letter, or the number before ~ */
    uint32_t key;
};

static const struct csi_code letters[] = {
    {'A', K_UP}, {'B', K_DOWN},   {'C', K_RIGHT},  {'D', K_LEFT},   {'F', K_END},  {'H', K_HOME},
    {'P', K_F1}, {'Q', K_F1 + 1}, {'R', K_F1 + 2}, {'S', K_F1 + 3}, {0, K_UNKNOWN}};

static const struct csi_code small[] = {
    {'a', K_UP}, {'b', K_DOWN}, {'c', K_RIGHT}, {'d', K_LEFT}, {0, K_UNKNOWN}};

static const struct csi_code numbers[] = {
    {1, K_HOME},     {2, K_INSERT},  {3, K_DELETE},  {4, K_END},     {5, K_PGUP},    {6, K_PGDN},
    {7, K_HOME},     {8, K_END},     {11, K_F1},     {12, K_F1 + 1}, {13, K_F1 + 2}, {14, K_F1 + 3},
    {15, K_F1 + 4},  {17, K_F1 + 5}, {18, K_F1 + 6}, {19, K_F1 + 7}, {20, K_F1 + 8}, {21, K_F1 + 9},
    {23, K_F1 + 10}, {24, K_F12},    {0, K_UNKNOWN}};

static uint32_t lookup(const struct csi_code *table, int sent, uint32_t bits)
{
    while (table->sent && table->sent != sent)
        table++;
    return table->sent ? table->key | bits : K_UNKNOWN;
}

/* Decodes the modifiers: N - 1 has bits for Shift, Alt, Ctrl and Meta, which some terminals send
 * for Alt. */
static bool read_held(int number, uint32_t *bits)
{
    unsigned held = (unsigned)number - 1;

    *bits = (held & 1 ? K_SHIFT : 0U) | (held & (2 | 8) ? K_ALT : 0U) | (held & 4 ? K_CTRL : 0U);
    return number >= 1 && number <= 16;
}

/* Decodes [A [1;5A [5~ [5;5~, and of one family [5^ [5$ [5@ for Ctrl, Shift and both. */
static uint32_t control_key(struct span rest)
{
    static const struct csi_code ends[] = {
        {'~', 0}, {'^', K_CTRL}, {'$', K_SHIFT}, {'@', K_CTRL | K_SHIFT}, {0, K_UNKNOWN}};
    uint32_t bits = 0;
    int first = take_number(&rest), held = 1;
    bool several = first >= 0 && rest.len && *rest.at == ';';

    if (several) {
        rest = (struct span){rest.at + 1, rest.len - 1};
        held = take_number(&rest);
    }
    if (rest.len != 1 || !read_held(held, &bits))
        return K_UNKNOWN;
    uint32_t end = lookup(ends, *rest.at, 0);
    if (several && *rest.at != '~')
        end = K_UNKNOWN;
    if (first >= 0 && end != K_UNKNOWN)
        return lookup(numbers, first, bits | end);
    if (first < 0 && *rest.at == 'Z')
        return K_BACKTAB;
    if (first < 0 && *rest.at >= 'a')
        return lookup(small, *rest.at, K_SHIFT);
    return first < 0 || first == 1 ? lookup(letters, *rest.at, bits) : K_UNKNOWN;
}

/* Decodes OA O5A, and of the same family Oa for Ctrl. */
static uint32_t shifted_key(struct span rest)
{
    uint32_t bits = 0;
    int held = take_number(&rest);

    if (rest.len != 1 || !read_held(held < 0 ? 1 : held, &bits))
        return K_UNKNOWN;
    if (held < 0 && *rest.at == 'M')
        return K_ENTER;
    if (held < 0 && *rest.at >= 'a')
        return lookup(small, *rest.at, K_CTRL);
    return lookup(letters, *rest.at, bits);
}

uint32_t escape_key(struct span sequence)
{
    struct span rest = {sequence.at + 1, sequence.len - 1};

    if (sequence.len < 2)
        return K_UNKNOWN;
    if (sequence.at[0] == 'O')
        return shifted_key(rest);
    if (sequence.at[0] != '[')
        return K_UNKNOWN;
    if (rest.len == 2 && rest.at[0] == '[') /* the first five function keys of the console */
        return rest.at[1] >= 'A' && rest.at[1] <= 'E' ? K_F1 + (uint32_t)(rest.at[1] - 'A')
                                                      : K_UNKNOWN;
    return control_key(rest);
}
