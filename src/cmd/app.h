/* What all commands share: what the command line said, errors, output. */
#ifndef CMD_APP_H
#define CMD_APP_H

#include "base/err.h"
#include "base/str.h"
#include "cmd/command.h"
#include "mail/render/render.h"
#include "store/config/config.h"
#include "store/store.h"

/* What the command line said. Values of an option given several times are all kept. */
struct given {
    const char *name; /* of the option */
    const char *value;
};

/* Where a command that is run for a program in this process leaves what it would have printed. */
struct capture {
    struct str out;
    size_t giving;    /* messages that the program still gets, */
    size_t room;      /* and the bytes for all of them */
    struct str words; /* what would go to standard error: sentences, each with a NUL behind it */
    /* Called with every message that the program gets. */
    void (*given)(void *context, const struct message *message);
    void *context;
};

struct app {
    const struct command *command;
    struct given *given;
    size_t given_count, given_cap;
    char **operands;
    int operand_count;
    struct config config; /* read before a store is opened */
    struct store *store;
    struct log *log;
    unsigned clean; /* SANITIZE_ASCII when standard output is a terminal that is not UTF-8 */
    unsigned sanitize_error; /* the same for standard error */
    bool to_terminal;
    bool changes;            /* an end that nobody hears of leaves open whether something changed */
    bool own_only;           /* nothing is known of mail that is neither to nor from who we are */
    int64_t now_us;          /* TIME_NONE: the clock's */
    struct capture *capture; /* NULL: the command is run for who started the program */
};

/* Of several things that were done, the code that says most. */
int exit_worse(int a, int b);

/* The last value of an option, NULL when it was not given. */
const char *app_value(const struct app *app, const char *name);
bool app_has(const struct app *app, const char *name);
/* The same as text; absent when it was not given. */
struct span app_text(const struct app *app, const char *name);
/* Adds all values of an option. */
void app_values(const struct app *app, const char *name, struct span_list *list);
bool app_json(const struct app *app);

/* The present time for ages and for what they mean: the clock's, or the one SWARMUTT_NOW fixes. */
int64_t app_now(const struct app *app);

/* Says the error and returns its exit code. What it is about goes before it as "--NAME: " where a
 * program in this process reads it. */
int app_fail(const struct app *app, const struct err *err);
/* A usage error in the command's own words, with a hint where to read more for people. The first
 * sets it and is false, the second says it and returns the exit code. */
bool app_misuse(const struct app *app, struct err *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int app_misused(const struct app *app, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A remark on standard error, cleaned. */
void app_note(const struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes to standard output, or leaves in the capture, what was cleaned or escaped before. */
void app_put(const struct app *app, const struct str *text);

/* How wide and high the terminal on standard output is; 0 when there is none. */
size_t app_columns(const struct app *app);
size_t app_rows(const struct app *app);
/* Values of options. What was not given stays as it is and is fine; false after a usage error was
 * set. */

/* Whether all of these options were given; NULL ends them. */
bool app_needs(const struct app *app, const char *const *options, struct err *err);
bool app_duration(const struct app *app, const char *name, int64_t least_us, int64_t *lasts_us,
                  struct err *err);
/* The most that --limit allows, SIZE_MAX without it; false after the mistake was said. */
bool app_limit(const struct app *app, size_t *limit);
bool app_priority(const struct app *app, const char *name, enum priority *priority,
                  struct err *err);
/* Which of the words was typed; `what` takes them, such as "--level". */
bool app_word(const struct app *app, const char *what, const char *typed,
              const char *(*word)(unsigned number), unsigned *number, struct err *err);
/* The error of app_word(), for who compares in another way. */
bool app_refuse_word(const struct app *app, struct err *err, const char *what, const char *typed,
                     const char *(*word)(unsigned number));
/* Which of the words --format or --json ask for; text without them. */
bool app_format(const struct app *app, const char *(*word)(unsigned number), unsigned *number,
                struct err *err);
/* A whole number in digits alone. */
bool number_parse(const char *text, unsigned long least, unsigned long most, unsigned long *number);

/* Appends a file that an option names, "-" for standard input; `what` is what it holds. */
bool app_read(const char *path, const char *what, struct str *text, struct err *err);
/* The text of --body, --body-file or "-", which may stand behind the operands that are needed;
 * absent when none was given. Ends with false and the error when it cannot be read, is not UTF-8 or
 * was given twice. */
bool app_body(const struct app *app, struct str *body, bool *present, struct err *err);
/* The value of an option that must be a JSON object; absent when it was not given. */
bool app_object(const struct app *app, const char *name, struct span *object, struct err *err);

/* Says when marks that are kept here could not be read by the last load. */
void app_note_marks(const struct app *app);
/* Loads into the model what the command may know of, and says when marks that are kept here could
 * not be read. */
bool app_load(const struct app *app, const struct load *load, struct model *model, struct err *err);

/* The kinds of output that one message or a list of them can have, as words_output() has them. */
enum output { OUTPUT_TEXT, OUTPUT_MARKDOWN, OUTPUT_PROMPT, OUTPUT_XML, OUTPUT_JSON };
/* Prints one message in that kind. JSON takes what the message has; the others need all of it.
 * Returns how many characters of Markdown were written out because nobody would see them. */
size_t app_put_message(const struct app *app, const struct message *message, enum output output);
/* The same; text also tells what became of the handoff that it is, unless that is empty. */
size_t app_put_told(const struct app *app, const struct message *message, enum output output,
                    struct span handoff);
/* A remark on these characters, if there are any. */
void app_note_escaped(const struct app *app, size_t escaped);
/* The same in JSON, read again for its text unless that is there or it vanished meanwhile. */
void app_put_whole(const struct app *app, const struct message *message);
/* The same without its text, should that be there. */
void app_put_head(const struct app *app, const struct message *message);
/* Appends the object that stands for a message in JSON, as one line. For a program in this process
 * it is without the text, or left out, when it is larger than the room that is left. */
void app_add_json(const struct app *app, struct str *out, const struct message *message);
/* Appends or prints a list, cut to the width of the terminal if there is one. */
void app_add_list(const struct app *app, struct str *out, struct message *const *messages,
                  size_t count, bool hide_to);
void app_put_list(const struct app *app, struct message *const *messages, size_t count,
                  bool hide_to);
/* How standard output is written to. */
struct render_options app_render_options(const struct app *app);
/* Prints {"v":1,"id":...} or the bare id, and the warning if there is one. Where one message is for
 * all, `reached` are those who get it; else NULL. */
void app_put_id(const struct app *app, const struct outgoing_message *letter,
                const struct span_list *reached);
/* What else the sender should know, on standard error. */
void app_put_remarks(const struct app *app, const struct outgoing_message *letter);
/* Looking at messages leaves a mark here, and none in the mailbox. */
void app_seen(const struct app *app, struct message *const *messages, size_t count);

/* How sure --verify and --no-verify want to be; false after a usage error was set. */
bool app_verify(const struct app *app, enum verify *verify, struct err *err);
/* Sends one message and prints its id, also when it is there but not confirmed. Returns the exit
 * code. */
int app_send(struct app *app, struct outgoing_message *letter, const struct send_options *how);

#endif
