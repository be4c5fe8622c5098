/* Themes: which colours and attributes each look has. No state is told by colour alone, so that a
 * terminal without colours shows as much.
 *
 * In the config a style is written "bold red on black": attributes, a colour, and the colour of the
 * background behind "on", all of them optional; "plain" alone is none of them. Colours are default,
 * the eight names, these with bright-, grey, purple, orange, pink, and numbers up to 255. */
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

/* Colours are the terminal's numbers, never more than it has; -1 is its own colour. */
struct text_attributes {
    short fg, bg;
    unsigned attrs; /* enum style_attribute */
};

/* The colours that rosters of agents name. */
enum { THEME_AGENTS = 8 };

enum background { BACKGROUND_DARK, BACKGROUND_LIGHT };

struct theme {
    unsigned colours; /* 0: attributes only */
    struct text_attributes styles[STYLE_COUNT];
    struct text_attributes agents[THEME_AGENTS];
};

extern const char *const theme_words[STYLE_COUNT]; /* in the config */

/* The built-in theme for that background, on a terminal with so many colours. With fewer than 8 (a
 * terminal without colours, or a person who wants none) it has attributes only. */
void theme_init(struct theme *theme, enum background background, unsigned colours);

/* Sets a look, or "agent-" and a colour of agents, from a pair of the config. Colours that the
 * terminal does not have become the nearest that it has. Where there are none, a style without
 * attributes leaves the built-in one: it told something apart. After false nothing has changed. */
bool theme_set(struct theme *theme, struct span style, struct span value, struct err *err);

/* The look for the colour that a roster names, STYLE_AGENT and on; STYLE_PLAIN for a name that it
 * does not know. */
int theme_agent(struct span colour);
/* The style of any look, those of agents included. */
struct text_attributes theme_style(const struct theme *theme, int style);

#endif
