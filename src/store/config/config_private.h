/* Shared by the files of the config's parser. */
#ifndef STORE_CONFIG_CONFIG_PRIVATE_H
#define STORE_CONFIG_CONFIG_PRIVATE_H

#include "store/config/config.h"

/* A file being parsed. */
struct config_reading {
    struct config *config;
    struct span rest;
    unsigned line, section_line;
    struct span whole;   /* the value of a line that is too long for inih; or absent */
    bool expects;        /* the last line must be a pair, and was not parsed as one yet */
    bool lost;           /* the section is unknown: its lines are ignored */
    unsigned named_line; /* line of the last section with a wrong name that was reported */
};

/* Adds a mistake in the current line. Always returns false. */
bool config_fail(struct config_reading *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void config_pair_add(struct config_reading *in, struct config_pairs *pairs, struct span key,
                     struct span value);

/* Sets the field of a table row in `base` and adds the pair to `given`. */
bool config_set(struct config_reading *in, const struct config_setting *setting, void *base,
                struct config_pairs *given, struct span value);
/* Sets the defaults of all rows of a table that have one. */
void config_set_usual(struct config_reading *in, const struct config_setting *table, void *base);

/* Setters for the tables, for a field of type ... */
bool config_set_text(struct config_reading *in, const struct config_setting *setting, void *field,
                     struct span value); /* struct span */
bool config_set_lines(struct config_reading *in, const struct config_setting *setting, void *field,
                      struct span value); /* struct span; several values are joined by newlines */
bool config_set_item(struct config_reading *in, const struct config_setting *setting, void *field,
                     struct span value); /* struct span_list */
bool config_set_switch(struct config_reading *in, const struct config_setting *setting, void *field,
                       struct span value); /* bool */
bool config_set_word(struct config_reading *in, const struct config_setting *setting, void *field,
                     struct span value); /* enum, in the order of the words */
bool config_set_duration(struct config_reading *in, const struct config_setting *setting,
                         void *field, struct span value); /* int64_t in microseconds */

/* Parse a line of [source NAME] or [template NAME]. */
/* Check what depends on the whole file. */

#endif
