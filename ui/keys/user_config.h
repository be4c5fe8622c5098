/* What the config says of the screens: keys and looks. */
#ifndef UI_KEYS_USER_CONFIG_H
#define UI_KEYS_USER_CONFIG_H

#include "store/config/config.h"
#include "ui/keys/keymap.h"
#include "ui/term/theme.h"

/* Both take what makes sense and tell the config of every mistake; see config_sound(). */
void user_config_keys(struct keymap *keymap, struct config *config);
void user_config_theme(struct theme *theme, struct config *config, unsigned colours);

#endif
