/* Risks, private: the tables, and the steps of the search. */
#ifndef MAIL_SECURITY_RISK_PRIVATE_H
#define MAIL_SECURITY_RISK_PRIVATE_H

#include "mail/security/risk.h"

/* Lists are words with a blank between each. */

/* Programs that are a risk alone, or one program with any of its arguments, or variables that are
 * set, with their '='. Names, and arguments that are words, are lower case; a name or argument that
 * ends in '*' matches every word with that start. An argument of a dash and a letter also matches
 * within a cluster of letters; "+s" matches any file mode that sets the set-user-ID or set-group-ID
 * bit. */
struct risk_command {
    const char *names;     /* a list; a single name if there are arguments */
    const char *arguments; /* a list, or NULL */
    uint8_t kind;
    uint8_t where;
};

/* The positions in which a name means the program. */
enum risk_where {
    RISK_ANYWHERE, /* the name has hardly any other meaning */
    RISK_COMMAND,  /* where a command may be */
    RISK_FIRST,    /* where a command is: the name is also a plain word */
};

enum { RISK_COMMANDS_MAX = 120 };
extern const struct risk_command risk_commands[];
extern const size_t risk_command_count;

/* Parts of words that are a risk anywhere. */
struct risk_parts {
    const char *texts; /* a list, lower case; no letter may follow, except an s, without a '*' */
    uint8_t kind;
};

extern const struct risk_parts risk_parts[];
extern const size_t risk_parts_count;

/* Removes the first word from the list and returns it; empty at the end of the list. */
static inline struct span risk_take(const char **list)
{
    const char *at = *list, *end = at;

    while (*end && *end != ' ') /* the words are short: a call of the library takes longer */
        end++;
    *list = end + (*end == ' ');
    return (struct span){at, (size_t)(end - at)};
}

/* True if the list has the name. */
bool risk_is_listed(struct span name, const char *list);

/* True if the program runs text as a program; a version may follow the name. */
bool risk_is_interpreter(struct span name);
/* True if a command's name follows this word of the shell. */
bool risk_is_keyword(struct span name);
/* True if this program runs another one that its arguments name. */
bool risk_is_runner(struct span name);
/* Returns the name of a program in a directory of system programs; absent for any other word. */
struct span risk_program(struct span word);
/* Returns the name of a program without its directory, in lower case, in `scratch`. A path outside
 * the directories of system programs is no program, unless `command` says that a command's name is
 * expected. */
struct span risk_name(struct str *scratch, struct span word, bool command);

/* The state of the search in one member. */
struct risk_search {
    struct risk_list *found;
    struct span cwd;
    struct span key;
    struct span text; /* decoded */
    bool nested;
    size_t string;
    unsigned kinds;
};

/* Notes that the bytes from `at` up to `end` of the text are a risk of that kind. */
void risk_note(struct risk_search *search, enum risk_kind kind, size_t at, size_t end);

/* The state of a command while its words are judged. */
struct risk_state {
    size_t started[RISK_COMMANDS_MAX]; /* position of the command's name plus one, for each row of
                                          the table; 0: not seen */
    bool any_started;
    bool quoted;                         /* the whole text was quoted: it may be plain words */
    bool first;                          /* the next word is the command's name */
    bool loose;                          /* any further word may be a command's name */
    bool piped;                          /* it reads the output of another command */
    bool target;                         /* the next word is the file of a redirection */
    size_t interpreter, interpreter_end; /* its start plus one, 0: none; its end */
    bool has_options, has_arguments;     /* of the interpreter; with none it runs its input */
};

/* One word as the shell would see it. */
struct risk_word {
    struct span text;    /* unquoted; expansions are still in it */
    struct span joined;  /* without expansions */
    struct span *pieces; /* the parts between expansions, braces, commas and equal signs */
    size_t piece_count;
    size_t at, end;
    bool expands; /* the shell replaces a part of it */
    bool changed; /* the text differs from the bytes of the member */
};

/* risk_shell.c: reads the text as one for a shell. */
void risk_in_shell(struct risk_search *search);
/* Finds paths in a word, whose bytes are from `at` up to `end`. */
void risk_in_word_paths(struct risk_search *search, struct span word, size_t at, size_t end);
/* Find parts that are a risk anywhere: in the whole text, or in a word of it. */
void risk_in_word_parts(struct risk_search *search, struct span word, size_t at, size_t end);
/* True for a character of the name of a variable or of a kind of message. */
static inline bool risk_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* True for a character of a word: a letter, a mark or a digit. */
bool risk_is_of_word(int32_t code);
/* Finds the next run of characters that `takes` accepts, from *at on, and moves *at after it. False
 * if there is none. */
bool risk_next_run(struct span text, size_t *at, bool (*takes)(int32_t code), struct span *run);
/* risk_host.c: checks a text that is a host pattern. */
void risk_in_host(struct risk_search *search);
/* Finds hosts anywhere in the text that imitate known ones. */
void risk_in_hosts(struct risk_search *search);

#endif
