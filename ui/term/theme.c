/* Themes: the built-in styles, and styles in the config. */
#include "ui/term/theme.h"

#include "base/text/suggest.h"

/* Parsing styles, and reducing them to the colours that a terminal has. */

enum { FEW = 8, SOME = 16, MANY = 256, NO_COLOUR = -2 };

static const struct style_word {
    const char *word;
    short colour; /* NO_COLOUR for an attribute */
    unsigned attr;
} words[] = {
    {"plain", NO_COLOUR, 0},
    {"bold", NO_COLOUR, ATTRIBUTE_BOLD},
    {"dim", NO_COLOUR, ATTRIBUTE_DIM},
    {"italic", NO_COLOUR, ATTRIBUTE_ITALIC},
    {"underline", NO_COLOUR, ATTRIBUTE_UNDERLINE},
    {"reverse", NO_COLOUR, ATTRIBUTE_REVERSE},
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

/* Usual RGB values of the first sixteen colours. */
static const struct rgb first[SOME] = {
    {0, 0, 0},     {205, 0, 0},     {0, 205, 0},     {205, 205, 0},   {0, 0, 238}, {205, 0, 205},
    {0, 205, 205}, {229, 229, 229}, {127, 127, 127}, {255, 0, 0},     {0, 255, 0}, {255, 255, 0},
    {92, 92, 255}, {255, 0, 255},   {0, 255, 255},   {255, 255, 255},
};

/* Returns the RGB value: after the first sixteen colours there is a cube with six steps a side,
 * then 24 greys. */
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

static short suggest_colour(short colour)
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

static short fold_colour(short colour, unsigned colours)
{
    if (colour < 0 || colours < FEW)
        return -1;
    if (colours < MANY && colour >= SOME)
        colour = suggest_colour(colour);
    return colour;
}

/* Reduces a style to the colours of the terminal; never to text in the colour of its background. */
static struct text_attributes attributes_fold(struct text_attributes drawn, unsigned colours)
{
    struct text_attributes out = {fold_colour(drawn.fg, colours), fold_colour(drawn.bg, colours),
                                  drawn.attrs};

    if (colours < SOME && out.fg >= FEW) {
        /* bold is bright there, but bold black may stay black */
        out.attrs |= out.fg == FEW ? ATTRIBUTE_DIM : ATTRIBUTE_BOLD;
        out.fg = out.fg == FEW ? -1 : (short)(out.fg - FEW);
    }
    if (colours < SOME && out.bg >= FEW)
        out.bg = (short)(out.bg - FEW);
    if (out.fg >= 0 && out.fg == out.bg)
        out = (struct text_attributes){-1, -1, out.attrs | ATTRIBUTE_REVERSE};
    return out;
}

static bool fail_word(struct err *err, struct span word)
{
    struct span names[WORD_COUNT];
    CLEANUP(str_free) struct str near = {0};

    for (size_t i = 0; i < WORD_COUNT; i++)
        names[i] = span_of(words[i].word);
    suggest_hint(&near, word, names, WORD_COUNT);
    return err_set(
        err, ERR_USAGE,
        "\"%.*s\" is neither a colour nor an attribute%s; a style is written \"bold red on "
        "black\"",
        (int)word.len, word.at, str_c(&near));
}

/* Reads a number up to 255. */
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

/* Parses a style such as "bold red on black", in up to 256 colours. */
static bool attributes_parse(struct span text, struct text_attributes *drawn, struct err *err)
{
    short colours[2] = {-1, -1}; /* foreground, background */
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
    *drawn = (struct text_attributes){colours[0], colours[1], attrs};
    return true;
}

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, BRIGHT = 8, OWN = -1 };

enum {
    BOLD = ATTRIBUTE_BOLD,
    DIM = ATTRIBUTE_DIM,
    ITALIC = ATTRIBUTE_ITALIC,
    UNDERLINE = ATTRIBUTE_UNDERLINE,
    REVERSE = ATTRIBUTE_REVERSE,
};

/* clang-format off */
const char *const theme_words[STYLE_COUNT] = {
    [STYLE_PLAIN] = "plain",
    [STYLE_HEADING] = "heading",
    [STYLE_STRONG] = "strong",
    [STYLE_EMPHASIS] = "emphasis",
    [STYLE_CODE] = "code",
    [STYLE_LINK] = "link",
    [STYLE_QUOTE] = "quote",
    [STYLE_STRUCK] = "struck",
    [STYLE_LABEL] = "label",
    [STYLE_DIM] = "dim",
    [STYLE_ESCAPED] = "escaped",
    [STYLE_WARNING] = "warning",
    [STYLE_ERROR] = "error",
    [STYLE_FOUND] = "found",
    [STYLE_TITLE] = "title",
    [STYLE_TITLE_ON] = "title-on",
    [STYLE_GROUP] = "group",
    [STYLE_SELECTED] = "selected",
    [STYLE_TAGGED] = "tagged",
    [STYLE_NEEDS] = "needs",
    [STYLE_UNREAD] = "unread",
    [STYLE_SWARM] = "swarm",
    [STYLE_READ] = "read",
    [STYLE_STUCK] = "stuck",
    [STYLE_WORKING] = "working",
    [STYLE_IDLE] = "idle",
    [STYLE_GONE] = "gone",
    [STYLE_STATUS] = "status",
    [STYLE_KEY] = "key",
    [STYLE_KEY_TEXT] = "key-text",
    [STYLE_BORDER] = "border",
    [STYLE_FIELD] = "field",
    [STYLE_FIELD_ON] = "field-on",
    [STYLE_PROMPT] = "prompt",
};

