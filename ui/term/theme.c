/* Themes: the built-in styles. */
#include "ui/term/theme.h"

#include "base/text/nearest.h"

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, BRIGHT = 8, OWN = -1 };

enum {
    BOLD = STYLE_BOLD,
    DIM = STYLE_DIM,
    ITALIC = STYLE_ITALIC,
    UNDERLINE = STYLE_UNDERLINE,
    REVERSE = STYLE_REVERSE,
};

/* clang-format off */
const char *const theme_words[LOOK_COUNT] = {
    [LOOK_PLAIN] = "plain",
    [LOOK_HEADING] = "heading",
    [LOOK_STRONG] = "strong",
    [LOOK_EMPHASIS] = "emphasis",
    [LOOK_CODE] = "code",
    [LOOK_LINK] = "link",
    [LOOK_QUOTE] = "quote",
    [LOOK_STRUCK] = "struck",
    [LOOK_LABEL] = "label",
    [LOOK_DIM] = "dim",
    [LOOK_ESCAPED] = "escaped",
    [LOOK_WARNING] = "warning",
    [LOOK_ERROR] = "error",
    [LOOK_FOUND] = "found",
    [LOOK_TITLE] = "title",
    [LOOK_TITLE_ON] = "title-on",
    [LOOK_GROUP] = "group",
    [LOOK_SELECTED] = "selected",
    [LOOK_TAGGED] = "tagged",
    [LOOK_NEEDS] = "needs",
    [LOOK_UNREAD] = "unread",
    [LOOK_SWARM] = "swarm",
    [LOOK_READ] = "read",
    [LOOK_STUCK] = "stuck",
    [LOOK_WORKING] = "working",
    [LOOK_IDLE] = "idle",
    [LOOK_GONE] = "gone",
    [LOOK_STATUS] = "status",
    [LOOK_KEY] = "key",
    [LOOK_KEY_TEXT] = "key-text",
    [LOOK_BORDER] = "border",
    [LOOK_FIELD] = "field",
    [LOOK_FIELD_ON] = "field-on",
    [LOOK_PROMPT] = "prompt",
};

/* Grey is often the background's own colour or near to it: what is said in passing is dim instead.
 * Yellow and all that is bright cannot be read on white. */
static const struct built_in {
    struct look_style dark, light;
    unsigned mono;
} built_in[LOOK_COUNT] = {
    [LOOK_PLAIN] = {{OWN, OWN, 0}, {OWN, OWN, 0}, 0},
    [LOOK_HEADING] = {{CYAN, OWN, BOLD}, {BLUE, OWN, BOLD}, BOLD | UNDERLINE},
    [LOOK_STRONG] = {{OWN, OWN, BOLD}, {OWN, OWN, BOLD}, BOLD},
    [LOOK_EMPHASIS] = {{OWN, OWN, ITALIC}, {OWN, OWN, ITALIC}, UNDERLINE},
    [LOOK_CODE] = {{GREEN, OWN, 0}, {GREEN, OWN, 0}, 0},
    [LOOK_LINK] = {{BLUE + BRIGHT, OWN, UNDERLINE}, {BLUE, OWN, UNDERLINE}, UNDERLINE},
    [LOOK_QUOTE] = {{CYAN, OWN, 0}, {BLUE, OWN, 0}, DIM},
    [LOOK_STRUCK] = {{OWN, OWN, DIM}, {OWN, OWN, DIM}, DIM},
    [LOOK_LABEL] = {{CYAN, OWN, 0}, {BLUE, OWN, 0}, BOLD},
    [LOOK_DIM] = {{OWN, OWN, DIM}, {OWN, OWN, DIM}, DIM},
    [LOOK_ESCAPED] = {{BLACK, YELLOW, 0}, {WHITE + BRIGHT, RED, 0}, REVERSE},
    [LOOK_WARNING] = {{YELLOW + BRIGHT, OWN, BOLD}, {MAGENTA, OWN, BOLD}, BOLD},
    [LOOK_ERROR] = {{RED + BRIGHT, OWN, BOLD}, {RED, OWN, BOLD}, BOLD | REVERSE},
    [LOOK_FOUND] = {{BLACK, YELLOW, 0}, {BLACK, YELLOW, 0}, REVERSE},
    [LOOK_TITLE] = {{WHITE + BRIGHT, BLUE, 0}, {WHITE + BRIGHT, BLUE, 0}, REVERSE},
    [LOOK_TITLE_ON] = {{BLACK, WHITE, BOLD}, {BLACK, WHITE, BOLD}, BOLD},
    [LOOK_GROUP] = {{CYAN, OWN, BOLD}, {BLUE, OWN, BOLD}, BOLD},
    [LOOK_SELECTED] = {{OWN, OWN, REVERSE}, {OWN, OWN, REVERSE}, REVERSE},
    [LOOK_TAGGED] = {{MAGENTA + BRIGHT, OWN, BOLD}, {MAGENTA, OWN, BOLD}, BOLD | UNDERLINE},
    [LOOK_NEEDS] = {{RED + BRIGHT, OWN, BOLD}, {RED, OWN, BOLD}, BOLD},
    [LOOK_UNREAD] = {{OWN, OWN, BOLD}, {OWN, OWN, BOLD}, BOLD},
    [LOOK_SWARM] = {{OWN, OWN, DIM}, {OWN, OWN, DIM}, DIM},
    [LOOK_READ] = {{OWN, OWN, 0}, {OWN, OWN, 0}, 0},
    [LOOK_STUCK] = {{YELLOW + BRIGHT, OWN, BOLD}, {MAGENTA, OWN, BOLD}, BOLD | UNDERLINE},
    [LOOK_WORKING] = {{GREEN, OWN, 0}, {GREEN, OWN, 0}, 0},
    [LOOK_IDLE] = {{CYAN, OWN, 0}, {BLUE, OWN, 0}, DIM},
    [LOOK_GONE] = {{OWN, OWN, DIM}, {OWN, OWN, DIM}, DIM},
    [LOOK_STATUS] = {{WHITE + BRIGHT, BLUE, 0}, {WHITE + BRIGHT, BLUE, 0}, REVERSE},
    [LOOK_KEY] = {{OWN, OWN, BOLD}, {OWN, OWN, BOLD}, BOLD},
    [LOOK_KEY_TEXT] = {{OWN, OWN, 0}, {OWN, OWN, 0}, 0},
    [LOOK_BORDER] = {{OWN, OWN, DIM}, {OWN, OWN, DIM}, DIM},
    [LOOK_FIELD] = {{CYAN, OWN, 0}, {BLUE, OWN, 0}, 0},
    [LOOK_FIELD_ON] = {{OWN, OWN, BOLD}, {OWN, OWN, BOLD}, UNDERLINE},
    [LOOK_PROMPT] = {{OWN, OWN, BOLD}, {OWN, OWN, BOLD}, BOLD},
};

