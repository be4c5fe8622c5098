/* Themes: colours and attributes of each style. No state is shown by colour alone, so that a
 * terminal without colours shows as much.
 *
 * In the config a style is written "bold red on black": attributes, a colour, and the background
 * colour after "on", all of them optional; "plain" alone is none of them. Colours are default, the
 * eight names, these with bright-, grey, purple, orange, pink, and numbers up to 255. */
#ifndef UI_TERM_THEME_H
#define UI_TERM_THEME_H

#include "base/err.h"
#include "base/str.h"
#include "mail/page/style.h"

enum style_attribute {
    ATTRIBUTE_BOLD = 1 << 0,
    ATTRIBUTE_DIM = 1 << 1,
    ATTRIBUTE_ITALIC = 1 << 2,
    ATTRIBUTE_UNDERLINE = 1 << 3,
    ATTRIBUTE_REVERSE = 1 << 4,
};

/* Colours are numbers of the terminal, never more than it has; -1 is its default colour. */
struct text_attributes {
    short fg, bg;
    unsigned attrs; /* enum style_attribute */
};

/* The colours that rosters give to agents. */
enum { THEME_AGENTS = 8 };

enum background { BACKGROUND_DARK, BACKGROUND_LIGHT };

struct theme {
    unsigned colours; /* 0: attributes only */
    struct text_attributes styles[STYLE_COUNT];
    struct text_attributes agents[THEME_AGENTS];
};

extern const char *const theme_words[STYLE_COUNT]; /* names of the styles in the config */

/* Fills in the built-in theme for the background, on a terminal with that many colours. With fewer
 * than 8 (a terminal without colours, or a person who wants none) it has attributes only. */
void theme_init(struct theme *theme, enum background background, unsigned colours);

/* Sets a style, or that of "agent-" and an agent colour, from a pair of the config. Colours that
 * the terminal does not have become the nearest ones. Without any colours, a style that has no
 * attributes does not replace the built-in one, which distinguishes something. On failure returns
 * false and changes nothing. */
bool theme_set(struct theme *theme, struct span style, struct span value, struct err *err);

/* Returns the style for a colour of a roster, STYLE_AGENT and following; STYLE_PLAIN for an unknown
 * name. */
int theme_agent(struct span colour);
/* Returns colours and attributes of a style, including those of agents. */
struct text_attributes theme_style(const struct theme *theme, int style);

#endif
