/* Texts that the build puts into the program. */
#ifndef CMD_EMBEDDED_H
#define CMD_EMBEDDED_H

struct embedded {
    const char *name;
    const char *text;
};

/* Tables; each ends with a NULL name. Manual pages are found by name, such as swarmutt-config, and
 * formatted for 78 columns. */
extern const struct embedded manual_pages_utf8[];
extern const struct embedded manual_pages_ascii[];
extern const struct embedded completion_scripts[]; /* the name is that of the shell */

#endif