/* The colours of agents: with 256 of them, and with less. */
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
    for (int i = 0; i < LOOK_COUNT; i++)
        theme->looks[i] =
            theme->colours ? style_fold(dark ? built_in[i].dark : built_in[i].light, theme->colours)
                           : (struct look_style){OWN, OWN, built_in[i].mono};
    for (int i = 0; i < THEME_AGENTS; i++) {
        const struct agent_colour *agent = &agent_colours[i];
        short colour = dark   ? many ? agent->dark : agent->dark_few
                       : many ? agent->light
                              : agent->light_few;
        theme->agents[i] = style_fold((struct look_style){colour, OWN, 0}, theme->colours);
    }
}

int theme_agent(struct span colour)
{
    for (int i = 0; i < THEME_AGENTS; i++)
        if (span_is(colour, agent_colours[i].name))
            return LOOK_AGENT + i;
    return LOOK_PLAIN;
}

struct look_style theme_style(const struct theme *theme, int look)
{
    return look < LOOK_COUNT ? theme->looks[look] : theme->agents[look - LOOK_AGENT];
}

/* The style that goes by the name in the config, and the names that it may have meant. */
static struct look_style *find_style(struct theme *theme, struct span name, struct err *err)
{
    struct span names[LOOK_COUNT + THEME_AGENTS];
    struct str agents[THEME_AGENTS] = {0}, near = {0};
    struct look_style *found = NULL;

    for (int i = 0; i < LOOK_COUNT; i++) {
        names[i] = span_of(theme_words[i]);
        if (span_eq(name, names[i]))
            found = &theme->looks[i];
    }
    for (int i = 0; i < THEME_AGENTS; i++) {
        str_addf(&agents[i], "agent-%s", agent_colours[i].name);
        names[LOOK_COUNT + i] = str_span(&agents[i]);
        if (span_eq(name, names[LOOK_COUNT + i]))
            found = &theme->agents[i];
    }
    if (!found) {
        nearest_hint(&near, name, names, LOOK_COUNT + THEME_AGENTS);
        bool none = !near.len;
        for (int i = 0; none && i < LOOK_COUNT; i++)
            str_addf(&near, "%s%s", i ? ", " : "; known: ", theme_words[i]);
        err_set(err, ERR_USAGE, "no look is called \"%.*s\"%s", (int)name.len, name.at,
                str_c(&near));
    }
    for (int i = 0; i < THEME_AGENTS; i++)
        str_free(&agents[i]);
    str_free(&near);
    return found;
}

bool theme_set(struct theme *theme, struct span look, struct span value, struct err *err)
{
    struct look_style *to = find_style(theme, look, err), style;

    if (!to || !style_parse(value, &style, err))
        return false;
    bool coloured = style.fg >= 0 || style.bg >= 0;
    if (theme->colours || style.attrs || !coloured)
        *to = style_fold(style, theme->colours);
    return true;
}
