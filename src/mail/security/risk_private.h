/* Dangers, inside: the tables, and the way of a text through them. */
#ifndef MAIL_SECURITY_RISK_PRIVATE_H
#define MAIL_SECURITY_RISK_PRIVATE_H

#include "mail/security/risk.h"

/* A program, alone or with an argument behind it, or a variable that is set, with its '='. Names,
 * and arguments that are words, are lower case; one that ends in '*' stands for all that start so.
 * An argument of a dash and a letter may stand in a cluster of them; "+s" is any mode of a file
 * that lends the rights of its owner. */
struct risk_command {
    const char *name;
    const char *argument; /* or NULL */
    uint8_t kind;
    uint8_t where;
};

/* Where a name means the program. */
enum risk_where {
    RISK_ANYWHERE, /* it is hardly anything else */
    RISK_COMMAND,  /* where a command may stand */
    RISK_FIRST,    /* where a command does stand: it is also a plain word */
};

enum { RISK_COMMANDS_MAX = 320 };
extern const struct risk_command risk_commands[];
extern const size_t risk_command_count;

/* A part of a word that tells something wherever it stands. */
struct risk_part {
    const char *text; /* lower case */
    uint8_t kind;
    bool ends; /* no letter follows, but for an s */
};

extern const struct risk_part risk_parts[];
extern const size_t risk_part_count;

/* Whether it runs programs that it reads as text; a version may stand behind the name. */
bool risk_is_interpreter(struct span name);
/* Whether a command's name stands behind this word of the shell. */
bool risk_is_keyword(struct span name);
/* Whether this program runs another one, whose name is among the words behind it. */
bool risk_is_runner(struct span name);
/* The name of a program in a directory of the system's programs; absent for everything else. */
struct span risk_program(struct span word);
/* The name of a program without its directory, in lower case; it lives in the scratch. What has a
 * directory in which no programs of the system lie is none, unless a command's name stands there.
 */
struct span risk_name(struct str *scratch, struct span word, bool command);

/* A member on its way through the search. */
struct risk_search {
    struct risk_list *found;
    struct span cwd;
    struct span key;
    struct span text; /* decoded */
    bool nested;
    size_t string;
    unsigned kinds;
};

/* Notes that the bytes from `at` up to `end` of the text are of that kind. */
void risk_note(struct risk_search *search, enum risk_kind kind, size_t at, size_t end);

/* Where a command is at, while its words are judged. */
struct risk_state {
    size_t started[RISK_COMMANDS_MAX]; /* where the command's name stands, plus one; 0: nowhere */
    bool any_started;
    bool quoted;                         /* all of it is: it may be plain words */
    bool first;                          /* the next word is the command's name */
    bool loose;                          /* any further word may be a command's name */
    bool piped;                          /* it gets the output of another one */
    bool target;                         /* the next word is the file of a redirection */
    size_t interpreter, interpreter_end; /* one was started here, plus one */
    bool has_options, has_arguments;     /* it has any; then it reads its program elsewhere */
};

/* One word as the shell would see it. */
struct risk_word {
    struct span text;    /* decoded; what the shell replaces is still there */
    struct span joined;  /* without what the shell replaces */
    struct span *pieces; /* what stands between that, and between braces, commas and equal signs */
    size_t piece_count;
    size_t at, end;
    bool expands; /* the shell replaces a part of it */
    bool changed; /* the text is not what stands there */
};

/* danger_shell.c: the text is for a shell, or may be. */
void risk_in_shell(struct risk_search *search);
/* danger_path.c: the text is one path. */
void risk_in_path(struct risk_search *search);
/* Finds paths in a word, which stands from `at` up to `end`. */
void risk_in_word_paths(struct risk_search *search, struct span word, size_t at, size_t end);
/* What tells something wherever it stands: in the whole text, or in a word of it. */
void risk_in_parts(struct risk_search *search);
void risk_in_word_parts(struct risk_search *search, struct span word, size_t at, size_t end);
/* Characters that look like others. */
void risk_alike(struct risk_search *search);
/* Whether a text for people names this path as one outside of the project: of the system or of a
 * home, where the working directory is not known. A word that only may be a path is none. */
bool risk_leads_outside(struct span word, struct span cwd);
/* Whether it belongs to a word: a letter, a mark or a digit. */
bool risk_is_of_word(int32_t code);
/* danger_host.c: the text is a host pattern. */
void risk_in_host(struct risk_search *search);
/* Hosts anywhere in the text that imitate known ones. */
void risk_in_hosts(struct risk_search *search);

#endif
