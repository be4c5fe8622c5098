/* Files of the source that the build puts into the program, so that it has them wherever it runs.
 */
#ifndef CMD_EMBEDDED_H
#define CMD_EMBEDDED_H

struct embedded {
    const char *name;
    const char *text;
};

/* A NULL name ends each. */
extern const struct embedded manual_pages[];       /* mdoc; by name, such as swarmutt-config */
extern const struct embedded completion_scripts[]; /* by shell */

#endif
