/* Texts that the build puts into the program, so that it has them wherever it runs. */
#ifndef CMD_EMBEDDED_H
#define CMD_EMBEDDED_H

struct embedded {
    const char *name;
    const char *text;
};

/* Each ends with a NULL name. The manual pages go by name, such as swarmutt-config, and are text of
 * 78 columns. */
extern const struct embedded manual_pages_utf8[];
extern const struct embedded manual_pages_ascii[];
extern const struct embedded completion_scripts[]; /* by shell */

#endif
