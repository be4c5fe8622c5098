/* Tests themes: built-in styles, and those that the config sets. */
#include "tests/unit/support.h"

#include "ui/term/theme.h"

static const unsigned depths[] = {0, 8, 16, 88, 256};
static const char *const agents[] = {"red",    "blue",   "green", "yellow",
                                     "purple", "orange", "pink",  "cyan"};

static void expect_style(struct text_attributes got, short fg, short bg, unsigned attrs)
{
    cr_assert(got.fg == fg && got.bg == bg && got.attrs == attrs, "%d on %d with %x", got.fg,
              got.bg, got.attrs);
}

static void set(struct theme *theme, const char *style, const char *value)
{
    struct err err = {0};

    cr_assert(theme_set(theme, span_of(style), span_of(value), &err), "%s", err.text);
}

static void expect_refused(const char *style, const char *value, const char *sentence)
{
    struct theme theme, before;
    struct err err = {0};

    theme_init(&theme, BACKGROUND_DARK, 256);
    before = theme;
    cr_assert_not(theme_set(&theme, span_of(style), span_of(value), &err), "%s = %s", style, value);
    cr_assert_eq(err.scope, ERR_USAGE);
    cr_assert(strstr(err.text, sentence), "%s", err.text);
    cr_assert_arr_eq(theme.styles, before.styles, sizeof theme.styles);
}

static void expect_read(const char *value, short fg, short bg, unsigned attrs)
{
    struct theme theme;

    theme_init(&theme, BACKGROUND_DARK, 256);
    set(&theme, "needs", value);
    expect_style(theme.styles[STYLE_NEEDS], fg, bg, attrs);
}

static struct text_attributes agent_style(const struct theme *theme, struct span colour)
{
    return theme_style(theme, theme_agent(colour));
}

Test(theme, every_look_has_a_name_of_its_own)
{
    for (int i = 0; i < STYLE_COUNT; i++) {
        cr_assert(theme_words[i], "look %d", i);
        for (int j = 0; j < i; j++)
            cr_assert_str_neq(theme_words[i], theme_words[j]);
    }
}

Test(theme, every_look_can_be_set_by_its_name)
{
    struct theme theme;

    for (int i = 0; i < STYLE_COUNT; i++) {
        theme_init(&theme, BACKGROUND_LIGHT, 16);
        set(&theme, theme_words[i], "italic underline bright-cyan on magenta");
        expect_style(theme.styles[i], 14, 5, ATTRIBUTE_ITALIC | ATTRIBUTE_UNDERLINE);
    }
}

static void expect_possible(struct text_attributes drawn, unsigned colours)
{
    cr_assert_lt(drawn.fg, (int)colours);
    cr_assert_lt(drawn.bg, (int)colours);
    cr_assert(drawn.fg < 0 || drawn.fg != drawn.bg);
}

Test(theme, no_style_has_a_colour_that_the_terminal_has_not)
{
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        for (int background = BACKGROUND_DARK; background <= BACKGROUND_LIGHT; background++) {
            struct theme theme;
            theme_init(&theme, (enum background)background, depths[i]);
            for (int k = 0; k < STYLE_COUNT; k++)
                expect_possible(theme.styles[k], depths[i]);
            for (int k = 0; k < THEME_AGENTS; k++)
                expect_possible(theme.agents[k], depths[i]);
        }
}

Test(theme, without_colours_what_matters_has_attributes)
{
    static const enum style styles[] = {STYLE_ESCAPED, STYLE_WARNING, STYLE_ERROR,    STYLE_FOUND,
                                        STYLE_TITLE,   STYLE_GROUP,   STYLE_SELECTED, STYLE_TAGGED,
                                        STYLE_NEEDS,   STYLE_UNREAD,  STYLE_STUCK,    STYLE_STATUS,
                                        STYLE_FIELD_ON};
    struct theme theme;

    theme_init(&theme, BACKGROUND_DARK, 0);
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        cr_assert_neq(theme.styles[styles[i]].attrs, 0, "%s", theme_words[styles[i]]);
        expect_style(theme.styles[styles[i]], -1, -1, theme.styles[styles[i]].attrs);
    }
    cr_assert_neq(theme.styles[STYLE_TITLE].attrs, theme.styles[STYLE_TITLE_ON].attrs);
    cr_assert_neq(theme.styles[STYLE_SELECTED].attrs, theme.styles[STYLE_TAGGED].attrs);
}

Test(theme, a_terminal_with_few_colours_counts_as_one_without)
{
    struct theme none, few;

    theme_init(&none, BACKGROUND_LIGHT, 0);
    theme_init(&few, BACKGROUND_LIGHT, 4);
    cr_assert_eq(few.colours, 0);
    cr_assert_arr_eq(none.styles, few.styles, sizeof none.styles);
}

Test(theme, a_light_background_has_no_bright_text_on_it)
{
    struct theme theme;

    theme_init(&theme, BACKGROUND_LIGHT, 16);
    for (int i = 0; i < STYLE_COUNT; i++) {
        struct text_attributes drawn = theme.styles[i];
        cr_assert(drawn.bg >= 0 || (drawn.fg < 7 && drawn.fg != 3), "%s", theme_words[i]);
    }
}

