/* The config: the person's settings, read from $XDG_CONFIG_HOME/swarmutt/config, never written.
 *
 *     [stuck]
 *     silent = 15m
 *
 *     [source NAME]
 *     path = [FORMAT:]PATH
 *     stuck.silent = 1h
 *
 * The full name of a setting is SECTION.KEY; swarmutt-config(5) explains all of them. */
#ifndef STORE_CONFIG_CONFIG_H
#define STORE_CONFIG_CONFIG_H

#include "mail/agent/agent.h"
#include "mail/query/query.h"
#include "store/source/source.h"

/* One line KEY = VALUE. */
struct config_pair {
    struct span key, value;
    unsigned line;
};

struct config_pairs {
    struct config_pair *items;
    size_t count, cap;
};

/* A mistake in the file. */
struct config_mistake {
    unsigned line; /* 0: the whole file */
    struct span text;
};

enum config_scope { CONFIG_SCOPE_ALL, CONFIG_SCOPE_MINE };

enum config_background {
    CONFIG_BACKGROUND_AUTO,
    CONFIG_BACKGROUND_DARK,
    CONFIG_BACKGROUND_LIGHT,
};

enum config_colours { CONFIG_COLOURS_16, CONFIG_COLOURS_256, CONFIG_COLOURS_NONE };

/* How to treat answers in the person's name that were not sent from here. */
enum config_answers {
    CONFIG_ANSWERS_USUAL, /* as a note if the layout's lead answers too, else as an alarm */
    CONFIG_ANSWERS_NOTE,
    CONFIG_ANSWERS_ALARM,
    CONFIG_ANSWERS_IGNORE,
};

/* Ways to notify the person. */
enum config_channel {
    CONFIG_BELL,     /* the terminal's bell */
    CONFIG_TERMINAL, /* the terminal's own notifications */
    CONFIG_TMUX,     /* a text in tmux's status line */
    CONFIG_CHANNEL_COUNT,
};

/* The use of a channel: for messages that match the query when they arrive or begin to wait for the
 * person. */
struct config_notice {
    bool on;
    struct query query;
};

/* The events that run a command. */
enum config_hook {
    CONFIG_HOOK_NEW,     /* a message arrived */
    CONFIG_HOOK_WAITING, /* a request began to wait for the person */
    CONFIG_HOOK_STUCK,   /* an agent may have become stuck */
    CONFIG_HOOK_SENT,    /* a message of the person was delivered */
    CONFIG_HOOK_DECIDED, /* the person answered a request */
    CONFIG_HOOK_COUNT,
};

/* A mailbox tree with its own settings. */
struct config_source {
    struct span name;
    unsigned line; /* line of its section */
    struct config_pairs given;
    const struct format *format; /* NULL: any */
    const char *path;            /* with ~/ expanded; NULL until it is read */
    struct span identity;        /* absent: not set */
    struct span timezone;        /* zone of its times without a zone; absent: ours */
    bool open;                   /* else the settings apply only if it is opened otherwise */
    struct agent_limits limits;  /* only those in `given` are valid */
};

enum config_use {
    CONFIG_USE_COMPOSE,
    CONFIG_USE_REPLY,
    CONFIG_USE_HANDOFF,
    CONFIG_USE_BROADCAST,
    CONFIG_USE_NUDGE,
    CONFIG_USE_COUNT,
};

/* The initial values of a form. Texts contain their placeholders: see config_fill(). */
struct config_template {
    struct span name;
    unsigned line; /* line of its section */
    struct config_pairs given;
    enum config_use use;
    struct span to, subject, body; /* or absent */
    enum priority priority;
    struct span_list tags;
    struct handoff handoff; /* for CONFIG_USE_HANDOFF */
};

/* Zero-initialised has no values, not even the defaults: call config_load() or config_parse(). All
 * texts are NUL-terminated and live as long as the config. */
struct config {
    struct arena arena;
    const char *path;          /* of the file, even if it does not exist; NULL: no place for one */
    bool present;              /* the file exists */
    bool unreadable;           /* reading the file failed */
    struct config_pairs given; /* settings by their full names */
    struct config_pairs keys;  /* [keys] ACTION = KEY ..., not checked yet */
    struct config_pairs theme; /* [theme] STYLE = COLOUR ..., not checked yet */
    struct config_mistake *mistakes; /* sorted by line */
    size_t mistake_count, mistake_cap;

