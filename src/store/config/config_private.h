/* What the parts of the config's reader share. */
#ifndef STORE_CONFIG_CONFIG_PRIVATE_H
#define STORE_CONFIG_CONFIG_PRIVATE_H

#include "store/config/config.h"

/* A file on its way into the config. */
struct config_reading {
    struct config *config;
    struct span rest;
    unsigned line, section_line;
    struct span whole;   /* the value of a line that is too long for inih; or absent */
    bool expects;        /* the last line has to be a pair, and has not been one yet */
    bool lost;           /* the section is not known: its lines mean nothing */
    unsigned named_line; /* of the section whose name was found wanting last */
};

/* Notes a mistake in the present line. Always returns false. */
bool config_fail(struct config_reading *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same for a word, with those that it may have meant, or else all that would do. */
bool config_fail_word(struct config_reading *in, const char *what, struct span word,
                      const struct span *known, size_t count);
/* The same with the keys of a table. */
bool config_fail_key(struct config_reading *in, const char *what, struct span key,
                     const struct config_setting *table);

void config_pair_add(struct config_reading *in, struct config_pairs *pairs, struct span key,
                     struct span value);

/* Sets a row of a table in `base` and notes it in `given`. */
bool config_set(struct config_reading *in, const struct config_setting *setting, void *base,
                struct config_pairs *given, struct span value);
/* The usual values of all rows of a table that have one. */
void config_set_usual(struct config_reading *in, const struct config_setting *table, void *base);

/* Ways to set a field, for the tables. The field is a ... */
bool config_set_text(struct config_reading *in, const struct config_setting *setting, void *field,
                     struct span value); /* struct span */
bool config_set_lines(struct config_reading *in, const struct config_setting *setting, void *field,
                      struct span value); /* struct span that grows by lines */
bool config_set_item(struct config_reading *in, const struct config_setting *setting, void *field,
                     struct span value); /* struct span_list */
bool config_set_switch(struct config_reading *in, const struct config_setting *setting, void *field,
                       struct span value); /* bool */
bool config_set_word(struct config_reading *in, const struct config_setting *setting, void *field,
                     struct span value); /* enum in the order of the words */
bool config_set_duration(struct config_reading *in, const struct config_setting *setting,
                         void *field, struct span value); /* int64_t in microseconds */

/* A line of [source NAME] or [template NAME]. */
bool config_take_source(struct config_reading *in, struct span name, struct span key,
                        struct span value);
bool config_take_template(struct config_reading *in, struct span name, struct span key,
                          struct span value);
/* What can only be said when everything has been read. */
void config_end_sources(struct config_reading *in);
void config_end_templates(struct config_reading *in);
void config_free_sources(struct config *config);
void config_free_templates(struct config *config);

#endif