/* Grey is often close to the background, so minor text is dim instead. Yellow and bright colours
 * cannot be read on white. */
static const struct built_in {
    struct text_attributes dark, light;
    unsigned mono;
} built_in[STYLE_COUNT] = {
    [STYLE_PLAIN] = {{OWN, OWN, 0}, {OWN, OWN, 0}, 0},
    [STYLE_HEADING] = {{CYAN, OWN, BOLD}, {BLUE, OWN, BOLD}, BOLD | UNDERLINE},
    [STYLE_STRONG] = {{OWN, OWN, BOLD}, {OWN, OWN, BOLD}, BOLD},
    [STYLE_EMPHASIS] = {{OWN, OWN, ITALIC}, {OWN, OWN, ITALIC}, UNDERLINE},
    [STYLE_CODE] = {{GREEN, OWN, 0}, {GREEN, OWN, 0}, 0},
    [STYLE_LINK] = {{BLUE + BRIGHT, OWN, UNDERLINE}, {BLUE, OWN, UNDERLINE}, UNDERLINE},
    [STYLE_QUOTE] = {{CYAN, OWN, 0}, {BLUE, OWN, 0}, DIM},
    [STYLE_STRUCK] = {{OWN, OWN, DIM}, {OWN, OWN, DIM}, DIM},
    [STYLE_LABEL] = {{CYAN, OWN, 0}, {BLUE, OWN, 0}, BOLD},
    [STYLE_DIM] = {{OWN, OWN, DIM}, {OWN, OWN, DIM}, DIM},
    [STYLE_ESCAPED] = {{BLACK, YELLOW, 0}, {WHITE + BRIGHT, RED, 0}, REVERSE},
    [STYLE_WARNING] = {{YELLOW + BRIGHT, OWN, BOLD}, {MAGENTA, OWN, BOLD}, BOLD},
    [STYLE_ERROR] = {{RED + BRIGHT, OWN, BOLD}, {RED, OWN, BOLD}, BOLD | REVERSE},
    [STYLE_FOUND] = {{BLACK, YELLOW, 0}, {BLACK, YELLOW, 0}, REVERSE},
    [STYLE_TITLE] = {{WHITE + BRIGHT, BLUE, 0}, {WHITE + BRIGHT, BLUE, 0}, REVERSE},
    [STYLE_TITLE_ON] = {{BLACK, WHITE, BOLD}, {BLACK, WHITE, BOLD}, BOLD},
    [STYLE_GROUP] = {{CYAN, OWN, BOLD}, {BLUE, OWN, BOLD}, BOLD},
    [STYLE_SELECTED] = {{OWN, OWN, REVERSE}, {OWN, OWN, REVERSE}, REVERSE},
    [STYLE_TAGGED] = {{MAGENTA + BRIGHT, OWN, BOLD}, {MAGENTA, OWN, BOLD}, BOLD | UNDERLINE},
    [STYLE_NEEDS] = {{RED + BRIGHT, OWN, BOLD}, {RED, OWN, BOLD}, BOLD},
    [STYLE_UNREAD] = {{OWN, OWN, BOLD}, {OWN, OWN, BOLD}, BOLD},
    [STYLE_SWARM] = {{OWN, OWN, DIM}, {OWN, OWN, DIM}, DIM},
    [STYLE_READ] = {{OWN, OWN, 0}, {OWN, OWN, 0}, 0},
    [STYLE_STUCK] = {{YELLOW + BRIGHT, OWN, BOLD}, {MAGENTA, OWN, BOLD}, BOLD | UNDERLINE},
    [STYLE_WORKING] = {{GREEN, OWN, 0}, {GREEN, OWN, 0}, 0},
    [STYLE_IDLE] = {{CYAN, OWN, 0}, {BLUE, OWN, 0}, DIM},
    [STYLE_GONE] = {{OWN, OWN, DIM}, {OWN, OWN, DIM}, DIM},
    [STYLE_STATUS] = {{WHITE + BRIGHT, BLUE, 0}, {WHITE + BRIGHT, BLUE, 0}, REVERSE},
    [STYLE_KEY] = {{OWN, OWN, BOLD}, {OWN, OWN, BOLD}, BOLD},
    [STYLE_KEY_TEXT] = {{OWN, OWN, 0}, {OWN, OWN, 0}, 0},
    [STYLE_BORDER] = {{OWN, OWN, DIM}, {OWN, OWN, DIM}, DIM},
    [STYLE_FIELD] = {{CYAN, OWN, 0}, {BLUE, OWN, 0}, 0},
    [STYLE_FIELD_ON] = {{OWN, OWN, BOLD}, {OWN, OWN, BOLD}, UNDERLINE},
    [STYLE_PROMPT] = {{OWN, OWN, BOLD}, {OWN, OWN, BOLD}, BOLD},
};

