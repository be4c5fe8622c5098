/* Applies the keys and styles of the config. */
#include "ui/keys/user_config.h"

#include <stdlib.h>

/* Applies the key bindings. "none" removes all keys of an action, because an empty value looks like
 * a mistake. */
void user_config_keys(struct keymap *keymap, struct config *config)
{
    struct err err = {0};
    enum action which;
    size_t from = 0;

    for (size_t i = 0; i < config->keys.count; i++) {
        const struct config_pair *pair = &config->keys.items[i];
        struct span keys = span_is(pair->value, "none") ? (struct span){"", 0} : pair->value;
        if (!keymap_bind(keymap, pair->key, keys, &err))
            config_mistake(config, pair->line, "%s", err.text);
    }
    while (!keymap_settle(keymap, &from, &which, &err)) {
        const struct config_pair *blamed = config_given(&config->keys, actions[which].name);
        config_mistake(config, blamed ? blamed->line : 0, "%s", err.text);
    }
}

/* Returns the background. Some terminals report it in COLORFGBG as one of the sixteen colours. */
static enum background find_background(enum config_background wanted)
{
    const char *told = getenv("COLORFGBG");
    const char *last = told ? strrchr(told, ';') : NULL;

    if (wanted != CONFIG_BACKGROUND_AUTO)
        return wanted == CONFIG_BACKGROUND_LIGHT ? BACKGROUND_LIGHT : BACKGROUND_DARK;
    return last && (strcmp(last, ";7") == 0 || strcmp(last, ";15") == 0) ? BACKGROUND_LIGHT
                                                                         : BACKGROUND_DARK;
}

void user_config_theme(struct theme *theme, struct config *config, unsigned colours)
{
    struct err err;

    if (config->colours == CONFIG_COLOURS_NONE)
        colours = 0;
    else if (config->colours == CONFIG_COLOURS_16 && colours > 16)
        colours = 16;
    theme_init(theme, find_background(config->background), colours);
    for (size_t i = 0; i < config->theme.count; i++) {
        const struct config_pair *pair = &config->theme.items[i];
        if (!theme_set(theme, pair->key, pair->value, &err))
            config_mistake(config, pair->line, "%s", err.text);
    }
}
