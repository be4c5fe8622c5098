/* The config: every mistake has a line and a sentence, and the valid settings can be used. */
#include "store/config/config.h"

#include "base/text/utf8.h"
#include "fuzz.h"
#include "ui/keys/user_config.h"

static unsigned count_lines(struct span text)
{
    unsigned lines = 1;

    for (size_t i = 0; i < text.len; i++)
        lines += text.at[i] == '\n';
    return lines;
}

static void check_mistakes(const struct config *config, unsigned lines)
{
    for (size_t i = 0; i < config->mistake_count; i++) {
        const struct config_mistake *mistake = &config->mistakes[i];
        require(mistake->text.len && mistake->line <= lines, "line %u: %s", mistake->line,
                mistake->text.at);
        require(!i || config->mistakes[i - 1].line <= mistake->line, "line %u", mistake->line);
    }
}

static void check_use(const struct config *config)
{
    const struct config_words words = {.agent = span_of("a"), .sender = span_of("{subject}")};
    struct str out = {0};

    for (size_t i = 0; i < config->template_count; i++) {
        const struct config_template *template = &config->templates[i];
        str_clear(&out);
        config_fill(&out, template->body, &words);
        require(template->body.at || !out.len, "a text out of nothing");
        require(template->name.at && template->use < CONFIG_USE_COUNT, "template %zu", i);
    }
    for (size_t i = 0; i < config->source_count; i++)
        require(config->sources[i].name.at, "source %zu", i);
    for (unsigned i = 0; i < CONFIG_CHANNEL_COUNT; i++) {
        str_clear(&out);
        query_add_text(&out, &config->notices[i].query);
    }
    require(config_editor(config, NULL) != NULL, "no editor");
    require(config->hold_us >= 0 && config->hook_limit_us >= 0, "a time before its start");
    str_free(&out);
}

void fuzz_config(struct span input)
{
    struct config config = {0}, again = {0};
    struct keymap keymap = {0};
    struct theme theme;
    struct err err = {0}, second = {0};

    bool ok = config_parse(&config, input, &err);
    require(ok == !config.mistake_count, "%s", err.text);
    require(ok || (err.text[0] && err.scope == ERR_USAGE), "refused without a reason");
    require(config_parse(&again, input, &second) == ok && !strcmp(err.text, second.text), "%s, %s",
            err.text, second.text);
    check_mistakes(&config, count_lines(input));
    check_use(&config);
    keymap_init(&keymap);
    user_config_keys(&keymap, &config);
    user_config_theme(&theme, &config, 16);
    check_mistakes(&config, count_lines(input));
    for (int i = 0; i < STYLE_COUNT; i++)
        require(theme.styles[i].fg < 16 && theme.styles[i].bg < 16, "look %d", i);
    keymap_free(&keymap);
    config_free(&config);
    config_free(&again);
}