/* The colours of agents: with 256 colours, and with fewer. */
static const struct agent_colour {
    const char *name;
    short dark, dark_few, light, light_few;
} agent_colours[THEME_AGENTS] = {
    {"red", RED + BRIGHT, RED + BRIGHT, RED, RED},
    {"blue", BLUE + BRIGHT, BLUE + BRIGHT, BLUE, BLUE},
    {"green", GREEN, GREEN, GREEN, GREEN},
    {"yellow", YELLOW + BRIGHT, YELLOW + BRIGHT, 136, YELLOW},
    {"purple", MAGENTA, MAGENTA, MAGENTA, MAGENTA},
    {"orange", 208, YELLOW, 166, RED + BRIGHT},
    {"pink", 212, MAGENTA + BRIGHT, 162, MAGENTA + BRIGHT},
    {"cyan", CYAN, CYAN, 30, CYAN},
};
/* clang-format on */

void theme_init(struct theme *theme, enum background background, unsigned colours)
{
    bool dark = background == BACKGROUND_DARK, many = colours >= 256;

    *theme = (struct theme){.colours = colours < 8 ? 0 : colours};
    for (int i = 0; i < STYLE_COUNT; i++)
        theme->styles[i] =
            theme->colours
                ? attributes_fold(dark ? built_in[i].dark : built_in[i].light, theme->colours)
                : (struct text_attributes){OWN, OWN, built_in[i].mono};
    for (int i = 0; i < THEME_AGENTS; i++) {
        const struct agent_colour *agent = &agent_colours[i];
        short colour = dark   ? many ? agent->dark : agent->dark_few
                       : many ? agent->light
                              : agent->light_few;
        theme->agents[i] =
            attributes_fold((struct text_attributes){colour, OWN, 0}, theme->colours);
    }
}

int theme_agent(struct span colour)
{
    for (int i = 0; i < THEME_AGENTS; i++)
        if (span_is(colour, agent_colours[i].name))
            return STYLE_AGENT + i;
    return STYLE_PLAIN;
}

struct text_attributes theme_style(const struct theme *theme, int style)
{
    return style < STYLE_COUNT ? theme->styles[style] : theme->agents[style - STYLE_AGENT];
}

/* Finds a style by its name in the config; NULL and an error with similar names if there is
 * none. */
static struct text_attributes *find_style(struct theme *theme, struct span name, struct err *err)
{
    struct span names[STYLE_COUNT + THEME_AGENTS];
    struct str agents[THEME_AGENTS] = {0}, near = {0};
    struct text_attributes *found = NULL;

    for (int i = 0; i < STYLE_COUNT; i++) {
        names[i] = span_of(theme_words[i]);
        if (span_eq(name, names[i]))
            found = &theme->styles[i];
    }
    for (int i = 0; i < THEME_AGENTS; i++) {
        str_addf(&agents[i], "agent-%s", agent_colours[i].name);
        names[STYLE_COUNT + i] = str_span(&agents[i]);
        if (span_eq(name, names[STYLE_COUNT + i]))
            found = &theme->agents[i];
    }
    if (!found) {
        suggest_hint(&near, name, names, STYLE_COUNT + THEME_AGENTS);
        bool none = !near.len;
        for (int i = 0; none && i < STYLE_COUNT; i++)
            str_addf(&near, "%s%s", i ? ", " : "; known: ", theme_words[i]);
        err_set(err, ERR_USAGE, "no look is called \"%.*s\"%s", (int)name.len, name.at,
                str_c(&near));
    }
    for (int i = 0; i < THEME_AGENTS; i++)
        str_free(&agents[i]);
    str_free(&near);
    return found;
}

bool theme_set(struct theme *theme, struct span style, struct span value, struct err *err)
{
    struct text_attributes *to = find_style(theme, style, err), drawn;

    if (!to || !attributes_parse(value, &drawn, err))
        return false;
    bool coloured = drawn.fg >= 0 || drawn.bg >= 0;
    if (theme->colours || drawn.attrs || !coloured)
        *to = attributes_fold(drawn, theme->colours);
    return true;
}
