/* Styles as a person writes them, and with the colours that a terminal has. */
#include "ui/term/theme.h"

#include "base/text/nearest.h"

enum { FEW = 8, SOME = 16, MANY = 256, NO_COLOUR = -2 };

static const struct style_word {
    const char *word;
    short colour; /* NO_COLOUR for an attribute */
    unsigned attr;
} words[] = {
    {"plain", NO_COLOUR, 0},
    {"bold", NO_COLOUR, STYLE_BOLD},
    {"dim", NO_COLOUR, STYLE_DIM},
    {"italic", NO_COLOUR, STYLE_ITALIC},
    {"underline", NO_COLOUR, STYLE_UNDERLINE},
    {"reverse", NO_COLOUR, STYLE_REVERSE},
    {"default", -1, 0},
    {"black", 0, 0},
    {"red", 1, 0},
    {"green", 2, 0},
    {"yellow", 3, 0},
    {"blue", 4, 0},
    {"magenta", 5, 0},
    {"cyan", 6, 0},
    {"white", 7, 0},
    {"grey", 8, 0},
    {"bright-black", 8, 0},
    {"bright-red", 9, 0},
    {"bright-green", 10, 0},
    {"bright-yellow", 11, 0},
    {"bright-blue", 12, 0},
    {"bright-magenta", 13, 0},
    {"bright-cyan", 14, 0},
    {"bright-white", 15, 0},
    {"purple", 5, 0},
    {"orange", 208, 0},
    {"pink", 212, 0},
};

enum { WORD_COUNT = sizeof words / sizeof *words };

struct rgb {
    int red, green, blue;
};

/* What terminals usually show for the first sixteen. */
static const struct rgb first[SOME] = {
    {0, 0, 0},     {205, 0, 0},     {0, 205, 0},     {205, 205, 0},   {0, 0, 238}, {205, 0, 205},
    {0, 205, 205}, {229, 229, 229}, {127, 127, 127}, {255, 0, 0},     {0, 255, 0}, {255, 255, 0},
    {92, 92, 255}, {255, 0, 255},   {0, 255, 255},   {255, 255, 255},
};

/* The others are a cube with six steps a side, then 24 greys. */
static struct rgb rgb_of(short colour)
{
    static const int steps[] = {0, 95, 135, 175, 215, 255};

    if (colour < SOME)
        return first[colour];
    if (colour >= 232) {
        int grey = 8 + 10 * (colour - 232);
        return (struct rgb){grey, grey, grey};
    }
    int cube = colour - SOME;
    return (struct rgb){steps[cube / 36], steps[cube / 6 % 6], steps[cube % 6]};
}

static short nearest_colour(short colour)
{
    struct rgb to = rgb_of(colour);
    int least = -1;
    short best = 0;

    for (int i = 0; i < SOME; i++) {
        int red = to.red - first[i].red, green = to.green - first[i].green,
            blue = to.blue - first[i].blue, far = red * red + green * green + blue * blue;
        if (least < 0 || far < least) {
            least = far;
            best = (short)i;
        }
    }
    return best;
}

static short fold(short colour, unsigned colours)
{
    if (colour < 0 || colours < FEW)
        return -1;
    if (colours < MANY && colour >= SOME)
        colour = nearest_colour(colour);
    return colour;
}

struct look_style style_fold(struct look_style style, unsigned colours)
{
    struct look_style out = {fold(style.fg, colours), fold(style.bg, colours), style.attrs};

    if (colours < SOME && out.fg >= FEW) {
        /* bold is bright there, except that bold black may stay black */
        out.attrs |= out.fg == FEW ? STYLE_DIM : STYLE_BOLD;
        out.fg = out.fg == FEW ? -1 : (short)(out.fg - FEW);
    }
    if (colours < SOME && out.bg >= FEW)
        out.bg = (short)(out.bg - FEW);
    if (out.fg >= 0 && out.fg == out.bg)
        out = (struct look_style){-1, -1, out.attrs | STYLE_REVERSE};
    return out;
}

static bool fail_word(struct err *err, struct span word)
{
    struct span names[WORD_COUNT];
    struct str near = {0};

    for (size_t i = 0; i < WORD_COUNT; i++)
        names[i] = span_of(words[i].word);
    nearest_hint(&near, word, names, WORD_COUNT);
    err_set(err, ERR_USAGE,
            "\"%.*s\" is neither a colour nor an attribute%s; a style is written \"bold red on "
            "black\"",
            (int)word.len, word.at, str_c(&near));
    str_free(&near);
    return false;
}

/* A number up to 255. */
static bool read_number(struct span word, short *colour)
{
    int number = 0;

    for (size_t i = 0; i < word.len; i++) {
        if (word.at[i] < '0' || word.at[i] > '9' || i == 3)
            return false;
        number = number * 10 + (word.at[i] - '0');
    }
    *colour = (short)number;
    return word.len && number < MANY;
}

static bool read_word(struct span word, struct style_word *read, struct err *err)
{
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (span_is(word, words[i].word)) {
            *read = words[i];
            return true;
        }
    return read_number(word, &read->colour) || fail_word(err, word);
}

bool style_parse(struct span text, struct look_style *style, struct err *err)
{
    short colours[2] = {-1, -1}; /* in front, behind */
    bool seen[2] = {false, false};
    unsigned attrs = 0;

    if (!span_trim(text).len)
        return err_set(err, ERR_USAGE,
                       "there is no style; write one such as \"bold red on black\", or \"plain\"");
    for (struct span word; (word = span_take_word(&text)).len;) {
        struct style_word read = {.colour = NO_COLOUR};
        int behind = span_is(word, "on");
        if (behind)
            word = span_take_word(&text);
        if (word.len && !read_word(word, &read, err))
            return false;
        if (behind && read.colour == NO_COLOUR)
            return err_set(err, ERR_USAGE,
                           "behind \"on\" stands a colour, as in \"bold red on black\"");
        attrs |= read.attr;
        if (read.colour == NO_COLOUR)
            continue;
        if (seen[behind])
            return err_set(err, ERR_USAGE,
                           "\"%.*s\" is one colour too many; that of the background stands behind "
                           "\"on\", as in \"bold red on black\"",
                           (int)word.len, word.at);
        seen[behind] = true;
        colours[behind] = read.colour;
    }
    if (colours[0] >= 0 && colours[0] == colours[1])
        return err_set(err, ERR_USAGE, "nobody can read text in the colour of its background");
    *style = (struct look_style){colours[0], colours[1], attrs};
    return true;
}
