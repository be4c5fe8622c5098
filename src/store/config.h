/* The config: what the person has set, read from $XDG_CONFIG_HOME/swarmutt/config, never written.
 *
 *     [stuck]
 *     silent = 15m
 *
 *     [source NAME]
 *     path = [FORMAT:]PATH
 *     stuck.silent = 1h
 *
 * The full name of a setting is SECTION.KEY; in the section of a source it stands for that source
 * alone. */
#ifndef STORE_CONFIG_H
#define STORE_CONFIG_H

#include "mail/agent.h"
#include "store/source.h"

/* Settings for one source. */
struct config_source {
    struct span name;
    const struct format *format; /* NULL: any */
    char *path;                  /* as it was given, ~/ replaced; NULL until it is known */
    unsigned line;               /* where its section starts to say something */
    unsigned given;              /* a bit for each setting in the order of the table */
    struct agent_limits limits;
};

/* Zero-initialised is nothing at all: call config_load() or config_parse(). */
struct config {
    struct arena arena;
    unsigned given;
    struct agent_limits limits;
    struct config_source *sources;
    size_t count, cap;
};

/* Reads the file; without one everything is as usual. ERR_USAGE, with file and line and what to do,
 * when something in it makes no sense. The caller frees the config in any case. */
bool config_load(struct config *config, struct err *err);
/* The same for a text; the error starts with the line. */
bool config_parse(struct config *config, struct span text, struct err *err);
void config_free(struct config *config);

/* The limits for a source that is open. Looks at the disk: real paths are compared. */
struct agent_limits config_limits(const struct config *config, const struct source *source);

#endif
