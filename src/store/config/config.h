/* The config: what the person has set, read from $XDG_CONFIG_HOME/swarmutt/config, never written.
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

/* Something that makes no sense. */
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

/* How answers in the person's name are taken that were not sent from here. */
enum config_answers {
    CONFIG_ANSWERS_USUAL, /* as a note where the layout's lead answers too, else as an alarm */
    CONFIG_ANSWERS_NOTE,
    CONFIG_ANSWERS_ALARM,
    CONFIG_ANSWERS_IGNORE,
};

/* Ways to call the person. */
enum config_channel {
    CONFIG_BELL,     /* the terminal's bell */
    CONFIG_TERMINAL, /* the terminal's own notifications */
    CONFIG_TMUX,     /* a word in tmux's status line */
    CONFIG_CHANNEL_COUNT,
};

/* When a channel is used: for a message that comes, or comes to wait for the person, and that the
 * query finds then. */
struct config_notice {
    bool on;
    struct query query;
};

/* After what a command is run. */
enum config_hook {
    CONFIG_HOOK_NEW,     /* a message came */
    CONFIG_HOOK_WAITING, /* a request has come to wait for the person */
    CONFIG_HOOK_STUCK,   /* an agent may have become stuck */
    CONFIG_HOOK_SENT,    /* a message of the person's was delivered */
    CONFIG_HOOK_DECIDED, /* the person has answered a request */
    CONFIG_HOOK_COUNT,
};

/* A mailbox tree with what is set for it alone. */
struct config_source {
    struct span name;
    unsigned line; /* of its section */
    struct config_pairs given;
    const struct format *format; /* NULL: any */
    const char *path;            /* as it was given, ~/ replaced; NULL until it is known */
    struct span identity;        /* absent: nothing is said */
    struct span timezone;        /* of times there that name none; absent: ours */
    bool open;                   /* open it; otherwise the settings wait until somebody else does */
    struct agent_limits limits;  /* those that were given count */
};

enum config_use {
    CONFIG_USE_COMPOSE,
    CONFIG_USE_REPLY,
    CONFIG_USE_HANDOFF,
    CONFIG_USE_BROADCAST,
    CONFIG_USE_NUDGE,
    CONFIG_USE_COUNT,
};

/* What a form starts with. Texts still have their placeholders: see config_fill(). */
struct config_template {
    struct span name;
    unsigned line; /* of its section */
    struct config_pairs given;
    enum config_use use;
    struct span to, subject, body; /* or absent */
    enum priority priority;
    struct span_list tags;
    struct handoff handoff; /* CONFIG_USE_HANDOFF */
};

/* Zero-initialised is nothing at all: call config_load() or config_parse(). All texts live as long
 * as the config and are terminated. */
struct config {
    struct arena arena;
    const char *path;          /* of the file, there or not; NULL where there is no place for one */
    bool present;              /* there is a file */
    bool unreadable;           /* and reading it has failed */
    struct config_pairs given; /* settings, by their full names */
    struct config_pairs keys;  /* [keys] ACTION = KEY ..., still to be checked */
    struct config_pairs theme; /* [theme] LOOK = COLOUR ..., still to be checked */
    struct config_mistake *mistakes; /* by their lines */
    size_t mistake_count, mistake_cap;

    struct span identity; /* absent: the layout's own */
    struct span editor;   /* see config_editor() */
    bool discover;        /* besides the sources below, those that can be found */
    bool mouse, preview, wrap;
    bool confine;            /* the screens give up what they do not need */
    int64_t lock_timeout_us; /* how long others' locks of an inbox are waited for */
    enum config_scope scope;
    unsigned view; /* enum view_number: that opens first */
    struct agent_limits limits;
    struct span_list plan_roots; /* where files of plans may be looked at */
    int64_t hold_us;             /* how long a decision can be taken back before it is sent */
    int64_t settle_us;           /* how long a request is on the screen before a yes counts */
    enum config_answers answers_elsewhere;
    enum config_background background;
    enum config_colours colours;
    struct config_notice notices[CONFIG_CHANNEL_COUNT];
    bool notify_stuck;                    /* all channels that are on also tell who is stuck */
    struct span hooks[CONFIG_HOOK_COUNT]; /* commands to be split at blanks; or absent */
    int64_t hook_limit_us;                /* how long one may take */

    struct config_source *sources;
    size_t source_count, source_cap;
    struct config_template *templates;
    size_t template_count, template_cap;
};

/* Reads the file; without one everything is as usual. ERR_USAGE, with file and line and what to do,
 * when something in it makes no sense: the first mistake. All of them, and what does make sense,
 * are in the config. The caller frees the config in any case. */
bool config_load(struct config *config, struct err *err);
/* The same for a text; the error starts with the line. */
bool config_parse(struct config *config, struct span text, struct err *err);
void config_free(struct config *config);

/* Notes a mistake, for those who check keys and themes. Always returns false. */
bool config_mistake(struct config *config, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* False with the first mistake as the error, FILE: line N: ... */
bool config_sound(const struct config *config, struct err *err);

/* The last pair with that key, or NULL. */
const struct config_pair *config_given(const struct config_pairs *pairs, const char *key);

/* The limits for a source that is open, and who we are there: absent where only the layout says.
 * What is set for the source whose settings led to it, `from` or NULL, counts for it too. Both look
 * at the disk: real paths are compared. */
struct agent_limits config_limits(const struct config *config, const struct source *source);
struct span config_identity(const struct config *config, const struct source *source,
                            const struct source *from);
/* The name of the time zone that its programs are in, absent where nothing is said. */
struct span config_timezone(const struct config *config, const struct source *source,
                            const struct source *from);

/* The command that edits a file: the one that was set, else $VISUAL, $EDITOR or vi. `from`, which
 * may be NULL, is set to the variable it comes from, or NULL. */
const char *config_editor(const struct config *config, const char **from);

/* What stands for the placeholders of a template; absent ones become nothing. */
struct config_words {
    struct span agent;   /* {agent}: whom it is for */
    struct span sender;  /* {sender}: who wrote what is answered, or hands the work over */
    struct span subject; /* {subject}: of what is answered or handed over */
};

/* Appends a template's text. What is put in is never looked at again. */
void config_fill(struct str *out, struct span text, const struct config_words *words);

/* A row of the tables that the file is read by. */
struct config_reading;
struct config_setting {
    const char *name;         /* SECTION.KEY; in the section of a source or a template the key */
    const char *value;        /* what stands for the value in the help */
    const char *usual;        /* as it would be written; NULL: nothing */
    const char *otherwise;    /* what holds when nothing is set */
    const char *const *words; /* those it takes, NULL behind the last one; or NULL */
    size_t at;                /* in struct config, config_source or config_template */
    unsigned uses;            /* of a template: a bit for each enum config_use that has it */
    bool several;             /* may stand there several times */
    bool (*set)(struct config_reading *in, const struct config_setting *setting, void *field,
                struct span value);
};

/* A NULL name ends them. */
extern const struct config_setting config_settings[];

#endif