Test(theme, agents_of_different_colours_look_different)
{
    for (size_t i = 1; i < sizeof depths / sizeof *depths; i++)
        for (int background = BACKGROUND_DARK; background <= BACKGROUND_LIGHT; background++) {
            struct theme theme;
            theme_init(&theme, (enum background)background, depths[i]);
            for (int a = 0; a < THEME_AGENTS; a++)
                for (int b = 0; b < a; b++) {
                    struct text_attributes one = agent_style(&theme, span_of(agents[a])),
                                           two = agent_style(&theme, span_of(agents[b]));
                    cr_assert(one.fg != two.fg || one.attrs != two.attrs, "%s and %s in %u",
                              agents[a], agents[b], depths[i]);
                }
        }
}

Test(theme, an_unknown_colour_of_an_agent_is_plain)
{
    struct theme theme;

    theme_init(&theme, BACKGROUND_DARK, 256);
    set(&theme, "plain", "dim");
    expect_style(agent_style(&theme, span_of("#ff0000")), -1, -1, ATTRIBUTE_DIM);
    expect_style(agent_style(&theme, (struct span){0}), -1, -1, ATTRIBUTE_DIM);
    expect_style(agent_style(&theme, span_of("Red")), -1, -1, ATTRIBUTE_DIM);
    expect_style(agent_style(&theme, span_of("orange")), 208, -1, 0);
}

Test(theme, the_colour_of_an_agent_can_be_set)
{
    struct theme theme;

    theme_init(&theme, BACKGROUND_DARK, 16);
    set(&theme, "agent-blue", "underline cyan");
    expect_style(agent_style(&theme, span_of("blue")), 6, -1, ATTRIBUTE_UNDERLINE);
}

Test(theme, a_style_is_read_as_it_is_written)
{
    expect_read("bold red on black", 1, 0, ATTRIBUTE_BOLD);
    expect_read("red", 1, -1, 0);
    expect_read("on blue", -1, 4, 0);
    expect_read("red bold on default reverse", 1, -1, ATTRIBUTE_BOLD | ATTRIBUTE_REVERSE);
    expect_read("default on default", -1, -1, 0);
    expect_read("plain", -1, -1, 0);
    expect_read(" dim\titalic  underline ", -1, -1,
                ATTRIBUTE_DIM | ATTRIBUTE_ITALIC | ATTRIBUTE_UNDERLINE);
    expect_read("bright-white on grey", 15, 8, 0);
    expect_read("orange on 17", 208, 17, 0);
    expect_read("255", 255, -1, 0);
}

Test(theme, what_is_no_style_is_refused_with_a_way_out)
{
    expect_refused("needs", "", "there is no style");
    expect_refused("needs", "bold rde", "\"rde\" is neither a colour nor an attribute");
    expect_refused("needs", "bold rde", "near: \"red\"");
    expect_refused("needs", "blod", "near: \"bold\"");
    expect_refused("needs", "256", "\"256\" is neither");
    expect_refused("needs", "0000", "\"0000\" is neither");
    expect_refused("needs", "-1", "\"-1\" is neither");
    expect_refused("needs", "red blue", "\"blue\" is one colour too many");
    expect_refused("needs", "red on blue on green", "\"green\" is one colour too many");
    expect_refused("needs", "red on", "behind \"on\" stands a colour");
    expect_refused("needs", "red on bold", "behind \"on\" stands a colour");
    expect_refused("needs", "on on red", "\"on\" is neither");
    expect_refused("needs", "red on red", "nobody can read");
}

Test(theme, an_unknown_look_is_refused_with_the_nearest_names)
{
    expect_refused("need", "red", "no look is called \"need\"; near: \"needs\"");
    expect_refused("agent-rd", "red", "near: \"agent-red\"");
    expect_refused("zzzzzz", "red", "known: plain, heading, ");
}

Test(theme, a_colour_that_is_not_there_becomes_the_nearest_one)
{
    struct theme theme;

    theme_init(&theme, BACKGROUND_DARK, 16);
    set(&theme, "needs", "196 on 16"); /* a pure red, a pure black */
    expect_style(theme.styles[STYLE_NEEDS], 9, 0, 0);
    theme_init(&theme, BACKGROUND_DARK, 8);
    set(&theme, "needs", "196 on 15");
    expect_style(theme.styles[STYLE_NEEDS], 1, 7, ATTRIBUTE_BOLD);
    set(&theme, "needs", "grey");
    expect_style(theme.styles[STYLE_NEEDS], -1, -1, ATTRIBUTE_DIM);
}

Test(theme, text_never_has_the_colour_of_its_background)
{
    struct theme theme;

    theme_init(&theme, BACKGROUND_DARK, 16);
    set(&theme, "needs", "bold 240 on 242"); /* both become the only grey */
    expect_style(theme.styles[STYLE_NEEDS], -1, -1, ATTRIBUTE_BOLD | ATTRIBUTE_REVERSE);
}

Test(theme, without_colours_a_style_of_colours_leaves_what_was_there)
{
    struct theme theme;

    theme_init(&theme, BACKGROUND_DARK, 0);
    set(&theme, "selected", "black on cyan");
    expect_style(theme.styles[STYLE_SELECTED], -1, -1, ATTRIBUTE_REVERSE);
    set(&theme, "selected", "bold black on cyan");
    expect_style(theme.styles[STYLE_SELECTED], -1, -1, ATTRIBUTE_BOLD);
    set(&theme, "unread", "plain");
    expect_style(theme.styles[STYLE_UNREAD], -1, -1, 0);
}
