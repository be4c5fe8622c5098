/* Applies the keys and styles of the config. */
#ifndef UI_KEYS_USER_CONFIG_H
#define UI_KEYS_USER_CONFIG_H

#include "store/config/config.h"
#include "ui/keys/keymap.h"
#include "ui/term/theme.h"

/* Both apply what is valid and report every mistake with config_mistake(); see config_sound(). */
void user_config_keys(struct keymap *keymap, struct config *config);
void user_config_theme(struct theme *theme, struct config *config, unsigned colours);

#endif
