/* A subcommand: its name, its options and what it does, in one table entry. */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <stdbool.h>

enum exit_code {
    EXIT_DONE = 0,
    EXIT_NOTHING = 1,
    EXIT_USAGE = 2,
    EXIT_REFUSED = 3,
    EXIT_FAILED = 4,
    EXIT_UNCONFIRMED = 5,
};

struct app;

/* What a word on the command line may be, for those who complete it; bits. */
enum word_kind {
    WORD_AGENT = 1 << 0, /* AGENT or AGENT@TEAM */
    WORD_TEAM = 1 << 1,  /* or a swarm */
    WORD_MESSAGE = 1 << 2,
    WORD_ARCHIVED = 1 << 3, /* a message that was put away */
    WORD_REQUEST = 1 << 4,  /* one that waits for the person */
    WORD_SENT = 1 << 5,     /* one of the person's own */
    WORD_THREAD = 1 << 6,
    WORD_TAG = 1 << 7,
    WORD_OUTBOX = 1 << 8, /* the number of an entry */
    WORD_QUERY = 1 << 9,
    WORD_TOPIC = 1 << 10, /* of help: a command or a topic */
    WORD_SOURCE = 1 << 11,
    WORD_FILE = 1 << 12,
    WORD_DIRECTORY = 1 << 13,
    WORD_PROGRAM = 1 << 14,
};

/* Nothing set: any text. */
struct word_spec {
    unsigned kinds;
    const char *(*word)(unsigned number); /* fixed words, NULL behind the last; see words.h */
    bool more;                            /* of operands: all that follow are the same */
};

struct option_spec {
    const char *name;  /* without the dashes */
    const char *value; /* what stands for the value in the help; NULL for a switch */
    const char *help;
    char letter;            /* short form, or 0 */
    bool path;              /* the value names a file: it need not be UTF-8 */
    struct word_spec takes; /* what the value may be */
};

struct command {
    const char *name;
    const char *operands; /* in the help; NULL for none */
    const char *summary;
    const struct option_spec *options; /* ends with a NULL name; NULL for none */
    int least, most;                   /* how many operands; most < 0: any number */
    struct word_spec takes[2];         /* what the first and the second operand may be */
    bool storeless;                    /* needs no mailboxes and no database */
    bool sourceless;                   /* goes on where no mailboxes are found */
    bool writes;                       /* is refused with --readonly */
    bool undaunted;                    /* goes on with a config that makes no sense */
    bool hidden;                       /* is for our own scripts: no list names it */
    const char *one; /* what EXIT_NOTHING says of it; NULL: that nothing was found */
    bool examines;   /* EXIT_NOTHING says that something was found, EXIT_DONE that nothing was */
    int (*run)(struct app *app);
};

extern const struct command *const commands[]; /* NULL ends it */
extern const struct option_spec global_options[];

const struct command *command_find(const char *name);

#endif
