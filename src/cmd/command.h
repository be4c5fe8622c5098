/* A subcommand: its name, options and function in one table entry. */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum exit_code {
    EXIT_DONE = 0,
    EXIT_NOTHING = 1,
    EXIT_USAGE = 2,
    EXIT_REFUSED = 3,
    EXIT_FAILED = 4,
    EXIT_UNCONFIRMED = 5,
};

struct app;

/* The kinds of words that completion offers; bits. */
enum word_kind {
    WORD_AGENT = 1 << 0, /* AGENT or AGENT@TEAM */
    WORD_TEAM = 1 << 1,  /* a team or a swarm */
    WORD_MESSAGE = 1 << 2,
    WORD_ARCHIVED = 1 << 3, /* an archived message */
    WORD_REQUEST = 1 << 4,  /* a request that waits for the person */
    WORD_SENT = 1 << 5,     /* a message that the person sent */
    WORD_THREAD = 1 << 6,
    WORD_TAG = 1 << 7,
    WORD_OUTBOX = 1 << 8, /* the number of an outbox entry */
    WORD_QUERY = 1 << 9,
    WORD_TOPIC = 1 << 10, /* a topic of help: a command or another topic */
    WORD_SOURCE = 1 << 11,
    WORD_FILE = 1 << 12,
    WORD_DIRECTORY = 1 << 13,
    WORD_PROGRAM = 1 << 14,
};

/* The values that an operand takes. Zero: any text. */
struct word_spec {
    unsigned kinds;
    const char *(*word)(unsigned number); /* fixed words, NULL after the last; see words.h */
    bool more;                            /* also applies to all following operands */
};

/* How app_read_options() reads an option into a field of the command's terms. */
enum option_kind {
    OPTION_OTHER,    /* not at all: the command reads it */
    OPTION_FLAG,     /* bool: true */
    OPTION_TEXT,     /* struct span */
    OPTION_TEXTS,    /* struct span_list: all values, in order */
    OPTION_PRIORITY, /* enum priority */
    OPTION_OBJECT,   /* struct span: a JSON object */
};

struct option_spec {
    const char *name;  /* without the dashes */
    const char *value; /* placeholder for the value in the help; NULL for a switch */
    enum option_kind kind;
    size_t at;      /* offset of the field */
    size_t also[2]; /* fields that the option goes with, for the command's own use */
    const char *help;
    bool needed;    /* refused without it */
    char letter;    /* short form, or 0 */
    bool path;      /* the value is a file name and need not be UTF-8 */
    unsigned kinds; /* like those of an operand */
    const char *(*word)(unsigned number);
};

struct command {
    const char *name;
    const char *operands; /* placeholders in the help; NULL for none */
    const char *summary;
    const struct option_spec *options; /* ends with a NULL name; NULL for none */
    int least, most;                   /* numbers of operands; most < 0: no maximum */
    struct word_spec takes[2];         /* values of the first and the second operand */
    bool storeless;                    /* runs without mailboxes and database */
    bool sourceless;                   /* runs even if no mailboxes are found */
    bool writes;                       /* refused with --readonly */
    bool undaunted;                    /* runs even if the config is invalid */
    bool hidden;                       /* used only by our own scripts; not listed */
    const char *one; /* meaning of EXIT_NOTHING in the screens; NULL: nothing was found */
    bool examines;   /* EXIT_NOTHING means that something was found, EXIT_DONE that nothing was */
    int (*run)(struct app *app);
};

extern const struct command *const commands[]; /* ends with NULL */
extern const struct option_spec global_options[];

const struct command *command_find(const char *name);

#endif