    struct span identity; /* absent: that of the layout */
    struct span editor;   /* see config_editor() */
    bool discover;        /* open sources that are found besides those below */
    bool mouse, preview, wrap;
    bool confine;            /* restrict the screens with Landlock */
    int64_t lock_timeout_us; /* how long to wait for others' locks of an inbox */
    enum config_scope scope;
    unsigned view; /* enum view_number: the first view */
    struct agent_limits limits;
    struct span_list plan_roots; /* directories in which files of plans may be read */
    int64_t hold_us;             /* how long a decision can be undone before it is sent */
    int64_t settle_us;           /* how long a request must be on the screen before a yes counts */
    enum config_answers answers_elsewhere;
    enum config_background background;
    enum config_colours colours;
    struct config_notice notices[CONFIG_CHANNEL_COUNT];
    bool notify_stuck;                    /* all channels that are on also report stuck agents */
    struct span hooks[CONFIG_HOOK_COUNT]; /* commands, split at blanks; or absent */
    int64_t hook_limit_us;                /* time limit of one command */

    struct config_source *sources;
    size_t source_count, source_cap;
    struct config_template *templates;
    size_t template_count, template_cap;
};

/* Reads the file; without one all settings have their defaults. Returns false with ERR_USAGE and a
 * sentence with file, line and advice for the first mistake. The config then has all mistakes, and
 * all valid settings. Commands that open mailboxes stop then: with other limits, or without a
 * source, their results would be false. The caller frees the config in any case. */
bool config_load(struct config *config, struct err *err);
/* Like config_load(), but for a text; the error starts with the line. */
bool config_parse(struct config *config, struct span text, struct err *err);
void config_free(struct config *config);

/* Adds a mistake that the checks of keys and themes found. Always returns false. */
bool config_mistake(struct config *config, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns false with the first mistake as the error, "FILE: line N: ...". */
bool config_sound(const struct config *config, struct err *err);

/* Returns the last pair with that key, or NULL. */
const struct config_pair *config_given(const struct config_pairs *pairs, const char *key);

/* Return the limits for an open source, and our identity there, which is absent if only the layout
 * says it. The settings of `from`, the source whose settings led to this one, or NULL, apply too.
 * Both access the disk, because real paths are compared. */
struct agent_limits config_limits(const struct config *config, const struct source *source);
struct span config_identity(const struct config *config, const struct source *source,
                            const struct source *from);
/* Returns the time zone of the source's programs; absent if it is not set. */
struct span config_timezone(const struct config *config, const struct source *source,
                            const struct source *from);

/* Returns the command that edits a file: the setting, else $VISUAL, $EDITOR or vi. Stores the name
 * of the variable that it comes from, or NULL, in `from`, which may be NULL. */
const char *config_editor(const struct config *config, const char **from);

/* The values of the placeholders of a template; absent ones become empty. */
struct config_words {
    struct span agent;   /* {agent}: the recipient */
    struct span sender;  /* {sender}: author of the original, or giver of the handoff */
    struct span subject; /* {subject}: subject of the original */
};

/* Appends a template's text with its placeholders replaced. Inserted values are not expanded
 * again. */
void config_fill(struct str *out, struct span text, const struct config_words *words);

/* A row of the tables that parse the file. */
struct config_reading;
struct config_setting {
    const char *name;         /* SECTION.KEY; only KEY in the section of a source or a template */
    const char *value;        /* placeholder for the value in the help */
    const char *usual;        /* default value as it would be written; NULL: none */
    const char *otherwise;    /* text that describes the behaviour when nothing is set */
    const char *const *words; /* allowed words, NULL after the last; or NULL */
    size_t at;                /* offset in struct config, config_source or config_template */
    unsigned uses;            /* for a template: a bit for each enum config_use that has this key */
    bool several;             /* may be given several times */
    bool (*set)(struct config_reading *in, const struct config_setting *setting, void *field,
                struct span value);
};

/* Ends with a NULL name. */
extern const struct config_setting config_settings[];

#endif
